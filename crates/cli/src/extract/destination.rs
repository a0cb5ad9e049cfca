//! Where the output goes and in which format: options, the ending of a file's name, or what standard output is.

use std::io::{self, IsTerminal};
use std::path::{Path, PathBuf};

use miette::{Diagnostic, Report};

use crate::args::{ExtractArguments, ExtractFormat, RowLimit};
use crate::output::Sink;
use crate::printer::Room;

/// How to get what a table has no room for.
const ALL: &str = "--format csv shows all";

/// A format and a place.
#[derive(Debug)]
pub(crate) struct Destination {
    pub(crate) format: ExtractFormat,
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
enum DestinationError {
    #[error("the name `{path}` does not tell the format")]
    #[diagnostic(
        code(output::unknown_format),
        help("names end in .txt (table), .json, .jsonl, .ndjson, .csv, .xml or .oem; else say --format")
    )]
    UnknownFormat { path: String },
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

impl Destination {
    /// What the command line asks for.
    pub(crate) fn new(arguments: &ExtractArguments) -> Result<Destination, Report> {
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
            (Place::Directory(_), None | Some(ExtractFormat::Csv)) => ExtractFormat::Csv,
            (Place::Directory(_), Some(_)) => return Err(DestinationError::OnlyCsv.into()),
            (_, Some(format)) => format,
            (Place::File(path), None) => {
                by_name(path).ok_or_else(|| DestinationError::UnknownFormat { path: path.display().to_string() })?
            }
            // An outline is for people wherever it goes.
            (Place::Standard, None) if arguments.explain || io::stdout().is_terminal() => ExtractFormat::Table,
            (Place::Standard, None) => ExtractFormat::Jsonl,
        };
        use ExtractFormat::{Json, Jsonl, Table};
        if arguments.explain && !matches!(format, Table | Json | Jsonl) {
            return Err(DestinationError::Explain.into());
        }
        Ok(Destination { format, place })
    }

    /// Whether there is a file for each list.
    pub(crate) fn is_directory(&self) -> bool {
        matches!(self.place, Place::Directory(_))
    }

    /// Opens it; `files` are the names of those in a directory.
    pub(crate) fn open(&self, files: &[String]) -> Result<Sink, Report> {
        let fail = |path: &Path, cause| DestinationError::Unwritable { path: path.display().to_string(), cause };
        match &self.place {
            Place::Standard => Ok(Sink::Standard),
            Place::File(path) => Ok(Sink::file(path).map_err(|cause| fail(path, cause))?),
            Place::Directory(path) => Ok(Sink::directory(path, files).map_err(|cause| fail(path, cause))?),
        }
    }

    /// The room that tables have there.
    pub(crate) fn room(&self, rows: Option<RowLimit>) -> Room {
        match self.place {
            Place::Standard => Room::standard(rows, ALL),
            Place::File(_) | Place::Directory(_) => Room::file(rows, ALL),
        }
    }
}

fn by_name(path: &Path) -> Option<ExtractFormat> {
    Some(match path.extension()?.to_str()?.to_ascii_lowercase().as_str() {
        "txt" => ExtractFormat::Table,
        "json" => ExtractFormat::Json,
        "jsonl" | "ndjson" => ExtractFormat::Jsonl,
        "csv" => ExtractFormat::Csv,
        "xml" => ExtractFormat::Xml,
        "oem" => ExtractFormat::Oem,
        _ => return None,
    })
}
