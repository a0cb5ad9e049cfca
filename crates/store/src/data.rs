//! The records and values that the store and its exports work with.
//!
//! A [`Layout`] describes the records of one list, a [`Record`] is one of them. This module knows neither pages' trees
//! nor wrappers; callers convert.

/// Description of the records of one list.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Layout {
    /// Label of the list, as in the wrapper. Fields of the page itself form a list of one record, `page`.
    pub label: String,
    /// Labels of the columns that identify a record, if the wrapper declares them.
    pub key: Vec<String>,
    /// Columns of a record.
    pub columns: Vec<Column>,
    /// Lists inside a record.
    pub lists: Vec<Layout>,
}

/// A value that each record of a list may have.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Column {
    /// Label, as in the wrapper; for a value in a group, the labels joined by dots.
    pub label: String,
    /// Kind of the value.
    pub kind: Kind,
    /// Short description of the rule that finds it.
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
    /// A date, optionally with a time, in ISO 8601 with the precision given on the page.
    Date,
    /// A decimal number.
    Number,
    /// An amount with a currency.
    Money,
    /// Markup.
    Html,
}

impl Kind {
    /// All kinds.
    pub const ALL: [Kind; 6] = [Kind::Text, Kind::Url, Kind::Date, Kind::Number, Kind::Money, Kind::Html];

    /// Returns the kind's name in the store's catalogue.
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

    /// Returns the kind with this name.
    pub fn from_name(name: &str) -> Option<Kind> {
        Kind::ALL.into_iter().find(|kind| kind.name() == name)
    }
}

/// A value.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default)]
pub enum Value {
    /// No value, or a text that cannot be read as its kind.
    #[default]
    Null,
    /// A text, an address, a date in ISO 8601, or markup.
    Text(String),
    /// Decimal digits, with optional sign and decimal point.
    Number(String),
    /// An amount.
    Money {
        /// Decimal digits, with optional sign and decimal point.
        amount: String,
        /// ISO 4217 code, if known.
        currency: Option<String>,
    },
}

/// A record as read from the store.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Record {
    /// Number of the record in its table.
    pub id: i64,
    /// Name of the page that last showed it.
    pub page: String,
    /// Time it was first seen, in RFC 3339.
    pub first: String,
    /// Time it was last seen.
    pub seen: String,
    /// Time since which it is gone.
    pub gone: Option<String>,
    /// Time at which its values or inner records last changed after it was first seen; `None` if they never did.
    pub changed: Option<String>,
    /// One value for each column of the layout.
    pub values: Vec<Value>,
    /// Records of each list of the layout.
    pub lists: Vec<Vec<Record>>,
}
