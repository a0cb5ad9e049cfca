//! Shared parts of the HTTP tests.

use std::time::Duration;

use flate2::Compression;
use flate2::write::GzEncoder;
use std::io::Write;
use windrow_fetch::http::{Client, Config, Fetched, Request};
use windrow_fetch::{Answer, FetchError};

/// Settings for tests: no robots.txt unless a test is about it, and no patience.
pub(crate) fn config() -> Config {
    Config::default()
        .with_obey_robots(false)
        .with_backoff(Duration::from_millis(5))
        // Against hanging only: a busy machine may be slow.
        .with_timeout(Duration::from_secs(300))
}

pub(crate) fn client(config: Config) -> Client {
    Client::new(config).expect("a client")
}

pub(crate) fn request(url: &str) -> Request {
    Request::parse(url).expect("an address")
}

/// A request on the word of a page.
pub(crate) fn linked(url: &str) -> Request {
    Request::page(url.parse().expect("an address"))
}

pub(crate) async fn get(config: Config, url: &str) -> Result<Fetched, FetchError> {
    client(config).get(&request(url)).await
}

pub(crate) async fn once(config: Config, url: &str) -> Result<Answer, FetchError> {
    client(config).once(&request(url)).await
}

pub(crate) fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(bytes).expect("written");
    encoder.finish().expect("finished")
}

/// Text without the port of a test's server, which changes.
pub(crate) fn steady(text: &str, server: &windrow_testkit::server::Server) -> String {
    text.replace(&server.address().port().to_string(), "PORT")
}
