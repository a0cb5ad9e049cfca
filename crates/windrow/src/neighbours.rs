//! The pages that a wrapper asks for with `get`: saved beside the page or the wrapper, or fetched.
//!
//! A link of a saved page leads to a URL; the saved copy of what is there is looked for where the same link would lead
//! among files: `https://example.org/europe/vie.html`, asked for by the page of `https://example.org/` that is saved as
//! `saved/index.html`, is `saved/europe/vie.html`.
//!
//! A page must not make us read what is no page of its site: only files below the directory of the page or of the
//! wrapper are read, wherever links and symbolic links lead. What is fetched is fetched as what a page asks for, which may
//! not be private; for a page that is itself a file, nothing is fetched unless the command line says so.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::fetch::http::Request;
use crate::{Document, Page, Pages};
use url::Url;

use crate::open::{self, Content, Opener, Source};

/// The pages around one page.
pub struct Neighbours<'a> {
    /// The address that the first page has or stands in for.
    address: Option<Url>,
    /// The directories that may be read from: the page's own, the wrapper's.
    directories: Vec<PathBuf>,
    /// True if pages are wanted with their trees.
    documents: bool,
    /// True if what is not saved may be fetched.
    fetches: bool,
    opener: &'a Opener,
}

impl<'a> Neighbours<'a> {
    /// The files around a page and the wrapper.
    pub fn new(
        source: &Source,
        rules: Option<PathBuf>,
        address: Option<Url>,
        documents: bool,
        opener: &'a Opener,
    ) -> Neighbours<'a> {
        let own = match source {
            Source::File(path) => path
                .parent()
                .map(|parent| if parent.as_os_str().is_empty() { PathBuf::from(".") } else { parent.to_owned() }),
            Source::Standard | Source::Url(_) | Source::Archived(_) => None,
        };
        let fetches = opener.follows() || matches!(source, Source::Url(_));
        // The wrapper of a page that is not here is no sign that saved pages are.
        let rules = rules.filter(|_| !matches!(source, Source::Url(_) | Source::Archived(_)));
        // As the system sees them, so that nothing outside looks like inside.
        let directories = own.into_iter().chain(rules).filter_map(|path| path.canonicalize().ok()).collect();
        Neighbours { address, directories, documents, fetches, opener }
    }

    /// The file at an address, if it is one that may be read.
    fn find(&self, wanted: &str) -> Result<PathBuf, String> {
        let candidates = match Url::parse(wanted) {
            // A drive letter is no scheme.
            Ok(url) if url.scheme().len() > 1 => match url.scheme() {
                "file" => vec![url.to_file_path().map_err(|()| "it names no file here".to_owned())?],
                "http" | "https" => self.saved(&url)?,
                other => return Err(format!("`{other}:` addresses cannot be read")),
            },
            _ => {
                let path = wanted.split('#').next().unwrap_or_default();
                self.directories.iter().flat_map(|directory| variants(directory.join(decoded(path)))).collect()
            }
        };
        for candidate in &candidates {
            let Ok(path) = candidate.canonicalize() else { continue };
            if !path.is_file() {
                continue;
            }
            if !self.directories.iter().any(|directory| path.starts_with(directory)) {
                return Err("it is outside the directories of the page and of the wrapper".to_owned());
            }
            return Ok(path);
        }
        let place = match candidates.first() {
            Some(first) => format!("; it would be `{}`", self.shown(first)),
            None => String::new(),
        };
        if is_web(wanted) {
            Err(format!("there is no saved copy{place}; --fetch fetches it"))
        } else {
            Err(format!("there is no such file{place}"))
        }
    }

    /// Returns where the saved copy of a page would be.
    fn saved(&self, url: &Url) -> Result<Vec<PathBuf>, String> {
        let Some(address) = &self.address else {
            let hint = "--url tells the address of the page, so that saved copies can be found";
            return Err(format!("--fetch fetches it; {hint}"));
        };
        let same_site =
            (address.host_str(), address.port_or_known_default()) == (url.host_str(), url.port_or_known_default());
        // Of `…/europe/`, saved as `europe.html`, the neighbours are those of `…/europe`, too.
        let roots = [".", ".."].iter().filter(|root| **root == "." || address.path().ends_with('/'));
        let mut candidates = Vec::new();
        for root in roots.filter_map(|root| address.join(root).ok()) {
            let Some(rest) = url.path().strip_prefix(root.path()).filter(|_| same_site) else { continue };
            // What a query asks for is another page; tools that save pages keep it in the name.
            let name = match url.query() {
                Some(query) => format!("{}?{query}", decoded(rest)),
                None => decoded(rest),
            };
            for directory in &self.directories {
                candidates.extend(variants(directory.join(&name)));
            }
        }
        if candidates.is_empty() {
            Err(format!("it is not below `{address}`, so there is no saved copy; --fetch fetches it"))
        } else {
            Ok(candidates)
        }
    }

    /// A path as it is best shown: without what all of them begin with.
    fn shown(&self, path: &Path) -> String {
        let short = self.directories.iter().find_map(|directory| path.strip_prefix(directory).ok());
        short.unwrap_or(path).display().to_string()
    }

    /// The address that a page read from a file has, so that its own links lead on.
    fn address_of(&self, wanted: &str, path: &Path) -> Option<Url> {
        match Url::parse(wanted) {
            Ok(url) if url.scheme().len() > 1 => Some(url),
            _ => Url::from_file_path(path).ok(),
        }
    }
}

