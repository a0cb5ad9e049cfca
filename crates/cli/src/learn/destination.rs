//! Where the learned wrapper goes, and in which format.

use std::io;
use std::path::{Path, PathBuf};

use miette::{Diagnostic, Report};
use windrow::{Format, atomic_file};

use crate::args::LearnArguments;
use crate::fmt;

/// A place for a wrapper.
#[derive(Debug)]
pub(crate) struct Destination {
    /// None for standard output.
    path: Option<PathBuf>,
    format: Format,
}

/// Why the wrapper is not written.
#[derive(Debug, thiserror::Error, Diagnostic)]
enum DestinationError {
    #[error("the name `{path}` does not tell the format of the rules")]
    #[diagnostic(
        code(learn::unknown_format),
        help("names end in .toml, .json, .tsimmis, .xml (WTM) or .xpath; else say --to FORMAT")
    )]
    UnknownFormat { path: String },
    #[error("cannot write `{path}`: {cause}")]
    #[diagnostic(code(output::unwritable))]
    Unwritable { path: String, cause: io::Error },
}

impl Destination {
    /// What the command line asks for.
    pub(crate) fn new(arguments: &LearnArguments) -> Result<Destination, Report> {
        let path = arguments.output.as_deref().filter(|path| *path != "-").map(PathBuf::from);
        let by_name = |path: &Path| path.extension()?.to_str().and_then(Format::from_extension);
        let format = match (arguments.to, &path) {
            (Some(to), _) => to.into(),
            (None, None) => Format::Toml,
            (None, Some(path)) => {
                by_name(path).ok_or_else(|| DestinationError::UnknownFormat { path: path.display().to_string() })?
            }
        };
        Ok(Destination { path, format })
    }

    /// Writes the text of a wrapper, whole or not at all.
    pub(crate) fn write(&self, text: &str) -> Result<(), Report> {
        let written = match &self.path {
            Some(path) => atomic_file::write(path, text.as_bytes()),
            None => fmt::print(text),
        };
        written.map_err(|cause| DestinationError::Unwritable { path: self.name(), cause }.into())
    }

    /// The format that is written.
    pub(crate) fn format(&self) -> Format {
        self.format
    }

    /// Whether the wrapper is printed on standard output.
    pub(crate) fn is_standard(&self) -> bool {
        self.path.is_none()
    }

    /// Whether the format can say nothing but which tokens stand around a value.
    pub(crate) fn takes_landmarks_alone(&self) -> bool {
        self.format == Format::Wtm
    }

    /// What was done with it.
    pub(crate) fn told(&self) -> String {
        match &self.path {
            Some(_) => format!("wrote {}", self.name()),
            None => "learned".to_owned(),
        }
    }

    fn name(&self) -> String {
        self.path.as_ref().map_or_else(|| "standard output".to_owned(), |path| path.display().to_string())
    }
}
