//! `windrow check`: whether wrappers still find what they found, told for people and for programs.

mod text;

use miette::Report as Told;
use serde_json::{Value, json};
use windrow::store::{Finding, Report, Store, What};

pub(crate) use self::text::report;
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
    let reports = reports(&mut store, &wrappers)?;
    let text = match arguments.format {
        CheckFormat::Text => reports.iter().map(report).collect(),
        CheckFormat::Json => format!("{:#}\n", Value::Array(reports.iter().map(json).collect())),
    };
    print(&text).map_err(|error| miette::miette!(code = "output::failed", "cannot write the output: {error}"))?;
    Ok(match reports.iter().all(|report| report.findings.is_empty()) {
        true => Ending::Found,
        false => Ending::Nothing,
    })
}

fn reports(store: &mut Store, wrappers: &[String]) -> Result<Vec<Report>, Told> {
    wrappers.iter().map(|wrapper| store.check(wrapper).map_err(store::report)).collect()
}

/// What is wrong, in one word.
pub(crate) fn word(what: What) -> &'static str {
    match what {
        What::Emptied => "emptied",
        What::Fewer => "fewer",
        What::Missing => "missing",
        What::Mistyped => "mistyped",
        What::Reshaped => "reshaped",
        What::Constant => "constant",
    }
}

fn json(report: &Report) -> Value {
    let findings: Vec<Value> = report.findings.iter().map(finding).collect();
    json!({
        "wrapper": report.wrapper,
        "runs": report.runs,
        "at": report.at,
        "pages": report.pages,
        "findings": findings,
    })
}

fn finding(finding: &Finding) -> Value {
    // Shares of thousands are all that is meant.
    let rounded = |number: f64| (number * 1000.0).round() / 1000.0;
    json!({
        "list": finding.list,
        "field": finding.field,
        "what": word(finding.what),
        "since": finding.since,
        "pages": finding.pages,
        "on": finding.on,
        "of": finding.of,
        "before": rounded(finding.before),
        "now": rounded(finding.now),
        "was": finding.was,
        "is": finding.is,
    })
}
