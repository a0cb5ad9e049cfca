//! Settings for requests: identification, time limits, size limits, politeness.

use std::time::Duration;

/// Settings of a [`Client`](super::Client).
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Config {
    /// User agent. Its first word, up to a `/`, is the name that robots.txt rules may address.
    pub user_agent: String,
    /// Preferred languages, as the value of `Accept-Language`.
    pub accept_language: String,
    /// Longest time for establishing a connection, TLS included.
    pub connect_timeout: Duration,
    /// Longest time for a complete answer, from the request to the last byte.
    pub timeout: Duration,
    /// Largest body in bytes, both as sent and decompressed.
    pub max_size: u64,
    /// Largest number of redirects followed for one page.
    pub redirects: usize,
    /// Largest number of retries after a transient failure.
    pub retries: u32,
    /// Delay before the first retry; it doubles with each, up to 30 s.
    pub backoff: Duration,
    /// Seed for the random part of the delays: equal seeds give equal delays.
    pub seed: u64,
    /// Largest `Retry-After` that is respected. A longer one ends the attempts.
    pub retry_after_limit: Duration,
    /// Largest number of simultaneous requests to one origin.
    pub per_host: usize,
    /// Time between the starts of two requests to one origin. Zero suits single pages; use [`Config::CRAWL_DELAY`] for
    /// many.
    pub delay: Duration,
    /// Largest crawl-delay of a robots.txt that is respected.
    pub crawl_delay_limit: Duration,
    /// True if robots.txt is fetched and obeyed.
    pub obey_robots: bool,
    /// True if pages may link to private addresses.
    pub allow_private: bool,
    /// Proxy. It resolves the names, so that only addresses written as numbers are checked here. Environment variables
    /// are not read.
    pub proxy: Option<String>,
    /// Root certificates in PEM format, in addition to the platform's own.
    pub root_certificates: Vec<u8>,
    /// True to offer HTTP/2 to servers with TLS.
    pub http2: bool,
}

impl Config {
    /// Recommended delay for crawling a site.
    pub const CRAWL_DELAY: Duration = Duration::from_secs(1);

    /// Sets the user agent.
    pub fn with_user_agent(mut self, user_agent: impl Into<String>) -> Config {
        self.user_agent = user_agent.into();
        self
    }

    /// Sets the preferred languages: `de, en;q=0.5`.
    pub fn with_accept_language(mut self, languages: impl Into<String>) -> Config {
        self.accept_language = languages.into();
        self
    }

    /// Limits the time for establishing a connection.
    pub fn with_connect_timeout(mut self, timeout: Duration) -> Config {
        self.connect_timeout = timeout;
        self
    }

    /// Limits the time for a complete answer.
    pub fn with_timeout(mut self, timeout: Duration) -> Config {
        self.timeout = timeout;
        self
    }

    /// Limits the size of a body.
    pub fn with_max_size(mut self, bytes: u64) -> Config {
        self.max_size = bytes;
        self
    }

    /// Limits the number of redirects.
    pub fn with_redirects(mut self, redirects: usize) -> Config {
        self.redirects = redirects;
        self
    }

    /// Limits the number of retries.
    pub fn with_retries(mut self, retries: u32) -> Config {
        self.retries = retries;
        self
    }

    /// Sets the delay before the first retry.
    pub fn with_backoff(mut self, backoff: Duration) -> Config {
        self.backoff = backoff;
        self
    }

    /// Sets the seed for the random part of the delays.
    pub fn with_seed(mut self, seed: u64) -> Config {
        self.seed = seed;
        self
    }

    /// Limits the `Retry-After` that is respected.
    pub fn with_retry_after_limit(mut self, limit: Duration) -> Config {
        self.retry_after_limit = limit;
        self
    }

    /// Limits the simultaneous requests to one origin; at least one is permitted.
    pub fn with_per_host(mut self, requests: usize) -> Config {
        self.per_host = requests;
        self
    }

    /// Sets the delay between requests to one origin.
    pub fn with_delay(mut self, delay: Duration) -> Config {
        self.delay = delay;
        self
    }

