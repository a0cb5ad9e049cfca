//! Processing of an answer: classify it, decompress it, pass it to the visitor, record it.

use std::cell::RefCell;
use std::panic::AssertUnwindSafe;
use std::sync::Mutex;
use std::time::Duration;

use bytes::Bytes;
use rusqlite::Connection;
use url::Url;

use super::frontier::{self, Canonical, Job};
use super::{Config, CrawlError, Link, Source, kept};
use crate::answer::Answer;
use crate::error::FetchError;
use crate::http::status_error;

/// Time until an unreachable robots.txt is requested again: slightly longer than its failure is cached.
const ROBOTS_AGAIN: Duration = Duration::from_secs(61);

/// Reads pages. Called from several threads at once.
pub trait Visitor: Send + Sync {
    /// Reads a page. The same page may be visited several times while its parts come in; only the last visit counts.
    fn visit(&self, page: &Visited<'_>) -> Visit;
}

/// Result of a visit.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Visit {
    /// Links to follow.
    pub links: Vec<Link>,
    /// Bytes to write, with the index of the crawl's output.
    pub output: Vec<(usize, Vec<u8>)>,
    /// Number of records found, for the progress display.
    pub records: u64,
    /// Tallies to increase. Each page counts once, over all runs.
    pub tallies: Vec<(String, u64)>,
}

/// A page that was fetched.
#[derive(Debug)]
pub struct Visited<'a> {
    /// Answer of the server.
    pub answer: &'a Answer,
    /// Decompressed body.
    pub content: Bytes,
    /// Number of links from a seed to this page.
    pub depth: u32,
    parts: &'a Parts,
    wanted: RefCell<Vec<Url>>,
}

impl Visited<'_> {
    /// Returns another page that this one needs. If it has not been fetched, returns an error, and this page is visited
    /// again once it has arrived. If it could not be fetched, the error gives the reason.
    pub fn part(&self, url: &Url) -> Result<(Answer, Bytes), String> {
        match self.parts.get(url) {
            Some(Ok(answer)) => {
                let content = answer.content(self.parts.max_size).map_err(|error| error.to_string())?;
                Ok((answer, content))
            }
            Some(Err(why)) => Err(why),
            None => {
                self.wanted.borrow_mut().push(url.clone());
                Err("it has not been fetched yet".to_owned())
            }
        }
    }

    /// Reports whether a requested part is missing, so that the result of this visit will be discarded.
    pub fn is_waiting(&self) -> bool {
        !self.wanted.borrow().is_empty()
    }
}

/// Access to parts of pages in the state.
#[derive(Debug)]
pub(super) struct Parts {
    /// `None` if the crawl fetches no parts.
    reader: Option<Mutex<Connection>>,
    canonical: Canonical,
    max_size: u64,
}

impl Parts {
    pub(super) fn new(config: &Config) -> Result<Parts, CrawlError> {
        let reader = if config.parts { Some(Mutex::new(frontier::reader(&config.state)?)) } else { None };
        Ok(Parts { reader, canonical: config.canonical, max_size: config.max_size })
    }

    fn get(&self, url: &Url) -> Option<Result<Answer, String>> {
        let Some(reader) = &self.reader else { return Some(Err("this crawl fetches no parts".to_owned())) };
        if !matches!(url.scheme(), "http" | "https") {
            return Some(Err(format!("`{}:` addresses are not fetched", url.scheme())));
        }
        let reader = reader.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        match frontier::part(&reader, url, self.canonical) {
            Ok(None) => None,
            Ok(Some(Ok(bytes))) => Some(kept::read(&bytes).ok_or_else(|| "its stored answer is damaged".to_owned())),
            Ok(Some(Err(why))) => Some(Err(why)),
            Err(error) => Some(Err(error.to_string())),
        }
    }
}

/// Result of a job.
#[derive(Debug)]
pub(super) struct Finished {
    pub(super) job: Job,
    pub(super) outcome: Outcome,
    /// Number of bytes received.
    pub(super) bytes: u64,
    /// Record for the archive.
    pub(super) record: Vec<u8>,
}

impl Finished {
    /// Returns the number of bytes it holds in memory.
    pub(super) fn size(&self) -> usize {
        let brought = match &self.outcome {
            Outcome::Fetched { keep, visit, .. } => {
                keep.as_ref().map_or(0, Vec::len) + visit.output.iter().map(|(_, bytes)| bytes.len()).sum::<usize>()
            }
            _ => 0,
        };
        self.record.len() + brought
    }
}

#[derive(Debug)]
pub(super) enum Outcome {
    /// Fetched, and visited if it is a page.
    Fetched { keep: Option<Vec<u8>>, visit: Visit, wanted: Vec<Url> },
    /// Redirects to another address.
    Redirected { to: Url, cookie: bool },
    /// To be retried.
    Again { after: Duration, why: String },
    /// Failed, temporarily or permanently.
    Failed { why: String, for_now: bool },
    /// Not begun.
    Unstarted,
}

