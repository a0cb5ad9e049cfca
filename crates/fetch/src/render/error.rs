//! Errors of rendering.

use std::net::IpAddr;
use std::time::Duration;

use url::Url;

/// Error of rendering a page.
#[derive(Debug, Clone, thiserror::Error, miette::Diagnostic)]
#[non_exhaustive]
pub enum RenderError {
    /// No browser is installed.
    #[error("no browser was found to render pages with")]
    #[diagnostic(
        code(render::no_browser),
        help("install Chromium (`apt install chromium`), or set WINDROW_BROWSER to the path of a browser")
    )]
    NoBrowser,
    /// The browser could not be started.
    #[error("the browser `{program}` could not be started: {cause}")]
    #[diagnostic(code(render::start), help("set WINDROW_BROWSER to use another browser"))]
    Start {
        /// Program that was tried.
        program: String,
        /// Cause, with the last message of the browser.
        cause: String,
    },
    /// The browser ended while rendering. The next page starts a new one.
    #[error("cannot render `{url}`: the browser ended unexpectedly")]
    #[diagnostic(code(render::browser_died))]
    BrowserDied {
        /// The address.
        url: Url,
    },
    /// The page's process ended: it ran out of memory, or the browser has a bug.
    #[error("cannot render `{url}`: the page crashed")]
    #[diagnostic(code(render::page_crashed))]
    PageCrashed {
        /// The address.
        url: Url,
    },
    /// The address uses a scheme other than `http:` and `https:`.
    #[error("cannot render `{url}`: only http: and https: addresses can be fetched, not `{}:`", url.scheme())]
    #[diagnostic(code(render::scheme))]
    Scheme {
        /// The address.
        url: Url,
    },
    /// The page links into a private network.
    #[error("will not render `{url}`: a page links or redirects to the private address {address}")]
    #[diagnostic(code(render::private), help("if pages may lead to your private network, add --allow-private"))]
    Private {
        /// Requested address; the private one may be the target of a redirect.
        url: Url,
        /// Private IP address that it resolves to.
        address: IpAddr,
    },
    /// The browser could not load the page.
    #[error("cannot render `{url}`: {cause}")]
    #[diagnostic(code(render::failed))]
    Failed {
        /// The address.
        url: Url,
        /// Error message of the browser.
        cause: String,
    },
    /// There was no readable document in time.
    #[error("cannot render `{url}`: no document within {} s", .after.as_secs_f64())]
    #[diagnostic(code(render::timed_out), help("increase --timeout to wait longer"))]
    TimedOut {
        /// The address.
        url: Url,
        /// Time limit.
        after: Duration,
    },
    /// The document is too large.
    #[error("cannot render `{url}`: its document is larger than {limit} bytes")]
    #[diagnostic(code(render::too_large), help("increase --max-size to allow larger pages"))]
    TooLarge {
        /// The address.
        url: Url,
        /// Limit in bytes.
        limit: usize,
    },
}

impl RenderError {
    /// Reports whether the same page may be rendered successfully later.
    pub fn is_transient(&self) -> bool {
        matches!(self, RenderError::BrowserDied { .. } | RenderError::PageCrashed { .. } | RenderError::TimedOut { .. })
    }
}
