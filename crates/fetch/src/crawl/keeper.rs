//! The only writer: stores the results of visits in batches and hands out the next jobs.

use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use tokio::sync::mpsc::UnboundedSender;
use url::Url;

use super::engine::Observer;
use super::files::Files;
use super::frontier::{Frontier, Job};
use super::scheduler::Event;
use super::visit::{Finished, Outcome, Visit};
use super::{Bounds, Checkpoint, Config, CrawlError, End, Link, Progress, Stop, Way, site};

/// Time that a batch waits for further results.
const LINGER: Duration = Duration::from_millis(30);

/// Longest sleep of the keeper, so that it notices a stop.
const NAP: Duration = Duration::from_millis(100);

/// Largest number of results in one transaction; `BATCH_BYTES` limits their size.
const BATCH: usize = 1000;
const BATCH_BYTES: usize = 8 << 20;

/// Number of failures listed in a summary.
const FAILURES: usize = 20;

pub(super) struct Keeper<'a> {
    pub(super) frontier: Frontier,
    pub(super) files: Files,
    pub(super) bounds: Bounds,
    pub(super) config: &'a Config,
    pub(super) inbox: Receiver<Finished>,
    pub(super) scheduler: UnboundedSender<Event>,
    pub(super) stop: &'a Stop,
    pub(super) progress: Progress,
    pub(super) checkpoint: Checkpoint,
    /// Bytes for outputs without a file, held until the transaction is committed.
    pub(super) streamed: Vec<(usize, Vec<u8>)>,
}

