//! Values become others, records go, and new ones come.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use super::slots::{MadeOf, Member, one_line};
use super::{State, reword};
use crate::generate::Rng;
use crate::redesign::tree::{Content, Tree};

/// One record in so many is gone, and one is new.
const RECORDS: usize = 10;
/// One value in so many is another.
const VALUES: usize = 3;

/// A third of the values are new, some records go and some come.
pub(super) fn renew(state: &mut State, rng: &mut Rng, words: &[String]) -> bool {
    let fresh = replace_records(state, rng);
    let chosen = choose(state, rng, &fresh, &|rng, _| rng.once_in(VALUES));
    edit(state, &chosen, rng, words) || !fresh.is_empty()
}

/// Every number, amount, date and count is another.
pub(super) fn revalue(state: &mut State, rng: &mut Rng, words: &[String]) -> bool {
    let chosen = choose(state, rng, &BTreeSet::new(), &|_, is_volatile| is_volatile);
    edit(state, &chosen, rng, words)
}

/// Both.
pub(super) fn renew_all(state: &mut State, rng: &mut Rng, words: &[String]) -> bool {
    let fresh = replace_records(state, rng);
    let chosen = choose(state, rng, &fresh, &|rng, is_volatile| is_volatile || rng.once_in(VALUES));
    edit(state, &chosen, rng, words) || !fresh.is_empty()
}

/// The slots that get another text: those of new records, and of the others what `draws` draws.
fn choose(state: &State, rng: &mut Rng, fresh: &BTreeSet<usize>, draws: &dyn Fn(&mut Rng, bool) -> bool) -> Vec<usize> {
    let all = state.members.iter().flat_map(Member::slots);
    let chosen = all.filter(|slot| {
        let drawn = draws(rng, state.slots[*slot].is_volatile);
        !state.slots[*slot].is_constant && (drawn || fresh.contains(slot))
    });
    chosen.collect()
}

/// Takes records away and puts copies of others in; gives the slots of the copies.
fn replace_records(state: &mut State, rng: &mut Rng) -> BTreeSet<usize> {
    let mut ranks: Vec<usize> =
        (0..state.members.len()).filter(|&rank| !state.members[rank].units().is_empty()).collect();
    for rank in (1..ranks.len()).rev() {
        ranks.swap(rank, rng.below(rank + 1));
    }
    // Of very few records none goes: nothing would be left to know the list by.
    let count = if ranks.len() < 5 { 0 } else { ranks.len().div_ceil(RECORDS) };
    let gone: BTreeSet<usize> = ranks.iter().copied().take(count).collect();
    let copied: BTreeSet<usize> = ranks.iter().copied().skip(count).take(count).collect();
    let mut fresh = BTreeSet::new();
    let mut members = Vec::with_capacity(state.members.len());
    for (rank, member) in std::mem::take(&mut state.members).into_iter().enumerate() {
        if gone.contains(&rank) {
            member.units().iter().for_each(|&unit| state.tree.remove(unit));
            continue;
        }
        let copy = copied.contains(&rank).then(|| copy_record(state, &member));
        members.push(member);
        if let Some(copy) = copy {
            fresh.extend(copy.slots());
            members.push(copy);
        }
    }
    state.members = members;
    fresh
}

/// A copy of a record behind it.
fn copy_record(state: &mut State, member: &Member) -> Member {
    let mut items = BTreeMap::new();
    let mut units = Vec::new();
    let last = member.units().last().copied();
    for &unit in member.units() {
        units.push(copy(&mut state.tree, unit, &mut items));
    }
    if let Some(last) = last {
        let (parent, rank) = (state.tree.items[last].parent, state.tree.rank(last));
        for (more, &unit) in units.iter().enumerate() {
            state.tree.insert(parent, rank + 1 + more, unit);
        }
    }
    let mut copied = copy_member(state, member, &items);
    if let Member::Set { units: own, .. } = &mut copied {
        *own = units;
    }
    copied
}

fn copy_member(state: &mut State, member: &Member, items: &BTreeMap<usize, usize>) -> Member {
    let new = |item: usize| items.get(&item).copied().unwrap_or(item);
    match member {
        Member::Value { label, slot } => {
            let mut slot = state.slots[*slot].clone();
            match &mut slot.made_of {
                MadeOf::Attribute { item, .. } => *item = new(*item),
                MadeOf::Pieces { pieces, whole } => {
                    pieces.iter_mut().for_each(|piece| piece.item = new(piece.item));
                    *whole = whole.map(new);
                }
                MadeOf::Frozen { items } => items.iter_mut().for_each(|item| *item = new(*item)),
            }
            state.slots.push(slot);
            Member::Value { label: label.clone(), slot: state.slots.len() - 1 }
        }
        Member::Set { label, members, .. } => Member::Set {
            label: label.clone(),
            members: members.iter().map(|member| copy_member(state, member, items)).collect(),
            units: Vec::new(),
        },
    }
}

