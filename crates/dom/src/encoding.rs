//! Decodes bytes to text, choosing the encoding as browsers do: byte order mark, transport, `meta`, then the bytes
//! themselves.
//!
//! One departure: a declaration that the bytes contradict is ignored. Browsers show a UTF-8 page that declares `gbk`
//! as mojibake; here a page that is valid UTF-8 and contains any byte above ASCII is UTF-8, whatever it declares (no
//! legacy encoding produces long valid UTF-8 by chance), and the decision records what was declared.

use encoding_rs::{Encoding, UTF_8, UTF_16BE, UTF_16LE, WINDOWS_1252};

/// The encoding with which a page was decoded, and the reason for it.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct EncodingDecision {
    /// Encoding used, by its standard name.
    pub name: &'static str,
    /// Reason for the encoding.
    pub because: EncodingReason,
    /// Encoding that the page or its transport declared and the bytes contradict.
    pub overruled: Option<&'static str>,
    /// `true` if some bytes were malformed and became U+FFFD.
    pub malformed: bool,
}

/// The reason for a page's encoding.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum EncodingReason {
    /// The page was given as text.
    Text,
    /// The caller specified it.
    Forced,
    /// A byte order mark.
    ByteOrderMark,
    /// The transport's `Content-Type`.
    Transport,
    /// A `meta` element in the first kilobyte (or an XML declaration).
    Meta,
    /// The bytes are valid UTF-8.
    ValidUtf8,
    /// Statistics over the bytes.
    Detected,
}

impl std::fmt::Display for EncodingReason {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            EncodingReason::Text => "given as text",
            EncodingReason::Forced => "specified by the caller",
            EncodingReason::ByteOrderMark => "byte order mark",
            EncodingReason::Transport => "declared by the transport",
            EncodingReason::Meta => "declared by the page",
            EncodingReason::ValidUtf8 => "the bytes are valid UTF-8",
            EncodingReason::Detected => "guessed from the bytes",
        })
    }
}

impl EncodingDecision {
    pub(crate) const TEXT: EncodingDecision =
        EncodingDecision { name: "UTF-8", because: EncodingReason::Text, overruled: None, malformed: false };
}

/// Returns the standard name of a charset label (`latin1` is `windows-1252`), if browsers know it.
pub fn encoding_name(label: &str) -> Option<&'static str> {
    Encoding::for_label(label.as_bytes()).map(Encoding::name)
}

/// Decodes a page. Never fails: malformed bytes become U+FFFD, and the decision records this.
pub(crate) fn decode(bytes: Vec<u8>, forced: Option<&str>, transport: Option<&str>) -> (String, EncodingDecision) {
    if let Some(encoding) = forced.and_then(|label| Encoding::for_label(label.as_bytes())) {
        let (text, malformed) = encoding.decode_with_bom_removal(&bytes);
        let because = EncodingReason::Forced;
        return (text.into_owned(), EncodingDecision { name: encoding.name(), because, overruled: None, malformed });
    }
    if let Some((encoding, mark)) = Encoding::for_bom(&bytes) {
        let decision = |malformed| EncodingDecision {
            name: encoding.name(),
            because: EncodingReason::ByteOrderMark,
            overruled: None,
            malformed,
        };
        let (text, malformed) = encoding.decode_without_bom_handling(&bytes[mark..]);
        return (text.into_owned(), decision(malformed));
    }
    let transport = transport.and_then(|label| Encoding::for_label(label.trim().as_bytes()));
    let declared = match transport {
        Some(encoding) => Some((encoding, EncodingReason::Transport)),
        None => prescan(&bytes).map(|encoding| (encoding, EncodingReason::Meta)),
    };
    let bytes = match String::from_utf8(bytes) {
        Ok(text) => {
            let plain = text.is_ascii();
            let (name, because, overruled) = match declared {
                None => (UTF_8.name(), EncodingReason::ValidUtf8, None),
                // In these encodings ASCII bytes do not mean ASCII characters, so the bytes cannot contradict them.
                Some((encoding, because)) if shifts(encoding) => return decoded(encoding, because, text.as_bytes()),
                // An ASCII page is the same in all other encodings.
                Some((encoding, because)) if plain || encoding == UTF_8 => (encoding.name(), because, None),
                Some((encoding, _)) => (UTF_8.name(), EncodingReason::ValidUtf8, Some(encoding.name())),
            };
            return (text, EncodingDecision { name, because, overruled, malformed: false });
        }
        Err(error) => error.into_bytes(),
    };
    match declared {
        Some((encoding, because)) => decoded(encoding, because, &bytes),
        None => {
            let mut detector = chardetng::EncodingDetector::new(chardetng::Iso2022JpDetection::Allow);
            // A few kilobytes of text suffice; the cap keeps detection a small part of the work on a large page.
            let sample = &bytes[..bytes.len().min(1 << 18)];
            detector.feed(sample, sample.len() == bytes.len());
            let encoding = detector.guess(None, chardetng::Utf8Detection::Allow);
            decoded(encoding, EncodingReason::Detected, &bytes)
        }
    }
}

