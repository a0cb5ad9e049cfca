//! CSV: a row for each record, or for each record inside it.
//!
//! The same rows as `windrow extract --format csv` makes. A list of values is one cell, `; ` between them. A list of
//! records repeats the row for each of them, with columns `list.field`. Two lists of records in one record are not
//! multiplied: first come the rows of the one, then those of the other. Amounts have their currency beside them, in
//! `price.currency`. Cells are what the page says, also those that begin with `=`: who opens them in a spreadsheet
//! should take [XLSX](super::Format::Xlsx), where a text is a text.

use std::borrow::Cow;
use std::io::Write;

use super::names::Names;
use super::{ExportError, Options, list, of_values, value};
use crate::data::{Kind, Layout, Record, Value};

/// What stands between the values of one cell.
const SEPARATOR: &str = "; ";

/// The columns of what goes with each record, in all formats of rows.
pub(super) const PROVENANCE: [&str; 4] = ["page", "first_seen", "last_seen", "gone"];

/// Writes rows.
pub(super) struct Rows<W: Write> {
    out: csv::Writer<W>,
    parts: Vec<Part>,
    provenance: bool,
    width: usize,
    rows: u64,
    records: u64,
}

/// What one column or list puts into a row.
enum Part {
    /// The value of a column, in this cell.
    Cell(usize, usize),
    /// Its amount in this cell, its currency in the next.
    Money(usize, usize),
    /// The values of a list, in this cell.
    Joined(usize, usize),
    /// Rows of their own for the records of a list.
    Records(usize, Vec<Part>),
}

impl<W: Write> Rows<W> {
    pub(super) fn new(layout: &Layout, options: &Options, out: W) -> Result<Rows<W>, ExportError> {
        let reserved: &[&str] = if options.provenance { &PROVENANCE } else { &[] };
        let mut header = Header {
            names: Names::reserve(reserved.iter().copied()),
            columns: reserved.iter().map(|name| (*name).to_owned()).collect(),
        };
        let parts = header.parts(layout, "");
        let mut out = csv::Writer::from_writer(out);
        // A record must have a field to be one; a header without a name is an empty line.
        out.write_record(header.columns.iter()).map_err(error)?;
        Ok(Rows { out, parts, provenance: options.provenance, width: header.columns.len(), rows: 0, records: 0 })
    }

    pub(super) fn push(&mut self, record: &Record) -> Result<(), ExportError> {
        let mut cells = vec![Cow::Borrowed(""); self.width];
        if self.provenance {
            let gone = record.gone.as_deref().unwrap_or_default();
            for (cell, text) in cells.iter_mut().zip([&record.page, &record.first, &record.seen, gone]) {
                *cell = Cow::Borrowed(text);
            }
        }
        self.records += 1;
        self.rows += write(&mut self.out, &self.parts, record, &cells)?;
        Ok(())
    }

    pub(super) fn finish(mut self) -> Result<Vec<String>, ExportError> {
        self.out.flush()?;
        let repeated = self.rows != self.records;
        let note = || format!("{} rows: the lists inside repeat the rows of the records around them", self.rows);
        Ok(repeated.then(note).into_iter().collect())
    }
}

struct Header {
    names: Names,
    columns: Vec<String>,
}

impl Header {
    fn parts(&mut self, layout: &Layout, prefix: &str) -> Vec<Part> {
        let mut parts = Vec::new();
        for (number, column) in layout.columns.iter().enumerate() {
            let name = format!("{prefix}{}", column.label);
            let cell = self.column(&name);
            parts.push(match column.kind {
                Kind::Money => {
                    self.column(&format!("{name}.currency"));
                    Part::Money(number, cell)
                }
                _ => Part::Cell(number, cell),
            });
        }
        for (number, list) in layout.lists.iter().enumerate() {
            let name = format!("{prefix}{}", list.label);
            parts.push(match of_values(list) {
                true => Part::Joined(number, self.column(&name)),
                false => Part::Records(number, self.parts(list, &format!("{name}."))),
            });
        }
        parts
    }

    fn column(&mut self, name: &str) -> usize {
        self.columns.push(self.names.give(name));
        self.columns.len() - 1
    }
}

/// Writes the record's row upon what the records around it have put there, or one for each of the records below; says
/// how many.
fn write<'a, W: Write>(
    out: &mut csv::Writer<W>,
    parts: &[Part],
    record: &'a Record,
    around: &[Cow<'a, str>],
) -> Result<u64, ExportError> {
    let mut cells = around.to_vec();
    for part in parts {
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
                let values: Vec<Cow<'_, str>> = list(record, *number).iter().map(|one| text(value(one, 0))).collect();
                cells[*cell] = Cow::Owned(values.join(SEPARATOR));
            }
            Part::Records(..) => {}
        }
    }
    let mut rows = 0;
    for part in parts {
        if let Part::Records(number, parts) = part {
            for below in list(record, *number) {
                rows += write(out, parts, below, &cells)?;
            }
        }
    }
    if rows == 0 {
        out.write_record(cells.iter().map(|cell| cell.as_bytes())).map_err(error)?;
        rows = 1;
    }
    Ok(rows)
}

/// A value in one cell.
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
