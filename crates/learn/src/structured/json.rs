//! JSON as pages write it.
//!
//! Read leniently: comments of JavaScript and HTML and CDATA marks count as white space, commas may be too many or missing,
//! control characters may stand in strings, unknown escapes are the character itself, several values may follow each
//! other. Numbers stay as written: a price of `1.10` is not `1.1`. Where it ends being JSON, reading ends, and what was
//! read before is kept; a member whose value runs straight into the unreadable (`"size": "12" wide"`) is not.
//!
//! # Cost
//!
//! One pass; recursion and the number of values are bounded.

use std::borrow::Cow;

/// A value.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Json<'a> {
    /// `null`, and what was too deep.
    Null,
    /// A number, `true` or `false`, as written.
    Word(&'a str),
    /// A string.
    Text(Cow<'a, str>),
    /// An array.
    Array(Vec<Json<'a>>),
    /// An object's members, in order.
    Object(Vec<(Cow<'a, str>, Json<'a>)>),
}

/// What was read of a text.
#[derive(Debug)]
pub(super) struct Reading<'a> {
    /// The values, one after the other.
    pub(super) values: Vec<Json<'a>>,
    /// The byte from which on it could not be read.
    pub(super) broken: Option<usize>,
    /// Whether something was too deep.
    pub(super) deep: bool,
}

/// Reads a text. `values_left` counts down with each value; at zero reading ends.
pub(super) fn read<'a>(text: &'a str, max_depth: usize, values_left: &mut usize) -> Reading<'a> {
    let mut reader = Reader { text, at: 0, max_depth, values_left, broken: None, deep: false };
    let mut values = Vec::new();
    loop {
        while matches!(reader.peek(), Some(b',' | b';')) {
            reader.at += 1;
        }
        if reader.peek().is_none() || reader.over() {
            break;
        }
        if let Some(value) = reader.value(0) {
            values.push(value);
        }
    }
    Reading { values, broken: reader.broken, deep: reader.deep }
}

struct Reader<'a, 'c> {
    text: &'a str,
    at: usize,
    max_depth: usize,
    values_left: &'c mut usize,
    broken: Option<usize>,
    deep: bool,
}

impl<'a> Reader<'a, '_> {
    fn over(&self) -> bool {
        self.broken.is_some() || *self.values_left == 0
    }

    fn break_off<T>(&mut self) -> Option<T> {
        self.broken.get_or_insert(self.at);
        None
    }

    fn rest(&self) -> &'a str {
        self.text.get(self.at..).unwrap_or_default()
    }

    /// The next byte that is neither white space nor comment.
    fn peek(&mut self) -> Option<u8> {
        loop {
            let rest = self.rest();
            let trimmed = rest.trim_start_matches(|c: char| c.is_whitespace() || c == '\u{feff}' || c == '\0');
            self.at += rest.len() - trimmed.len();
            match trimmed.as_bytes().first()? {
                b'/' | b'<' | b'-' | b']' => {}
                &byte => return Some(byte),
            }
            match comment(trimmed) {
                0 => return trimmed.bytes().next(),
                length => self.at += length,
            }
        }
    }

    fn value(&mut self, depth: usize) -> Option<Json<'a>> {
        let first = self.peek();
        if self.over() {
            return None;
        }
        *self.values_left -= 1;
        match first {
            Some(b'{' | b'[') if depth >= self.max_depth => self.skip(),
            Some(b'{') => self.object(depth),
            Some(b'[') => self.array(depth),
            Some(b'"') => self.string().map(Json::Text),
            Some(_) => self.word(),
            None => self.break_off(),
        }
    }

    fn object(&mut self, depth: usize) -> Option<Json<'a>> {
        self.at += 1;
        let mut members: Vec<(Cow<'a, str>, Json<'a>)> = Vec::new();
        loop {
            let mut separated = members.is_empty();
            while self.peek() == Some(b',') {
                self.at += 1;
                separated = true;
            }
            let member = match self.peek() {
                Some(b'}') => {
                    self.at += 1;
                    break;
                }
                Some(b'"') => self.member(depth),
                _ => self.break_off(),
            };
            match member {
                Some(member) => {
                    members.push(member);
                    if self.over() {
                        break;
                    }
                }
                None => {
                    // A quote that was not escaped ended the value before too early.
                    if !separated && self.broken.is_some() && self.rest_is_text() {
                        members.pop();
                    }
                    break;
                }
            }
        }
        Some(Json::Object(members))
    }

    /// Whether something stands where reading ended: the text was not merely cut off.
    fn rest_is_text(&self) -> bool {
        self.broken.is_some_and(|at| !self.text.get(at..).unwrap_or_default().trim().is_empty())
    }

    /// A member; none where it cannot be read. A nested value that is broken inside counts for what it has.
    fn member(&mut self, depth: usize) -> Option<(Cow<'a, str>, Json<'a>)> {
        if self.over() {
            return None;
        }
        let start = self.at;
        let name = self.string()?;
        if self.peek() != Some(b':') {
            self.at = start;
            return self.break_off();
        }
        self.at += 1;
        Some((name, self.value(depth + 1)?))
    }

    fn array(&mut self, depth: usize) -> Option<Json<'a>> {
        self.at += 1;
        let mut values = Vec::new();
        loop {
            match self.peek() {
                _ if self.over() => break,
                Some(b',') => self.at += 1,
                Some(b']') => {
                    self.at += 1;
                    break;
                }
                _ => match self.value(depth + 1) {
                    Some(value) => values.push(value),
                    None => break,
                },
            }
        }
        Some(Json::Array(values))
    }

    /// A number or a word.
    fn word(&mut self) -> Option<Json<'a>> {
        let rest = self.rest();
        let length = rest.bytes().take_while(|byte| byte.is_ascii_alphanumeric() || b"+-._".contains(byte)).count();
        let word = &rest[..length];
        let value = match word {
            "null" | "undefined" | "NaN" => Json::Null,
            "true" | "false" => Json::Word(word),
            _ if word.parse::<f64>().is_ok() && word.bytes().any(|byte| byte.is_ascii_digit()) => Json::Word(word),
            _ => return self.break_off(),
        };
        self.at += length;
        Some(value)
    }

    fn string(&mut self) -> Option<Cow<'a, str>> {
        let start = self.at + 1;
        let mut from = start;
        let mut decoded = String::new();
        loop {
            let rest = self.text.as_bytes().get(from..).unwrap_or_default();
            let Some(found) = memchr::memchr2(b'"', b'\\', rest) else { return self.break_off() };
            let end = from + found;
            if rest[found] == b'"' {
                self.at = end + 1;
                let last = &self.text[from..end];
                return Some(match from == start {
                    true => Cow::Borrowed(last),
                    false => Cow::Owned(decoded + last),
                });
            }
            decoded.push_str(&self.text[from..end]);
            from = end + escape(&self.text[end..], &mut decoded);
        }
    }

    /// Passes over an array or object, without recursion.
    fn skip(&mut self) -> Option<Json<'a>> {
        self.deep = true;
        let mut open = 0usize;
        while let Some(byte) = self.text.as_bytes().get(self.at) {
            match byte {
                b'"' => {
                    self.string_end()?;
                    continue;
                }
                b'{' | b'[' => open += 1,
                b'}' | b']' => open -= 1,
                _ => {}
            }
            self.at += 1;
            if open == 0 {
                return Some(Json::Null);
            }
        }
        self.break_off()
    }

    /// Passes over a string.
    fn string_end(&mut self) -> Option<()> {
        let mut from = self.at + 1;
        loop {
            let rest = self.text.as_bytes().get(from..).unwrap_or_default();
            let Some(found) = memchr::memchr2(b'"', b'\\', rest) else { return self.break_off() };
            from += found + 1;
            if rest[found] == b'"' {
                self.at = from;
                return Some(());
            }
            from += 1;
        }
    }
}

