//! Where the learned wrapper is written, and in which format.

use std::io;
use std::path::{Path, PathBuf};

use miette::{Diagnostic, Report};
use windrow::Format;

use super::lists::Lists;
use crate::pending;

/// A place for rules.
#[derive(Debug)]
pub(crate) struct Destination {
    /// None for standard output.
    path: Option<PathBuf>,
    format: Format,
}

/// Why the rules are not written.
#[derive(Debug, thiserror::Error, Diagnostic)]
enum RulesError {
    #[error("the name `{path}` does not tell the format of the rules")]
    #[diagnostic(
        code(discover::unknown_format),
        help(
            "names end in .toml, .json, .tsimmis, .xml (WTM) or .xpath; records go to a file by: --format csv > FILE"
        )
    )]
    UnknownFormat { path: String },
    #[error("the rules and the records would both go to standard output")]
    #[diagnostic(code(discover::standard_output_twice), help("leave out --format, or give a file with -o"))]
    StandardTwice,
    #[error("cannot write `{path}`: {cause}")]
    #[diagnostic(code(output::unwritable))]
    Unwritable { path: String, cause: io::Error },
}

impl Destination {
    /// The place of this name. `records`: they are printed, too.
    pub(crate) fn new(name: &str, records: bool) -> Result<Destination, Report> {
        if name == "-" {
            return match records {
                true => Err(RulesError::StandardTwice.into()),
                false => Ok(Destination { path: None, format: Format::Toml }),
            };
        }
        let path = PathBuf::from(name);
        let extension = path.extension().and_then(|extension| extension.to_str());
        match extension.and_then(Format::from_extension) {
            Some(format) => Ok(Destination { path: Some(path), format }),
            None => Err(RulesError::UnknownFormat { path: name.to_owned() }.into()),
        }
    }

    /// Writes the rules; gives what is to be printed instead, if they go to standard output.
    pub(crate) fn write(&self, lists: &Lists) -> Result<String, Report> {
        let text = windrow::write_wrapper(&lists.wrapper, self.format).map_err(|errors| {
            // All say that the format lacks something; the first is as good as any.
            let first = errors.0.into_iter().next().map(Report::new);
            first.unwrap_or_else(|| miette::miette!("the rules cannot be written as {}", self.format))
        })?;
        let Some(path) = &self.path else { return Ok(text) };
        pending::write(path, text.as_bytes()).map_err(|cause| RulesError::Unwritable { path: shown(path), cause })?;
        Ok(String::new())
    }

    /// What was written.
    pub(crate) fn told(&self, lists: &Lists) -> Option<String> {
        let path = self.path.as_deref()?;
        Some(format!("wrote {}: {}", shown(path), lists.counts().join("; ")))
    }
}

fn shown(path: &Path) -> String {
    path.display().to_string()
}
