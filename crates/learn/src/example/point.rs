//! What is meant: of all the places that fit what a person shows, those that stand together.
//!
//! `1` is on a page a hundred times, and a title perhaps twice; but only in one record do all the shown texts stand
//! together. The field with the fewest places is the anchor: around each of its places the nearest of every other field
//! are taken, and the anchor whose fields fit best and stand closest wins.
//!
//! # Cost
//!
//! Anchors times fields times a few places each: in the tree, those nearest to a node are its neighbours in the order of
//! the page.

use windrow_dom::{Document, NodeId};
use windrow_wrapper::values::text::collapse;
use windrow_xpath::{Expr, Value};

use super::error::{Candidate, Error};
use super::{Example, Pointed, Pointer};
use crate::labels::Place;
use crate::page_view::is_heading;
use crate::reading::{Reading, Rung, Spot};

/// Places of the anchor that are tried.
const ANCHORS: usize = 64;
/// Elements around a text up to the heading that it may be in.
const HEADING: usize = 4;
/// Places of a field other than the rarest up to which it is an anchor, too.
const FEW: usize = 8;
/// Places of a field that are kept beside the one that was taken.
const KEPT: usize = 500;

/// One example with its places found.
#[derive(Debug, Clone)]
pub(crate) struct Found {
    /// The page's number.
    pub(crate) page: usize,
    /// What it is in, if a reader does not see it: a page that was saved before its scripts ran.
    pub(crate) hidden: Option<NodeId>,
    /// By field of the example: where it is, and where else it may be.
    pub(crate) fields: Vec<FoundField>,
}

impl Found {
    /// Whether it shows nothing but what another example shows.
    pub(crate) fn shows_as(&self, other: &Found) -> bool {
        let shown = |field: &FoundField| {
            self.fields.iter().any(|own| own.name == field.name && own.spot.place == field.spot.place)
        };
        other.fields.iter().all(shown)
    }
}

/// A field of an example.
#[derive(Debug, Clone)]
pub(crate) struct FoundField {
    pub(crate) name: String,
    pub(crate) spot: Spot,
    /// Other places that fit as well, the nearest first.
    pub(crate) others: Vec<Spot>,
    /// All places, the best first.
    pub(crate) all: Vec<Spot>,
    /// It was pointed at by a path or as an attribute, so nothing else can be meant.
    pub(crate) pointed: bool,
}

