//! Opening pages: from the web, from files and archives, or from a text that was sent.

use std::fs::File;
use std::io::Read;
use std::path::Path;
use std::sync::Arc;

use url::Url;
use windrow::fetch::http::Request;
use windrow::fetch::warc::Archive;
use windrow::fetch::{Answer, FetchError};
use windrow::{Document, Page, ParseOptions};

use crate::api::{Entry, OpenRequest, Opened, PageInfo};
use crate::failure::Refused;
use crate::state::{Open, Origin, State};

/// Largest size of a page in bytes; browsers cannot show larger ones either.
pub(crate) const MOST_BYTES: u64 = 64 << 20;
/// Largest number of pages listed of an archive.
const MOST_ENTRIES: usize = 2_000;
/// Largest number of characters of a title.
const TITLE: usize = 200;

/// Content of a page to open, with its origin.
struct Content {
    name: String,
    bytes: Vec<u8>,
    charset: Option<String>,
    url: Option<Url>,
    origin: Origin,
    notes: Vec<String>,
}

impl State {
    /// Opens a page.
    pub(crate) fn open(&self, request: OpenRequest) -> Result<Opened, Refused> {
        let open = match request {
            OpenRequest::Address { url, render } => self.add_content(self.fetch(&address(&url)?, render)?),
            OpenRequest::Text { name, html, url } => {
                let url = url.map(|url| address(&url)).transpose()?;
                let (bytes, charset) = (html.into_bytes(), Some("utf-8".to_owned()));
                self.add_content(Content { name, bytes, charset, url, origin: Origin::Sent, notes: Vec::new() })
            }
            OpenRequest::File { path, url } if Archive::is_one(Path::new(&path)) => match url {
                None => return list(&path),
                Some(url) => self.add_content(archived(self, &path, &url)?),
            },
            OpenRequest::File { path, url } => {
                let url = url.map(|url| address(&url)).transpose()?;
                self.add_content(file(&path, url)?)
            }
        };
        Ok(Opened::Page { page: open.info.clone() })
    }

    /// Opens an argument of the command line; of an archive, the first page.
    pub(crate) fn open_named(&self, name: &str) -> Result<Arc<Open>, Refused> {
        if let Some((scheme, _)) = name.split_once("://") {
            if scheme != "file" {
                return Ok(self.add_content(self.fetch(&address(name)?, self.config.fetching.render.is_some())?));
            }
            let path = Url::parse(name).ok().and_then(|url| url.to_file_path().ok());
            let path = path.ok_or_else(|| unreadable(name, "it does not name a local file"))?;
            return Ok(self.add_content(file(&path.display().to_string(), None)?));
        }
        if Archive::is_one(Path::new(name)) {
            let Opened::Archive { entries, .. } = list(name)? else {
                return Err(unreadable(name, "it is not an archive"));
            };
            let first = entries.first().ok_or_else(|| unreadable(name, "it contains no pages"))?;
            return Ok(self.add_content(archived(self, name, &first.url)?));
        }
        Ok(self.add_content(file(name, None)?))
    }

    fn fetch(&self, url: &Url, render: bool) -> Result<Content, Refused> {
        let fetcher = if render { self.renderer()? } else { self.fetcher()? };
        let found = fetcher.get(&Request::user(url.clone())).map_err(|error| refused(&error))?;
        Ok(Content { notes: found.notes, ..content(&found.answer, found.content.to_vec(), Origin::Web) })
    }

    /// Parses a page and adds it to the open ones.
    fn add_content(&self, content: Content) -> Arc<Open> {
        let Content { name, bytes, charset, url, origin, mut notes } = content;
        let mut options = ParseOptions::default();
        options.charset = charset;
        let document = Document::from_bytes(bytes, &options);
        notes.extend(document.notes().iter().map(ToString::to_string));
        let title = title(&document);
        let (bytes, nodes) = (document.source().len(), document.len());
        let page = Page::from_document(&name, document);
        let page = Arc::new(match url {
            Some(url) => page.with_url(url),
            None => page,
        });
        let base = page.base().map(Url::as_str).unwrap_or_default();
        let mut feeds: Vec<String> = Vec::new();
        for feed in windrow::feed::find(page.document(), base).into_iter().filter(|feed| !feed.comments) {
            if !feeds.contains(&feed.url) {
                feeds.push(feed.url);
            }
        }
        self.add(|id| Open {
            info: PageInfo {
                id,
                name,
                url: page.url().map(Url::to_string),
                title,
                bytes,
                nodes,
                view: format!("/view/{}/{id}", self.key),
                notes,
                feeds,
            },
            page,
            origin,
        })
    }
}

