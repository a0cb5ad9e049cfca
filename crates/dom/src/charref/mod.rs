//! Character references: `&amp;`, `&#8364;`, `&notit;` (which is `¬it;`).
//!
//! A named reference is the longest name that is a prefix of the text after the `&`, as the standard requires: the
//! sorted table is narrowed one byte at a time, so a reference costs its own length, not the table's.

mod table;

use table::NAMED;

/// The context of a reference; in attributes `&copy=1` is a query parameter, not `©=1`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Place {
    Text,
    Attribute,
}

/// Index of the first table entry for each initial letter, `A`–`Z` then `a`–`z`, and the end of the table.
static LETTERS: [u16; 53] = {
    let mut out = [0u16; 53];
    let mut letter = 0;
    let mut at = 0;
    while letter < 52 {
        let byte = if letter < 26 { b'A' + letter as u8 } else { b'a' + (letter - 26) as u8 };
        while at < NAMED.len() && NAMED[at].0.as_bytes()[0] < byte {
            at += 1;
        }
        out[letter] = at as u16;
        letter += 1;
    }
    out[52] = NAMED.len() as u16;
    out
};

/// Decodes the reference whose `&` is at `bytes[at]` into `out` and returns its end.
///
/// Text that is not a reference is copied unchanged.
pub(crate) fn decode(bytes: &[u8], at: usize, place: Place, out: &mut String) -> usize {
    match bytes.get(at + 1) {
        Some(b'#') => numeric(bytes, at, out),
        Some(byte) if byte.is_ascii_alphabetic() => match usual(&bytes[at + 1..]) {
            Some((value, len)) => {
                out.push(value);
                at + 1 + len
            }
            None => named(bytes, at, place, out),
        },
        _ => {
            out.push('&');
            at + 1
        }
    }
}

/// Decodes the few names that make up nearly all references of real pages.
#[inline]
fn usual(rest: &[u8]) -> Option<(char, usize)> {
    match rest {
        [b'a', b'm', b'p', b';', ..] => Some(('&', 4)),
        [b'n', b'b', b's', b'p', b';', ..] => Some(('\u{A0}', 5)),
        [b'q', b'u', b'o', b't', b';', ..] => Some(('"', 5)),
        [b'l', b't', b';', ..] => Some(('<', 3)),
        [b'g', b't', b';', ..] => Some(('>', 3)),
        _ => None,
    }
}

fn named(bytes: &[u8], at: usize, place: Place, out: &mut String) -> usize {
    let rest = &bytes[at + 1..];
    let letter = match rest[0] {
        upper @ b'A'..=b'Z' => (upper - b'A') as usize,
        lower => (lower - b'a') as usize + 26,
    };
    let mut range = &NAMED[LETTERS[letter] as usize..LETTERS[letter + 1] as usize];
    let mut found = None;
    let mut len = 1;
    loop {
        match range.first() {
            Some((name, value)) if name.len() == len => found = Some((len, *value)),
            Some(_) => {}
            None => break,
        }
        let Some(&byte) = rest.get(len) else { break };
        let start = range.partition_point(|(name, _)| name.as_bytes().get(len).is_none_or(|&b| b < byte));
        let end = start + range[start..].partition_point(|(name, _)| name.as_bytes()[len] == byte);
        range = &range[start..end];
        len += 1;
    }
    let Some((len, value)) = found else {
        out.push('&');
        return at + 1;
    };
    let ended = rest[len - 1] == b';';
    if place == Place::Attribute && !ended && rest.get(len).is_some_and(|&b| b == b'=' || b.is_ascii_alphanumeric()) {
        out.push('&');
        return at + 1;
    }
    out.push_str(value);
    at + 1 + len
}

fn numeric(bytes: &[u8], at: usize, out: &mut String) -> usize {
    let hex = matches!(bytes.get(at + 2), Some(b'x' | b'X'));
    let start = at + if hex { 3 } else { 2 };
    let mut end = start;
    let mut value = 0u32;
    while let Some(&byte) = bytes.get(end) {
        let digit = match byte {
            b'0'..=b'9' => byte - b'0',
            b'a'..=b'f' if hex => byte - b'a' + 10,
            b'A'..=b'F' if hex => byte - b'A' + 10,
            _ => break,
        };
        value = value.saturating_mul(if hex { 16 } else { 10 }).saturating_add(digit as u32);
        end += 1;
    }
    if end == start {
        // Not a number: the `&` and everything after it is text.
        out.push('&');
        return at + 1;
    }
    out.push(character(value));
    if bytes.get(end) == Some(&b';') { end + 1 } else { end }
}

/// Returns the character for a number: windows-1252 for the C1 controls, U+FFFD for invalid code points.
fn character(value: u32) -> char {
    const C1: [char; 32] = [
        '\u{20AC}', '\u{81}', '\u{201A}', '\u{192}', '\u{201E}', '\u{2026}', '\u{2020}', '\u{2021}', '\u{2C6}',
        '\u{2030}', '\u{160}', '\u{2039}', '\u{152}', '\u{8D}', '\u{17D}', '\u{8F}', '\u{90}', '\u{2018}', '\u{2019}',
        '\u{201C}', '\u{201D}', '\u{2022}', '\u{2013}', '\u{2014}', '\u{2DC}', '\u{2122}', '\u{161}', '\u{203A}',
        '\u{153}', '\u{9D}', '\u{17E}', '\u{178}',
    ];
    match value {
        0 => '\u{FFFD}',
        0x80..=0x9F => C1[value as usize - 0x80],
        _ => char::from_u32(value).unwrap_or('\u{FFFD}'),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(source: &str, place: Place, expected: &str, consumed: usize) {
        let mut out = String::new();
        let end = decode(source.as_bytes(), 0, place, &mut out);
        assert_eq!((out.as_str(), end), (expected, consumed), "{source}");
    }

    #[test]
    fn the_longest_name_wins() {
        check("&notit;", Place::Text, "¬", 4);
        check("&notin;", Place::Text, "∉", 7);
        check("&amp", Place::Text, "&", 4);
        check("&zwnj;x", Place::Text, "\u{200C}", 6);
        check("&CounterClockwiseContourIntegral;", Place::Text, "∳", 33);
        check("&nosuch;", Place::Text, "&", 1);
    }

    #[test]
    fn query_parameters_stay() {
        check("&copy=1", Place::Attribute, "&", 1);
        check("&copy;=1", Place::Attribute, "©", 6);
        check("&copy=1", Place::Text, "©", 5);
    }

    #[test]
    fn numbers() {
        check("&#x20AC;", Place::Text, "€", 8);
        check("&#128;", Place::Text, "€", 6);
        check("&#0;", Place::Text, "\u{FFFD}", 4);
        check("&#xD800;", Place::Text, "\u{FFFD}", 8);
        check("&#99999999999;", Place::Text, "\u{FFFD}", 14);
        check("&#;", Place::Text, "&", 1);
        check("&#xg", Place::Text, "&", 1);
    }

    #[test]
    fn every_name_decodes_to_its_value() {
        for (name, value) in NAMED {
            let mut out = String::new();
            let source = format!("&{name}");
            assert_eq!(decode(source.as_bytes(), 0, Place::Text, &mut out), source.len());
            assert_eq!(out, value);
        }
    }
}
