//! Decodes bytes to text: by the bytes themselves rather than by what is declared about them.
//!
//! A byte order mark is decisive, then bytes that can only be UTF-16 or UTF-32. Then every declaration is tried, that
//! of the transport before the XML declaration, and the first one in which all bytes are valid is used; but text
//! beyond ASCII that is valid UTF-8 is UTF-8, whatever it is declared as. If UTF-8 is declared and some bytes are
//! invalid, these are read as windows-1252: a feed that is half Latin-1 is common where a database is older than its
//! web site. If nothing is declared and the bytes are not UTF-8, `windrow-dom` detects the encoding by statistics.

use encoding_rs::{Encoding, UTF_8, UTF_16BE, UTF_16LE, WINDOWS_1252};
use memchr::memmem;
use windrow_dom::ParseOptions;

use crate::model::Note;

/// Largest offset of an XML declaration: there may be other text before it.
const DECLARATION_BYTES: usize = 1024;

/// Decodes a feed. Never fails.
pub(crate) fn decode(bytes: &[u8], forced: Option<&str>, transport: Option<&str>, notes: &mut Vec<Note>) -> String {
    let text = decide(bytes, forced, transport, notes);
    // Converts line ends as XML requires, once for all.
    if memchr::memchr(b'\r', text.as_bytes()).is_some() {
        return text.replace("\r\n", "\n").replace('\r', "\n");
    }
    text
}

fn decide(bytes: &[u8], forced: Option<&str>, transport: Option<&str>, notes: &mut Vec<Note>) -> String {
    if let Some(encoding) = forced.and_then(label) {
        let (text, malformed) = encoding.decode_with_bom_removal(bytes);
        notes.extend(malformed.then_some(Note::BadBytes));
        return text.into_owned();
    }
    if let Some(text) = wide(bytes, notes) {
        return text;
    }
    if let Some((encoding, mark)) = Encoding::for_bom(bytes) {
        let rest = &bytes[mark..];
        if encoding == UTF_8 {
            return mostly_utf8(rest, notes);
        }
        let (text, malformed) = encoding.decode_without_bom_handling(rest);
        notes.extend(malformed.then_some(Note::BadBytes));
        return text.into_owned();
    }
    let in_xml = declaration(bytes);
    let names: Vec<&str> = [transport.map(str::trim), in_xml].into_iter().flatten().collect();
    let declared: Vec<&'static Encoding> =
        names.iter().filter_map(|name| label(name)).filter(|e| !is_wide(e)).collect();
    if let Ok(text) = std::str::from_utf8(bytes) {
        // In this encoding, ASCII bytes are not ASCII characters, so the bytes cannot contradict it.
        if let Some(&encoding) = declared.first().filter(|encoding| **encoding == encoding_rs::ISO_2022_JP) {
            return encoding.decode_without_bom_handling(bytes).0.into_owned();
        }
        if let (Some(&encoding), false) = (declared.first(), text.is_ascii())
            && encoding != UTF_8
        {
            notes.push(Note::Encoding { declared: encoding.name().to_owned(), used: UTF_8.name().to_owned() });
        }
        return text.to_owned();
    }
    for (number, &encoding) in declared.iter().enumerate() {
        if let Some(text) = encoding.decode_without_bom_handling_and_without_replacement(bytes) {
            if number > 0 {
                let declared = declared[0].name().to_owned();
                notes.push(Note::Encoding { declared, used: encoding.name().to_owned() });
            }
            return text.into_owned();
        }
    }
    match declared.first() {
        Some(&encoding) if encoding == UTF_8 => mostly_utf8(bytes, notes),
        Some(&encoding) => {
            notes.push(Note::BadBytes);
            encoding.decode_without_bom_handling(bytes).0.into_owned()
        }
        None => {
            let (text, decision) = windrow_dom::decode(bytes, &ParseOptions::default());
            let declared = names.first().map_or_else(|| UTF_8.name().to_owned(), |name| (*name).to_owned());
            notes.push(Note::Encoding { declared, used: decision.name.to_owned() });
            text
        }
    }
}

fn label(name: &str) -> Option<&'static Encoding> {
    Encoding::for_label(name.trim().as_bytes())
}

/// Returns `true` for UTF-16: a declaration of UTF-16 in ASCII bytes is wrong.
fn is_wide(encoding: &'static Encoding) -> bool {
    encoding == UTF_16BE || encoding == UTF_16LE
}

