//! Values of a column with their search structures, for one width of characters.

use std::sync::OnceLock;

use super::alphabet::{Alphabet, Symbol};
use super::bound::groups;
use super::counts::Counts;
use super::folded::Folded;
use super::grams::{Grams, SIZES};
use super::rows::rows;
use super::search::Search;
use super::values::Values;
use crate::normal::normal;

/// Values of a column.
#[derive(Debug)]
pub(super) struct Column<S> {
    pub(super) values: Values<S>,
    /// Built on first use: thresholds that allow no edit, and columns of long texts, do not need them.
    grams: OnceLock<[Grams; SIZES.len()]>,
    counts: OnceLock<Counts>,
}

impl<S: Symbol> Column<S> {
    /// Creates a column from folded texts and their alphabet.
    pub(super) fn new(folded: &Folded, alphabet: Alphabet) -> Column<S> {
        Column { values: Values::new(folded, alphabet), grams: OnceLock::new(), counts: OnceLock::new() }
    }

    /// Converts a text to the form that is searched for.
    pub(super) fn query(&self, value: &str) -> Vec<S> {
        normal(value).chars().rev().map(|character| self.values.alphabet.symbol(character)).collect()
    }

    /// Returns the matching rows in order.
    pub(super) fn within(&self, query: &[S], threshold: f64) -> Vec<(usize, f64)> {
        let mut search = Search::new(self, query);
        for group in groups(query.len(), threshold, self.values.longest()) {
            search.group(&group);
        }
        rows(&self.values, &search.found, query.len())
    }

    /// Returns the best matching rows, best first.
    pub(super) fn top(&self, query: &[S], threshold: f64, most: usize) -> Vec<(usize, f64)> {
        let mut matches = Vec::new();
        // All matches above a threshold are found with it, so the best ones are known as soon as there are enough.
        for part in [0.0, 0.25, 0.5, 1.0] {
            let higher = if part == 1.0 { threshold } else { 1.0 - (1.0 - threshold) * part };
            matches = self.within(query, higher.max(threshold));
            if matches.len() >= most {
                break;
            }
        }
        let order = |one: &(usize, f64), other: &(usize, f64)| other.1.total_cmp(&one.1).then(one.0.cmp(&other.0));
        if most > 0 && matches.len() > most {
            matches.select_nth_unstable_by(most - 1, order);
        }
        matches.truncate(most);
        matches.sort_unstable_by(order);
        matches
    }

    pub(super) fn grams(&self) -> &[Grams; SIZES.len()] {
        self.grams.get_or_init(|| SIZES.map(|size| Grams::new(&self.values, size)))
    }

    pub(super) fn counts(&self) -> &Counts {
        self.counts.get_or_init(|| Counts::new(&self.values))
    }

    /// Returns the memory use in bytes.
    pub(super) fn memory(&self) -> usize {
        let grams = self.grams.get().map_or(0, |grams| grams.iter().map(Grams::memory).sum());
        self.values.memory() + grams + self.counts.get().map_or(0, Counts::memory)
    }
}
