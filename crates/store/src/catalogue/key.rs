//! What tells the records of a list from one another. Each wrapper has its own say: two that fill one table may find
//! different fields.

/// What tells the records of a table from one another.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Key {
    /// The labels of the columns; none if only the place among the page's records does.
    pub(crate) labels: Vec<String>,
    /// How it came about.
    pub(crate) origin: Origin,
}

impl Key {
    /// Records are told by their places.
    pub(crate) fn place() -> Key {
        Key { labels: Vec::new(), origin: Origin::Text }
    }
}

/// Who says so.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Origin {
    /// The wrapper. Good from page to page.
    Declared,
    /// The records: addresses that differ. Good from page to page.
    Address,
    /// The records: texts that differ. Good on one page.
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
