//! Timing of requests: limits on simultaneous requests in total and per host, and the delay between them.
//!
//! Each host is a lane with its own jobs. A lane's position in the heap is the time at which its next request may
//! start. The next time is computed from the planned start and not from the actual one, so that waking up late does not
//! slow a host down.

use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashMap, VecDeque};
use std::panic::AssertUnwindSafe;
use std::sync::{Arc, mpsc};
use std::time::Duration;

use futures_util::FutureExt;
use tokio::sync::mpsc::UnboundedReceiver;
use tokio::task::JoinSet;
use tokio::time::{Instant, sleep_until};

use super::frontier::Job;
use super::visit::{Finished, Outcome, Work};
use super::{Config, Source};
use crate::answer::Answer;
use crate::error::FetchError;

/// Number of idle lanes that are kept, so that the delays of their hosts are still respected.
const IDLE_LANES: usize = 4096;

/// Longest delay. It also prevents an overflow when it is added to the current time.
const LONGEST: Duration = Duration::from_secs(86_400);

/// Event for the scheduler.
#[derive(Debug)]
pub(super) enum Event {
    /// New jobs.
    Jobs(Vec<Job>),
    /// A visit has ended.
    Visited,
    /// Returns queued jobs to the keeper; with `abort`, also cancels requests in progress.
    Stop { abort: bool },
}

/// Channels that the scheduler sends to.
#[derive(Debug, Clone)]
pub(super) struct Exits {
    /// Answers for the visitors.
    pub(super) work: mpsc::Sender<Work>,
    /// Jobs that were not begun, for the keeper.
    pub(super) finished: mpsc::Sender<Finished>,
}

#[derive(Debug)]
struct Lane {
    jobs: VecDeque<Job>,
    active: usize,
    next: Instant,
    delay: Duration,
    /// True if the lane is in the heap.
    armed: bool,
    /// Number of consecutive answers that asked to come back later.
    refused: u32,
    /// Start of the last request.
    started: Option<Instant>,
    /// True if the host has answered, so that its delay is known.
    known: bool,
}

/// Result of a request.
struct Fetched {
    id: i64,
    host: i64,
    result: Result<Answer, FetchError>,
    delay: Option<Duration>,
}

struct Scheduler {
    config: Config,
    source: Arc<dyn Source>,
    exits: Exits,
    lanes: HashMap<i64, Lane>,
    heap: BinaryHeap<Reverse<(Instant, i64)>>,
    requests: JoinSet<Fetched>,
    /// Jobs whose request is in progress.
    started: HashMap<i64, Job>,
    /// Number of jobs that are being requested or visited.
    in_flight: usize,
    stopping: bool,
}

/// Runs until all senders of events are dropped.
pub(super) async fn run(mut events: UnboundedReceiver<Event>, source: Arc<dyn Source>, exits: Exits, config: Config) {
    let mut scheduler = Scheduler {
        config,
        source,
        exits,
        lanes: HashMap::new(),
        heap: BinaryHeap::new(),
        requests: JoinSet::new(),
        started: HashMap::new(),
        in_flight: 0,
        stopping: false,
    };
    loop {
        let due = scheduler.start();
        let sleep = async {
            match due {
                Some(due) => sleep_until(due).await,
                None => std::future::pending().await,
            }
        };
        tokio::select! {
            event = events.recv() => match event {
                Some(event) => scheduler.hear(event).await,
                None => return,
            },
            Some(fetched) = scheduler.requests.join_next() => scheduler.fetched(fetched),
            () = sleep => {}
        }
    }
}

impl Scheduler {
    async fn hear(&mut self, event: Event) {
        match event {
            Event::Jobs(jobs) if self.stopping => jobs.into_iter().for_each(|job| self.give_back(job)),
            Event::Jobs(jobs) => jobs.into_iter().for_each(|job| self.accept(job)),
            Event::Visited => self.in_flight = self.in_flight.saturating_sub(1),
            Event::Stop { abort } => {
                self.stopping = true;
                let waiting: Vec<Job> = self.lanes.values_mut().flat_map(|lane| lane.jobs.drain(..)).collect();
                waiting.into_iter().for_each(|job| self.give_back(job));
                if abort {
                    self.requests.shutdown().await;
                    let started: Vec<Job> = self.started.drain().map(|(_, job)| job).collect();
                    started.into_iter().for_each(|job| self.give_back(job));
                }
            }
        }
    }

