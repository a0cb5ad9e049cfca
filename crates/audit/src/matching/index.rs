//! The index of one column, and its questions.

use super::column::Column;
use super::folded::Folded;
use crate::reference::Reference;

/// The values of one column of a reference table, ready to be matched; see the [module](super).
#[derive(Debug)]
pub struct Index(Width);

/// How wide the column's characters are.
#[derive(Debug)]
enum Width {
    Narrow(Column<u8>),
    Wide(Column<u32>),
}

/// The same for both widths.
macro_rules! ask {
    ($index:expr, $column:ident => $answer:expr) => {
        match &$index.0 {
            Width::Narrow($column) => $answer,
            Width::Wide($column) => $answer,
        }
    };
}

impl Index {
    /// Of one column of a table; rows without a value match nothing.
    pub fn new(reference: &Reference, column: usize) -> Index {
        let folded = Folded::new(reference, column);
        let alphabet = folded.alphabet();
        Index(if alphabet.size() <= usize::from(u8::MAX) {
            Width::Narrow(Column::new(&folded, alphabet))
        } else {
            Width::Wide(Column::new(&folded, alphabet))
        })
    }

    /// Every row whose value has at least this degree of equality, with the degree; exact, in order of rows.
    pub fn within(&self, value: &str, threshold: f64) -> Vec<(usize, f64)> {
        ask!(self, column => column.within(&column.query(value), threshold))
    }

    /// The row that agrees best, if one agrees to this degree; of several, the first.
    ///
    /// High thresholds are tried before low ones: whoever has an equal value is not compared with others.
    pub fn best(&self, value: &str, threshold: f64) -> Option<(usize, f64)> {
        self.top(value, threshold, 1).pop()
    }

    /// The `most` rows that agree best, if they agree to this degree: best first, then in order of rows.
    pub fn top(&self, value: &str, threshold: f64, most: usize) -> Vec<(usize, f64)> {
        ask!(self, column => column.top(&column.query(value), threshold, most))
    }

    /// How many distinct values the column has, after normalisation.
    pub fn values(&self) -> usize {
        ask!(self, column => column.values.len())
    }

    /// Bytes that it holds in memory.
    pub fn memory(&self) -> usize {
        ask!(self, column => column.memory())
    }
}