/// Finds the places of an example, on the first page that has all its texts.
pub(crate) fn resolve(pages: &[Reading<'_>], example: &Example) -> Result<Found, Error> {
    if example.fields.is_empty() || pages.is_empty() {
        return Err(Error::NoExample);
    }
    for (at, pointed) in example.fields.iter().enumerate() {
        if example.fields[..at].iter().any(|other| other.field == pointed.field) {
            return Err(Error::Twice { field: pointed.field.clone() });
        }
    }
    let mut missing: Option<(usize, Error)> = None;
    let meant = |page: &usize| example.page.is_none_or(|own| own == *page);
    for (page, reading) in pages.iter().enumerate().filter(|(page, _)| meant(page)) {
        match on_page(reading, example) {
            Ok(fields) => {
                // What stands in something hidden is read there, as if it were shown.
                let unseen = fields.iter().find(|field| field.spot.rung == Rung::Unseen);
                if let Some(hidden) = unseen.and_then(|field| hidden_above(reading.document, field.spot.place.node))
                    && let Ok(fields) = on_page(&Reading::below(reading.document, hidden), example)
                {
                    return Ok(Found { page, hidden: Some(hidden), fields });
                }
                return Ok(Found { page, hidden: None, fields });
            }
            Err(error) => {
                // Most is to be learned from the page that has most of the texts.
                let known = count(reading, example);
                if missing.as_ref().is_none_or(|(most, _)| known > *most) {
                    missing = Some((known, error));
                }
            }
        }
    }
    Err(missing.map_or(Error::NoExample, |(_, error)| error))
}

/// How many of the texts of an example a page has.
fn count(reading: &Reading<'_>, example: &Example) -> usize {
    let known = |pointed: &&Pointed| match &pointed.at {
        Pointer::Text(text) => !reading.find(text).is_empty(),
        _ => false,
    };
    example.fields.iter().filter(known).count()
}

/// The topmost element around a node that a reader does not see.
fn hidden_above(document: &Document, node: NodeId) -> Option<NodeId> {
    let around = std::iter::once(node).chain(document.ancestors(node));
    around.filter(|&id| document.is_element(id) && document.is_hidden(id)).last()
}

fn on_page(reading: &Reading<'_>, example: &Example) -> Result<Vec<FoundField>, Error> {
    let document = reading.document;
    let mut spots: Vec<Vec<Spot>> = Vec::with_capacity(example.fields.len());
    for pointed in &example.fields {
        spots.push(match &pointed.at {
            Pointer::Text(text) => {
                let spots = reading.find(text);
                if spots.is_empty() {
                    let nearest = reading.nearest(text, 3);
                    return Err(Error::NotFound {
                        field: pointed.field.clone(),
                        text: text.clone(),
                        nearest: nearest.iter().map(|place| Candidate::new(document, place)).collect(),
                    });
                }
                spots
            }
            Pointer::XPath(xpath) => vec![by_xpath(document, &pointed.field, xpath)?],
            Pointer::Part { xpath, text } => vec![part_of(document, &pointed.field, xpath, text)?],
            Pointer::Attribute { .. } => Vec::new(),
        });
    }
    let texts: Vec<Option<&str>> = example
        .fields
        .iter()
        .map(|pointed| match &pointed.at {
            Pointer::Text(text) => Some(text.trim()),
            _ => None,
        })
        .collect();
    let chosen = together(document, &spots, &texts);
    let places: Vec<Option<Place>> =
        chosen.iter().zip(&spots).map(|(nth, spots)| nth.map(|nth| spots[nth].place.clone())).collect();
    let mut fields: Vec<FoundField> = Vec::with_capacity(spots.len());
    for (at, pointed) in example.fields.iter().enumerate() {
        let name = pointed.field.clone();
        if let Pointer::Attribute { name: attribute, of } = &pointed.at {
            let other = example.fields.iter().position(|other| other.field == *of);
            let Some(other) = other.and_then(|other| places[other].as_ref()) else {
                return Err(Error::UnknownField { field: name, of: of.clone() });
            };
            let spot = Spot { place: attribute_of(document, &name, other, attribute)?, rung: Rung::Attribute };
            fields.push(FoundField { name, spot: spot.clone(), others: Vec::new(), all: vec![spot], pointed: true });
            continue;
        }
        let Some(nth) = chosen[at] else { return Err(Error::NoExample) };
        let spot = spots[at][nth].clone();
        let mut all = std::mem::take(&mut spots[at]);
        let others = rivals(document, &spot, &all);
        all.truncate(KEPT);
        let pointed = matches!(pointed.at, Pointer::XPath(_) | Pointer::Part { .. });
        fields.push(FoundField { name, spot, others, all, pointed });
    }
    Ok(fields)
}

/// Places that fit as well as the one that was taken.
fn rivals(document: &Document, spot: &Spot, all: &[Spot]) -> Vec<Spot> {
    let mut others: Vec<Spot> =
        all.iter().filter(|other| other.rung == spot.rung && other.place != spot.place).cloned().collect();
    others.sort_by_cached_key(|other| {
        std::cmp::Reverse(depth(document, meet(document, spot.place.node, other.place.node)))
    });
    others.truncate(8);
    others
}

pub(crate) fn by_xpath(document: &Document, field: &str, xpath: &str) -> Result<Spot, Error> {
    let wrong = |error| Error::XPath { field: field.to_owned(), xpath: xpath.to_owned(), error: Box::new(error) };
    let expr = Expr::xpath(xpath).map_err(wrong)?;
    let nothing = || Error::Nothing { field: field.to_owned(), xpath: xpath.to_owned() };
    let Ok(Value::Nodes(nodes)) = expr.evaluate(document, document.root()) else { return Err(nothing()) };
    let node = nodes.into_iter().next().ok_or_else(nothing)?;
    let place = match node.attr(document) {
        Some(attr) => Place::attribute(node.id(), attr.name()),
        None => Place::node(node.id()),
    };
    Ok(Spot { place, rung: Rung::Whole })
}

/// A part of what is at a path. White space is as a person reads it: that of the text is collapsed.
fn part_of(document: &Document, field: &str, xpath: &str, text: &str) -> Result<Spot, Error> {
    let Spot { place, .. } = by_xpath(document, field, xpath)?;
    let (all, wanted) = (place.text(document), collapse(text));
    let Some(start) = all.find(&*wanted).filter(|_| !wanted.is_empty()) else {
        let nearest = vec![Candidate::new(document, &place)];
        return Err(Error::NotFound { field: field.to_owned(), text: text.to_owned(), nearest });
    };
    Ok(match wanted.len() == all.len() {
        true => Spot { place, rung: Rung::Whole },
        false => Spot { place: Place { part: Some(start..start + wanted.len()), ..place }, rung: Rung::Part },
    })
}

/// The attribute at a place, or at the nearest element around it, or the first below it.
fn attribute_of(document: &Document, field: &str, place: &Place, name: &str) -> Result<Place, Error> {
    let has = |id: &NodeId| document.is_element(*id) && document.attr(*id, name).is_some();
    let around = std::iter::once(place.node).chain(document.ancestors(place.node).take(4)).find(has);
    let below = || document.descendants(place.node).find(has);
    around.or_else(below).map(|id| Place::attribute(id, name)).ok_or_else(|| {
        let element = std::iter::once(place.node).chain(document.ancestors(place.node));
        let element = element.into_iter().find(|&id| document.is_element(id)).unwrap_or(place.node);
        let known = document.attrs(element).map(|attr| attr.name().to_owned()).collect();
        let path = Place::node(element).path(document);
        Error::NoAttribute { field: field.to_owned(), name: name.to_owned(), path, known }
    })
}

/// By field: the number of the place that is meant.
type Chosen = Vec<Option<usize>>;

/// For each field with places, the number of the one that is meant. `texts`: what was looked for.
fn together(document: &Document, spots: &[Vec<Spot>], texts: &[Option<&str>]) -> Vec<Option<usize>> {
    // By field: its places in the order of the page.
    let ordered: Vec<Vec<usize>> = spots
        .iter()
        .map(|own| {
            let mut order: Vec<usize> = (0..own.len()).collect();
            order.sort_by_key(|&nth| (own[nth].place.node, own[nth].place.part.clone().map(|part| part.start)));
            order
        })
        .collect();
    let fields: Vec<usize> = (0..spots.len()).filter(|&field| !spots[field].is_empty()).collect();
    let best = |field: &usize| spots[*field][0].rung;
    // Few places, and of those the best: what is whole tells more than a part.
    let count = |field: &usize| spots[*field].iter().filter(|spot| spot.rung == best(field)).count();
    let Some(&anchor) = fields.iter().min_by_key(|&field| (count(field), best(field))) else {
        return vec![None; spots.len()];
    };
    let all = Places { document, spots, ordered: &ordered, texts };
    let winner = all.around(&fields, anchor);
    let mut chosen = winner.unwrap_or_else(|| vec![None; spots.len()]);
    all.under_heading(&fields, anchor, &mut chosen);
    in_order(spots, texts, &mut chosen);
    chosen
}

/// The places of all fields.
struct Places<'p> {
    document: &'p Document,
    spots: &'p [Vec<Spot>],
    /// By field: its places in the order of the page.
    ordered: &'p [Vec<usize>],
    texts: &'p [Option<&'p str>],
}