    /// Returns a job to the keeper. Sending fails only when the keeper has ended.
    fn give_back(&self, job: Job) {
        let _ = self.exits.finished.send(Finished { job, outcome: Outcome::Unstarted, bytes: 0, record: Vec::new() });
    }

    fn accept(&mut self, job: Job) {
        if job.kept.is_some() {
            self.in_flight += 1;
            let _ = self.exits.work.send(Work { job, result: None });
            return;
        }
        let host = job.host;
        let fresh = || Lane {
            jobs: VecDeque::new(),
            active: 0,
            next: Instant::now(),
            delay: self.config.delay.min(LONGEST),
            armed: false,
            refused: 0,
            started: None,
            known: false,
        };
        self.lanes.entry(host).or_insert_with(fresh).jobs.push_back(job);
        self.arm(host);
    }

    /// Adds a lane to the heap if it has a request to start.
    fn arm(&mut self, host: i64) {
        let Some(lane) = self.lanes.get_mut(&host) else { return };
        // Until a host has answered once, only one request at a time is sent to it.
        let most = if lane.known { self.config.per_host.max(1) } else { 1 };
        if !lane.armed && !lane.jobs.is_empty() && lane.active < most {
            lane.armed = true;
            self.heap.push(Reverse((lane.next, host)));
        }
    }

    /// Starts all requests that are due. Returns the time at which the next one is due.
    fn start(&mut self) -> Option<Instant> {
        let now = Instant::now();
        while self.in_flight < self.config.concurrency.max(1) {
            let &Reverse((due, host)) = self.heap.peek()?;
            if due > now {
                return Some(due);
            }
            self.heap.pop();
            let Some(lane) = self.lanes.get_mut(&host) else { continue };
            lane.armed = false;
            // The host has asked for a delay since the lane was added.
            if lane.next > now {
                self.arm(host);
                continue;
            }
            let Some(job) = lane.jobs.pop_front() else { continue };
            lane.active += 1;
            lane.started = Some(now);
            let planned = lane.next + lane.delay;
            lane.next = if planned > now { planned } else { now + lane.delay };
            self.request(job);
            self.arm(host);
        }
        // The end of a visit or request wakes the scheduler.
        None
    }

    fn request(&mut self, job: Job) {
        self.in_flight += 1;
        let source = Arc::clone(&self.source);
        let (id, host, url, given) = (job.id, job.host, job.url.clone(), job.given);
        self.started.insert(id, job);
        self.requests.spawn(async move {
            let asked = async {
                let delay = source.leave(&url, given).await?;
                Ok((source.ask(&url, given).await, delay))
            };
            // A panic is a bug, and must not leave the crawl waiting for this page.
            let (result, delay) = match AssertUnwindSafe(asked).catch_unwind().await {
                Ok(Ok(answered)) => answered,
                Ok(Err(error)) => (Err(error), None),
                Err(_) => {
                    let cause = "a bug in the program: the request panicked".to_owned();
                    (Err(FetchError::Connection { url: url.clone(), cause }), None)
                }
            };
            Fetched { id, host, result, delay }
        });
    }

