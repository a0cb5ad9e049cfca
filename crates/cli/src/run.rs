//! One run over the pages: read and work in parallel, print in the arguments' order, tell what went wrong.
//!
//! A page that fails is told and the others go on; the run then ends as failed, and files that it was to write stay as
//! they were.

use std::io::{self, Write};
use std::ops::ControlFlow;

use miette::Report;
use windrow::fill::Fill;
use windrow::format::printer::{Block, Printer};
use windrow::monitor::{BoundedLines, Monitor, Reports};
pub(crate) use windrow::monitor::{Details, Ending};
use windrow::run;
use windrow::store::export::ExportError;
use windrow::text::plural;

use crate::args::Reading;
use crate::output::{Console, Outcome, Output, Placed, Sink, Stop};
use crate::pages::{self, Page, Source, Sources};
use crate::{diagnostics, terminal};

/// The output of a command for one page.
#[derive(Debug)]
pub(crate) struct Rendered {
    /// The block to print.
    pub(crate) block: Block,
    /// True if that is a find.
    pub(crate) found: bool,
    /// Lines for standard error, left out if the run is to be quiet; the first ten of a run are printed.
    pub(crate) notes: Vec<String>,
    /// Lines for standard error that are told in any case; the run then ends as failed.
    pub(crate) errors: Vec<String>,
    /// Counts of records, and of the fields that they have.
    pub(crate) fill: Fill,
}

impl Rendered {
    /// Something to print and nothing to tell.
    pub(crate) fn new(block: Block, found: bool) -> Rendered {
        Rendered { block, found, notes: Vec::new(), errors: Vec::new(), fill: Fill::default() }
    }
}

/// The destination of a run's output.
pub(crate) struct Job<'a> {
    pub(crate) reading: &'a Reading,
    pub(crate) printer: Printer,
    pub(crate) sink: Sink,
    pub(crate) details: Details,
}

impl<'a> Job<'a> {
    /// Prints on standard output.
    pub(crate) fn standard(reading: &'a Reading, printer: Printer) -> Job<'a> {
        Job { reading, printer, sink: Sink::Standard, details: Details::Few }
    }
}

/// Runs `work` on the document of every page that the arguments mean, and prints what it makes.
pub(crate) fn over_pages(
    arguments: &[String],
    reading: &Reading,
    printer: Printer,
    work: impl Fn(&Page) -> Result<Rendered, Report> + Sync,
) -> Ending {
    let opener = match pages::opener(reading) {
        Ok(opener) => opener,
        Err(report) => {
            tell_error(&report);
            return Ending::Failed;
        }
    };
    over_sources(opener.find(arguments), Job::standard(reading, printer), |source| {
        let page = opener.read(source)?;
        let notes = page.document.notes().iter().map(|note| format!("note: {}: {note}", page.name)).collect();
        Ok(Rendered { notes, ..work(&page)? })
    })
}

/// Runs `work` on every page, and prints what it makes.
pub(crate) fn over_sources(
    sources: Sources<'_>,
    job: Job<'_>,
    work: impl Fn(&Source) -> Result<Rendered, Report> + Sync,
) -> Ending {
    over_numbered(sources, job, |_, source| work(source?))
}

/// Does the same with the number of each page, also of those that cannot be found; the first is 0.
pub(crate) fn over_numbered(
    sources: Sources<'_>,
    job: Job<'_>,
    work: impl Fn(usize, Result<&Source, Report>) -> Result<Rendered, Report> + Sync,
) -> Ending {
    let Job { reading, mut printer, sink, details } = job;
    let console = Console::new(reading.quiet);
    let mut output = Output::new(sink, &console);
    let mut notes = BoundedLines::new("notes", details == Details::All);
    let mut errors = BoundedLines::new("errors", details == Details::All);
    let mut tally = Tally::default();
    let mut flow = run::over(sources, reading.threads(), &console, work, |result: Result<Rendered, Report>| {
        tally.pages += 1;
        match result {
            Ok(rendered) => {
                tally.found |= rendered.found;
                tally.incomplete += usize::from(!rendered.errors.is_empty());
                tally.fill.add(rendered.fill);
                for (file, bytes) in pieces(printer.print(rendered.block))? {
                    output.write(file, &bytes)?;
                }
                errors.take(&rendered.errors).iter().for_each(|line| console.alarm(line));
                notes.take(&rendered.notes).iter().for_each(|line| console.note(line));
            }
            Err(report) => {
                tally.failed += 1;
                console.error(&report);
            }
        }
        ControlFlow::Continue(())
    });
    if flow.is_continue() {
        flow = match pieces(printer.end()) {
            ControlFlow::Continue(end) => end.into_iter().try_for_each(|(file, bytes)| output.write(file, &bytes)),
            ControlFlow::Break(stop) => ControlFlow::Break(stop),
        };
    }
    errors.end(details.hint()).iter().for_each(|line| console.alarm(line));
    notes.end(details.hint()).iter().for_each(|line| console.note(line));
    let ending = tally.ending();
    let written = match flow {
        ControlFlow::Break(Stop::Failed(error)) => Err((error, output.abandon())),
        _ => output.finish(tally.outcome()).map_err(|error| (error, None)),
    };
    let placed = match written {
        Ok(placed) => placed,
        Err((error, unchanged)) => {
            tell_error(&unwritten(&error, unchanged));
            return Ending::Failed;
        }
    };
    if !reading.quiet {
        printer.notes().iter().chain(&tally.fill.note()).for_each(|note| tell(note));
    }
    tally.placed(&placed, reading.quiet);
    ending
}

/// Bytes for files, by their numbers.
pub(crate) type Pieces = Vec<(usize, Vec<u8>)>;

/// A record that a format cannot hold ends the run as a full disk does.
fn pieces(printed: Result<Pieces, ExportError>) -> ControlFlow<Stop, Pieces> {
    match printed {
        Ok(pieces) => ControlFlow::Continue(pieces),
        Err(ExportError::Write(error)) => ControlFlow::Break(Stop::Failed(error)),
        Err(error) => ControlFlow::Break(Stop::Failed(io::Error::other(error.to_string()))),
    }
}

/// The error of an output that cannot be written. `unchanged` says what became of the file that was to be written.
pub(crate) fn unwritten(error: &io::Error, unchanged: Option<String>) -> Report {
    let unchanged = unchanged.map(|unchanged| format!("; {unchanged}")).unwrap_or_default();
    miette::miette!(code = "output::failed", "cannot write the output: {error}{unchanged}")
}

/// Counts of the pages of a run.
#[derive(Debug, Default)]
struct Tally {
    pages: usize,
    /// Pages that gave nothing because of an error.
    failed: usize,
    /// Pages that gave something, and an error.
    incomplete: usize,
    /// True if there is any find.
    found: bool,
    fill: Fill,
}

impl Tally {
    fn ending(&self) -> Ending {
        match (self.failed + self.incomplete, self.found) {
            (0, true) => Ending::Found,
            (0, false) => Ending::Nothing,
            _ => Ending::Failed,
        }
    }

