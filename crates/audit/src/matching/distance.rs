//! Bounded Levenshtein distance from one text to many texts in sorted order.
//!
//! A text of up to 128 characters fits in a word of bits: a column of the matrix is two words of differences, and the
//! next column takes a dozen operations (Myers 1999, in Hyyrö's form). There are three additions:
//!
//! - *Early exit.* Only the diagonal that ends in the last cell is counted. It never falls, and a neighbouring cell
//!   that is smaller is smaller by no more than the cost of returning to the diagonal, so a text can be rejected as
//!   soon as the diagonal exceeds the bound.
//! - *Shared prefixes.* The columns of a text are kept until the next text, whose common prefix is not computed again;
//!   if the last text was rejected within that prefix, so is this one.
//! - Symbols are dense, so an array replaces the usual hash table.
//!
//! Longer texts are left to `rapidfuzz`, which works in blocks along the diagonal, each text on its own.

use std::ops::{Add, BitAnd, BitOr, BitXor, Not, Shl, Shr};

use rapidfuzz::distance::levenshtein::{Args, BatchComparator};

use super::alphabet::Symbol;

/// A text that many others are compared with.
pub(super) enum Pattern {
    Short(Columns<u64>),
    Middle(Columns<u128>),
    Long(BatchComparator<u32>),
}

impl Pattern {
    /// Creates a pattern from a text over an alphabet of this size.
    pub(super) fn new<S: Symbol>(text: &[S], alphabet: usize) -> Pattern {
        match text.len() {
            0..=64 => Pattern::Short(Columns::new(text, alphabet)),
            65..=128 => Pattern::Middle(Columns::new(text, alphabet)),
            _ => Pattern::Long(BatchComparator::new(numbers(text))),
        }
    }

    /// Prepares for texts of this length, with distances of at most `most`.
    pub(super) fn begin(&mut self, length: usize, most: usize) {
        match self {
            Pattern::Short(columns) => columns.begin(length, most),
            Pattern::Middle(columns) => columns.begin(length, most),
            Pattern::Long(_) => {}
        }
    }

    /// Returns the number of symbols of the last text after which it was rejected, as are all texts that share them;
    /// `None` if it was not rejected, or was rejected in another way.
    pub(super) fn out(&self) -> Option<usize> {
        match self {
            Pattern::Short(columns) => columns.out.then_some(columns.done),
            Pattern::Middle(columns) => columns.out.then_some(columns.done),
            Pattern::Long(_) => None,
        }
    }

    /// Returns the number of symbols of the last text that were processed.
    pub(super) fn done(&self) -> usize {
        match self {
            Pattern::Short(columns) => columns.done,
            Pattern::Middle(columns) => columns.done,
            Pattern::Long(_) => 0,
        }
    }

    /// Returns the distance to a text if it is at most `most`; its first `shared` symbols are those of the preceding
    /// text.
    pub(super) fn distance<S: Symbol>(&mut self, text: &[S], shared: usize, most: usize) -> Option<usize> {
        match self {
            Pattern::Short(columns) => columns.distance(text, shared, most),
            Pattern::Middle(columns) => columns.distance(text, shared, most),
            Pattern::Long(pattern) => pattern.distance_with_args(numbers(text), &Args::default().score_cutoff(most)),
        }
    }
}

/// Converts a text for `rapidfuzz`.
fn numbers<S: Symbol>(text: &[S]) -> impl DoubleEndedIterator<Item = u32> + Clone {
    text.iter().map(|symbol| symbol.number() as u32)
}

/// A word of bits.
pub(super) trait Word:
    Copy
    + Add<Output = Self>
    + BitAnd<Output = Self>
    + BitOr<Output = Self>
    + BitXor<Output = Self>
    + Not<Output = Self>
    + Shl<usize, Output = Self>
    + Shr<usize, Output = Self>
    + PartialEq
{
    const ZERO: Self;
    const ONE: Self;
    fn wrapping_add(self, other: Self) -> Self;
}

impl Word for u64 {
    const ZERO: u64 = 0;
    const ONE: u64 = 1;
    fn wrapping_add(self, other: u64) -> u64 {
        self.wrapping_add(other)
    }
}

impl Word for u128 {
    const ZERO: u128 = 0;
    const ONE: u128 = 1;
    fn wrapping_add(self, other: u128) -> u128 {
        self.wrapping_add(other)
    }
}

/// A column of the matrix: the cells that are one more than the cell above, those that are one less, and the cell on
/// the last diagonal.
#[derive(Clone, Copy)]
struct Column<W> {
    more: W,
    less: W,
    diagonal: usize,
}

