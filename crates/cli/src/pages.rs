//! Page arguments to documents: which pages the arguments mean, reading or fetching one, decoding and parsing it.
//!
//! A page is read whole, since its tree refers to its source; how many are in memory at once is the caller's to
//! bound ([`crate::ordered`]). An archive is a stream of pages, read as they are asked for.

use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

use miette::Report;
use url::Url;
use windrow::fetch::http::Request;
use windrow::fetch::render::{LocalPage, RenderError};
use windrow::fetch::warc::Archive;
use windrow::fetch::{Answer, FetchError, Fetcher, WarcError};
use windrow::{Document, ParseOptions};

use crate::args::Reading;

/// Bytes of one page that are read at most. The parser's own limit is lower and leaves a note; this one keeps an
/// endless file (a device, a stuck pipe) from filling the memory first.
const PAGE_BYTES: u64 = 1 << 30;

/// The charset of documents that a browser has rendered.
const RENDERED_CHARSET: &str = "utf-8";

/// Notes on one archive that are told.
const MOST_NOTES: usize = 10;

/// Where one page is.
#[derive(Debug, Clone)]
pub(crate) enum Source {
    /// Standard input.
    Standard,
    /// A file.
    File(PathBuf),
    /// A server, or an archive that stands in for it.
    Url(Url),
    /// A page of an archive.
    Archived(Arc<Answer>),
}

/// A page that was read, under the name it was given by.
#[derive(Debug)]
pub(crate) struct Page {
    /// As given: `-`, the file's path, or the address.
    pub(crate) name: String,
    /// Its document.
    pub(crate) document: Document,
    /// Its address, if it has one.
    pub(crate) address: Option<Url>,
}

/// A page's bytes and what is known of them.
#[derive(Debug)]
pub(crate) struct Content {
    pub(crate) bytes: Vec<u8>,
    /// The media type that came with it, in lower case.
    pub(crate) media_type: Option<String>,
    /// The charset that came with it.
    pub(crate) charset: Option<String>,
    /// Its address, if it has one: where redirects led.
    pub(crate) address: Option<Url>,
    /// What is less than perfect about it, in words.
    pub(crate) notes: Vec<String>,
}

/// Why a page argument gave no page.
#[derive(Debug, thiserror::Error, miette::Diagnostic)]
pub(crate) enum PageError {
    /// The file system or the pipe refused.
    #[error("cannot read `{name}`: {cause}")]
    #[diagnostic(code(page::unreadable))]
    Unreadable {
        /// The page.
        name: String,
        /// What the system said. Not `source`: the report would say it twice.
        cause: io::Error,
    },
    /// More than any page should have.
    #[error("cannot read `{name}`: it is larger than 1 GiB")]
    #[diagnostic(code(page::too_large))]
    TooLarge {
        /// The page.
        name: String,
    },
    /// A directory without a page in it.
    #[error("there is no page in `{name}`")]
    #[diagnostic(code(page::none_in_directory), help("pages are files named .html, .htm or .xhtml, at any depth"))]
    NoneInDirectory {
        /// The directory.
        name: String,
    },
    /// An address that is none.
    #[error("cannot read `{name}`: {cause}")]
    #[diagnostic(code(page::url), help("an address looks like https://example.org/page"))]
    Url {
        /// The address.
        name: String,
        /// What is wrong with it.
        cause: String,
    },
    /// The page cannot be fetched.
    #[error(transparent)]
    #[diagnostic(transparent)]
    Fetch(#[from] FetchError),
    /// The archive cannot be read.
    #[error(transparent)]
    #[diagnostic(transparent)]
    Archive(#[from] WarcError),
    /// Nothing can be fetched at all.
    #[error("cannot fetch `{name}`: {cause}")]
    #[diagnostic(code(page::fetcher))]
    Fetcher {
        /// The address.
        name: String,
        /// Why.
        cause: String,
    },
    /// The browser makes no document of a file.
    #[error("cannot render `{name}`: {cause}")]
    #[diagnostic(code(page::render))]
    Render {
        /// The page.
        name: String,
        /// What the browser says.
        cause: String,
    },
    /// Standard input given twice.
    #[error("standard input (`-`) can be read only once")]
    #[diagnostic(code(page::standard_input_twice))]
    StandardTwice,
}

/// The pages that the arguments mean, in the arguments' order.
pub(crate) struct Sources<'a> {
    pages: Box<dyn Iterator<Item = Result<Source, PageError>> + 'a>,
    /// How many there are, unless that would mean reading them.
    pub(crate) count: Option<usize>,
}

impl Iterator for Sources<'_> {
    type Item = Result<Source, PageError>;

