//! The data region and its records: every way of cutting the page into a list, the best first.
//!
//! A *candidate* is a set of records: like siblings, each by itself; or runs of siblings that all begin (or all end) with
//! a node of one kind, which are the paper's 1+2k divisions; or like nodes under several parents (columns, groups).
//! A quick measure (`tally`) finds the few that may be lists at all. Of these, records that are unlike the rest are
//! dropped (`noise`), what is around the records is offered as records too (`levels`), and a ranking (`rank`) chooses.
//!
//! Paper: Fontán et al. 2012, section 3 (Álvarez et al. 2008). The paper finds the region first, by the pairs of
//! like texts below it, then divides it by edit distance between serialised subtrees; here both are one choice, by
//! measures that need no pairs: a list whose best division is poor is no list.
//!
//! # Cost
//!
//! Each candidate costs its leaves once; a budget in proportion to the page bounds all of them together.

mod levels;
pub(crate) mod marks;
mod model;
pub(crate) mod noise;
pub(crate) mod rank;
mod runs;
pub(crate) mod tally;

use foldhash::fast::FixedState;
use hashbrown::HashMap;
use windrow_dom::{NodeId, names};

use self::marks::{ASIDE, Marks};
use self::rank::Features;
use self::tally::{Common, Tally};

use crate::page_view::{By, PageView};
pub(crate) use crate::scope::{Cut, Record};

/// A way of cutting part of the page into records.
#[derive(Debug, Clone)]
pub(crate) struct Candidate {
    pub(crate) cut: Cut,
    /// In document order.
    pub(crate) records: Vec<Record>,
    /// Where keys are taken from if records are runs.
    pub(crate) parent: NodeId,
    pub(crate) by: By,
    /// Records that were dropped, and the first of them.
    pub(crate) dropped: usize,
    pub(crate) first_dropped: Option<Record>,
    /// Its records are sublists in another candidate's records.
    pub(crate) nested: bool,
    /// Its records are prose or a menu: no list, though there may be no better cut.
    pub(crate) furniture: bool,
    /// For each record how sure it is one, if that was seen already.
    pub(crate) margins: Option<Vec<f32>>,
    /// What the records have in common, if that was seen already.
    pub(crate) common: Option<Common>,
    pub(crate) features: Features,
    pub(crate) score: f32,
    /// How likely it is a list, cut rightly.
    pub(crate) chance: f32,
}

impl Candidate {
    pub(crate) fn new(cut: Cut, parent: NodeId, records: Vec<Record>) -> Candidate {
        Candidate {
            cut,
            records,
            parent,
            by: By::Class,
            dropped: 0,
            first_dropped: None,
            nested: false,
            furniture: false,
            margins: None,
            common: None,
            features: [0.0; rank::FEATURES.len()],
            score: 0.0,
            chance: 0.0,
        }
    }

    /// The part of the page from the first record to the last.
    pub(crate) fn hull(&self) -> Record {
        Record {
            first: self.records.iter().map(|record| record.first).min().unwrap_or(NodeId::ROOT),
            end: self.records.iter().map(|record| record.end).max().unwrap_or(NodeId::ROOT),
        }
    }

    /// Whether parts of the page are in records of both.
    pub(crate) fn overlaps(&self, other: &Candidate) -> bool {
        rank::overlap(&self.records, &other.records, |record| (record.first, record.last()))
    }
}

/// Leaves that all candidates together may look at, for each leaf of the page.
const WORK: usize = 96;
/// Kinds of children of one parent that are tried as the beginning or end of records.
const KINDS: usize = 6;
/// Candidates that are looked at closely.
const BEST: usize = 32;
/// What likeness by tags alone is worth.
const COARSE: f32 = 0.9;
/// What a list in a menu, a footer or an aside is worth.
const BESIDE: f32 = 0.3;

/// Whether records that are unlike the rest are dropped.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Noise {
    /// They are: for use.
    Dropped,
    /// They are not: for seeing what they are like.
    Kept,
}

