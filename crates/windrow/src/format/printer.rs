//! Blocks of pages into one output: the array around JSON objects, the header over CSV, the table around rows.
//!
//! Everything streams. A table shows about a screen of rows, so no more than those are held; with `--rows all` it is laid
//! out by its first thousand rows, and the others follow in the same columns.

use std::io::{self, Write};
use std::sync::{Arc, Mutex, PoisonError};

use crate::format::csv::{CsvFiles, CsvSheet};
use crate::format::text_table::{self, Plan};
use crate::store::export::{self, ExportError, Exporter, Options};
use crate::store::{Layout, Record};
use crate::text::{plural, visible};

/// The part of the output that one page adds.
#[derive(Debug)]
pub enum Block {
    /// Text, printed as it is.
    Text(String),
    /// Rows of a table.
    Rows(Vec<Vec<String>>),
    /// Tables of their own.
    Sections(Vec<Section>),
    /// Rows of CSV files.
    Sheets(Vec<CsvSheet>),
    /// Records of one list, for formats that stores export.
    Records(Vec<Record>),
}

/// A table with what stands above it.
#[derive(Debug, Default)]
pub struct Section {
    /// Lines above the table.
    pub headings: Vec<String>,
    /// The columns' names; none if the rows are the names and values of one record.
    pub columns: Vec<String>,
    /// The rows.
    pub rows: Vec<Vec<String>>,
}

/// Joins the blocks of a run.
pub enum Printer {
    /// One after the other, between a header and a footer that may be empty.
    Plain {
        /// Printed before the first block, even if there is none.
        header: String,
        /// Printed behind the last block.
        footer: &'static str,
    },
    /// The elements of one JSON array.
    JsonArray {
        /// True if an element was printed.
        begun: bool,
    },
    /// One table.
    Table(OneTable),
    /// Several tables, one after the other.
    Sections(TableStack),
    /// CSV files.
    Sheets(CsvFiles),
    /// A file as stores export it.
    Export(Box<Export>),
}

/// A file as stores export it, written piece by piece.
#[derive(Debug)]
pub struct Export {
    format: export::Format,
    layout: Layout,
    /// None before the first record and behind the last.
    exporter: Option<Exporter<SharedBytes>>,
    written: SharedBytes,
    begun: bool,
}

/// Bytes that an exporter has written and nobody has taken yet.
#[derive(Debug, Clone, Default)]
struct SharedBytes(Arc<Mutex<Vec<u8>>>);

