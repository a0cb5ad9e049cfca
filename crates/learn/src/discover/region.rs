//! The data region and its records: every way of cutting the page into a list, judged, the best first.
//!
//! A *candidate* is a set of records: like siblings, each by itself; or runs of siblings that all begin (or all end) with
//! a node of one kind, which are the paper's 1+2k divisions; or like nodes under several parents (columns, groups).
//! A candidate is good if its records have the same things in them: for every key below the records,
//!
//! > support (share of records that have it) × single (share of those that have it once) × distinct (its values differ)
//! > × what a reader sees of it,
//!
//! summed, and damped by the number of records, so that a long menu of words does not beat a list of ten articles.
//!
//! Paper: Fontán et al. 2012, section 3 (Álvarez et al. 2008). The paper finds the region first, by the pairs of
//! like texts below it, then divides it by edit distance between serialised subtrees; here both are one choice, by one
//! measure that needs no pairs: a list whose best division is poor is no list.
//!
//! # Cost
//!
//! Each candidate costs its leaves once; a budget in proportion to the page bounds all of them together.

use foldhash::fast::FixedState;
use hashbrown::{HashMap, HashSet};
use windrow_dom::{NodeId, names};

use crate::outline::{By, Leaf, Outline};

/// One record: sibling nodes from `first` up to the node `end`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Record {
    pub(crate) first: NodeId,
    pub(crate) end: NodeId,
}

/// How a candidate's records were cut.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Cut {
    /// Each record is one node.
    Nodes,
    /// Each record begins with a node of one kind.
    Starts,
    /// Each record ends with a node of one kind.
    Ends,
}

/// A way of cutting part of the page into records.
#[derive(Debug, Clone)]
pub(crate) struct Candidate {
    pub(crate) cut: Cut,
    pub(crate) records: Vec<Record>,
    /// Where keys are taken from if records are runs.
    pub(crate) parent: NodeId,
    pub(crate) by: By,
    pub(crate) score: f64,
}

impl Candidate {
    /// Whether parts of the page are in both.
    pub(crate) fn overlaps(&self, other: &Candidate) -> bool {
        let range = |candidate: &Candidate| {
            let records = &candidate.records;
            (records.iter().map(|record| record.first).min(), records.iter().map(|record| record.end).max())
        };
        let (one, two) = (range(self), range(other));
        one.0 < two.1 && two.0 < one.1
    }
}

/// Leaves that all candidates together may look at, for each leaf of the page.
const WORK: usize = 96;
/// Kinds of children of one parent that are tried as the beginning or end of records.
const KINDS: usize = 6;

/// All candidates, the best first.
pub(crate) fn candidates(outline: &Outline<'_>) -> Vec<Candidate> {
    let mut search =
        Search { outline, left: outline.leaves.len() * WORK + 10_000, found: Vec::new(), judge: Judge::default() };
    search.siblings();
    search.cousins();
    let Search { mut found, mut judge, .. } = search;
    found.sort_by(|a, b| b.score.total_cmp(&a.score));
    found.truncate(BEST);
    for candidate in &mut found {
        judge.drop_noise(outline, candidate);
    }
    found.retain(|candidate| candidate.score > 0.0);
    found.sort_by(|a, b| b.score.total_cmp(&a.score));
    if let Some(best) = found.first_mut() {
        grow(outline, best);
    }
    for _ in 0..3 {
        let Some(best) = found.first() else { break };
        let Some(promoted) = judge.promote(outline, best) else { break };
        found.insert(0, promoted);
    }
    found
}

/// Takes the elements around the records for the records, if each holds one of them and most add something to it.
fn grow(outline: &Outline<'_>, candidate: &mut Candidate) {
    let document = outline.document;
    if candidate.cut != Cut::Nodes {
        return;
    }
    let mut around: Vec<NodeId> = candidate.records.iter().map(|record| record.first).collect();
    let mut leaves: Vec<usize> = around.iter().map(|&id| outline.leaves_below(id).len()).collect();
    for _ in 0..8 {
        let Some(above) = around.iter().map(|&id| document.parent(id)).collect::<Option<Vec<NodeId>>>() else { return };
        let alike = above.windows(2).all(|pair| {
            document.subtree_end(pair[0]) <= pair[1] && document.name_id(pair[0]) == document.name_id(pair[1])
        });
        if !alike || above.len() < 2 {
            return;
        }
        let more: Vec<usize> = above.iter().map(|&id| outline.leaves_below(id).len()).collect();
        let added = more.iter().zip(&leaves).filter(|(more, leaves)| more > leaves).count();
        if added * 10 >= above.len() * 6 {
            leaves = more;
            candidate.records = above.iter().map(|&first| Record { first, end: document.subtree_end(first) }).collect();
        }
        around = above;
    }
}

