//! Entry pages: the page of one item each.
//!
//! The title is where the item's title stands; if it stands at several places, or is another on the page, those that
//! stand alike on most entry pages say which it is.

use std::hash::{BuildHasher, Hasher};

use foldhash::fast::FixedState;
use hashbrown::HashMap;
use windrow_dom::{Document, NodeId, names};

use super::How;
use super::index::Entry;
use super::matcher::Wanted;
use super::sheet::Sheet;
use super::words;
use crate::page_view::is_heading;
use crate::scope::{Record, Scope};

/// How much of its words a heading must have in common with a title to be it.
const SIMILAR: f32 = 0.6;
/// How much a heading is worth that says the title in other words.
const OTHER: f32 = 0.6;
/// How much a place is worth that no other text of its page shares, as much as a heading of its rank.
const SINGLE: f32 = 1.0;
/// Words between a heading and the body that it is the title of.
const NEAR: usize = 40;

/// The item that a page is of, if it is one's.
pub(super) fn item_of(sheet: &Sheet<'_>, wanted: &[Wanted]) -> Option<usize> {
    let own = [sheet.page.url(), sheet.page.base()].into_iter().flatten().map(super::sheet::address);
    let own: Vec<String> = own.collect();
    wanted.iter().position(|wanted| wanted.addresses.iter().any(|address| own.contains(address)))
}

/// The entries of entry pages, each with the item that its page is of.
pub(super) fn entries(pages: &[(&Sheet<'_>, usize)], wanted: &[Wanted]) -> Vec<Option<Entry>> {
    let starts: Vec<Vec<usize>> = pages.iter().map(|(sheet, item)| wanted[*item].starts(sheet)).collect();
    let untitled = wanted.iter().all(|wanted| wanted.title.is_empty());
    let titles: Vec<Vec<(NodeId, How)>> = pages
        .iter()
        .zip(&starts)
        .map(|((sheet, item), starts)| titles(sheet, &wanted[*item], starts, untitled))
        .collect();
    let mut sums: HashMap<u64, f32, FixedState> = HashMap::default();
    for ((sheet, _), (titles, starts)) in pages.iter().zip(titles.iter().zip(&starts)) {
        let mut alike: HashMap<u64, usize, FixedState> = HashMap::default();
        for short in sheet.shorts.iter().filter(|_| !titles.is_empty()) {
            *alike.entry(trail(sheet.document, short.node)).or_insert(0) += 1;
        }
        // One page speaks once for each kind of place, however many headings there are that have much of its title.
        let mut best: HashMap<u64, f32, FixedState> = HashMap::default();
        for &(node, how) in titles {
            let share = if how == How::Other { OTHER } else { 1.0 };
            let key = trail(sheet.document, node);
            // A page has one title, and a list of entries has many.
            let single = if alike.get(&key).is_some_and(|count| *count > 1) { 0.0 } else { SINGLE };
            let worth = share * (worth(sheet, node, starts) + single);
            let known = best.entry(key).or_insert(worth);
            *known = known.max(worth);
        }
        best.into_iter().for_each(|(key, worth)| *sums.entry(key).or_insert(0.0) += worth);
    }
    let entry = |at: usize| {
        let (sheet, item) = pages[at];
        let document = sheet.document;
        let body = document.find_html(names::BODY)?;
        let order = |node: NodeId| sums.get(&trail(document, node)).copied().unwrap_or(0.0);
        let best =
            titles[at].iter().copied().reduce(|best, other| if order(other.0) > order(best.0) { other } else { best });
        let (head, titled) = match best {
            Some((node, how)) => (node, Some(how)),
            None => {
                // What stands where most have their titles.
                let usual = sums.iter().max_by(|one, two| {
                    (one.1, one.0).partial_cmp(&(two.1, two.0)).unwrap_or(std::cmp::Ordering::Equal)
                });
                let usual = usual.map(|usual| *usual.0);
                let node =
                    sheet.shorts.iter().map(|short| short.node).find(|&node| Some(trail(document, node)) == usual);
                match node {
                    Some(node) => (node, Some(How::Other)),
                    // It has none.
                    None => (document.find_html(names::HEAD)?, None),
                }
            }
        };
        let title = sheet.words_at(head);
        let behind = |start: &&usize| **start >= title.end;
        let start = starts[at].iter().find(behind).or(starts[at].first()).copied();
        let scope = Scope { record: Record { first: body, end: document.subtree_end(body) }, run: false };
        Some(Entry { item: Some(item), scope, head, titled, start })
    };
    (0..pages.len()).map(entry).collect()
}

/// Where the title of a page may be: where the feed's title stands, headings that have much of it, and, if the feed has
/// no titles at all, the headings in front of the body.
fn titles(sheet: &Sheet<'_>, wanted: &Wanted, starts: &[usize], untitled: bool) -> Vec<(NodeId, How)> {
    let mut found = wanted.titles(sheet);
    let document = sheet.document;
    for short in &sheet.shorts {
        let heading = std::iter::once(short.node)
            .chain(document.ancestors(short.node))
            .take(3)
            .any(|id| is_heading(document, id));
        if !heading || found.iter().any(|found| found.0 == short.node) {
            continue;
        }
        let own = sheet.words[short.words.clone()].iter().map(|word| word.hash).collect();
        let similar = match wanted.title.is_empty() {
            true => untitled && starts.iter().any(|&start| short.words.end <= start && start < short.words.end + NEAR),
            false => words::similarity(own, &wanted.title) >= SIMILAR,
        };
        if similar {
            found.push((short.node, How::Other));
        }
    }
    found
}

/// How much speaks for a place being the title of its page.
fn worth(sheet: &Sheet<'_>, node: NodeId, starts: &[usize]) -> f32 {
    let document = sheet.document;
    let lineage = || std::iter::once(node).chain(document.ancestors(node));
    let heading = lineage().take(4).find_map(|id| match document.name(id) {
        Some("h1") => Some(2.0),
        Some("h2" | "h3") => Some(1.5),
        Some("h4" | "h5" | "h6") => Some(1.0),
        _ => None,
    });
    let mut worth = 1.0 + heading.unwrap_or(0.0);
    let end = sheet.words_at(node).end;
    if starts.iter().any(|&start| start >= end) {
        worth += 1.0;
    }
    // The nearer to the body the better.
    if let Some(distance) = starts.iter().filter(|start| **start >= end).map(|start| start - end).min() {
        worth += 1.5 / (1.0 + distance as f32 / 15.0);
    }
    let aside = |id: NodeId| matches!(document.name_id(id), Some(names::NAV | names::ASIDE | names::FOOTER));
    if lineage().take(24).any(aside) {
        worth -= 1.0;
    }
    // A list of entries has the title, too.
    if heading.is_none() && lineage().take(4).any(|id| document.name_id(id) == Some(names::LI)) {
        worth -= 0.9;
    }
    worth
}

/// The tags and names on the way to a node, the same on all pages of a template.
pub(super) fn trail(document: &Document, node: NodeId) -> u64 {
    let mut hash = FixedState::default().build_hasher();
    for id in std::iter::once(node).chain(document.ancestors(node)) {
        hash.write(document.name(id).unwrap_or_default().as_bytes());
        let class = document.attr_by_id(id, names::CLASS).unwrap_or_default();
        let word = class.split_ascii_whitespace().find(|word| !word.contains(|c: char| c.is_ascii_digit()));
        hash.write(word.unwrap_or_default().as_bytes());
        hash.write_u8(b'/');
        if document.name_id(id) == Some(names::BODY) {
            break;
        }
    }
    hash.finish()
}
