//! Lists without list elements: elements that are alike, one beside the other, or lines.

use std::ops::Range;

use windrow_dom::{Document, NodeId, names};

use super::{Finder, Heading, ITEM_LINES, MOST_ITEMS, MOST_LISTS, SHORT_ITEM, TITLE, TITLE_LINES};

/// Number of levels up that like elements are looked for.
const DEEP: usize = 16;
/// Parts of one item that stand side by side, beside its first, and items that show that they do.
const MOST_PARTS: usize = 3;
const LEAST_JOINED: usize = 3;

/// An element of a run, and what stands between it and the next that is built alike.
struct Unit {
    /// Its text; none if it is empty.
    own: Option<Range<usize>>,
    /// The texts behind it, and whether they are headings.
    others: Vec<(Range<usize>, bool)>,
}

/// Returns the items of a list that has their parts side by side, amount, name, amount, name: each unit from its first text
/// to its last. None if the units do not have the same number of short parts.
fn joined(units: &[Unit]) -> Option<Vec<Range<usize>>> {
    let count = units.first()?.others.len();
    let [inner @ .., last] = units else { return None };
    if units.len() < LEAST_JOINED
        || !(1..=MOST_PARTS).contains(&count)
        || inner.iter().any(|unit| unit.others.len() != count)
        || last.others.len() < count
    {
        return None;
    }
    let item = |unit: &Unit| {
        let parts = &unit.others[..count];
        let (start, end) = (unit.own.as_ref().unwrap_or(&parts[0].0).start, parts[count - 1].0.end);
        let short = end - start <= TITLE && !parts.iter().any(|(_, is_heading)| *is_heading);
        short.then_some(start..end)
    };
    units.iter().map(item).collect()
}

/// Returns whether two elements have the same name and class; numbers in the class are counts: `part-1`, `part-2`.
pub(super) fn is_built_alike(document: &Document, one: NodeId, two: NodeId) -> bool {
    let class = |id: NodeId| document.attr_by_id(id, names::CLASS).unwrap_or_default();
    document.name_id(one) == document.name_id(two) && is_counted_alike(class(one), class(two))
}

/// Returns whether two class names are the same but for numbers.
pub(super) fn is_counted_alike(one: &str, two: &str) -> bool {
    let letters = |class: &'_ str| class.bytes().filter(|byte| !byte.is_ascii_digit()).collect::<Vec<u8>>();
    one == two || one.len().abs_diff(two.len()) <= 4 && letters(one) == letters(two)
}

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
        let mut best_first = None;
        for &id in &path {
            let items = self.alike_from(heading, id);
            // What has many lines holds the items.
            if items.len() >= 2 && (best.len() < 2 || items.len() > best.len() && self.lines_of(&best) > SHORT_ITEM) {
                best = items;
                best_first = Some(id);
            }
        }
        if let Some(first) = best_first {
            self.add_parts(heading, first, &mut best);
        }
        best
    }

    /// Adds the elements of further parts of a list, each below a title of its own: `For the dough`, `For the filling`.
    fn add_parts(&self, heading: &Heading, first: NodeId, items: &mut Vec<Range<usize>>) {
        let sheet = self.layouts.sheet;
        let document = sheet.document;
        // Elements without a name are everywhere.
        let class = document.attr_by_id(first, names::CLASS).unwrap_or_default();
        let Some(mut part) = document.parent(first).filter(|_| !class.is_empty()) else { return };
        for _ in 0..MOST_LISTS {
            let end = document.subtree_end(part);
            let mut at = sheet.pieces.partition_point(|piece| piece.node < end);
            let mut next = None;
            for _ in 0..TITLE_LINES {
                let Some(piece) = sheet.pieces.get(at) else { break };
                let line = sheet.line_pieces(piece.line);
                let level = self.heading_around(piece.node).map(|(_, level)| level);
                let larger = heading.level.is_some_and(|own| level.is_some_and(|level| level <= own));
                if self.is_other(heading, piece.line) || larger {
                    break;
                }
                let holds = |id: &NodeId| *id <= first && first < document.subtree_end(*id);
                let mut around = document.ancestors(piece.node).take(DEEP).take_while(|id| !holds(id));
                next = around.find(|&id| is_built_alike(document, first, id));
                if next.is_some() || sheet.text_of(line.clone()).len() > TITLE {
                    break;
                }
                at = line.end;
            }
            let Some((id, parent)) = next.and_then(|id| Some((id, document.parent(id)?))) else { break };
            let more = self.alike_from(heading, id);
            if more.is_empty() || document.subtree_end(parent) <= end || items.len() + more.len() > MOST_ITEMS {
                break;
            }
            items.extend(more);
            part = parent;
        }
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
        let first = id;
        let mut units: Vec<Unit> = Vec::new();
        for id in std::iter::successors(Some(id), |&id| document.next_sibling(id)).take(4 * MOST_ITEMS) {
            let is_own = is_built_alike(document, first, id);
            let Some(text) = self.text_below(id) else {
                // An item whose first part is empty.
                if is_own {
                    units.push(Unit { own: None, others: Vec::new() });
                }
                continue;
            };
            let pieces = sheet.pieces_below(id);
            let line = sheet.pieces[pieces.start].line;
            let level = self.level(id);
            if self.is_other(heading, line) || level.is_some_and(|level| heading.level.is_none_or(|own| level <= own)) {
                break;
            }
            if is_own {
                let lines = sheet.pieces[pieces.end - 1].line - line;
                if lines as usize >= ITEM_LINES {
                    break;
                }
                units.push(Unit { own: Some(text), others: Vec::new() });
            } else if !document.is_element(id) {
                break;
            } else if let Some(unit) = units.last_mut() {
                unit.others.push((text, level.is_some()));
            }
        }
        joined(&units).unwrap_or_else(|| units.into_iter().filter_map(|unit| unit.own).collect())
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
