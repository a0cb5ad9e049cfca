//! Example: point at the fields of one record, and get them all.
//!
//! A person shows the fields of one record, by their text, by XPath or by attribute. [`learn`] finds the places that are
//! meant (`point`), the record around them and its like (`records`), where its fields stand in each of these (`align`),
//! and writes the wrapper that finds them again (`crate::induce`). On a page that shows a single record, the record is
//! the page (`page`).
//!
//! Paper: D. Nikovski, A. Esenther, A. Baba, "Semi-Supervised Information Extraction From Variable-Length Web-Page Lists"
//! (2009), section 3.

mod error;
mod page;

use windrow_dom::Document;
use windrow_wrapper::{Learned, Rule, Wrapper};

pub use self::error::{Candidate, Error, Note};
use crate::reading::{Reading, Spot};

/// What a person shows.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Request {
    /// The records shown; one is enough on most pages.
    pub examples: Vec<Example>,
    /// What must not come out.
    pub not: Vec<Not>,
    /// Whether there is a list at all.
    pub shape: Shape,
    /// The node that is the record, by XPath: the paper's interactive variant.
    pub record: Option<String>,
}

/// One record: where its fields are.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Example {
    /// Its fields, each named once.
    pub fields: Vec<Pointed>,
}

/// One field and where it is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Pointed {
    /// The field's name.
    pub field: String,
    /// Where it is.
    pub at: Pointer,
}

/// A way of pointing at a value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Pointer {
    /// By its visible text, or a part of that.
    Text(String),
    /// By XPath.
    XPath(String),
    /// By the attribute of another field's element, or of the nearest element around it that has such an attribute.
    Attribute {
        /// The attribute's name.
        name: String,
        /// The other field's.
        of: String,
    },
}

/// A value that must not come out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Not {
    /// The field that does not have it; if none, what holds it is no record.
    pub field: Option<String>,
    /// Where it is.
    pub at: Pointer,
}

/// Whether a page is a list.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Shape {
    /// A list if there is a second record, else the page itself.
    #[default]
    Auto,
    /// A list.
    List,
    /// The record is the page.
    Page,
}

/// What was learned.
#[derive(Debug, Clone, PartialEq)]
pub struct Lesson {
    /// The wrapper.
    pub wrapper: Wrapper,
    /// What to know about it.
    pub notes: Vec<Note>,
}

/// A field, and for each example where it may be.
#[derive(Debug, Clone)]
pub(crate) struct Wanted {
    pub(crate) name: String,
    /// By example: the page's number, and the places, the best first.
    pub(crate) spots: Vec<(usize, Vec<Spot>)>,
}

/// Learns a wrapper from what is shown on these pages. An example belongs to the first page that has all its texts; pages
/// that no example belongs to only test the rules.
pub fn learn(pages: &[&Document], request: &Request) -> Result<Lesson, Error> {
    let readings: Vec<Reading<'_>> = pages.iter().map(|page| Reading::new(page)).collect();
    let mut fields: Vec<Wanted> = Vec::new();
    for example in &request.examples {
        for pointed in &example.fields {
            let spots = match &pointed.at {
                Pointer::Text(text) => readings[0].find(text),
                _ => Vec::new(),
            };
            if spots.is_empty() {
                continue;
            }
            fields.push(Wanted { name: pointed.field.clone(), spots: vec![(0, spots)] });
        }
    }
    let rules = page::rules(&readings, &fields);
    let list = Rule::list("records", windrow_wrapper::Locator::xpath("/html")).with(rules);
    let learned = Some(Learned { by: "example".to_owned(), from: Vec::new(), at: None });
    Ok(Lesson { wrapper: Wrapper { learned, rules: vec![list], ..Wrapper::default() }, notes: Vec::new() })
}
