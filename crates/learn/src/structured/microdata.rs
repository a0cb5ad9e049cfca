//! Microdata: elements with `itemscope` are items, elements with `itemprop` below them their properties.
//!
//! As the HTML standard has it ("Microdata"): a property belongs to the nearest item above it, and to every item whose `itemref`
//! names an element that it is, or is below of, with no item in between. An element may name several properties. What a
//! property is worth is told by its element: see `value`.
//!
//! # Cost
//!
//! One pass over the elements that have either attribute. An `itemref` costs the properties it leads to, which
//! [`MAX_PROPERTIES`](super::MAX_PROPERTIES) bounds: a thousand items may refer to the same thousand properties.

use hashbrown::HashMap;
use windrow_dom::names::{self, NameId};
use windrow_dom::{Document, NodeId};

use super::graph::Graph;
use super::survey::filled;
use super::{ItemId, Note, Syntax, Value, vocabulary};

const SYNTAX: Syntax = Syntax::Microdata;

/// Reads the items; `elements` are those with `itemscope` or `itemprop`, in document order.
pub(super) fn read(graph: &mut Graph<'_>, elements: &[NodeId]) {
    let document = graph.document;
    let is_scope = |node: NodeId| document.attr_by_id(node, names::ITEMSCOPE).is_some();
    let is_property = |node: NodeId| document.attr_by_id(node, names::ITEMPROP).is_some();

    let mut items: Vec<(NodeId, ItemId)> = Vec::new();
    let mut properties: Vec<(ItemId, NodeId)> = Vec::new();
    let mut open: Vec<(NodeId, ItemId)> = Vec::new();
    for &node in elements {
        while open.pop_if(|(end, _)| *end <= node).is_some() {}
        let owner = open.last().map(|&(_, item)| item);
        if let Some(owner) = owner.filter(|_| is_property(node)) {
            properties.push((owner, node));
        }
        if is_scope(node) {
            // One that names a property of no item stands for itself, unless an itemref will find it.
            let Some(item) = graph.item(SYNTAX, node, owner.is_none() || !is_property(node)) else { break };
            items.push((node, item));
            open.push((document.subtree_end(node), item));
        }
    }
    refer(graph, elements, &items, &mut properties, &is_scope);
    properties.sort_unstable();
    properties.dedup();

    for &(node, item) in &items {
        for name in words(document, node, names::ITEMTYPE) {
            graph.add_type(item, vocabulary::bare(name));
        }
        if let Some(id) = filled(document, node, names::ITEMID) {
            let id = graph.identity(SYNTAX, id);
            graph.get(item).id = Some(id);
        }
    }
    for &(owner, node) in &properties {
        let value = match items.binary_search_by_key(&node, |&(node, _)| node) {
            Ok(found) => {
                let item = items[found].1;
                graph.get(item).top = false;
                Value::Item(item)
            }
            // Its item was one too many.
            Err(_) if is_scope(node) => continue,
            Err(_) => Value::Text(value(graph, node)),
        };
        let mut known: Vec<&str> = Vec::new();
        for name in words(document, node, names::ITEMPROP).map(vocabulary::bare) {
            if known.contains(&name) {
                continue;
            }
            known.push(name);
            if !graph.property(owner, name, value.clone(), Some(node)) || known.len() > MAX_NAMES {
                break;
            }
        }
    }
}

/// Names that one element may have: real ones have one or two.
const MAX_NAMES: usize = 64;

fn words(document: &Document, node: NodeId, attribute: NameId) -> impl Iterator<Item = &str> {
    document.attr_by_id(node, attribute).unwrap_or_default().split_whitespace()
}

/// Follows the `itemref`s.
fn refer(
    graph: &mut Graph<'_>,
    elements: &[NodeId],
    items: &[(NodeId, ItemId)],
    properties: &mut Vec<(ItemId, NodeId)>,
    is_scope: &impl Fn(NodeId) -> bool,
) {
    let document = graph.document;
    let mut places: HashMap<&str, Option<NodeId>> = HashMap::new();
    for &(node, _) in items {
        places.extend(words(document, node, names::ITEMREF).map(|id| (id, None)));
    }
    if places.is_empty() {
        return;
    }
    for node in document.nodes() {
        if let Some(id) = document.attr_by_id(node, names::ID)
            && let Some(place @ None) = places.get_mut(id)
        {
            *place = Some(node);
        }
    }
    for &(node, item) in items {
        for id in words(document, node, names::ITEMREF) {
            if !graph.step(SYNTAX, 1) {
                return;
            }
            let Some(place) = places.get(id).copied().flatten() else {
                graph.note(Note::NoSuchElement { node, id: id.to_owned() });
                continue;
            };
            let end = document.subtree_end(place);
            let mut at = elements.partition_point(|&element| element < place);
            while let Some(&element) = elements.get(at).filter(|&&element| element < end) {
                if !graph.step(SYNTAX, 1) {
                    return;
                }
                if element != node && document.attr_by_id(element, names::ITEMPROP).is_some() {
                    properties.push((item, element));
                }
                at = match is_scope(element) {
                    true => elements.partition_point(|&other| other < document.subtree_end(element)),
                    false => at + 1,
                };
            }
        }
    }
}

/// What an element without `itemscope` is worth: an attribute, by its kind, or its text.
fn value(graph: &mut Graph<'_>, node: NodeId) -> String {
    let document = graph.document;
    let link = |attribute: NameId| (attribute, true);
    let plain = |attribute: NameId| (attribute, false);
    let (attribute, is_link) = match document.name_id(node) {
        Some(names::META) => plain(names::CONTENT),
        Some(
            names::AUDIO | names::EMBED | names::IFRAME | names::IMG | names::SOURCE | names::TRACK | names::VIDEO,
        ) => link(names::SRC),
        Some(names::A | names::AREA | names::LINK) => link(names::HREF),
        Some(names::OBJECT) => link(names::DATA),
        Some(names::DATA | names::METER) => plain(names::VALUE),
        Some(names::TIME) => plain(names::DATETIME),
        _ => plain(names::CONTENT),
    };
    for (attribute, is_link) in [(attribute, is_link), (names::CONTENT, false)] {
        match filled(document, node, attribute) {
            Some(value) if is_link => return graph.address(SYNTAX, value),
            Some(value) => return graph.collapsed(SYNTAX, value),
            None => {}
        }
    }
    graph.text(SYNTAX, node)
}