    fn fetched(&mut self, fetched: Result<Fetched, tokio::task::JoinError>) {
        // Only cancelled requests end without a result, and their jobs are returned separately.
        let Ok(Fetched { id, host, result, delay }) = fetched else { return };
        let now = Instant::now();
        if let Some(lane) = self.lanes.get_mut(&host) {
            lane.active = lane.active.saturating_sub(1);
            lane.known = true;
            if let Some(delay) = delay {
                lane.delay = lane.delay.max(delay.min(self.config.longest_delay));
                lane.next = lane.next.max(lane.started.unwrap_or(now) + lane.delay);
            }
            if matches!(result, Err(FetchError::Robots { .. })) && lane.active == 0 {
                // The request was not sent.
                lane.next = now;
            }
            let refused = result.as_ref().is_ok_and(|answer| matches!(answer.status.as_u16(), 429 | 503));
            lane.refused = if refused { lane.refused + 1 } else { 0 };
            // One refusal may concern the page alone; two in a row concern the host.
            if lane.refused > 1 {
                let doubled = self.config.back_off.saturating_mul(1 << lane.refused.min(10));
                let asked = result.as_ref().ok().and_then(Answer::retry_after).unwrap_or(doubled);
                lane.next = lane.next.max(now + asked.min(self.config.longest_delay));
            }
        }
        if let Some(job) = self.started.remove(&id) {
            let _ = self.exits.work.send(Work { job, result: Some(result) });
        }
        self.arm(host);
        if self.lanes.len() > IDLE_LANES {
            self.lanes.retain(|_, lane| lane.active > 0 || !lane.jobs.is_empty() || lane.next > now);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Mutex;
    use std::time::SystemTime;

    use http::{HeaderMap, StatusCode, Version};
    use url::Url;

    use super::super::{Asking, Leave};
    use super::*;

    /// A site that answers after ten milliseconds and records the times of its requests.
    struct Site {
        /// Delay that the site requires.
        delay: Option<Duration>,
        asked: Mutex<Vec<Instant>>,
    }

    impl Source for Site {
        fn ask<'a>(&'a self, url: &'a Url, _given: bool) -> Asking<'a> {
            self.asked.lock().unwrap().push(Instant::now());
            Box::pin(async move {
                tokio::time::sleep(Duration::from_millis(10)).await;
                Ok(Answer {
                    url: url.clone(),
                    at: SystemTime::UNIX_EPOCH,
                    address: None,
                    version: Version::HTTP_11,
                    status: StatusCode::OK,
                    headers: HeaderMap::new(),
                    body: Default::default(),
                })
            })
        }

        fn leave<'a>(&'a self, _url: &'a Url, _given: bool) -> Leave<'a> {
            Box::pin(async { Ok(self.delay) })
        }
    }

    /// Returns the milliseconds from the first request to each, for twenty pages of one host in virtual time.
    async fn starts(config: Config, delay: Option<Duration>) -> Vec<u128> {
        let site = Arc::new(Site { delay, asked: Mutex::default() });
        let (tell, events) = tokio::sync::mpsc::unbounded_channel();
        let ((work, answered), (finished, _unstarted)) = (mpsc::channel(), mpsc::channel());
        let job = |id| Job {
            id,
            url: Url::parse(&format!("http://site.test/{id}")).unwrap(),
            host: 1,
            depth: 0,
            given: true,
            page: true,
            opens: false,
            rank: 0,
            attempts: 0,
            kept: None,
            revisit: false,
        };
        tell.send(Event::Jobs((0..20).map(job).collect())).unwrap();
        let source: Arc<dyn Source> = Arc::clone(&site) as _;
        let scheduler = tokio::spawn(run(events, source, Exits { work, finished }, config));
        tokio::time::sleep(Duration::from_secs(3600)).await;
        drop(tell);
        scheduler.await.unwrap();
        assert_eq!(answered.iter().count(), 20);
        let asked = site.asked.lock().unwrap();
        asked.iter().map(|at| (*at - asked[0]).as_millis()).collect()
    }

    fn config(per_host: usize, delay: u64) -> Config {
        let mut config = Config::new("no-state");
        (config.concurrency, config.per_host, config.delay) = (100, per_host, Duration::from_millis(delay));
        config
    }

    #[tokio::test(start_paused = true)]
    async fn requests_to_a_host_are_the_delay_apart() {
        assert_eq!(starts(config(4, 25), None).await, (0..20).map(|number| 25 * number).collect::<Vec<_>>());
    }

    #[tokio::test(start_paused = true)]
    async fn a_sites_own_delay_is_kept_from_the_second_request_on() {
        let delay = Some(Duration::from_millis(150));
        assert_eq!(starts(config(4, 1), delay).await, (0..20).map(|number| 150 * number).collect::<Vec<_>>());
    }

    #[tokio::test(start_paused = true)]
    async fn a_host_that_is_not_known_gets_one_request_at_a_time() {
        // The first answer takes ten milliseconds; then four requests run at once.
        let expected = [0, 10, 10, 10, 10, 20, 20, 20, 20, 30, 30, 30, 30, 40, 40, 40, 40, 50, 50, 50];
        assert_eq!(starts(config(4, 0), None).await, expected);
    }
}
