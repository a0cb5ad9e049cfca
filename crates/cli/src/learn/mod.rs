//! `windrow learn`: a wrapper from what a person shows, from what a feed says, or from what a domain's words find.
//!
//! The arguments are read whole before any page is; then all pages are, since the rules must hold on all of them. The
//! summary is what the written wrapper finds, never the learner's own view of the pages.

mod ask;
mod complaint;
mod destination;
mod domain;
mod example;
mod feed;
mod json;
mod pointing;
mod summary;

use std::ops::ControlFlow;
use std::sync::Arc;
use std::thread::available_parallelism;

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
    #[error("cannot print the report: {cause}")]
    #[diagnostic(code(output::unwritable))]
    Unprintable { cause: std::io::Error },
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
fn read(arguments: &[String], opener: &Opener, reading: &Reading) -> Result<Vec<(Source, Page)>, Vec<Report>> {
    let threads = reading.threads.or_else(|| available_parallelism().ok()).map_or(1, |threads| threads.get());
    let (mut pages, mut errors) = (Vec::new(), Vec::new());
    let read = |source: Result<Source, PageError>| {
        let source = source?;
        opener.read(&source).map(|page| (source, page))
    };
    let _: ControlFlow<()> = ordered::map(opener.find(arguments), threads, read, |page| {
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
