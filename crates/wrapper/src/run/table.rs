//! Tables: their data rows, the cells of a row by column, and the names that header rows give to columns.
//!
//! A table is laid out once as a grid in which a cell with `rowspan` or `colspan` stands at every place that it covers,
//! as a reader sees it; columns are then the same in every row.
//!
//! Paper: `extract_table` of TSIMMIS (Hammer et al. 1997, section 2.3).

use std::collections::HashMap;
use std::sync::Arc;

use windrow_dom::{Document, NodeId};
use windrow_xpath::Node;

use super::Run;
use crate::object::Header;
use crate::problem::ProblemKind;
use crate::program::Locator;
use crate::scope::{Place, Scope};
use crate::values::text::collapse;
use crate::wrapper::Column;

/// A table laid out.
#[derive(Debug)]
pub(crate) struct Grid {
    /// For each row element, its cells by column.
    rows: HashMap<NodeId, Vec<Option<NodeId>>>,
    /// The rows that hold data, in order.
    data: Vec<NodeId>,
    /// The columns' names, made of the header rows.
    headers: Vec<String>,
}

/// Columns of one table that are told apart; a `colspan` beyond says nothing.
const MOST_COLUMNS: usize = 1000;
/// Places of one grid: a hostile page's spans must not fill the memory.
const MOST_PLACES: usize = 4_000_000;

impl Grid {
    pub(crate) fn new(document: &Document, table: NodeId) -> Grid {
        let mut grid = Grid { rows: HashMap::new(), data: Vec::new(), headers: Vec::new() };
        // Cells that reach down from rows above: the cell, and how many rows it still covers.
        let mut hanging: Vec<(Option<NodeId>, u32)> = Vec::new();
        let mut header_rows = Vec::new();
        let mut places = 0;
        for row in rows_of(document, table) {
            let mut cells: Vec<Option<NodeId>> = Vec::new();
            let mut column = 0;
            let take_hanging =
                |cells: &mut Vec<Option<NodeId>>, column: &mut usize, hanging: &mut Vec<(Option<NodeId>, u32)>| {
                    while let Some((cell, left)) = hanging.get_mut(*column).filter(|(_, left)| *left > 0) {
                        cells.push(*cell);
                        *left -= 1;
                        *column += 1;
                    }
                };
            let mut all_headers = true;
            for cell in document.children(row).filter(|&cell| matches!(document.name(cell), Some("td" | "th"))) {
                take_hanging(&mut cells, &mut column, &mut hanging);
                all_headers &= document.name(cell) == Some("th");
                let span = |name| document.attr(cell, name).and_then(|value| value.trim().parse::<u32>().ok());
                let across = span("colspan").unwrap_or(1).clamp(1, MOST_COLUMNS as u32) as usize;
                let down = span("rowspan").unwrap_or(1).min(65534);
                for _ in 0..across {
                    if column >= MOST_COLUMNS || places >= MOST_PLACES {
                        break;
                    }
                    cells.push(Some(cell));
                    if hanging.len() <= column {
                        hanging.resize(column + 1, (None, 0));
                    }
                    hanging[column] = (Some(cell), down.saturating_sub(1));
                    column += 1;
                    places += 1;
                }
            }
            take_hanging(&mut cells, &mut column, &mut hanging);
            places += cells.len();
            let in_head = document.parent(row).is_some_and(|parent| document.name(parent) == Some("thead"));
            if cells.is_empty() || places > MOST_PLACES {
                continue;
            }
            if (in_head || all_headers) && grid.data.is_empty() {
                header_rows.push(row);
            } else {
                grid.data.push(row);
            }
            grid.rows.insert(row, cells);
        }
        grid.headers = headers(document, &header_rows, &grid.rows);
        grid
    }

    fn cell(&self, row: NodeId, column: usize) -> Option<NodeId> {
        self.rows.get(&row)?.get(column).copied().flatten()
    }
}

/// The rows of a table itself, not of tables inside it.
fn rows_of(document: &Document, table: NodeId) -> impl Iterator<Item = NodeId> + '_ {
    let is = |id: NodeId, name: &str| document.name(id) == Some(name);
    document.children(table).flat_map(move |child| {
        let row = is(child, "tr").then_some(child);
        let section = ["thead", "tbody", "tfoot"].iter().any(|name| is(child, name));
        let below = section.then(|| document.children(child).filter(move |&row| is(row, "tr")));
        row.into_iter().chain(below.into_iter().flatten())
    })
}

/// The name of each column: the texts of its header cells, from the top down, each once; unique.
fn headers(document: &Document, rows: &[NodeId], grid: &HashMap<NodeId, Vec<Option<NodeId>>>) -> Vec<String> {
    let width = rows.iter().filter_map(|row| grid.get(row)).map(Vec::len).max().unwrap_or(0);
    let mut names: Vec<String> = Vec::new();
    for column in 0..width {
        let mut parts: Vec<String> = Vec::new();
        let mut last = None;
        for row in rows.iter().take(8) {
            let Some(cell) = grid.get(row).and_then(|cells| cells.get(column).copied().flatten()) else { continue };
            if last.replace(cell) == Some(cell) {
                continue;
            }
            let text = collapse(&document.visible_text(cell)).into_owned();
            if !text.is_empty() && parts.last() != Some(&text) {
                parts.push(text.chars().take(100).collect());
            }
        }
        names.push(parts.join(" "));
    }
    names
}

