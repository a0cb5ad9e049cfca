//! Parses the three parts of a command: variables, source and pattern.

use std::ops::Range;

use windrow_xpath::Span;

use super::commands::Part;
use super::expression::{Expression, expression};
use super::lex::Piece;
use super::{FORMAT, MAX_ERRORS};
use crate::error::{WrapperError, nearest};
use crate::pattern::Pattern;
use crate::values::Type;
use crate::wrapper::{Slice, Take, Text};

/// A variable of a command: `name?:type->label`.
#[derive(Debug)]
pub(super) struct Variable {
    pub(super) name: Text,
    pub(super) optional: bool,
    pub(super) ty: Option<(Type, Span)>,
    pub(super) label: Option<Text>,
}

/// The source of the text that a command works on.
#[derive(Debug)]
pub(super) struct Source {
    pub(super) base: CommandInput,
    pub(super) way: Operation,
}

/// The input of a command.
#[derive(Debug)]
pub(super) enum CommandInput {
    /// The page: `get('…')`, or `get()` for the page the wrapper is run on.
    Page(Option<Text>),
    /// A variable, or some of its members.
    Variable(Text, Option<(Slice, Text)>),
}

/// The operation on the input before the pattern runs.
#[derive(Debug)]
pub(super) enum Operation {
    /// No operation.
    Copy,
    /// Splits the input at occurrences of a text.
    Split(Text),
    /// Takes the rows of a table, which a pattern may identify.
    Table(Option<Text>),
    /// Fetches the page at the address in the input.
    Follow,
    /// Makes a group that shows the values of other variables.
    Group,
}

/// The patterns a command searches with.
#[derive(Debug)]
pub(super) struct CommandPatterns {
    /// A single pattern, or the alternatives of a `case`.
    pub(super) patterns: Vec<Text>,
    pub(super) case: bool,
    /// Number of texts that each pattern saves.
    pub(super) saves: usize,
    /// Place of the whole part.
    pub(super) span: Span,
}

/// The functions allowed in sources; `case` is allowed in patterns.
const FUNCTIONS: [(&str, &str); 4] = [
    ("get", "`get('address')` or `get(variable)`"),
    ("split", "`split(variable, 'delimiter')`"),
    ("extract_table", "`extract_table(variable, 'pattern')`"),
    ("group", "`group(variable)`"),
];

/// Returns `true` if the text is a valid variable name. Besides the rules for all wrappers, it must not contain
/// characters with a meaning in this language.
pub(super) fn is_name(name: &str) -> bool {
    let mut chars = name.chars();
    chars.next().is_some_and(|first| first.is_alphabetic() || first == '_')
        && chars.all(|char| !char.is_whitespace() && !char.is_control() && !",\"'`()[]{}=?:;".contains(char))
        && !name.contains("->")
}

/// Parses the variables of a command.
pub(super) fn variables(part: &Part, errors: &mut Vec<WrapperError>) -> Vec<Variable> {
    if !part.quoted {
        errors.push(unquoted("the variables need quotes", part.span));
    }
    let piece = &part.piece;
    let mut variables = Vec::new();
    for range in items(&piece.value) {
        if errors.len() >= MAX_ERRORS {
            break;
        }
        variables.push(variable(piece, range, errors));
    }
    variables
}

fn variable(piece: &Piece, range: Range<usize>, errors: &mut Vec<WrapperError>) -> Variable {
    let value = &piece.value[range.clone()];
    let (front, label) = match value.find("->") {
        Some(arrow) => (&value[..arrow], Some(trim(&piece.value, range.start + arrow + 2..range.end))),
        None => (value, None),
    };
    let length = front.find(['?', ':']).unwrap_or(front.len());
    let name = trim(&piece.value, range.start..range.start + length);
    let mut variable = Variable { name: piece.text(name.clone()), optional: false, ty: None, label: None };
    if !is_name(&variable.name) {
        let span = if name.is_empty() { piece.span(range.clone()) } else { piece.span(name) };
        errors.push(WrapperError::BadName { name: variable.name.value.clone(), span: Some(span) });
    }
    let mut rest = trim(&piece.value, range.start + length..range.start + front.len());
    if piece.value[rest.clone()].starts_with('?') {
        variable.optional = true;
        rest = trim(&piece.value, rest.start + 1..rest.end);
    }
    if !rest.is_empty() {
        let word = trim(&piece.value, rest.start + usize::from(piece.value[rest.clone()].starts_with(':'))..rest.end);
        let (span, word) = (piece.span(rest), &piece.value[word]);
        match Type::from_name(word) {
            Some(ty) => variable.ty = Some((ty, span)),
            None => errors.push(wrong_type(word, span)),
        }
    }
    if let Some(label) = label {
        if label.is_empty() {
            errors.push(WrapperError::WrongValue {
                key: "->".to_owned(),
                expected: "followed by a label".to_owned(),
                found: "by nothing".to_owned(),
                hint: Some(format!("`{}->another_label`", variable.name)),
                span: Some(piece.span(range)),
            })
        } else {
            variable.label = Some(piece.text(label))
        }
    }
    variable
}