impl SharedBytes {
    fn take(&self) -> Vec<u8> {
        std::mem::take(&mut *self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

impl Write for SharedBytes {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Export {
    fn begin(&mut self) -> Result<(), ExportError> {
        if !std::mem::replace(&mut self.begun, true) {
            let options = Options::new().with_provenance(false);
            self.exporter = Some(Exporter::new(self.format, &self.layout, &options, self.written.clone())?);
        }
        Ok(())
    }

    fn add(&mut self, records: &[Record]) -> Result<Vec<u8>, ExportError> {
        self.begin()?;
        if let Some(exporter) = &mut self.exporter {
            records.iter().try_for_each(|record| exporter.push(record))?;
        }
        Ok(self.written.take())
    }

    fn end(&mut self) -> Result<Vec<u8>, ExportError> {
        self.begin()?;
        if let Some(exporter) = self.exporter.take() {
            exporter.finish()?;
        }
        Ok(self.written.take())
    }
}

/// Rows that the columns of a long table are chosen by.
const BATCH: usize = 1000;
/// Rows that a table behind a long one gets in any case, so that one sees what it is of.
const FEW: usize = 3;
/// Tables that get so many.
const MOST_TABLES: usize = 10;

/// The size of tables, and the hint for what does not fit.
#[derive(Debug, Clone, Copy)]
pub struct Room {
    /// Columns of the terminal.
    columns: usize,
    /// Rows; `None` for all.
    rows: Option<usize>,
    /// Says how all columns are printed.
    all: &'static str,
}

impl Room {
    /// Creates a room of so many columns of text and so many rows, all if `None`. `all` says how to show what does not fit.
    pub fn new(columns: usize, rows: Option<usize>, all: &'static str) -> Room {
        Room { columns, rows, all }
    }

    /// The width of a table in columns of text.
    pub fn columns(self) -> usize {
        self.columns
    }
}

/// One table over all pages.
#[derive(Debug)]
pub struct OneTable {
    columns: Vec<String>,
    room: Room,
    /// Rows that wait for the layout.
    waiting: Vec<Vec<String>>,
    /// The layout, once rows are printed.
    plan: Option<Plan>,
    /// All rows so far.
    count: usize,
}

impl OneTable {
    fn add(&mut self, rows: Vec<Vec<String>>) -> String {
        let mut text = String::new();
        for row in rows {
            self.count += 1;
            if self.room.rows.is_some_and(|most| self.count > most) {
                continue;
            }
            match &self.plan {
                Some(plan) => text += &plan.row(&row),
                None => {
                    self.waiting.push(row);
                    if self.waiting.len() == BATCH {
                        text += &self.begin();
                    }
                }
            }
        }
        text
    }

    /// Chooses the layout, and prints what has waited for it.
    fn begin(&mut self) -> String {
        let plan = Plan::new(&self.columns, &self.waiting, self.room.columns);
        let text = plan.head() + &self.waiting.drain(..).map(|row| plan.row(&row)).collect::<String>();
        self.plan = Some(plan);
        text
    }

    fn end(&mut self) -> String {
        if self.count == 0 {
            return String::new();
        }
        let mut text = if self.plan.is_none() { self.begin() } else { String::new() };
        let Some(plan) = &self.plan else { return text };
        text += &plan.foot();
        let hidden = self.count - self.room.rows.map_or(self.count, |most| most.min(self.count));
        text.extend(text_table::left_out(plan.hidden(), hidden, self.room.all).map(|line| line + "\n"));
        text
    }
}

/// Tables one after the other.
#[derive(Debug)]
pub struct TableStack {
    room: Room,
    /// Rows that were printed.
    used: usize,
    /// Tables that were printed.
    count: usize,
    /// Tables that there was no room for, and their rows.
    left_out: (usize, usize),
}

impl TableStack {
    fn add(&mut self, section: &Section) -> String {
        let Section { headings, columns, rows } = section;
        let mut text: String = headings.iter().map(|line| format!("{}\n", visible(line))).collect();
        if rows.is_empty() {
            return text;
        }
        let left = self.room.rows.map_or(usize::MAX, |most| most.saturating_sub(self.used));
        let most = match self.room.rows {
            Some(_) if self.count > 0 && self.count < MOST_TABLES => left.max(FEW),
            _ => left,
        };
        // The fields of one record are not parted.
        let most = if columns.is_empty() && most > 0 { rows.len() } else { most.min(rows.len()) };
        if most == 0 {
            self.left_out.0 += 1;
            self.left_out.1 += rows.len();
            return String::new();
        }
        self.count += 1;
        self.used += most;
        let plan = Plan::new(columns, &rows[..most], self.room.columns);
        text += &plan.head();
        text.extend(rows[..most].iter().map(|row| plan.row(row)));
        text += &plan.foot();
        text.extend(text_table::left_out(plan.hidden(), rows.len() - most, self.room.all).map(|line| line + "\n"));
        text
    }

    fn end(&self) -> String {
        match self.left_out {
            (0, _) => String::new(),
            (tables, rows) => {
                let (tables, rows) = (plural(tables, "table"), plural(rows, "row"));
                format!("+{tables} with {rows}; --rows all shows all\n")
            }
        }
    }
}

impl Printer {
    /// Blocks one after the other.
    pub fn plain() -> Printer {
        Printer::below(String::new())
    }

    /// Blocks one after the other, below a header.
    pub fn below(header: String) -> Printer {
        Printer::Plain { header, footer: "" }
    }

    /// The elements of a JSON array.
    pub fn json_array() -> Printer {
        Printer::JsonArray { begun: false }
    }

    /// Rows under these columns.
    pub fn table(columns: Vec<String>, room: Room) -> Printer {
        Printer::Table(OneTable { columns, room, waiting: Vec::new(), plan: None, count: 0 })
    }

    /// Tables one after the other.
    pub fn sections(room: Room) -> Printer {
        Printer::Sections(TableStack { room, used: 0, count: 0, left_out: (0, 0) })
    }

    /// Records of one list in a format that stores export.
    pub fn export(format: export::Format, layout: &Layout) -> Printer {
        let (layout, written) = (layout.clone(), SharedBytes::default());
        Printer::Export(Box::new(Export { format, layout, exporter: None, written, begun: false }))
    }

    /// Returns what to print for a page: bytes, and the number of the file they go to if there are several.
    ///
    /// # Errors
    ///
    /// A record cannot be written in the format.
    pub fn print(&mut self, block: Block) -> Result<Vec<(usize, Vec<u8>)>, ExportError> {
        let text = match (self, block) {
            (Printer::Sheets(sheets), Block::Sheets(more)) => return Ok(sheets.print(more)),
            (Printer::Export(export), Block::Records(records)) => return Ok(vec![(0, export.add(&records)?)]),
            (Printer::Plain { header, .. }, Block::Text(text)) => std::mem::take(header) + &text,
            (Printer::JsonArray { begun }, Block::Text(text)) => {
                let before = if std::mem::replace(begun, true) { ",\n" } else { "[\n" };
                format!("{before}{}", text.trim_end())
            }
            (Printer::Table(table), Block::Rows(rows)) => table.add(rows),
            (Printer::Sections(tables), Block::Sections(sections)) => {
                sections.iter().map(|section| tables.add(section)).collect()
            }
            _ => unreachable!("a command makes blocks for the printer it chose"),
        };
        Ok(vec![(0, text.into_bytes())])
    }

    /// Returns what to print behind the last page.
    ///
    /// # Errors
    ///
    /// The file cannot be completed in its format.
    pub fn end(&mut self) -> Result<Vec<(usize, Vec<u8>)>, ExportError> {
        let text = match self {
            Printer::Sheets(sheets) => return Ok(sheets.end()),
            Printer::Export(export) => return Ok(vec![(0, export.end()?)]),
            Printer::Plain { header, footer } => std::mem::take(header) + footer,
            Printer::JsonArray { begun: true } => "\n]\n".to_owned(),
            Printer::JsonArray { begun: false } => "[]\n".to_owned(),
            Printer::Table(table) => table.end(),
            Printer::Sections(tables) => tables.end(),
        };
        Ok(vec![(0, text.into_bytes())])
    }

    /// Returns notes on what could not be printed.
    pub fn notes(&self) -> Vec<String> {
        match self {
            Printer::Sheets(sheets) => sheets.notes(),
            _ => Vec::new(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(pieces: Result<Vec<(usize, Vec<u8>)>, ExportError>) -> String {
        String::from_utf8(pieces.unwrap().into_iter().flat_map(|(_, bytes)| bytes).collect()).unwrap()
    }

    fn room(rows: Option<usize>) -> Room {
        Room { columns: 40, rows, all: "--format csv shows all" }
    }

    #[test]
    fn an_array_is_an_array_with_any_number_of_elements() {
        for count in 0..4 {
            let mut printer = Printer::json_array();
            let mut out = String::new();
            for _ in 0..count {
                out += &text(printer.print(Block::Text("{\"a\": 1}\n".to_owned())));
            }
            out += &text(printer.end());
            let value: serde_json::Value = serde_json::from_str(&out).unwrap();
            assert_eq!(value.as_array().map(Vec::len), Some(count));
        }
    }

    #[test]
    fn a_table_shows_a_screen_of_rows_and_counts_the_others() {
        let mut printer = Printer::table(vec!["n".to_owned()], room(Some(2)));
        assert_eq!(text(printer.print(Block::Rows(vec![vec!["1".to_owned()]; 3]))), "");
        assert_eq!(text(printer.print(Block::Rows(vec![vec!["2".to_owned()]; 4]))), "");
        let end = text(printer.end());
        assert_eq!(end, "┌───┐\n│ n │\n╞═══╡\n│ 1 │\n│ 1 │\n└───┘\n+5 rows; --rows all shows all\n");
    }

    #[test]
    fn a_table_of_all_rows_has_one_header_and_is_printed_as_it_comes() {
        let mut printer = Printer::table(vec!["n".to_owned()], room(None));
        assert_eq!(text(printer.print(Block::Rows(vec![vec!["1".to_owned()]; BATCH - 1]))), "");
        let first = text(printer.print(Block::Rows(vec![vec!["1".to_owned()]; BATCH])));
        assert_eq!((first.matches(" n ").count(), first.matches(" 1 ").count()), (1, 2 * BATCH - 1));
        assert_eq!(text(printer.end()), "└───┘\n");
    }

    #[test]
    fn tables_behind_a_long_one_show_a_few_rows() {
        let section = |rows| Section {
            headings: vec!["a".to_owned()],
            columns: vec!["n".to_owned()],
            rows: vec![vec!["1".to_owned()]; rows],
        };
        let mut printer = Printer::sections(room(Some(20)));
        let shown = |block: &str| block.matches(" 1 ").count();
        let first = text(printer.print(Block::Sections(vec![section(30)])));
        assert_eq!(shown(&first), 20);
        assert!(first.starts_with("a\n┌"), "{first}");
        assert!(first.ends_with("+10 rows; --rows all shows all\n"), "{first}");
        for _ in 1..MOST_TABLES {
            assert_eq!(shown(&text(printer.print(Block::Sections(vec![section(30)])))), FEW);
        }
        assert_eq!(text(printer.print(Block::Sections(vec![section(30), section(1)]))), "");
        assert_eq!(text(printer.end()), "+2 tables with 31 rows; --rows all shows all\n");
    }
}
