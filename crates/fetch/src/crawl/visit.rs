//! What is done with an answer: classify it, unpack it, let the visitor read it, record it.

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

/// How long a robots.txt that cannot be had is not asked for again, and a little more.
const ROBOTS_AGAIN: Duration = Duration::from_secs(61);

/// Reads pages. Called from several threads at once.
pub trait Visitor: Send + Sync {
    /// Reads a page. The same page may be visited several times while its parts come in; only the last visit counts.
    fn visit(&self, page: &Visited<'_>) -> Visit;
}

/// What a visitor made of a page.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Visit {
    /// The pages to go on with.
    pub links: Vec<Link>,
    /// What to write, and to which of the crawl's outputs.
    pub output: Vec<(usize, Vec<u8>)>,
    /// Records found, for the progress.
    pub records: u64,
    /// What to count, under which names: each page is counted once, over all runs.
    pub tallies: Vec<(String, u64)>,
}

/// A page that was had.
#[derive(Debug)]
pub struct Visited<'a> {
    /// The answer.
    pub answer: &'a Answer,
    /// Its body, unpacked.
    pub content: Bytes,
    /// Links from a seed to here.
    pub depth: u32,
    parts: &'a Parts,
    wanted: RefCell<Vec<Url>>,
}

impl Visited<'_> {
    /// Another page that this one needs. If it is not there, an error is given and the page will be visited again when
    /// it is; if it cannot be had, the error says why.
    pub fn part(&self, url: &Url) -> Result<(Answer, Bytes), String> {
        match self.parts.get(url) {
            Some(Ok(answer)) => {
                let content = answer.content(self.parts.max_size).map_err(|error| error.to_string())?;
                Ok((answer, content))
            }
            Some(Err(why)) => Err(why),
            None => {
                self.wanted.borrow_mut().push(url.clone());
                Err("it is not fetched yet".to_owned())
            }
        }
    }

    /// Whether a part that was asked for is still to come, so that this visit will not count.
    pub fn is_waiting(&self) -> bool {
        !self.wanted.borrow().is_empty()
    }
}

/// Parts of pages, from the state.
#[derive(Debug)]
pub(super) struct Parts {
    /// None if no parts are asked for.
    reader: Option<Mutex<Connection>>,
    canonical: Canonical,
    max_size: u64,
}

impl Parts {
    pub(super) fn new(config: &Config) -> Result<Parts, CrawlError> {
        let reader = match config.parts {
            true => Some(Mutex::new(frontier::reader(&config.state)?)),
            false => None,
        };
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
            Ok(Some(Ok(bytes))) => Some(kept::read(&bytes).ok_or_else(|| "what was kept of it is damaged".to_owned())),
            Ok(Some(Err(why))) => Some(Err(why)),
            Err(error) => Some(Err(error.to_string())),
        }
    }
}

/// What a job has come to.
#[derive(Debug)]
pub(super) struct Finished {
    pub(super) job: Job,
    pub(super) outcome: Outcome,
    /// Bytes received.
    pub(super) bytes: u64,
    /// Bytes for the archive.
    pub(super) record: Vec<u8>,
}

impl Finished {
    /// Bytes that it holds in memory.
    pub(super) fn size(&self) -> usize {
        let brought = match &self.outcome {
            Outcome::Had { keep, visit, .. } => {
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
    Had { keep: Option<Vec<u8>>, visit: Visit, wanted: Vec<Url> },
    /// It leads elsewhere.
    Redirected { to: Url, cookie: bool },
    /// To be tried again.
    Again { after: Duration, why: String },
    /// It cannot be had, for now or for good.
    Failed { why: String, for_now: bool },
    /// It was not begun.
    Unstarted,
}

/// A job with its answer.
#[derive(Debug)]
pub(super) struct Work {
    pub(super) job: Job,
    /// The answer, or why there is none; of a job that was kept, the answer is in it.
    pub(super) result: Option<Result<Answer, FetchError>>,
}

/// Does everything that a job needs once there is an answer. A visitor that panics fails the page, not the crawl, which
/// would wait for it forever.
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
            // What was too large was received up to the bound.
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
                Outcome::Had { keep, visit, wanted }
            }
            Err(error) => give_up_or_retry(&job, &error, config),
        }
    } else {
        give_up_or_retry(&job, &status_error(&answer), config)
    };
    // What will be fetched again is recorded when it has come.
    let record = if matches!(outcome, Outcome::Again { .. }) { Vec::new() } else { record };
    Finished { job, outcome, bytes, record }
}

fn revisit(mut job: Job, visitor: &dyn Visitor, parts: &Parts) -> Finished {
    let answer = job.kept.take().and_then(|bytes| kept::read(&bytes));
    let content = answer.as_ref().map(|answer| (answer, answer.content(parts.max_size)));
    let outcome = match content {
        Some((answer, Ok(content))) => {
            let (visit, wanted) = read(&job, answer, content, visitor, parts);
            Outcome::Had { keep: None, visit, wanted }
        }
        _ => Outcome::Failed { why: "what was kept of it is damaged".to_owned(), for_now: false },
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
    // The flag that makes a difference is part of the reason.
    let why = match (error, miette::Diagnostic::help(error)) {
        // Who replays an archive knows that it answers alone.
        (FetchError::NotRecorded { .. }, _) | (_, None) => error.to_string(),
        (_, Some(help)) => format!("{error} ({help})"),
    };
    let asked = match error {
        FetchError::Status { retry_after: Some(after), .. } => *after,
        // Its answer is remembered for as long: to ask sooner is to ask nobody.
        FetchError::RobotsUnreachable { .. } => ROBOTS_AGAIN,
        _ => Duration::ZERO,
    };
    let for_now = error.is_transient();
    if !for_now || job.attempts >= config.retries || asked > config.longest_delay {
        return Outcome::Failed { why, for_now };
    }
    let doubled = config.back_off.saturating_mul(1 << job.attempts.min(16));
    // Up to a half more, so that what failed together does not come again together.
    let spread = doubled.mul_f64((job.id.unsigned_abs().wrapping_mul(0x9e37_79b9) % 1000) as f64 / 2000.0);
    Outcome::Again { after: (doubled + spread).max(asked).min(config.longest_delay), why }
}