fn wrong_type(word: &str, span: Span) -> WrapperError {
    let names = || Type::ALL.into_iter().map(Type::name);
    let all: Vec<String> = names().map(|name| format!("`{name}`")).collect();
    WrapperError::WrongValue {
        key: "type".to_owned(),
        expected: format!("one of {}", all.join(", ")),
        found: format!("`{word}`"),
        hint: nearest(word, names()).map(|name| format!("did you mean `{name}`?")),
        span: Some(span),
    }
}

/// Parses the content of a `group`: `label=variable`, or `variable` under its own name.
pub(super) fn takes(part: &Part, errors: &mut Vec<WrapperError>) -> Vec<Take> {
    let piece = &part.piece;
    if piece.value.trim().is_empty() {
        return Vec::new();
    }
    let mut takes = Vec::new();
    for range in items(&piece.value) {
        if errors.len() >= MAX_ERRORS {
            break;
        }
        let take = match piece.value[range.clone()].rfind('=') {
            Some(sign) => Take {
                label: piece.text(trim(&piece.value, range.start..range.start + sign)),
                variable: piece.text(trim(&piece.value, range.start + sign + 1..range.end)),
            },
            None => Take { label: piece.text(range.clone()), variable: piece.text(range.clone()) },
        };
        if is_name(&take.variable) && !take.label.is_empty() {
            takes.push(take)
        } else {
            errors.push(WrapperError::WrongValue {
                key: "group".to_owned(),
                expected: "given what it shows as `label=variable`".to_owned(),
                found: format!("`{}`", &piece.value[range.clone()]),
                hint: Some("for example \"date=_date_today, weather=_forecast\"".to_owned()),
                span: Some(piece.span(range)),
            })
        }
    }
    takes
}

/// Parses the pattern of a command, or its `case`. Returns `None` if the number of saved texts cannot be determined.
pub(super) fn search(part: &Part, errors: &mut Vec<WrapperError>) -> Option<CommandPatterns> {
    let piece = &part.piece;
    let mut search = CommandPatterns { patterns: Vec::new(), case: false, saves: 0, span: piece.all() };
    if is_case(&piece.value) {
        search.case = true;
        let Expression::Call(_, arguments, _) = expression(piece, errors)? else { return None };
        for argument in arguments {
            match argument {
                Expression::String(text) => search.patterns.push(text),
                other => {
                    errors.push(WrapperError::WrongValue {
                        key: "case".to_owned(),
                        expected: "given patterns in quotes".to_owned(),
                        found: "something else".to_owned(),
                        hint: Some("for example case('*<TD>#</TD>*', '*<B>#</B>*')".to_owned()),
                        span: Some(other.span()),
                    });
                    return None;
                }
            }
        }
    } else {
        if !part.quoted {
            errors.push(unquoted("the pattern needs quotes", part.span));
            return None;
        }
        search.patterns.push(piece.text(0..piece.value.len()));
    }
    for (number, pattern) in search.patterns.iter().enumerate() {
        let saves = match Pattern::new(pattern) {
            Ok(compiled) => compiled.saves(),
            Err(error) => {
                errors.push(error);
                return None;
            }
        };
        if saves == 0 {
            errors.push(WrapperError::PatternWithoutSave { span: pattern.span });
            return None;
        }
        if number == 0 {
            search.saves = saves;
        } else if saves != search.saves {
            errors.push(WrapperError::CaseCount { first: search.saves, saves, span: pattern.span });
            return None;
        }
    }
    (!search.patterns.is_empty()).then_some(search)
}

/// Returns `true` if a pattern is a `case`. A quote must follow the parenthesis, so that few other texts are
/// affected.
pub(super) fn is_case(pattern: &str) -> bool {
    let inside = pattern.trim_start().strip_prefix("case").and_then(|rest| rest.trim_start().strip_prefix('('));
    inside.is_some_and(|inside| inside.trim_start().starts_with(['"', '\'']))
}

