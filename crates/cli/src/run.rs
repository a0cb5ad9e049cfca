//! One run over the pages: read and work in parallel, print in the arguments' order, tell what went wrong.
//!
//! A page that fails is told and the others go on; the run then ends as failed.

use std::io::{self, Write};
use std::ops::ControlFlow;
use std::thread::available_parallelism;

use miette::Report;

use crate::args::Reading;
use crate::ordered;
use crate::output::{Output, Stop};
use crate::pages::{self, Page};
use crate::printer::{Block, Printer};

/// How a run ended: its exit code.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Ending {
    /// Something was found.
    Found,
    /// Nothing was found.
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
}

/// Runs `work` on every page that the arguments mean, and prints what it makes.
pub(crate) fn over_pages(
    arguments: &[String],
    reading: &Reading,
    mut printer: Printer,
    work: impl Fn(&Page) -> Result<Rendered, Report> + Sync,
) -> Ending {
    let sources = pages::find(arguments);
    let output = Output::new(sources.len(), reading.quiet);
    let threads = reading.threads.or_else(|| available_parallelism().ok()).map_or(1, |threads| threads.get());
    let (mut found, mut failed) = (false, false);
    let mut flow = ordered::map(
        sources,
        threads,
        |source| {
            let page = source?.read(reading.charset)?;
            let notes: Vec<String> =
                page.document.notes().iter().map(|note| format!("note: {}: {note}", page.name)).collect();
            Ok((work(&page)?, notes))
        },
        |result: Result<(Rendered, Vec<String>), Report>| {
            match result {
                Ok((rendered, notes)) => {
                    found |= rendered.found;
                    output.write(&printer.print(rendered.block))?;
                    if !reading.quiet {
                        output.aside(|| notes.iter().for_each(|note| tell(note)));
                    }
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
    if flow.is_continue() {
        flow = output.write(&printer.end());
    }
    drop(output);
    if let ControlFlow::Break(Stop::Failed(error)) = flow {
        tell_error(&miette::miette!(code = "output::failed", "cannot write the output: {error}"));
        return Ending::Failed;
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
