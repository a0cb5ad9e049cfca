//! The loops over pages whose records are kept.

use std::ops::ControlFlow;
use std::sync::{Arc, Mutex, PoisonError};

use miette::Report;

use super::{StoreRun, fingerprint};
use crate::Extraction;
use crate::domains::notes::Classes;
use crate::domains::{self, DomainFile};
use crate::learn::domain::Site;
use crate::monitor::{BoundedLines, Details, Monitor};
use crate::open::{Source, Sources};
use crate::pages::{GivenPages, WrapperReader};
use crate::problems;
use crate::run;
use crate::store::Page;
use crate::turns::Turns;
use crate::wrapper_file::WrapperFile;

/// The result of one page.
pub enum PageOutcome {
    /// The page has not changed.
    Unchanged {
        /// Name of the page.
        name: String,
    },
    /// The page was extracted from.
    Page {
        /// The records to keep.
        page: Box<Page>,
        /// Lines that a quiet front end drops.
        notes: Vec<String>,
    },
    /// The extraction is incomplete, so nothing of it is kept.
    Cut {
        /// Reasons, a line each.
        errors: Vec<String>,
        /// Lines that a quiet front end drops.
        notes: Vec<String>,
    },
}

/// Returns what is to be kept of an extraction. `strict` makes a missing required value an error.
pub fn outcome(
    keeping: &StoreRun,
    name: &str,
    hash: String,
    extraction: &Extraction,
    rules: Option<&WrapperFile>,
    strict: bool,
    notes: Vec<String>,
) -> PageOutcome {
    let told = problems::tell(name, extraction, rules, strict);
    let notes = notes.into_iter().chain(told.warnings).collect();
    if told.errors.is_empty() {
        PageOutcome::Page { page: Box::new(keeping.page(name, hash, extraction)), notes }
    } else {
        // Records that were not reached are not gone.
        PageOutcome::Cut { errors: told.errors, notes }
    }
}

/// Works on all pages and keeps what is found, in the pages' order.
///
/// # Errors
///
/// The store failed: nothing more can be kept.
pub fn over(
    keeping: &StoreRun,
    sources: Sources<'_>,
    threads: usize,
    details: Details,
    monitor: &dyn Monitor,
    work: impl Fn(usize, Result<&Source, Report>) -> Result<PageOutcome, Report> + Sync,
) -> Result<(), Report> {
    let mut notes = BoundedLines::new("notes", details == Details::All);
    let flow =
        run::over(sources, threads, monitor, work, |outcome| match take(keeping, outcome, &mut notes, monitor) {
            Ok(()) => ControlFlow::Continue(()),
            Err(report) => ControlFlow::Break(report),
        });
    notes.end(details.hint()).iter().for_each(|line| monitor.note(line));
    match flow {
        ControlFlow::Continue(()) => Ok(()),
        ControlFlow::Break(report) => Err(report),
    }
}

/// Keeps one page.
fn take(
    keeping: &StoreRun,
    outcome: Result<PageOutcome, Report>,
    bounded: &mut BoundedLines,
    monitor: &dyn Monitor,
) -> Result<(), Report> {
    let mut tell = |errors: &[String], notes: &[String]| {
        errors.iter().for_each(|line| monitor.alarm(line));
        bounded.take(notes).iter().for_each(|line| monitor.note(line));
    };
    match outcome {
        Ok(PageOutcome::Unchanged { name }) => keeping.keep_unchanged(&name),
        Ok(PageOutcome::Page { page, notes }) => {
            let (mut alarms, mut notes) = (keeping.keep(&page)?, notes);
            notes.extend(alarms.extract_if(.., |line| line.starts_with("note:")));
            tell(&alarms, &notes);
            Ok(())
        }
        Ok(PageOutcome::Cut { errors, notes }) => {
            tell(&errors, &notes);
            keeping.keep_failed()
        }
        Err(report) => {
            monitor.error(&report);
            keeping.keep_failed()
        }
    }
}

/// Settings of a run that keeps what a wrapper or a domain finds.
#[derive(Debug, Clone, Copy)]
pub struct WrapperRun {
    /// Number of threads.
    pub threads: usize,
    /// Makes a missing required value an error.
    pub strict: bool,
    /// The notes that are shown.
    pub details: Details,
}

/// Keeps what a wrapper finds.
///
/// # Errors
///
/// The store failed: nothing more can be kept.
pub fn by_wrapper(
    keeping: &StoreRun,
    reader: &WrapperReader<'_>,
    settings: WrapperRun,
    monitor: &dyn Monitor,
) -> Result<(), Report> {
    let (given, rules) = (reader.given(), reader.rules());
    let read_as = given.read_as();
    // Other pages that the wrapper asks for may have changed.
    let alone = !rules.extractor.asks_for_pages();
    over(keeping, reader.sources(), settings.threads, settings.details, monitor, |_, source| {
        let source = source?;
        let (name, content) = (source.name(), given.content(source)?);
        let hash = fingerprint(&content, &read_as);
        if alone && keeping.is_unchanged(&name, &hash)? {
            return Ok(PageOutcome::Unchanged { name });
        }
        let (page, notes) = given.page(source, content);
        let extraction = reader.extract(source, page);
        Ok(outcome(keeping, &name, hash, &extraction, Some(rules), settings.strict, notes))
    })
}

/// Keeps what a domain's words find, and returns the classes of the pages. `each` reads every page on its own, instead
/// of learning rules for pages of one template.
///
/// # Errors
///
/// The store failed: nothing more can be kept.
pub fn by_domain(
    keeping: &StoreRun,
    words: &DomainFile,
    given: &GivenPages,
    each: bool,
    settings: WrapperRun,
    monitor: &dyn Monitor,
) -> Result<Classes, Report> {
    let read_as = given.read_as();
    let site = Turns::new(Site::new(words.reader.clone()));
    let classes: Mutex<Classes> = Mutex::default();
    let explains = settings.details == Details::All;
    over(keeping, given.sources(), settings.threads, settings.details, monitor, |number, source| {
        // Pages take their turns in learning templates, also those that fail.
        let turn = (!each).then(|| site.of(number));
        let source = source?;
        let (name, content) = (source.name(), given.content(source)?);
        let hash = fingerprint(&content, &read_as);
        if keeping.is_unchanged(&name, &hash)? {
            return Ok(PageOutcome::Unchanged { name });
        }
        let (page, mut notes) = given.page(source, content);
        let (extraction, read) = match turn {
            Some(turn) => domains::learned(words, &name, &Arc::new(page), turn),
            None => domains::read_page(words, &name, &Arc::new(page)),
        };
        classes.lock().unwrap_or_else(PoisonError::into_inner).add(&read);
        if explains {
            notes.extend(read.lines());
        } else {
            notes.extend(read.conflicts);
        }
        Ok(outcome(keeping, &name, hash, &extraction, None, settings.strict, notes))
    })?;
    Ok(classes.into_inner().unwrap_or_else(PoisonError::into_inner))
}
