//! Structural semantic entropy: how many different roles a node's leaves have, and how evenly.
//!
//! H(N) = −Σ pᵢ log₂ pᵢ, where pᵢ is the share of N's leaves with role i; leaves without a role share one, *unidentified*.
//! A node with many roles and little else has a high entropy, a menu or a list of like things a low one. Written with
//! counts cᵢ of T leaves it is log₂ T − (Σ cᵢ log₂ cᵢ) / T, so a node needs its number of leaves, and one sum over the
//! roles below it.
//!
//! # Ending early
//!
//! Only nodes above a leaf with a role are looked at: all others have no entropy. Of those,
//! - a node with k kinds of leaves has at most log₂ k, so none of them is computed with fewer than 2^H_d kinds, unless for
//!   lists;
//! - where unidentified leaves outnumber the labels of the whole page, more leaves only lower the bound
//!   h(u) + (1 − u) log₂ R of what any node above can reach; once that is below the threshold, the way up ends.
//!
//! Both leave the result as it is. `Entropies::computed` says how many were computed, and `Entropies::passed` how many
//! were not.
//!
//! # Cost
//!
//! Each node above a label once; its roles are moved to the node above, or added to what is there.

use std::collections::BinaryHeap;
use std::hash::BuildHasher;

use foldhash::fast::FixedState;
use hashbrown::HashMap;
use hashbrown::hash_map::Entry;
use windrow_dom::{Document, NodeId};

use super::words::Thresholds;

/// From here on a node is data-rich, unless [`Thresholds`] say otherwise: the paper's best over ten sites, and ours
/// (`tools/entropy-table`).
pub const DATA_RICH: f64 = 2.0;
/// From here on a node may be a list.
pub const LIST: f64 = 0.9;
/// How far the entropies of a list's members may differ.
const SAME: f64 = 0.05;

/// By how much a node must be above those below it: sums of fractions are not exact.
const LEAST_MORE: f64 = 1e-9;

/// A leaf with a role: where it is, and which.
#[derive(Debug, Clone, Copy)]
pub(super) struct Labelled {
    pub(super) node: NodeId,
    pub(super) role: u32,
}

/// What a node is by its entropy.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// It holds a record: no node below it says more.
    DataRich,
    /// Its children are alike: a list of things, each with less than a record.
    LinkOffer,
    /// None of these.
    Plain,
}

/// A node, and how much it says.
#[derive(Debug, Clone, Copy)]
pub struct Entropy {
    /// The node.
    pub node: NodeId,
    /// Its structural semantic entropy.
    pub entropy: f64,
    /// How many different roles its leaves have, the unidentified aside.
    pub roles: usize,
    /// What it is.
    pub kind: Kind,
}

/// The entropies of a page.
#[derive(Debug, Default)]
pub(super) struct Entropies {
    /// Nodes whose entropy was computed, in document order.
    pub(super) nodes: Vec<Entropy>,
    /// How many nodes with labels below them were passed over.
    pub(super) passed: usize,
}

/// What is known of a node on the way up.
#[derive(Debug, Default, Clone)]
struct Sum {
    /// Roles and how many leaves have them, by role.
    counts: Vec<(u32, u32)>,
    /// Σ c log₂ c over the roles.
    logs: f64,
    labels: u32,
    /// The highest entropy below.
    below: f64,
    /// How many children have the roles and the entropy that the one beside has, too; those of the last that was seen.
    alike: u32,
    last: f64,
    last_roles: u64,
}

fn clog(count: u32) -> f64 {
    if count > 1 { f64::from(count) * f64::from(count).log2() } else { 0.0 }
}

/// The entropy of these counts.
fn entropy(total: u32, logs: f64, unidentified: u32) -> f64 {
    if total == 0 {
        return 0.0;
    }
    (f64::from(total).log2() - (logs + clog(unidentified)) / f64::from(total)).max(0.0)
}

