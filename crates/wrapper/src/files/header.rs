//! What a wrapper says of itself, in the comments at the top of a file whose format has no other place for it.
//!
//! One `key: value` a line: `name`, `description`, `url`, `learned`, `learned from` (once for each page), `learned at`,
//! `follow`. A comment that is none of these is a comment.

use crate::wrapper::{Follow, Learned, Wrapper};

/// Takes one line of a comment, if it is a header; a page's address is left to formats that ask for it.
pub(super) fn take(wrapper: &mut Wrapper, line: &str) -> bool {
    let Some((key, value)) = line.split_once(':') else { return false };
    let value = unescape(value.trim_matches(BLANK));
    match key.trim_matches(BLANK) {
        "name" => wrapper.name = Some(value),
        "description" => wrapper.description = Some(value),
        "url" => wrapper.url = Some(value.into()),
        "learned" => learned(wrapper).by = value,
        "learned from" => learned(wrapper).from.push(value),
        "learned at" => learned(wrapper).at = Some(value),
        "follow" => match follow(&value) {
            Some(bounds) => wrapper.follow = bounds,
            None => return false,
        },
        _ => return false,
    }
    true
}

/// The lines that [`take`] reads back.
pub(super) fn lines(wrapper: &Wrapper, with_url: bool) -> Vec<String> {
    let mut lines = Vec::new();
    let mut line = |key: &str, value: &str| lines.push(format!("{key}: {}", escape(value)).trim_end().to_owned());
    if let Some(name) = &wrapper.name {
        line("name", name);
    }
    if let Some(description) = &wrapper.description {
        line("description", description);
    }
    if let (Some(url), true) = (&wrapper.url, with_url) {
        line("url", url);
    }
    if let Some(learned) = &wrapper.learned {
        line("learned", &learned.by);
        for page in &learned.from {
            line("learned from", page);
        }
        if let Some(at) = &learned.at {
            line("learned at", at);
        }
    }
    if wrapper.follow != Follow::default() {
        line("follow", &format!("depth {}, pages {}", wrapper.follow.depth, wrapper.follow.pages));
    }
    lines
}

const BLANK: [char; 2] = [' ', '\t'];

fn learned(wrapper: &mut Wrapper) -> &mut Learned {
    wrapper.learned.get_or_insert_default()
}

fn follow(value: &str) -> Option<Follow> {
    let (depth, pages) = value.split_once(',')?;
    let depth = depth.trim().strip_prefix("depth ")?.trim().parse().ok()?;
    let pages = pages.trim().strip_prefix("pages ")?.trim().parse().ok()?;
    Some(Follow { depth, pages })
}

/// One line without white space at its ends and without `--`, which would end a comment in XML.
fn escape(value: &str) -> String {
    let mut escaped = String::with_capacity(value.len());
    let last = value.chars().count().saturating_sub(1);
    let mut hyphen = false;
    for (index, char) in value.chars().enumerate() {
        let end = index == 0 || index == last;
        match char {
            '\\' => escaped.push_str("\\\\"),
            '\n' => escaped.push_str("\\n"),
            '\r' => escaped.push_str("\\r"),
            '-' if hyphen => escaped.push_str("\\-"),
            ' ' if end => escaped.push_str("\\s"),
            _ if char.is_whitespace() && end => {
                // Written by its number: whatever trims the line must not take it.
                escaped.push_str(&format!("\\u{{{:x}}}", char as u32));
            }
            _ => escaped.push(char),
        }
        hyphen = char == '-';
    }
    escaped
}

fn unescape(value: &str) -> String {
    let mut plain = String::with_capacity(value.len());
    let mut rest = value.chars();
    while let Some(char) = rest.next() {
        if char != '\\' {
            plain.push(char);
            continue;
        }
        match rest.next() {
            Some('n') => plain.push('\n'),
            Some('r') => plain.push('\r'),
            Some('s') => plain.push(' '),
            Some('u') => match number(rest.as_str()) {
                Some((char, length)) => {
                    plain.push(char);
                    rest = rest.as_str()[length..].chars();
                }
                None => plain.push('u'),
            },
            Some(char) => plain.push(char),
            None => plain.push('\\'),
        }
    }
    plain
}

/// `{2003}` at the beginning: the character and the length of its number.
fn number(rest: &str) -> Option<(char, usize)> {
    let inner = rest.strip_prefix('{')?;
    let end = inner.find('}')?;
    let char = char::from_u32(u32::from_str_radix(&inner[..end], 16).ok()?)?;
    Some((char, end + 2))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read() {
        for odd in
            ["", " ", "a b", " a\u{2003}", "\u{2003}", "--->", "a\\nb\n\r", "\\", "\\-", "-", "-- \\u{20}", "\t\tx\t"]
        {
            let wrapper = Wrapper {
                name: Some(odd.to_owned()),
                description: Some(odd.to_owned()),
                url: Some(odd.into()),
                learned: Some(Learned {
                    by: odd.to_owned(),
                    from: vec![odd.to_owned(), "b".to_owned()],
                    at: Some(odd.to_owned()),
                }),
                follow: Follow { depth: 7, pages: 9 },
                rules: Vec::new(),
            };
            let mut read = Wrapper::default();
            for line in lines(&wrapper, true) {
                assert!(!line.contains("--") && !line.contains('\n'), "{line}");
                assert!(take(&mut read, &format!(" {line} ")), "{line}");
            }
            assert_eq!(read, wrapper);
        }
    }

    #[test]
    fn other_comments_are_comments() {
        let mut wrapper = Wrapper::default();
        for line in ["a note", "see: below", "follow: the money", "follow: depth x, pages 2"] {
            assert!(!take(&mut wrapper, line), "{line}");
        }
        assert_eq!(wrapper, Wrapper::default());
    }
}
