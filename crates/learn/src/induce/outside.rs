//! Values that stand outside of the record: a heading over a group of records, or a cell that covers several rows.
//!
//! A heading is found by looking backward from the record; a cell by the column of the table, which counts what covers the row.

use windrow_dom::{NodeId, names};
use windrow_wrapper::{Column, Find, Locator};
use windrow_xpath::{Expr, Node};

use super::locate::Finder;
use crate::scope::Scope;

/// Levels above the record at which a heading may stand.
const LEVELS: usize = 6;
/// Records that an expression is tried on: looking back from each of very many to one heading would take long.
const SAMPLE: usize = 64;

/// Returns the locator of these nodes, one for each record, of which some stand outside of theirs. `shown`: the record whose node is the
/// surest.
pub(crate) fn locator(
    finder: &Finder<'_, '_>,
    scopes: &[Scope],
    nodes: &[Option<NodeId>],
    shown: usize,
) -> Option<Locator> {
    if let Some(column) = column(finder, nodes) {
        return Some(Locator::new(Find::Column(Column::Number(column + 1))));
    }
    let record = scopes.get(shown)?.record.first;
    let step = (scopes.len() / SAMPLE).max(1);
    let records = || scopes.iter().map(|scope| scope.record.first).step_by(step);
    let is_right = |path: &String| {
        firsts(finder, path, records()).is_some_and(|found| found.iter().eq(nodes.iter().step_by(step)))
    };
    paths(finder, record, nodes[shown]?).into_iter().find(is_right).map(Locator::xpath)
}

/// The column of cells that cover rows below them, from 0, if all nodes are cells of one.
fn column(finder: &Finder<'_, '_>, nodes: &[Option<NodeId>]) -> Option<u32> {
    let mut columns = nodes.iter().flatten().map(|&node| finder.view.spanned_column(node));
    let column = columns.next()??;
    columns.all(|other| other == Some(column)).then_some(column)
}

/// Returns whether a node is a cell that covers rows below its own.
pub(super) fn covers_rows(finder: &Finder<'_, '_>, node: NodeId) -> bool {
    let rows = finder.document.attr(node, "rowspan").and_then(|rows| rows.trim().parse::<u32>().ok());
    finder.view.spanned_column(node).is_some() && rows.is_some_and(|rows| rows > 1)
}

/// Returns expressions that may find a heading, as seen from a record below it, the most exact first.
pub(crate) fn paths(finder: &Finder<'_, '_>, record: NodeId, heading: NodeId) -> Vec<String> {
    let document = finder.document;
    let inside = |above: NodeId| above <= record && record < document.subtree_end(above);
    let around = || std::iter::once(heading).chain(document.ancestors(heading));
    let (Some(above), Some(top)) = (around().find(|&id| inside(id)), around().take_while(|&id| !inside(id)).last())
    else {
        return Vec::new();
    };
    if heading >= record {
        return Vec::new();
    }
    let level = std::iter::once(record).chain(document.ancestors(record)).take_while(|&id| id != above).count();
    let Some(level) = level.checked_sub(1).filter(|level| *level < LEVELS) else { return Vec::new() };
    let down: String = finder.steps(top, heading).iter().map(|&id| format!("/{}", finder.xpath_step(id))).collect();
    let front = if level == 0 { String::new() } else { format!("ancestor::*[{level}]/") };
    vec![
        format!("{front}preceding-sibling::{}[1]{down}", step(finder, top)),
        format!("preceding::{}[1]", step(finder, heading)),
    ]
}

/// The step of a heading.
fn step(finder: &Finder<'_, '_>, heading: NodeId) -> String {
    match finder.document.name_id(heading) {
        // A row without a class is told from the records by its one cell.
        Some(names::TR) if !finder.view.has_class(heading) => "tr[count(td | th)=1]".to_owned(),
        _ => finder.xpath_step(heading),
    }
}

/// Returns the first node that an expression finds from each record; none if it cannot be read.
pub(crate) fn firsts(
    finder: &Finder<'_, '_>,
    path: &str,
    records: impl Iterator<Item = NodeId>,
) -> Option<Vec<Option<NodeId>>> {
    let expr = Expr::xpath(path).ok()?;
    let first = |node: NodeId| expr.select(finder.document, node).ok()?.first().map(|node: &Node| node.id());
    Some(records.map(first).collect())
}
