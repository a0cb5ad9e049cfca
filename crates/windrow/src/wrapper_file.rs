//! Wrapper files: read and checked before any page is; each error points at its place in the file.

use std::fs;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use crate::wrapper::files;
use crate::xpath::Span;
use crate::{Extractor, Format, Wrapper, WrapperErrors};
use miette::{NamedSource, Report};

use crate::monitor::Reports;

/// The text of a wrapper file.
#[derive(Debug)]
pub struct WrapperText {
    /// As given; `-` is standard input.
    pub name: String,
    /// The text.
    pub text: String,
    /// The format of the text.
    pub format: Format,
}

/// A wrapper ready to run, and the file it is from.
#[derive(Debug)]
pub struct WrapperFile {
    /// The text of the file.
    pub file: WrapperText,
    /// The wrapper.
    pub wrapper: Wrapper,
    /// The wrapper, ready to run.
    pub extractor: Extractor,
    /// The byte at which each line begins.
    lines: Vec<usize>,
}

/// An error that leaves no text to read rules from.
#[derive(Debug, thiserror::Error, miette::Diagnostic)]
enum WrapperFileError {
    #[error("cannot read the wrapper `{name}`: {cause}")]
    #[diagnostic(code(wrapper::unreadable))]
    Unreadable { name: String, cause: io::Error },
    #[error("the wrapper `{name}` is not UTF-8 text")]
    #[diagnostic(code(wrapper::not_text), help("a wrapper is TOML, JSON, XML, bracket commands or a list of XPaths"))]
    NotText { name: String },
}

impl WrapperText {
    /// Reads a file, or standard input if the name is `-`.
    pub fn open(name: &str) -> Result<WrapperText, Report> {
        let bytes = match name {
            "-" => {
                let mut bytes = Vec::new();
                // One byte more than may be: then the reader says that it is too large.
                io::stdin().lock().take(files::MAX_BYTES as u64 + 1).read_to_end(&mut bytes).map(|_| bytes)
            }
            name => fs::read(name),
        };
        let bytes = bytes.map_err(|cause| WrapperFileError::Unreadable { name: name.to_owned(), cause })?;
        let text = String::from_utf8(bytes).map_err(|_| WrapperFileError::NotText { name: name.to_owned() })?;
        let extension = Path::new(name).extension().and_then(|extension| extension.to_str());
        let format = extension.and_then(Format::from_extension).unwrap_or_else(|| Format::guess(&text));
        Ok(WrapperText { name: name.to_owned(), text, format })
    }

    /// Returns the name without its directories.
    pub fn short_name(&self) -> &str {
        Path::new(&self.name).file_name().and_then(|name| name.to_str()).unwrap_or(&self.name)
    }

    /// Returns the directory of the file; none for standard input.
    pub fn directory(&self) -> Option<PathBuf> {
        if self.name == "-" {
            return None;
        }
        let parent = Path::new(&self.name).parent()?;
        Some(if parent.as_os_str().is_empty() { PathBuf::from(".") } else { parent.to_owned() })
    }

    /// Returns every error of the file as a report that points at its place.
    pub fn reports(&self, errors: WrapperErrors) -> Reports {
        let source = || NamedSource::new(&self.name, self.text.clone());
        Reports(errors.0.into_iter().map(|error| Report::new(error).with_source_code(source())).collect())
    }
}

impl WrapperFile {
    /// Reads and checks a wrapper.
    ///
    /// # Errors
    ///
    /// The file cannot be read, or it has mistakes: all of them.
    pub fn open(name: &str) -> Result<WrapperFile, Reports> {
        let file = WrapperText::open(name)?;
        let read = files::read(&file.text, file.format).and_then(|wrapper| {
            let extractor = Extractor::new(&wrapper)?;
            Ok((wrapper, extractor))
        });
        let (wrapper, extractor) = read.map_err(|errors| file.reports(errors))?;
        let breaks = file.text.bytes().enumerate().filter(|(_, byte)| *byte == b'\n').map(|(at, _)| at + 1);
        let lines = std::iter::once(0).chain(breaks).collect();
        Ok(WrapperFile { file, wrapper, extractor, lines })
    }

    /// Returns the name of the wrapper in a store: its own, or that of its file.
    pub fn store_name(&self) -> String {
        self.wrapper.name.clone().unwrap_or_else(|| {
            let stem = Path::new(&self.file.name).file_stem().and_then(|stem| stem.to_str());
            stem.filter(|stem| *stem != "-").unwrap_or("wrapper").to_owned()
        })
    }

    /// Returns the line of a place in the file; the first is 1.
    pub fn line(&self, place: Span) -> usize {
        self.lines.partition_point(|&start| start <= place.start)
    }

    /// Returns a rule's place for messages: `rules.toml:12`.
    pub fn place(&self, place: Option<Span>) -> String {
        match place {
            Some(place) => format!("{}:{}", self.file.short_name(), self.line(place)),
            None => self.file.short_name().to_owned(),
        }
    }
}
