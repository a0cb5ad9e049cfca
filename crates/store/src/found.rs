//! Extraction results to be stored: a page, and the records found on it with their places.

use std::sync::Arc;

use crate::data::{Layout, Value};

/// The result of extracting a page.
#[derive(Debug, Clone, Default)]
pub struct Page {
    /// Name that identifies the page across runs: its address, or the file's name.
    pub name: String,
    /// Hash of its content ([`content_hash`]).
    pub hash: String,
    /// Layouts of its lists.
    pub layouts: Arc<[Layout]>,
    /// Records of each layout, in page order.
    pub lists: Vec<Vec<Found>>,
    /// For each layout, the number of elements that are built like its records and are none. Empty if they were not
    /// counted.
    pub left_out: Vec<u64>,
}

/// A record found on a page.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Found {
    /// Place of the record on the page.
    pub place: Place,
    /// One value for each column.
    pub values: Vec<FoundValue>,
    /// Records of each inner list.
    pub lists: Vec<Vec<Found>>,
}

/// A value found on a page, or its absence.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct FoundValue {
    /// The value; [`Value::Null`] if there is none or it cannot be read as its kind.
    pub value: Value,
    /// The text as it stands on the page, if it differs from the value.
    pub raw: Option<String>,
    /// Place of the value on the page.
    pub place: Option<Place>,
}

impl FoundValue {
    /// Reports whether a value or text was found.
    pub fn is_found(&self) -> bool {
        self.value != Value::Null || self.raw.as_ref().is_some_and(|raw| !raw.is_empty())
    }

    /// Returns the text as it stands on the page.
    pub fn text(&self) -> Option<&str> {
        match (&self.raw, &self.value) {
            (Some(raw), _) => Some(raw),
            (None, Value::Text(text) | Value::Number(text) | Value::Money { amount: text, .. }) => Some(text),
            (None, Value::Null) => None,
        }
    }
}

/// A place on a page.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Place {
    /// XPath; for a value inside its record, relative to the record.
    pub path: String,
    /// Byte range in the decoded source, if the node has one.
    pub span: Option<(u32, u32)>,
}

/// Returns the hash of a page's content.
pub fn content_hash(bytes: &[u8]) -> String {
    format!("{:032x}", xxhash_rust::xxh3::xxh3_128(bytes))
}
