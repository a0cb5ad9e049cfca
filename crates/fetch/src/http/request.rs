//! What is asked for, and on whose word.

use http::HeaderMap;
use http::header::{ETAG, HeaderName, HeaderValue, IF_MODIFIED_SINCE, IF_NONE_MATCH, LAST_MODIFIED};
use url::Url;

use super::guard;
use crate::{Answer, FetchError};

/// On whose word an address is fetched.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Origin {
    /// The user wrote it: it may be anywhere.
    User,
    /// It came out of a page or a redirect, which must not steer us into a private network.
    Page,
}

/// One page to be had.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Request {
    /// Its address.
    pub url: Url,
    /// On whose word.
    pub origin: Origin,
    /// What is known of an earlier answer: if it still holds, the server answers 304 without a body.
    pub validators: Validators,
}

impl Request {
    /// An address that the user wrote.
    pub fn user(url: Url) -> Request {
        Request { url, origin: Origin::User, validators: Validators::default() }
    }

    /// An address that came out of a page.
    pub fn page(url: Url) -> Request {
        Request { url, origin: Origin::Page, validators: Validators::default() }
    }

    /// An address that the user wrote, as text.
    pub fn parse(text: &str) -> Result<Request, FetchError> {
        match Url::parse(text) {
            Ok(url) => Ok(Request::user(url)),
            Err(cause) => Err(FetchError::BadUrl { text: text.into(), cause }),
        }
    }

    /// The same, asking for a body only if it has changed.
    pub fn with_validators(mut self, validators: Validators) -> Request {
        self.validators = validators;
        self
    }

    /// What to ask for next if this was answered by a redirect.
    ///
    /// The target is a page's word, even if the user wrote the first address. The exception is a redirect within a
    /// private server that the user named, such as one under development: it leads nowhere new. That the answer came
    /// from a private address is part of the condition, or else a public name that resolves to another address the
    /// second time would pass.
    pub fn redirected(&self, answer: &Answer) -> Option<Request> {
        let target = answer.redirect()?;
        let stays = target.origin() == self.url.origin() && answer.address.is_some_and(guard::is_private);
        let origin = if stays { self.origin } else { Origin::Page };
        Some(Request { url: target, origin, validators: Validators::default() })
    }
}

/// What a server says to recognise an answer by.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Validators {
    /// The `ETag` of the earlier answer.
    pub etag: Option<HeaderValue>,
    /// Its `Last-Modified`.
    pub last_modified: Option<HeaderValue>,
}

impl Validators {
    /// Those of an answer.
    pub fn of(answer: &Answer) -> Validators {
        let header = |name: HeaderName| answer.headers.get(name).cloned();
        Validators { etag: header(ETAG), last_modified: header(LAST_MODIFIED) }
    }

    /// Those that were kept as text. What cannot be a header is left out.
    pub fn from_text(etag: Option<&str>, last_modified: Option<&str>) -> Validators {
        let value = |text: Option<&str>| text.and_then(|text| HeaderValue::from_str(text).ok());
        Validators { etag: value(etag), last_modified: value(last_modified) }
    }

    /// Whether there are none.
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
