//! The terminal: its size, and text that cannot steer it.
//!
//! Pages, file names and addresses may hold escape sequences that move the cursor, rename the window or write to the
//! clipboard, and bidirectional overrides that make a text read as another one. [`visible`] writes such characters as
//! escapes. Everything on standard error goes through it (`run::tell`, `diagnostics::draw`), and so does every table and,
//! on a terminal, everything on standard output. Data that goes to a file or another program is left as it is.

use std::borrow::Cow;
use std::io;

use windrow::format::printer::Room;
pub(crate) use windrow::text::{is_unsafe, visible};

use crate::args::RowLimit;

/// Columns of an output that is no terminal and of which `COLUMNS` says nothing: the width that most documents and logs
/// are read at.
const COLUMNS: usize = 100;

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

/// Rows of a table that is no terminal's: a screen of the usual size.
const SCREEN: usize = 20;
/// Lines of a terminal that are not for rows: the frame, the line below, the prompt and the command.
const AROUND: usize = 8;
/// Rows that a table gets on a terminal of few lines.
const FEW: usize = 3;

/// Returns the room for tables on standard output. `all` says how to print what there is no room for.
pub(crate) fn room(limit: Option<RowLimit>, all: &'static str) -> Room {
    let screen = || lines().map_or(SCREEN, |lines| lines.saturating_sub(AROUND).max(FEW));
    let rows = match limit {
        None => Some(screen()),
        Some(RowLimit::Count(rows)) => Some(rows),
        Some(RowLimit::All) => None,
    };
    Room::new(columns(), rows, all)
}

/// Returns the room for tables in a file: all rows, unless fewer are asked for.
pub(crate) fn room_in_file(limit: Option<RowLimit>, all: &'static str) -> Room {
    room(limit.or(Some(RowLimit::All)), all)
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
