//! The list below a heading: the items of `ul`, `ol` or a table, and those of further lists that are built alike.

use std::ops::Range;

use windrow_dom::{NameId, NodeId, names};

use super::super::judge::link_around;
use super::super::lexicon::Stand;
use super::super::names::is_of_others;
use super::super::sheet::Piece;
use super::super::unknown::NONE;
use super::alike::is_counted_alike;
use super::clean::is_number;
use super::{Finder, Found, Heading, ITEM_LINES, MOST_ITEMS, MOST_LISTS, TITLE, TITLE_LINES};
use crate::example::meet;

/// Lines between a heading and its list.
const GAP: usize = 16;
/// Letters of prose between a heading and its list: behind more, the prose is what the heading is about.
const PROSE: usize = 240;
/// Number of levels up that steps are looked for around a list.
const STEP_LEVELS: usize = 8;
/// Bytes of the number of a step, or a sign in its place.
const NUMBER: u32 = 3;
/// Smaller headings between a heading and its list: `Metric`, `Imperial`, `For the dough`.
const MOST_TITLES: usize = 3;
/// Elements that are alike, of which it takes so many to be a list.
const LEAST_ALIKE: usize = 3;

/// The name of an item, and the name and class of its list.
type Build<'d> = (Option<NameId>, Option<NameId>, Option<&'d str>);

