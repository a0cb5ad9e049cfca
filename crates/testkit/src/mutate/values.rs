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

/// Everything that only one record says is another: the page shows other records of the same kind. What several say, as
/// places and categories, they say, too. False if no record says anything that the others do not.
pub(super) fn renew_records(state: &mut State, rng: &mut Rng, words: &[String]) -> bool {
    let mut often: BTreeMap<(&str, &str), usize> = BTreeMap::new();
    for slot in state.used() {
        *often.entry((&slot.field, &slot.text)).or_default() += 1;
    }
    let all = state.members.iter().flat_map(Member::slots);
    let own = |slot: &usize| often[&(state.slots[*slot].field.as_str(), state.slots[*slot].text.as_str())] == 1;
    let chosen: Vec<usize> = all.filter(own).collect();
    let telling = chosen.iter().any(|&slot| !state.slots[slot].is_volatile);
    edit(state, &chosen, rng, words) && telling
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
    let chosen: BTreeSet<usize> = chosen.iter().copied().collect();
    let used: Vec<usize> = state.members.iter().flat_map(Member::slots).collect();
    let mut edits = Edits::new(state);
    for member in state.members.clone() {
        let slots: Vec<usize> = member.slots().into_iter().filter(|slot| chosen.contains(slot)).collect();
        let others = Replacements::draw(state, &slots, rng, words);
        for slot in slots {
            match &state.slots[slot].made_of {
                MadeOf::Attribute { item, name } => {
                    if let Some(new) = state.tree.attr(*item, name).and_then(|old| others.whole(old)) {
                        edits.attributes.insert((*item, name.clone()), new.to_owned());
                    }
                }
                MadeOf::Pieces { pieces, .. } => {
                    for piece in pieces {
                        let Content::Text(old) = &state.tree.items[piece.item].content else { continue };
                        if let Some(new) = others.whole(&old[piece.own.clone()]) {
                            edits.text(piece.item, piece.own.clone(), new);
                        }
                    }
                }
                MadeOf::Frozen { .. } => {}
            }
        }
        // What is said twice in a record is new in both places: a title and the text of its picture, two links to one page.
        for &unit in member.units() {
            spread(state, unit, &others, &mut edits);
        }
    }
    for ((item, name), new) in &edits.attributes {
        state.tree.set_attr(*item, name, new);
    }
    let mut edits = edits.texts;
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

/// Replacements of the texts of a record.
#[derive(Default)]
struct Replacements {
    others: BTreeMap<String, Replacement>,
}

struct Replacement {
    new: String,
    /// True if the old text is also replaced inside longer texts.
    inside: bool,
}

/// Texts that are shorter say the same by chance: two counts of a record.
const SHORTEST: usize = 4;
/// So long, a text inside of another one is no chance.
const LONG: usize = 10;

impl Replacements {
    /// New texts for what these slots are made of.
    fn draw(state: &State, slots: &[usize], rng: &mut Rng, words: &[String]) -> Replacements {
        let mut all = Replacements::default();
        for slot in slots.iter().map(|&slot| &state.slots[slot]) {
            let olds: Vec<&str> = match &slot.made_of {
                MadeOf::Attribute { item, name } => state.tree.attr(*item, name).into_iter().collect(),
                MadeOf::Pieces { pieces, .. } => {
                    let text = |item: usize| match &state.tree.items[item].content {
                        Content::Text(text) => &**text,
                        _ => "",
                    };
                    pieces.iter().map(|piece| &text(piece.item)[piece.own.clone()]).collect()
                }
                MadeOf::Frozen { .. } => Vec::new(),
            };
            for old in olds {
                let key = one_line(old);
                if all.others.contains_key(&key) {
                    continue;
                }
                let address = match &slot.made_of {
                    MadeOf::Attribute { name, .. } => {
                        ["href", "src", "data-src", "action"].contains(&name.as_str()) || old.starts_with("http")
                    }
                    _ => false,
                };
                let new = if address {
                    reword::readdress(rng, old, words)
                } else if slot.is_volatile {
                    reword::redigit(rng, old)
                } else {
                    reword::reword(rng, old, words)
                };
                let inside = !slot.is_volatile && !address && key.chars().count() >= LONG;
                all.others.insert(key, Replacement { new, inside });
            }
        }
        all
    }

    /// Returns the replacement of a whole text.
    fn whole(&self, old: &str) -> Option<&str> {
        self.others.get(&one_line(old)).map(|other| other.new.as_str())
    }

    /// Returns the replacement of a text that no rule reads, if its equality with a value is no coincidence; addresses
    /// may have a suffix.
    fn copied(&self, old: &str) -> Option<String> {
        let line = one_line(old);
        if line.chars().count() < SHORTEST {
            return None;
        }
        if let Some(new) = self.whole(&line) {
            return Some(new.to_owned());
        }
        let page = line.split_once(['#', '?']).filter(|(page, _)| page.chars().count() >= SHORTEST);
        if let Some((page, new)) = page.and_then(|(page, _)| Some((page, self.whole(page)?))) {
            return Some(format!("{new}{}", &line[page.len()..]));
        }
        let found = self.others.iter().find(|(old, other)| other.inside && line.contains(old.as_str()))?;
        Some(line.replacen(found.0.as_str(), &found.1.new, 1))
    }
}

/// Edits that are to be made, and where none may be.
struct Edits {
    texts: BTreeMap<usize, Vec<(Range<usize>, String)>>,
    attributes: BTreeMap<(usize, String), String>,
    /// The parts of texts that values are made of.
    ranges: BTreeMap<usize, Vec<Range<usize>>>,
    frozen: BTreeSet<usize>,
}

impl Edits {
    fn new(state: &State) -> Edits {
        let mut edits = Edits {
            texts: BTreeMap::new(),
            attributes: BTreeMap::new(),
            ranges: BTreeMap::new(),
            frozen: BTreeSet::new(),
        };
        for slot in state.used() {
            match &slot.made_of {
                MadeOf::Pieces { pieces, .. } => {
                    for piece in pieces {
                        edits.ranges.entry(piece.item).or_default().push(piece.own.clone());
                    }
                }
                MadeOf::Frozen { items } => edits.frozen.extend(items),
                MadeOf::Attribute { .. } => {}
            }
        }
        edits
    }

    /// Replaces a part of a text, unless what becomes of some value would not be known.
    fn text(&mut self, item: usize, own: Range<usize>, new: &str) {
        let apart = |other: &Range<usize>| other.end <= own.start || own.end <= other.start;
        let around = |other: &Range<usize>| other.start <= own.start && own.end <= other.end;
        let known = |all: &Vec<Range<usize>>| all.iter().all(|other| apart(other) || around(other));
        let done = self.texts.entry(item).or_default();
        if !self.frozen.contains(&item)
            && self.ranges.get(&item).is_none_or(known)
            && done.iter().all(|(other, _)| apart(other))
        {
            done.push((own, new.to_owned()));
        }
    }
}

/// Replaces what is said elsewhere in a record, too.
fn spread(state: &State, unit: usize, others: &Replacements, edits: &mut Edits) {
    if others.others.is_empty() {
        return;
    }
    let mut work = vec![unit];
    while let Some(at) = work.pop() {
        let item = &state.tree.items[at];
        work.extend(&item.children);
        if let Content::Text(text) = &item.content
            && !edits.texts.contains_key(&at)
        {
            let own = text.len() - text.trim_start().len()..text.trim_end().len();
            if let Some(new) = text.get(own.clone()).and_then(|text| others.copied(text)) {
                edits.text(at, own, &new);
            }
        }
        for (name, value) in item.attrs.iter().filter(|(name, _)| !["class", "id", "style"].contains(&&**name)) {
            let key = (at, name.to_string());
            if let Some(new) = others.copied(value).filter(|_| !edits.attributes.contains_key(&key)) {
                edits.attributes.insert(key, new);
            }
        }
    }
}
