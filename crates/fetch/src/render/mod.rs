//! Rendering of pages in a browser, after their scripts have run.
//!
//! Some pages are empty until scripts fill them. [`Browser`] loads such a page in the system's Chromium, waits until
//! its network activity has ended, and returns the resulting document. Each page has its own browser context, so pages
//! share no cookies, cache or storage.
//!
//! Pages are not trusted. A page cannot reach private addresses ([`Config::with_allow_private`]), prompt the user,
//! download files or open windows, and its time, size and traffic are limited.
//!
//! Chromium is controlled through its debugging protocol by a small client: only a dozen of its several hundred
//! commands are needed, and a crate that covers all of them takes minutes to compile. Nothing else in this crate needs
//! a browser: if there is none, [`RenderError::NoBrowser`] says what to install.
//!
//! # Cost
//!
//! Starting the browser takes one to two seconds, a simple page about one: half a second of waiting, and as much work
//! in the browser, which starts a process for each page. Pages wait in parallel, but the work is limited by the number
//! of cores. A browser takes some 400 MB, and more for large pages.

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

/// Settings for rendering.
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
            // Long-polling servers hold a request for 20 s and more.
            patience: Duration::from_secs(6),
            max_size: 32 << 20,
            max_traffic: 256 << 20,
            parallel: 4,
            images: false,
            allow_private: false,
            // Higher than usual screens, so that content loaded on scrolling is loaded.
            window: (1280, 2400),
        }
    }
}

impl Config {
    /// Reports whether a browser is installed, without starting it.
    pub fn has_browser(&self) -> bool {
        process::program(self).is_some()
    }

    /// Sets the browser's program. The default is `$WINDROW_BROWSER`, else the first one found of `chromium`,
    /// `chromium-browser`, `google-chrome`, `google-chrome-stable`, `chrome`.
    pub fn with_program(mut self, program: impl Into<PathBuf>) -> Config {
        self.program = Some(program.into());
        self
    }

    /// Sets the user agent; the default is the browser's own.
    pub fn with_user_agent(mut self, user_agent: impl Into<String>) -> Config {
        self.user_agent = Some(user_agent.into());
        self
    }

    /// Sets the time (15 s) after which the document is taken as it is, with a note.
    pub fn with_timeout(mut self, timeout: Duration) -> Config {
        self.timeout = timeout;
        self
    }

    /// Sets the time (500 ms) without network activity after which a page counts as complete.
    pub fn with_quiet(mut self, quiet: Duration) -> Config {
        self.quiet = quiet;
        self
    }

    /// Sets the time (6 s) after which an open request is no longer waited for: some servers keep requests open until
    /// an event happens.
    pub fn with_patience(mut self, patience: Duration) -> Config {
        self.patience = patience;
        self
    }

    /// Limits the size of a document in bytes (32 MB).
    pub fn with_max_size(mut self, bytes: usize) -> Config {
        self.max_size = bytes;
        self
    }

    /// Limits the total traffic of a page in bytes (256 MB). Beyond it, its connections are cut.
    pub fn with_max_traffic(mut self, bytes: u64) -> Config {
        self.max_traffic = bytes;
        self
    }

    /// Limits the number of pages rendered at the same time (4); others wait.
    pub fn with_parallel(mut self, pages: usize) -> Config {
        self.parallel = pages.max(1);
        self
    }

    /// Sets whether images, fonts, audio and video are loaded. By default they are not, since the document is the same
    /// without them.
    pub fn with_images(mut self, images: bool) -> Config {
        self.images = images;
        self
    }

    /// Sets whether pages may reach private addresses.
    pub fn with_allow_private(mut self, allow: bool) -> Config {
        self.allow_private = allow;
        self
    }
}

/// A page after its scripts have run.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Rendered {
    /// Final address, after redirects and changes by scripts.
    pub url: Url,
    /// Status of the document's answer.
    pub status: StatusCode,
    /// Protocol version.
    pub version: Version,
    /// Headers of the document's answer.
    pub headers: HeaderMap,
    /// Media type of the document's answer. The browser shows other types than HTML in a page that it generates.
    pub media_type: String,
    /// Document, serialized by the browser.
    pub html: String,
    /// Notes: why the page may be incomplete, and what was refused.
    pub notes: Vec<String>,
}

impl Rendered {
    /// Converts the page to an answer of the server, with its final address and the document in UTF-8 as its body.
    /// Headers that described the original body are removed.
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

/// A browser that renders several pages at a time. It ends when it is dropped or when the program ends, even if killed.
pub struct Browser {
    config: Config,
    places: Semaphore,
    process: Mutex<Option<Arc<Process>>>,
}

impl Browser {
    /// Starts the browser.
    ///
    /// As root, the browser refuses to use its sandbox and runs without it ([`Browser::is_sandboxed`]).
    ///
    /// # Errors
    ///
    /// No browser is installed, or it could not be started.
    pub async fn launch(config: Config) -> Result<Browser, RenderError> {
        let process = Process::start(&config).await?;
        let places = Semaphore::new(config.parallel);
        Ok(Browser { config, places, process: Mutex::new(Some(Arc::new(process))) })
    }

    /// Renders a page that the user asked for: it may be on a private address, and may reach that address.
    ///
    /// # Errors
    ///
    /// There is no document. A document with an error status is not an error.
    pub async fn render(&self, url: &Url) -> Result<Rendered, RenderError> {
        self.render_as(url, true).await
    }

    /// Renders a page whose address comes from another page: it must not be private.
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
        // The semaphore is never closed, and an error would at worst mean one page too many.
        let _place = self.places.acquire().await;
        let process = self.process().await?;
        Visit::open(&process.wire, &self.config, url, trusted, None).await?.render().await
    }

    /// Renders a local file. It can read files in its own folder and below, or use the network, but never both: see
    /// [`LocalPage::with_network`].
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

    /// Reports whether the browser runs pages in a sandbox.
    pub fn is_sandboxed(&self) -> bool {
        !process::is_root()
    }

    /// Shuts the browser down cleanly. Dropping it kills it instead.
    pub async fn close(self) {
        if let Some(process) = self.process.into_inner().and_then(Arc::into_inner) {
            process.close().await;
        }
    }

    /// Returns the running browser; starts a new one if the last has ended.
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