impl Places<'_> {
    /// The places of these fields that stand closest to one of the anchor's.
    fn around(&self, fields: &[usize], anchor: usize) -> Option<Chosen> {
        let Places { document, spots, ordered, texts } = *self;
        let mut winner: Option<((usize, usize), Chosen)> = None;
        for nth in 0..spots[anchor].len().min(ANCHORS) {
            let at = spots[anchor][nth].place.node;
            let mut chosen: Vec<Option<usize>> = vec![None; spots.len()];
            chosen[anchor] = Some(nth);
            let mut cost = rung_cost(&spots[anchor][nth]);
            let mut around = at;
            for &field in fields.iter().filter(|&&field| field != anchor) {
                let taken = |place: &Place| {
                    (0..spots.len()).any(|other| {
                        let same = texts[other].is_some() && texts[other] == texts[field];
                        same && chosen[other].is_some_and(|nth| spots[other][nth].place == *place)
                    })
                };
                let near =
                    |taken: &dyn Fn(&Place) -> bool| nearest(document, &spots[field], &ordered[field], at, taken);
                // Two fields of one text may well be one place.
                let Some((nth, far)) = near(&taken).or_else(|| near(&|_| false)) else { continue };
                chosen[field] = Some(nth);
                cost += far;
                around = meet(document, around, spots[field][nth].place.node);
            }
            let size = document.subtree_end(around).index() - around.index();
            // Twice as much around the fields is as bad as one rung less for each.
            let cost = (cost + (size.max(1).ilog2() as usize) * fields.len(), size);
            if winner.as_ref().is_none_or(|winner| cost < winner.0) {
                winner = Some((cost, chosen));
            }
        }
        winner.map(|winner| winner.1)
    }

    /// The element nearest to a heading need not be one record: it stands between the last record in front of it and the first behind it.
    /// If the other fields do not stand around the anchor, they are taken where they stand closest to each other.
    fn under_heading(&self, fields: &[usize], anchor: usize, chosen: &mut Chosen) {
        let rest: Vec<usize> = fields.iter().copied().filter(|&field| field != anchor).collect();
        let Some(heading) = chosen[anchor].map(|nth| self.spots[anchor][nth].place.node) else { return };
        let around = |chosen: &Chosen| -> Option<NodeId> {
            let nodes = rest.iter().filter_map(|&field| Some(self.spots[field][chosen[field]?].place.node));
            nodes.reduce(|one, other| meet(self.document, one, other))
        };
        let document = self.document;
        let mut above = std::iter::once(heading).chain(document.ancestors(heading)).take(HEADING);
        if !above.any(|id| is_heading(document, id)) {
            return;
        }
        let size = |id: NodeId| self.document.subtree_end(id).index() - id.index();
        let rungs = |chosen: &Chosen| -> usize {
            rest.iter().filter_map(|&field| Some(rung_cost(&self.spots[field][chosen[field]?]))).sum()
        };
        let Some(now) = around(chosen).filter(|_| rest.len() > 1).map(size) else { return };
        let best = |field: usize| {
            let spots = &self.spots[field];
            spots.iter().filter(|spot| spot.rung == spots[0].rung).count()
        };
        for &anchor in rest.iter().filter(|&&field| best(field) <= FEW) {
            let Some(other) = self.around(&rest, anchor) else { continue };
            let closer = around(&other).filter(|&low| heading < low && size(low) * 2 <= now);
            if closer.is_some() && rungs(&other) <= rungs(chosen) {
                rest.iter().for_each(|&field| chosen[field] = other[field]);
                return;
            }
        }
    }
}

