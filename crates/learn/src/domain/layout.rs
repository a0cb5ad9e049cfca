//! From a label to its value: what follows it, in the ways pages lay out pairs.
//!
//! | layout | label | value |
//! |---|---|---|
//! | in the line | `Price: $3.77`, `<b>Price</b> $3.77` | the rest of the line, up to the next label |
//! | beside or below | a cell, a `dt`, a heading, a block | the next block: all of what follows that does not hold the label |
//! | column | a cell of a header row | the cell below it |
//! | in front | `Ann Lee (Author)` | what stands before the brackets |
//!
//! An empty value ends the search. What stands in the place of a value and is a label is none: a known one, one that looks
//! as the known ones do, the twin of the label's own row, what begins like a label where labels end in a colon. Nor is
//! what comes behind a field of a form. A value that is not of its role's pattern gives way to what comes behind it, as long as
//! no other label begins.

use std::ops::Range;

use regex::Regex;
use windrow_dom::{Document, NodeId, names};

use super::items::Items;
use super::judge::{is_linked, is_placeholder, link_around};
use super::lexicon::{Mark, Stand, is_colon};
use super::sheet::{Sheet, is_space};
use super::unknown::NONE;
use crate::example::meet;

/// Blocks that are looked at for a value of the right pattern.
const STEPS: usize = 4;
/// Keywords in front of one that are looked at.
const BEHIND: usize = 64;
/// Siblings that a value may go on for.
const SIBLINGS: usize = 200;
/// Bytes of a value above its label.
const ABOVE: usize = 60;
/// Cells of a row of labels above a row of numbers.
const LEAST_COLUMNS: usize = 4;
/// Number of levels up from a text to the element that stands beside a value.
const ABOVE_LINK: usize = 4;
/// Bytes of a label at the beginning of a line.
const LABEL: usize = 40;

/// How a value stands to its label, the surest first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Layout {
    /// In the line of its label, behind a sign.
    Line,
    /// In the next cell.
    Cell,
    /// In a `dd`.
    Definition,
    /// In the same column, below.
    Column,
    /// In the line of its label, in another text node.
    Beside,
    /// In front of its label, which stands in brackets, or counts it.
    Before,
    /// Above its label.
    Above,
    /// In the next block.
    Below,
}

/// A value that a label may have.
#[derive(Debug, Clone)]
pub(super) struct Candidate {
    pub(super) role: u32,
    /// The label, by its number among the marks.
    pub(super) mark: u32,
    pub(super) layout: Layout,
    /// Its bytes in the text.
    pub(super) start: u32,
    pub(super) end: u32,
    /// Its items, if it is a list below a heading.
    pub(super) list: Option<Box<Items>>,
}

/// Finds the values of labels.
pub(super) struct Layouts<'s, 'd> {
    pub(super) sheet: &'s Sheet<'d>,
    pub(super) marks: &'s [Mark],
    patterns: &'s [Option<Regex>],
    /// By line: the first mark in it or behind it.
    first_mark: Vec<u32>,
    /// By mark: the first at or behind it that is a label.
    next_label: Vec<u32>,
    /// Looks of labels that stand below their values.
    above: Vec<u64>,
}

impl<'s, 'd> Layouts<'s, 'd> {
    pub(super) fn new(sheet: &'s Sheet<'d>, marks: &'s [Mark], patterns: &'s [Option<Regex>]) -> Layouts<'s, 'd> {
        let mut first_mark = Vec::with_capacity(sheet.lines.len() + 1);
        let mut at = 0;
        for line in 0..=sheet.lines.len() as u32 {
            while marks.get(at).is_some_and(|mark| mark.line < line) {
                at += 1;
            }
            first_mark.push(at as u32);
        }
        let mut next_label = vec![marks.len() as u32; marks.len() + 1];
        for at in (0..marks.len()).rev() {
            next_label[at] = if marks[at].stand < Stand::Prose { at as u32 } else { next_label[at + 1] };
        }
        let mut layouts = Layouts { sheet, marks, patterns, first_mark, next_label, above: Vec::new() };
        layouts.above = layouts.looks_above();
        layouts
    }

