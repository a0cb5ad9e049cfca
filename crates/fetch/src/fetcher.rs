//! One door to pages: the network, archives and a browser stand behind it.
//!
//! A [`Fetcher`] is told once where pages come from and what becomes of them; who asks it for pages does not care. What
//! is not needed is not made: a run that reads files only opens no socket and starts no browser.

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

/// Where pages come from, and what becomes of them.
#[derive(Debug, Clone, Default)]
#[non_exhaustive]
pub struct Config {
    /// How servers are asked.
    pub http: web::Config,
    /// Archives that answer in the servers' place.
    pub replay: Vec<PathBuf>,
    /// An archive that every answer is added to.
    pub record: Option<PathBuf>,
    /// How a browser renders the pages, if it is to.
    pub render: Option<render::Config>,
    /// A cache that lasts from run to run.
    pub cache: Option<PathBuf>,
}

/// Why there is no fetcher.
#[derive(Debug, thiserror::Error, miette::Diagnostic)]
#[non_exhaustive]
pub enum FetcherError {
    /// The settings make no sense.
    #[error(transparent)]
    #[diagnostic(transparent)]
    Config(#[from] ConfigError),
    /// The cache cannot be opened.
    #[error(transparent)]
    #[diagnostic(transparent)]
    Cache(#[from] CacheError),
    /// An archive cannot be opened.
    #[error(transparent)]
    #[diagnostic(transparent)]
    Archive(#[from] WarcError),
    /// Threads are refused.
    #[error("cannot begin to fetch: {cause}")]
    #[diagnostic(code(fetch::system))]
    System {
        /// What the system said.
        cause: std::io::Error,
    },
}

/// Gives pages.
pub struct Fetcher {
    config: Config,
    from: From,
    recorder: Option<Mutex<Writer>>,
    /// Encoders for crawls, as many as there were visits at a time.
    encoders: Mutex<Vec<Encoder>>,
    browser: OnceCell<Browser>,
    /// None only while it is dropped.
    runtime: Option<Runtime>,
}

enum From {
    Web(Client),
    Archive(Box<Replay>),
}

impl Fetcher {
    /// A fetcher that does as it is told.
    pub fn new(config: Config) -> Result<Fetcher, FetcherError> {
        let from = match config.replay.is_empty() {
            true => {
                let client = Client::new(config.http.clone())?;
                From::Web(match &config.cache {
                    Some(path) => client.with_cache(Cache::open(path)?),
                    None => client,
                })
            }
            false => From::Archive(Box::new(Replay::open(&config.replay)?)),
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

    /// What had to be left out of the archives that answer.
    pub fn notes(&self) -> Vec<String> {
        match &self.from {
            From::Web(_) => Vec::new(),
            From::Archive(replay) => {
                replay.notes().iter().map(|(path, note)| format!("{}: {note}", path.display())).collect()
            }
        }
    }

    /// A page: see [`Client::get`]. Any number of threads may ask at once; none of them may be asynchronous.
    pub fn get(&self, request: &Request) -> Result<Fetched, FetchError> {
        let runtime = self.runtime.as_ref().expect("it is taken only by `drop`");
        runtime.block_on(self.fetch(request))
    }

    /// A page, for asynchronous callers.
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

    /// Renders a page that is a file, with the browser that renders the others. None of the callers may be asynchronous.
    ///
    /// # Errors
    ///
    /// There is no browser, or it makes no document of it.
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

    /// What the archives have, as a server would give it.
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
        match self.is_document(answer) {
            true => recorder.rendered(answer)?,
            false => recorder.exchange(&self.headers(request), answer)?,
        };
        Ok(())
    }

    /// Whether an answer is what a browser made of a page.
    fn is_document(&self, answer: &Answer) -> bool {
        self.config.render.is_some() && answer.redirect().is_none()
    }

    /// What is sent with a request.
    pub(crate) fn headers(&self, request: &Request) -> HeaderMap {
        match &self.from {
            From::Web(client) => client.headers(request),
            From::Archive(_) => HeaderMap::new(),
        }
    }
}

/// The redirect that a browser has followed, if it has: another query may be the page's own doing.
fn redirect(asked: &Url, answer: &Answer) -> Option<Answer> {
    let place = |url: &Url| url[..Position::AfterPath].to_owned();
    if place(asked) == place(&answer.url) {
        return None;
    }
    let location = HeaderValue::from_str(answer.url.as_str()).ok()?;
    let headers = HeaderMap::from_iter([(header::LOCATION, location)]);
    Some(Answer { url: asked.clone(), status: StatusCode::FOUND, headers, body: Bytes::new(), ..answer.clone() })
}

/// A status of 400 and more is no page.
fn check_status(answer: &Answer) -> Result<(), FetchError> {
    match answer.status.is_client_error() || answer.status.is_server_error() {
        true => Err(web::status_error(answer)),
        false => Ok(()),
    }
}

fn request(url: &Url, given: bool) -> Request {
    if given { Request::user(url.clone()) } else { Request::page(url.clone()) }
}

/// For crawls, which have their own schedule, follow redirects themselves, and record for themselves.
impl Source for Fetcher {
    fn ask<'a>(&'a self, url: &'a Url, given: bool) -> Asking<'a> {
        Box::pin(async move {
            match (&self.from, &self.config.render) {
                (From::Archive(replay), _) => self.archived(replay, url),
                (From::Web(_), Some(_)) => {
                    // Where the browser was led is a page of its own, to be judged by its own site's rules.
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
        let packed = match self.is_document(answer) {
            true => encoder.rendered(answer),
            false => encoder.exchange(&self.headers(&Request::page(answer.url.clone())), answer),
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
            match verdict.allowed {
                true => Ok(verdict.delay),
                false => Err(FetchError::Robots { url: url.clone() }),
            }
        })
    }
}

impl Drop for Fetcher {
    fn drop(&mut self) {
        // The last owner may be a task of another runtime, which must not wait.
        if let Some(runtime) = self.runtime.take() {
            runtime.shutdown_background();
        }
    }
}

/// Shared, as crawls want it.
impl Fetcher {
    /// The fetcher as the source of a crawl.
    pub fn into_source(self) -> Arc<dyn Source> {
        Arc::new(self)
    }
}
