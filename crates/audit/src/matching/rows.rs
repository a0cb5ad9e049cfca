//! Conversion of matching values to rows, in order.
//!
//! A few rows are sorted. Many rows are marked in a bit set over the rows of the table and read off in order, each with
//! the degree of its value: this takes some nanoseconds per row plus one per 64 rows of the table, while sorting takes
//! a logarithmic number of comparisons per row.

use super::alphabet::Symbol;
use super::values::Values;
use crate::normal::degree_of;

/// A distinct value that matches.
#[derive(Debug, Clone, Copy)]
pub(super) struct Found {
    pub(super) value: usize,
    pub(super) distance: usize,
    /// Length of the value.
    pub(super) length: usize,
}

/// Rows are marked if the number of table rows, plus the span of matching values, is at most this many times the number
/// of matching rows.
const MANY: usize = 128;

/// Returns the rows of the matching values for a text of this length, in order, with their degrees.
pub(super) fn rows<S: Symbol>(values: &Values<S>, found: &[Found], length: usize) -> Vec<(usize, f64)> {
    let degree = |found: &Found| degree_of(found.distance, length.max(found.length));
    let total: usize = found.iter().map(|found| values.rows(found.value).len()).sum();
    let first = found.iter().map(|found| found.value).min().unwrap_or(0);
    let last = found.iter().map(|found| found.value).max().unwrap_or(0);
    let many = total.saturating_mul(MANY) >= values.of_rows().len() + (last - first);
    if many { marked(values, found, degree, total) } else { sorted(values, found, degree, total) }
}

/// Sorts the rows; used for few rows.
fn sorted<S: Symbol>(
    values: &Values<S>,
    found: &[Found],
    degree: impl Fn(&Found) -> f64,
    total: usize,
) -> Vec<(usize, f64)> {
    // Row and index in `found` are packed into one word. The rows of each value are in order, so the stable sort
    // performs a merge.
    let mut rows: Vec<u64> = Vec::with_capacity(total);
    for (place, found) in found.iter().enumerate() {
        rows.extend(values.rows(found.value).iter().map(|&row| u64::from(row) << 32 | place as u64));
    }
    rows.sort();
    let degrees: Vec<f64> = found.iter().map(degree).collect();
    rows.into_iter().map(|row| ((row >> 32) as usize, degrees[row as u32 as usize])).collect()
}

/// Marks the rows; used for many rows.
fn marked<S: Symbol>(
    values: &Values<S>,
    found: &[Found],
    degree: impl Fn(&Found) -> f64,
    total: usize,
) -> Vec<(usize, f64)> {
    let first = found.iter().map(|found| found.value).min().unwrap_or(0);
    let last = found.iter().map(|found| found.value).max().unwrap_or(0);
    let mut degrees = vec![0.0; last - first + 1];
    let mut marks = vec![0_u64; values.of_rows().len().div_ceil(64)];
    for found in found {
        degrees[found.value - first] = degree(found);
        for &row in values.rows(found.value) {
            marks[row as usize / 64] |= 1 << (row % 64);
        }
    }
    let mut rows = Vec::with_capacity(total);
    for (word, (mut marks, of_rows)) in std::iter::zip(marks, values.of_rows().chunks(64)).enumerate() {
        while marks != 0 {
            let row = marks.trailing_zeros() as usize;
            rows.push((word * 64 + row, degrees[of_rows[row] as usize - first]));
            marks &= marks - 1;
        }
    }
    rows
}

#[cfg(test)]
mod tests {
    use super::super::folded::Folded;
    use super::*;
    use crate::reference::Reference;

    #[test]
    fn sorting_and_marking_give_the_same() {
        // Row 100 has no value.
        let texts: Vec<String> =
            (0..300).map(|row| if row == 100 { String::new() } else { format!("v{}", row * row % 23) }).collect();
        let reference = Reference::from_rows("values", &["value"], texts.iter().map(|text| [text.as_str()]));
        let folded = Folded::new(&reference, 0);
        let values: Values<u8> = Values::new(&folded, folded.alphabet());
        for step in 1..9 {
            let found: Vec<Found> = (step % 3..values.len())
                .step_by(step)
                .map(|value| Found { value, distance: value % 3, length: 3 })
                .collect();
            let degree = |found: &Found| degree_of(found.distance, 3);
            let rows = sorted(&values, &found, degree, 0);
            assert!(rows.is_sorted_by_key(|&(row, _)| row) && rows.iter().all(|&(row, _)| row != 100));
            assert_eq!(marked(&values, &found, degree, 0), rows);
            assert_eq!(super::rows(&values, &found, 3), rows);
        }
        assert_eq!(marked(&values, &[], |_| 0.0, 0), []);
        assert_eq!(sorted(&values, &[], |_| 0.0, 0), []);
    }
}
