//! Watches: in each round, pages are fetched, their records kept and compared, and a broken wrapper is mended if allowed.
//!
//! Each round stands for itself: the wrapper's file is read, the store opened, the pages fetched. So a round can fail, or
//! the program be killed, and the next one begins as if nothing had happened.

mod shadow;

use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

use miette::Report;

use self::shadow::{Shadow, Trial};
use crate::Page;
use crate::check;
use crate::clock::stamp as now;
use crate::keeping::{
    self, KeepOptions, KeepSummary, PageOutcome, StoreRun, WrapperOrigin, fingerprint, outcome as worked,
};
use crate::learn::repair::{Known, Refusal};
use crate::monitor::{Details, Ending, Monitor, Reports};
use crate::open::{self, Opener};
use crate::pages::WrapperReader;
use crate::repair;
use crate::store::{Finding, Store};
use crate::stores;
use crate::wrapper_file::WrapperFile;

/// Pages that are held for a repair.
const HELD: usize = 16;
/// Changes of each kind that are reported.
pub const MOST_CHANGES: usize = 10;

/// A watch to run.
#[derive(Debug, Clone)]
pub struct WatchOptions {
    /// The wrapper's file, which is read again in each round.
    pub wrapper: String,
    /// Arguments that mean pages.
    pub pages: Vec<String>,
    /// Address of the store; without one, a file of the wrapper's name.
    pub store: Option<String>,
    /// Options for the store.
    pub keep: KeepOptions,
    /// Mends the wrapper when it breaks, if that can be done with certainty.
    pub repair: bool,
    /// Number of rounds with changed pages in which a mended wrapper must agree with itself before it is used.
    pub repair_after: u64,
    /// Options for reading pages.
    pub open: open::Options,
    /// Number of threads.
    pub threads: usize,
}

/// The result of a round.
pub struct Round {
    /// A line with what was kept.
    pub summary: String,
    /// Report on what broke, and what was done about it.
    pub news: String,
    /// The same without times and counts that differ from round to round: to see whether it is the same as before.
    pub broken: String,
    /// Report on the records that changed; empty if none did.
    pub changes: String,
    /// Kind of result.
    pub ending: Ending,
}

impl Round {
    /// Returns a round that failed before anything was kept.
    pub fn failed() -> Round {
        Round {
            summary: String::new(),
            news: String::new(),
            broken: String::new(),
            changes: String::new(),
            ending: Ending::Failed,
        }
    }
}

/// Runs a round. `broken` says that the wrapper was broken before, and that this was reported.
///
/// # Errors
///
/// The wrapper is wrong, or the store failed.
pub fn round(options: &WatchOptions, broken: bool, monitor: &dyn Monitor) -> Result<Round, Reports> {
    let rules = WrapperFile::open(&options.wrapper)?;
    watched(options, &rules, broken, monitor)
}

fn watched(options: &WatchOptions, rules: &WrapperFile, broken: bool, monitor: &dyn Monitor) -> Result<Round, Reports> {
    let address = options.store.clone().unwrap_or_else(|| {
        let stem = Path::new(&rules.file.name).file_stem().and_then(|stem| stem.to_str());
        format!("{}.db", stem.unwrap_or("windrow"))
    });
    let name = rules.store_name();
    let store = stores::open(&address)?;
    let (kept, mut store, pages) = keep(options, rules, store, monitor)?;
    let mut summary = format!("{} {}\n", now(), kept.told(store.place()));
    let report = store.check(&name).map_err(stores::report)?;
    let (mut news, mut broken_now) = (String::new(), String::new());
    let mut ending = kept.ending();
    let first = kept.run;
    if !report.findings.is_empty() {
        news += &check::report(&report, None, &address);
        broken_now += &identity(&report);
        // On pages that are as they were, nothing else will come of it than the last time.
        let worthwhile = kept.pages > 0 || !broken;
        let mut outcome = String::new();
        let mended = if options.repair && worthwhile {
            mend(options, rules, &name, &mut store, &pages, &mut outcome)?
        } else {
            None
        };
        news += &outcome;
        broken_now += &outcome;
        match mended {
            Some(rules) => {
                let (kept, again, _) = keep(options, &rules, store, monitor)?;
                store = again;
                summary += &format!("{} {}\n", now(), kept.told(store.place()));
                let report = store.check(&name).map_err(stores::report)?;
                let well = report.findings.is_empty();
                if !well {
                    news += &check::report(&report, None, &address);
                    broken_now += &identity(&report);
                }
                ending = if well { kept.ending() } else { Ending::Nothing };
            }
            None => ending = Ending::Nothing,
        }
    } else if options.repair {
        // The page, or the wrapper, is as it was: what was mended meanwhile is not needed.
        Shadow::beside(&rules.file.name).discard();
    }
    // Failures to fetch are errors whatever else there is; a list that is empty was told as broken.
    if kept.failed > 0 {
        ending = Ending::Failed;
    }
    let changes = store.changes(&name, Some(first), MOST_CHANGES).map_err(stores::report)?;
    let changes = changes.filter(|changes| !changes.is_empty());
    let changes = changes
        .map(|changes| format!("{name}:\n{}", check::changes::text(&changes, &check::all_changes(&address, &name))));
    Ok(Round { summary, news, broken: broken_now, changes: changes.unwrap_or_default(), ending })
}

