//! XLSX: a workbook with one sheet for the list and one for each inner list.
//!
//! Rows are numbered in `_id`, and `_parent` on the sheet of an inner list refers to the row of the parent record; a
//! list without inner lists needs no numbers. Texts are always written as texts, so none becomes a formula or a link.
//! Numbers are written as numbers if Excel can hold all their digits (15), complete dates as dates, everything else as
//! text.
//!
//! Excel's limits: 1,048,576 rows (further sheets such as `ads (2)` take the rest), 16,384 columns, 32,767 UTF-16 units
//! per cell, 31 per sheet name. Notes report what had to be cut. Rows are kept in temporary files until the end, so
//! memory use does not grow.

use std::collections::HashSet;
use std::io::{BufWriter, Write};

use rust_xlsxwriter::{DocProperties, ExcelDateTime, Format, Workbook, XlsxError};

use super::csv::{PROVENANCE, text};
use super::digits::{double, significant};
use super::names::Names;
use super::time::day;
use super::{ExportError, Options, list, value};
use crate::data::{Kind, Layout, Record, Value};

/// Largest number of rows of a sheet, header included.
const MOST_ROWS: u32 = 1_048_576;
/// Largest number of columns of a sheet.
const MOST_COLUMNS: usize = 16_384;
/// Largest number of UTF-16 units in a cell.
const LONGEST_TEXT: usize = 32_767;
/// Largest number of UTF-16 units in a sheet's name.
const LONGEST_NAME: usize = 31;
/// Number of digits that Excel keeps of a number.
const MOST_DIGITS: usize = 15;

/// Writer of sheets.
pub(super) struct Sheets<W: Write + Send> {
    out: W,
    book: Workbook,
    lists: Vec<Sheet>,
    names: HashSet<String>,
    provenance: bool,
    most_rows: u32,
    day: Format,
    bold: Format,
    cut: u64,
    long_numbers: u64,
    notes: Vec<String>,
}

/// The sheets of one list.
struct Sheet {
    name: String,
    header: Vec<String>,
    /// True for a list inside the records of another.
    inside: bool,
    /// Indexes in `Sheets::lists` of the inner lists.
    lists: Vec<usize>,
    columns: Vec<Kind>,
    /// Index of the current sheet in the workbook; `row` is its next free row.
    index: usize,
    row: u32,
    /// Number of rows in all sheets of this list; `parts` is the number of sheets.
    rows: u64,
    parts: usize,
}

impl<W: Write + Send> Sheets<W> {
    pub(super) fn new(layout: &Layout, options: &Options, out: W) -> Result<Sheets<W>, ExportError> {
        let mut book = Workbook::new();
        book.set_properties(&DocProperties::new().set_comment(concat!("Windrow ", env!("CARGO_PKG_VERSION"))));
        let mut sheets = Sheets {
            out,
            book,
            lists: Vec::new(),
            names: HashSet::new(),
            provenance: options.provenance,
            most_rows: MOST_ROWS,
            day: Format::new().set_num_format("yyyy-mm-dd"),
            bold: Format::new().set_bold(),
            cut: 0,
            long_numbers: 0,
            notes: Vec::new(),
        };
        sheets.plan(layout, "", false);
        for number in 0..sheets.lists.len() {
            sheets.begin(number).map_err(error)?;
        }
        Ok(sheets)
    }

    /// Plans the sheets of a list and its inner lists; returns the index of the first.
    fn plan(&mut self, layout: &Layout, prefix: &str, inside: bool) -> usize {
        let mut header = Vec::new();
        let numbered = inside || !layout.lists.is_empty();
        header.extend(numbered.then_some("_id"));
        header.extend(inside.then_some("_parent"));
        if self.provenance && !inside {
            header.extend(PROVENANCE);
        }
        let mut names = Names::reserve(header.iter().copied());
        let mut header: Vec<String> = header.into_iter().map(str::to_owned).collect();
        let mut columns = Vec::new();
        for column in &layout.columns {
            let width = 1 + usize::from(column.kind == Kind::Money);
            if header.len() + width > MOST_COLUMNS {
                let (label, left) = (&layout.label, layout.columns.len() - columns.len());
                self.notes
                    .push(format!("`{label}` has more columns than a sheet can hold: the last {left} are left out"));
                break;
            }
            header.push(names.give(&column.label));
            if column.kind == Kind::Money {
                header.push(names.give(&format!("{}.currency", column.label)));
            }
            columns.push(column.kind);
        }
        let number = self.lists.len();
        let name = format!("{prefix}{}", layout.label);
        let below = format!("{name}.");
        let (lists, index, row, rows, parts) = (Vec::new(), 0, 0, 0, 0);
        self.lists.push(Sheet { name, header, inside, lists, columns, index, row, rows, parts });
        for list in &layout.lists {
            let list = self.plan(list, &below, true);
            self.lists[number].lists.push(list);
        }
        number
    }

