//! Sending a single request and receiving its answer.

use std::sync::Arc;
use std::time::SystemTime;

use bytes::{Bytes, BytesMut};
use http::HeaderMap;
use http::header::{ACCEPT, ACCEPT_ENCODING, ACCEPT_LANGUAGE, COOKIE, HeaderValue, USER_AGENT};
use url::Url;

use super::blocking::Background;
use super::cache::Cache;
use super::config::{Config, ConfigError};
use super::cookies::Cookies;
use super::gate::Gate;
use super::guard;
use super::own::{NamedOrigins, Pins};
use super::request::{Origin, Request};
use super::robots::Memory;
use super::transport::{Reach, Transport, fetch_error};
use crate::{Answer, FetchError};

/// HTTP client. Clones share connections, cookies, request slots and robots.txt rules.
#[derive(Debug, Clone)]
pub struct Client {
    pub(super) shared: Arc<Shared>,
    pub(super) cache: Option<Cache>,
}

#[derive(Debug)]
pub(super) struct Shared {
    pub(super) config: Config,
    transport: Transport,
    own: NamedOrigins,
    /// Headers that are sent with every request.
    headers: HeaderMap,
    cookies: Cookies,
    pub(super) gate: Gate,
    pub(super) robots: Memory,
    pub(super) background: Background,
}

/// Treatment of a body that exceeds the size limit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Beyond {
    Refuse,
    Cut,
}

