//! Tables: their data rows, the cells of a row by column, and the column names given by header rows.
//!
//! A table is laid out once as a grid in which a cell with `rowspan` or `colspan` occupies every place that it
//! covers, as a reader sees it. Columns are then the same in every row.
//!
//! Paper: `extract_table` of TSIMMIS (Hammer et al. 1997, section 2.3).

use std::collections::{HashMap, HashSet};
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

/// The layout of a table.
#[derive(Debug, Default)]
pub(crate) struct Grid {
    /// Cells by column, for each row element.
    rows: HashMap<NodeId, Vec<Option<NodeId>>>,
    /// Data rows, in order.
    data: Vec<NodeId>,
    /// Column names from the header rows, in lower case, which rules refer to.
    headers: Vec<String>,
    /// Labels of the columns' cells; all different.
    labels: Vec<String>,
    /// `true` if rows were left out because there were too many places.
    cut: bool,
}

/// Largest number of columns of a table; a `colspan` beyond it is cut.
const MOST_COLUMNS: usize = 1000;
/// Largest number of places in all grids of a run, so that spans on a hostile page cannot fill the memory.
pub(super) const MOST_PLACES: usize = 4_000_000;

/// Largest number of header rows that contribute to names, for tables that consist only of headers.
const MOST_HEADER_ROWS: usize = 8;
/// Largest number of characters of a header cell that contribute to names.
const MOST_HEADER_CHARACTERS: usize = 100;

impl Grid {
    /// Lays out a table, using at most `left` places.
    pub(crate) fn new(document: &Document, table: NodeId, left: &mut usize) -> Grid {
        let mut grid = Grid::default();
        // Cells that extend down from rows above, with the number of rows they still cover.
        let mut hanging: Vec<(Option<NodeId>, u32)> = Vec::new();
        let mut header_rows = Vec::new();
        let mut width = 0;
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
                    if column >= MOST_COLUMNS || cells.len() >= *left {
                        break;
                    }
                    cells.push(Some(cell));
                    if hanging.len() <= column {
                        hanging.resize(column + 1, (None, 0));
                    }
                    hanging[column] = (Some(cell), down.saturating_sub(1));
                    column += 1;
                }
            }
            take_hanging(&mut cells, &mut column, &mut hanging);
            let in_head = document.parent(row).is_some_and(|parent| document.name(parent) == Some("thead"));
            if cells.len() >= *left {
                grid.cut = true;
                break;
            }
            if cells.is_empty() {
                continue;
            }
            *left -= cells.len();
            width = width.max(cells.len());
            if (in_head || all_headers) && grid.data.is_empty() {
                header_rows.push(row);
            } else {
                grid.data.push(row);
            }
            grid.rows.insert(row, cells);
        }
        let headers = headers(document, &header_rows, &grid.rows);
        grid.labels = labels(&headers, width);
        grid.headers = headers.iter().map(|header| header.to_lowercase()).collect();
        grid
    }

    fn cell(&self, row: NodeId, column: usize) -> Option<NodeId> {
        self.rows.get(&row)?.get(column).copied().flatten()
    }
}

/// Returns the rows of a table itself, not of tables inside it.
fn rows_of(document: &Document, table: NodeId) -> impl Iterator<Item = NodeId> + '_ {
    let is = |id: NodeId, name: &str| document.name(id) == Some(name);
    document.children(table).flat_map(move |child| {
        let row = is(child, "tr").then_some(child);
        let section = ["thead", "tbody", "tfoot"].iter().any(|name| is(child, name));
        let below = section.then(|| document.children(child).filter(move |&row| is(row, "tr")));
        row.into_iter().chain(below.into_iter().flatten())
    })
}

/// Returns the name of each column: the texts of its header cells, from the top down, without repetitions.
fn headers(document: &Document, rows: &[NodeId], grid: &HashMap<NodeId, Vec<Option<NodeId>>>) -> Vec<String> {
    let rows: Vec<&Vec<Option<NodeId>>> = rows.iter().take(MOST_HEADER_ROWS).filter_map(|row| grid.get(row)).collect();
    let width = rows.iter().map(|cells| cells.len()).max().unwrap_or(0);
    // A cell over many columns is read once.
    let mut texts: HashMap<NodeId, String> = HashMap::new();
    let mut names: Vec<String> = Vec::new();
    for column in 0..width {
        let mut parts: Vec<&str> = Vec::new();
        let cells = || rows.iter().filter_map(|cells| cells.get(column).copied().flatten());
        for cell in cells() {
            texts.entry(cell).or_insert_with(|| {
                let text = document.visible_text(cell);
                collapse(&text).chars().take(MOST_HEADER_CHARACTERS).collect()
            });
        }
        for text in cells().filter_map(|cell| texts.get(&cell)) {
            if !text.is_empty() && parts.last() != Some(&text.as_str()) {
                parts.push(text);
            }
        }
        names.push(parts.join(" "));
    }
    names
}

