//! Opening: which reader a source needs, and the bounds that all of them keep.

use std::fs::File;
use std::io::Read;
use std::path::Path;

use super::error::Error;
use super::source::Source;
use super::table::{MOST_BYTES, Reference};
use super::{csv, parquet, postgres, sqlite};

/// Most columns: more than the databases have.
const MOST_COLUMNS: usize = 4096;
/// Most cells, empty or not: where each ends takes 512 MiB then.
const MOST_CELLS: usize = 1 << 27;

/// How a table is read.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Options {
    /// Most rows; five million, if nothing else is said.
    pub rows: usize,
    /// Most bytes of text, which are also the most at all: 512 MiB.
    pub bytes: usize,
    /// The encoding of a CSV file, by its name, if it is not to be found out.
    pub encoding: Option<String>,
    /// The delimiter of a CSV file, if it is not to be found out.
    pub delimiter: Option<u8>,
}

impl Default for Options {
    fn default() -> Options {
        Options { rows: 5_000_000, bytes: MOST_BYTES, encoding: None, delimiter: None }
    }
}

impl Options {
    /// With at most so many rows.
    pub fn with_rows(mut self, rows: usize) -> Options {
        self.rows = rows;
        self
    }

    /// With at most so many bytes of text.
    pub fn with_bytes(mut self, bytes: usize) -> Options {
        self.bytes = bytes.min(MOST_BYTES);
        self
    }

    /// With this encoding of CSV files.
    pub fn with_encoding(mut self, name: impl Into<String>) -> Options {
        self.encoding = Some(name.into());
        self
    }

    /// With this delimiter of CSV files.
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

/// What a file is.
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

/// A table while it is read.
pub(super) struct Rows {
    reference: Reference,
    rows: usize,
    bytes: usize,
}

impl Rows {
    /// With columns of these names: one without a name gets its number, one whose name was there the number of times.
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

    /// How many columns there are.
    pub(super) fn columns(&self) -> usize {
        self.reference.columns().len()
    }

    /// Adds a cell to the row that is being read; what is white space has no value.
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

    /// A row was read whole.
    pub(super) fn end(&self) -> Result<(), Error> {
        if self.reference.rows() > self.rows { Err(self.too_large("rows", self.rows)) } else { Ok(()) }
    }

    fn too_large(&self, what: &'static str, most: usize) -> Error {
        Error::TooLarge { name: self.reference.name().to_owned(), what, most }
    }

    /// The table.
    pub(super) fn done(mut self) -> Reference {
        self.reference.shrink();
        self.reference
    }
}