    fn outcome(&self) -> Outcome {
        match self.ending() {
            Ending::Found => Outcome::Found,
            Ending::Nothing => Outcome::Nothing,
            Ending::Failed => Outcome::Failed { rows: self.found },
        }
    }

    /// Tells what became of the file that was to be written.
    fn placed(&self, placed: &Placed, quiet: bool) {
        match (placed, placed.untouched()) {
            (Placed::Written { place }, _) if !quiet => {
                let (records, fields) = self.fill.totals();
                tell(&format!("wrote {place}: {}, {}", plural(records, "record"), plural(fields, "field")));
            }
            (Placed::Untouched { beside, .. }, Some(unchanged)) => match self.ending() {
                Ending::Failed => tell(&format!("error: {}; {unchanged}{}", self.wrong(), self.beside(beside))),
                _ if !quiet => tell(&format!("note: nothing was found; {unchanged}")),
                _ => {}
            },
            _ => {}
        }
    }

    /// Describes what went wrong: `1 of 100 pages failed`.
    fn wrong(&self) -> String {
        let Tally { pages, failed, incomplete, .. } = *self;
        let of = plural(pages, "page");
        let are = if incomplete == 1 { "is" } else { "are" };
        match (pages, failed, incomplete) {
            (1, _, 0) => "the page failed".to_owned(),
            (1, _, _) => "the page is not whole".to_owned(),
            (_, failed, 0) => format!("{failed} of {of} failed"),
            (_, 0, incomplete) => format!("{incomplete} of {of} {are} not whole"),
            (_, failed, incomplete) => format!("{failed} of {of} failed and {incomplete} {are} not whole"),
        }
    }

    fn beside(&self, beside: &Option<String>) -> String {
        match beside {
            None => String::new(),
            Some(beside) if self.incomplete == 0 => {
                let other = self.pages - self.failed;
                let pages = if other == 1 { "page".to_owned() } else { format!("{other} pages") };
                format!(", the rows of the other {pages} are in {beside}")
            }
            Some(beside) => format!(", the rows that were found are in {beside}"),
        }
    }
}

/// Prints one line on standard error, without what would steer a terminal. If standard error is closed there is nobody to
/// tell.
pub(crate) fn tell(line: &str) {
    let _ = writeln!(io::stderr(), "{}", terminal::visible(line));
}

/// Prints an error on standard error.
pub(crate) fn tell_error(report: &Report) {
    // Its parts are safe; the colours of its frame are ours.
    let _ = writeln!(io::stderr(), "{}", diagnostics::draw(report));
}

/// Prints errors that have one cause, an empty line between them.
pub(crate) fn tell_errors(reports: &Reports) {
    for (number, report) in reports.0.iter().enumerate() {
        if number > 0 {
            tell("");
        }
        tell_error(report);
    }
}

/// Returns how a command ended, after its errors are printed.
pub(crate) fn ended(result: Result<Ending, Reports>) -> Ending {
    result.unwrap_or_else(|reports| {
        tell_errors(&reports);
        Ending::Failed
    })
}