/// Bytes of a comment or a mark of CDATA at the start of the text; zero if there is none.
fn comment(text: &str) -> usize {
    const CDATA: [&str; 2] = ["<![CDATA[", "]]>"];
    if let Some(mark) = CDATA.iter().find(|mark| text.starts_with(**mark)) {
        return mark.len();
    }
    if text.starts_with("-->") {
        return "-->".len();
    }
    if let Some(rest) = text.strip_prefix("<!--") {
        // What is commented out against browsers of the last century is the data itself; what reads like words is a comment.
        let data = rest.trim_start().starts_with(['{', '[', '/', '<']) || rest.trim_start().is_empty();
        let end = if data { None } else { rest.find("-->") };
        return "<!--".len() + end.map_or(0, |end| end + "-->".len());
    }
    if let Some(rest) = text.strip_prefix("/*") {
        return rest.find("*/").map_or(0, |end| end + "/**/".len());
    }
    if let Some(rest) = text.strip_prefix("//") {
        // The mark of CDATA is often hidden behind `//`, with the data after it on the same line.
        if let Some(mark) = CDATA.iter().find(|mark| rest.trim_start().starts_with(**mark)) {
            return "//".len() + (rest.len() - rest.trim_start().len()) + mark.len();
        }
        return "//".len() + rest.find(['\n', '\r']).unwrap_or(rest.len());
    }
    0
}

/// Decodes the escape at the start of the text; gives its length.
fn escape(text: &str, out: &mut String) -> usize {
    let Some(kind) = text[1..].chars().next() else { return 1 };
    let plain = match kind {
        'n' => '\n',
        't' => '\t',
        'r' => '\r',
        'b' => '\u{8}',
        'f' => '\u{c}',
        'u' => {
            let Some(first) = unit(text) else {
                out.push('u');
                return 2;
            };
            let second = text.get(6..).filter(|rest| rest.starts_with("\\u")).and_then(unit);
            let pair = second.and_then(|second| char::decode_utf16([first, second]).next()?.ok());
            return match (char::from_u32(u32::from(first)), pair) {
                (Some(single), _) => {
                    out.push(single);
                    6
                }
                (None, Some(pair)) => {
                    out.push(pair);
                    12
                }
                (None, None) => {
                    out.push(char::REPLACEMENT_CHARACTER);
                    6
                }
            };
        }
        other => other,
    };
    out.push(plain);
    1 + kind.len_utf8()
}

/// The number of a `\uXXXX` at the start of the text.
fn unit(text: &str) -> Option<u16> {
    let digits = text.get(2..6).filter(|digits| digits.bytes().all(|byte| byte.is_ascii_hexdigit()))?;
    u16::from_str_radix(digits, 16).ok()
}
