//! Export of records to files: JSON Lines, CSV, Parquet, Arrow, Atom, RSS and XLSX.
//!
//! An [`Exporter`] takes the records of one list one by one and writes them immediately where the format permits. The
//! formats represent a list inside a record as follows:
//!
//! | format | a list of values | a list of records | an amount of money |
//! |---|---|---|---|
//! | JSON Lines | an array | an array of objects | `{"amount":340,"currency":"EUR"}` |
//! | CSV | [one cell](joined), `; ` between them | [one cell](joined), ` \| ` between the fields | columns `price`, `price.currency` |
//! | Parquet, Arrow | `List<Utf8>` | `List<Struct<…>>` | `Struct<amount, currency>` |
//! | XLSX | a sheet of its own | a sheet of its own, `_parent` says the row | columns `price`, `price.currency` |
//! | Atom, RSS | categories, if the label says so | left out | text |
//!
//! A list of values is a [`Layout`] whose only column is called `value`. Labels with dots become groups in formats that
//! have them: `weather.high` and `weather.low` become an object `weather`.
//!
//! Cost: linear in the records. Memory is bounded: one batch of rows for the columnar formats, the entries for feeds (a
//! [limited number](Options::with_entries)), temporary files for XLSX, one record for the others.

mod columnar;
mod csv;
mod digits;
mod error;
mod feed;
mod format;
pub mod joined;
mod json;
mod names;
mod time;
mod tree;
mod xlsx;

use std::io::Write;

pub use columnar::Batches;
pub use error::ExportError;
pub use feed::Roles;
pub use format::Format;
pub(crate) use time::moment;
pub(crate) use tree::{Member, Node, Tree};
pub(crate) use {digits::plain, json::text as json_text};

use crate::data::{Layout, Record, Value};

/// Options of an export.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Options {
    /// True to add the page and the times to each record.
    pub provenance: bool,
    /// Title of the feed; by default the list's label.
    pub title: Option<String>,
    /// Address of the feed itself.
    pub self_url: Option<String>,
    /// Address of the page that the feed describes; by default the page of the first record.
    pub site_url: Option<String>,
    /// Columns for the parts of a feed's entries; the others are guessed.
    pub roles: Roles,
    /// Largest number of entries in a feed.
    pub entries: usize,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            provenance: false,
            title: None,
            self_url: None,
            site_url: None,
            roles: Roles::default(),
            entries: 100,
        }
    }
}

impl Options {
    /// Creates the default options: no provenance, 100 entries.
    pub fn new() -> Options {
        Options::default()
    }

    /// Adds the page and the times to each record: `_page`, `_first`, `_seen`, `_gone` in JSON Lines, columns `page`,
    /// `first_seen`, `last_seen`, `gone` in other formats.
    pub fn with_provenance(mut self, provenance: bool) -> Options {
        self.provenance = provenance;
        self
    }

    /// Sets the feed's title.
    pub fn with_title(mut self, title: impl Into<String>) -> Options {
        self.title = Some(title.into());
        self
    }

    /// Sets the address of the feed itself.
    pub fn with_self_url(mut self, url: impl Into<String>) -> Options {
        self.self_url = Some(url.into());
        self
    }

    /// Sets the address of the page that the feed describes.
    pub fn with_site_url(mut self, url: impl Into<String>) -> Options {
        self.site_url = Some(url.into());
        self
    }

    /// Names the columns for the parts of a feed's entries.
    pub fn with_roles(mut self, roles: Roles) -> Options {
        self.roles = roles;
        self
    }

    /// Limits the number of entries in a feed.
    pub fn with_entries(mut self, entries: usize) -> Options {
        self.entries = entries;
        self
    }
}

/// Summary of an export.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Summary {
    /// Number of records in the list.
    pub rows: u64,
    /// Number of records or values in each inner list at any depth, under the labels that lead to it, joined by dots.
    pub nested: Vec<(String, u64)>,
    /// Notes on data that the file represents differently from the store.
    pub notes: Vec<String>,
}

/// Writer of the records of one list in one format.
///
/// ```
/// use windrow_store::{Column, Kind, Layout, Record, Value};
/// use windrow_store::export::{Exporter, Format, Options};
///
/// let city = Column { label: "city".to_owned(), kind: Kind::Text, rule: String::new() };
/// let layout = Layout { label: "city_temp".to_owned(), columns: vec![city], ..Layout::default() };
/// let record = Record { values: vec![Value::Text("Vienna".to_owned())], ..Record::default() };
///
/// let mut out = Vec::new();
/// let mut exporter = Exporter::new(Format::Jsonl, &layout, &Options::new(), &mut out)?;
/// exporter.push(&record)?;
/// assert_eq!(exporter.finish()?.rows, 1);
/// assert_eq!(out, b"{\"city\":\"Vienna\"}\n");
/// # Ok::<(), windrow_store::export::ExportError>(())
/// ```
pub struct Exporter<W: Write + Send> {
    sink: Sink<W>,
    layout: Layout,
    rows: u64,
    nested: Vec<u64>,
}

