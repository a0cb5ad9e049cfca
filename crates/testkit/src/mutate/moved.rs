//! Blocks change places: those around the list, and the fields in its records; and new ones come in.

use std::collections::{BTreeMap, BTreeSet};

use super::shape::{container, is_inline};
use super::{State, hash};
use crate::generate::Rng;
use crate::redesign::tree::{ROOT, Tree};

/// Elements whose children have to stay in order.
const ORDERED: [&str; 10] = ["html", "head", "table", "thead", "tbody", "tfoot", "colgroup", "ul", "ol", "dl"];

/// A banner at the top of the page, and a column with links in front of the list.
pub(super) fn insert(state: &mut State, rng: &mut Rng, words: &[String]) -> bool {
    let Some(list) = container(state) else { return false };
    let tree = &mut state.tree;
    let Some(body) = tree.order().into_iter().find(|&at| tree.is_any(at, &["body"])) else { return false };
    let mut word = |fallback: &str| match words.len() {
        0 => fallback.to_owned(),
        len => words[rng.below(len)].clone(),
    };
    let mut links = |tree: &mut Tree, count: usize, holder: &str, part: &str| {
        let block = tree.element(holder, &[("class", "relaunch")]);
        for rank in 0..count {
            let entry = tree.element(part, &[]);
            let link = tree.element("a", &[("href", &format!("/section/{}", rank + 1))]);
            let text = tree.text(&format!("{} {}", word("more"), word("news")));
            tree.append(link, text);
            tree.append(entry, link);
            tree.append(block, entry);
        }
        block
    };
    let banner = links(tree, 4, "header", "span");
    tree.insert(body, 0, banner);
    let line = std::iter::successors(Some(list), |&at| (at != ROOT).then(|| tree.items[at].parent));
    let fits = |&at: &usize| {
        let parent = tree.items[at].parent;
        at != ROOT
            && !tree.is_any(parent, &ORDERED)
            && !tree.is_any(parent, &["tr"])
            && !is_inline(tree, parent)
            && !tree.has_own_text(parent)
    };
    let beside = line.take_while(|&at| !tree.is_any(at, &["body"])).find(fits);
    if let Some(at) = beside {
        let (parent, rank) = (tree.items[at].parent, tree.rank(at));
        let column = links(tree, 7, "aside", "p");
        tree.insert(parent, rank, column);
    }
    true
}

/// Shuffles what stands beside the list, and beside each element around it.
pub(super) fn blocks(state: &mut State, rng: &mut Rng, _: &[String]) -> bool {
    let Some(list) = container(state) else { return false };
    let held = state.held();
    let tree = &mut state.tree;
    let mut changed = false;
    let mut at = list;
    while at != ROOT && !tree.is_any(at, &["body", "html"]) {
        let parent = tree.items[at].parent;
        let blocks: Vec<usize> = tree.elements(parent).collect();
        let alone = blocks.iter().filter(|&&block| held[block] > 0).count() < 2;
        let rows = tree.is_any(parent, &["tr"]) && tree.elements(tree.items[parent].parent).count() > 1;
        let loose = !tree.is_any(parent, &ORDERED)
            && !rows
            && !tree.has_own_text(parent)
            && blocks
                .iter()
                .all(|&block| !is_inline(tree, block) && !tree.is_any(block, &["br", "body", "legend", "summary"]));
        if alone && loose && blocks.len() > 1 {
            let mut new = blocks.clone();
            for rank in (1..new.len()).rev() {
                new.swap(rank, rng.below(rank + 1));
            }
            if new == blocks {
                new.rotate_left(1);
            }
            let mut new = new.into_iter();
            let is_block: BTreeSet<usize> = blocks.into_iter().collect();
            let mut children = std::mem::take(&mut tree.items[parent].children);
            for child in &mut children {
                if is_block.contains(child) {
                    *child = new.next().unwrap_or(*child);
                }
            }
            tree.items[parent].children = children;
            changed = true;
        }
        at = parent;
    }
    changed
}

