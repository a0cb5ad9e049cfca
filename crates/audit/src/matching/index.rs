//! The index of one column, and its questions.

use std::cell::OnceCell;
use std::ops::Range;
use std::sync::OnceLock;

use super::alphabet::Symbol;
use super::bound::{Group, groups};
use super::distance::Pattern;
use super::grams::{Grams, LONGEST};
use super::pieces::{Piece, choose};
use super::values::{Signature, Values};
use crate::normal::{degree_of, normal};
use crate::reference::Reference;

/// How long grams are. Two for thresholds near a half, five for codes whose beginnings repeat; with four and six beside
/// them, queries are no faster and the index is half as large again.
const SIZES: [usize; 3] = [2, 3, 5];

/// The values of one column of a reference table, ready to be matched; see the [module](super).
#[derive(Debug)]
pub struct Index {
    values: Values,
    /// Made when they are first asked for: thresholds that allow no edit, and columns of long texts, need none.
    grams: OnceLock<[Grams; SIZES.len()]>,
}

/// A distinct value that matches, and its distance.
type Found = (usize, usize);

impl Index {
    /// Of one column of a table; rows without a value match nothing.
    pub fn new(reference: &Reference, column: usize) -> Index {
        Index { values: Values::new(reference, column), grams: OnceLock::new() }
    }

    /// Every row whose value has at least this degree of equality, with the degree; exact, in order of rows.
    pub fn within(&self, value: &str, threshold: f64) -> Vec<(usize, f64)> {
        let mut matches = self.rows(&self.query(value), threshold);
        matches.sort_unstable_by_key(|&(row, _)| row);
        matches
    }

    /// The row that agrees best, if one agrees to this degree; of several, the first.
    ///
    /// High thresholds are tried before low ones: whoever has an equal value is not compared with others.
    pub fn best(&self, value: &str, threshold: f64) -> Option<(usize, f64)> {
        self.top(value, threshold, 1).pop()
    }

    /// The `most` rows that agree best, if they agree to this degree: best first, then in order of rows.
    pub fn top(&self, value: &str, threshold: f64, most: usize) -> Vec<(usize, f64)> {
        let query = self.query(value);
        let mut matches = Vec::new();
        // Whatever agrees better than a threshold is found with it, so the best are found as soon as enough are.
        for part in [0.0, 0.25, 0.5, 1.0] {
            let higher = if part == 1.0 { threshold } else { 1.0 - (1.0 - threshold) * part };
            matches = self.rows(&query, higher.max(threshold));
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

    /// How many distinct values the column has, after normalisation.
    pub fn values(&self) -> usize {
        self.values.len()
    }

    /// Bytes that it holds in memory.
    pub fn memory(&self) -> usize {
        self.values.memory() + self.grams.get().map_or(0, |grams| grams.iter().map(Grams::memory).sum())
    }

    fn grams(&self) -> &[Grams; SIZES.len()] {
        self.grams.get_or_init(|| SIZES.map(|size| Grams::new(&self.values, size)))
    }

    fn query(&self, value: &str) -> Vec<Symbol> {
        normal(value).chars().map(|character| self.values.alphabet.symbol(character)).collect()
    }

    /// The rows that match, value by value.
    fn rows(&self, query: &[Symbol], threshold: f64) -> Vec<(usize, f64)> {
        let mut rows = Vec::new();
        for (value, distance) in self.search(query, threshold) {
            let degree = degree_of(distance, query.len().max(self.values.symbols(value).len()));
            rows.extend(self.values.rows(value).iter().map(|&row| (row as usize, degree)));
        }
        rows
    }

    /// The distinct values that match.
    fn search(&self, query: &[Symbol], threshold: f64) -> Vec<Found> {
        let mut search = Search::new(self, query);
        for group in groups(query.len(), threshold, self.values.longest()) {
            search.group(&group);
        }
        search.found
    }
}

/// One question, while it is answered.
struct Search<'a> {
    values: &'a Values,
    index: &'a Index,
    query: &'a [Symbol],
    signature: Signature,
    /// Made for the first value that is compared.
    pattern: OnceCell<Pattern>,
    /// A bit for each value that was looked at.
    seen: Vec<u64>,
    found: Vec<Found>,
}

impl<'a> Search<'a> {
    fn new(index: &'a Index, query: &'a [Symbol]) -> Search<'a> {
        let signature = Signature::new(query);
        let (pattern, seen, found) = (OnceCell::new(), Vec::new(), Vec::new());
        Search { values: &index.values, index, query, signature, pattern, seen, found }
    }

