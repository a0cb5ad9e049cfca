//! The tokenizer: source to tags, texts and comments, by reference.
//!
//! The standard describes eighty states fed one character at a time. With the whole page in memory most of them
//! are searches: a text is what `memchr` finds up to the next `<` that opens something, a comment what stands
//! before `-->`, a script what stands before its end tag. What stays a loop over bytes is the inside of a tag.
//! Names become ids at once, values and texts are slices of the source; only those with character references,
//! carriage returns or NULs are decoded into the document's store.
//!
//! The tree builder drives it: what a `<` means in a `textarea` or an `svg` is the builder's to say.
//!
//! # Cost
//!
//! Linear; no allocation for a tag or text that says what it means literally.

mod bytes;
mod markup;
mod text;

use crate::arena::{AttrData, Decoded, NONE, StrRef, Strings};
use crate::charref::Place;
use crate::names::{self, NameId};
use crate::scan;
use crate::span::Span;
pub(crate) use bytes::{attribute_name_span, tag_end};
use bytes::{class, is, quoted_end, skip_attribute, skip_attributes, skip_space};
use text::decode_into;

/// What the characters ahead are, as the element around them decides.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Model {
    /// Tags, texts, comments.
    Data,
    /// Text with character references up to the element's end tag (`title`, `textarea`).
    Rcdata,
    /// Text up to the element's end tag (`style`, `iframe`, …).
    Rawtext,
    /// Text up to the end tag, with the odd rules of `script`.
    Script,
    /// Text to the end of the page.
    Plaintext,
    /// The inside of `<![CDATA[`.
    Cdata,
}

/// A start tag. Its attributes are the last of the document's list until the builder takes or drops them.
#[derive(Debug, Clone, Copy)]
pub struct StartTag {
    /// The lower-cased name.
    pub name: NameId,
    /// From `<` to `>`.
    pub span: Span,
    pub(crate) attrs: u32,
    pub(crate) attr_count: u16,
    /// Whether it ends with `/>`.
    pub self_closing: bool,
}

/// A run of characters.
#[derive(Debug, Clone, Copy)]
pub struct Text {
    /// Where it stands in the source.
    pub span: Span,
    pub(crate) string: StrRef,
    /// Whether it holds NUL characters (in [`Model::Data`] and CDATA only: elsewhere they are replaced at once).
    pub(crate) has_nul: bool,
    /// Whether character references were decoded in it.
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
    /// The doctype is broken: the page is in quirks mode.
    pub force_quirks: bool,
    /// The whole tag.
    pub span: Span,
}

/// What the tokenizer yields.
#[derive(Debug, Clone)]
pub enum Lexeme {
    /// A start tag.
    StartTag(StartTag),
    /// An end tag (its attributes, which mean nothing, are not kept).
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
    /// The end of the page, again and again.
    Eof,
}

/// Reads a source from its start; see the [module documentation](self).
#[derive(Debug)]
pub struct Tokenizer<'s> {
    source: &'s str,
    bytes: &'s [u8],
    at: usize,
    model: Model,
    /// The name an end tag must have to end a raw text.
    last_start: Option<NameId>,
    pub(crate) strings: Strings,
    /// For each name id, the number of the last tag that had such an attribute: duplicates in O(1).
    seen: Vec<u32>,
    tags: u32,
    /// Most attributes that one tag keeps.
    max_attrs: usize,
    /// Start of the first tag that had more.
    pub(crate) attrs_limited: Option<u32>,
}

impl<'s> Tokenizer<'s> {
    /// A tokenizer at the start of `source`.
    pub fn new(source: &'s str, max_attrs: usize) -> Tokenizer<'s> {
        let mut strings = Strings::default();
        // Pages have an attribute in some sixty bytes; what is too much is given back in the end.
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

    /// Sets how the characters ahead are read, and the name of the end tag that ends them.
    pub fn set_model(&mut self, model: Model, end_tag: Option<NameId>) {
        self.model = model;
        self.last_start = end_tag;
    }

    /// Where the next lexeme begins.
    pub(crate) fn position(&self) -> usize {
        self.at
    }

    pub(crate) fn source(&self) -> &'s str {
        self.source
    }

    pub(crate) fn into_strings(self) -> Strings {
        self.strings
    }

    /// The characters of a text or comment.
    pub fn str(&self, text: &Text) -> &str {
        self.string(text.string)
    }

    #[inline]
    pub(crate) fn string(&self, string: StrRef) -> &str {
        string.get(self.source, &self.strings.store)
    }

    /// The string of a name.
    pub fn name(&self, name: NameId) -> &str {
        self.strings.names.get(name)
    }

    /// The id of a name.
    pub fn intern(&mut self, name: &str) -> NameId {
        self.strings.names.intern(name)
    }

    /// A start tag's attributes: names and values.
    pub fn attributes(&self, tag: &StartTag) -> impl Iterator<Item = (&str, &str)> {
        self.attrs_of(tag.attrs, tag.attr_count)
            .iter()
            .map(|attr| (self.name(attr.name()), self.strings.value(self.source, attr)))
    }

    #[inline]
    pub(crate) fn attrs_of(&self, start: u32, count: u16) -> &[AttrData] {
        self.strings.attrs.get(start as usize..start as usize + count as usize).unwrap_or(&[])
    }

    /// Where an element with this tag's attributes finds them.
    #[inline]
    pub(crate) fn first_attr(tag: &StartTag) -> u32 {
        if tag.attr_count == 0 { NONE } else { tag.attrs }
    }

    /// Forgets a tag's attributes, which no element has taken.
    pub(crate) fn drop_attrs(&mut self, tag: &StartTag) {
        self.strings.attrs.truncate(tag.attrs as usize);
    }

    /// The next lexeme. `foreign`: the current node is an SVG or MathML element, where `<![CDATA[` means something.
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
            // Lexemes are returned from where they are made: moving one costs more than one would think, since it was
            // written in pieces just before.
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

    /// The id of the name at `start`, lower-cased, and where it ends.
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
                // A control character ends nothing, and a NUL must be replaced: both are left to the slow way.
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

    /// The page ends inside a tag: the tag is dropped.
    fn cut_tag(&mut self, attrs: usize) -> Lexeme {
        self.strings.attrs.truncate(attrs);
        self.at = self.bytes.len();
        Lexeme::Eof
    }

    /// Reads the attribute at `at` and keeps it, unless the tag has it already; where it ends, or none if the page
    /// ends in it.
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
        // Two ways to push: an attribute that is handed on is built in memory, and reading it back as a whole stalls.
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
            self.strings.values.push(Decoded { string, source_len: span.len() as u32 });
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