/// Decodes UTF-8, and invalid bytes as windows-1252.
fn mostly_utf8(bytes: &[u8], notes: &mut Vec<Note>) -> String {
    let mut text = String::with_capacity(bytes.len());
    let mut bad = false;
    for chunk in bytes.utf8_chunks() {
        text.push_str(chunk.valid());
        if !chunk.invalid().is_empty() {
            bad = true;
            text.push_str(&WINDOWS_1252.decode_without_bom_handling(chunk.invalid()).0);
        }
    }
    notes.extend(bad.then_some(Note::BadBytes));
    text
}

/// Decodes text with two or four bytes per character: recognised by its mark, or by the zeros in its first
/// characters.
fn wide(bytes: &[u8], notes: &mut Vec<Note>) -> Option<String> {
    let four = |bytes: &[u8], read: fn([u8; 4]) -> u32| -> String {
        let characters = bytes.chunks_exact(4).map(|four| read([four[0], four[1], four[2], four[3]]));
        characters.map(|code| char::from_u32(code).unwrap_or(char::REPLACEMENT_CHARACTER)).collect()
    };
    let text = match bytes {
        [0, 0, 0xFE, 0xFF, rest @ ..] => four(rest, u32::from_be_bytes),
        [0xFF, 0xFE, 0, 0, rest @ ..] => four(rest, u32::from_le_bytes),
        [0, 0, 0, b'<', ..] => four(bytes, u32::from_be_bytes),
        [b'<', 0, 0, 0, ..] => four(bytes, u32::from_le_bytes),
        [0, b'<', 0, _, ..] | [0, b'{', 0, _, ..] => UTF_16BE.decode_without_bom_handling(bytes).0.into_owned(),
        [b'<', 0, _, 0, ..] | [b'{', 0, _, 0, ..] => UTF_16LE.decode_without_bom_handling(bytes).0.into_owned(),
        _ => return None,
    };
    notes.extend(text.contains(char::REPLACEMENT_CHARACTER).then_some(Note::BadBytes));
    Some(text)
}

/// Returns the encoding in the XML declaration.
fn declaration(bytes: &[u8]) -> Option<&str> {
    let start = &bytes[..bytes.len().min(DECLARATION_BYTES)];
    let rest = &start[memmem::find(start, b"<?xml")?..];
    let rest = &rest[..memchr::memchr(b'>', rest)?];
    let rest = rest[memmem::find(rest, b"encoding")? + 8..].trim_ascii_start().strip_prefix(b"=")?.trim_ascii_start();
    let quote = *rest.first().filter(|byte| matches!(byte, b'"' | b'\''))?;
    let rest = &rest[1..];
    std::str::from_utf8(&rest[..memchr::memchr(quote, rest)?]).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(bytes: &[u8], transport: Option<&str>, expected: &str) -> Vec<Note> {
        let mut notes = Vec::new();
        assert_eq!(decode(bytes, None, transport, &mut notes), expected);
        notes
    }

    #[test]
    fn what_the_bytes_agree_with_is_taken() {
        let latin = b"<?xml version='1.0' encoding='iso-8859-1'?><a>\xE9</a>";
        check(latin, None, "<?xml version='1.0' encoding='iso-8859-1'?><a>é</a>");
        // The transport declares UTF-8, in which the bytes are invalid.
        let notes = check(latin, Some("utf-8"), "<?xml version='1.0' encoding='iso-8859-1'?><a>é</a>");
        assert!(matches!(notes[..], [Note::Encoding { .. }]));
    }

    #[test]
    fn utf8_is_utf8() {
        let notes = check("<a>é</a>".as_bytes(), Some("iso-8859-1"), "<a>é</a>");
        assert_eq!(notes, [Note::Encoding { declared: "windows-1252".into(), used: "UTF-8".into() }]);
    }

    #[test]
    fn latin1_within_utf8_is_mended() {
        let notes = check(b"\xC3\xA9 \xE9", Some("utf-8"), "é é");
        assert_eq!(notes, [Note::BadBytes]);
    }

    #[test]
    fn wide_characters_need_no_mark() {
        let utf16: Vec<u8> = "<a>é".encode_utf16().flat_map(u16::to_be_bytes).collect();
        check(&utf16, Some("utf-8"), "<a>é");
        let utf32: Vec<u8> = "\u{feff}<a>é".chars().flat_map(|c| (c as u32).to_le_bytes()).collect();
        check(&utf32, None, "<a>é");
    }

    #[test]
    fn line_ends_are_one() {
        check(b"a\r\nb\rc\n", None, "a\nb\nc\n");
    }
}