impl Finder<'_, '_, '_> {
    /// The list below a heading.
    pub(super) fn below(&self, heading: &Heading) -> Option<Found> {
        let sheet = self.layouts.sheet;
        let document = sheet.document;
        // What stands beside a label in a row is its value, in the order of cells.
        let cell = sheet.cell(heading.node).filter(|&cell| {
            document.parent(cell).is_some_and(|row| sheet.cells(row).len() > 1)
                && sheet.pieces_below(cell).len() <= sheet.line_pieces(heading.line).len()
        });
        let term = document.ancestors(heading.node).take(4).find(|&id| document.name_id(id) == Some(names::DT));
        let pair = cell.and_then(|cell| document.parent(cell)).or(term);
        let within = pair.map(|id| match term {
            Some(_) => document.parent(id).map_or(document.subtree_end(id), |list| document.subtree_end(list)),
            None => document.subtree_end(id),
        });
        let mut at = sheet.pieces.partition_point(|piece| piece.node < heading.end);
        let (mut prose, mut titles) = (0, 0);
        let mut starts: Vec<usize> = Vec::new();
        let (mut single, mut beside) = (None, None);
        for gap in 0..GAP {
            let Some(piece) = sheet.pieces.get(at).filter(|piece| within.is_none_or(|end| piece.node < end)) else {
                break;
            };
            let line = sheet.line_pieces(piece.line);
            if self.is_other(heading, piece.line) {
                break;
            }
            if single.is_some() && self.heading_around(piece.node).is_some() {
                break;
            }
            if let Some((title, level)) = self.heading_around(piece.node) {
                // Another part, unless it is the list's own title, or the number of a step.
                let number = self.text_below(title).and_then(|text| sheet.text.get(text)).is_some_and(is_number);
                let larger = heading.level.is_none_or(|own| level <= own);
                if !number && (titles > if larger { 1 } else { MOST_TITLES } || prose > 0 && larger) {
                    break;
                }
                titles += usize::from(!number);
                at = sheet.pieces_below(title).end.max(line.end);
                continue;
            }
            if let Some(item) = self.item_around(piece.node, heading) {
                if let Some(items) = self.steps_around(heading, item).filter(|_| single.is_none()) {
                    return Some(Found { items, marked: false, gap });
                }
                // Of lists side by side the second may be meant; one elsewhere is another's.
                let place = document.parent(item).and_then(|list| document.parent(list));
                if single.is_some() && place != beside {
                    break;
                }
                if let Some(items) = self.lists(heading, item).filter(|items| !self.is_pairs(heading, items)) {
                    // One item in front of a list is no list: a number of servings, or a button.
                    let found = Found { items, marked: true, gap };
                    if found.items.len() > 1 {
                        return Some(found);
                    }
                    single = single.or(Some(found));
                    beside = place;
                }
                at = document.parent(item).map_or(line.end, |list| sheet.pieces_below(list).end).max(line.end);
                continue;
            }
            // What stands between two lists says what the second is of.
            if single.is_some() {
                break;
            }
            let text = sheet.text_of(line.clone());
            let letters = text.chars().filter(|c| c.is_alphanumeric()).count();
            if letters > 0 && !self.is_control(piece.node) {
                starts.push(at);
                prose += letters;
                if prose > PROSE {
                    break;
                }
            }
            at = line.end;
        }
        if pair.is_some() || single.is_some() {
            return single;
        }
        // The number of a step is not the step.
        starts.retain(|&start| !is_number(sheet.text_of(sheet.line_pieces(sheet.pieces[start].line)).trim()));
        for (gap, &start) in starts.iter().enumerate() {
            let items = self.clean(self.run(heading, start));
            if items.len() >= LEAST_ALIKE && !self.is_pairs(heading, &items) {
                return Some(Found { items, marked: false, gap });
            }
        }
        let items = self.clean(self.lines(heading, *starts.first()?));
        (!items.is_empty() && !self.is_pairs(heading, &items)).then_some(Found { items, marked: false, gap: 0 })
    }

    /// Returns the prose of like blocks around a list, if each is more prose than list: steps that repeat what they need.
    fn steps_around(&self, heading: &Heading, item: NodeId) -> Option<Vec<Range<usize>>> {
        let sheet = self.layouts.sheet;
        let document = sheet.document;
        let list = document.parent(item)?;
        let holds = |id: &NodeId| *id <= heading.node && heading.node < document.subtree_end(*id);
        for block in document.ancestors(list).take_while(|id| !holds(id)).take(STEP_LEVELS) {
            let items = self.alike_from(heading, block);
            if items.len() < 2 {
                continue;
            }
            let steps: Vec<Range<usize>> = items.iter().filter_map(|item| self.prose(item)).collect();
            let letters = |items: &[Range<usize>]| -> usize { items.iter().map(Range::len).sum() };
            let long = letters(&steps) > TITLE * steps.len() && 2 * letters(&steps) > letters(&items);
            if long && steps.len() == items.len() {
                let steps = self.clean(steps);
                return (steps.len() >= 2).then_some(steps);
            }
        }
        None
    }

    /// Returns what an item has outside of lists, if that is one text.
    fn prose(&self, item: &Range<usize>) -> Option<Range<usize>> {
        let document = self.layouts.sheet.document;
        let pieces = self.pieces(item);
        let listed = |piece: &Piece| {
            document.ancestors(piece.node).take(STEP_LEVELS).any(|id| document.name_id(id) == Some(names::LI))
        };
        let from = pieces.iter().position(|piece| !listed(piece) && piece.end - piece.start > NUMBER)?;
        let rest = &pieces[from..];
        let count = rest.iter().position(listed).unwrap_or(rest.len());
        // What stands behind the list, too, is another text.
        let one = rest[count..].iter().all(|piece| listed(piece) || piece.end - piece.start <= NUMBER);
        one.then(|| rest[0].start as usize..rest[count - 1].end as usize)
    }

    /// The item of a list, or the row of a table, that a text is in.
    pub(super) fn item_around(&self, id: NodeId, heading: &Heading) -> Option<NodeId> {
        let sheet = self.layouts.sheet;
        let document = sheet.document;
        let item = document
            .ancestors(id)
            .take(12)
            .take_while(|&id| !(id <= heading.node && heading.node < document.subtree_end(id)))
            .find(|&id| matches!(document.name_id(id), Some(names::LI | names::TR)))?;
        let pieces = sheet.pieces_below(item);
        let lines = |pieces: &Range<usize>| match (sheet.pieces.get(pieces.start), sheet.pieces.get(pieces.end - 1)) {
            (Some(first), Some(last)) => (last.line - first.line) as usize,
            _ => 0,
        };
        (lines(&pieces) < ITEM_LINES).then_some(item)
    }

    /// The names that like lists share: the names of an item and its list, and the list's class.
    pub(super) fn build(&self, item: NodeId) -> Build<'_> {
        let document = self.layouts.sheet.document;
        let list = document.parent(item);
        let class = list.and_then(|list| document.attr_by_id(list, names::CLASS));
        (document.name_id(item), list.and_then(|list| document.name_id(list)), class)
    }

    /// Returns whether two lists are built alike.
    fn is_same_build(&self, one: Build<'_>, two: Build<'_>) -> bool {
        (one.0, one.1) == (two.0, two.1) && is_counted_alike(one.2.unwrap_or_default(), two.2.unwrap_or_default())
    }

    /// The items of the list from this one on, and of those below that are built alike.
    pub(super) fn lists(&self, heading: &Heading, first: NodeId) -> Option<Vec<Range<usize>>> {
        let sheet = self.layouts.sheet;
        let document = sheet.document;
        let mut items = self.items_of(first);
        if items.is_empty() || self.is_control_list(&items) {
            return None;
        }
        let build = self.build(first);
        let mut end = document.parent(first).map(|list| document.subtree_end(list))?;
        for _ in 0..MOST_LISTS {
            let mut at = sheet.pieces.partition_point(|piece| piece.node < end);
            let mut next = None;
            let mut titled = false;
            for _ in 0..TITLE_LINES {
                let Some(piece) = sheet.pieces.get(at) else { break };
                let line = sheet.line_pieces(piece.line);
                let text = sheet.text_of(line.clone());
                if self.is_other(heading, piece.line) {
                    break;
                }
                if let Some(item) = self.item_around(piece.node, heading)
                    && self.is_same_build(build, self.build(item))
                {
                    next = Some(item);
                    break;
                }
                let level = self.heading_around(piece.node).map(|(_, level)| level);
                let smaller = heading.level.is_none_or(|own| level.is_none_or(|level| level > own));
                // A heading as large begins another part, unless the lists have a name of their own.
                if text.len() > TITLE || !smaller && build.2.is_none_or(str::is_empty) {
                    break;
                }
                titled |= level.is_some() || text.trim_end().ends_with([':', '：']) || self.layouts.is_bold(piece.node);
                at = line.end;
            }
            let Some(item) = next else { break };
            let Some(list) = document.parent(item).filter(|&list| list >= end || document.subtree_end(list) > end)
            else {
                break;
            };
            let more = self.items_of(item);
            let near = document.parent(first).is_some_and(|first| meet(document, first, list) > document.root())
                && !is_of_others(document, first, list);
            if more.is_empty() || !near || !titled && build.2.is_none_or(str::is_empty) && self.is_menu(&more) {
                break;
            }
            items.extend(more);
            end = document.subtree_end(list).max(end);
            if items.len() > MOST_ITEMS {
                break;
            }
        }
        let items = self.clean(items);
        (!items.is_empty()).then_some(items)
    }

    /// An item and those behind it in its list.
    pub(super) fn items_of(&self, item: NodeId) -> Vec<Range<usize>> {
        let document = self.layouts.sheet.document;
        let name = document.name_id(item);
        let siblings = std::iter::successors(Some(item), |&id| document.next_sibling(id)).take(4 * MOST_ITEMS);
        let siblings = siblings.filter(|&id| document.name_id(id) == name).take(MOST_ITEMS);
        siblings.filter_map(|id| self.text_below(id)).collect()
    }

    /// Returns whether all items are something to press.
    pub(super) fn is_control_list(&self, items: &[Range<usize>]) -> bool {
        items.iter().all(|item| self.pieces(item).iter().all(|piece| self.is_control(piece.node)))
    }

    /// Returns whether most items are one link and no more; the titles in a menu of menus are none.
    pub(super) fn is_menu(&self, items: &[Range<usize>]) -> bool {
        let document = self.layouts.sheet.document;
        let is_link = |item: &&Range<usize>| {
            let mut pieces = self.pieces(item).iter();
            let said = |piece: &&Piece| self.layouts.sheet.text[piece.range()].contains(char::is_alphanumeric);
            pieces.by_ref().filter(said).all(|piece| link_around(document, piece.node).is_some())
        };
        3 * items.iter().filter(is_link).count() >= 2 * items.len()
    }

    /// Returns whether most items are pairs of a label and a value: a data sheet, not the list of one role.
    pub(super) fn is_pairs(&self, heading: &Heading, items: &[Range<usize>]) -> bool {
        let is_pair = |item: &&Range<usize>| {
            let at = self.layouts.marks.partition_point(|mark| (mark.start as usize) < item.start);
            self.layouts.marks.get(at).is_some_and(|mark| {
                mark.stand < Stand::Prose
                    && mark.role != NONE
                    && mark.role != heading.role
                    && mark.start as usize == item.start
                    && (mark.rest as usize) <= item.end
            })
        };
        2 * items.iter().filter(is_pair).count() > items.len()
    }
}
