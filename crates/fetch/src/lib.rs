//! Pages from the web, from archives and from a browser: politely, durably, replayably.
//!
//! Whatever a page comes from, it comes as an [`Answer`]: the address, the status, the headers, the bytes as they were
//! sent. [`http`] asks servers, [`warc`] keeps answers in files and gives them back, [`render`] lets a browser run a
//! page's scripts, [`crawl`] goes from page to page and survives being killed.
//!
//! This crate reads no HTML: which links of a page to follow is the caller's to say.

pub mod answer;
pub mod crawl;
pub mod error;
pub mod fetcher;
pub mod http;
pub mod render;
pub mod warc;

pub use answer::Answer;
pub use error::FetchError;
pub use fetcher::{Config as FetcherConfig, Fetcher, FetcherError};
pub use warc::WarcError;
