//! Where a field of the shown record stands in the others.
//!
//! The records are laid over each other (`discover::template`): its columns say which nodes of the records stand for the
//! same. The column nearest to the shown place carries it: from the column's node, the way to the place is some steps up
//! and some down, and the same way leads to it in every other record, if it has the same elements on it.
//!
//! # Cost
//!
//! The columns once for each field, and a short way in each record.

use windrow_dom::{Document, NodeId};

use super::point::meet;
use crate::alignment::pieces;
use crate::alignment::{self, Part, Template};
use crate::page_view::PageView;

/// A column of the template.
pub(crate) struct Column {
    /// For each record the node, if it has it.
    pub(crate) nodes: Vec<Option<NodeId>>,
    /// What of its text counts.
    pub(crate) part: Part,
    /// The label that tells it from others that look alike.
    pub(crate) label: Option<String>,
}

/// The way from a column's node to a place.
struct Way {
    column: usize,
    up: usize,
    /// The element where the way turns.
    turn: NodeId,
    /// Kinds of the nodes down, each with which of its kind it is.
    down: Vec<(u64, usize)>,
}

/// Columns that may stand in for each other.
const CARRIERS: usize = 4;

/// Follows a place of one record into the others.
pub(crate) fn follow(
    view: &PageView<'_>,
    columns: &[Column],
    shown: usize,
    place: NodeId,
) -> Option<Vec<Option<NodeId>>> {
    let document = view.document;
    let mut ways: Vec<((usize, usize), Way)> = columns
        .iter()
        .enumerate()
        .filter_map(|(column, Column { nodes, .. })| {
            let node = nodes[shown]?;
            let turn = meet(document, node, place);
            let up = steps(document, turn, node)?;
            let down = path_down(view, turn, place);
            Some(((down.len() + up, column), Way { column, up, turn, down }))
        })
        .collect();
    ways.sort_by_key(|way| way.0);
    let inside = |way: &Way| way.down.is_empty();
    let first_inside = inside(&ways.first()?.1);
    let count = columns[0].nodes.len();
    let mut nodes: Vec<Option<NodeId>> = vec![None; count];
    // Several columns below the place all lead to it; beside it, only the nearest counts.
    for (_, way) in
        ways.iter().take(if first_inside { CARRIERS } else { 1 }).filter(|way| inside(&way.1) == first_inside)
    {
        for (record, node) in nodes.iter_mut().enumerate() {
            if node.is_none() {
                *node = columns[way.column].nodes[record].and_then(|from| go(view, way, from));
            }
        }
    }
    Some(nodes)
}

/// Follows a place from the records themselves down, into those that have none of the columns near it.
pub(crate) fn fill(view: &PageView<'_>, records: &[NodeId], shown: usize, place: NodeId, nodes: &mut [Option<NodeId>]) {
    let turn = records[shown];
    if place != turn && !view.document.is_ancestor(turn, place) {
        return;
    }
    let way = Way { column: 0, up: 0, turn, down: path_down(view, turn, place) };
    for (node, &record) in nodes.iter_mut().zip(records).filter(|(node, _)| node.is_none()) {
        *node = go(view, &way, record);
    }
}

/// Follows a place from the records down into those where an element on the way has another class: it is the only one of its tag in
/// what is around it of a kind that the shown record has not. A value of a kind (`typed`) is known by that; of other texts, one of
/// the two has no class at all. `fits`: whether a node may be the place.
pub(crate) fn fill_by_tag(
    view: &PageView<'_>,
    records: &[NodeId],
    shown: usize,
    place: NodeId,
    typed: bool,
    fits: &dyn Fn(NodeId) -> bool,
    nodes: &mut [Option<NodeId>],
) {
    let document = view.document;
    let turn = records[shown];
    if !nodes.contains(&None) || !document.is_ancestor(turn, place) {
        return;
    }
    let mut models: Vec<NodeId> =
        std::iter::once(place).chain(document.ancestors(place)).take_while(|&id| id != turn).collect();
    models.reverse();
    for (node, &record) in nodes.iter_mut().zip(records).filter(|(node, _)| node.is_none()) {
        let found = models.iter().try_fold(record, |at, &model| alike_child(view, at, model, typed));
        *node = found.filter(|&found| fits(found));
    }
}

