//! What sites ask of robots: their robots.txt, fetched once for each origin and remembered.
//!
//! A site that has none (4xx) asks nothing. A site whose file cannot be had (5xx, 429, no connection, no time) may ask
//! anything, so nothing is fetched from it for a while (RFC 9309, 2.3.1).
//!
//! The file is fetched without entering the gate: whoever waits for it may hold the last place.
//!
//! Cost: one request for each origin a day. Memory is bounded by number and bytes; what was not used for longest is
//! forgotten first and fetched again when needed.

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

/// How long a file is believed: a day, as the RFC bounds it.
const KEPT: Duration = Duration::from_secs(24 * 3600);
/// How long it is believed that a file cannot be had. Long enough not to ask with each page, short enough not to lose
/// a site to a restart.
const KEPT_FAILURE: Duration = Duration::from_secs(60);
/// Redirects of robots.txt that are followed.
const REDIRECTS: usize = 5;
/// Origins that are remembered.
const ORIGINS: usize = 20_000;
/// Bytes of rules that are remembered.
const BYTES: usize = 32 << 20;

/// What a site's robots.txt says of one address.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Verdict {
    /// Whether it may be fetched.
    pub allowed: bool,
    /// The time between requests that the site asks for, within the bound of the settings.
    pub delay: Option<Duration>,
}

impl Client {
    /// Whether a site lets us fetch an address, by its robots.txt. The file is fetched if it is not known, however the
    /// client is set to treat it.
    ///
    /// # Errors
    ///
    /// [`FetchError::RobotsUnreachable`] if the file cannot be had for now; what went wrong with the host if there is
    /// no connection at all.
    pub async fn allowed(&self, request: &Request) -> Result<Verdict, FetchError> {
        let robots = self.robots(request).await?;
        let delay = robots.crawl_delay().map(|delay| delay.min(self.config().crawl_delay_limit));
        Ok(Verdict { allowed: robots.allows(&request.url), delay })
    }

    /// The robots.txt of an address' origin, for its sitemaps, say.
    ///
    /// # Errors
    ///
    /// As for [`Client::allowed`].
    pub async fn robots(&self, request: &Request) -> Result<Arc<Robots>, FetchError> {
        let reach = self.check(request).await?;
        let memory = &self.shared.robots;
        // Addresses out of pages reach less: what cannot be had for them may be had for the user's.
        let key = format!("{}{}", if reach == Reach::Public { "page " } else { "" }, origin_key(&request.url));
        let entry = memory.entry(key);
        // Held while the file is fetched: whoever else asks waits for the same file.
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
                // Where a redirect leads is the site's fault: it has no robots.txt that can be had.
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

    /// One hop of a robots.txt, tried again as pages are.
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

/// What went wrong with robots.txt, as it concerns a page.
fn about(error: &FetchError, url: &Url) -> FetchError {
    let url = url.clone();
    let cause = match error.clone() {
        // Nothing of the host can be had: this is not about robots.txt.
        FetchError::Private { address, .. } => return FetchError::Private { url, address },
        FetchError::Name { cause, .. } => return FetchError::Name { url, cause },
        FetchError::Certificate { cause, .. } => return FetchError::Certificate { url, cause },
        FetchError::Connection { cause, .. } if cause.starts_with(NO_CONNECTION) => {
            return FetchError::Connection { url, cause };
        }
        FetchError::Connection { cause, .. } => cause,
        FetchError::Status { status, .. } => format!("the server answers {status}"),
        FetchError::TimedOut { after, .. } => format!("no full answer in {} s", after.as_secs_f64()),
        other => other.to_string(),
    };
    FetchError::RobotsUnreachable { url, cause }
}

/// The files of all origins.
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

    /// Forgets the quarter that was not used for longest: one pass over all for many insertions.
    fn forget(&self, origins: &mut HashMap<String, Arc<Entry>>) {
        let mut uses: Vec<u64> = origins.values().map(|entry| entry.used.load(Ordering::Relaxed)).collect();
        uses.sort_unstable();
        let bound = uses.get(uses.len() / 4).copied().unwrap_or(0);
        origins.retain(|_, entry| {
            // One that is being fetched is kept, so that its bytes are counted once.
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
