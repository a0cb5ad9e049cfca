//! Reads tables and scalars by key, and reports those that are wrong.

use windrow_xpath::Span;

use super::{Reader, is_name};
use crate::error::WrapperError;
use crate::files::keys::{self, TableKind};
use crate::files::node::{Entry, Node, Value};
use crate::wrapper::Text;

/// Largest number of errors reported; nobody reads more, and a hostile file has millions.
const MAX_ERRORS: usize = 1000;

/// A table whose keys have been checked.
#[derive(Clone, Copy)]
pub(super) struct Table<'a> {
    pub(super) entries: &'a [Entry],
    pub(super) span: Option<Span>,
    pub(super) place: TableKind,
}

impl<'a> Table<'a> {
    pub(super) fn get(&self, key: &str) -> Option<&'a Node> {
        self.entries.iter().find(|entry| &*entry.key == key).map(|entry| &entry.node)
    }
}

impl Reader {
    /// Returns the text for a key of the table, if there is one.
    pub(super) fn text(&mut self, table: &Table<'_>, key: &str) -> Option<Text> {
        table.get(key).and_then(|node| self.string(key, node))
    }

    pub(super) fn string(&mut self, key: &str, node: &Node) -> Option<Text> {
        match &node.value {
            Value::String(text) => Some(text.clone()),
            _ => {
                self.wrong(key, "a string", node, None);
                None
            }
        }
    }

    pub(super) fn boolean(&mut self, key: &str, node: &Node) -> bool {
        if let Value::Boolean(value) = node.value {
            return value;
        }
        self.wrong(key, "true or false", node, None);
        false
    }

    pub(super) fn number(&mut self, table: &Table<'_>, key: &str) -> Option<u32> {
        let node = table.get(key)?;
        let number = match node.value {
            Value::Integer(number) => u32::try_from(number).ok(),
            _ => None,
        };
        if number.is_none() {
            self.wrong(key, "a whole number from 0", node, None);
        }
        number
    }

    pub(super) fn name(&mut self, name: &Text) -> Text {
        if !is_name(name) {
            self.push(WrapperError::BadName { name: name.value.clone(), span: name.span });
        }
        name.clone()
    }

    /// Reads a table of this kind; unknown keys are reported.
    pub(super) fn table<'a>(&mut self, key: &str, node: &'a Node, place: TableKind) -> Option<Table<'a>> {
        let Some(entries) = node.entries() else {
            self.wrong(key, "a table", node, None);
            return None;
        };
        for entry in entries {
            if self.errors.len() < MAX_ERRORS && !keys::valid_keys(place).any(|known| known == &*entry.key) {
                self.errors.push(WrapperError::UnknownKey {
                    key: entry.key.value.clone(),
                    place: place.name(),
                    hint: keys::hint(place, entry),
                    span: entry.key.span.or(entry.node.span),
                });
            }
        }
        Some(Table { entries, span: node.span, place })
    }

    pub(super) fn missing(&mut self, key: &'static str, table: &Table<'_>, hint: &str) {
        let hint = Some(hint.to_owned());
        self.push(WrapperError::MissingKey { key, place: table.place.name(), hint, span: table.span });
    }

    pub(super) fn conflict(&mut self, first: &str, second: &Entry, hint: &str) {
        self.push(WrapperError::ConflictingKeys {
            first: first.to_owned(),
            second: second.key.value.clone(),
            hint: Some(hint.to_owned()),
            span: second.key.span,
        });
    }

    pub(super) fn wrong(&mut self, key: &str, expected: &str, node: &Node, hint: Option<&str>) {
        self.push(WrapperError::WrongValue {
            key: key.to_owned(),
            expected: expected.to_owned(),
            found: node.describe(),
            hint: hint.map(str::to_owned),
            span: node.span,
        });
    }

    pub(super) fn push(&mut self, error: WrapperError) {
        if self.errors.len() < MAX_ERRORS {
            self.errors.push(error);
        }
    }
}
