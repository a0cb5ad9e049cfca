//! Parses the list of commands: brackets around commands of three strings each, which are in brackets themselves.
//!
//! A wrong bracket is reported once and then treated as the right one, so that the commands after it are still read.

use windrow_xpath::Span;

use super::lex::{Lexeme, Piece, Token};
use super::{FORMAT, MAX_ERRORS};
use crate::error::WrapperError;
use crate::files::MAX_RULES;

/// A command before its parts are parsed.
#[derive(Debug)]
pub(super) struct Command {
    pub(super) variables: Part,
    pub(super) source: Part,
    pub(super) pattern: Part,
}

/// A part of a command.
#[derive(Debug)]
pub(super) struct Part {
    pub(super) piece: Piece,
    pub(super) quoted: bool,
    /// Place, including quotes.
    pub(super) span: Span,
}

/// Parses the commands of a file.
pub(super) fn commands(lexemes: Vec<Lexeme>, errors: &mut Vec<WrapperError>) -> Vec<Command> {
    if lexemes.is_empty() {
        errors.push(nothing(None));
        return Vec::new();
    }
    let mut parser = Parser { lexemes: lexemes.into_iter().peekable(), errors, commands: Vec::new() };
    parser.list();
    parser.commands
}

struct Parser<'a> {
    lexemes: std::iter::Peekable<std::vec::IntoIter<Lexeme>>,
    errors: &'a mut Vec<WrapperError>,
    commands: Vec<Command>,
}

