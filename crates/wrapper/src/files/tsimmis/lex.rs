//! Tokens of bracket files: brackets, commas, strings, and strings inside strings.
//!
//! A string ends on the line where it begins, so that a missing quote is reported where it is missing and does not
//! swallow the rest of the file. Reading continues as if the quote were there.

use std::ops::Range;

use windrow_xpath::Span;

use super::MAX_ERRORS;
use crate::error::WrapperError;
use crate::wrapper::Text;

/// A text of the file with its escapes resolved, and the place of each of its bytes.
#[derive(Debug, Clone)]
pub(super) struct Piece {
    pub(super) value: String,
    /// Offset in the file of each byte, and of the end.
    places: Vec<u32>,
}

impl Piece {
    /// Creates a piece from the text at `range` of the file, without resolving escapes.
    fn raw(file: &str, range: Range<usize>) -> Piece {
        Piece { value: file[range.clone()].to_owned(), places: (range.start..=range.end).map(|at| at as u32).collect() }
    }

    /// Returns the place of a part.
    pub(super) fn span(&self, part: Range<usize>) -> Span {
        let last = self.places.len() - 1;
        Span::new(self.places[part.start.min(last)] as usize, self.places[part.end.min(last)] as usize)
    }

    /// Returns the place of the whole piece.
    pub(super) fn all(&self) -> Span {
        self.span(0..self.value.len())
    }

    /// Converts a part to a text of the model.
    pub(super) fn text(&self, part: Range<usize>) -> Text {
        let span = self.span(part.clone());
        // An escape is longer than the character it stands for.
        let exact = span.end - span.start == part.len();
        Text::at(&self.value[part], span, exact)
    }

    /// Reads a quoted string that begins at `at` and returns it with the offset after its closing quote. `None` if it
    /// is not closed.
    pub(super) fn string(&self, at: usize) -> Option<(Piece, usize)> {
        // A line end in here was an escape in the file.
        let end = closing(&self.value, at, false)?;
        Some((unescape(&self.value, at + 1..end, |at| self.places[at]), end + 1))
    }
}

/// A token of the file.
#[derive(Debug, Clone)]
pub(super) enum Token {
    Open(char),
    Close(char),
    Comma,
    /// A string in quotes.
    Quoted(Piece),
    /// Anything else, such as `case('…', '…')` or a name without quotes.
    Bare(Piece),
}

/// A token and its place, including quotes.
#[derive(Debug, Clone)]
pub(super) struct Lexeme {
    pub(super) token: Token,
    pub(super) span: Span,
}

/// Splits a file into tokens; `comment` is called with each comment before the first token.
pub(super) fn lex(file: &str, errors: &mut Vec<WrapperError>, mut comment: impl FnMut(&str)) -> Vec<Lexeme> {
    let bytes = file.as_bytes();
    let mut lexemes = Vec::new();
    let mut at = if file.starts_with('\u{feff}') { '\u{feff}'.len_utf8() } else { 0 };
    while let Some(&byte) = bytes.get(at) {
        let start = at;
        let token = match byte {
            b' ' | b'\t' | b'\n' | b'\r' => {
                at += 1;
                continue;
            }
            b';' => {
                at = line_end(file, at);
                if lexemes.is_empty() {
                    comment(&file[start + 1..at]);
                }
                continue;
            }
            b'[' | b'{' | b'(' => {
                at += 1;
                Token::Open(byte as char)
            }
            b']' | b'}' | b')' => {
                at += 1;
                Token::Close(byte as char)
            }
            b',' => {
                at += 1;
                Token::Comma
            }
            b'"' | b'\'' => {
                let content = match closing(file, at, true) {
                    Some(end) => {
                        at = end + 1;
                        start + 1..end
                    }
                    None => {
                        let content = forgotten(file, at);
                        errors.push(unclosed(byte as char, &file[content.clone()], start));
                        at = content.end;
                        content
                    }
                };
                Token::Quoted(unescape(file, content, |at| at as u32))
            }
            _ => {
                at = bare_end(file, at, errors);
                Token::Bare(Piece::raw(file, start..at))
            }
        };
        lexemes.push(Lexeme { token, span: Span::new(start, at) });
        if errors.len() >= MAX_ERRORS {
            break;
        }
    }
    lexemes
}

/// Creates the error for an unclosed quote at `at`; `content` is the probable text of the string.
pub(super) fn unclosed(quote: char, content: &str, at: usize) -> WrapperError {
    let tail: String = {
        let count = content.chars().count();
        content.chars().skip(count.saturating_sub(12)).collect()
    };
    let hint = if tail.is_empty() {
        format!("a string ends on the line where it begins: put a second `{quote}`")
    } else {
        format!("a string ends on the line where it begins: put `{quote}` behind `{tail}`")
    };
    WrapperError::Unbalanced { open: quote, hint: Some(hint), span: Some(Span::new(at, at + 1)) }
}

/// Writes a string in the quotes that need fewer escapes, or in `preferred` quotes if both need as many.
pub(super) fn quote(value: &str, preferred: char) -> String {
    let other = if preferred == '"' { '\'' } else { '"' };
    let quote = if value.contains(preferred) && !value.contains(other) { other } else { preferred };
    let mut quoted = String::with_capacity(value.len() + 2);
    quoted.push(quote);
    let mut rest = value.chars().peekable();
    while let Some(char) = rest.next() {
        match char {
            '\n' => quoted.push_str("\\n"),
            '\r' => quoted.push_str("\\r"),
            '\t' => quoted.push_str("\\t"),
            // `\*` and `\#` are escapes of the pattern and stay.
            '\\' if matches!(rest.peek(), Some('*' | '#')) => quoted.push('\\'),
            '\\' => quoted.push_str("\\\\"),
            _ if char == quote => {
                quoted.push('\\');
                quoted.push(char);
            }
            _ => quoted.push(char),
        }
    }
    quoted.push(quote);
    quoted
}

