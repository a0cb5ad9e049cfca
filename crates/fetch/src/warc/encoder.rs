//! Encoding of answers as archive records: WARC 1.1, one gzip member per record.
//!
//! An exchange becomes two records, `response` and `request`, as is usual. The response's block is the answer as it was
//! sent, with two exceptions: chunked encoding is undone, and the original spelling of header names is lost. An answer
//! over HTTP/2 is written as HTTP/1.1 with the field `WARC-Protocol`, since HTTP/2 has no status lines and readers do
//! not expect one.
//!
//! # Cost
//!
//! One buffer for the compressed records; with [`WriterConfig::with_revisits`], about a hundred bytes for each of the
//! first 65,536 bodies.

use std::collections::HashMap;
use std::collections::hash_map::RandomState;
use std::hash::{BuildHasher, Hasher};
use std::io;
use std::time::SystemTime;

use http::{HeaderMap, StatusCode, Version, header};
use url::{Position, Url};

use super::digest::{self, Sum};
use super::packer::Packer;
use super::time;
use crate::Answer;
use crate::answer::without_fragment;

/// Number of bodies that are remembered, so that equal ones need not be stored again.
const REMEMBERED: usize = 1 << 16;

/// Settings for writing an archive.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct WriterConfig {
    level: u32,
    revisits: bool,
    software: String,
}

impl Default for WriterConfig {
    /// Fast compression, every body written, the crate's own name.
    fn default() -> WriterConfig {
        let software = concat!("windrow/", env!("CARGO_PKG_VERSION"), " (", env!("CARGO_PKG_REPOSITORY"), ")");
        WriterConfig { level: 1, revisits: false, software: software.to_owned() }
    }
}

impl WriterConfig {
    /// Sets the compression level, from 0 (none) to 9. The default of 1 suits crawls: it compresses HTML to less than a
    /// third, faster than pages arrive.
    pub fn with_level(mut self, level: u32) -> WriterConfig {
        self.level = level.min(9);
        self
    }

    /// Sets whether a repeated body is replaced by a `revisit` record that refers to the first one. This saves space,
    /// but programs that stream the file do not see such pages; [`Replay`](super::Replay) and similar programs do.
    pub fn with_revisits(mut self, revisits: bool) -> WriterConfig {
        self.revisits = revisits;
        self
    }

    /// Sets the software name in the `warcinfo` record.
    pub fn with_software(mut self, software: &str) -> WriterConfig {
        self.software = software.replace(char::is_control, " ");
        self
    }
}

/// Encoder of records.
pub struct Encoder {
    config: WriterConfig,
    packer: Packer,
    /// Compressed records of the last call; the buffer is reused.
    packed: Vec<u8>,
    /// Random seed of record ids; `named` counts them.
    seed: [u64; 2],
    named: u64,
    seen: HashMap<Sum, Seen>,
    /// Offset in the file at which the next record will be written.
    offset: u64,
}

/// A body that is already in the file, and its record.
struct Seen {
    id: String,
    url: Url,
    date: String,
    end: u64,
}

/// Header fields of a record, in order.
type Fields<'a> = Vec<(&'static str, &'a str)>;

impl Encoder {
    /// Creates an encoder for the records of one file.
    pub fn new(config: WriterConfig) -> Encoder {
        let random = || RandomState::new().build_hasher().finish();
        let packer = Packer::new(config.level);
        Encoder {
            config,
            packer,
            packed: Vec::new(),
            seed: [random(), random()],
            named: 0,
            seen: HashMap::new(),
            offset: 0,
        }
    }

    /// Sets the offset of the next record; bodies after it are forgotten.
    pub(super) fn seek(&mut self, offset: u64) {
        // Moving forward forgets nothing.
        if offset <= self.offset {
            self.seen.retain(|_, seen| seen.end <= offset);
        }
        self.offset = offset;
    }

    /// Returns the compressed records of the last call.
    pub(super) fn packed(&self) -> &[u8] {
        &self.packed
    }

    /// Encodes a request, given by its headers, and its answer. An answer with status 304 becomes a `revisit` of the
    /// unchanged page.
    ///
    /// # Errors
    ///
    /// None in practice, since everything is in memory.
    pub fn exchange(&mut self, asked: &HeaderMap, answer: &Answer) -> io::Result<&[u8]> {
        self.pack_exchange(asked, answer)?;
        Ok(&self.packed)
    }

