//! The place of the records or of the wrapper: the ending of the file's name says which of the two.

use std::io::{self, IsTerminal};
use std::path::{Path, PathBuf};

use miette::{Diagnostic, Report};
use windrow::Format;
use windrow::discovery::Lists;
use windrow::discovery::render::FORMATS;
use windrow::format::OutputFormat;

use crate::args::{DiscoverArguments, DiscoverFormat};
use crate::output::Sink;
use windrow::atomic_file;

/// A form and a place.
#[derive(Debug)]
pub(crate) enum ListDestination {
    /// The records.
    Records { format: OutputFormat, path: Option<PathBuf> },
    /// The wrapper that finds them.
    Wrapper { format: Format, path: Option<PathBuf> },
}

/// Why nothing can be written.
#[derive(Debug, thiserror::Error, Diagnostic)]
enum ListDestinationError {
    #[error("the name `{path}` does not tell what to write")]
    #[diagnostic(
        code(discover::unknown_format),
        help(
            "records: .csv, .json, .jsonl, .ndjson, .xml, .oem or .txt (table); the wrapper that finds them: .toml, .tsimmis or .xpath"
        )
    )]
    UnknownFormat { path: String },
    #[error("`{path}` is the name of a wrapper, and --format {format} is a form of records")]
    #[diagnostic(
        code(discover::wrapper_or_records),
        help(
            "write the wrapper first: windrow discover PAGE -o {path}, then the records: windrow extract -w {path} PAGE --format {format}"
        )
    )]
    Contradiction { path: String, format: String },
    #[error("cannot write `{path}`: {cause}")]
    #[diagnostic(code(output::unwritable))]
    Unwritable { path: String, cause: io::Error },
}

impl ListDestination {
    /// Reads the command line.
    pub(crate) fn new(arguments: &DiscoverArguments) -> Result<ListDestination, Report> {
        let path = arguments.output.as_deref().filter(|path| *path != "-").map(PathBuf::from);
        let shown = |path: &Path| path.display().to_string();
        let wrapper = path.as_deref().and_then(wrapper_by_name);
        Ok(match (arguments.format, wrapper) {
            (Some(DiscoverFormat::Toml), _) => ListDestination::Wrapper { format: Format::Toml, path },
            (Some(format), Some(_)) => {
                let path = path.as_deref().map(shown).unwrap_or_default();
                let format = format.records().name().to_owned();
                return Err(ListDestinationError::Contradiction { path, format }.into());
            }
            (Some(format), None) => ListDestination::Records { format: format.records(), path },
            (None, Some(format)) => ListDestination::Wrapper { format, path },
            (None, None) => {
                let format = match &path {
                    Some(path) => records_by_name(path)
                        .ok_or_else(|| ListDestinationError::UnknownFormat { path: shown(path) })?,
                    None if io::stdout().is_terminal() => OutputFormat::Table,
                    None => OutputFormat::JSONL,
                };
                ListDestination::Records { format, path }
            }
        })
    }

    /// Returns `true` if the wrapper is wanted, not the records.
    pub(crate) fn is_wrapper(&self) -> bool {
        matches!(self, ListDestination::Wrapper { .. })
    }

    /// The file, if it is one.
    pub(crate) fn path(&self) -> Option<&Path> {
        match self {
            ListDestination::Records { path, .. } | ListDestination::Wrapper { path, .. } => path.as_deref(),
        }
    }

    /// The format of the records; none for a wrapper.
    pub(crate) fn format(&self) -> Option<OutputFormat> {
        match self {
            ListDestination::Records { format, .. } => Some(*format),
            ListDestination::Wrapper { .. } => None,
        }
    }

    /// Opens the place for records. A wrapper is written when it is known.
    pub(crate) fn open(&self) -> Result<Sink, Report> {
        let ListDestination::Records { path: Some(path), .. } = self else { return Ok(Sink::Standard) };
        let unwritable = |cause| ListDestinationError::Unwritable { path: path.display().to_string(), cause };
        Ok(Sink::file(path).map_err(unwritable)?)
    }

    /// Writes the wrapper; gives what is to be printed, if it goes to standard output.
    pub(crate) fn write_wrapper(&self, lists: &Lists) -> Result<String, Report> {
        let ListDestination::Wrapper { format, path } = self else { return Ok(String::new()) };
        let text = windrow::write_wrapper(&lists.wrapper, *format).map_err(|errors| {
            // All say that the format lacks something; the first is as good as any.
            let first = errors.0.into_iter().next().map(Report::new);
            first.unwrap_or_else(|| miette::miette!("the rules cannot be written as {format}"))
        })?;
        let Some(path) = path else { return Ok(text) };
        let unwritable = |cause| ListDestinationError::Unwritable { path: path.display().to_string(), cause };
        atomic_file::write(path, text.as_bytes()).map_err(unwritable)?;
        Ok(String::new())
    }
}

fn extension(path: &Path) -> Option<String> {
    Some(path.extension()?.to_str()?.to_ascii_lowercase())
}

/// The wrapper format of a file. Names that records have, such as `.json` and `.xml`, are not a wrapper's here:
/// `windrow fmt` writes wrappers so.
fn wrapper_by_name(path: &Path) -> Option<Format> {
    if records_by_name(path).is_some() {
        return None;
    }
    Format::from_extension(&extension(path)?)
}

fn records_by_name(path: &Path) -> Option<OutputFormat> {
    OutputFormat::from_path(path, &FORMATS)
}
