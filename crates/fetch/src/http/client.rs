//! One request, one answer.

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

/// Gets pages from servers. Clones share connections, cookies, places and what robots.txt files said.
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
    /// Sent with each request.
    headers: HeaderMap,
    cookies: Cookies,
    pub(super) gate: Gate,
    pub(super) robots: Memory,
    pub(super) background: Background,
}

/// What to do with a body beyond the bound.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Beyond {
    Refuse,
    Cut,
}

impl Client {
    /// A client with these settings.
    ///
    /// # Errors
    ///
    /// If a setting cannot be used. A machine without root certificates is no error here: `http:` works, and `https:`
    /// says what is missing.
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

    /// The same client, keeping answers in a cache for [`Client::get`].
    pub fn with_cache(mut self, cache: Cache) -> Client {
        self.cache = Some(cache);
        self
    }

    /// The settings.
    pub fn config(&self) -> &Config {
        &self.shared.config
    }

    /// The gate that [`Client::get`] enters.
    pub fn gate(&self) -> &Gate {
        &self.shared.gate
    }

    /// One request over the network and its answer, whatever its status: no robots.txt, no waiting, no repetition, no
    /// redirect, no cache. Cookies are sent and taken.
    ///
    /// # Errors
    ///
    /// If there is no whole answer: a body that is shorter than announced, too large or too slow is none.
    pub async fn once(&self, request: &Request) -> Result<Answer, FetchError> {
        self.exchange(request, self.headers(request), self.shared.config.max_size, Beyond::Refuse).await
    }

    /// What is sent with a request, but for its cookies.
    pub(crate) fn headers(&self, request: &Request) -> HeaderMap {
        let mut headers = self.shared.headers.clone();
        request.validators.apply(&mut headers);
        headers
    }

    /// Notes that the user wrote this address: if its origin is private, pages may lead there. Addresses of requests on the
    /// user's word are noted by themselves.
    pub fn name(&self, url: &Url) {
        self.shared.own.add(url);
    }

    /// Whether the origin of an address is a private one that the user named.
    pub(crate) async fn is_own(&self, url: &Url) -> bool {
        self.shared.own.is_private(url).await
    }

    /// How far a request may reach; an error if its address tells that it may not be made at all.
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
            let cause = format!("this machine has no root certificates to check it by: {cause}");
            return Err(FetchError::Certificate { url: url.clone(), cause });
        }
        Ok(reach)
    }

    /// How far a request may reach.
    async fn reach(&self, request: &Request) -> Reach {
        let Shared { config, own, .. } = &*self.shared;
        if request.origin == Origin::User {
            own.add(&request.url);
        }
        // A proxy resolves the names, and it alone knows what they mean to it.
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
        // Checked before reading, but not believed: the bytes are counted, too.
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
                    // All in one piece, as small pages are.
                    answer.body = chunk;
                    continue;
                }
                // A server that announces much and sends little shall not make us take memory for it.
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

/// An address as it may be shown and kept: a password in it is between the user and the server.
fn without_credentials(url: &Url) -> Url {
    let mut url = url.clone();
    // An address without a host has none.
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
