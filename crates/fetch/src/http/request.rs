//! Requests, and the source of their addresses.

use http::HeaderMap;
use http::header::{ETAG, HeaderName, HeaderValue, IF_MODIFIED_SINCE, IF_NONE_MATCH, LAST_MODIFIED};
use url::Url;

use super::guard;
use crate::{Answer, FetchError};

/// Source of an address, which decides what it may reach.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Origin {
    /// Given by the user; it may reach any address.
    User,
    /// Taken from a page or redirect; it must not reach private networks.
    Page,
}

/// A request for one page.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Request {
    /// Requested address.
    pub url: Url,
    /// Source of the address.
    pub origin: Origin,
    /// Validators of an earlier answer: if it is still current, the server answers 304 without a body.
    pub validators: Validators,
}

impl Request {
    /// Creates a request for an address that the user gave.
    pub fn user(url: Url) -> Request {
        Request { url, origin: Origin::User, validators: Validators::default() }
    }

    /// Creates a request for an address from a page.
    pub fn page(url: Url) -> Request {
        Request { url, origin: Origin::Page, validators: Validators::default() }
    }

    /// Parses an address that the user gave.
    pub fn parse(text: &str) -> Result<Request, FetchError> {
        match Url::parse(text) {
            Ok(url) => Ok(Request::user(url)),
            Err(cause) => Err(FetchError::BadUrl { text: text.into(), cause }),
        }
    }

    /// Makes the request conditional on a change.
    pub fn with_validators(mut self, validators: Validators) -> Request {
        self.validators = validators;
        self
    }

    /// Returns the next request if this one was answered by a redirect.
    ///
    /// The target counts as given by a page, even if the user gave the first address. The exception is a redirect
    /// within a private server that the user named, such as one under development, which reaches nothing new. The
    /// condition includes that the answer came from a private address; otherwise a public name that resolves to another
    /// address the second time would pass.
    pub fn redirected(&self, answer: &Answer) -> Option<Request> {
        let target = answer.redirect()?;
        let stays = target.origin() == self.url.origin() && answer.address.is_some_and(guard::is_private);
        let origin = if stays { self.origin } else { Origin::Page };
        Some(Request { url: target, origin, validators: Validators::default() })
    }
}

/// Validators by which a server recognizes an earlier answer.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Validators {
    /// `ETag` of the earlier answer.
    pub etag: Option<HeaderValue>,
    /// `Last-Modified` of the earlier answer.
    pub last_modified: Option<HeaderValue>,
}

impl Validators {
    /// Returns the validators of an answer.
    pub fn of(answer: &Answer) -> Validators {
        let header = |name: HeaderName| answer.headers.get(name).cloned();
        Validators { etag: header(ETAG), last_modified: header(LAST_MODIFIED) }
    }

    /// Creates validators from stored texts; invalid header values are left out.
    pub fn from_text(etag: Option<&str>, last_modified: Option<&str>) -> Validators {
        let value = |text: Option<&str>| text.and_then(|text| HeaderValue::from_str(text).ok());
        Validators { etag: value(etag), last_modified: value(last_modified) }
    }

    /// Reports whether there are no validators.
    pub fn is_empty(&self) -> bool {
        self.etag.is_none() && self.last_modified.is_none()
    }

    /// Adds the headers that make a request conditional.
    pub(crate) fn apply(&self, headers: &mut HeaderMap) {
        if let Some(etag) = &self.etag {
            headers.insert(IF_NONE_MATCH, etag.clone());
        }
        if let Some(last_modified) = &self.last_modified {
            headers.insert(IF_MODIFIED_SINCE, last_modified.clone());
        }
    }
}
