//! Pages for a wrapper: which they are, how much of them is read, and where those they lead to are.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use miette::{Diagnostic, Report};
use url::Url;
use windrow::dom::{Limits, Note};
use windrow::wrapper::values::date::Date;
use windrow::{Document, Extraction, Page};

use super::follow::Neighbours;
use crate::args::{ExtractArguments, Reading};
use crate::pages::{self, PageError, Source, is_url};
use crate::rules::Rules;

/// Reads pages for one wrapper.
#[derive(Debug)]
pub(crate) struct Reader<'a> {
    rules: &'a Rules,
    pages: Vec<String>,
    /// Whether a tree is wanted in any case.
    documents: bool,
    charset: Option<&'static str>,
    url: Option<Url>,
    at: Option<Date>,
}

/// Why there are no pages.
#[derive(Debug, thiserror::Error, Diagnostic)]
enum ReadingError {
    #[error("no page was given, and the wrapper `{wrapper}` has no `url`")]
    #[diagnostic(code(extract::no_page), help("give a page: windrow extract -w {wrapper} PAGE..."))]
    NoPage { wrapper: String },
    #[error("no page was given, and the wrapper's `{url}` cannot be fetched yet")]
    #[diagnostic(code(extract::url), help("save the page and give the file: windrow extract -w {wrapper} PAGE"))]
    Url { url: String, wrapper: String },
    #[error("--url is the address of one page, and there are several")]
    #[diagnostic(code(extract::one_url), help("run the command once for each page, or write `url` into the wrapper"))]
    SeveralPages,
    #[error("standard input (`-`) can be read only once, and the wrapper is to be read from it")]
    #[diagnostic(code(extract::standard_input_twice))]
    StandardTwice,
}

impl<'a> Reader<'a> {
    /// A reader for what the command line asks.
    pub(crate) fn new(arguments: &ExtractArguments, rules: &'a Rules) -> Result<Reader<'a>, Report> {
        let pages = match arguments.pages.is_empty() {
            true => vec![first_page(rules)?],
            false => arguments.pages.clone(),
        };
        let reader = Reader {
            documents: arguments.explain,
            url: arguments.url.clone(),
            at: arguments.at,
            ..Reader::of(pages, &arguments.reading, rules)?
        };
        if reader.url.is_some() && reader.several_pages() {
            return Err(ReadingError::SeveralPages.into());
        }
        Ok(reader)
    }

    /// A reader for these page arguments.
    pub(crate) fn of(pages: Vec<String>, reading: &Reading, rules: &'a Rules) -> Result<Reader<'a>, Report> {
        if rules.file.name == "-" && pages.iter().any(|page| page == "-") {
            return Err(ReadingError::StandardTwice.into());
        }
        Ok(Reader { rules, pages, documents: false, charset: reading.charset, url: None, at: None })
    }

    /// Whether there are or may be several.
    pub(crate) fn several_pages(&self) -> bool {
        self.pages.len() > 1 || self.pages.iter().any(|page| Path::new(page).is_dir())
    }

    /// Where they are.
    pub(crate) fn sources(&self) -> Vec<Result<Source, PageError>> {
        pages::find(&self.pages)
    }

    /// Reads a page, and says what had to be left out of it.
    pub(crate) fn read(&self, source: &Source) -> Result<(Page, Vec<String>), PageError> {
        let (name, bytes) = (source.name(), source.bytes()?);
        let options = pages::options(self.charset);
        let mut notes: Vec<Note> = Vec::new();
        let mut page = match self.needs_documents() {
            true => {
                let document = Document::from_bytes(bytes, &options);
                notes.extend_from_slice(document.notes());
                Page::from_document(&name, document)
            }
            false => {
                let Limits { source_bytes, .. } = options.limits;
                if bytes.len() > source_bytes {
                    notes.push(Note::SourceCut { dropped: bytes.len() - source_bytes });
                }
                Page::from_text(&name, windrow::dom::decode(bytes, &options).0)
            }
        };
        if let Some(url) = &self.url {
            page = page.with_url(url.clone());
        }
        if let Some(at) = self.at {
            page = page.with_time(at);
        }
        Ok((page, notes.iter().map(|note| format!("note: {name}: {note}")).collect()))
    }

    /// Runs the wrapper on a page, and on those around it that it asks for.
    pub(crate) fn extract(&self, source: &Source, page: Page) -> Extraction {
        let stood_in = || self.rules.wrapper.url.as_ref().and_then(|url| Url::parse(url).ok());
        let address = self.url.clone().or_else(stood_in);
        let directory = self.rules.file.directory();
        let options = pages::options(self.charset);
        let neighbours = Neighbours::new(source, directory, address, self.needs_documents(), options);
        self.rules.extractor.extract_with(Arc::new(page), &neighbours, windrow::wrapper::Limits::default())
    }

    fn needs_documents(&self) -> bool {
        self.documents || self.rules.extractor.needs_document()
    }
}

/// The page that the wrapper itself names.
fn first_page(rules: &Rules) -> Result<String, ReadingError> {
    let wrapper = rules.file.name.clone();
    let Some(url) = &rules.wrapper.url else { return Err(ReadingError::NoPage { wrapper }) };
    let path = match Url::parse(url) {
        Ok(parsed) if parsed.scheme() == "file" => parsed.to_file_path().ok(),
        _ if is_url(url) => None,
        _ => Some(rules.file.directory().unwrap_or_else(|| PathBuf::from(".")).join(&url.value)),
    };
    match path {
        Some(path) => Ok(path.display().to_string()),
        None => Err(ReadingError::Url { url: url.value.clone(), wrapper }),
    }
}
