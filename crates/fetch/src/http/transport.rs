//! The underlying HTTP clients: connections, TLS, and error messages.
//!
//! There are three clients. The first connects to any address and serves addresses given by the user. The second serves
//! addresses from pages; its resolver returns public addresses only. The third connects to private servers that the
//! user named. They share nothing through which a request of one could use a connection of another.

use std::error::Error;
use std::sync::Arc;
use std::time::Duration;

use rustls::ClientConfig;
use rustls::RootCertStore;
use rustls::pki_types::CertificateDer;
use rustls::pki_types::pem::PemObject;
use rustls_platform_verifier::Verifier;
use url::Url;

use super::config::{Config, ConfigError};
use super::guard::{Anywhere, PrivateName, Public, UnknownName};
use super::own::Pins;
use crate::FetchError;

/// Prefix of the cause if no connection could be made, as opposed to one that broke.
pub(super) const NO_CONNECTION: &str = "no connection";

/// The three HTTP clients.
#[derive(Debug, Clone)]
pub(super) struct Transport {
    /// Client for addresses that the user gave.
    pub(super) anywhere: reqwest::Client,
    /// Client for addresses from pages.
    pub(super) public: reqwest::Client,
    /// Client for private servers that the user named.
    pub(super) own: reqwest::Client,
    /// Reason why there are no trusted root certificates, if that is the case.
    pub(super) no_roots: Option<String>,
}

impl Transport {
    pub(super) fn new(config: &Config, pins: &Pins) -> Result<Transport, ConfigError> {
        let (tls, no_roots) = tls(config)?;
        let build = |reach: Reach| -> Result<reqwest::Client, ConfigError> {
            let mut builder = reqwest::Client::builder()
                .tls_backend_preconfigured(tls.clone())
                .redirect(reqwest::redirect::Policy::none())
                .referer(false)
                .no_proxy()
                .connect_timeout(config.connect_timeout)
                // An idle connection costs both sides memory; a new request within this time saves a handshake.
                .pool_idle_timeout(Duration::from_secs(20))
                .pool_max_idle_per_host(64)
                .tcp_nodelay(true)
                // Accept malformed headers that browsers accept.
                .http1_allow_obsolete_multiline_headers_in_responses(true)
                .http1_allow_spaces_after_header_name_in_responses(true)
                .http1_ignore_invalid_headers_in_responses(true)
                // With the protocol's default window of 64 KiB, a large page would wait for acknowledgements.
                .http2_initial_stream_window_size(1 << 20)
                .http2_initial_connection_window_size(4 << 20)
                .http2_max_header_list_size(256 << 10);
            if !config.http2 {
                builder = builder.http1_only();
            }
            match &config.proxy {
                Some(proxy) => {
                    let bad = |error: reqwest::Error| ConfigError::Proxy { proxy: proxy.clone(), cause: chain(&error) };
                    let all = reqwest::Proxy::all(proxy).map_err(bad)?;
                    // The only name resolved here is that of the proxy, which the user gave.
                    builder = builder.proxy(all).dns_resolver(Anywhere);
                }
                None => {
                    builder = match reach {
                        Reach::Anywhere => builder.dns_resolver(Anywhere),
                        Reach::Public => builder.dns_resolver(Public),
                        Reach::Own => builder.dns_resolver(pins.clone()),
                    }
                }
            }
            builder.build().map_err(|error| ConfigError::Setup { cause: chain(&error) })
        };
        let anywhere = build(Reach::Anywhere)?;
        let (public, own) = if config.allow_private {
            (anywhere.clone(), anywhere.clone())
        } else {
            (build(Reach::Public)?, build(Reach::Own)?)
        };
        Ok(Transport { anywhere, public, own, no_roots })
    }

    /// Returns the client for this reach.
    pub(super) fn client(&self, reach: Reach) -> &reqwest::Client {
        match reach {
            Reach::Anywhere => &self.anywhere,
            Reach::Public => &self.public,
            Reach::Own => &self.own,
        }
    }
}

/// Addresses that a request may reach.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Reach {
    /// Any address.
    Anywhere,
    /// Public addresses.
    Public,
    /// Addresses of a private server that the user named.
    Own,
}

/// Creates the TLS settings; if there are no root certificates, also returns the reason. Only `https:` needs them.
fn tls(config: &Config) -> Result<(ClientConfig, Option<String>), ConfigError> {
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let builder = ClientConfig::builder_with_provider(provider.clone())
        .with_safe_default_protocol_versions()
        .map_err(|error| ConfigError::Setup { cause: error.to_string() })?;
    let bad = |cause: String| ConfigError::Certificates { cause };
    let mut extra = Vec::new();
    for certificate in CertificateDer::pem_slice_iter(&config.root_certificates) {
        extra.push(certificate.map_err(|error| bad(error.to_string()))?);
    }
    if extra.is_empty() && !config.root_certificates.trim_ascii().is_empty() {
        return Err(bad("no certificate was found in them".into()));
    }
    for certificate in &extra {
        // Checked one by one, so that an error is about these certificates and not about the platform's.
        let mut store = RootCertStore::empty();
        store.add(certificate.clone()).map_err(|error| bad(error.to_string()))?;
    }
    let (mut tls, no_roots) = match Verifier::new_with_extra_roots(extra, provider) {
        Ok(verifier) => {
            let builder = builder.dangerous().with_custom_certificate_verifier(Arc::new(verifier));
            (builder.with_no_client_auth(), None)
        }
        Err(error) => {
            let builder = builder.with_root_certificates(RootCertStore::empty());
            (builder.with_no_client_auth(), Some(error.to_string()))
        }
    };
    if config.http2 {
        tls.alpn_protocols = vec![b"h2".to_vec(), b"http/1.1".to_vec()];
    } else {
        tls.alpn_protocols = vec![b"http/1.1".to_vec()];
    }
    Ok((tls, no_roots))
}

