//! Keys: the columns that identify a record within its list. Each wrapper has its own key, since two wrappers that fill
//! the same table may find different fields.

/// The columns that identify a record within a table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Key {
    /// Labels of the columns; empty if records are identified only by their position on the page.
    pub(crate) labels: Vec<String>,
    /// Source of the key.
    pub(crate) origin: Origin,
}

impl Key {
    /// Returns a key that identifies records by their position.
    pub(crate) fn place() -> Key {
        Key { labels: Vec::new(), origin: Origin::Text }
    }
}

/// Source of a key.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Origin {
    /// Declared by the wrapper. Valid across pages.
    Declared,
    /// Derived from distinct addresses in the records. Valid across pages.
    Address,
    /// Derived from distinct texts in the records. Valid within one page.
    Text,
}

impl Origin {
    pub(crate) fn name(self) -> &'static str {
        match self {
            Origin::Declared => "declared",
            Origin::Address => "address",
            Origin::Text => "text",
        }
    }

    pub(crate) fn from_name(name: &str) -> Option<Origin> {
        [Origin::Declared, Origin::Address, Origin::Text].into_iter().find(|origin| origin.name() == name)
    }
}
