//! One question, while it is answered: three ways to what may match, and which is taken.
//!
//! All costs are counted in values whose characters are counted, about a nanosecond each. The values of a group
//! are *walked* first, in order, each beginning that is too far away being passed over with all that have it: best where
//! few edits are allowed and values are many and alike, as codes are. As soon as that has cost more than there is to
//! show for it, or than reading *lists* of grams would, the rest is done in one of the other ways: by lists, if these are
//! short, as for ideographs; else by *counts* of characters, which all values of fitting length are held against. So a
//! question never costs much more than that, whatever the values are. The values that are left are compared.

use std::ops::Range;

use super::alphabet::Symbol;
use super::bound::Group;
use super::column::Column;
use super::counts::{Counted, LONGEST};
use super::distance::Pattern;
use super::grams::{Grams, SIZES};
use super::pieces::{Piece, choose};
use super::rows::Found;
use super::values::{Run, Values};

/// An entry of a list takes as long as the counts of so many values. On the codes of `bench/audit.sh`, half of this and
/// twice this take about a quarter more time.
const LISTED: usize = 8;

/// A column of the matrix takes as long as the counts of so many values, for walking leaps about in memory. On the names
/// there, half of this takes about a tenth more time, a quarter of it about a quarter more.
const DEAR: usize = 16;

/// What walking may cost before it is judged; half and twice as much cannot be told apart by time.
const TRIAL: usize = 512;

/// One question.
pub(super) struct Search<'a, S> {
    column: &'a Column<S>,
    values: &'a Values<S>,
    query: &'a [S],
    pattern: Pattern,
    /// How long the list of each gram of the query is, by size and place.
    costs: Option<[Vec<u64>; SIZES.len()]>,
    /// What walking has cost so far, in columns, and how many values it has passed.
    columns: usize,
    passed: usize,
    /// A bit for each value that is a candidate.
    candidates: Vec<u64>,
    pub(super) found: Vec<Found>,
}

