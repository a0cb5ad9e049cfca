//! What is kept: records with their values, as the store and its exports see them.
//!
//! A [`Layout`] says what the records of one list look like, a [`Record`] is one of them. Nothing here knows of pages'
//! trees or of wrappers: whoever has those converts.

/// What the records of a list look like.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Layout {
    /// The list's label, as the wrapper has it. Fields of the page itself are a list of one record, `page`.
    pub label: String,
    /// The labels of the columns that tell one record from another, if the wrapper says so.
    pub key: Vec<String>,
    /// The values of a record.
    pub columns: Vec<Column>,
    /// The lists inside a record.
    pub lists: Vec<Layout>,
}

/// A value that each record of a list has or lacks.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Column {
    /// Its label, as the wrapper has it; of a value in a group, the labels joined by a dot.
    pub label: String,
    /// What kind of value it is.
    pub kind: Kind,
    /// How it is found, in a few words.
    pub rule: String,
}

/// Kinds of values.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Kind {
    /// Text.
    #[default]
    Text,
    /// An address.
    Url,
    /// A date, maybe with a time, in ISO 8601 at the precision that the page has.
    Date,
    /// A decimal number.
    Number,
    /// An amount with a currency.
    Money,
    /// Markup.
    Html,
}

impl Kind {
    /// All of them.
    pub const ALL: [Kind; 6] = [Kind::Text, Kind::Url, Kind::Date, Kind::Number, Kind::Money, Kind::Html];

    /// Its name in the store's catalogue.
    pub fn name(self) -> &'static str {
        match self {
            Kind::Text => "text",
            Kind::Url => "url",
            Kind::Date => "date",
            Kind::Number => "number",
            Kind::Money => "money",
            Kind::Html => "html",
        }
    }

    /// The kind of that name.
    pub fn from_name(name: &str) -> Option<Kind> {
        Kind::ALL.into_iter().find(|kind| kind.name() == name)
    }
}

/// A value.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default)]
pub enum Value {
    /// Nothing, or a text that is not of its kind.
    #[default]
    Null,
    /// A text, an address, a date in ISO 8601, or markup.
    Text(String),
    /// Decimal digits, with sign and point.
    Number(String),
    /// An amount.
    Money {
        /// Decimal digits, with sign and point.
        amount: String,
        /// The ISO 4217 code, if it is known.
        currency: Option<String>,
    },
}

/// A record as it is read from the store.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Record {
    /// Its number in its table.
    pub id: i64,
    /// The name of the page that showed it last.
    pub page: String,
    /// When it was first seen, in RFC 3339.
    pub first: String,
    /// When it was last seen.
    pub seen: String,
    /// Since when it is gone.
    pub gone: Option<String>,
    /// When its values, or records inside it, last changed since it was first seen; none if they never did.
    pub changed: Option<String>,
    /// One for each column of the layout.
    pub values: Vec<Value>,
    /// One for each list of the layout: the records in it.
    pub lists: Vec<Vec<Record>>,
}
