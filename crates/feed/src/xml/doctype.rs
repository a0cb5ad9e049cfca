//! Document types: their kind, and the entities they declare.

use memchr::{memchr, memchr3};

/// Largest number of entities that one document may declare.
const MOST: usize = 1000;

/// The content of a document type declaration.
pub(super) struct Doctype<'s> {
    /// Length in bytes.
    pub(super) length: usize,
    /// `true` if it is that of Netscape's RSS 0.91.
    pub(super) is_netscape: bool,
    /// Names and values of its general entities, as written.
    pub(super) entities: Vec<(&'s str, &'s str)>,
}

/// Reads the document type at the start of a text.
pub(super) fn read(text: &str) -> Doctype<'_> {
    let mut at = 9.min(text.len());
    let mut entities = Vec::new();
    let mut inside = false;
    let bytes = text.as_bytes();
    let mut outside_end = None;
    loop {
        let stop = |byte: &u8| matches!(byte, b'"' | b'\'' | b'[' | b']' | b'>' | b'<');
        let Some(step) = bytes[at..].iter().position(stop) else {
            at = text.len();
            break;
        };
        at += step;
        match bytes[at] {
            b'[' => {
                inside = true;
                outside_end.get_or_insert(at);
                at += 1;
            }
            b']' => {
                inside = false;
                at += 1;
            }
            b'>' if !inside => {
                at += 1;
                break;
            }
            quote @ (b'"' | b'\'') => {
                // A quote that is not closed before the next markup is an apostrophe.
                match memchr3(quote, b'<', b'>', &bytes[at + 1..]) {
                    Some(end) if bytes[at + 1 + end] == quote => at += end + 2,
                    _ => at += 1,
                }
            }
            b'<' if text[at..].starts_with("<!--") => {
                at += memchr::memmem::find(&bytes[at + 4..], b"-->").map_or(text.len() - at, |end| end + 7);
            }
            b'<' if inside || text[at..].starts_with("<!") => {
                let (entity, length) = declaration(&text[at..]);
                entities.extend(entity.filter(|_| entities.len() < MOST));
                at += length;
            }
            // The document begins, although the declaration has not ended.
            b'<' => break,
            _ => at += 1,
        }
    }
    let head = &text[..outside_end.unwrap_or(at).min(at)];
    let is_netscape = head.to_ascii_lowercase().contains("netscape");
    Doctype { length: at, is_netscape, entities }
}

/// Parses `<!ENTITY name "value">`; also returns the length of the declaration, whichever it is.
fn declaration(text: &str) -> (Option<(&str, &str)>, usize) {
    let entity = || {
        let rest = text.strip_prefix("<!ENTITY")?;
        let rest = rest.strip_prefix(|c: char| c.is_ascii_whitespace())?.trim_ascii_start();
        let (name, rest) = rest.split_at(rest.find(|c: char| c.is_ascii_whitespace())?);
        let rest = rest.trim_ascii_start();
        let quote = *rest.as_bytes().first().filter(|byte| matches!(byte, b'"' | b'\''))?;
        let value = &rest[1..];
        let end = memchr(quote, value.as_bytes())?;
        let after = &value[end + 1..];
        let close = memchr(b'>', after.as_bytes())?;
        Some(((name, &value[..end]), text.len() - after.len() + close + 1))
    };
    match entity() {
        Some((entity, length)) => (Some(entity), length),
        None => (None, memchr(b'>', text.as_bytes()).map_or(text.len(), |end| end + 1)),
    }
}