impl<'r> Run<'r> {
    /// Pushes the data rows of the table that a locator leads to.
    pub(super) fn table(
        &mut self,
        inner: &'r Locator,
        scope: Scope,
        variable: u32,
        object: Option<u32>,
    ) -> Option<ProblemKind> {
        let base = self.found.len();
        let miss = self.locate(inner, scope, false, variable, object);
        let Some(place) = self.found.get(base).copied() else { return miss };
        self.found.truncate(base);
        let table = self.table_at(place)?;
        let page = place.page;
        let grid = self.grid(page, table);
        self.found.extend(grid.data.iter().map(|&row| Scope { page, place: Place::Node(Node::node(row)) }));
        None
    }

    /// The table at a place: the node itself, or the first below it; of a range of the source, the innermost table that
    /// its beginning is in, or the next one.
    fn table_at(&self, scope: Scope) -> Option<NodeId> {
        let page = self.page(scope);
        let document = page.document();
        let is_table = |id: NodeId| document.name(id) == Some("table");
        let id = match scope.place {
            Place::Node(node) => node.id(),
            Place::Run { first, .. } => first,
            Place::Span(span) => {
                // The byte behind the place: right behind a table is outside of it.
                let here = windrow_dom::Span { start: span.start, end: span.start.saturating_add(1) };
                let around = page.extents().context(document, here);
                let inside = std::iter::once(around).chain(document.ancestors(around)).find(|&id| is_table(id));
                let next = || {
                    document.nodes().find(|&id| {
                        is_table(id)
                            && document.start_tag(id).is_some_and(|tag| tag.start >= span.start && tag.end <= span.end)
                    })
                };
                return inside.or_else(next);
            }
            Place::Computed(_) => return None,
        };
        std::iter::once(id).chain(document.descendants(id)).find(|&id| is_table(id))
    }

    fn grid(&mut self, page: u16, table: NodeId) -> Arc<Grid> {
        let pages = &self.made.pages;
        let make = || Arc::new(Grid::new(pages[page as usize].document(), table));
        self.grids.entry((page, table.index() as u32)).or_insert_with(make).clone()
    }

    /// The row that a scope is or is in, and the grid of its table.
    fn row_at(&mut self, scope: Scope) -> Option<(NodeId, Arc<Grid>)> {
        let page = self.page(scope).clone();
        let document = page.document();
        let id = match scope.place {
            Place::Node(node) => node.id(),
            Place::Run { first, .. } => first,
            Place::Span(span) => page.extents().context(document, span),
            Place::Computed(_) => return None,
        };
        let mut around = std::iter::once(id).chain(document.ancestors(id));
        let row = around.find(|&id| document.name(id) == Some("tr"))?;
        let table = around.find(|&id| document.name(id) == Some("table"))?;
        Some((row, self.grid(scope.page, table)))
    }

    /// Pushes the cell of a row.
    pub(super) fn column(&mut self, column: &Column, scope: Scope) {
        let Some((row, grid)) = self.row_at(scope) else { return };
        let cell = match column {
            Column::Number(number) => grid.cell(row, (*number as usize).saturating_sub(1)),
            Column::Named(name) => {
                let wanted = collapse(name).to_lowercase();
                let same = |header: &String| header.to_lowercase() == wanted;
                let at = grid.headers.iter().position(same);
                at.and_then(|at| grid.cell(row, at))
            }
        };
        if let Some(cell) = cell {
            self.found.push(Scope { page: scope.page, place: Place::Node(Node::node(cell)) });
        }
    }

    /// Makes an object for each cell of a row, labelled by its column's header, or `column_3` without one.
    pub(super) fn columns(&mut self, variable: u32, scope: Scope) {
        let Some((row, grid)) = self.row_at(scope) else { return };
        let Some(cells) = grid.rows.get(&row) else { return };
        let mut used: Vec<&str> = Vec::new();
        for (at, cell) in cells.iter().enumerate() {
            // A cell over several columns is one value.
            let Some(cell) = *cell else { continue };
            if at > 0 && cells[at - 1] == Some(cell) {
                continue;
            }
            let header = grid.headers.get(at).map_or("", String::as_str);
            let label = match header.is_empty() || used.contains(&header) {
                true => format!("{}_{}", if header.is_empty() { "column" } else { header }, at + 1),
                false => header.to_owned(),
            };
            used.push(header);
            let number = self.header(variable, label);
            let cell = Scope { page: scope.page, place: Place::Node(Node::node(cell)) };
            if self.push(number, cell).is_none() {
                return;
            }
        }
    }

    fn header(&mut self, variable: u32, label: String) -> u32 {
        let next = (self.program.variables.len() + self.made.headers.len()) as u32;
        let number = *self.header_numbers.entry((variable, label.clone())).or_insert(next);
        if number == next {
            self.made.headers.push(Header { label, variable });
        }
        number
    }
}
