//! Index of q-grams: for one q, the values and positions of each gram.
//!
//! A gram is identified by a hash of its symbols, cut to the size of the table: colliding grams share a list, which is
//! then longer than necessary but never wrong. Lists are filled in two passes in the order of values, so they need no
//! sorting. The index takes five bytes per character of the values, and four per list, of which there is one for every
//! eight entries.

use std::ops::Range;

use super::alphabet::Symbol;
use super::counts::LONGEST;
use super::values::Values;

/// Lengths of grams: two if many edits leave no room for longer ones, five for codes with repeated beginnings. Each
/// length takes five bytes per character.
pub(super) const SIZES: [usize; 3] = [2, 3, 5];

/// Grams of one length.
#[derive(Debug)]
pub(super) struct Grams {
    size: usize,
    /// Number of bits by which a hash is shifted to get the number of a list.
    shift: u32,
    /// Beginning of each list.
    starts: Vec<u32>,
    values: Vec<u32>,
    places: Vec<u8>,
}

impl Grams {
    /// Indexes all grams of this length.
    pub(super) fn new<S: Symbol>(values: &Values<S>, size: usize) -> Grams {
        let all = values.first_of(size)..values.first_of(LONGEST + 1);
        let total = values.symbols_in(&all) - all.len() * (size - 1);
        let bits = (total / 8).next_power_of_two().trailing_zeros().clamp(4, 24);
        let mut grams = Grams {
            size,
            shift: 64 - bits,
            starts: vec![0; (1 << bits) + 1],
            values: vec![0; total],
            places: vec![0; total],
        };
        for (_, text) in values.texts(all.clone()) {
            for gram in text.windows(size) {
                let list = grams.list(gram);
                grams.starts[list + 1] += 1;
            }
        }
        for list in 1..grams.starts.len() {
            grams.starts[list] += grams.starts[list - 1];
        }
        let mut next = grams.starts.clone();
        for (value, text) in values.texts(all) {
            for (place, gram) in text.windows(size).enumerate() {
                let entry = &mut next[grams.list(gram)];
                grams.values[*entry as usize] = value as u32;
                grams.places[*entry as usize] = place as u8;
                *entry += 1;
            }
        }
        grams
    }

    /// Returns the length of the grams.
    pub(super) fn size(&self) -> usize {
        self.size
    }

    fn list<S: Symbol>(&self, gram: &[S]) -> usize {
        // Fibonacci hashing: the high bits depend on every symbol.
        let hash = gram.iter().fold(0_u64, |hash, &symbol| {
            (hash.rotate_left(23) ^ (symbol.number() as u64).wrapping_add(1)).wrapping_mul(0x9E37_79B9_7F4A_7C15)
        });
        (hash >> self.shift) as usize
    }

    /// Returns the entries of a gram.
    pub(super) fn entries<S: Symbol>(&self, gram: &[S]) -> Range<usize> {
        let list = self.list(gram);
        self.starts[list] as usize..self.starts[list + 1] as usize
    }

    /// Returns those of the entries whose value is in a range.
    pub(super) fn entries_of(&self, entries: Range<usize>, values: &Range<usize>) -> Range<usize> {
        let list = &self.values[entries.clone()];
        let start = entries.start + list.partition_point(|&value| (value as usize) < values.start);
        let end = entries.start + list.partition_point(|&value| (value as usize) < values.end);
        start..end
    }

    /// Returns the value and the position of each entry.
    pub(super) fn read(&self, entries: Range<usize>) -> impl Iterator<Item = (usize, usize)> {
        let places = self.places[entries.clone()].iter();
        std::iter::zip(&self.values[entries], places).map(|(&value, &place)| (value as usize, usize::from(place)))
    }

    /// Returns the memory use in bytes.
    pub(super) fn memory(&self) -> usize {
        self.starts.len() * size_of::<u32>() + self.values.len() * size_of::<u32>() + self.places.len()
    }
}
