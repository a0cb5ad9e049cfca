//! Records into a store: what `extract --into`, `crawl --into` and `watch` have in common.
//!
//! Pages are read and worked on in parallel, and kept one after the other in their order, each whole or not at all.
//! The records do not depend on the number of threads. A page that has not changed is not worked on again.

mod loops;

use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::fetch::crawl::Checkpoint;
use crate::keep::Keeper;
use crate::store::audits::Site;
use crate::store::{Outcome, Page, Run, Store, content_hash};
use crate::wrapper::Shape;
use crate::{Extraction, Format};
use miette::{Diagnostic, Report};
use url::Url;

pub use self::loops::{PageOutcome, WrapperRun, by_domain, by_wrapper, outcome, over};
use crate::clock::stamp as now;
use crate::monitor::Ending;
use crate::open::Content;
use crate::stores::{self, report};

/// Options for storing records.
#[derive(Debug, Clone, Copy, Default)]
pub struct KeepOptions {
    /// Extract pages again even if they have not changed.
    pub refresh: bool,
    /// Accept that a list which had records on a page is now empty.
    pub accept_empty: bool,
    /// Keep a list in the table of another wrapper whose list has the same name.
    pub share_tables: bool,
}

/// The wrapper or domain whose records are kept.
#[derive(Debug, Clone, Copy)]
pub struct WrapperOrigin<'a> {
    /// The wrapper's name in the store.
    pub name: &'a str,
    /// Its text.
    pub text: &'a str,
    /// The format of its text.
    pub format: &'a str,
}

/// A wrapper of one site under the name of another's.
#[derive(Debug, thiserror::Error, Diagnostic)]
#[error("`{name}` in {place} keeps records of {known}, and this wrapper was learned from {given}")]
#[diagnostic(
    code(keep::other_site),
    help(
        "give the wrapper a name of its own, by its file's name or by a line `name = \"…\"` at its top; the same `name` \
         in both files keeps them together"
    )
)]
struct OtherSite {
    name: String,
    place: String,
    known: String,
    given: String,
}

/// Refuses a wrapper that was learned from another site than the one that has its name in the store: its records would
/// be mixed with those of the other. A name that stands in the wrapper itself was given on purpose.
fn check_site(store: &mut Store, origin: WrapperOrigin<'_>) -> Result<(), Report> {
    let Some(given) = site_of(origin.text, origin.format) else { return Ok(()) };
    if !store.wrappers().map_err(report)?.iter().any(|name| name == origin.name) {
        return Ok(());
    }
    let versions = store.versions(origin.name).map_err(report)?;
    match versions.last().and_then(|last| site_of(&last.text, &last.format)) {
        Some(known) if known != given => {
            let (name, place) = (origin.name.to_owned(), store.place().to_owned());
            Err(OtherSite { name, place, known, given }.into())
        }
        _ => Ok(()),
    }
}

/// The host that a wrapper without a name of its own was learned from.
fn site_of(text: &str, format: &str) -> Option<String> {
    let wrapper = crate::read_wrapper(text, Format::from_name(format)?).ok()?;
    if wrapper.name.is_some() {
        return None;
    }
    let from = wrapper.learned.iter().flat_map(|learned| &learned.from);
    let host = from.into_iter().find_map(|page| Url::parse(page).ok()?.host_str().map(str::to_owned))?;
    Some(host.strip_prefix("www.").unwrap_or(&host).to_owned())
}

/// A run of a wrapper that keeps what it finds.
pub struct StoreRun {
    open: Mutex<Open>,
    keeper: Keeper,
    version: i64,
    place: String,
    refresh: bool,
    accept_empty: bool,
}

struct Open {
    store: Store,
    run: Run,
    kept: KeepSummary,
}

/// The summary of a run that kept records.
#[derive(Debug, Clone, Default)]
pub struct KeepSummary {
    /// The run's number in the store.
    pub run: i64,
    /// Pages that were kept.
    pub pages: u64,
    /// Pages that are as they were.
    pub unchanged: u64,
    /// Pages that could not be read, or not whole.
    pub failed: u64,
    /// Counts of new, changed and gone records.
    pub outcome: Outcome,
}

impl StoreRun {
    /// Begins a run.
    pub fn begin(
        address: &str,
        options: KeepOptions,
        origin: WrapperOrigin<'_>,
        shapes: &[Shape],
    ) -> Result<StoreRun, Report> {
        let store = stores::open(address)?;
        StoreRun::resume(store, options, origin, shapes)
    }

    /// Begins a run in a store that is open.
    pub fn resume(
        mut store: Store,
        options: KeepOptions,
        origin: WrapperOrigin<'_>,
        shapes: &[Shape],
    ) -> Result<StoreRun, Report> {
        check_site(&mut store, origin)?;
        let at = now();
        let version = store.version(origin.name, origin.text, origin.format, "given", &at).map_err(report)?;
        let run = store.begin(version.id, &at).map_err(report)?;
        let run = if options.share_tables { run } else { run.with_own_tables(origin.name) };
        let kept = KeepSummary { run: run.id(), ..KeepSummary::default() };
        Ok(StoreRun {
            version: version.id,
            place: store.place().to_owned(),
            keeper: Keeper::new(shapes),
            open: Mutex::new(Open { store, run, kept }),
            refresh: options.refresh,
            accept_empty: options.accept_empty,
        })
    }

