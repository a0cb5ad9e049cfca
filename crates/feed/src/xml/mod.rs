//! A lenient XML reader for feeds as they really are.
//!
//! Half of the damage in real feeds makes an XML parser give up, and every library built on one: of twelve feeds,
//! each damaged in one usual way, `feed-rs` 3.0 reads six. `docs/feeds.md` has the figures. So this reader has no
//! errors. For well-formed XML it returns the same as any parser; otherwise:
//!
//! - an ampersand that does not begin a reference is a character, and HTML's names need no declaration;
//! - a `<` that does not begin a tag is a character;
//! - attributes need no quotes; one that lacks its closing quote ends with the tag;
//! - anything open at the end (a comment, CDATA, a tag) ends there, or at the next `>`, whichever preserves more.
//!
//! It does not check whether tags match. External entities are never read, and internal ones only if they contain no
//! others: their expansions together may not be larger than the document.
//!
//! # Cost
//!
//! One pass; a search that fails (for `-->`, say) is not repeated, so damage cannot make it quadratic. Texts and
//! attributes are borrowed from the document unless they contain references.

mod doctype;
mod entities;
mod references;

use std::borrow::Cow;

use memchr::{memchr, memchr2, memmem};

pub(crate) use entities::lookup as html_entity;
pub(crate) use references::References;

/// An event in a document.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Event<'s> {
    /// A start tag; its attributes are in [`Reader::attributes`].
    Start {
        /// Name as written, including the prefix.
        name: &'s str,
        /// `true` for an empty element: `<br/>`.
        empty: bool,
    },
    /// An end tag.
    End {
        /// Name as written, including the prefix.
        name: &'s str,
    },
    /// A text, with its references resolved.
    Text(Cow<'s, str>),
    /// A document type that names Netscape's RSS.
    Netscape,
}

/// A reader of one document.
pub(crate) struct Reader<'s> {
    source: &'s str,
    at: usize,
    /// Attributes of the last start tag: names as written, values with their references resolved.
    pub(crate) attributes: Vec<(&'s str, Cow<'s, str>)>,
    /// The meanings of this document's references, and counts of invalid ones.
    pub(crate) references: References<'s>,
    /// Number of attributes without proper quotes.
    pub(crate) bad_attributes: usize,
    no_comment_end: bool,
}

impl<'s> Reader<'s> {
    pub(crate) fn new(source: &'s str) -> Reader<'s> {
        Reader {
            source,
            at: 0,
            attributes: Vec::new(),
            references: References::new(source.len()),
            bad_attributes: 0,
            no_comment_end: false,
        }
    }

    /// Returns the next event; `None` at the end.
    pub(crate) fn next(&mut self) -> Option<Event<'s>> {
        while self.at < self.source.len() {
            let rest = self.rest();
            if !rest.starts_with('<') {
                let end = memchr(b'<', rest.as_bytes()).unwrap_or(rest.len());
                return Some(self.text(end));
            }
            // A tag that had hardly begun when the feed was cut off.
            if matches!(rest, "<" | "</") {
                self.at = self.source.len();
                break;
            }
            let event = match rest.as_bytes().get(1) {
                Some(b'/') => self.end_tag(),
                Some(b'!') => self.declaration(),
                Some(b'?') => self.instruction(),
                Some(byte) if is_name_start(*byte) => self.start_tag(),
                _ => None,
            };
            if event.is_some() {
                return event;
            }
            if self.at < self.source.len() && self.rest().len() == rest.len() {
                // Not a tag: a character, and the text after it.
                let end = memchr(b'<', &rest.as_bytes()[1..]).map_or(rest.len(), |end| end + 1);
                return Some(self.text(end));
            }
        }
        None
    }

