//! Rows as they are printed: one after the other as they come, in blocks of whole lines.
//!
//! A block is handed over when it is large or when some time has passed, so that the first rows of a slow query do not
//! wait for the last, and a million quick ones do not cost a million writes.

use std::collections::HashSet;
use std::ops::ControlFlow;
use std::time::{Duration, Instant};

use windrow::store::export::ExportError;
use windrow::store::{Answer, Cell};

use crate::args::{QueryFormat, RowLimit};
use crate::output::{Console, Output, Sink, Stop};
use crate::run::Pieces;
use crate::terminal;
use windrow::data::json::Json;
use windrow::format::printer::{Block, Printer, Room};

/// Bytes that are printed together.
const BLOCK: usize = 64 << 10;
/// How long a row waits for others.
const PATIENCE: Duration = Duration::from_millis(100);

/// Prints what comes, in blocks.
pub(super) struct Blocks<'c> {
    output: Output<'c>,
    waiting: Vec<u8>,
    printed: Instant,
    stop: Option<Stop>,
}

impl<'c> Blocks<'c> {
    pub(super) fn new(console: &'c Console) -> Blocks<'c> {
        let output = Output::new(Sink::Standard, console);
        Blocks { output, waiting: Vec::new(), printed: Instant::now(), stop: None }
    }

    /// Adds lines; false if nobody takes any more.
    pub(super) fn add(&mut self, pieces: Vec<(usize, Vec<u8>)>) -> bool {
        pieces.into_iter().for_each(|(_, bytes)| self.waiting.extend(bytes));
        match self.waiting.len() >= BLOCK || self.printed.elapsed() >= PATIENCE {
            true => self.flush(),
            false => self.stop.is_none(),
        }
    }

    /// Prints what waits; false if nobody takes it.
    fn flush(&mut self) -> bool {
        if self.stop.is_none()
            && let ControlFlow::Break(stop) = self.output.write(0, &self.waiting)
        {
            self.stop = Some(stop);
        }
        self.waiting.clear();
        self.printed = Instant::now();
        self.stop.is_none()
    }

    /// Prints the rest. An error if the output could not be written; that nobody reads it is none.
    pub(super) fn finish(mut self) -> Result<(), miette::Report> {
        self.flush();
        match self.stop {
            Some(Stop::Failed(error)) => {
                Err(miette::miette!(code = "output::failed", "cannot write the output: {error}"))
            }
            Some(Stop::Closed) | None => Ok(()),
        }
    }
}

/// An answer that is printed.
pub(super) struct Rows<'c> {
    format: QueryFormat,
    rows: Option<RowLimit>,
    blocks: Blocks<'c>,
    names: Vec<String>,
    printer: Printer,
    /// How many there were.
    count: u64,
}

impl<'c> Rows<'c> {
    pub(super) fn new(format: QueryFormat, rows: Option<RowLimit>, console: &'c Console) -> Rows<'c> {
        Rows { format, rows, blocks: Blocks::new(console), names: Vec::new(), printer: Printer::plain(), count: 0 }
    }

    /// Prints what is left; how many rows there were.
    pub(super) fn finish(mut self) -> Result<u64, miette::Report> {
        let end = text_pieces(self.printer.end());
        self.blocks.add(end);
        self.blocks.finish()?;
        Ok(self.count)
    }

    /// Prints the rows that came before the query failed. An array stays open: it is not whole.
    pub(super) fn give_up(mut self) -> Result<(), miette::Report> {
        if self.format != QueryFormat::Json {
            let end = text_pieces(self.printer.end());
            self.blocks.add(end);
        }
        self.blocks.finish()
    }
}

impl Answer for Rows<'_> {
    fn columns(&mut self, names: &[String]) {
        self.names = distinct(names);
        self.printer = match self.format {
            QueryFormat::Table => {
                Printer::table(self.names.clone(), terminal::room(self.rows, "--format csv shows all"))
            }
            QueryFormat::Csv => Printer::below(csv_line(&self.names)),
            QueryFormat::Json => Printer::json_array(),
            QueryFormat::Jsonl => Printer::plain(),
        };
    }

    fn row(&mut self, cells: Vec<Cell>) -> bool {
        self.count += 1;
        let block = match self.format {
            QueryFormat::Table => Block::Rows(vec![cells.iter().map(text).collect()]),
            QueryFormat::Csv => Block::Text(csv_line(&cells.iter().map(text).collect::<Vec<_>>())),
            QueryFormat::Json | QueryFormat::Jsonl => Block::Text(object(&self.names, &cells) + "\n"),
        };
        let pieces = text_pieces(self.printer.print(block));
        self.blocks.add(pieces)
    }
}

