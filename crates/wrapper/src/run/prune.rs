//! `without`: finds the parts left out of a value, once, and keeps them beside its place.
//!
//! For the rules below, the parts left out of a scope do not exist: they find nothing in them, and matches around
//! them lack them too. This costs nothing more, since an inner place uses a slice of the sorted nodes of the place
//! around it. Patterns, splits and landmarks work on the source, where nothing is left out.

use windrow_dom::NodeId;
use windrow_xpath::{Language, Node};

use super::Run;
use super::expression::Order;
use super::locate::retain_from;
use crate::program::Without;
use crate::pruned::{self, Pruned};
use crate::scope::{Place, Scope};

/// Bytes charged for a pruned place, in addition to those of its nodes.
const PLACE: usize = size_of::<Pruned>();

impl Run<'_> {
    /// Drops matches from index `base` on that lie in a part left out of the scope.
    pub(super) fn drop_left_out(&mut self, scope: Scope, base: usize) {
        if !matches!(scope.place, Place::Pruned(_)) {
            return;
        }
        let Run { made, found, .. } = self;
        let document = made.pages[scope.page as usize].document();
        let left_out = made.left_out(scope);
        retain_from(found, base, &mut |found| match found.bare(made).place {
            Place::Node(node) if found.page == scope.page => !pruned::is_left_out(document, left_out, node.id()),
            _ => true,
        });
    }

    /// Leaves out of a match the nodes that an expression selects in it, and those left out of the scope around it.
    pub(super) fn prune(
        &mut self,
        without: Option<&Without>,
        around: Scope,
        found: Scope,
        variable: u32,
        object: Option<u32>,
    ) -> Scope {
        let place = found.bare(&self.made);
        let document = self.page(found).document();
        let inside = match place.place {
            Place::Node(node) if node.is_attribute() => return found,
            Place::Node(node) => Some((node.id().index() + 1, document.subtree_end(node.id()).index())),
            Place::Run { first, end } => Some((first.index(), end.index())),
            Place::Span(_) => None,
            Place::Computed(_) | Place::Pruned(_) => return found,
        };
        let inherited = match (around.place, inside) {
            (Place::Pruned(index), Some((first, end))) if around.page == found.page => {
                let Pruned { start, .. } = self.made.pruned[index as usize];
                let own = pruned::among(self.made.left_out(around), first, end);
                (start as usize + own.start, start as usize + own.end)
            }
            _ => (0, 0),
        };
        let Some(without) = without else {
            // A pruned match already lacks at least the parts that the scope around it lacks.
            if inherited.0 == inherited.1 || place != found {
                return found;
            }
            return self.pruned(place, inherited.0, inherited.1, 0, variable).unwrap_or(found);
        };
        let mut nodes = self.selected(without, place, inside, variable, object);
        if nodes.is_empty() && place == found && inherited.0 == inherited.1 {
            return found;
        }
        nodes.extend_from_slice(&self.made.left_out[inherited.0..inherited.1]);
        nodes.extend_from_slice(self.made.left_out(found));
        nodes.sort_unstable();
        let start = self.made.left_out.len();
        let document = self.made.pages[found.page as usize].document();
        let mut behind = NodeId::ROOT;
        for id in nodes {
            // A node inside another one is left out with it.
            if id >= behind {
                behind = document.subtree_end(id);
                self.made.left_out.push(id);
            }
        }
        let end = self.made.left_out.len();
        self.pruned(place, start, end, (end - start) * size_of::<NodeId>(), variable).unwrap_or(found)
    }

    /// Appends a pruned place; returns `None` if there are too many.
    fn pruned(&mut self, place: Scope, start: usize, end: usize, bytes: usize, variable: u32) -> Option<Scope> {
        let Some(left) = self.bytes.checked_sub(bytes + PLACE) else {
            self.limit(variable, place, "bytes of computed texts", super::MOST_BYTES as u64);
            return None;
        };
        self.bytes = left;
        self.made.pruned.push(Pruned { from: place.place, start: start as u32, end: end as u32 });
        Some(Scope { page: place.page, place: Place::Pruned(self.made.pruned.len() as u32 - 1) })
    }

    /// Returns the nodes inside a place that an expression selects.
    fn selected(
        &mut self,
        without: &Without,
        place: Scope,
        inside: Option<(usize, usize)>,
        variable: u32,
        object: Option<u32>,
    ) -> Vec<NodeId> {
        let Without { expr, absolute } = without;
        let base = self.found.len();
        let root = Node::node(NodeId::ROOT);
        match (inside, place.place) {
            // An absolute expression is evaluated once, not once for each place.
            (Some((first, end)), _) if *absolute => {
                if let Some(around) = self.around(expr, root, Order::Tree, place, variable, object) {
                    let all = around.between(first as u32, end as u32).iter();
                    return all.filter(|(_, node)| !node.is_attribute()).map(|(_, node)| node.id()).collect();
                }
            }
            // A range need not be the content of an element, so a selector is evaluated from the root.
            (None, Place::Span(range)) if *absolute || expr.language() == Language::Css => {
                if let Some(around) = self.around(expr, root, Order::Source, place, variable, object) {
                    let page = self.page(place).clone();
                    let all = around.between(range.start, range.end).iter();
                    let all = all.filter(|(_, node)| !node.is_attribute()).map(|(_, node)| node.id());
                    return all
                        .filter(|&id| page.extents().span_of(id).is_some_and(|span| range.contains(span)))
                        .collect();
                }
            }
            _ => self.expression(expr, *absolute, place, variable, object),
        }
        let nodes = self.found.drain(base..).filter_map(|scope| match scope.place {
            Place::Node(node) if !node.is_attribute() => Some(node.id()),
            _ => None,
        });
        let is_inside = |id: &NodeId| inside.is_none_or(|(first, end)| (first..end).contains(&id.index()));
        nodes.filter(is_inside).collect()
    }
}