    fn next(&mut self) -> Option<Result<Source, PageError>> {
        self.pages.next()
    }
}

/// The pages that the arguments mean, in the arguments' order; directories are searched, each in order of names.
///
/// Nothing is read yet but directories, so a missing file is no error here.
pub(crate) fn find(arguments: &[String], reading: &Reading) -> Sources<'static> {
    let quiet = reading.quiet;
    let mut known = Vec::new();
    let mut archives = false;
    let mut standard = false;
    for argument in arguments {
        if argument == "-" {
            known.push(Found::Page(if standard { Err(PageError::StandardTwice) } else { Ok(Source::Standard) }));
            standard = true;
        } else if is_url(argument) {
            known.push(Found::Page(address(argument)));
        } else if Path::new(argument).is_dir() {
            let before = known.len();
            known.extend(directory(argument).map(Found::Page));
            if known.len() == before {
                known.push(Found::Page(Err(PageError::NoneInDirectory { name: argument.clone() })));
            }
        } else if is_archive(argument) {
            archives = true;
            known.push(Found::Archive(argument.into()));
        } else {
            known.push(Found::Page(Ok(Source::File(argument.into()))));
        }
    }
    let count = (!archives).then_some(known.len());
    Sources { pages: Box::new(known.into_iter().flat_map(move |found| found.pages(quiet))), count }
}

impl<'a> Sources<'a> {
    /// The same, each told to `look` before it is worked on, in order.
    pub(crate) fn inspect(self, mut look: impl FnMut(&Source) + 'a) -> Sources<'a>
    where
        Self: 'a,
    {
        let Sources { pages, count } = self;
        Sources { pages: Box::new(pages.inspect(move |page| page.iter().for_each(&mut look))), count }
    }
}

/// What one argument, or one file below it, means.
enum Found {
    Page(Result<Source, PageError>),
    Archive(PathBuf),
}

impl Found {
    fn pages(self, quiet: bool) -> Box<dyn Iterator<Item = Result<Source, PageError>>> {
        match self {
            Found::Page(page) => Box::new(std::iter::once(page)),
            Found::Archive(path) => match Archive::open(&path) {
                Ok(archive) => Box::new(Archived { archive, name: path.display().to_string(), quiet }),
                Err(error) => Box::new(std::iter::once(Err(error.into()))),
            },
        }
    }
}

/// The pages of an archive; behind the last, what had to be left out is told.
struct Archived {
    archive: Archive,
    name: String,
    quiet: bool,
}

impl Iterator for Archived {
    type Item = Result<Source, PageError>;

    fn next(&mut self) -> Option<Result<Source, PageError>> {
        if let Some(page) = self.archive.next() {
            return Some(page.map(|page| Source::Archived(Arc::new(page))).map_err(PageError::from));
        }
        let (notes, problems) = (self.archive.notes(), self.archive.problems());
        if !self.quiet {
            notes.iter().take(MOST_NOTES).for_each(|note| crate::run::tell(&format!("note: {}: {note}", self.name)));
            let more = problems.saturating_sub(MOST_NOTES as u64);
            if more > 0 {
                crate::run::tell(&format!("note: {}: and {more} more", self.name));
            }
        }
        None
    }
}

/// Whether an argument may mean several pages.
pub(crate) fn is_several(argument: &str) -> bool {
    !is_url(argument) && (Path::new(argument).is_dir() || is_archive(argument))
}

fn is_archive(argument: &str) -> bool {
    Archive::is_one(Path::new(argument))
}

fn address(argument: &str) -> Result<Source, PageError> {
    let fail = |cause: String| PageError::Url { name: argument.to_owned(), cause };
    let url = Url::parse(argument).map_err(|error| fail(error.to_string()))?;
    match url.scheme() {
        "http" | "https" => Ok(Source::Url(url)),
        "file" => url.to_file_path().map(Source::File).map_err(|()| fail("it names no file here".to_owned())),
        other => Err(fail(format!("`{other}:` addresses cannot be read"))),
    }
}

/// Whether an argument is a URL rather than a file's name.
pub(crate) fn is_url(argument: &str) -> bool {
    argument.split_once("://").is_some_and(|(scheme, _)| {
        !scheme.is_empty() && scheme.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'+' | b'-' | b'.'))
    })
}

