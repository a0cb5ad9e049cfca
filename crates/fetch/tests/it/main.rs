//! Behaviour of fetching.

mod crawl;
mod http_cache;
mod http_common;
mod http_content;
mod http_gate;
mod http_get;
mod http_once;
mod http_robots;
mod http_tls;
mod render;
mod warc;