/// Returns `true` for encodings in which ASCII bytes do not always mean ASCII characters.
fn shifts(encoding: &'static Encoding) -> bool {
    !encoding.is_ascii_compatible() || encoding == encoding_rs::ISO_2022_JP || encoding == encoding_rs::REPLACEMENT
}

fn decoded(encoding: &'static Encoding, because: EncodingReason, bytes: &[u8]) -> (String, EncodingDecision) {
    let (text, malformed) = encoding.decode_without_bom_handling(bytes);
    (text.into_owned(), EncodingDecision { name: encoding.name(), because, overruled: None, malformed })
}

/// Largest offset of a declaration. The standard's prescan ends at 1,024 bytes, but a later `meta` makes a browser
/// start over with the encoding it names; as all bytes are available here, the prescan continues up to the beginning
/// of the body.
const PRESCAN_BYTES: usize = 1 << 18;

/// Implements the standard's "prescan a byte stream to determine its encoding", without building anything.
pub(crate) fn prescan(bytes: &[u8]) -> Option<&'static Encoding> {
    let bytes = &bytes[..bytes.len().min(PRESCAN_BYTES)];
    if let Some(encoding) = xml_declaration(bytes) {
        return Some(encoding);
    }
    let mut at = 0;
    while let Some(found) = memchr::memchr(b'<', bytes.get(at..)?) {
        at += found;
        let rest = &bytes[at..];
        if rest.starts_with(b"<!--") {
            // The two dashes of the opening may also belong to the closing: `<!-->`.
            at += 2 + memchr::memmem::find(&rest[2..], b"-->")? + 3;
        } else if rest.len() > 5
            && rest[1..5].eq_ignore_ascii_case(b"meta")
            && matches!(rest[5], b' ' | b'\t' | b'\n' | b'\r' | b'\x0c' | b'/')
        {
            let mut attributes = Attributes { bytes, at: at + 6 };
            if let Some(encoding) = meta_encoding(&mut attributes) {
                return Some(encoding);
            }
            at = attributes.at;
        } else if at >= 1024 && rest.len() > 5 && rest[1..5].eq_ignore_ascii_case(b"body") {
            return None;
        } else if rest.get(1).is_some_and(u8::is_ascii_alphabetic)
            || rest.get(1) == Some(&b'/') && rest.get(2).is_some_and(u8::is_ascii_alphabetic)
        {
            let name = rest.iter().position(|b| matches!(b, b' ' | b'\t' | b'\n' | b'\r' | b'\x0c' | b'>'))?;
            let mut attributes = Attributes { bytes, at: at + name };
            while attributes.next().is_some() {}
            at = attributes.at;
        } else if matches!(rest.get(1), Some(b'!' | b'/' | b'?')) {
            at += memchr::memchr(b'>', rest)? + 1;
        } else {
            at += 1;
        }
    }
    None
}

/// Reads `<?xml encoding="…"?>`, which browsers respect at the very start of a page without a `meta`.
fn xml_declaration(bytes: &[u8]) -> Option<&'static Encoding> {
    let rest = bytes.strip_prefix(b"<?xml")?;
    let rest = &rest[..memchr::memchr(b'>', rest)?];
    let rest = &rest[memchr::memmem::find(rest, b"encoding")? + 8..];
    let rest = rest.trim_ascii_start().strip_prefix(b"=")?.trim_ascii_start();
    let quote = *rest.first().filter(|b| matches!(b, b'"' | b'\''))?;
    let rest = &rest[1..];
    usable(Encoding::for_label(&rest[..memchr::memchr(quote, rest)?])?)
}

