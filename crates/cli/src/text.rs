//! Small forms of text for printing: collapsed, cut short.

use crate::terminal::is_unsafe;

/// White space collapsed to single spaces, none at the ends.
pub(crate) fn collapse(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for word in text.split_ascii_whitespace() {
        if !out.is_empty() {
            out.push(' ');
        }
        out.push_str(word);
    }
    out
}

/// At most `limit` characters of a text on one line: white space collapsed, control characters made visible, `…`
/// where it was cut. Text that is only white space is shown by escapes. Reads no further than it prints, so excerpts
/// of a large text cost little.
pub(crate) fn excerpt(text: &str, limit: usize) -> String {
    if text.bytes().all(|byte| byte.is_ascii_whitespace()) {
        let shown: String = text.chars().take(limit).flat_map(char::escape_default).collect();
        return if text.len() > limit { shown + "…" } else { shown };
    }
    let mut out = String::new();
    let mut length = 0;
    for word in text.split_ascii_whitespace() {
        let space = usize::from(length > 0);
        if space > 0 && length < limit {
            out.push(' ');
            length += 1;
        }
        for character in word.chars() {
            if length == limit {
                out.push('…');
                return out;
            }
            // A page must not steer the terminal.
            if is_unsafe(character) {
                out.extend(character.escape_unicode());
            } else {
                out.push(character);
            }
            length += 1;
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn excerpts_are_one_short_line() {
        assert_eq!(excerpt("  a \n\t b  ", 10), "a b");
        assert_eq!(excerpt("abcdef", 6), "abcdef");
        assert_eq!(excerpt("abcdefg", 6), "abcdef…");
        assert_eq!(excerpt("abc def", 4), "abc …");
        assert_eq!(excerpt("a\u{1b}[31mb", 20), "a\\u{1b}[31mb");
        assert_eq!(excerpt("a\u{202e}b", 20), "a\\u{202e}b");
        assert_eq!(excerpt(" \n ", 5), " \\n ");
        assert_eq!(excerpt("", 5), "");
    }

    #[test]
    fn collapsing_leaves_no_break_spaces() {
        assert_eq!(collapse(" a \n b\u{a0}c "), "a b\u{a0}c");
    }
}
