//! Splits an expression into tokens, with XPath's two disambiguation rules: after an operand, `*` multiplies and
//! `and`, `or`, `div`, `mod` are operators; elsewhere they are names. One linear pass; nothing is copied.

use crate::error::{ParseError, Span};

/// A token.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Token<'a> {
    LeftParen,
    RightParen,
    LeftBracket,
    RightBracket,
    Dot,
    DotDot,
    At,
    Comma,
    ColonColon,
    Slash,
    DoubleSlash,
    Pipe,
    Plus,
    Minus,
    Equal,
    NotEqual,
    Less,
    LessEqual,
    Greater,
    GreaterEqual,
    Multiply,
    And,
    Or,
    Div,
    Mod,
    /// `*` as a name test.
    Star,
    /// A name without a colon.
    Name(&'a str),
    /// `prefix:local`
    Qualified(&'a str, &'a str),
    /// `prefix:*`
    PrefixStar(&'a str),
    Literal(&'a str),
    Number(f64),
    /// `$name`, possibly with a prefix.
    Variable(&'a str),
    End,
}

impl Token<'_> {
    /// Returns `true` if an operand must follow, so that the next token cannot be an operator.
    fn opens_operand(self) -> bool {
        use Token::*;
        matches!(
            self,
            At | ColonColon
                | LeftParen
                | LeftBracket
                | Comma
                | And
                | Or
                | Div
                | Mod
                | Multiply
                | Slash
                | DoubleSlash
                | Pipe
                | Plus
                | Minus
                | Equal
                | NotEqual
                | Less
                | LessEqual
                | Greater
                | GreaterEqual
        )
    }
}

/// A token and its place.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Lexeme<'a> {
    pub(crate) token: Token<'a>,
    pub(crate) span: Span,
}

/// Returns all tokens of an expression; the last is [`Token::End`].
pub(crate) fn tokens(source: &str) -> Result<Vec<Lexeme<'_>>, ParseError> {
    let mut lexer = Lexer { source, at: 0, out: Vec::with_capacity(source.len() / 3 + 2) };
    while lexer.step()? {}
    Ok(lexer.out)
}

struct Lexer<'a> {
    source: &'a str,
    at: usize,
    out: Vec<Lexeme<'a>>,
}

