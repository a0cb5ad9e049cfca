//! Fields that stand outside of the record: the heading over a group of records, the cell that covers several rows.
//!
//! The fields of a record mostly stand in it. If those that come first are left out, and what is left has a record with many more like it,
//! then what was left out may be a heading: it stands in front of the record or of what holds it, there are several of its kind, and each
//! is over more than one record on average. Its value belongs to every record below it. In a table, a cell that covers the rows of several
//! records belongs to each of them, also if a later one was shown.
//!
//! # Cost
//!
//! One search for records for each field that may be left out, and one expression for each heading.

use windrow_dom::{Document, NodeId, names};

use super::list::{Sheet, nested};
use super::point::{Found, FoundField};
use super::records::{self, Record, Records, Shown};
use crate::induce::locate::Finder;
use crate::induce::outside;
use crate::labels::{LabelledField, Labels};
use crate::scope::Cut;
use crate::segmentation::Candidate;

/// Fields that may stand outside of one record.
const MOST: usize = 3;
/// The share of records that must have a heading: some may stand in front of the first one.
const HEADED: f32 = 0.9;

/// The examples without the fields that stand outside, the records of these, and the fields outside.
pub(super) struct Split {
    pub(super) inner: Vec<Found>,
    pub(super) sets: Vec<Records>,
    fields: Vec<Outside>,
}

/// A field that stands outside.
struct Outside {
    /// Its number among the shown fields.
    at: usize,
    field: FoundField,
    /// It is a cell that covers the rows of records.
    covers: bool,
    /// For the first node of each record, in order, the place of the field.
    of_record: Vec<(NodeId, Option<NodeId>)>,
}

/// Finds out whether some of the shown fields stand outside of the record. `sets`: the sets of records if all stand in it.
pub(super) fn split(sheet: &Sheet<'_, '_>, here: &[&Found], sets: &[Records], cuts: &[Candidate]) -> Option<Split> {
    let first = here.first()?;
    let mut own: Vec<usize> = (0..first.fields.len())
        .filter(|&at| nested(&first.fields[at].name).is_none() && first.fields[at].spot.place.part.is_none())
        .collect();
    own.sort_by_key(|&at| first.fields[at].spot.place.node);
    (1..own.len().min(MOST + 1)).find_map(|count| without(sheet, here, &own[..count], sets, cuts))
}

/// The split that leaves these fields out, if there is one.
fn without(
    sheet: &Sheet<'_, '_>,
    here: &[&Found],
    left: &[usize],
    sets: &[Records],
    cuts: &[Candidate],
) -> Option<Split> {
    let names: Vec<&str> = left.iter().map(|&at| &*here[0].fields[at].name).collect();
    let is_left = |field: &&FoundField| names.contains(&&*field.name);
    let inner: Vec<Found> = here
        .iter()
        .map(|found| Found {
            fields: found.fields.iter().filter(|field| !is_left(field)).cloned().collect(),
            ..(*found).clone()
        })
        .collect();
    let shown: Vec<Shown> =
        inner.iter().map(|found| found.fields.iter().map(|field| field.spot.place.node).collect()).collect();
    let is_own = |field: &&FoundField| nested(&field.name).is_none();
    let own = inner[0].fields.iter().filter(is_own).count();
    if shown.iter().any(Vec::is_empty) || own == 0 {
        return None;
    }
    // Whether the fields stand in cells that cover the record is seen before anything is searched.
    let covers: Vec<Option<NodeId>> =
        left.iter().map(|&at| covering(sheet, here[0].fields[at].spot.place.node, shown[0][0])).collect();
    let covered = covers.iter().all(Option::is_some);
    // One value below another is no record with a heading yet: both may be lines of one record.
    if !covered && own < 2 {
        return None;
    }
    let sets_inner = records::find(sheet.view, sheet.reading, &shown, own, None, cuts);
    let best = sets_inner.first().filter(|set| set.cut == Cut::Nodes && set.records.len() >= 3)?;
    // With all fields in it, a record would be the only one, or hold several of these.
    if !covered && sets.first().is_some_and(|all| all.cut == Cut::Nodes && all.records.len() >= best.records.len()) {
        return None;
    }
    let mut fields = Vec::new();
    for (&at, cover) in left.iter().zip(&covers) {
        let field = &here[0].fields[at];
        let nodes: Vec<Option<NodeId>> = match cover {
            Some(cell) => best.records.iter().map(|record| covering(sheet, *cell, record.first)).collect(),
            None => heading(sheet, field, best)?,
        };
        let of_record = best.records.iter().map(|record| record.first).zip(nodes).collect();
        fields.push(Outside { at, field: field.clone(), covers: cover.is_some(), of_record });
    }
    fields.sort_by_key(|field| field.at);
    Some(Split { inner, sets: sets_inner, fields })
}