/// Finds the closing quote of a string that begins at `at`, if required on the same line.
fn closing(text: &str, at: usize, same_line: bool) -> Option<usize> {
    let bytes = text.as_bytes();
    let quote = bytes[at];
    let mut at = at + 1;
    while let Some(&byte) = bytes.get(at) {
        match byte {
            b'\n' | b'\r' if same_line => return None,
            // Skips escaped characters, except for line ends.
            b'\\' if !matches!(bytes.get(at + 1), Some(b'\n' | b'\r')) => at += 1,
            _ if byte == quote => return Some(at),
            _ => {}
        }
        at += 1;
    }
    None
}

/// Guesses the content of a string without a closing quote: the rest of the line, without characters that follow a
/// string.
fn forgotten(file: &str, at: usize) -> Range<usize> {
    let line = &file[at + 1..line_end(file, at)];
    let content = line.trim_end_matches([' ', '\t', ',', ']', '}']);
    at + 1..at + 1 + content.len()
}

fn line_end(file: &str, at: usize) -> usize {
    memchr::memchr2(b'\n', b'\r', &file.as_bytes()[at..]).map_or(file.len(), |length| at + length)
}

/// Returns the end of something without quotes: of a word, or of the parentheses after it.
fn bare_end(file: &str, at: usize, errors: &mut Vec<WrapperError>) -> usize {
    let bytes = file.as_bytes();
    let word =
        |byte: &u8| !matches!(byte, b' ' | b'\t' | b'\n' | b'\r' | b',' | b'"' | b'\'' | b']' | b'}' | b'(' | b')');
    let mut end = at + bytes[at..].iter().take_while(|byte| word(byte)).count();
    if bytes.get(end) != Some(&b'(') || end == at {
        // Takes at least one whole character.
        return end.max(at + file[at..].chars().next().map_or(1, char::len_utf8));
    }
    let (open, mut depth) = (end, 0usize);
    while let Some(&byte) = bytes.get(end) {
        match byte {
            b'(' => depth += 1,
            b')' => depth -= 1,
            b'"' | b'\'' => match closing(file, end, true) {
                Some(close) => end = close,
                None => {
                    let content = forgotten(file, end);
                    errors.push(unclosed(byte as char, &file[content.clone()], end));
                    return content.end;
                }
            },
            _ => {}
        }
        end += 1;
        if depth == 0 {
            return end;
        }
    }
    let hint = Some("put `)` after the last argument".to_owned());
    errors.push(WrapperError::Unbalanced { open: '(', hint, span: Some(Span::new(open, open + 1)) });
    end
}

/// Resolves the escapes `\"`, `\'`, `\\`, `\n`, `\r`, `\t` in `text[content]`. Any other backslash stays.
fn unescape(text: &str, content: Range<usize>, place: impl Fn(usize) -> u32) -> Piece {
    let mut value = String::with_capacity(content.len());
    let mut places = Vec::with_capacity(content.len() + 1);
    let mut at = content.start;
    while let Some(char) = text[at..content.end].chars().next() {
        let next = text[at + char.len_utf8()..content.end].chars().next();
        let (char, length) = match (char, next) {
            ('\\', Some(quote @ ('"' | '\'' | '\\'))) => (quote, 2),
            ('\\', Some('n')) => ('\n', 2),
            ('\\', Some('r')) => ('\r', 2),
            ('\\', Some('t')) => ('\t', 2),
            _ => (char, char.len_utf8()),
        };
        value.push(char);
        places.extend((0..char.len_utf8()).map(|offset| place(at + offset)));
        at += length;
    }
    places.push(place(content.end));
    Piece { value, places }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(file: &str) -> Piece {
        let mut errors = Vec::new();
        let lexemes = lex(file, &mut errors, |_| {});
        assert!(errors.is_empty(), "{file}: {errors:?}");
        match lexemes.as_slice() {
            [Lexeme { token: Token::Quoted(piece), .. }] => piece.clone(),
            other => panic!("{file}: {other:?}"),
        }
    }

    #[test]
    fn a_quoted_string_reads_back() {
        let odd = [
            "",
            "\\",
            "\\\\",
            "\\*",
            "\\\\*",
            "\\\\\\#",
            "it's",
            "say \"a\"",
            "'\"",
            "\n\r\t\\n",
            "é\\é",
            "\\'",
            "*#\\",
        ];
        for value in odd {
            for preferred in ['"', '\''] {
                let once = quote(value, preferred);
                assert_eq!(read(&once).value, value, "{once}");
                // A string inside a string, as in `split(v, 'x')`.
                let twice = quote(&once, '"');
                let outer = read(&twice);
                let (inner, end) = outer.string(0).unwrap();
                assert_eq!((inner.value.as_str(), end), (value, outer.value.len()), "{twice}");
            }
        }
    }

    #[test]
    fn places_are_those_of_the_file() {
        let file = "\"a\\\"bé\\nc\"";
        let piece = read(file);
        assert_eq!(piece.value, "a\"bé\nc");
        assert_eq!(&file[piece.span(2..5).range()], "bé");
        assert_eq!(&file[piece.all().range()], "a\\\"bé\\nc");
        assert!(piece.text(2..5).exact);
        assert!(!piece.text(0..3).exact);
    }
}
