//! Folded texts of a column: temporary input for its search structures.

use std::ops::Range;

use super::alphabet::Alphabet;
use crate::normal::normal;
use crate::reference::Reference;

/// The folded texts of one column.
pub(super) struct Folded {
    /// All texts, concatenated.
    pub(super) text: String,
    /// Row of each text and its range.
    pub(super) cells: Vec<(u32, Range<usize>)>,
    /// Number of rows in the table.
    pub(super) rows: usize,
}

impl Folded {
    /// Folds the texts of one column; rows without a value have none.
    pub(super) fn new(reference: &Reference, column: usize) -> Folded {
        let mut folded = Folded { text: String::new(), cells: Vec::new(), rows: reference.rows() };
        for row in 0..folded.rows {
            if let Some(value) = reference.value(row, column) {
                let start = folded.text.len();
                folded.text.push_str(&normal(value));
                folded.cells.push((row as u32, start..folded.text.len()));
            }
        }
        folded
    }

    /// Returns the alphabet of the texts.
    pub(super) fn alphabet(&self) -> Alphabet {
        Alphabet::new(self.text.chars())
    }
}
