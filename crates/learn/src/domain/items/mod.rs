//! Lists below a heading: ingredients, steps, features, each member a value of its own.
//!
//! A role that has several values is often headed, not labelled: `Ingredients`, and below it a list. The block that follows
//! the heading is seldom that list: a choice of servings, a picture or an advertisement stands between. So the list itself
//! is looked for, from the heading to the next one:
//!
//! - the items of `ul`, `ol` or a table, a row being one item;
//! - or else elements that are alike, one beside the other;
//! - or else lines.
//!
//! A list goes on behind a smaller heading (`For the dough`) in another list that is built alike. Buttons and titles of parts are
//! no items, and the number of a step is no part of it. Several headings may offer a list: which is the role's is judged by
//! how the heading stands, how near its list is, what its elements are called, and by other labels around it.
//!
//! # Cost
//!
//! For each heading, the lines up to its list, and that list; headings and items are bounded.

mod alike;
mod below;
mod clean;
mod heading;

use std::ops::Range;

use foldhash::fast::FixedState;
use hashbrown::HashMap;
use windrow_dom::{NameId, NodeId, names};

use super::layout::{Candidate, Layout, Layouts};
use super::lexicon::{Lexicon, words_of};
use super::sheet::Piece;
use super::words::Domain;
use super::{Clues, Evidence, Pair};

/// Headings of one page whose lists are looked for.
const MOST_HEADINGS: usize = 64;
/// Items of one list, and lists below one heading.
const MOST_ITEMS: usize = 400;
const MOST_LISTS: usize = 40;
/// Lines of one item: what has more holds items.
const ITEM_LINES: usize = 12;
/// Lines of an item that is surely one.
const SHORT_ITEM: usize = 2;
/// Lines between two lists of one heading, and bytes of such a line.
const TITLE_LINES: usize = 6;
const TITLE: usize = 80;
/// Items of a list beside which one item is none, and what speaks for it: the whole heading is the keyword, and there are items.
const LEAST_LISTED: usize = 3;
const SURE: f32 = 1.0;
/// Bytes of a value that is no list.
const SHORT_VALUE: usize = 40;
/// Lines around a list in which other labels speak for it.
const AROUND: u32 = 40;
/// Number of levels up that names of elements are looked at.
const NAMED: usize = 4;
/// Below this, a list that a heading tells gives way to one that the names of its elements tell.
pub(super) const WEAK: f32 = 0.75;
/// Confidence of a list that only the names of its elements tell.
const BY_NAME: f32 = 0.4;

/// A list, and how much speaks for it.
#[derive(Debug, Clone, Default)]
pub(super) struct Items {
    pub(super) score: f32,
    /// The bytes of its items in the text.
    pub(super) items: Vec<Range<u32>>,
}

/// A keyword that heads what is below it.
#[derive(Clone, Copy)]
struct Heading {
    /// The element that the heading is, or its text.
    node: NodeId,
    end: NodeId,
    level: Option<u8>,
    /// True if it is the keyword and no more.
    whole: bool,
    line: u32,
    role: u32,
}

/// A list as it was found.
struct Found {
    items: Vec<Range<usize>>,
    /// True if its elements say that it is one.
    marked: bool,
    gap: usize,
}

/// The lists of roles with several values, by their headings.
pub(super) fn candidates(
    layouts: &Layouts<'_, '_>,
    domain: &Domain,
    lexicon: &Lexicon,
    known: &[Candidate],
) -> Vec<Candidate> {
    let finder = Finder { layouts, domain, lexicon };
    let headings = layouts.marks.iter().enumerate().filter_map(|(number, mark)| Some((number, finder.heading(mark)?)));
    let mut all = Vec::new();
    for (number, heading) in headings.take(MOST_HEADINGS) {
        let Some(found) = finder.below(&heading) else { continue };
        let (Some(first), Some(last)) = (found.items.first(), found.items.last()) else { continue };
        // `Preparation: 25 min` says what another role with this keyword asks for.
        if found.items.len() == 1 && finder.is_of_another(&heading, number, first) {
            continue;
        }
        let (start, end) = (first.start as u32, last.end as u32);
        let score = finder.score(number, &heading, &found, known);
        let items = found.items.iter().map(|item| item.start as u32..item.end as u32).collect();
        let list = Some(Box::new(Items { score, items }));
        let (role, mark) = (heading.role, number as u32);
        all.push(Candidate { role, mark, layout: Layout::Below, start, end, list });
    }
    // Where another heading of the role has a list, one thing below a heading is none.
    let count = |candidate: &Candidate| candidate.list.as_ref().map_or(0, |list| list.items.len());
    let sure = |candidate: &Candidate| candidate.list.as_ref().is_some_and(|list| list.score >= SURE);
    let listed: Vec<u32> =
        all.iter().filter(|one| count(one) >= LEAST_LISTED && sure(one)).map(|candidate| candidate.role).collect();
    all.retain(|candidate| count(candidate) > 1 || !listed.contains(&candidate.role));
    all
}