    /// Compresses an exchange; returns the end of the answer's record.
    pub(super) fn pack_exchange(&mut self, asked: &HeaderMap, answer: &Answer) -> io::Result<usize> {
        self.packed.clear();
        let id = self.name();
        let date = time::write(answer.at);
        let end = self.response(&id, &date, answer)?;
        self.request(&id, &date, asked, answer)?;
        Ok(end)
    }

    /// Encodes a page as rendered by a browser: a `resource` with the page's address, which other programs replay as
    /// the page, marked by `WARC-JSON-Metadata: {"rendered":true}`.
    ///
    /// # Errors
    ///
    /// None in practice, since everything is in memory.
    pub fn rendered(&mut self, answer: &Answer) -> io::Result<&[u8]> {
        self.packed.clear();
        let (id, date) = (self.name(), time::write(answer.at));
        let url = without_fragment(&answer.url);
        let digest = digest::label(&digest::sum(&[&answer.body]));
        let media = answer.header(header::CONTENT_TYPE).unwrap_or("text/html; charset=utf-8");
        let fields = vec![
            ("WARC-Type", "resource"),
            ("WARC-Record-ID", &id),
            ("WARC-Date", &date),
            ("WARC-Target-URI", url.as_str()),
            ("WARC-Block-Digest", &digest),
            ("WARC-Payload-Digest", &digest),
            ("WARC-JSON-Metadata", r#"{"rendered":true}"#),
            ("Content-Type", media),
        ];
        self.pack(fields, &[], &answer.body)?;
        Ok(&self.packed)
    }

    /// Compresses the answer as a `response` or `revisit`; returns the end of its record.
    fn response(&mut self, id: &str, date: &str, answer: &Answer) -> io::Result<usize> {
        let url = without_fragment(&answer.url);
        let address = answer.address.map(|address| address.to_string());
        let payload = digest::sum(&[&answer.body]);
        let payload_label = digest::label(&payload);
        let unchanged = answer.status == StatusCode::NOT_MODIFIED;
        let remembers = self.config.revisits && !answer.body.is_empty();
        let seen = self.seen.get(&payload).filter(|_| remembers);
        let seen = seen.map(|seen| (seen.id.clone(), seen.url.clone(), seen.date.clone()));

        let head = response_head(answer);
        let body = if unchanged || seen.is_some() { &[][..] } else { &answer.body };
        let block_label = digest::label(&digest::sum(&[&head, body]));
        let mut fields: Fields<'_> = vec![
            ("WARC-Type", "response"),
            ("WARC-Record-ID", id),
            ("WARC-Date", date),
            ("WARC-Target-URI", url.as_str()),
        ];
        if let Some(address) = &address {
            fields.push(("WARC-IP-Address", address));
        }
        match answer.version {
            Version::HTTP_2 => fields.push(("WARC-Protocol", "h2")),
            Version::HTTP_3 => fields.push(("WARC-Protocol", "h3")),
            _ => {}
        }
        fields.push(("WARC-Block-Digest", &block_label));
        if unchanged {
            fields[0].1 = "revisit";
            fields.push(("WARC-Profile", "http://netpreserve.org/warc/1.1/revisit/server-not-modified"));
            fields.push(("WARC-Refers-To-Target-URI", url.as_str()));
        } else {
            fields.push(("WARC-Payload-Digest", &payload_label));
        }
        if let (false, Some((id, url, date))) = (unchanged, &seen) {
            fields[0].1 = "revisit";
            fields.push(("WARC-Profile", "http://netpreserve.org/warc/1.1/revisit/identical-payload-digest"));
            fields.push(("WARC-Refers-To", id));
            fields.push(("WARC-Refers-To-Target-URI", url.as_str()));
            fields.push(("WARC-Refers-To-Date", date));
        }
        fields.push(("Content-Type", "application/http; msgtype=response"));
        self.pack(fields, &head, body)?;
        if remembers && seen.is_none() && self.seen.len() < REMEMBERED {
            let end = self.offset + self.packed.len() as u64;
            self.seen.insert(payload, Seen { id: id.to_owned(), url, date: date.to_owned(), end });
        }
        Ok(self.packed.len())
    }

