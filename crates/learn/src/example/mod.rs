//! Example: point at the fields of one record, and get them all.
//!
//! A person shows the fields of one record, by their text, by XPath or by attribute. [`learn`] finds the places that are
//! meant (`point`), the record around them and its like (`records`), where its fields stand in each of these (`follow`),
//! and writes the wrapper that finds them again (`crate::induce`). On a page that shows a single record, the record is
//! the page (`page`), with lists and groups in it.
//!
//! Paper: D. Nikovski, A. Esenther, A. Baba, "Semi-Supervised Information Extraction From Variable-Length Web-Page Lists"
//! (2009), section 3.

mod error;
mod fields;
mod follow;
mod list;
mod marked;
mod outside;
mod page;
mod point;
mod records;
mod report;

use windrow_dom::{Document, NodeId};
use windrow_wrapper::{Kind, Locator, Rule, Wrapper};

pub use self::error::{Candidate, Error, Note};
use self::list::{Excluded, Sheet};
pub(crate) use self::page::{firm_rule, rules as page_rules};
use self::point::Found;
pub(crate) use self::point::meet;
use self::records::{Records, Shown};
pub use self::report::{FieldReport, LeftOut, Question, Report};
use crate::induce::{Learned, Warning, induce, label};
use crate::labels::{Labels, Place};
use crate::page_view::{PageView, Unseen};
use crate::reading::{Reading, Spot};
use crate::segmentation::{self, Noise};

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
    /// By page, what it was learned from: where the fields are in all records of the list, or those that were shown if the record
    /// is the page.
    pub labels: Vec<Labels>,
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
    let learned = match list {
        Some(list) => list,
        None => {
            if request.shape == Shape::Auto {
                notes.push(Note::SingleRecord);
            }
            of_page(&readings, found, &mut notes)?
        }
    };
    let labels = learned.labels.clone();
    Ok(Lesson { wrapper: learned.wrapper("example"), labels, notes })
}

