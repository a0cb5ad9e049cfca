//! Markup that begins with `<!` or `<?`: comments, doctypes, CDATA.

use memchr::{memchr, memchr2};

use super::bytes::{class, is, skip_space};
use super::{DoctypeTag, Lexeme, Model, Text, Tokenizer};
use crate::span::Span;

impl Tokenizer<'_> {
    pub(super) fn declaration(&mut self, start: usize, foreign: bool) -> Option<Lexeme> {
        let rest = &self.bytes[start + 2..];
        if rest.starts_with(b"--") {
            return Some(self.comment(start));
        }
        if rest.len() >= 7 && rest[..7].eq_ignore_ascii_case(b"doctype") {
            return Some(self.doctype(start));
        }
        if foreign && rest.starts_with(b"[CDATA[") {
            self.at = start + 9;
            self.model = Model::Cdata;
            if self.at >= self.bytes.len() {
                self.model = Model::Data;
            }
            return None;
        }
        Some(self.bogus_comment(start, start + 2))
    }

    pub(super) fn comment(&mut self, start: usize) -> Lexeme {
        let bytes = self.bytes;
        let data = start + 4;
        let rest = &bytes[data..];
        let (end, next) = if rest.starts_with(b">") {
            (data, data + 1)
        } else if rest.starts_with(b"->") {
            (data, data + 2)
        } else {
            let mut from = data;
            loop {
                let Some(found) = memchr::memmem::find(&bytes[from..], b"--") else {
                    // Dashes at the very end would have belonged to the closing.
                    let end = bytes.len() - usize::from(bytes.len() > data && bytes.ends_with(b"-"));
                    break (end, bytes.len());
                };
                let at = from + found;
                match &bytes[at + 2..] {
                    [b'>', ..] => break (at, at + 3),
                    [b'!', b'>', ..] => break (at, at + 4),
                    [] | [b'!'] => break (at, bytes.len()),
                    _ => from = at + 1,
                }
            }
        };
        self.at = next;
        let text = self.characters(data, end, false, true);
        Lexeme::Comment(Text { span: Span::new(start, next), ..text })
    }

    /// Reads text that only looks like markup as a comment up to the next `>`.
    pub(super) fn bogus_comment(&mut self, start: usize, data: usize) -> Lexeme {
        let found = memchr(b'>', &self.bytes[data..]);
        let end = found.map_or(self.bytes.len(), |found| data + found);
        self.at = (end + 1).min(self.bytes.len());
        let text = self.characters(data, end, false, true);
        Lexeme::Comment(Text { span: Span::new(start, self.at), ..text })
    }

    pub(super) fn doctype(&mut self, start: usize) -> Lexeme {
        let mut reader = DoctypeReader { bytes: self.bytes, source: self.source, at: start + 9 };
        let mut tag = reader.read();
        self.at = reader.at.min(self.bytes.len());
        tag.span = Span::new(start, self.at);
        Lexeme::Doctype(Box::new(tag))
    }
}

/// The states after `<!DOCTYPE`.
struct DoctypeReader<'s> {
    bytes: &'s [u8],
    source: &'s str,
    at: usize,
}

impl DoctypeReader<'_> {
    fn peek(&self) -> Option<u8> {
        self.bytes.get(self.at).copied()
    }

    fn skip_space(&mut self) {
        self.at = skip_space(self.bytes, self.at);
    }

    /// Skips to the position after the next `>`.
    fn skip_rest(&mut self) {
        let rest = self.bytes.get(self.at..).unwrap_or(&[]);
        self.at = memchr(b'>', rest).map_or(self.bytes.len(), |found| self.at + found + 1);
    }

    fn read(&mut self) -> DoctypeTag {
        let mut tag = DoctypeTag::default();
        tag.force_quirks = self.read_into(&mut tag).is_none();
        tag
    }

    /// Returns `None` if the doctype is broken, which puts the page in quirks mode.
    fn read_into(&mut self, tag: &mut DoctypeTag) -> Option<()> {
        self.skip_space();
        let start = self.at;
        while self.peek().is_some_and(|b| b != b'>' && !is(b, class::SPACE)) {
            self.at += 1;
        }
        if start == self.at {
            self.skip_rest();
            return None;
        }
        tag.name = Some(self.source[start..self.at].to_ascii_lowercase().replace('\0', "\u{FFFD}"));
        self.skip_space();
        match self.peek()? {
            b'>' => {
                self.at += 1;
                return Some(());
            }
            _ => {
                let word = self.bytes.get(self.at..self.at + 6).unwrap_or(&[]);
                if word.eq_ignore_ascii_case(b"public") {
                    self.at += 6;
                    self.skip_space();
                    tag.public_id = Some(self.identifier(&mut tag.public_id)?);
                    self.skip_space();
                    match self.peek()? {
                        b'>' => {
                            self.at += 1;
                            return Some(());
                        }
                        b'"' | b'\'' => tag.system_id = Some(self.identifier(&mut tag.system_id)?),
                        _ => {
                            self.skip_rest();
                            return None;
                        }
                    }
                } else if word.eq_ignore_ascii_case(b"system") {
                    self.at += 6;
                    self.skip_space();
                    tag.system_id = Some(self.identifier(&mut tag.system_id)?);
                } else {
                    self.skip_rest();
                    return None;
                }
            }
        }
        // After the system identifier, anything before the end is ignored without effect.
        self.skip_space();
        self.peek()?;
        self.skip_rest();
        Some(())
    }

    /// Reads a quoted identifier; one that is cut off is stored in `cut`.
    fn identifier(&mut self, cut: &mut Option<String>) -> Option<String> {
        let quote = match self.peek()? {
            quote @ (b'"' | b'\'') => quote,
            _ => {
                self.skip_rest();
                return None;
            }
        };
        let start = self.at + 1;
        let rest = self.bytes.get(start..).unwrap_or(&[]);
        let found = memchr2(quote, b'>', rest);
        let end = found.map_or(self.bytes.len(), |found| start + found);
        self.at = (end + 1).min(self.bytes.len());
        let text = self.source[start..end].replace("\r\n", "\n").replace('\r', "\n").replace('\0', "\u{FFFD}");
        if self.bytes.get(end) == Some(&quote) {
            Some(text)
        } else {
            *cut = Some(text);
            None
        }
    }
}
