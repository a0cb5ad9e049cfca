//! The tokenizer: splits the source into tags, texts and comments without copying.
//!
//! The standard describes eighty states that are fed one character at a time. With the whole page in memory, most of
//! them are searches: a text extends to the next `<` that opens something, found by `memchr`, a comment to `-->`, a
//! script to its end tag. Only the inside of a tag is still a loop over bytes. Names become ids at once, and values
//! and texts are slices of the source; only those with character references, carriage returns or NULs are decoded
//! into the document's store.
//!
//! The tree builder controls it, because the meaning of a `<` depends on the element, such as a `textarea` or an
//! `svg`.
//!
//! # Cost
//!
//! Linear; allocates nothing for a tag or text that needs no decoding.

mod bytes;
mod markup;
mod text;

use crate::arena::{AttrData, DecodedString, NONE, StrRef, Strings};
use crate::charref::Place;
use crate::names::{self, NameId};
use crate::scan;
use crate::span::Span;
pub(crate) use bytes::{attribute_name_span, tag_end};
use bytes::{class, is, quoted_end, skip_attribute, skip_attributes, skip_space};
use text::decode_into;

/// The way the following characters are read, which depends on the element around them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Model {
    /// Tags, texts, comments.
    Data,
    /// Text with character references up to the element's end tag (`title`, `textarea`).
    Rcdata,
    /// Text up to the element's end tag (`style`, `iframe`, …).
    Rawtext,
    /// Text up to the end tag, with the special rules of `script`.
    Script,
    /// Text to the end of the page.
    Plaintext,
    /// The inside of `<![CDATA[`.
    Cdata,
}

/// A start tag. Its attributes are the last ones in the document's list until the builder keeps or drops them.
#[derive(Debug, Clone, Copy)]
pub struct StartTag {
    /// The lower-cased name.
    pub name: NameId,
    /// From `<` to `>`.
    pub span: Span,
    pub(crate) attrs: u32,
    pub(crate) attr_count: u16,
    /// `true` if it ends with `/>`.
    pub self_closing: bool,
}

/// A run of characters.
#[derive(Debug, Clone, Copy)]
pub struct Text {
    /// Place in the source.
    pub span: Span,
    pub(crate) string: StrRef,
    /// `true` if it contains NUL characters (only in [`Model::Data`] and CDATA: elsewhere they are replaced at once).
    pub(crate) has_nul: bool,
    /// `true` if character references were decoded in it.
    pub(crate) references: bool,
}

/// A doctype.
#[derive(Debug, Clone, Default)]
pub struct DoctypeTag {
    /// The lower-cased name.
    pub name: Option<String>,
    /// The public identifier.
    pub public_id: Option<String>,
    /// The system identifier.
    pub system_id: Option<String>,
    /// `true` if the doctype is broken, which puts the page in quirks mode.
    pub force_quirks: bool,
    /// Place of the whole tag.
    pub span: Span,
}

/// A token of the source.
#[derive(Debug, Clone)]
pub enum Lexeme {
    /// A start tag.
    StartTag(StartTag),
    /// An end tag; its attributes have no effect and are not kept.
    EndTag {
        /// The lower-cased name.
        name: NameId,
        /// From `</` to `>`.
        span: Span,
    },
    /// Characters.
    Text(Text),
    /// A comment, bogus or not.
    Comment(Text),
    /// A doctype.
    Doctype(Box<DoctypeTag>),
    /// The end of the page; returned again on every further call.
    Eof,
}

/// A reader of one source, from the start; see the [module documentation](self).
#[derive(Debug)]
pub struct Tokenizer<'s> {
    source: &'s str,
    bytes: &'s [u8],
    at: usize,
    model: Model,
    /// Name of the end tag that ends a raw text.
    last_start: Option<NameId>,
    pub(crate) strings: Strings,
    /// For each name id, the number of the last tag that had this attribute; detects duplicates in O(1).
    seen: Vec<u32>,
    tags: u32,
    /// Largest number of attributes kept per tag.
    max_attrs: usize,
    /// Start of the first tag that had more attributes.
    pub(crate) attrs_limited: Option<u32>,
}

impl<'s> Tokenizer<'s> {
    /// Creates a tokenizer at the start of `source`.
    pub fn new(source: &'s str, max_attrs: usize) -> Tokenizer<'s> {
        let mut strings = Strings::default();
        // Pages have about one attribute per sixty bytes; excess capacity is released at the end.
        strings.attrs.reserve(source.len() / 64 + 8);
        Tokenizer {
            source,
            bytes: source.as_bytes(),
            at: 0,
            model: Model::Data,
            last_start: None,
            strings,
            seen: vec![0; crate::names::fixed_len() + 32],
            tags: 0,
            max_attrs: max_attrs.min(u16::MAX as usize),
            attrs_limited: None,
        }
    }

    /// Sets how the following characters are read, and the name of the end tag that ends this mode.
    pub fn set_model(&mut self, model: Model, end_tag: Option<NameId>) {
        self.model = model;
        self.last_start = end_tag;
    }

    /// Returns the start of the next lexeme.
    pub(crate) fn position(&self) -> usize {
        self.at
    }

    pub(crate) fn source(&self) -> &'s str {
        self.source
    }