/// The pieces of a text format, which takes every value.
pub(super) fn text_pieces(printed: Result<Pieces, ExportError>) -> Pieces {
    printed.unwrap_or_default()
}

/// Names of columns that can be keys: the second of one name is `name_2`.
fn distinct(names: &[String]) -> Vec<String> {
    let all: HashSet<&String> = names.iter().collect();
    let mut given: HashSet<String> = HashSet::new();
    let mut distinct = Vec::with_capacity(names.len());
    for name in names {
        let mut free = name.clone();
        let mut number = 2;
        // A name that another column has by itself is left to it.
        while given.contains(&free) || number > 2 && all.contains(&free) {
            free = format!("{name}_{number}");
            number += 1;
        }
        given.insert(free.clone());
        distinct.push(free);
    }
    distinct
}

/// A line of CSV.
pub(super) fn csv_line(cells: &[String]) -> String {
    let mut writer = csv::Writer::from_writer(Vec::new());
    // Nothing can go wrong in memory.
    let _ = writer.write_record(cells);
    String::from_utf8(writer.into_inner().unwrap_or_default()).unwrap_or_default()
}

fn object(names: &[String], cells: &[Cell]) -> String {
    let mut json = Json::line();
    json.object(|json| {
        for (name, cell) in names.iter().zip(cells) {
            json.key(name);
            match cell {
                Cell::Null => json.literal("null"),
                Cell::Real(number) if !number.is_finite() => json.text(&number.to_string()),
                Cell::Number(digits) if !is_json_number(digits) => json.text(digits),
                Cell::Int(_) | Cell::Real(_) | Cell::Number(_) | Cell::Bool(_) => json.literal(&text(cell)),
                Cell::Text(_) | Cell::Bytes(_) => json.text(&text(cell)),
            }
        }
    });
    json.finish()
}

/// Whether digits are as JSON has them; `NaN` and `Infinity`, which PostgreSQL knows, are not.
fn is_json_number(digits: &str) -> bool {
    let digits = digits.strip_prefix('-').unwrap_or(digits);
    digits.starts_with(|first: char| first.is_ascii_digit())
        && digits.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.')
}

/// A value as text; nothing is empty.
fn text(cell: &Cell) -> String {
    match cell {
        Cell::Null => String::new(),
        Cell::Int(number) => number.to_string(),
        // With a point, as the database shows it.
        Cell::Real(number) => format!("{number:?}"),
        Cell::Number(digits) => digits.clone(),
        Cell::Bool(truth) => truth.to_string(),
        Cell::Text(text) => text.clone(),
        Cell::Bytes(bytes) => {
            let digits = bytes.iter().map(|byte| format!("{byte:02x}"));
            std::iter::once("\\x".to_owned()).chain(digits).collect()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_become_keys() {
        let check = |names: &[&str], expected: &[&str]| {
            let names: Vec<String> = names.iter().map(|name| (*name).to_owned()).collect();
            assert_eq!(distinct(&names), expected);
        };
        check(&["title", "price"], &["title", "price"]);
        check(&["title", "title", "title"], &["title", "title_2", "title_3"]);
        check(&["a", "a", "a_2"], &["a", "a_3", "a_2"]);
    }

    #[test]
    fn every_cell_is_json() {
        let cells = [
            Cell::Null,
            Cell::Int(-3),
            Cell::Real(0.5),
            Cell::Real(1e300),
            Cell::Real(f64::INFINITY),
            Cell::Number("340.50".to_owned()),
            Cell::Number("NaN".to_owned()),
            Cell::Bool(true),
            Cell::Text("a\"b\n".to_owned()),
            Cell::Bytes(vec![0, 255]),
        ];
        let names: Vec<String> = (0..cells.len()).map(|number| format!("c{number}")).collect();
        let line = object(&names, &cells);
        let read: serde_json::Value = serde_json::from_str(&line).unwrap();
        assert_eq!(read["c3"], 1e300);
        assert_eq!(
            line,
            "{\"c0\":null,\"c1\":-3,\"c2\":0.5,\"c3\":1e300,\"c4\":\"inf\",\"c5\":340.50,\"c6\":\"NaN\",\"c7\":true,\
             \"c8\":\"a\\\"b\\n\",\"c9\":\"\\\\x00ff\"}"
        );
    }
}
