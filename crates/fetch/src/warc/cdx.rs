//! Lists of records: CDX and CDXJ files, as Common Crawl and other archives index their segments.
//!
//! A line tells of one record: the address, the time, the status, and in which file at which offset it is. CDXJ has
//! `urlkey timestamp {json}`, the classic form 9 or 11 fields that its first line names, and Common Crawl's index
//! server gives the JSON alone; all are understood, also compressed.

use std::ffi::OsStr;
use std::fs::File;
use std::io::{BufRead, BufReader, Read};
use std::path::{Component, Path, PathBuf};
use std::time::SystemTime;

use flate2::bufread::MultiGzDecoder;
use serde_json::Value;
use url::Url;

use super::error::WarcError;
use super::time;

/// Bytes of a line at most.
const LONGEST_LINE: u64 = 1 << 20;

/// One line of a list: a record, and where it is.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Entry {
    /// The address, if it is one.
    pub url: Option<Url>,
    /// When it was captured.
    pub date: Option<SystemTime>,
    /// The status.
    pub status: Option<u16>,
    /// The media type; `warc/revisit` for a record that refers to another.
    pub media_type: Option<String>,
    /// The payload's digest, without the name of its method.
    pub digest: Option<String>,
    /// The file that has the record, as the list names it.
    pub file: String,
    /// Where the record begins in the file.
    pub offset: u64,
    /// How many bytes it takes there.
    pub length: Option<u64>,
}

/// The lines of a list.
pub struct Entries {
    path: PathBuf,
    lines: Box<dyn BufRead + Send>,
    line: u64,
    buffer: Vec<u8>,
    /// The letters that name the columns of the classic form.
    columns: Vec<u8>,
}

impl Entries {
    /// Opens a list.
    pub fn open(path: &Path) -> Result<Entries, WarcError> {
        let mut file = BufReader::with_capacity(1 << 16, File::open(path).map_err(WarcError::unreadable(path))?);
        let compressed = file.fill_buf().map_err(WarcError::unreadable(path))?.starts_with(&[0x1f, 0x8b]);
        let lines: Box<dyn BufRead + Send> =
            if compressed { Box::new(BufReader::new(MultiGzDecoder::new(file))) } else { Box::new(file) };
        Ok(Entries { path: path.to_owned(), lines, line: 0, buffer: Vec::new(), columns: Vec::new() })
    }

    /// Where an entry's file is: where the list says, seen from the list's folder, or by its name alone in that folder.
    pub fn locate(&self, entry: &Entry) -> Result<PathBuf, WarcError> {
        let folder = self.path.parent().unwrap_or(Path::new(""));
        // A list may come from anywhere; it leads to nothing that is not below its own folder.
        let below: PathBuf = Path::new(&entry.file)
            .components()
            .filter_map(|part| if let Component::Normal(part) = part { Some(part) } else { None })
            .collect();
        let name = below.file_name().unwrap_or(OsStr::new(""));
        let candidates = [folder.join(&below), folder.join(name)];
        candidates
            .into_iter()
            .find(|path| path.is_file())
            .ok_or_else(|| WarcError::NoListedFile { list: self.path.display().to_string(), file: entry.file.clone() })
    }

    /// Reads a line; false at the end.
    fn read_line(&mut self) -> Result<bool, WarcError> {
        self.buffer.clear();
        self.line += 1;
        let read = (&mut self.lines).take(LONGEST_LINE).read_until(b'\n', &mut self.buffer);
        Ok(read.map_err(WarcError::unreadable(&self.path))? > 0)
    }

    fn parse(&mut self) -> Option<Option<Entry>> {
        let line = String::from_utf8_lossy(&self.buffer);
        let text = line.trim();
        if text.is_empty() || text.starts_with('!') {
            return Some(None);
        }
        if let Some(columns) = text.strip_prefix("CDX").filter(|rest| rest.starts_with([' ', '\t'])) {
            self.columns = columns.split_ascii_whitespace().filter_map(|name| name.bytes().next()).collect();
            return Some(None);
        }
        if let Some(json) = text.find('{') {
            let timestamp = text[..json].split_ascii_whitespace().nth(1);
            return from_json(&text[json..], timestamp).map(Some);
        }
        from_columns(text, &self.columns).map(Some)
    }
}

impl Iterator for Entries {
    type Item = Result<Entry, WarcError>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            match self.read_line() {
                Ok(true) => {}
                Ok(false) => return None,
                Err(error) => {
                    // What cannot be read will not be read the next time either.
                    self.lines = Box::new(&[][..]);
                    return Some(Err(error));
                }
            }
            match self.parse() {
                Some(None) => {}
                Some(Some(entry)) => return Some(Ok(entry)),
                None => {
                    let list = self.path.display().to_string();
                    return Some(Err(WarcError::BadListLine { list, line: self.line }));
                }
            }
        }
    }
}

fn from_json(json: &str, timestamp: Option<&str>) -> Option<Entry> {
    let json: Value = serde_json::from_str(json).ok()?;
    // Numbers are written as texts by some and as numbers by others.
    let text = |name: &str| match &json[name] {
        Value::String(text) => Some(text.clone()),
        Value::Number(number) => Some(number.to_string()),
        _ => None,
    };
    Some(Entry {
        url: text("url").and_then(|url| Url::parse(&url).ok()),
        date: timestamp.and_then(time::read).or_else(|| time::read(&text("timestamp")?)),
        status: text("status").and_then(|status| status.parse().ok()),
        media_type: text("mime").or_else(|| text("mime-detected")),
        digest: text("digest").map(|digest| without_method(&digest)),
        file: text("filename")?,
        offset: text("offset")?.parse().ok()?,
        length: text("length").and_then(|length| length.parse().ok()),
    })
}

fn from_columns(line: &str, columns: &[u8]) -> Option<Entry> {
    let values: Vec<&str> = line.split_ascii_whitespace().collect();
    let columns = match (columns, values.len()) {
        ([], 9) => b"NbamskrVg",
        ([], _) => &b"NbamskrMSVg"[..],
        (named, _) => named,
    };
    if values.len() != columns.len() {
        return None;
    }
    let value = |letter: u8| {
        let at = columns.iter().position(|&column| column == letter)?;
        Some(values[at]).filter(|&value| value != "-")
    };
    Some(Entry {
        url: value(b'a').and_then(|url| Url::parse(url).ok()),
        date: value(b'b').and_then(time::read),
        status: value(b's').and_then(|status| status.parse().ok()),
        media_type: value(b'm').map(str::to_owned),
        digest: value(b'k').map(without_method),
        file: value(b'g')?.to_owned(),
        offset: value(b'V')?.parse().ok()?,
        length: value(b'S').and_then(|length| length.parse().ok()),
    })
}

/// `sha1:ABC` and `ABC` are the same.
pub(super) fn without_method(digest: &str) -> String {
    digest.trim().rsplit(':').next().unwrap_or_default().to_ascii_uppercase()
}
