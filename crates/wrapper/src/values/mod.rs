//! Parses the texts that people write to typed values.
//!
//! A page says "12. März 2024", "1.234,56" or "CHF 1'200.–"; a record should say `2024-03-12`, `1234.56` and 1200
//! CHF. Each kind of value has a `parse` (the whole text is the value, possibly with a label around it) and a `find`
//! (the value is somewhere in free text; its byte range is returned, too). Both return `None` rather than guess.
//!
//! Everything here is a pure function of the text and the [`Hints`]: no clock, no locale, no I/O.
//!
//! # Cost
//!
//! Linear in the text, of which only the first [`LIMIT`] bytes are read. Keyword tables are built once, on first use.

pub mod date;
mod fold;
pub mod infer;
pub mod money;
pub mod number;
pub mod text;
mod token;
mod words;

#[cfg(test)]
mod tests;

/// Number of bytes of a text that are read: no value that people write is longer, and hostile pages stay cheap.
pub const LIMIT: usize = 4096;

/// The type of a field's value.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Type {
    /// Visible text.
    #[default]
    String,
    /// A URL, resolved against the page's address.
    Url,
    /// A calendar date, possibly with a time.
    Date,
    /// A decimal number.
    Number,
    /// An amount with a currency.
    Money,
    /// HTML as it stands on the page.
    Html,
}

impl Type {
    /// All types, in the order of their documentation.
    pub const ALL: [Type; 6] = [Type::String, Type::Url, Type::Date, Type::Number, Type::Money, Type::Html];

    /// Returns the name used in wrapper files.
    pub fn name(self) -> &'static str {
        match self {
            Type::String => "string",
            Type::Url => "url",
            Type::Date => "date",
            Type::Number => "number",
            Type::Money => "money",
            Type::Html => "html",
        }
    }

    /// Returns the type with this name.
    pub fn from_name(name: &str) -> Option<Type> {
        Type::ALL.into_iter().find(|kind| kind.name() == name)
    }
}

/// Properties of a page that help to parse its values.
#[derive(Debug, Clone, Default, PartialEq)]
#[non_exhaustive]
pub struct Hints {
    /// Language of the page (`html lang`), a BCP 47 tag. The primary subtag decides; the region only where it
    /// matters.
    pub language: Option<String>,
    /// Time when the page was made or fetched, for "yesterday", "3 hours ago", and dates without a year.
    pub reference: Option<date::Date>,
    /// `true` if `4/7/2013` is 4 July; takes precedence over the language.
    pub day_first: Option<bool>,
    /// Country of the page's address (`.cl`): two capital letters as in ISO 3166.
    pub country: Option<String>,
    /// Currency that the page declares for its prices in structured data, an ISO 4217 code.
    pub currency: Option<String>,
}

impl Hints {
    /// Sets the page's language.
    #[must_use]
    pub fn with_language(mut self, language: impl Into<String>) -> Hints {
        self.language = Some(language.into());
        self
    }

    /// Sets the time when the page was made or fetched.
    #[must_use]
    pub fn with_reference(mut self, reference: date::Date) -> Hints {
        self.reference = Some(reference);
        self
    }

    /// Sets the order of day and month in dates of digits.
    #[must_use]
    pub fn with_day_first(mut self, day_first: bool) -> Hints {
        self.day_first = Some(day_first);
        self
    }

    /// Sets the country of the page's address.
    #[must_use]
    pub fn with_country(mut self, country: impl Into<String>) -> Hints {
        self.country = Some(country.into());
        self
    }

    /// Sets the currency that the page declares.
    #[must_use]
    pub fn with_currency(mut self, currency: impl Into<String>) -> Hints {
        self.currency = Some(currency.into());
        self
    }

    /// Returns the primary subtag, as written.
    fn primary(&self) -> &str {
        self.subtags().next().unwrap_or("")
    }

    /// Returns the region subtag of the language (two letters), as written; without one, the country of the page's
    /// address.
    fn region(&self) -> &str {
        let subtag = self.language_region();
        if subtag.is_empty() { self.country.as_deref().unwrap_or("") } else { subtag }
    }

    /// Returns the region subtag of the language (two letters), as written.
    fn language_region(&self) -> &str {
        self.subtags().skip(1).find(|subtag| subtag.len() == 2).unwrap_or("")
    }

    fn subtags(&self) -> impl Iterator<Item = &str> {
        self.language.as_deref().unwrap_or("").trim().split(['-', '_'])
    }
}

/// Returns the part of a text that is read.
fn head(text: &str) -> &str {
    if text.len() <= LIMIT { text } else { &text[..text.floor_char_boundary(LIMIT)] }
}
