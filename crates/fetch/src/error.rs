//! Errors of fetching.

use std::net::IpAddr;
use std::time::Duration;

use url::Url;

/// Error of fetching a page. Most variants carry its address.
#[derive(Debug, Clone, thiserror::Error, miette::Diagnostic)]
#[non_exhaustive]
pub enum FetchError {
    /// The text is not a valid address.
    #[error("`{text}` is not a valid address: {cause}")]
    #[diagnostic(code(fetch::bad_url), help("an address looks like https://example.org/page"))]
    BadUrl {
        /// Text as given.
        text: String,
        /// Error of the parser.
        cause: url::ParseError,
    },
    /// The address uses a scheme other than `http:` and `https:`.
    #[error("cannot fetch `{url}`: only http: and https: addresses can be fetched, not `{}:`", url.scheme())]
    #[diagnostic(code(fetch::scheme))]
    Scheme {
        /// The address.
        url: Url,
    },
    /// A page links into a private network.
    #[error("will not fetch `{url}`: a page links or redirects to the private address {address}")]
    #[diagnostic(code(fetch::private), help("if pages may lead to your private network, add --allow-private"))]
    Private {
        /// The address.
        url: Url,
        /// Private IP address that it resolves to.
        address: IpAddr,
    },
    /// The site's robots.txt forbids the page.
    #[error("will not fetch `{url}`: the site's robots.txt forbids it")]
    #[diagnostic(code(fetch::robots), help("if you have the site's permission, add --ignore-robots"))]
    Robots {
        /// The address.
        url: Url,
    },
    /// The site's robots.txt could not be fetched, so its rules are unknown.
    #[error(
        "will not fetch `{url}` now: the site's robots.txt, which says what may be fetched, could not be fetched: {cause}"
    )]
    #[diagnostic(
        code(fetch::robots_unreachable),
        help("try again later; if you have the site's permission, add --ignore-robots")
    )]
    RobotsUnreachable {
        /// Address of the page.
        url: Url,
        /// Error of fetching robots.txt.
        cause: String,
    },
    /// The host name could not be resolved.
    #[error("cannot fetch `{url}`: its host name could not be resolved: {cause}")]
    #[diagnostic(code(fetch::name), help("check the spelling of the host name and the network connection"))]
    Name {
        /// The address.
        url: Url,
        /// Message of the resolver.
        cause: String,
    },
    /// The server's certificate could not be verified.
    #[error("cannot fetch `{url}`: its server's certificate could not be verified: {cause}")]
    #[diagnostic(
        code(fetch::certificate),
        help("if the server belongs to your own network, add its root certificate to this machine's trusted ones")
    )]
    Certificate {
        /// The address.
        url: Url,
        /// Problem with the certificate, or with this machine's root certificates.
        cause: String,
    },
    /// The connection failed or was interrupted.
    #[error("cannot fetch `{url}`: {cause}")]
    #[diagnostic(code(fetch::connection))]
    Connection {
        /// The address.
        url: Url,
        /// Chain of causes, as text.
        cause: String,
    },
    /// The answer was not complete in time.
    #[error("cannot fetch `{url}`: no complete answer within {} s", .after.as_secs_f64())]
    #[diagnostic(code(fetch::timed_out), help("increase --timeout to wait longer"))]
    TimedOut {
        /// The address.
        url: Url,
        /// Time limit.
        after: Duration,
    },
    /// The page is larger than the limit.
    #[error("cannot fetch `{url}`: it is larger than {limit} bytes")]
    #[diagnostic(code(fetch::too_large), help("increase --max-size to allow larger pages"))]
    TooLarge {
        /// The address.
        url: Url,
        /// Limit in bytes, which also applies to the decompressed body.
        limit: u64,
    },
    /// The body could not be decompressed.
    #[error("cannot decompress `{url}`: {cause}")]
    #[diagnostic(code(fetch::coding))]
    Coding {
        /// The address.
        url: Url,
        /// Error of the decoder.
        cause: String,
    },
    /// The page redirects too often.
    #[error("cannot fetch `{url}`: too many redirects")]
    #[diagnostic(code(fetch::redirects))]
    Redirects {
        /// Address that was requested first.
        url: Url,
    },
    /// The server answered with an error status.
    #[error("cannot fetch `{url}`: the server answered {status}")]
    #[diagnostic(code(fetch::status))]
    Status {
        /// The address.
        url: Url,
        /// Status code.
        status: http::StatusCode,
        /// Time after which to try again, if the server gives it.
        retry_after: Option<Duration>,
    },
    /// The browser could not render the page.
    #[error(transparent)]
    #[diagnostic(transparent)]
    Render(#[from] crate::render::RenderError),
    /// An archive could not be read or written.
    #[error("{cause}")]
    #[diagnostic(code(fetch::archive))]
    Archive {
        /// Reason, with the archive's name.
        cause: String,
    },
    /// The archives that are replayed have no answer for this address.
    #[error("the archive has no answer for `{url}`")]
    #[diagnostic(
        code(fetch::not_recorded),
        help("--replay uses only the archives; leave it out to fetch the page from the web")
    )]
    NotRecorded {
        /// The address.
        url: Url,
    },
}

impl FetchError {
    /// Returns the address that could not be fetched; `None` if the error has none.
    pub fn address(&self) -> Option<&Url> {
        match self {
            FetchError::BadUrl { .. } | FetchError::Render(_) | FetchError::Archive { .. } => None,
            FetchError::Scheme { url }
            | FetchError::Private { url, .. }
            | FetchError::Robots { url }
            | FetchError::RobotsUnreachable { url, .. }
            | FetchError::Name { url, .. }
            | FetchError::Certificate { url, .. }
            | FetchError::Connection { url, .. }
            | FetchError::TimedOut { url, .. }
            | FetchError::TooLarge { url, .. }
            | FetchError::Coding { url, .. }
            | FetchError::Redirects { url }
            | FetchError::Status { url, .. }
            | FetchError::NotRecorded { url } => Some(url),
        }
    }

    /// Reports whether the same request may succeed later.
    ///
    /// A compressed body that ends early counts as transient: without a content length, only the decoder notices that
    /// the connection broke.
    pub fn is_transient(&self) -> bool {
        match self {
            FetchError::Connection { .. }
            | FetchError::TimedOut { .. }
            | FetchError::Coding { .. }
            | FetchError::RobotsUnreachable { .. } => true,
            FetchError::Render(error) => error.is_transient(),
            // The resolver reports a temporary failure only in its message.
            FetchError::Name { cause, .. } => cause.contains("emporary"),
            FetchError::Status { status, .. } => is_transient(*status),
            _ => false,
        }
    }
}

/// Reports whether a status suggests that the same request may be answered differently later.
pub(crate) fn is_transient(status: http::StatusCode) -> bool {
    matches!(status.as_u16(), 408 | 429 | 500 | 502 | 503 | 504)
}

impl From<crate::warc::WarcError> for FetchError {
    fn from(error: crate::warc::WarcError) -> FetchError {
        FetchError::Archive { cause: error.to_string() }
    }
}
