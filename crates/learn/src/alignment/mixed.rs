//! Lists whose elements are of several kinds: `<span class="tag t-rust">` beside `<span class="tag t-go">`, or a last `li` with
//! a class of its own.
//!
//! By their classes such elements are different things, and each would be a column that is empty nearly everywhere. Three
//! things tell that they are one list: their order changes from record to record; each kind says one and the same word
//! wherever it stands, so that the class only says again what the text says; or one of the kinds is a list already, and the
//! other is built like it.
//!
//! Paper: Fontán et al. 2012, section 4.1, compare the records of a sublist by what is in them, not by their classes.
//!
//! # Cost
//!
//! Pairs of kinds at one place, of which there are a bounded number, and the leaves of their elements.

use std::cmp::Ordering;

use hashbrown::HashMap;
use windrow_dom::{NameId, NodeId, names};

use super::{Members, several};
use crate::page_view::{PageView, is_heading};

/// Characters of the longest word that only says what its class says.
const LONGEST: usize = 40;
/// Elements of one record whose order is compared.
const NUMBERS: usize = 24;
/// Kinds at one place beyond which their classes are a program's.
const MOST_KINDS: usize = 64;

/// How kinds that may be one list are linked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Link {
    /// They share a class word.
    Word,
    /// One of them has no class.
    Bare,
    /// They are of one tag.
    Tag,
}

/// The kinds at one place, with those put together that are one list.
pub(super) fn gather(view: &PageView<'_>, mut kinds: Vec<(u64, Members)>) -> Vec<(u64, Members)> {
    if !(2..=MOST_KINDS).contains(&kinds.len()) {
        return kinds;
    }
    for link in [Link::Word, Link::Bare, Link::Tag] {
        let traits: Vec<Option<Kind<'_>>> = kinds.iter().map(|(_, members)| Kind::new(view, members)).collect();
        let mut group: Vec<usize> = (0..kinds.len()).collect();
        for at in 1..kinds.len() {
            let linked = |&other: &usize| match (&traits[at], &traits[other]) {
                (Some(one), Some(other)) => one.is_linked(other, link),
                _ => false,
            };
            if let Some(other) = (0..at).find(linked) {
                group[at] = group[other];
            }
        }
        let mut gone = vec![false; kinds.len()];
        for first in 0..kinds.len() {
            let own: Vec<usize> = (first..kinds.len()).filter(|&at| group[at] == first && !gone[at]).collect();
            let places = own.len();
            let all: Vec<&Members> = own.iter().map(|&at| &kinds[at].1).collect();
            let told: Vec<&Kind<'_>> = own.iter().filter_map(|&at| traits[at].as_ref()).collect();
            if places < 2 || told.len() < places || !meet(&all) {
                continue;
            }
            let list = match link {
                Link::Word => swap(&all) || say_their_class(&told) || goes_on(view, &told, &all),
                Link::Bare => goes_on(view, &told, &all),
                Link::Tag => {
                    let named = || told.iter().filter(|kind| kind.named).count() * 2 >= places;
                    let items = told[0].tag == names::LI;
                    say_their_class(&told) && (swap(&all) || items || named()) || items && goes_on(view, &told, &all)
                }
            };
            if list {
                let merged = merge(&all);
                own[1..].iter().for_each(|&at| gone[at] = true);
                kinds[first].1 = merged;
            }
        }
        let mut at = 0;
        kinds.retain(|_| {
            at += 1;
            !gone[at - 1]
        });
    }
    kinds
}

/// What is seen of the elements of one kind.
struct Kind<'d> {
    tag: NameId,
    words: Vec<&'d str>,
    /// Whether each is one short text, the same in all.
    word: bool,
    text: u64,
    /// Whether a class word says what the text says.
    named: bool,
    /// Whether a record has more than one.
    several: bool,
    /// The usual number of leaves, and the look of what is first inside.
    leaves: usize,
    inner: u64,
    members: usize,
}

