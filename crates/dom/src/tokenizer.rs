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

use memchr::{memchr, memchr2, memchr3};

use crate::charref::{self, Place};
use crate::document::{AttrData, Decoded, NONE, StrRef, Strings};
use crate::names::{self, NameId};
use crate::scan;
use crate::span::Span;

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

/// Bytes that mean something, by what they end.
mod class {
    /// Ends a tag name: white space, `/`, `>`; NUL, which must be replaced.
    pub(super) const TAG_NAME: u8 = 1;
    /// Ends an attribute name: the same and `=`.
    pub(super) const ATTR_NAME: u8 = 2;
    /// White space.
    pub(super) const SPACE: u8 = 4;
    /// Ends an unquoted value, or needs decoding in one: white space, `>`, `&`, NUL.
    pub(super) const UNQUOTED: u8 = 8;
}

static CLASSES: [u8; 256] = {
    use class::*;
    let mut out = [0u8; 256];
    let spaces = [b' ', b'\t', b'\n', b'\r', b'\x0c'];
    let mut at = 0;
    while at < spaces.len() {
        out[spaces[at] as usize] = TAG_NAME | ATTR_NAME | SPACE | UNQUOTED;
        at += 1;
    }
    out[b'/' as usize] = TAG_NAME | ATTR_NAME;
    out[b'>' as usize] = TAG_NAME | ATTR_NAME | UNQUOTED;
    out[b'=' as usize] = ATTR_NAME;
    out[0] = TAG_NAME | ATTR_NAME | UNQUOTED;
    out[b'&' as usize] = UNQUOTED;
    out
};

#[inline]
fn is(byte: u8, class: u8) -> bool {
    CLASSES[byte as usize] & class != 0
}

#[inline]
fn skip_space(bytes: &[u8], mut at: usize) -> usize {
    while at < bytes.len() && is(bytes[at], class::SPACE) {
        at += 1;
    }
    at
}

/// Where a quoted value ends, and whether it says what it means literally.
#[inline]
fn quoted_end(bytes: &[u8], start: usize, quote: u8) -> Option<(usize, bool)> {
    let mut at = start;
    let mut plain = true;
    while let Some(word) = scan::load(bytes, at) {
        let special = scan::equal(word, b'&') | scan::equal(word, b'\r') | scan::equal(word, 0);
        let ends = scan::equal(word, quote);
        if ends != 0 {
            let end = scan::first(ends);
            return Some((at + end, plain && (special == 0 || scan::first(special) > end)));
        }
        plain &= special == 0;
        at += 8;
        if at - start >= 64 {
            break;
        }
    }
    let end = at + memchr(quote, &bytes[at..])?;
    Some((end, plain && memchr3(b'&', b'\r', 0, &bytes[at..end]).is_none()))
}

/// Where the name of an attribute that starts at `start` ends.
pub(crate) fn attribute_name_end(bytes: &[u8], start: usize) -> usize {
    // A name may begin with `=`, but not contain it.
    let mut at = start + 1;
    while at < bytes.len() && (bytes[at] == 0 || !is(bytes[at], class::ATTR_NAME)) {
        at += 1;
    }
    at.min(bytes.len())
}

/// Where the name of an attribute is, given where its value begins (or the name ends, if it is `bare`).
pub(crate) fn attribute_name_span(bytes: &[u8], value: usize, bare: bool, name: &str) -> Span {
    let mut end = value.min(bytes.len());
    if !bare {
        // Backwards over an opening quote, the `=` and the space around it.
        if end > 0 && matches!(bytes[end - 1], b'"' | b'\'') {
            end -= 1;
        }
        let skip_back = |mut end: usize| {
            while end > 0 && is(bytes[end - 1], class::SPACE) {
                end -= 1;
            }
            end
        };
        end = skip_back(skip_back(end).saturating_sub(1));
    }
    // The name is as long as in the source, but for a NUL, which became U+FFFD.
    let mut start = end;
    for character in name.chars().rev() {
        let nul = character == '\u{FFFD}' && start > 0 && bytes[start - 1] == 0;
        start = start.saturating_sub(if nul { 1 } else { character.len_utf8() });
    }
    Span::new(start, end)
}

