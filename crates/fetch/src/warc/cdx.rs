//! Lists of records: CDX and CDXJ files, the indexes of Common Crawl and other archives.
//!
//! Each line describes one record: its address, time and status, and its file and offset. CDXJ lines are `urlkey
//! timestamp {json}`, the classic format has 9 or 11 fields that its first line names, and Common Crawl's index server
//! returns the JSON alone. All of these are read, also compressed.

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

/// Longest line in bytes.
const LONGEST_LINE: u64 = 1 << 20;

/// One line of a list: a record and its location.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Entry {
    /// Address, if it is valid.
    pub url: Option<Url>,
    /// Time of capture.
    pub date: Option<SystemTime>,
    /// Status code.
    pub status: Option<u16>,
    /// Media type; `warc/revisit` for a record that refers to another.
    pub media_type: Option<String>,
    /// Digest of the payload, without the name of the algorithm.
    pub digest: Option<String>,
    /// File that contains the record, as named in the list.
    pub file: String,
    /// Offset of the record in the file.
    pub offset: u64,
    /// Length of the record in the file.
    pub length: Option<u64>,
}

/// Iterator over the lines of a list.
pub struct Entries {
    path: PathBuf,
    lines: Box<dyn BufRead + Send>,
    line: u64,
    buffer: Vec<u8>,
    /// Letters that name the columns in the classic format.
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

    /// Returns the path of an entry's file: relative to the list's folder, or by its name alone in that folder.
    pub fn locate(&self, entry: &Entry) -> Result<PathBuf, WarcError> {
        let folder = self.path.parent().unwrap_or(Path::new(""));
        // A list is not trusted: it may only refer to files below its own folder.
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
                    // A read error would repeat, so stop here.
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
    // Some programs write numbers as strings.
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

/// Removes the algorithm: `sha1:ABC` and `ABC` are the same digest.
pub(super) fn without_method(digest: &str) -> String {
    digest.trim().rsplit(':').next().unwrap_or_default().to_ascii_uppercase()
}
