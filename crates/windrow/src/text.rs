//! Short forms of text: white space collapsed, cut to a length, counted.

use std::borrow::Cow;

/// Returns `true` if a terminal would act on a character instead of showing it, or show the text around it in another order.
pub fn is_unsafe(letter: char) -> bool {
    match letter {
        '\n' | '\t' => false,
        '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' => true,
        letter => letter.is_control(),
    }
}

/// Returns a text with control characters and bidirectional overrides as escapes such as `\u{1b}`. Line ends and tabs stay.
///
/// Pages, file names and addresses may contain escape sequences that move a terminal's cursor, rename its window or write
/// to the clipboard, and overrides that make a text read as another one.
pub fn visible(text: &str) -> Cow<'_, str> {
    if !text.contains(is_unsafe) {
        return Cow::Borrowed(text);
    }
    let mut safe = String::with_capacity(text.len() + 16);
    for letter in text.chars() {
        if is_unsafe(letter) {
            safe.extend(letter.escape_unicode());
        } else {
            safe.push(letter);
        }
    }
    Cow::Owned(safe)
}

/// Returns a count with its noun: `1 page`, `2 pages`.
pub fn plural(count: usize, noun: &str) -> String {
    format!("{count} {noun}{}", if count == 1 { "" } else { "s" })
}

/// Returns a text with its white space collapsed to single spaces, none at the ends.
pub fn collapse(text: &str) -> String {
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
pub fn excerpt(text: &str, limit: usize) -> String {
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

/// Returns a number with commas between its thousands: `1,240`.
pub fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut out = String::with_capacity(digits.len() + digits.len() / 3);
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
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
    fn thousands_are_grouped() {
        assert_eq!([0, 999, 1000, 1_234_567].map(grouped), ["0", "999", "1,000", "1,234,567"]);
    }

    #[test]
    fn collapsing_leaves_no_break_spaces() {
        assert_eq!(collapse(" a \n b\u{a0}c "), "a b\u{a0}c");
    }
}