/// Learns the rules of pages that are a record each.
fn of_page(readings: &[Reading<'_>], mut found: Vec<Found>, notes: &mut Vec<Note>) -> Result<Learned, Error> {
    let places = |found: &Found| -> Vec<(String, Place)> {
        found.fields.iter().map(|field| (field.name.clone(), field.spot.place.clone())).collect()
    };
    let document = |page: usize| readings[page].document;
    let labels = found.iter().map(|found| Labels::of_page(document(found.page), found.page, places(found))).collect();
    let lists = inner_lists(readings, &mut found);
    let (mut rules, more) = page::learn(readings, &wanted(&found));
    notes.extend(more);
    if let Some(field) = found.iter().flat_map(|found| &found.fields).find(|field| !has(&rules, &field.name)) {
        let path = field.spot.place.path(document(found[0].page));
        return Err(match page::list_name(&field.name) {
            Some(_) => Error::NoList { path },
            None => Error::Contradiction { field: field.name.clone(), paths: vec![path] },
        });
    }
    rules = grouped(rules);
    rules.extend(lists);
    let list = Rule::list("records", Locator::xpath("/html")).found_at("/html[1]").with(rules);
    Ok(Learned { list, labels, warnings: Vec::new() })
}

fn has(rules: &[Rule], name: &str) -> bool {
    rules.iter().any(|rule| &*rule.name == page::list_name(name).unwrap_or(name))
}

/// The lists of records inside of a page: the fields `comments.author` and `comments.text` of an item that has its like.
/// They are taken from what was found. A single field behind a point may as well be one of a group, unless the list's
/// name is that of several things.
fn inner_lists(readings: &[Reading<'_>], found: &mut [Found]) -> Vec<Rule> {
    let mut rules = Vec::new();
    let mut names: Vec<String> = Vec::new();
    for field in found.iter().flat_map(|found| &found.fields) {
        if let Some((front, _)) = field.name.split_once('.')
            && !names.iter().any(|name| name == front)
        {
            names.push(front.to_owned());
        }
    }
    for name in names {
        let inside = |field: &point::FoundField| field.name.split_once('.').is_some_and(|(front, _)| front == name);
        let Some(example) = found.iter().find(|found| found.fields.iter().any(inside)) else { continue };
        let mut own = Found { fields: Vec::new(), ..example.clone() };
        for field in example.fields.iter().filter(|field| inside(field)) {
            let rest = field.name.split_once('.').map_or("", |(_, rest)| rest);
            own.fields.push(point::FoundField { name: rest.to_owned(), ..field.clone() });
        }
        if own.fields.len() < 2 && !name.ends_with('s') {
            continue;
        }
        if let Some(rule) = readings.get(own.page).and_then(|reading| inner_list(reading, &own, &name)) {
            rules.push(rule);
            found.iter_mut().for_each(|found| found.fields.retain(|field| !inside(field)));
        }
    }
    rules
}

/// The list whose record shows these fields, if there is a second one.
fn inner_list(reading: &Reading<'_>, own: &Found, name: &str) -> Option<Rule> {
    let view = PageView::new(reading.document, Unseen::LeftOut);
    let shown: Shown = own.fields.iter().map(|field| field.spot.place.node).collect();
    let records = records::find(&view, reading, &[shown], own.fields.len(), None, &[]).into_iter().next()?;
    let sheet = Sheet { view: &view, reading };
    let mut rule = induced(&sheet, &[own], &records, &[], None, &mut Vec::new()).ok()?.list;
    rule.name = name.into();
    rule.optional = true;
    Some(rule)
}

/// Rules with the fields `author.name` and `author.age` as those of a group.
fn grouped(rules: Vec<Rule>) -> Vec<Rule> {
    let mut all: Vec<Rule> = Vec::new();
    for mut rule in rules {
        let name = rule.name.to_string();
        let Some((front, rest)) = name.split_once('.') else {
            all.push(rule);
            continue;
        };
        rule.name = rest.into();
        match all.iter_mut().find(|group| group.kind == Kind::Group && &*group.name == front) {
            Some(group) => group.rules.push(rule),
            None => all.push(Rule::group(front, Locator::default()).optional().with(vec![rule])),
        }
    }
    for group in all.iter_mut().filter(|group| group.kind == Kind::Group) {
        group.rules = grouped(std::mem::take(&mut group.rules));
    }
    all
}

/// The list that the examples are records of, if there is one: on each page that has some, and then as one.
fn lists(
    readings: &[Reading<'_>],
    found: &[Found],
    request: &Request,
    notes: &mut Vec<Note>,
) -> Result<Option<Learned>, Error> {
    let mut all: Option<Learned> = None;
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
            (Some(more), Some(all)) => all.merge(more),
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

/// Sets of records that are tried.
const SETS: usize = 4;

/// The list that the examples of one page are records of, if there is one.
fn list(
    read: &Reading<'_>,
    here: &[&Found],
    request: &Request,
    notes: &mut Vec<Note>,
) -> Result<Option<Learned>, Error> {
    let document = read.document;
    let below = here[0].hidden.map(|hidden| Reading::below(document, hidden));
    let reading = below.as_ref().unwrap_or(read);
    let view = PageView::new(document, if below.is_some() { Unseen::Shown } else { Unseen::LeftOut });
    let sheet = Sheet { view: &view, reading };
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
    let chosen = match &request.record {
        Some(xpath) => Some(chosen_record(document, xpath, here[0])?),
        None => None,
    };
    let cuts = match chosen {
        None => segmentation::candidates(&view, Noise::Dropped),
        Some(_) => Vec::new(),
    };
    let sets = records::find(&view, reading, &shown, own, chosen, &cuts);
    // What stands over a group of records, or covers their rows, is a field of each of them.
    if let Some(split) = outside::split(&sheet, here, &sets, &cuts).filter(|_| chosen.is_none()) {
        let inner: Vec<&Found> = split.inner.iter().collect();
        if let Some(written) = write(&sheet, &inner, &split.sets[0], request, Some(&split)) {
            notes.extend(written.notes);
            return Ok(Some(written.learned));
        }
    }
    if let Some(best) = sets.first() {
        // One is no list, and two that are hardly alike are none if lists are shown in the one: the record is the page.
        let thin = best.records.len() < 3 && best.shares.iter().any(|share| *share < 0.99);
        let in_lists = here[0].fields.iter().any(|field| list::nested(&field.name).is_some());
        let alone = best.records.len() < 2 || in_lists && thin;
        if request.shape == Shape::Auto && chosen.is_none() && here.len() == 1 && alone {
            return Ok(None);
        }
    }
    // The best set that a rule can tell from what is beside it.
    for set in sets.iter().take(SETS) {
        if let Some(written) = write(&sheet, here, set, request, None) {
            notes.extend(written.notes);
            notes.extend(doubts(&sheet, &shown, own, here[0], &written.records, &sets));
            drop_excluded(request, notes);
            return Ok(Some(written.learned));
        }
    }
    // Those of all depths, where records stand in each other.
    let likeness = sets.iter().find(|set| set.by_likeness);
    let deep = likeness.and_then(|set| records::at_any_depth(&view, reading, &shown, own, set));
    if let Some(written) = deep.filter(|_| chosen.is_none()).and_then(|set| write(&sheet, here, &set, request, None)) {
        notes.extend(written.notes);
        return Ok(Some(written.learned));
    }
    // None: the records are written one by one, which is right on this page alone.
    if let Some(set) = sets.iter().find(|set| set.by_likeness) {
        let mut records = set.clone();
        let excluded = exclude(&sheet, here, &mut records, request)?;
        let learned = induced(&sheet, here, &records, &excluded, None, notes)?;
        notes.extend(doubts(&sheet, &shown, own, here[0], &records, &sets));
        drop_excluded(request, notes);
        return Ok(Some(learned));
    }
    if request.shape == Shape::Auto && chosen.is_none() {
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
    let low = chosen.unwrap_or(here[0].fields[0].spot.place.node);
    let none = || Error::NoList { path: Place::node(low).path(document) };
    Err(apart(&sheet, here[0]).unwrap_or_else(none))
}

/// A list that was written as rules.
struct Written {
    learned: Learned,
    records: Records,
    notes: Vec<Note>,
}

/// Writes the rules of a set of records; none if only the paths of the records, one by one, would find them.
fn write(
    sheet: &Sheet<'_, '_>,
    here: &[&Found],
    set: &Records,
    request: &Request,
    split: Option<&outside::Split>,
) -> Option<Written> {
    let mut records = set.clone();
    let excluded = exclude(sheet, here, &mut records, request).ok()?;
    let mut notes = Vec::new();
    let learned = induced(sheet, here, &records, &excluded, split, &mut notes).ok()?;
    let is_rule = !learned.warnings.iter().any(|warning| matches!(warning, Warning::OneByOne { .. }));
    is_rule.then_some(Written { learned, records, notes })
}

/// Labels a set of records, and learns its rules. `split`: the fields outside of the records.
fn induced(
    sheet: &Sheet<'_, '_>,
    here: &[&Found],
    records: &Records,
    excluded: &[Excluded],
    split: Option<&outside::Split>,
    notes: &mut Vec<Note>,
) -> Result<Learned, Error> {
    let document = sheet.view.document;
    let mut labels = list::labels(sheet, here, records, excluded, notes)?;
    if let Some(split) = split {
        split.add_to(document, &mut labels, &records.shown);
    }
    let learned = induce(sheet.view, labels);
    for warning in &learned.warnings {
        match warning {
            Warning::OneByOne { records } => notes.push(Note::OneByOne { records: *records }),
            Warning::Positional { field, without } => {
                let without = Candidate::new(document, &Place::node(*without));
                notes.push(Note::PositionalInRecord { field: field.clone(), without });
            }
            Warning::NoRule { field } => {
                let is_it = |own: &&point::FoundField| {
                    own.name == *field || list::nested(&own.name).is_some_and(|(list, _)| list == field)
                };
                let path = |found: &&Found| Some(found.fields.iter().find(is_it)?.spot.place.path(document));
                let paths: Vec<String> = here.iter().filter_map(path).collect();
                return Err(
                    match paths.first().filter(|_| learned.labels[0].lists.iter().any(|list| list.name == *field)) {
                        Some(path) => Error::NoList { path: path.clone() },
                        None => Error::Contradiction { field: field.clone(), paths },
                    },
                );
            }
        }
    }
    Ok(learned)
}

/// What may be wrong with a set of records.
fn doubts(
    sheet: &Sheet<'_, '_>,
    shown: &[Shown],
    own: usize,
    found: &Found,
    records: &Records,
    sets: &[Records],
) -> Vec<Note> {
    let document = sheet.view.document;
    let candidate = |record: records::Record| Candidate::new(document, &Place::node(record.first));
    let mut notes = Vec::new();
    if let Some(rival) = records::rival(records, sets) {
        let differs = candidate(rival.differs);
        notes.push(Note::Unsure { records: records.records.len(), others: rival.records, differs });
    }
    if let Some(wider) = records::widen(sheet.view, sheet.reading, shown, own, records) {
        let known = |record: &&records::Record| !records.records.contains(record);
        let left: Vec<&records::Record> = wider.records.iter().filter(known).collect();
        // What a person left out is not missing.
        if let Some(first) = left.first().filter(|_| records.without.is_empty()) {
            let names: Vec<&point::FoundField> =
                found.fields.iter().filter(|field| list::nested(&field.name).is_none()).collect();
            let lacks = records::lacks(sheet.view, sheet.reading, shown, own, records, first);
            let lacks = lacks.into_iter().filter_map(|at| names.get(at).map(|field| field.name.clone())).collect();
            notes.push(Note::LeftOut { count: left.len(), first: candidate(**first), lacks });
        }
    }
    notes
}

/// Takes back notes on what was left out if a person said what is no record.
fn drop_excluded(request: &Request, notes: &mut Vec<Note>) {
    if request.not.iter().any(|not| not.field.is_none()) {
        notes.retain(|note| !matches!(note, Note::LeftOut { .. }));
    }
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
    records::find(sheet.view, sheet.reading, &shown, 1, None, &[]).first().is_some_and(|set| set.records.len() >= 3)
}

/// Two fields that are in different lists, if there are such.
fn apart(sheet: &Sheet<'_, '_>, found: &Found) -> Option<Error> {
    let document = sheet.view.document;
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
    let document = sheet.view.document;
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
    let (view, reading) = (PageView::new(document, Unseen::LeftOut), Reading::new(document));
    let mut lineage: Vec<NodeId> = std::iter::once(place.node).chain(document.ancestors(place.node)).collect();
    lineage.reverse();
    let shown = [vec![place.node]];
    let step = |id: NodeId| Step {
        path: Place::node(id).path(document),
        name: document.name(id).unwrap_or_default().to_owned(),
        records: records::find(&view, &reading, &shown, 1, Some(id), &[]).first().map_or(1, |set| set.records.len()),
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
