//! Reports on the audits in a store ([`windrow_audit::report`]).
//!
//! ```
//! use windrow::store::audits::{AuditedPage, Scope, Verdict};
//! use windrow::store::Store;
//!
//! let mut store = Store::in_memory()?;
//! let mut audit = store.begin_audit("drugs", "…", "records", Scope::Pages, "2026-11-17T08:00:00Z")?;
//! let looked = AuditedPage { page: "https://pills.example/", host: "pills.example", records: 1, ..AuditedPage::default() };
//! let verdict = Verdict { conclusion: "Unapproved".into(), low: 0.9, high: 1.0, ..Verdict::default() };
//! store.keep_findings(&mut audit, &looked, &[verdict])?;
//! store.finish_audit(audit, "2026-11-17T08:00:05Z")?;
//!
//! let input = windrow::report::input(&mut store)?;
//! let week = input.last_week().unwrap();
//! let report = windrow::report::count(&mut store, input, week.period(), |_| ())?;
//! let mut page = String::new();
//! report.html(1000, |ids| windrow::report::details(&mut store, ids), |text| {
//!     page.push_str(text);
//!     Ok(())
//! })?;
//! assert!(page.contains("2026-W47") && page.contains("Unapproved"));
//! # Ok::<(), windrow::store::Error>(())
//! ```

#[cfg(feature = "workflow")]
pub mod geoip;
#[cfg(feature = "workflow")]
pub mod period;

use windrow_store::{Error, Store, audits};

pub use windrow_audit::report::*;

/// Reads everything in a store except the findings. Title, time, and the locations of sites are not set.
pub fn input(store: &mut Store) -> Result<Input, Error> {
    let sites = store.sites()?.into_iter().map(|audits::Site { host, first, last, ip, found_by, .. }| Site {
        host,
        first,
        last,
        ip,
        location: None,
        found_by,
    });
    let sites = sites.collect();
    let audits = store.audits()?.into_iter().map(|one| Audit {
        id: one.id,
        ruleset: one.ruleset,
        list: one.list,
        started: one.started,
        ended: one.ended,
        pages: one.pages,
        failed: one.failed,
        records: one.records,
        findings: one.findings,
    });
    let audits = audits.collect();
    let visits = store.visits()?.into_iter().map(|one| Visit {
        audit: one.audit,
        host: one.host,
        rich: one.rich,
        offers: one.offers,
        neither: one.neither,
        records: one.records,
    });
    Ok(Input { sites, audits, visits: visits.collect(), ..Input::default() })
}

/// Counts the findings in a store up to the end of the period; calls `each` for every finding read.
pub fn count(store: &mut Store, input: Input, period: Period, mut each: impl FnMut(&Mark)) -> Result<Report, Error> {
    Report::new(input, period, |add| {
        store.finding_marks(|audits::Mark { id, host, conclusion, low, first, gone, .. }| {
            let mark = Mark { id, host, conclusion, low, first, gone };
            each(&mark);
            add(mark);
        })
    })
}

/// Returns the findings with these ids, as a report shows them.
pub fn details(store: &mut Store, ids: &[i64]) -> Result<Vec<Detail>, Error> {
    let detail = |one: audits::Finding| {
        let audits::Verdict { path, conclusion, low, high, snippet, evidence, .. } = one.verdict;
        Detail {
            id: one.id,
            ruleset: one.ruleset,
            list: one.list,
            page: one.page,
            path,
            conclusion,
            low,
            high,
            snippet,
            first: one.first,
            last: one.last,
            gone: one.gone,
            evidence,
        }
    };
    Ok(store.findings(ids)?.into_iter().map(detail).collect())
}
