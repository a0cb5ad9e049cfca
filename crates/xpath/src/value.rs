//! The four types of XPath values, and the conversions between them.

use std::borrow::Cow;

use windrow_dom::Document;

use crate::node::Node;
use crate::number;

/// The value of an expression.
#[derive(Debug, Clone, PartialEq)]
pub enum Value {
    /// Nodes, in document order without duplicates.
    Nodes(Vec<Node>),
    /// `true` or `false`.
    Boolean(bool),
    /// An IEEE double.
    Number(f64),
    /// A string.
    String(String),
}

impl Value {
    /// Converts to a boolean, as `boolean()` does: `true` for a non-empty node-set or string, and for a number other
    /// than zero and NaN.
    pub fn to_boolean(&self) -> bool {
        match self {
            Value::Nodes(nodes) => !nodes.is_empty(),
            Value::Boolean(value) => *value,
            Value::Number(value) => *value != 0.0 && !value.is_nan(),
            Value::String(value) => !value.is_empty(),
        }
    }

    /// Converts to a number, as `number()` does.
    pub fn to_number(&self, document: &Document) -> f64 {
        match self {
            Value::Nodes(_) => number::parse(&self.to_text(document)),
            Value::Boolean(value) => f64::from(u8::from(*value)),
            Value::Number(value) => *value,
            Value::String(value) => number::parse(value),
        }
    }

    /// Converts to a string, as `string()` does; a node-set becomes the string-value of its first node.
    pub fn to_text<'a>(&'a self, document: &'a Document) -> Cow<'a, str> {
        match self {
            Value::Nodes(nodes) => nodes.first().map_or(Cow::Borrowed(""), |node| node.string_value(document)),
            Value::Boolean(value) => Cow::Borrowed(if *value { "true" } else { "false" }),
            Value::Number(value) => number::format(*value),
            Value::String(value) => Cow::Borrowed(value),
        }
    }

    /// Returns the nodes, if it is a node-set.
    pub fn as_nodes(&self) -> Option<&[Node]> {
        match self {
            Value::Nodes(nodes) => Some(nodes),
            _ => None,
        }
    }

    /// Returns `node-set`, `boolean`, `number` or `string`.
    pub fn type_name(&self) -> &'static str {
        match self {
            Value::Nodes(_) => "node-set",
            Value::Boolean(_) => "boolean",
            Value::Number(_) => "number",
            Value::String(_) => "string",
        }
    }
}

impl From<bool> for Value {
    fn from(value: bool) -> Value {
        Value::Boolean(value)
    }
}

impl From<f64> for Value {
    fn from(value: f64) -> Value {
        Value::Number(value)
    }
}

impl From<&str> for Value {
    fn from(value: &str) -> Value {
        Value::String(value.to_owned())
    }
}

impl From<String> for Value {
    fn from(value: String) -> Value {
        Value::String(value)
    }
}

impl From<Vec<Node>> for Value {
    /// Creates a node-set from nodes in any order, possibly with duplicates.
    fn from(mut nodes: Vec<Node>) -> Value {
        nodes.sort_unstable();
        nodes.dedup();
        Value::Nodes(nodes)
    }
}