impl<'a> Lexer<'a> {
    fn rest(&self) -> &'a str {
        &self.source[self.at..]
    }

    fn peek(&self, ahead: usize) -> u8 {
        self.source.as_bytes().get(self.at + ahead).copied().unwrap_or(0)
    }

    fn push(&mut self, token: Token<'a>, length: usize) {
        self.out.push(Lexeme { token, span: Span::new(self.at, self.at + length) });
        self.at += length;
    }

    /// Returns `true` if an operator is allowed here.
    fn after_operand(&self) -> bool {
        self.out.last().is_some_and(|last| !last.token.opens_operand())
    }

    /// Reads one token; returns `false` at the end.
    fn step(&mut self) -> Result<bool, ParseError> {
        self.at += self.rest().len() - self.rest().trim_start_matches([' ', '\t', '\r', '\n']).len();
        let Some(first) = self.rest().chars().next() else {
            self.push(Token::End, 0);
            return Ok(false);
        };
        let next = self.peek(1);
        match first {
            '(' => self.push(Token::LeftParen, 1),
            ')' => self.push(Token::RightParen, 1),
            '[' => self.push(Token::LeftBracket, 1),
            ']' => self.push(Token::RightBracket, 1),
            '@' => self.push(Token::At, 1),
            ',' => self.push(Token::Comma, 1),
            '|' => self.push(Token::Pipe, 1),
            '+' => self.push(Token::Plus, 1),
            '-' => self.push(Token::Minus, 1),
            '=' => self.push(Token::Equal, 1),
            '!' if next == b'=' => self.push(Token::NotEqual, 2),
            '<' if next == b'=' => self.push(Token::LessEqual, 2),
            '<' => self.push(Token::Less, 1),
            '>' if next == b'=' => self.push(Token::GreaterEqual, 2),
            '>' => self.push(Token::Greater, 1),
            '/' if next == b'/' => self.push(Token::DoubleSlash, 2),
            '/' => self.push(Token::Slash, 1),
            ':' if next == b':' => self.push(Token::ColonColon, 2),
            '*' if self.after_operand() => self.push(Token::Multiply, 1),
            '*' => self.push(Token::Star, 1),
            '.' if next == b'.' => self.push(Token::DotDot, 2),
            '.' if !next.is_ascii_digit() => self.push(Token::Dot, 1),
            '.' | '0'..='9' => self.number(),
            '"' | '\'' => self.literal(first)?,
            '$' => self.variable()?,
            _ if is_name_start(first) => self.name(),
            _ => return Err(self.unexpected(first)),
        }
        Ok(true)
    }

    fn number(&mut self) {
        let digits = |text: &str| text.bytes().take_while(u8::is_ascii_digit).count();
        let rest = self.rest();
        let mut length = digits(rest);
        if rest.as_bytes().get(length) == Some(&b'.') {
            length += 1;
            length += digits(&rest[length..]);
        }
        self.push(Token::Number(crate::number::parse(&rest[..length])), length);
    }

    fn literal(&mut self, quote: char) -> Result<(), ParseError> {
        let inside = &self.rest()[1..];
        let Some(length) = inside.find(quote) else {
            return Err(ParseError::UnclosedString {
                hint: Some("XPath has no escapes: put a string that contains one kind of quote into the other kind"),
                span: Span::new(self.at, self.source.len()),
            });
        };
        self.push(Token::Literal(&inside[..length]), length + 2);
        Ok(())
    }

    fn variable(&mut self) -> Result<(), ParseError> {
        let inside = &self.rest()[1..];
        let mut length = name_length(inside);
        if length == 0 {
            return Err(ParseError::UnexpectedCharacter {
                found: '$',
                hint: Some("a variable is `$` and a name"),
                span: Span::new(self.at, self.at + 1),
            });
        }
        if let Some(local) = inside[length..].strip_prefix(':') {
            match name_length(local) {
                0 => {}
                more => length += 1 + more,
            }
        }
        self.push(Token::Variable(&inside[..length]), length + 1);
        Ok(())
    }

    fn name(&mut self) {
        let rest = self.rest();
        let length = name_length(rest);
        let name = &rest[..length];
        if self.after_operand() {
            let operator = match name {
                "and" => Some(Token::And),
                "or" => Some(Token::Or),
                "div" => Some(Token::Div),
                "mod" => Some(Token::Mod),
                _ => None,
            };
            if let Some(operator) = operator {
                return self.push(operator, length);
            }
        }
        // `a::b` is an axis, `a:b` a qualified name, `a:*` all names of a prefix.
        if let Some(after) = rest[length..].strip_prefix(':') {
            if after.starts_with('*') {
                return self.push(Token::PrefixStar(name), length + 2);
            }
            let local = name_length(after);
            if local > 0 {
                return self.push(Token::Qualified(name, &after[..local]), length + 1 + local);
            }
        }
        self.push(Token::Name(name), length);
    }

    fn unexpected(&self, found: char) -> ParseError {
        let hint = match found {
            '!' => Some("write `!=` for unequal, `not(…)` for negation"),
            '&' => Some("write `and`"),
            '“' | '”' | '‘' | '’' | '`' => Some("write strings in straight quotes, `'…'` or `\"…\"`"),
            '#' => Some("`#name` is CSS; in XPath write `*[@id='name']` or `id('name')`"),
            '{' | '}' | ';' | '^' | '~' | '?' => Some("this is not XPath 1.0"),
            '\u{a0}' => Some("this is a no-break space; XPath knows only ordinary ones"),
            _ => None,
        };
        ParseError::UnexpectedCharacter { found, hint, span: Span::new(self.at, self.at + found.len_utf8()) }
    }
}

