//! The characters of a column, numbered by how often they occur.
//!
//! Numbers are dense, so that what is known of a character is an entry of an array, and small for the frequent ones, so
//! that these share no bit of a value's signature.

use std::collections::HashMap;

/// A character of the column, by its number.
pub(super) type Symbol = u32;

/// What a character that the column does not have is called.
pub(super) const FOREIGN: Symbol = Symbol::MAX;

/// The characters of a column.
#[derive(Debug)]
pub(super) struct Alphabet {
    ascii: [Symbol; 128],
    others: HashMap<char, Symbol>,
    size: usize,
}

impl Alphabet {
    /// Of all these characters.
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

    /// How many there are.
    pub(super) fn size(&self) -> usize {
        self.size
    }

    /// The number of a character.
    pub(super) fn symbol(&self, character: char) -> Symbol {
        match self.ascii.get(character as usize) {
            Some(&symbol) => symbol,
            None => self.others.get(&character).copied().unwrap_or(FOREIGN),
        }
    }

    /// Bytes in memory.
    pub(super) fn memory(&self) -> usize {
        size_of::<Alphabet>() + self.others.capacity() * (size_of::<(char, Symbol)>() + 1)
    }
}