    /// Limits the crawl-delay of a robots.txt.
    pub fn with_crawl_delay_limit(mut self, limit: Duration) -> Config {
        self.crawl_delay_limit = limit;
        self
    }

    /// Sets whether robots.txt is fetched and obeyed.
    pub fn with_obey_robots(mut self, obey: bool) -> Config {
        self.obey_robots = obey;
        self
    }

    /// Sets whether pages may link to private addresses.
    pub fn with_allow_private(mut self, allow: bool) -> Config {
        self.allow_private = allow;
        self
    }

    /// Uses a proxy: `http://proxy.example.org:3128`.
    pub fn with_proxy(mut self, proxy: impl Into<String>) -> Config {
        self.proxy = Some(proxy.into());
        self
    }

    /// Trusts these root certificates, too.
    pub fn with_root_certificates(mut self, pem: impl Into<Vec<u8>>) -> Config {
        self.root_certificates = pem.into();
        self
    }

    /// Sets whether HTTP/2 is offered.
    pub fn with_http2(mut self, offer: bool) -> Config {
        self.http2 = offer;
        self
    }

    /// Returns the name that a robots.txt may address: `windrow`.
    pub fn product(&self) -> &str {
        let end = self.user_agent.find(|char: char| char == '/' || char.is_whitespace());
        &self.user_agent[..end.unwrap_or(self.user_agent.len())]
    }
}

impl Default for Config {
    fn default() -> Config {
        Config {
            user_agent: concat!("windrow/", env!("CARGO_PKG_VERSION"), " (+", env!("CARGO_PKG_REPOSITORY"), ")").into(),
            accept_language: "en,*;q=0.5".into(),
            connect_timeout: Duration::from_secs(10),
            timeout: Duration::from_secs(30),
            max_size: 64 << 20,
            redirects: 10,
            retries: 3,
            backoff: Duration::from_millis(500),
            seed: 0,
            retry_after_limit: Duration::from_secs(120),
            per_host: 2,
            delay: Duration::ZERO,
            crawl_delay_limit: Duration::from_secs(60),
            obey_robots: true,
            allow_private: false,
            proxy: None,
            root_certificates: Vec::new(),
            http2: true,
        }
    }
}

/// Error of creating a client.
#[derive(Debug, thiserror::Error, miette::Diagnostic)]
#[non_exhaustive]
pub enum ConfigError {
    /// A header value contains characters that cannot be sent.
    #[error("`{value}` cannot be sent as {header}")]
    #[diagnostic(code(fetch::config::header), help("use printable ASCII characters on a single line"))]
    Header {
        /// Name of the header.
        header: &'static str,
        /// Rejected value.
        value: String,
    },
    /// The proxy's address is invalid.
    #[error("`{proxy}` is not a valid proxy address: {cause}")]
    #[diagnostic(code(fetch::config::proxy), help("a proxy looks like http://proxy.example.org:3128"))]
    Proxy {
        /// Address as given.
        proxy: String,
        /// Reason from the parser.
        cause: String,
    },
    /// The root certificates are invalid.
    #[error("the root certificates could not be read: {cause}")]
    #[diagnostic(
        code(fetch::config::certificates),
        help("use PEM format: blocks that begin with -----BEGIN CERTIFICATE-----")
    )]
    Certificates {
        /// Reason from the parser.
        cause: String,
    },
    /// The system lacks something that the client needs.
    #[error("the HTTP client could not be created: {cause}")]
    #[diagnostic(code(fetch::config::setup))]
    Setup {
        /// Description of the problem.
        cause: String,
    },
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_default_agent_says_who_it_is() {
        let config = Config::default();
        assert!(config.user_agent.starts_with("windrow/0."), "{}", config.user_agent);
        assert!(config.user_agent.ends_with("(+https://github.com/windrow/windrow)"), "{}", config.user_agent);
        assert_eq!(config.product(), "windrow");
        assert_eq!(config.with_user_agent("shop-bot (mail me)").product(), "shop-bot");
    }
}
