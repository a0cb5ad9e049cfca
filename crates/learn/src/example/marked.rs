//! Fields that only a mark tells from what looks like them.
//!
//! The template puts things together that stand at the same place and have the same class. Where a record lacks the field, what stands
//! beside it takes its place: the forks of a project for its stars. A mark that the shown value has and its neighbours lack
//! (`induce::marks`) says which is which.
//!
//! # Cost
//!
//! The marks of the elements of one tag in each record, for fields that have a neighbour of their class only.

use windrow_dom::NodeId;

use super::fields::{Fields, Known, is_kind_of, is_value};
use crate::induce::marks::marks;
use crate::labels::Place;
use crate::scope::Scope;

/// Elements that look like the shown one and are looked at.
const MOST: usize = 40;

/// Returns whether a value is of a kind, or begins with a figure or a currency, and the other is not, or has no figures.
fn is_unlike(shown: &str, other: &str) -> bool {
    let amount = |c: char| c.is_ascii_digit() || "$€£¥₹".contains(c);
    let figures = shown.starts_with(amount) && !other.contains(|c: char| c.is_ascii_digit());
    is_value(shown) && !is_kind_of(shown, other) || figures
}

impl Fields<'_, '_> {
    /// Takes other elements than the field out of its places, and adds those that a mark shows to be the field.
    pub(super) fn by_marks(&self, known: &mut Known, place: &Place, shown: usize) {
        let document = self.view.document;
        let scope = self.scopes[shown];
        let Some(node) = known.nodes[shown].filter(|_| place.part.is_none()) else { return };
        let element_of = |node: NodeId| if document.is_element(node) { Some(node) } else { document.parent(node) };
        let inside = |scope: &Scope, id: NodeId| scope.contains(id) && (scope.run || id != scope.record.first);
        let Some(own) = element_of(node).filter(|&own| inside(&scope, own)) else { return };
        let step = self.view.step(own);
        let like = |scope: &Scope| -> Vec<NodeId> {
            let all = (scope.record.first.index()..scope.record.end.index()).map(NodeId::from_index);
            all.filter(|&id| document.is_element(id) && document.name_id(id) == document.name_id(own))
                .take(MOST)
                .collect()
        };
        let apart = |id: &NodeId| *id != own && !document.is_ancestor(*id, own) && !document.is_ancestor(own, *id);
        // What looks like it: beside it, or, if a value of a kind is shown, what is of another kind where it was found elsewhere.
        let text = self.reading.of(node);
        let mut others: Vec<NodeId> =
            like(&scope).into_iter().filter(|&id| self.view.step(id) == step && apart(&id)).collect();
        if others.is_empty() && place.attribute.is_none() {
            let found = known.nodes.iter().flatten().filter(|&&node| is_unlike(text, self.reading.of(node)));
            others.extend(found.filter_map(|&node| element_of(node)));
        }
        if others.is_empty() {
            return;
        }
        let theirs: Vec<String> = others.iter().flat_map(|&id| marks(document, id, &|_| true)).collect();
        let mine = marks(document, own, &|_| true);
        let foreign: Vec<&String> = theirs.iter().filter(|mark| !mine.contains(mark)).collect();
        let most = known.count();
        for mark in mine.iter().filter(|mark| !theirs.contains(mark)) {
            let marked = |scope: &Scope| {
                let mut with = like(scope)
                    .into_iter()
                    .filter(|&id| inside(scope, id) && marks(document, id, &|_| true).contains(mark));
                with.next().map(|first| (first, with.next().is_some()))
            };
            let found: Vec<Option<(NodeId, bool)>> = self.scopes.iter().map(marked).collect();
            let count = found.iter().flatten().count();
            let several = found.iter().flatten().any(|(_, several)| *several);
            if several || count < 2 || count * 3 < most {
                continue;
            }
            let same = |element: NodeId, marked: NodeId| {
                element == marked || document.is_ancestor(marked, element) || document.is_ancestor(element, marked)
            };
            let holder =
                |id: NodeId| document.parent(id).map(|parent| (document.name_id(parent), self.view.step(parent)));
            let is_held_so = |id: NodeId| holder(id) == holder(own);
            // What lacks the mark must have one of the others'; else the mark is not what tells.
            let is_other = |id: NodeId| marks(document, id, &|_| true).iter().any(|mark| foreign.contains(&mark));
            let fits =
                |(node, found): (&Option<NodeId>, &Option<(NodeId, bool)>)| match (node.and_then(element_of), found) {
                    // Beside it, the two may stand in the other order; further away, the mark is another thing's.
                    (Some(element), Some((marked, _))) => {
                        same(element, *marked)
                            || is_other(element) && document.parent(element) == document.parent(*marked)
                    }
                    (Some(element), None) => is_other(element),
                    // What is added stands in the same kind of element.
                    (None, Some((marked, _))) => is_held_so(*marked),
                    (None, None) => true,
                };
            if !known.nodes.iter().zip(&found).all(fits) {
                continue;
            }
            for (node, found) in known.nodes.iter_mut().zip(&found) {
                let element = node.and_then(element_of);
                let marked = found.map(|(marked, _)| marked);
                if !element.zip(marked).is_some_and(|(element, marked)| same(element, marked)) {
                    *node = marked.filter(|&id| place.attribute.is_some() || !self.reading.of(id).is_empty());
                }
            }
            return;
        }
    }
}
