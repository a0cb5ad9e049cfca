//! The texts of a column, folded: what all is made of, and thrown away then.

use std::ops::Range;

use super::alphabet::Alphabet;
use crate::normal::normal;
use crate::reference::Reference;

/// The folded texts of one column.
pub(super) struct Folded {
    /// All of them.
    pub(super) text: String,
    /// The row of each, and where it stands.
    pub(super) cells: Vec<(u32, Range<usize>)>,
    /// How many rows the table has.
    pub(super) rows: usize,
}

impl Folded {
    /// Of one column; rows without a value have none.
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

    /// Their characters.
    pub(super) fn alphabet(&self) -> Alphabet {
        Alphabet::new(self.text.chars())
    }
}
