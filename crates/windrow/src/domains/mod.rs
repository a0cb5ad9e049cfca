//! Domain files: read and checked before any page is; each error points at its place in the file.
//!
//! A domain is given by its file or, if it comes along, by its name. What a file extends is looked for beside it.

pub mod explained;
pub mod notes;
pub mod report;
pub mod tally;

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;
use std::sync::Arc;

use crate::learn::domain::{Domain, Plan, Reader, Site, file};
use crate::wrapper::files::nearest;
use miette::{NamedSource, Report};

use self::notes::PageNotes;
use crate::monitor::Reports;
use crate::turns::Turn;
use crate::{Extraction, Page};

/// A domain ready to read pages, and what it was asked for by.
#[derive(Debug)]
pub struct DomainFile {
    /// As given; `-` is standard input.
    pub name: String,
    /// Reader of pages by the domain.
    pub reader: Arc<Reader>,
}

/// Settings of the command line that overrule those of the domain.
#[derive(Debug, Clone, Copy, Default)]
pub struct Settings {
    /// The least confidence of a value that is kept.
    pub min_confidence: Option<f64>,
    /// The entropy of a data-rich node.
    pub data_rich: Option<f64>,
    /// The entropy of a list.
    pub list: Option<f64>,
}

/// Why there is no domain.
#[derive(Debug, thiserror::Error, miette::Diagnostic)]
enum DomainFileError {
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

impl DomainFile {
    /// Reads and checks a domain.
    ///
    /// # Errors
    ///
    /// The file cannot be read, or it has mistakes: all of them.
    pub fn open(name: &str) -> Result<DomainFile, Reports> {
        DomainFile::open_with(name, Settings::default())
    }

    /// Reads and checks a domain, and overrules some of its settings.
    ///
    /// # Errors
    ///
    /// The file cannot be read, or it has mistakes: all of them.
    pub fn open_with(name: &str, settings: Settings) -> Result<DomainFile, Reports> {
        let mut domain = domain(name)?;
        domain.thresholds.data_rich = settings.data_rich.unwrap_or(domain.thresholds.data_rich);
        domain.thresholds.list = settings.list.unwrap_or(domain.thresholds.list);
        let reader = Reader::new(domain).map_err(|errors| Reports(errors.0.into_iter().map(Report::new).collect()))?;
        let reader = match settings.min_confidence {
            Some(least) => reader.at_least(least as f32),
            None => reader,
        };
        Ok(DomainFile { name: name.to_owned(), reader: Arc::new(reader) })
    }
}

/// Returns the domain of this name or in this file.
///
/// # Errors
///
/// The file cannot be read, or it has mistakes: all of them.
pub fn domain(name: &str) -> Result<Domain, Reports> {
    // A directory that happens to be called `book` must not hide it; `./book` is a file.
    if let Some(domain) = Domain::shipped(name) {
        return Ok(domain);
    }
    let text = text(name)?;
    let directory = (name != "-").then(|| Path::new(name).parent().unwrap_or(Path::new("")));
    let beside = |other: &str| {
        // Files beside this one, not anywhere.
        let plain = Path::new(other).file_name().is_some_and(|plain| plain == other);
        read(&directory.filter(|_| plain)?.join(format!("{other}.toml"))).ok()?
    };
    Domain::read(&text, &beside).map_err(|errors| {
        let source = || NamedSource::new(name, text.clone());
        Reports(errors.0.into_iter().map(|error| Report::new(error).with_source_code(source())).collect())
    })
}

/// Reads a page by a domain's words.
pub fn read_page(words: &DomainFile, name: &str, page: &Arc<Page>) -> (Extraction, PageNotes) {
    let reading = words.reader.read(page);
    (words.reader.extraction(page.clone(), &reading), PageNotes::new(name, &words.reader, &reading))
}

/// Extracts a page by the wrapper of its template if one was learned, else reads it by the domain's words and learns
/// from it.
pub fn learned(words: &DomainFile, name: &str, page: &Arc<Page>, turn: Turn<'_, Site>) -> (Extraction, PageNotes) {
    let planned = turn.take(|site| match site.plan(page) {
        Plan::Wrapper(wrapper) => Err(wrapper),
        Plan::Read(ticket) => {
            let reading = words.reader.read(page);
            site.learn(ticket, page, &reading);
            Ok(reading)
        }
    });
    match planned {
        Ok(reading) => (words.reader.extraction(page.clone(), &reading), PageNotes::new(name, &words.reader, &reading)),
        Err(wrapper) => match wrapper.extract(page) {
            Some(extraction) => {
                let notes = PageNotes::by_wrapper(name, extraction.len(), wrapper.confidence());
                (extraction, notes)
            }
            None => read_page(words, name, page),
        },
    }
}

fn text(name: &str) -> Result<String, DomainFileError> {
    let read = if name == "-" { bounded(io::stdin().lock()) } else { read(Path::new(name)) };
    match read {
        Ok(Some(text)) => Ok(text),
        Ok(None) => Err(DomainFileError::NotText { name: name.to_owned() }),
        Err(cause) if cause.kind() == io::ErrorKind::NotFound => {
            Err(DomainFileError::NotFound { name: name.to_owned(), hint: hint(name) })
        }
        Err(cause) => Err(DomainFileError::Unreadable { name: name.to_owned(), cause }),
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

/// Suggests names for one that is unknown.
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
