//! Texts as words: what is left of them when case, white space and punctuation are put aside.
//!
//! A feed and a page say the same thing with other quotes, other dashes, other entities. Their words are the same. Where
//! a script writes no spaces, each letter is a word.

use std::hash::{BuildHasher, Hasher};
use std::ops::Range;

use foldhash::fast::FixedState;
use hashbrown::HashMap;

/// A word of a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Word {
    /// Its letters, case aside, hashed.
    pub(super) hash: u64,
    /// Its bytes in the text.
    pub(super) start: usize,
    pub(super) end: usize,
}

/// Counts by a hash.
pub(super) type Counts = HashMap<u64, u32, FixedState>;

/// The words of a text.
pub(super) fn words(text: &str) -> Vec<Word> {
    let hasher = FixedState::default();
    let mut words = Vec::with_capacity(text.len() / 5);
    let mut open: Option<(usize, <FixedState as BuildHasher>::Hasher)> = None;
    for (at, c) in text.char_indices() {
        // Most letters are ASCII, and need no tables.
        if c.is_ascii_alphanumeric() {
            let (_, hash) = open.get_or_insert_with(|| (at, hasher.build_hasher()));
            hash.write_u32(u32::from(c.to_ascii_lowercase()));
            continue;
        }
        let alone = is_alone(c);
        if (alone || !c.is_alphanumeric())
            && let Some((start, hash)) = open.take()
        {
            words.push(Word { hash: hash.finish(), start, end: at });
        }
        if alone {
            words.push(Word { hash: hasher.hash_one(c), start: at, end: at + c.len_utf8() });
        } else if c.is_alphanumeric() {
            let (_, hash) = open.get_or_insert_with(|| (at, hasher.build_hasher()));
            c.to_lowercase().for_each(|c| hash.write_u32(c as u32));
        }
    }
    if let Some((start, hash)) = open {
        words.push(Word { hash: hash.finish(), start, end: text.len() });
    }
    words
}

/// The hashes of a text's words.
pub(super) fn hashes(text: &str) -> Vec<u64> {
    words(text).iter().map(|word| word.hash).collect()
}

/// Whether a letter is a word by itself: Chinese and Japanese write no spaces.
fn is_alone(c: char) -> bool {
    matches!(c as u32, 0x3040..=0x30FF | 0x3400..=0x9FFF | 0xF900..=0xFAFF | 0x20000..=0x3FFFF)
}

/// One hash of words in their order.
pub(super) fn sequence(words: impl Iterator<Item = u64>) -> u64 {
    let mut hash = FixedState::default().build_hasher();
    words.for_each(|word| hash.write_u64(word));
    hash.finish()
}

/// How often each word occurs.
pub(super) fn counts(words: impl Iterator<Item = u64>) -> Counts {
    let mut counts = Counts::default();
    words.for_each(|word| *counts.entry(word).or_insert(0) += 1);
    counts
}

/// How many of these words are among those that were counted, each as often as there.
pub(super) fn common(words: impl Iterator<Item = u64>, known: &Counts) -> usize {
    let mut left = Counts::default();
    words
        .filter(|word| {
            let Some(&count) = known.get(word) else { return false };
            let left = left.entry(*word).or_insert(count);
            *left > 0 && {
                *left -= 1;
                true
            }
        })
        .count()
}

/// The share of words that two texts have in common, from 0 to 1.
pub(super) fn similarity(one: Vec<u64>, other: &[u64]) -> f32 {
    let all = one.len() + other.len();
    if all == 0 {
        return 0.0;
    }
    2.0 * common(one.into_iter(), &counts(other.iter().copied())) as f32 / all as f32
}

/// The words that lie in these bytes, by their numbers.
pub(super) fn within(words: &[Word], bytes: Range<usize>) -> Range<usize> {
    let from = words.partition_point(|word| word.start < bytes.start);
    let to = words.partition_point(|word| word.start < bytes.end);
    from..to.max(from)
}

/// Whether a text says that it goes on elsewhere, and the text without the signs for it.
pub(super) fn cut_short(text: &str) -> Option<&str> {
    let text = text.trim_end_matches([' ', ']', ')', '"', '”', '»']);
    let rest = text.strip_suffix('…').or_else(|| text.strip_suffix("...")).or_else(|| text.strip_suffix("…."))?;
    Some(rest.trim_end_matches(['.', ' ', '[', '(', '…']))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quotes_case_and_spaces_do_not_count() {
        assert_eq!(hashes("Don’t  “stop”"), hashes("don't STOP"));
        assert_ne!(hashes("hay"), hashes("hey"));
        assert_eq!(words("札幌 Ruby 会議").len(), 5);
        assert_eq!(words("").len(), 0);
        let text = "A b—ç";
        assert_eq!(words(text).iter().map(|word| &text[word.start..word.end]).collect::<Vec<_>>(), ["A", "b", "ç"]);
    }

    #[test]
    fn common_words_are_counted_as_often_as_both_have_them() {
        let known = counts(hashes("hay hay straw").into_iter());
        assert_eq!(common(hashes("hay hay hay clover").into_iter(), &known), 2);
    }

    #[test]
    fn an_ellipsis_says_that_a_text_goes_on() {
        assert_eq!(cut_short("Hay is […]"), Some("Hay is"));
        assert_eq!(cut_short("Hay is..."), Some("Hay is"));
        assert_eq!(cut_short("Hay is."), None);
    }
}
