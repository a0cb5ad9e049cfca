//! Characters of a column, numbered by frequency.
//!
//! Numbers are dense, so that data about characters fits in an array, and small for frequent characters, so that these
//! have buckets of their own in the counts.

use std::collections::HashMap;
use std::fmt::Debug;
use std::hash::Hash;

/// A character of the column, by its number; the largest number stands for all characters that the column lacks.
///
/// Most columns have fewer than 255 different characters, for which a byte is enough: the compared values are scattered
/// in memory, and smaller data fits better into the cache.
pub(super) trait Symbol: Copy + Ord + Hash + Debug + Send + Sync {
    /// Creates a symbol from a number, clamped to the largest one.
    fn new(number: u32) -> Self;

    /// Returns the number.
    fn number(self) -> usize;
}

impl Symbol for u8 {
    fn new(number: u32) -> u8 {
        number.try_into().unwrap_or(u8::MAX)
    }

    fn number(self) -> usize {
        usize::from(self)
    }
}

impl Symbol for u32 {
    fn new(number: u32) -> u32 {
        number
    }

    fn number(self) -> usize {
        self as usize
    }
}

/// Number of a character that the column does not have.
pub(super) const FOREIGN: u32 = u32::MAX;

/// The characters of a column.
#[derive(Debug)]
pub(super) struct Alphabet {
    ascii: [u32; 128],
    others: HashMap<char, u32>,
    size: usize,
}

impl Alphabet {
    /// Creates an alphabet of these characters.
    pub(super) fn new(characters: impl Iterator<Item = char>) -> Alphabet {
        let mut ascii = [0_u64; 128];
        let mut others: HashMap<char, u64> = HashMap::new();
        for character in characters {
            match ascii.get_mut(character as usize) {
                Some(count) => *count += 1,
                None => *others.entry(character).or_default() += 1,
            }
        }
        let mut counts: Vec<(u64, char)> =
            (0_u8..128).map(|byte| (ascii[usize::from(byte)], char::from(byte))).collect();
        counts.extend(others.into_iter().map(|(character, count)| (count, character)));
        counts.retain(|&(count, _)| count > 0);
        counts.sort_unstable_by(|one, other| other.0.cmp(&one.0).then(one.1.cmp(&other.1)));

        let mut alphabet = Alphabet { ascii: [FOREIGN; 128], others: HashMap::new(), size: counts.len() };
        for (symbol, (_, character)) in (0..).zip(counts) {
            match alphabet.ascii.get_mut(character as usize) {
                Some(entry) => *entry = symbol,
                None => {
                    alphabet.others.insert(character, symbol);
                }
            }
        }
        alphabet
    }

    /// Returns the number of characters.
    pub(super) fn size(&self) -> usize {
        self.size
    }

    /// Returns the symbol of a character.
    pub(super) fn symbol<S: Symbol>(&self, character: char) -> S {
        S::new(match self.ascii.get(character as usize) {
            Some(&number) => number,
            None => self.others.get(&character).copied().unwrap_or(FOREIGN),
        })
    }

    /// Returns the memory use in bytes.
    pub(super) fn memory(&self) -> usize {
        size_of::<Alphabet>() + self.others.capacity() * (size_of::<(char, u32)>() + 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn frequent_characters_have_small_numbers_and_foreign_ones_the_greatest() {
        let alphabet = Alphabet::new("abbccc同".chars());
        let symbols: Vec<u8> = "cbax同仁".chars().map(|character| alphabet.symbol(character)).collect();
        assert_eq!(symbols, [0, 1, 2, 255, 3, 255]);
        assert_eq!(alphabet.symbol::<u32>('x'), FOREIGN);
        assert_eq!(alphabet.size(), 4);
    }
}
