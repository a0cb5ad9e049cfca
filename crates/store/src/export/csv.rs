//! CSV: a row for each record.
//!
//! The rows are the same as those of `windrow extract --format csv`. A list inside a record is joined into [one
//! cell](super::joined). The currency of an amount has its own column, such as `price.currency`. Cells hold the text of
//! the page even if it begins with `=`: for a spreadsheet, [XLSX](super::Format::Xlsx) is safer, since it marks texts
//! as texts.

use std::borrow::Cow;
use std::io::Write;

use super::names::Names;
use super::{ExportError, Options, joined, list, of_values, value};
use crate::data::{Kind, Layout, Record, Value};

/// Names of the provenance columns, in all tabular formats.
pub(super) const PROVENANCE: [&str; 4] = ["page", "first_seen", "last_seen", "gone"];

/// Writer of rows.
pub(super) struct Rows<W: Write> {
    out: csv::Writer<W>,
    parts: Vec<Part>,
    lists: Vec<Layout>,
    provenance: bool,
    width: usize,
}

/// Position of a column or list in a row.
enum Part {
    /// A column and the cell of its value.
    Cell(usize, usize),
    /// A column and the cell of its amount; the currency goes into the next cell.
    Money(usize, usize),
    /// A list and the cell of its joined values or records.
    Joined(usize, usize),
}

impl<W: Write> Rows<W> {
    pub(super) fn new(layout: &Layout, options: &Options, out: W) -> Result<Rows<W>, ExportError> {
        let reserved: &[&str] = if options.provenance { &PROVENANCE } else { &[] };
        let mut header = Header {
            names: Names::reserve(reserved.iter().copied()),
            columns: reserved.iter().map(|name| (*name).to_owned()).collect(),
        };
        let parts = header.parts(layout);
        let mut out = csv::Writer::from_writer(out);
        // A CSV row needs a field: a header without names is written as an empty line.
        out.write_record(header.columns.iter()).map_err(error)?;
        let (lists, provenance, width) = (layout.lists.clone(), options.provenance, header.columns.len());
        Ok(Rows { out, parts, lists, provenance, width })
    }

    pub(super) fn push(&mut self, record: &Record) -> Result<(), ExportError> {
        let mut cells = vec![Cow::Borrowed(""); self.width];
        if self.provenance {
            let gone = record.gone.as_deref().unwrap_or_default();
            for (cell, text) in cells.iter_mut().zip([&record.page, &record.first, &record.seen, gone]) {
                *cell = Cow::Borrowed(text);
            }
        }
        for part in &self.parts {
            match part {
                Part::Cell(column, cell) => cells[*cell] = text(value(record, *column)),
                Part::Money(column, cell) => match value(record, *column) {
                    Value::Money { amount, currency } => {
                        cells[*cell] = Cow::Borrowed(amount);
                        cells[*cell + 1] = Cow::Borrowed(currency.as_deref().unwrap_or_default());
                    }
                    other => cells[*cell] = text(other),
                },
                Part::Joined(number, cell) => {
                    cells[*cell] = Cow::Owned(join(&self.lists[*number], list(record, *number), 1));
                }
            }
        }
        self.out.write_record(cells.iter().map(|cell| cell.as_bytes())).map_err(error)
    }

    pub(super) fn finish(mut self) -> Result<Vec<String>, ExportError> {
        self.out.flush()?;
        Ok(self.lists.iter().filter(|list| !of_values(list)).map(note).collect())
    }
}

struct Header {
    names: Names,
    columns: Vec<String>,
}

impl Header {
    fn parts(&mut self, layout: &Layout) -> Vec<Part> {
        let mut parts = Vec::new();
        for (number, column) in layout.columns.iter().enumerate() {
            let name = &column.label;
            let cell = self.column(name);
            parts.push(match column.kind {
                Kind::Money => {
                    self.column(&format!("{name}.currency"));
                    Part::Money(number, cell)
                }
                _ => Part::Cell(number, cell),
            });
        }
        for (number, list) in layout.lists.iter().enumerate() {
            parts.push(Part::Joined(number, self.column(&list.label)));
        }
        parts
    }

    fn column(&mut self, name: &str) -> usize {
        self.columns.push(self.names.give(name));
        self.columns.len() - 1
    }
}

/// Joins the records of a list into one cell; a record with a single value becomes that value.
fn join(layout: &Layout, records: &[Record], depth: usize) -> String {
    let item = |record: &Record| {
        let values = (0..layout.columns.len()).map(|at| joined::value(&text(value(record, at))).into_owned());
        let inner = layout.lists.iter().enumerate().map(|(at, inner)| join(inner, list(record, at), depth + 1));
        joined::record(&values.chain(inner).collect::<Vec<_>>(), depth)
    };
    joined::list(&records.iter().map(item).collect::<Vec<_>>(), depth)
}

/// Returns a note that a list of records is joined into one cell, with the order of its fields.
fn note(list: &Layout) -> String {
    let columns = list.columns.iter().map(|column| column.label.as_str());
    let fields: Vec<&str> = columns.chain(list.lists.iter().map(|list| list.label.as_str())).collect();
    format!(
        "list `{}` is joined into one cell per record ({}); export to .xlsx to get a separate sheet for it",
        list.label,
        fields.join(" | ")
    )
}

/// Returns the text of a value for one cell.
pub(super) fn text(value: &Value) -> Cow<'_, str> {
    match value {
        Value::Null => Cow::Borrowed(""),
        Value::Text(text) | Value::Number(text) => Cow::Borrowed(text),
        Value::Money { amount, currency: Some(currency) } => Cow::Owned(format!("{amount} {currency}")),
        Value::Money { amount, currency: None } => Cow::Borrowed(amount),
    }
}

fn error(error: csv::Error) -> ExportError {
    match error.into_kind() {
        csv::ErrorKind::Io(error) => ExportError::Write(error),
        other => ExportError::encode("CSV", format!("{other:?}")),
    }
}
