//! Formats a TOML file: makes spacing, quotes and blank lines regular. Comments, groups of lines, line breaks inside
//! arrays and the order of everything stay as the author wrote them.
//!
//! Works on tokens rather than on the tree, so nothing can be lost: every token that is not white space is written
//! again, in order. Linear.

use toml_parser::Source;
use toml_parser::lexer::{Token, TokenKind};

use super::toml;

const INDENT: &str = "    ";

/// Formats a file that is known to be TOML.
pub(crate) fn toml(source: &str) -> String {
    let mut layout = Layout::default();
    let source = source.strip_prefix('\u{feff}').unwrap_or(source);
    let mut tokens = Source::new(source).lex().peekable();
    while let Some(token) = tokens.next() {
        let text = source.get(token.span().start()..token.span().end()).unwrap_or_default();
        layout.token(token, text, tokens.peek().map(|next| next.kind()));
    }
    layout.finish()
}

/// The kind of a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Line {
    Blank,
    Comment,
    Header,
    Pair,
}

#[derive(Default)]
struct Layout {
    lines: Vec<(Line, String)>,
    /// The line being written; it may contain line breaks.
    line: String,
    kind: Option<Line>,
    /// Open brackets, outermost first, each with the indentation of its line.
    open: Vec<(TokenKind, usize)>,
    /// Indentation of the current line.
    indent: usize,
    /// `true` where a key is expected rather than a value.
    in_key: bool,
    /// `true` if a space is due before the next token, unless that token takes none.
    space: bool,
    /// `true` if the author began a new line inside brackets.
    fresh: bool,
}

impl Layout {
    fn token(&mut self, token: Token, text: &str, next: Option<TokenKind>) {
        if self.kind.is_none() {
            self.in_key = true;
        }
        match token.kind() {
            TokenKind::Eof => {}
            // Between the two parts of `2026-11-15 09:00:00Z`, white space is part of the value.
            TokenKind::Whitespace => {
                let in_value = !self.in_key && self.line.ends_with(|last: char| last.is_ascii_digit());
                self.space |= in_value && next == Some(TokenKind::Atom);
            }
            TokenKind::Newline if self.open.is_empty() => self.end_line(),
            TokenKind::Newline => self.fresh = true,
            TokenKind::Comment => {
                let kind = self.kind.get_or_insert(Line::Comment);
                let alone = *kind == Line::Comment;
                if !alone && !self.fresh {
                    self.line.push(' ');
                } else if self.fresh {
                    self.break_line(false);
                }
                self.line.push_str(text.trim_end());
                // A comment ends its line, wherever it stands.
                self.fresh = !alone;
                self.space = false;
            }
            kind => self.significant(kind, text),
        }
    }

    fn significant(&mut self, kind: TokenKind, text: &str) {
        let is_header = kind == TokenKind::LeftSquareBracket && self.kind.is_none();
        self.kind.get_or_insert(if is_header { Line::Header } else { Line::Pair });
        let closes = matches!(kind, TokenKind::RightSquareBracket | TokenKind::RightCurlyBracket);
        let in_header = self.kind == Some(Line::Header);
        if self.fresh && !in_header {
            self.break_line(closes);
        } else if closes && self.line.ends_with(',') {
            // A trailing comma is kept only before a line break; older parsers reject it in inline tables.
            self.line.pop();
        } else if self.space && !matches!(kind, TokenKind::Comma | TokenKind::RightSquareBracket) {
            self.line.push(' ');
        }
        (self.fresh, self.space) = (false, false);
        match kind {
            TokenKind::Equals => {
                self.line.push_str(" =");
                self.space = true;
                self.in_key = false;
            }
            TokenKind::Comma => {
                self.line.push(',');
                self.space = true;
                self.in_key = matches!(self.open.last(), Some((TokenKind::LeftCurlyBracket, _)));
            }
            TokenKind::LeftCurlyBracket => {
                self.line.push('{');
                self.open.push((kind, self.indent));
                self.in_key = true;
                self.space = true;
            }
            TokenKind::LeftSquareBracket => {
                self.line.push('[');
                self.open.push((kind, self.indent));
                self.in_key = in_header;
            }
            TokenKind::RightSquareBracket => {
                self.line.push(']');
                self.open.pop();
            }
            TokenKind::RightCurlyBracket => {
                // Writes the space due after `{` or a value, but none in `{}`.
                if self.line.ends_with("{ ") {
                    self.line.pop();
                } else if !self.line.ends_with(['{', ' ', '\n']) {
                    self.line.push(' ');
                }
                self.line.push('}');
                self.open.pop();
                self.in_key = false;
            }
            TokenKind::BasicString | TokenKind::LiteralString if self.in_key => match decoded(text) {
                Some(name) => self.line.push_str(&toml::key(&name)),
                None => self.line.push_str(text),
            },
            TokenKind::BasicString | TokenKind::LiteralString => match decoded(text) {
                Some(value) => self.line.push_str(&toml::quoted(&value)),
                None => self.line.push_str(text),
            },
            _ => self.line.push_str(text),
        }
    }

    /// Begins a new line within brackets, indented one step more than the line with the innermost bracket.
    fn break_line(&mut self, closes: bool) {
        self.indent = self.open.last().map_or(0, |&(_, indent)| indent + usize::from(!closes));
        self.line.truncate(self.line.trim_end_matches(' ').len());
        self.line.push('\n');
        self.line.push_str(&INDENT.repeat(self.indent));
        (self.fresh, self.space) = (false, false);
    }

    fn end_line(&mut self) {
        let text = std::mem::take(&mut self.line);
        self.lines.push((self.kind.take().unwrap_or(Line::Blank), text.trim_end().to_owned()));
        self.indent = 0;
        (self.fresh, self.space) = (false, false);
    }

    fn finish(mut self) -> String {
        self.end_line();
        // Marks lines that are a header or a comment directly above one.
        let mut leads_to_header = vec![false; self.lines.len()];
        let mut below = false;
        for (leads, (kind, _)) in leads_to_header.iter_mut().zip(&self.lines).rev() {
            below = *kind == Line::Header || below && *kind == Line::Comment;
            *leads = below;
        }
        let mut out = String::new();
        // Kind of the last line printed; blank lines are printed once it is known which line they precede.
        let mut last = None;
        let mut blank = false;
        for (index, (kind, text)) in self.lines.iter().enumerate() {
            if *kind == Line::Blank {
                blank = true;
                continue;
            }
            // One blank line before a header and the comments directly above it, none after it, and one wherever the
            // author left any.
            let begins_table =
                leads_to_header[index] && (*kind == Line::Header || last != Some(Line::Comment) || blank);
            let wanted = match last {
                None => false,
                Some(Line::Header) => begins_table,
                Some(Line::Comment) if *kind == Line::Header => blank,
                Some(_) => blank || begins_table,
            };
            if wanted {
                out.push('\n');
            }
            out.push_str(text);
            out.push('\n');
            (last, blank) = (Some(*kind), false);
        }
        out
    }
}

/// Parses a string of one line.
fn decoded(written: &str) -> Option<String> {
    let value: toml_edit::Value = written.parse().ok()?;
    value.as_str().map(str::to_owned)
}