    fn rest(&self) -> &'s str {
        &self.source[self.at..]
    }

    fn text(&mut self, length: usize) -> Event<'s> {
        let text = &self.rest()[..length];
        self.at += length;
        Event::Text(self.references.resolve(text))
    }

    /// Reads an end tag; returns `None` without advancing if there is none.
    fn end_tag(&mut self) -> Option<Event<'s>> {
        let rest = &self.rest()[2..];
        if !rest.bytes().next().is_some_and(is_name_start) {
            return None;
        }
        let name = &rest[..name_length(rest)];
        match memchr2(b'>', b'<', &rest.as_bytes()[name.len()..]) {
            Some(end) => {
                let closed = rest.as_bytes()[name.len() + end] == b'>';
                self.at += 2 + name.len() + end + usize::from(closed);
            }
            None => {
                self.at = self.source.len();
            }
        }
        Some(Event::End { name })
    }

    /// Reads a start tag; returns `None` if the document ends inside it, since its fragment is not readable text.
    fn start_tag(&mut self) -> Option<Event<'s>> {
        let name = &self.rest()[1..];
        let name = &name[..name_length(name)];
        self.at += 1 + name.len();
        self.attributes.clear();
        let empty = loop {
            let rest = self.rest().trim_ascii_start();
            self.at = self.source.len() - rest.len();
            match rest.as_bytes() {
                [] => {
                    return None;
                }
                [b'>', ..] => {
                    self.at += 1;
                    break false;
                }
                [b'/', b'>', ..] => {
                    self.at += 2;
                    break true;
                }
                // The end of the tag is missing, and the next one begins.
                [b'<', ..] => break false,
                _ => self.attribute(rest),
            }
        };
        Some(Event::Start { name, empty })
    }

    fn attribute(&mut self, rest: &'s str) {
        let bytes = rest.as_bytes();
        let end = |byte: &u8| byte.is_ascii_whitespace() || matches!(byte, b'=' | b'>' | b'<' | b'/');
        // At least one byte, so that a misplaced `=` or `"` is skipped.
        let length = bytes.iter().position(end).unwrap_or(bytes.len());
        let first = rest.chars().next().map_or(0, char::len_utf8);
        let name = &rest[..length.max(first)];
        self.at += name.len();
        let after = rest[name.len()..].trim_ascii_start();
        let Some(value) = after.strip_prefix('=').map(str::trim_ascii_start).filter(|_| length > 0) else {
            self.bad_attributes += usize::from(length > 0);
            return;
        };
        let start = self.source.len() - value.len();
        let (value, next) = match value.as_bytes().first() {
            Some(&quote @ (b'"' | b'\'')) => {
                let inside = &value[1..];
                match memchr2(quote, b'<', inside.as_bytes()) {
                    Some(end) if inside.as_bytes()[end] == quote => (&inside[..end], start + end + 2),
                    // Markup, but not the end of the tag: a value with a `<` in it, as in `alt="<b>"`.
                    Some(end) if memchr(b'>', &inside.as_bytes()[..end]).is_none() => {
                        self.odd_value(inside, quote, start)
                    }
                    other => {
                        self.bad_attributes += 1;
                        let limit = other.unwrap_or(inside.len());
                        let end = memchr(b'>', &inside.as_bytes()[..limit]).unwrap_or(limit);
                        (inside[..end].trim_ascii_end().trim_end_matches('/'), start + 1 + end)
                    }
                }
            }
            _ => {
                self.bad_attributes += 1;
                let end = |byte: u8| byte.is_ascii_whitespace() || matches!(byte, b'>' | b'<');
                let end = value.bytes().position(end).unwrap_or(value.len());
                // `<a href=x/>` is empty, `<a href=http://x/ >` is not.
                let slash = value[..end].ends_with('/') && value.as_bytes().get(end) == Some(&b'>');
                let end = end - usize::from(slash);
                (&value[..end], start + end)
            }
        };
        self.at = next;
        let value = self.references.resolve(value);
        self.attributes.push((name, value));
    }

    /// Reads a quoted value that contains a `<`: up to its quote, if that is near and no item begins or ends before
    /// it, else up to the `<`.
    fn odd_value(&mut self, inside: &'s str, quote: u8, start: usize) -> (&'s str, usize) {
        /// Largest distance searched; bounded, since every attribute of a document might be searched.
        const NEAR: usize = 1024;
        self.bad_attributes += 1;
        let near = &inside.as_bytes()[..inside.len().min(NEAR)];
        let is_item = |value: &str| value.contains("item") || value.contains("entry") || value.contains('\n');
        match memchr(quote, near) {
            Some(end) if !is_item(&inside[..end]) => (&inside[..end], start + end + 2),
            _ => {
                let end = memchr(b'<', near).unwrap_or(0);
                (&inside[..end], start + 1 + end)
            }
        }
    }

    /// Reads comments, CDATA and document types; returns `None` without advancing if there is none.
    fn declaration(&mut self) -> Option<Event<'s>> {
        let rest = self.rest();
        if rest.starts_with("<!--") {
            self.comment(rest);
            None
        } else if let Some(inside) = rest.strip_prefix("<![CDATA[") {
            let Some(end) = memmem::find(inside.as_bytes(), b"]]>") else {
                // Cut off inside: the existing part is text.
                self.at = self.source.len();
                return Some(Event::Text(Cow::Borrowed(inside)));
            };
            self.at += 9 + end + 3;
            Some(Event::Text(Cow::Borrowed(&inside[..end])))
        } else if rest.get(2..9).is_some_and(|word| word.eq_ignore_ascii_case("doctype")) {
            let doctype = doctype::read(rest);
            self.at += doctype.length;
            self.references.declare(doctype.entities);
            doctype.is_netscape.then_some(Event::Netscape)
        } else {
            match memchr2(b'>', b'<', &rest.as_bytes()[1..]) {
                Some(end) if rest.as_bytes()[end + 1] == b'>' => self.at += end + 2,
                Some(end) => self.at += end + 1,
                // The document ends after `<![CD`.
                None => {
                    self.at = self.source.len();
                }
            }
            None
        }
    }

    fn comment(&mut self, rest: &str) {
        let end = if self.no_comment_end { None } else { memmem::find(&rest.as_bytes()[2..], b"-->") };
        if let Some(end) = end {
            self.at += 2 + end + 3;
            return;
        }
        // It never ends. Ending it at the next `>` preserves more than at the document's end.
        self.no_comment_end = true;
        match memchr(b'>', rest.as_bytes()) {
            Some(end) => self.at += end + 1,
            None => {
                self.at = self.source.len();
            }
        }
    }

    fn instruction(&mut self) -> Option<Event<'s>> {
        let rest = self.rest();
        match memchr(b'>', rest.as_bytes()) {
            Some(end) => self.at += end + 1,
            None => {
                self.at = self.source.len();
            }
        }
        None
    }
}

fn is_name_start(byte: u8) -> bool {
    byte.is_ascii_alphabetic() || byte == b'_' || byte == b':' || byte >= 0x80
}

/// Returns the length in bytes of a name at the start of a text.
fn name_length(text: &str) -> usize {
    let ends = |byte: &u8| byte.is_ascii_whitespace() || matches!(byte, b'>' | b'<' | b'/' | b'=' | b'"' | b'\'');
    text.as_bytes().iter().position(ends).unwrap_or(text.len())
}

#[cfg(test)]
mod tests;
