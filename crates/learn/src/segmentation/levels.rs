//! Up from a list: to the elements around its records, and to the records that it is a sublist of.
//!
//! A list is often found at the wrong height: as the titles in the records, or as the items of the lists in the records.
//! [`grow`] and [`promote`] offer the height above; which one is meant is left to the ranking.
//!
//! Paper: Fontán et al. 2012, section 4: records whose parts repeat are records with sublists, not several records.

use windrow_dom::NodeId;

use super::tally::Tally;
use super::{Candidate, Cut, Record};
use crate::page_view::{By, PageView};

/// The elements around the records as records, if each holds one of them and most add something to it.
pub(crate) fn grow(view: &PageView<'_>, candidate: &Candidate) -> Option<Candidate> {
    let document = view.document;
    if candidate.cut != Cut::Nodes {
        return None;
    }
    let mut around: Vec<NodeId> = candidate.records.iter().map(|record| record.first).collect();
    let mut leaves: Vec<usize> = around.iter().map(|&id| view.leaves_below(id).len()).collect();
    let mut grown = None;
    for _ in 0..8 {
        let above: Option<Vec<NodeId>> = around.iter().map(|&id| document.parent(id)).collect();
        let Some(above) = above.filter(|above| above.len() >= 2) else { break };
        let alike = above.windows(2).all(|pair| {
            document.subtree_end(pair[0]) <= pair[1] && document.name_id(pair[0]) == document.name_id(pair[1])
        });
        if !alike {
            break;
        }
        let more: Vec<usize> = above.iter().map(|&id| view.leaves_below(id).len()).collect();
        let added = more.iter().zip(&leaves).filter(|(more, leaves)| more > leaves).count();
        if added * 10 >= above.len() * 6 {
            leaves = more;
            grown = Some(above.iter().map(|&first| Record::node(document, first)).collect());
        }
        around = above;
    }
    grown.map(|records| Candidate { records, margins: None, common: None, ..candidate.clone() })
}

/// The records that the candidate's records are sublists of, if there are such: like ancestors, or runs of siblings
/// that end with one, with something of their own.
pub(crate) fn promote(view: &PageView<'_>, tally: &mut Tally, inner: &Candidate) -> Option<Candidate> {
    let document = view.document;
    let mut above: Vec<NodeId> = inner.records.iter().map(|record| record.first).collect();
    for _ in 0..6 {
        above = above.iter().map(|&id| document.parent(id)).collect::<Option<_>>()?;
        above.dedup();
        let parent = document.parent(*above.first()?)?;
        if above.len() < 2 {
            return None;
        }
        if above.iter().any(|&id| document.parent(id) != Some(parent)) || too_many(above.len(), inner.records.len()) {
            continue;
        }
        let tag = document.name_id(above[0]);
        if above.iter().any(|&id| document.name_id(id) != tag) {
            return None;
        }
        let alone: Vec<Record> = above.iter().map(|&id| Record::node(document, id)).collect();
        // From behind the last one on: a heading in front belongs to what it heads.
        let mut from = document.first_child(parent)?;
        let mut runs = Vec::new();
        for record in &alone {
            runs.push(Record { first: from, end: record.end });
            from = record.end;
        }
        for (cut, records) in [(Cut::Nodes, alone), (Cut::Ends, runs)] {
            if holds_lists(view, tally, &records, &inner.records) {
                return Some(Candidate::new(cut, parent, records));
            }
        }
    }
    None
}

/// Whether so many outer records are too many for so many inner ones: lists have more than one item, mostly.
fn too_many(outer: usize, inner: usize) -> bool {
    outer * 6 > inner * 5
}

/// Whether the records of `outer` are lists of those of `inner`, with something of their own beside: then the outer
/// ones are the records, and the inner ones their sublist.
fn holds_lists(view: &PageView<'_>, tally: &mut Tally, outer: &[Record], inner: &[Record]) -> bool {
    if outer.len() < 2 || too_many(outer.len(), inner.len()) {
        return false;
    }
    // Both are in document order.
    let mut at = 0;
    let mut filled = 0;
    let hull = outer.iter().map(|record| record.first).min().zip(outer.iter().map(|record| record.end).max());
    tally.clear(hull.map_or(0, |(first, end)| view.leaves_in(first, end).len()));
    for (number, record) in outer.iter().enumerate() {
        let mut from = record.first;
        let before = at;
        while at < inner.len() && inner[at].first < record.end {
            let within = inner[at];
            if within.first < record.first || within.end > record.end || within == *record {
                return false;
            }
            own(view, tally, record, from, within.first, number);
            from = within.end;
            at += 1;
        }
        own(view, tally, record, from, record.end, number);
        filled += usize::from(at > before);
    }
    if at * 10 < inner.len() * 9 || filled * 3 < outer.len() * 2 {
        return false;
    }
    tally.seen.iter().any(|seen| {
        let count = outer.len() as u32;
        seen.single * 10 >= count * 8 && seen.distinct * 10 >= seen.records * 8
    })
}

/// Counts the leaves that a record has of its own between two nodes.
fn own(view: &PageView<'_>, tally: &mut Tally, record: &Record, from: NodeId, to: NodeId, number: usize) {
    if from >= to {
        return;
    }
    for leaf in view.leaves_in(from, to) {
        let key = view.key_below(record.first.min(leaf.node), leaf, By::Tag);
        tally.add(key, number as u32 + 1, leaf);
    }
}