    /// Looks among the values of some lengths.
    fn group(&mut self, group: &Group) {
        if group.edits == 0 {
            self.found.extend(self.values.find(self.query).map(|value| (value, 0)));
            return;
        }
        let first_long = self.values.first_of(LONGEST + 1);
        let start = self.values.first_of(*group.lengths.start());
        let end = self.values.first_of(group.lengths.end() + 1);
        if start.max(first_long) < end {
            self.scan(start.max(first_long)..end, group.edits);
        }
        let range = start..end.min(first_long);
        if range.is_empty() {
            return;
        }
        match self.pieces(&range, group.edits) {
            Some(pieces) => self.read(&pieces, range, group),
            None => self.scan(range, group.edits),
        }
    }

    /// The pieces that every match among these values has one of, if reading their lists is worth while.
    fn pieces(&self, range: &Range<usize>, edits: usize) -> Option<Vec<Piece>> {
        let length = self.query.len();
        // A handful is looked at sooner than a choice is made.
        if range.len() <= 64 || length < SIZES[0] * (edits + 1) {
            return None;
        }
        let grams = self.index.grams();
        let costs = grams.each_ref().map(|grams| {
            let cost = |gram: &[Symbol]| grams.entries_of(grams.entries(gram), range).len() as u64;
            self.query.windows(grams.size()).map(cost).collect::<Vec<u64>>()
        });
        let (cost, pieces) = choose(length, edits + 1, &SIZES, |size, place| costs[size][place])?;
        (cost < range.len() as u64).then_some(pieces)
    }

    /// Looks at the values that have one of the pieces.
    fn read(&mut self, pieces: &[Piece], range: Range<usize>, group: &Group) {
        let words = self.values.len().div_ceil(64);
        self.seen.resize(words, 0);
        for piece in pieces {
            let grams = &self.index.grams()[piece.size];
            let gram = &self.query[piece.place..piece.place + grams.size()];
            let entries = grams.entries_of(grams.entries(gram), &range);
            // Values come in order of length.
            let mut length = *group.lengths.start();
            let mut next_length = self.values.first_of(length + 1);
            for (value, place) in grams.read(entries) {
                while value >= next_length {
                    length += 1;
                    next_length = self.values.first_of(length + 1);
                }
                // The texts before the piece differ in length by so much, and those behind it.
                let before = piece.place.abs_diff(place);
                let behind = (self.query.len() - piece.place).abs_diff(length - place);
                let bit = 1 << (value % 64);
                if before + behind > group.edits || self.seen[value / 64] & bit != 0 {
                    continue;
                }
                self.seen[value / 64] |= bit;
                self.compare(value, group.edits);
            }
        }
    }

    /// Looks at all of these values.
    fn scan(&mut self, range: Range<usize>, edits: usize) {
        for value in range {
            self.compare(value, edits);
        }
    }

    fn compare(&mut self, value: usize, edits: usize) {
        if self.signature.least_edits(self.values.signature(value)) as usize > edits {
            return;
        }
        let pattern = self.pattern.get_or_init(|| Pattern::new(self.query, self.values.alphabet.size()));
        if let Some(distance) = pattern.distance(self.values.symbols(value), edits) {
            self.found.push((value, distance));
        }
    }
}
