//! TOML: parses text to a tree with places, and prints it.
//!
//! `toml_edit` does the parsing. It bounds the nesting of values and the number of parts of a key, but not their
//! product: keys of eighty parts in eighty inline tables make a tree too deep to drop. So the tokens are checked
//! first. Everything else is linear.
//!
//! The printer writes files as people do: a header for each list and group, a line for each field, and the most
//! legible quotes.

use toml_edit::{Document, Item};
use toml_parser::Source;
use toml_parser::lexer::TokenKind;
use windrow_xpath::Span;

use super::MAX_DEPTH;
use super::node::{self, Entry, Node, Value};
use crate::error::{Errors, WrapperError};

/// Parses a file.
pub(crate) fn parse(source: &str) -> Result<Node, Errors> {
    if let Some(span) = too_deep(source, MAX_DEPTH) {
        return Err(levels(span).into());
    }
    let document = Document::parse(source).map_err(|error| syntax(source, &error))?;
    let span = Some(Span::new(0, source.len()));
    Ok(Node { value: table(source, document.as_table().iter(), |key| document.key(key), 0)?, span })
}

/// Returns the first place where a TOML text is nested deeper than `levels`, judging by its tokens alone: every
/// bracket and every dot of a key adds a level. A text that is nested too deeply must not be parsed.
pub fn too_deep(source: &str, levels: usize) -> Option<Span> {
    // The base depth outside each open bracket, the base depth of the current key, and the current depth.
    let (mut outer, mut base, mut depth) = (Vec::new(), 0, 0);
    for token in Source::new(source).lex() {
        match token.kind() {
            TokenKind::LeftCurlyBracket | TokenKind::LeftSquareBracket => {
                outer.push(base);
                depth += 1;
                base = depth;
            }
            TokenKind::RightCurlyBracket | TokenKind::RightSquareBracket => {
                base = outer.pop().unwrap_or(0);
                depth = base;
            }
            TokenKind::Comma => depth = base,
            // Line breaks inside brackets do not separate entries.
            TokenKind::Newline if outer.is_empty() => depth = base,
            TokenKind::Dot => depth += 1,
            _ => continue,
        }
        if depth > levels {
            return Some(Span::new(token.span().start(), token.span().end()));
        }
    }
    None
}

fn levels(span: Span) -> WrapperError {
    WrapperError::TooLarge { what: "levels", limit: MAX_DEPTH, span: Some(span) }
}

fn syntax(source: &str, error: &toml_edit::TomlError) -> WrapperError {
    let span = error.span().map(|range| Span::new(range.start, range.end)).unwrap_or_default();
    // The first line of the parser's message describes the error; the others are for its own rendering.
    let mut lines = error.message().lines();
    let message = lines.next().unwrap_or_default().to_owned();
    let rest: Vec<&str> = lines.filter(|line| !line.is_empty()).collect();
    let hint = if !rest.is_empty() {
        Some(rest.join("; "))
    } else if message == "duplicate key" {
        Some("the same key occurs above: rename one of them, or merge the two tables".to_owned())
    } else {
        let line_start = source.get(..span.start).and_then(|front| front.rfind('\n')).map_or(0, |newline| newline + 1);
        let line = source.get(line_start..).and_then(|rest| rest.lines().next()).unwrap_or_default();
        unquoted(line).then(|| "put texts in quotes: \"…\", or '…' if the text contains quotes".to_owned())
    };
    WrapperError::Syntax { format: "TOML", message, hint, span: Some(span) }
}

/// Returns `true` if a line assigns something that looks like an expression without quotes.
fn unquoted(line: &str) -> bool {
    line.split_once('=').is_some_and(|(_, value)| value.trim_start().starts_with(['/', '.', '#', '@', '(', '*']))
}

fn table<'a>(
    source: &str,
    items: impl Iterator<Item = (&'a str, &'a Item)>,
    key: impl Fn(&str) -> Option<&'a toml_edit::Key>,
    depth: usize,
) -> Result<Value, Errors> {
    let mut entries = Vec::new();
    for (name, item) in items {
        let span = key(name).and_then(|key| key.span()).map(|range| Span::new(range.start, range.end));
        let key = node::text(source, name, span);
        // A table that exists only through its header is located at its name.
        let mut value = item_node(source, item, span, depth + 1)?;
        if matches!(item, Item::Table(_)) {
            value.span = span;
        }
        entries.push(Entry { key, node: value });
    }
    Ok(Value::Table(entries))
}