impl<'a, S: Symbol> Search<'a, S> {
    /// Of a text.
    pub(super) fn new(column: &'a Column<S>, query: &'a [S]) -> Search<'a, S> {
        Search {
            column,
            values: &column.values,
            query,
            pattern: Pattern::new(query, column.values.alphabet.size()),
            costs: None,
            columns: 0,
            passed: 0,
            candidates: Vec::new(),
            found: Vec::new(),
        }
    }

    /// Looks among the values of some lengths.
    pub(super) fn group(&mut self, group: &Group) {
        if group.edits == 0 {
            let found = self.values.find(self.query);
            self.found.extend(found.map(|value| Found { value, distance: 0, length: self.query.len() }));
            return;
        }
        let runs = self.values.runs(&group.lengths);
        let (Some(first), Some(last)) = (runs.first(), runs.last()) else { return };
        let first_long = self.values.first_of(LONGEST + 1);
        let short = first.values.start..last.values.end.min(first_long);
        let (cost, pieces) = self.pieces(short.len(), group.edits).unwrap_or((usize::MAX, Vec::new()));
        let rest = self.walk(runs, &short, group.edits, cost);
        if cost < rest.len() {
            self.compare_listed(&pieces, runs, &rest, group.edits);
        } else {
            self.compare_counted(runs, &rest, group.edits);
        }
        for run in runs {
            self.pattern.begin(run.length, group.edits);
            let mut last = None;
            for value in run.within(&(first_long..self.values.len())) {
                self.compare_after(&mut last, run, value, group.edits);
            }
        }
    }

    /// Compares values in order, passing over those that begin like one that is out; stops if that is slow or costs more
    /// than `most`, and gives what is left.
    fn walk(&mut self, runs: &[Run], range: &Range<usize>, edits: usize, most: usize) -> Range<usize> {
        let limit = (self.columns * DEAR).saturating_add(most);
        for run in runs {
            let Range { start: mut value, end } = run.within(range);
            let mut shared = 0;
            self.pattern.begin(run.length, edits);
            while value < end {
                if self.columns * DEAR > limit.min(self.passed + TRIAL) {
                    return value..range.end;
                }
                self.columns += self.compare(run, value, shared, edits);
                let next = match self.pattern.out() {
                    Some(symbols) => self.values.skip(value, symbols, end),
                    None => value + 1,
                };
                self.passed += next - value;
                // What lies between shares more with the value than the next one does.
                shared = if next < end { self.values.shared(run, next - 1, next) } else { 0 };
                value = next;
            }
        }
        range.end..range.end
    }

    /// The pieces that every match among so many values has one of, and what reading their lists costs at most.
    fn pieces(&mut self, values: usize, edits: usize) -> Option<(usize, Vec<Piece>)> {
        let length = self.query.len();
        // A handful is looked at sooner than a choice is made.
        if values <= 64 || length < SIZES[0] * (edits + 1) {
            return None;
        }
        let costs = self.costs.get_or_insert_with(|| {
            let cost =
                |grams: &Grams| self.query.windows(grams.size()).map(|gram| grams.entries(gram).len() as u64).collect();
            self.column.grams().each_ref().map(cost)
        });
        let (cost, pieces) = choose(length, edits + 1, &SIZES, |size, place| costs[size][place])?;
        Some(((cost as usize).saturating_mul(LISTED), pieces))
    }

    /// Compares the values that have one of the pieces.
    fn compare_listed(&mut self, pieces: &[Piece], runs: &[Run], range: &Range<usize>, edits: usize) {
        let mut candidates = std::mem::take(&mut self.candidates);
        candidates.clear();
        candidates.resize(self.values.len().div_ceil(64), 0);
        for piece in pieces {
            let grams = &self.column.grams()[piece.size];
            let gram = &self.query[piece.place..piece.place + grams.size()];
            let mut entries = grams.read(grams.entries_of(grams.entries(gram), range)).peekable();
            // Values come in order of length.
            for run in runs {
                while let Some((value, place)) = entries.next_if(|(value, _)| *value < run.values.end) {
                    // The texts before the piece differ in length by so much, and those behind it.
                    let before = piece.place.abs_diff(place);
                    let behind = (self.query.len() - piece.place).abs_diff(run.length - place);
                    if before + behind <= edits {
                        candidates[value / 64] |= 1 << (value % 64);
                    }
                }
            }
        }
        for run in runs {
            self.pattern.begin(run.length, edits);
            let mut last = None;
            for value in marked(&candidates, run.within(range)) {
                self.compare_after(&mut last, run, value, edits);
            }
        }
        self.candidates = candidates;
    }

    /// Compares the values that the counts of characters leave.
    fn compare_counted(&mut self, runs: &[Run], range: &Range<usize>, edits: usize) {
        let counted = Counted::new(self.query);
        let counts = self.column.counts();
        for run in runs {
            self.pattern.begin(run.length, edits);
            // Where the value is longer, the edits that make it so take nothing away.
            let most = edits.min((edits + self.query.len()).saturating_sub(run.length));
            let mut last = None;
            counts.near(&counted, most, run.within(range), |value| self.compare_after(&mut last, run, value, edits));
        }
    }

    /// Compares a value, the last one that was compared being known.
    fn compare_after(&mut self, last: &mut Option<usize>, run: &Run, value: usize, edits: usize) {
        let shared = last.map_or(0, |last| self.values.shared(run, last, value));
        self.compare(run, value, shared, edits);
        *last = Some(value);
    }

    /// Compares a value that shares so much with the last one; how many symbols were looked at.
    fn compare(&mut self, run: &Run, value: usize, shared: usize, edits: usize) -> usize {
        let known = self.pattern.done().min(shared);
        if let Some(distance) = self.pattern.distance(self.values.text(run, value), shared, edits) {
            self.found.push(Found { value, distance, length: run.length });
        }
        self.pattern.done() - known + 1
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
