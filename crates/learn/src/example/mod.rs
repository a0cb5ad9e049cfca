//! Example: point at the fields of one record, and get them all.
//!
//! A person shows the fields of one record, by their text, by XPath or by attribute. [`learn`] finds the places that are
//! meant (`point`), the record around them and its like (`records`), where its fields stand in each of these (`follow`),
//! and writes the wrapper that finds them again (`crate::induce`). On a page that shows a single record, the record is
//! the page (`page`).
//!
//! Paper: D. Nikovski, A. Esenther, A. Baba, "Semi-Supervised Information Extraction From Variable-Length Web-Page Lists"
//! (2009), section 3.

mod error;
mod follow;
mod list;
mod page;
mod point;
mod records;

use windrow_dom::Document;
use windrow_wrapper::{Learned, Locator, Rule, Wrapper};

pub use self::error::{Candidate, Error, Note};
use self::point::Found;
use self::records::Shown;
use crate::outline::{Outline, Unseen};
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
    if request.examples.is_empty() {
        return Err(Error::NoExample);
    }
    let found: Vec<Found> =
        request.examples.iter().map(|example| point::resolve(&readings, example)).collect::<Result<_, _>>()?;
    let mut notes = Vec::new();
    let list = match request.shape {
        Shape::Page => None,
        Shape::Auto | Shape::List => list(&readings, &found, request, &mut notes)?,
    };
    let rule = match list {
        Some(list) => list,
        None => {
            if request.shape == Shape::Auto {
                notes.push(Note::SingleRecord);
            }
            Rule::list("records", Locator::xpath("/html")).with(page::rules(&readings, &wanted(&found)))
        }
    };
    let learned = Some(Learned { by: "example".to_owned(), from: Vec::new(), at: None });
    Ok(Lesson { wrapper: Wrapper { learned, rules: vec![rule], ..Wrapper::default() }, notes })
}

/// The list that the examples are records of, if there is one.
fn list(
    readings: &[Reading<'_>],
    found: &[Found],
    request: &Request,
    notes: &mut Vec<Note>,
) -> Result<Option<Rule>, Error> {
    // The list is learned on the page of the first example.
    let page = found[0].page;
    let here: Vec<&Found> = found.iter().filter(|found| found.page == page).collect();
    let reading = &readings[page];
    let outline = Outline::new(reading.document, Unseen::LeftOut);
    let shown: Vec<Shown> =
        here.iter().map(|found| found.fields.iter().map(|field| field.spot.place.node).collect()).collect();
    let sets = records::find(&outline, reading, &shown, None);
    let Some(records) = sets.first() else {
        return match request.shape {
            Shape::List => Err(Error::NoList { path: here[0].fields[0].spot.place.path(reading.document) }),
            _ => Ok(None),
        };
    };
    Ok(list::rule(&outline, reading, &here, records, notes))
}

/// The places of each field.
fn wanted(found: &[Found]) -> Vec<Wanted> {
    let mut fields: Vec<Wanted> = Vec::new();
    for example in found {
        for field in &example.fields {
            // What stands near the other fields is meant first.
            let mut spots = vec![field.spot.clone()];
            spots.extend(field.all.iter().filter(|spot| **spot != field.spot).cloned());
            match fields.iter_mut().find(|wanted| wanted.name == field.name) {
                Some(wanted) => wanted.spots.push((example.page, spots)),
                None => fields.push(Wanted { name: field.name.clone(), spots: vec![(example.page, spots)] }),
            }
        }
    }
    fields
}
