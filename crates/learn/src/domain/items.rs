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

use std::ops::Range;

use foldhash::fast::FixedState;
use hashbrown::HashMap;
use windrow_dom::{NameId, NodeId, names};

use super::judge::{is_linked, link_around};
use super::layout::{Candidate, Layout, Layouts};
use super::lexicon::{Lexicon, Mark, Stand, is_edge, words_of};
use super::sheet::Piece;
use super::unknown::NONE;
use super::words::Domain;
use super::{Clues, Evidence, Pair};
use crate::example::meet;

/// Headings of one page whose lists are looked for.
const MOST_HEADINGS: usize = 64;
/// Lines between a heading and its list.
const GAP: usize = 16;
/// Letters of prose between a heading and its list: behind more, the prose is what the heading is about.
const PROSE: usize = 240;
/// Items of one list, and lists below one heading.
const MOST_ITEMS: usize = 400;
const MOST_LISTS: usize = 40;
/// Lines of one item: what has more holds items.
const ITEM_LINES: usize = 12;
/// Elements that are alike, of which it takes so many to be a list.
const LEAST_ALIKE: usize = 3;
/// Lines of an item that is surely one.
const SHORT_ITEM: usize = 2;
/// Lines between two lists of one heading, and bytes of such a line.
const TITLE_LINES: usize = 6;
const TITLE: usize = 80;
/// Bytes of a heading that has more words than its keyword.
const HEADING: usize = 80;
/// Bytes of a heading element.
const LONGEST_HEADING: usize = 300;
/// Lines around a list in which other labels speak for it.
const AROUND: u32 = 40;
/// How far up like elements are looked for.
const DEEP: usize = 16;
/// How far up names of elements are looked at.
const NAMED: usize = 4;
/// Below this, a list that a heading tells gives way to one that the names of its elements tell.
pub(super) const WEAK: f32 = 0.75;
/// How sure a list is that only the names of its elements tell.
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
    /// Whether it is the keyword and no more.
    whole: bool,
    line: u32,
    role: u32,
}

/// A list as it was found.
struct Found {
    items: Vec<Range<usize>>,
    /// Whether its elements say that it is one.
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
        let (start, end) = (first.start as u32, last.end as u32);
        let score = finder.score(number, &heading, &found, known);
        let items = found.items.iter().map(|item| item.start as u32..item.end as u32).collect();
        let list = Some(Box::new(Items { score, items }));
        let (role, mark) = (heading.role, number as u32);
        all.push(Candidate { role, mark, layout: Layout::Below, start, end, list });
    }
    all
}

/// A role, how its list is built, and its items.
type Named<'d> = (u32, (Option<NameId>, &'d str), Vec<Range<usize>>);