impl Neighbours<'_> {
    /// Returns the content at an address: the saved copy, else the fetched page, if fetching is allowed.
    pub fn content(&self, wanted: &str) -> Result<Content, String> {
        match self.find(wanted) {
            Ok(path) => {
                let bytes = open::file(&path).map_err(|error| error.to_string())?;
                let address = self.address_of(wanted, &path);
                Ok(Content { bytes, media_type: None, charset: None, address, notes: Vec::new() })
            }
            Err(_) if self.fetches && is_web(wanted) => {
                let url = Url::parse(wanted).map_err(|error| error.to_string())?;
                self.opener.fetch(&Request::page(url)).map_err(|error| error.to_string())
            }
            Err(why) => Err(why),
        }
    }

    /// The address that the first page has or stands in for.
    pub fn address(&self) -> Option<&Url> {
        self.address.as_ref()
    }

    /// Returns `true` if what is not saved is fetched, be it from an archive.
    pub fn fetches(&self) -> bool {
        self.fetches
    }

    /// Returns `true` if what is not saved is asked of servers.
    pub fn asks_servers(&self) -> bool {
        self.fetches && !self.opener.replays()
    }
}

impl Pages for Neighbours<'_> {
    fn get(&self, wanted: &str) -> Result<Arc<Page>, String> {
        let content = self.content(wanted)?;
        let options = self.opener.parse_options(&content);
        let page = if self.documents {
            Page::from_document(wanted, Document::from_bytes(content.bytes, &options))
        } else {
            Page::from_text(wanted, crate::dom::decode(content.bytes, &options).0)
        };
        Ok(Arc::new(match content.address {
            Some(url) => page.with_url(url),
            None => page,
        }))
    }
}

/// The files that a path may mean: itself, the index of a directory, or a name without its ending.
fn variants(path: PathBuf) -> Vec<PathBuf> {
    let text = path.to_string_lossy().into_owned();
    let bare = text.trim_end_matches('/');
    if text.ends_with('/') {
        vec![path.join("index.html"), PathBuf::from(format!("{bare}.html"))]
    } else {
        vec![path.clone(), PathBuf::from(format!("{bare}.html")), path.join("index.html")]
    }
}

fn is_web(wanted: &str) -> bool {
    ["http://", "https://"]
        .iter()
        .any(|scheme| wanted.get(..scheme.len()).is_some_and(|it| it.eq_ignore_ascii_case(scheme)))
}

/// `%20` and the like resolved, unless that makes no text.
fn decoded(path: &str) -> String {
    let bytes = path.as_bytes();
    let mut out = Vec::with_capacity(bytes.len());
    let mut at = 0;
    while at < bytes.len() {
        let value = (bytes[at] == b'%').then(|| path.get(at + 1..at + 3)).flatten();
        match value.and_then(|digits| u8::from_str_radix(digits, 16).ok()) {
            Some(byte) => {
                out.push(byte);
                at += 3;
            }
            None => {
                out.push(bytes[at]);
                at += 1;
            }
        }
    }
    String::from_utf8(out).unwrap_or_else(|_| path.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn percent_signs_are_resolved_where_they_mean_something() {
        assert_eq!(decoded("a%20b/%C3%BC"), "a b/ü");
        assert_eq!(decoded("100%/%zz%4"), "100%/%zz%4");
        assert_eq!(decoded("%ff"), "%ff");
    }
}