/// Candidates that are looked at closely.
const BEST: usize = 16;
/// The share of what records usually have that a record must have. Half of the usual share leaves optional parts alone;
/// chosen by hand on the development pages, not swept.
const FIT: f64 = 0.45;
/// The share of a record's own content that must stand where a third of the others have something, for it to stay
/// though it has little of what is usual. Chosen by hand, not swept.
const OWN: f64 = 0.7;
/// The root of the length of a text that says little by itself.
const SHORT: f32 = 5.0;
/// What likeness by tags alone is worth.
const COARSE: f64 = 0.9;

struct Search<'o, 'd> {
    outline: &'o Outline<'d>,
    left: usize,
    found: Vec<Candidate>,
    judge: Judge,
}

impl Search<'_, '_> {
    /// Candidates among the children of each node.
    fn siblings(&mut self) {
        let document = self.outline.document;
        let mut children: Vec<NodeId> = Vec::new();
        for parent in document.nodes().filter(|&id| document.is_element(id)) {
            if self.outline.leaves_below(parent).len() < 2 || self.outline.is_hidden(parent) {
                continue;
            }
            children.clear();
            children.extend(document.children(parent).filter(|&child| !self.outline.leaves_below(child).is_empty()));
            if children.len() >= 2 {
                self.divide(parent, &children);
            }
        }
    }

    fn divide(&mut self, parent: NodeId, children: &[NodeId]) {
        let document = self.outline.document;
        let mut kinds: Vec<(u64, usize)> = Vec::new();
        for &child in children {
            let step = self.outline.step(child);
            match kinds.iter().position(|kind| kind.0 == step) {
                Some(at) => kinds[at].1 += 1,
                None if kinds.len() < 64 => kinds.push((step, 1)),
                None => {}
            }
        }
        kinds.retain(|kind| kind.1 >= 2);
        kinds.sort_by_key(|kind| std::cmp::Reverse(kind.1));
        kinds.truncate(KINDS);
        let end = document.subtree_end(parent);
        let alone = |&child: &NodeId| Record { first: child, end: document.subtree_end(child) };
        let elements: Vec<Record> = children.iter().filter(|&&child| document.is_element(child)).map(alone).collect();
        // One node a record, of one tag whatever its class, and of one kind.
        let tag = |record: &Record| document.name_id(record.first);
        let mut tags: Vec<_> = elements.iter().filter_map(tag).collect();
        tags.sort_unstable();
        tags.dedup();
        for name in tags.into_iter().take(KINDS) {
            let records: Vec<Record> = elements.iter().filter(|record| tag(record) == Some(name)).copied().collect();
            self.try_records(parent, Cut::Nodes, records);
        }
        for &(step, count) in &kinds {
            let is = |child: &&NodeId| self.outline.step(**child) == step;
            if count < elements.len() && document.is_element(*children.iter().find(is).unwrap_or(&parent)) {
                let records = children.iter().filter(is).map(alone).collect();
                self.try_records(parent, Cut::Nodes, records);
            }
            // Rows of two looks that are built alike are records each, not halves of records.
            let twin = |&(other, often): &(u64, usize)| {
                other != step && often * 2 >= count && self.built_alike(children, step, other)
            };
            if count == children.len() || kinds.iter().any(twin) {
                continue;
            }
            let starts: Vec<NodeId> = children.iter().filter(is).copied().collect();
            let ends = starts.iter().skip(1).copied().chain([end]);
            let records = starts.iter().zip(ends).map(|(&first, end)| Record { first, end }).collect();
            self.try_records(parent, Cut::Starts, records);
            let mut first = children[0];
            let mut records = Vec::new();
            for &last in &starts {
                let end = document.subtree_end(last);
                records.push(Record { first, end });
                first = end;
            }
            self.try_records(parent, Cut::Ends, records);
        }
    }