/// All candidates, the best first.
pub(crate) fn candidates(view: &PageView<'_>, noise: Noise) -> Vec<Candidate> {
    let marks = Marks::new(view.document);
    let left = view.leaves.len() * WORK + 10_000;
    let mut search = Search { view, marks: &marks, left, floor: 0.0, found: Vec::new(), tally: Tally::default() };
    search.siblings();
    search.cousins();
    search.keep_best();
    let Search { mut found, mut tally, .. } = search;
    runs::drop_misplaced(view, &mut found);
    let mut offered = Offered::default();
    for mut candidate in found {
        if noise == Noise::Dropped {
            noise::drop_noise(view, &marks, &mut tally, &mut candidate);
        }
        if candidate.records.len() < 2 {
            continue;
        }
        let grown = levels::grow(view, &candidate);
        // Lists in lists: up to two levels above.
        for _ in 0..2 {
            let above = levels::promote(view, &mut tally, &candidate);
            candidate.nested = above.is_some();
            let Some(above) = above else { break };
            offered.add(std::mem::replace(&mut candidate, above));
        }
        offered.add(candidate);
        if let Some(grown) = grown {
            offered.add(grown);
        }
    }
    rank::rank(view, &marks, &mut tally, offered.all)
}

/// Candidates, each once.
#[derive(Default)]
struct Offered {
    all: Vec<Candidate>,
}

impl Offered {
    fn add(&mut self, candidate: Candidate) {
        let same = |other: &&mut Candidate| other.cut == candidate.cut && other.records == candidate.records;
        match self.all.iter_mut().find(same) {
            Some(other) => other.nested |= candidate.nested,
            None => self.all.push(candidate),
        }
    }
}

struct Search<'o, 'd> {
    view: &'o PageView<'d>,
    marks: &'o Marks,
    left: usize,
    /// What a candidate must be worth more than.
    floor: f32,
    found: Vec<Candidate>,
    tally: Tally,
}

impl Search<'_, '_> {
    /// Candidates among the children of each node.
    fn siblings(&mut self) {
        let document = self.view.document;
        let mut children: Vec<NodeId> = Vec::new();
        for parent in document.nodes().filter(|&id| document.is_element(id)) {
            if self.view.leaves_below(parent).len() < 2 || self.view.is_hidden(parent) {
                continue;
            }
            children.clear();
            children.extend(document.children(parent).filter(|&child| !self.view.leaves_below(child).is_empty()));
            if children.len() >= 2 {
                self.divide(parent, &children);
            }
        }
    }