impl Parser<'_> {
    fn list(&mut self) {
        let (mut open, mut seen, mut comma, mut begun) = (None, false, true, None);
        while let Some(lexeme) = self.lexemes.next() {
            if self.errors.len() >= MAX_ERRORS {
                return;
            }
            let span = lexeme.span;
            begun.get_or_insert(span);
            match lexeme.token {
                Token::Open(bracket) if open.is_none() && !seen && !self.at_string() => {
                    self.bracket(bracket, '[', span);
                    open = Some((bracket, span));
                }
                Token::Open(bracket) => {
                    if open.is_none() && !seen {
                        self.syntax(
                            span,
                            "the list of commands has no bracket of its own",
                            "put a `[` before the first command and a `]` after the last",
                        );
                    } else if !comma {
                        self.syntax(span, "there is no comma between two commands", "put a `,` before this one");
                    }
                    seen = true;
                    if self.commands.len() >= MAX_RULES {
                        self.errors.push(WrapperError::TooLarge {
                            what: "commands",
                            limit: MAX_RULES,
                            span: Some(span),
                        });
                        return;
                    }
                    // After a command that was not closed, its comma has already been consumed.
                    comma = !self.command(bracket, span);
                }
                Token::Comma if comma => {
                    self.syntax(span, "there is no command before this comma", "remove the comma");
                }
                Token::Comma => comma = true,
                Token::Close(bracket) => {
                    match open {
                        Some((opened, _)) if closes(opened, bracket) => {}
                        Some(_) => self.bracket(bracket, ']', span),
                        // Already reported: the list has no brackets.
                        None if seen => {}
                        None => self.errors.push(unopened(bracket, span)),
                    }
                    if open.is_some() && !seen {
                        self.errors.push(nothing(begun));
                    }
                    if let Some(more) = self.lexemes.next() {
                        let hint = match more.token {
                            Token::Close(_) => "remove this bracket",
                            _ => "the list is closed too early: move its closing bracket to the end",
                        };
                        self.syntax(more.span, "the list of commands is closed, and something follows", hint);
                    }
                    return;
                }
                Token::Quoted(_) | Token::Bare(_) => {
                    self.syntax(
                        span,
                        "this is not inside a command",
                        "a command is `[variables, source, pattern]`, each in quotes",
                    );
                    // One report is enough for everything around it.
                    while matches!(
                        self.lexemes.peek().map(|lexeme| &lexeme.token),
                        Some(Token::Quoted(_) | Token::Bare(_) | Token::Comma)
                    ) {
                        self.lexemes.next();
                    }
                    (seen, comma) = (true, true);
                }
            }
        }
        if let Some((bracket, span)) = open {
            let hint = Some("put a `]` at the end, after the last command".to_owned());
            self.errors.push(WrapperError::Unbalanced { open: bracket, hint, span: Some(span) });
        }
    }

    fn at_string(&mut self) -> bool {
        matches!(self.lexemes.peek().map(|lexeme| &lexeme.token), Some(Token::Quoted(_) | Token::Bare(_)))
    }

    /// Parses a command after its opening bracket; returns `true` if it is closed.
    fn command(&mut self, bracket: char, open: Span) -> bool {
        self.bracket(bracket, '[', open);
        let before = self.errors.len();
        let mut parts: Vec<Part> = Vec::new();
        let (mut comma, mut complained) = (true, false);
        let mut closed = false;
        let end = loop {
            let (token, span) = match self.lexemes.peek() {
                None => {
                    self.open_command(bracket, open);
                    break open;
                }
                // The next command begins within this one.
                Some(Lexeme { token: Token::Open(_), .. }) => {
                    self.open_command(bracket, open);
                    break open;
                }
                Some(_) => match self.lexemes.next() {
                    Some(lexeme) => (lexeme.token, lexeme.span),
                    None => break open,
                },
            };
            match token {
                Token::Close(close) => {
                    if !closes(bracket, close) {
                        self.bracket(close, ']', span);
                    }
                    closed = true;
                    break Span::new(open.start, span.end);
                }
                Token::Comma if comma => self.syntax(span, "there is nothing before this comma", "remove the comma"),
                Token::Comma => comma = true,
                // One missing quote shifts everything after it, so it is reported once.
                Token::Quoted(_) | Token::Bare(_) if !comma && complained => {}
                Token::Quoted(_) | Token::Bare(_) if !comma => {
                    complained = true;
                    self.syntax(
                        span,
                        "there is no comma between two parts of a command",
                        "put a `,` before this one, or add the missing quote",
                    );
                }
                Token::Quoted(piece) => {
                    parts.push(Part { piece, quoted: true, span });
                    comma = false;
                }
                Token::Bare(piece) => {
                    parts.push(Part { piece, quoted: false, span });
                    comma = false;
                }
                Token::Open(_) => {}
            }
        };
        let found = parts.len();
        let mut parts = parts.into_iter();
        match (parts.next(), parts.next(), parts.next(), parts.next()) {
            (Some(variables), Some(source), Some(pattern), None) => {
                self.commands.push(Command { variables, source, pattern });
            }
            // If something else is wrong, the number of parts is meaningless.
            _ if self.errors.len() > before => {}
            _ => self.errors.push(WrapperError::CommandParts { found, span: Some(end) }),
        }
        closed
    }

    fn open_command(&mut self, bracket: char, open: Span) {
        let hint = Some("put a `]` after the pattern".to_owned());
        self.errors.push(WrapperError::Unbalanced { open: bracket, hint, span: Some(open) });
    }

    /// Reports a bracket that is not the expected one.
    fn bracket(&mut self, found: char, expected: char, span: Span) {
        if found != expected {
            self.errors.push(WrapperError::WrongBracket { found, expected, span: Some(span) });
        }
    }

    fn syntax(&mut self, span: Span, message: &str, hint: &str) {
        let (message, hint) = (message.to_owned(), Some(hint.to_owned()));
        self.errors.push(WrapperError::Syntax { format: FORMAT, message, hint, span: Some(span) });
    }
}

fn closes(open: char, close: char) -> bool {
    matches!((open, close), ('[', ']') | ('{', '}') | ('(', ')'))
}

fn unopened(close: char, span: Span) -> WrapperError {
    let hint = Some("remove it, or add the missing opening bracket".to_owned());
    WrapperError::Unopened { close, hint, span: Some(span) }
}

fn nothing(span: Option<Span>) -> WrapperError {
    let hint = "the first command gets the page: [[\"root\", \"get('https://example.org/')\", \"#\"]]";
    let message = "there is no command".to_owned();
    WrapperError::Syntax { format: FORMAT, message, hint: Some(hint.to_owned()), span: span.or(Some(Span::new(0, 0))) }
}
