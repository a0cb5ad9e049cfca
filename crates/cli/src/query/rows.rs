//! Rows as they are printed: one after the other as they come, in blocks of whole lines.
//!
//! A block is handed over when it is large or when some time has passed, so that the first rows of a slow query do not
//! wait for the last, and a million quick ones do not cost a million writes.

use std::ops::ControlFlow;
use std::time::{Duration, Instant};

use windrow::store::export::ExportError;
use windrow::store::{Answer, Cell};

use windrow::format::OutputFormat;

use crate::args::RowLimit;
use crate::output::{Console, Output, Sink, Stop};
use crate::run::Pieces;
use crate::terminal;
use windrow::format::printer::{Block, Printer};
use windrow::query::cells::{csv_line, distinct, object, text};

/// Bytes that are printed together.
const BLOCK: usize = 64 << 10;
/// The time that a row waits for others.
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
        if self.waiting.len() >= BLOCK || self.printed.elapsed() >= PATIENCE {
            self.flush()
        } else {
            self.stop.is_none()
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
    format: OutputFormat,
    rows: Option<RowLimit>,
    blocks: Blocks<'c>,
    names: Vec<String>,
    printer: Printer,
    /// Number of rows.
    count: u64,
}

impl<'c> Rows<'c> {
    pub(super) fn new(format: OutputFormat, rows: Option<RowLimit>, console: &'c Console) -> Rows<'c> {
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
        if self.format != OutputFormat::Json {
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
            OutputFormat::Table => {
                Printer::table(self.names.clone(), terminal::room(self.rows, "--format csv shows all"))
            }
            OutputFormat::CSV => Printer::below(csv_line(&self.names)),
            OutputFormat::Json => Printer::json_array(),
            _ => Printer::plain(),
        };
    }

    fn row(&mut self, cells: Vec<Cell>) -> bool {
        self.count += 1;
        let block = match self.format {
            OutputFormat::Table => Block::Rows(vec![cells.iter().map(text).collect()]),
            OutputFormat::CSV => Block::Text(csv_line(&cells.iter().map(text).collect::<Vec<_>>())),
            _ => Block::Text(object(&self.names, &cells) + "\n"),
        };
        let pieces = text_pieces(self.printer.print(block));
        self.blocks.add(pieces)
    }
}

/// The pieces of a text format, which takes every value.
pub(super) fn text_pieces(printed: Result<Pieces, ExportError>) -> Pieces {
    printed.unwrap_or_default()
}