/// A role, how its list is built, and its items.
type Named<'d> = (u32, (Option<NameId>, &'d str), Vec<Range<usize>>);

/// Lists of these roles that only the names of elements tell.
pub(super) fn named(
    layouts: &Layouts<'_, '_>,
    domain: &Domain,
    lexicon: &Lexicon,
    wanted: &[bool],
    known: &[Pair],
) -> Vec<Pair> {
    let finder = Finder { layouts, domain, lexicon };
    let document = layouts.sheet.document;
    // Items of other roles' lists: what holds them is no item.
    let is_known =
        |pair: &&Pair| pair.values.len() > 1 && pair.role.is_some_and(|role| wanted.get(role) != Some(&true));
    let mut others: Vec<NodeId> =
        known.iter().filter(is_known).flat_map(|pair| pair.values.iter().map(|value| value.node)).collect();
    others.sort_unstable();
    let holds_other = |item: &Range<usize>| {
        let Some((first, last)) = finder.pieces(item).first().zip(finder.pieces(item).last()) else { return false };
        let at = others.partition_point(|&node| node < first.node);
        others.get(at).is_some_and(|&node| node <= last.node)
    };
    let is_wanted =
        |role: u32| wanted.get(role as usize) == Some(&true) && domain.roles[role as usize].many == Some(true);
    let mut best: Vec<Named<'_>> = Vec::new();
    let letters = |items: &[Range<usize>]| -> usize { items.iter().map(Range::len).sum() };
    if !(0..domain.roles.len() as u32).any(is_wanted) {
        return Vec::new();
    }
    let mut called: HashMap<&str, Option<u32>, FixedState> = HashMap::default();
    for id in document.nodes().filter(|&id| document.is_element(id)) {
        let list = matches!(document.name_id(id), Some(names::UL | names::OL | names::TBODY));
        let role = match list {
            true => finder.roles_by_name(id).into_iter().find(|&role| is_wanted(role)),
            false => match document.attr_by_id(id, names::CLASS) {
                Some(class) => *called
                    .entry(class)
                    .or_insert_with(|| finder.own_roles(class).into_iter().find(|&role| is_wanted(role))),
                None => None,
            },
        };
        let Some(role) = role else { continue };
        let items = match list {
            true => document
                .children(id)
                .find(|&id| matches!(document.name_id(id), Some(names::LI | names::TR)))
                .map(|item| finder.items_of(item)),
            // Elements side by side that are called so.
            false => finder.alike(id),
        };
        let items = finder.clean(items.unwrap_or_default());
        if items.len() < 2 || finder.is_menu(&items) || items.iter().any(holds_other) {
            continue;
        }
        let build = (document.name_id(id), document.attr_by_id(id, names::CLASS).unwrap_or_default());
        match best.iter_mut().find(|known| known.0 == role) {
            // Lists that are called and built alike are one.
            Some(known) if known.1 == build && known.2.len() < MOST_ITEMS => {
                let text = |item: &Range<usize>| layouts.sheet.text.get(item.clone());
                let behind =
                    items.first().is_some_and(|first| known.2.last().is_some_and(|last| last.end <= first.start));
                // The same list may stand on the page twice, for print or for small screens.
                let again = items.first().is_some_and(|first| known.2.iter().any(|item| text(item) == text(first)));
                if behind && !again {
                    known.2.extend(items);
                }
            }
            Some(known) if letters(&known.2) < letters(&items) => *known = (role, build, items),
            Some(_) => {}
            None => best.push((role, build, items)),
        }
    }
    // What holds the items of another list is none.
    let holds = |items: &[Range<usize>], other: &[Range<usize>]| {
        let inside = |one: &Range<usize>, two: &Range<usize>| one.start <= two.start && two.end <= one.end;
        items.len() < other.len()
            && items.iter().any(|item| other.iter().filter(|other| inside(item, other)).count() > 1)
            || items.len() > other.len() && other.iter().all(|other| items.iter().any(|item| inside(item, other)))
    };
    let around: Vec<bool> = best
        .iter()
        .map(|(role, _, items)| best.iter().any(|(other, _, inner)| other != role && holds(items, inner)))
        .collect();
    let mut around = around.into_iter();
    best.retain(|_| around.next() != Some(true));
    let pair = |(role, items): (u32, Vec<Range<usize>>)| Pair {
        role: Some(role as usize),
        label: None,
        clues: Clues { items: items.len() as u32, ..Clues::default() },
        values: items.into_iter().filter_map(|item| layouts.item_value(item)).collect(),
        evidence: Evidence::Name,
        confidence: BY_NAME,
        inner: Vec::new(),
    };
    best.into_iter().map(|(role, _, items)| pair((role, items))).filter(|pair| pair.values.len() > 1).collect()
}

