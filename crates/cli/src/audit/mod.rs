//! `windrow audit`: records held against reference data, findings out.
//!
//! Rules and tables are read and checked whole before any record is. Records are audited by several threads and printed in
//! their order; of a store, some hundred are in memory at a time, of pages, those of a few pages.

mod input;
pub(crate) mod keeping;
pub(crate) mod print;
pub(crate) mod references;
pub(crate) mod rules;
mod tally;

use std::ops::ControlFlow;
use std::thread::available_parallelism;

use miette::Report;
use windrow::audit::rules::{Columns, Known};
use windrow::audit::{Auditor, Options, Record};
use windrow::store::audits::PageKind;

use crate::args::AuditArguments;
use crate::discover::plural;
use crate::output::{Outcome, Output, Placed, Stop};
use crate::run::{Ending, tell, tell_error, unwritten};

use input::Input;
use keeping::{Keeping, record_key, verdict};
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
    let mut options = Options::default().with_report(arguments.at_least);
    options.today = arguments.today.map(|day| day.to_string());
    let Some(auditor) = auditor(&rules, &tables, fields.as_deref(), options) else { return Ok(Ending::Failed) };
    if !arguments.reading.quiet {
        auditor.notes().iter().for_each(|note| tell(&format!("note: {note}")));
    }
    if arguments.check {
        return print(&checked(&rules, &tables, fields.as_deref()));
    }
    let destination = Destination::new(arguments)?;
    let keeping = match input.kept_in(arguments) {
        Some((address, list, scope)) => Some(Keeping::begin(address, (&rules.name, &rules.text), list, scope)?),
        None => None,
    };
    let judge = Judge { auditor: &auditor, style: destination.style, keeps: keeping.is_some() };
    let run = Run {
        findings: Findings::new(destination.style),
        tally: Tally::new(&rules.rules.conclusions()),
        keeping,
        quiet: arguments.reading.quiet,
    };
    let threads = arguments.reading.threads.or_else(|| available_parallelism().ok()).map_or(1, |threads| threads.get());
    input.run(&judge, run, destination.open()?, threads, &arguments.reading)
}

/// Rules and tables made ready, checked against the fields that records may have; none if they are wrong, which was told
/// then. Without a day in the options, `today` is today.
pub(crate) fn auditor<'a>(
    rules: &'a RuleFile,
    tables: &'a [Table],
    fields: Option<&[String]>,
    mut options: Options,
) -> Option<Auditor<'a>> {
    let columns: Vec<Columns<'_>> = tables.iter().map(Table::columns).collect();
    options.today = options.today.or_else(|| Some(crate::clock::now()?.get(..10)?.to_owned()));
    let named: Vec<_> = tables.iter().map(|table| (table.name.as_str(), &table.reference)).collect();
    let checked = rules.rules.check(Known { fields, references: &columns });
    match checked.and_then(|()| Auditor::new(&rules.rules, &named, options)) {
        Ok(auditor) => Some(auditor),
        Err(errors) => {
            rules.complain(errors);
            None
        }
    }
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
    let mut conclusions = rules.rules.conclusions();
    // Steps on the way are no findings.
    conclusions.retain(|name| !name.starts_with('_'));
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
    keeps: bool,
}

impl Judge<'_> {
    /// `number` is the record's in its store, if it has one.
    fn judge(&self, record: &Record, number: Option<i64>) -> Judged {
        let audited = self.auditor.audit(record);
        let verdicts = match self.keeps && !audited.findings.is_empty() {
            true => {
                let key = number.map_or_else(|| record_key(record), |number| number.to_string());
                audited.findings.iter().map(|finding| verdict(finding, &key)).collect()
            }
            false => Vec::new(),
        };
        Judged {
            page: record.page.clone(),
            verdicts,
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
    keeping: Option<Keeping>,
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

    /// Keeps what was found on a page.
    fn keep(&mut self, page: &str, kind: PageKind, judged: &[Judged]) -> Result<(), Report> {
        let Some(keeping) = &mut self.keeping else { return Ok(()) };
        let verdicts: Vec<_> = judged.iter().flat_map(|one| one.verdicts.iter().cloned()).collect();
        keeping.page(page, kind, judged.len(), &verdicts)
    }

    /// Keeps the findings of records that may be several pages'.
    fn keep_kept(&mut self, judged: &[Judged]) -> Result<(), Report> {
        judged.chunk_by(|one, next| one.page == next.page).try_for_each(|some| {
            let page = some.first().map_or("", |one| one.page.as_str());
            self.keep(page, PageKind::Rich, some)
        })
    }

    /// Notes that a page is not known whole.
    fn unread(&mut self) -> Result<(), Report> {
        self.keeping.as_mut().map_or(Ok(()), Keeping::unread)
    }

    /// Tells what became of the file that was to be written.
    fn tell_placed(&self, placed: &Placed, failed: bool) {
        match (placed, placed.untouched()) {
            (Placed::Written { place }, _) if !self.quiet => {
                tell(&format!("wrote {place}: {}", plural(self.tally.findings() as usize, "finding")));
            }
            (Placed::Untouched { beside, .. }, Some(unchanged)) if failed => {
                let beside = beside.as_ref().map(|beside| format!(", the findings of the others are in {beside}"));
                tell(&format!("error: some pages failed; {unchanged}{}", beside.unwrap_or_default()));
            }
            (_, Some(unchanged)) if !self.quiet => tell(&format!("note: there are no findings; {unchanged}")),
            _ => {}
        }
    }

    /// Prints what is left, and says what was found.
    fn finish(mut self, flow: ControlFlow<Stop>, mut output: Output, failed: bool) -> Result<Ending, Report> {
        let mut flow = flow;
        let is_whole = flow.is_continue();
        for (file, bytes) in self.findings.end() {
            if flow.is_continue() {
                flow = output.write(file, &bytes);
            }
        }
        let findings = self.tally.findings();
        let outcome = match (failed, findings) {
            (true, found) => Outcome::Failed { rows: found > 0 },
            (false, 0) => Outcome::Nothing,
            (false, _) => Outcome::Found,
        };
        let written = match flow {
            ControlFlow::Break(Stop::Failed(error)) => Err((error, output.abandon())),
            _ => output.finish(outcome).map_err(|error| (error, None)),
        };
        let placed = written.map_err(|(error, unchanged)| unwritten(&error, unchanged))?;
        if !self.quiet {
            self.tally.summary().iter().for_each(|line| tell(line));
        }
        self.tell_placed(&placed, failed);
        // One whose reader went away has not looked at all, and stays marked.
        if let Some(keeping) = self.keeping.filter(|_| is_whole) {
            let told = keeping.finish()?;
            if !self.quiet {
                tell(&told);
            }
        }
        Ok(match (failed, self.tally.findings()) {
            (true, _) => Ending::Failed,
            (false, 0) => Ending::Nothing,
            (false, _) => Ending::Found,
        })
    }
}
