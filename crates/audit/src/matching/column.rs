//! The values of a column with what they are searched by, for one width of characters.

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

/// The values of a column.
#[derive(Debug)]
pub(super) struct Column<S> {
    pub(super) values: Values<S>,
    /// Made when they are first asked for: thresholds that allow no edit, and columns of long texts, need none.
    grams: OnceLock<[Grams; SIZES.len()]>,
    counts: OnceLock<Counts>,
}

impl<S: Symbol> Column<S> {
    /// Of folded texts, with their alphabet.
    pub(super) fn new(folded: &Folded, alphabet: Alphabet) -> Column<S> {
        Column { values: Values::new(folded, alphabet), grams: OnceLock::new(), counts: OnceLock::new() }
    }

    /// A text as it is searched for.
    pub(super) fn query(&self, value: &str) -> Vec<S> {
        normal(value).chars().rev().map(|character| self.values.alphabet.symbol(character)).collect()
    }

    /// The rows that match, in their order.
    pub(super) fn within(&self, query: &[S], threshold: f64) -> Vec<(usize, f64)> {
        let mut search = Search::new(self, query);
        for group in groups(query.len(), threshold, self.values.longest()) {
            search.group(&group);
        }
        rows(&self.values, &search.found, query.len())
    }

    /// The rows that match best, the best first.
    pub(super) fn top(&self, query: &[S], threshold: f64, most: usize) -> Vec<(usize, f64)> {
        let mut matches = Vec::new();
        // Whatever agrees better than a threshold is found with it, so the best are found as soon as enough are.
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

    /// Bytes in memory.
    pub(super) fn memory(&self) -> usize {
        let grams = self.grams.get().map_or(0, |grams| grams.iter().map(Grams::memory).sum());
        self.values.memory() + grams + self.counts.get().map_or(0, Counts::memory)
    }
}
