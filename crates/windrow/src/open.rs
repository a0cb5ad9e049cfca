//! Opens pages, wherever they are: files, directories, addresses, WARC archives, and readers such as standard input.
//!
//! [`Opener::find`] turns the words that a person gives into [`Source`]s, [`Opener::content`] reads one, and [`Opener::read`] parses it,
//! too. A browser runs a page's scripts first if the options ask for it. Notes on pages and archives go to a [`Monitor`].
//!
//! A page is read whole, since its tree refers to its source; the caller bounds how many are in memory at once. An archive is a
//! stream of pages, read as they are asked for.
//!
//! ```
//! use windrow::open::{Opener, Options};
//!
//! let opener = Opener::new(Options::default())?;
//! # let folder = std::env::temp_dir().join(format!("windrow-open-{}", std::process::id()));
//! # std::fs::create_dir_all(&folder)?;
//! # std::fs::write(folder.join("cities.html"), "<ul><li>Oslo<li>Rome</ul>")?;
//! let arguments = [folder.display().to_string()];
//! for source in opener.find(&arguments) {
//!     let page = opener.read(&source?)?;
//!     assert_eq!(page.document.visible_text(page.document.root()), "Oslo\nRome");
//! }
//! # std::fs::remove_dir_all(folder)?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

use url::Url;
use windrow_dom::{Document, ParseOptions};
use windrow_fetch::http::Request;
use windrow_fetch::render::{LocalPage, RenderError};
use windrow_fetch::warc::Archive;
use windrow_fetch::{Answer, FetchError, Fetcher, FetcherConfig, FetcherError, WarcError};

use crate::monitor::Monitor;

/// Bytes of one page that are read at most. The parser's own limit is lower and leaves a note; this one keeps an
/// endless file (a device, a stuck pipe) from filling the memory first.
const PAGE_BYTES: u64 = 1 << 30;

/// The charset of documents that a browser has rendered.
const RENDERED_CHARSET: &str = "utf-8";

/// Notes on one archive that a monitor gets.
const MOST_NOTES: usize = 10;

/// Options for opening pages.
#[derive(Clone, Default)]
pub struct Options {
    /// The charset that pages are decoded with, whatever they declare.
    pub charset: Option<&'static str>,
    /// Settings for fetching and rendering.
    pub fetcher: FetcherConfig,
    /// True if what is in files may lead to the network: rules that ask for further pages, scripts that a browser runs.
    pub follow: bool,
    /// Receives notes on pages and archives.
    pub monitor: Option<Arc<dyn Monitor>>,
}

impl std::fmt::Debug for Options {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Options { charset, fetcher, follow, monitor: _ } = self;
        let mut options = formatter.debug_struct("Options");
        options.field("charset", charset).field("fetcher", fetcher).field("follow", follow).finish_non_exhaustive()
    }
}

/// The place of one page.
#[derive(Debug, Clone)]
pub enum Source {
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
pub struct Page {
    /// As given: `-`, the file's path, or the address.
    pub name: String,
    /// Its document.
    pub document: Document,
    /// Its address, if it has one.
    pub address: Option<Url>,
}

/// The bytes of a page, and what came with them.
#[derive(Debug)]
pub struct Content {
    /// The bytes as they came.
    pub bytes: Vec<u8>,
    /// The media type that came with it, in lower case.
    pub media_type: Option<String>,
    /// The charset that came with it.
    pub charset: Option<String>,
    /// Its address, if it has one: where redirects led.
    pub address: Option<Url>,
    /// Notes on what is less than perfect about it.
    pub notes: Vec<String>,
}

/// An error that leaves a page argument without a page.
#[derive(Debug, thiserror::Error, miette::Diagnostic)]
pub enum PageError {
    /// The file system or the pipe refused.
    #[error("cannot read `{name}`: {cause}")]
    #[diagnostic(code(page::unreadable))]
    Unreadable {
        /// The page.
        name: String,
        /// The system's message. Not `source`: the report would say it twice.
        cause: io::Error,
    },
    /// It has more bytes than any page should have.
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
    /// It is no address.
    #[error("cannot read `{name}`: {cause}")]
    #[diagnostic(code(page::url), help("an address looks like https://example.org/page"))]
    Url {
        /// The address.
        name: String,
        /// The reason.
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
        /// The reason.
        cause: String,
    },
    /// The browser makes no document of a file.
    #[error("cannot render `{name}`: {cause}")]
    #[diagnostic(code(page::render))]
    Render {
        /// The page.
        name: String,
        /// The browser's message.
        cause: String,
    },
    /// Standard input given twice.
    #[error("standard input (`-`) can be read only once")]
    #[diagnostic(code(page::standard_input_twice))]
    StandardTwice,
}

/// Pages in the order of the arguments that mean them.
pub struct Sources<'a> {
    pages: Box<dyn Iterator<Item = Result<Source, PageError>> + Send + 'a>,
    /// The number of pages, unless counting would mean reading them.
    pub count: Option<usize>,
}

