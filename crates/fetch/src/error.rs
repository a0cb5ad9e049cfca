//! Why there is no answer.

use std::net::IpAddr;
use std::time::Duration;

use url::Url;

/// Why a page could not be had. Each names its address.
#[derive(Debug, thiserror::Error, miette::Diagnostic)]
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
