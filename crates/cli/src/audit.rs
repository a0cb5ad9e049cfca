//! `windrow audit`: records held against reference data, findings out.
//!
//! Rules and tables are read and checked whole before any record is.

use std::io::{self, IsTerminal};
use std::ops::ControlFlow;
use std::path::Path;

use miette::{Diagnostic, Report};
use windrow::audit::keeping::FindingsRun;
use windrow::audit::print::{FORMATS, Style};
use windrow::audit::rule_file::RuleFile;
use windrow::audit::{self, AuditInput, AuditResult, AuditRun, AuditSource, Judge, Options, references};
use windrow::format::OutputFormat;
use windrow::monitor::{Monitor, Reports};
use windrow::text::plural;

use crate::args::AuditArguments;
use crate::output::{Console, Outcome, Output, Placed, Sink, Stop};
use crate::pages;
use crate::query::asked::Stored;
use crate::run::{Ending, ended, tell, unwritten};

/// Arguments that do not fit together, or a file that cannot be written.
#[derive(Debug, thiserror::Error, Diagnostic)]
enum AuditArgumentError {
    #[error("no page was given")]
    #[diagnostic(code(audit::no_page), help("give pages behind the options, or --check to check the rules alone"))]
    NoPage,
    #[error("the list is given twice: `{first}` and `{second}`")]
    #[diagnostic(code(audit::list_twice))]
    ListTwice { first: String, second: String },
    #[error("the name `{path}` does not tell the format")]
    #[diagnostic(
        code(output::unknown_format),
        help("names end in {}; else say --format", OutputFormat::list_endings(&FORMATS))
    )]
    UnknownFormat { path: String },
    #[error("cannot write `{path}`: {cause}")]
    #[diagnostic(code(output::unwritable))]
    Unwritable { path: String, cause: io::Error },
}

/// Runs the command.
pub(crate) fn run(arguments: &AuditArguments) -> Ending {
    ended(audit(arguments))
}

fn audit(arguments: &AuditArguments) -> Result<Ending, Reports> {
    let rules = RuleFile::open(&arguments.rules)?;
    if arguments.show {
        return Ok(print(&rules.text)?);
    }
    let tables = references::open(&arguments.references, &rules)?;
    let input = input(arguments)?;
    let fields = if arguments.lenient { None } else { input.fields() };
    let mut options = Options::default().with_report(arguments.at_least);
    options.today = arguments.today.map(|day| day.to_string());
    let auditor = audit::prepare(&rules, &tables, fields.as_deref(), options)?;
    let console = Console::new(arguments.reading.quiet);
    auditor.notes().iter().for_each(|note| console.note(&format!("note: {note}")));
    if arguments.check {
        return Ok(print(&audit::describe(&rules, &tables, fields.as_deref()))?);
    }
    let style = Style::new(format(arguments)?);
    let keeping = match input.kept_in(arguments.into.as_deref(), arguments.keep) {
        Some((address, list, scope)) => Some(FindingsRun::begin(address, (&rules.name, &rules.text), list, scope)?),
        None => None,
    };
    let judge = Judge { auditor: &auditor, style, keeps: keeping.is_some() };
    let mut output = Output::new(open(arguments)?, &console);
    let mut stop = None;
    let mut write = |bytes: &[u8]| match output.write(0, bytes) {
        ControlFlow::Continue(()) => ControlFlow::Continue(()),
        ControlFlow::Break(why) => {
            stop = Some(why);
            ControlFlow::Break(())
        }
    };
    let audit = AuditRun::new(&rules, style, keeping, &mut write, &console);
    let result = input.run(&judge, audit, pages::opener(&arguments.reading)?, arguments.reading.threads())?;
    Ok(finish(result, output, stop, &console)?)
}