/// Parses the source of a command.
pub(super) fn source(part: &Part, errors: &mut Vec<WrapperError>) -> Option<Source> {
    let piece = &part.piece;
    let (name, mut arguments, span) = match expression(piece, errors)? {
        Expression::Name(name, slice) => {
            return Some(Source { base: CommandInput::Variable(name, slice), way: Operation::Copy });
        }
        Expression::String(text) => {
            let hint = Some(format!("to get a page: get('{text}')"));
            errors.push(wrong_call("source", "a variable or a function", "a string", hint, text.span));
            return None;
        }
        Expression::Call(name, arguments, span) => (name, arguments, span),
    };
    let Some((function, usage)) = FUNCTIONS.into_iter().find(|(function, _)| *function == &*name) else {
        errors.push(unknown_function(&name));
        return None;
    };
    let second = if arguments.len() == 2 { arguments.pop() } else { None };
    let first = arguments.pop();
    let found = &part.piece.value;
    let parts = match (function, first, second, arguments.is_empty()) {
        ("get", None, None, true) => Some((CommandInput::Page(None), Operation::Copy)),
        ("get", Some(Expression::String(url)), None, true) => Some((CommandInput::Page(Some(url)), Operation::Copy)),
        ("get", Some(Expression::Name(name, slice)), None, true) => {
            Some((CommandInput::Variable(name, slice), Operation::Follow))
        }
        ("group", Some(input), None, true) => base(input, errors).map(|base| (base, Operation::Group)),
        ("split", Some(input), Some(Expression::String(delimiter)), true) => {
            if delimiter.is_empty() {
                errors.push(WrapperError::EmptyDelimiter { span: delimiter.span });
                return None;
            }
            base(input, errors).map(|base| (base, Operation::Split(delimiter)))
        }
        ("extract_table", Some(input), None, true) => base(input, errors).map(|base| (base, Operation::Table(None))),
        ("extract_table", Some(input), Some(Expression::String(pattern)), true) => {
            let identified = table_pattern(pattern, errors)?;
            base(input, errors).map(|base| (base, Operation::Table(Some(identified))))
        }
        _ => {
            errors.push(wrong_call(function, usage, &format!("`{found}`"), None, Some(span)));
            return None;
        }
    };
    parts.map(|(base, way)| Source { base, way })
}

/// Converts the argument of a function to an input: a variable, or the page.
fn base(input: Expression, errors: &mut Vec<WrapperError>) -> Option<CommandInput> {
    match input {
        Expression::Name(name, slice) => Some(CommandInput::Variable(name, slice)),
        Expression::Call(name, mut arguments, span) => match (&*name == "get", arguments.pop(), arguments.is_empty()) {
            (true, None, _) => Some(CommandInput::Page(None)),
            (true, Some(Expression::String(url)), true) => Some(CommandInput::Page(Some(url))),
            _ => {
                let hint = Some("give the inner one a command and a variable of its own".to_owned());
                errors.push(wrong_call("the first argument", "a variable or the page", "a function", hint, Some(span)));
                None
            }
        },
        Expression::String(text) => {
            let hint = Some("write variables without quotes".to_owned());
            errors.push(wrong_call("the first argument", "a variable or the page", "a string", hint, text.span));
            None
        }
    }
}

/// Completes the pattern that identifies a table. Without a `#`, the pattern may match anywhere, and the table is the
/// one in which the match ends, or else the next one.
fn table_pattern(text: Text, errors: &mut Vec<WrapperError>) -> Option<Text> {
    match Pattern::new(&text) {
        Ok(pattern) if pattern.saves() == 1 => return Some(text),
        Ok(pattern) if pattern.saves() > 1 => {
            errors.push(WrapperError::VariableCount { variables: 1, saves: pattern.saves(), span: text.span });
            return None;
        }
        Ok(_) => {}
        Err(error) => {
            errors.push(error);
            return None;
        }
    }
    let mut value = text.value.as_str();
    // A final star would stand next to the `#`; an escaped star is not a wildcard.
    while let Some(front) = value.strip_suffix('*') {
        if front.bytes().rev().take_while(|byte| *byte == b'\\').count() % 2 == 1 {
            break;
        }
        value = front;
    }
    let star = if value.is_empty() || value.starts_with('*') { "" } else { "*" };
    Some(Text { value: format!("{star}{value}#"), span: text.span, exact: false })
}

fn unknown_function(name: &Text) -> WrapperError {
    let hint = match &**name {
        "case" => "`case` belongs in the pattern: [\"a\", \"variable\", \"case('…#…', '…#…')\"]".to_owned(),
        _ => match nearest(name, FUNCTIONS.into_iter().map(|(function, _)| function)) {
            Some(function) => format!("did you mean `{function}`?"),
            None => "there are `get`, `split`, `extract_table` and `group`, and `case` in patterns".to_owned(),
        },
    };
    WrapperError::UnknownFunction { name: name.value.clone(), hint: Some(hint), span: name.span }
}

fn wrong_call(key: &str, expected: &str, found: &str, hint: Option<String>, span: Option<Span>) -> WrapperError {
    let (key, expected, found) = (key.to_owned(), expected.to_owned(), found.to_owned());
    WrapperError::WrongValue { key, expected, found, hint, span }
}

fn unquoted(message: &str, span: Span) -> WrapperError {
    let hint = Some("put quotes around it".to_owned());
    WrapperError::Syntax { format: FORMAT, message: message.to_owned(), hint, span: Some(span) }
}

/// Returns the ranges between commas, without surrounding white space.
fn items(value: &str) -> impl Iterator<Item = Range<usize>> + '_ {
    let mut start = 0;
    value.split(',').map(move |item| {
        let range = start..start + item.len();
        start = range.end + 1;
        trim(value, range)
    })
}

fn trim(value: &str, range: Range<usize>) -> Range<usize> {
    let part = &value[range.clone()];
    let start = range.start + (part.len() - part.trim_start().len());
    start..start + part.trim().len()
}
