//! Pages of an archive in file order, to be processed like a folder of pages.
//!
//! A page is an answer of status 2xx that is HTML, or a text in a WET file. Other records (images, scripts, redirects,
//! errors, requests) are skipped, and so are revisits, whose bodies are elsewhere: use [`Replay`](super::Replay) for
//! those.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};

use super::cdx::Entries;
use super::error::WarcError;
use super::note::Note;
use super::reader::Reader;
use super::record::{Kind, Record};
use crate::Answer;

/// Returns an iterator over the pages of an archive.
pub fn pages<R: Read>(reader: Reader<R>) -> Pages<R> {
    Pages { reader, over: false }
}

/// Iterator over the pages of an archive: see [`pages`].
pub struct Pages<R> {
    reader: Reader<R>,
    over: bool,
}

impl<R: Read> Pages<R> {
    /// Returns notes on skipped parts so far: the first hundred.
    pub fn notes(&self) -> &[Note] {
        self.reader.notes()
    }

    /// Returns the number of skipped parts so far.
    pub fn problems(&self) -> u64 {
        self.reader.problems()
    }

    fn find(&mut self) -> io::Result<Option<Answer>> {
        while let Some(record) = self.reader.next_record()? {
            if let Some(page) = page(&record) {
                return Ok(Some(page));
            }
        }
        Ok(None)
    }
}

impl<R: Read> Iterator for Pages<R> {
    type Item = io::Result<Answer>;

    fn next(&mut self) -> Option<io::Result<Answer>> {
        if self.over {
            return None;
        }
        let found = self.find().transpose();
        self.over = !matches!(found, Some(Ok(_)));
        found
    }
}

/// Returns the page in a record, if it contains one.
pub(super) fn page(record: &Record<'_>) -> Option<Answer> {
    let kind = record.kind();
    if !matches!(kind, Kind::Response | Kind::Resource | Kind::Conversion) {
        return None;
    }
    let answer = record.answer()?.ok()?;
    let page = answer.status.is_success()
        && !answer.body.is_empty()
        && matches!(answer.url.scheme(), "http" | "https" | "file")
        && match answer.media_type().as_deref() {
            Some("text/html" | "application/xhtml+xml") => true,
            Some("text/plain") => kind == Kind::Conversion,
            Some(_) => false,
            None => answer.body.trim_ascii_start().starts_with(b"<"),
        };
    page.then_some(answer)
}

/// An archive, or a list of records in archives beside it.
pub struct Archive {
    path: PathBuf,
    from: From,
}

enum From {
    Records(Box<Pages<File>>),
    List(Box<Entries>),
}

impl Archive {
    /// Opens a WARC or WET file, or a CDX or CDXJ list.
    pub fn open(path: &Path) -> Result<Archive, WarcError> {
        let from = if is_list(path) {
            From::List(Box::new(Entries::open(path)?))
        } else {
            From::Records(Box::new(pages(Reader::open(path)?)))
        };
        Ok(Archive { path: path.to_owned(), from })
    }

    /// Reports whether a file's name is that of an archive or a list: `.warc`, `.wet`, `.cdx`, `.cdxj`, also with
    /// `.gz`.
    pub fn is_one(path: &Path) -> bool {
        is_list(path) || has_ending(path, &[".warc", ".wet"])
    }

    /// Returns notes on skipped parts so far: the first hundred. Lists report errors instead.
    pub fn notes(&self) -> &[Note] {
        match &self.from {
            From::Records(pages) => pages.notes(),
            From::List(_) => &[],
        }
    }

    /// Returns the number of skipped parts so far.
    pub fn problems(&self) -> u64 {
        match &self.from {
            From::Records(pages) => pages.problems(),
            From::List(_) => 0,
        }
    }
}

impl Iterator for Archive {
    type Item = Result<Answer, WarcError>;

    fn next(&mut self) -> Option<Self::Item> {
        let entries = match &mut self.from {
            From::Records(pages) => {
                return Some(pages.next()?.map_err(WarcError::unreadable(&self.path)));
            }
            From::List(entries) => entries,
        };
        loop {
            let entry = match entries.next()? {
                Ok(entry) => entry,
                Err(error) => return Some(Err(error)),
            };
            // The list's status is enough to skip other answers.
            if entry.status.is_some_and(|status| !(200..300).contains(&status)) {
                continue;
            }
            let path = match entries.locate(&entry) {
                Ok(path) => path,
                Err(error) => return Some(Err(error)),
            };
            match at(&path, entry.offset, entry.length, page) {
                Ok(None) => {}
                Ok(Some(page)) => return Some(Ok(page)),
                Err(error) => return Some(Err(error)),
            }
        }
    }
}

pub(super) fn is_list(path: &Path) -> bool {
    has_ending(path, &[".cdx", ".cdxj"])
}

fn has_ending(path: &Path, endings: &[&str]) -> bool {
    let name = path.file_name().unwrap_or_default().to_string_lossy().to_ascii_lowercase();
    let name = name.strip_suffix(".gz").unwrap_or(&name);
    endings.iter().any(|ending| name.ends_with(ending))
}

/// Reads the record at an offset of a file.
pub(super) fn at<T>(
    path: &Path,
    offset: u64,
    length: Option<u64>,
    use_record: impl FnOnce(&Record<'_>) -> T,
) -> Result<T, WarcError> {
    let mut file = File::open(path).map_err(WarcError::unreadable(path))?;
    file.seek(SeekFrom::Start(offset)).map_err(WarcError::unreadable(path))?;
    let mut reader = Reader::within(file.take(length.unwrap_or(u64::MAX)), offset, length);
    match reader.next_record().map_err(WarcError::unreadable(path))? {
        // A record found by skipping damage is not the requested one.
        Some(record) if record.place().offset() == offset => Ok(use_record(&record)),
        _ => Err(WarcError::NoRecordThere { name: path.display().to_string(), offset }),
    }
}
