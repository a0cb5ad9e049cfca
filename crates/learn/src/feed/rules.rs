//! From the places of fields to rules.

use windrow_dom::NodeId;
use windrow_wrapper::values::Type;
use windrow_wrapper::{Find, Locator, Rule, Until};
use windrow_xpath::{Expr, Node, path_of};

use super::body::{Bodies, Body};
use super::fields::Seen;
use super::index::Entries;
use super::sheet::Sheet;
use super::{FIELDS, How, Match};
use crate::example::{self, Wanted as Shown};
use crate::induce::locate::{Finder, attribute};
use crate::induce::part;
use crate::induce::record;
use crate::labels::Place;
use crate::outline::is_formatting;
use crate::reading::{Reading, Rung, Spot};
use crate::scope::{Cut, Scope};

/// The fields of entries, by field of [`FIELDS`] and entry.
pub(super) type Found = [Vec<Option<Match>>; FIELDS.len()];

/// The type of a field.
fn typed(field: &str) -> Type {
    match field {
        "link" => Type::Url,
        "date" => Type::Date,
        "body" => Type::Html,
        _ => Type::String,
    }
}

/// The list of an index page's entries.
pub(super) fn index(sheet: &Sheet<'_>, entries: &Entries, found: &Found, bodies: &Bodies) -> Option<Rule> {
    let finder = Finder { outline: &sheet.outline, document: sheet.document };
    let mut list = Rule::list("entries", Locator::default());
    for (number, field) in FIELDS.iter().enumerate() {
        let matches = &found[number];
        let known: Vec<usize> = (0..matches.len()).filter(|&at| entries.entries[at].item.is_some()).collect();
        let scopes: Vec<Scope> = known.iter().map(|&at| entries.entries[at].scope).collect();
        let own: Vec<Option<&Match>> = known.iter().map(|&at| matches[at].as_ref()).collect();
        if own.iter().flatten().next().is_none() {
            continue;
        }
        let locator = match *field {
            "body" => body(&finder, &scopes, &known.iter().map(|&at| bodies.bodies[at]).collect::<Vec<_>>()),
            "categories" => {
                let wanted: Vec<Vec<NodeId>> = own
                    .iter()
                    .map(|found| found.map_or_else(Vec::new, |found| found.places.iter().map(|place| place.node).collect()))
                    .collect();
                finder.list(&scopes, &wanted)
            }
            _ => one(sheet, &finder, &scopes, &own),
        };
        let Some(mut locator) = locator else { continue };
        if *field == "body" && !bodies.noise.is_empty() {
            locator = without(locator, &bodies.noise);
        }
        let mut rule = match *field {
            "categories" => Rule::list(*field, locator),
            _ => Rule::field(*field, locator).typed(typed(field)),
        };
        rule.optional = true;
        list.rules.push(rule);
    }
    // What all entries have makes the context of their selector.
    for rule in list.rules.iter_mut().filter(|rule| matches!(&*rule.name, "title" | "link" | "body")) {
        let at = FIELDS.iter().position(|field| *field == &*rule.name)?;
        let all = entries.entries.iter().zip(&found[at]).filter(|(entry, _)| entry.item.is_some());
        rule.optional = all.into_iter().any(|(_, found)| found.is_none());
    }
    let nodes: Vec<NodeId> = entries.entries.iter().map(|entry| entry.scope.record.first).collect();
    let runs = entries.cut != Cut::Nodes;
    list.locator = record::of_rules(&sheet.outline, &nodes, runs, &list.rules, &[]);
    if runs {
        list.locator.until = Some(Until::Next);
    }
    list.rules.iter_mut().for_each(|rule| rule.optional = true);
    let first = path_of(sheet.document, Node::node(*nodes.first()?));
    list.path = Some(first.into());
    Some(list)
}

/// The same locator, without these elements.
fn without(locator: Locator, noise: &[String]) -> Locator {
    let _ = noise;
    locator
}

