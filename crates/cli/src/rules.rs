//! Wrapper files: read, checked whole before any page is, their errors drawn where they stand.

use std::fs;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use miette::{NamedSource, Report};
use windrow::wrapper::files;
use windrow::xpath::Span;
use windrow::{Extractor, Format, Wrapper, WrapperErrors};

use crate::run::{tell, tell_error};

/// The text of a wrapper file.
#[derive(Debug)]
pub(crate) struct RulesFile {
    /// As given; `-` is standard input.
    pub(crate) name: String,
    pub(crate) text: String,
    pub(crate) format: Format,
}

/// A wrapper ready to run, and the file it is from.
#[derive(Debug)]
pub(crate) struct Rules {
    pub(crate) file: RulesFile,
    pub(crate) wrapper: Wrapper,
    pub(crate) extractor: Extractor,
    /// The byte at which each line begins.
    lines: Vec<usize>,
}

/// Why there is no text to read rules from.
#[derive(Debug, thiserror::Error, miette::Diagnostic)]
enum FileError {
    #[error("cannot read the wrapper `{name}`: {cause}")]
    #[diagnostic(code(wrapper::unreadable))]
    Unreadable { name: String, cause: io::Error },
    #[error("the wrapper `{name}` is not UTF-8 text")]
    #[diagnostic(code(wrapper::not_text), help("a wrapper is TOML, JSON, XML, bracket commands or a list of XPaths"))]
    NotText { name: String },
}

impl RulesFile {
    /// Reads a file, or standard input if the name is `-`.
    pub(crate) fn open(name: &str) -> Result<RulesFile, Report> {
        let bytes = match name {
            "-" => {
                let mut bytes = Vec::new();
                // One byte more than may be: then the reader says that it is too large.
                io::stdin().lock().take(files::MAX_BYTES as u64 + 1).read_to_end(&mut bytes).map(|_| bytes)
            }
            name => fs::read(name),
        };
        let bytes = bytes.map_err(|cause| FileError::Unreadable { name: name.to_owned(), cause })?;
        let text = String::from_utf8(bytes).map_err(|_| FileError::NotText { name: name.to_owned() })?;
        let extension = Path::new(name).extension().and_then(|extension| extension.to_str());
        let format = extension.and_then(Format::from_extension).unwrap_or_else(|| Format::guess(&text));
        Ok(RulesFile { name: name.to_owned(), text, format })
    }

    /// The name without its directories.
    pub(crate) fn short_name(&self) -> &str {
        Path::new(&self.name).file_name().and_then(|name| name.to_str()).unwrap_or(&self.name)
    }

    /// The directory that the file is in.
    pub(crate) fn directory(&self) -> Option<PathBuf> {
        if self.name == "-" {
            return None;
        }
        let parent = Path::new(&self.name).parent()?;
        Some(if parent.as_os_str().is_empty() { PathBuf::from(".") } else { parent.to_owned() })
    }

    /// Tells every error of the file where it stands.
    pub(crate) fn complain(&self, errors: WrapperErrors) {
        for (number, error) in errors.0.into_iter().enumerate() {
            if number > 0 {
                tell("");
            }
            let source = NamedSource::new(&self.name, self.text.clone());
            tell_error(&Report::new(error).with_source_code(source));
        }
    }
}

impl Rules {
    /// Reads and checks a wrapper; if it is wrong, says so and gives none.
    pub(crate) fn open(name: &str) -> Option<Rules> {
        let file = RulesFile::open(name).map_err(|report| tell_error(&report)).ok()?;
        let read = files::read(&file.text, file.format).and_then(|wrapper| {
            let extractor = Extractor::new(&wrapper)?;
            Ok((wrapper, extractor))
        });
        match read {
            Ok((wrapper, extractor)) => {
                let breaks = file.text.bytes().enumerate().filter(|(_, byte)| *byte == b'\n').map(|(at, _)| at + 1);
                let lines = std::iter::once(0).chain(breaks).collect();
                Some(Rules { file, wrapper, extractor, lines })
            }
            Err(errors) => {
                file.complain(errors);
                None
            }
        }
    }

    /// The line that a place of the file is in; the first is 1.
    pub(crate) fn line(&self, place: Span) -> usize {
        self.lines.partition_point(|&start| start <= place.start)
    }

    /// A rule's place for messages: `rules.toml:12`.
    pub(crate) fn place(&self, place: Option<Span>) -> String {
        match place {
            Some(place) => format!("{}:{}", self.file.short_name(), self.line(place)),
            None => self.file.short_name().to_owned(),
        }
    }
}
