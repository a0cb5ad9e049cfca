//! Elements come around others, and go where they only held another.

use std::collections::{BTreeMap, BTreeSet};

use super::slots::MadeOf;
use super::{State, hash};
use crate::generate::Rng;
use crate::redesign::tree::{ROOT, Tree};

/// Elements whose children are of fixed kinds: what comes around those goes around what is in them.
const STRICT: [&str; 10] = ["html", "table", "thead", "tbody", "tfoot", "tr", "ul", "ol", "dl", "menu"];

/// Elements in a line of text.
const INLINE: [&str; 22] = [
    "a", "abbr", "b", "big", "cite", "code", "del", "em", "font", "i", "img", "ins", "label", "q", "s", "small",
    "span", "strong", "sub", "sup", "time", "u",
];

/// Elements that hold a line of text, and no blocks.
const LINES: [&str; 8] = ["p", "h1", "h2", "h3", "h4", "h5", "h6", "pre"];

pub(super) fn is_inline(tree: &Tree, at: usize) -> bool {
    tree.is_any(at, &INLINE)
}

/// Puts an element around each record.
pub(super) fn records(state: &mut State, rng: &mut Rng, _: &[String]) -> bool {
    let name = rng.pick(&["div", "section", "article"]);
    let class = format!("record-{}", rng.pick(&["box", "shell", "row", "outer"]));
    let mut changed = false;
    for member in &mut state.members {
        let super::Member::Set { units, .. } = member else { continue };
        let Some(&first) = units.first() else { continue };
        let tree = &mut state.tree;
        let parent = tree.items[first].parent;
        // Nodes that another change took away stand nowhere.
        let beside = units.iter().all(|unit| tree.items[parent].children.contains(unit));
        if tree.is_any(parent, &STRICT) || tree.is_any(first, &["td", "th", "li", "tr", "dt", "dd"]) {
            let cells: Vec<usize> = if tree.is_any(first, &["tr"]) {
                units.iter().flat_map(|&unit| tree.elements(unit).collect::<Vec<_>>()).collect()
            } else {
                units.iter().copied().filter(|&unit| tree.is_element(unit)).collect()
            };
            for cell in cells {
                around_contents(tree, cell, "div", &class);
                changed = true;
            }
        } else if beside && !lines(tree, parent) {
            let wrapper = tree.element(name, &[("class", &class)]);
            around(tree, parent, units, wrapper);
            *units = vec![wrapper];
            changed = true;
        } else if beside {
            let wrapper = tree.element("span", &[("class", &class)]);
            around(tree, parent, units, wrapper);
            *units = vec![wrapper];
            changed = true;
        }
    }
    changed
}

/// Puts elements around fields, and takes those away that only hold one, at the same places in all records.
pub(super) fn fields(state: &mut State, rng: &mut Rng, _: &[String]) -> bool {
    let salt = rng.bits();
    let records = state.records();
    let template = state.template(&records);
    let values: BTreeSet<usize> = state
        .used()
        .filter_map(|slot| match &slot.made_of {
            MadeOf::Attribute { item, .. } => Some(*item),
            MadeOf::Pieces { pieces, whole } => whole.or_else(|| {
                let item = pieces.first()?.item;
                Some(if state.tree.is_element(item) { item } else { state.tree.items[item].parent })
            }),
            MadeOf::Frozen { .. } => None,
        })
        .collect();
    let wholes: BTreeSet<usize> = state
        .used()
        .filter_map(|slot| match slot.made_of {
            MadeOf::Pieces { whole, .. } => whole,
            _ => None,
        })
        .collect();
    let units: BTreeSet<usize> = state.members.iter().flat_map(|member| member.units().to_vec()).collect();
    let tree = &mut state.tree;
    let mut changed = false;
    for &at in &values {
        let parent = tree.items[at].parent;
        if records[at].is_none() || units.contains(&at) || !tree.is_element(at) {
            continue;
        }
        match hash(salt ^ template[at], "fields") % 3 {
            0 => {
                let class = format!("f-{}", hash(salt ^ template[at], "class") % 90 + 10);
                if tree.is_any(at, &["td", "th", "li", "dd", "dt"]) {
                    around_contents(tree, at, "div", &class);
                } else if !tree.is_any(parent, &STRICT) && tree.name(at) != Some("tr") {
                    let wrapper = tree.element(if is_inline(tree, at) { "span" } else { "div" }, &[("class", &class)]);
                    around(tree, parent, &[at], wrapper);
                } else {
                    continue;
                }
                changed = true;
            }
            1 => {
                let only = tree.elements(parent).count() == 1 && !tree.has_own_text(parent);
                let plain =
                    tree.is_any(parent, &["div", "span", "center", "section", "font", "p", "b", "strong", "em"]);
                // A block around something in a line keeps it apart from what stands beside it.
                let alike = is_inline(tree, parent) || !is_inline(tree, at);
                let opaque =
                    tree.items[parent].children.iter().any(|&child| !tree.is_element(child) && !tree.is_blank(child));
                if only
                    && plain
                    && alike
                    && !opaque
                    && !units.contains(&parent)
                    && !wholes.contains(&parent)
                    && !values.contains(&parent)
                {
                    let children = std::mem::take(&mut tree.items[parent].children);
                    tree.replace(parent, &children);
                    changed = true;
                }
            }
            _ => {}
        }
    }
    changed
}

