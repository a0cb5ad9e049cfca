//! Lists without list elements: elements that are alike, one beside the other, or lines.

use std::ops::Range;

use windrow_dom::{NodeId, names};

use super::{Finder, Heading, ITEM_LINES, MOST_ITEMS, SHORT_ITEM, TITLE_LINES};

/// Number of levels up that like elements are looked for.
const DEEP: usize = 16;

impl Finder<'_, '_, '_> {
    /// Elements that are alike from a text on.
    pub(super) fn run(&self, heading: &Heading, first: usize) -> Vec<Range<usize>> {
        let sheet = self.layouts.sheet;
        let document = sheet.document;
        let Some(piece) = sheet.pieces.get(first) else { return Vec::new() };
        // From the largest thing that follows the heading down to the text.
        let holds = |id: NodeId| id <= heading.node && heading.node < document.subtree_end(id);
        let mut path: Vec<NodeId> = document.ancestors(piece.node).take_while(|&id| !holds(id)).take(DEEP).collect();
        path.reverse();
        let mut best: Vec<Range<usize>> = Vec::new();
        for &id in &path {
            let items = self.alike_from(heading, id);
            // What has many lines holds the items.
            if items.len() >= 2 && (best.len() < 2 || items.len() > best.len() && self.lines_of(&best) > SHORT_ITEM) {
                best = items;
            }
        }
        best
    }

    /// Lines of one block, or behind the heading in its own.
    pub(super) fn lines(&self, heading: &Heading, first: usize) -> Vec<Range<usize>> {
        let items = self.run(heading, first);
        if items.len() >= 2 {
            return items;
        }
        let sheet = self.layouts.sheet;
        let document = sheet.document;
        let Some(piece) = sheet.pieces.get(first) else { return Vec::new() };
        let holds = |id: NodeId| id <= heading.node && heading.node < document.subtree_end(id);
        let block = document.ancestors(piece.node).take_while(|&id| !holds(id)).last();
        let end = match block {
            Some(block) => document.subtree_end(block),
            None => document.parent(piece.node).map_or(heading.end, |id| document.subtree_end(id)),
        };
        let mut lines = Vec::new();
        let mut at = first;
        while let Some(piece) = sheet.pieces.get(at).filter(|piece| piece.node < end && lines.len() < MOST_ITEMS) {
            let line = sheet.line_pieces(piece.line);
            if self.is_other(heading, piece.line) || self.heading_around(piece.node).is_some() {
                break;
            }
            lines.push(sheet.pieces[line.start].start as usize..sheet.pieces[line.end - 1].end as usize);
            at = line.end;
        }
        lines
    }

    /// Lines of the first of these items.
    pub(super) fn lines_of(&self, items: &[Range<usize>]) -> usize {
        let pieces = items.first().map(|item| self.pieces(item)).unwrap_or_default();
        match pieces {
            [first, .., last] => (last.line - first.line) as usize + 1,
            _ => 1,
        }
    }

    /// An element and those behind it that are alike: of the same name and class, up to the next part.
    pub(super) fn alike_from(&self, heading: &Heading, id: NodeId) -> Vec<Range<usize>> {
        let sheet = self.layouts.sheet;
        let document = sheet.document;
        let look = |id: NodeId| (document.name_id(id), document.attr_by_id(id, names::CLASS).unwrap_or_default());
        let own = look(id);
        let mut items = Vec::new();
        for id in std::iter::successors(Some(id), |&id| document.next_sibling(id)).take(2 * MOST_ITEMS) {
            let Some(text) = self.text_below(id) else { continue };
            let pieces = sheet.pieces_below(id);
            let line = sheet.pieces[pieces.start].line;
            let level = self.level(id);
            if self.is_other(heading, line) || level.is_some_and(|level| heading.level.is_none_or(|own| level <= own)) {
                break;
            }
            if look(id) == own {
                let lines = sheet.pieces[pieces.end - 1].line - line;
                if lines as usize >= ITEM_LINES {
                    break;
                }
                items.push(text);
            } else if !document.is_element(id) {
                break;
            }
        }
        items
    }

    /// The elements from this one on that have its class, one beside the other; none if one in front has it, too.
    pub(super) fn alike(&self, id: NodeId) -> Option<Vec<Range<usize>>> {
        let document = self.layouts.sheet.document;
        let look = |id: NodeId| (document.name_id(id), document.attr_by_id(id, names::CLASS));
        let own = look(id);
        let before = std::iter::successors(document.prev_sibling(id), |&id| document.prev_sibling(id));
        if before.take(TITLE_LINES).any(|id| look(id) == own) {
            return None;
        }
        let behind = std::iter::successors(Some(id), |&id| document.next_sibling(id)).take(2 * MOST_ITEMS);
        Some(behind.filter(|&id| look(id) == own).filter_map(|id| self.text_below(id)).collect())
    }
}
