//! Domain files: read, checked whole before any page is, their errors drawn where they stand.
//!
//! A domain is given by its file or, if it comes along, by its name. What a file extends is looked for beside it.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;
use std::sync::Arc;

use miette::{NamedSource, Report};
use windrow::learn::domain::{Domain, Reader, file};
use windrow::wrapper::files::nearest;

use crate::run::{tell, tell_error};

/// A domain ready to read pages, and what it was asked for by.
#[derive(Debug)]
pub(crate) struct Words {
    /// As given; `-` is standard input.
    pub(crate) name: String,
    pub(crate) reader: Arc<Reader>,
}

/// Settings of the command line that overrule those of the domain.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Settings {
    /// The least confidence of a value that is kept.
    pub(crate) min_confidence: Option<f64>,
    /// The entropy of a data-rich node.
    pub(crate) data_rich: Option<f64>,
    /// The entropy of a list.
    pub(crate) list: Option<f64>,
}

/// Why there is no domain.
#[derive(Debug, thiserror::Error, miette::Diagnostic)]
enum FileError {
    #[error("there is no domain `{name}`, neither a file nor one that comes along")]
    #[diagnostic(code(domain::not_found), help("{hint}"))]
    NotFound { name: String, hint: String },
    #[error("cannot read the domain `{name}`: {cause}")]
    #[diagnostic(code(domain::unreadable))]
    Unreadable { name: String, cause: io::Error },
    #[error("the domain `{name}` is not UTF-8 text")]
    #[diagnostic(code(domain::not_text), help("a domain is a TOML file"))]
    NotText { name: String },
}

impl Words {
    /// Reads and checks a domain; if it is wrong, says so and gives none.
    pub(crate) fn open(name: &str) -> Option<Words> {
        Words::open_with(name, Settings::default())
    }

    /// The same, with settings of the command line.
    pub(crate) fn open_with(name: &str, settings: Settings) -> Option<Words> {
        let mut domain = domain(name)?;
        domain.thresholds.data_rich = settings.data_rich.unwrap_or(domain.thresholds.data_rich);
        domain.thresholds.list = settings.list.unwrap_or(domain.thresholds.list);
        match Reader::new(domain) {
            Ok(reader) => {
                let reader = match settings.min_confidence {
                    Some(least) => reader.at_least(least as f32),
                    None => reader,
                };
                Some(Words { name: name.to_owned(), reader: Arc::new(reader) })
            }
            Err(errors) => {
                errors.0.into_iter().for_each(|error| tell_error(&Report::new(error)));
                None
            }
        }
    }
}

/// The domain of this name or in this file; if it is wrong, says so and gives none.
pub(crate) fn domain(name: &str) -> Option<Domain> {
    // A directory that happens to be called `book` must not hide it; `./book` is a file.
    if let Some(domain) = Domain::shipped(name) {
        return Some(domain);
    }
    let text = text(name).map_err(|error| tell_error(&error.into())).ok()?;
    let directory = (name != "-").then(|| Path::new(name).parent().unwrap_or(Path::new("")));
    let beside = |other: &str| {
        // Files beside this one, not anywhere.
        let plain = Path::new(other).file_name().is_some_and(|plain| plain == other);
        read(&directory.filter(|_| plain)?.join(format!("{other}.toml"))).ok()?
    };
    match Domain::read(&text, &beside) {
        Ok(domain) => Some(domain),
        Err(errors) => {
            for (number, error) in errors.0.into_iter().enumerate() {
                if number > 0 {
                    tell("");
                }
                tell_error(&Report::new(error).with_source_code(NamedSource::new(name, text.clone())));
            }
            None
        }
    }
}

fn text(name: &str) -> Result<String, FileError> {
    let read = if name == "-" { bounded(io::stdin().lock()) } else { read(Path::new(name)) };
    match read {
        Ok(Some(text)) => Ok(text),
        Ok(None) => Err(FileError::NotText { name: name.to_owned() }),
        Err(cause) if cause.kind() == io::ErrorKind::NotFound => {
            Err(FileError::NotFound { name: name.to_owned(), hint: hint(name) })
        }
        Err(cause) => Err(FileError::Unreadable { name: name.to_owned(), cause }),
    }
}

/// The text of a file; none if it is no text.
fn read(path: &Path) -> io::Result<Option<String>> {
    bounded(File::open(path)?)
}

fn bounded(reader: impl Read) -> io::Result<Option<String>> {
    let mut bytes = Vec::new();
    // One byte more than may be: then it is said that the file is too large.
    reader.take(file::MAX_BYTES as u64 + 1).read_to_end(&mut bytes)?;
    Ok(String::from_utf8(bytes).ok())
}

/// What may have been meant by a name that is none.
fn hint(name: &str) -> String {
    let names: Vec<&str> = file::shipped().iter().map(|&(name, _)| name).collect();
    let bare = Path::new(name).file_stem().and_then(|stem| stem.to_str()).unwrap_or(name).to_lowercase();
    let near = nearest(&bare, names.iter().copied());
    let list = format!("those that come along: {}", names.join(", "));
    match near {
        Some(near) => format!("did you mean `{near}`? {list}"),
        None => list,
    }
}
