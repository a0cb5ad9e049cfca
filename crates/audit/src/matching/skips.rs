//! Shared prefixes of sorted texts, with fast skipping of all texts that share a prefix.
//!
//! One byte per text, plus the minimum of each 32 and of each 1024 of them, so that skipping any number of texts with
//! the same prefix takes some dozen steps.

use std::ops::Range;

/// Number of entries summarized by one entry of the next level.
const STEP: usize = 32;

/// Number of symbols that each text shares with the preceding one; 255 stands for all larger numbers.
#[derive(Debug, Default)]
pub(super) struct Skips {
    shared: Vec<u8>,
    least: Vec<u8>,
    least_of_least: Vec<u8>,
}

impl Skips {
    /// Appends the number of symbols that the next text shares.
    pub(super) fn push(&mut self, shared: usize) {
        self.shared.push(shared.min(255) as u8);
    }

    /// Builds the summaries. No text may be appended afterwards.
    pub(super) fn finish(&mut self) {
        let least = |chunk: &[u8]| chunk.iter().copied().min().unwrap_or(0);
        self.least = self.shared.chunks(STEP).map(least).collect();
        self.least_of_least = self.least.chunks(STEP).map(least).collect();
        self.shared.shrink_to_fit();
    }

    /// Returns the minimum of a range.
    pub(super) fn least(&self, range: Range<usize>) -> usize {
        self.shared[range].iter().min().map_or(0, |&shared| usize::from(shared))
    }

    /// Returns the first text of a range that shares (or may share) fewer symbols with the preceding one; the end of
    /// the range if there is none.
    pub(super) fn skip(&self, range: Range<usize>, symbols: usize) -> usize {
        if symbols > usize::from(u8::MAX) {
            return range.start;
        }
        let enough = |shared: u8| usize::from(shared) >= symbols;
        let mut next = range.start;
        while next < range.end {
            if next.is_multiple_of(STEP * STEP) && enough(self.least_of_least[next / STEP / STEP]) {
                next += STEP * STEP;
            } else if next.is_multiple_of(STEP) && enough(self.least[next / STEP]) {
                next += STEP;
            } else if enough(self.shared[next]) {
                next += 1;
            } else {
                return next;
            }
        }
        range.end
    }

    /// Returns the memory use in bytes.
    pub(super) fn memory(&self) -> usize {
        self.shared.len() + self.least.len() + self.least_of_least.len()
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn skips(shared: &[usize]) -> Skips {
        let mut skips = Skips::default();
        shared.iter().for_each(|&shared| skips.push(shared));
        skips.finish();
        skips
    }

    proptest! {
        #[test]
        fn skipping_is_looking_at_each(
            rare in prop::collection::vec((0_usize..4000, 0_usize..9), 0..6),
            start in 0_usize..4000,
            end in 0_usize..4000,
            symbols in 0_usize..10,
        ) {
            let mut shared = vec![9; 4000];
            rare.into_iter().for_each(|(place, less)| shared[place] = less);
            let slow = (start..end).find(|&place| shared[place] < symbols).unwrap_or(end);
            prop_assert_eq!(skips(&shared).skip(start..end, symbols), slow);
        }
    }

    #[test]
    fn what_a_byte_cannot_tell_is_not_passed_over() {
        let skips = skips(&[0, 400, 300, 254]);
        assert_eq!(skips.skip(1..4, 255), 3);
        assert_eq!(skips.skip(1..4, 256), 1);
        assert_eq!(skips.least(1..3), 255);
    }
}
