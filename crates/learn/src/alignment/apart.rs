//! Like elements of one place that are different things all the same.
//!
//! Pages give everything one look: a paragraph above a table and one below it, a box of tags and a box of the author. Three signs tell them
//! apart. They stand on different sides of an element that each record has once; or they have no place in common in what is below them,
//! and no record has two that have. Where each holds a thing that a class names (a price, the bids, the place), the classes decide.
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
use crate::page_view::{By, Leaf, PageView};

/// The kinds at one place, each with its elements by record.
type Kinds = Vec<(u64, Members)>;

/// Leaves of an element that are looked at; its build is seen from fewer.
const LEAVES: usize = 64;
/// The share of elements, in tenths, that must be the only one of their group in their record for classes to tell things apart: a list
/// whose items are of several types has some of them twice in many records.
const SINGLE: usize = 8;
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
        let parts = if several && element {
            by_sides(&members, &pivots).or_else(|| by_build(view, &members)).or_else(|| by_class(view, &members))
        } else {
            None
        };
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
    let all: usize = members.iter().map(|(_, nodes)| nodes.len()).sum();
    let leaves: usize = members.iter().flat_map(|(_, nodes)| nodes).map(|&node| view.leaves_below(node).len()).sum();
    // Of single texts the place says little: a link here, a plain text there.
    if leaves < all * 2 {
        return None;
    }
    let parts = by_places(view, members, By::Tag)?;
    parts.iter().all(is_single).then_some(parts)
}

/// The elements by the classes of what is below them, if they fall into groups that have no class in common, and hardly a record has
/// two of a group: lines of one look, each with a thing that its class names.
fn by_class(view: &PageView<'_>, members: &Members) -> Option<Vec<Members>> {
    let document = view.document;
    let elements = |members: &Members| members.iter().map(|(_, nodes)| nodes.len()).sum::<usize>();
    let is_named = |node: NodeId| {
        let named = |leaf: &Leaf| {
            let around = std::iter::once(leaf.node).chain(document.ancestors(leaf.node));
            is_sign(view, leaf)
                || around.take_while(|&id| id > node).any(|id| document.is_element(id) && view.has_class(id))
        };
        view.leaves_below(node).iter().take(LEAVES).all(named)
    };
    if !members.iter().flat_map(|(_, nodes)| nodes).all(|&node| is_named(node)) {
        return None;
    }
    let parts = by_places(view, members, By::Class)?;
    let single: usize = parts.iter().filter(|part| is_single(part) && varies(view, part)).map(elements).sum();
    (single * 10 >= elements(members) * SINGLE).then_some(parts)
}

/// Returns whether no record has two of these elements.
fn is_single(members: &Members) -> bool {
    members.iter().all(|(_, nodes)| nodes.len() == 1)
}

/// Returns whether these elements do not all say the same: what they say is a value then, and no mark or button.
fn varies(view: &PageView<'_>, members: &Members) -> bool {
    let mut texts = members.iter().flat_map(|(_, nodes)| nodes).map(|&node| view.text(node));
    let first = texts.next();
    texts.any(|text| Some(text) != first)
}

fn is_sign(view: &PageView<'_>, leaf: &Leaf) -> bool {
    let text = view.text(leaf.node);
    !text.is_empty() && !text.contains(char::is_alphanumeric)
}

/// The elements in groups that have no place in common in what is below them; none if that is one group.
fn by_places(view: &PageView<'_>, members: &Members, by: By) -> Option<Vec<Members>> {
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
    for (_, nodes) in members {
        let mut own = Vec::with_capacity(nodes.len());
        for &node in nodes {
            let group = above.len();
            above.push(group);
            let below = view.leaves_below(node).iter().take(LEAVES);
            for leaf in below.filter(|leaf| by == By::Tag || !is_sign(view, leaf)) {
                let known = *places.entry(view.key_below(node, leaf, by)).or_insert(group);
                let (one, other) = (root(&mut above, known), root(&mut above, group));
                above[one.max(other)] = one.min(other);
            }
            own.push(group);
        }
        groups.push(own);
    }
    let mut parts: Vec<Members> = Vec::new();
    let mut numbers: HashMap<usize, usize, FixedState> = HashMap::default();
    for ((record, nodes), own) in members.iter().zip(groups) {
        for (&node, group) in nodes.iter().zip(own) {
            let at = *numbers.entry(root(&mut above, group)).or_insert(parts.len());
            if at == parts.len() {
                parts.push(Vec::new());
            }
            match parts[at].last_mut() {
                Some((last, nodes)) if last == record => nodes.push(node),
                _ => parts[at].push((*record, vec![node])),
            }
        }
    }
    (parts.len() > 1).then_some(parts)
}

#[cfg(test)]
mod tests {
    use windrow_dom::Document;

    use super::*;
    use crate::page_view::Unseen;

    /// The texts of the parts that the `li` of each list fall into.
    fn parts(html: &str) -> Vec<Vec<String>> {
        let document = Document::parse(html);
        let view = PageView::new(&document, Unseen::LeftOut);
        let lists = document.nodes().filter(|&id| document.name(id) == Some("ul"));
        let members: Members = lists.map(|list| document.children(list).collect()).enumerate().collect();
        let texts =
            |part: Members| part.into_iter().flat_map(|member| member.1).map(|id| view.text(id).to_string()).collect();
        split(&view, vec![(0, members)]).into_iter().map(|part| texts(part.1)).collect()
    }

    #[test]
    fn lines_with_a_thing_that_a_class_names() {
        let html = "<ul><li><b class=price>$5</b></li><li><b class=bids>2 bids</b></li></ul>\
            <ul><li><b class=price>$7</b></li><li><b class=place>from Oslo</b></li></ul>\
            <ul><li><b class=price>$9</b></li><li><b class=bids>4 bids</b></li><li><b class=place>from Rome</b></li></ul>";
        assert_eq!(parts(html), [vec!["$5", "$7", "$9"], vec!["2 bids", "4 bids"], vec!["from Oslo", "from Rome"]]);
    }

    #[test]
    fn marks_stay_a_list() {
        let html = "<ul><li><b class=new>New</b></li><li><b class=sale>Sale</b></li></ul><ul><li><b class=sale>Sale</b></li></ul>\
            <ul><li><b class=new>New</b></li></ul>";
        assert_eq!(parts(html).len(), 1);
    }

    #[test]
    fn items_without_classes_stay_a_list() {
        let html = "<ul><li><b>Tea</b></li><li><i>Milk</i></li></ul><ul><li><b>Cup</b></li></ul>";
        assert_eq!(parts(html).len(), 1);
    }
}