    /// Begins a sheet for a list: the first one, or another when that is full.
    fn begin(&mut self, number: usize) -> Result<(), XlsxError> {
        let list = &mut self.lists[number];
        list.parts += 1;
        let suffix = if list.parts == 1 { String::new() } else { format!(" ({})", list.parts) };
        let name = sheet_name(&list.name, &suffix, &mut self.names);
        if list.parts > 1 {
            self.notes.push(format!("`{}` has more rows than a sheet can hold: they continue in `{name}`", list.name));
        }
        list.index = self.book.worksheets().len();
        list.row = 1;
        let sheet = self.book.add_worksheet_with_constant_memory()?;
        sheet.set_name(&name)?;
        sheet.set_freeze_panes(1, 0)?;
        for (column, title) in list.header.iter().enumerate() {
            let (title, _) = fitting(title, LONGEST_TEXT);
            sheet.write_string_with_format(0, column as u16, title, &self.bold)?;
        }
        Ok(())
    }

    pub(super) fn push(&mut self, record: &Record) -> Result<(), ExportError> {
        self.record(0, record, 0).map_err(error)
    }

    fn record(&mut self, number: usize, record: &Record, parent: u64) -> Result<(), XlsxError> {
        if self.lists[number].row >= self.most_rows {
            self.begin(number)?;
        }
        let list = &mut self.lists[number];
        list.rows += 1;
        let (own, row) = (list.rows, list.row);
        list.row += 1;
        let mut writer = Row {
            sheet: self.book.worksheet_from_index(list.index)?,
            row,
            column: 0,
            day: &self.day,
            cut: &mut self.cut,
            long_numbers: &mut self.long_numbers,
        };
        if list.inside || !list.lists.is_empty() {
            writer.count(own)?;
        }
        if list.inside {
            writer.count(parent)?;
        } else if self.provenance {
            let gone = record.gone.as_deref().unwrap_or_default();
            for text in [&record.page, &record.first, &record.seen, gone] {
                writer.text(text)?;
            }
        }
        for (column, kind) in list.columns.iter().enumerate() {
            writer.value(*kind, value(record, column))?;
        }
        for (inside, sheet) in list.lists.clone().into_iter().enumerate() {
            for below in self::list(record, inside) {
                self.record(sheet, below, own)?;
            }
        }
        Ok(())
    }

    pub(super) fn finish(mut self) -> Result<Vec<String>, ExportError> {
        let mut out = BufWriter::new(self.out);
        self.book.save_to_writer(&mut out).map_err(error)?;
        out.flush()?;
        if self.cut > 0 {
            self.notes.push(format!("texts cut because they are longer than {LONGEST_TEXT} characters: {}", self.cut));
        }
        if self.long_numbers > 0 {
            let digits = format!("numbers written as text because they have more than {MOST_DIGITS} digits");
            self.notes.push(format!("{digits}: {}", self.long_numbers));
        }
        Ok(self.notes)
    }
}

/// A row that is being written.
struct Row<'a> {
    sheet: &'a mut rust_xlsxwriter::Worksheet,
    row: u32,
    column: u16,
    day: &'a Format,
    cut: &'a mut u64,
    long_numbers: &'a mut u64,
}

impl Row<'_> {
    fn value(&mut self, kind: Kind, value: &Value) -> Result<(), XlsxError> {
        match (kind, value) {
            (Kind::Money, Value::Money { amount, currency }) => {
                self.number(amount)?;
                self.text(currency.as_deref().unwrap_or_default())
            }
            (Kind::Money, other) => {
                self.value(Kind::Number, other)?;
                self.text("")
            }
            (_, Value::Number(digits)) => self.number(digits),
            (Kind::Date, Value::Text(date)) => self.date(date),
            (_, other) => self.text(&text(other)),
        }
    }

    fn count(&mut self, number: u64) -> Result<(), XlsxError> {
        // Row numbers stay below 2^53, so they are exact as `f64`.
        self.sheet.write_number(self.row, self.column, number as f64)?;
        self.column += 1;
        Ok(())
    }

    fn number(&mut self, digits: &str) -> Result<(), XlsxError> {
        match double(digits).filter(|_| significant(digits) <= MOST_DIGITS) {
            Some(number) => {
                self.sheet.write_number(self.row, self.column, number)?;
                self.column += 1;
                Ok(())
            }
            None => {
                *self.long_numbers += u64::from(double(digits).is_some());
                self.text(digits)
            }
        }
    }

    fn date(&mut self, date: &str) -> Result<(), XlsxError> {
        // Excel's dates begin in 1900, and its calendar has a 29 February 1900: earlier dates would be off by one day.
        let days = day(date).filter(|&(year, month, _)| year > 1900 || (year == 1900 && month > 2));
        let Some(Ok(days)) = days.map(|(year, month, day)| ExcelDateTime::from_ymd(year, month, day)) else {
            return self.text(date);
        };
        self.sheet.write_datetime_with_format(self.row, self.column, &days, self.day)?;
        self.column += 1;
        Ok(())
    }

    fn text(&mut self, text: &str) -> Result<(), XlsxError> {
        if !text.is_empty() {
            let (fitting, cut) = fitting(text, LONGEST_TEXT);
            *self.cut += u64::from(cut);
            self.sheet.write_string(self.row, self.column, fitting)?;
        }
        self.column += 1;
        Ok(())
    }
}

