//! Selection of pieces: chooses grams of a text that do not overlap and whose lists are shortest in total.
//!
//! For each prefix of the text and each number of pieces, the cheapest selection either leaves out the last character
//! or ends with a gram there: O(length × pieces × sizes).

/// A gram of a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Piece {
    /// Index of the size.
    pub(super) size: usize,
    /// Position in the text.
    pub(super) place: usize,
}

/// Returns the cheapest `count` grams that do not overlap, with their total cost; `None` if the text is too short.
///
/// `sizes` are the lengths of grams; `cost` returns the cost of a gram, given the index of its size and its position.
pub(super) fn choose(
    length: usize,
    count: usize,
    sizes: &[usize],
    cost: impl Fn(usize, usize) -> u64,
) -> Option<(u64, Vec<Piece>)> {
    const NEVER: u64 = u64::MAX;
    let width = length + 1;
    // `best[pieces * width + end]`, and the index of the size that ends there, if one does.
    let mut best = vec![NEVER; (count + 1) * width];
    let mut ends: Vec<Option<u8>> = vec![None; (count + 1) * width];
    best[..width].fill(0);
    for pieces in 1..=count {
        for end in 1..width {
            let here = pieces * width + end;
            best[here] = best[here - 1];
            for (size, &symbols) in sizes.iter().enumerate() {
                let Some(place) = end.checked_sub(symbols) else { continue };
                let before = best[(pieces - 1) * width + place];
                if before == NEVER {
                    continue;
                }
                let sum = before.saturating_add(cost(size, place));
                if sum < best[here] {
                    best[here] = sum;
                    ends[here] = Some(size as u8);
                }
            }
        }
    }
    let cost = best[count * width + length];
    if cost == NEVER {
        return None;
    }
    let mut chosen = Vec::with_capacity(count);
    let (mut pieces, mut end) = (count, length);
    while pieces > 0 {
        match ends[pieces * width + end] {
            Some(size) => {
                let size = usize::from(size);
                end -= sizes[size];
                pieces -= 1;
                chosen.push(Piece { size, place: end });
            }
            None => end -= 1,
        }
    }
    Some((cost, chosen))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_cheapest_pieces_do_not_overlap() {
        // A gram costs ten, but less if it begins at 4 or 6.
        let cost = |size: usize, place: usize| match (size, place) {
            (0, 4) => 1,
            (0, 6) => 2,
            (1, 5) => 2,
            _ => 10,
        };
        let piece = |size, place| Piece { size, place };
        assert_eq!(choose(9, 1, &[2, 3], cost), Some((1, vec![piece(0, 4)])));
        assert_eq!(choose(9, 2, &[2, 3], cost), Some((3, vec![piece(0, 6), piece(0, 4)])));
        assert_eq!(choose(9, 3, &[2, 3], cost).unwrap().0, 13);
        assert_eq!(choose(9, 5, &[2, 3], cost), None);
        assert_eq!(choose(1, 1, &[2, 3], cost), None);
    }
}
