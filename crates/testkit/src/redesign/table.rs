//! Columns of a table whose rows are records: they come, go and change places in all rows alike.
//!
//! A row takes part if it has as many cells as most rows; headings and rows that span the table stay as they are.

use std::collections::BTreeMap;

use super::map::{Map, lineage};
use super::tree::Tree;
use super::words;
use crate::generate::Rng;

/// The parts of a table around its cells.
pub(super) const TABLE: [&str; 6] = ["tr", "thead", "tbody", "tfoot", "colgroup", "caption"];

/// The rows of a table, each with its cells, all equally many.
pub(super) struct Rows {
    pub(super) cells: Vec<Vec<usize>>,
    pub(super) columns: usize,
}

/// The table whose rows are the page's records.
pub(super) fn of_records(tree: &Tree, map: &Map) -> Option<Rows> {
    let unit = *map.units.iter().flatten().next()?;
    if map.is_single() || !tree.is_any(unit, &["tr"]) {
        return None;
    }
    let table = lineage(tree, unit).find(|&at| tree.is_any(at, &["table"]))?;
    let mut rows = Vec::new();
    let mut work = vec![table];
    while let Some(at) = work.pop() {
        if tree.is_any(at, &["tr"]) {
            rows.push(tree.elements(at).filter(|&cell| tree.is_any(cell, &["td", "th"])).collect::<Vec<_>>());
        } else {
            work.extend(tree.elements(at).filter(|&part| tree.is_any(part, &TABLE)));
        }
    }
    let mut counts: BTreeMap<usize, usize> = BTreeMap::new();
    for row in &rows {
        *counts.entry(row.len()).or_default() += 1;
    }
    let columns = counts.into_iter().max_by_key(|&(_, rows)| rows)?.0;
    let plain = |&cell: &usize| tree.attr(cell, "colspan").is_none() && tree.attr(cell, "rowspan").is_none();
    rows.retain(|row| row.len() == columns && row.iter().all(plain));
    // Where some records are not among the rows, columns would move in a part of them only.
    let whole = |record: &Vec<usize>| {
        record.iter().all(|&unit| rows.iter().flatten().any(|&cell| tree.items[cell].parent == unit))
    };
    (columns > 0 && map.units.iter().all(whole)).then_some(Rows { cells: rows, columns })
}

pub(super) fn swap_columns(tree: &mut Tree, rows: &Rows, rng: &mut Rng) -> Option<String> {
    let (one, other) = (rng.below(rows.columns), rng.below(rows.columns));
    if one == other {
        return None;
    }
    for cells in &rows.cells {
        tree.swap(cells[one], cells[other]);
    }
    Some(format!("columns {} and {}", one + 1, other + 1))
}

pub(super) fn drop_column(tree: &mut Tree, map: &Map, rows: &Rows, rng: &mut Rng) -> Option<String> {
    let free = |&column: &usize| rows.cells.iter().all(|cells| map.held[cells[column]] == 0);
    let columns: Vec<usize> = (0..rows.columns).filter(free).collect();
    let column = *columns.get(rng.below(columns.len()))?;
    for cells in &rows.cells {
        tree.remove(cells[column]);
    }
    Some(format!("column {}", column + 1))
}

pub(super) fn insert_column(tree: &mut Tree, rows: &Rows, rng: &mut Rng) -> Option<String> {
    let column = rng.below(rows.columns + 1);
    let word = rng.pick(&words::ATTRIBUTES);
    for cells in &rows.cells {
        let beside = cells[column.min(rows.columns - 1)];
        let row = tree.items[beside].parent;
        let heading = cells.iter().all(|&cell| tree.is_any(cell, &["th"]));
        let cell = tree.element(if heading { "th" } else { "td" }, &[]);
        let text = tree.text(if heading { word } else { rng.pick(&words::SHORT) });
        tree.append(cell, text);
        let rank = tree.rank(beside) + usize::from(column == rows.columns);
        tree.insert(row, rank, cell);
    }
    Some(format!("column {}", column + 1))
}
