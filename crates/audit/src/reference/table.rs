//! A reference table in memory: one text with all cells, and where each ends.
//!
//! A row of short cells costs its text and four bytes a cell, and no allocation of its own. A cell that is null or empty
//! in the source has no value: files cannot tell the two apart, so databases are not asked to.

use super::error::Error;
use super::near::nearest;

/// Most text of a table. A character of three bytes can become eighteen when it is folded; so an index of them all can
/// still count them in 32 bits.
pub(super) const MOST_BYTES: usize = 512 << 20;

/// A table that records are held against.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reference {
    name: String,
    columns: Vec<String>,
    text: String,
    /// Where each cell ends, row by row.
    ends: Vec<u32>,
}

impl Reference {
    /// A table of these rows, as if read. A row that is too short has no values at its end; what is too much of a longer
    /// one, or of more text than 512 MiB, is left out.
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

    /// A table without rows.
    pub(super) fn new(name: impl Into<String>, columns: Vec<String>) -> Reference {
        Reference { name: name.into(), columns, text: String::new(), ends: Vec::new() }
    }

    /// Adds a cell to the end; readers keep rows whole and the text within bounds.
    pub(super) fn push(&mut self, value: &str) {
        self.text.push_str(value);
        debug_assert!(self.text.len() <= MOST_BYTES);
        self.ends.push(self.text.len() as u32);
    }

    /// Bytes of text so far.
    pub(super) fn bytes(&self) -> usize {
        self.text.len()
    }

    /// Cells so far.
    pub(super) fn cells(&self) -> usize {
        self.ends.len()
    }

    /// Gives back what was allocated ahead.
    pub(super) fn shrink(&mut self) {
        self.text.shrink_to_fit();
        self.ends.shrink_to_fit();
    }

    /// Where it came from: the file, or the table.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The names of its columns.
    pub fn columns(&self) -> &[String] {
        &self.columns
    }

    /// How many rows it has.
    pub fn rows(&self) -> usize {
        self.ends.len() / self.columns.len().max(1)
    }

    /// The column of this name: to the letter or, if no other is written so, in any case.
    pub fn column(&self, name: &str) -> Option<usize> {
        let exact = self.columns.iter().position(|column| column == name);
        exact.or_else(|| {
            let wanted = name.trim().to_lowercase();
            let mut alike =
                (0..self.columns.len()).filter(|&column| self.columns[column].trim().to_lowercase() == wanted);
            alike.next().filter(|_| alike.next().is_none())
        })
    }

    /// The value of a cell; none if it is null, empty, or not there.
    pub fn value(&self, row: usize, column: usize) -> Option<&str> {
        if column >= self.columns.len() {
            return None;
        }
        let cell = row.checked_mul(self.columns.len())?.checked_add(column)?;
        let end = *self.ends.get(cell)? as usize;
        let start = if cell == 0 { 0 } else { self.ends[cell - 1] as usize };
        (start < end).then(|| &self.text[start..end])
    }

    /// The columns of these names, in their order; an error names every one that is missing.
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

    /// Bytes that it holds in memory.
    pub fn memory(&self) -> usize {
        self.text.capacity() + self.ends.capacity() * size_of::<u32>()
    }
}
