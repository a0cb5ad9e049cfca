//! Comparison with Chromium: the trees of its parser, and the results of its `document.evaluate` and
//! `querySelectorAll`.
//!
//! The answers were recorded once (`tools/chromium-xpath`) and are replayed here: the tree of every page of
//! `../shared/corpus` as a hash of its dump, and some tens of thousands of questions on a sample of them and on the small
//! pages of `testdata/xpath/pages`, which need no corpus. A node-set is recorded as its size, a hash of its nodes by
//! preorder rank (which is what a `NodeId` is; the trees are compared first) and a hash of its first string values.
//!
//! A difference is a failure unless `testdata/xpath/chromium-explained.tsv` gives its reason, and an explanation that
//! no longer explains anything is a failure too. `WINDROW_DUMP=folder` writes the trees and the differences there.

#![allow(clippy::print_stderr, reason = "suites print their totals, and what they skip")]

mod answers;
mod explained;
mod trees;

use std::fs;
use std::io::Read;
use std::path::{Path, PathBuf};

use windrow_dom::Document;
use windrow_testkit::shared;

/// Two 32-bit multiplicative hashes over UTF-16 units, as in `tools/chromium-xpath/browser.js`.
struct Hash {
    a: u32,
    b: u32,
}

impl Hash {
    fn new() -> Hash {
        Hash { a: 0x811c_9dc5, b: 0x9747_b28c }
    }

    fn unit(&mut self, unit: u16) {
        self.a = (self.a ^ u32::from(unit)).wrapping_mul(0x0100_0193);
        let b = (self.b ^ u32::from(unit)).wrapping_mul(0x85eb_ca6b);
        self.b = b ^ (b >> 13);
    }

    fn text(&mut self, text: &str) {
        for unit in text.encode_utf16() {
            self.unit(unit);
        }
    }

    fn hex(&self) -> String {
        format!("{:08x}{:08x}", self.a, self.b)
    }
}

fn testdata() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata/xpath")
}

/// Returns the lines of a recording, without its heading.
fn recording(name: &str) -> String {
    let path = testdata().join(name);
    let packed = fs::read(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let mut text = String::new();
    flate2::read::GzDecoder::new(packed.as_slice()).read_to_string(&mut text).expect("a recording is gzipped UTF-8");
    let (heading, lines) = text.split_once('\n').expect("a recording has a heading");
    assert!(heading.starts_with('#') && heading.ends_with("format 1"), "unknown recording: {heading}");
    lines.to_owned()
}

/// Parses a recorded page: `own/…` from the repository, others from the corpus. `None` if it does not exist.
///
/// Decodes it as UTF-8 with U+FFFD for malformed input, as the recorder does: encodings are tested elsewhere.
fn page(path: &str) -> Option<Document> {
    let file = match path.strip_prefix("own/") {
        Some(name) => testdata().join("pages").join(name),
        None => shared::find("corpus")?.join(path),
    };
    let bytes = fs::read(file).ok()?;
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(&bytes);
    Some(Document::parse(String::from_utf8_lossy(bytes)))
}

/// Escapes the characters that would break a line of a recording.
fn escape(text: &str) -> String {
    text.replace('\\', "\\\\").replace('\n', "\\n").replace('\r', "\\r").replace('\t', "\\t")
}

fn unescape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut chars = text.chars();
    while let Some(char) = chars.next() {
        out.push(match char {
            '\\' => match chars.next() {
                Some('n') => '\n',
                Some('r') => '\r',
                Some('t') => '\t',
                other => other.unwrap_or('\\'),
            },
            other => other,
        });
    }
    out
}

/// Returns the folder for trees and differences, if one is set.
fn dump_folder() -> Option<PathBuf> {
    let folder = PathBuf::from(std::env::var_os("WINDROW_DUMP")?);
    fs::create_dir_all(&folder).expect("the folder for dumps can be made");
    Some(folder)
}
