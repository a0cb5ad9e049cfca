//! From a label to its value: what follows it, in the ways pages lay out pairs.
//!
//! | layout | label | value |
//! |---|---|---|
//! | in the line | `Price: $3.77`, `<b>Price</b> $3.77` | the rest of the line, up to the next label |
//! | beside or below | a cell, a `dt`, a heading, a block | the next block: all of what follows that does not hold the label |
//! | column | a cell of a header row | the cell below it |
//!
//! An empty value ends the search: a label in the place of a value, known or only looking like the known ones, is none.

use std::ops::Range;

use windrow_dom::{Document, NodeId, names};

use super::judge::link_around;
use super::lexicon::{Mark, Stand, is_colon};
use super::sheet::{Sheet, is_space};
use super::unknown::NONE;

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
    /// In front of its label, which stands in brackets.
    Before,
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
    /// The smallest node that has it all, and the label's, if they are not one.
    pub(super) node: NodeId,
}

/// Finds the values of labels.
pub(super) struct Layouts<'s, 'd> {
    pub(super) sheet: &'s Sheet<'d>,
    pub(super) marks: &'s [Mark],
    /// By line: the first mark in it or behind it.
    first_mark: Vec<u32>,
}

impl<'s, 'd> Layouts<'s, 'd> {
    pub(super) fn new(sheet: &'s Sheet<'d>, marks: &'s [Mark]) -> Layouts<'s, 'd> {
        let mut first_mark = Vec::with_capacity(sheet.lines.len() + 1);
        let mut at = 0;
        for line in 0..=sheet.lines.len() as u32 {
            while marks.get(at).is_some_and(|mark| mark.line < line) {
                at += 1;
            }
            first_mark.push(at as u32);
        }
        Layouts { sheet, marks, first_mark }
    }