    /// Looks of labels of two roles or more that are, each with one line above it, all that a box has.
    fn looks_above(&self) -> Vec<u64> {
        let mut looks: Vec<(u64, Vec<u32>)> = Vec::new();
        let mut others: Vec<u64> = Vec::new();
        for mark in self.marks.iter().filter(|mark| mark.stand == Stand::Alone && mark.role != NONE) {
            let style = self.sheet.pieces[mark.first as usize].style;
            if self.line_above(mark).is_none() {
                others.push(style);
                continue;
            }
            match looks.iter().position(|(known, _)| *known == style) {
                Some(at) if looks[at].1.len() < 2 && !looks[at].1.contains(&mark.role) => looks[at].1.push(mark.role),
                Some(_) => {}
                None if looks.len() < STEPS => looks.push((style, vec![mark.role])),
                None => {}
            }
        }
        looks.retain(|(style, roles)| roles.len() >= 2 && !others.contains(style));
        looks.into_iter().map(|(style, _)| style).collect()
    }

    /// The line above a label, if the two are all that a box has.
    fn line_above(&self, mark: &Mark) -> Option<Range<usize>> {
        let own = self.sheet.line_pieces(mark.line);
        let above = self.sheet.line_pieces(mark.line.checked_sub(1)?);
        let node = self.sheet.pieces[mark.first as usize].node;
        let around = self.document().ancestors(node).take(6);
        let pieces =
            around.into_iter().map(|id| self.sheet.pieces_below(id)).find(|pieces| pieces.len() > own.len())?;
        let is_label = self.marks_in(mark.line - 1).iter().any(|mark| mark.stand < Stand::Prose);
        let cell = self.sheet.cell(node).is_some();
        let (first, last) = (self.sheet.pieces.get(above.start)?, self.sheet.pieces.get(above.end.checked_sub(1)?)?);
        let range = first.start as usize..last.end as usize;
        (pieces == (above.start..own.end) && !is_label && !cell && range.len() <= ABOVE).then_some(range)
    }

