//! Records into a store: what `extract --into`, `crawl --into` and `watch` have in common.
//!
//! Pages are read and worked on in parallel, and kept one after the other in their order, each whole or not at all.
//! What is kept does not depend on the number of threads. A page that is as it was is not worked on again.

mod loops;

use std::sync::{Mutex, MutexGuard, PoisonError};

use miette::{Diagnostic, Report};
use url::Url;
use windrow::fetch::crawl::Checkpoint;
use windrow::keep::Keeper;
use windrow::store::audits::Site;
use windrow::store::{Outcome, Page, Run, Store, content_hash};
use windrow::wrapper::Shape;
use windrow::{Extraction, Format};

pub(crate) use self::loops::{Worked, over};
use crate::args::KeepArguments;
use crate::clock;
use crate::pages::Content;
use crate::run::Ending;
use crate::store::{self, report};

/// Whose records are kept.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Origin<'a> {
    /// The wrapper's name in the store.
    pub(crate) name: &'a str,
    /// Its text, and what that is written in.
    pub(crate) text: &'a str,
    pub(crate) format: &'a str,
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
fn check_site(store: &mut Store, origin: Origin<'_>) -> Result<(), Report> {
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
    let wrapper = windrow::read_wrapper(text, Format::from_name(format)?).ok()?;
    if wrapper.name.is_some() {
        return None;
    }
    let from = wrapper.learned.iter().flat_map(|learned| &learned.from);
    let host = from.into_iter().find_map(|page| Url::parse(page).ok()?.host_str().map(str::to_owned))?;
    Some(host.strip_prefix("www.").unwrap_or(&host).to_owned())
}

/// A run of a wrapper that keeps what it finds.
pub(crate) struct Keeping {
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
    kept: Kept,
}

/// What a run kept.
#[derive(Debug, Clone, Default)]
pub(crate) struct Kept {
    /// The run's number in the store.
    pub(crate) run: i64,
    /// Pages that were kept.
    pub(crate) pages: u64,
    /// Pages that are as they were.
    pub(crate) unchanged: u64,
    /// Pages that could not be read, or not whole.
    pub(crate) failed: u64,
    /// What became of the records.
    pub(crate) outcome: Outcome,
}

impl Keeping {
    /// Begins a run.
    pub(crate) fn begin(
        address: &str,
        arguments: &KeepArguments,
        origin: Origin<'_>,
        shapes: &[Shape],
    ) -> Result<Keeping, Report> {
        let store = store::open(address)?;
        Keeping::resume(store, arguments, origin, shapes)
    }

    /// Begins a run in a store that is open.
    pub(crate) fn resume(
        mut store: Store,
        arguments: &KeepArguments,
        origin: Origin<'_>,
        shapes: &[Shape],
    ) -> Result<Keeping, Report> {
        check_site(&mut store, origin)?;
        let at = now();
        let version = store.version(origin.name, origin.text, origin.format, "given", &at).map_err(report)?;
        let run = store.begin(version.id, &at).map_err(report)?;
        let run = if arguments.share_tables { run } else { run.with_own_tables(origin.name) };
        let kept = Kept { run: run.id(), ..Kept::default() };
        Ok(Keeping {
            version: version.id,
            place: store.place().to_owned(),
            keeper: Keeper::new(shapes),
            open: Mutex::new(Open { store, run, kept }),
            refresh: arguments.refresh,
            accept_empty: arguments.accept_empty,
        })
    }

    fn open(&self) -> MutexGuard<'_, Open> {
        // A panic elsewhere ends the run; what was kept before is whole.
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Whether a page was kept as it is.
    pub(crate) fn is_unchanged(&self, name: &str, hash: &str) -> Result<bool, Report> {
        if self.refresh {
            return Ok(false);
        }
        self.open().store.is_unchanged(name, hash, self.version).map_err(report)
    }

    /// What was found on a page, ready to be kept.
    pub(crate) fn page(&self, name: &str, hash: String, extraction: &Extraction) -> Page {
        Page { hash, ..self.keeper.page(name, &[], extraction) }
    }

    /// Keeps a page; says which of its lists had records before and have none now.
    pub(crate) fn keep(&self, page: &Page) -> Result<Vec<String>, Report> {
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
    pub(crate) fn keep_unchanged(&self, name: &str) -> Result<(), Report> {
        let mut open = self.open();
        let Open { store, run, kept } = &mut *open;
        store.keep_unchanged(run, name).map_err(report)?;
        kept.unchanged += 1;
        Ok(())
    }

    /// Notes that a page could not be read, or not whole: nothing of it is kept.
    pub(crate) fn keep_failed(&self) -> Result<(), Report> {
        let mut open = self.open();
        let Open { store, run, kept } = &mut *open;
        store.keep_failed(run).map_err(report)?;
        kept.failed += 1;
        Ok(())
    }

    /// Notes in the store how far a crawl has come, once everything that was kept is on the disk.
    pub(crate) fn mark(&self, checkpoint: &Checkpoint) -> Result<(), Report> {
        self.open().store.mark_crawl(&checkpoint.crawl, checkpoint.generation).map_err(report)
    }

    /// Notes a site that was seen.
    pub(crate) fn note_site(&self, site: &Site) -> Result<(), Report> {
        self.open().store.note_site(site).map_err(report)
    }

    /// Ends the run: what it kept, and the store for whatever comes next.
    pub(crate) fn finish(self) -> Result<(Kept, Store), Report> {
        let Open { mut store, run, kept } = self.open.into_inner().unwrap_or_else(PoisonError::into_inner);
        store.finish(run, &now()).map_err(report)?;
        Ok((kept, store))
    }

    /// What the store is called.
    pub(crate) fn place(&self) -> &str {
        &self.place
    }
}

impl Kept {
    /// One line that tells it: `kept in shop.db: 2 pages, 8 rows: 8 new, 0 changed, 0 gone`.
    pub(crate) fn told(&self, place: &str) -> String {
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

    /// How a run that kept this ends.
    pub(crate) fn ending(&self) -> Ending {
        if self.failed > 0 || !self.outcome.emptied.is_empty() {
            return Ending::Failed;
        }
        match self.outcome.records > 0 || self.unchanged > 0 {
            true => Ending::Found,
            false => Ending::Nothing,
        }
    }
}

/// The time. A clock that is beyond RFC 3339 says nothing useful.
pub(crate) fn now() -> String {
    clock::now().unwrap_or_else(|| "9999-12-31T23:59:59Z".to_owned())
}

/// What tells whether anything has changed that an extraction depends on: the page, its address and how it is read.
pub(crate) fn fingerprint(content: &Content, read_as: &str) -> String {
    let address = content.address.as_ref().map_or("", url::Url::as_str);
    let charset = content.charset.as_deref().unwrap_or_default();
    content_hash(format!("{} {address} {charset} {read_as}", content_hash(&content.bytes)).as_bytes())
}
