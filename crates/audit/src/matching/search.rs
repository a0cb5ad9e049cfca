//! A search in progress: three ways to find candidates, and the choice between them.
//!
//! All costs are measured in values whose character counts are compared, about a nanosecond each. The values of a group
//! are *walked* first, in order, skipping all values that share a prefix which is already too far away. This is best if
//! few edits are allowed and there are many similar values, as for codes. As soon as walking has cost more than its
//! progress justifies, or more than reading *lists* of grams would, the rest is done in another way: by lists if these
//! are short, as for ideographs, else by *counts* of characters, with which all values of fitting length are compared.
//! A search therefore never costs much more than that, whatever the values are. The remaining candidates are compared.

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

/// Cost of reading an entry of a list, in comparisons of counts. On the codes of `bench/audit.sh`, half or twice this
/// value takes about a quarter more time.
const LISTED: usize = 8;

/// Cost of a column of the matrix, in comparisons of counts: walking accesses memory irregularly. On the names in the
/// same benchmark, half of this value takes about a tenth more time, a quarter of it about a quarter more.
const DEAR: usize = 16;

/// Cost of walking before it is judged; half or twice this value makes no measurable difference.
const TRIAL: usize = 512;

/// A search for one text.
pub(super) struct Search<'a, S> {
    column: &'a Column<S>,
    values: &'a Values<S>,
    query: &'a [S],
    pattern: Pattern,
    /// Length of the list of each gram of the query, by size and position.
    costs: Option<[Vec<u64>; SIZES.len()]>,
    /// Cost of walking so far, in columns; `passed` is the number of values it has passed.
    columns: usize,
    passed: usize,
    /// A bit for each value that is a candidate.
    candidates: Vec<u64>,
    pub(super) found: Vec<Found>,
}

impl<'a, S: Symbol> Search<'a, S> {
    /// Prepares a search for a text.
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

    /// Searches the values of some lengths.
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

    /// Compares values in order, skipping those that share a rejected prefix. Stops if that is slow or costs more than
    /// `most`, and returns the remaining range.
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
                // All values skipped share more with this value than the next one does.
                shared = if next < end { self.values.shared(run, next - 1, next) } else { 0 };
                value = next;
            }
        }
        range.end..range.end
    }

    /// Returns the pieces of which every match among this number of values has at least one, with an upper bound on the
    /// cost of reading their lists.
    fn pieces(&mut self, values: usize, edits: usize) -> Option<(usize, Vec<Piece>)> {
        let length = self.query.len();
        // A handful of values is compared faster than pieces are chosen.
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

    /// Compares the values that contain one of the pieces.
    fn compare_listed(&mut self, pieces: &[Piece], runs: &[Run], range: &Range<usize>, edits: usize) {
        let mut candidates = std::mem::take(&mut self.candidates);
        candidates.clear();
        candidates.resize(self.values.len().div_ceil(64), 0);
        for piece in pieces {
            let grams = &self.column.grams()[piece.size];
            let gram = &self.query[piece.place..piece.place + grams.size()];
            let mut entries = grams.read(grams.entries_of(grams.entries(gram), range)).peekable();
            // Entries are in order of value length.
            for run in runs {
                while let Some((value, place)) = entries.next_if(|(value, _)| *value < run.values.end) {
                    // Differences in length of the texts before and after the piece.
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

    /// Compares the values that pass the comparison of character counts.
    fn compare_counted(&mut self, runs: &[Run], range: &Range<usize>, edits: usize) {
        let counted = Counted::new(self.query);
        let counts = self.column.counts();
        for run in runs {
            self.pattern.begin(run.length, edits);
            // If the value is longer, the edits that lengthen it remove no characters.
            let most = edits.min((edits + self.query.len()).saturating_sub(run.length));
            let mut last = None;
            counts.near(&counted, most, run.within(range), |value| self.compare_after(&mut last, run, value, edits));
        }
    }

    /// Compares a value, given the last one that was compared.
    fn compare_after(&mut self, last: &mut Option<usize>, run: &Run, value: usize, edits: usize) {
        let shared = last.map_or(0, |last| self.values.shared(run, last, value));
        self.compare(run, value, shared, edits);
        *last = Some(value);
    }

    /// Compares a value that shares a prefix with the last one; returns the number of columns computed.
    fn compare(&mut self, run: &Run, value: usize, shared: usize, edits: usize) -> usize {
        let known = self.pattern.done().min(shared);
        if let Some(distance) = self.pattern.distance(self.values.text(run, value), shared, edits) {
            self.found.push(Found { value, distance, length: run.length });
        }
        self.pattern.done() - known + 1
    }
}

/// Returns the values in a range whose bit is set.
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
