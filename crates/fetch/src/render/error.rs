//! Why there is no rendered page.

use std::net::IpAddr;
use std::time::Duration;

use url::Url;

/// Why a page could not be rendered.
#[derive(Debug, Clone, thiserror::Error, miette::Diagnostic)]
#[non_exhaustive]
pub enum RenderError {
    /// No browser is installed.
    #[error("there is no browser to render pages with")]
    #[diagnostic(
        code(render::no_browser),
        help("install Chromium (`apt install chromium`), or set WINDROW_BROWSER to the browser's program")
    )]
    NoBrowser,
    /// The browser does not start.
    #[error("the browser `{program}` does not start: {cause}")]
    #[diagnostic(code(render::start), help("WINDROW_BROWSER may name another program"))]
    Start {
        /// The program that was tried.
        program: String,
        /// What happened, with what the browser last said.
        cause: String,
    },
    /// The browser ended while it rendered. The next render starts another.
    #[error("cannot render `{url}`: the browser died")]
    #[diagnostic(code(render::browser_died))]
    BrowserDied {
        /// The address.
        url: Url,
    },
    /// The page's own process ended: it used up its memory, or met a fault of the browser.
    #[error("cannot render `{url}`: the page crashed")]
    #[diagnostic(code(render::page_crashed))]
    PageCrashed {
        /// The address.
        url: Url,
    },
    /// Neither `http:` nor `https:`.
    #[error("cannot render `{url}`: `{}:` addresses are not fetched", url.scheme())]
    #[diagnostic(code(render::scheme))]
    Scheme {
        /// The address.
        url: Url,
    },
    /// A page leads into a private network.
    #[error("will not render `{url}`: a page leads to the private address {address}")]
    #[diagnostic(code(render::private), help("if the pages may lead there, say --allow-private"))]
    Private {
        /// The address that was asked for; the private one may be that of a redirect.
        url: Url,
        /// What it resolves to.
        address: IpAddr,
    },
    /// The browser got no page.
    #[error("cannot render `{url}`: {cause}")]
    #[diagnostic(code(render::failed))]
    Failed {
        /// The address.
        url: Url,
        /// The browser's own word for it.
        cause: String,
    },
    /// No document, or none that could be read, in time.
    #[error("cannot render `{url}`: no document in {} s", .after.as_secs_f64())]
    #[diagnostic(code(render::timed_out), help("--timeout gives it more time"))]
    TimedOut {
        /// The address.
        url: Url,
        /// The time that was given.
        after: Duration,
    },
    /// More than a page should have.
    #[error("cannot render `{url}`: its document has more than {limit} bytes")]
    #[diagnostic(code(render::too_large), help("--max-size allows more"))]
    TooLarge {
        /// The address.
        url: Url,
        /// The bound.
        limit: usize,
    },
}

impl RenderError {
    /// Whether the same page may well be rendered in a while.
    pub fn is_transient(&self) -> bool {
        matches!(self, RenderError::BrowserDied { .. } | RenderError::PageCrashed { .. } | RenderError::TimedOut { .. })
    }
}
