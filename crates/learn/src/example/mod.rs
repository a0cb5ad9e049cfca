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
mod fields;
mod follow;
mod list;
mod page;
mod point;
mod records;

use windrow_dom::{Document, NodeId};
use windrow_wrapper::{Learned, Locator, Rule, Wrapper};

pub use self::error::{Candidate, Error, Note};
use self::list::{Excluded, Sheet};
pub(crate) use self::page::rules as page_rules;
use self::point::Found;
pub(crate) use self::point::meet;
use self::records::{Records, Shown};
use crate::induce::label;
use crate::labels::{Labelled, Labels, Place};
use crate::outline::{Outline, Unseen};
use crate::reading::{Reading, Spot};

/// Steps of one path, at most.
const STEPS: usize = 64;

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
    /// The number of the page it is on; if none, the first that has all of it. A path is on many pages.
    pub page: Option<usize>,
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
    /// By XPath, and what is meant of the text there: the first part of it that reads so.
    Part {
        /// The element, text or attribute.
        xpath: String,
        /// The part.
        text: String,
    },
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
    /// The number of the page it is on; any, if none.
    pub page: Option<usize>,
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
    /// What it was learned from: where the fields are in all records of the list, or those that were shown if the record
    /// is the page.
    pub labels: Labels,
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
        Shape::Auto | Shape::List => lists(&readings, &found, request, &mut notes)?,
    };
    let (rule, labels) = match list {
        Some(list) => list,
        None => {
            if request.shape == Shape::Auto {
                notes.push(Note::SingleRecord);
            }
            let rules = page::rules(&readings, &wanted(&found));
            if let Some(field) = found.iter().flat_map(|found| &found.fields).find(|field| !has(&rules, &field.name)) {
                let paths = vec![field.spot.place.path(pages[found[0].page])];
                return Err(Error::Contradiction { field: field.name.clone(), paths });
            }
            (Rule::list("records", Locator::xpath("/html")).found_at("/html[1]").with(rules), labels(&found))
        }
    };
    let learned = Some(Learned { by: "example".to_owned(), from: Vec::new(), at: None });
    Ok(Lesson { wrapper: Wrapper { learned, rules: vec![rule], ..Wrapper::default() }, labels, notes })
}

fn has(rules: &[Rule], name: &str) -> bool {
    rules.iter().any(|rule| &*rule.name == name)
}

