//! A reference table in memory: a single text with all cells, and the end of each.
//!
//! A row of short cells takes its text and four bytes per cell, without an allocation of its own. A cell that is null
//! or empty in the source has no value: files cannot distinguish the two, so databases are treated alike.

use super::error::Error;
use super::near::nearest;

/// Largest text of a table. Folding can turn a character of three bytes into eighteen, and an index must still be able
/// to count all characters in 32 bits.
pub(super) const MOST_BYTES: usize = 512 << 20;

/// A table that records are compared with.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reference {
    name: String,
    columns: Vec<String>,
    text: String,
    /// End of each cell, row by row.
    ends: Vec<u32>,
}

impl Reference {
    /// Creates a table from rows. Missing cells at the end of a row have no values; excess cells, and cells beyond 512
    /// MiB of text, are dropped.
    pub fn from_rows<'a>(
        name: &str,
        columns: &[&str],
        rows: impl IntoIterator<Item = impl IntoIterator<Item = &'a str>>,
    ) -> Reference {
        let columns: Vec<String> = columns.iter().map(|&column| column.to_owned()).collect();
        let mut reference = Reference::new(name, columns);
        for row in rows {
            let mut row = row.into_iter();
            for _ in 0..reference.columns.len() {
                let value = row.next().unwrap_or_default();
                let room = reference.text.len() + value.len() <= MOST_BYTES;
                reference.push(if room { value } else { "" });
            }
        }
        reference
    }

    /// Creates a table without rows.
    pub(super) fn new(name: impl Into<String>, columns: Vec<String>) -> Reference {
        Reference { name: name.into(), columns, text: String::new(), ends: Vec::new() }
    }

    /// Appends a cell; the readers ensure complete rows and the limit on the text.
    pub(super) fn push(&mut self, value: &str) {
        self.text.push_str(value);
        debug_assert!(self.text.len() <= MOST_BYTES);
        self.ends.push(self.text.len() as u32);
    }

    /// Returns the number of bytes of text so far.
    pub(super) fn bytes(&self) -> usize {
        self.text.len()
    }

    /// Returns the number of cells so far.
    pub(super) fn cells(&self) -> usize {
        self.ends.len()
    }

    /// Releases unused capacity.
    pub(super) fn shrink(&mut self) {
        self.text.shrink_to_fit();
        self.ends.shrink_to_fit();
    }

    /// Returns the source: the file or the table.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns the column names.
    pub fn columns(&self) -> &[String] {
        &self.columns
    }

    /// Returns the number of rows.
    pub fn rows(&self) -> usize {
        self.ends.len() / self.columns.len().max(1)
    }

    /// Finds a column by name: exactly or, if that is unambiguous, ignoring case.
    pub fn column(&self, name: &str) -> Option<usize> {
        let exact = self.columns.iter().position(|column| column == name);
        exact.or_else(|| {
            let wanted = name.trim().to_lowercase();
            let mut alike =
                (0..self.columns.len()).filter(|&column| self.columns[column].trim().to_lowercase() == wanted);
            alike.next().filter(|_| alike.next().is_none())
        })
    }

    /// Returns the value of a cell; `None` if it is null, empty or does not exist.
    pub fn value(&self, row: usize, column: usize) -> Option<&str> {
        if column >= self.columns.len() {
            return None;
        }
        let cell = row.checked_mul(self.columns.len())?.checked_add(column)?;
        let end = *self.ends.get(cell)? as usize;
        let start = if cell == 0 { 0 } else { self.ends[cell - 1] as usize };
        (start < end).then(|| &self.text[start..end])
    }

    /// Finds the columns with these names, in their order; the error names all that are missing.
    pub fn require(&self, names: &[&str]) -> Result<Vec<usize>, Error> {
        let missing: Vec<String> =
            names.iter().filter(|name| self.column(name).is_none()).map(|&name| name.to_owned()).collect();
        if missing.is_empty() {
            return Ok(names.iter().filter_map(|name| self.column(name)).collect());
        }
        let present = || self.columns.iter().map(String::as_str);
        let near = missing.iter().map(|name| nearest(name, present()).map(str::to_owned)).collect();
        Err(Error::Columns { name: self.name.clone(), missing, near, present: self.columns.clone() })
    }

    /// Returns the memory use in bytes.
    pub fn memory(&self) -> usize {
        self.text.capacity() + self.ends.capacity() * size_of::<u32>()
    }
}
