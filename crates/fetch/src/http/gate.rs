//! Politeness: limits on simultaneous requests and delays, per origin.
//!
//! Each origin (scheme, host, port) has a number of slots for simultaneous requests and a time for its next start. That
//! time is computed from the planned start and not from the time a task woke up: timers fire late, and a rate measured
//! from late starts would fall behind the configured one.
//!
//! Cost: a few hundred bytes for each origin in use. Idle origins are dropped when there are many, so memory depends on
//! current activity and not on the number of origins seen.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::Instant;
use url::Url;

/// Delay of a start up to which the next one still keeps its planned time. Shorter delays are caused by timers; longer
/// ones are pauses, after which starts must not come in a burst.
const SLACK: Duration = Duration::from_millis(20);
/// Time after which to retry at an origin whose slots are all taken.
const FULL: Duration = Duration::from_millis(10);
/// Number of origins above which idle ones are dropped.
const ORIGINS: usize = 4096;

/// Limits the rate of requests. Clones share their slots.
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
    /// Earliest time of the next start; `None` if it may start now.
    next: Option<Instant>,
    /// Planned time of the last start.
    last: Option<Instant>,
    delay: Duration,
    /// Number of holds, by which a sleeping task notices that its start was revoked.
    holds: u64,
}

/// Permission to send one request. Dropping it frees the slot.
#[derive(Debug)]
pub struct Permit {
    _place: OwnedSemaphorePermit,
}

impl Gate {
    /// Creates a gate with this number of slots per origin (at least one) and this delay between starts.
    pub fn new(per_host: usize, delay: Duration) -> Gate {
        let origins = Origins { by_key: HashMap::new(), sweep_at: ORIGINS };
        let per_host = per_host.clamp(1, Semaphore::MAX_PERMITS);
        Gate { shared: Arc::new(Shared { per_host, delay, origins: Mutex::new(origins) }) }
    }

    /// Waits for a slot and for the start time.
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

    /// Enters if that is possible now; otherwise returns the time of the next attempt. If all slots are taken, that
    /// time is a guess: retrying when a permit is dropped is better.
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

    /// Delays all starts at this origin until `until`, including those of waiting tasks.
    pub fn hold(&self, url: &Url, until: Instant) {
        let place = self.place(url);
        let mut times = place.times();
        times.next = times.next.max(Some(until));
        if until > Instant::now() {
            times.holds += 1;
        }
    }

    /// Enforces at least this delay between starts at this origin.
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

    /// Returns the number of origins in memory.
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
            // Sweeping is linear, so the threshold doubles if nearly all origins are in use.
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
    /// Reserves the next start. Returns its time and the current number of holds.
    fn plan(&mut self, now: Instant) -> (Instant, u64) {
        let slack = SLACK.min(self.delay);
        let earliest = now.checked_sub(slack).unwrap_or(now);
        let start = self.next.unwrap_or(now).max(earliest);
        self.last = Some(start);
        self.next = Some(start + self.delay);
        (start, self.holds)
    }
}

/// Returns an origin as a key: `https://example.org:443`.
pub(super) fn origin_key(url: &Url) -> String {
    let port = url.port_or_known_default().unwrap_or(0);
    format!("{}://{}:{port}", url.scheme(), url.host_str().unwrap_or_default())
}
