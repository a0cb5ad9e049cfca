//! Pages as a store that is gone when it was asked.
//!
//! Pages are read and extracted from in parallel, and kept in memory in the order they were given.

use std::ops::ControlFlow;

use miette::Report;

use crate::keep::Keeper;
use crate::monitor::Monitor;
use crate::pages::WrapperReader;
use crate::store::Store;
use crate::{clock, problems, run, stores};

/// A store in memory with the records of some pages.
pub struct PageStore {
    /// The store.
    pub store: Store,
    /// A page could not be read, or not be read whole.
    pub failed: bool,
}

/// Keeps what a wrapper finds on pages, for as long as the program runs.
///
/// # Errors
///
/// The store failed.
pub fn keep(reader: &WrapperReader<'_>, threads: usize, monitor: &dyn Monitor) -> Result<PageStore, Report> {
    let rules = reader.rules();
    let mut store = Store::in_memory().map_err(stores::report)?;
    let at = clock::now().unwrap_or_default();
    let (text, format) = (&rules.file.text, rules.file.format.to_string());
    let version = store.version(rules.file.short_name(), text, &format, "given", &at).map_err(stores::report)?;
    let mut kept = store.begin(version.id, &at).map_err(stores::report)?;
    let keeper = Keeper::new(&rules.extractor.shape());
    let mut failed = false;
    let flow = run::over(
        reader.sources(),
        threads,
        monitor,
        |_, source| {
            let source = source?;
            let (page, notes) = reader.read(source)?;
            let name = source.name();
            let extraction = reader.extract(source, page);
            let told = problems::tell(&name, &extraction, Some(rules), false);
            // Nobody will ask whether the page has changed since.
            Ok((keeper.page(&name, &[], &extraction), notes, told))
        },
        |result| {
            match result {
                Ok((page, notes, told)) => {
                    failed |= !told.errors.is_empty();
                    told.errors.iter().for_each(|line| monitor.alarm(line));
                    notes.iter().chain(&told.warnings).for_each(|line| monitor.note(line));
                    if let Err(error) = store.keep(&mut kept, &page, true) {
                        return ControlFlow::Break(error);
                    }
                }
                Err(report) => {
                    failed = true;
                    monitor.error(&report);
                }
            }
            ControlFlow::Continue(())
        },
    );
    if let ControlFlow::Break(error) = flow {
        return Err(stores::report(error));
    }
    store.finish(kept, &at).map_err(stores::report)?;
    Ok(PageStore { store, failed })
}
