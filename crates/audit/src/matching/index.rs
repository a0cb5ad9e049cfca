//! The values of one column.
use crate::normal::{degree_of, normal};
use crate::reference::Reference;

/// The values of one column, ready to be matched.
#[derive(Debug)]
pub struct Index {
    values: Vec<(usize, String)>,
}

impl Index {
    /// Of one column of a table; rows without a value match nothing.
    pub fn new(reference: &Reference, column: usize) -> Index {
        let value = |row| Some((row, normal(reference.value(row, column)?)));
        Index { values: (0..reference.rows()).filter_map(value).collect() }
    }

    /// Every row whose value has at least this degree of equality, with the degree; exact, in order of rows.
    pub fn within(&self, value: &str, threshold: f64) -> Vec<(usize, f64)> {
        let wanted = normal(value);
        let degree = |other: &str| {
            let distance = rapidfuzz::distance::levenshtein::distance(wanted.chars(), other.chars());
            degree_of(distance, wanted.chars().count().max(other.chars().count()))
        };
        let degrees = self.values.iter().map(|(row, other)| (*row, degree(other)));
        degrees.filter(|&(_, degree)| degree >= threshold).collect()
    }

    /// The first row that agrees best, if one agrees to this degree.
    pub fn best(&self, value: &str, threshold: f64) -> Option<(usize, f64)> {
        self.top(value, threshold, 1).pop()
    }

    /// The rows that agree best, best first, then in order of rows.
    pub fn top(&self, value: &str, threshold: f64, most: usize) -> Vec<(usize, f64)> {
        let mut matches = self.within(value, threshold);
        matches.sort_by(|one, other| other.1.total_cmp(&one.1).then(one.0.cmp(&other.0)));
        matches.truncate(most);
        matches
    }
}