/// Returns the longest prefix with at most `most` UTF-16 units, and whether something was cut.
fn fitting(text: &str, most: usize) -> (&str, bool) {
    if text.len() <= most {
        return (text, false);
    }
    let mut units = 0;
    for (at, character) in text.char_indices() {
        units += character.len_utf16();
        if units > most {
            return (&text[..at], true);
        }
    }
    (text, false)
}

/// Returns a sheet name that Excel allows and that is unique, ignoring case.
fn sheet_name(label: &str, suffix: &str, taken: &mut HashSet<String>) -> String {
    let allowed = |character: char| match character {
        '[' | ']' | ':' | '*' | '?' | '/' | '\\' => '_',
        control if control.is_control() => '_',
        other => other,
    };
    let label: String = label.chars().map(allowed).collect();
    let label = match label.trim().trim_matches('\'') {
        "" => "list",
        // Excel reserves this name.
        history if history.eq_ignore_ascii_case("history") => "history_",
        label => label,
    };
    let mut number = 2_u64;
    let mut end = suffix.to_owned();
    loop {
        let (beginning, _) = fitting(label, LONGEST_NAME - end.encode_utf16().count());
        let name = format!("{}{end}", beginning.trim_end_matches('\''));
        if taken.insert(name.to_lowercase()) {
            return name;
        }
        end = format!("_{number}{suffix}");
        number += 1;
    }
}

fn error(error: XlsxError) -> ExportError {
    match error {
        XlsxError::IoError(error) => ExportError::Write(error),
        other => ExportError::encode("XLSX", other),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::Column;
    use calamine::{Data, Reader, Xlsx};

    #[test]
    fn names_of_sheets_are_valid_and_differ() {
        let mut taken = HashSet::new();
        let mut name = |label: &str| sheet_name(label, "", &mut taken);
        assert_eq!(name("ads"), "ads");
        assert_eq!(name("Ads"), "Ads_2");
        assert_eq!(name("a/b[c]:*?\\d"), "a_b_c_____d");
        assert_eq!(name("''"), "list");
        assert_eq!(name("History"), "history_");
        assert_eq!(name(&"x".repeat(40)), "x".repeat(31));
        assert_eq!(name(&"x".repeat(50)), format!("{}_2", "x".repeat(29)));
        assert_eq!(name(&"𝒳".repeat(20)), "𝒳".repeat(15));
        assert_eq!(sheet_name(&"x".repeat(40), " (2)", &mut taken), format!("{} (2)", "x".repeat(27)));
    }

    #[test]
    fn rows_beyond_the_bound_go_to_further_sheets() {
        let column = |label: &str| Column { label: label.to_owned(), kind: Kind::Number, rule: String::new() };
        let inner = Layout { label: "bids".to_owned(), columns: vec![column("bid")], ..Layout::default() };
        let layout =
            Layout { label: "ads".to_owned(), columns: vec![column("n")], lists: vec![inner], ..Layout::default() };
        let mut out = Vec::new();
        let mut sheets = Sheets::new(&layout, &Options::new(), &mut out).unwrap();
        sheets.most_rows = 4;
        let number = |number: usize| vec![Value::Number(number.to_string())];
        for record in 0..7 {
            let bid = Record { values: number(record * 10), ..Record::default() };
            let lists = vec![if record == 5 { vec![bid] } else { Vec::new() }];
            sheets.push(&Record { values: number(record), lists, ..Record::default() }).unwrap();
        }
        let notes = sheets.finish().unwrap();
        let note = |name: &str| format!("`ads` has more rows than a sheet can hold: they continue in `{name}`");
        assert_eq!(notes, [note("ads (2)"), note("ads (3)")]);

        let mut book = Xlsx::new(std::io::Cursor::new(out)).unwrap();
        assert_eq!(book.sheet_names(), ["ads", "ads.bids", "ads (2)", "ads (3)"]);
        let mut seen = Vec::new();
        for (name, rows) in [("ads", 3), ("ads (2)", 3), ("ads (3)", 1)] {
            let range = book.worksheet_range(name).unwrap();
            let mut lines = range.rows();
            assert_eq!(lines.next().unwrap(), [Data::String("_id".to_owned()), Data::String("n".to_owned())]);
            assert_eq!(lines.len(), rows);
            seen.extend(lines.map(|line| (line[0].clone(), line[1].clone())));
        }
        let expected = |number: usize| (Data::Float((number + 1) as f64), Data::Float(number as f64));
        assert_eq!(seen, (0..7).map(expected).collect::<Vec<_>>());
        let bids = book.worksheet_range("ads.bids").unwrap();
        assert_eq!(bids.rows().nth(1).unwrap(), [Data::Float(1.0), Data::Float(6.0), Data::Float(50.0)]);
    }
}
