//! Items without what is none: buttons, titles of parts, advertisements, the numbers of steps.

use std::ops::Range;

use windrow_dom::{NodeId, names};

use super::super::judge::is_linked;
use super::{Finder, MOST_ITEMS, SHORT_ITEM, TITLE};

/// Bytes of the title of a list in an item.
const INNER_TITLE: usize = 40;

impl Finder<'_, '_, '_> {
    /// The items in items that are parts of several lines, each below a title.
    pub(super) fn parts(&self, items: Vec<Range<usize>>) -> Vec<Range<usize>> {
        let sheet = self.layouts.sheet;
        let lines = |item: &Range<usize>| match self.pieces(item) {
            [first, .., last] => (last.line - first.line) as usize + 1,
            _ => 1,
        };
        let titled = |item: &Range<usize>| {
            // The number of a step may stand in front of its title.
            let mut pieces = self.pieces(item).iter().skip_while(|piece| is_number(sheet.text[piece.range()].trim()));
            pieces.next().is_some_and(|piece| {
                let title = self.heading_around(piece.node).is_some() || self.layouts.is_bold(piece.node);
                title && pieces.next().is_some_and(|next| next.line > piece.line)
            })
        };
        let parts = items.iter().filter(|item| lines(item) > SHORT_ITEM && titled(item)).count();
        if items.is_empty() || 2 * parts <= items.len() {
            return items;
        }
        let mut all = Vec::new();
        for item in &items {
            for lines in self.pieces(item).chunk_by(|one, two| one.line == two.line) {
                let line = sheet.line_pieces(lines[0].line);
                all.push(sheet.pieces[line.start].start as usize..sheet.pieces[line.end - 1].end as usize);
            }
        }
        all.truncate(MOST_ITEMS);
        all
    }

    /// Puts the items of a list in an item in its place, if it has no more but a title: `Garnish`.
    fn unfolded(&self, items: Vec<Range<usize>>) -> Vec<Range<usize>> {
        let document = self.layouts.sheet.document;
        let mut all: Vec<Range<usize>> = Vec::with_capacity(items.len());
        for item in items {
            let pieces = self.pieces(&item);
            let around = |node: NodeId| document.ancestors(node).find(|&id| document.name_id(id) == Some(names::LI));
            let own = pieces.first().and_then(|piece| around(piece.node));
            let inner = own.and_then(|own| {
                let is_inner = |&(_, id): &(usize, NodeId)| id > own && id < document.subtree_end(own);
                let inner = pieces.iter().enumerate().filter_map(|(at, piece)| Some((at, around(piece.node)?)));
                inner.into_iter().find(is_inner)
            });
            let title = inner.map_or(0, |(at, _)| pieces[at].start as usize - item.start);
            match inner {
                Some((_, first)) if (1..=INNER_TITLE).contains(&title) => all.extend(self.items_of(first)),
                _ => all.push(item),
            }
        }
        all.truncate(MOST_ITEMS);
        all
    }

    /// Items without what is none: buttons, titles of parts, the numbers of steps.
    pub(super) fn clean(&self, items: Vec<Range<usize>>) -> Vec<Range<usize>> {
        let sheet = self.layouts.sheet;
        let text = |item: &Range<usize>| sheet.text.get(item.clone()).unwrap_or_default();
        let items = self.parts(self.unfolded(items));
        let mut items: Vec<Range<usize>> = items.into_iter().map(|item| self.trimmed(item)).collect();
        items.retain(|item| {
            let said = text(item);
            let title = || {
                let pieces = self.pieces(item);
                let all = |is: &dyn Fn(NodeId) -> bool| pieces.iter().all(|piece| is(piece.node));
                said.len() <= TITLE && (all(&|id| self.heading_around(id).is_some()) || said.ends_with([':', '：']))
                    || all(&|id| self.is_control(id))
            };
            said.contains(char::is_alphanumeric) && !title() && !is_advertisement(said)
        });
        // A link that ends every item is something to do with it: `add to list`.
        if items.len() >= 3 {
            let last = |item: &Range<usize>| self.pieces(item).last().copied();
            let first = items.first().and_then(last);
            let word = first.map_or("", |piece| &sheet.text[piece.range()]);
            let same = |item: &Range<usize>| {
                last(item).is_some_and(|piece| {
                    sheet.text[piece.range()] == *word
                        && piece.start as usize > item.start
                        && is_linked(sheet.document, piece.node)
                })
            };
            if !word.is_empty() && items.iter().all(same) {
                items = items
                    .into_iter()
                    .map(|item| last(&item).map_or(item.clone(), |piece| item.start..piece.start as usize))
                    .collect();
            }
        }
        // `Step 1` by itself is the title of a step.
        let numbered = items.iter().filter(|item| is_number(text(item))).count();
        if numbered >= 2 && numbered < items.len() {
            items.retain(|item| !is_number(text(item)));
        }
        let steps: Vec<Option<usize>> = items.iter().enumerate().map(|(at, item)| step(text(item), at + 1)).collect();
        let said = steps.iter().filter(|step| step.is_some()).count();
        if items.len() >= 2 && 2 * said > items.len() {
            for (item, step) in items.iter_mut().zip(steps) {
                item.start += step.unwrap_or(0);
            }
        }
        items
    }

    /// An item without signs around it, and without what is pressed at its ends.
    pub(super) fn trimmed(&self, item: Range<usize>) -> Range<usize> {
        let sheet = self.layouts.sheet;
        let pieces = self.layouts.pieces_of(item.start, item.end);
        let own = |piece: &usize| {
            let piece = &sheet.pieces[*piece];
            !self.is_control(piece.node) && sheet.text[piece.range()].contains(char::is_alphanumeric)
        };
        let (Some(first), Some(last)) = (pieces.clone().find(own), pieces.clone().rev().find(own)) else { return item };
        // A sign in front that is all of its text is a box to tick; one behind may close a bracket.
        let start = sheet.pieces[first].start as usize;
        let before = sheet.pieces[pieces.start..first].iter().rev().take_while(|piece| {
            let text = &sheet.text[piece.range()];
            text.ends_with(['(', '[', '~', '"', '“', '«', '+', '-', '–']) && piece.line == sheet.pieces[first].line
        });
        let start = before.last().map_or(start, |piece| piece.start as usize);
        let behind = pieces.end - 1;
        let end =
            match pieces.clone().skip(last - pieces.start + 1).any(|piece| self.is_control(sheet.pieces[piece].node)) {
                true => sheet.pieces[last].end as usize,
                false => sheet.pieces[behind].end as usize,
            };
        start.max(item.start)..end.min(item.end).max(start)
    }
}

