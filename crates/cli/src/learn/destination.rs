//! The place and the format of the learned wrapper.

use std::io;
use std::path::{Path, PathBuf};

use miette::{Diagnostic, Report};
use windrow::{Format, atomic_file};

use crate::args::LearnArguments;
use crate::fmt;

/// A place for a wrapper.
#[derive(Debug)]
pub(crate) struct WrapperDestination {
    /// None for standard output.
    path: Option<PathBuf>,
    format: Format,
}

/// Why the wrapper is not written.
#[derive(Debug, thiserror::Error, Diagnostic)]
enum WrapperDestinationError {
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

impl WrapperDestination {
    /// Reads the command line.
    pub(crate) fn new(arguments: &LearnArguments) -> Result<WrapperDestination, Report> {
        let path = arguments.output.as_deref().filter(|path| *path != "-").map(PathBuf::from);
        let by_name = |path: &Path| path.extension()?.to_str().and_then(Format::from_extension);
        let format = match (arguments.to, &path) {
            (Some(to), _) => to.into(),
            (None, None) => Format::Toml,
            (None, Some(path)) => by_name(path)
                .ok_or_else(|| WrapperDestinationError::UnknownFormat { path: path.display().to_string() })?,
        };
        Ok(WrapperDestination { path, format })
    }

    /// Writes the text of a wrapper, whole or not at all.
    pub(crate) fn write(&self, text: &str) -> Result<(), Report> {
        let written = match &self.path {
            Some(path) => atomic_file::write(path, text.as_bytes()),
            None => fmt::print(text),
        };
        written.map_err(|cause| WrapperDestinationError::Unwritable { path: self.name(), cause }.into())
    }

    /// The format that is written.
    pub(crate) fn format(&self) -> Format {
        self.format
    }

    /// Returns `true` if the wrapper is printed on standard output.
    pub(crate) fn is_standard(&self) -> bool {
        self.path.is_none()
    }

    /// Returns `true` if the format can say nothing but which tokens stand around a value.
    pub(crate) fn takes_landmarks_alone(&self) -> bool {
        self.format == Format::Wtm
    }

    /// Describes what was done.
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
