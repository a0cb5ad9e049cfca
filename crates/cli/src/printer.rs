//! Blocks of pages into one output: the array around JSON objects, the header over CSV, the table around rows.
//!
//! Everything streams. A table needs its rows before it can be laid out, so it is laid out a batch at a time:
//! memory stays bounded, and ten thousand pages still show rows before the last one is read.

use comfy_table::{ContentArrangement, Table, presets};

use crate::sheets::{Sheet, Sheets};

/// What one page adds to the output.
#[derive(Debug)]
pub(crate) enum Block {
    /// Text, printed as it is.
    Text(String),
    /// Rows of a table.
    Rows(Vec<Vec<String>>),
    /// Rows of CSV files.
    Sheets(Vec<Sheet>),
}

/// Joins the blocks of a run.
pub(crate) enum Printer {
    /// One after the other, between a header and a footer that may be empty.
    Plain {
        /// Printed before the first block, even if there is none.
        header: String,
        /// Printed behind the last block.
        footer: &'static str,
    },
    /// The elements of one JSON array.
    JsonArray {
        /// Whether an element was printed.
        begun: bool,
    },
    /// Tables of up to [`BATCH`] rows.
    Table {
        /// The columns' names.
        columns: Vec<String>,
        /// Rows not printed yet.
        rows: Vec<Vec<String>>,
    },
    /// CSV files.
    Sheets(Sheets),
}

/// Rows laid out together.
const BATCH: usize = 1000;

impl Printer {
    /// Blocks one after the other.
    pub(crate) fn plain() -> Printer {
        Printer::below(String::new())
    }

    /// Blocks one after the other, below a header.
    pub(crate) fn below(header: String) -> Printer {
        Printer::Plain { header, footer: "" }
    }

    /// The elements of a JSON array.
    pub(crate) fn json_array() -> Printer {
        Printer::JsonArray { begun: false }
    }

    /// Rows under these columns.
    pub(crate) fn table(columns: Vec<String>) -> Printer {
        Printer::Table { columns, rows: Vec::new() }
    }

    /// What to print for a page: bytes, and the number of the file they go to if there are several.
    pub(crate) fn print(&mut self, block: Block) -> Vec<(usize, Vec<u8>)> {
        let bytes = match (self, block) {
            (Printer::Sheets(sheets), Block::Sheets(more)) => return sheets.print(more),
            (Printer::Plain { header, .. }, Block::Text(text)) => (std::mem::take(header) + &text).into_bytes(),
            (Printer::JsonArray { begun }, Block::Text(text)) => {
                let before = if std::mem::replace(begun, true) { ",\n" } else { "[\n" };
                format!("{before}{}", text.trim_end()).into_bytes()
            }
            (Printer::Table { columns, rows }, Block::Rows(more)) => {
                rows.extend(more);
                let mut out = Vec::new();
                while rows.len() >= BATCH {
                    let batch = rows.drain(..BATCH).collect();
                    out.extend(layout(columns, batch).into_bytes());
                }
                out
            }
            _ => unreachable!("a command makes blocks for the printer it chose"),
        };
        vec![(0, bytes)]
    }

    /// What to print behind the last page.
    pub(crate) fn end(&mut self) -> Vec<(usize, Vec<u8>)> {
        let bytes = match self {
            Printer::Sheets(sheets) => return sheets.end(),
            Printer::Plain { header, footer } => (std::mem::take(header) + footer).into_bytes(),
            Printer::JsonArray { begun: true } => b"\n]\n".to_vec(),
            Printer::JsonArray { begun: false } => b"[]\n".to_vec(),
            Printer::Table { rows, .. } if rows.is_empty() => Vec::new(),
            Printer::Table { columns, rows } => layout(columns, std::mem::take(rows)).into_bytes(),
        };
        vec![(0, bytes)]
    }

    /// What could not be printed, in words, behind the last page.
    pub(crate) fn notes(&self) -> Vec<String> {
        match self {
            Printer::Sheets(sheets) => sheets.notes(),
            _ => Vec::new(),
        }
    }
}

/// A table for people; without a header if there are no columns.
pub(crate) fn layout(columns: &[String], rows: Vec<Vec<String>>) -> String {
    let mut table = Table::new();
    table.load_style(presets::UTF8_FULL_CONDENSED).set_content_arrangement(ContentArrangement::Dynamic);
    if !columns.is_empty() {
        table.set_header(columns);
    }
    table.add_rows(rows);
    let mut text = String::new();
    for line in table.lines() {
        text.push_str(line.trim_end());
        text.push('\n');
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn joined(pieces: Vec<(usize, Vec<u8>)>) -> Vec<u8> {
        pieces.into_iter().flat_map(|(_, bytes)| bytes).collect()
    }

    #[test]
    fn an_array_is_an_array_with_any_number_of_elements() {
        for count in 0..4 {
            let mut printer = Printer::json_array();
            let mut out = Vec::new();
            for _ in 0..count {
                out.extend(joined(printer.print(Block::Text("{\"a\": 1}\n".to_owned()))));
            }
            out.extend(joined(printer.end()));
            let value: serde_json::Value = serde_json::from_slice(&out).unwrap();
            assert_eq!(value.as_array().map(Vec::len), Some(count));
        }
    }

    #[test]
    fn a_long_table_is_printed_in_batches() {
        let mut printer = Printer::table(vec!["n".to_owned()]);
        assert!(joined(printer.print(Block::Rows(vec![vec!["1".to_owned()]; BATCH - 1]))).is_empty());
        let first = joined(printer.print(Block::Rows(vec![vec!["1".to_owned()]; BATCH + 2])));
        let first = String::from_utf8(first).unwrap();
        assert_eq!(first.matches(" n ").count(), 2, "two full batches, a header each");
        assert_eq!(String::from_utf8(joined(printer.end())).unwrap().matches(" 1 ").count(), 1);
    }
}