    pub(crate) fn into_strings(self) -> Strings {
        self.strings
    }

    /// Returns the characters of a text or comment.
    pub fn str(&self, text: &Text) -> &str {
        self.string(text.string)
    }

    #[inline]
    pub(crate) fn string(&self, string: StrRef) -> &str {
        string.get(self.source, &self.strings.store)
    }

    /// Returns the string of a name.
    pub fn name(&self, name: NameId) -> &str {
        self.strings.names.get(name)
    }

    /// Returns the id of a name.
    pub fn intern(&mut self, name: &str) -> NameId {
        self.strings.names.intern(name)
    }

    /// Returns the names and values of a start tag's attributes.
    pub fn attributes(&self, tag: &StartTag) -> impl Iterator<Item = (&str, &str)> {
        self.attrs_of(tag.attrs, tag.attr_count)
            .iter()
            .map(|attr| (self.name(attr.name()), self.strings.value(self.source, attr)))
    }

    #[inline]
    pub(crate) fn attrs_of(&self, start: u32, count: u16) -> &[AttrData] {
        self.strings.attrs.get(start as usize..start as usize + count as usize).unwrap_or(&[])
    }

    /// Returns the attribute index for an element with this tag's attributes.
    #[inline]
    pub(crate) fn first_attr(tag: &StartTag) -> u32 {
        if tag.attr_count == 0 { NONE } else { tag.attrs }
    }

    /// Removes the attributes of a tag that no element has kept.
    pub(crate) fn drop_attrs(&mut self, tag: &StartTag) {
        self.strings.attrs.truncate(tag.attrs as usize);
    }

    /// Returns the next lexeme. `foreign` says that the current node is an SVG or MathML element, where `<![CDATA[`
    /// is markup.
    #[inline]
    pub fn next(&mut self, foreign: bool) -> Lexeme {
        loop {
            let bytes = self.bytes;
            let start = self.at;
            if start >= bytes.len() {
                return Lexeme::Eof;
            }
            if self.model != Model::Data {
                match self.raw() {
                    Some(lexeme) => return lexeme,
                    None => continue,
                }
            }
            if bytes[start] != b'<' {
                return self.text(start, start);
            }
            // Lexemes are returned where they are created: moving one is unexpectedly expensive, since it has just
            // been written in pieces.
            match bytes.get(start + 1) {
                Some(byte) if byte.is_ascii_alphabetic() => return self.start_tag(start),
                Some(b'/') => match bytes.get(start + 2) {
                    Some(byte) if byte.is_ascii_alphabetic() => return self.end_tag(start),
                    Some(b'>') => self.at = start + 3,
                    Some(_) => return self.bogus_comment(start, start + 2),
                    None => return self.text(start, start + 2),
                },
                Some(b'!') => {
                    if let Some(lexeme) = self.declaration(start, foreign) {
                        return lexeme;
                    }
                }
                Some(b'?') => return self.bogus_comment(start, start + 1),
                _ => return self.text(start, start + 1),
            }
        }
    }

    // ---- tags ----

    /// Reads the name at `start` and returns its id, in lower case, and its end.
    #[inline]
    fn scan_name(&mut self, start: usize, stop: u8) -> (NameId, usize) {
        let stops = |word| {
            let marks = scan::below(word, 0x21) | scan::equal(word, b'/') | scan::equal(word, b'>');
            if stop == class::ATTR_NAME { marks | scan::equal(word, b'=') } else { marks }
        };
        if let Some(word) = scan::load(self.bytes, start) {
            let marks = stops(word);
            if marks != 0 {
                let len = scan::first(marks);
                let end = start + len;
                // A control character does not end the name, and a NUL must be replaced: both are left to the slow
                // path.
                if len > 0
                    && is(self.bytes[end], stop)
                    && self.bytes[end] != 0
                    && let Some(name) = names::fixed_short(scan::lower_case(scan::head(word, len)))
                {
                    return (name, end);
                }
            } else if let Some(next) = scan::load(self.bytes, start + 8) {
                let marks = stops(next);
                let len = scan::first(marks);
                let end = start + 8 + len;
                if marks != 0 && is(self.bytes[end], stop) && self.bytes[end] != 0 {
                    let next = scan::lower_case(scan::head(next, len)) as u128;
                    if let Some(name) = names::fixed(next << 64 | scan::lower_case(word) as u128) {
                        return (name, end);
                    }
                }
            }
        }
        self.scan_other_name(start, stop)
    }

    #[inline(never)]
    fn scan_other_name(&mut self, start: usize, stop: u8) -> (NameId, usize) {
        let bytes = self.bytes;
        let mut end = start;
        // A name may begin with `=`, and may contain NULs, which become U+FFFD.
        while end < bytes.len() && (bytes[end] == 0 || end == start || !is(bytes[end], stop)) {
            end += 1;
        }
        let slice = &self.source[start..end];
        let plain = slice.bytes().all(|b| b != 0 && !b.is_ascii_uppercase());
        let name = if plain {
            self.strings.names.intern(slice)
        } else {
            self.strings.names.intern(&slice.to_ascii_lowercase().replace('\0', "\u{FFFD}"))
        };
        (name, end)
    }

