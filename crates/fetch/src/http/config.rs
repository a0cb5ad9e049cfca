//! How pages are asked for: what the client says of itself, how long it waits, how much it takes, how polite it is.

use std::time::Duration;

/// Settings of a [`Client`](super::Client).
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Config {
    /// What the client calls itself. Its first word, up to a `/`, is the name that robots.txt may address.
    pub user_agent: String,
    /// The languages that are asked for, as `Accept-Language`.
    pub accept_language: String,
    /// The longest time for a connection to come up, TLS included.
    pub connect_timeout: Duration,
    /// The longest time for a whole answer, from the request to the last byte.
    pub timeout: Duration,
    /// The most bytes of a body, as it is sent and as it unpacks.
    pub max_size: u64,
    /// The most redirects that are followed for one page.
    pub redirects: usize,
    /// How often a request is made again that failed in a way that may pass.
    pub retries: u32,
    /// The wait before the first repetition; it doubles with each, up to 30 s.
    pub backoff: Duration,
    /// What the jitter of the waits is drawn from: the same seed, the same waits.
    pub seed: u64,
    /// The longest `Retry-After` that is waited for. A longer one ends the attempts.
    pub retry_after_limit: Duration,
    /// The most requests to one origin at the same time.
    pub per_host: usize,
    /// The time between the starts of two requests to one origin: none for single pages,
    /// [`Config::CRAWL_DELAY`] is good manners for many.
    pub delay: Duration,
    /// The longest crawl-delay of a robots.txt that is obeyed.
    pub crawl_delay_limit: Duration,
    /// Whether robots.txt is asked and obeyed.
    pub obey_robots: bool,
    /// Whether pages may lead to private addresses.
    pub allow_private: bool,
    /// A proxy, which then resolves the names, so that only addresses written as numbers are checked here. The
    /// environment is not asked.
    pub proxy: Option<String>,
    /// More root certificates than the platform's own, as PEM.
    pub root_certificates: Vec<u8>,
    /// Whether HTTP/2 is offered to servers with TLS.
    pub http2: bool,
}

impl Config {
    /// A delay for going through a site page by page.
    pub const CRAWL_DELAY: Duration = Duration::from_secs(1);

    /// Calls the client something else.
    pub fn with_user_agent(mut self, user_agent: impl Into<String>) -> Config {
        self.user_agent = user_agent.into();
        self
    }

    /// Asks for other languages: `de, en;q=0.5`.
    pub fn with_accept_language(mut self, languages: impl Into<String>) -> Config {
        self.accept_language = languages.into();
        self
    }

    /// Bounds the time for a connection.
    pub fn with_connect_timeout(mut self, timeout: Duration) -> Config {
        self.connect_timeout = timeout;
        self
    }

    /// Bounds the time for an answer.
    pub fn with_timeout(mut self, timeout: Duration) -> Config {
        self.timeout = timeout;
        self
    }

    /// Bounds the size of a body.
    pub fn with_max_size(mut self, bytes: u64) -> Config {
        self.max_size = bytes;
        self
    }

    /// Bounds the redirects.
    pub fn with_redirects(mut self, redirects: usize) -> Config {
        self.redirects = redirects;
        self
    }

    /// Bounds the repetitions.
    pub fn with_retries(mut self, retries: u32) -> Config {
        self.retries = retries;
        self
    }

    /// Sets the first wait between repetitions.
    pub fn with_backoff(mut self, backoff: Duration) -> Config {
        self.backoff = backoff;
        self
    }

    /// Seeds the jitter.
    pub fn with_seed(mut self, seed: u64) -> Config {
        self.seed = seed;
        self
    }

    /// Bounds what `Retry-After` may ask for.
    pub fn with_retry_after_limit(mut self, limit: Duration) -> Config {
        self.retry_after_limit = limit;
        self
    }

    /// Bounds the requests at a time to one origin; at least one.
    pub fn with_per_host(mut self, requests: usize) -> Config {
        self.per_host = requests;
        self
    }

    /// Spaces the requests to one origin.
    pub fn with_delay(mut self, delay: Duration) -> Config {
        self.delay = delay;
        self
    }

    /// Bounds the crawl-delay of a robots.txt.
    pub fn with_crawl_delay_limit(mut self, limit: Duration) -> Config {
        self.crawl_delay_limit = limit;
        self
    }

    /// Obeys robots.txt, or does not ask for it.
    pub fn with_obey_robots(mut self, obey: bool) -> Config {
        self.obey_robots = obey;
        self
    }

    /// Lets pages lead to private addresses, or does not.
    pub fn with_allow_private(mut self, allow: bool) -> Config {
        self.allow_private = allow;
        self
    }

    /// Goes through a proxy: `http://proxy.example.org:3128`.
    pub fn with_proxy(mut self, proxy: impl Into<String>) -> Config {
        self.proxy = Some(proxy.into());
        self
    }

    /// Trusts these root certificates as well.
    pub fn with_root_certificates(mut self, pem: impl Into<Vec<u8>>) -> Config {
        self.root_certificates = pem.into();
        self
    }

    /// Offers HTTP/2, or does not.
    pub fn with_http2(mut self, offer: bool) -> Config {
        self.http2 = offer;
        self
    }

    /// The name that a robots.txt may address: `windrow`.
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

/// Why there is no client with these settings.
#[derive(Debug, thiserror::Error, miette::Diagnostic)]
#[non_exhaustive]
pub enum ConfigError {
    /// A header's value that cannot be sent.
    #[error("`{value}` cannot be sent as {header}")]
    #[diagnostic(code(fetch::config::header), help("a header takes letters, digits and signs on one line"))]
    Header {
        /// The header.
        header: &'static str,
        /// What was to be sent.
        value: String,
    },
    /// No proxy's address.
    #[error("`{proxy}` is no proxy's address: {cause}")]
    #[diagnostic(code(fetch::config::proxy), help("a proxy looks like http://proxy.example.org:3128"))]
    Proxy {
        /// What was given.
        proxy: String,
        /// What is wrong with it.
        cause: String,
    },
    /// No certificates.
    #[error("the root certificates cannot be read: {cause}")]
    #[diagnostic(
        code(fetch::config::certificates),
        help("they are PEM: blocks that begin with -----BEGIN CERTIFICATE-----")
    )]
    Certificates {
        /// What is wrong with them.
        cause: String,
    },
    /// The machine has not what a client needs.
    #[error("no client can be set up: {cause}")]
    #[diagnostic(code(fetch::config::setup))]
    Setup {
        /// What is missing.
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
