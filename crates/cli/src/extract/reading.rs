//! Pages for a wrapper or a domain: which they are, how much of them is read, and where those they lead to are.

use std::path::PathBuf;
use std::sync::Arc;

use miette::{Diagnostic, Report};
use url::Url;
use windrow::dom::{Limits, Note};
use windrow::wrapper::values::date::Date;
use windrow::{Document, Extraction, Page};

use super::follow::Neighbours;
use crate::args::{ExtractArguments, Reading};
use crate::pages::{self, Content, Opener, PageError, Source, Sources, is_several, is_url};
use crate::rules::Rules;

/// The pages that were given, and how they are read.
pub(crate) struct Given {
    opener: Opener,
    pages: Vec<String>,
    /// Whether they are wanted with their trees.
    documents: bool,
    url: Option<Url>,
    at: Option<Date>,
}

/// Reads pages for one wrapper.
pub(crate) struct Reader<'a> {
    rules: &'a Rules,
    given: Given,
}

/// Why there are no pages.
#[derive(Debug, thiserror::Error, Diagnostic)]
enum ReadingError {
    #[error("no page was given, and the wrapper `{wrapper}` has no `url`")]
    #[diagnostic(code(extract::no_page), help("give a page: windrow extract -w {wrapper} PAGE..."))]
    NoPage { wrapper: String },
    #[error("--url is the address of one page, and there are several")]
    #[diagnostic(code(extract::one_url), help("run the command once for each page, or write `url` into the wrapper"))]
    SeveralPages,
    #[error("standard input (`-`) can be read only once, and the {what} is to be read from it")]
    #[diagnostic(code(extract::standard_input_twice))]
    StandardTwice { what: &'static str },
}

impl Given {
    /// The pages of these arguments. `file`: what is to be done with them, and in which file it is told.
    pub(crate) fn new(
        pages: Vec<String>,
        reading: &Reading,
        (what, file): (&'static str, &str),
        documents: bool,
    ) -> Result<Given, Report> {
        if file == "-" && pages.iter().any(|page| page == "-") {
            return Err(ReadingError::StandardTwice { what }.into());
        }
        let opener = pages::opener(reading)?;
        Ok(Given { opener, pages, documents, url: None, at: None })
    }

    /// The same, with what `extract` is told of them beside.
    pub(crate) fn told(self, arguments: &ExtractArguments) -> Result<Given, Report> {
        Ok(Given { at: arguments.at, ..self.at_address(arguments.url.clone())? })
    }

    /// The same, at this address if one is given.
    pub(crate) fn at_address(self, url: Option<Url>) -> Result<Given, Report> {
        if url.is_some() && self.several_pages() {
            return Err(ReadingError::SeveralPages.into());
        }
        Ok(Given { url, ..self })
    }

    /// Whether there are or may be several.
    pub(crate) fn several_pages(&self) -> bool {
        self.pages.len() > 1 || self.pages.iter().any(|page| is_several(page))
    }

    /// Where they are.
    pub(crate) fn sources(&self) -> Sources<'static> {
        self.opener.find(&self.pages)
    }

    /// Reads a page, and says what had to be left out of it.
    pub(crate) fn read(&self, source: &Source) -> Result<(Page, Vec<String>), PageError> {
        Ok(self.page(source, self.content(source)?))
    }

    /// The bytes of a page.
    pub(crate) fn content(&self, source: &Source) -> Result<Content, PageError> {
        self.opener.content(source)
    }

    /// What is said of pages on the command line and changes what is read off them.
    pub(crate) fn read_as(&self) -> String {
        let (charset, url) = (self.opener.charset().unwrap_or_default(), self.url.as_ref().map_or("", Url::as_str));
        let at = self.at.map(|at| at.to_string()).unwrap_or_default();
        format!("{charset} {url} {at}")
    }

    /// A page from its bytes, and what had to be left out of it.
    pub(crate) fn page(&self, source: &Source, content: Content) -> (Page, Vec<String>) {
        let name = source.name();
        let options = self.opener.parse_options(&content);
        let (bytes, address) = (content.bytes, content.address);
        let mut notes: Vec<Note> = Vec::new();
        let mut page = match self.documents {
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
        if let Some(url) = self.url.clone().or(address) {
            page = page.with_url(url);
        }
        if let Some(at) = self.at {
            page = page.with_time(at);
        }
        (page, notes.iter().map(|note| format!("note: {name}: {note}")).collect())
    }
}

impl<'a> Reader<'a> {
    /// A reader for what the command line asks.
    pub(crate) fn new(arguments: &'a ExtractArguments, rules: &'a Rules) -> Result<Reader<'a>, Report> {
        let pages = match arguments.pages.is_empty() {
            true => vec![first_page(rules)?],
            false => arguments.pages.clone(),
        };
        let Reader { rules, mut given } = Reader::of(pages, &arguments.reading, rules)?;
        given.documents |= arguments.explain;
        Ok(Reader { rules, given: given.told(arguments)? })
    }

    /// A reader for these page arguments.
    pub(crate) fn of(pages: Vec<String>, reading: &'a Reading, rules: &'a Rules) -> Result<Reader<'a>, Report> {
        let documents = rules.extractor.needs_document();
        Ok(Reader { rules, given: Given::new(pages, reading, ("wrapper", &rules.file.name), documents)? })
    }

    /// Whether there are or may be several pages.
    pub(crate) fn several_pages(&self) -> bool {
        self.given.several_pages()
    }

    /// Where they are.
    pub(crate) fn sources(&self) -> Sources<'static> {
        self.given.sources()
    }

    /// Reads a page, and says what had to be left out of it.
    pub(crate) fn read(&self, source: &Source) -> Result<(Page, Vec<String>), PageError> {
        self.given.read(source)
    }

    /// The pages, and how they are read.
    pub(crate) fn given(&self) -> &Given {
        &self.given
    }

    /// Runs the wrapper on a page, and on those around it that it asks for.
    pub(crate) fn extract(&self, source: &Source, page: Page) -> Extraction {
        self.extract_shared(source, Arc::new(page))
    }

    /// The same on a page that others have, too.
    pub(crate) fn extract_shared(&self, source: &Source, page: Arc<Page>) -> Extraction {
        let stood_in = || self.rules.wrapper.url.as_ref().and_then(|url| Url::parse(url).ok());
        let given = &self.given;
        let address = given.url.clone().or_else(|| page.url().cloned()).or_else(stood_in);
        let directory = self.rules.file.directory();
        let neighbours = Neighbours::new(source, directory, address, given.documents, &given.opener);
        self.rules.extractor.extract_with(page, &neighbours, windrow::wrapper::Limits::default())
    }
}

/// The page that the wrapper itself names.
fn first_page(rules: &Rules) -> Result<String, ReadingError> {
    let Some(url) = &rules.wrapper.url else { return Err(ReadingError::NoPage { wrapper: rules.file.name.clone() }) };
    Ok(match is_url(url) {
        true => url.value.clone(),
        false => rules.file.directory().unwrap_or_else(|| PathBuf::from(".")).join(&url.value).display().to_string(),
    })
}
