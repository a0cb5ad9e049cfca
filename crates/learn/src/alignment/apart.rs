//! Like elements of one place that are different things all the same.
//!
//! Pages give everything one look: a paragraph above a table and one below it, a box of tags and a box of the author. Two signs tell them
//! apart. They stand on different sides of an element that each record has once; or they have no place in common in what is below them,
//! and no record has two that have.
//!
//! Paper: Fontán et al. 2012, section 4.1: the records of a sublist are alike; what is not alike is no list, though its number varies.
//!
//! # Cost
//!
//! The elements of each kind once, and their leaves up to a bound.

use foldhash::fast::FixedState;
use hashbrown::HashMap;
use windrow_dom::NodeId;

use super::Members;
use crate::page_view::{By, PageView};

/// The kinds at one place, each with its elements by record.
type Kinds = Vec<(u64, Members)>;

/// Leaves of an element that are looked at; its build is seen from fewer.
const LEAVES: usize = 64;
/// The share of records, in tenths, that must have one on each side of an element for the sides to tell: all of two, two of three.
const STEADY: usize = 6;

/// Splits kinds that hold different things.
pub(super) fn split(view: &PageView<'_>, kinds: Kinds) -> Kinds {
    if kinds.iter().all(|(_, members)| members.iter().all(|(_, nodes)| nodes.len() < 2)) {
        return kinds;
    }
    let records = {
        let mut all: Vec<usize> = kinds.iter().flat_map(|kind| kind.1.iter().map(|member| member.0)).collect();
        all.sort_unstable();
        all.dedup();
        all.len()
    };
    let pivots: Vec<HashMap<usize, NodeId, FixedState>> = kinds
        .iter()
        .filter(|(_, members)| {
            members.len() * 10 >= records * 9
                && members.len() > 1
                && members.iter().all(|(_, nodes)| nodes.len() == 1 && view.document.is_element(nodes[0]))
        })
        .map(|(_, members)| members.iter().map(|(record, nodes)| (*record, nodes[0])).collect())
        .collect();
    let mut split: Kinds = Vec::with_capacity(kinds.len());
    for (step, members) in kinds {
        let several = members.iter().any(|(_, nodes)| nodes.len() > 1);
        let element =
            members.first().and_then(|(_, nodes)| nodes.first()).is_some_and(|&node| view.document.is_element(node));
        let parts =
            if several && element { by_sides(&members, &pivots).or_else(|| by_build(view, &members)) } else { None };
        match parts {
            Some(parts) => split.extend(parts.into_iter().map(|part| (step, part))),
            None => split.push((step, members)),
        }
    }
    split
}

/// The elements in front of one that each record has once, and those behind it, if nearly all records have one on each side.
fn by_sides(members: &Members, pivots: &[HashMap<usize, NodeId, FixedState>]) -> Option<Vec<Members>> {
    pivots.iter().find_map(|pivot| {
        let mut sides: [Members; 2] = Default::default();
        let mut steady = 0;
        for (record, nodes) in members {
            let &at = pivot.get(record)?;
            let (before, behind): (Vec<NodeId>, Vec<NodeId>) = nodes.iter().partition(|&&node| node < at);
            steady += usize::from(before.len() == 1 && behind.len() == 1);
            for (side, own) in sides.iter_mut().zip([before, behind]) {
                if !own.is_empty() {
                    side.push((*record, own));
                }
            }
        }
        (steady * 10 >= members.len() * STEADY).then(|| sides.into())
    })
}

/// The elements by what is below them, if they fall into groups that have no place in common, of which no record has two.
fn by_build(view: &PageView<'_>, members: &Members) -> Option<Vec<Members>> {
    // The group in which each place was met first; groups that share a place are joined.
    let mut places: HashMap<u64, usize, FixedState> = HashMap::default();
    let mut above: Vec<usize> = Vec::new();
    // Halving the way up keeps it short.
    let root = |above: &mut [usize], mut group: usize| {
        while above[group] != group {
            above[group] = above[above[group]];
            group = above[group];
        }
        group
    };
    let mut groups: Vec<Vec<usize>> = Vec::with_capacity(members.len());
    let (mut leaves, mut elements) = (0, 0);
    for (_, nodes) in members {
        let mut own = Vec::with_capacity(nodes.len());
        for &node in nodes {
            let group = above.len();
            above.push(group);
            let below = view.leaves_below(node);
            leaves += below.len();
            elements += 1;
            for leaf in below.iter().take(LEAVES) {
                let known = *places.entry(view.key_below(node, leaf, By::Tag)).or_insert(group);
                let (one, other) = (root(&mut above, known), root(&mut above, group));
                above[one.max(other)] = one.min(other);
            }
            own.push(group);
        }
        groups.push(own);
    }
    // Of single texts the place says little: a link here, a plain text there.
    if leaves < elements * 2 {
        return None;
    }
    let mut parts: Vec<(usize, Members)> = Vec::new();
    for ((record, nodes), own) in members.iter().zip(groups) {
        for (&node, group) in nodes.iter().zip(own) {
            let group = root(&mut above, group);
            let at = parts.iter().position(|part| part.0 == group).unwrap_or_else(|| {
                parts.push((group, Vec::new()));
                parts.len() - 1
            });
            let part = &mut parts[at].1;
            if part.last().is_some_and(|last| last.0 == *record) {
                return None;
            }
            part.push((*record, vec![node]));
        }
    }
    (parts.len() > 1).then(|| parts.into_iter().map(|part| part.1).collect())
}
