//! Character counts of each value: a bound on the distance that takes a nanosecond.
//!
//! An edit removes at most one character. If a text has *p* characters in excess of another, counted per character
//! regardless of position, at least *p* edits are needed. The opposite direction need not be counted: apart from the
//! difference in length, the text lacks as many characters as it has in excess. Of the drug names that fit by length,
//! one in fifty remains.
//!
//! Characters are counted in buckets: the sixteen most frequent have one each, the others share sixteen more. Sixteen
//! values form a block, stored bucket by bucket, so that one SIMD instruction processes all of them; compilers
//! vectorize this automatically. A value takes 32 bytes, or 16 if the column has at most sixteen characters, and some
//! four instructions, with as many again if the frequent characters leave something of its block.

use std::ops::Range;

use super::alphabet::Symbol;
use super::values::Values;

/// Longest values whose characters are counted: a count takes a byte.
pub(super) const LONGEST: usize = u8::MAX as usize;

/// Number of values in a block, and of buckets in a layer.
const SIXTEEN: usize = 16;

/// Counts of sixteen values in each of sixteen buckets.
type Block = [[u8; SIXTEEN]; SIXTEEN];

/// Counts of all values that are not too long.
#[derive(Debug)]
pub(super) struct Counts {
    /// Blocks of the most frequent characters and, if there are any, of all others.
    layers: Vec<Vec<Block>>,
}

/// Counts of one text, repeated for each value of a block.
#[derive(Debug)]
pub(super) struct Counted([Block; 2]);

impl Counted {
    /// Counts a text. Counts beyond a byte are cut, which makes the bound lower but keeps it valid.
    pub(super) fn new<S: Symbol>(text: &[S]) -> Counted {
        let mut counts = [[0_u8; SIXTEEN]; 2];
        for &symbol in text {
            let (layer, bucket) = bucket(symbol);
            counts[layer][bucket] = counts[layer][bucket].saturating_add(1);
        }
        Counted(counts.map(|layer| layer.map(|count| [count; SIXTEEN])))
    }
}

/// Returns the layer and the bucket in which a character is counted.
fn bucket<S: Symbol>(symbol: S) -> (usize, usize) {
    let number = symbol.number();
    (usize::from(number >= SIXTEEN), number % SIXTEEN)
}

impl Counts {
    /// Counts all values.
    pub(super) fn new<S: Symbol>(values: &Values<S>) -> Counts {
        let count = values.first_of(LONGEST + 1);
        let layers = if values.alphabet.size() <= SIXTEEN { 1 } else { 2 };
        let mut layers = vec![vec![[[0; SIXTEEN]; SIXTEEN]; count.div_ceil(SIXTEEN)]; layers];
        for (value, text) in values.texts(0..count) {
            for &symbol in text {
                let (layer, bucket) = bucket(symbol);
                layers[layer][value / SIXTEEN][bucket][value % SIXTEEN] += 1;
            }
        }
        Counts { layers }
    }

    /// Passes the values of a range for which the text has at most `most` excess characters to `found`, in order.
    pub(super) fn near(&self, text: &Counted, most: usize, range: Range<usize>, mut found: impl FnMut(usize)) {
        let most = most.min(usize::from(u8::MAX)) as u8;
        for block in range.start / SIXTEEN..range.end.div_ceil(SIXTEEN) {
            let mut marks = self.marks(text, most, block);
            while marks != 0 {
                // A value takes one byte.
                let value = block * SIXTEEN + marks.trailing_zeros() as usize / 8;
                marks &= marks - 1;
                if range.contains(&value) {
                    found(value);
                }
            }
        }
    }

    /// Returns a word with a bit in the byte of each value of a block for which the text has at most `most` excess
    /// characters.
    fn marks(&self, text: &Counted, most: u8, block: usize) -> u128 {
        let mut sums = [0_u8; SIXTEEN];
        for (layer, text) in std::iter::zip(&self.layers, &text.0) {
            let Some(block) = layer.get(block) else { return 0 };
            add(&mut sums, text, block);
            if sums.iter().all(|&sum| sum > most) {
                return 0;
            }
        }
        mark(&mut sums, most);
        u128::from_le_bytes(sums)
    }

