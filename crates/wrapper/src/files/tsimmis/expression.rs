//! Expressions in sources and `case`: names, members of names, strings and calls.
//!
//! Calls nest at most twice, so the parser may recurse.

use windrow_xpath::Span;

use super::FORMAT;
use super::lex::{Piece, unclosed};
use super::parts::is_name;
use crate::error::WrapperError;
use crate::wrapper::{Slice, Text};

/// Largest nesting depth: `split(get(), 'x')` is the deepest valid one; one more level is read to report that it is
/// too deep.
const MAX_NESTING: usize = 3;

/// A parsed expression.
#[derive(Debug)]
pub(super) enum Expression {
    /// A variable, possibly restricted to some of its members.
    Name(Text, Option<(Slice, Text)>),
    String(Text),
    /// A call: the function, its arguments, and the place of the whole.
    Call(Text, Vec<Expression>, Span),
}

impl Expression {
    /// Returns the place of the expression.
    pub(super) fn span(&self) -> Span {
        match self {
            Expression::Name(text, _) | Expression::String(text) => text.span.unwrap_or(Span::new(0, 0)),
            Expression::Call(_, _, span) => *span,
        }
    }
}

/// Parses a piece as one expression.
pub(super) fn expression(piece: &Piece, errors: &mut Vec<WrapperError>) -> Option<Expression> {
    let mut reader = Reader { piece, at: 0, errors };
    let expression = reader.expression(0)?;
    reader.blank();
    if reader.at < piece.value.len() {
        let rest = reader.at..piece.value.len();
        let found = piece.value[rest.clone()].to_owned();
        reader.errors.push(match found.as_str() {
            ")" => {
                WrapperError::Unopened { close: ')', hint: Some("remove it".to_owned()), span: Some(piece.span(rest)) }
            }
            _ => WrapperError::Syntax {
                format: FORMAT,
                message: format!("unexpected `{found}` after a complete expression"),
                hint: Some("a source is one variable or one function".to_owned()),
                span: Some(piece.span(rest)),
            },
        });
        return None;
    }
    Some(expression)
}

struct Reader<'a> {
    piece: &'a Piece,
    at: usize,
    errors: &'a mut Vec<WrapperError>,
}

impl Reader<'_> {
    fn rest(&self) -> &str {
        &self.piece.value[self.at..]
    }

    fn blank(&mut self) {
        self.at += self.rest().len() - self.rest().trim_start().len();
    }

    fn eat(&mut self, sign: char) -> bool {
        self.blank();
        let found = self.rest().starts_with(sign);
        self.at += if found { sign.len_utf8() } else { 0 };
        found
    }

    fn expression(&mut self, depth: usize) -> Option<Expression> {
        self.blank();
        let start = self.at;
        if self.rest().starts_with(['"', '\'']) {
            let Some((inner, end)) = self.piece.string(start) else {
                let quote = if self.rest().starts_with('"') { '"' } else { '\'' };
                let content = self.rest()[1..].trim_end_matches([')', ' ']).to_owned();
                let place = self.piece.span(start..start + 1).start;
                self.errors.push(unclosed(quote, &content, place));
                return None;
            };
            self.at = end;
            return Some(Expression::String(inner.text(0..inner.value.len())));
        }
        let stop = |char: char| char.is_whitespace() || ",\"'()[]{}".contains(char);
        let length = self.rest().find(stop).unwrap_or(self.rest().len());
        let name = self.piece.text(start..start + length);
        if !is_name(&name) {
            let found = if length == 0 { self.rest().chars().next().map(String::from) } else { Some(name.value) };
            let span = self.piece.span(start..start + length.max(1));
            self.errors.push(match found {
                Some(name) => WrapperError::BadName { name, span: Some(span) },
                None => WrapperError::Syntax {
                    format: FORMAT,
                    message: "a variable is missing".to_owned(),
                    hint: Some("a source is a variable, or `get('address')` for the page".to_owned()),
                    span: Some(self.piece.all()),
                },
            });
            return None;
        }
        self.at += length;
        self.blank();
        match self.rest().chars().next() {
            Some('(') if depth < MAX_NESTING => self.call(name, start, depth),
            Some('[') => {
                let slice = self.slice()?;
                Some(Expression::Name(name, Some(slice)))
            }
            _ => Some(Expression::Name(name, None)),
        }
    }

    /// Parses the arguments of a function, starting at the parenthesis.
    fn call(&mut self, name: Text, start: usize, depth: usize) -> Option<Expression> {
        let open = self.at;
        self.at += 1;
        let mut arguments = Vec::new();
        if !self.eat(')') {
            loop {
                arguments.push(self.expression(depth + 1)?);
                if self.eat(')') {
                    break;
                }
                if !self.eat(',') {
                    let span = Some(self.piece.span(open..open + 1));
                    let hint = Some(format!("put `)` after the last argument of `{name}`"));
                    self.errors.push(WrapperError::Unbalanced { open: '(', hint, span });
                    return None;
                }
            }
        }
        Some(Expression::Call(name, arguments, self.piece.span(start..self.at)))
    }

    /// Parses `[1:0]` or `[2]`, starting at the bracket.
    fn slice(&mut self) -> Option<(Slice, Text)> {
        let start = self.at;
        let Some(length) = self.rest().find(']') else {
            let span = Some(self.piece.span(start..start + 1));
            let hint = Some("put `]` after the numbers".to_owned());
            self.errors.push(WrapperError::Unbalanced { open: '[', hint, span });
            return None;
        };
        self.at += length + 1;
        let text = self.piece.text(start..self.at);
        let inside = text.value[1..length].to_owned();
        let slice = match inside.split_once(':') {
            Some((skip, drop)) => number(skip).and_then(|skip| Ok(Slice::Range { skip, drop: number(drop)? })),
            None => number(&inside).map(Slice::Index),
        };
        match slice {
            Ok(slice) => Some((slice, text)),
            Err(message) => {
                self.errors.push(WrapperError::BadSlice { slice: text.value, message, span: text.span });
                None
            }
        }
    }
}

fn number(digits: &str) -> Result<u32, String> {
    let digits = digits.trim();
    if digits.is_empty() {
        return Err("a number is missing".to_owned());
    }
    if digits.starts_with('-') && digits[1..].bytes().all(|byte| byte.is_ascii_digit()) {
        return Err(format!("`{digits}` is negative"));
    }
    if !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return Err(format!("`{digits}` is not a number"));
    }
    digits.parse().map_err(|_| format!("`{digits}` is too large"))
}