/// Converts an error of the HTTP client, using its chain of causes.
pub(super) fn fetch_error(url: &Url, error: reqwest::Error, config: &Config) -> FetchError {
    let url = url.clone();
    let mut cause: Option<&(dyn Error + 'static)> = Some(&error);
    while let Some(link) = cause {
        if let Some(private) = link.downcast_ref::<PrivateName>() {
            return FetchError::Private { url, address: private.address };
        }
        if let Some(unknown) = link.downcast_ref::<UnknownName>() {
            let cause = unknown.cause.strip_prefix("failed to lookup address information: ");
            return FetchError::Name { url, cause: cause.unwrap_or(&unknown.cause).to_owned() };
        }
        if let Some(rustls::Error::InvalidCertificate(error)) = tls_error(link) {
            return FetchError::Certificate { url, cause: certificate_words(error) };
        }
        cause = link.source();
    }
    if error.is_timeout() {
        let after = if error.is_connect() { config.connect_timeout } else { config.timeout };
        return FetchError::TimedOut { url, after };
    }
    let connect = error.is_connect();
    let cause = chain(&error.without_url());
    FetchError::Connection { url, cause: if connect { format!("{NO_CONNECTION}: {cause}") } else { cause } }
}

/// Finds the TLS error in a link of the chain: the link itself, or the error inside an I/O error, which `source` does
/// not expose.
fn tls_error<'a>(link: &'a (dyn Error + 'static)) -> Option<&'a rustls::Error> {
    let inner = link.downcast_ref::<std::io::Error>().and_then(std::io::Error::get_ref);
    match inner {
        Some(inner) => tls_error(inner),
        None => link.downcast_ref::<rustls::Error>(),
    }
}

fn certificate_words(error: &rustls::CertificateError) -> String {
    use rustls::CertificateError as Bad;
    match error {
        Bad::Expired | Bad::ExpiredContext { .. } => "its certificate has expired".into(),
        Bad::NotValidYet | Bad::NotValidYetContext { .. } => "its certificate is not valid yet".into(),
        Bad::Revoked => "its certificate was revoked".into(),
        // A bad signature means the right name with the wrong key.
        Bad::UnknownIssuer | Bad::BadSignature => "its certificate was not issued by a trusted authority".into(),
        Bad::NotValidForName | Bad::NotValidForNameContext { .. } => "its certificate is for another host name".into(),
        other => format!("its certificate is not valid: {other}"),
    }
}

/// Joins the messages of the causes, leaving out those that repeat others or only name a layer.
fn chain(error: &(dyn Error + 'static)) -> String {
    let mut words: Vec<String> = Vec::new();
    let mut cause = Some(error);
    while let Some(link) = cause {
        let text = link.to_string();
        let layer = text.starts_with("client error (")
            || text.starts_with("error sending request")
            || text.starts_with("error reading a body from connection")
            || text.starts_with("request or response body error")
            || text.starts_with("error decoding response body")
            || text == "builder error";
        cause = link.source();
        if (layer && cause.is_some()) || words.iter().any(|word| word.contains(&text)) {
            continue;
        }
        // A message that contains an earlier one replaces it.
        words.retain(|word| !text.contains(word.as_str()));
        words.push(text);
    }
    words.join(": ")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Skips the check of the address's spelling, so that only the resolver can refuse.
    #[tokio::test]
    async fn a_name_for_a_private_address_is_refused_where_it_is_resolved() {
        let config = Config::default();
        let transport = Transport::new(&config, &Pins::default()).expect("a transport");
        let url: Url = "http://localhost:9/".parse().expect("an address");
        let failure = transport.public.get(url.clone()).send().await.expect_err("no public address");
        let error = fetch_error(&url, failure, &config);
        assert!(matches!(error, FetchError::Private { address, .. } if address.is_loopback()), "{error:?}");
        let failure = transport.anywhere.get(url.clone()).send().await.expect_err("nobody listens");
        let error = fetch_error(&url, failure, &config);
        assert!(matches!(error, FetchError::Connection { .. }), "{error:?}");
    }

    #[test]
    fn causes_are_told_once() {
        #[derive(Debug, thiserror::Error)]
        #[error("{0}")]
        struct Link(&'static str, #[source] Option<Box<Link>>);
        let last = Link("Connection reset by peer (os error 104)", None);
        let middle = Link("connection error: Connection reset by peer (os error 104)", Some(Box::new(last)));
        let first = Link("client error (SendRequest)", Some(Box::new(middle)));
        assert_eq!(chain(&first), "connection error: Connection reset by peer (os error 104)");
    }
}
