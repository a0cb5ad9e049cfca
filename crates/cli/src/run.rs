//! One run over the pages: read and work in parallel, print in the arguments' order, tell what went wrong.
//!
//! A page that fails is told and the others go on; the run then ends as failed.

use std::io::{self, Write};
use std::ops::ControlFlow;
use std::thread::available_parallelism;

use miette::Report;

use crate::args::Reading;
use crate::ordered;
use crate::output::{Output, Sink, Stop};
use crate::pages::{self, Opener, Page, Source, Sources};
use crate::printer::{Block, Printer};

/// How a run ended: its exit code.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Ending {
    /// Something was found.
    Found,
    /// Nothing was found, or less than was asked for.
    Nothing,
    /// There was an error, and it was told.
    Failed,
}

/// What a command made of one page.
#[derive(Debug)]
pub(crate) struct Rendered {
    /// What to print.
    pub(crate) block: Block,
    /// Whether that is a find.
    pub(crate) found: bool,
    /// Lines for standard error, left out if the run is to be quiet.
    pub(crate) notes: Vec<String>,
    /// Lines for standard error that are told in any case; the run then ends as failed.
    pub(crate) errors: Vec<String>,
}

impl Rendered {
    /// Something to print and nothing to tell.
    pub(crate) fn new(block: Block, found: bool) -> Rendered {
        Rendered { block, found, notes: Vec::new(), errors: Vec::new() }
    }
}

/// Runs `work` on the document of every page that the arguments mean, and prints what it makes.
pub(crate) fn over_pages(
    arguments: &[String],
    reading: &Reading,
    printer: Printer,
    work: impl Fn(&Page) -> Result<Rendered, Report> + Sync,
) -> Ending {
    let opener = match Opener::new(reading) {
        Ok(opener) => opener,
        Err(report) => {
            tell_error(&report);
            return Ending::Failed;
        }
    };
    over_sources(pages::find(arguments, reading), reading, printer, Sink::Standard, |source| {
        let page = opener.read(source)?;
        let notes = page.document.notes().iter().map(|note| format!("note: {}: {note}", page.name)).collect();
        Ok(Rendered { notes, ..work(&page)? })
    })
}

/// Runs `work` on every page, and prints what it makes.
pub(crate) fn over_sources(
    sources: Sources<'_>,
    reading: &Reading,
    printer: Printer,
    sink: Sink,
    work: impl Fn(&Source) -> Result<Rendered, Report> + Sync,
) -> Ending {
    over_numbered(sources, reading, printer, sink, |_, source| work(source?))
}

/// The same with the number of each page, also of those that cannot be found; the first is 0.
pub(crate) fn over_numbered(
    sources: Sources<'_>,
    reading: &Reading,
    mut printer: Printer,
    sink: Sink,
    work: impl Fn(usize, Result<&Source, Report>) -> Result<Rendered, Report> + Sync,
) -> Ending {
    let mut output = Output::new(sink, sources.count, reading.quiet);
    let threads = reading.threads.or_else(|| available_parallelism().ok()).map_or(1, |threads| threads.get());
    let (mut found, mut failed) = (false, false);
    let mut flow = ordered::map(
        sources.enumerate(),
        threads,
        |(number, source)| match source {
            Ok(source) => work(number, Ok(&source)),
            Err(error) => work(number, Err(error.into())),
        },
        |result: Result<Rendered, Report>| {
            match result {
                Ok(rendered) => {
                    found |= rendered.found;
                    failed |= !rendered.errors.is_empty();
                    for (file, bytes) in printer.print(rendered.block) {
                        output.write(file, &bytes)?;
                    }
                    let notes = rendered.notes.iter().filter(|_| !reading.quiet);
                    output.aside(|| rendered.errors.iter().chain(notes).for_each(|line| tell(line)));
                }
                Err(report) => {
                    failed = true;
                    output.aside(|| tell_error(&report));
                }
            }
            output.advance();
            ControlFlow::Continue(())
        },
    );
    for (file, bytes) in printer.end() {
        if flow.is_continue() {
            flow = output.write(file, &bytes);
        }
    }
    let written = match flow {
        ControlFlow::Break(Stop::Failed(error)) => {
            drop(output);
            Err(error)
        }
        _ => output.finish(),
    };
    if let Err(error) = written {
        tell_error(&miette::miette!(code = "output::failed", "cannot write the output: {error}"));
        return Ending::Failed;
    }
    if !reading.quiet {
        printer.notes().iter().for_each(|note| tell(note));
    }
    match (failed, found) {
        (true, _) => Ending::Failed,
        (false, true) => Ending::Found,
        (false, false) => Ending::Nothing,
    }
}

/// Prints one line on standard error. If that is closed there is nobody to tell.
pub(crate) fn tell(line: &str) {
    let _ = writeln!(io::stderr(), "{line}");
}

/// Prints an error on standard error.
pub(crate) fn tell_error(report: &Report) {
    tell(format!("{report:?}").trim_end());
}
