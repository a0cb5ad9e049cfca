//! Politeness: so many requests at a time to one origin, so far apart.
//!
//! Each origin (scheme, host, port) has as many places as requests may run at a time, and a time for its next start.
//! That time advances from the planned start, not from when a sleeper woke: timers wake late, and a rate that is
//! counted from late wakings falls behind what was asked for.
//!
//! Cost: a few hundred bytes for an origin that is in use. Origins that nobody waits for are dropped when there are
//! many, so memory follows what is going on, not what was seen.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::Instant;
use url::Url;

/// How late a start may be and the next still keep its time. Less than this is the timers' doing; more is a pause,
/// after which starts must not come in a burst.
const SLACK: Duration = Duration::from_millis(20);
/// When a full origin that told no time should be tried again.
const FULL: Duration = Duration::from_millis(10);
/// Origins that are kept before the idle ones are looked for.
const ORIGINS: usize = 4096;

/// Lets requests through. Clones share their places.
#[derive(Debug, Clone)]
pub struct Gate {
    shared: Arc<Shared>,
}

#[derive(Debug)]
struct Shared {
    per_host: usize,
    delay: Duration,
    origins: Mutex<Origins>,
}

#[derive(Debug)]
struct Origins {
    by_key: HashMap<String, Arc<Place>>,
    sweep_at: usize,
}

#[derive(Debug)]
struct Place {
    places: Arc<Semaphore>,
    times: Mutex<Times>,
}

#[derive(Debug)]
struct Times {
    /// The earliest next start; none if any time will do.
    next: Option<Instant>,
    /// The start before, as planned.
    last: Option<Instant>,
    delay: Duration,
    /// Counts the holds, so that a sleeper sees that its time was taken back.
    holds: u64,
}

/// Leave to send one request. Dropping it frees the place.
#[derive(Debug)]
pub struct Permit {
    _place: OwnedSemaphorePermit,
}

impl Gate {
    /// A gate with so many places for each origin (at least one), and so much time between starts.
    pub fn new(per_host: usize, delay: Duration) -> Gate {
        let origins = Origins { by_key: HashMap::new(), sweep_at: ORIGINS };
        let per_host = per_host.clamp(1, Semaphore::MAX_PERMITS);
        Gate { shared: Arc::new(Shared { per_host, delay, origins: Mutex::new(origins) }) }
    }

    /// Waits for a place and for the time to start.
    pub async fn enter(&self, url: &Url) -> Permit {
        let place = self.place(url);
        let permit = place.places.clone().acquire_owned().await.expect("the semaphore is never closed");
        loop {
            let (start, holds) = place.times().plan(Instant::now());
            tokio::time::sleep_until(start).await;
            if place.times().holds == holds {
                return Permit { _place: permit };
            }
        }
    }

    /// Enters if that is possible now; else says when to try again. If all places are taken that is a guess: trying
    /// when a permit was dropped is better.
    pub fn try_enter(&self, url: &Url, now: Instant) -> Result<Permit, Instant> {
        let place = self.place(url);
        let mut times = place.times();
        if let Some(next) = times.next.filter(|&next| next > now) {
            return Err(next);
        }
        match place.places.clone().try_acquire_owned() {
            Ok(permit) => {
                times.plan(now);
                Ok(Permit { _place: permit })
            }
            Err(_) => Err(now + FULL),
        }
    }

    /// Lets nobody start at this origin before `until`, not even those who are waiting for their time.
    pub fn hold(&self, url: &Url, until: Instant) {
        let place = self.place(url);
        let mut times = place.times();
        times.next = times.next.max(Some(until));
        if until > Instant::now() {
            times.holds += 1;
        }
    }

    /// Spaces the starts at this origin by at least `delay`.
    pub fn slow(&self, url: &Url, delay: Duration) {
        if delay <= self.shared.delay {
            return;
        }
        let place = self.place(url);
        let mut times = place.times();
        if delay > times.delay {
            times.delay = delay;
            if let Some(last) = times.last {
                times.next = times.next.max(Some(last + delay));
            }
        }
    }

    /// Origins that are kept.
    pub fn origins(&self) -> usize {
        self.origins_lock().by_key.len()
    }

    fn place(&self, url: &Url) -> Arc<Place> {
        let key = origin_key(url);
        let mut origins = self.origins_lock();
        if let Some(place) = origins.by_key.get(&key) {
            return place.clone();
        }
        if origins.by_key.len() >= origins.sweep_at {
            let now = Instant::now();
            let per_host = self.shared.per_host;
            origins.by_key.retain(|_, place| {
                let idle = Arc::strong_count(place) == 1
                    && place.places.available_permits() == per_host
                    && place.times().next.is_none_or(|next| next <= now);
                !idle
            });
            // Sweeping is linear: double the bound if nearly all are in use.
            origins.sweep_at = (origins.by_key.len() * 2).max(ORIGINS);
        }
        let place = Arc::new(Place {
            places: Arc::new(Semaphore::new(self.shared.per_host)),
            times: Mutex::new(Times { next: None, last: None, delay: self.shared.delay, holds: 0 }),
        });
        origins.by_key.insert(key, place.clone());
        place
    }

    fn origins_lock(&self) -> MutexGuard<'_, Origins> {
        self.shared.origins.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Place {
    fn times(&self) -> MutexGuard<'_, Times> {
        self.times.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Times {
    /// Takes the next start: when it is, and the holds so far.
    fn plan(&mut self, now: Instant) -> (Instant, u64) {
        let slack = SLACK.min(self.delay);
        let earliest = now.checked_sub(slack).unwrap_or(now);
        let start = self.next.unwrap_or(now).max(earliest);
        self.last = Some(start);
        self.next = Some(start + self.delay);
        (start, self.holds)
    }
}

/// An origin as a key: `https://example.org:443`.
pub(super) fn origin_key(url: &Url) -> String {
    let port = url.port_or_known_default().unwrap_or(0);
    format!("{}://{}:{port}", url.scheme(), url.host_str().unwrap_or_default())
}