fn item_node(source: &str, item: &Item, place: Option<Span>, depth: usize) -> Result<Node, Errors> {
    let span = item.span().map(|range| Span::new(range.start, range.end)).or(place);
    if depth > MAX_DEPTH {
        return Err(levels(span.unwrap_or_default()).into());
    }
    let value = match item {
        Item::None => Value::Table(Vec::new()),
        Item::Value(value) => return value_node(source, value, place, depth),
        Item::Table(inner) => table(source, inner.iter(), |key| inner.key(key), depth)?,
        Item::ArrayOfTables(tables) => {
            let mut items = Vec::with_capacity(tables.len());
            for inner in tables {
                let span = inner.span().map(|range| header(source, range.start)).or(place);
                items.push(Node { value: table(source, inner.iter(), |key| inner.key(key), depth + 1)?, span });
            }
            Value::Array(items)
        }
    };
    Ok(Node { value, span })
}

fn value_node(source: &str, value: &toml_edit::Value, place: Option<Span>, depth: usize) -> Result<Node, Errors> {
    let span = value.span().map(|range| Span::new(range.start, range.end)).or(place);
    if depth > MAX_DEPTH {
        return Err(levels(span.unwrap_or_default()).into());
    }
    let value = match value {
        toml_edit::Value::String(string) => Value::String(node::text(source, string.value(), span)),
        toml_edit::Value::Integer(number) => Value::Integer(*number.value()),
        toml_edit::Value::Float(number) => Value::Float(*number.value()),
        toml_edit::Value::Boolean(boolean) => Value::Boolean(*boolean.value()),
        toml_edit::Value::Datetime(time) => Value::Datetime(time.value().to_string()),
        toml_edit::Value::Array(array) => {
            let items = array.iter().map(|item| value_node(source, item, span, depth + 1));
            Value::Array(items.collect::<Result<_, _>>()?)
        }
        toml_edit::Value::InlineTable(inner) => {
            let mut entries = Vec::with_capacity(inner.len());
            for (name, item) in inner.iter() {
                let key = inner.key(name).and_then(|key| key.span()).map(|range| Span::new(range.start, range.end));
                let node = value_node(source, item, key.or(span), depth + 1)?;
                entries.push(Entry { key: node::text(source, name, key), node });
            }
            Value::Table(entries)
        }
    };
    Ok(Node { value, span })
}

/// Returns the place of a header line that begins at `start`.
fn header(source: &str, start: usize) -> Span {
    let line = source.get(start..).and_then(|rest| rest.lines().next()).unwrap_or_default();
    let end = line.rfind(']').map_or(line.len(), |bracket| bracket + 1);
    Span::new(start, start + end)
}

/// Returns `true` if a line is the header of a table.
pub(crate) fn is_header(line: &str) -> bool {
    line.trim_start().starts_with('[') && Document::parse(line).is_ok()
}

/// Longest line for `field = { … }` in a nested list; longer ones get a header, and a line per field.
const INLINE_FIELDS: usize = 80;

/// Longest line for an array; longer ones get a line per item.
const INLINE_ARRAY: usize = 110;

/// Prints the tree of a wrapper as TOML.
pub(crate) fn print(document: &Node) -> String {
    let mut printer = Printer { out: String::new() };
    printer.scope(&mut Vec::new(), document.entries().unwrap_or_default());
    printer.out
}

struct Printer {
    out: String,
}

impl Printer {
    /// Prints a table that may contain rules: its own keys, then its sections.
    fn scope(&mut self, path: &mut Vec<String>, entries: &[Entry]) {
        let is_section = |entry: &&Entry| match &*entry.key {
            "save" | "field" | "group" | "list" => true,
            "into" => has_sections(&entry.node),
            _ => false,
        };
        for entry in entries.iter().filter(|entry| !is_section(entry)) {
            self.line(entry);
        }
        for entry in entries.iter().filter(is_section) {
            path.push(entry.key.value.clone());
            match &entry.node.value {
                Value::Array(tables) => {
                    for table in tables {
                        let named;
                        // `into = ["name"]` is short for a table with a name.
                        let entries = match &table.value {
                            Value::String(name) => {
                                named = [Entry::new("name", &**name)];
                                &named[..]
                            }
                            _ => table.entries().unwrap_or_default(),
                        };
                        self.header(path, true);
                        self.scope(path, entries);
                    }
                }
                Value::Table(rules) if &*entry.key == "field" => self.fields(path, entry, rules),
                Value::Table(rules) => self.rules(path, rules),
                _ => {}
            }
            path.pop();
        }
    }

    fn fields(&mut self, path: &[String], entry: &Entry, rules: &[Entry]) {
        // In deeply nested tables, a header for two short fields would take more room than the fields.
        if path.len() > 3 {
            let line = format!("field = {}", inline(&entry.node));
            if line.len() <= INLINE_FIELDS && self.is_in(&path[..path.len() - 1]) {
                self.out.push_str(&line);
                self.out.push('\n');
                return;
            }
        }
        self.header(path, false);
        for rule in rules {
            self.line(rule);
        }
    }

    /// Returns `true` if a line printed now would belong to this table.
    fn is_in(&self, path: &[String]) -> bool {
        let header = self.out.rfind("\n[").map_or(0, |newline| newline + 1);
        let line = self.out[header..].lines().next().unwrap_or_default();
        line == format!("[{}]", joined(path)) || line == format!("[[{}]]", joined(path))
    }