/// Returns labels for `width` columns: the header, or `column_3` without one; repeated headers get a number.
fn labels(headers: &[String], width: usize) -> Vec<String> {
    // Original headers are assigned first, so that a made-up label never replaces one.
    let mut used: HashSet<&str> = HashSet::new();
    let own: Vec<bool> = headers.iter().map(|header| !header.is_empty() && used.insert(header)).collect();
    let mut made: HashSet<String> = HashSet::new();
    let label = |at: usize| {
        let header = headers.get(at).map_or("", String::as_str);
        if own.get(at) == Some(&true) {
            return header.to_owned();
        }
        let mut label = format!("{}_{}", if header.is_empty() { "column" } else { header }, at + 1);
        while used.contains(label.as_str()) || !made.insert(label.clone()) {
            label.push('_');
        }
        label
    };
    (0..width).map(label).collect()
}

impl<'r> Run<'r> {
    /// Pushes the data rows of the table that a locator finds.
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
        let grid = self.grid(page, table, variable);
        self.found.extend(grid.data.iter().map(|&row| Scope { page, place: Place::Node(Node::node(row)) }));
        None
    }

    /// Returns the table at a place: the node itself, or the first one below it. For a range of the source, it is the
    /// innermost table around its beginning, or the next one inside it.
    fn table_at(&self, scope: Scope) -> Option<NodeId> {
        let page = self.page(scope);
        let document = page.document();
        let is_table = |id: NodeId| document.name(id) == Some("table");
        let id = match scope.bare(&self.made).place {
            Place::Node(node) => node.id(),
            Place::Run { first, .. } => first,
            Place::Span(span) => {
                // The byte at the start: a position right after a table is outside of it.
                let here = windrow_dom::Span { start: span.start, end: span.start.saturating_add(1) };
                let around = page.extents().context(document, here);
                let inside = std::iter::once(around).chain(document.ancestors(around)).find(|&id| is_table(id));
                let begins_here = |&id: &NodeId| {
                    is_table(id)
                        && document.start_tag(id).is_some_and(|tag| tag.start >= span.start && tag.end <= span.end)
                };
                return inside.or_else(|| page.extents().starting_in(span).find(begins_here));
            }
            Place::Computed(_) | Place::Pruned(_) => return None,
        };
        std::iter::once(id).chain(document.descendants(id)).find(|&id| is_table(id))
    }

    fn grid(&mut self, page: u16, table: NodeId, variable: u32) -> Arc<Grid> {
        let key = (page, table.index() as u32);
        if let Some(grid) = self.grids.get(&key) {
            return grid.clone();
        }
        let document = self.made.pages[page as usize].document();
        let grid = Arc::new(Grid::new(document, table, &mut self.places));
        if grid.cut {
            let scope = Scope { page, place: Place::Node(Node::node(table)) };
            self.limit(variable, scope, "places in tables", MOST_PLACES as u64);
        }
        self.grids.insert(key, grid.clone());
        grid
    }

    /// Returns the row that a scope is or is in, with the grid of its table.
    fn row_at(&mut self, scope: Scope, variable: u32) -> Option<(NodeId, Arc<Grid>)> {
        let page = self.page(scope).clone();
        let document = page.document();
        let id = match scope.bare(&self.made).place {
            Place::Node(node) => node.id(),
            Place::Run { first, .. } => first,
            Place::Span(span) => page.extents().context(document, span),
            Place::Computed(_) | Place::Pruned(_) => return None,
        };
        let mut around = std::iter::once(id).chain(document.ancestors(id));
        let row = around.find(|&id| document.name(id) == Some("tr"))?;
        let table = around.find(|&id| document.name(id) == Some("table"))?;
        Some((row, self.grid(scope.page, table, variable)))
    }

    /// Pushes one cell of a row.
    pub(super) fn column(&mut self, column: &Column, scope: Scope, variable: u32) {
        let Some((row, grid)) = self.row_at(scope, variable) else { return };
        let cell = match column {
            Column::Number(number) => grid.cell(row, (*number as usize).saturating_sub(1)),
            Column::Named(name) => {
                let wanted = collapse(name).to_lowercase();
                let at = grid.headers.iter().position(|header| *header == wanted);
                at.and_then(|at| grid.cell(row, at))
            }
        };
        if let Some(cell) = cell {
            self.found.push(Scope { page: scope.page, place: Place::Node(Node::node(cell)) });
        }
    }

    /// Makes an object for each cell of a row, labelled with its column's header, or `column_3` without one.
    pub(super) fn columns(&mut self, variable: u32, scope: Scope) {
        let Some((row, grid)) = self.row_at(scope, variable) else { return };
        let Some(cells) = grid.rows.get(&row) else { return };
        for (at, cell) in cells.iter().enumerate() {
            // A cell over several columns is one value.
            let Some(cell) = *cell else { continue };
            if at > 0 && cells[at - 1] == Some(cell) {
                continue;
            }
            let Some(label) = grid.labels.get(at) else { break };
            let number = self.header(variable, label);
            let cell = Scope { page: scope.page, place: Place::Node(Node::node(cell)) };
            if self.push(number, cell).is_none() {
                return;
            }
        }
    }

    fn header(&mut self, variable: u32, label: &str) -> u32 {
        let known = self.header_numbers.entry(variable).or_default();
        if let Some(&number) = known.get(label) {
            return number;
        }
        let number = (self.program.variables.len() + self.made.headers.len()) as u32;
        known.insert(label.to_owned(), number);
        self.made.headers.push(Header { label: label.to_owned(), variable });
        number
    }
}
