//! Map of a page for redesigns: its frame, its records and the rest, and the elements at the same place of the
//! template, so that one change of the template changes all of them.
//!
//! The template is not known but guessed from the page. Two elements are at the same place if the tags on their paths
//! from the root and their first classes are equal, not counting classes that express a state (`odd`, `active`,
//! `item-17`). Classes of ancestors are not compared, since records of one list differ in theirs (`thing link`, `thing
//! self`).
//!
//! Cost: a pass over the tree, and the depth of each value.

use std::collections::BTreeMap;

use windrow_dom::NodeId;

use super::Value;
use super::tree::{Content, ROOT, Tree};
use crate::generate::Rng;

/// Classes that say in which state an element is, not what it is.
const STATES: [&str; 18] = [
    "odd", "even", "alt", "first", "last", "active", "current", "selected", "hover", "open", "closed", "new", "unread",
    "read", "sticky", "featured", "row0", "row1",
];

/// A part of the page that a change aims at.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Zone {
    /// Above the records: the elements around them, and what stands beside those.
    Frame,
    /// In the records: the elements around values, and what stands beside those.
    Records,
    /// All the rest.
    Elsewhere,
}

/// Target of a change: one element, or all elements of one place in the template.
#[derive(Debug, Clone)]
pub(super) struct Target {
    pub(super) zone: Zone,
    pub(super) members: Vec<usize>,
}

/// Map of a page.
pub(super) struct Map {
    /// The values of each record.
    pub(super) values: Vec<Vec<usize>>,
    /// The topmost elements that belong to one record each. None where records are cut by text alone.
    pub(super) units: Vec<Vec<usize>>,
    /// For each node, how many values are in it, itself included.
    pub(super) held: Vec<usize>,
    /// For each node, the place of the template it is at; elements only.
    places: Vec<u64>,
    /// For each node, whether it is in a record.
    pub(super) recorded: Vec<bool>,
    /// For each node, whether it is inside of a value: its text is not to change.
    inside: Vec<bool>,
    /// For each node, whether its text is a value.
    is_value: Vec<bool>,
    parents: Vec<usize>,
    zones: [Vec<usize>; 3],
    by_place: BTreeMap<u64, Vec<usize>>,
}

impl Map {
    /// The map of a page whose values are these nodes, record by record; none if one of them is gone.
    pub(super) fn new(tree: &Tree, records: &[Vec<Value>]) -> Option<Map> {
        let order = tree.order();
        let len = tree.items.len();
        let origins: BTreeMap<NodeId, usize> =
            order.iter().filter_map(|&at| Some((tree.items[at].origin?, at))).collect();
        let values: Option<Vec<Vec<usize>>> = records
            .iter()
            .map(|record| record.iter().map(|value| origins.get(&value.node()).copied()).collect())
            .collect();
        let values = values?;

        let mut held = vec![0; len];
        let mut owners: Vec<Option<(usize, usize)>> = vec![None; len];
        for (record, values) in values.iter().enumerate() {
            for &value in values {
                for at in lineage(tree, value) {
                    held[at] += 1;
                    let (first, last) = owners[at].unwrap_or((record, record));
                    owners[at] = Some((first.min(record), last.max(record)));
                }
            }
        }
        let only = |at: usize| owners[at].is_some_and(|(first, last)| first == last);
        let units: Vec<Vec<usize>> = values.iter().map(|values| units(tree, values, records.len(), &only)).collect();

        let mut map = Map {
            values,
            units,
            held,
            places: vec![0; len],
            recorded: vec![false; len],
            inside: vec![false; len],
            is_value: vec![false; len],
            parents: tree.items.iter().map(|item| item.parent).collect(),
            zones: Default::default(),
            by_place: BTreeMap::new(),
        };
        for &unit in map.units.iter().flatten() {
            map.recorded[unit] = true;
        }
        for (&at, value) in map.values.iter().flatten().zip(records.iter().flatten()) {
            map.is_value[at] |= matches!(value, Value::Text(_));
        }
        let mut tags = vec![0; len];
        for &at in &order[1..] {
            let parent = tree.items[at].parent;
            map.recorded[at] |= map.recorded[parent];
            map.inside[at] = map.inside[parent] || map.is_value[parent];
            let Some(name) = tree.name(at) else { continue };
            tags[at] = hash(tags[parent], name);
            let class = tree.classes(at).map(stem).find(|class| !class.is_empty());
            map.places[at] = hash(tags[at], &class.unwrap_or_default());
            map.by_place.entry(map.places[at]).or_default().push(at);
            if map.inside[at] || tree.is_any(at, &["html", "body"]) {
                continue;
            }
            let near = map.held[at] > 0 || map.held[parent] > 0;
            let zone = match (near, map.recorded[at]) {
                (true, false) => Zone::Frame,
                (true, true) => Zone::Records,
                (false, _) => Zone::Elsewhere,
            };
            map.zones[zone as usize].push(at);
        }
        Some(map)
    }