    fn start_tag(&mut self, start: usize) -> Lexeme {
        let bytes = self.bytes;
        let (name, mut at) = self.scan_name(start + 1, class::TAG_NAME);
        let attrs = self.strings.attrs.len();
        let mut self_closing = false;
        if bytes.get(at) == Some(&b'>') {
            at += 1;
        } else {
            self.tags += 1;
            loop {
                at = skip_space(bytes, at);
                let Some(&byte) = bytes.get(at) else { return self.cut_tag(attrs) };
                match byte {
                    b'>' => {
                        at += 1;
                        break;
                    }
                    b'/' => {
                        at += 1;
                        if bytes.get(at) == Some(&b'>') {
                            self_closing = true;
                            at += 1;
                            break;
                        }
                    }
                    _ => match self.attribute(start, attrs, at) {
                        Some(end) => at = end,
                        None => return self.cut_tag(attrs),
                    },
                }
            }
        }
        self.at = at;
        let attr_count = (self.strings.attrs.len() - attrs) as u16;
        if attr_count > 0
            && let Some(last) = self.strings.attrs.last_mut()
        {
            last.set_last(true);
        }
        Lexeme::StartTag(StartTag { name, span: Span::new(start, at), attrs: attrs as u32, attr_count, self_closing })
    }

    /// Drops a tag in which the page ends.
    fn cut_tag(&mut self, attrs: usize) -> Lexeme {
        self.strings.attrs.truncate(attrs);
        self.at = self.bytes.len();
        Lexeme::Eof
    }

    /// Reads the attribute at `at` and keeps it, unless the tag already has it. Returns its end, or `None` if the
    /// page ends in it.
    #[inline]
    fn attribute(&mut self, tag: usize, attrs: usize, at: usize) -> Option<usize> {
        let bytes = self.bytes;
        if self.strings.attrs.len() - attrs >= self.max_attrs {
            self.attrs_limited.get_or_insert(tag as u32);
            return skip_attribute(bytes, at);
        }
        let (name, name_end) = self.scan_name(at, class::ATTR_NAME);
        let mut next = name_end;
        if bytes.get(next) != Some(&b'=') {
            next = skip_space(bytes, next);
        }
        let (value_start, value_end, end, plain) = if *bytes.get(next)? != b'=' {
            (name_end, name_end, next, true)
        } else {
            next += 1;
            if *bytes.get(next)? != b'"' {
                next = skip_space(bytes, next);
            }
            match *bytes.get(next)? {
                quote @ (b'"' | b'\'') => {
                    let start = next + 1;
                    let (end, plain) = quoted_end(bytes, start, quote)?;
                    (start, end, end + 1, plain)
                }
                b'>' => (next, next, next, true),
                _ => {
                    let mut end = next;
                    let mut plain = true;
                    loop {
                        while end < bytes.len() && !is(bytes[end], class::UNQUOTED) {
                            end += 1;
                        }
                        match *bytes.get(end)? {
                            0 | b'&' => plain = false,
                            _ => break,
                        }
                        end += 1;
                    }
                    (next, end, end, plain)
                }
            }
        };
        if name.index() >= self.seen.len() {
            self.seen.resize(self.strings.names.len() + 64, 0);
        }
        if self.seen[name.index()] == self.tags {
            return Some(end);
        }
        self.seen[name.index()] = self.tags;
        let span = Span::new(value_start, value_end);
        // Two ways to push: an attribute passed to a function is built in memory, and reading it back as a whole
        // stalls the processor.
        if plain {
            self.strings.attrs.push(AttrData::new(name, span, value_start == name_end));
        } else {
            self.push_decoded(name, span);
        }
        Some(end)
    }

    /// Keeps an attribute whose value has to be decoded.
    #[inline(never)]
    fn push_decoded(&mut self, name: NameId, span: Span) {
        let mut attr = AttrData::new(name, span, false);
        let mark = self.strings.store.len();
        decode_into(self.source, span, Some(Place::Attribute), true, &mut self.strings.store);
        let string = self.keep(mark, span.start as usize, span.end as usize);
        if string.is_own() {
            attr.set_decoded(self.strings.values.len() as u32);
            self.strings.values.push(DecodedString { string, source_len: span.len() as u32 });
        }
        self.strings.attrs.push(attr);
    }

    fn end_tag(&mut self, start: usize) -> Lexeme {
        let (name, at) = self.scan_name(start + 2, class::TAG_NAME);
        let end = match self.bytes.get(at) {
            Some(b'>') => at + 1,
            _ => match skip_attributes(self.bytes, at) {
                Some(end) => end,
                None => {
                    self.at = self.bytes.len();
                    return Lexeme::Eof;
                }
            },
        };
        self.at = end;
        Lexeme::EndTag { name, span: Span::new(start, end) }
    }
}
