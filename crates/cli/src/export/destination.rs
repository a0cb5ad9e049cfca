//! The place of an export and its format: by an option, the ending of a file's name, or JSON Lines.

use std::io::{self, IsTerminal, Write};
use std::ops::ControlFlow;
use std::path::PathBuf;

use miette::{Diagnostic, Report};
use windrow::format::OutputFormat;
use windrow::store::export::Format;

use crate::args::{EXPORT_FORMATS, ExportArguments};
use crate::output::{Console, Outcome, Output, Placed, Sink, Stop};

/// Bytes that are handed over together.
const BLOCK: usize = 64 << 10;

/// A format and a place.
#[derive(Debug)]
pub(super) struct ExportDestination {
    pub(super) format: Format,
    /// None for standard output.
    path: Option<PathBuf>,
}

/// Why nothing can be written.
#[derive(Debug, thiserror::Error, Diagnostic)]
enum ExportDestinationError {
    #[error("the name `{path}` does not tell the format")]
    #[diagnostic(
        code(export::unknown_format),
        help("names end in {}; else say --format", OutputFormat::list_endings(&EXPORT_FORMATS))
    )]
    UnknownFormat { path: String },
    #[error("a terminal cannot show {format}")]
    #[diagnostic(code(export::terminal), help("write a file with -o FILE, or give the output to a program"))]
    Terminal { format: &'static str },
    #[error("cannot write `{path}`: {cause}")]
    #[diagnostic(code(output::unwritable))]
    Unwritable { path: String, cause: io::Error },
    #[error("cannot write the output: {cause}")]
    #[diagnostic(code(output::failed))]
    Output { cause: io::Error },
}

impl ExportDestination {
    /// Reads the command line.
    pub(super) fn new(arguments: &ExportArguments) -> Result<ExportDestination, Report> {
        let path = arguments.output.clone().filter(|path| path.as_os_str() != "-");
        let format = match (arguments.format, &path) {
            (Some(OutputFormat::Export(format)), _) => format,
            (_, None) => Format::Jsonl,
            (_, Some(path)) => Format::from_path(path)
                .ok_or_else(|| ExportDestinationError::UnknownFormat { path: path.display().to_string() })?,
        };
        if path.is_none() && format.is_binary() && io::stdout().is_terminal() {
            return Err(ExportDestinationError::Terminal { format: format.name() }.into());
        }
        Ok(ExportDestination { format, path })
    }

    /// Returns `true` if it is a file.
    pub(super) fn is_file(&self) -> bool {
        self.path.is_some()
    }

    /// Opens it.
    pub(super) fn open<'c>(&self, console: &'c Console) -> Result<Writer<'c>, Report> {
        let sink = match &self.path {
            Some(path) => Sink::file(path).map_err(|cause| self.unwritable(cause))?,
            None => Sink::Standard,
        };
        let output = Output::new(sink, console);
        Ok(Writer { output, waiting: Vec::new(), whole: 0, lines: !self.format.is_binary(), closed: false })
    }

    /// Describes what was done.
    pub(super) fn told(&self) -> String {
        match &self.path {
            Some(path) => format!("wrote {}", path.display()),
            None => "printed".to_owned(),
        }
    }

    /// Why it cannot be written.
    pub(super) fn unwritable(&self, cause: io::Error) -> Report {
        match &self.path {
            Some(path) => ExportDestinationError::Unwritable { path: path.display().to_string(), cause }.into(),
            None => ExportDestinationError::Output { cause }.into(),
        }
    }
}

/// Takes the bytes of an export, and hands them over in blocks: of whole lines, if the format has lines.
pub(super) struct Writer<'c> {
    output: Output<'c>,
    waiting: Vec<u8>,
    /// Number of bytes that can be handed over.
    whole: usize,
    lines: bool,
    /// True if nobody reads any more.
    closed: bool,
}

impl Writer<'_> {
    /// Puts a file in its place; one without rows replaces no other.
    pub(super) fn finish(mut self, rows: u64) -> io::Result<Placed> {
        self.whole = self.waiting.len();
        self.hand_over()?;
        self.output.finish(if rows > 0 { Outcome::Found } else { Outcome::Nothing })
    }

    /// Returns `true` if nobody reads any more.
    pub(super) fn is_closed(&self) -> bool {
        self.closed
    }

    fn hand_over(&mut self) -> io::Result<()> {
        let flow = self.output.write(0, &self.waiting[..self.whole]);
        self.waiting.drain(..self.whole);
        self.whole = 0;
        match flow {
            ControlFlow::Continue(()) => Ok(()),
            ControlFlow::Break(Stop::Failed(error)) => Err(error),
            ControlFlow::Break(Stop::Closed) => {
                self.closed = true;
                Err(io::ErrorKind::BrokenPipe.into())
            }
        }
    }
}

impl Write for Writer<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let before = self.waiting.len();
        self.waiting.extend_from_slice(bytes);
        if self.lines {
            let end = bytes.iter().rposition(|byte| *byte == b'\n');
            self.whole = end.map_or(self.whole, |end| before + end + 1);
        } else {
            self.whole = self.waiting.len()
        }
        if self.whole >= BLOCK {
            self.hand_over()?;
        }
        Ok(bytes.len())
    }

    /// Formats flush as they please; blocks are handed over when they are full, and the last one at the end.
    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