/// The cell around a value that covers the row of a record below its own.
fn covering(sheet: &Sheet<'_, '_>, value: NodeId, inside: NodeId) -> Option<NodeId> {
    let document = sheet.view.document;
    let is_cell = |id: &NodeId| matches!(document.name_id(*id), Some(names::TD | names::TH));
    let is_row = |id: &NodeId| document.name_id(*id) == Some(names::TR);
    let cell = std::iter::once(value).chain(document.ancestors(value)).find(is_cell)?;
    let rows = document.attr(cell, "rowspan").and_then(|rows| rows.trim().parse::<usize>().ok())?;
    let row = document.parent(cell)?;
    let table = document.parent(row)?;
    let around = std::iter::once(inside).chain(document.ancestors(inside));
    let own = around.into_iter().find(|id| is_row(id) && document.parent(*id) == Some(table))?;
    let between = document.children(table).filter(|id| is_row(id) && row <= *id && *id < own).count();
    let whole = sheet.reading.range(cell) == sheet.reading.range(value);
    let has_column = sheet.view.spanned_column(cell).is_some();
    (row < own && between < rows && whole && has_column).then_some(cell)
}

/// The heading of each record, if the field is one.
fn heading(sheet: &Sheet<'_, '_>, field: &FoundField, set: &Records) -> Option<Vec<Option<NodeId>>> {
    let document = sheet.view.document;
    let finder = Finder { view: sheet.view, document };
    let shown = set.records[*set.shown.first()?].first;
    let equals = records::equals(sheet.reading, field.spot.place.node);
    let elements: Vec<NodeId> = equals.into_iter().filter(|&id| document.is_element(id)).collect();
    outside::paths(&finder, shown, *elements.last()?).into_iter().find_map(|path| {
        let nodes = headings(&finder, sheet, &path, set)?;
        nodes[set.shown[0]].filter(|node| elements.contains(node)).map(|_| nodes)
    })
}

/// The heading that an expression finds for each record, if these are headings.
fn headings(finder: &Finder<'_, '_>, sheet: &Sheet<'_, '_>, path: &str, set: &Records) -> Option<Vec<Option<NodeId>>> {
    let document = sheet.view.document;
    let nodes = outside::firsts(finder, path, set.records.iter().map(|record| record.first))?;
    let mut all: Vec<NodeId> = nodes.iter().flatten().copied().collect();
    let headed = all.len() as f32 >= HEADED * nodes.len() as f32;
    all.sort_unstable();
    all.dedup();
    let inside = |id: &NodeId| {
        let before = set.records.partition_point(|record| record.first <= *id);
        before.checked_sub(1).is_some_and(|at| *id < set.records[at].end)
    };
    let empty = |id: &NodeId| sheet.reading.of(*id).is_empty();
    // As for the headings that `discover` finds: three records for two headings, or more.
    let over_groups = all.len() >= 2 && all.len() * 3 <= nodes.len() * 2;
    // Where each group is an element with a heading in it, the group may be the record.
    let flat = all.windows(2).all(|pair| document.parent(pair[0]) == document.parent(pair[1]));
    (headed && over_groups && flat && !all.iter().any(|id| inside(id) || empty(id))).then_some(nodes)
}

impl Split {
    /// Labels the fields that stand outside, among the others in the order in which they were shown.
    pub(super) fn add_to(&self, document: &Document, labels: &mut Labels, shown: &[usize]) {
        for Outside { at, field, covers, of_record } in &self.fields {
            let of = |record: &Record| {
                let at = of_record.binary_search_by_key(&record.first, |(first, _)| *first).ok()?;
                of_record[at].1
            };
            let nodes: Vec<Option<NodeId>> = labels.records.iter().map(of).collect();
            let own = LabelledField::at(field.name.as_str(), &nodes, field.spot.place.attribute.as_deref());
            let filled = if *covers { labels.records.len() } else { own.filled };
            let path = Some(field.spot.place.path(document));
            // What the other examples show is the same heading, or that of their own group.
            let shown = shown.first().copied().filter(|&shown| nodes[shown].is_some()).into_iter().collect();
            labels.fields.insert((*at).min(labels.fields.len()), LabelledField { filled, path, shown, ..own });
        }
    }
}
