//! The loop over pages that are kept.

use std::ops::ControlFlow;
use std::thread::available_parallelism;

use miette::Report;
use windrow::store::Page;

use super::{Keeping, Kept};
use crate::args::Reading;
use crate::ordered;
use crate::output::{Output, Sink};
use crate::pages::{Source, Sources};
use crate::run::{Details, tell, tell_error};
use crate::warnings::Bounded;

/// What became of one page.
pub(crate) enum Worked {
    /// It is as it was.
    Unchanged {
        /// What it is called.
        name: String,
    },
    /// It was extracted from.
    Page {
        /// What is to be kept.
        page: Box<Page>,
        /// Lines for standard error, left out if the run is to be quiet.
        notes: Vec<String>,
    },
    /// What was extracted is not whole, so nothing of it is kept.
    Cut {
        /// Why, in lines.
        errors: Vec<String>,
        /// Lines for standard error, left out if the run is to be quiet.
        notes: Vec<String>,
    },
}

/// Works on all pages and keeps what is found, in the pages' order. An error is one of the store: nothing more can be kept.
pub(crate) fn over(
    keeping: &Keeping,
    sources: Sources<'_>,
    reading: &Reading,
    details: Details,
    work: impl Fn(usize, Result<&Source, Report>) -> Result<Worked, Report> + Sync,
) -> Result<(), Report> {
    let output = Output::new(Sink::Standard, sources.count, reading.quiet);
    let threads = reading.threads.or_else(|| available_parallelism().ok()).map_or(1, |threads| threads.get());
    let mut notes = Bounded::new("notes", details == Details::All);
    let flow = ordered::map(
        sources.enumerate(),
        threads,
        |(number, source)| match source {
            Ok(source) => work(number, Ok(&source)),
            Err(error) => work(number, Err(error.into())),
        },
        |worked| {
            let done = take(keeping, worked, (!reading.quiet).then_some(&mut notes), &output);
            output.advance();
            match done {
                Ok(()) => ControlFlow::Continue(()),
                Err(report) => ControlFlow::Break(report),
            }
        },
    );
    drop(output);
    notes.tell_end(details.hint());
    match flow {
        ControlFlow::Continue(()) => Ok(()),
        ControlFlow::Break(report) => Err(report),
    }
}

/// Keeps one page. Without `bounded`, notes are not told.
fn take(
    keeping: &Keeping,
    worked: Result<Worked, Report>,
    bounded: Option<&mut Bounded>,
    output: &Output,
) -> Result<(), Report> {
    let told = |errors: &[String], notes: &[String]| {
        let notes = bounded.map_or(&[][..], |bounded| bounded.take(notes));
        output.aside(|| errors.iter().chain(notes).for_each(|line| tell(line)));
    };
    match worked {
        Ok(Worked::Unchanged { name }) => keeping.keep_unchanged(&name),
        Ok(Worked::Page { page, notes }) => {
            let (mut alarms, mut notes) = (keeping.keep(&page)?, notes);
            notes.extend(alarms.extract_if(.., |line| line.starts_with("note:")));
            told(&alarms, &notes);
            Ok(())
        }
        Ok(Worked::Cut { errors, notes }) => {
            told(&errors, &notes);
            keeping.keep_failed()
        }
        Err(report) => {
            output.aside(|| tell_error(&report));
            keeping.keep_failed()
        }
    }
}

impl Kept {
    /// Tells what was kept, unless the run is to be quiet.
    pub(crate) fn tell(&self, place: &str, quiet: bool) {
        if !quiet {
            tell(&self.told(place));
        }
    }
}