/// Returns a text that is the same as long as the same things are broken.
fn identity(report: &crate::store::Report) -> String {
    let one = |finding: &Finding| {
        let field = finding.field.as_deref().unwrap_or_default();
        format!("{} {field} {} {}\n", finding.list, finding.what.name(), finding.since)
    };
    report.findings.iter().map(one).collect()
}

/// Fetches the pages and keeps what the wrapper finds; gives back some of the pages for a repair.
fn keep(
    options: &WatchOptions,
    rules: &WrapperFile,
    store: Store,
    monitor: &dyn Monitor,
) -> Result<(KeepSummary, Store, Vec<Arc<Page>>), Report> {
    let reader = WrapperReader::new(options.pages.clone(), Opener::new(options.open.clone())?, rules)?;
    let (name, format) = (rules.store_name(), rules.file.format.to_string());
    let origin = WrapperOrigin { name: &name, text: &rules.file.text, format: &format };
    let keeping = StoreRun::resume(store, options.keep, origin, &rules.extractor.shape())?;
    let given = reader.given();
    let (read_as, alone) = (given.read_as(), !rules.extractor.asks_for_pages());
    let held: Mutex<Vec<Arc<Page>>> = Mutex::new(Vec::new());
    keeping::over(&keeping, reader.sources(), options.threads, Details::Few, monitor, |_, source| {
        let source = source?;
        let (name, content) = (source.name(), given.content(source)?);
        let hash = fingerprint(&content, &read_as);
        let unchanged = alone && keeping.is_unchanged(&name, &hash)?;
        if unchanged && !options.repair {
            return Ok(PageOutcome::Unchanged { name });
        }
        let (page, notes) = given.page(source, content);
        let page = Arc::new(page);
        let mut held = held.lock().unwrap_or_else(PoisonError::into_inner);
        if options.repair && held.len() < HELD {
            held.push(Arc::clone(&page));
        }
        drop(held);
        if unchanged {
            return Ok(PageOutcome::Unchanged { name });
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
    options: &WatchOptions,
    rules: &WrapperFile,
    name: &str,
    store: &mut Store,
    pages: &[Arc<Page>],
    news: &mut String,
) -> Result<Option<WrapperFile>, Reports> {
    let shadow = Shadow::beside(&rules.file.name);
    let known = crate::known(store, name, pages).map_err(stores::report)?;
    if let Some(mended) = shadow.rules()? {
        match shadow.run(name, &mended, pages)? {
            Trial::Agrees(runs) => return settle(options, rules, name, store, (&shadow, &mended, runs), news),
            Trial::Fails(report) => {
                *news += &format!("{}: dropped, it does not agree with what it found before\n{report}", shadow.file());
                shadow.discard();
            }
        }
    }
    match repair::attempt_file(rules, &known, pages)? {
        Ok(mended) => {
            *news += &format!("{}: mended\n{}", rules.file.name, mended.patch);
            for line in repair::lines::lines(&mended.repair) {
                *news += &format!("{line}\n");
            }
            shadow.begin(&mended.text)?;
            let Some(mended) = shadow.rules()? else { return Ok(None) };
            let extractions: Vec<_> = pages.iter().map(|page| mended.extractor.extract(Arc::clone(page))).collect();
            for line in repair::lines::side_by_side(&known, &Known::of(&extractions)) {
                *news += &format!("{line}\n");
            }
            match shadow.run(name, &mended, pages)? {
                Trial::Agrees(runs) => settle(options, rules, name, store, (&shadow, &mended, runs), news),
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
    options: &WatchOptions,
    rules: &WrapperFile,
    name: &str,
    store: &mut Store,
    (shadow, mended, runs): (&Shadow, &WrapperFile, u64),
    news: &mut String,
) -> Result<Option<WrapperFile>, Reports> {
    let wanted = options.repair_after;
    if runs < wanted {
        *news += &format!(
            "{} runs beside {}: {runs} of {wanted} runs without a problem; the old wrapper stays in use until then\n",
            shadow.file(),
            rules.file.name
        );
        return Ok(None);
    }
    let old = store.versions(name).map_err(stores::report)?.last().map(|version| version.number);
    repair::write(&rules.file.name, &mended.file.text)?;
    repair::note(store, name, rules, &mended.file.text)?;
    shadow.discard();
    *news += &format!("{}: the mended wrapper is in use now\n", rules.file.name);
    if let Some(old) = old {
        let (store, file) = (store.place(), &rules.file.name);
        *news += &format!("  to go back: windrow versions {store} {name} --put-back {old} -o {file}\n");
    }
    WrapperFile::open(&options.wrapper).map(Some)
}