/// Copies a subtree; `items` learns which item became which.
fn copy(tree: &mut Tree, from: usize, items: &mut BTreeMap<usize, usize>) -> usize {
    let mut work = vec![(from, None)];
    let mut top = from;
    while let Some((at, parent)) = work.pop() {
        let mut item = tree.items[at].clone();
        let children = std::mem::take(&mut item.children);
        item.origin = None;
        tree.items.push(item);
        let new = tree.items.len() - 1;
        items.insert(at, new);
        match parent {
            Some(parent) => tree.append(parent, new),
            None => top = new,
        }
        // The last comes off first, so they go on backwards.
        work.extend(children.into_iter().rev().map(|child| (child, Some(new))));
    }
    top
}

/// Gives the slots other texts, and every slot that shares texts with them what it says now.
fn edit(state: &mut State, chosen: &[usize], rng: &mut Rng, words: &[String]) -> bool {
    let used: Vec<usize> = state.members.iter().flat_map(Member::slots).collect();
    let mut ranges: BTreeMap<usize, Vec<Range<usize>>> = BTreeMap::new();
    let mut frozen: BTreeSet<usize> = BTreeSet::new();
    for slot in used.iter().map(|&slot| &state.slots[slot]) {
        match &slot.made_of {
            MadeOf::Pieces { pieces, .. } => {
                pieces.iter().for_each(|piece| ranges.entry(piece.item).or_default().push(piece.own.clone()));
            }
            MadeOf::Frozen { items } => frozen.extend(items),
            MadeOf::Attribute { .. } => {}
        }
    }
    let mut attributes: BTreeSet<(usize, String)> = BTreeSet::new();
    let mut edits: BTreeMap<usize, Vec<(Range<usize>, String)>> = BTreeMap::new();
    for &slot in chosen {
        let slot = &state.slots[slot];
        let mut renew = |text: &str| match slot.is_volatile {
            true => reword::redigit(rng, text),
            false => reword::reword(rng, text, words),
        };
        match &slot.made_of {
            MadeOf::Attribute { item, name } => {
                if !attributes.insert((*item, name.clone())) {
                    continue;
                }
                let Some(old) = state.tree.attr(*item, name).map(str::to_owned) else { continue };
                let address = ["href", "src", "data-src", "action"].contains(&name.as_str()) || old.starts_with("http");
                let new = if address { reword::readdress(rng, &old, words) } else { renew(&old) };
                state.tree.set_attr(*item, name, &new);
            }
            MadeOf::Pieces { pieces, .. } => {
                for piece in pieces.iter().filter(|piece| !frozen.contains(&piece.item)) {
                    let Content::Text(old) = &state.tree.items[piece.item].content else { continue };
                    let own = &piece.own;
                    let apart = |other: &Range<usize>| other.end <= own.start || own.end <= other.start;
                    let around = |other: &Range<usize>| other.start <= own.start && own.end <= other.end;
                    let fits =
                        ranges.get(&piece.item).is_none_or(|all| all.iter().all(|other| apart(other) || around(other)));
                    let done = edits.entry(piece.item).or_default();
                    if fits && done.iter().all(|(other, _)| apart(other)) {
                        done.push((own.clone(), renew(&old[own.clone()])));
                    }
                }
            }
            MadeOf::Frozen { .. } => {}
        }
    }
    edits.values_mut().for_each(|edits| edits.sort_by_key(|(range, _)| range.start));
    let mut changed = false;
    for slot in used {
        let text = match &state.slots[slot].made_of {
            MadeOf::Attribute { item, name } => one_line(state.tree.attr(*item, name).unwrap_or_default()),
            MadeOf::Pieces { pieces, .. } => {
                let mut text = state.slots[slot].text.clone();
                for piece in pieces.iter().rev().filter(|piece| edits.contains_key(&piece.item)) {
                    let Content::Text(old) = &state.tree.items[piece.item].content else { continue };
                    text.replace_range(piece.value.clone(), &one_line(&edited(old, &piece.own, &edits[&piece.item])));
                }
                text
            }
            MadeOf::Frozen { .. } => continue,
        };
        changed |= text != state.slots[slot].text;
        state.slots[slot].text = text;
    }
    for (item, edits) in edits {
        let Content::Text(old) = &state.tree.items[item].content else { continue };
        let new = edited(old, &(0..old.len()), &edits);
        state.tree.items[item].content = Content::Text(new.into());
    }
    changed
}

/// A part of a text after edits; those that do not lie in it do not count.
fn edited(text: &str, part: &Range<usize>, edits: &[(Range<usize>, String)]) -> String {
    let mut new = String::new();
    let mut at = part.start;
    for (range, other) in edits.iter().filter(|(range, _)| part.start <= range.start && range.end <= part.end) {
        new.push_str(&text[at..range.start]);
        new.push_str(other);
        at = range.end;
    }
    new + &text[at..part.end]
}
