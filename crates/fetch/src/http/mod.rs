//! Servers asked politely.
//!
//! A [`Client`] gives pages in two ways. [`Client::get`] does everything for one page: it asks robots.txt, waits its
//! turn, tries again what may pass, follows redirects, keeps answers in a [`Cache`]. [`Client::once`] makes one request
//! and no more; who crawls has its own schedule and uses the parts: [`Client::allowed`], [`Gate`], [`backoff`],
//! [`Request::redirected`].
//!
//! Bodies stay as they were sent, so that an archive can keep them; [`Answer::content`](crate::Answer::content) unpacks
//! them within a bound.
//!
//! # Cost
//!
//! A request over a warm connection costs what the HTTP client below costs, and about a microsecond. Memory is bounded
//! in everything a server decides: the size of bodies and headers, cookies, robots.txt, redirects.

mod blocking;
mod cache;
mod client;
mod config;
mod content;
mod cookies;
mod gate;
mod get;
pub mod guard;
mod own;
mod request;
mod retry;
mod robots;
mod transport;

pub use cache::{Cache, CacheError};
pub use client::Client;
pub use config::{Config, ConfigError};
pub use gate::{Gate, Permit};
pub use get::Fetched;
pub(crate) use get::status_error;
pub use request::{Origin, Request, Validators};
pub use retry::{backoff, retry_after};
pub use robots::{Robots, Verdict};
