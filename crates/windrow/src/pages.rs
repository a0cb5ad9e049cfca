//! Pages for a wrapper or a domain: which they are, how much of them is read, and where those they lead to are.

use std::path::PathBuf;
use std::sync::Arc;

use crate::dom::{Limits, Note};
use crate::wrapper::values::date::Date;
use crate::{Document, Extraction, Page};
use miette::{Diagnostic, Report};
use url::Url;

use crate::neighbours::Neighbours;
use crate::open::{Content, Opener, PageError, Source, Sources, is_several, is_url};
use crate::wrapper_file::WrapperFile;

/// The pages that were given, and how they are read.
pub struct GivenPages {
    opener: Opener,
    pages: Vec<String>,
    /// True if they are wanted with their trees.
    documents: bool,
    url: Option<Url>,
    at: Option<Date>,
}

/// Reads pages for one wrapper.
pub struct WrapperReader<'a> {
    rules: &'a WrapperFile,
    given: GivenPages,
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

impl GivenPages {
    /// Creates the pages of these arguments. `file` is what is to be done with them and the name of its file;
    /// `documents` says that their trees are needed.
    ///
    /// # Errors
    ///
    /// Both a page and the file are standard input.
    pub fn new(
        pages: Vec<String>,
        opener: Opener,
        (what, file): (&'static str, &str),
        documents: bool,
    ) -> Result<GivenPages, Report> {
        if file == "-" && pages.iter().any(|page| page == "-") {
            return Err(ReadingError::StandardTwice { what }.into());
        }
        Ok(GivenPages { opener, pages, documents, url: None, at: None })
    }

    /// Sets the day on which the pages were saved.
    pub fn saved_on(self, at: Option<Date>) -> GivenPages {
        GivenPages { at, ..self }
    }

    /// The same, at this address if one is given.
    pub fn at_address(self, url: Option<Url>) -> Result<GivenPages, Report> {
        if url.is_some() && self.several_pages() {
            return Err(ReadingError::SeveralPages.into());
        }
        Ok(GivenPages { url, ..self })
    }

    /// Returns `true` if there are or may be several.
    pub fn several_pages(&self) -> bool {
        self.pages.len() > 1 || self.pages.iter().any(|page| is_several(page))
    }

    /// Returns the places of the pages.
    pub fn sources(&self) -> Sources<'static> {
        self.opener.find(&self.pages)
    }

    /// Reads a page, and says what had to be left out of it.
    pub fn read(&self, source: &Source) -> Result<(Page, Vec<String>), PageError> {
        Ok(self.page(source, self.content(source)?))
    }

    /// The bytes of a page.
    pub fn content(&self, source: &Source) -> Result<Content, PageError> {
        self.opener.content(source)
    }

    /// Returns the settings that change what is read off a page.
    pub fn read_as(&self) -> String {
        let (charset, url) = (self.opener.charset().unwrap_or_default(), self.url.as_ref().map_or("", Url::as_str));
        let at = self.at.map(|at| at.to_string()).unwrap_or_default();
        format!("{charset} {url} {at}")
    }

    /// A page from its bytes, and what had to be left out of it.
    pub fn page(&self, source: &Source, content: Content) -> (Page, Vec<String>) {
        let name = source.name();
        let options = self.opener.parse_options(&content);
        let (bytes, address) = (content.bytes, content.address);
        let mut notes: Vec<Note> = Vec::new();
        let mut page = if self.documents {
            let document = Document::from_bytes(bytes, &options);
            notes.extend_from_slice(document.notes());
            Page::from_document(&name, document)
        } else {
            let Limits { source_bytes, .. } = options.limits;
            if bytes.len() > source_bytes {
                notes.push(Note::SourceCut { dropped: bytes.len() - source_bytes });
            }
            Page::from_text(&name, crate::dom::decode(bytes, &options).0)
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

impl<'a> WrapperReader<'a> {
    /// Creates a reader for these page arguments; without any, for the page that the wrapper names as its `url`.
    ///
    /// # Errors
    ///
    /// There is no page, or both a page and the wrapper are standard input.
    pub fn new(pages: Vec<String>, opener: Opener, rules: &'a WrapperFile) -> Result<WrapperReader<'a>, Report> {
        let pages = if pages.is_empty() { vec![first_page(rules)?] } else { pages };
        let documents = rules.extractor.needs_document();
        Ok(WrapperReader { rules, given: GivenPages::new(pages, opener, ("wrapper", &rules.file.name), documents)? })
    }

    /// Reads pages with their trees, also if the wrapper does not need them.
    pub fn with_documents(mut self, wanted: bool) -> WrapperReader<'a> {
        self.given.documents |= wanted;
        self
    }

    /// Sets the address of the only page, if one is given, and the day on which the pages were saved.
    ///
    /// # Errors
    ///
    /// An address is given, and there are several pages.
    pub fn told(self, url: Option<Url>, at: Option<Date>) -> Result<WrapperReader<'a>, Report> {
        Ok(WrapperReader { given: self.given.at_address(url)?.saved_on(at), ..self })
    }

    /// Returns `true` if there are or may be several pages.
    pub fn several_pages(&self) -> bool {
        self.given.several_pages()
    }

    /// Returns the places of the pages.
    pub fn sources(&self) -> Sources<'static> {
        self.given.sources()
    }

    /// Reads a page, and says what had to be left out of it.
    pub fn read(&self, source: &Source) -> Result<(Page, Vec<String>), PageError> {
        self.given.read(source)
    }

    /// The pages, and how they are read.
    pub fn given(&self) -> &GivenPages {
        &self.given
    }

    /// Returns the wrapper.
    pub fn rules(&self) -> &'a WrapperFile {
        self.rules
    }

    /// Runs the wrapper on a page, and on those around it that it asks for.
    pub fn extract(&self, source: &Source, page: Page) -> Extraction {
        self.extract_shared(source, Arc::new(page))
    }

    /// The same on a page that others have, too.
    pub fn extract_shared(&self, source: &Source, page: Arc<Page>) -> Extraction {
        let stood_in = || self.rules.wrapper.url.as_ref().and_then(|url| Url::parse(url).ok());
        let given = &self.given;
        let address = given.url.clone().or_else(|| page.url().cloned()).or_else(stood_in);
        let directory = self.rules.file.directory();
        let neighbours = Neighbours::new(source, directory, address, given.documents, &given.opener);
        self.rules.extractor.extract_with(page, &neighbours, crate::wrapper::Limits::default())
    }
}

/// The page that the wrapper itself names.
fn first_page(rules: &WrapperFile) -> Result<String, ReadingError> {
    let Some(url) = &rules.wrapper.url else { return Err(ReadingError::NoPage { wrapper: rules.file.name.clone() }) };
    Ok(if is_url(url) {
        url.value.clone()
    } else {
        rules.file.directory().unwrap_or_else(|| PathBuf::from(".")).join(&url.value).display().to_string()
    })
}
