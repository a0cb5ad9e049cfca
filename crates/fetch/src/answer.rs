//! Answers of servers, received over the network, from an archive or through a browser.

use std::net::IpAddr;
use std::time::{Duration, SystemTime};

use bytes::Bytes;
use http::{HeaderMap, StatusCode, Version, header};
use url::Url;

/// Answer to one request. Redirects are answers, too.
#[derive(Debug, Clone)]
pub struct Answer {
    /// Requested address.
    pub url: Url,
    /// Time at which the answer arrived.
    pub at: SystemTime,
    /// Address of the server, if known.
    pub address: Option<IpAddr>,
    /// Protocol version.
    pub version: Version,
    /// Status code.
    pub status: StatusCode,
    /// Response headers.
    pub headers: HeaderMap,
    /// Body, with its transfer coding (chunks) undone and its content coding (gzip) as sent.
    pub body: Bytes,
}

impl Answer {
    /// Returns a header's value if it is valid text; the first one if there are several.
    pub fn header(&self, name: impl header::AsHeaderName) -> Option<&str> {
        self.headers.get(name)?.to_str().ok()
    }

    /// Returns the media type in lower case, without parameters: `text/html`.
    pub fn media_type(&self) -> Option<String> {
        let value = self.header(header::CONTENT_TYPE)?;
        let essence = value.split(';').next().unwrap_or_default().trim();
        (!essence.is_empty()).then(|| essence.to_ascii_lowercase())
    }

    /// Returns the charset that the headers declare.
    pub fn charset(&self) -> Option<&str> {
        let mut parameters = self.header(header::CONTENT_TYPE)?.split(';').skip(1);
        parameters.find_map(|parameter| {
            let (name, value) = parameter.split_once('=')?;
            let value = value.trim().trim_matches(['"', '\'']);
            (name.trim().eq_ignore_ascii_case("charset") && !value.is_empty()).then_some(value)
        })
    }

    /// Returns the time that the server asks to wait before the next request.
    pub fn retry_after(&self) -> Option<Duration> {
        crate::http::retry_after(&self.headers, self.at)
    }

    /// Returns the target of a redirect, resolved against the answer's address; a fragment is inherited.
    pub fn redirect(&self) -> Option<Url> {
        if !matches!(self.status.as_u16(), 301 | 302 | 303 | 307 | 308) {
            return None;
        }
        // Some servers send UTF-8 here, which is not a valid header text.
        let location = String::from_utf8_lossy(self.headers.get(header::LOCATION)?.as_bytes()).into_owned();
        let mut target = self.url.join(location.trim()).ok()?;
        if target.fragment().is_none() {
            target.set_fragment(self.url.fragment());
        }
        Some(target)
    }
}

/// Returns an address without its fragment, which is never sent to a server.
pub fn without_fragment(url: &Url) -> Url {
    let mut url = url.clone();
    url.set_fragment(None);
    url
}