    fn divide(&mut self, parent: NodeId, children: &[NodeId]) {
        let document = self.view.document;
        let mut kinds: Vec<(u64, usize)> = Vec::new();
        for &child in children {
            let step = self.view.step(child);
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
        let alone = |&child: &NodeId| Record::node(document, child);
        let elements: Vec<Record> = children.iter().filter(|&&child| document.is_element(child)).map(alone).collect();
        // One node a record, of one tag whatever its class, and of one kind.
        let tag = |record: &Record| document.name_id(record.first);
        let mut tags: Vec<_> = elements.iter().filter_map(tag).collect();
        tags.sort_unstable();
        tags.dedup();
        // In a definition list the standard says what belongs together: a name and what follows it.
        let defines = document.name_id(parent) == Some(names::DL);
        for name in tags.into_iter().take(if defines { 0 } else { KINDS }) {
            let records: Vec<Record> = elements.iter().filter(|record| tag(record) == Some(name)).copied().collect();
            self.try_records(parent, Cut::Nodes, records);
        }
        // Kinds that are built alike are one list, whatever their classes say: striped rows, and records that are marked.
        for (at, &(step, _)) in kinds.iter().enumerate() {
            let alike = |&&(other, _): &&(u64, usize)| {
                self.is_one_tag(children, step, other) && self.built_alike(children, step, other)
            };
            let mut union: Vec<u64> = kinds[at + 1..].iter().filter(alike).map(|kind| kind.0).collect();
            let first = !kinds[..at].iter().any(|kind| alike(&kind));
            if union.is_empty() || !first {
                continue;
            }
            union.push(step);
            let records: Vec<Record> =
                children.iter().filter(|&&child| union.contains(&self.view.step(child))).map(alone).collect();
            if records.len() < elements.len() {
                self.try_records(parent, Cut::Nodes, records);
            }
        }
        for &(step, count) in &kinds {
            let is = |child: &&NodeId| self.view.step(**child) == step;
            if !defines && count < elements.len() && document.is_element(*children.iter().find(is).unwrap_or(&parent)) {
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
            let mut starts: Vec<NodeId> = children.iter().filter(is).copied().collect();
            if defines {
                // Several names in a row have what follows in common.
                let follows =
                    |at: usize| at.checked_sub(1).is_some_and(|before| self.view.step(children[before]) == step);
                let firsts = (0..children.len()).filter(|&at| is(&&children[at]) && !follows(at));
                starts = firsts.map(|at| children[at]).collect();
            }
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

    /// Returns whether children of two kinds have the same tag.
    fn is_one_tag(&self, children: &[NodeId], one: u64, other: u64) -> bool {
        let tag = |step: u64| {
            let child = children.iter().find(|&&child| self.view.step(child) == step);
            child.and_then(|&child| self.view.document.name_id(child))
        };
        tag(one).is_some() && tag(one) == tag(other)
    }

    /// Whether children of two kinds have the same in them, by tags alone, and more than one thing.
    fn built_alike(&self, children: &[NodeId], one: u64, other: u64) -> bool {
        let keys = |step: u64| {
            let mut keys: Vec<u64> = Vec::new();
            for &child in children.iter().filter(|&&child| self.view.step(child) == step).take(4) {
                let leaves = self.view.leaves_below(child).iter().take(64);
                keys.extend(leaves.map(|leaf| self.view.key_below(child, leaf, By::Tag)));
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
        let document = self.view.document;
        let mut alike: HashMap<u64, Vec<NodeId>, FixedState> = HashMap::default();
        for id in document.nodes().filter(|&id| document.is_element(id) && !self.view.is_hidden(id)) {
            let defined = matches!(document.name_id(id), Some(names::DT | names::DD));
            if defined || self.view.leaves_below(id).is_empty() {
                continue;
            }
            alike.entry(self.view.path(id)).or_default().push(id);
            if self.view.has_class(id) {
                let group = alike.entry(self.view.step(id)).or_default();
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
            let records = group.iter().map(|&first| Record::node(document, first)).collect();
            self.try_records(document.root(), Cut::Nodes, records);
        }
    }

    fn try_records(&mut self, parent: NodeId, cut: Cut, records: Vec<Record>) {
        if records.len() < 2 {
            return;
        }
        let cost: usize = records.iter().map(|record| self.view.leaves_in(record.first, record.end).len()).sum();
        if cost > self.left {
            return;
        }
        self.left -= cost;
        let mut candidate = Candidate::new(cut, parent, records);
        let fine = self.quick(&candidate, By::Class);
        // As many keys by tags as by classes are the same keys: nothing to count again.
        let same = self.tally.has_as_many(self.view, &candidate, By::Tag);
        candidate.score = fine.0;
        candidate.common = Some(fine.1);
        if !same {
            let coarse = self.quick(&candidate, By::Tag);
            if coarse.0 * COARSE > fine.0 {
                candidate.by = By::Tag;
                candidate.score = coarse.0 * COARSE;
                candidate.common = Some(coarse.1);
            }
        }
        if candidate.score > self.floor {
            self.found.push(candidate);
            if self.found.len() >= BEST * 16 {
                self.keep_best();
            }
        }
    }

    /// Forgets all but the best so far: a page of a hundred thousand lists has as many candidates.
    fn keep_best(&mut self) {
        self.found.sort_by(|one, two| two.score.total_cmp(&one.score));
        self.found.truncate(BEST);
        if let [.., last] = &self.found[..]
            && self.found.len() == BEST
        {
            self.floor = last.score;
        }
    }

    /// How well a candidate looks at first sight: what its records share, damped by their number, so that a long menu
    /// of words does not beat a list of ten articles.
    fn quick(&mut self, candidate: &Candidate, by: By) -> (f32, Common) {
        self.tally.take(self.view, candidate, by);
        let common = Common::new(&self.tally);
        let count = candidate.records.len() as f32;
        let place = if self.marks.has(candidate.records[0].first, ASIDE) { BESIDE } else { 1.0 };
        let damped = common.shared * (1.0 - 1.0 / count) * count.powf(-0.4);
        (damped * if common.thin { 0.5 } else { 1.0 } * place, common)
    }
}
