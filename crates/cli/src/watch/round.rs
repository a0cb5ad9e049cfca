//! One round of a watch.

use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

use miette::Report;
use windrow::Page;
use windrow::learn::repair::Refusal;
use windrow::store::{Finding, Store};

use crate::args::WatchArguments;
use crate::drift::{self, changes::MOST};
use crate::extract::Reader;
use crate::extract::into::{worked, wrapper_name};
use crate::keep::{self, Keeping, Kept, Origin, Worked, fingerprint, now};
use crate::repair;
use crate::rules::Rules;
use crate::run::{Details, Ending, tell_error};
use crate::store;

/// Pages that are held for a repair.
const HELD: usize = 16;

/// How a round went.
pub(super) struct Round {
    /// A line with what was kept.
    pub(super) summary: String,
    /// Report on what broke, and what was done about it.
    pub(super) news: String,
    /// The same without times and counts that differ from round to round: to see whether it is the same as before.
    pub(super) broken: String,
    /// Report on the records that changed; empty if none did.
    pub(super) changes: String,
    pub(super) ending: Ending,
}

impl Round {
    /// Does everything once. `broken`: it was broken before, and that was told.
    pub(super) fn run(arguments: &WatchArguments, broken: bool) -> Round {
        let nothing = String::new;
        let failed = Round {
            summary: nothing(),
            news: nothing(),
            broken: nothing(),
            changes: nothing(),
            ending: Ending::Failed,
        };
        let Some(rules) = Rules::open(&arguments.wrapper) else { return failed };
        match watched(arguments, &rules, broken) {
            Ok(round) => round,
            Err(report) => {
                tell_error(&report);
                failed
            }
        }
    }
}

fn watched(arguments: &WatchArguments, rules: &Rules, broken: bool) -> Result<Round, Report> {
    let address = arguments.keep.into.clone().unwrap_or_else(|| {
        let stem = Path::new(&rules.file.name).file_stem().and_then(|stem| stem.to_str());
        format!("{}.db", stem.unwrap_or("windrow"))
    });
    let name = wrapper_name(rules);
    let store = store::open(&address)?;
    let (kept, mut store, pages) = keep(arguments, rules, store)?;
    let mut summary = format!("{} {}\n", now(), kept.told(store.place()));
    let report = store.check(&name).map_err(store::report)?;
    let (mut news, mut broken_now) = (String::new(), String::new());
    let mut ending = kept.ending();
    let first = kept.run;
    if !report.findings.is_empty() {
        news += &drift::report(&report, None, &address);
        broken_now += &identity(&report);
        // On pages that are as they were, nothing else will come of it than the last time.
        let worthwhile = kept.pages > 0 || !broken;
        let mut outcome = String::new();
        let mended = match arguments.repair && worthwhile {
            true => mend(arguments, rules, &name, &mut store, &pages, &mut outcome)?,
            false => None,
        };
        news += &outcome;
        match mended {
            Some(rules) => {
                let (kept, again, _) = keep(arguments, &rules, store)?;
                store = again;
                summary += &format!("{} {}\n", now(), kept.told(store.place()));
                let report = store.check(&name).map_err(store::report)?;
                let well = report.findings.is_empty();
                broken_now += &outcome;
                if !well {
                    news += &drift::report(&report, None, &address);
                    broken_now += &identity(&report);
                }
                ending = if well { kept.ending() } else { Ending::Nothing };
            }
            None => ending = Ending::Nothing,
        }
    }
    // Failures to fetch are errors whatever else there is; a list that is empty was told as broken.
    if kept.failed > 0 {
        ending = Ending::Failed;
    }
    let changes = store.changes(&name, Some(first), MOST).map_err(store::report)?;
    let changes = changes.filter(|changes| !changes.is_empty());
    let changes = changes
        .map(|changes| format!("{name}:\n{}", drift::changes::text(&changes, &drift::all_changes(&address, &name))));
    Ok(Round { summary, news, broken: broken_now, changes: changes.unwrap_or_default(), ending })
}

/// What is broken, and since when.
fn identity(report: &windrow::store::Report) -> String {
    let one = |finding: &Finding| {
        let field = finding.field.as_deref().unwrap_or_default();
        format!("{} {field} {} {}\n", finding.list, finding.what.name(), finding.since)
    };
    report.findings.iter().map(one).collect()
}

/// Fetches the pages and keeps what the wrapper finds; gives back some of the pages for a repair.
fn keep(arguments: &WatchArguments, rules: &Rules, store: Store) -> Result<(Kept, Store, Vec<Arc<Page>>), Report> {
    let reader = Reader::of(arguments.pages.clone(), &arguments.reading, rules)?;
    let (name, format) = (wrapper_name(rules), rules.file.format.to_string());
    let origin = Origin { name: &name, text: &rules.file.text, format: &format };
    let keeping = Keeping::resume(store, &arguments.keep, origin, &rules.extractor.shape())?;
    let given = reader.given();
    let (read_as, alone) = (given.read_as(), !rules.extractor.asks_for_pages());
    let held: Mutex<Vec<Arc<Page>>> = Mutex::new(Vec::new());
    keep::over(&keeping, reader.sources(), &arguments.reading, Details::Few, |_, source| {
        let source = source?;
        let (name, content) = (source.name(), given.content(source)?);
        let hash = fingerprint(&content, &read_as);
        let unchanged = alone && keeping.is_unchanged(&name, &hash)?;
        if unchanged && !arguments.repair {
            return Ok(Worked::Unchanged { name });
        }
        let (page, notes) = given.page(source, content);
        let page = Arc::new(page);
        let mut held = held.lock().unwrap_or_else(PoisonError::into_inner);
        if arguments.repair && held.len() < HELD {
            held.push(Arc::clone(&page));
        }
        drop(held);
        if unchanged {
            return Ok(Worked::Unchanged { name });
        }
        let extraction = reader.extract_shared(source, page);
        Ok(worked(&keeping, &name, hash, &extraction, Some(rules), false, notes))
    })?;
    let (kept, store) = keeping.finish()?;
    Ok((kept, store, held.into_inner().unwrap_or_else(PoisonError::into_inner)))
}

/// Mends the wrapper and writes it; tells what came of it. The wrapper as it is now, if it was mended.
fn mend(
    arguments: &WatchArguments,
    rules: &Rules,
    name: &str,
    store: &mut Store,
    pages: &[Arc<Page>],
    news: &mut String,
) -> Result<Option<Rules>, Report> {
    let known = windrow::known(store, name, pages).map_err(store::report)?;
    match repair::attempt(rules, &known, pages)? {
        Ok(mended) => {
            repair::write(&rules.file.name, &mended.text)?;
            repair::note(store, name, rules, &mended.text)?;
            *news += &format!("{}: mended\n{}", rules.file.name, mended.patch);
            for line in repair::lines(&mended.repair) {
                *news += &format!("{line}\n");
            }
            Ok(Rules::open(&arguments.wrapper))
        }
        Err(refusal) => {
            *news += &format!("{}: not mended: {refusal}\n", rules.file.name);
            if !matches!(refusal, Refusal::StillWorks) {
                *news += &format!("hint: {}\n", refusal.hint());
            }
            Ok(None)
        }
    }
}
