//! CSV with automatic detection of delimiter and encoding, and strict row lengths.
//!
//! A byte order mark determines the encoding; otherwise valid UTF-8 is read as such, and other text is detected from
//! its bytes (`chardetng`, which browsers use). The delimiter is the one that splits the first lines into the most
//! columns, equally many in each line. The first line contains the names. A row that is too short or too long is an
//! error, because its cells would be assigned to the wrong names.
//!
//! The file is held in memory while it is read, and a second time if it is not UTF-8.

use std::fs::File;
use std::io::Read;
use std::path::Path;

use encoding_rs::{Encoding, UTF_8};

use super::error::Error;
use super::open::{Options, Rows};
use super::table::Reference;

/// Delimiters that are tried, most likely first.
const DELIMITERS: [u8; 4] = [b',', b';', b'\t', b'|'];
/// Number of lines from which the delimiter is detected.
const SAMPLE_LINES: usize = 20;
/// Number of bytes from which the encoding is detected.
const SAMPLE_BYTES: usize = 1 << 18;

/// Longest line in bytes: the reader holds a row as a whole, with eight bytes for each delimiter.
const LONGEST_LINE: usize = 16 << 20;

/// Reads a file.
pub(super) fn read(path: &Path, options: &Options) -> Result<Reference, Error> {
    let name = path.display().to_string();
    let mut bytes = Vec::new();
    // Quotes and delimiters do not count as text, so the file may be twice as large, but no larger.
    let most = options.bytes.saturating_mul(2).saturating_add(1 << 16);
    let file = File::open(path).map_err(|source| Error::file(path, source))?;
    file.take(most as u64 + 1).read_to_end(&mut bytes).map_err(|source| Error::file(path, source))?;
    if bytes.len() > most {
        return Err(Error::TooLarge { name, what: "bytes of text", most: options.bytes });
    }
    let text = decode(path, bytes, options)?;
    if text.split('\n').any(|line| line.len() > LONGEST_LINE) {
        return Err(Error::TooLarge { name, what: "bytes in a line", most: LONGEST_LINE });
    }
    let delimiter = options.delimiter.unwrap_or_else(|| delimiter(&text));
    let mut reader = reader(&text, delimiter);
    let mut record = csv::StringRecord::new();
    let unreadable = |error: csv::Error| Error::Database { place: path.display().to_string(), why: error.to_string() };
    if !reader.read_record(&mut record).map_err(unreadable)? {
        return Err(Error::Empty { name });
    }
    let mut rows = Rows::new(&name, record.iter().map(str::to_owned), options)?;
    while reader.read_record(&mut record).map_err(unreadable)? {
        if record.len() != rows.columns() {
            let end = reader.position().byte() as usize;
            return Err(ragged(path, &text, delimiter, &record, rows.columns(), end));
        }
        record.iter().try_for_each(|cell| rows.cell(cell))?;
        rows.end()?;
    }
    Ok(rows.done())
}

fn reader(text: &str, delimiter: u8) -> csv::Reader<&[u8]> {
    csv::ReaderBuilder::new().has_headers(false).flexible(true).delimiter(delimiter).from_reader(text.as_bytes())
}

/// Decodes the file.
fn decode(path: &Path, mut bytes: Vec<u8>, options: &Options) -> Result<String, Error> {
    let mark = Encoding::for_bom(&bytes);
    let named = match &options.encoding {
        Some(name) => {
            let encoding = Encoding::for_label(name.as_bytes());
            Some(encoding.ok_or_else(|| Error::NoEncoding { name: name.clone() })?)
        }
        None => None,
    };
    let encoding = match (named, mark) {
        (Some(encoding), _) | (None, Some((encoding, _))) => encoding,
        (None, None) if std::str::from_utf8(&bytes).is_ok() => UTF_8,
        (None, None) => {
            let sample = &bytes[..bytes.len().min(SAMPLE_BYTES)];
            let mut detector = chardetng::EncodingDetector::new(chardetng::Iso2022JpDetection::Allow);
            detector.feed(sample, sample.len() == bytes.len());
            detector.guess(None, chardetng::Utf8Detection::Allow)
        }
    };
    let marked = mark.filter(|(marked, _)| *marked == encoding).map_or(0, |(_, length)| length);
    let wrong = |before: &str| {
        let (line, column) = place(before);
        Error::Encoding { path: path.to_owned(), line, column, encoding: encoding.name().to_owned() }
    };
    bytes.drain(..marked);
    let text = if encoding == UTF_8 {
        String::from_utf8(bytes)
            .map_err(|error| wrong(&String::from_utf8_lossy(&error.as_bytes()[..error.utf8_error().valid_up_to()])))?
    } else {
        let (text, malformed) = encoding.decode_without_bom_handling(&bytes);
        if malformed {
            return Err(wrong(text.split('\u{FFFD}').next().unwrap_or_default()));
        }
        text.into_owned()
    };
    if text.contains('\0') { Err(Error::Binary { path: path.to_owned() }) } else { Ok(text) }
}

/// Detects the delimiter from the first lines.
fn delimiter(text: &str) -> u8 {
    let columns = |delimiter: &u8| {
        let mut reader = reader(text, *delimiter);
        let mut lengths = reader.records().take(SAMPLE_LINES).map(|record| record.map_or(0, |record| record.len()));
        let first = lengths.next().unwrap_or(0);
        // Lines of different lengths count against a delimiter, but one broken row does not rule it out.
        let (same, all) = lengths.fold((1, 1), |(same, all), length| (same + usize::from(length == first), all + 1));
        if first < 2 { 0 } else { first.min(1000) * same * same / (all * all).max(1) + same * 1000 / all }
    };
    let mut best = (0, DELIMITERS[0]);
    for delimiter in DELIMITERS {
        let columns = columns(&delimiter);
        if columns > best.0 {
            best = (columns, delimiter);
        }
    }
    best.1
}

/// Returns the line and column, from 1, of the position after a text.
fn place(before: &str) -> (usize, usize) {
    let line = before.matches('\n').count() + 1;
    let last = before.rsplit('\n').next().unwrap_or_default();
    (line, last.chars().count() + 1)
}

fn ragged(path: &Path, text: &str, delimiter: u8, record: &csv::StringRecord, expected: usize, end: usize) -> Error {
    let start = record.position().map_or(0, |position| position.byte() as usize);
    // The reader may place a record at the preceding line end.
    let rest = text.get(start..).unwrap_or_default();
    let start = start + rest.len() - rest.trim_start_matches(['\r', '\n']).len();
    let row = text.get(start..end).unwrap_or_default().trim_end_matches(['\r', '\n']);
    // Finds the beginning of the first excess cell, or the end of the row.
    let (mut cells, mut quoted, mut at) = (1, false, row.len());
    for (offset, &byte) in row.as_bytes().iter().enumerate() {
        match byte {
            b'"' => quoted = !quoted,
            _ if byte == delimiter && !quoted => {
                cells += 1;
                if cells > expected {
                    at = offset + 1;
                    break;
                }
            }
            _ => {}
        }
    }
    let (line, column) = place(text.get(..start + at).unwrap_or(text));
    let lines = row.matches('\n').count();
    let delimiter = char::from(delimiter);
    let hint = if lines > 0 {
        let (first, _) = place(text.get(..start).unwrap_or_default());
        format!("the row extends from line {first} to {}; check for a missing closing quote", first + lines)
    } else if record.len() > expected {
        format!("put cells that contain `{delimiter}` in quotes")
    } else {
        format!("write the `{delimiter}` for empty cells, too")
    };
    Error::Ragged { path: path.to_owned(), line, column, found: record.len(), expected, hint }
}
