//! One interface for fetching pages from the network, from archives and through a browser.
//!
//! A [`Fetcher`] is configured once with the source of pages and their recording; its users need not know. Resources
//! are created only when needed: a run that only reads files opens no socket and starts no browser.

use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use bytes::Bytes;
use http::{HeaderMap, HeaderValue, StatusCode, header};
use tokio::runtime::Runtime;
use tokio::sync::OnceCell;
use url::{Position, Url};

use crate::crawl::{Asking, Leave, Source};
use crate::http::{Cache, CacheError, Client, ConfigError, Fetched, Origin, Request};
use crate::render::{self, Browser, LocalPage, Rendered};
use crate::warc::{Encoder, Replay, WarcError, Writer, WriterConfig};
use crate::{Answer, FetchError, http as web};

/// Settings of a fetcher.
#[derive(Debug, Clone, Default)]
#[non_exhaustive]
pub struct Config {
    /// Settings of HTTP requests.
    pub http: web::Config,
    /// Archives that replace the network.
    pub replay: Vec<PathBuf>,
    /// Archive to which every answer is added.
    pub record: Option<PathBuf>,
    /// Settings of the browser, if pages are to be rendered.
    pub render: Option<render::Config>,
    /// Cache that persists between runs.
    pub cache: Option<PathBuf>,
}

