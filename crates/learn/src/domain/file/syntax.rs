//! TOML: text to tables with places, and names for what was found instead of what was meant.
//!
//! `toml_edit` parses. It bounds the nesting of values and the parts of a key, but not their product, so the tokens are
//! looked over first: no table that is too deep to walk or drop is ever built.

use toml_edit::{Document, Item, TableLike, Value};
use windrow_wrapper::files::too_deep;
use windrow_xpath::Span;

use super::error::{DomainError, Errors};
use super::{MAX_BYTES, MAX_DEPTH};

/// Tables within each other: each role lies two levels below the one around it, and its keywords one below itself.
const LEVELS: usize = 2 * MAX_DEPTH + 8;

/// Parses a file.
pub(super) fn parse(source: &str) -> Result<Document<&str>, Errors> {
    if source.len() > MAX_BYTES {
        return Err(DomainError::TooLarge { what: "bytes", limit: MAX_BYTES, span: Span::default() }.into());
    }
    if let Some(span) = too_deep(source, LEVELS) {
        return Err(DomainError::TooLarge { what: "tables within each other", limit: LEVELS, span }.into());
    }
    Document::parse(source).map_err(|error| syntax(source, &error).into())
}

fn syntax(source: &str, error: &toml_edit::TomlError) -> DomainError {
    let span = error.span().map(|range| Span::new(range.start, range.end)).unwrap_or_default();
    // The parser's first line says what is wrong; the others are for its own rendering.
    let mut lines = error.message().lines();
    let message = lines.next().unwrap_or_default().to_owned();
    let rest: Vec<&str> = lines.filter(|line| !line.is_empty()).collect();
    let line_start = source.get(..span.start).and_then(|front| front.rfind('\n')).map_or(0, |newline| newline + 1);
    let line = source.get(line_start..).and_then(|rest| rest.lines().next()).unwrap_or_default();
    let hint = if !rest.is_empty() {
        Some(rest.join("; "))
    } else if message == "duplicate key" {
        Some("it stands further up already: put all that belongs to it in one place".to_owned())
    } else if line.contains('"') && line.contains('\\') {
        Some("a regular expression stands in single quotes: value = '\\d'".to_owned())
    } else {
        None
    };
    DomainError::Syntax { message, hint, span }
}

/// The keys of a table with their places, in the order of the file. None if it is no table.
pub(super) fn entries(item: &Item) -> Option<Vec<(&str, Span, &Item)>> {
    let table: &dyn TableLike = item.as_table_like()?;
    Some(keys(table))
}

/// The keys of a table with their places, in the order of the file.
pub(super) fn keys(table: &dyn TableLike) -> Vec<(&str, Span, &Item)> {
    let place = |name: &str| table.key(name).and_then(|key| key.span());
    let span = |range: Option<std::ops::Range<usize>>| range.map(|range| Span::new(range.start, range.end));
    let entries = table.iter().map(|(name, item)| {
        let place = span(place(name)).or_else(|| span(item.span()));
        (name, place.unwrap_or_default(), item)
    });
    entries.collect()
}

/// Where a value stands; its key's place if it stands nowhere itself, as a table made by its header.
pub(super) fn place(item: &Item, key: Span) -> Span {
    match item {
        Item::Value(value) => value_place(value, key),
        _ => key,
    }
}

/// Where a value stands.
pub(super) fn value_place(value: &Value, key: Span) -> Span {
    value.span().map_or(key, |range| Span::new(range.start, range.end))
}

/// What a value is, for messages.
pub(super) fn describe(item: &Item) -> String {
    let known = match item {
        Item::None | Item::Table(_) => "a table",
        Item::ArrayOfTables(_) => "an array of tables",
        Item::Value(value) => return describe_value(value),
    };
    known.to_owned()
}

/// What a value is, for messages.
pub(super) fn describe_value(value: &Value) -> String {
    match value {
        Value::String(text) if text.value().is_empty() => "an empty string".to_owned(),
        Value::String(_) => "a string".to_owned(),
        Value::Integer(number) => number.value().to_string(),
        Value::Float(number) => number.value().to_string(),
        Value::Boolean(value) => value.value().to_string(),
        Value::Datetime(_) => "a time".to_owned(),
        Value::Array(items) if items.is_empty() => "an empty array".to_owned(),
        Value::Array(_) => "an array".to_owned(),
        Value::InlineTable(_) => "a table".to_owned(),
    }
}
