//! Pages after their scripts have run, from a browser.
//!
//! Some pages come empty and are filled by scripts. [`Browser`] has the system's Chromium load such a page, waits until
//! its network has gone quiet, and gives the document as it stands then. Every page is rendered in a browser context of
//! its own: no cookies, no cache, no storage of another.
//!
//! A page is hostile until proven otherwise. It cannot reach private addresses ([`Config::with_allow_private`]), nor ask
//! a person anything, nor download, nor open windows, nor run longer, grow larger or fetch more than it may.
//!
//! Chromium is spoken to in its debugging protocol, by a client of our own: a dozen commands are needed, of several
//! hundred, and a crate that has all of them compiles for minutes. Nothing else here needs a browser: where there is
//! none, [`RenderError::NoBrowser`] says what to install.
//!
//! # Cost
//!
//! Starting the browser takes one to two seconds, a simple page about one: half a second of quiet, and as much work of
//! the browser, which makes a process for each page. Pages wait beside each other, but work only as fast as there are
//! cores. A browser takes some 400 MB, and more for large pages.

mod error;
mod guard;
mod local;
mod page;
mod process;
mod watch;
mod wire;

use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use bytes::Bytes;
use http::header::{self, HeaderValue};
use http::{HeaderMap, StatusCode, Version};
use tokio::sync::{Mutex, Semaphore};
use url::Url;

pub use error::RenderError;
pub use local::LocalPage;

use self::page::Visit;
use self::process::Process;
use crate::Answer;

/// How pages are rendered.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Config {
    program: Option<PathBuf>,
    user_agent: Option<String>,
    timeout: Duration,
    quiet: Duration,
    patience: Duration,
    max_size: usize,
    max_traffic: u64,
    parallel: usize,
    images: bool,
    allow_private: bool,
    window: (u32, u32),
}

impl Default for Config {
    fn default() -> Config {
        Config {
            program: None,
            user_agent: None,
            timeout: Duration::from_secs(15),
            // Browser testing tools wait as long; lists that load in several steps pause for less.
            quiet: Duration::from_millis(500),
            // Servers that hold a request until something happens hold it for 20 s and more.
            patience: Duration::from_secs(6),
            max_size: 32 << 20,
            max_traffic: 256 << 20,
            parallel: 4,
            images: false,
            allow_private: false,
            // Higher than screens are: what loads as it is scrolled to, loads.
            window: (1280, 2400),
        }
    }
}

impl Config {
    /// Whether there is a browser to render with. It is not started.
    pub fn has_browser(&self) -> bool {
        process::program(self).is_some()
    }

    /// The browser's program. Without it, it is `$WINDROW_BROWSER`, or the first that is found of `chromium`,
    /// `chromium-browser`, `google-chrome`, `google-chrome-stable`, `chrome`.
    pub fn with_program(mut self, program: impl Into<PathBuf>) -> Config {
        self.program = Some(program.into());
        self
    }

    /// What the browser says it is; its own name without this.
    pub fn with_user_agent(mut self, user_agent: impl Into<String>) -> Config {
        self.user_agent = Some(user_agent.into());
        self
    }

    /// After so long (15 s), the document is taken as it stands, with a note.
    pub fn with_timeout(mut self, timeout: Duration) -> Config {
        self.timeout = timeout;
        self
    }

    /// A page is done when nothing has been on its way for so long (500 ms).
    pub fn with_quiet(mut self, quiet: Duration) -> Config {
        self.quiet = quiet;
        self
    }

    /// A request that is open for longer than this (6 s) is not waited for: servers keep some open until something
    /// happens.
    pub fn with_patience(mut self, patience: Duration) -> Config {
        self.patience = patience;
        self
    }

    /// The largest document in bytes (32 MB).
    pub fn with_max_size(mut self, bytes: usize) -> Config {
        self.max_size = bytes;
        self
    }

    /// What a page may send and fetch in all, in bytes (256 MB). After that its connections are cut.
    pub fn with_max_traffic(mut self, bytes: u64) -> Config {
        self.max_traffic = bytes;
        self
    }

    /// How many pages are rendered at a time (4); others wait.
    pub fn with_parallel(mut self, pages: usize) -> Config {
        self.parallel = pages.max(1);
        self
    }

    /// Whether images, fonts, sound and film are loaded. They are not, otherwise: a document says the same without them.
    pub fn with_images(mut self, images: bool) -> Config {
        self.images = images;
        self
    }

    /// Whether pages may reach private addresses.
    pub fn with_allow_private(mut self, allow: bool) -> Config {
        self.allow_private = allow;
        self
    }
}