/// Returns a page's title.
fn title(document: &Document) -> String {
    let title = document.find_html(windrow::dom::names::TITLE);
    let text = title.map(|title| windrow::Node::node(title).string_value(document).into_owned()).unwrap_or_default();
    windrow::wrapper::values::text::collapse(&text).chars().take(TITLE).collect()
}

fn content(answer: &Answer, bytes: Vec<u8>, origin: Origin) -> Content {
    Content {
        name: answer.url.to_string(),
        bytes,
        charset: answer.charset().map(str::to_owned),
        url: Some(answer.url.clone()),
        origin,
        notes: Vec::new(),
    }
}

/// Parses an address, which may lack its scheme.
fn address(text: &str) -> Result<Url, Refused> {
    let text = text.trim();
    let whole = if text.contains("://") { text.to_owned() } else { format!("https://{text}") };
    let url = Url::parse(&whole).map_err(|error| unreadable(text, &error.to_string()))?;
    match url.scheme() {
        "http" | "https" => Ok(url),
        other => Err(unreadable(text, &format!("only http: and https: addresses can be opened, not `{other}:`"))),
    }
}

fn file(path: &str, url: Option<Url>) -> Result<Content, Refused> {
    let bytes = read(Path::new(path), MOST_BYTES).map_err(|cause| unreadable(path, &cause))?;
    let folder = Path::new(path).parent().map(Path::to_owned).unwrap_or_default();
    let origin = Origin::File(if folder.as_os_str().is_empty() { ".".into() } else { folder });
    Ok(Content { name: path.to_owned(), bytes, charset: None, url, origin, notes: Vec::new() })
}

/// Reads a file up to a size limit.
pub(crate) fn read(path: &Path, most: u64) -> Result<Vec<u8>, String> {
    let file = File::open(path).map_err(|error| error.to_string())?;
    if !file.metadata().is_ok_and(|data| data.is_file()) {
        return Err("it is not a file".to_owned());
    }
    let mut bytes = Vec::new();
    file.take(most + 1).read_to_end(&mut bytes).map_err(|error| error.to_string())?;
    if bytes.len() as u64 <= most { Ok(bytes) } else { Err(format!("it is larger than {} MiB", most >> 20)) }
}

/// Lists the pages of an archive.
fn list(path: &str) -> Result<Opened, Refused> {
    let archive = Archive::open(Path::new(path)).map_err(|error| Refused::of(&error, ""))?;
    let (mut entries, mut more) = (Vec::new(), 0);
    for answer in archive {
        let answer = answer.map_err(|error| Refused::of(&error, ""))?;
        if entries.len() < MOST_ENTRIES {
            entries.push(Entry {
                url: answer.url.to_string(),
                media_type: answer.media_type(),
                bytes: answer.body.len(),
            })
        } else {
            more += 1
        }
    }
    Ok(Opened::Archive { path: path.to_owned(), entries, more })
}

/// Returns one page of an archive.
fn archived(state: &State, path: &str, url: &str) -> Result<Content, Refused> {
    let replay = state.archive(Path::new(path), true).map_err(|error| Refused::of(&error, ""))?;
    let found = replay.get(&address(url)?).map_err(|error| Refused::of(&error, ""))?;
    let answer = found.ok_or_else(|| unreadable(url, &format!("it is not in {path}")))?;
    let bytes = answer.content(MOST_BYTES).map_err(|error| refused(&error))?.to_vec();
    Ok(content(&answer, bytes, Origin::Archive(path.into())))
}

fn refused(error: &FetchError) -> Refused {
    Refused::of(error, "")
}

fn unreadable(name: &str, why: &str) -> Refused {
    Refused::unfit("page::unreadable", format!("cannot read `{name}`: {why}"))
}