/// Gives the fields of records another order, the same in all records.
pub(super) fn fields(state: &mut State, rng: &mut Rng, _: &[String]) -> bool {
    let salt = rng.bits();
    let records = state.records();
    let inside = state.inside_values();
    let held = state.held();
    let mut fields: BTreeMap<usize, BTreeSet<String>> = BTreeMap::new();
    for slot in state.used() {
        for item in State::places(slot) {
            let own = fields.entry(item).or_default();
            // With the lists in the record that it is in: their records stay in order, too.
            let lists = slot.field.match_indices('/').skip(2).map(|(end, _)| slot.field[..end].to_owned());
            own.extend(lists.chain([slot.field.clone()]));
        }
    }
    let tree = &mut state.tree;
    let mut changed = false;
    let mut tables = BTreeSet::new();
    for at in tree.order() {
        if records[at].is_none() || inside[at] || held[at] < 2 || tree.has_own_text(at) {
            continue;
        }
        let of_children: Vec<(usize, BTreeSet<String>)> =
            tree.elements(at).map(|child| (child, fields_in(tree, child, &fields, &held))).collect();
        let several = of_children.iter().filter(|(_, fields)| !fields.is_empty()).count() > 1;
        let total: usize = of_children.iter().map(|(_, fields)| fields.len()).sum();
        let distinct: BTreeSet<&String> = of_children.iter().flat_map(|(_, fields)| fields).collect();
        // Two children with values of one field are records of a list in the record.
        if !several || total != distinct.len() {
            continue;
        }
        if tree.is_any(at, &["tr"]) {
            let table = std::iter::successors(Some(at), |&at| (at != ROOT).then(|| tree.items[at].parent))
                .find(|&at| tree.is_any(at, &["table"]));
            tables.extend(table);
        } else if !tree.is_any(at, &ORDERED) && !tree.elements(at).any(|child| asks(tree, child)) {
            changed |= reorder(tree, at, &of_children, salt);
        }
    }
    for table in tables {
        changed |= columns(tree, table, salt);
    }
    changed
}

fn fields_in(tree: &Tree, at: usize, fields: &BTreeMap<usize, BTreeSet<String>>, held: &[usize]) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    let mut work = vec![at];
    while let Some(at) = work.pop() {
        if held[at] > 0 {
            found.extend(fields.get(&at).into_iter().flatten().cloned());
            work.extend(&tree.items[at].children);
        }
    }
    found
}

/// Sorts children by what fields they hold. What holds none goes with what it stands in front of: it may be a label.
fn reorder(tree: &mut Tree, at: usize, of_children: &[(usize, BTreeSet<String>)], salt: u64) -> bool {
    let of: BTreeMap<usize, &BTreeSet<String>> = of_children.iter().map(|(child, fields)| (*child, fields)).collect();
    let mut groups: Vec<(u64, Vec<usize>)> = Vec::new();
    let mut open: Vec<usize> = Vec::new();
    let old = tree.items[at].children.clone();
    for &child in &old {
        open.push(child);
        if let Some(fields) = of.get(&child).filter(|fields| !fields.is_empty()) {
            let key = fields.iter().fold(salt, |sum, field| hash(sum, field));
            groups.push((key, std::mem::take(&mut open)));
        }
    }
    groups.sort_by_key(|(key, _)| *key);
    let mut new: Vec<usize> = groups.into_iter().flat_map(|(_, group)| group).collect();
    new.extend(open);
    let changed = new != old;
    tree.items[at].children = new;
    changed
}

/// Gives the columns of a table another order, if all its rows have as many cells.
fn columns(tree: &mut Tree, table: usize, salt: u64) -> bool {
    let mut rows: Vec<Vec<usize>> = Vec::new();
    let mut work = vec![table];
    while let Some(at) = work.pop() {
        if tree.is_any(at, &["tr"]) {
            rows.push(tree.elements(at).collect())
        } else {
            work.extend(tree.elements(at).filter(|&part| tree.is_any(part, &["thead", "tbody", "tfoot", "tr"])))
        }
    }
    let Some(width) = rows.first().map(Vec::len).filter(|&width| width > 1) else { return false };
    let plain = |&cell: &usize| tree.attr(cell, "colspan").is_none() && tree.attr(cell, "rowspan").is_none();
    if !rows.iter().all(|row| row.len() == width && row.iter().all(plain)) {
        return false;
    }
    let mut order: Vec<usize> = (0..width).collect();
    order.sort_by_key(|&column| hash(salt, &column.to_string()));
    for row in rows {
        let parent = tree.items[row[0]].parent;
        let mut new = order.iter().map(|&column| row[column]);
        let mut children = std::mem::take(&mut tree.items[parent].children);
        for child in &mut children {
            if tree.is_element(*child) {
                *child = new.next().unwrap_or(*child);
            }
        }
        tree.items[parent].children = children;
    }
    !order.is_sorted()
}

/// Reports whether the text of an element announces a following value.
fn asks(tree: &Tree, at: usize) -> bool {
    tree.words(at).ends_with([':', '：'])
}