/// The writer of each format.
enum Sink<W: Write + Send> {
    Json(json::Lines<W>),
    Csv(Box<csv::Rows<W>>),
    Columnar(Box<columnar::Columnar<W>>),
    Feed(Box<feed::Entries<W>>),
    Xlsx(Box<xlsx::Sheets<W>>),
}

impl<W: Write + Send> Exporter<W> {
    /// Begins a file.
    ///
    /// # Errors
    ///
    /// The output could not be written, or [`Options::roles`] names a column that the list does not have.
    pub fn new(format: Format, layout: &Layout, options: &Options, out: W) -> Result<Exporter<W>, ExportError> {
        let sink = match format {
            Format::Jsonl => Sink::Json(json::Lines::new(layout, options, out)),
            Format::Csv => Sink::Csv(Box::new(csv::Rows::new(layout, options, out)?)),
            Format::Parquet => Sink::Columnar(Box::new(columnar::Columnar::parquet(layout, options, out)?)),
            Format::Arrow => Sink::Columnar(Box::new(columnar::Columnar::arrow(layout, options, out)?)),
            Format::Atom => Sink::Feed(Box::new(feed::Entries::new(feed::Flavour::Atom, layout, options, out)?)),
            Format::Rss => Sink::Feed(Box::new(feed::Entries::new(feed::Flavour::Rss, layout, options, out)?)),
            Format::Xlsx => Sink::Xlsx(Box::new(xlsx::Sheets::new(layout, options, out)?)),
        };
        Ok(Exporter { sink, layout: layout.clone(), rows: 0, nested: vec![0; inner_lists(layout)] })
    }

    /// Writes a record.
    ///
    /// Values and lists that the record lacks are treated as null and empty.
    ///
    /// # Errors
    ///
    /// The output could not be written, or the record is larger than one gibibyte. The file is then incomplete.
    pub fn push(&mut self, record: &Record) -> Result<(), ExportError> {
        match &mut self.sink {
            Sink::Json(lines) => lines.push(record)?,
            Sink::Csv(rows) => rows.push(record)?,
            Sink::Columnar(columnar) => columnar.push(record)?,
            Sink::Feed(entries) => entries.push(record),
            Sink::Xlsx(sheets) => sheets.push(record)?,
        }
        self.rows += 1;
        count(&self.layout, record, &mut self.nested);
        Ok(())
    }

    /// Completes the file and returns a summary.
    ///
    /// # Errors
    ///
    /// The output could not be written.
    pub fn finish(self) -> Result<Summary, ExportError> {
        let notes = match self.sink {
            Sink::Json(lines) => lines.finish()?,
            Sink::Csv(rows) => rows.finish()?,
            Sink::Columnar(columnar) => columnar.finish()?,
            Sink::Feed(entries) => entries.finish()?,
            Sink::Xlsx(sheets) => sheets.finish()?,
        };
        let mut names = Vec::new();
        list_names(&self.layout, "", &mut names);
        Ok(Summary { rows: self.rows, nested: names.into_iter().zip(self.nested).collect(), notes })
    }
}

impl<W: Write + Send> std::fmt::Debug for Exporter<W> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Exporter").field("list", &self.layout.label).field("rows", &self.rows).finish_non_exhaustive()
    }
}

/// Reports whether a list contains plain values.
pub(crate) fn of_values(layout: &Layout) -> bool {
    layout.lists.is_empty() && matches!(layout.columns.as_slice(), [column] if column.label == "value")
}

/// Returns the value in a column; null if the record has fewer columns.
pub(crate) fn value(record: &Record, column: usize) -> &Value {
    record.values.get(column).unwrap_or(&Value::Null)
}

/// Returns the records in an inner list; none if the record has fewer lists.
pub(crate) fn list(record: &Record, list: usize) -> &[Record] {
    record.lists.get(list).map_or(&[], Vec::as_slice)
}

/// Returns the number of inner lists at any depth.
fn inner_lists(layout: &Layout) -> usize {
    layout.lists.iter().map(|list| 1 + inner_lists(list)).sum()
}

/// Collects the names of the inner lists, each before the lists inside it.
fn list_names(layout: &Layout, prefix: &str, names: &mut Vec<String>) {
    for list in &layout.lists {
        let name = format!("{prefix}{}", list.label);
        names.push(name.clone());
        list_names(list, &format!("{name}."), names);
    }
}

/// Counts the records inside a record, in the order of [`list_names`].
fn count(layout: &Layout, record: &Record, counts: &mut [u64]) {
    let mut at = 0;
    for (index, inner) in layout.lists.iter().enumerate() {
        let records = list(record, index);
        let size = 1 + inner_lists(inner);
        counts[at] += records.len() as u64;
        if size > 1 {
            records.iter().for_each(|record| count(inner, record, &mut counts[at + 1..at + size]));
        }
        at += size;
    }
}
