//! `windrow check`: compares the last run of each wrapper with those before, for people and for programs.

pub(crate) mod changes;
mod text;

use miette::Report as Told;
use serde_json::{Value, json};
use windrow::store::{Changes, Finding, Report, Store};

pub(crate) use self::text::{all_changes, report};
use crate::args::{CheckArguments, CheckFormat};
use crate::fmt::print;
use crate::run::{Ending, tell, tell_error};
use crate::store;

/// Runs the command.
pub(crate) fn run(arguments: &CheckArguments) -> Ending {
    match check(arguments) {
        Ok(ending) => ending,
        Err(report) => {
            tell_error(&report);
            Ending::Failed
        }
    }
}

fn check(arguments: &CheckArguments) -> Result<Ending, Told> {
    let mut store = match arguments.accept {
        true => store::open_existing(&arguments.store)?,
        false => store::open_read_only(&arguments.store)?,
    };
    let wrappers = match arguments.wrappers.is_empty() {
        true => store.wrappers().map_err(store::report)?,
        false => arguments.wrappers.clone(),
    };
    if wrappers.is_empty() {
        tell("nothing has been kept yet, so there is nothing to compare");
    }
    if arguments.accept {
        for wrapper in &wrappers {
            store.accept(wrapper).map_err(store::report)?;
        }
    }
    let reports = reports(&mut store, &wrappers, arguments.changes)?;
    let text = match arguments.format {
        CheckFormat::Text => {
            let texts = reports.iter().map(|(checked, changes)| report(checked, changes.as_ref(), &arguments.store));
            texts.collect()
        }
        CheckFormat::Json => format!("{:#}\n", Value::Array(reports.iter().map(json).collect())),
    };
    print(&text).map_err(|error| miette::miette!(code = "output::failed", "cannot write the output: {error}"))?;
    Ok(match reports.iter().all(|(report, _)| report.findings.is_empty() && report.failed == 0) {
        true => Ending::Found,
        false => Ending::Nothing,
    })
}

/// A report on a wrapper, and what changed in its last run, if there was one before.
type Checked = (Report, Option<Changes>);

fn reports(store: &mut Store, wrappers: &[String], most: usize) -> Result<Vec<Checked>, Told> {
    let one = |wrapper: &String| {
        let report = store.check(wrapper).map_err(store::report)?;
        Ok((report, store.changes(wrapper, None, most).map_err(store::report)?))
    };
    wrappers.iter().map(one).collect()
}

fn json((report, changes): &Checked) -> Value {
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