    /// Reports whether the page is about a single record.
    pub(super) fn is_single(&self) -> bool {
        self.values.len() < 2
    }

    pub(super) fn place(&self, at: usize) -> u64 {
        self.places[at]
    }

    /// Reports whether its text may change: it is not a value and not inside one.
    pub(super) fn is_free(&self, at: usize) -> bool {
        !self.inside[at] && !self.is_value[at]
    }

    /// A place for a change among the elements that it can be made of. Frame and records get 45 of 100 each, the rest
    /// of the page 10; where a zone has nothing, the next is tried.
    pub(super) fn target(&self, rng: &mut Rng, fits: &dyn Fn(usize) -> bool) -> Option<Target> {
        let roll = rng.below(100);
        let zones = match roll {
            0..45 => [Zone::Frame, Zone::Records, Zone::Elsewhere],
            45..90 => [Zone::Records, Zone::Frame, Zone::Elsewhere],
            _ => [Zone::Elsewhere, Zone::Frame, Zone::Records],
        };
        zones.into_iter().find_map(|zone| self.target_in(zone, rng, fits))
    }

    /// A place for a change in one zone.
    pub(super) fn target_in(&self, zone: Zone, rng: &mut Rng, fits: &dyn Fn(usize) -> bool) -> Option<Target> {
        let fitting: Vec<usize> = self.zones[zone as usize].iter().copied().filter(|&at| fits(at)).collect();
        // By place first: otherwise a list of a thousand links would draw all changes.
        let mut places: Vec<u64> = fitting.iter().map(|&at| self.places[at]).collect();
        places.sort_unstable();
        places.dedup();
        if places.is_empty() {
            return None;
        }
        let place = places[rng.below(places.len())];
        let here: Vec<usize> = fitting.into_iter().filter(|&at| self.places[at] == place).collect();
        let one = here[rng.below(here.len())];
        // The blocks of a frame are each one of a kind; what is in the records of a list never is.
        let alike = match zone {
            _ if self.recorded[one] && !self.is_single() => true,
            Zone::Frame => false,
            Zone::Records | Zone::Elsewhere => rng.once_in(2),
        };
        if !alike {
            return Some(Target { zone, members: vec![one] });
        }
        let all = &self.by_place[&place];
        let column = self.column(all, one).filter(|_| rng.once_in(2));
        let members = all
            .iter()
            .copied()
            .filter(|&at| fits(at) && !self.inside[at] && column.as_ref().is_none_or(|column| column.contains(&at)));
        Some(Target { zone, members: members.collect() })
    }

    /// Among elements at one place, with several in each parent and equally many in all, returns those with the same
    /// index as this one.
    fn column(&self, all: &[usize], one: usize) -> Option<Vec<usize>> {
        let mut parents: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
        for &at in all {
            parents.entry(self.parents[at]).or_default().push(at);
        }
        let count = parents.values().next()?.len();
        if count < 2 || parents.len() < 2 || parents.values().any(|children| children.len() != count) {
            return None;
        }
        let rank = parents.get(&self.parents[one])?.iter().position(|&at| at == one)?;
        Some(parents.values().map(|children| children[rank]).collect())
    }

    /// Texts that stand in front of values and say what they are: the same in every record, and short. Grouped by place.
    pub(super) fn labels(&self, tree: &Tree) -> Vec<Vec<usize>> {
        let mut found: BTreeMap<(u64, String), Vec<usize>> = BTreeMap::new();
        for &value in self.values.iter().flatten() {
            for at in lineage(tree, value).take_while(|&at| at != ROOT && (self.recorded[at] || self.is_single())) {
                let siblings = &tree.items[tree.items[at].parent].children;
                let before = siblings[..tree.rank(at)].iter().rev().copied().find(|&sibling| !tree.is_blank(sibling));
                let Some(label) = before.filter(|&label| tree.is_element(label)) else { continue };
                let words = tree.words(label);
                if self.held[label] == 0 && !words.is_empty() && words.chars().count() <= LONGEST_LABEL {
                    let all = found.entry((self.places[label], words)).or_default();
                    if all.last() != Some(&label) {
                        all.push(label);
                    }
                }
                // What stands in front of something larger than the value is a label of that.
                break;
            }
        }
        let least = if self.is_single() { 1 } else { self.values.len().div_ceil(2) };
        found.into_values().filter(|labels| labels.len() >= least).collect()
    }
}