/// Returns the records that the arguments mean.
fn input(arguments: &AuditArguments) -> Result<AuditInput, Reports> {
    let pages = arguments.arguments.clone();
    if (arguments.wrapper.is_some() || arguments.domain.is_some()) && pages.is_empty() && !arguments.check {
        return Err(AuditArgumentError::NoPage.into());
    }
    let list = arguments.list.as_deref();
    if let Some(file) = &arguments.wrapper {
        return AuditInput::open(AuditSource::Wrapper { file, pages, list });
    }
    if let Some(file) = &arguments.domain {
        return AuditInput::open(AuditSource::Domain { file, pages, list });
    }
    if arguments.check && pages.is_empty() && arguments.store.is_none() {
        return AuditInput::open(AuditSource::Nothing);
    }
    let help = "give a store and one of its lists; for pages, say -w WRAPPER or --domain DOMAIN";
    let Stored { store, other } = Stored::new("audit", arguments.store.as_deref(), &pages, help)?;
    if let (Some(first), Some(second)) = (&other, list)
        && first != second
    {
        return Err(AuditArgumentError::ListTwice { first: first.clone(), second: second.to_owned() }.into());
    }
    AuditInput::open(AuditSource::Store { address: &store, list: other.as_deref().or(list) })
}

/// Returns the format of the findings; none if they are kept and nobody asked to see them.
fn format(arguments: &AuditArguments) -> Result<Option<OutputFormat>, AuditArgumentError> {
    let is_kept = arguments.keep || arguments.into.is_some();
    Ok(match (arguments.format, &arguments.output) {
        (Some(format), _) => Some(format),
        (None, Some(path)) if path != "-" => {
            let format = OutputFormat::from_path(Path::new(path), &FORMATS);
            Some(format.ok_or_else(|| AuditArgumentError::UnknownFormat { path: path.clone() })?)
        }
        (None, None) if is_kept => None,
        (None, _) if io::stdout().is_terminal() => Some(OutputFormat::Table),
        (None, _) => Some(OutputFormat::JSONL),
    })
}

fn open(arguments: &AuditArguments) -> Result<Sink, AuditArgumentError> {
    let Some(path) = arguments.output.as_ref().filter(|file| *file != "-") else { return Ok(Sink::Standard) };
    Sink::file(Path::new(path)).map_err(|cause| AuditArgumentError::Unwritable { path: path.clone(), cause })
}

fn print(text: &str) -> Result<Ending, Report> {
    crate::fmt::print(text).map_err(|error| unwritten(&error, None))?;
    Ok(Ending::Found)
}

/// Puts the file in its place, and says what was found.
fn finish(result: AuditResult, output: Output<'_>, stop: Option<Stop>, console: &Console) -> Result<Ending, Report> {
    let (findings, ending) = (result.findings(), result.ending());
    let outcome = match ending {
        Ending::Failed => Outcome::Failed { rows: findings > 0 },
        Ending::Nothing => Outcome::Nothing,
        Ending::Found => Outcome::Found,
    };
    let written = match stop {
        Some(Stop::Failed(error)) => Err((error, output.abandon())),
        _ => output.finish(outcome).map_err(|error| (error, None)),
    };
    let placed = written.map_err(|(error, unchanged)| unwritten(&error, unchanged))?;
    result.summary().iter().for_each(|line| console.note(line));
    tell_placed(&placed, findings, ending, console);
    result.finish()?.iter().for_each(|line| console.note(line));
    Ok(ending)
}

/// Tells what became of the file that was to be written.
fn tell_placed(placed: &Placed, findings: u64, ending: Ending, console: &Console) {
    match (placed, placed.untouched()) {
        (Placed::Written { place }, _) => {
            console.note(&format!("wrote {place}: {}", plural(findings as usize, "finding")));
        }
        (Placed::Untouched { beside, .. }, Some(unchanged)) if ending == Ending::Failed => {
            let beside = beside.as_ref().map(|beside| format!(", the findings of the others are in {beside}"));
            tell(&format!("error: some pages failed; {unchanged}{}", beside.unwrap_or_default()));
        }
        (_, Some(unchanged)) => console.note(&format!("note: there are no findings; {unchanged}")),
        _ => {}
    }
}
