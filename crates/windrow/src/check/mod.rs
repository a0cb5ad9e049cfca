//! Checks: the last run of each wrapper in a store compared with those before, for people and for programs.

pub mod changes;
mod text;

use miette::Report as Failure;
use serde_json::{Value, json};

pub use self::text::{all_changes, report};
use crate::store::{Changes, Finding, Report, Store};
use crate::stores;

/// A report on a wrapper, and the changes of its last run, if there was one before.
pub type Checked = (Report, Option<Changes>);

/// Checks wrappers, all if none is named. At most `most` changed records of each kind are listed; `accept` first takes
/// the last run of each as right.
///
/// # Errors
///
/// The store failed, or it has no such wrapper.
pub fn run(store: &mut Store, wrappers: &[String], accept: bool, most: usize) -> Result<Vec<Checked>, Failure> {
    let wrappers = if wrappers.is_empty() { store.wrappers().map_err(stores::report)? } else { wrappers.to_vec() };
    if accept {
        for wrapper in &wrappers {
            store.accept(wrapper).map_err(stores::report)?;
        }
    }
    let one = |wrapper: &String| {
        let report = store.check(wrapper).map_err(stores::report)?;
        Ok((report, store.changes(wrapper, None, most).map_err(stores::report)?))
    };
    wrappers.iter().map(one).collect()
}

/// Returns reports for programs.
pub fn json(reports: &[Checked]) -> Value {
    Value::Array(reports.iter().map(one).collect())
}

fn one((report, changes): &Checked) -> Value {
    let findings: Vec<Value> = report.findings.iter().map(finding).collect();
    json!({
        "wrapper": report.wrapper,
        "runs": report.runs,
        "at": report.at,
        "pages": report.pages,
        "failed": report.failed,
        "findings": findings,
        "changes": changes.as_ref().map(changes::json),
    })
}

fn finding(finding: &Finding) -> Value {
    // More than three digits behind the point would be noise.
    let rounded = |number: f64| (number * 1000.0).round() / 1000.0;
    json!({
        "list": finding.list,
        "field": finding.field,
        "other": finding.other,
        "what": finding.what.name(),
        "since": finding.since,
        "pages": finding.pages,
        "on": finding.on,
        "of": finding.of,
        "before": rounded(finding.before),
        "now": rounded(finding.now),
        "was": finding.was,
        "is": finding.is,
        "cause": finding.what.cause(),
    })
}