/// Longer texts are no labels.
const LONGEST_LABEL: usize = 40;

/// A node and its ancestors, the root last.
pub(super) fn lineage(tree: &Tree, at: usize) -> impl Iterator<Item = usize> + '_ {
    std::iter::successors(Some(at), |&at| (at != ROOT).then(|| tree.items[at].parent))
}

/// The topmost elements that hold values of this record and of no other.
fn units(tree: &Tree, values: &[usize], records: usize, only: &dyn Fn(usize) -> bool) -> Vec<usize> {
    let Some(&first) = values.first() else { return Vec::new() };
    let mut common: Vec<usize> = lineage(tree, first).collect();
    for &value in &values[1..] {
        let line: Vec<usize> = lineage(tree, value).collect();
        let shared = common.iter().rev().zip(line.iter().rev()).take_while(|(one, other)| one == other).count();
        common.drain(..common.len() - shared);
    }
    let tops: Vec<usize> = if records == 1 {
        // All of the page is about this record; what holds it is the innermost element around its values.
        match common.first() {
            Some(&at) if tree.is_any(at, &["html", "body"]) => children_with(tree, at, values),
            Some(&at) => vec![at],
            None => Vec::new(),
        }
    } else {
        match common.iter().copied().take_while(|&at| only(at)).last() {
            Some(top) => vec![top],
            None => common.first().map_or(Vec::new(), |&at| children_with(tree, at, values)),
        }
    };
    tops.into_iter().filter(|&at| tree.is_element(at) && (records == 1 || only(at))).collect()
}

fn children_with(tree: &Tree, parent: usize, values: &[usize]) -> Vec<usize> {
    let mut tops: Vec<usize> = values
        .iter()
        .filter_map(|&value| lineage(tree, value).find(|&at| at != ROOT && tree.items[at].parent == parent))
        .collect();
    tops.sort_by_key(|&at| tree.rank(at));
    tops.dedup();
    tops
}

/// A class without its numbers; empty if it says only a state.
fn stem(class: &str) -> String {
    if STATES.contains(&class) {
        return String::new();
    }
    class.chars().filter(|char| !char.is_ascii_digit()).collect()
}

/// FNV-1a: changes are drawn in the order of these numbers, so they have to be the same everywhere.
pub(super) fn hash(above: u64, name: &str) -> u64 {
    let step = |sum: u64, &byte: &u8| (sum ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01B3);
    name.as_bytes().iter().fold(step(above ^ 0xCBF2_9CE4_8422_2325, &0xFF), step)
}

/// Reports whether a class looks generated by a build tool: digits between letters, or letters in an unlikely order.
pub(super) fn is_generated(class: &str) -> bool {
    let tail = class.rsplit(['-', '_']).next().unwrap_or(class);
    let prefixed = ["css-", "sc-", "jsx-", "jss", "emotion-", "svelte-"].iter().any(|prefix| class.starts_with(prefix));
    let kind = |char: char| match char {
        'a'..='z' => 'a',
        'A'..='Z' => 'A',
        '0'..='9' => '0',
        _ => '-',
    };
    let kinds: Vec<char> = tail.chars().map(kind).collect();
    let turns = kinds.windows(2).filter(|pair| pair[0] != pair[1] && !(pair[0] == 'A' && pair[1] == 'a')).count();
    let digits = kinds.iter().filter(|&&kind| kind == '0').count();
    let letters = kinds.len() - digits;
    tail.len() >= 5 && (prefixed && digits > 0 || turns >= 3 && digits > 0 && letters > 1)
}

/// Reports whether the text of a node is short and announces a following value.
pub(super) fn asks(tree: &Tree, at: usize) -> bool {
    let words = tree.words(at);
    words.chars().count() <= LONGEST_LABEL && words.ends_with([':', '：'])
}

/// The only text below a node, if there is one.
pub(super) fn only_text(tree: &Tree, at: usize) -> Option<usize> {
    let mut found = None;
    let mut work = vec![at];
    while let Some(at) = work.pop() {
        if matches!(tree.items[at].content, Content::Text(_)) && !tree.is_blank(at) && found.replace(at).is_some() {
            return None;
        }
        work.extend(&tree.items[at].children);
    }
    found
}
