//! What a server answered, wherever it is known from: the network, an archive, a browser.

use std::net::IpAddr;
use std::time::{Duration, SystemTime};

use bytes::Bytes;
use http::{HeaderMap, StatusCode, Version, header};
use url::Url;

/// What was answered to one request. Redirects are answers, too.
#[derive(Debug, Clone)]
pub struct Answer {
    /// What was asked for.
    pub url: Url,
    /// When the answer came.
    pub at: SystemTime,
    /// Who answered, if that is known.
    pub address: Option<IpAddr>,
    /// The protocol's version.
    pub version: Version,
    /// The status.
    pub status: StatusCode,
    /// The headers.
    pub headers: HeaderMap,
    /// The body: its transfer coding (chunks) undone, its content coding (gzip) as it was sent.
    pub body: Bytes,
}

impl Answer {
    /// A header's value, if it is text. The first, if there are several.
    pub fn header(&self, name: impl header::AsHeaderName) -> Option<&str> {
        self.headers.get(name)?.to_str().ok()
    }

    /// The media type, in lower case and without parameters: `text/html`.
    pub fn media_type(&self) -> Option<String> {
        let value = self.header(header::CONTENT_TYPE)?;
        let essence = value.split(';').next().unwrap_or_default().trim();
        (!essence.is_empty()).then(|| essence.to_ascii_lowercase())
    }

    /// The charset that the headers declare.
    pub fn charset(&self) -> Option<&str> {
        let mut parameters = self.header(header::CONTENT_TYPE)?.split(';').skip(1);
        parameters.find_map(|parameter| {
            let (name, value) = parameter.split_once('=')?;
            let value = value.trim().trim_matches(['"', '\'']);
            (name.trim().eq_ignore_ascii_case("charset") && !value.is_empty()).then_some(value)
        })
    }

    /// How long the server asks to wait before the next request.
    pub fn retry_after(&self) -> Option<Duration> {
        crate::http::retry_after(&self.headers, self.at)
    }

    /// Where a redirect leads, resolved against the answer's own address; a fragment is inherited.
    pub fn redirect(&self) -> Option<Url> {
        if !matches!(self.status.as_u16(), 301 | 302 | 303 | 307 | 308) {
            return None;
        }
        // Some servers send UTF-8 here, which is no header text.
        let location = String::from_utf8_lossy(self.headers.get(header::LOCATION)?.as_bytes()).into_owned();
        let mut target = self.url.join(location.trim()).ok()?;
        if target.fragment().is_none() {
            target.set_fragment(self.url.fragment());
        }
        Some(target)
    }
}

/// An address without its fragment, which is the reader's affair: servers never see it.
pub fn without_fragment(url: &Url) -> Url {
    let mut url = url.clone();
    url.set_fragment(None);
    url
}
