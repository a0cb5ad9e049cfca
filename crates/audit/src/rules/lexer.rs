//! Lexer of rule files.
//!
//! The signs of logic (`¬ ∧ ∨ ∃ ∄ → ⇒ ≠ ≤ ≥`) are synonyms of the words. One pass over the text.

use super::error::{Found, RuleError};
use crate::span::Span;

/// A token of a rule file.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Token {
    /// A name; the parser recognizes keywords by their position.
    Name(String),
    Text(String),
    Number(f64),
    Date(String),
    /// `( ) [ ] , : . * + -`
    Sign(char),
    /// `= != < <= > >=`
    Comparison(super::Operator),
    Arrow,
    End,
}

/// A token with its position.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Placed {
    pub(super) token: Token,
    pub(super) span: Span,
    /// True if it is the first token of its line, where parsing resumes after an error.
    pub(super) first: bool,
}

/// Splits the text into tokens. Invalid parts are reported and skipped.
pub(super) fn tokens(text: &str, found: &mut Found) -> Vec<Placed> {
    let mut lexer = Lexer { text, at: 0, first: true, tokens: Vec::new() };
    while lexer.at < text.len() {
        lexer.step(found);
    }
    lexer.put(Token::End, text.len(), text.len());
    lexer.tokens
}

struct Lexer<'a> {
    text: &'a str,
    at: usize,
    first: bool,
    tokens: Vec<Placed>,
}

impl Lexer<'_> {
    fn rest(&self) -> &str {
        &self.text[self.at..]
    }

    fn put(&mut self, token: Token, start: usize, end: usize) {
        self.tokens.push(Placed { token, span: Span::new(start, end), first: self.first });
        self.first = false;
        self.at = end;
    }

    fn step(&mut self, found: &mut Found) {
        use super::Operator::{Equal, Greater, GreaterOrEqual, Less, LessOrEqual, NotEqual};
        let start = self.at;
        let Some(next) = self.rest().chars().next() else { return };
        let fixed: [(&str, Token); 18] = [
            ("->", Token::Arrow),
            ("→", Token::Arrow),
            ("⇒", Token::Arrow),
            ("!=", Token::Comparison(NotEqual)),
            ("≠", Token::Comparison(NotEqual)),
            ("<=", Token::Comparison(LessOrEqual)),
            ("≤", Token::Comparison(LessOrEqual)),
            (">=", Token::Comparison(GreaterOrEqual)),
            ("≥", Token::Comparison(GreaterOrEqual)),
            ("<", Token::Comparison(Less)),
            (">", Token::Comparison(Greater)),
            ("==", Token::Comparison(Equal)),
            ("=", Token::Comparison(Equal)),
            ("¬", Token::Name("not".to_owned())),
            ("∧", Token::Name("and".to_owned())),
            ("∨", Token::Name("or".to_owned())),
            ("∃", Token::Name("exists".to_owned())),
            ("∄", Token::Name("none".to_owned())),
        ];
        match next {
            '\n' => {
                self.first = true;
                self.at += 1;
            }
            _ if next.is_whitespace() => self.at += next.len_utf8(),
            // A byte order mark, which some editors write.
            '\u{feff}' if start == 0 => self.at += next.len_utf8(),
            '#' => self.at += self.rest().find('\n').unwrap_or(self.rest().len()),
            '"' => self.quoted(found),
            '0'..='9' => self.number(found),
            _ if next.is_alphabetic() || next == '_' => {
                let word = |character: char| !(character.is_alphanumeric() || character == '_');
                let length = self.rest().find(word).unwrap_or(self.rest().len());
                let name = self.rest()[..length].to_owned();
                self.put(Token::Name(name), start, start + length);
            }
            _ => {
                if let Some((sign, token)) = fixed.into_iter().find(|(sign, _)| self.rest().starts_with(sign)) {
                    self.put(token, start, start + sign.len());
                } else if "()[],:.*+-".contains(next) {
                    self.put(Token::Sign(next), start, start + 1);
                } else {
                    let span = Span::new(start, start + next.len_utf8());
                    found.push(RuleError::UnexpectedCharacter { found: next, span });
                    self.at += next.len_utf8();
                }
            }
        }
    }

    fn quoted(&mut self, found: &mut Found) {
        let start = self.at;
        let mut text = String::new();
        let mut characters = self.text[start + 1..].char_indices();
        while let Some((offset, character)) = characters.next() {
            match character {
                '"' => return self.put(Token::Text(text), start, start + 2 + offset),
                '\n' => break,
                '\\' => match characters.next() {
                    Some((_, escaped @ ('"' | '\\'))) => text.push(escaped),
                    Some((_, 'n')) => text.push('\n'),
                    Some((_, 't')) => text.push('\t'),
                    Some((_, other)) => {
                        let at = start + 1 + offset;
                        let span = Span::new(at, at + 1 + other.len_utf8());
                        let what = "an escape: there are `\\\"`, `\\\\`, `\\n` and `\\t`";
                        found.push(RuleError::BadLiteral { text: format!("\\{other}"), what, span });
                    }
                    None => break,
                },
                other => text.push(other),
            }
        }
        let end = start + self.text[start..].find('\n').unwrap_or(self.text.len() - start);
        found.push(RuleError::OpenText { span: Span::new(start, end) });
        self.put(Token::Text(text), start, end);
    }

    /// Reads a number, or a day: four digits, two and two.
    fn number(&mut self, found: &mut Found) {
        let start = self.at;
        let digits = |text: &str| text.bytes().take_while(u8::is_ascii_digit).count();
        let rest = self.rest();
        let bytes = rest.as_bytes();
        let is_day = digits(rest) == 4
            && bytes.get(4) == Some(&b'-')
            && rest.get(5..).map(digits) == Some(2)
            && bytes.get(7) == Some(&b'-')
            && rest.get(8..).map(digits) == Some(2);
        if is_day {
            let day = rest[..10].to_owned();
            if crate::evaluate::days(&day).is_none() {
                let span = Span::new(start, start + 10);
                found.push(RuleError::BadLiteral { text: day.clone(), what: "a day of the calendar", span });
            }
            return self.put(Token::Date(day), start, start + 10);
        }
        let mut length = digits(rest);
        if rest[length..].starts_with('.') && digits(&rest[length + 1..]) > 0 {
            length += 1 + digits(&rest[length + 1..]);
        }
        let text = &rest[..length];
        let value = text.parse::<f64>().ok().filter(|value| value.is_finite());
        if value.is_none() {
            let span = Span::new(start, start + length);
            found.push(RuleError::BadLiteral { text: text.to_owned(), what: "a number", span });
        }
        self.put(Token::Number(value.unwrap_or(0.0)), start, start + length);
    }
}
