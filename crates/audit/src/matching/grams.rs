//! Where the q-grams of all values are: for one q, the values and places of each gram.
//!
//! A gram is known by a hash of its symbols, cut to the size of the table: what falls together is one list, longer than
//! need be but never wrong. Lists are filled in two passes in order of values, so each is in that order and needs no
//! sorting. Five bytes for each character of the values, and four for each list, of which there is one for every eight
//! entries.

use std::ops::Range;

use super::alphabet::Symbol;
use super::counts::LONGEST;
use super::values::Values;

/// How long grams are: two where many edits leave room for no more, five for codes whose beginnings repeat. Each size
/// takes five bytes for each character.
pub(super) const SIZES: [usize; 3] = [2, 3, 5];

/// The grams of one size.
#[derive(Debug)]
pub(super) struct Grams {
    size: usize,
    /// How far a hash is shifted to be the number of a list.
    shift: u32,
    /// Where each list begins.
    starts: Vec<u32>,
    values: Vec<u32>,
    places: Vec<u8>,
}

impl Grams {
    /// All grams of this size.
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

    /// How many symbols each has.
    pub(super) fn size(&self) -> usize {
        self.size
    }

    fn list<S: Symbol>(&self, gram: &[S]) -> usize {
        // Fibonacci's multiplier: the high bits depend on every symbol.
        let hash = gram.iter().fold(0_u64, |hash, &symbol| {
            (hash.rotate_left(23) ^ (symbol.number() as u64).wrapping_add(1)).wrapping_mul(0x9E37_79B9_7F4A_7C15)
        });
        (hash >> self.shift) as usize
    }

    /// The entries of a gram.
    pub(super) fn entries<S: Symbol>(&self, gram: &[S]) -> Range<usize> {
        let list = self.list(gram);
        self.starts[list] as usize..self.starts[list + 1] as usize
    }

    /// Those of them whose value is in a range.
    pub(super) fn entries_of(&self, entries: Range<usize>, values: &Range<usize>) -> Range<usize> {
        let list = &self.values[entries.clone()];
        let start = entries.start + list.partition_point(|&value| (value as usize) < values.start);
        let end = entries.start + list.partition_point(|&value| (value as usize) < values.end);
        start..end
    }

    /// The value and the place of each entry.
    pub(super) fn read(&self, entries: Range<usize>) -> impl Iterator<Item = (usize, usize)> {
        let places = self.places[entries.clone()].iter();
        std::iter::zip(&self.values[entries], places).map(|(&value, &place)| (value as usize, usize::from(place)))
    }

    /// Bytes in memory.
    pub(super) fn memory(&self) -> usize {
        self.starts.len() * size_of::<u32>() + self.values.len() * size_of::<u32>() + self.places.len()
    }
}