/// Puts an element around the part of the page that the records are in, and one around the list itself.
pub(super) fn main(state: &mut State, _: &mut Rng, _: &[String]) -> bool {
    let Some(container) = container(state) else { return false };
    let tree = &mut state.tree;
    let line: Vec<usize> =
        std::iter::successors(Some(container), |&at| (at != ROOT).then(|| tree.items[at].parent)).collect();
    let Some(top) = line.iter().copied().find(|&at| tree.is_any(tree.items[at].parent, &["body"])) else {
        return false;
    };
    let mut changed = false;
    let targets: BTreeMap<usize, &str> = [(top, "main-outer"), (container, "list-outer")].into_iter().collect();
    for (at, class) in targets {
        let parent = tree.items[at].parent;
        if !tree.is_any(parent, &STRICT)
            && !tree.is_any(at, &["td", "th", "tr", "tbody", "body", "html", "li"])
            && !lines(tree, parent)
        {
            let wrapper = tree.element("div", &[("class", class)]);
            around(tree, parent, &[at], wrapper);
            changed = true;
        }
    }
    changed
}

/// The innermost element around all records, or around all values where records have no elements of their own.
pub(super) fn container(state: &State) -> Option<usize> {
    let held = state.held();
    let units: Vec<usize> = state.members.iter().flat_map(|member| member.units().to_vec()).collect();
    let (weight, total) = if units.is_empty() {
        (held.clone(), held[ROOT])
    } else {
        let mut weight = vec![0; state.tree.items.len()];
        units.iter().for_each(|&unit| weight[state.tree.items[unit].parent] += 1);
        for &at in state.tree.order().iter().skip(1).rev() {
            weight[state.tree.items[at].parent] += weight[at];
        }
        (weight, units.len())
    };
    let inner =
        state.tree.order().into_iter().rfind(|&at| total > 0 && weight[at] == total && state.tree.is_element(at))?;
    (!state.tree.is_any(inner, &["body", "html"])).then_some(inner)
}

/// Reports whether block elements inside would end the element.
fn lines(tree: &Tree, at: usize) -> bool {
    is_inline(tree, at) || tree.is_any(at, &LINES)
}

fn around(tree: &mut Tree, parent: usize, members: &[usize], wrapper: usize) {
    let Some(&first) = members.first() else { return };
    let rank = tree.rank(first);
    let last = members.iter().map(|&member| tree.rank(member)).max().unwrap_or(rank);
    let inner: Vec<usize> = tree.items[parent].children.splice(rank..=last, [wrapper]).collect();
    tree.items[wrapper].parent = parent;
    for child in inner {
        tree.append(wrapper, child);
    }
}

fn around_contents(tree: &mut Tree, at: usize, name: &str, class: &str) {
    let wrapper = tree.element(name, &[("class", class)]);
    for child in std::mem::take(&mut tree.items[at].children) {
        tree.append(wrapper, child);
    }
    tree.append(at, wrapper);
}