fn directory(name: &str) -> impl Iterator<Item = Result<Source, PageError>> {
    walkdir::WalkDir::new(name).sort_by_file_name().into_iter().filter_map(|entry| match entry {
        Ok(entry) if entry.path().is_file() && is_page(entry.path()) => Some(Ok(Source::File(entry.into_path()))),
        Ok(_) => None,
        Err(error) => Some(Err(PageError::Unreadable {
            name: error.path().map(|path| path.display().to_string()).unwrap_or_default(),
            cause: error.into(),
        })),
    })
}

fn is_page(path: &Path) -> bool {
    path.extension()
        .and_then(|extension| extension.to_str())
        .is_some_and(|extension| ["html", "htm", "xhtml"].iter().any(|known| extension.eq_ignore_ascii_case(known)))
}

impl Source {
    /// As given: `-`, the file's path, or the address.
    pub(crate) fn name(&self) -> String {
        match self {
            Source::Standard => "-".to_owned(),
            Source::File(path) => path.display().to_string(),
            Source::Url(url) => url.to_string(),
            Source::Archived(answer) => answer.url.to_string(),
        }
    }
}

/// Opens pages, wherever they are.
pub(crate) struct Opener<'a> {
    reading: &'a Reading,
    fetcher: OnceLock<Result<Fetcher, String>>,
}

impl<'a> Opener<'a> {
    /// An opener that does as the command line says. Archives are opened at once, so that a wrong name is told first.
    pub(crate) fn new(reading: &'a Reading) -> Result<Opener<'a>, Report> {
        let opener = Opener { reading, fetcher: OnceLock::new() };
        if reading.fetching.is_demanded() {
            let fetcher = Fetcher::new(reading.fetching.config())?;
            if !reading.quiet {
                fetcher.notes().iter().for_each(|note| crate::run::tell(&format!("note: {note}")));
            }
            let _ = opener.fetcher.set(Ok(fetcher));
        }
        Ok(opener)
    }

    /// Whether everything is answered from archives, where asking in vain costs nothing.
    pub(crate) fn replays(&self) -> bool {
        !self.reading.fetching.replay.is_empty()
    }

    /// The charset that pages are decoded with, whatever they declare.
    pub(crate) fn charset(&self) -> Option<&'static str> {
        self.reading.charset
    }