/// The locator of a field that each entry has once at most.
fn one(sheet: &Sheet<'_>, finder: &Finder<'_, '_>, scopes: &[Scope], own: &[Option<&Match>]) -> Option<Locator> {
    fn place<'m>(found: &Option<&'m Match>) -> Option<&'m Place> {
        found.and_then(|found| found.places.first())
    }
    let nodes: Vec<Option<NodeId>> = own.iter().map(|found| place(found).map(|place| place.node)).collect();
    let first = own.iter().find_map(place)?;
    let heading = own.iter().flatten().any(|found| found.how == How::Heading);
    let mut locator = match heading {
        true => above(sheet, scopes, &nodes)?,
        false => {
            let sure: Vec<usize> = (0..nodes.len()).filter(|&at| nodes[at].is_some()).collect();
            finder.field(scopes, &nodes, &sure).or_else(|| finder.field(scopes, &nodes, &[]))?
        }
    };
    if let Some(name) = own.iter().find_map(place).and_then(|place| place.attribute.as_deref()) {
        locator = attribute(&locator, name);
    }
    let parts = own.iter().filter_map(place).filter(|place| place.part.is_some()).count();
    if parts * 2 > own.iter().flatten().count()
        && let Some(shown) = own.iter().filter_map(place).find(|place| place.part.is_some())
    {
        let range = shown.part.clone()?;
        let texts: Vec<&str> = nodes.iter().flatten().map(|&node| sheet.reading.of(node)).collect();
        let cutting = part::cutting(sheet.reading.of(shown.node), range.start, range.end, &texts)?;
        locator = cutting.of(locator);
    }
    let _ = first;
    Some(locator)
}

/// The locator of something in front of the entries, one for several of them.
fn above(sheet: &Sheet<'_>, scopes: &[Scope], nodes: &[Option<NodeId>]) -> Option<Locator> {
    let document = sheet.document;
    let at = nodes.iter().position(Option::is_some)?;
    let (node, record) = (nodes[at]?, scopes[at].record.first);
    let tag = document.name(node)?;
    let words = sheet.outline.words_of(node);
    let mut tests: Vec<String> = Vec::new();
    for word in words.iter().take(2) {
        tests.push(format!("*[contains(concat(' ', normalize-space(@class), ' '), ' {word} ')]"));
    }
    tests.push(tag.to_owned());
    let mut tries: Vec<String> = Vec::new();
    let sibling = document.parent(node) == document.parent(record);
    for test in &tests {
        if sibling {
            tries.push(format!("preceding-sibling::{test}[1]"));
        }
        tries.push(format!("preceding::{test}[1]"));
    }
    let right = |text: &String| {
        let Ok(expr) = Expr::xpath(text) else { return 0 };
        let gives = |(scope, wanted): (&Scope, &Option<NodeId>)| {
            let found = expr.select(document, scope.record.first).unwrap_or_default();
            wanted.is_some() && found.first().map(|node| node.id()) == *wanted
        };
        scopes.iter().zip(nodes).filter(|pair| gives((pair.0, pair.1))).count()
    };
    let best = tries.into_iter().map(|text| (right(&text), text)).reduce(|best, other| if other.0 > best.0 { other } else { best })?;
    (best.0 > 0).then(|| Locator::xpath(best.1))
}

/// The locator of bodies.
fn body(finder: &Finder<'_, '_>, scopes: &[Scope], bodies: &[Option<Body>]) -> Option<Locator> {
    let nodes: Vec<Option<NodeId>> = bodies
        .iter()
        .map(|body| match body {
            Some(Body::Element(id)) => Some(*id),
            _ => None,
        })
        .collect();
    let sure: Vec<usize> = (0..nodes.len()).filter(|&at| nodes[at].is_some()).collect();
    if sure.is_empty() {
        return None;
    }
    finder.field(scopes, &nodes, &sure).or_else(|| finder.field(scopes, &nodes, &[]))
}

/// The record of entry pages.
pub(super) fn entry(seen: &[Seen<'_, '_>], found: &Found, bodies: &Bodies) -> Option<Rule> {
    let readings: Vec<Reading<'_>> = seen.iter().map(|seen| Reading::new(seen.sheet.document)).collect();
    let mut wanted: Vec<Shown> = Vec::new();
    for (number, field) in FIELDS.iter().enumerate() {
        if matches!(*field, "link" | "categories") {
            continue;
        }
        let spot = |place: &Place| Spot { place: place.clone(), rung: if place.part.is_some() { Rung::Part } else { Rung::Whole } };
        let spots: Vec<(usize, Vec<Spot>)> = found[number]
            .iter()
            .enumerate()
            .filter_map(|(page, found)| Some((page, vec![spot(found.as_ref()?.places.first()?)])))
            .collect();
        if !spots.is_empty() {
            wanted.push(Shown { name: (*field).to_owned(), spots });
        }
    }
    let _ = bodies;
    let rules = example::page_rules(&readings, &wanted);
    let rules: Vec<Rule> = rules.into_iter().map(|rule| { let ty = typed(&rule.name); rule.typed(ty) }).collect();
    let mut list = Rule::list("entry", Locator::xpath("/html")).with(rules);
    list.label = Some("entries".into());
    let _ = (Find::Scope, is_formatting as fn(_, _) -> bool);
    Some(list)
}