/// The child of an element that is what the model is in its parent.
fn alike_child(view: &PageView<'_>, parent: NodeId, model: NodeId, typed: bool) -> Option<NodeId> {
    let document = view.document;
    let kind = pieces::kind(view, model);
    let before = std::iter::successors(document.prev_sibling(model), |&id| document.prev_sibling(id));
    let nth = before.take(64).filter(|&id| is_kind(view, id, kind)).count();
    let mut like = document.children(parent).filter(|&child| is_kind(view, child, kind)).peekable();
    if like.peek().is_some() || !document.is_element(model) {
        return like.nth(nth);
    }
    let beside = document.parent(model)?;
    let known = |id: NodeId| document.children(beside).take(64).any(|own| is_kind(view, own, pieces::kind(view, id)));
    let other = |id: &NodeId| {
        document.is_element(*id)
            && document.name_id(*id) == document.name_id(model)
            && view.has_content(*id)
            && (typed || !view.has_class(*id) || !view.has_class(model))
            && !known(*id)
    };
    let mut others = document.children(parent).take(64).filter(other);
    others.next().filter(|_| others.next().is_none())
}

/// How many steps a node is below another.
fn steps(document: &Document, above: NodeId, node: NodeId) -> Option<usize> {
    std::iter::once(node).chain(document.ancestors(node)).position(|id| id == above)
}

/// The kinds of nodes from below one down to another.
fn path_down(view: &PageView<'_>, above: NodeId, node: NodeId) -> Vec<(u64, usize)> {
    let document = view.document;
    let mut path: Vec<(u64, usize)> = std::iter::once(node)
        .chain(document.ancestors(node))
        .take_while(|&id| id != above)
        .map(|id| {
            let kind = pieces::kind(view, id);
            let before = std::iter::successors(document.prev_sibling(id), |&id| document.prev_sibling(id));
            let nth = before.take(64).filter(|&id| is_kind(view, id, kind)).count();
            (kind, nth)
        })
        .collect();
    path.reverse();
    path
}

fn is_kind(view: &PageView<'_>, id: NodeId, kind: u64) -> bool {
    let blank = view.document.is_text(id) && view.document.text(id).trim().is_empty();
    !blank && pieces::kind(view, id) == kind
}

fn go(view: &PageView<'_>, way: &Way, from: NodeId) -> Option<NodeId> {
    let document = view.document;
    let mut node = from;
    for _ in 0..way.up {
        node = document.parent(node)?;
    }
    if document.name_id(node) != document.name_id(way.turn) {
        return None;
    }
    for &(kind, nth) in &way.down {
        node = document.children(node).filter(|&child| is_kind(view, child, kind)).nth(nth)?;
    }
    Some(node)
}

/// The columns of a template, those of its sublists as seen in the first of their items in each record.
pub(crate) fn columns(template: &Template, count: usize, shown: &dyn Fn(NodeId) -> bool) -> Vec<Column> {
    let own = |column: &alignment::Column| Column {
        nodes: column.nodes.clone(),
        part: column.part.clone(),
        label: column.label.clone(),
    };
    let mut all: Vec<Column> = template.columns.iter().map(own).collect();
    for sublist in &template.sublists {
        // The item that holds what was shown says which one it is in each record.
        let mut number = vec![0usize; sublist.items.len()];
        for at in 1..sublist.items.len() {
            if sublist.items[at].0 == sublist.items[at - 1].0 {
                number[at] = number[at - 1] + 1;
            }
        }
        let nth = sublist.items.iter().position(|item| shown(item.1)).map_or(0, |at| number[at]);
        for Column { nodes, part, label } in columns(&sublist.template, sublist.items.len(), shown) {
            let mut own = vec![None; count];
            for (at, node) in nodes.into_iter().enumerate() {
                if number[at] == nth {
                    own[sublist.items[at].0] = node;
                }
            }
            all.push(Column { nodes: own, part, label });
        }
    }
    all
}
