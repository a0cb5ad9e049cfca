//! Typed values out of the texts people write.
//!
//! A page says "12. März 2024", "1.234,56" or "CHF 1'200.–"; a record should say `2024-03-12`, `1234.56` and
//! 1200 CHF. Each kind of value has a `parse` (the text is the value, with a little around it) and a `find` (the value
//! somewhere in free text, with the bytes it takes). Both return `None` rather than guess when there is none.
//!
//! Everything here is a pure function of the text and the [`Hints`]: no clock, no locale, no I/O.
//!
//! # Cost
//!
//! Linear in the text, and only its first [`LIMIT`] bytes are looked at. Keyword tables are built once, on first use.

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

/// How much of a text is looked at: no value that people write is longer, and hostile pages stay cheap.
pub const LIMIT: usize = 4096;

/// The type of a field's value.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Type {
    /// Text as a person sees it.
    #[default]
    String,
    /// An address, resolved against the page's.
    Url,
    /// A calendar date, maybe with a time.
    Date,
    /// A decimal number.
    Number,
    /// An amount with a currency.
    Money,
    /// Markup, as the page has it.
    Html,
}

impl Type {
    /// All types, in the order of their documentation.
    pub const ALL: [Type; 6] = [Type::String, Type::Url, Type::Date, Type::Number, Type::Money, Type::Html];

    /// The name used in wrapper files.
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

    /// The type of that name.
    pub fn from_name(name: &str) -> Option<Type> {
        Type::ALL.into_iter().find(|kind| kind.name() == name)
    }
}

/// What the page tells about how to read its values.
#[derive(Debug, Clone, Default, PartialEq)]
#[non_exhaustive]
pub struct Hints {
    /// The page's language (`html lang`), a BCP 47 tag. The primary subtag decides; the region only where it matters.
    pub language: Option<String>,
    /// When the page was made or fetched: for "yesterday", "3 hours ago", and dates without a year.
    pub reference: Option<date::Date>,
    /// Whether `4/7/2013` is 4 July; asked before the language.
    pub day_first: Option<bool>,
    /// The country of the page's address (`.cl`), two capital letters as in ISO 3166.
    pub country: Option<String>,
    /// The currency that the page declares for its prices in markup for machines, an ISO 4217 code.
    pub currency: Option<String>,
}

impl Hints {
    /// Sets the page's language.
    #[must_use]
    pub fn with_language(mut self, language: impl Into<String>) -> Hints {
        self.language = Some(language.into());
        self
    }

    /// Sets when the page was made or fetched.
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

    /// The primary subtag, as written.
    fn primary(&self) -> &str {
        self.subtags().next().unwrap_or("")
    }

    /// The region subtag of the language (two letters), as written; without one, the country of the page's address.
    fn region(&self) -> &str {
        let subtag = self.language_region();
        if subtag.is_empty() { self.country.as_deref().unwrap_or("") } else { subtag }
    }

    /// The region subtag of the language (two letters), as written.
    fn language_region(&self) -> &str {
        self.subtags().skip(1).find(|subtag| subtag.len() == 2).unwrap_or("")
    }

    fn subtags(&self) -> impl Iterator<Item = &str> {
        self.language.as_deref().unwrap_or("").trim().split(['-', '_'])
    }
}

/// The part of a text that is looked at.
fn head(text: &str) -> &str {
    if text.len() <= LIMIT { text } else { &text[..text.floor_char_boundary(LIMIT)] }
}
