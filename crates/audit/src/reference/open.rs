//! Opening a source: the choice of the reader, and common limits.

use std::fs::File;
use std::io::Read;
use std::path::Path;

use super::error::Error;
use super::source::Source;
use super::table::{MOST_BYTES, Reference};
use super::{csv, parquet, postgres, sqlite};

/// Largest number of columns; databases permit fewer.
const MOST_COLUMNS: usize = 4096;
/// Largest number of cells, including empty ones: their ends then take 512 MiB.
const MOST_CELLS: usize = 1 << 27;

/// Options for reading a table.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Options {
    /// Largest number of rows; the default is five million.
    pub rows: usize,
    /// Largest number of bytes of text; the default of 512 MiB is also the absolute limit.
    pub bytes: usize,
    /// Name of a CSV file's encoding; detected by default.
    pub encoding: Option<String>,
    /// Delimiter of a CSV file; detected by default.
    pub delimiter: Option<u8>,
}

impl Default for Options {
    fn default() -> Options {
        Options { rows: 5_000_000, bytes: MOST_BYTES, encoding: None, delimiter: None }
    }
}

impl Options {
    /// Limits the number of rows.
    pub fn with_rows(mut self, rows: usize) -> Options {
        self.rows = rows;
        self
    }

    /// Limits the number of bytes of text.
    pub fn with_bytes(mut self, bytes: usize) -> Options {
        self.bytes = bytes.min(MOST_BYTES);
        self
    }

    /// Sets the encoding of CSV files.
    pub fn with_encoding(mut self, name: impl Into<String>) -> Options {
        self.encoding = Some(name.into());
        self
    }

    /// Sets the delimiter of CSV files.
    pub fn with_delimiter(mut self, delimiter: u8) -> Options {
        self.delimiter = Some(delimiter);
        self
    }
}

impl Reference {
    /// Reads a table.
    pub fn open(source: &Source, options: &Options) -> Result<Reference, Error> {
        let reference = match source {
            Source::Postgres { address, part } => postgres::read(&source.to_string(), address, part, options)?,
            Source::File { path, part } => match kind(path)? {
                Kind::Sqlite => sqlite::read(&source.to_string(), path, part, options)?,
                Kind::Parquet => parquet::read(path, options)?,
                Kind::Text => csv::read(path, options)?,
            },
        };
        if reference.rows() == 0 { Err(Error::Empty { name: reference.name().to_owned() }) } else { Ok(reference) }
    }
}

/// Type of a file.
enum Kind {
    Sqlite,
    Parquet,
    Text,
}

fn kind(path: &Path) -> Result<Kind, Error> {
    let mut start = Vec::new();
    let mut read = || File::open(path)?.take(16).read_to_end(&mut start);
    read().map_err(|source| Error::file(path, source))?;
    Ok(match start.as_slice() {
        b"SQLite format 3\0" => Kind::Sqlite,
        _ if start.starts_with(b"PAR1") => Kind::Parquet,
        _ => Kind::Text,
    })
}

/// A table that is being read.
pub(super) struct Rows {
    reference: Reference,
    rows: usize,
    bytes: usize,
}

impl Rows {
    /// Begins a table. A column without a name is named after its number, and a repeated name gets a number appended.
    pub(super) fn new(name: &str, columns: impl IntoIterator<Item = String>, options: &Options) -> Result<Rows, Error> {
        let mut names: Vec<String> = Vec::new();
        for (number, column) in (1..).zip(columns) {
            if number > MOST_COLUMNS {
                return Err(Error::TooLarge { name: name.to_owned(), what: "columns", most: MOST_COLUMNS });
            }
            let column = column.trim();
            let column = if column.is_empty() { format!("column {number}") } else { column.to_owned() };
            let name = if names.contains(&column) {
                (2..).map(|time| format!("{column} {time}")).find(|name| !names.contains(name)).unwrap_or_default()
            } else {
                column
            };
            names.push(name);
        }
        let bytes = options.bytes.min(MOST_BYTES);
        Ok(Rows { reference: Reference::new(name, names), rows: options.rows, bytes })
    }

    /// Returns the number of columns.
    pub(super) fn columns(&self) -> usize {
        self.reference.columns().len()
    }

    /// Appends a cell to the current row; white space counts as no value.
    pub(super) fn cell(&mut self, value: &str) -> Result<(), Error> {
        let value = value.trim();
        if self.reference.bytes() + value.len() > self.bytes {
            return Err(self.too_large("bytes of text", self.bytes));
        }
        if self.reference.cells() >= MOST_CELLS {
            return Err(self.too_large("cells", MOST_CELLS));
        }
        self.reference.push(value);
        Ok(())
    }

    /// Ends a row.
    pub(super) fn end(&self) -> Result<(), Error> {
        if self.reference.rows() > self.rows { Err(self.too_large("rows", self.rows)) } else { Ok(()) }
    }

    fn too_large(&self, what: &'static str, most: usize) -> Error {
        Error::TooLarge { name: self.reference.name().to_owned(), what, most }
    }

    /// Returns the finished table.
    pub(super) fn done(mut self) -> Reference {
        self.reference.shrink();
        self.reference
    }
}
