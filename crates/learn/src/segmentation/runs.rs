//! Cuts into runs of siblings that fall between the wrong siblings.
//!
//! Where records are runs (`h3 p p`, or lines of one element), each kind of sibling gives a cut that begins with it, and one that
//! ends with it. Where a kind is missing here and there, the cut that it gives holds two records in one; where every record has
//! it, the cut may still begin in the middle of records. The kinds that stand in the runs tell: a run with two records in it holds
//! most kinds twice that the others hold once, and a cut that begins in the middle leaves the beginning of the first record in
//! front of it. Such a cut is dropped if another one of the same siblings has no such flaw.
//!
//! # Cost
//!
//! The siblings of each run once, and each pair of cuts of the same siblings.

use foldhash::fast::FixedState;
use hashbrown::HashMap;
use windrow_dom::NodeId;

use super::{Candidate, Cut};
use crate::page_view::{PageView, is_heading};

/// So many more runs may be built differently if a cut is moved to where it belongs: where the first record or the last lacks something, a
/// cut in the wrong place may leave that record out.
const ODD: usize = 2;

/// Runs of siblings beside each other.
#[derive(Default)]
pub(super) struct Runs {
    /// The share of them that are not built like most.
    pub(super) unsteady: f32,
    /// The number of them that are not built like most.
    odd: usize,
    /// Says whether some run holds two records, or the runs begin or end in the middle of one.
    flawed: bool,
}

impl Runs {
    pub(super) fn new(view: &PageView<'_>, candidate: &Candidate) -> Runs {
        if candidate.cut == Cut::Nodes {
            return Runs::default();
        }
        let document = view.document;
        let siblings = |first: NodeId| std::iter::successors(Some(first), |&node| document.next_sibling(node));
        let is_full = |node: &NodeId| !view.leaves_below(*node).is_empty();
        let mut builds: HashMap<u64, u32, FixedState> = HashMap::default();
        // By kind: the runs that hold it once, and those that hold it more often.
        let mut kinds: HashMap<u64, [usize; 2], FixedState> = HashMap::default();
        let mut all: Vec<Vec<u64>> = Vec::with_capacity(candidate.records.len());
        for record in &candidate.records {
            let nodes = siblings(record.first).take_while(|&node| node < record.end).filter(is_full);
            let mut steps: Vec<u64> = nodes.map(|node| view.step(node)).collect();
            let build = steps.iter().fold(0u64, |build, step| build.wrapping_mul(31).wrapping_add(*step));
            *builds.entry(build).or_default() += 1;
            steps.sort_unstable();
            for same in steps.chunk_by(|one, two| one == two) {
                kinds.entry(same[0]).or_default()[usize::from(same.len() > 1)] += 1;
            }
            all.push(steps);
        }
        let count = candidate.records.len();
        let most = builds.values().copied().max().unwrap_or(0);
        // What most runs hold, and hold once.
        kinds.retain(|_, [once, more]| (*once + *more) * 2 >= count && *once > *more);
        let is_two = |steps: &Vec<u64>| {
            let same = steps.chunk_by(|one, two| one == two);
            let twice = same.filter(|same| same.len() > 1 && kinds.contains_key(&same[0])).count();
            // One kind alone may well stand twice in one record.
            twice >= 2 && twice * 2 >= kinds.len()
        };
        // Siblings in front of the first run or behind the last that are fewer than a run has may be a part of a record.
        let mut lengths: Vec<usize> = all.iter().map(Vec::len).collect();
        lengths.sort_unstable();
        let usual = lengths.get(count / 2).copied().unwrap_or(0);
        let is_part = |nodes: &[NodeId], near: Option<&NodeId>| {
            nodes.len() < usual && near.is_some_and(|&node| kinds.contains_key(&view.step(node)))
        };
        let ends = candidate.records.first().zip(candidate.records.last());
        let broken = ends.is_some_and(|(first, last)| {
            let children = || document.children(candidate.parent).filter(is_full);
            let before: Vec<NodeId> = children().take_while(|&node| node < first.first).take(usual).collect();
            let behind: Vec<NodeId> = children().filter(|&node| node >= last.end).take(usual).collect();
            // A heading begins a record, whatever stands in front of it.
            let headed = candidate.cut == Cut::Starts && is_heading(document, first.first);
            !headed && is_part(&before, before.last()) || is_part(&behind, behind.first())
        });
        Runs {
            unsteady: 1.0 - most as f32 / count as f32,
            odd: count - most as usize,
            flawed: broken || all.iter().any(is_two),
        }
    }

    /// Says whether these fall between the wrong siblings, if the other cut of the same siblings is right.
    fn is_worse_than(&self, other: &Runs) -> bool {
        self.flawed && !other.flawed && other.odd <= self.odd + ODD
    }
}

/// Drops cuts that fall between the wrong siblings.
pub(super) fn drop_misplaced(view: &PageView<'_>, all: &mut Vec<Candidate>) {
    let runs: Vec<Runs> = all.iter().map(|candidate| Runs::new(view, candidate)).collect();
    let is_run = |candidate: &Candidate| candidate.cut != Cut::Nodes;
    let wrong: Vec<bool> = (0..all.len())
        .map(|at| {
            let better = |other: usize| {
                is_run(&all[other])
                    && all[other].parent == all[at].parent
                    && all[other].records.len() >= all[at].records.len()
                    && runs[at].is_worse_than(&runs[other])
            };
            is_run(&all[at]) && (0..all.len()).any(better)
        })
        .collect();
    let mut wrong = wrong.into_iter();
    all.retain(|_| !wrong.next().unwrap_or(false));
}
