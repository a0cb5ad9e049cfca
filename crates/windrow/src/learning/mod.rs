//! Learning wrappers from any evidence: an example, a feed, a domain's words.
//!
//! All pages are read first, since the rules must hold on all of them. What is learned is written as its file's text and read
//! again, so that a [`Lesson`] describes what the file finds, never the learner's own view of the pages.

mod blog;
pub mod complaint;
mod explained;
mod gather;
pub mod json;
pub mod pointing;
mod summary;

use std::ops::ControlFlow;
use std::sync::Arc;

use miette::{Diagnostic, Report};

use crate::domains::DomainFile;
use crate::learn::domain::{self, Reading, Trial};
use crate::learn::example::{self, Note, Request};
use crate::learn::feed::{self, Matched, PageKind};
use crate::learn::types;
use crate::monitor::{Monitor, Reports};
use crate::neighbours::Neighbours;
use crate::open::{self, Opener, PageError, Source};
use crate::text::excerpt;
use crate::{Document, Extractor, Format, Page, Wrapper, clock, parallel};

pub use self::explained::FeedExplanation;
pub use self::summary::LessonSummary;

/// Largest number of characters of a feed's title in a wrapper's name.
const NAME: usize = 100;

/// An error of the learner rather than of the evidence.
#[derive(Debug, thiserror::Error, Diagnostic)]
#[error("the rules that were learned from `{page}` are wrong: {cause}")]
#[diagnostic(code(learn::wrong_rules), help("this is a bug: please report it with the page and the command"))]
pub struct WrongLessonRules {
    page: String,
    cause: String,
}

/// A wrapper that was learned, as its file's text, with what it finds on the pages.
#[derive(Debug)]
pub struct Lesson {
    /// The wrapper.
    pub wrapper: Wrapper,
    /// Text of its file.
    pub text: String,
    /// The finds of the file's rules on the pages.
    pub summary: LessonSummary,
}

/// Reads all pages that arguments mean.
///
/// # Errors
///
/// Pages cannot be read: an error for each.
pub fn read(
    arguments: &[String],
    opener: &Opener,
    threads: usize,
    monitor: &dyn Monitor,
) -> Result<Vec<(Source, Page)>, Reports> {
    let (mut pages, mut errors) = (Vec::new(), Vec::new());
    let read = |source: Result<Source, PageError>| {
        let source = source?;
        opener.read(&source).map(|page| (source, page))
    };
    let _: ControlFlow<()> = parallel::map(opener.find(arguments), threads, read, |page| {
        match page {
            Ok((source, page)) => pages.push((source, made(page, monitor))),
            Err(error) => errors.push(Report::new(error)),
        }
        ControlFlow::Continue(())
    });
    if errors.is_empty() { Ok(pages) } else { Err(Reports(errors)) }
}

/// Converts a page that was read for the learner, and reports what had to be left out of it.
fn made(page: open::Page, monitor: &dyn Monitor) -> Page {
    page.document.notes().iter().for_each(|note| monitor.note(&format!("note: {}: {note}", page.name)));
    let read = Page::from_document(&page.name, page.document);
    match page.address {
        Some(address) => read.with_url(address),
        None => read,
    }
}

/// Returns pages that may be shared with what is extracted from them.
pub fn shared(pages: Vec<(Source, Page)>) -> Vec<Arc<Page>> {
    pages.into_iter().map(|(_, page)| Arc::new(page)).collect()
}

/// Writes a wrapper in a format, and reads it again.
fn lesson(
    wrapper: Wrapper,
    format: Format,
    from: &[String],
    pages: &[Arc<Page>],
    not: &[example::Not],
) -> Result<Lesson, Reports> {
    let text = crate::write_wrapper(&wrapper, format).map_err(|errors| {
        // All say that the format lacks something; the first is as good as any.
        let first = errors.0.into_iter().next().map(Report::new);
        first.unwrap_or_else(|| miette::miette!("the rules cannot be written as {format}"))
    })?;
    let wrong = |cause: String| WrongLessonRules { page: from.join("`, `"), cause };
    let extractor = crate::read_wrapper(&text, format).and_then(|wrapper| Extractor::new(&wrapper));
    let extractor =
        extractor.map_err(|errors| wrong(errors.0.iter().map(ToString::to_string).collect::<Vec<_>>().join("; ")))?;
    let summary = LessonSummary::new(&extractor, pages, not);
    if summary.is_empty() {
        return Err(wrong("they find nothing".to_owned()).into());
    }
    Ok(Lesson { wrapper, text, summary })
}

/// Notes in a wrapper which pages it was learned from, and when.
fn sign(wrapper: &mut Wrapper, from: &[String]) {
    let learned = wrapper.learned.get_or_insert_default();
    learned.from = from.to_vec();
    learned.at = clock::now();
}

/// Notes in a wrapper that it was learned from a weblog's feed, and names it after the feed.
pub fn sign_feed(wrapper: &mut Wrapper, feed: &crate::feed::Feed, home: &Page, from: &[String], at: Option<String>) {
    wrapper.name = feed.title.as_deref().filter(|title| !title.trim().is_empty()).map(|title| excerpt(title, NAME));
    wrapper.url = home.url().or_else(|| home.base()).map(|url| url.as_str().into());
    let learned = wrapper.learned.get_or_insert_default();
    "feed".clone_into(&mut learned.by);
    learned.from = from.to_vec();
    learned.at = at;
}

