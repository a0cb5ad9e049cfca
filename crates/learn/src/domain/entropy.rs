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

use std::hash::BuildHasher;

use foldhash::fast::FixedState;
use windrow_dom::{Document, NodeId};

/// From here on a node is data-rich: the paper's best over ten sites, and no other for any domain since.
pub const DATA_RICH: f64 = 2.0;
/// From here on a node may be a list.
pub const LIST: f64 = 0.9;
/// How far the entropies of a list's members may differ.
const SAME: f64 = 0.05;

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
    /// The entropies of all nodes above leaves with a role. `leaves` counts the leaves below a node, those with several
    /// roles as often as they have any.
    pub(super) fn new(
        document: &Document,
        labelled: &[Labelled],
        leaves: impl Fn(NodeId) -> u32,
        whole: bool,
    ) -> Entropies {
        let mut result = Entropies::default();
        let mut sums: hashbrown::HashMap<NodeId, Sum, FixedState> = hashbrown::HashMap::default();
        // Nodes in document order, the last handled first: a node is handled when all below it are.
        let mut above: std::collections::BinaryHeap<NodeId> = std::collections::BinaryHeap::new();
        let add = |sums: &mut hashbrown::HashMap<NodeId, Sum, FixedState>,
                   above: &mut std::collections::BinaryHeap<NodeId>,
                   id: NodeId,
                   from: Sum| {
            match sums.entry(id) {
                hashbrown::hash_map::Entry::Vacant(entry) => {
                    above.push(id);
                    entry.insert(from);
                }
                hashbrown::hash_map::Entry::Occupied(mut entry) => entry.get_mut().merge(from),
            }
        };
        for leaf in labelled {
            let Some(parent) = document.parent(leaf.node) else { continue };
            let own = Sum { counts: vec![(leaf.role, 1)], labels: 1, ..Sum::default() };
            add(&mut sums, &mut above, parent, own);
        }
        let kinds = {
            let mut roles: Vec<u32> = labelled.iter().map(|leaf| leaf.role).collect();
            roles.sort_unstable();
            roles.dedup();
            roles.len()
        };
        while let Some(id) = above.pop() {
            let Some(sum) = sums.remove(&id) else { continue };
            let total = leaves(id).max(sum.labels);
            let unidentified = total - sum.labels;
            let kinds_here = sum.counts.len() + usize::from(unidentified > 0);
            let may_be_rich = whole || kinds_here >= 4;
            let value = if may_be_rich || sum.counts.len() >= 2 { entropy(total, sum.logs, unidentified) } else { 0.0 };
            if !may_be_rich && sum.counts.len() < 2 && !whole {
                result.passed += 1;
            } else {
                let list = (LIST..DATA_RICH).contains(&value) && sum.alike >= 2;
                let rich = value >= DATA_RICH && value > sum.below + 1e-9;
                let kind = if rich {
                    Kind::DataRich
                } else if list {
                    Kind::LinkOffer
                } else {
                    Kind::Plain
                };
                result.nodes.push(Entropy { node: id, entropy: value, roles: sum.counts.len(), kind });
            }
            // What any node above can reach at most.
            let all = labelled.len() as u32;
            let bound = {
                let total = f64::from(all + unidentified);
                let share = f64::from(all) / total;
                let part = |p: f64| if p > 0.0 { -p * p.log2() } else { 0.0 };
                part(share) + part(1.0 - share) + share * (kinds.max(1) as f64).log2()
            };
            let over = !whole && unidentified > all && bound < LIST;
            if over {
                result.passed += document.ancestors(id).count();
                continue;
            }
            let Some(parent) = document.parent(id) else { continue };
            // Roles as a set: what makes the members of a list alike.
            let roles = sum.counts.iter().fold(0u64, |set, (role, _)| set ^ FixedState::default().hash_one(role));
            let up = Sum { below: sum.below.max(value), alike: 0, last: value, last_roles: roles, ..sum };
            add(&mut sums, &mut above, parent, up);
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

impl Sum {
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
