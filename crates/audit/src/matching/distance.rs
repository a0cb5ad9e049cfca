//! The Levenshtein distance, if it is small enough.
//!
//! A text of up to 64 characters is one word: a column of the matrix is two words of differences, and the next column
//! takes some fifteen operations (Myers 1999, in Hyyrö's form). It stops where the last row cannot come down far enough
//! any more. Longer texts are left to `rapidfuzz`, which does the same by blocks and only along the diagonal. For short
//! ones ours takes a third of its time, since symbols are dense: what it has in a hash table is an array here.

use rapidfuzz::distance::levenshtein::{Args, BatchComparator};

use super::alphabet::Symbol;

/// A text that many others are compared with.
pub(super) enum Pattern {
    /// Up to 64 characters: for each symbol, the places where it stands.
    Word { places: Vec<u64>, length: usize },
    /// More.
    Blocks(BatchComparator<Symbol>),
}

impl Pattern {
    /// Of a text of an alphabet of this size.
    pub(super) fn new(text: &[Symbol], alphabet: usize) -> Pattern {
        if text.len() > 64 {
            return Pattern::Blocks(BatchComparator::new(text.iter().copied()));
        }
        let mut places = vec![0; alphabet];
        for (place, &symbol) in text.iter().enumerate() {
            // What the alphabet does not have is nowhere in other texts.
            if let Some(places) = places.get_mut(symbol as usize) {
                *places |= 1 << place;
            }
        }
        Pattern::Word { places, length: text.len() }
    }

    /// The distance to a text of the alphabet, if it is at most `most`.
    pub(super) fn distance(&self, other: &[Symbol], most: usize) -> Option<usize> {
        match self {
            Pattern::Blocks(pattern) => {
                pattern.distance_with_args(other.iter().copied(), &Args::default().score_cutoff(most))
            }
            Pattern::Word { length: 0, .. } => (other.len() <= most).then_some(other.len()),
            Pattern::Word { places, length } => word(places, *length, other, most),
        }
    }
}

/// The names are Hyyrö's: `v` differences go down a column, `h` along a row, `p` is +1 and `n` is −1.
fn word(places: &[u64], length: usize, other: &[Symbol], most: usize) -> Option<usize> {
    let last = 1 << (length - 1);
    let mut score = length;
    let (mut vp, mut vn) = (u64::MAX, 0_u64);
    // What the score may be here, if every later column lowers it.
    let mut allowed = most + other.len();
    for &symbol in other {
        let equal = places[symbol as usize];
        let x = equal | vn;
        let diagonal = ((x & vp).wrapping_add(vp) ^ vp) | x;
        let hp = vn | !(diagonal | vp);
        let hn = diagonal & vp;
        score = score + usize::from(hp & last != 0) - usize::from(hn & last != 0);
        allowed -= 1;
        if score > allowed {
            return None;
        }
        let hp = hp << 1 | 1;
        vp = hn << 1 | !(diagonal | hp);
        vn = hp & diagonal;
    }
    Some(score)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn distances_are_those_of_the_matrix(
            one in prop::collection::vec(0_u32..4, 0..90),
            other in prop::collection::vec(0_u32..4, 0..90),
            most in 0_usize..70,
        ) {
            let mut row: Vec<usize> = (0..=other.len()).collect();
            for (i, symbol) in one.iter().enumerate() {
                let mut corner = std::mem::replace(&mut row[0], i + 1);
                for (j, another) in other.iter().enumerate() {
                    let changed = corner + usize::from(symbol != another);
                    corner = row[j + 1];
                    row[j + 1] = changed.min(corner + 1).min(row[j] + 1);
                }
            }
            let distance = row[other.len()];
            prop_assert_eq!(Pattern::new(&one, 4).distance(&other, most), Some(distance).filter(|&it| it <= most));
        }
    }

    #[test]
    fn a_foreign_character_is_nowhere() {
        let pattern = Pattern::new(&[0, super::super::alphabet::FOREIGN, 1], 2);
        assert_eq!(pattern.distance(&[0, 1], 3), Some(1));
        assert_eq!(pattern.distance(&[0, 0, 1], 3), Some(1));
    }
}