    fn document(&self) -> &'d Document {
        self.sheet.document
    }

    /// What a candidate says, as the page has it.
    pub(super) fn text(&self, candidate: &Candidate) -> &'s str {
        &self.sheet.text[candidate.start as usize..candidate.end as usize]
    }

    /// A candidate's label.
    pub(super) fn label(&self, candidate: &Candidate) -> &'s str {
        let mark = &self.marks[candidate.mark as usize];
        &self.sheet.text[mark.start as usize..mark.end as usize]
    }

    /// The text node that a candidate's label begins in.
    pub(super) fn label_node(&self, candidate: &Candidate) -> NodeId {
        self.sheet.pieces[self.marks[candidate.mark as usize].first as usize].node
    }

    /// The keywords in a line.
    pub(super) fn marks_in(&self, line: u32) -> &'s [Mark] {
        match self.first_mark.get(line as usize..line as usize + 2) {
            Some(&[from, to]) => &self.marks[from as usize..to as usize],
            _ => &[],
        }
    }

    /// The first label at or behind a byte of the text.
    fn label_from(&self, byte: usize) -> Option<&'s Mark> {
        let at = self.marks.partition_point(|mark| (mark.start as usize) < byte);
        self.marks.get(self.next_label[at] as usize)
    }

    /// The values of all labels of a role.
    pub(super) fn candidates(&self) -> Vec<Candidate> {
        let known = (0..self.marks.len()).filter(|&number| self.marks[number].role != NONE);
        known.filter_map(|number| self.follow(number)).collect()
    }

    /// The value of a label, if it has one.
    pub(super) fn follow(&self, number: usize) -> Option<Candidate> {
        let mark = &self.marks[number];
        if mark.stand == Stand::Prose || self.is_among_links(mark) {
            return None;
        }
        if mark.stand == Stand::Behind {
            let (start, end) = self.in_front(number)?;
            return self.candidate(number, Layout::Before, start, end);
        }
        let line =
            self.sheet.pieces.get(self.sheet.line_pieces(mark.line).start).map_or(0, |piece| piece.start as usize);
        if mark.stand == Stand::Under {
            return self.candidate(number, Layout::Above, line, mark.start as usize);
        }
        if mark.stand == Stand::Unit {
            let count = super::lexicon::count_before(self.sheet.text.get(line..mark.start as usize)?)?;
            let found = self.candidate(number, Layout::Before, line + count, mark.start as usize)?;
            return self.fits(number, self.text(&found)).then_some(found);
        }
        if mark.stand == Stand::Alone && self.above.contains(&self.sheet.pieces[mark.first as usize].style) {
            let above = self.line_above(mark)?;
            return self.candidate(number, Layout::Above, above.start, above.end);
        }
        match self.in_line(mark) {
            Some((start, end)) => {
                let layout = if mark.stand == Stand::Marked { Layout::Line } else { Layout::Beside };
                let found = self.candidate(number, layout, start, end)?;
                (mark.stand != Stand::Glued || self.fits(number, self.text(&found))).then_some(found)
            }
            // In the middle of a line nothing but a sign makes a label of what is below.
            None if self.has_dash(mark) => None,
            None if !matches!(mark.stand, Stand::Within | Stand::Glued) && self.ends_line(mark) => {
                self.in_block(number)
            }
            None => None,
        }
    }

    /// Returns whether the rest of a label's line is a dash in an element of its own: the page says that there is no value.
    fn has_dash(&self, mark: &Mark) -> bool {
        let pieces = self.sheet.line_pieces(mark.line);
        let behind = pieces.start.max(mark.last as usize + 1)..pieces.end;
        let mut texts = behind.map(|piece| self.sheet.text[self.sheet.pieces[piece].range()].trim());
        texts.any(is_dash)
    }

    fn ends_line(&self, mark: &Mark) -> bool {
        let pieces = self.sheet.line_pieces(mark.line);
        let end = self.sheet.pieces[pieces.end - 1].end as usize;
        !self.sheet.text[(mark.rest as usize).min(end)..end].contains(char::is_alphanumeric)
    }

    fn candidate(&self, number: usize, layout: Layout, start: usize, end: usize) -> Option<Candidate> {
        let text = &self.sheet.text[start..end];
        let trimmed = text.trim_matches(|c: char| is_space(c) || matches!(c, '|' | '•' | '·' | ';' | ','));
        if !trimmed.contains(char::is_alphanumeric) {
            return None;
        }
        let start = start + (trimmed.as_ptr() as usize - text.as_ptr() as usize);
        let mark = &self.marks[number];
        let label = self.sheet.pieces[mark.last as usize].node;
        let pieces = self.pieces_of(start, start + trimmed.len());
        // What follows a field of a form is said of something else.
        if layout != Layout::Before && self.sheet.has_control(label, self.sheet.pieces[pieces.start].node) {
            return None;
        }
        let end = start + trimmed.len();
        Some(Candidate {
            role: mark.role,
            mark: number as u32,
            layout,
            start: start as u32,
            end: end as u32,
            list: None,
        })
    }

    /// Whether a text may be a value of a label's role.
    fn fits(&self, number: usize, text: &str) -> bool {
        self.matches(number, text) != Some(false)
    }

    /// Returns whether a text matches the pattern of a label's role; none if the role has none.
    pub(super) fn matches(&self, number: usize, text: &str) -> Option<bool> {
        self.matches_role(self.marks[number].role, text)
    }

    /// Returns whether a text matches the pattern of a role; none if the role has none.
    pub(super) fn matches_role(&self, role: u32, text: &str) -> Option<bool> {
        let pattern = self.patterns.get(role as usize).and_then(Option::as_ref);
        pattern.map(|pattern| pattern.is_match(text))
    }

    /// The smallest node that has all of these bytes.
    pub(super) fn node_of(&self, start: usize, end: usize) -> NodeId {
        let pieces = self.pieces_of(start, end);
        let (first, last) = (self.sheet.pieces[pieces.start].node, self.sheet.pieces[pieces.end - 1].node);
        meet(self.document(), first, last)
    }

    pub(super) fn pieces_of(&self, start: usize, end: usize) -> Range<usize> {
        let from = self.sheet.pieces.partition_point(|piece| piece.end as usize <= start);
        let to = self.sheet.pieces.partition_point(|piece| (piece.start as usize) < end);
        from..to.max(from + 1).min(self.sheet.pieces.len())
    }

    /// What stands in front of a label in brackets: the link there, or the text back to the one before.
    fn in_front(&self, number: usize) -> Option<(usize, usize)> {
        let mark = &self.marks[number];
        let line = self.sheet.line_pieces(mark.line);
        let from = self.sheet.pieces[line.start].start as usize;
        let earlier = self.marks[..number].iter().rev().take(BEHIND).find(|other| other.stand < Stand::Prose);
        let from = earlier.map_or(from, |other| from.max(other.rest as usize));
        let text = self.sheet.text.get(from..mark.start as usize)?;
        let text = text.trim_end().trim_end_matches(['(', '（']).trim_end();
        let end = from + text.len();
        // A name, not the sentence around it.
        let pieces = self.pieces_of(from, end.max(from + 1));
        let last = &self.sheet.pieces[pieces.end - 1];
        let linked = link_around(self.document(), last.node).filter(|_| last.end as usize >= end);
        let start = match linked {
            Some(link) => self.sheet.pieces.get(self.sheet.pieces_below(link).start)?.start as usize,
            None => from + text.rfind([',', ';', ')']).map_or(0, |at| at + 1),
        };
        (start.max(from) < end).then_some((start.max(from), end))
    }

    /// What stands behind the label in its line.
    fn in_line(&self, mark: &Mark) -> Option<(usize, usize)> {
        let pieces = self.sheet.line_pieces(mark.line);
        let mut end = self.sheet.pieces[pieces.end - 1].end as usize;
        let start = mark.rest as usize;
        if let Some(next) = self.label_from(mark.end as usize + 1)
            && (next.start as usize) < end
        {
            // What a label in brackets labels is its own.
            end = match next.stand {
                Stand::Behind => start,
                // `Serves 4 people`: what is counted is no other pair.
                Stand::Unit => end,
                _ => next.start as usize,
            };
        }
        // What looks like this label and ends like one, or begins an element as labels do, is one that is not known.
        let style = self.sheet.pieces[mark.first as usize].style;
        let behind = &self.sheet.pieces[(mark.last as usize + 1).min(pieces.end)..pieces.end];
        for piece in behind.iter().take_while(|piece| (piece.start as usize) < end) {
            let text = self.sheet.text[piece.range()].trim_end();
            let same = piece.style == style && text.ends_with(is_colon);
            let begins = piece.start as usize > start && mark.stand == Stand::Marked && begins_like_label(text);
            let label = piece.start as usize > start && text.ends_with(is_colon) && begins_like_label(text);
            if same || begins || label {
                end = piece.start as usize;
                break;
            }
        }
        if let Some(next) = self.next_thing(start, end, mark.role) {
            end = next;
        }
        (start < end && self.sheet.text[start..end].contains(char::is_alphanumeric)).then_some((start, end))
    }

    /// Returns where something else begins behind a value in its line: a date behind a name; a sentence, a link or a button in
    /// an element beside that of a whole value, such as `459 €`.
    fn next_thing(&self, start: usize, end: usize, role: u32) -> Option<usize> {
        let document = self.document();
        let pieces = self.pieces_of(start, end.max(start + 1));
        let first = self.sheet.pieces.get(pieces.start)?;
        // The value has an element of its own.
        let element = document.parent(first.node).filter(|_| first.start as usize >= start)?;
        let text = self.sheet.text[first.range()].trim();
        let whole = || {
            self.matches_role(role, text) == Some(true)
                && text.contains(|c: char| c.is_ascii_digit())
                && text.contains(|c: char| c.is_alphabetic() || is_currency(c))
        };
        let until = document.subtree_end(element);
        let next = self.sheet.pieces[pieces.start + 1..pieces.end].iter().find(|piece| piece.node >= until)?;
        if next.start as usize >= end {
            return None;
        }
        let beside = std::iter::once(next.node).chain(document.ancestors(next.node)).take(ABOVE_LINK);
        let beside = beside.into_iter().find(|&id| document.parent(id) == document.parent(element))?;
        let name = document.name_id(beside);
        if name == Some(names::TIME) {
            return (document.name_id(element) != Some(names::TIME)).then_some(next.start as usize);
        }
        // `1 hour`, `25 minutes`: the same goes on.
        let goes_on = self.sheet.text[next.range()].trim_start().starts_with(|c: char| c.is_ascii_digit());
        let another = !goes_on
            && document.is_element(beside)
            && document.attr_by_id(beside, names::CLASS) != document.attr_by_id(element, names::CLASS)
            && (self.sheet.text[next.range()].split_whitespace().count() > 1
                || matches!(name, Some(names::A | names::BUTTON)));
        (another && whole()).then_some(next.start as usize)
    }

    /// What stands behind the label's line: in the next cell, the next block, the cell below.
    fn in_block(&self, number: usize) -> Option<Candidate> {
        let mark = &self.marks[number];
        let document = self.document();
        let label = self.sheet.pieces[mark.last as usize].node;
        let line = self.sheet.line_pieces(mark.line);
        if mark.stand == Stand::Leading {
            return None;
        }
        let cell = self.cell_of(label);
        if let Some(cell) = cell
            && self.is_header(cell)
        {
            let below = self.below(cell)?;
            return self.whole(number, Layout::Column, below, below);
        }
        let row = cell.and_then(|cell| document.parent(cell)).filter(|&row| self.sheet.cells(row).len() > 1);
        if let (Some(cell), Some(row)) = (cell, row)
            && self.is_empty_beside(row, cell)
        {
            return None;
        }
        let term = document.ancestors(label).take(6).any(|id| document.name_id(id) == Some(names::DT));
        let mut piece = line.end;
        let mut first = None;
        for _ in 0..STEPS {
            // A dash says that there is no value, unless it stands between label and value in a row of three.
            if let Some(next) = self.sheet.pieces.get(piece)
                && is_dash(self.sheet.text[next.range()].trim())
                && row.is_none_or(|row| self.sheet.cells(row).len() != 3)
            {
                break;
            }
            // A cell with nothing but a colon is passed over.
            piece += self
                .sheet
                .pieces
                .get(piece..)?
                .iter()
                .take(STEPS)
                .take_while(|piece| !self.sheet.text[piece.range()].contains(char::is_alphanumeric))
                .count();
            let Some(next) = self.sheet.pieces.get(piece).map(|piece| piece.node) else { break };
            // The largest thing that follows and does not hold the label.
            let value = std::iter::once(next)
                .chain(document.ancestors(next))
                .take_while(|&id| !(id <= label && label < document.subtree_end(id)))
                .last()?;
            // A cell's value does not stand in another row, but below a label that is alone in its own.
            if row.is_some_and(|row| document.subtree_end(row) <= next) {
                break;
            }
            if self.is_next_pair(number, piece, value) {
                break;
            }
            let layout = match document.name_id(value) {
                Some(names::TD | names::TH) => Layout::Cell,
                Some(names::DD) => Layout::Definition,
                // The term of another pair, or what follows the list.
                Some(names::DT) => break,
                _ if term => break,
                // A row of pairs below one that has no value.
                Some(names::TR) if cell.is_some() && self.sheet.cells(value).len() > 1 => break,
                _ => Layout::Below,
            };
            let last = self.goes_on(label, value, layout);
            let Some(candidate) = self.whole(number, layout, value, last) else { break };
            let text = self.text(&candidate);
            if self.fits(number, text) {
                return Some(candidate);
            }
            // What is not of the pattern gives way to what is.
            let placeholder = is_placeholder(text);
            first = first.or(Some(candidate));
            if placeholder && layout != Layout::Below {
                break;
            }
            piece = self.sheet.pieces.partition_point(|piece| piece.node < document.subtree_end(last));
        }
        first
    }

    /// Whether the cell beside a label's is empty, and no more than that: in a row of three it may only keep others apart.
    fn is_empty_beside(&self, row: NodeId, cell: NodeId) -> bool {
        let cells = self.sheet.cells(row);
        let beside = cells.iter().position(|&id| id == cell).and_then(|at| cells.get(at + 1));
        cells.len() != 3 && beside.is_some_and(|&id| self.sheet.pieces_below(id).is_empty())
    }

    /// Whether a label is one of several links side by side, with no more than bars between them.
    fn is_among_links(&self, mark: &Mark) -> bool {
        let signs = self.sheet.text.get(mark.end as usize..mark.rest as usize).unwrap_or_default();
        if mark.stand == Stand::Behind || signs.contains([':', '：', '=']) {
            return false;
        }
        let document = self.document();
        let line = self.sheet.line_pieces(mark.line);
        let linked = |piece: usize| is_linked(document, self.sheet.pieces[piece].node);
        line.len() > 1 && linked(mark.first as usize) && line.take(8).filter(|&piece| linked(piece)).count() > 1
    }

    /// The last node of a value that goes on: definitions up to the next term, what is below a heading up to the next.
    fn goes_on(&self, label: NodeId, value: NodeId, layout: Layout) -> NodeId {
        let document = self.document();
        let is_heading = |id: NodeId| {
            matches!(document.name_id(id), Some(names::H1 | names::H2 | names::H3 | names::H4 | names::H5 | names::H6))
        };
        let headed = document.ancestors(label).take(4).find(|&id| is_heading(id));
        let beside = |id: NodeId| document.parent(id) == document.parent(value);
        let follows = match (layout, headed) {
            (Layout::Definition, _) => true,
            (Layout::Below, Some(heading)) => beside(heading),
            _ => false,
        };
        if !follows {
            return value;
        }
        let siblings = std::iter::successors(document.next_sibling(value), |&id| document.next_sibling(id));
        let mut last = value;
        for id in siblings.take(SIBLINGS) {
            let ends = match layout {
                Layout::Definition => document.is_element(id) && document.name_id(id) != Some(names::DD),
                _ => {
                    is_heading(id)
                        || document.name_id(id) == Some(names::HR)
                        || document.is_element(id) && document.name_id(id) != document.name_id(value)
                        || self.has_label(id)
                }
            };
            if ends {
                break;
            }
            if !self.sheet.pieces_below(id).is_empty() {
                last = id;
            }
        }
        last
    }

    /// All of the text from a node to another, up to the first label in it.
    fn whole(&self, number: usize, layout: Layout, first: NodeId, last: NodeId) -> Option<Candidate> {
        let pieces = self.sheet.pieces_in(first, self.document().subtree_end(last));
        if pieces.is_empty() {
            return None;
        }
        let start = self.sheet.pieces[pieces.start].start as usize;
        let mut end = self.sheet.pieces[pieces.end - 1].end as usize;
        if let Some(next) = self.label_from(start)
            && (next.start as usize) < end
        {
            end = next.start as usize;
        }
        self.candidate(number, layout, start, end.max(start))
    }

    /// Whether what follows a label is the next pair, which the domain does not know: the label's own value is empty.
    fn is_next_pair(&self, number: usize, piece: usize, value: NodeId) -> bool {
        let mark = &self.marks[number];
        let document = self.document();
        let (label, other) = (&self.sheet.pieces[mark.first as usize], &self.sheet.pieces[piece]);
        let line = self.sheet.line_pieces(other.line);
        let text = self.sheet.text_of(line.clone());
        let own = self.sheet.text_of(self.sheet.line_pieces(label.line)).trim_end();
        if own.ends_with(is_colon) && text.trim_end().ends_with(is_colon) && label.style == other.style {
            return true;
        }
        // `Material:` and then `Warranty: two years`, or `<b>Warranty</b>: two years`.
        if mark.stand == Stand::Marked
            && begins_like_label(text)
            && !matches!(document.name_id(value), Some(names::TD | names::DD))
        {
            return true;
        }
        // What has the look of a label by its element is one: `<b>`, `<h3>`, `<th>`.
        label.style == other.style && line.start == piece && self.is_distinct(label.node)
    }

    /// Whether an element around a text says that it stands out.
    fn is_distinct(&self, id: NodeId) -> bool {
        let document = self.document();
        let name = document.parent(id).and_then(|id| document.name_id(id));
        matches!(
            name,
            Some(names::B | names::STRONG | names::DT | names::TH | names::LABEL | names::H1 | names::H2 | names::H3)
        ) || matches!(name, Some(names::H4 | names::H5 | names::H6))
    }

    /// Whether a text stands out by itself.
    pub(super) fn is_bold(&self, id: NodeId) -> bool {
        self.is_distinct(id)
    }

    /// The cell whose only line a text stands in.
    pub(super) fn cell_of(&self, id: NodeId) -> Option<NodeId> {
        let cell = self.sheet.cell(id)?;
        // The label is all that the cell has.
        let pieces = self.sheet.pieces_below(cell);
        let line = self.sheet.pieces.get(pieces.start)?.line;
        (self.sheet.pieces.get(pieces.end.checked_sub(1)?)?.line == line).then_some(cell)
    }

    /// Returns whether there is a label below a node.
    pub(super) fn has_label(&self, id: NodeId) -> bool {
        let pieces = self.sheet.pieces_below(id);
        let Some(first) = self.sheet.pieces.get(pieces.start).filter(|_| !pieces.is_empty()) else { return false };
        let end = self.sheet.pieces[pieces.end - 1].end;
        self.label_from(first.start as usize).is_some_and(|mark| mark.start < end)
    }

    /// Whether a cell stands in a row of labels.
    fn is_header(&self, cell: NodeId) -> bool {
        let document = self.document();
        let Some(row) = document.parent(cell) else { return false };
        let cells = self.sheet.cells(row);
        if cells.len() < 2 {
            return false;
        }
        let Some(below) = self.sheet.rows_below(row).next().map(|row| self.sheet.cells(row)) else { return false };
        let at = cells.iter().position(|&id| id == cell).unwrap_or(0);
        // Labels one below the other head rows.
        if below.get(at).is_some_and(|&id| self.has_label(id)) {
            return false;
        }
        if cells.iter().all(|&id| document.name_id(id) == Some(names::TH)) || self.is_above_numbers(row, &cells) {
            return true;
        }
        // A row that looks as its labels do, above one that looks otherwise.
        let style = |cell: NodeId| self.sheet.pieces.get(self.sheet.pieces_below(cell).start).map(|piece| piece.style);
        if below.len() == cells.len()
            && cells.iter().all(|&id| style(id) == style(cell))
            && below.iter().all(|&id| style(id) != style(cell))
        {
            return true;
        }
        let labelled = |at: usize| cells.get(at).is_some_and(|&id| self.has_label(id));
        // A label whose neighbour is one, too.
        (labelled(at + 1) || at > 0 && labelled(at - 1)) && cells.iter().filter(|&&id| self.has_label(id)).count() >= 2
    }

    /// Returns whether cells without a number stand above as many cells, most of which are numbers.
    fn is_above_numbers(&self, row: NodeId, cells: &[NodeId]) -> bool {
        let mut rows = self.sheet.rows_below(row).take(STEPS).map(|row| self.sheet.cells(row));
        let Some(below) = rows.find(|below| below.len() == cells.len()) else { return false };
        let text = |cell: NodeId| self.sheet.text_of(self.sheet.pieces_below(cell));
        let number = |cell: &&NodeId| {
            let text = text(**cell).trim();
            text.contains(|c: char| c.is_ascii_digit()) && !text.contains(char::is_alphabetic)
        };
        cells.len() >= LEAST_COLUMNS
            && !cells.iter().any(|cell| number(&cell))
            && 2 * below.iter().filter(number).count() >= below.len()
    }

    /// The cell below a cell, if its column is not one of a list.
    fn below(&self, cell: NodeId) -> Option<NodeId> {
        let row = self.document().parent(cell)?;
        let column = self.sheet.cells(row).into_iter().take_while(|&id| id != cell).map(|id| self.width(id)).sum();
        let (mut found, mut count) = (None, 0);
        for row in self.sheet.rows_below(row).take(8) {
            let mut at = 0;
            for id in self.sheet.cells(row) {
                let wide: usize = self.width(id);
                if (at..at + wide).contains(&column) {
                    if self.has_label(id) {
                        return found;
                    }
                    if !self.sheet.pieces_below(id).is_empty() {
                        found = found.or(Some(id));
                        count += 1;
                    }
                }
                at += wide;
            }
        }
        // The column of a list belongs to its records.
        found.filter(|_| count < 3)
    }

    fn width(&self, cell: NodeId) -> usize {
        let wide = self.document().attr(cell, "colspan").and_then(|wide| wide.trim().parse().ok());
        wide.unwrap_or(1usize).clamp(1, 1000)
    }
}

/// Returns whether a text is a dash and no more.
fn is_dash(text: &str) -> bool {
    matches!(text, "-" | "–" | "—" | "―" | "--" | "---")
}

/// Whether a text begins as pairs do: up to three words and a colon.
fn begins_like_label(text: &str) -> bool {
    let Some(at) = text.find(':').filter(|&at| at <= LABEL) else { return false };
    let label = text[..at].trim();
    let behind = text[at + 1..].chars().next();
    label.starts_with(char::is_uppercase)
        && label.chars().all(|c| c.is_alphabetic() || is_space(c) || matches!(c, '-' | '/' | '.' | '\''))
        && label.split(' ').count() <= 3
        && behind.is_none_or(is_space)
}

/// Returns whether a sign is one of a currency.
fn is_currency(c: char) -> bool {
    matches!(c, '$' | '£' | '¥' | '￥' | '\u{20A0}'..='\u{20CF}')
}
