//! The terminal: its size, and text that cannot steer it.
//!
//! Pages, file names and addresses may hold escape sequences that move the cursor, rename the window or write to the
//! clipboard, and bidirectional overrides that make a text read as another one. [`visible`] writes such characters as
//! escapes. Everything on standard error goes through it (`run::tell`, `diagnostics::draw`), and so does every table and,
//! on a terminal, everything on standard output. Data that goes to a file or another program is left as it is.

use std::borrow::Cow;
use std::io;

/// Columns of an output that is no terminal and of which `COLUMNS` says nothing: the width that most documents and logs
/// are read at.
const COLUMNS: usize = 100;

/// Whether a terminal would act on a character instead of showing it, or show the text around it in another order.
pub(crate) fn is_unsafe(letter: char) -> bool {
    match letter {
        '\n' | '\t' => false,
        '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' => true,
        letter => letter.is_control(),
    }
}

/// The text with control characters and bidirectional overrides as escapes such as `\u{1b}`. Line ends and tabs stay.
pub(crate) fn visible(text: &str) -> Cow<'_, str> {
    if !text.contains(is_unsafe) {
        return Cow::Borrowed(text);
    }
    let mut safe = String::with_capacity(text.len() + 16);
    for letter in text.chars() {
        match is_unsafe(letter) {
            true => safe.extend(letter.escape_unicode()),
            false => safe.push(letter),
        }
    }
    Cow::Owned(safe)
}

/// The same for output that should be UTF-8. Bytes that are none are replaced.
pub(crate) fn visible_bytes(bytes: &[u8]) -> Cow<'_, [u8]> {
    match String::from_utf8_lossy(bytes) {
        Cow::Borrowed(text) => match visible(text) {
            Cow::Borrowed(_) => Cow::Borrowed(bytes),
            Cow::Owned(text) => Cow::Owned(text.into_bytes()),
        },
        Cow::Owned(text) => Cow::Owned(visible(&text).into_owned().into_bytes()),
    }
}

/// Columns and lines of the terminal that standard output is; `None` if it is no terminal.
fn size() -> Option<(usize, usize)> {
    let (width, height) = terminal_size::terminal_size_of(io::stdout())?;
    (width.0 > 0).then_some((usize::from(width.0), usize::from(height.0)))
}

/// Columns that a table may take: those of the terminal, else what `COLUMNS` says, else [`COLUMNS`].
pub(crate) fn columns() -> usize {
    let variable = || std::env::var("COLUMNS").ok()?.trim().parse().ok().filter(|columns| *columns > 0);
    size().map(|(width, _)| width).or_else(variable).unwrap_or(COLUMNS)
}

/// Lines of the terminal that standard output is, if it is one.
pub(crate) fn lines() -> Option<usize> {
    size().map(|(_, height)| height).filter(|height| *height > 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_steers_a_terminal_is_shown() {
        assert_eq!(visible("Oak\u{1b}]0;owned\u{7} & ash"), "Oak\\u{1b}]0;owned\\u{7} & ash");
        assert_eq!(visible("a\rb\u{9b}31mc\u{7f}"), "a\\u{d}b\\u{9b}31mc\\u{7f}");
        assert_eq!(visible("abc\u{202e}fdp.exe\u{2066}"), "abc\\u{202e}fdp.exe\\u{2066}");
        assert!(matches!(visible("two\nlines\tand über 草 🙂"), Cow::Borrowed(_)));
        assert_eq!(visible_bytes(b"a\x1b[2J\xff"), "a\\u{1b}[2J\u{fffd}".as_bytes());
        assert!(matches!(visible_bytes("ü\n".as_bytes()), Cow::Borrowed(_)));
    }
}
