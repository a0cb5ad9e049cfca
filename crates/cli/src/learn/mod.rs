//! `windrow learn`: a wrapper from what a person shows, from what a feed says, or from what a domain's words find.
//!
//! The arguments are read whole before any page is; then all pages are, since the rules must hold on all of them. The
//! summary is what the written wrapper finds, never the learner's own view of the pages.

mod complaint;
mod destination;
mod domain;
mod example;
mod feed;
mod pointing;
mod summary;

use std::ops::ControlFlow;
use std::sync::Arc;
use std::thread::available_parallelism;
use std::time::{SystemTime, UNIX_EPOCH};

use miette::{Diagnostic, Report};
use windrow::{Extractor, Page, Wrapper};

use crate::args::{LearnArguments, Reading};
use crate::ordered;
use crate::pages::{self, Opener, PageError, Source};
use crate::run::{Ending, tell, tell_error};

use destination::Destination;

/// A mistake of ours, not of the evidence.
#[derive(Debug, thiserror::Error, Diagnostic)]
enum LearnError {
    #[error("the rules that were learned from `{page}` are wrong: {cause}")]
    #[diagnostic(code(learn::wrong_rules), help("this is a bug: please report it with the page and the command"))]
    WrongRules { page: String, cause: String },
}

/// Runs the command.
pub(crate) fn run(arguments: &LearnArguments) -> Ending {
    let learned = match (&arguments.feed, &arguments.domain) {
        (Some(feed), _) => feed::learn(arguments, feed.as_deref()),
        (None, Some(domain)) => domain::learn(arguments, domain),
        (None, None) => example::learn(arguments),
    };
    match learned {
        Ok(()) => Ending::Found,
        Err(reports) => {
            reports.iter().for_each(tell_error);
            Ending::Failed
        }
    }
}

fn one(report: impl Into<Report>) -> Vec<Report> {
    vec![report.into()]
}

/// The report of rules that are wrong, which no evidence may lead to.
fn wrong_rules(from: &[String], cause: impl Into<String>) -> Vec<Report> {
    one(LearnError::WrongRules { page: from.join("`, `"), cause: cause.into() })
}

/// The wrapper as it is written, and ready to run as it will be read: what is told of it holds for the file.
fn compile(wrapper: &Wrapper, destination: &Destination, from: &[String]) -> Result<(String, Extractor), Vec<Report>> {
    let text = destination.text(wrapper).map_err(one)?;
    let read = windrow::read_wrapper(&text, destination.format()).and_then(|wrapper| Extractor::new(&wrapper));
    match read {
        Ok(extractor) => Ok((text, extractor)),
        Err(errors) => {
            let causes: Vec<String> = errors.0.iter().map(ToString::to_string).collect();
            Err(wrong_rules(from, causes.join("; ")))
        }
    }
}

/// All pages with their places, or what is wrong with those that cannot be read.
fn read(arguments: &[String], opener: &Opener<'_>, reading: &Reading) -> Result<Vec<(Source, Page)>, Vec<Report>> {
    let threads = reading.threads.or_else(|| available_parallelism().ok()).map_or(1, |threads| threads.get());
    let (mut pages, mut errors) = (Vec::new(), Vec::new());
    let read = |source: Result<Source, PageError>| {
        let source = source?;
        opener.read(&source).map(|page| (source, page))
    };
    let _: ControlFlow<()> = ordered::map(pages::find(arguments, reading), threads, read, |page| {
        match page {
            Ok((source, page)) => pages.push((source, made(page, reading))),
            Err(error) => errors.push(Report::new(error)),
        }
        ControlFlow::Continue(())
    });
    if errors.is_empty() { Ok(pages) } else { Err(errors) }
}

/// A page that was read, for the learner; what had to be left out of it is told.
fn made(page: pages::Page, reading: &Reading) -> Page {
    for note in page.document.notes().iter().filter(|_| !reading.quiet) {
        tell(&format!("note: {}: {note}", page.name));
    }
    let read = Page::from_document(&page.name, page.document);
    match page.address {
        Some(address) => read.with_url(address),
        None => read,
    }
}

/// Pages that may be shared with what is extracted from them.
fn shared(pages: Vec<(Source, Page)>) -> Vec<Arc<Page>> {
    pages.into_iter().map(|(_, page)| Arc::new(page)).collect()
}

/// The time, as RFC 3339 has it, to the second. `SOURCE_DATE_EPOCH` stands in for it where builds must repeat.
fn now() -> Option<String> {
    let fixed = std::env::var("SOURCE_DATE_EPOCH").ok().and_then(|seconds| seconds.parse::<u64>().ok());
    let seconds = match fixed {
        Some(seconds) => seconds,
        None => SystemTime::now().duration_since(UNIX_EPOCH).ok()?.as_secs(),
    };
    // RFC 3339 has years of four digits.
    (seconds < 253_402_300_800).then(|| rfc3339(seconds))
}

fn rfc3339(seconds: u64) -> String {
    let (days, time) = (seconds / 86_400, seconds % 86_400);
    // Years that begin in March: the leap day is the last of them, and all else is division.
    let days = days + 719_468;
    let (era, day) = (days / 146_097, days % 146_097);
    let year = (day - day / 1_460 + day / 36_524 - day / 146_096) / 365;
    let day = day - (365 * year + year / 4 - year / 100);
    let month = (5 * day + 2) / 153;
    let day = day - (153 * month + 2) / 5 + 1;
    let (year, month) = (era * 400 + year + u64::from(month >= 10), if month < 10 { month + 3 } else { month - 9 });
    format!("{year:04}-{month:02}-{day:02}T{:02}:{:02}:{:02}Z", time / 3_600, time / 60 % 60, time % 60)
}

#[cfg(test)]
mod tests {
    use super::rfc3339;

    #[test]
    fn times_are_those_of_the_calendar() {
        assert_eq!(rfc3339(0), "1970-01-01T00:00:00Z");
        assert_eq!(rfc3339(951_782_399), "2000-02-28T23:59:59Z");
        assert_eq!(rfc3339(951_782_400), "2000-02-29T00:00:00Z");
        assert_eq!(rfc3339(951_868_800), "2000-03-01T00:00:00Z");
        assert_eq!(rfc3339(1_763_283_661), "2025-11-16T09:01:01Z");
        assert_eq!(rfc3339(4_107_542_399), "2100-02-28T23:59:59Z");
        assert_eq!(rfc3339(4_107_542_400), "2100-03-01T00:00:00Z");
    }
}