/// Fields that show the same text have their places in the order in which they are shown.
fn in_order(spots: &[Vec<Spot>], texts: &[Option<&str>], chosen: &mut [Option<usize>]) {
    for field in 0..chosen.len() {
        let alike: Vec<usize> =
            (field..chosen.len()).filter(|&other| texts[other].is_some() && texts[other] == texts[field]).collect();
        if alike.first() != Some(&field) || alike.len() < 2 {
            continue;
        }
        let mut places: Vec<Option<usize>> = alike.iter().map(|&field| chosen[field]).collect();
        places.sort_by_key(|nth| nth.map(|nth| spots[field][nth].place.node));
        for (&field, nth) in alike.iter().zip(places) {
            chosen[field] = nth;
        }
    }
}

/// What a place costs by how it fits: doubling what is around the fields costs two.
fn rung_cost(spot: &Spot) -> usize {
    // A short text is a part of many others by chance.
    let chance = spot.place.part.as_ref().map_or(0, |part| match part.len() {
        0..4 => 6,
        4..8 => 3,
        _ => 0,
    });
    match spot.rung {
        Rung::Whole => 0,
        Rung::Trimmed => 2,
        Rung::Run | Rung::Folded => 4,
        Rung::Part => 6 + chance,
        Rung::FoldedPart => 10 + chance,
        Rung::Attribute | Rung::Unseen => 16,
        Rung::Inside => 24 + chance,
    }
}

/// The place that fits best near a node, and what it costs: how well it fits, and how far it is. Neighbours in the order
/// of the page are nearest in the tree; some on both sides are looked at, since the very nearest may fit badly.
fn nearest(
    document: &Document,
    spots: &[Spot],
    ordered: &[usize],
    at: NodeId,
    taken: &dyn Fn(&Place) -> bool,
) -> Option<(usize, usize)> {
    let middle = ordered.partition_point(|&nth| spots[nth].place.node < at);
    let near = ordered[middle.saturating_sub(6)..(middle + 6).min(ordered.len())].iter().copied();
    near.filter(|&nth| !taken(&spots[nth].place))
        .map(|nth| {
            let spot = &spots[nth];
            let around = meet(document, at, spot.place.node);
            let gap = at.index().abs_diff(spot.place.node.index());
            // Where records are runs of siblings, what is around two fields of one is the whole list.
            let size = (document.subtree_end(around).index() - around.index()).min(gap * 16).max(1).ilog2() as usize;
            ((2 * size + rung_cost(spot), gap), nth)
        })
        .min()
        .map(|((cost, _), nth)| (nth, cost))
}

/// The lowest node that holds both.
pub(crate) fn meet(document: &Document, one: NodeId, other: NodeId) -> NodeId {
    let (low, high) = (one.min(other), one.max(other));
    let mut node = low;
    while document.subtree_end(node) <= high {
        match document.parent(node) {
            Some(parent) => node = parent,
            None => break,
        }
    }
    node
}

pub(crate) fn depth(document: &Document, id: NodeId) -> usize {
    document.ancestors(id).count()
}
