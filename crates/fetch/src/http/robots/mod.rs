//! robots.txt files, fetched once per origin and cached.
//!
//! A site without the file (4xx) permits everything. If the file cannot be fetched (5xx, 429, no connection, timeout),
//! its rules are unknown and nothing is fetched from the site for a while (RFC 9309, 2.3.1).
//!
//! The file is fetched without entering the gate, since a request that waits for it may hold the last slot.
//!
//! Cost: one request per origin and day. The cache is bounded in number and bytes; the least recently used files are
//! dropped and fetched again when needed.

mod rules;

use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use url::Url;

pub use rules::Robots;

use super::client::{Beyond, Client};
use super::gate::origin_key;
use super::get::status_error;
use super::request::Request;
use super::retry::backoff;
use super::transport::{NO_CONNECTION, Reach};
use crate::error::is_transient;
use crate::{Answer, FetchError};

/// Time for which a file is cached: a day, the limit of the RFC.
const KEPT: Duration = Duration::from_secs(24 * 3600);
/// Time for which a failure is cached. Long enough not to ask again for every page, short enough not to lose a site to
/// a restart.
const KEPT_FAILURE: Duration = Duration::from_secs(60);
/// Largest number of redirects followed for robots.txt.
const REDIRECTS: usize = 5;
/// Largest number of cached origins.
const ORIGINS: usize = 20_000;
/// Largest total size of cached rules.
const BYTES: usize = 32 << 20;

/// Verdict of a site's robots.txt on one address.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Verdict {
    /// True if the address may be fetched.
    pub allowed: bool,
    /// Delay between requests that the site asks for, limited by the settings.
    pub delay: Option<Duration>,
}

impl Client {
    /// Checks an address against its site's robots.txt, whether or not the client is set to obey it. Fetches the file
    /// unless it is cached.
    ///
    /// # Errors
    ///
    /// [`FetchError::RobotsUnreachable`] if the file could not be fetched for now; the error of the connection if the
    /// host cannot be reached at all.
    pub async fn allowed(&self, request: &Request) -> Result<Verdict, FetchError> {
        let robots = self.robots(request).await?;
        let delay = robots.crawl_delay().map(|delay| delay.min(self.config().crawl_delay_limit));
        Ok(Verdict { allowed: robots.allows(&request.url), delay })
    }

    /// Returns the robots.txt of an address's origin, for its sitemaps for example.
    ///
    /// # Errors
    ///
    /// As for [`Client::allowed`].
    pub async fn robots(&self, request: &Request) -> Result<Arc<Robots>, FetchError> {
        let reach = self.check(request).await?;
        let memory = &self.shared.robots;
        // Page requests reach fewer addresses, so a failure for them need not apply to the user's requests.
        let key = format!("{}{}", if reach == Reach::Public { "page " } else { "" }, origin_key(&request.url));
        let entry = memory.entry(key);
        // The lock is held while the file is fetched, so that other requests wait for the same file.
        let mut state = entry.state.lock().await;
        let now = Instant::now();
        if state.as_ref().is_none_or(|state| state.until <= now) {
            let outcome = self.fetch_robots(request).await.map(Arc::new);
            let size = outcome.as_ref().map_or(0, |robots| robots.heap_size());
            memory.resize(&entry, size);
            let kept = if outcome.is_ok() { KEPT } else { KEPT_FAILURE };
            *state = Some(State { until: Instant::now() + kept, outcome });
        }
        match &*state {
            Some(State { outcome: Ok(robots), .. }) => Ok(robots.clone()),
            Some(State { outcome: Err(error), .. }) => Err(about(error, &request.url)),
            None => Ok(Arc::default()),
        }
    }

    async fn fetch_robots(&self, request: &Request) -> Result<Robots, FetchError> {
        let mut url = request.url.clone();
        url.set_path("/robots.txt");
        url.set_query(None);
        url.set_fragment(None);
        let mut next = Request { url, origin: request.origin, validators: Default::default() };
        for hop in 0..=REDIRECTS {
            let answer = match self.ask_robots(&next).await {
                Ok(answer) => answer,
                // A redirect to a forbidden target is the site's fault and counts as a missing robots.txt.
                Err(FetchError::Private { .. } | FetchError::Scheme { .. }) if hop > 0 => return Ok(Robots::default()),
                Err(error) => return Err(error),
            };
            if answer.status.is_success() {
                let content = answer.content_start(rules::MAX_SIZE as u64);
                return Ok(Robots::parse(&content, self.config().product()));
            }
            match next.redirected(&answer) {
                Some(target) => next = target,
                None => break,
            }
        }
        Ok(Robots::default())
    }

