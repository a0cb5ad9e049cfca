//! What a store has to tell: its tables, their columns, and how many records there are.
//!
//! Counting goes through each table once.

use std::fmt::Write;

use indicatif::HumanCount;
use miette::Report;
use windrow::store::{Cell, Store};

use super::rows::{Blocks, csv_line};
use crate::args::QueryFormat;
use crate::output::Console;
use crate::run::Ending;
use windrow::data::json::Json;
use windrow::query::catalogue::{Catalogue, OWN, Table, ask, quoted};

/// Records of a table.
#[derive(Debug, Clone, Copy)]
struct Counts {
    now: u64,
    gone: u64,
}

/// Prints it.
pub(super) fn print(store: &mut Store, format: QueryFormat) -> Result<Ending, Report> {
    let catalogue = Catalogue::read(store).map_err(windrow::stores::report)?;
    let mut told = Vec::new();
    for table in &catalogue.tables {
        told.push((table, count(store, table)?));
    }
    let text = match format {
        QueryFormat::Table if told.is_empty() && !store.audits().map_err(windrow::stores::report)?.is_empty() => {
            format!("no records have been kept; of the store itself: {}\n", OWN.join(", "))
        }
        QueryFormat::Table => outline(&told),
        QueryFormat::Csv => rows(&told),
        QueryFormat::Jsonl => told.iter().map(|(table, counts)| object(Json::line(), table, *counts) + "\n").collect(),
        QueryFormat::Json => {
            let objects: Vec<String> =
                told.iter().map(|(table, counts)| object(Json::pretty(1), table, *counts)).collect();
            if objects.is_empty() { "[]\n".to_owned() } else { format!("[\n  {}\n]\n", objects.join(",\n  ")) }
        }
    };
    let console = Console::new(true);
    let mut blocks = Blocks::new(&console);
    blocks.add(vec![(0, text.into_bytes())]);
    blocks.finish()?;
    Ok(if told.is_empty() { Ending::Nothing } else { Ending::Found })
}

fn count(store: &mut Store, table: &Table) -> Result<Counts, Report> {
    let sql = format!("select count(*), count(_gone) from {}", quoted(&table.name));
    let rows = ask(store, &sql).map_err(windrow::stores::report)?;
    let number = |at: usize| match rows.first().and_then(|row| row.get(at)) {
        Some(Cell::Int(number)) => u64::try_from(*number).unwrap_or_default(),
        _ => 0,
    };
    Ok(Counts { now: number(0).saturating_sub(number(1)), gone: number(1) })
}

/// For people.
fn outline(told: &[(&Table, Counts)]) -> String {
    let mut text = String::new();
    for (table, counts) in told {
        let plural = if counts.now == 1 { "" } else { "s" };
        let _ = write!(text, "{}: {} record{plural}", table.view(), HumanCount(counts.now));
        match counts.gone {
            0 => {}
            gone => drop(write!(text, ", and {} more in {} that went", HumanCount(gone), table.name)),
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
    match told.is_empty() {
        true => text += "nothing has been kept yet\n",
        false => drop(writeln!(text, "Of the store itself: {}", OWN.join(", "))),
    }
    text
}

fn rows(told: &[(&Table, Counts)]) -> String {
    let mut text = csv_line(&["table", "records", "column", "kind"].map(str::to_owned));
    for (table, counts) in told {
        for (name, kind) in table.shown() {
            text += &csv_line(&[table.view(), counts.now.to_string(), name, kind.to_owned()]);
        }
    }
    text
}

fn object(mut json: Json, table: &Table, counts: Counts) -> String {
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
