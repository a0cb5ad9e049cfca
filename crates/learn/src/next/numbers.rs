//! Rows of page numbers: which page this is, and which link leads to the one after it.
//!
//! Numbers that stand together (in the lowest element that has two of them) are a row. The page's own number is the one
//! that is marked, or the one that is no link, or the one whose link leads here. A row in which nothing is the page's own
//! leads to other lists: forums show such rows beside every thread.

use std::collections::BTreeMap;

use hashbrown::HashMap;
use windrow_dom::{Document, NodeId};

use super::links::Link;
use super::step::Step;
use super::words::{self, Says, parts};

/// How far above a number its row may be.
const LEVELS: usize = 4;
/// Numbers that a row may have; longer ones are calendars or tables.
const LONGEST: usize = 200;

/// A row of page numbers.
#[derive(Debug)]
pub(super) struct Row {
    /// Numbers with the links to their pages, as they stand.
    pub(super) pages: Vec<(u32, usize)>,
    /// The link to the page after this one.
    pub(super) next: Option<usize>,
    /// Whether the row says which page this is.
    pub(super) is_own: bool,
    /// Whether only the addresses say so.
    pub(super) is_guess: bool,
}

#[derive(Debug, Clone, Copy)]
struct Number {
    node: NodeId,
    number: u32,
    /// Its link, if it is one that leads to another page.
    link: Option<usize>,
    is_anchor: bool,
    is_marked: bool,
}

/// The rows of page numbers, in the page's order.
pub(super) fn rows(document: &Document, links: &[Link]) -> Vec<Row> {
    let numbers = numbers(document, links);
    let mut counts: HashMap<NodeId, u32> = HashMap::new();
    for number in &numbers {
        for ancestor in document.ancestors(number.node).take(LEVELS) {
            *counts.entry(ancestor).or_default() += 1;
        }
    }
    let mut groups: BTreeMap<NodeId, Vec<Number>> = BTreeMap::new();
    for number in numbers {
        let row = document
            .ancestors(number.node)
            .take(LEVELS)
            .find(|ancestor| counts.get(ancestor).is_some_and(|count| *count > 1));
        if let Some(row) = row {
            groups.entry(row).or_default().push(number);
        }
    }
    groups.into_values().filter_map(|numbers| row(&numbers, links)).collect()
}

/// All numbers that stand alone, linked or not.
fn numbers(document: &Document, links: &[Link]) -> Vec<Number> {
    let by_node: HashMap<NodeId, usize> = links.iter().enumerate().map(|(index, link)| (link.node, index)).collect();
    let mut numbers = Vec::new();
    let mut after = document.root();
    for node in document.nodes() {
        if node < after {
            continue;
        }
        let is_anchor = document.name(node) == Some("a");
        let text = match is_anchor {
            // The whole link is one number, or none.
            true => super::place::label(document, node),
            false if document.is_text(node) && document.text(node).len() < 32 => document.text(node).to_owned(),
            false => continue,
        };
        if is_anchor {
            after = document.subtree_end(node);
        }
        if let Says::Number(number) = words::read(&text) {
            let link = by_node.get(&node).copied();
            numbers.push(Number { node, number, link, is_anchor, is_marked: is_marked(document, node) });
        }
    }
    numbers
}

/// Whether a number is marked as the page's own, on itself or on one of the two elements around it.
fn is_marked(document: &Document, node: NodeId) -> bool {
    std::iter::once(node).chain(document.ancestors(node).take(2)).any(|element| {
        if document.attr(element, "aria-current").is_some_and(|value| value != "false") {
            return true;
        }
        // The element around several numbers is not the mark of one.
        let is_around = element != node
            && document.children(element).take(8).filter(|child| document.name(*child) == Some("a")).count() > 1;
        let classes = document.attr(element, "class").unwrap_or_default();
        !is_around
            && classes.split_ascii_whitespace().take(12).flat_map(parts).any(|part| {
                matches!(
                    part.as_str(),
                    "current" | "active" | "selected" | "cur" | "thispage" | "currentpage" | "sel" | "on" | "here"
                )
            })
    })
}

fn row(numbers: &[Number], links: &[Link]) -> Option<Row> {
    if numbers.len() > LONGEST || is_calendar(numbers) {
        return None;
    }
    let pages: Vec<(u32, usize)> = numbers.iter().filter_map(|number| Some((number.number, number.link?))).collect();
    let link_of = |wanted: u32| pages.iter().find(|(number, _)| *number == wanted).map(|(_, link)| *link);
    let own = own(numbers, link_of);
    // Nothing marks a number, but the addresses count.
    let guess = || {
        let on = |link: usize| matches!(links[link].step, Step::On { by: None | Some(1) });
        let first = pages.iter().find(|(_, link)| on(*link))?;
        // If this is the first page, no other may be.
        let is_second = first.0 == 2 && link_of(1).is_none();
        let follows = matches!(links[first.1].step, Step::On { by: Some(1) });
        (is_second || follows).then_some(first.1)
    };
    let (next, is_guess) = match own {
        Some(own) => (own.checked_add(1).and_then(link_of), false),
        None => (guess(), true),
    };
    (!pages.is_empty()).then_some(Row { pages, next, is_own: own.is_some() || next.is_some(), is_guess })
}

/// The page's own number.
fn own(numbers: &[Number], link_of: impl Fn(u32) -> Option<usize>) -> Option<u32> {
    let has_neighbour = |number: &&Number| {
        let before = number.number.checked_sub(1).and_then(&link_of);
        let after = number.number.checked_add(1).and_then(&link_of);
        before.or(after).is_some()
    };
    let marked: Vec<&Number> = numbers.iter().filter(|number| number.is_marked).filter(has_neighbour).collect();
    if let [first, rest @ ..] = marked.as_slice()
        && rest.iter().all(|number| number.number == first.number)
    {
        return Some(first.number);
    }
    // A link that is not among the links leads to this very page, or nowhere.
    let is_unlinked = |number: &&Number| number.link.is_none() && link_of(number.number).is_none();
    let unlinked: Vec<&Number> = numbers.iter().filter(is_unlinked).filter(has_neighbour).collect();
    let plain = unlinked.iter().find(|number| !number.is_anchor);
    plain.or(unlinked.first()).map(|number| number.number)
}

/// Whether these are the days of a month.
fn is_calendar(numbers: &[Number]) -> bool {
    let days = numbers.iter().filter(|number| (1..=31).contains(&number.number)).count();
    days >= 25 && days == numbers.len()
}
