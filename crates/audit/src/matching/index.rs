//! The index of one column, and its questions.

use std::ops::Range;
use std::sync::OnceLock;

use super::alphabet::Symbol;
use super::bound::{Group, groups};
use super::distance::Pattern;
use super::grams::{Grams, LONGEST};
use super::pieces::{Piece, choose};
use super::values::Values;
use crate::normal::{degree_of, normal};
use crate::reference::Reference;

/// How long grams are: two where many edits leave room for no more, five for codes whose beginnings repeat. Each size
/// takes five bytes for each character.
const SIZES: [usize; 3] = [2, 3, 5];

/// Lists are read if they are shorter than this part of the values; else the values are walked. On the columns of
/// `bench/audit.sh` at 0.8: if lists as long as all values were read, names would take a quarter more time; if none were,
/// codes would take twice as much and names in Han characters ten times.
const WORTH: usize = 8;

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
        self.rows(&self.query(value), threshold)
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
        normal(value).chars().rev().map(|character| self.values.alphabet.symbol(character)).collect()
    }

    /// The rows that match, in their order.
    fn rows(&self, query: &[Symbol], threshold: f64) -> Vec<(usize, f64)> {
        let found = self.search(query, threshold);
        // Row and place in `found` in one word: the rows of each value are in order, so this is a merge, which a stable
        // sort sees.
        let mut rows: Vec<u64> = Vec::new();
        for (place, &(value, _)) in found.iter().enumerate() {
            rows.extend(self.values.rows(value).iter().map(|&row| u64::from(row) << 32 | place as u64));
        }
        rows.sort();
        let degree =
            |&(value, distance): &Found| degree_of(distance, query.len().max(self.values.symbols(value).len()));
        let degrees: Vec<f64> = found.iter().map(degree).collect();
        rows.into_iter().map(|row| ((row >> 32) as usize, degrees[row as u32 as usize])).collect()
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
    index: &'a Index,
    values: &'a Values,
    query: &'a [Symbol],
    pattern: Pattern,
    /// A bit for each value that is a candidate.
    candidates: Vec<u64>,
    found: Vec<Found>,
}

impl<'a> Search<'a> {
    fn new(index: &'a Index, query: &'a [Symbol]) -> Search<'a> {
        let pattern = Pattern::new(query, index.values.alphabet.size());
        Search { index, values: &index.values, query, pattern, candidates: Vec::new(), found: Vec::new() }
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
        let range = start..end.min(first_long);
        match self.pieces(&range, group.edits) {
            Some(pieces) => {
                self.read(&pieces, range, group);
                self.compare_candidates(group);
            }
            None => self.compare_all(group, 0..first_long),
        }
        self.compare_all(group, first_long..self.values.len());
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
        (cost < (range.len() / WORTH) as u64).then_some(pieces)
    }

    /// Marks the values that have one of the pieces.
    fn read(&mut self, pieces: &[Piece], range: Range<usize>, group: &Group) {
        self.candidates.clear();
        self.candidates.resize(self.values.len().div_ceil(64), 0);
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
                if before + behind <= group.edits {
                    self.candidates[value / 64] |= 1 << (value % 64);
                }
            }
        }
    }

    /// Compares what is marked.
    fn compare_candidates(&mut self, group: &Group) {
        let candidates = std::mem::take(&mut self.candidates);
        for length in group.lengths.clone() {
            let range = self.values.first_of(length)..self.values.first_of(length + 1);
            self.pattern.begin(length, group.edits);
            let mut last = None;
            for value in marked(&candidates, range) {
                let shared = last.map_or(0, |last| self.values.shared(last, value));
                self.compare(value, shared, group.edits);
                last = Some(value);
            }
        }
        self.candidates = candidates;
    }

    /// Compares all values of the group in a range.
    fn compare_all(&mut self, group: &Group, within: Range<usize>) {
        for length in group.lengths.clone() {
            let start = self.values.first_of(length).max(within.start);
            let end = self.values.first_of(length + 1).min(within.end);
            self.pattern.begin(length, group.edits);
            let (mut value, mut shared) = (start, 0);
            while value < end {
                self.compare(value, shared, group.edits);
                let next = match self.pattern.out() {
                    Some(symbols) => self.values.skip(value, symbols, end),
                    None => value + 1,
                };
                // What lies between shares more with the value than the next one does.
                shared = if next < end { self.values.shared(next - 1, next) } else { 0 };
                value = next;
            }
        }
    }

    fn compare(&mut self, value: usize, shared: usize, edits: usize) {
        if let Some(distance) = self.pattern.distance(self.values.symbols(value), shared, edits) {
            self.found.push((value, distance));
        }
    }
}

/// The values in a range that have their bit set.
fn marked(bits: &[u64], range: Range<usize>) -> impl Iterator<Item = usize> {
    let words = range.start / 64..range.end.div_ceil(64);
    words
        .flat_map(move |word| {
            let mut rest = bits[word];
            let next = move || {
                let bit = rest.trailing_zeros();
                rest &= rest.checked_sub(1)?;
                Some(word * 64 + bit as usize)
            };
            std::iter::from_fn(next)
        })
        .filter(move |value| range.contains(value))
}