    /// Compresses the request.
    fn request(&mut self, response: &str, date: &str, asked: &HeaderMap, answer: &Answer) -> io::Result<()> {
        let url = without_fragment(&answer.url);
        let mut block = format!("GET {} HTTP/1.1\r\n", &url[Position::BeforePath..]).into_bytes();
        if !asked.contains_key(header::HOST) {
            put_header(&mut block, b"host", url[Position::BeforeHost..Position::AfterPort].as_bytes());
        }
        for (name, value) in asked {
            put_header(&mut block, name.as_str().as_bytes(), value.as_bytes());
        }
        block.extend_from_slice(b"\r\n");
        let id = self.name();
        let digest = digest::label(&digest::sum(&[&block]));
        let fields = vec![
            ("WARC-Type", "request"),
            ("WARC-Record-ID", &id),
            ("WARC-Date", date),
            ("WARC-Target-URI", url.as_str()),
            ("WARC-Concurrent-To", response),
            ("WARC-Block-Digest", &digest),
            ("Content-Type", "application/http; msgtype=request"),
        ];
        self.pack(fields, &block, &[])
    }

    /// Encodes the record that describes the file and that every file begins with.
    ///
    /// # Errors
    ///
    /// None in practice, since everything is in memory.
    pub fn warcinfo(&mut self, name: &str) -> io::Result<&[u8]> {
        self.packed.clear();
        let (id, date) = (self.name(), time::write(SystemTime::now()));
        let block = format!(
            "software: {}\r\nformat: WARC File Format 1.1\r\n\
             conformsTo: http://iipc.github.io/warc-specifications/specifications/warc-format/warc-1.1/\r\n",
            self.config.software
        );
        let name = name.replace(char::is_control, "_");
        let digest = digest::label(&digest::sum(&[block.as_bytes()]));
        let fields = vec![
            ("WARC-Type", "warcinfo"),
            ("WARC-Record-ID", &id),
            ("WARC-Date", &date),
            ("WARC-Filename", &name),
            ("WARC-Block-Digest", &digest),
            ("Content-Type", "application/warc-fields"),
        ];
        self.pack(fields, block.as_bytes(), &[])?;
        Ok(&self.packed)
    }

    /// Appends a compressed record to the buffer. Its block is `head` followed by `body`.
    fn pack(&mut self, fields: Fields<'_>, head: &[u8], body: &[u8]) -> io::Result<()> {
        let mut header = String::with_capacity(1024);
        header.push_str("WARC/1.1\r\n");
        let length = (head.len() + body.len()).to_string();
        for (name, value) in fields.into_iter().chain([("Content-Length", length.as_str())]) {
            header.extend([name, ": ", value, "\r\n"]);
        }
        header.push_str("\r\n");
        self.packer.pack(&[header.as_bytes(), head, body, b"\r\n\r\n"], &mut self.packed)
    }

    /// Creates a record id.
    fn name(&mut self) -> String {
        self.named += 1;
        let [a, b] = self.seed.map(u64::to_be_bytes);
        let sum = digest::sum(&[&a, &b, &self.named.to_be_bytes()]);
        let mut number = sum.iter().take(16).fold(0_u128, |number, &byte| number << 8 | u128::from(byte));
        // The bits that mark a random UUID (version 4).
        number = number & !(0xf << 76) & !(0x3 << 62) | 0x4 << 76 | 0x2 << 62;
        let part = |from: u32, bits: u32| (number >> from) & ((1 << bits) - 1);
        let (a, b, c, d, e) = (part(96, 32), part(80, 16), part(64, 16), part(48, 16), part(0, 48));
        format!("<urn:uuid:{a:08x}-{b:04x}-{c:04x}-{d:04x}-{e:012x}>")
    }
}

/// Returns status line and headers as received, except for those about chunks and length.
fn response_head(answer: &Answer) -> Vec<u8> {
    let version = if answer.version <= Version::HTTP_10 { "1.0" } else { "1.1" };
    let reason = answer.status.canonical_reason().unwrap_or_default();
    let mut head = format!("HTTP/{version} {} {reason}\r\n", answer.status.as_str()).into_bytes();
    // These answers have no body; a length that they give is that of another answer.
    let bodiless = matches!(answer.status.as_u16(), 100..200 | 204 | 304);
    for (name, value) in &answer.headers {
        if name == header::TRANSFER_ENCODING || name == header::CONTENT_LENGTH && !bodiless {
            continue;
        }
        put_header(&mut head, name.as_str().as_bytes(), value.as_bytes());
    }
    if !bodiless {
        put_header(&mut head, b"content-length", answer.body.len().to_string().as_bytes());
    }
    head.extend_from_slice(b"\r\n");
    head
}

fn put_header(block: &mut Vec<u8>, name: &[u8], value: &[u8]) {
    for part in [name, b": ", value, b"\r\n"] {
        block.extend_from_slice(part);
    }
}
