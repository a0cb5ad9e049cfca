//! One round of a watch.

use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

use miette::Report;
use windrow::Page;
use windrow::learn::repair::{Known, Refusal};
use windrow::store::{Finding, Store};

use super::shadow::{Shadow, Trial};
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
        broken_now += &outcome;
        match mended {
            Some(rules) => {
                let (kept, again, _) = keep(arguments, &rules, store)?;
                store = again;
                summary += &format!("{} {}\n", now(), kept.told(store.place()));
                let report = store.check(&name).map_err(store::report)?;
                let well = report.findings.is_empty();
                if !well {
                    news += &drift::report(&report, None, &address);
                    broken_now += &identity(&report);
                }
                ending = if well { kept.ending() } else { Ending::Nothing };
            }
            None => ending = Ending::Nothing,
        }
    } else if arguments.repair {
        // The page, or the wrapper, is as it was: what was mended meanwhile is not needed.
        Shadow::beside(&rules.file.name).discard();
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

/// Mends the wrapper, or tries the wrapper that was mended in an earlier round; tells what came of it. Returns the wrapper
/// as it is now, if the mended one has replaced the old one.
fn mend(
    arguments: &WatchArguments,
    rules: &Rules,
    name: &str,
    store: &mut Store,
    pages: &[Arc<Page>],
    news: &mut String,
) -> Result<Option<Rules>, Report> {
    let shadow = Shadow::beside(&rules.file.name);
    let known = windrow::known(store, name, pages).map_err(store::report)?;
    if let Some(mended) = shadow.rules() {
        match shadow.run(name, &mended, pages)? {
            Trial::Agrees(runs) => return settle(arguments, rules, name, store, (&shadow, &mended, runs), news),
            Trial::Fails(report) => {
                *news += &format!("{}: dropped, it does not agree with what it found before\n{report}", shadow.file());
                shadow.discard();
            }
        }
    }
    match repair::attempt(rules, &known, pages)? {
        Ok(mended) => {
            *news += &format!("{}: mended\n{}", rules.file.name, mended.patch);
            for line in repair::lines(&mended.repair) {
                *news += &format!("{line}\n");
            }
            shadow.begin(&mended.text)?;
            let Some(mended) = shadow.rules() else { return Ok(None) };
            let extractions: Vec<_> = pages.iter().map(|page| mended.extractor.extract(Arc::clone(page))).collect();
            for line in repair::side_by_side(&known, &Known::of(&extractions)) {
                *news += &format!("{line}\n");
            }
            match shadow.run(name, &mended, pages)? {
                Trial::Agrees(runs) => settle(arguments, rules, name, store, (&shadow, &mended, runs), news),
                Trial::Fails(report) => {
                    *news += &report;
                    shadow.discard();
                    Ok(None)
                }
            }
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

/// Puts a mended wrapper in place of the old one if it has agreed with itself often enough.
fn settle(
    arguments: &WatchArguments,
    rules: &Rules,
    name: &str,
    store: &mut Store,
    (shadow, mended, runs): (&Shadow, &Rules, u64),
    news: &mut String,
) -> Result<Option<Rules>, Report> {
    let wanted = arguments.repair_after.get();
    if runs < wanted {
        *news += &format!(
            "{} runs beside {}: {runs} of {wanted} runs without a problem; the old wrapper stays in use until then\n",
            shadow.file(),
            rules.file.name
        );
        return Ok(None);
    }
    let old = store.versions(name).map_err(store::report)?.last().map(|version| version.number);
    repair::write(&rules.file.name, &mended.file.text)?;
    repair::note(store, name, rules, &mended.file.text)?;
    shadow.discard();
    *news += &format!("{}: the mended wrapper is in use now\n", rules.file.name);
    if let Some(old) = old {
        let (store, file) = (store.place(), &rules.file.name);
        *news += &format!("  to go back: windrow versions {store} {name} --put-back {old} -o {file}\n");
    }
    Ok(Rules::open(&arguments.wrapper))
}