impl Iterator for Sources<'_> {
    type Item = Result<Source, PageError>;

    fn next(&mut self) -> Option<Result<Source, PageError>> {
        self.pages.next()
    }
}

fn find(arguments: &[String], monitor: Option<Arc<dyn Monitor>>) -> Sources<'static> {
    let mut known = Vec::new();
    let mut archives = false;
    let mut standard = false;
    for argument in arguments {
        if argument == "-" {
            known.push(ArgumentTarget::Page(if standard {
                Err(PageError::StandardTwice)
            } else {
                Ok(Source::Standard)
            }));
            standard = true;
        } else if is_url(argument) {
            known.push(ArgumentTarget::Page(address(argument)));
        } else if Path::new(argument).is_dir() {
            let before = known.len();
            known.extend(directory(argument).map(ArgumentTarget::Page));
            if known.len() == before {
                known.push(ArgumentTarget::Page(Err(PageError::NoneInDirectory { name: argument.clone() })));
            }
        } else if is_archive(argument) {
            archives = true;
            known.push(ArgumentTarget::Archive(argument.into()));
        } else {
            known.push(ArgumentTarget::Page(Ok(Source::File(argument.into()))));
        }
    }
    let count = (!archives).then_some(known.len());
    Sources { pages: Box::new(known.into_iter().flat_map(move |found| found.pages(monitor.clone()))), count }
}

impl<'a> Sources<'a> {
    /// Calls `look` on each page before it is handed out, in order.
    pub fn inspect(self, mut look: impl FnMut(&Source) + Send + 'a) -> Sources<'a>
    where
        Self: 'a,
    {
        let Sources { pages, count } = self;
        Sources { pages: Box::new(pages.inspect(move |page| page.iter().for_each(&mut look))), count }
    }
}

/// The meaning of one argument, or of one file below it.
enum ArgumentTarget {
    Page(Result<Source, PageError>),
    Archive(PathBuf),
}

impl ArgumentTarget {
    fn pages(self, monitor: Option<Arc<dyn Monitor>>) -> Box<dyn Iterator<Item = Result<Source, PageError>> + Send> {
        match self {
            ArgumentTarget::Page(page) => Box::new(std::iter::once(page)),
            ArgumentTarget::Archive(path) => match Archive::open(&path) {
                Ok(archive) => Box::new(Archived { archive, name: path.display().to_string(), monitor }),
                Err(error) => Box::new(std::iter::once(Err(error.into()))),
            },
        }
    }
}

/// The pages of an archive; behind the last one come notes on what had to be left out.
struct Archived {
    archive: Archive,
    name: String,
    monitor: Option<Arc<dyn Monitor>>,
}

impl Iterator for Archived {
    type Item = Result<Source, PageError>;

    fn next(&mut self) -> Option<Result<Source, PageError>> {
        if let Some(page) = self.archive.next() {
            return Some(page.map(|page| Source::Archived(Arc::new(page))).map_err(PageError::from));
        }
        let (notes, problems) = (self.archive.notes(), self.archive.problems());
        if let Some(monitor) = &self.monitor {
            notes.iter().take(MOST_NOTES).for_each(|note| monitor.note(&format!("note: {}: {note}", self.name)));
            let more = problems.saturating_sub(MOST_NOTES as u64);
            if more > 0 {
                monitor.note(&format!("note: {}: and {more} more", self.name));
            }
        }
        None
    }
}

/// Returns true if an argument may mean several pages.
pub fn is_several(argument: &str) -> bool {
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

/// Returns true if an argument is a URL rather than a file's name.
pub fn is_url(argument: &str) -> bool {
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
    /// Returns its name as given: `-`, the file's path, or the address.
    pub fn name(&self) -> String {
        match self {
            Source::Standard => "-".to_owned(),
            Source::File(path) => path.display().to_string(),
            Source::Url(url) => url.to_string(),
            Source::Archived(answer) => answer.url.to_string(),
        }
    }
}

/// Opens pages, wherever they are.
pub struct Opener {
    options: Options,
    fetcher: OnceLock<Result<Fetcher, String>>,
}

impl Opener {
    /// Makes an opener. Archives and caches are opened at once, so that a wrong name is an error here.
    pub fn new(options: Options) -> Result<Opener, FetcherError> {
        let opener = Opener { options, fetcher: OnceLock::new() };
        let FetcherConfig { replay, record, cache, .. } = &opener.options.fetcher;
        if !replay.is_empty() || record.is_some() || cache.is_some() {
            let fetcher = Fetcher::new(opener.options.fetcher.clone())?;
            opener.note("", &fetcher.notes());
            let _ = opener.fetcher.set(Ok(fetcher));
        }
        Ok(opener)
    }

    /// Returns true if every address is answered from archives, where asking in vain costs nothing.
    pub fn replays(&self) -> bool {
        !self.options.fetcher.replay.is_empty()
    }

    /// The charset that pages are decoded with, whatever they declare.
    pub fn charset(&self) -> Option<&'static str> {
        self.options.charset
    }

    /// Returns the pages that the arguments mean, in the arguments' order; directories are searched, each in order of names.
    ///
    /// Nothing is read yet but directories, so a missing file is no error here.
    pub fn find(&self, arguments: &[String]) -> Sources<'static> {
        find(arguments, self.options.monitor.clone())
    }