/// The list that the examples are records of, if there is one: on each page that has some, and then as one.
fn lists(
    readings: &[Reading<'_>],
    found: &[Found],
    request: &Request,
    notes: &mut Vec<Note>,
) -> Result<Option<(Rule, Labels)>, Error> {
    let mut all: Option<(Rule, Labels)> = None;
    for (page, reading) in readings.iter().enumerate() {
        let mut here: Vec<&Found> = Vec::new();
        for found in found.iter().filter(|found| found.page == page) {
            if !here.iter().any(|known| known.shows_as(found)) {
                here.push(found);
            }
        }
        if here.is_empty() {
            continue;
        }
        match (list(reading, &here, request, notes)?, &mut all) {
            (Some(more), Some(all)) => list::merge(all, more),
            (Some(more), all) => *all = Some(more),
            (None, _) if here.len() > 1 => {
                let paths = here.iter().map(|found| found.fields[0].spot.place.path(reading.document));
                let field = here[0].fields[0].name.clone();
                return Err(Error::Contradiction { field, paths: paths.collect() });
            }
            (None, _) => return Ok(None),
        }
    }
    Ok(all)
}

/// The list that the examples of one page are records of, if there is one.
fn list(
    read: &Reading<'_>,
    here: &[&Found],
    request: &Request,
    notes: &mut Vec<Note>,
) -> Result<Option<(Rule, Labels)>, Error> {
    let document = read.document;
    let below = here[0].hidden.map(|hidden| Reading::below(document, hidden));
    let reading = below.as_ref().unwrap_or(read);
    let outline = Outline::new(document, if below.is_some() { Unseen::Shown } else { Unseen::LeftOut });
    let sheet = Sheet { outline: &outline, reading };
    // A record may lack the lists that others have: its own fields tell what it is, and come first.
    let is_own = |field: &&point::FoundField| list::nested(&field.name).is_none();
    let shown: Vec<Shown> = here
        .iter()
        .map(|found| {
            let (own, nested): (Vec<_>, Vec<_>) = found.fields.iter().partition(is_own);
            own.iter().chain(&nested).map(|field| field.spot.place.node).collect()
        })
        .collect();
    let own = here[0].fields.iter().filter(is_own).count();
    let record = match &request.record {
        Some(xpath) => Some(chosen_record(document, xpath, here[0])?),
        None => None,
    };
    let mut sets = records::find(&outline, reading, &shown, own, record);
    if sets.is_empty() {
        if request.shape == Shape::Auto && record.is_none() {
            // On a page about one thing, values stand behind their labels, and not all of them in lists.
            let labelled = |field: &point::FoundField| {
                let labels = label::labels(reading, field.spot.place.node, &field.name);
                labels.iter().any(label::Label::is_sure)
            };
            let listed = |field: &point::FoundField| is_listed(&sheet, field);
            return match here[0].fields.len() > 1
                && !here[0].fields.iter().any(labelled)
                && here[0].fields.iter().all(listed)
            {
                true => apart(&sheet, here[0]).map_or(Ok(None), Err),
                false => Ok(None),
            };
        }
        let low = record.unwrap_or(here[0].fields[0].spot.place.node);
        let none = || Error::NoList { path: Place::node(low).path(document) };
        return Err(apart(&sheet, here[0]).unwrap_or_else(none));
    }
    let mut records = sets.swap_remove(0);
    let excluded = exclude(&sheet, here, &mut records, request)?;
    list::rule(&sheet, here, &records, &excluded, notes).map(Some)
}

/// The node that a person says is the record.
fn chosen_record(document: &Document, xpath: &str, found: &Found) -> Result<NodeId, Error> {
    let record = point::by_xpath(document, "record", xpath)?.place.node;
    let outside = |field: &&point::FoundField| {
        let node = field.spot.place.node;
        node != record && !document.is_ancestor(record, node)
    };
    match found.fields.iter().find(outside) {
        None => Ok(record),
        Some(field) => Err(Error::Outside {
            field: field.name.clone(),
            path: field.spot.place.path(document),
            record: Place::node(record).path(document),
        }),
    }
}

/// Whether a field alone is in a list.
fn is_listed(sheet: &Sheet<'_, '_>, field: &point::FoundField) -> bool {
    let shown = [vec![field.spot.place.node]];
    records::find(sheet.outline, sheet.reading, &shown, 1, None).first().is_some_and(|set| set.records.len() >= 3)
}

/// Two fields that are in different lists, if there are such.
fn apart(sheet: &Sheet<'_, '_>, found: &Found) -> Option<Error> {
    let document = sheet.outline.document;
    let listed: Vec<&point::FoundField> = found.fields.iter().filter(|field| is_listed(sheet, field)).collect();
    if listed.len() < 2 {
        return None;
    }
    let path = |field: &point::FoundField| field.spot.place.path(document);
    Some(Error::Apart {
        field: listed[0].name.clone(),
        path: path(listed[0]),
        other: listed[1].name.clone(),
        other_path: path(listed[1]),
    })
}

/// Leaves out records that hold what must not come out, and says which places are not a field's.
fn exclude(
    sheet: &Sheet<'_, '_>,
    here: &[&Found],
    records: &mut Records,
    request: &Request,
) -> Result<Vec<Excluded>, Error> {
    let document = sheet.outline.document;
    let mut fields = Vec::new();
    let here_too = |not: &&Not| not.page.is_none_or(|page| here.iter().any(|found| found.page == page));
    for not in request.not.iter().filter(here_too) {
        let name = not.field.as_deref().unwrap_or("not");
        let known = |field: &String| here.iter().flat_map(|found| &found.fields).any(|own| own.name == *field);
        if let Some(field) = not.field.as_ref().filter(|field| !known(field)) {
            return Err(Error::UnknownField { field: field.clone(), of: field.clone() });
        }
        let nodes: Vec<NodeId> = match &not.at {
            Pointer::Text(text) => sheet.reading.find(text).iter().map(|spot| spot.place.node).collect(),
            Pointer::XPath(xpath) | Pointer::Part { xpath, .. } => {
                vec![point::by_xpath(document, name, xpath)?.place.node]
            }
            Pointer::Attribute { of, .. } => {
                return Err(Error::UnknownField { field: name.to_owned(), of: of.clone() });
            }
        };
        if let (true, Pointer::Text(text)) = (nodes.is_empty(), &not.at) {
            let nearest = sheet.reading.nearest(text, 3);
            let nearest = nearest.iter().map(|place| Candidate::new(document, place)).collect();
            return Err(Error::NotFound { field: name.to_owned(), text: text.clone(), nearest });
        }
        match &not.field {
            Some(field) => {
                let around = nodes.iter().flat_map(|&node| records::equals(sheet.reading, node)).collect();
                let excluded = Excluded { field: field.clone(), nodes: around };
                let shown = here.iter().flat_map(|found| &found.fields);
                let shown = shown.filter(|own| own.name == *field).map(|own| &own.spot.place);
                if let Some(place) = shown.into_iter().find(|place| excluded.nodes.contains(&place.node)) {
                    return Err(Error::Excluded { field: Some(field.clone()), path: place.path(document) });
                }
                // Where it is the only field, what has it is no record.
                if here.iter().all(|found| found.fields.len() == 1) {
                    let text = match &not.at {
                        Pointer::Text(text) => Some(text.as_str()),
                        _ => None,
                    };
                    let _ = records.leave_out(document, &excluded.nodes, text);
                }
                fields.push(excluded);
            }
            None => {
                let text = match &not.at {
                    Pointer::Text(text) => Some(text.as_str()),
                    _ => None,
                };
                if let Err(shown) = records.leave_out(document, &nodes, text) {
                    return Err(Error::Excluded { field: None, path: Place::node(shown).path(document) });
                }
            }
        }
    }
    Ok(fields)
}

/// Where the shown fields are.
fn labels(found: &[Found]) -> Labels {
    let mut labels = Labels::default();
    for field in found.iter().flat_map(|found| &found.fields) {
        if !labels.fields.contains(&field.name) {
            labels.fields.push(field.name.clone());
        }
    }
    for found in found {
        let place = |name: &String| {
            let field = found.fields.iter().find(|field| field.name == *name)?;
            Some(field.spot.place.clone())
        };
        labels.records.push(Labelled { page: found.page, places: labels.fields.iter().map(place).collect() });
    }
    labels
}

/// One element on the way to a value, which may be taken for the record.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Step {
    /// Its absolute path.
    pub path: String,
    /// Its tag.
    pub name: String,
    /// How many records there are if it is one.
    pub records: usize,
}

/// The elements on the way to what an XPath selects, from the top down: the paper's interactive variant. A person chooses
/// one, and its path is the [`Request::record`].
pub fn steps(document: &Document, xpath: &str) -> Result<Vec<Step>, Error> {
    let place = point::by_xpath(document, "record", xpath)?.place;
    let (outline, reading) = (Outline::new(document, Unseen::LeftOut), Reading::new(document));
    let mut lineage: Vec<NodeId> = std::iter::once(place.node).chain(document.ancestors(place.node)).collect();
    lineage.reverse();
    let shown = [vec![place.node]];
    let step = |id: NodeId| Step {
        path: Place::node(id).path(document),
        name: document.name(id).unwrap_or_default().to_owned(),
        records: records::find(&outline, &reading, &shown, 1, Some(id)).first().map_or(1, |set| set.records.len()),
    };
    Ok(lineage.into_iter().filter(|&id| document.is_element(id)).take(STEPS).map(step).collect())
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