/// A page after its scripts have run.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Rendered {
    /// Where the page is in the end, after redirects and what its scripts made of the address.
    pub url: Url,
    /// The status that its document came with.
    pub status: StatusCode,
    /// The protocol's version.
    pub version: Version,
    /// The headers that its document came with, before scripts.
    pub headers: HeaderMap,
    /// The media type that its document came with. What is no HTML is shown by the browser in a page of its making.
    pub media_type: String,
    /// The document, written out by the browser.
    pub html: String,
    /// What is worth knowing: why it may be incomplete, what was refused.
    pub notes: Vec<String>,
}

impl Rendered {
    /// The page as an answer of the server: its address is that in the end, its body the document in UTF-8. Headers that
    /// spoke of the body are left out.
    pub fn into_answer(self) -> Answer {
        let mut headers = self.headers;
        let about_body = [
            header::CONTENT_ENCODING,
            header::CONTENT_LENGTH,
            header::CONTENT_RANGE,
            header::ETAG,
            header::LAST_MODIFIED,
            header::TRANSFER_ENCODING,
        ];
        for name in about_body {
            headers.remove(name);
        }
        headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("text/html; charset=utf-8"));
        Answer {
            url: self.url,
            at: SystemTime::now(),
            address: None,
            version: self.version,
            status: self.status,
            headers,
            body: Bytes::from(self.html),
        }
    }
}

/// A browser that renders pages, several at a time. It ends when this is dropped, or the program is, however that ends.
pub struct Browser {
    config: Config,
    places: Semaphore,
    process: Mutex<Option<Arc<Process>>>,
}

impl Browser {
    /// Starts the browser.
    ///
    /// As root it runs without its sandbox, which it refuses to have then ([`Browser::is_sandboxed`]).
    ///
    /// # Errors
    ///
    /// There is none, or it does not start.
    pub async fn launch(config: Config) -> Result<Browser, RenderError> {
        let process = Process::start(&config).await?;
        let places = Semaphore::new(config.parallel);
        Ok(Browser { config, places, process: Mutex::new(Some(Arc::new(process))) })
    }

    /// Renders a page that a person asked for: it may be on a private address, and reach that again.
    ///
    /// # Errors
    ///
    /// There is no document. One that comes with an error status is no error.
    pub async fn render(&self, url: &Url) -> Result<Rendered, RenderError> {
        self.render_as(url, true).await
    }

    /// Renders a page whose address comes out of another page: it may not be private.
    ///
    /// # Errors
    ///
    /// There is no document, or it would be on a private address.
    pub async fn render_linked(&self, url: &Url) -> Result<Rendered, RenderError> {
        self.render_as(url, false).await
    }

    async fn render_as(&self, url: &Url, trusted: bool) -> Result<Rendered, RenderError> {
        if !matches!(url.scheme(), "http" | "https") {
            return Err(RenderError::Scheme { url: url.clone() });
        }
        // The semaphore is never closed; a page more at a time would be the worst of it.
        let _place = self.places.acquire().await;
        let process = self.process().await?;
        Visit::open(&process.wire, &self.config, url, trusted, None).await?.render().await
    }

    /// Renders a page that is a file. It can read files in its own folder and below, or use the network, but never both:
    /// see [`LocalPage::with_network`].
    ///
    /// # Errors
    ///
    /// There is no document.
    pub async fn render_file(&self, page: LocalPage) -> Result<Rendered, RenderError> {
        let _place = self.places.acquire().await;
        let process = self.process().await?;
        let url = page.url().clone();
        Visit::open(&process.wire, &self.config, &url, false, Some(page)).await?.render().await
    }

    /// Whether the browser keeps its pages in a sandbox.
    pub fn is_sandboxed(&self) -> bool {
        !process::is_root()
    }

    /// Ends the browser in good order. Dropping it is enough, and less polite.
    pub async fn close(self) {
        if let Some(process) = self.process.into_inner().and_then(Arc::into_inner) {
            process.close().await;
        }
    }

    /// The running browser; a new one if the last has died.
    async fn process(&self) -> Result<Arc<Process>, RenderError> {
        let mut process = self.process.lock().await;
        if let Some(process) = process.as_ref().filter(|process| !process.wire.is_closed()) {
            return Ok(Arc::clone(process));
        }
        *process = None;
        let started = Arc::new(Process::start(&self.config).await?);
        *process = Some(Arc::clone(&started));
        Ok(started)
    }
}

impl std::fmt::Debug for Browser {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Browser").field("config", &self.config).finish_non_exhaustive()
    }
}