    /// Whether children of two kinds have the same in them, by tags alone, and more than one thing.
    fn built_alike(&self, children: &[NodeId], one: u64, other: u64) -> bool {
        let keys = |step: u64| {
            let mut keys: Vec<u64> = Vec::new();
            for &child in children.iter().filter(|&&child| self.outline.step(child) == step).take(4) {
                let leaves = self.outline.leaves_below(child).iter().take(64);
                keys.extend(leaves.map(|leaf| self.outline.key_below(child, leaf, By::Tag)));
            }
            keys.sort_unstable();
            keys.dedup();
            keys
        };
        let (one, other) = (keys(one), keys(other));
        let shared = one.iter().filter(|key| other.binary_search(key).is_ok()).count();
        shared >= 2 && shared * 10 >= one.len().min(other.len()) * 7
    }

    /// Candidates among like nodes that have different parents: those that look alike from the root down (columns,
    /// several lists of one kind), and those of one tag and class wherever they stand.
    fn cousins(&mut self) {
        let document = self.outline.document;
        let mut alike: HashMap<u64, Vec<NodeId>, FixedState> = HashMap::default();
        for id in document.nodes().filter(|&id| document.is_element(id) && !self.outline.is_hidden(id)) {
            if self.outline.leaves_below(id).is_empty() {
                continue;
            }
            alike.entry(self.outline.path(id)).or_default().push(id);
            if self.outline.has_class(id) {
                let group = alike.entry(self.outline.step(id)).or_default();
                // One inside the other is not one beside the other.
                if group.last().is_none_or(|&last| document.subtree_end(last) <= id) {
                    group.push(id);
                }
            }
        }
        let mut groups: Vec<Vec<NodeId>> = alike.into_values().filter(|group| group.len() >= 2).collect();
        groups.sort_unstable();
        groups.dedup();
        for group in groups {
            if group.windows(2).all(|pair| document.parent(pair[0]) == document.parent(pair[1])) {
                continue;
            }
            let records = group.iter().map(|&first| Record { first, end: document.subtree_end(first) }).collect();
            self.try_records(document.root(), Cut::Nodes, records);
        }
    }

    fn try_records(&mut self, parent: NodeId, cut: Cut, records: Vec<Record>) {
        if records.len() < 2 {
            return;
        }
        let cost: usize = records.iter().map(|record| self.outline.leaves_in(record.first, record.end).len()).sum();
        if cost > self.left {
            return;
        }
        self.left -= cost;
        let fine = self.judge.score(self.outline, parent, cut, By::Class, &records);
        let coarse = self.judge.score(self.outline, parent, cut, By::Tag, &records) * COARSE;
        let (by, score) = if coarse > fine { (By::Tag, coarse) } else { (By::Class, fine) };
        if score > 0.0 {
            self.found.push(Candidate { cut, records, parent, by, score });
        }
    }
}

/// What is counted of one key.
#[derive(Debug, Clone, Copy, Default)]
struct Seen {
    records: u32,
    single: u32,
    distinct: u32,
    weight: f32,
    last: u32,
    in_last: u32,
}

/// The measure, with its tables kept between candidates.
#[derive(Default)]
struct Judge {
    // A fixed seed: sums are taken in the table's order, and must come out the same in every run.
    seen: HashMap<u64, Seen, FixedState>,
    values: HashSet<u64, FixedState>,
}