impl Entropies {
    /// The entropies of the nodes above leaves with a role. `leaves` counts the leaves below a node, those with several
    /// roles as often as they have any. With `whole` nothing is passed over.
    pub(super) fn new(
        document: &Document,
        labelled: &[Labelled],
        leaves: impl Fn(NodeId) -> u32,
        thresholds: Thresholds,
        whole: bool,
    ) -> Entropies {
        // A node with k kinds of leaves has at most log₂ k.
        let least_kinds = thresholds.data_rich.exp2().ceil() as usize;
        let mut result = Entropies::default();
        let mut climb = Climb::default();
        for leaf in labelled {
            if let Some(parent) = document.parent(leaf.node) {
                climb.add(parent, Sum { counts: vec![(leaf.role, 1)], labels: 1, ..Sum::default() });
            }
        }
        let mut roles: Vec<u32> = labelled.iter().map(|leaf| leaf.role).collect();
        roles.sort_unstable();
        roles.dedup();
        let all = labelled.len() as u32;
        while let Some((id, sum)) = climb.next() {
            let total = leaves(id).max(sum.labels);
            let unidentified = total - sum.labels;
            let kinds = sum.counts.len() + usize::from(unidentified > 0);
            let value = match whole || kinds >= least_kinds || sum.counts.len() >= 2 {
                true => {
                    let value = entropy(total, sum.logs, unidentified);
                    let kind = sum.kind(value, thresholds);
                    result.nodes.push(Entropy { node: id, entropy: value, roles: sum.counts.len(), kind });
                    value
                }
                false => {
                    result.passed += 1;
                    0.0
                }
            };
            if !whole
                && unidentified > all
                && bound(all, unidentified, roles.len()) < thresholds.list.min(thresholds.data_rich)
            {
                result.passed += document.ancestors(id).count();
                continue;
            }
            if let Some(parent) = document.parent(id) {
                climb.add(parent, sum.above(value));
            }
        }
        result.nodes.reverse();
        result.settle(document);
        result
    }

    /// A record is in the topmost node that is data-rich: it makes all below it something else.
    fn settle(&mut self, document: &Document) {
        let mut until = NodeId::ROOT;
        for node in &mut self.nodes {
            if node.kind != Kind::DataRich {
                continue;
            }
            if node.node < until {
                node.kind = Kind::Plain;
            } else {
                until = document.subtree_end(node.node);
            }
        }
    }
}

/// The way up: what is known of nodes whose turn has not come.
#[derive(Default)]
struct Climb {
    sums: HashMap<NodeId, Sum, FixedState>,
    /// In document order, the last first: a node's turn comes when all below it had theirs.
    waiting: BinaryHeap<NodeId>,
}

impl Climb {
    fn add(&mut self, id: NodeId, sum: Sum) {
        match self.sums.entry(id) {
            Entry::Vacant(entry) => {
                self.waiting.push(id);
                entry.insert(sum);
            }
            Entry::Occupied(mut entry) => entry.get_mut().merge(sum),
        }
    }

    fn next(&mut self) -> Option<(NodeId, Sum)> {
        let id = self.waiting.pop()?;
        Some((id, self.sums.remove(&id)?))
    }
}

/// What any node can reach that has at least these unidentified leaves, and at most these labels.
fn bound(labels: u32, unidentified: u32, roles: usize) -> f64 {
    let share = f64::from(labels) / f64::from(labels + unidentified);
    let part = |p: f64| if p > 0.0 { -p * p.log2() } else { 0.0 };
    part(share) + part(1.0 - share) + share * (roles.max(1) as f64).log2()
}

impl Sum {
    fn kind(&self, value: f64, thresholds: Thresholds) -> Kind {
        if value >= thresholds.data_rich && value > self.below + LEAST_MORE {
            Kind::DataRich
        } else if (thresholds.list..thresholds.data_rich).contains(&value) && self.alike >= 2 {
            Kind::LinkOffer
        } else {
            Kind::Plain
        }
    }

