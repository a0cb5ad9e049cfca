//! The place of the output and its format: by options, the ending of a file's name, or the kind of standard output.

use std::io::{self, IsTerminal};
use std::path::{Path, PathBuf};

use miette::{Diagnostic, Report};

use crate::terminal;
use windrow::format::OutputFormat;
use windrow::format::printer::Room;

use crate::args::{ExtractArguments, RowLimit};
use crate::output::Sink;

/// The way to get what a table has no room for.
const ALL: &str = "--format csv shows all";

/// A format and a place.
#[derive(Debug)]
pub(crate) struct RecordDestination {
    pub(crate) format: OutputFormat,
    place: Place,
}

#[derive(Debug)]
enum Place {
    Standard,
    File(PathBuf),
    Directory(PathBuf),
}

/// Why nothing can be written.
#[derive(Debug, thiserror::Error, Diagnostic)]
enum RecordDestinationError {
    #[error("the name `{path}` does not tell the format")]
    #[diagnostic(
        code(output::unknown_format),
        help("names end in {}; else say --format", OutputFormat::list_endings(&OutputFormat::RECORDS))
    )]
    UnknownFormat { path: String },
    #[error("a terminal cannot show {format}")]
    #[diagnostic(code(output::terminal), help("write a file with -o FILE, or give the output to a program"))]
    Terminal { format: &'static str },
    #[error("several files are written only as CSV")]
    #[diagnostic(code(output::several_files), help("leave out --format, or give one file with -o"))]
    OnlyCsv,
    #[error("--explain is printed as an outline or as JSON only")]
    #[diagnostic(code(output::explain), help("leave out --format, or say --format json or --format jsonl"))]
    Explain,
    #[error("cannot write `{path}`: {cause}")]
    #[diagnostic(code(output::unwritable))]
    Unwritable { path: String, cause: io::Error },
}

impl RecordDestination {
    /// Reads the command line.
    pub(crate) fn new(arguments: &ExtractArguments) -> Result<RecordDestination, Report> {
        let place = match (&arguments.csv_dir, &arguments.output) {
            (Some(directory), _) => Place::Directory(directory.into()),
            (None, Some(path)) if path == "-" => Place::Standard,
            (None, Some(path)) if path.ends_with(['/', std::path::MAIN_SEPARATOR]) || Path::new(path).is_dir() => {
                Place::Directory(path.into())
            }
            (None, Some(path)) => Place::File(path.into()),
            (None, None) => Place::Standard,
        };
        let format = match (&place, arguments.format) {
            (Place::Directory(_), None | Some(OutputFormat::CSV)) => OutputFormat::CSV,
            (Place::Directory(_), Some(_)) => return Err(RecordDestinationError::OnlyCsv.into()),
            (_, Some(format)) => format,
            (Place::File(path), None) => OutputFormat::from_path(path, &OutputFormat::RECORDS)
                .ok_or_else(|| RecordDestinationError::UnknownFormat { path: path.display().to_string() })?,
            // An outline is for people wherever it goes.
            (Place::Standard, None) if arguments.explain || io::stdout().is_terminal() => OutputFormat::Table,
            (Place::Standard, None) => OutputFormat::JSONL,
        };
        let is_shown = matches!(format, OutputFormat::Table | OutputFormat::Json | OutputFormat::JSONL);
        if arguments.explain && !is_shown {
            return Err(RecordDestinationError::Explain.into());
        }
        if matches!(place, Place::Standard) && format.is_binary() && io::stdout().is_terminal() {
            return Err(RecordDestinationError::Terminal { format: format.name() }.into());
        }
        Ok(RecordDestination { format, place })
    }

    /// Returns `true` if there is a file for each list.
    pub(crate) fn is_directory(&self) -> bool {
        matches!(self.place, Place::Directory(_))
    }

    /// Opens it; `files` are the names of those in a directory.
    pub(crate) fn open(&self, files: &[String]) -> Result<Sink, Report> {
        let fail = |path: &Path, cause| RecordDestinationError::Unwritable { path: path.display().to_string(), cause };
        match &self.place {
            Place::Standard => Ok(Sink::Standard),
            Place::File(path) => Ok(Sink::file(path).map_err(|cause| fail(path, cause))?),
            Place::Directory(path) => Ok(Sink::directory(path, files).map_err(|cause| fail(path, cause))?),
        }
    }

    /// The room that tables have there.
    pub(crate) fn room(&self, rows: Option<RowLimit>) -> Room {
        match self.place {
            Place::Standard => terminal::room(rows, ALL),
            Place::File(_) | Place::Directory(_) => terminal::room_in_file(rows, ALL),
        }
    }
}