impl Judge {
    /// Drops the records that are unlike the rest: headings, pagers, advertisements.
    fn drop_noise(&mut self, outline: &Outline<'_>, candidate: &mut Candidate) {
        for _ in 0..3 {
            let Candidate { cut, records, parent, by, .. } = candidate;
            if records.len() < 3 {
                return;
            }
            let by = *by;
            candidate.score = self.score(outline, *parent, *cut, by, records);
            let count = records.len();
            let fits: Vec<(f64, f64)> =
                records.iter().map(|record| self.fit(outline, *parent, *cut, by, record, count)).collect();
            let mut sorted: Vec<f64> = fits.iter().map(|fit| fit.0).collect();
            sorted.sort_by(f64::total_cmp);
            let usual = sorted[sorted.len() / 2];
            let before = records.len();
            // A record that carries the others' class is one of them though it lacks much; one inside the list is
            // likelier so than one at its ends, where headings and pagers are.
            let mut steps: Vec<u64> = records.iter().map(|record| outline.step(record.first)).collect();
            steps.sort_unstable();
            let common = steps[steps.len() / 2];
            let mut number = 0;
            records.retain(|record| {
                let inside = number > 0 && number + 1 < before;
                let (fit, own) = fits[number];
                number += 1;
                let marked = outline.has_class(record.first) && outline.step(record.first) == common;
                let least = match (marked, inside) {
                    (true, true) => FIT * 0.2,
                    (true, false) => FIT * 0.5,
                    (false, true) => FIT * 0.6,
                    (false, false) => FIT,
                };
                fit >= usual * least || own >= OWN && fit >= usual * least * 0.4
            });
            if records.len() == before || records.len() < 2 {
                break;
            }
        }
        if candidate.records.len() >= 2 {
            let Candidate { cut, records, parent, by, .. } = &*candidate;
            let worth = if *by == By::Tag { COARSE } else { 1.0 };
            candidate.score = self.score(outline, *parent, *cut, *by, records) * worth;
        } else {
            candidate.score = 0.0;
        }
    }

    /// The records that the candidate's records are sublists of, if there are such: like ancestors, or runs of siblings
    /// that end with one, with something of their own.
    fn promote(&mut self, outline: &Outline<'_>, inner: &Candidate) -> Option<Candidate> {
        let document = outline.document;
        let mut above: Vec<NodeId> = inner.records.iter().map(|record| record.first).collect();
        for _ in 0..6 {
            above = above.iter().map(|&id| document.parent(id)).collect::<Option<_>>()?;
            above.dedup();
            let parent = document.parent(*above.first()?)?;
            if above.len() < 2 {
                return None;
            }
            if above.iter().any(|&id| document.parent(id) != Some(parent)) || above.len() * 6 > inner.records.len() * 5
            {
                continue;
            }
            let tag = document.name_id(above[0]);
            if above.iter().any(|&id| document.name_id(id) != tag) {
                return None;
            }
            let alone: Vec<Record> =
                above.iter().map(|&id| Record { first: id, end: document.subtree_end(id) }).collect();
            // From behind the last one on: a heading in front belongs to what it heads.
            let mut from = document.first_child(parent)?;
            let mut runs = Vec::new();
            for record in &alone {
                runs.push(Record { first: from, end: record.end });
                from = record.end;
            }
            for (cut, records) in [(Cut::Nodes, alone), (Cut::Ends, runs)] {
                if self.holds_lists(outline, &records, &inner.records) {
                    return Some(Candidate { cut, records, parent, by: By::Class, score: inner.score });
                }
            }
        }
        None
    }

    /// Whether the records of `outer` are lists of those of `inner`, with something of their own beside: then the outer
    /// ones are the records, and the inner ones their sublist.
    fn holds_lists(&mut self, outline: &Outline<'_>, outer: &[Record], inner: &[Record]) -> bool {
        if outer.len() < 2 || outer.len() * 6 > inner.len() * 5 {
            return false;
        }
        // Both are in document order.
        let mut at = 0;
        let mut held = 0;
        let mut filled = 0;
        self.seen.clear();
        self.values.clear();
        for (number, record) in outer.iter().enumerate() {
            let mut from = record.first;
            let before = held;
            while at < inner.len() && inner[at].first < record.end {
                let within = inner[at];
                if within.first < record.first || within.end > record.end || within == *record {
                    return false;
                }
                self.own(outline, record, from, within.first, number);
                from = within.end;
                held += 1;
                at += 1;
            }
            self.own(outline, record, from, record.end, number);
            filled += usize::from(held > before);
        }
        if held * 10 < inner.len() * 9 || filled * 3 < outer.len() * 2 {
            return false;
        }
        self.seen.values().any(|seen| {
            let count = outer.len() as u32;
            seen.single * 10 >= count * 8 && seen.distinct * 10 >= seen.records * 8
        })
    }