/// A wrapper that was learned from an example.
#[derive(Debug)]
pub struct ExampleLesson {
    /// The wrapper.
    pub lesson: Lesson,
    /// Doubts.
    pub notes: Vec<Note>,
    /// Report on the records, with a question if there is one.
    pub report: example::Report,
    /// Fields that the rules find in fewer records than they were learned from, a line each.
    pub missed: Vec<String>,
}

/// Completes what was learned from an example: types, the file's text, its finds.
///
/// # Errors
///
/// The format cannot express the rules, or they are wrong.
pub fn by_example(
    lesson: example::Lesson,
    request: &Request,
    pages: &[Arc<Page>],
    from: &[String],
    format: Format,
) -> Result<ExampleLesson, Reports> {
    let report = lesson.report();
    let example::Lesson { mut wrapper, notes, labels } = lesson;
    types::assign(&mut wrapper, pages);
    sign(&mut wrapper, from);
    let lesson = self::lesson(wrapper, format, from, pages, &request.not)?;
    let missed = lesson.summary.missed(&labels);
    Ok(ExampleLesson { lesson, notes, report, missed })
}

/// Returns the documents of pages, as the learner takes them.
pub fn documents(pages: &[Arc<Page>]) -> Vec<&Document> {
    pages.iter().map(|page| page.document()).collect()
}

/// A wrapper that was learned from what a domain's words find.
#[derive(Debug)]
pub struct DomainLesson {
    /// The wrapper.
    pub lesson: Lesson,
    /// Trials of the rule of each role.
    pub trials: Vec<Trial>,
    /// The pages, as the domain reads them.
    pub readings: Vec<Reading>,
}

/// Describes the roles whose rules are less than sure, or that have none, a line each.
pub fn doubts(wrapper: &Wrapper, trials: &[Trial]) -> Vec<String> {
    let names: Vec<&str> = wrapper.rules.iter().flat_map(|list| &list.rules).map(|rule| &*rule.name).collect();
    let doubtful = trials.iter().filter(|trial| trial.right < trial.read);
    let line = |Trial { name, read, right }: &Trial| {
        let rule = if names.contains(&name.as_str()) { "the rule gives" } else { "no rule; the best gives" };
        format!("`{name}`: {rule} what was read on {right} of {read} pages")
    };
    doubtful.map(line).collect()
}

/// Learns from what a domain's words find on pages.
///
/// # Errors
///
/// The pages have too little in common, or the format cannot express the rules.
pub fn by_domain(
    words: &DomainFile,
    pages: &[Arc<Page>],
    from: &[String],
    format: Format,
) -> Result<DomainLesson, Reports> {
    let readings: Vec<Reading> = pages.iter().map(|page| words.reader.read(page)).collect();
    let read: Vec<(Arc<Page>, &Reading)> = pages.iter().cloned().zip(&readings).collect();
    let domain::Lesson { mut wrapper, trials } = domain::learn(&words.reader, &read)?;
    sign(&mut wrapper, from);
    Ok(DomainLesson { lesson: lesson(wrapper, format, from, pages, &[])?, trials, readings })
}

/// A wrapper that was learned from a weblog's feed.
#[derive(Debug)]
pub struct FeedLesson {
    /// The wrapper.
    pub lesson: Lesson,
    /// The feed.
    pub feed: crate::feed::Feed,
    /// The pages that were learned from, the home page first.
    pub pages: Vec<Arc<Page>>,
    /// Items of the feed that were found on pages.
    pub matches: Vec<Matched>,
    /// Kind of each page.
    pub kinds: Vec<PageKind>,
    /// Trials of the forms of each rule.
    pub trials: Vec<feed::Trial>,
    /// Doubts.
    pub notes: Vec<String>,
}

/// The evidence of a weblog.
#[derive(Debug, Clone, Copy)]
pub struct FeedRequest<'a> {
    /// The feed or the home page; without it, the feed is found.
    pub feed: Option<&'a str>,
    /// Arguments that mean pages.
    pub pages: &'a [String],
    /// Fetches pages of entries, too.
    pub follow: bool,
}

/// Learns from a weblog's feed.
///
/// # Errors
///
/// There is no feed or no page, the pages show too little of it, or the format cannot express the rules.
pub fn by_feed(
    request: FeedRequest<'_>,
    options: &feed::Options,
    format: Format,
    opener: &Opener,
    threads: usize,
    monitor: &dyn Monitor,
) -> Result<FeedLesson, Reports> {
    let blog::Blog { feed, name, home, mut pages } = blog::read(request.pages, request.feed, opener, threads, monitor)?;
    let neighbours = Neighbours::new(&home, None, blog::address(&pages[0], &feed), true, opener);
    if request.follow
        && let Some(why) = gather::follow(&feed, &mut pages, &neighbours, opener, monitor)
    {
        monitor.note(&format!("note: no page of an entry could be read: {why}"));
    }
    let pages: Vec<Arc<Page>> = pages.into_iter().map(Arc::new).collect();
    let feed::Lesson { mut wrapper, matches, kinds, trials, notes, .. } = feed::learn(&feed.items, &pages, options)?;
    let from: Vec<String> = std::iter::once(name).chain(pages.iter().map(|page| page.name().to_owned())).collect();
    sign_feed(&mut wrapper, &feed, &pages[0], &from, clock::now());
    let lesson = lesson(wrapper, format, &from, &pages, &[])?;
    let notes = notes.iter().map(ToString::to_string).collect();
    Ok(FeedLesson { lesson, feed, pages, matches, kinds, trials, notes })
}