/// Error of creating a fetcher.
#[derive(Debug, thiserror::Error, miette::Diagnostic)]
#[non_exhaustive]
pub enum FetcherError {
    /// A setting is invalid.
    #[error(transparent)]
    #[diagnostic(transparent)]
    Config(#[from] ConfigError),
    /// The cache could not be opened.
    #[error(transparent)]
    #[diagnostic(transparent)]
    Cache(#[from] CacheError),
    /// An archive could not be opened.
    #[error(transparent)]
    #[diagnostic(transparent)]
    Archive(#[from] WarcError),
    /// A thread could not be created.
    #[error("the fetcher could not be started: {cause}")]
    #[diagnostic(code(fetch::system))]
    System {
        /// Error of the operating system.
        cause: std::io::Error,
    },
}

/// Fetches pages.
pub struct Fetcher {
    config: Config,
    from: From,
    recorder: Option<Mutex<Writer>>,
    /// Pool of encoders for crawls; it grows with the number of simultaneous visits.
    encoders: Mutex<Vec<Encoder>>,
    browser: OnceCell<Browser>,
    /// `None` only while the fetcher is dropped.
    runtime: Option<Runtime>,
}

enum From {
    Web(Client),
    Archive(Box<Replay>),
}

impl Fetcher {
    /// Creates a fetcher.
    pub fn new(config: Config) -> Result<Fetcher, FetcherError> {
        let from = if config.replay.is_empty() {
            let client = Client::new(config.http.clone())?;
            From::Web(match &config.cache {
                Some(path) => client.with_cache(Cache::open(path)?),
                None => client,
            })
        } else {
            From::Archive(Box::new(Replay::open(&config.replay)?))
        };
        let recorder = match &config.record {
            Some(path) => Some(Mutex::new(Writer::append(path, WriterConfig::default())?)),
            None => None,
        };
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .worker_threads(1)
            .thread_name("windrow-fetch")
            .enable_all()
            .build()
            .map_err(|cause| FetcherError::System { cause })?;
        Ok(Fetcher {
            config,
            from,
            recorder,
            encoders: Mutex::default(),
            browser: OnceCell::new(),
            runtime: Some(runtime),
        })
    }

    /// Returns notes on damaged parts of the replayed archives that were skipped.
    pub fn notes(&self) -> Vec<String> {
        match &self.from {
            From::Web(_) => Vec::new(),
            From::Archive(replay) => {
                replay.notes().iter().map(|(path, note)| format!("{}: {note}", path.display())).collect()
            }
        }
    }

    /// Fetches a page: see [`Client::get`]. May be called from any number of threads at once, but not from asynchronous
    /// code.
    pub fn get(&self, request: &Request) -> Result<Fetched, FetchError> {
        let runtime = self.runtime.as_ref().expect("it is taken only by `drop`");
        runtime.block_on(self.fetch(request))
    }

    /// Fetches a page, for asynchronous callers.
    pub async fn fetch(&self, request: &Request) -> Result<Fetched, FetchError> {
        let fetched = match (&self.from, &self.config.render) {
            (From::Archive(replay), _) => self.replayed(replay, request)?,
            (From::Web(client), Some(_)) => {
                if client.config().obey_robots {
                    let verdict = client.allowed(request).await?;
                    if !verdict.allowed {
                        return Err(FetchError::Robots { url: request.url.clone() });
                    }
                    if let Some(delay) = verdict.delay {
                        client.gate().slow(&request.url, delay);
                    }
                }
                let _turn = client.gate().enter(&request.url).await;
                let (answer, notes) = self.rendered(request).await?;
                check_status(&answer)?;
                let mut hops = Vec::new();
                if let Some(hop) = redirect(&request.url, &answer) {
                    let target = Request::page(answer.url.clone());
                    if client.config().obey_robots && !client.allowed(&target).await?.allowed {
                        return Err(FetchError::Robots { url: answer.url });
                    }
                    hops.push(hop);
                }
                Fetched { content: answer.body.clone(), answer, hops, notes }
            }
            (From::Web(client), None) => client.get(request).await?,
        };
        for answer in fetched.hops.iter().chain([&fetched.answer]) {
            self.record(request, answer)?;
        }
        Ok(fetched)
    }

    /// Renders a local page with the same browser as the others. Must not be called from asynchronous code.
    ///
    /// # Errors
    ///
    /// The browser could not be started, or it could not render the page.
    pub fn render_file(&self, page: LocalPage) -> Result<Rendered, FetchError> {
        let runtime = self.runtime.as_ref().expect("it is taken only by `drop`");
        runtime.block_on(async {
            let config = self.config.render.clone().unwrap_or_default();
            let browser = self.browser.get_or_try_init(|| Browser::launch(config)).await?;
            Ok(browser.render_file(page).await?)
        })
    }

    async fn rendered(&self, request: &Request) -> Result<(Answer, Vec<String>), FetchError> {
        let config = self.config.render.clone().unwrap_or_default();
        let browser = self.browser.get_or_try_init(|| Browser::launch(config)).await?;
        let is_own = match &self.from {
            From::Web(client) => {
                if request.origin == Origin::User {
                    client.name(&request.url);
                }
                client.is_own(&request.url).await
            }
            From::Archive(_) => false,
        };
        let mut rendered = match request.origin {
            Origin::Page if !is_own => browser.render_linked(&request.url).await?,
            Origin::User | Origin::Page => browser.render(&request.url).await?,
        };
        let notes = std::mem::take(&mut rendered.notes);
        Ok((rendered.into_answer(), notes))
    }

    /// Returns the archives' answer for an address; a rendered one is preferred if a browser is configured.
    fn archived(&self, replay: &Replay, url: &Url) -> Result<Answer, FetchError> {
        let rendered = match self.config.render {
            Some(_) => replay.rendered(url)?,
            None => None,
        };
        let answer = match rendered {
            Some(answer) => Some(answer),
            None => replay.get(url)?,
        };
        answer.ok_or_else(|| FetchError::NotRecorded { url: url.clone() })
    }

    fn replayed(&self, replay: &Replay, request: &Request) -> Result<Fetched, FetchError> {
        let mut hops = Vec::new();
        let mut url = request.url.clone();
        loop {
            let answer = self.archived(replay, &url)?;
            let Some(target) = answer.redirect() else {
                check_status(&answer)?;
                let content = answer.content(self.config.http.max_size)?;
                return Ok(Fetched { answer, content, hops, notes: Vec::new() });
            };
            hops.push(answer);
            if hops.len() > self.config.http.redirects {
                return Err(FetchError::Redirects { url: request.url.clone() });
            }
            url = target;
        }
    }

    fn record(&self, request: &Request, answer: &Answer) -> Result<(), FetchError> {
        let Some(recorder) = &self.recorder else { return Ok(()) };
        let mut recorder: MutexGuard<'_, Writer> = recorder.lock().unwrap_or_else(PoisonError::into_inner);
        if self.is_document(answer) {
            recorder.rendered(answer)?
        } else {
            recorder.exchange(&self.headers(request), answer)?
        };
        Ok(())
    }

    /// Reports whether an answer is a page as rendered by a browser.
    fn is_document(&self, answer: &Answer) -> bool {
        self.config.render.is_some() && answer.redirect().is_none()
    }

    /// Returns the headers that are sent with a request.
    pub(crate) fn headers(&self, request: &Request) -> HeaderMap {
        match &self.from {
            From::Web(client) => client.headers(request),
            From::Archive(_) => HeaderMap::new(),
        }
    }
}

/// Returns the redirect that a browser has followed, if any. A change of the query alone does not count, since scripts
/// do that.
fn redirect(asked: &Url, answer: &Answer) -> Option<Answer> {
    let place = |url: &Url| url[..Position::AfterPath].to_owned();
    if place(asked) == place(&answer.url) {
        return None;
    }
    let location = HeaderValue::from_str(answer.url.as_str()).ok()?;
    let headers = HeaderMap::from_iter([(header::LOCATION, location)]);
    Some(Answer { url: asked.clone(), status: StatusCode::FOUND, headers, body: Bytes::new(), ..answer.clone() })
}

/// Returns an error for statuses of 400 and above.
fn check_status(answer: &Answer) -> Result<(), FetchError> {
    if answer.status.is_client_error() || answer.status.is_server_error() {
        Err(web::status_error(answer))
    } else {
        Ok(())
    }
}

fn request(url: &Url, given: bool) -> Request {
    if given { Request::user(url.clone()) } else { Request::page(url.clone()) }
}

/// Crawls use this interface: they schedule requests, follow redirects and record answers themselves.
impl Source for Fetcher {
    fn ask<'a>(&'a self, url: &'a Url, given: bool) -> Asking<'a> {
        Box::pin(async move {
            match (&self.from, &self.config.render) {
                (From::Archive(replay), _) => self.archived(replay, url),
                (From::Web(_), Some(_)) => {
                    // The target of a redirect is a separate page, to be checked against its own site's robots.txt.
                    let answer = self.rendered(&request(url, given)).await?.0;
                    Ok(redirect(url, &answer).unwrap_or(answer))
                }
                (From::Web(client), None) => client.once_cached(&request(url, given)).await,
            }
        })
    }

    fn name(&self, given: &[Url]) {
        if let From::Web(client) = &self.from {
            given.iter().for_each(|url| client.name(url));
        }
    }

    fn prelude(&self, name: &str) -> Vec<u8> {
        Encoder::new(WriterConfig::default()).warcinfo(name).map(<[u8]>::to_vec).unwrap_or_default()
    }

    fn pack(&self, answer: &Answer) -> Vec<u8> {
        let encoders = || self.encoders.lock().unwrap_or_else(PoisonError::into_inner);
        let mut encoder = encoders().pop().unwrap_or_else(|| Encoder::new(WriterConfig::default()));
        let packed = if self.is_document(answer) {
            encoder.rendered(answer)
        } else {
            encoder.exchange(&self.headers(&Request::page(answer.url.clone())), answer)
        };
        let packed = packed.map(<[u8]>::to_vec).unwrap_or_default();
        encoders().push(encoder);
        packed
    }

    fn leave<'a>(&'a self, url: &'a Url, given: bool) -> Leave<'a> {
        Box::pin(async move {
            let From::Web(client) = &self.from else { return Ok(None) };
            if !client.config().obey_robots {
                return Ok(None);
            }
            let verdict = client.allowed(&request(url, given)).await?;
            if verdict.allowed { Ok(verdict.delay) } else { Err(FetchError::Robots { url: url.clone() }) }
        })
    }
}

impl Drop for Fetcher {
    fn drop(&mut self) {
        // The last owner may be a task of another runtime, which must not block.
        if let Some(runtime) = self.runtime.take() {
            runtime.shutdown_background();
        }
    }
}

/// Shared, as crawls want it.
impl Fetcher {
    /// Converts the fetcher to the shared source of a crawl.
    pub fn into_source(self) -> Arc<dyn Source> {
        Arc::new(self)
    }
}