    /// Counts the leaves that a record has of its own.
    fn own(&mut self, outline: &Outline<'_>, record: &Record, from: NodeId, to: NodeId, number: usize) {
        if from >= to {
            return;
        }
        for leaf in outline.leaves_in(from, to) {
            let key = outline.key_below(record.first.min(leaf.node), leaf, By::Tag);
            self.count(key, number as u32 + 1, leaf);
        }
    }

    /// How much of what the records have, as the last scoring saw them, one record has.
    fn fit(
        &self,
        outline: &Outline<'_>,
        parent: NodeId,
        cut: Cut,
        by: By,
        record: &Record,
        count: usize,
    ) -> (f64, f64) {
        let from = if cut == Cut::Nodes { record.first } else { parent };
        let mut met: Vec<u64> = Vec::new();
        let mut sum = 0.0;
        let (mut shared, mut own) = (0.0, 0.0);
        for leaf in outline.leaves_in(record.first, record.end) {
            let key = outline.key_below(from, leaf, by);
            own += leaf.weight;
            if self.seen.get(&key).is_some_and(|seen| seen.records as usize * 3 >= count) {
                shared += leaf.weight;
            }
            if let Some(seen) = self.seen.get(&key)
                && seen.records > 1
                && !met.contains(&key)
            {
                met.push(key);
                let (records, weight) = (f64::from(seen.records), f64::from(seen.weight));
                // What stands in every record says more than what stands in two.
                sum += records * f64::from(seen.single) / records * (weight / records);
                if met.len() > 256 {
                    break;
                }
            }
        }
        (sum, f64::from(shared / own.max(1.0)))
    }

    fn score(&mut self, outline: &Outline<'_>, parent: NodeId, cut: Cut, by: By, records: &[Record]) -> f64 {
        self.seen.clear();
        self.values.clear();
        for (number, record) in records.iter().enumerate() {
            let number = number as u32 + 1;
            let from = if cut == Cut::Nodes { record.first } else { parent };
            for leaf in outline.leaves_in(record.first, record.end) {
                let key = outline.key_below(from, leaf, by);
                self.count(key, number, leaf);
            }
        }
        let count = records.len() as f64;
        let mut sum = 0.0;
        let mut most = (0.0, 0.0);
        for seen in self.seen.values() {
            if seen.records < 2 {
                continue;
            }
            let support = f64::from(seen.records) / count;
            let single = f64::from(seen.single) / f64::from(seen.records);
            let distinct = f64::from(seen.distinct.saturating_sub(1)) / f64::from(seen.records.max(2) - 1);
            let worth = support * single * distinct.min(1.0).sqrt() * f64::from(seen.weight);
            sum += worth;
            if worth > most.0 {
                most = (worth, seen.weight / seen.records as f32);
            }
        }
        // A menu: nothing but one short text each.
        let thin = most.0 > sum * 0.9 && most.1 < SHORT;
        let score = sum * (1.0 - 1.0 / count) * count.powf(-0.4) * if thin { 0.5 } else { 1.0 };
        score * place(outline, records[0].first)
    }

    fn count(&mut self, key: u64, number: u32, leaf: &Leaf) {
        let seen = self.seen.entry(key).or_default();
        if seen.last == number {
            seen.in_last += 1;
            if seen.in_last == 2 {
                seen.single -= 1;
            }
        } else {
            seen.last = number;
            seen.in_last = 1;
            seen.records += 1;
            seen.single += 1;
        }
        seen.weight += leaf.weight;
        if self.values.insert(leaf.value ^ key.rotate_left(17)) {
            seen.distinct += 1;
        }
    }
}

/// How likely a place on the page is to hold its main list.
fn place(outline: &Outline<'_>, node: NodeId) -> f64 {
    let document = outline.document;
    let aside = std::iter::once(node).chain(document.ancestors(node)).any(|id| {
        matches!(document.name_id(id), Some(names::NAV | names::FOOTER | names::ASIDE))
            || document.attr(id, "role") == Some("navigation")
    });
    if aside { 0.3 } else { 1.0 }
}
