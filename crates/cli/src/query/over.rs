//! Pages as a store that is gone when it was asked.
//!
//! Pages are read and extracted from in parallel, and kept in memory in the order they were given.

use std::ops::ControlFlow;
use std::thread::available_parallelism;

use miette::Report;
use windrow::keep::Keeper;
use windrow::store::Store;

use crate::args::Reading;
use crate::extract::{Reader, problems};
use crate::ordered;
use crate::output::{Output, Sink};
use crate::pages::Source;
use crate::rules::Rules;
use crate::run::{tell, tell_error};

/// What became of the pages.
pub(super) struct Kept {
    pub(super) store: Store,
    /// Whether a page could not be read, or not be read whole.
    pub(super) failed: bool,
}

/// Keeps what a wrapper finds on pages, for as long as the program runs.
pub(super) fn keep(rules: &Rules, pages: Vec<String>, reading: &Reading) -> Result<Kept, Report> {
    let mut store = Store::in_memory().map_err(crate::store::report)?;
    let at = crate::clock::now().unwrap_or_default();
    let (text, format) = (&rules.file.text, rules.file.format.to_string());
    let version = store.version(rules.file.short_name(), text, &format, "given", &at).map_err(crate::store::report)?;
    let mut run = store.begin(version.id, &at).map_err(crate::store::report)?;

    let reader = Reader::of(pages, reading, rules)?;
    let keeper = Keeper::new(&rules.extractor.shape());
    let work = |source: &Source| -> Result<_, Report> {
        let (page, notes) = reader.read(source)?;
        let name = source.name();
        let extraction = reader.extract(source, page);
        let told = problems::tell(&name, &extraction, Some(rules), false);
        // Nobody will ask whether the page has changed since.
        Ok((keeper.page(&name, &[], &extraction), notes, told))
    };
    let sources = reader.sources();
    let output = Output::new(Sink::Standard, sources.count, reading.quiet);
    let threads = reading.threads.or_else(|| available_parallelism().ok()).map_or(1, |threads| threads.get());
    let mut failed = false;
    let flow = ordered::map(
        sources,
        threads,
        |source| source.map_err(Report::from).and_then(|source| work(&source)),
        |result| {
            match result {
                Ok((page, notes, told)) => {
                    failed |= !told.errors.is_empty();
                    let quiet = notes.iter().chain(&told.warnings).filter(|_| !reading.quiet);
                    output.aside(|| told.errors.iter().chain(quiet).for_each(|line| tell(line)));
                    if let Err(error) = store.keep(&mut run, &page, true) {
                        return ControlFlow::Break(error);
                    }
                }
                Err(report) => {
                    failed = true;
                    output.aside(|| tell_error(&report));
                }
            }
            output.advance();
            ControlFlow::Continue(())
        },
    );
    drop(output);
    if let ControlFlow::Break(error) = flow {
        return Err(crate::store::report(error));
    }
    store.finish(run, &at).map_err(crate::store::report)?;
    Ok(Kept { store, failed })
}