impl Client {
    /// Creates a client with these settings.
    ///
    /// # Errors
    ///
    /// A setting is invalid. Missing root certificates are not an error here: `http:` still works, and each `https:`
    /// request reports the problem.
    pub fn new(config: Config) -> Result<Client, ConfigError> {
        let value = |header: &'static str, value: &str| {
            let bad = |_| ConfigError::Header { header, value: value.to_owned() };
            HeaderValue::from_str(value).map_err(bad)
        };
        let mut headers = HeaderMap::new();
        headers.insert(USER_AGENT, value("User-Agent", &config.user_agent)?);
        headers.insert(
            ACCEPT,
            HeaderValue::from_static("text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"),
        );
        headers.insert(ACCEPT_ENCODING, HeaderValue::from_static("gzip, deflate, br, zstd"));
        if !config.accept_language.is_empty() {
            headers.insert(ACCEPT_LANGUAGE, value("Accept-Language", &config.accept_language)?);
        }
        let pins = Pins::default();
        let shared = Shared {
            transport: Transport::new(&config, &pins)?,
            own: NamedOrigins::new(pins),
            headers,
            cookies: Cookies::default(),
            gate: Gate::new(config.per_host, config.delay),
            robots: Memory::default(),
            background: Background::default(),
            config,
        };
        Ok(Client { shared: Arc::new(shared), cache: None })
    }

    /// Adds a cache for the answers of [`Client::get`].
    pub fn with_cache(mut self, cache: Cache) -> Client {
        self.cache = Some(cache);
        self
    }

    /// Returns the settings.
    pub fn config(&self) -> &Config {
        &self.shared.config
    }

    /// Returns the gate that limits the requests of [`Client::get`].
    pub fn gate(&self) -> &Gate {
        &self.shared.gate
    }

    /// Sends one request over the network and returns its answer, whatever its status, without robots.txt, delays,
    /// retries, redirects or the cache. Cookies are sent and stored.
    ///
    /// # Errors
    ///
    /// There is no complete answer; this includes a body that is shorter than announced, too large or too slow.
    pub async fn once(&self, request: &Request) -> Result<Answer, FetchError> {
        self.exchange(request, self.headers(request), self.shared.config.max_size, Beyond::Refuse).await
    }

    /// Returns the headers that are sent with a request, except cookies.
    pub(crate) fn headers(&self, request: &Request) -> HeaderMap {
        let mut headers = self.shared.headers.clone();
        request.validators.apply(&mut headers);
        headers
    }

    /// Records that the user gave this address: if its origin is private, pages may link there. The addresses of user
    /// requests are recorded automatically.
    pub fn name(&self, url: &Url) {
        self.shared.own.add(url);
    }

    /// Reports whether an address has a private origin that the user named.
    pub(crate) async fn is_own(&self, url: &Url) -> bool {
        self.shared.own.is_private(url).await
    }

    /// Returns how far a request may reach; an error if its address alone forbids it.
    pub(super) async fn check(&self, request: &Request) -> Result<Reach, FetchError> {
        let url = &request.url;
        if !matches!(url.scheme(), "http" | "https") || !url.has_host() {
            return Err(FetchError::Scheme { url: url.clone() });
        }
        let reach = self.reach(request).await;
        if reach == Reach::Public
            && let Some(address) = guard::private_host(url)
        {
            return Err(FetchError::Private { url: url.clone(), address });
        }
        if let ("https", Some(cause)) = (url.scheme(), &self.shared.transport.no_roots) {
            let cause = format!("this machine has no root certificates to verify it: {cause}");
            return Err(FetchError::Certificate { url: url.clone(), cause });
        }
        Ok(reach)
    }

    /// Returns how far a request may reach.
    async fn reach(&self, request: &Request) -> Reach {
        let Shared { config, own, .. } = &*self.shared;
        if request.origin == Origin::User {
            own.add(&request.url);
        }
        // A proxy resolves names itself, so their addresses are unknown here.
        let is_name = matches!(request.url.host(), Some(url::Host::Domain(_)));
        let is_judged = config.proxy.is_none() || !is_name;
        match request.origin {
            _ if config.allow_private => Reach::Anywhere,
            _ if is_judged && own.is_private(&request.url).await => Reach::Own,
            Origin::User => Reach::Anywhere,
            Origin::Page => Reach::Public,
        }
    }

    /// Sends a request with these headers and reads the answer up to `limit`.
    pub(super) async fn exchange(
        &self,
        request: &Request,
        mut headers: HeaderMap,
        limit: u64,
        beyond: Beyond,
    ) -> Result<Answer, FetchError> {
        let reach = self.check(request).await?;
        if let Some(cookies) = self.shared.cookies.header(&request.url) {
            headers.insert(COOKIE, cookies);
        }
        let after = self.shared.config.timeout;
        let answer = self.receive(request, reach, headers, limit, beyond);
        match tokio::time::timeout(after, answer).await {
            Ok(answer) => answer,
            Err(_) => Err(FetchError::TimedOut { url: request.url.clone(), after }),
        }
    }

    async fn receive(
        &self,
        request: &Request,
        reach: Reach,
        headers: HeaderMap,
        limit: u64,
        beyond: Beyond,
    ) -> Result<Answer, FetchError> {
        let Shared { transport, config, cookies, .. } = &*self.shared;
        let client = transport.client(reach);
        let failed = |error| fetch_error(&request.url, error, config);
        let mut response = client.get(request.url.clone()).headers(headers).send().await.map_err(failed)?;
        let too_large = || FetchError::TooLarge { url: request.url.clone(), limit };
        // The announced length is checked first but not trusted: the bytes are counted, too.
        let announced = response.content_length().unwrap_or(0);
        if announced > limit && beyond == Beyond::Refuse {
            return Err(too_large());
        }
        let mut answer = Answer {
            url: without_credentials(&request.url),
            at: SystemTime::now(),
            address: response.remote_addr().map(|address| address.ip()),
            version: response.version(),
            status: response.status(),
            headers: std::mem::take(response.headers_mut()),
            body: Bytes::new(),
        };
        cookies.take(&request.url, &answer.headers);
        let mut body = BytesMut::new();
        while let Some(chunk) = response.chunk().await.map_err(failed)? {
            let room = limit - body.len() as u64;
            if chunk.len() as u64 > room {
                if beyond == Beyond::Refuse {
                    return Err(too_large());
                }
                body.extend_from_slice(&chunk[..usize::try_from(room).unwrap_or(chunk.len())]);
                break;
            }
            if body.is_empty() {
                if chunk.len() as u64 == announced {
                    // Small pages arrive in one chunk, which needs no copy.
                    answer.body = chunk;
                    continue;
                }
                // The capacity is limited, so that a server that announces much and sends little cannot make us
                // allocate memory.
                let expected = announced.clamp(chunk.len() as u64, (chunk.len() as u64).max(1 << 20));
                body.reserve(usize::try_from(expected).unwrap_or(0));
            }
            body.extend_from_slice(&chunk);
        }
        if !body.is_empty() {
            answer.body = body.freeze();
        }
        Ok(answer)
    }
}

/// Returns an address without user name and password, for display and storage.
fn without_credentials(url: &Url) -> Url {
    let mut url = url.clone();
    // Setting them fails only for an address without a host, which has none.
    let _ = url.set_username("");
    let _ = url.set_password(None);
    url
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn without_root_certificates_only_https_is_impossible() {
        let config = Config::default().with_obey_robots(false).with_retries(0);
        let mut client = Client::new(config).expect("a client");
        let shared = Arc::get_mut(&mut client.shared).expect("one client");
        shared.transport.no_roots = Some("no certificates were found".into());
        let error =
            client.get(&Request::parse("https://127.0.0.1:9/").expect("an address")).await.expect_err("no roots");
        assert!(matches!(&error, FetchError::Certificate { .. }), "{error:?}");
        assert!(error.to_string().contains("this machine has no root certificates"), "{error}");
        let error =
            client.get(&Request::parse("http://127.0.0.1:9/").expect("an address")).await.expect_err("no server");
        assert!(matches!(&error, FetchError::Connection { .. }), "{error:?}");
    }

    #[test]
    fn passwords_are_not_kept() {
        let url = Url::parse("https://me:secret@example.org/a?b").unwrap();
        assert_eq!(without_credentials(&url).as_str(), "https://example.org/a?b");
        let url = Url::parse("https://example.org/").unwrap();
        assert_eq!(without_credentials(&url), url);
    }
}
