//! Things one below the other: a table whose first row names its columns has a record in each row.
//!
//! The head of such a table has labels of several roles side by side, and the rows below it have as many cells and no labels. A page
//! about one thing may have such a table as well: the seasons of a player, the sizes of a shirt. So the table's rows are the records
//! only if the rest of the page says little in the words of the domain.
//!
//! # Cost
//!
//! The cells of the rows below each head.

use windrow_dom::{Document, NodeId, names};

use super::confidence::Clues;
use super::judge::Judged;
use super::layout::{Candidate, Layout, Layouts};
use super::lexicon::Stand;
use super::records::Group;
use super::unknown::NONE;

/// Roles that a head must have.
const LEAST: usize = 3;
/// Rows that make a list, and rows of one table.
const LEAST_ROWS: usize = 2;
const MOST_ROWS: usize = 2000;
/// The score of a value below its label: that of `judge`, with its pattern and company.
const SCORE: f32 = 1.7;

/// A row of labels: the cells, and by cell the label in it.
struct Head {
    row: NodeId,
    cells: usize,
    labels: Vec<(usize, u32)>,
}

/// The records of a table that lists things, if it says most of what the page says.
pub(super) fn groups(layouts: &Layouts<'_, '_>, judged: &[Judged], data_rich: f64) -> Option<Vec<Group>> {
    let rich = data_rich.exp2().ceil().max(LEAST as f64) as usize;
    let mut best: Option<(usize, Vec<Group>)> = None;
    for head in heads(layouts, rich) {
        let records = records(layouts, &head);
        let count = head.labels.len() * records.len();
        if records.len() >= LEAST_ROWS
            && is_most(layouts, &head, &records, judged)
            && best.as_ref().is_none_or(|(known, _)| *known < count)
        {
            best = Some((count, records));
        }
    }
    best.map(|(_, records)| records)
}

/// Rows with labels of several roles. Rows with links offer things that are told of elsewhere, unless each is data-rich: with so
/// many roles, `rich`, its entropy reaches the threshold.
fn heads(layouts: &Layouts<'_, '_>, rich: usize) -> Vec<Head> {
    let sheet = layouts.sheet;
    let mut heads: Vec<Head> = Vec::new();
    for (number, mark) in layouts.marks.iter().enumerate() {
        if mark.stand >= Stand::Prose || mark.role == NONE {
            continue;
        }
        let Some(cell) = layouts.cell_of(sheet.pieces[mark.first as usize].node) else { continue };
        let Some(row) = sheet.document.parent(cell) else { continue };
        if heads.last().is_none_or(|head| head.row != row) {
            heads.push(Head { row, cells: sheet.cells(row).len(), labels: Vec::new() });
        }
        let Some(head) = heads.last_mut() else { continue };
        let at = sheet.cells(row).iter().position(|&id| id == cell);
        let known = |role: u32| head.labels.iter().any(|&(_, other)| layouts.marks[other as usize].role == role);
        if let Some(at) = at.filter(|at| !known(mark.role) && head.labels.last().is_none_or(|last| last.0 != *at)) {
            head.labels.push((at, number as u32));
        }
    }
    heads.retain(|head| {
        let linked = sheet.rows_below(head.row).next().is_some_and(|row| has_link(sheet.document, row));
        let enough = if linked { rich } else { LEAST };
        head.labels.len() >= enough && 2 * head.labels.len() > head.cells
    });
    heads
}

/// Returns whether there is a link below a node.
fn has_link(document: &Document, id: NodeId) -> bool {
    document.descendants(id).any(|id| document.name_id(id) == Some(names::A))
}

/// A record for each row below a head.
fn records(layouts: &Layouts<'_, '_>, head: &Head) -> Vec<Group> {
    let sheet = layouts.sheet;
    let text = |cell: NodeId| {
        let pieces = sheet.pieces_below(cell);
        let (first, last) = (sheet.pieces.get(pieces.start)?, sheet.pieces.get(pieces.end.checked_sub(1)?)?);
        let (start, end) = (first.start as usize, last.end as usize);
        let range = layouts.without_buttons(start..end);
        let said = sheet.text.get(range.clone())?.contains(char::is_alphanumeric);
        (!pieces.is_empty() && said).then_some((range.start as u32, range.end as u32))
    };
    let mut groups = Vec::new();
    for row in sheet.rows_below(head.row).take(MOST_ROWS) {
        let cells = sheet.cells(row);
        if cells.len() != head.cells {
            continue;
        }
        // Another head, or a table of pairs.
        if cells.iter().filter(|&&cell| layouts.has_label(cell)).count() >= 2 {
            break;
        }
        let pairs = head.labels.iter().filter_map(|&(at, number)| {
            let (start, end) = text(*cells.get(at)?)?;
            let fits = layouts.matches(number as usize, &sheet.text[start as usize..end as usize]);
            if fits == Some(false) {
                return None;
            }
            let role = layouts.marks[number as usize].role;
            let candidate = Candidate { role, mark: number, layout: Layout::Column, start, end, list: None };
            let company = head.labels.len() as u32 - 1;
            let clues =
                Clues { fits, company, alone: true, words: 1, length: end - start, at_home: true, ..Clues::default() };
            Some(Judged { candidate, score: SCORE, clues })
        });
        let mut pairs: Vec<Judged> = pairs.collect();
        // A row of one text is a heading or a sum.
        if 2 * pairs.len() <= head.labels.len() {
            continue;
        }
        pairs.sort_by_key(|pair| pair.candidate.role);
        let first = (head.labels[0].0 > 0).then(|| text(cells[0])).flatten();
        groups.push(Group { node: row, entropy: 0.0, pairs, title: first });
    }
    groups
}

/// Returns whether the page says little beside a table's records: pairs of fewer roles than half of those of the table.
fn is_most(layouts: &Layouts<'_, '_>, head: &Head, records: &[Group], judged: &[Judged]) -> bool {
    let document = layouts.sheet.document;
    let end = records.last().map_or(head.row, |last| document.subtree_end(last.node));
    let outside = |pair: &&Judged| !(head.row..end).contains(&layouts.label_node(&pair.candidate));
    let mut roles: Vec<u32> = judged.iter().filter(outside).map(|pair| pair.candidate.role).collect();
    roles.sort_unstable();
    roles.dedup();
    2 * roles.len() < head.labels.len()
}
