//! What is to be kept: a page, and the records that were found on it, each with its place.

use std::sync::Arc;

use crate::data::{Layout, Value};

/// A page that was extracted from.
#[derive(Debug, Clone, Default)]
pub struct Page {
    /// What it is called from one day to the next: its address, or the file's name.
    pub name: String,
    /// What its content hashes to ([`content_hash`]).
    pub hash: String,
    /// What its lists look like.
    pub layouts: Arc<[Layout]>,
    /// For each layout the records that were found, in their order.
    pub lists: Vec<Vec<Found>>,
}

/// A record that was found.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Found {
    /// Where it stands.
    pub place: Place,
    /// One for each column.
    pub values: Vec<FoundValue>,
    /// One for each list.
    pub lists: Vec<Vec<Found>>,
}

/// A value that was found, or is missing.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct FoundValue {
    /// The value; [`Value::Null`] if there is none, or it is not of its kind.
    pub value: Value,
    /// The text as it stands on the page, if the value is not that.
    pub raw: Option<String>,
    /// Where it stands.
    pub place: Option<Place>,
}

impl FoundValue {
    /// Whether there was something.
    pub fn is_found(&self) -> bool {
        self.value != Value::Null || self.raw.as_ref().is_some_and(|raw| !raw.is_empty())
    }

    /// The text as it stands on the page.
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
    /// Its XPath; of a value, from its record on if it is inside that.
    pub path: String,
    /// Its bytes in the decoded source, if it has any.
    pub span: Option<(u32, u32)>,
}

/// What the content of a page hashes to.
pub fn content_hash(bytes: &[u8]) -> String {
    format!("{:032x}", xxhash_rust::xxh3::xxh3_128(bytes))
}