struct Finder<'f, 's, 'd> {
    layouts: &'f Layouts<'s, 'd>,
    domain: &'f Domain,
    lexicon: &'f Lexicon,
}

impl Finder<'_, '_, '_> {
    /// The bytes of what is below a node.
    pub(super) fn text_below(&self, id: NodeId) -> Option<Range<usize>> {
        let sheet = self.layouts.sheet;
        let pieces = sheet.pieces_below(id);
        let (first, last) = (sheet.pieces.get(pieces.start)?, sheet.pieces.get(pieces.end.checked_sub(1)?)?);
        (!pieces.is_empty()).then_some(first.start as usize..last.end as usize)
    }

    pub(super) fn pieces(&self, item: &Range<usize>) -> &[Piece] {
        &self.layouts.sheet.pieces[self.layouts.pieces_of(item.start, item.end)]
    }

    /// Returns whether the only text below a heading is a value of another role that the same keyword is of.
    fn is_of_another(&self, heading: &Heading, number: usize, item: &Range<usize>) -> bool {
        let Some(text) = self.layouts.sheet.text.get(item.clone()).filter(|text| text.len() <= SHORT_VALUE) else {
            return false;
        };
        let roles = self.lexicon.keys().get(self.layouts.marks[number].key as usize).map_or(&[][..], Vec::as_slice);
        let fits = |role: u32| self.layouts.matches_role(role, text);
        fits(heading.role).is_none() && roles.iter().any(|&role| role != heading.role && fits(role) == Some(true))
    }

    /// The roles whose keywords the classes of an element end in.
    fn own_roles(&self, class: &str) -> Vec<u32> {
        let words = class.split_whitespace().take(8).map(words_of);
        let last = words.filter_map(|words| words.last().cloned());
        last.filter_map(|word| self.lexicon.role(&word).or_else(|| self.lexicon.role(&format!("{word}s")))).collect()
    }

    /// The roles whose keywords the names of an element, or of those around it, have in them.
    fn roles_by_name(&self, id: NodeId) -> Vec<u32> {
        let document = self.layouts.sheet.document;
        let mut roles = Vec::new();
        for id in std::iter::once(id).chain(document.ancestors(id)).take(NAMED) {
            for name in [names::CLASS, names::ID].iter().filter_map(|&name| document.attr_by_id(id, name)) {
                for word in name.split_whitespace().take(8) {
                    let words = words_of(word);
                    let found = words.iter().filter_map(|word| {
                        let plural = || self.lexicon.role(&format!("{word}s"));
                        self.lexicon.role(word).or_else(plural)
                    });
                    for role in found {
                        if !roles.contains(&role) {
                            roles.push(role);
                        }
                    }
                }
            }
            if !roles.is_empty() {
                break;
            }
        }
        roles
    }

    /// Returns the evidence for a list. The parts are in steps of a tenth, as those of other pairs are.
    fn score(&self, number: usize, heading: &Heading, found: &Found, known: &[Candidate]) -> f32 {
        let mut score = if heading.whole { 0.9 } else { 0.6 };
        if heading.level.is_some() {
            score += 0.1;
        }
        if found.marked {
            score += 0.3;
        }
        if found.items.len() >= 2 {
            score += 0.2;
        }
        score -= 0.03 * found.gap as f32;
        if self.is_menu(&found.items) {
            score -= 0.8;
        }
        let (Some(first), Some(last)) = (found.items.first(), found.items.last()) else { return 0.0 };
        let pieces = self.pieces(first);
        let Some(piece) = pieces.first() else { return 0.0 };
        if piece.unseen {
            score -= 0.2;
        }
        if self.roles_by_name(piece.node).contains(&heading.role) {
            score += 0.3;
        }
        // Other labels around it.
        let end = self.pieces(last).last().map_or(piece.line, |piece| piece.line);
        let lines = heading.line.saturating_sub(AROUND)..end + AROUND;
        let mut roles: Vec<u32> = Vec::new();
        for candidate in known {
            let mark = &self.layouts.marks[candidate.mark as usize];
            if candidate.mark as usize != number
                && lines.contains(&mark.line)
                && candidate.role != heading.role
                && !roles.contains(&candidate.role)
            {
                roles.push(candidate.role);
            }
        }
        score + 0.1 * roles.len().min(5) as f32
    }
}