fn meta_encoding(attributes: &mut Attributes<'_>) -> Option<&'static Encoding> {
    let (mut seen, mut got_pragma, mut need_pragma, mut charset) = (Vec::new(), false, None, None);
    while let Some((name, value)) = attributes.next() {
        if seen.contains(&name) {
            continue;
        }
        match name.as_slice() {
            b"http-equiv" => got_pragma |= value == b"content-type",
            b"content" if charset.is_none() => {
                if let Some(encoding) = content_charset(&value) {
                    charset = Some(encoding);
                    need_pragma = Some(true);
                }
            }
            b"charset" => {
                charset = Encoding::for_label(&value);
                need_pragma = Some(false);
            }
            _ => {}
        }
        seen.push(name);
    }
    if need_pragma? && !got_pragma {
        return None;
    }
    usable(charset?)
}

/// Replaces encodings that a declaration in ASCII bytes cannot mean: a page that declares UTF-16 in ASCII is not
/// UTF-16, and `x-user-defined` means windows-1252.
fn usable(encoding: &'static Encoding) -> Option<&'static Encoding> {
    Some(if encoding == UTF_16BE || encoding == UTF_16LE {
        UTF_8
    } else if encoding == encoding_rs::X_USER_DEFINED {
        WINDOWS_1252
    } else {
        encoding
    })
}

/// Implements "Extracting a character encoding from a meta element".
fn content_charset(value: &[u8]) -> Option<&'static Encoding> {
    let mut at = 0;
    loop {
        at += memchr::memmem::find(value.get(at..)?, b"charset")? + 7;
        let rest = value[at..].trim_ascii_start();
        let Some(rest) = rest.strip_prefix(b"=") else { continue };
        let rest = rest.trim_ascii_start();
        let label = match rest.first()? {
            quote @ (b'"' | b'\'') => {
                let rest = &rest[1..];
                &rest[..memchr::memchr(*quote, rest)?]
            }
            _ => {
                let end = rest.iter().position(|b| b.is_ascii_whitespace() || *b == b';').unwrap_or(rest.len());
                &rest[..end]
            }
        };
        return Encoding::for_label(label);
    }
}

/// The prescan's "get an attribute": names and values in lower case, no character references.
struct Attributes<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl Attributes<'_> {
    fn peek(&self) -> Option<u8> {
        self.bytes.get(self.at).copied()
    }

    fn skip_space(&mut self) {
        while self.peek().is_some_and(|b| b.is_ascii_whitespace()) {
            self.at += 1;
        }
    }

    fn next(&mut self) -> Option<(Vec<u8>, Vec<u8>)> {
        while self.peek().is_some_and(|b| b.is_ascii_whitespace() || b == b'/') {
            self.at += 1;
        }
        if self.peek()? == b'>' {
            return None;
        }
        let mut name = Vec::new();
        loop {
            let byte = self.peek()?;
            match byte {
                b'=' if !name.is_empty() => break,
                b'/' | b'>' => return Some((name, Vec::new())),
                _ if byte.is_ascii_whitespace() => {
                    self.skip_space();
                    break;
                }
                _ => name.push(byte.to_ascii_lowercase()),
            }
            self.at += 1;
        }
        if self.peek()? != b'=' {
            return Some((name, Vec::new()));
        }
        self.at += 1;
        self.skip_space();
        let mut value = Vec::new();
        match self.peek()? {
            quote @ (b'"' | b'\'') => {
                self.at += 1;
                loop {
                    let byte = self.peek()?;
                    self.at += 1;
                    if byte == quote {
                        return Some((name, value));
                    }
                    value.push(byte.to_ascii_lowercase());
                }
            }
            b'>' => Some((name, value)),
            _ => loop {
                let byte = self.peek()?;
                if byte.is_ascii_whitespace() || byte == b'>' {
                    return Some((name, value));
                }
                value.push(byte.to_ascii_lowercase());
                self.at += 1;
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(bytes: &[u8], transport: Option<&str>) -> (String, &'static str, EncodingReason, Option<&'static str>) {
        let (text, decision) = decode(bytes.to_vec(), None, transport);
        (text, decision.name, decision.because, decision.overruled)
    }

    #[test]
    fn a_byte_order_mark_wins() {
        let (text, name, because, _) = check(b"\xFF\xFEa\x00", Some("utf-8"));
        assert_eq!((text.as_str(), name, because), ("a", "UTF-16LE", EncodingReason::ByteOrderMark));
    }

    #[test]
    fn the_transport_wins_over_meta() {
        let (text, name, because, _) = check(b"<meta charset=utf-8>\xE9", Some("iso-8859-2"));
        assert_eq!((text.ends_with('é'), name, because), (true, "ISO-8859-2", EncodingReason::Transport));
    }

    #[test]
    fn a_utf8_page_that_declares_gbk_is_utf8() {
        let (text, name, because, overruled) = check("<meta charset=gbk>中文".as_bytes(), None);
        assert!(text.ends_with("中文"));
        assert_eq!((name, because, overruled), ("UTF-8", EncodingReason::ValidUtf8, Some("GBK")));
    }

    #[test]
    fn what_is_demanded_is_final() {
        let (text, decision) = decode("<meta charset=utf-8>é".as_bytes().to_vec(), Some("latin1"), Some("utf-8"));
        assert_eq!((decision.name, decision.because), ("windows-1252", EncodingReason::Forced));
        assert!(text.ends_with("Ã©"));
    }

    #[test]
    fn nothing_declared_is_detected() {
        // "Привет, мир" in windows-1251, repeated often enough for detection.
        let bytes = b"\xCF\xF0\xE8\xE2\xE5\xF2, \xEC\xE8\xF0. ".repeat(8);
        let (_, name, because, _) = check(&bytes, None);
        assert_eq!((name, because), ("windows-1251", EncodingReason::Detected));
    }
}
