//! Page arguments to documents: which pages the arguments mean, reading one, decoding and parsing it.
//!
//! A page is read whole, since its tree refers to its source; how many are in memory at once is the caller's to
//! bound ([`crate::ordered`]).

use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use windrow::{Document, ParseOptions};

/// Bytes of one page that are read at most. The parser's own limit is lower and leaves a note; this one keeps an
/// endless file (a device, a stuck pipe) from filling the memory first.
const PAGE_BYTES: u64 = 1 << 30;

/// Where one page is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Source {
    /// Standard input.
    Standard,
    /// A file.
    File(PathBuf),
}

/// A page that was read, under the name it was given by.
#[derive(Debug)]
pub(crate) struct Page {
    /// As given: `-`, or the file's path.
    pub(crate) name: String,
    /// Its document.
    pub(crate) document: Document,
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
    /// A URL.
    #[error("cannot read `{name}`: URLs are not supported yet")]
    #[diagnostic(code(page::url), help("save the page and give the file, or pipe it: curl -s {name} | windrow … -"))]
    Url {
        /// The URL.
        name: String,
    },
    /// Standard input given twice.
    #[error("standard input (`-`) can be read only once")]
    #[diagnostic(code(page::standard_input_twice))]
    StandardTwice,
}

/// The pages that the arguments mean, in the arguments' order; directories are searched, each in order of names.
///
/// Nothing is read yet but directories, so a missing file is no error here.
pub(crate) fn find(arguments: &[String]) -> Vec<Result<Source, PageError>> {
    let mut sources = Vec::new();
    let mut standard = false;
    for argument in arguments {
        if argument == "-" {
            sources.push(if standard { Err(PageError::StandardTwice) } else { Ok(Source::Standard) });
            standard = true;
        } else if is_url(argument) {
            sources.push(Err(PageError::Url { name: argument.clone() }));
        } else if Path::new(argument).is_dir() {
            let before = sources.len();
            sources.extend(directory(argument));
            if sources.len() == before {
                sources.push(Err(PageError::NoneInDirectory { name: argument.clone() }));
            }
        } else {
            sources.push(Ok(Source::File(argument.into())));
        }
    }
    sources
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
    /// As given: `-`, or the file's path.
    pub(crate) fn name(&self) -> String {
        match self {
            Source::Standard => "-".to_owned(),
            Source::File(path) => path.display().to_string(),
        }
    }

    /// Reads and parses the page.
    pub(crate) fn read(&self, charset: Option<&str>) -> Result<Page, PageError> {
        Ok(Page { name: self.name(), document: Document::from_bytes(self.bytes()?, &options(charset)) })
    }

    /// Reads the page.
    pub(crate) fn bytes(&self) -> Result<Vec<u8>, PageError> {
        let name = self.name();
        let bytes = match self {
            Source::Standard => read_all(io::stdin().lock()),
            Source::File(path) => File::open(path).and_then(read_all),
        };
        match bytes {
            Ok(Some(bytes)) => Ok(bytes),
            Ok(None) => Err(PageError::TooLarge { name }),
            Err(cause) => Err(PageError::Unreadable { name, cause }),
        }
    }
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
