//! A polite HTTP client.
//!
//! A [`Client`] fetches pages in two ways. [`Client::get`] does everything for one page: it checks robots.txt, respects
//! rate limits, retries transient failures, follows redirects, and uses a [`Cache`]. [`Client::once`] sends a single
//! request; crawlers have their own schedule and use the parts: [`Client::allowed`], [`Gate`], [`backoff`],
//! [`Request::redirected`].
//!
//! Bodies stay as they were sent, so that an archive can store them; [`Answer::content`](crate::Answer::content)
//! decompresses them within a limit.
//!
//! # Cost
//!
//! A request over an open connection costs what the underlying HTTP client costs, plus about a microsecond. Everything
//! that a server controls is bounded: the size of bodies and headers, cookies, robots.txt, redirects.

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