    /// What the node above is told of one with this entropy.
    fn above(self, value: f64) -> Sum {
        // Roles as a set: what makes the members of a list alike.
        let hasher = FixedState::default();
        let roles = self.counts.iter().fold(0u64, |set, (role, _)| set ^ hasher.hash_one(role));
        Sum { below: self.below.max(value), alike: 0, last: value, last_roles: roles, ..self }
    }

    fn merge(&mut self, other: Sum) {
        if other.last > 0.0 && (other.last - self.last).abs() <= SAME && other.last_roles == self.last_roles {
            self.alike += if self.alike == 0 { 2 } else { 1 };
        }
        self.last = other.last;
        self.last_roles = other.last_roles;
        self.below = self.below.max(other.below);
        self.labels += other.labels;
        for (role, count) in other.counts {
            match self.counts.binary_search_by_key(&role, |known| known.0) {
                Ok(at) => {
                    let known = &mut self.counts[at].1;
                    self.logs += clog(*known + count) - clog(*known);
                    *known += count;
                }
                Err(at) => {
                    self.logs += clog(count);
                    self.counts.insert(at, (role, count));
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use windrow_dom::Document;

    use super::{Entropies, Kind, Labelled, Thresholds};

    /// The paper's Figure 3: a product with a title, four roles and a button; a list of five offers with two roles each.
    fn figure() -> Document {
        let offers = "<li><p>M</p><p>P</p></li>".repeat(5);
        Document::parse(format!(
            "<body><div id=n2><div id=n4><p>U</p><p id=n6>C</p><p id=n7>M</p><p>P</p><p>D</p><p>U</p></div></div>\
             <ul id=n3>{}</ul>",
            offers.replacen("<li><p>", "<li id=n5><p id=n8>", 1)
        ))
    }

    fn entropies(document: &Document, whole: bool) -> Entropies {
        let texts = || document.nodes().filter(|&id| document.is_text(id));
        let role = |text: &str| ["C", "M", "P", "D"].iter().position(|role| *role == text);
        let labelled: Vec<Labelled> =
            texts().filter_map(|node| Some(Labelled { node, role: role(document.text(node))? as u32 })).collect();
        let below = |id| texts().filter(|&text| document.is_ancestor(id, text)).count() as u32;
        Entropies::new(document, &labelled, below, Thresholds::default(), whole)
    }

    #[test]
    fn the_eight_values_of_figure_3() {
        let document = figure();
        let all = entropies(&document, true);
        let value = |name: &str| {
            let at = |id: &str| document.nodes().find(|&node| document.attr(node, "id") == Some(id));
            let node = if name == "n1" { document.find_html(windrow_dom::names::BODY) } else { at(name) };
            let found = all.nodes.iter().find(|entropy| Some(entropy.node) == node).unwrap();
            format!("{:.8}", found.entropy)
        };
        let values = ["n1", "n2", "n3", "n4", "n5", "n6", "n7", "n8"].map(value);
        let paper = [
            "1.93627812",
            "2.25162917",
            "1.00000000",
            "2.25162917",
            "1.00000000",
            "0.00000000",
            "0.00000000",
            "0.00000000",
        ];
        assert_eq!(values, paper);
        assert_eq!(all.passed, 0);
    }

    #[test]
    fn ending_early_changes_nothing_but_the_work() {
        // The figure in a page that is mostly something else.
        let noise = "<p>U</p>".repeat(200);
        for html in [figure().source().to_owned(), format!("<main>{}</main>{noise}", figure().source())] {
            let document = Document::parse(html);
            let found = |whole| {
                let all = entropies(&document, whole);
                let kinds: Vec<_> = all
                    .nodes
                    .iter()
                    .filter(|node| node.kind != Kind::Plain)
                    .map(|node| (node.node, node.kind))
                    .collect();
                (kinds, all.nodes.len())
            };
            let ((early, less), (whole, more)) = (found(false), found(true));
            assert_eq!(early, whole);
            assert_eq!(early.len(), 2);
            assert!(less < more, "{less} of {more}");
        }
    }
}
