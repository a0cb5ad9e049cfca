//! JSON: parses text to a tree with places, and prints it.
//!
//! `jsonc-parser` provides the places, with all extensions of JSON turned off. Where it still is too lenient,
//! `serde_json` decides, so that a file accepted here is JSON everywhere. Both bound their recursion.

use std::collections::HashSet;

use jsonc_parser::ast;
use jsonc_parser::common::Ranged;
use jsonc_parser::errors::ParseErrorKind;
use jsonc_parser::{CollectOptions, ParseOptions, parse_to_ast};
use windrow_xpath::Span;

use super::MAX_DEPTH;
use super::node::{self, Entry, Node, Value};
use crate::error::{Errors, WrapperError};

const STRICT: ParseOptions = ParseOptions {
    allow_comments: false,
    allow_loose_object_property_names: false,
    allow_trailing_commas: false,
    allow_missing_commas: false,
    allow_single_quoted_strings: false,
    allow_hexadecimal_numbers: false,
    allow_unary_plus_numbers: false,
    allow_bare_decimal_point_numbers: false,
    allow_non_finite_numbers: false,
    allow_extended_string_escapes: false,
};

/// Parses a file. A byte order mark at the beginning is skipped.
pub(crate) fn parse(source: &str) -> Result<Node, Errors> {
    let body = source.strip_prefix('\u{feff}').unwrap_or(source);
    let json = Json { source, offset: source.len() - body.len() };
    let result = parse_to_ast(body, &CollectOptions::default(), &STRICT).map_err(|error| json.error(&error))?;
    let Some(value) = result.value else {
        return Err(json.syntax("the file is empty", None, Span::new(0, source.len())).into());
    };
    let node = json.node(&value, 0)?;
    if let Err(error) = serde_json::from_str::<serde_json::Value>(body) {
        let at = json.offset + position(body, error.line(), error.column());
        // The place is in the span.
        let message = error.to_string();
        let message = message.split(" at line ").next().unwrap_or_default();
        return Err(json.syntax(message, None, Span::new(at, at)).into());
    }
    Ok(node)
}

struct Json<'a> {
    source: &'a str,
    offset: usize,
}

impl Json<'_> {
    fn span(&self, ranged: &impl Ranged) -> Span {
        Span::new(self.offset + ranged.start(), self.offset + ranged.end())
    }

    fn node(&self, value: &ast::Value<'_>, depth: usize) -> Result<Node, Errors> {
        let span = self.span(value);
        if depth > MAX_DEPTH {
            return Err(too_deep(span).into());
        }
        let value = match value {
            ast::Value::StringLit(text) => Value::String(node::text(self.source, &text.value, Some(span))),
            ast::Value::NumberLit(number) => match number.value.parse() {
                Ok(integer) => Value::Integer(integer),
                Err(_) => Value::Float(number.value.parse().unwrap_or(f64::NAN)),
            },
            ast::Value::BooleanLit(boolean) => Value::Boolean(boolean.value),
            ast::Value::NullKeyword(_) => Value::Null,
            ast::Value::Array(array) => {
                let items = array.elements.iter().map(|item| self.node(item, depth + 1));
                Value::Array(items.collect::<Result<_, _>>()?)
            }
            ast::Value::Object(object) => {
                let mut seen = HashSet::new();
                let mut entries = Vec::with_capacity(object.properties.len());
                for property in &object.properties {
                    let (key, span) = (property.name.as_str(), self.span(&property.name));
                    if !seen.insert(key) {
                        let message = format!("the key `{key}` occurs twice in one object");
                        return Err(self.syntax(&message, None, span).into());
                    }
                    let key = node::text(self.source, key, Some(span));
                    entries.push(Entry { key, node: self.node(&property.value, depth + 1)? });
                }
                Value::Table(entries)
            }
        };
        Ok(Node { value, span: Some(span) })
    }

    fn error(&self, error: &jsonc_parser::errors::ParseError) -> WrapperError {
        let range = error.range();
        let unterminated =
            matches!(error.kind(), ParseErrorKind::UnterminatedObject | ParseErrorKind::UnterminatedArray);
        // Only the bracket, not everything after it.
        let end = if unterminated { range.start + 1 } else { range.end.max(range.start) };
        let span = Span::new(self.offset + range.start, self.offset + end);
        let hint = match error.kind() {
            ParseErrorKind::NestingDepthExceeded => return too_deep(span),
            ParseErrorKind::CommentsNotAllowed => "JSON has no comments; a wrapper in TOML may have them",
            ParseErrorKind::TrailingCommasNotAllowed => "remove the comma before the bracket",
            ParseErrorKind::SingleQuotedStringsNotAllowed
            | ParseErrorKind::ExpectedStringObjectProperty
            | ParseErrorKind::UnexpectedWord => "strings and keys need double quotes",
            _ => "",
        };
        let message = error.kind().to_string();
        let mut chars = message.chars();
        let message: String = chars.next().into_iter().flat_map(char::to_lowercase).chain(chars).collect();
        self.syntax(&message, (!hint.is_empty()).then(|| hint.to_owned()), span)
    }

    fn syntax(&self, message: &str, hint: Option<String>, span: Span) -> WrapperError {
        WrapperError::Syntax { format: "JSON", message: message.to_owned(), hint, span: Some(span) }
    }
}

fn too_deep(span: Span) -> WrapperError {
    WrapperError::TooLarge { what: "levels", limit: MAX_DEPTH, span: Some(Span::new(span.start, span.start + 1)) }
}

/// Returns the byte offset of a line and column, both counted from 1, the column in bytes.
fn position(text: &str, line: usize, column: usize) -> usize {
    let start: usize = text.split_inclusive('\n').take(line.saturating_sub(1)).map(str::len).sum();
    (start + column.saturating_sub(1)).min(text.len())
}

/// Prints a tree as JSON, one key or item per line.
pub(crate) fn print(node: &Node) -> String {
    let mut text = serde_json::to_string_pretty(&plain(node)).expect("a tree of strings and numbers is JSON");
    text.push('\n');
    text
}

fn plain(node: &Node) -> serde_json::Value {
    match &node.value {
        Value::String(text) => text.value.as_str().into(),
        Value::Integer(number) => (*number).into(),
        Value::Float(number) => (*number).into(),
        Value::Boolean(value) => (*value).into(),
        Value::Datetime(time) => time.as_str().into(),
        Value::Null => serde_json::Value::Null,
        Value::Array(items) => items.iter().map(plain).collect(),
        Value::Table(entries) => entries.iter().map(|entry| (entry.key.value.clone(), plain(&entry.node))).collect(),
    }
}