/// Columns of the preceding text.
pub(super) struct Columns<W> {
    /// Positions of each symbol in the pattern.
    places: Vec<W>,
    /// Length of the pattern.
    rows: usize,
    /// Length of the texts to compare.
    length: usize,
    /// Column 0 and those of the preceding text.
    columns: Vec<Column<W>>,
    /// Number of symbols of the preceding text that were processed.
    done: usize,
    /// True if these already exceeded the bound.
    out: bool,
}

impl<W: Word> Columns<W> {
    fn new<S: Symbol>(text: &[S], alphabet: usize) -> Columns<W> {
        let mut places = vec![W::ZERO; alphabet];
        for (place, &symbol) in text.iter().enumerate() {
            // A symbol outside the alphabet occurs in no other text.
            if let Some(places) = places.get_mut(symbol.number()) {
                *places = *places | W::ONE << place;
            }
        }
        Columns { places, rows: text.len(), length: 0, columns: Vec::new(), done: 0, out: false }
    }

    fn begin(&mut self, length: usize, most: usize) {
        let diagonal = self.rows.abs_diff(length);
        self.length = length;
        self.columns.clear();
        self.columns.resize(length + 1, Column { more: !W::ZERO, less: W::ZERO, diagonal });
        self.done = 0;
        self.out = diagonal > most;
    }

    fn distance<S: Symbol>(&mut self, text: &[S], shared: usize, most: usize) -> Option<usize> {
        debug_assert_eq!(text.len(), self.length);
        if self.out && shared >= self.done {
            return None;
        }
        let start = self.done.min(shared);
        let mut column = self.columns[start];
        let rest = std::iter::zip(&text[start..], &mut self.columns[start + 1..]);
        for (place, (&symbol, next)) in (start..).zip(rest) {
            let Column { more, less, diagonal } = column;
            let equal = self.places[symbol.number()] | less;
            // Cells that are equal to their upper left neighbour.
            let kept = ((equal & more).wrapping_add(more) ^ more) | equal;
            let right_more = (less | !(kept | more)) << 1 | W::ONE;
            let right_less = (kept & more) << 1;
            column.more = right_less | !(kept | right_more);
            column.less = right_more & kept;
            // Row (less one) in which the last diagonal meets this column; the first columns may be before it.
            if let Some(row) = (place + self.rows).checked_sub(self.length)
                && (kept >> row) & W::ONE == W::ZERO
            {
                column.diagonal = diagonal + 1;
            }
            *next = column;
            if column.diagonal > most {
                (self.done, self.out) = (place + 1, true);
                return None;
            }
        }
        (self.done, self.out) = (text.len(), false);
        Some(column.diagonal)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::alphabet::FOREIGN;
    use super::*;

    fn matrix(one: &[u32], other: &[u32]) -> usize {
        let mut row: Vec<usize> = (0..=other.len()).collect();
        for (i, symbol) in one.iter().enumerate() {
            let mut corner = std::mem::replace(&mut row[0], i + 1);
            for (j, another) in other.iter().enumerate() {
                let changed = corner + usize::from(symbol != another);
                corner = row[j + 1];
                row[j + 1] = changed.min(corner + 1).min(row[j] + 1);
            }
        }
        row[other.len()]
    }

    proptest! {
        #[test]
        fn distances_are_those_of_the_matrix(
            one in prop_oneof![prop::collection::vec(0_u32..4, 0..12), prop::collection::vec(0_u32..4, 0..140)],
            length in 0_usize..140,
            seed in prop::collection::vec(0_u32..4, 140),
            steps in prop::collection::vec((0_usize..140, 0_u32..4), 0..12),
            most in 0_usize..140,
        ) {
            let mut pattern = Pattern::new(&one, 4);
            pattern.begin(length, most);
            let mut text = seed[..length].to_vec();
            prop_assert_eq!(pattern.distance(&text, 0, most), Some(matrix(&one, &text)).filter(|&it| it <= most));
            for (shared, symbol) in steps {
                let shared = shared.min(length);
                text[shared..].iter_mut().for_each(|it| *it = (*it + symbol) % 4);
                let expected = Some(matrix(&one, &text)).filter(|&it| it <= most);
                prop_assert_eq!(pattern.distance(&text, shared, most), expected);
            }
        }
    }

    #[test]
    fn a_foreign_character_is_nowhere() {
        let mut pattern = Pattern::new(&[0, FOREIGN, 1], 2);
        pattern.begin(2, 3);
        assert_eq!(pattern.distance(&[0_u32, 1], 0, 3), Some(1));
        pattern.begin(3, 3);
        assert_eq!(pattern.distance(&[0_u32, 0, 1], 0, 3), Some(1));
    }
}
