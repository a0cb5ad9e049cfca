//! Texts: characters between tags, and the raw texts of `script`, `title` and similar elements.

use memchr::{memchr, memchr2, memchr3};

use super::bytes::{class, is};
use super::{Lexeme, Model, Text, Tokenizer};
use crate::arena::StrRef;
use crate::charref::{self, Place};
use crate::scan;
use crate::span::Span;

impl Tokenizer<'_> {
    /// Reads a text in [`Model::Data`] that begins at `start`; the search for its end begins at `from`.
    #[inline]
    pub(super) fn text(&mut self, start: usize, from: usize) -> Lexeme {
        let bytes = self.bytes;
        // Most texts are short and plain: searches words of eight bytes, as long as nothing has to be decoded.
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

    /// Returns `true` if the `<` at `at` begins something other than text.
    #[inline]
    pub(super) fn opens(&self, at: usize) -> bool {
        match self.bytes.get(at + 1) {
            Some(byte) if byte.is_ascii_alphabetic() => true,
            Some(b'!' | b'?') => true,
            Some(b'/') => self.bytes.len() > at + 2,
            _ => false,
        }
    }

    #[inline(never)]
    pub(super) fn long_text(&mut self, start: usize, from: usize) -> Lexeme {
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

    /// Returns the characters of a source range. NULs are replaced or left to the builder.
    #[inline]
    pub(super) fn characters(&mut self, start: usize, end: usize, references: bool, replace_nul: bool) -> Text {
        let slice = &self.bytes[start..end];
        let first = if references { memchr3(b'&', b'\r', 0, slice) } else { memchr2(b'\r', 0, slice) };
        let span = Span::new(start, end);
        match first {
            None => Text { span, string: StrRef::source(start, end), has_nul: false, references },
            Some(first) => self.decoded_characters(span, first, references, replace_nul),
        }
    }

    #[inline(never)]
    pub(super) fn decoded_characters(&mut self, span: Span, first: usize, references: bool, replace_nul: bool) -> Text {
        let (start, end) = (span.start as usize, span.end as usize);
        let slice = &self.bytes[start..end];
        // Indentation in a page with DOS line ends: without the leading CR, the text is a slice of the source.
        if first == 0 && slice.starts_with(b"\r\n") {
            let rest = &slice[1..];
            let again = if references { memchr3(b'&', b'\r', 0, rest) } else { memchr2(b'\r', 0, rest) };
            if again.is_none() {
                return Text { span, string: StrRef::source(start + 1, end), has_nul: false, references };
            }
        }
        let mark = self.strings.store.len();
        let has_nul =
            decode_into(self.source, span, references.then_some(Place::Text), replace_nul, &mut self.strings.store);
        let string = self.keep(mark, start, end);
        Text { span, string, has_nul, references }
    }

    /// Returns the string just decoded into the store from `mark` on, or the slice of the source if they are equal.
    pub(super) fn keep(&mut self, mark: usize, start: usize, end: usize) -> StrRef {
        let store = &mut self.strings.store;
        if store.as_bytes()[mark..] == self.bytes[start..end] {
            store.truncate(mark);
            return StrRef::source(start, end);
        }
        StrRef::own(mark, store.len())
    }

    /// Splits a text before its `count`-th byte.
    pub(crate) fn split(&self, text: Text, count: usize) -> (Text, Text) {
        let range = text.string.range();
        let at = if text.string.is_own() {
            // Finds the source position by decoding again up to there: rare, and linear.
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

    pub(super) fn raw(&mut self) -> Option<Lexeme> {
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
        Some(self.end_tag(start))
    }

    /// Returns `true` if `</` at `at` begins the end tag that ends a raw text.
    pub(super) fn ends_raw(&self, at: usize) -> bool {
        let Some(name) = self.last_start else { return false };
        let name = self.strings.names.get(name).as_bytes();
        let start = at + 2;
        self.bytes.get(at + 1) == Some(&b'/')
            && self.bytes.get(start..start + name.len()).is_some_and(|found| found.eq_ignore_ascii_case(name))
            && self.bytes.get(start + name.len()).is_some_and(|&byte| byte != 0 && is(byte, class::TAG_NAME))
    }

    pub(super) fn raw_end(&self, start: usize) -> (usize, bool) {
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

    /// Finds the end of a script. `<!--` makes `<script` and `</script` nest once, until `-->`: the standard's
    /// "escaped" and "double escaped" states.
    pub(super) fn script_end(&self, start: usize) -> (usize, bool) {
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
            // Escaped. The dashes of the opening may also belong to the closing: `<!-->`.
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
}

/// Returns `true` if the text of a script continues with the word `script`, which makes it nest.
fn is_script_word(bytes: &[u8]) -> bool {
    bytes.len() > 6 && bytes[..6].eq_ignore_ascii_case(b"script") && bytes[6] != 0 && is(bytes[6], class::TAG_NAME)
}

/// Decodes a source range: references, line ends, NULs. Returns `true` if NULs were left in.
pub(super) fn decode_into(
    source: &str,
    span: Span,
    references: Option<Place>,
    replace_nul: bool,
    out: &mut String,
) -> bool {
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

/// Returns the source position after the first `count` decoded bytes of a text that kept its NULs.
fn source_position(source: &str, span: Span, references: Option<Place>, count: usize) -> usize {
    let bytes = &source.as_bytes()[..span.end as usize];
    let mut at = span.start as usize;
    let mut piece = String::new();
    let mut done = 0;
    while done < count && at < bytes.len() {
        match bytes[at] {
            b'\r' => {
                // A CR before LF produces no character; the LF does.
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
