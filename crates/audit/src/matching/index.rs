//! The index of one column and its queries.

use super::column::Column;
use super::folded::Folded;
use crate::reference::Reference;

/// Values of one column of a reference table, prepared for matching; see the [module](super).
#[derive(Debug)]
pub struct Index(Width);

/// Width of the column's characters.
#[derive(Debug)]
enum Width {
    Narrow(Column<u8>),
    Wide(Column<u32>),
}

/// Runs the same expression for both widths.
macro_rules! ask {
    ($index:expr, $column:ident => $answer:expr) => {
        match &$index.0 {
            Width::Narrow($column) => $answer,
            Width::Wide($column) => $answer,
        }
    };
}

impl Index {
    /// Indexes one column of a table; rows without a value match nothing.
    pub fn new(reference: &Reference, column: usize) -> Index {
        let folded = Folded::new(reference, column);
        let alphabet = folded.alphabet();
        Index(if alphabet.size() <= usize::from(u8::MAX) {
            Width::Narrow(Column::new(&folded, alphabet))
        } else {
            Width::Wide(Column::new(&folded, alphabet))
        })
    }

    /// Returns every row whose value has at least this degree of equality, with the degree; exact, in the order of
    /// rows.
    pub fn within(&self, value: &str, threshold: f64) -> Vec<(usize, f64)> {
        ask!(self, column => column.within(&column.query(value), threshold))
    }

    /// Returns the row with the best match if it reaches this degree; the first one of several.
    ///
    /// High thresholds are tried before low ones, so a row with an equal value is found without comparing others.
    pub fn best(&self, value: &str, threshold: f64) -> Option<(usize, f64)> {
        self.top(value, threshold, 1).pop()
    }

    /// Returns the `most` rows that match best, if they reach this degree: best first, then in the order of rows.
    pub fn top(&self, value: &str, threshold: f64, most: usize) -> Vec<(usize, f64)> {
        ask!(self, column => column.top(&column.query(value), threshold, most))
    }

    /// Returns the number of distinct values after normalization.
    pub fn values(&self) -> usize {
        ask!(self, column => column.values.len())
    }

    /// Returns the memory use in bytes.
    pub fn memory(&self) -> usize {
        ask!(self, column => column.memory())
    }
}