    /// Requests robots.txt once, without following redirects, with the same retries as for pages.
    async fn ask_robots(&self, request: &Request) -> Result<Answer, FetchError> {
        let config = self.config();
        let mut attempt = 0;
        loop {
            let limit = rules::MAX_SIZE as u64;
            let error = match self.exchange(request, self.headers(request), limit, Beyond::Cut).await {
                Ok(answer) if answer.status.is_server_error() || is_transient(answer.status) => status_error(&answer),
                Ok(answer) => return Ok(answer),
                Err(error) => error,
            };
            if attempt == config.retries || !(error.is_transient() || matches!(error, FetchError::Status { .. })) {
                return Err(error);
            }
            let mut wait = backoff(config.backoff, attempt, config.seed, request.url.as_str());
            if let FetchError::Status { retry_after: Some(after), .. } = error {
                if after > config.retry_after_limit {
                    return Err(error);
                }
                wait = wait.max(after);
            }
            tokio::time::sleep(wait).await;
            attempt += 1;
        }
    }
}

/// Converts an error of fetching robots.txt to an error for the page.
fn about(error: &FetchError, url: &Url) -> FetchError {
    let url = url.clone();
    let cause = match error.clone() {
        // The host cannot be reached at all, so the error is not about robots.txt.
        FetchError::Private { address, .. } => return FetchError::Private { url, address },
        FetchError::Name { cause, .. } => return FetchError::Name { url, cause },
        FetchError::Certificate { cause, .. } => return FetchError::Certificate { url, cause },
        FetchError::Connection { cause, .. } if cause.starts_with(NO_CONNECTION) => {
            return FetchError::Connection { url, cause };
        }
        FetchError::Connection { cause, .. } => cause,
        FetchError::Status { status, .. } => format!("the server answered {status}"),
        FetchError::TimedOut { after, .. } => format!("no complete answer within {} s", after.as_secs_f64()),
        other => other.to_string(),
    };
    FetchError::RobotsUnreachable { url, cause }
}

/// Cache of the files of all origins.
#[derive(Debug, Default)]
pub(super) struct Memory {
    origins: Mutex<HashMap<String, Arc<Entry>>>,
    clock: AtomicU64,
    bytes: AtomicUsize,
}

#[derive(Debug, Default)]
struct Entry {
    state: tokio::sync::Mutex<Option<State>>,
    used: AtomicU64,
    bytes: AtomicUsize,
}

#[derive(Debug)]
struct State {
    until: Instant,
    outcome: Result<Arc<Robots>, FetchError>,
}

impl Memory {
    fn entry(&self, key: String) -> Arc<Entry> {
        let used = self.clock.fetch_add(1, Ordering::Relaxed);
        let mut origins = self.origins.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(entry) = origins.get(&key) {
            entry.used.store(used, Ordering::Relaxed);
            return entry.clone();
        }
        if origins.len() >= ORIGINS || self.bytes.load(Ordering::Relaxed) > BYTES {
            self.forget(&mut origins);
        }
        let entry = Arc::new(Entry { used: AtomicU64::new(used), ..Entry::default() });
        origins.insert(key, entry.clone());
        entry
    }

    /// Drops the least recently used quarter, so that one linear pass serves many insertions.
    fn forget(&self, origins: &mut HashMap<String, Arc<Entry>>) {
        let mut uses: Vec<u64> = origins.values().map(|entry| entry.used.load(Ordering::Relaxed)).collect();
        uses.sort_unstable();
        let bound = uses.get(uses.len() / 4).copied().unwrap_or(0);
        origins.retain(|_, entry| {
            // A file that is being fetched is kept, so that its bytes are counted only once.
            let keep = entry.used.load(Ordering::Relaxed) > bound || Arc::strong_count(entry) > 1;
            if !keep {
                self.bytes.fetch_sub(entry.bytes.load(Ordering::Relaxed), Ordering::Relaxed);
            }
            keep
        });
    }

    fn resize(&self, entry: &Entry, bytes: usize) {
        self.bytes.fetch_add(bytes, Ordering::Relaxed);
        self.bytes.fetch_sub(entry.bytes.swap(bytes, Ordering::Relaxed), Ordering::Relaxed);
    }
}
