//! Records to be audited: plain values with their places.

/// An extracted record: `E` in the rules.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Record {
    /// Values by field name. A name may occur several times: the field then has several values, and a condition holds
    /// if it holds for one of them.
    pub fields: Vec<(String, Field)>,
    /// Address of the page.
    pub page: String,
    /// XPath of the record on the page.
    pub path: String,
    /// Excerpt of the page at the record.
    pub snippet: String,
}

/// One value of a record.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Field {
    /// Text as extracted.
    pub text: String,
    /// Number, if the value was parsed as one.
    pub number: Option<f64>,
    /// Day, if the value was parsed as one: `2026-11-17`, optionally followed by a time.
    pub date: Option<String>,
    /// XPath of the value on the page.
    pub path: Option<String>,
    /// Excerpt of the page at the value.
    pub snippet: Option<String>,
}

impl Field {
    /// Creates a value from a text.
    pub fn text(text: impl Into<String>) -> Field {
        Field { text: text.into(), ..Field::default() }
    }
}

impl Record {
    /// Creates a record of a page.
    pub fn new(page: impl Into<String>) -> Record {
        Record { page: page.into(), ..Record::default() }
    }

    /// Adds a value.
    #[must_use]
    pub fn with(mut self, name: impl Into<String>, field: Field) -> Record {
        self.fields.push((name.into(), field));
        self
    }

    /// Returns the values of a field.
    pub fn values<'a>(&'a self, name: &'a str) -> impl Iterator<Item = &'a Field> {
        self.fields.iter().filter(move |(field, _)| field == name).map(|(_, field)| field)
    }
}