/// Lists of these roles that only the names of elements tell.
pub(super) fn named(layouts: &Layouts<'_, '_>, domain: &Domain, lexicon: &Lexicon, wanted: &[bool]) -> Vec<Pair> {
    let finder = Finder { layouts, domain, lexicon };
    let document = layouts.sheet.document;
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
        if items.len() < 2 || finder.is_menu(&items) {
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
    fn level(&self, id: NodeId) -> Option<u8> {
        match self.layouts.sheet.document.name_id(id)? {
            names::H1 => Some(1),
            names::H2 => Some(2),
            names::H3 => Some(3),
            names::H4 => Some(4),
            names::H5 => Some(5),
            names::H6 => Some(6),
            _ => None,
        }
    }

    /// The heading element around a text.
    fn heading_around(&self, id: NodeId) -> Option<(NodeId, u8)> {
        let around = self.layouts.sheet.document.ancestors(id).take(6);
        let (id, level) = around.into_iter().find_map(|id| Some((id, self.level(id)?)))?;
        // One that was never closed holds the rest of the page.
        let text = self.text_below(id)?;
        (text.len() <= LONGEST_HEADING).then_some((id, level))
    }

    /// The role with several values that a keyword may be of.
    fn list_role(&self, mark: &Mark) -> Option<u32> {
        let roles = self.lexicon.keys().get(mark.key as usize)?;
        let is_list = |role: &&u32| {
            let role = &self.domain.roles[**role as usize];
            role.many == Some(true) && role.within.is_none()
        };
        roles.iter().find(is_list).copied()
    }

    /// The heading that a keyword is.
    fn heading(&self, mark: &Mark) -> Option<Heading> {
        let role = self.list_role(mark)?;
        let sheet = self.layouts.sheet;
        let document = sheet.document;
        let node = sheet.pieces[mark.first as usize].node;
        let line = sheet.line_pieces(mark.line);
        let text = sheet.text_of(line.clone());
        let around = self.heading_around(node);
        let line_start = sheet.pieces[line.start].start;
        let behind = sheet.text.get(mark.end as usize..sheet.pieces[line.end - 1].end as usize)?;
        let before = sheet.text.get(line_start as usize..mark.start as usize)?;
        let ends = behind.chars().all(is_edge);
        let whole = ends && before.chars().all(is_edge);
        let marked = mark.stand < Stand::Prose && ends && mark.stand != Stand::Behind;
        if !(whole || marked && before.is_empty()) {
            // `Ingredients for four`, `How to make it: steps`, in a heading of one line.
            let (heading, _) = around?;
            let edge = before.chars().all(is_edge) || ends;
            if !edge || text.len() > HEADING || sheet.pieces_below(heading).len() > 2 * line.len() {
                return None;
            }
        }
        // A link that is no heading leads to the list, or to others.
        if around.is_none() && is_linked(document, node) || self.is_aside(node) {
            return None;
        }
        let (node, level) = around.map_or((node, None), |(id, level)| (id, Some(level)));
        let end = match level {
            Some(_) => document.subtree_end(node),
            None => sheet.pieces.get(line.end).map_or(document.subtree_end(document.root()), |piece| piece.node),
        };
        Some(Heading { node, end, level, whole, line: mark.line, role })
    }

    /// Whether a text is of the site, not of what the page is about.
    fn is_aside(&self, id: NodeId) -> bool {
        let document = self.layouts.sheet.document;
        let aside = |id: NodeId| matches!(document.name_id(id), Some(names::NAV | names::FOOTER));
        document.ancestors(id).any(aside)
    }

    /// Whether a text is something to press, or hidden behind it.
    fn is_control(&self, id: NodeId) -> bool {
        let document = self.layouts.sheet.document;
        document
            .ancestors(id)
            .take(4)
            .any(|id| document.name(id).is_some_and(|name| matches!(name, "button" | "nav" | "figcaption")))
    }

    /// Whether a line begins another part of the page.
    fn is_other(&self, heading: &Heading, line: u32) -> bool {
        let sheet = self.layouts.sheet;
        self.layouts.marks_in(line).iter().any(|mark| {
            if mark.role == NONE {
                return false;
            }
            let node = sheet.pieces[mark.first as usize].node;
            let headed = self.heading_around(node).is_some();
            match self.list_role(mark) {
                // Another list, or the same again.
                Some(_) => self.heading(mark).is_some(),
                None => {
                    let same = sheet.pieces[mark.first as usize].style == self.style(heading);
                    mark.stand < Stand::Prose && (headed || same)
                }
            }
        })
    }

    fn style(&self, heading: &Heading) -> u64 {
        let sheet = self.layouts.sheet;
        sheet.pieces.get(sheet.line_pieces(heading.line).start).map_or(0, |piece| piece.style)
    }

    /// The list below a heading.
    fn below(&self, heading: &Heading) -> Option<Found> {
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
        for gap in 0..GAP {
            let Some(piece) = sheet.pieces.get(at).filter(|piece| within.is_none_or(|end| piece.node < end)) else {
                break;
            };
            let line = sheet.line_pieces(piece.line);
            if self.is_other(heading, piece.line) {
                break;
            }
            if let Some((title, level)) = self.heading_around(piece.node) {
                // Another part, unless it is the list's own title, or the number of a step.
                let number = self.text_below(title).and_then(|text| sheet.text.get(text)).is_some_and(is_number);
                if !number && (titles > 1 || prose > 0 && heading.level.is_none_or(|own| level <= own)) {
                    break;
                }
                titles += usize::from(!number);
                at = sheet.pieces_below(title).end.max(line.end);
                continue;
            }
            if let Some(item) = self.item_around(piece.node, heading) {
                if let Some(items) = self.lists(heading, item).filter(|items| !self.is_pairs(heading, items)) {
                    return Some(Found { items, marked: true, gap });
                }
                at = document.parent(item).map_or(line.end, |list| sheet.pieces_below(list).end).max(line.end);
                continue;
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
        if pair.is_some() {
            return None;
        }
        for (gap, &start) in starts.iter().enumerate() {
            let items = self.clean(self.run(heading, start));
            if items.len() >= LEAST_ALIKE && !self.is_pairs(heading, &items) {
                return Some(Found { items, marked: false, gap });
            }
        }
        let items = self.clean(self.lines(heading, *starts.first()?));
        (!items.is_empty() && !self.is_pairs(heading, &items)).then_some(Found { items, marked: false, gap: 0 })
    }

    /// The item of a list, or the row of a table, that a text is in.
    fn item_around(&self, id: NodeId, heading: &Heading) -> Option<NodeId> {
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

    /// What is built alike: the names of an item and its list, and the list's class.
    fn build(&self, item: NodeId) -> (Option<NameId>, Option<NameId>, Option<&str>) {
        let document = self.layouts.sheet.document;
        let list = document.parent(item);
        let class = list.and_then(|list| document.attr_by_id(list, names::CLASS));
        (document.name_id(item), list.and_then(|list| document.name_id(list)), class)
    }

    /// The items of the list from this one on, and of those below that are built alike.
    fn lists(&self, heading: &Heading, first: NodeId) -> Option<Vec<Range<usize>>> {
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
                    && self.build(item) == build
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
            let near = document.parent(first).is_some_and(|first| meet(document, first, list) > document.root());
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
    fn items_of(&self, item: NodeId) -> Vec<Range<usize>> {
        let document = self.layouts.sheet.document;
        let name = document.name_id(item);
        let siblings = std::iter::successors(Some(item), |&id| document.next_sibling(id)).take(4 * MOST_ITEMS);
        let siblings = siblings.filter(|&id| document.name_id(id) == name).take(MOST_ITEMS);
        siblings.filter_map(|id| self.text_below(id)).collect()
    }

    /// The bytes of what is below a node.
    fn text_below(&self, id: NodeId) -> Option<Range<usize>> {
        let sheet = self.layouts.sheet;
        let pieces = sheet.pieces_below(id);
        let (first, last) = (sheet.pieces.get(pieces.start)?, sheet.pieces.get(pieces.end.checked_sub(1)?)?);
        (!pieces.is_empty()).then_some(first.start as usize..last.end as usize)
    }

    fn pieces(&self, item: &Range<usize>) -> &[Piece] {
        &self.layouts.sheet.pieces[self.layouts.pieces_of(item.start, item.end)]
    }

    /// Whether all items are something to press.
    fn is_control_list(&self, items: &[Range<usize>]) -> bool {
        items.iter().all(|item| self.pieces(item).iter().all(|piece| self.is_control(piece.node)))
    }

    /// Whether each item is one link and no more.
    fn is_menu(&self, items: &[Range<usize>]) -> bool {
        let document = self.layouts.sheet.document;
        items.iter().all(|item| {
            let mut pieces = self.pieces(item).iter();
            let said = |piece: &&Piece| self.layouts.sheet.text[piece.range()].contains(char::is_alphanumeric);
            pieces.by_ref().filter(said).all(|piece| link_around(document, piece.node).is_some())
        })
    }

    /// Whether most items are pairs of a label and a value: a data sheet, not the list of one role.
    fn is_pairs(&self, heading: &Heading, items: &[Range<usize>]) -> bool {
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

    /// Elements that are alike from a text on.
    fn run(&self, heading: &Heading, first: usize) -> Vec<Range<usize>> {
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
    fn lines(&self, heading: &Heading, first: usize) -> Vec<Range<usize>> {
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
    fn lines_of(&self, items: &[Range<usize>]) -> usize {
        let pieces = items.first().map(|item| self.pieces(item)).unwrap_or_default();
        match pieces {
            [first, .., last] => (last.line - first.line) as usize + 1,
            _ => 1,
        }
    }

    /// An element and those behind it that are alike: of the same name and class, up to the next part.
    fn alike_from(&self, heading: &Heading, id: NodeId) -> Vec<Range<usize>> {
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

    /// The items in items that are parts of several lines, each below a title.
    fn parts(&self, items: Vec<Range<usize>>) -> Vec<Range<usize>> {
        let sheet = self.layouts.sheet;
        let lines = |item: &Range<usize>| match self.pieces(item) {
            [first, .., last] => (last.line - first.line) as usize + 1,
            _ => 1,
        };
        let titled = |item: &Range<usize>| {
            self.pieces(item).first().is_some_and(|piece| {
                let title = self.heading_around(piece.node).is_some() || self.layouts.is_bold(piece.node);
                title && self.pieces(item).get(1).is_some_and(|next| next.line > piece.line)
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

    /// Items without what is none: buttons, titles of parts, the numbers of steps.
    fn clean(&self, items: Vec<Range<usize>>) -> Vec<Range<usize>> {
        let sheet = self.layouts.sheet;
        let text = |item: &Range<usize>| sheet.text.get(item.clone()).unwrap_or_default();
        let items = self.parts(items);
        let mut items: Vec<Range<usize>> = items.into_iter().map(|item| self.trimmed(item)).collect();
        items.retain(|item| {
            let said = text(item);
            let title = || {
                let pieces = self.pieces(item);
                let all = |is: &dyn Fn(NodeId) -> bool| pieces.iter().all(|piece| is(piece.node));
                said.len() <= TITLE && (all(&|id| self.heading_around(id).is_some()) || said.ends_with([':', '：']))
                    || all(&|id| self.is_control(id))
            };
            said.contains(char::is_alphanumeric) && !title()
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
    fn trimmed(&self, item: Range<usize>) -> Range<usize> {
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

    /// The elements from this one on that have its class, one beside the other; none if one in front has it, too.
    fn alike(&self, id: NodeId) -> Option<Vec<Range<usize>>> {
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

    /// How much speaks for a list. The parts are in steps of a tenth, as those of other pairs are.
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

/// Whether a text is a number, or a word and a number: `2.`, `Step 2`.
fn is_number(text: &str) -> bool {
    let text = text.trim_end_matches(['.', ':', ')', ' ']);
    let digits = text.trim_end_matches(|c: char| c.is_ascii_digit());
    let number = text.len() - digits.len();
    (1..=2).contains(&number) && digits.trim().chars().all(char::is_alphabetic)
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
