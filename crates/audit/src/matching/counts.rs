//! How often each value has each character: a bound on the distance that costs a nanosecond.
//!
//! An edit takes away at most one character. So if a text has *p* characters too many for another, counted character by
//! character wherever they stand, it takes at least *p* edits to come from the one to the other. The other way round
//! nothing need be counted: the text lacks as many as it has too many, but for the difference of the lengths. Of the names
//! of drugs that fit by length, one in fifty is left.
//!
//! Characters are counted in buckets: the sixteen most frequent have one each, the others share sixteen more. Sixteen
//! values are a block, bucket by bucket, so that one instruction of today's processors counts for all of them, which
//! compilers see without being told. That is 32 bytes for each value, or 16 if the column has no more than sixteen
//! characters; and some four instructions for a value, as many again where the frequent characters leave something of its
//! block.

use std::ops::Range;

use super::alphabet::Symbol;
use super::values::Values;

/// The longest values whose characters are counted: a count takes a byte.
pub(super) const LONGEST: usize = u8::MAX as usize;

/// Values in a block, and buckets in a layer.
const SIXTEEN: usize = 16;

/// Sixteen counts of each of sixteen buckets.
type Block = [[u8; SIXTEEN]; SIXTEEN];

/// The counts of all values that are not too long.
#[derive(Debug)]
pub(super) struct Counts {
    /// The blocks of the most frequent characters, and those of all others, if there are others.
    layers: Vec<Vec<Block>>,
}

/// The counts of one text, each as often as a block has values.
#[derive(Debug)]
pub(super) struct Counted([Block; 2]);

impl Counted {
    /// Of a text. What is too much for a byte is left out: the bound is lower, and still one.
    pub(super) fn new<S: Symbol>(text: &[S]) -> Counted {
        let mut counts = [[0_u8; SIXTEEN]; 2];
        for &symbol in text {
            let (layer, bucket) = bucket(symbol);
            counts[layer][bucket] = counts[layer][bucket].saturating_add(1);
        }
        Counted(counts.map(|layer| layer.map(|count| [count; SIXTEEN])))
    }
}

/// The layer and the place in it where a character is counted.
fn bucket<S: Symbol>(symbol: S) -> (usize, usize) {
    let number = symbol.number();
    (usize::from(number >= SIXTEEN), number % SIXTEEN)
}

impl Counts {
    /// Of all values.
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

    /// Gives those values of a range for which the text has at most so many characters too many, in order.
    pub(super) fn near(&self, text: &Counted, most: usize, range: Range<usize>, mut found: impl FnMut(usize)) {
        let most = most.min(usize::from(u8::MAX)) as u8;
        for block in range.start / SIXTEEN..range.end.div_ceil(SIXTEEN) {
            let mut marks = self.marks(text, most, block);
            while marks != 0 {
                // A value is a byte.
                let value = block * SIXTEEN + marks.trailing_zeros() as usize / 8;
                marks &= marks - 1;
                if range.contains(&value) {
                    found(value);
                }
            }
        }
    }

    /// A bit in the byte of each value of a block for which the text has at most so many characters too many.
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

    /// Bytes in memory.
    pub(super) fn memory(&self) -> usize {
        self.layers.iter().map(|layer| layer.len() * size_of::<Block>()).sum()
    }
}

/// Adds how many characters the text has too many for each value of a block.
///
/// By itself it becomes four instructions for each bucket; inside of its caller, the compiler takes the sixteen values
/// apart.
#[inline(never)]
fn add(sums: &mut [u8; SIXTEEN], text: &Block, block: &Block) {
    for (value, sum) in sums.iter_mut().enumerate() {
        for bucket in 0..SIXTEEN {
            *sum = sum.saturating_add(text[bucket][value].saturating_sub(block[bucket][value]));
        }
    }
}

/// Puts 1 where a sum is at most this, else 0; by itself for the same reason.
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

    /// How many characters a text has too many, the slow way; exact while there is a bucket for each.
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
