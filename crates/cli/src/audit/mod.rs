//! `windrow audit`: records held against reference data, findings out.
//!
//! Rules and tables are read and checked whole before any record is. Records are audited by several threads and printed in
//! their order; of a store, some hundred are in memory at a time, of pages, those of a few pages.

mod input;
mod print;
mod references;
mod rules;
mod tally;

use std::ops::ControlFlow;
use std::thread::available_parallelism;

use miette::Report;
use windrow::audit::rules::{Columns, Known};
use windrow::audit::{Auditor, Options, Record};

use crate::args::AuditArguments;
use crate::output::{Output, Stop};
use crate::run::{Ending, tell, tell_error};

use input::Input;
use print::{Destination, Findings, Style};
use references::Table;
use rules::RuleFile;
use tally::{Judged, Tally};

/// Runs the command.
pub(crate) fn run(arguments: &AuditArguments) -> Ending {
    audit(arguments).unwrap_or_else(|report| {
        tell_error(&report);
        Ending::Failed
    })
}

fn audit(arguments: &AuditArguments) -> Result<Ending, Report> {
    let Some(rules) = RuleFile::open(&arguments.rules)? else { return Ok(Ending::Failed) };
    if arguments.show {
        return print(&rules.text);
    }
    let tables = references::open(&arguments.references, &rules)?;
    let Some(input) = Input::new(arguments)? else { return Ok(Ending::Failed) };
    let fields = if arguments.lenient { None } else { input.fields() };
    let columns: Vec<Columns<'_>> = tables.iter().map(Table::columns).collect();
    if let Err(errors) = rules.rules.check(Known { fields: fields.as_deref(), references: &columns }) {
        rules.complain(errors);
        return Ok(Ending::Failed);
    }
    let mut options = Options::default().with_report(arguments.at_least);
    options.today = arguments.today.clone().or_else(|| Some(crate::clock::now()?.get(..10)?.to_owned()));
    let named: Vec<_> = tables.iter().map(|table| (table.name.as_str(), &table.reference)).collect();
    let auditor = match Auditor::new(&rules.rules, &named, options) {
        Ok(auditor) => auditor,
        Err(errors) => {
            rules.complain(errors);
            return Ok(Ending::Failed);
        }
    };
    if !arguments.reading.quiet {
        auditor.notes().iter().for_each(|note| tell(&format!("note: {note}")));
    }
    if arguments.check {
        return print(&checked(&rules, &tables, fields.as_deref()));
    }
    let destination = Destination::new(arguments)?;
    let judge = Judge { auditor: &auditor, style: destination.style };
    let run = Run {
        findings: Findings::new(destination.style),
        tally: Tally::new(&rules.rules.conclusions()),
        quiet: arguments.reading.quiet,
    };
    let threads = arguments.reading.threads.or_else(|| available_parallelism().ok()).map_or(1, |threads| threads.get());
    input.run(&judge, run, destination.open()?, threads, &arguments.reading)
}

fn print(text: &str) -> Result<Ending, Report> {
    let printed = crate::fmt::print(text);
    printed.map_err(|error| miette::miette!(code = "output::failed", "cannot write the output: {error}"))?;
    Ok(Ending::Found)
}

/// What is said of rules that are right.
fn checked(rules: &RuleFile, tables: &[Table], fields: Option<&[String]>) -> String {
    let count = |number: usize, what: &str| match number {
        1 => format!("1 {what}"),
        _ => format!("{number} {what}s"),
    };
    let conclusions = rules.rules.conclusions();
    let (number, ends) = (count(rules.rules.rules.len(), "rule"), count(conclusions.len(), "conclusion"));
    let mut text = format!("{}: {number}, {ends}: {}\n", rules.name, conclusions.join(", "));
    for Table { name, reference, .. } in tables {
        let (rows, columns) = (count(reference.rows(), "row"), count(reference.columns().len(), "column"));
        text += &format!("{name}: {}, {rows}, {columns}\n", reference.name());
    }
    if let Some(fields) = fields {
        text += &format!("E: {}\n", count(fields.len(), "field"));
    }
    text
}

/// What threads do with records.
struct Judge<'a> {
    auditor: &'a Auditor<'a>,
    style: Style,
}

impl Judge<'_> {
    fn judge(&self, record: &Record) -> Judged {
        let audited = self.auditor.audit(record);
        Judged {
            findings: audited.findings.iter().map(|one| (print::conclusion(one), self.style.render(one))).collect(),
            weakened: audited.weakened.into_iter().map(|rule| rule.name).collect(),
            failure: audited.failure.map(|why| format!("{} {}: {why}", record.page, record.path)),
        }
    }
}

/// What is made of the results, in the records' order.
struct Run {
    findings: Findings,
    tally: Tally,
    quiet: bool,
}

impl Run {
    fn take(&mut self, judged: Vec<Judged>, output: &mut Output) -> ControlFlow<Stop> {
        for one in judged {
            let notes = self.tally.add(&one);
            if !self.quiet && !notes.is_empty() {
                output.aside(|| notes.iter().for_each(|note| tell(note)));
            }
            for (_, text) in one.findings {
                for (file, bytes) in self.findings.add(text) {
                    output.write(file, &bytes)?;
                }
            }
        }
        ControlFlow::Continue(())
    }

    /// Prints what is left, and says what was found.
    fn finish(mut self, flow: ControlFlow<Stop>, mut output: Output, failed: bool) -> Result<Ending, Report> {
        let mut flow = flow;
        for (file, bytes) in self.findings.end() {
            if flow.is_continue() {
                flow = output.write(file, &bytes);
            }
        }
        let written = match flow {
            ControlFlow::Break(Stop::Failed(error)) => Err(error),
            _ => output.finish(),
        };
        written.map_err(|error| miette::miette!(code = "output::failed", "cannot write the output: {error}"))?;
        if !self.quiet {
            self.tally.summary().iter().for_each(|line| tell(line));
        }
        Ok(match (failed, self.tally.findings()) {
            (true, _) => Ending::Failed,
            (false, 0) => Ending::Nothing,
            (false, _) => Ending::Found,
        })
    }
}
