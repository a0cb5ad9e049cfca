//! Why there is no answer.

use std::net::IpAddr;
use std::time::Duration;

use url::Url;

/// Why a page could not be had. Each names its address.
#[derive(Debug, Clone, thiserror::Error, miette::Diagnostic)]
#[non_exhaustive]
pub enum FetchError {
    /// No address.
    #[error("`{text}` is no address: {cause}")]
    #[diagnostic(code(fetch::bad_url), help("an address looks like https://example.org/page"))]
    BadUrl {
        /// What was given.
        text: String,
        /// What is wrong with it.
        cause: url::ParseError,
    },
    /// Neither `http:` nor `https:`.
    #[error("cannot fetch `{url}`: `{}:` addresses are not fetched", url.scheme())]
    #[diagnostic(code(fetch::scheme))]
    Scheme {
        /// The address.
        url: Url,
    },
    /// A page leads into a private network.
    #[error("will not fetch `{url}`: a page leads to the private address {address}")]
    #[diagnostic(code(fetch::private), help("if the pages may lead there, say --allow-private"))]
    Private {
        /// The address.
        url: Url,
        /// What it resolves to.
        address: IpAddr,
    },
    /// The site asks robots to keep out.
    #[error("will not fetch `{url}`: the site's robots.txt asks robots to keep out")]
    #[diagnostic(code(fetch::robots), help("if you have the site's leave, say --ignore-robots"))]
    Robots {
        /// The address.
        url: Url,
    },
    /// The site's robots.txt cannot be had, so that nobody knows what it asks.
    #[error(
        "will not fetch `{url}` now: the site's robots.txt, which says what robots may fetch, cannot be had: {cause}"
    )]
    #[diagnostic(
        code(fetch::robots_unreachable),
        help("try again later; if you have the site's leave, say --ignore-robots")
    )]
    RobotsUnreachable {
        /// The address of the page.
        url: Url,
        /// What went wrong with robots.txt.
        cause: String,
    },
    /// A host whose name says nothing to the resolver.
    #[error("cannot fetch `{url}`: there is no host of this name: {cause}")]
    #[diagnostic(code(fetch::name), help("is the host's name right, and is there a network?"))]
    Name {
        /// The address.
        url: Url,
        /// What the resolver says.
        cause: String,
    },
    /// The server cannot show that it is who it says.
    #[error("cannot fetch `{url}`: its server cannot be trusted: {cause}")]
    #[diagnostic(
        code(fetch::certificate),
        help("if the server is your network's own, add its root certificate to those of this machine")
    )]
    Certificate {
        /// The address.
        url: Url,
        /// What is wrong with the certificate, or with this machine's roots.
        cause: String,
    },
    /// No connection, or one that broke.
    #[error("cannot fetch `{url}`: {cause}")]
    #[diagnostic(code(fetch::connection))]
    Connection {
        /// The address.
        url: Url,
        /// The chain of causes in words.
        cause: String,
    },
    /// Nothing, or not enough, came in time.
    #[error("cannot fetch `{url}`: no full answer in {} s", .after.as_secs_f64())]
    #[diagnostic(code(fetch::timed_out), help("--timeout gives it more time"))]
    TimedOut {
        /// The address.
        url: Url,
        /// The time that was given.
        after: Duration,
    },
    /// More than a page should have.
    #[error("cannot fetch `{url}`: it has more than {limit} bytes")]
    #[diagnostic(code(fetch::too_large), help("--max-size allows more"))]
    TooLarge {
        /// The address.
        url: Url,
        /// The bound, which also holds for what a coded body unpacks to.
        limit: u64,
    },
    /// A coded body that is not what its header says.
    #[error("cannot unpack `{url}`: {cause}")]
    #[diagnostic(code(fetch::coding))]
    Coding {
        /// The address.
        url: Url,
        /// What is wrong.
        cause: String,
    },
    /// One redirect too many.
    #[error("cannot fetch `{url}`: it leads from redirect to redirect")]
    #[diagnostic(code(fetch::redirects))]
    Redirects {
        /// The address that was asked for first.
        url: Url,
    },
    /// The server says no.
    #[error("cannot fetch `{url}`: the server answers {status}")]
    #[diagnostic(code(fetch::status))]
    Status {
        /// The address.
        url: Url,
        /// The status.
        status: http::StatusCode,
        /// When to ask again, if the server says.
        retry_after: Option<Duration>,
    },
    /// The browser gives no page.
    #[error(transparent)]
    #[diagnostic(transparent)]
    Render(#[from] crate::render::RenderError),
    /// An archive cannot be read or written.
    #[error("{cause}")]
    #[diagnostic(code(fetch::archive))]
    Archive {
        /// Why, with the archive's name.
        cause: String,
    },
    /// Answers come from archives, and they have none for this.
    #[error("there is no `{url}` in the archive")]
    #[diagnostic(
        code(fetch::not_recorded),
        help("--replay answers from its files alone; without it, the page is fetched")
    )]
    NotRecorded {
        /// The address.
        url: Url,
    },
}

impl FetchError {
    /// The address that could not be had; none if it was no address.
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

    /// Whether the same request may well succeed in a while.
    ///
    /// A coded body that breaks off counts: without a length, nothing but the coding tells that the connection broke.
    pub fn is_transient(&self) -> bool {
        match self {
            FetchError::Connection { .. }
            | FetchError::TimedOut { .. }
            | FetchError::Coding { .. }
            | FetchError::RobotsUnreachable { .. } => true,
            FetchError::Render(error) => error.is_transient(),
            // The resolver says so in words only.
            FetchError::Name { cause, .. } => cause.contains("emporary"),
            FetchError::Status { status, .. } => is_transient(*status),
            _ => false,
        }
    }
}

/// Whether a status says that the same request may be answered otherwise in a while.
pub(crate) fn is_transient(status: http::StatusCode) -> bool {
    matches!(status.as_u16(), 408 | 429 | 500 | 502 | 503 | 504)
}

impl From<crate::warc::WarcError> for FetchError {
    fn from(error: crate::warc::WarcError) -> FetchError {
        FetchError::Archive { cause: error.to_string() }
    }
}
