//! An overview of a store: its tables, their columns, and the number of records.
//!
//! Counting goes through each table once.

use std::fmt::Write;

use crate::store::{Cell, Store};
use miette::Report;

use super::catalogue::{Catalogue, OWN, StoreTable, ask, quoted};
use super::cells::csv_line;
use crate::data::json::Json;
use crate::format::OutputFormat;
use crate::text::grouped;

/// Records of a table.
#[derive(Debug, Clone, Copy)]
struct TableCounts {
    now: u64,
    gone: u64,
}

/// Describes a store in a format of rows: its tables, their columns, the number of records. The second value says whether it has any table of records.
///
/// # Errors
///
/// The store failed.
pub fn describe(store: &mut Store, format: OutputFormat) -> Result<(String, bool), Report> {
    let catalogue = Catalogue::read(store).map_err(crate::stores::report)?;
    let mut told = Vec::new();
    for table in &catalogue.tables {
        told.push((table, count(store, table)?));
    }
    let text = match format {
        OutputFormat::Table if told.is_empty() && !store.audits().map_err(crate::stores::report)?.is_empty() => {
            format!("no records have been kept; of the store itself: {}\n", OWN.join(", "))
        }
        OutputFormat::Table => outline(&told),
        OutputFormat::CSV => rows(&told),
        OutputFormat::JSONL => told.iter().map(|(table, counts)| object(Json::line(), table, *counts) + "\n").collect(),
        _ => {
            let objects: Vec<String> =
                told.iter().map(|(table, counts)| object(Json::pretty(1), table, *counts)).collect();
            if objects.is_empty() { "[]\n".to_owned() } else { format!("[\n  {}\n]\n", objects.join(",\n  ")) }
        }
    };
    Ok((text, !told.is_empty()))
}

fn count(store: &mut Store, table: &StoreTable) -> Result<TableCounts, Report> {
    let sql = format!("select count(*), count(_gone) from {}", quoted(&table.name));
    let rows = ask(store, &sql).map_err(crate::stores::report)?;
    let number = |at: usize| match rows.first().and_then(|row| row.get(at)) {
        Some(Cell::Int(number)) => u64::try_from(*number).unwrap_or_default(),
        _ => 0,
    };
    Ok(TableCounts { now: number(0).saturating_sub(number(1)), gone: number(1) })
}

/// For people.
fn outline(told: &[(&StoreTable, TableCounts)]) -> String {
    let mut text = String::new();
    for (table, counts) in told {
        let plural = if counts.now == 1 { "" } else { "s" };
        let _ = write!(text, "{}: {} record{plural}", table.view(), grouped(counts.now));
        match counts.gone {
            0 => {}
            gone => drop(write!(text, ", and {} more in {} that went", grouped(gone), table.name)),
        }
        if let Some(parent) = &table.parent {
            let _ = write!(text, "; _parent is the _id in {parent}_now");
        }
        text.push('\n');
        let shown = table.shown();
        let width = shown.iter().map(|(name, _)| name.chars().count()).max().unwrap_or_default();
        for (name, kind) in shown {
            let gap = " ".repeat(width - name.chars().count());
            let _ = writeln!(text, "  {name}{gap}  {kind}");
        }
        text.push('\n');
    }
    if told.is_empty() {
        text += "nothing has been kept yet\n"
    } else {
        let _ = writeln!(text, "Of the store itself: {}", OWN.join(", "));
    }
    text
}

fn rows(told: &[(&StoreTable, TableCounts)]) -> String {
    let mut text = csv_line(&["table", "records", "column", "kind"].map(str::to_owned));
    for (table, counts) in told {
        for (name, kind) in table.shown() {
            text += &csv_line(&[table.view(), counts.now.to_string(), name, kind.to_owned()]);
        }
    }
    text
}

fn object(mut json: Json, table: &StoreTable, counts: TableCounts) -> String {
    json.object(|json| {
        json.key("table");
        json.text(&table.view());
        json.key("with_gone");
        json.text(&table.name);
        json.key("parent");
        match &table.parent {
            Some(parent) => json.text(&format!("{parent}_now")),
            None => json.literal("null"),
        }
        json.key("records");
        json.literal(&counts.now.to_string());
        json.key("gone");
        json.literal(&counts.gone.to_string());
        json.key("columns");
        json.array(|json| {
            for (name, kind) in table.shown() {
                json.element();
                json.object(|json| {
                    json.key("name");
                    json.text(&name);
                    json.key("kind");
                    json.text(kind);
                });
            }
        });
    });
    json.finish()
}
