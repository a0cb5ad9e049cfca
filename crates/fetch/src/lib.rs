//! Fetching of pages from the web, from archives and through a browser.
//!
//! Every page arrives as an [`Answer`]: the address, the status, the headers, and the bytes as they were sent. [`http`]
//! requests pages from servers, [`warc`] stores answers in files and replays them, [`render`] runs a page's scripts in
//! a browser, and [`crawl`] follows links and survives being killed.
//!
//! This crate does not parse HTML: the caller decides which links to follow.

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
