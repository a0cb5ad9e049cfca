//! The inside of a tag, byte by byte: the bytes that end names and values, and skipping attributes.

use memchr::{memchr, memchr3};

use crate::scan;
use crate::span::Span;

/// Classes of bytes, by what they end.
pub(super) mod class {
    /// Ends a tag name: white space, `/`, `>`; NUL, which must be replaced.
    pub(in crate::tokenizer) const TAG_NAME: u8 = 1;
    /// Ends an attribute name: the same bytes and `=`.
    pub(in crate::tokenizer) const ATTR_NAME: u8 = 2;
    /// White space.
    pub(in crate::tokenizer) const SPACE: u8 = 4;
    /// Ends an unquoted value, or needs decoding in one: white space, `>`, `&`, NUL.
    pub(in crate::tokenizer) const UNQUOTED: u8 = 8;
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
pub(super) fn is(byte: u8, class: u8) -> bool {
    CLASSES[byte as usize] & class != 0
}

#[inline]
pub(super) fn skip_space(bytes: &[u8], mut at: usize) -> usize {
    while at < bytes.len() && is(bytes[at], class::SPACE) {
        at += 1;
    }
    at
}

/// Returns the end of a quoted value, and whether the value needs no decoding.
#[inline]
pub(super) fn quoted_end(bytes: &[u8], start: usize, quote: u8) -> Option<(usize, bool)> {
    let mut at = start;
    let mut plain = true;
    while let Some(word) = scan::load(bytes, at) {
        // Matches NUL and CR, and a few harmless controls, for which decoding changes nothing.
        let special = scan::equal(word, b'&') | scan::below(word, 0x0E);
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

/// Returns the end of the attribute name that starts at `start`.
pub(crate) fn attribute_name_end(bytes: &[u8], start: usize) -> usize {
    // A name may begin with `=`, but not contain it elsewhere.
    let mut at = start + 1;
    while at < bytes.len() && (bytes[at] == 0 || !is(bytes[at], class::ATTR_NAME)) {
        at += 1;
    }
    at.min(bytes.len())
}

/// Returns the place of an attribute's name, given the start of its value (or the end of the name, if it is `bare`).
pub(crate) fn attribute_name_span(bytes: &[u8], value: usize, bare: bool, name: &str) -> Span {
    let mut end = value.min(bytes.len());
    if !bare {
        // Goes back over an opening quote, the `=` and the space around it.
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
    // The name has the same length as in the source, except for a NUL, which became U+FFFD.
    let mut start = end;
    for character in name.chars().rev() {
        let nul = character == '\u{FFFD}' && start > 0 && bytes[start - 1] == 0;
        start = start.saturating_sub(if nul { 1 } else { character.len_utf8() });
    }
    Span::new(start, end)
}

/// Returns the end of the tag that starts at `start` (with `<` or `</`).
pub(crate) fn tag_end(bytes: &[u8], start: usize) -> usize {
    let mut at = start + 2;
    while at < bytes.len() && (bytes[at] == 0 || !is(bytes[at], class::TAG_NAME)) {
        at += 1;
    }
    skip_attributes(bytes, at).unwrap_or(bytes.len())
}

/// Skips a tag's attributes from the end of its name. Returns the end of the tag, or `None` if the page ends first.
pub(super) fn skip_attributes(bytes: &[u8], mut at: usize) -> Option<usize> {
    loop {
        at = skip_space(bytes, at);
        match *bytes.get(at)? {
            b'>' => return Some(at + 1),
            b'/' => at += 1,
            _ => at = skip_attribute(bytes, at)?,
        }
    }
}

/// Skips one attribute.
pub(super) fn skip_attribute(bytes: &[u8], at: usize) -> Option<usize> {
    let name_end = skip_space(bytes, attribute_name_end(bytes, at));
    if *bytes.get(name_end)? != b'=' {
        return Some(name_end);
    }
    let value = skip_space(bytes, name_end + 1);
    match *bytes.get(value)? {
        quote @ (b'"' | b'\'') => Some(value + 2 + memchr(quote, &bytes[value + 1..])?),
        b'>' => Some(value),
        _ => Some(value + space_or_end(&bytes[value..])?),
    }
}

/// Returns the position of the next white space or `>`.
fn space_or_end(bytes: &[u8]) -> Option<usize> {
    bytes.iter().position(|&b| is(b, class::SPACE) || b == b'>')
}