impl Keeper<'_> {
    /// Works until nothing is left, the budget is used up, or the crawl is stopped.
    pub(super) fn run(&mut self, observer: &mut dyn Observer) -> Result<End, CrawlError> {
        let begun = Instant::now();
        let mut ending: Option<End> = None;
        let mut batch: Vec<Finished> = Vec::new();
        loop {
            let now = unix_millis();
            let hand_out = ending.is_none();
            self.frontier.begin()?;
            if batch.iter().any(|finished| matches!(finished.outcome, Outcome::Fetched { .. })) {
                self.secure(observer)?;
            }
            for finished in batch.drain(..) {
                self.progress.bytes += finished.bytes;
                self.settle(finished, now)?;
            }
            let due = self.frontier.wake(now)?;
            let jobs = if hand_out { self.frontier.take(self.room(), self.config)? } else { Vec::new() };
            self.files.write(&self.frontier)?;
            self.frontier.commit()?;
            for (number, bytes) in self.streamed.drain(..) {
                observer.output(number, &bytes);
            }
            self.progress.requests += jobs.iter().filter(|job| job.kept.is_none()).count() as u64;
            if !jobs.is_empty() {
                self.tell(Event::Jobs(jobs));
            }
            self.progress.counts = self.frontier.counts();
            self.progress.active = self.frontier.taken();
            observer.progress(&self.progress);
            let stopped = self.stop.is_stopped() && ending != Some(End::Stopped);
            if ending.is_none() || stopped {
                let late = self.config.budget.time.is_some_and(|time| begun.elapsed() >= time);
                ending = if stopped { Some(End::Stopped) } else { self.ending(late) };
                if ending.is_some() {
                    // A stop or a time limit aborts requests in progress; answers already received are still stored.
                    self.tell(Event::Stop { abort: stopped || late });
                }
            }
            if self.frontier.taken() == 0 {
                if let Some(end) = ending {
                    return Ok(end);
                }
                if self.progress.counts.queued == 0 {
                    return Ok(End::Complete);
                }
                if self.is_budget_met() {
                    return Ok(End::Budget);
                }
                if due.is_none() {
                    self.frontier.unblock()?;
                }
            }
            batch = self.gather();
        }
    }

    /// Takes the next checkpoint: the data that this batch stored elsewhere must be durable before this transaction
    /// commits.
    fn secure(&mut self, observer: &mut dyn Observer) -> Result<(), CrawlError> {
        self.checkpoint.generation += 1;
        observer.secure(&self.checkpoint).map_err(|cause| CrawlError::Secure { cause })?;
        self.frontier.set_checkpoint(&self.checkpoint)
    }

    /// Returns some of the failures.
    pub(super) fn failures(&self) -> Result<Vec<(String, String)>, CrawlError> {
        self.frontier.failures(FAILURES)
    }

    fn tell(&self, event: Event) {
        // The scheduler ends only when this sender is dropped.
        let _ = self.scheduler.send(event);
    }

    fn room(&self) -> usize {
        self.config.window.max(1).saturating_sub(usize::try_from(self.frontier.taken()).unwrap_or(usize::MAX))
    }

    fn is_budget_met(&self) -> bool {
        self.config.budget.pages.is_some_and(|pages| self.frontier.counts().done >= pages)
    }

    fn ending(&self, late: bool) -> Option<End> {
        let full = self.config.budget.bytes.is_some_and(|bytes| self.progress.bytes >= bytes);
        (late || full).then_some(End::Budget)
    }

    /// Collects results that have arrived, waiting a moment for more.
    fn gather(&self) -> Vec<Finished> {
        let mut batch: Vec<Finished> = Vec::new();
        let mut bytes = 0;
        let mut until = Instant::now() + NAP;
        while batch.len() < BATCH && bytes < BATCH_BYTES {
            let left = until.saturating_duration_since(Instant::now());
            match self.inbox.recv_timeout(left) {
                Ok(finished) => {
                    if batch.is_empty() {
                        until = until.min(Instant::now() + LINGER);
                    }
                    bytes += finished.size();
                    batch.push(finished);
                }
                Err(RecvTimeoutError::Timeout | RecvTimeoutError::Disconnected) => break,
            }
            // No job is left that could finish.
            if self.frontier.taken() == batch.len() as u64 {
                break;
            }
        }
        batch
    }

    fn settle(&mut self, finished: Finished, now: i64) -> Result<(), CrawlError> {
        let Finished { job, outcome, record, .. } = finished;
        if !record.is_empty() {
            self.files.add(self.config.outputs.len(), &record);
        }
        match outcome {
            Outcome::Fetched { keep, visit, wanted } => self.fetched(&job, keep.as_deref(), visit, &wanted),
            Outcome::Redirected { to, cookie } => self.redirected(&job, &to, cookie),
            Outcome::Again { after, why } => {
                let due = now.saturating_add(i64::try_from(after.as_millis()).unwrap_or(i64::MAX));
                self.frontier.retry(&job, due, &why)
            }
            Outcome::Failed { why, for_now } => self.frontier.give_up(&job, &why, for_now),
            Outcome::Unstarted => self.frontier.put_back(&job),
        }
    }

    fn fetched(&mut self, job: &Job, keep: Option<&[u8]>, visit: Visit, wanted: &[Url]) -> Result<(), CrawlError> {
        if let Some(answer) = keep {
            self.frontier.keep(job, answer)?;
        }
        for link in &visit.links {
            let depth = if link.way == Way::Beside { job.depth } else { job.depth + 1 };
            let is_near = self.config.depth.is_none_or(|most| depth <= most);
            if is_near && self.admits(link)? {
                self.frontier.add_link(link, depth)?;
            }
        }
        if !wanted.is_empty() {
            let mut awaited = false;
            for part in wanted {
                awaited |= self.frontier.add_part(job.id, part, job.depth)?;
            }
            return self.frontier.wait(job, awaited);
        }
        self.progress.records += visit.records;
        for (name, count) in &visit.tallies {
            self.frontier.add_tally(name, *count)?;
        }
        for (number, bytes) in visit.output {
            match self.config.outputs.get(number) {
                Some((Some(_), _)) => self.files.add(number, &bytes),
                _ => self.streamed.push((number, bytes)),
            }
        }
        self.frontier.finish(job)
    }

    /// Reports whether a link is followed; opens a new site if the link may do so.
    fn admits(&mut self, link: &Link) -> Result<bool, CrawlError> {
        let is_web = matches!(link.url.scheme(), "http" | "https");
        if self.bounds.holds(&link.url) || link.way != Way::Site || !is_web {
            return Ok(self.bounds.holds(&link.url));
        }
        let Some(sites) = self.config.sites else { return Ok(false) };
        let name = site(&link.url);
        let is_open = self.frontier.open_site(&name, link.note.as_deref(), sites.most)?;
        if is_open {
            self.bounds.open(name);
        }
        Ok(is_open)
    }

    fn redirected(&mut self, job: &Job, to: &Url, cookie: bool) -> Result<(), CrawlError> {
        if !matches!(to.scheme(), "http" | "https") {
            return self.frontier.fail(job, &format!("it redirects to {to}, which is not an http or https address"));
        }
        let (is_page, is_part) = self.frontier.role(job)?;
        // The target of a seed's redirect is in scope like the seed.
        if job.depth == 0 && is_page {
            self.bounds.admit(to);
        }
        // The first page of a site may redirect to the site's real host.
        let way = if job.opens { Way::Site } else { Way::Deeper };
        let as_page = is_page && self.admits(&Link::from(to.clone()).on(way))?;
        if is_page && !as_page && !is_part {
            return self.frontier.fail(job, &format!("it redirects to {to}, which is outside the crawl's scope"));
        }
        self.frontier.redirect(job, to, as_page, cookie)
    }
}

pub(super) fn unix_millis() -> i64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    i64::try_from(since.as_millis()).unwrap_or(i64::MAX)
}