    /// Returns true if pages that are files may lead to the network.
    pub fn follows(&self) -> bool {
        self.options.follow || self.replays()
    }

    /// Returns the fetcher, which is made when it is first needed.
    pub fn fetcher(&self, name: &str) -> Result<&Fetcher, PageError> {
        let made = self.fetcher.get_or_init(|| Fetcher::new(self.options.fetcher.clone()).map_err(|it| it.to_string()));
        made.as_ref().map_err(|cause| PageError::Fetcher { name: name.to_owned(), cause: cause.clone() })
    }

    /// Reads and parses a page.
    pub fn read(&self, source: &Source) -> Result<Page, PageError> {
        let content = self.content(source)?;
        let options = self.parse_options(&content);
        Ok(Page {
            name: source.name(),
            document: Document::from_bytes(content.bytes, &options),
            address: content.address,
        })
    }

    fn note(&self, place: &str, notes: &[String]) {
        if let Some(monitor) = &self.options.monitor {
            let colon = if place.is_empty() { "" } else { ": " };
            notes.iter().for_each(|note| monitor.note(&format!("note: {place}{colon}{note}")));
        }
    }

    /// Returns how a page is decoded.
    pub fn parse_options(&self, content: &Content) -> ParseOptions {
        // The browser has decoded what it rendered.
        let is_rendered = self.options.fetcher.render.is_some() && content.charset.as_deref() == Some(RENDERED_CHARSET);
        let mut options = parse_options(self.options.charset.filter(|_| !is_rendered));
        options.charset = content.charset.clone();
        options
    }

    /// Reads the bytes of a page. Notes on it go to the monitor.
    pub fn content(&self, source: &Source) -> Result<Content, PageError> {
        let content = self.bytes_of(source)?;
        self.note(&source.name(), &content.notes);
        Ok(content)
    }

    fn bytes_of(&self, source: &Source) -> Result<Content, PageError> {
        match source {
            Source::Standard => self.rendered(source, bytes(source, io::stdin().lock())?),
            Source::File(path) => match File::open(path) {
                Ok(file) => self.rendered(source, bytes(source, file)?),
                Err(cause) => Err(PageError::Unreadable { name: source.name(), cause }),
            },
            Source::Url(url) => self.fetch(&Request::user(url.clone())),
            Source::Archived(answer) => {
                let content = answer.content(self.options.fetcher.http.max_size)?;
                Ok(fetched(answer, &content))
            }
        }
    }

    /// Lets a browser run the scripts of a page that is a file, if it is to.
    fn rendered(&self, source: &Source, content: Content) -> Result<Content, PageError> {
        if self.options.fetcher.render.is_none() {
            return Ok(content);
        }
        let mut page = LocalPage::new(content.bytes).with_network(self.options.follow);
        if let Source::File(path) = source {
            page = page.in_file(path);
        }
        if let Some(charset) = self.options.charset {
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
    pub fn fetch(&self, request: &Request) -> Result<Content, PageError> {
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
pub fn file(path: &Path) -> Result<Vec<u8>, PageError> {
    let name = || path.display().to_string();
    let file = File::open(path).map_err(|cause| PageError::Unreadable { name: name(), cause })?;
    Ok(bytes(&Source::File(path.to_owned()), file)?.bytes)
}

/// Returns how a page is parsed that must be decoded with this charset, if one is given.
pub fn parse_options(charset: Option<&str>) -> ParseOptions {
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