    /// Returns the memory use in bytes.
    pub(super) fn memory(&self) -> usize {
        self.layers.iter().map(|layer| layer.len() * size_of::<Block>()).sum()
    }
}

/// Adds the number of excess characters of the text to the sum of each value of a block.
///
/// As a separate function it compiles to four instructions per bucket; inlined, the compiler processes the sixteen
/// values one by one.
#[inline(never)]
fn add(sums: &mut [u8; SIXTEEN], text: &Block, block: &Block) {
    for (value, sum) in sums.iter_mut().enumerate() {
        for bucket in 0..SIXTEEN {
            *sum = sum.saturating_add(text[bucket][value].saturating_sub(block[bucket][value]));
        }
    }
}

/// Replaces each sum by 1 if it is at most `most`, else by 0; a separate function for the same reason.
#[inline(never)]
fn mark(sums: &mut [u8; SIXTEEN], most: u8) {
    for sum in sums {
        *sum = u8::from(*sum <= most);
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::alphabet::{Alphabet, FOREIGN};
    use super::super::folded::Folded;
    use super::*;
    use crate::reference::Reference;

    fn values(texts: &[impl AsRef<str>]) -> Values<u32> {
        let reference = Reference::from_rows("values", &["value"], texts.iter().map(|text| [text.as_ref()]));
        let folded = Folded::new(&reference, 0);
        let alphabet: Alphabet = folded.alphabet();
        Values::new(&folded, alphabet)
    }

    /// Returns the number of excess characters by a slow method; exact while each character has its own bucket.
    fn too_many(text: &[u32], other: &[u32]) -> usize {
        let mut rest = other.to_vec();
        let lacks = |symbol: &&u32| match rest.iter().position(|it| it == *symbol) {
            Some(place) => {
                rest.swap_remove(place);
                false
            }
            None => true,
        };
        text.iter().filter(lacks).count()
    }

    fn near(counts: &Counts, text: &[u32], most: usize, range: Range<usize>) -> Vec<usize> {
        let mut found = Vec::new();
        counts.near(&Counted::new(text), most, range, |value| found.push(value));
        found
    }

    proptest! {
        #[test]
        fn what_is_left_is_what_counting_leaves(
            texts in prop::collection::vec("[a-z]{1,12}", 1..90),
            text in prop::collection::vec(0_u32..26, 0..14),
            most in 0_usize..8,
            ends in (0_usize..90, 0_usize..90),
        ) {
            let values = values(&texts);
            let counts = Counts::new(&values);
            let range = ends.0.min(values.len())..ends.1.min(values.len());
            let slow: Vec<usize> = values
                .texts(range.clone())
                .filter(|(_, other)| too_many(&text, other) <= most)
                .map(|(value, _)| value)
                .collect();
            prop_assert_eq!(near(&counts, &text, most, range), slow);
        }
    }

    #[test]
    fn many_different_characters_share_buckets_and_nothing_is_lost() {
        let han = |number: u32| char::from_u32(0x4E00 + number).unwrap_or('药');
        let texts: Vec<String> = (0..600).map(|place| (place..place + 4).map(han).collect()).collect();
        let values = values(&texts);
        let counts = Counts::new(&values);
        for (value, text) in values.texts(0..values.len()) {
            assert!(near(&counts, text, 0, 0..values.len()).contains(&value));
        }
        assert_eq!(near(&counts, &[FOREIGN; 9], 9, 0..values.len()).len(), values.len());
    }

    #[test]
    fn counts_of_long_texts_do_not_wrap_around() {
        let values = values(&["a".repeat(255), "b".repeat(254), "a".repeat(256)]);
        let counts = Counts::new(&values);
        let a = values.alphabet.symbol('a');
        assert_eq!(near(&counts, &vec![a; 255], 0, 0..2), [1]);
        assert_eq!(near(&counts, &vec![a; 600], 345, 0..2), [0, 1]);
        assert_eq!(near(&counts, &vec![a; 600], 0, 0..3), [1]);
    }
}
