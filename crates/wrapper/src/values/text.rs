//! Visible text on one line.
//!
//! White space is what Unicode defines as white space, as in [`windrow_dom::Document::visible_text`]. Characters
//! without width and meaning for the reader (control characters, zero-width space, word joiner, byte order mark, soft
//! hyphen, direction marks) are removed. Joiners stay: Persian words and emoji need them.
//!
//! Cost: linear; nothing is copied when nothing changes.

use std::borrow::Cow;

/// Returns `true` if a character is invisible and means nothing to a reader.
pub(super) fn is_ignorable(character: char) -> bool {
    character.is_control() && !character.is_whitespace()
        || matches!(character, '\u{AD}' | '\u{61C}' | '\u{200B}' | '\u{200E}' | '\u{200F}' | '\u{202A}'..='\u{202E}'
        | '\u{2060}' | '\u{2066}'..='\u{2069}' | '\u{FEFF}')
}

/// Collapses white space to single spaces, trims it, and removes invisible characters.
pub fn collapse(text: &str) -> Cow<'_, str> {
    // Most texts are short, plain and clean already.
    if is_clean(text.as_bytes()) {
        return Cow::Borrowed(text);
    }
    let trimmed = text.trim_matches(|character: char| character.is_whitespace() || is_ignorable(character));
    match first_change(trimmed) {
        None => Cow::Borrowed(trimmed),
        Some(from) => {
            let mut out = String::with_capacity(trimmed.len());
            out.push_str(&trimmed[..from]);
            let mut space = false;
            for character in trimmed[from..].chars() {
                if character.is_whitespace() {
                    space = true;
                } else if !is_ignorable(character) {
                    if space && !out.ends_with(' ') {
                        out.push(' ');
                    }
                    space = false;
                    out.push(character);
                }
            }
            Cow::Owned(out)
        }
    }
}

/// Returns `true` if a text is ASCII with single spaces between its words.
fn is_clean(text: &[u8]) -> bool {
    let mut after_space = true;
    for &byte in text {
        let space = byte == b' ';
        if space && after_space || !(b' '..0x7F).contains(&byte) {
            return false;
        }
        after_space = space;
    }
    !after_space || text.is_empty()
}

/// Returns the position of the first character that collapsing changes.
fn first_change(text: &str) -> Option<usize> {
    let mut after_space = false;
    for (at, character) in text.char_indices() {
        if is_ignorable(character) || character.is_whitespace() && (after_space || character != ' ') {
            return Some(at);
        }
        after_space = character == ' ';
    }
    None
}

#[cfg(test)]
mod tests {
    use super::collapse;
    use std::borrow::Cow;

    #[test]
    fn white_space_collapses() {
        for (text, expected) in [
            ("", ""),
            (" \n\t", ""),
            ("a", "a"),
            (" a \n b\u{A0}\u{2009} c ", "a b c"),
            ("a\u{200B}b", "ab"),
            ("a\u{3} b\u{7F}", "a b"),
            ("\u{FEFF} a", "a"),
            ("a \u{200B} b", "a b"),
            ("a\u{3000}b", "a b"),
            ("Donau\u{AD}dampf", "Donaudampf"),
            ("می\u{200C}روم", "می\u{200C}روم"),
            ("a\nb", "a b"),
            ("\u{200E}12\u{200F}", "12"),
        ] {
            assert_eq!(collapse(text), expected, "{text:?}");
        }
    }

    #[test]
    fn what_is_clean_is_borrowed() {
        assert!(matches!(collapse("  two words "), Cow::Borrowed("two words")));
        assert!(matches!(collapse("two  words"), Cow::Owned(_)));
    }
}