impl<'d> Kind<'d> {
    fn new(view: &PageView<'d>, members: &Members) -> Option<Kind<'d>> {
        let document = view.document;
        let example = *members.first()?.1.first()?;
        let tag = document.name_id(example)?;
        let all = || members.iter().flat_map(|(_, nodes)| nodes.iter().copied());
        if matches!(tag, names::TD | names::TH | names::IMG | names::BR) || is_heading(document, example) {
            return None;
        }
        let text = view.leaves_below(example).first().map_or(0, |leaf| leaf.value);
        let short = |node: NodeId| document.text_content(node).trim().chars().count() <= LONGEST;
        let word = all().all(|node| {
            let leaves = view.leaves_below(node);
            leaves.len() == 1 && leaves[0].value == text
        }) && short(example);
        let fold =
            |text: &str| text.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect::<String>();
        let words = view.class_words(example);
        let said = if word { fold(&document.text_content(example)) } else { String::new() };
        let named = said.chars().count() > 1 && words.iter().any(|word| fold(word).contains(&said));
        let mut sizes: Vec<usize> = all().take(64).map(|node| view.leaves_below(node).len()).collect();
        sizes.sort_unstable();
        let inner = document.children(example).find(|&child| view.has_content(child));
        Some(Kind {
            tag,
            words,
            word,
            text,
            named,
            several: members.iter().any(|(_, nodes)| nodes.len() > 1),
            leaves: sizes.get(sizes.len() / 2).copied().unwrap_or(0),
            inner: inner.map_or(0, |child| view.step(child)),
            members: members.len(),
        })
    }

    fn is_linked(&self, other: &Kind<'_>, link: Link) -> bool {
        self.tag == other.tag
            && match link {
                Link::Word => self.words.iter().any(|word| other.words.contains(word)),
                Link::Bare => self.words.is_empty() != other.words.is_empty(),
                Link::Tag => true,
            }
    }
}

/// Says whether elements of different kinds stand in one record, and not only once.
fn meet(all: &[&Members]) -> bool {
    let mut counts: HashMap<usize, usize> = HashMap::new();
    for members in all {
        for (record, _) in *members {
            *counts.entry(*record).or_default() += 1;
        }
    }
    let together = counts.values().filter(|&&count| count > 1).count();
    together >= 2 && together * 10 >= counts.len()
}

/// The elements of all kinds, by record and in order.
fn merge(all: &[&Members]) -> Members {
    let mut merged: Members = Vec::new();
    for (record, nodes) in all.iter().flat_map(|members| members.iter()) {
        match merged.binary_search_by(|member| member.0.cmp(record)) {
            Ok(at) => merged[at].1.extend(nodes),
            Err(at) => merged.insert(at, (*record, nodes.clone())),
        }
    }
    merged.iter_mut().for_each(|member| member.1.sort_unstable());
    merged
}

/// Says whether the order of the kinds changes from record to record. The fields of a record stand in one order; one slip in ten is
/// chance.
pub(super) fn swap(all: &[&Members]) -> bool {
    let mut records: HashMap<usize, Vec<(NodeId, usize)>> = HashMap::new();
    for (kind, members) in all.iter().enumerate() {
        for (record, nodes) in *members {
            let own = records.entry(*record).or_default();
            own.extend(nodes.iter().map(|&node| (node, kind)));
        }
    }
    let mut orders: HashMap<(usize, usize), [usize; 2]> = HashMap::new();
    for own in records.values_mut() {
        own.sort_unstable();
        own.truncate(NUMBERS);
        for (at, &(_, one)) in own.iter().enumerate() {
            for &(_, other) in &own[at + 1..] {
                match one.cmp(&other) {
                    Ordering::Less => orders.entry((one, other)).or_default()[0] += 1,
                    Ordering::Greater => orders.entry((other, one)).or_default()[1] += 1,
                    Ordering::Equal => {}
                }
            }
        }
    }
    let (pairs, turned) =
        orders.values().fold((0, 0), |(pairs, turned), [up, down]| (pairs + up + down, turned + up.min(down)));
    turned > 1 && turned * 10 >= pairs
}

/// Says whether each kind says one word of its own, wherever it stands; but for one that has no class that the others have not. What nearly
/// every record has is a label.
fn say_their_class(kinds: &[&Kind<'_>]) -> bool {
    let base = |kind: &Kind<'_>| kinds.iter().all(|other| kind.words.iter().all(|word| other.words.contains(word)));
    let own: Vec<&&Kind<'_>> = kinds.iter().filter(|kind| !base(kind)).collect();
    let most = kinds.iter().map(|kind| kind.members).sum::<usize>();
    let mut texts: Vec<u64> = own.iter().map(|kind| kind.text).collect();
    texts.sort_unstable();
    texts.dedup();
    own.len() >= 2
        && texts.len() == own.len()
        && own.iter().all(|kind| kind.word && !kind.several)
        && own.iter().any(|kind| kind.members * 2 < most)
        && kinds.iter().all(|kind| kind.leaves == 1)
}

/// Says whether one kind is a list already, and the others are built like it.
fn goes_on(view: &PageView<'_>, kinds: &[&Kind<'_>], all: &[&Members]) -> bool {
    let Some(list) = kinds.iter().position(|kind| kind.several) else { return false };
    let like = |kind: &&Kind<'_>| kind.leaves == kinds[list].leaves && kind.inner == kinds[list].inner;
    kinds.iter().all(like)
        && several::sublist(view, all[list]) > 0.5
        && several::shapes_alike(view, all)
        && several::sublist(view, &merge(all)) > 0.5
}
