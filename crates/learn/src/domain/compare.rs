//! Things side by side: a table that compares them has a column for each, and a label in front of each row.
//!
//! The first row names the things, over an empty corner. Such a table is not one record whose values have several cells,
//! but as many records as it has columns.

use windrow_dom::{NodeId, names};

use super::judge::Judged;
use super::layout::{Candidate, Layout, Layouts};
use super::records::Group;

/// Roles that a table must compare.
const LEAST: usize = 3;
/// Things in one table, and tables that are looked at.
const MOST: usize = 64;

/// A label's pair, and the cells of its row.
type Row<'j> = (&'j Judged, Vec<NodeId>);

/// The records of a table that compares things, if the page has one that tells most of what it says.
pub(super) fn groups(layouts: &Layouts<'_, '_>, judged: &[Judged]) -> Option<Vec<Group>> {
    let sheet = layouts.sheet;
    let document = sheet.document;
    let mut tables: Vec<(NodeId, Vec<Row<'_>>)> = Vec::new();
    for pair in judged.iter().filter(|pair| pair.candidate.layout == Layout::Cell && pair.candidate.list.is_none()) {
        let label = layouts.label_node(&pair.candidate);
        let Some(row) = sheet.cell(label).and_then(|cell| document.parent(cell)) else { continue };
        let Some(table) = document.ancestors(row).find(|&id| document.name_id(id) == Some(names::TABLE)) else {
            continue;
        };
        let cells = sheet.cells(row);
        if cells.len() < 3 || cells.first().is_none_or(|&first| !(first..document.subtree_end(first)).contains(&label))
        {
            continue;
        }
        match tables.iter().position(|(known, _)| *known == table) {
            Some(at) => tables[at].1.push((pair, cells)),
            None if tables.len() < MOST => tables.push((table, vec![(pair, cells)])),
            None => {}
        }
    }
    tables.retain(|(_, rows)| {
        let mut roles: Vec<u32> = rows.iter().map(|(pair, _)| pair.candidate.role).collect();
        roles.sort_unstable();
        roles.dedup();
        let same = rows.iter().all(|(_, cells)| cells.len() == rows[0].1.len());
        roles.len() >= LEAST && roles.len() == rows.len() && same && 2 * rows.len() >= judged.len()
    });
    let (table, rows) = tables.into_iter().next()?;
    let first = document.descendants(table).find(|&id| document.name_id(id) == Some(names::TR))?;
    let heads = sheet.cells(first);
    let empty = |id: NodeId| sheet.pieces_below(id).is_empty();
    if heads.len() != rows[0].1.len() || !empty(heads[0]) || heads[1..].iter().any(|&id| empty(id)) {
        return None;
    }
    let mut groups = Vec::new();
    for column in (1..heads.len()).take(MOST) {
        let text = |cell: NodeId| {
            let pieces = sheet.pieces_below(cell);
            let (first, last) = (sheet.pieces.get(pieces.start)?, sheet.pieces.get(pieces.end.checked_sub(1)?)?);
            (!pieces.is_empty()).then_some((first.start, last.end))
        };
        let pairs = rows.iter().filter_map(|(pair, cells)| {
            let (start, end) = text(*cells.get(column)?)?;
            Some(Judged {
                candidate: Candidate { start, end, ..pair.candidate.clone() },
                score: pair.score,
                clues: pair.clues,
            })
        });
        let mut pairs: Vec<Judged> = pairs.collect();
        pairs.sort_by_key(|pair| pair.candidate.role);
        let title = text(heads[column]);
        groups.push(Group { node: heads[column], entropy: 0.0, pairs, title });
    }
    Some(groups)
}
