//! A file as a tree of tables, arrays and scalars with their places; common to TOML and JSON.
//!
//! Both parsers build this tree and one reader interprets it; one writer builds it and both printers lay it out. Keys
//! keep the order of the file.

use windrow_xpath::Span;

use crate::wrapper::Text;

/// A value and its place.
#[derive(Debug, Clone)]
pub(crate) struct Node {
    pub(crate) value: Value,
    /// `None` if the value was not read from a file, or if no part of the file is the table itself: `[list.ads]`
    /// makes a table `list` that has no place.
    pub(crate) span: Option<Span>,
}

/// A value of a file.
#[derive(Debug, Clone)]
pub(crate) enum Value {
    String(Text),
    Integer(i64),
    Float(f64),
    Boolean(bool),
    /// A time as RFC 3339; only in TOML.
    Datetime(String),
    /// Only in JSON.
    Null,
    Array(Vec<Node>),
    Table(Vec<Entry>),
}

/// A key and its value.
#[derive(Debug, Clone)]
pub(crate) struct Entry {
    pub(crate) key: Text,
    pub(crate) node: Node,
}

impl Node {
    /// Creates a table.
    pub(crate) fn table(entries: Vec<Entry>) -> Node {
        Node { value: Value::Table(entries), span: None }
    }

    /// Returns the keys and values, if it is a table.
    pub(crate) fn entries(&self) -> Option<&[Entry]> {
        match &self.value {
            Value::Table(entries) => Some(entries),
            _ => None,
        }
    }

    /// Returns `true` if it is a table that contains this key.
    pub(crate) fn has(&self, key: &str) -> bool {
        self.entries().is_some_and(|entries| entries.iter().any(|entry| &*entry.key == key))
    }

    /// Describes the value, for messages.
    pub(crate) fn describe(&self) -> String {
        match &self.value {
            Value::String(text) if text.is_empty() => "an empty string".to_owned(),
            Value::String(_) => "a string".to_owned(),
            Value::Integer(number) => number.to_string(),
            Value::Float(number) => number.to_string(),
            Value::Boolean(value) => value.to_string(),
            Value::Datetime(_) => "a time".to_owned(),
            Value::Null => "null".to_owned(),
            Value::Array(items) if items.is_empty() => "an empty array".to_owned(),
            Value::Array(_) => "an array".to_owned(),
            Value::Table(_) => "a table".to_owned(),
        }
    }
}

impl Entry {
    /// Creates an entry that was not read from a file.
    pub(crate) fn new(key: impl Into<Text>, node: impl Into<Node>) -> Entry {
        Entry { key: key.into(), node: node.into() }
    }
}

impl From<Value> for Node {
    fn from(value: Value) -> Node {
        Node { value, span: None }
    }
}

impl From<&str> for Node {
    fn from(text: &str) -> Node {
        Value::String(text.into()).into()
    }
}

impl From<bool> for Node {
    fn from(value: bool) -> Node {
        Value::Boolean(value).into()
    }
}

impl From<u32> for Node {
    fn from(value: u32) -> Node {
        Value::Integer(value.into()).into()
    }
}

impl From<Vec<Node>> for Node {
    fn from(items: Vec<Node>) -> Node {
        Value::Array(items).into()
    }
}

/// Creates the text of a quoted or bare string at `span`: exact, and without its quotes, if nothing is escaped.
pub(crate) fn text(source: &str, value: &str, span: Option<Span>) -> Text {
    let Some(span) = span else { return value.into() };
    let written = source.get(span.range()).unwrap_or_default();
    for quote in ["\"\"\"", "'''", "\"", "'", ""] {
        let Some(inner) = written.strip_prefix(quote).and_then(|rest| rest.strip_suffix(quote)) else { continue };
        // A line break right after the opening quotes of a multi-line string is not part of it.
        let inner = if quote.len() == 3 { inner.trim_start_matches('\r').trim_start_matches('\n') } else { inner };
        if inner == value {
            let end = span.end - quote.len();
            return Text::at(value, Span::new(end - inner.len(), end), true);
        }
        break;
    }
    Text::at(value, span, false)
}
