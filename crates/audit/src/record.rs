//! Records as they come in: plain values, with where they were found.

/// One extracted record: E in the rules.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Record {
    /// The values by the names of their fields. A name may stand several times: then the field has several values, and a
    /// condition holds as far as it holds for one of them.
    pub fields: Vec<(String, Field)>,
    /// The page: its address.
    pub page: String,
    /// The record on the page: an XPath.
    pub path: String,
    /// What the page says there.
    pub snippet: String,
}

/// One value of a record.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Field {
    /// As extracted.
    pub text: String,
    /// As a number, if it was read as one.
    pub number: Option<f64>,
    /// As a day, if it was read as one: `2026-11-17`, perhaps with a time behind it.
    pub date: Option<String>,
    /// The value on the page: an XPath.
    pub path: Option<String>,
    /// What the page says there.
    pub snippet: Option<String>,
}

impl Field {
    /// A text.
    pub fn text(text: impl Into<String>) -> Field {
        Field { text: text.into(), ..Field::default() }
    }
}

impl Record {
    /// A record on a page.
    pub fn new(page: impl Into<String>) -> Record {
        Record { page: page.into(), ..Record::default() }
    }

    /// With one more value.
    #[must_use]
    pub fn with(mut self, name: impl Into<String>, field: Field) -> Record {
        self.fields.push((name.into(), field));
        self
    }

    /// The values of a field.
    pub fn values<'a>(&'a self, name: &'a str) -> impl Iterator<Item = &'a Field> {
        self.fields.iter().filter(move |(field, _)| field == name).map(|(_, field)| field)
    }
}