/// Returns whether a text is a number, or a word and a number: `2.`, `Step 2`.
pub(super) fn is_number(text: &str) -> bool {
    let text = text.trim_end_matches(['.', ':', ')', ' ']);
    let digits = text.trim_end_matches(|c: char| c.is_ascii_digit());
    let number = text.len() - digits.len();
    (1..=2).contains(&number) && digits.trim().chars().all(char::is_alphabetic)
}

/// Returns whether a text says no more than that something else is an advertisement.
fn is_advertisement(text: &str) -> bool {
    const WORDS: [&str; 14] = [
        "advertisement",
        "ad",
        "sponsored",
        "anzeige",
        "werbung",
        "publicité",
        "pubblicità",
        "publicidad",
        "publicidade",
        "reklama",
        "annonce",
        "mainos",
        "reclame",
        "реклама",
    ];
    let text = text.trim_matches(|c: char| !c.is_alphanumeric()).to_lowercase();
    WORDS.contains(&text.as_str())
}

/// The bytes of a step's number at the beginning of its text, if it is this one: `1. `, `Step 1: `, or a line of its own.
fn step(text: &str, number: usize) -> Option<usize> {
    let head = text.find(|c: char| c.is_ascii_digit()).filter(|&at| at <= 16)?;
    if !text[..head].trim_end().chars().all(char::is_alphabetic) {
        return None;
    }
    let behind = text[head..].trim_start_matches(|c: char| c.is_ascii_digit());
    let end = text.len() - behind.len();
    if text[head..end].parse() != Ok(number) {
        return None;
    }
    let signs =
        behind.len() - behind.trim_start_matches([' ', '\n', '.', ')', ':', '-', '–', '/', ']', '、', '．']).len();
    let sure = head > 0 || behind[..signs].contains(['\n', '.', ')', ':', '-', '–', '/', ']', '、', '．']);
    let rest = &behind[signs..];
    (sure && signs > 0 && rest.starts_with(|c: char| c.is_alphabetic())).then_some(end + signs)
}
