//! Searches in short strings, eight bytes at a time in an ordinary integer.
//!
//! Most names, values and texts of a page are too short for a call to a vectorised search to pay off, and loops over
//! bytes mispredict at every end. All functions here report the *first* hit exactly; later bytes may be misclassified
//! (a borrow propagates upwards), which no caller relies on.

const ONES: u64 = u64::from_le_bytes([1; 8]);
const HIGH: u64 = u64::from_le_bytes([0x80; 8]);

/// Loads eight bytes from `at`, if there are that many.
#[inline(always)]
pub(crate) fn load(bytes: &[u8], at: usize) -> Option<u64> {
    let window: &[u8; 8] = bytes.get(at..)?.first_chunk()?;
    Some(u64::from_le_bytes(*window))
}

/// Marks the bytes that equal `byte`.
#[inline(always)]
pub(crate) const fn equal(word: u64, byte: u8) -> u64 {
    let zeroed = word ^ (ONES * byte as u64);
    zeroed.wrapping_sub(ONES) & !zeroed & HIGH
}

/// Marks the bytes that are less than `bound`, which is at most 0x80.
#[inline(always)]
pub(crate) const fn below(word: u64, bound: u8) -> u64 {
    word.wrapping_sub(ONES * bound as u64) & !word & HIGH
}

/// Returns the index of the first marked byte.
#[inline(always)]
pub(crate) const fn first(marks: u64) -> usize {
    (marks.trailing_zeros() / 8) as usize
}

/// Keeps the first `len` bytes of a word and clears the rest; `len` is at most eight.
#[inline(always)]
pub(crate) const fn head(word: u64, len: usize) -> u64 {
    if len >= 8 { word } else { word & ((1 << (8 * len)) - 1) }
}

/// Converts the ASCII letters of a word to lower case.
#[inline(always)]
pub(crate) const fn lower_case(word: u64) -> u64 {
    let low = word & (ONES * 0x7F);
    let above_z = low + ONES * (0x7F - b'Z' as u64);
    let from_a = low + ONES * (0x80 - b'A' as u64);
    let upper = !word & (from_a ^ above_z) & HIGH;
    word | (upper >> 2)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn word(text: &[u8; 8]) -> u64 {
        u64::from_le_bytes(*text)
    }

    #[test]
    fn first_hits_are_exact() {
        for byte in 0..=255u8 {
            for at in 0..8 {
                let mut text = *b"abcdefgh";
                text[at] = byte;
                let scalar = |wanted: &dyn Fn(u8) -> bool| text.iter().position(|&b| wanted(b));
                let found = |marks: u64| (marks != 0).then(|| first(marks));
                assert_eq!(found(equal(word(&text), b'<')), scalar(&|b| b == b'<'));
                assert_eq!(found(equal(word(&text), 0)), scalar(&|b| b == 0));
                assert_eq!(found(below(word(&text), 0x21)), scalar(&|b| b < 0x21));
                text.make_ascii_lowercase();
                let mut mixed = *b"aBCdEfgH";
                mixed[at] = byte;
                assert_eq!(lower_case(word(&mixed)), word(&mixed.map(|b| b.to_ascii_lowercase())));
            }
        }
    }
}