    fn open(&self) -> MutexGuard<'_, Open> {
        // A panic elsewhere ends the run; what was kept before is whole.
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns `true` if a page was kept as it is.
    pub fn is_unchanged(&self, name: &str, hash: &str) -> Result<bool, Report> {
        if self.refresh {
            return Ok(false);
        }
        self.open().store.is_unchanged(name, hash, self.version).map_err(report)
    }

    /// Converts an extraction from a page for the store.
    pub fn page(&self, name: &str, hash: String, extraction: &Extraction) -> Page {
        Page { hash, ..self.keeper.page(name, &[], extraction) }
    }

    /// Keeps a page; says which of its lists had records before and have none now.
    pub fn keep(&self, page: &Page) -> Result<Vec<String>, Report> {
        let mut open = self.open();
        let Open { store, run, kept } = &mut *open;
        let mut outcome = store.keep(run, page, self.accept_empty).map_err(report)?;
        kept.pages += 1;
        let emptied = std::mem::take(&mut outcome.emptied);
        let separated = std::mem::take(&mut outcome.separated);
        kept.outcome.add(&outcome);
        let alarms = emptied.iter().map(|list| {
            format!(
                "error: {}: `{list}` had records and has none now; they were left as they are \
                 (--accept-empty if it is right that there are none)",
                page.name
            )
        });
        let apart = separated.iter().map(|separated| {
            format!(
                "note: `{}` of another wrapper is in this store, so this one is kept in the table `{}` \
                 (--share-tables keeps both in one)",
                separated.list, separated.table
            )
        });
        let alarms: Vec<String> = alarms.chain(apart).collect();
        kept.outcome.emptied.extend(emptied);
        Ok(alarms)
    }

    /// Notes that a page is as it was.
    pub fn keep_unchanged(&self, name: &str) -> Result<(), Report> {
        let mut open = self.open();
        let Open { store, run, kept } = &mut *open;
        store.keep_unchanged(run, name).map_err(report)?;
        kept.unchanged += 1;
        Ok(())
    }

    /// Notes that a page could not be read, or not whole: nothing of it is kept.
    pub fn keep_failed(&self) -> Result<(), Report> {
        let mut open = self.open();
        let Open { store, run, kept } = &mut *open;
        store.keep_failed(run).map_err(report)?;
        kept.failed += 1;
        Ok(())
    }

    /// Notes in the store how far a crawl has come, once everything that was kept is on the disk.
    pub fn mark(&self, checkpoint: &Checkpoint) -> Result<(), Report> {
        self.open().store.mark_crawl(&checkpoint.crawl, checkpoint.generation).map_err(report)
    }

    /// Notes a site that was seen.
    pub fn note_site(&self, site: &Site) -> Result<(), Report> {
        self.open().store.note_site(site).map_err(report)
    }

    /// Ends the run: what it kept, and the store for whatever comes next.
    pub fn finish(self) -> Result<(KeepSummary, Store), Report> {
        let Open { mut store, run, kept } = self.open.into_inner().unwrap_or_else(PoisonError::into_inner);
        store.finish(run, &now()).map_err(report)?;
        Ok((kept, store))
    }

    /// Returns the name of the store.
    pub fn place(&self) -> &str {
        &self.place
    }
}

impl KeepSummary {
    /// One line that tells it: `kept in shop.db: 2 pages, 8 rows: 8 new, 0 changed, 0 gone`.
    pub fn told(&self, place: &str) -> String {
        let several = |count: u64, one: &str| format!("{count} {one}{}", if count == 1 { "" } else { "s" });
        let Outcome { records, inserted, updated, gone, .. } = self.outcome;
        let mut parts = Vec::new();
        if self.pages > 0 {
            let rows = several(records, "row");
            parts.push(format!(
                "{}, {rows}: {inserted} new, {updated} changed, {gone} gone",
                several(self.pages, "page")
            ));
        }
        if self.unchanged > 0 {
            parts.push(format!("{} unchanged", several(self.unchanged, "page")));
        }
        if self.failed > 0 {
            parts.push(format!("{} failed", several(self.failed, "page")));
        }
        if parts.is_empty() {
            parts.push("no pages".to_owned());
        }
        format!("kept in {place}: {}", parts.join("; "))
    }

    /// Returns the kind of result.
    pub fn ending(&self) -> Ending {
        if self.failed > 0 || !self.outcome.emptied.is_empty() {
            return Ending::Failed;
        }
        if self.outcome.records > 0 || self.unchanged > 0 { Ending::Found } else { Ending::Nothing }
    }
}

/// Returns a hash of all that an extraction depends on: the page, its address and how it is read.
pub fn fingerprint(content: &Content, read_as: &str) -> String {
    let address = content.address.as_ref().map_or("", url::Url::as_str);
    let charset = content.charset.as_deref().unwrap_or_default();
    content_hash(format!("{} {address} {charset} {read_as}", content_hash(&content.bytes)).as_bytes())
}