    /// The pages that the arguments mean: see [`find`].
    pub(crate) fn find(&self, arguments: &[String]) -> Sources<'static> {
        find(arguments, self.reading)
    }

    /// Whether pages that are files may lead to what is fetched.
    pub(crate) fn fetches(&self) -> bool {
        self.reading.fetching.fetch || self.replays()
    }

    /// The fetcher, made when it is first needed.
    pub(crate) fn fetcher(&self, name: &str) -> Result<&Fetcher, PageError> {
        let made =
            self.fetcher.get_or_init(|| Fetcher::new(self.reading.fetching.config()).map_err(|it| it.to_string()));
        made.as_ref().map_err(|cause| PageError::Fetcher { name: name.to_owned(), cause: cause.clone() })
    }

    /// Reads and parses a page.
    pub(crate) fn read(&self, source: &Source) -> Result<Page, PageError> {
        let content = self.content(source)?;
        let options = self.options(&content);
        self.tell_notes(&source.name(), &content);
        Ok(Page {
            name: source.name(),
            document: Document::from_bytes(content.bytes, &options),
            address: content.address,
        })
    }

    /// Tells what is less than perfect about a page, unless the run is to be quiet.
    pub(crate) fn tell_notes(&self, name: &str, content: &Content) {
        for note in content.notes.iter().filter(|_| !self.reading.quiet) {
            crate::run::tell(&format!("note: {name}: {note}"));
        }
    }

    /// How to decode a page.
    pub(crate) fn options(&self, content: &Content) -> ParseOptions {
        // The browser has decoded what it rendered.
        let is_rendered = self.reading.fetching.render && content.charset.as_deref() == Some(RENDERED_CHARSET);
        let mut options = options(self.reading.charset.filter(|_| !is_rendered));
        options.charset = content.charset.clone();
        options
    }

    /// Reads a page.
    pub(crate) fn content(&self, source: &Source) -> Result<Content, PageError> {
        match source {
            Source::Standard => self.rendered(source, bytes(source, io::stdin().lock())?),
            Source::File(path) => match File::open(path) {
                Ok(file) => self.rendered(source, bytes(source, file)?),
                Err(cause) => Err(PageError::Unreadable { name: source.name(), cause }),
            },
            Source::Url(url) => self.fetch(&Request::user(url.clone())),
            Source::Archived(answer) => {
                let content = answer.content(self.reading.fetching.most_bytes())?;
                Ok(fetched(answer, &content))
            }
        }
    }

    /// Lets a browser run the scripts of a page that is a file, if it is to.
    fn rendered(&self, source: &Source, content: Content) -> Result<Content, PageError> {
        if !self.reading.fetching.render {
            return Ok(content);
        }
        let mut page = LocalPage::new(content.bytes).with_network(self.reading.fetching.fetch);
        if let Source::File(path) = source {
            page = page.in_file(path);
        }
        if let Some(charset) = self.reading.charset {
            page = page.with_charset(charset);
        }
        let name = source.name();
        let unrendered = |error: FetchError| match error {
            FetchError::Render(error @ (RenderError::NoBrowser | RenderError::Start { .. })) => {
                PageError::Fetch(FetchError::Render(error))
            }
            other => PageError::Render { name: name.clone(), cause: other.to_string() },
        };
        let rendered = self.fetcher(&name)?.render_file(page).map_err(unrendered)?;
        Ok(Content {
            bytes: rendered.html.into_bytes(),
            media_type: Some("text/html".to_owned()),
            charset: Some(RENDERED_CHARSET.to_owned()),
            address: None,
            notes: rendered.notes,
        })
    }

    /// Fetches a page.
    pub(crate) fn fetch(&self, request: &Request) -> Result<Content, PageError> {
        let found = self.fetcher(request.url.as_str())?.get(request)?;
        Ok(Content { notes: found.notes, ..fetched(&found.answer, &found.content) })
    }
}

fn fetched(answer: &Answer, content: &[u8]) -> Content {
    Content {
        bytes: content.to_vec(),
        media_type: answer.media_type(),
        charset: answer.charset().map(str::to_owned),
        address: Some(answer.url.clone()),
        notes: Vec::new(),
    }
}

fn bytes(source: &Source, reader: impl Read) -> Result<Content, PageError> {
    match read_all(reader) {
        Ok(Some(bytes)) => Ok(Content { bytes, media_type: None, charset: None, address: None, notes: Vec::new() }),
        Ok(None) => Err(PageError::TooLarge { name: source.name() }),
        Err(cause) => Err(PageError::Unreadable { name: source.name(), cause }),
    }
}

/// Reads a file.
pub(crate) fn file(path: &Path) -> Result<Vec<u8>, PageError> {
    let name = || path.display().to_string();
    let file = File::open(path).map_err(|cause| PageError::Unreadable { name: name(), cause })?;
    Ok(bytes(&Source::File(path.to_owned()), file)?.bytes)
}

/// How to read a page that must be decoded with this charset, if one is given.
pub(crate) fn options(charset: Option<&str>) -> ParseOptions {
    let mut options = ParseOptions::default();
    options.forced_charset = charset.map(str::to_owned);
    options
}

/// All the bytes, or none if there are too many.
fn read_all(reader: impl Read) -> io::Result<Option<Vec<u8>>> {
    let mut bytes = Vec::new();
    reader.take(PAGE_BYTES + 1).read_to_end(&mut bytes)?;
    Ok((bytes.len() as u64 <= PAGE_BYTES).then_some(bytes))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn urls_are_told_from_files() {
        for url in ["https://example.org/a.html", "http://x", "file:///a.html"] {
            assert!(is_url(url), "{url}");
        }
        for file in ["page.html", "//h1", "a//b.html", "C:/page.html", "://x", "//a[@href='http://x']"] {
            assert!(!is_url(file), "{file}");
        }
    }
}