/// Where the tag that starts at `start` (with `<` or `</`) ends.
pub(crate) fn tag_end(bytes: &[u8], start: usize) -> usize {
    let mut at = start + 2;
    while at < bytes.len() && (bytes[at] == 0 || !is(bytes[at], class::TAG_NAME)) {
        at += 1;
    }
    skip_attributes(bytes, at).unwrap_or(bytes.len())
}

/// Steps over a tag's attributes from behind its name; where the tag ends, or none if the page ends first.
fn skip_attributes(bytes: &[u8], mut at: usize) -> Option<usize> {
    loop {
        at = skip_space(bytes, at);
        match *bytes.get(at)? {
            b'>' => return Some(at + 1),
            b'/' => at += 1,
            _ => {
                at = skip_space(bytes, attribute_name_end(bytes, at));
                if *bytes.get(at)? != b'=' {
                    continue;
                }
                at = skip_space(bytes, at + 1);
                match *bytes.get(at)? {
                    quote @ (b'"' | b'\'') => at += 2 + memchr(quote, &bytes[at + 1..])?,
                    b'>' => {}
                    _ => at += memchr3_or_space(&bytes[at..])?,
                }
            }
        }
    }
}

/// The next white space or `>`.
fn memchr3_or_space(bytes: &[u8]) -> Option<usize> {
    bytes.iter().position(|&b| is(b, class::SPACE) || b == b'>')
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
            let lexeme = match bytes.get(start + 1) {
                Some(byte) if byte.is_ascii_alphabetic() => self.start_tag(start),
                Some(b'/') => match bytes.get(start + 2) {
                    Some(byte) if byte.is_ascii_alphabetic() => self.end_tag(start),
                    Some(b'>') => {
                        self.at = start + 3;
                        None
                    }
                    Some(_) => Some(self.bogus_comment(start, start + 2)),
                    None => Some(self.text(start, start + 2)),
                },
                Some(b'!') => self.declaration(start, foreign),
                Some(b'?') => Some(self.bogus_comment(start, start + 1)),
                _ => Some(self.text(start, start + 1)),
            };
            if let Some(lexeme) = lexeme {
                return lexeme;
            }
        }
    }

    // ---- texts ----

    /// A text in [`Model::Data`] that begins at `start`; the search for its end begins at `from`.
    #[inline]
    fn text(&mut self, start: usize, from: usize) -> Lexeme {
        let bytes = self.bytes;
        // Most texts are short and plain: words of eight bytes, as long as nothing is to be decoded.
        let mut at = from;
        let limit = from + 48;
        if from == start {
            while at < limit
                && let Some(word) = scan::load(bytes, at)
            {
                let special = scan::equal(word, b'&') | scan::equal(word, b'\r') | scan::equal(word, 0);
                let opens = scan::equal(word, b'<');
                if opens != 0 {
                    let end = at + scan::first(opens);
                    if (special == 0 || scan::first(special) > scan::first(opens)) && self.opens(end) {
                        self.at = end;
                        let (span, string) = (Span::new(start, end), StrRef::source(start, end));
                        return Lexeme::Text(Text { span, string, has_nul: false, references: true });
                    }
                    break;
                }
                if special != 0 {
                    break;
                }
                at += 8;
            }
        }
        self.long_text(start, at)
    }

    /// Whether the `<` at `at` begins something other than text.
    #[inline]
    fn opens(&self, at: usize) -> bool {
        match self.bytes.get(at + 1) {
            Some(byte) if byte.is_ascii_alphabetic() => true,
            Some(b'!' | b'?') => true,
            Some(b'/') => self.bytes.len() > at + 2,
            _ => false,
        }
    }

    #[inline(never)]
    fn long_text(&mut self, start: usize, from: usize) -> Lexeme {
        let mut from = from;
        let end = loop {
            let Some(found) = memchr(b'<', &self.bytes[from..]) else { break self.bytes.len() };
            let at = from + found;
            if self.opens(at) {
                break at;
            }
            from = at + 1;
        };
        self.at = end;
        Lexeme::Text(self.characters(start, end, true, false))
    }

    /// The characters of a source range. NULs are replaced or left for the builder to deal with.
    #[inline]
    fn characters(&mut self, start: usize, end: usize, references: bool, replace_nul: bool) -> Text {
        let slice = &self.bytes[start..end];
        let first = if references { memchr3(b'&', b'\r', 0, slice) } else { memchr2(b'\r', 0, slice) };
        let span = Span::new(start, end);
        match first {
            None => Text { span, string: StrRef::source(start, end), has_nul: false, references },
            Some(first) => self.decoded_characters(span, first, references, replace_nul),
        }
    }

    #[inline(never)]
    fn decoded_characters(&mut self, span: Span, first: usize, references: bool, replace_nul: bool) -> Text {
        let (start, end) = (span.start as usize, span.end as usize);
        let slice = &self.bytes[start..end];
        // Indentation in a page with DOS line ends: what is left without the leading CR is in the source as it is.
        if first == 0 && slice.starts_with(b"\r\n") {
            let rest = &slice[1..];
            let again = if references { memchr3(b'&', b'\r', 0, rest) } else { memchr2(b'\r', 0, rest) };
            if again.is_none() {
                return Text { span, string: StrRef::source(start + 1, end), has_nul: false, references };
            }
        }
        let mark = self.strings.store.len();
        let has_nul = decode_into(
            self.source,
            span,
            references.then_some(Place::Text),
            replace_nul,
            &mut self.strings.store,
        );
        let string = self.keep(mark, start, end);
        Text { span, string, has_nul, references }
    }

    /// The string just decoded into the store from `mark` on, or the source's slice if they are the same.
    fn keep(&mut self, mark: usize, start: usize, end: usize) -> StrRef {
        let store = &mut self.strings.store;
        if store.as_bytes()[mark..] == self.bytes[start..end] {
            store.truncate(mark);
            return StrRef::source(start, end);
        }
        StrRef::own(mark, store.len())
    }

    /// Splits a text in front of its `count`-th byte.
    pub(crate) fn split(&self, text: Text, count: usize) -> (Text, Text) {
        let range = text.string.range();
        let at = if text.string.is_own() {
            // Find the source position by decoding again up to there: rare, and linear.
            source_position(self.source, text.span, text.references.then_some(Place::Text), count)
        } else {
            range.start + count
        };
        let cut = range.start + count;
        let make = |start, end| if text.string.is_own() { StrRef::own(start, end) } else { StrRef::source(start, end) };
        let span = text.span;
        (
            Text { span: Span { start: span.start, end: at as u32 }, string: make(range.start, cut), ..text },
            Text { span: Span { start: at as u32, end: span.end }, string: make(cut, range.end), ..text },
        )
    }

    // ---- raw texts ----

    fn raw(&mut self) -> Option<Lexeme> {
        let start = self.at;
        let (end, ended) = match self.model {
            Model::Plaintext => (self.bytes.len(), false),
            Model::Cdata => {
                let found = memchr::memmem::find(&self.bytes[start..], b"]]>");
                self.model = Model::Data;
                let end = found.map_or(self.bytes.len(), |found| start + found);
                self.at = (end + 3).min(self.bytes.len());
                if end == start {
                    return None;
                }
                return Some(Lexeme::Text(self.characters(start, end, false, false)));
            }
            Model::Script => self.script_end(start),
            _ => self.raw_end(start),
        };
        if end > start {
            self.at = end;
            let references = self.model == Model::Rcdata;
            return Some(Lexeme::Text(self.characters(start, end, references, true)));
        }
        debug_assert!(ended);
        self.model = Model::Data;
        self.end_tag(start)
    }

    /// Whether `</` at `at` begins the end tag that ends a raw text.
    fn ends_raw(&self, at: usize) -> bool {
        let Some(name) = self.last_start else { return false };
        let name = self.strings.names.get(name).as_bytes();
        let start = at + 2;
        self.bytes.get(at + 1) == Some(&b'/')
            && self.bytes.get(start..start + name.len()).is_some_and(|found| found.eq_ignore_ascii_case(name))
            && self
                .bytes
                .get(start + name.len())
                .is_some_and(|&byte| byte != 0 && is(byte, class::TAG_NAME))
    }

    fn raw_end(&self, start: usize) -> (usize, bool) {
        let mut from = start;
        while let Some(found) = memchr(b'<', &self.bytes[from..]) {
            let at = from + found;
            if self.ends_raw(at) {
                return (at, true);
            }
            from = at + 1;
        }
        (self.bytes.len(), false)
    }

    /// Where a script ends. `<!--` makes `<script` and `</script` nest once, until `-->`: the standard's
    /// "escaped" and "double escaped" states.
    fn script_end(&self, start: usize) -> (usize, bool) {
        let bytes = self.bytes;
        let mut at = start;
        loop {
            let Some(found) = memchr(b'<', &bytes[at..]) else { return (bytes.len(), false) };
            at += found;
            if self.ends_raw(at) {
                return (at, true);
            }
            if !bytes[at..].starts_with(b"<!--") {
                at += 1;
                continue;
            }
            // Escaped. The opening's dashes may belong to the closing: `<!-->`.
            at += 2;
            let mut double = false;
            loop {
                let Some(found) = memchr2(b'-', b'<', &bytes[at..]) else { return (bytes.len(), false) };
                at += found;
                if bytes[at] == b'-' {
                    if bytes[at..].starts_with(b"-->") {
                        at += 3;
                        break;
                    }
                    at += 1;
                    continue;
                }
                if double {
                    if bytes.get(at + 1) == Some(&b'/') && is_script_word(&bytes[at + 2..]) {
                        double = false;
                    }
                } else if self.ends_raw(at) {
                    return (at, true);
                } else if is_script_word(&bytes[at + 1..]) {
                    double = true;
                }
                at += 1;
            }
        }
    }

    // ---- tags ----

    /// The id of the name at `start`, lower-cased, and where it ends.
    #[inline]
    fn scan_name(&mut self, start: usize, stop: u8) -> (NameId, usize) {
        if let Some(word) = scan::load(self.bytes, start) {
            let mut marks = scan::below(word, 0x21) | scan::equal(word, b'/') | scan::equal(word, b'>');
            if stop == class::ATTR_NAME {
                marks |= scan::equal(word, b'=');
            }
            if marks != 0 {
                let len = scan::first(marks);
                let end = start + len;
                // A control character ends nothing, and a NUL must be replaced: both are left to the slow way.
                if len > 0
                    && is(self.bytes[end], stop)
                    && self.bytes[end] != 0
                    && let Some(name) = names::fixed(scan::lower_case(scan::head(word, len)) as u128)
                {
                    return (name, end);
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

    fn start_tag(&mut self, start: usize) -> Option<Lexeme> {
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
        Some(Lexeme::StartTag(StartTag { name, span: Span::new(start, at), attrs: attrs as u32, attr_count, self_closing }))
    }

    /// The page ends inside a tag: the tag is dropped.
    fn cut_tag(&mut self, attrs: usize) -> Option<Lexeme> {
        self.strings.attrs.truncate(attrs);
        self.at = self.bytes.len();
        None
    }

    /// Reads the attribute at `at` and keeps it, unless the tag has it already; where it ends, or none if the page
    /// ends in it.
    #[inline]
    fn attribute(&mut self, tag: usize, attrs: usize, at: usize) -> Option<usize> {
        let bytes = self.bytes;
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
        if self.strings.attrs.len() - attrs >= self.max_attrs {
            self.attrs_limited.get_or_insert(tag as u32);
            return Some(end);
        }
        let span = Span::new(value_start, value_end);
        let mut attr = AttrData::new(name, span, value_start == name_end);
        if !plain {
            self.decode_value(&mut attr, span);
        }
        self.strings.attrs.push(attr);
        Some(end)
    }

    #[inline(never)]
    fn decode_value(&mut self, attr: &mut AttrData, span: Span) {
        let mark = self.strings.store.len();
        decode_into(self.source, span, Some(Place::Attribute), true, &mut self.strings.store);
        let string = self.keep(mark, span.start as usize, span.end as usize);
        if string.is_own() {
            attr.set_decoded(self.strings.values.len() as u32);
            self.strings.values.push(Decoded { string, source_len: span.len() as u32 });
        }
    }

    fn end_tag(&mut self, start: usize) -> Option<Lexeme> {
        let (name, at) = self.scan_name(start + 2, class::TAG_NAME);
        let end = match self.bytes.get(at) {
            Some(b'>') => at + 1,
            _ => match skip_attributes(self.bytes, at) {
                Some(end) => end,
                None => {
                    self.at = self.bytes.len();
                    return None;
                }
            },
        };
        self.at = end;
        Some(Lexeme::EndTag { name, span: Span::new(start, end) })
    }

    // ---- comments, doctypes ----

    fn declaration(&mut self, start: usize, foreign: bool) -> Option<Lexeme> {
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

    fn comment(&mut self, start: usize) -> Lexeme {
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
                    // Dashes at the very end would have been the closing's.
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

    /// What only looks like markup: up to the next `>` it is a comment.
    fn bogus_comment(&mut self, start: usize, data: usize) -> Lexeme {
        let found = memchr(b'>', &self.bytes[data..]);
        let end = found.map_or(self.bytes.len(), |found| data + found);
        self.at = (end + 1).min(self.bytes.len());
        let text = self.characters(data, end, false, true);
        Lexeme::Comment(Text { span: Span::new(start, self.at), ..text })
    }

    fn doctype(&mut self, start: usize) -> Lexeme {
        let mut reader = DoctypeReader { bytes: self.bytes, source: self.source, at: start + 9 };
        let mut tag = reader.read();
        self.at = reader.at.min(self.bytes.len());
        tag.span = Span::new(start, self.at);
        Lexeme::Doctype(Box::new(tag))
    }
}

/// Whether a script's text goes on with the word `script`, which nests it.
fn is_script_word(bytes: &[u8]) -> bool {
    bytes.len() > 6 && bytes[..6].eq_ignore_ascii_case(b"script") && bytes[6] != 0 && is(bytes[6], class::TAG_NAME)
}

/// Decodes a source range: references, line ends, NULs. Returns whether NULs were left in.
fn decode_into(source: &str, span: Span, references: Option<Place>, replace_nul: bool, out: &mut String) -> bool {
    let bytes = &source.as_bytes()[..span.end as usize];
    let mut at = span.start as usize;
    let mut has_nul = false;
    loop {
        let rest = &bytes[at..];
        let found = if references.is_some() { memchr3(b'&', b'\r', 0, rest) } else { memchr2(b'\r', 0, rest) };
        let Some(found) = found else {
            out.push_str(&source[at..bytes.len()]);
            return has_nul;
        };
        out.push_str(&source[at..at + found]);
        at += found;
        match (bytes[at], references) {
            (b'\r', _) => {
                at += 1;
                if bytes.get(at) != Some(&b'\n') {
                    out.push('\n');
                }
            }
            (b'&', Some(place)) => at = charref::decode(bytes, at, place, out),
            _ => {
                has_nul |= !replace_nul;
                out.push(if replace_nul { '\u{FFFD}' } else { '\0' });
                at += 1;
            }
        }
    }
}

/// The source position behind the first `count` decoded bytes of a text that kept its NULs.
fn source_position(source: &str, span: Span, references: Option<Place>, count: usize) -> usize {
    let bytes = &source.as_bytes()[..span.end as usize];
    let mut at = span.start as usize;
    let mut piece = String::new();
    let mut done = 0;
    while done < count && at < bytes.len() {
        match bytes[at] {
            b'\r' => {
                // A CR before LF says nothing; the LF does.
                done += usize::from(bytes.get(at + 1) != Some(&b'\n'));
                at += 1;
            }
            b'&' if references.is_some() => {
                piece.clear();
                at = charref::decode(bytes, at, Place::Text, &mut piece);
                done += piece.len();
            }
            _ => {
                at += 1;
                done += 1;
            }
        }
    }
    at
}

/// The states behind `<!DOCTYPE`.
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

    /// Steps to behind the next `>`.
    fn skip_rest(&mut self) {
        let rest = self.bytes.get(self.at..).unwrap_or(&[]);
        self.at = memchr(b'>', rest).map_or(self.bytes.len(), |found| self.at + found + 1);
    }

    fn read(&mut self) -> DoctypeTag {
        let mut tag = DoctypeTag::default();
        tag.force_quirks = self.read_into(&mut tag).is_none();
        tag
    }

    /// None: the doctype is broken, and the page in quirks mode.
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
        // Behind the system identifier: anything but the end is ignored without harm.
        self.skip_space();
        self.peek()?;
        self.skip_rest();
        Some(())
    }

    /// A quoted identifier; one that is cut off is kept in `cut`.
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