/// A job with its answer.
#[derive(Debug)]
pub(super) struct Work {
    pub(super) job: Job,
    /// The answer or the error; `None` for a job whose stored answer is part of the job.
    pub(super) result: Option<Result<Answer, FetchError>>,
}

/// Processes the answer of a job. A visitor that panics fails the page and not the whole crawl, which would wait for it
/// forever.
pub(super) fn settle_surely(
    work: Work,
    visitor: &dyn Visitor,
    parts: &Parts,
    config: &Config,
    source: &dyn Source,
) -> Finished {
    let job = Job { kept: None, ..work.job.clone() };
    std::panic::catch_unwind(AssertUnwindSafe(|| settle(work, visitor, parts, config, source))).unwrap_or_else(|_| {
        let outcome = Outcome::Failed { why: "a bug in the program: reading it panicked".to_owned(), for_now: false };
        Finished { job, outcome, bytes: 0, record: Vec::new() }
    })
}

fn settle(work: Work, visitor: &dyn Visitor, parts: &Parts, config: &Config, source: &dyn Source) -> Finished {
    let Work { job, result } = work;
    let Some(result) = result else { return revisit(job, visitor, parts) };
    let answer = match result {
        Ok(answer) => answer,
        Err(error) => {
            let outcome = give_up_or_retry(&job, &error, config);
            // A page that is too large was received up to the limit.
            let bytes = if matches!(error, FetchError::TooLarge { .. }) { config.max_size } else { 0 };
            return Finished { job, outcome, bytes, record: Vec::new() };
        }
    };
    let bytes = answer.body.len() as u64;
    let record = match &config.record {
        Some(_) => source.pack(&answer),
        None => Vec::new(),
    };
    let outcome = if let Some(to) = answer.redirect() {
        Outcome::Redirected { to, cookie: answer.headers.contains_key(http::header::SET_COOKIE) }
    } else if answer.status.is_success() {
        match answer.content(config.max_size) {
            Ok(content) => {
                let (visit, wanted) = read(&job, &answer, content, visitor, parts);
                let keep = config.parts.then(|| kept::write(&answer));
                Outcome::Fetched { keep, visit, wanted }
            }
            Err(error) => give_up_or_retry(&job, &error, config),
        }
    } else {
        give_up_or_retry(&job, &status_error(&answer), config)
    };
    // A page that will be fetched again is recorded once its answer is final.
    let record = if matches!(outcome, Outcome::Again { .. }) { Vec::new() } else { record };
    Finished { job, outcome, bytes, record }
}

fn revisit(mut job: Job, visitor: &dyn Visitor, parts: &Parts) -> Finished {
    let answer = job.kept.take().and_then(|bytes| kept::read(&bytes));
    let content = answer.as_ref().map(|answer| (answer, answer.content(parts.max_size)));
    let outcome = match content {
        Some((answer, Ok(content))) => {
            let (visit, wanted) = read(&job, answer, content, visitor, parts);
            Outcome::Fetched { keep: None, visit, wanted }
        }
        _ => Outcome::Failed { why: "its stored answer is damaged".to_owned(), for_now: false },
    };
    Finished { job, outcome, bytes: 0, record: Vec::new() }
}

fn read(job: &Job, answer: &Answer, content: Bytes, visitor: &dyn Visitor, parts: &Parts) -> (Visit, Vec<Url>) {
    if !job.page {
        return (Visit::default(), Vec::new());
    }
    let page = Visited { answer, content, depth: job.depth, parts, wanted: RefCell::default() };
    let visit = visitor.visit(&page);
    (visit, page.wanted.into_inner())
}

fn give_up_or_retry(job: &Job, error: &FetchError, config: &Config) -> Outcome {
    // The help names the flag that could change the outcome, so it is part of the reason.
    let why = match (error, miette::Diagnostic::help(error)) {
        // A user who replays an archive knows that nothing else answers.
        (FetchError::NotRecorded { .. }, _) | (_, None) => error.to_string(),
        (_, Some(help)) => format!("{error} ({help})"),
    };
    let asked = match error {
        FetchError::Status { retry_after: Some(after), .. } => *after,
        // The failure is cached for that long, so an earlier attempt would be pointless.
        FetchError::RobotsUnreachable { .. } => ROBOTS_AGAIN,
        _ => Duration::ZERO,
    };
    let for_now = error.is_transient();
    if !for_now || job.attempts >= config.retries || asked > config.longest_delay {
        return Outcome::Failed { why, for_now };
    }
    let doubled = config.back_off.saturating_mul(1 << job.attempts.min(16));
    // Adds up to one half, so that pages that failed together are not retried together.
    let spread = doubled.mul_f64((job.id.unsigned_abs().wrapping_mul(0x9e37_79b9) % 1000) as f64 / 2000.0);
    Outcome::Again { after: (doubled + spread).max(asked).min(config.longest_delay), why }
}