/// Returns the length in bytes of the name (without colons) at the beginning of the text.
fn name_length(text: &str) -> usize {
    let mut chars = text.char_indices();
    match chars.next() {
        Some((_, first)) if is_name_start(first) => {}
        _ => return 0,
    }
    chars.find(|&(_, other)| !is_name_char(other)).map_or(text.len(), |(at, _)| at)
}

/// Returns `true` if the whole text is one name, so that it can be used in an expression unchanged.
pub(crate) fn is_name(text: &str) -> bool {
    !text.is_empty() && name_length(text) == text.len()
}

/// Returns `true` for XML's `NameStartChar`, without the colon.
fn is_name_start(c: char) -> bool {
    matches!(c, 'a'..='z' | 'A'..='Z' | '_')
        || matches!(c,
            '\u{C0}'..='\u{D6}' | '\u{D8}'..='\u{F6}' | '\u{F8}'..='\u{2FF}' | '\u{370}'..='\u{37D}'
            | '\u{37F}'..='\u{1FFF}' | '\u{200C}' | '\u{200D}' | '\u{2070}'..='\u{218F}' | '\u{2C00}'..='\u{2FEF}'
            | '\u{3001}'..='\u{D7FF}' | '\u{F900}'..='\u{FDCF}' | '\u{FDF0}'..='\u{FFFD}' | '\u{10000}'..='\u{EFFFF}')
}

/// Returns `true` for XML's `NameChar`, without the colon.
fn is_name_char(c: char) -> bool {
    is_name_start(c) || matches!(c, '-' | '.' | '0'..='9' | '\u{B7}' | '\u{300}'..='\u{36F}' | '\u{203F}' | '\u{2040}')
}

#[cfg(test)]
mod tests {
    use super::*;
    use Token::*;

    fn check(source: &str, expected: &[Token<'_>]) {
        let tokens: Vec<Token<'_>> = tokens(source).unwrap().into_iter().map(|lexeme| lexeme.token).collect();
        assert_eq!(tokens.split_last().unwrap(), (&End, expected), "{source}");
    }

    #[test]
    fn star_and_operator_names_depend_on_what_precedes() {
        check("* * *", &[Star, Multiply, Star]);
        check("div div div", &[Name("div"), Div, Name("div")]);
        check("and and or", &[Name("and"), And, Name("or")]);
        check("@*", &[At, Star]);
        check("child::*", &[Name("child"), ColonColon, Star]);
        check("a/mod", &[Name("a"), Slash, Name("mod")]);
        check("2*(or)", &[Number(2.0), Multiply, LeftParen, Name("or"), RightParen]);
    }

    #[test]
    fn names_take_hyphens_and_dots() {
        check("a-b.c", &[Name("a-b.c")]);
        check("a -b", &[Name("a"), Minus, Name("b")]);
        check("svg:rect", &[Qualified("svg", "rect")]);
        check("svg:*", &[PrefixStar("svg")]);
        check("self::a", &[Name("self"), ColonColon, Name("a")]);
        check("$a:b", &[Variable("a:b")]);
        check("größe", &[Name("größe")]);
    }

    #[test]
    fn numbers_and_dots() {
        check("1.5", &[Number(1.5)]);
        check("1.", &[Number(1.0)]);
        check(".5", &[Number(0.5)]);
        check("..", &[DotDot]);
        check(".", &[Dot]);
        check("1..2", &[Number(1.0), Number(0.2)]);
    }

    #[test]
    fn spans_are_bytes() {
        let tokens = tokens("'é' = x").unwrap();
        assert_eq!(tokens[0].span, Span::new(0, 4));
        assert_eq!(tokens[2].span, Span::new(7, 8));
    }
}
