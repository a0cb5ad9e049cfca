//! Number of edits that a threshold allows.
//!
//! Degree and threshold are floating-point numbers: `1.0 - 2.0 / 10.0 >= 0.8` holds, but real arithmetic does not
//! predict this for every pair. The bound is therefore found by computing the degree itself.

use std::ops::RangeInclusive;

use crate::normal::degree_of;

/// Returns the largest number of edits with which texts agree to this degree, if the longer one has this length; `None`
/// if not even equal texts do.
pub(super) fn most_edits(longer: usize, threshold: f64) -> Option<usize> {
    let fits = |edits: usize| degree_of(edits, longer) >= threshold;
    if !fits(0) {
        return None;
    }
    // Rounding errors change the result by at most one.
    let about = ((1.0 - threshold) * longer as f64).clamp(0.0, longer as f64) as usize;
    let above = (about + 1).min(longer);
    Some(if fits(above) {
        above
    } else if fits(about) {
        about
    } else {
        about.saturating_sub(1)
    })
}

/// Lengths with the same bound on edits, which are searched together.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Group {
    pub(super) lengths: RangeInclusive<usize>,
    pub(super) edits: usize,
}

/// Returns the lengths, up to `longest`, of texts that can agree with a text of this length.
pub(super) fn groups(length: usize, threshold: f64, longest: usize) -> Vec<Group> {
    let mut groups: Vec<Group> = Vec::new();
    let Some(edits) = most_edits(length, threshold) else { return groups };
    let shortest = length - edits;
    if shortest <= longest {
        groups.push(Group { lengths: shortest..=length.min(longest), edits });
    }
    for longer in length + 1..=longest {
        // The degree of the best case, in which only the difference in length is edited, falls with the length.
        let Some(edits) = most_edits(longer, threshold).filter(|edits| longer - length <= *edits) else { break };
        match groups.last_mut() {
            Some(group) if group.edits == edits => group.lengths = *group.lengths.start()..=longer,
            _ => groups.push(Group { lengths: longer..=longer, edits }),
        }
    }
    groups
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_bound_is_that_of_the_degree() {
        for longer in 0..400 {
            for threshold in [0.0, 0.1, 0.3, 1.0 / 3.0, 0.5, 0.6, 0.7, 0.75, 0.8, 0.85, 0.9, 0.95, 0.999, 1.0] {
                let slow = (0..=longer).rev().find(|&edits| degree_of(edits, longer) >= threshold);
                assert_eq!(most_edits(longer, threshold), slow, "{longer} {threshold}");
            }
        }
    }

    #[test]
    fn odd_thresholds() {
        assert_eq!(most_edits(10, 1.1), None);
        assert_eq!(most_edits(10, f64::NAN), None);
        assert_eq!(most_edits(10, -3.0), Some(10));
        assert_eq!(most_edits(10, f64::NEG_INFINITY), Some(10));
    }

    #[test]
    fn lengths_with_the_same_bound_are_one_group() {
        let group = |lengths, edits| Group { lengths, edits };
        assert_eq!(groups(9, 0.8, 100), [group(8..=9, 1), group(10..=11, 2)]);
        assert_eq!(groups(9, 0.8, 10), [group(8..=9, 1), group(10..=10, 2)]);
        assert_eq!(groups(9, 0.8, 7), []);
        assert_eq!(groups(9, 1.0, 100), [group(9..=9, 0)]);
        assert_eq!(groups(0, 0.8, 100), [group(0..=0, 0)]);
        assert_eq!(groups(2, 0.0, 4), [group(0..=2, 2), group(3..=3, 3), group(4..=4, 4)]);
    }
}
