//! Resolves references: `&amp;`, `&#233;`, `&eacute;`.

use std::borrow::Cow;
use std::collections::HashMap;

use memchr::memchr;

use super::entities;

/// Number of bytes of a name that are examined. The longest name of HTML 4 has eight.
const NAME_BYTES: usize = 64;

/// The references of one document.
pub(crate) struct References<'s> {
    declared: HashMap<&'s str, Cow<'s, str>>,
    /// Number of bytes that declared entities may still expand to.
    budget: usize,
    /// Number of references to undeclared names.
    pub(crate) undeclared: usize,
    /// Number of ampersands that do not begin a reference.
    pub(crate) bare: usize,
    /// `true` if the budget was exceeded.
    pub(crate) bomb: bool,
}

impl<'s> References<'s> {
    pub(super) fn new(document_bytes: usize) -> References<'s> {
        References { declared: HashMap::new(), budget: document_bytes + (1 << 16), undeclared: 0, bare: 0, bomb: false }
    }

    pub(super) fn declare(&mut self, entities: Vec<(&'s str, &'s str)>) {
        for (name, value) in entities {
            // An entity made of others could grow without bound; a character's number cannot.
            let value = match memchr(b'&', value.as_bytes()) {
                None => Cow::Borrowed(value),
                Some(0) if value.starts_with("&#") => match self.reference(&value[1..]) {
                    Some((text, length)) if length + 1 == value.len() => Cow::Owned(text.into_owned()),
                    _ => continue,
                },
                Some(_) => continue,
            };
            // The first declaration counts, as in XML.
            self.declared.entry(name).or_insert(value);
        }
    }

    /// Resolves the references of a text.
    pub(super) fn resolve(&mut self, text: &'s str) -> Cow<'s, str> {
        let Some(mut ampersand) = memchr(b'&', text.as_bytes()) else { return Cow::Borrowed(text) };
        let mut out = String::with_capacity(text.len());
        let mut rest = text;
        loop {
            out.push_str(&rest[..ampersand]);
            let after = &rest[ampersand + 1..];
            match self.reference(after) {
                Some((meaning, length)) => {
                    out.push_str(&meaning);
                    rest = &after[length..];
                }
                None => {
                    out.push('&');
                    rest = after;
                }
            }
            match memchr(b'&', rest.as_bytes()) {
                Some(next) => ampersand = next,
                None => break,
            }
        }
        out.push_str(rest);
        Cow::Owned(out)
    }

    /// Resolves a reference; also returns the number of bytes after the ampersand.
    fn reference(&mut self, after: &str) -> Option<(Cow<'s, str>, usize)> {
        let window = &after.as_bytes()[..after.len().min(NAME_BYTES)];
        let Some(end) = memchr(b';', window).filter(|end| *end > 0) else {
            self.bare += 1;
            return None;
        };
        let name = &after[..end];
        if let Some(number) = name.strip_prefix('#') {
            let code = match number.strip_prefix(['x', 'X']) {
                Some(digits) => u32::from_str_radix(digits, 16),
                None => number.parse(),
            };
            // Digits, but too many of them: a character that does not exist.
            let digits = number.trim_start_matches(['x', 'X']);
            let code = match code {
                Ok(code) => code,
                Err(_) if !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_hexdigit()) => 0,
                Err(_) => {
                    self.bare += 1;
                    return None;
                }
            };
            let character = char::from_u32(code).filter(|c| *c != '\0').unwrap_or(char::REPLACEMENT_CHARACTER);
            return Some((Cow::Owned(character.to_string()), end + 1));
        }
        let known = match name {
            "amp" => "&",
            "lt" => "<",
            "gt" => ">",
            "quot" => "\"",
            "apos" => "'",
            _ => return self.named(name, end + 1),
        };
        Some((Cow::Borrowed(known), end + 1))
    }

    fn named(&mut self, name: &str, length: usize) -> Option<(Cow<'s, str>, usize)> {
        if let Some(value) = self.declared.get(name) {
            if value.len() > self.budget {
                self.bomb = true;
                return None;
            }
            self.budget -= value.len();
            return Some((value.clone(), length));
        }
        if !name.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'.')) {
            self.bare += 1;
            return None;
        }
        self.undeclared += 1;
        Some((Cow::Owned(entities::lookup(name)?.to_string()), length))
    }
}