    /// Prints groups or lists.
    fn rules(&mut self, path: &mut Vec<String>, rules: &[Entry]) {
        // Short rules share a header, but only those before the first long one, or the order would change.
        let short = rules.iter().take_while(|rule| rule.node.entries().is_none()).count();
        let (short, long) = rules.split_at(short);
        if !short.is_empty() {
            self.header(path, false);
        }
        for rule in short {
            self.line(rule);
        }
        for rule in long {
            path.push(rule.key.value.clone());
            match &rule.node.value {
                Value::Table(entries) => {
                    let implied = matches!(entries.first(), Some(first) if matches!(&*first.key, "field" | "group" | "list"))
                        && entries.iter().all(|entry| matches!(&*entry.key, "field" | "group" | "list"));
                    if !implied {
                        self.header(path, false);
                    }
                    self.scope(path, entries);
                }
                _ => {
                    self.header(path, false);
                    self.line(&Entry { key: "records".into(), node: rule.node.clone() });
                }
            }
            path.pop();
        }
    }

    fn header(&mut self, path: &[String], array: bool) {
        if !self.out.is_empty() {
            self.out.push('\n');
        }
        let (open, close) = if array { ("[[", "]]") } else { ("[", "]") };
        self.out.push_str(open);
        self.out.push_str(&joined(path));
        self.out.push_str(close);
        self.out.push('\n');
    }

    fn line(&mut self, entry: &Entry) {
        let key = key(&entry.key);
        let mut line = format!("{key} = {}", inline(&entry.node));
        if let Value::Array(items) = &entry.node.value
            && line.len() > INLINE_ARRAY
        {
            line = format!("{key} = [\n");
            for item in items {
                line.push_str("    ");
                line.push_str(&inline(item));
                line.push_str(",\n");
            }
            line.push(']');
        }
        self.out.push_str(&line);
        self.out.push('\n');
    }
}

/// Returns `true` if an item of `into` contains rules, which inline tables would hide.
fn has_sections(node: &Node) -> bool {
    let Value::Array(items) = &node.value else { return false };
    items.iter().any(|item| ["save", "field", "group", "list", "into"].iter().any(|key| item.has(key)))
}

fn joined(path: &[String]) -> String {
    path.iter().map(|part| key(part)).collect::<Vec<_>>().join(".")
}

/// Writes a key, quoted if necessary.
pub(crate) fn key(name: &str) -> String {
    let bare = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'-';
    if !name.is_empty() && name.bytes().all(bare) { name.to_owned() } else { quoted(name) }
}

/// Writes a string in the most legible quotes: literal ones if it contains a quote or backslash.
pub(crate) fn quoted(text: &str) -> String {
    let control = |char: char| char.is_control() && char != '\t';
    if text.contains(['"', '\\']) && !text.contains('\'') && !text.contains(control) {
        return format!("'{text}'");
    }
    let mut quoted = String::with_capacity(text.len() + 2);
    quoted.push('"');
    for char in text.chars() {
        match char {
            '"' => quoted.push_str("\\\""),
            '\\' => quoted.push_str("\\\\"),
            '\n' => quoted.push_str("\\n"),
            '\r' => quoted.push_str("\\r"),
            '\t' => quoted.push_str("\\t"),
            // C1 controls are allowed unescaped, but nobody sees them.
            char if char.is_control() => quoted.push_str(&format!("\\u{:04X}", char as u32)),
            char => quoted.push(char),
        }
    }
    quoted.push('"');
    quoted
}

pub(crate) fn inline(node: &Node) -> String {
    match &node.value {
        Value::String(text) => quoted(text),
        Value::Integer(number) => number.to_string(),
        Value::Float(number) => format!("{number:?}"),
        Value::Boolean(value) => value.to_string(),
        Value::Datetime(time) => bare_time(time).unwrap_or_else(|| quoted(time)),
        Value::Null => quoted(""),
        Value::Array(items) => format!("[{}]", items.iter().map(inline).collect::<Vec<_>>().join(", ")),
        Value::Table(entries) if entries.is_empty() => "{}".to_owned(),
        Value::Table(entries) => {
            let pairs = entries.iter().map(|entry| format!("{} = {}", key(&entry.key), inline(&entry.node)));
            format!("{{ {} }}", pairs.collect::<Vec<_>>().join(", "))
        }
    }
}

/// Writes a time without quotes, if TOML can express exactly this text.
fn bare_time(time: &str) -> Option<String> {
    let bare = parse_time(time)?.to_string();
    (bare == time).then_some(bare)
}

/// Parses a date, with or without time and offset.
pub(crate) fn parse_time(time: &str) -> Option<toml_edit::Datetime> {
    time.parse().ok().filter(|time: &toml_edit::Datetime| time.date.is_some())
}