    fn document(&self) -> &'d Document {
        self.sheet.document
    }

    /// What a candidate says, as the page has it.
    pub(super) fn text(&self, candidate: &Candidate) -> &'s str {
        &self.sheet.text[candidate.start as usize..candidate.end as usize]
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
        self.marks[at..].iter().find(|mark| mark.stand < Stand::Prose)
    }

    /// The values of all labels of a role.
    pub(super) fn candidates(&self) -> Vec<Candidate> {
        let known = (0..self.marks.len()).filter(|&number| self.marks[number].role != NONE);
        known.filter_map(|number| self.follow(number)).collect()
    }

    /// The value of a label, if it has one.
    pub(super) fn follow(&self, number: usize) -> Option<Candidate> {
        let mark = &self.marks[number];
        if mark.stand == Stand::Prose {
            return None;
        }
        if mark.stand == Stand::Behind {
            let (start, end) = self.in_front(number)?;
            return self.candidate(number, Layout::Before, start, end);
        }
        match self.in_line(mark) {
            Some((start, end)) => {
                let layout = if mark.stand == Stand::Marked { Layout::Line } else { Layout::Beside };
                self.candidate(number, layout, start, end)
            }
            None if self.ends_line(mark) => self.in_block(number),
            None => None,
        }
    }

    fn ends_line(&self, mark: &Mark) -> bool {
        let pieces = self.sheet.line_pieces(mark.line);
        let end = self.sheet.pieces[pieces.end - 1].end as usize;
        !self.sheet.text[mark.rest as usize..end].contains(char::is_alphanumeric)
    }

    fn candidate(&self, number: usize, layout: Layout, start: usize, end: usize) -> Option<Candidate> {
        let text = &self.sheet.text[start..end];
        let trimmed = text.trim_matches(|c: char| is_space(c) || matches!(c, '|' | '•' | '·' | ';' | ','));
        if !trimmed.contains(char::is_alphanumeric) {
            return None;
        }
        let start = start + text.find(trimmed).unwrap_or(0);
        let end = start + trimmed.len();
        let node = self.node_of(start, end);
        let mark = &self.marks[number];
        Some(Candidate { role: mark.role, mark: number as u32, layout, start: start as u32, end: end as u32, node })
    }

    /// The smallest node that has all of these bytes.
    pub(super) fn node_of(&self, start: usize, end: usize) -> NodeId {
        let pieces = self.pieces_of(start, end);
        let (first, last) = (self.sheet.pieces[pieces.start].node, self.sheet.pieces[pieces.end - 1].node);
        let document = self.document();
        std::iter::once(first)
            .chain(document.ancestors(first))
            .find(|&id| document.subtree_end(id) > last)
            .unwrap_or(NodeId::ROOT)
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
        let earlier = self.marks[..number].iter().rev().find(|other| other.stand < Stand::Prose);
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
            end = next.start as usize;
        }
        // What looks like this label and ends like one is a label that is not known.
        let style = self.sheet.pieces[mark.first as usize].style;
        for piece in &self.sheet.pieces[(mark.last as usize + 1).min(pieces.end)..pieces.end] {
            if piece.style == style && self.sheet.text[piece.range()].trim_end().ends_with(is_colon) {
                end = end.min(piece.start as usize);
            }
        }
        (start < end && self.sheet.text[start..end].contains(char::is_alphanumeric)).then_some((start, end))
    }

    /// What stands behind the label's line: in the next cell, the next block, the cell below.
    fn in_block(&self, number: usize) -> Option<Candidate> {
        let mark = &self.marks[number];
        let document = self.document();
        let line = self.sheet.line_pieces(mark.line);
        let label = self.sheet.pieces[mark.last as usize].node;
        let cell = self.cell_of(label);
        if let Some(cell) = cell
            && self.is_header(cell)
        {
            let below = self.below(cell)?;
            return self.whole(number, Layout::Column, below);
        }
        let next = self.sheet.pieces.get(line.end)?.node;
        // The largest thing that follows and does not hold the label.
        let value = std::iter::once(next)
            .chain(document.ancestors(next))
            .take_while(|&id| !(id <= label && label < document.subtree_end(id)))
            .last()?;
        // A cell's value does not stand in another row, but below a label that is alone in its own.
        if let Some(cell) = cell
            && let Some(row) = document.parent(cell)
            && document.subtree_end(row) <= next
            && self.cells(row).len() > 1
        {
            return None;
        }
        let layout = match document.name_id(value) {
            Some(names::TD | names::TH) => Layout::Cell,
            Some(names::DD) => Layout::Definition,
            _ => Layout::Below,
        };
        self.whole(number, layout, value)
    }

    /// All of a node's text, up to the first label in it.
    fn whole(&self, number: usize, layout: Layout, node: NodeId) -> Option<Candidate> {
        let pieces = self.sheet.pieces_below(node);
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
        if self.looks_like_label(number, pieces.start) {
            return None;
        }
        self.candidate(number, layout, start, end.max(start))
    }

    /// Whether a line looks as labels do here.
    fn looks_like_label(&self, number: usize, piece: usize) -> bool {
        let mark = &self.marks[number];
        let (label, other) = (self.sheet.pieces[mark.first as usize], self.sheet.pieces[piece]);
        let line = self.sheet.line_pieces(other.line);
        let text = self.sheet.text_of(line).trim_end();
        let own = self.sheet.text_of(self.sheet.line_pieces(label.line)).trim_end();
        own.ends_with(is_colon) && text.ends_with(is_colon) && label.style == other.style
    }

    fn cell_of(&self, id: NodeId) -> Option<NodeId> {
        let document = self.document();
        let cell = document.ancestors(id).find(|&id| matches!(document.name_id(id), Some(names::TD | names::TH)))?;
        // The label is all that the cell has.
        let pieces = self.sheet.pieces_below(cell);
        let line = self.sheet.pieces.get(pieces.start)?.line;
        (self.sheet.pieces.get(pieces.end - 1)?.line == line).then_some(cell)
    }

    fn cells(&self, row: NodeId) -> Vec<NodeId> {
        let document = self.document();
        document
            .children(row)
            .filter(|&id| matches!(document.name_id(id), Some(names::TD | names::TH)))
            .take(512)
            .collect()
    }

    fn has_label(&self, cell: NodeId) -> bool {
        let pieces = self.sheet.pieces_below(cell);
        let Some(first) = self.sheet.pieces.get(pieces.start).filter(|_| !pieces.is_empty()) else { return false };
        let end = self.sheet.pieces[pieces.end - 1].end;
        self.label_from(first.start as usize).is_some_and(|mark| mark.start < end)
    }

    /// Whether a cell stands in a row of labels.
    fn is_header(&self, cell: NodeId) -> bool {
        let document = self.document();
        let Some(row) = document.parent(cell) else { return false };
        let cells = self.cells(row);
        if cells.len() < 2 {
            return false;
        }
        let heads = cells.iter().filter(|&&id| document.name_id(id) == Some(names::TH)).count();
        if heads == cells.len() {
            return true;
        }
        let at = cells.iter().position(|&id| id == cell).unwrap_or(0);
        let beside = |at: usize| cells.get(at).is_some_and(|&id| self.has_label(id));
        // A row that looks as its labels do, above one that looks otherwise.
        let style = |cell: NodeId| self.sheet.pieces.get(self.sheet.pieces_below(cell).start).map(|piece| piece.style);
        let next = std::iter::successors(document.next_sibling(row), |&id| document.next_sibling(id))
            .find(|&id| document.name_id(id) == Some(names::TR));
        if let Some(below) = next.map(|row| self.cells(row))
            && below.len() == cells.len()
            && cells.iter().all(|&id| style(id) == style(cell))
            && below.iter().all(|&id| style(id) != style(cell))
        {
            return true;
        }
        // A label whose neighbour is one, too.
        (beside(at + 1) || at > 0 && beside(at - 1)) && cells.iter().filter(|&&id| self.has_label(id)).count() >= 2
    }

    /// The cell below a cell.
    fn below(&self, cell: NodeId) -> Option<NodeId> {
        let document = self.document();
        let row = document.parent(cell)?;
        let column = self.column(row, cell);
        let mut next = document.next_sibling(row);
        if next.is_none_or(|_| document.parent(row).is_some_and(|part| document.name_id(part) == Some(names::THEAD))) {
            let part = document.parent(row)?;
            next = next.filter(|&id| document.is_element(id)).or_else(|| {
                let after = std::iter::successors(document.next_sibling(part), |&id| document.next_sibling(id));
                after.filter(|&id| document.is_element(id)).find_map(|id| document.first_child(id))
            });
        }
        let rows = std::iter::successors(next, |&id| document.next_sibling(id));
        let rows = rows.filter(|&id| document.name_id(id) == Some(names::TR)).take(8);
        let (mut found, mut count) = (None, 0);
        for row in rows {
            let mut at = 0;
            for id in self.cells(row) {
                let wide = self.width(id);
                if at <= column && column < at + wide {
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

    fn column(&self, row: NodeId, cell: NodeId) -> usize {
        self.cells(row).into_iter().take_while(|&id| id != cell).map(|id| self.width(id)).sum()
    }

    fn width(&self, cell: NodeId) -> usize {
        let wide = self.document().attr(cell, "colspan").and_then(|wide| wide.trim().parse().ok());
        wide.unwrap_or(1usize).clamp(1, 1000)
    }
}
