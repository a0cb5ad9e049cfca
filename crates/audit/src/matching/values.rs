//! Distinct values of a column in order of length, with their rows.
//!
//! Values are numbered in order of length and then of their symbols. The values of some lengths are therefore a range
//! of numbers, an equal value is found by binary search, and neighbours share prefixes. Texts are stored reversed,
//! since the values of a column mostly share their ends (`tablets`, `Co., Ltd.`, `GmbH`). The start of a value's text
//! follows from its number, because all values of a run have the same length.

use std::ops::{Range, RangeInclusive};

use super::alphabet::{Alphabet, Symbol};
use super::folded::Folded;
use super::skips::Skips;

/// Distinct values of a column.
#[derive(Debug)]
pub(super) struct Values<S> {
    pub(super) alphabet: Alphabet,
    symbols: Vec<S>,
    /// Number of symbols that each value shares with the preceding one of the same length.
    shared: Skips,
    /// Rows grouped by value; `row_ends` has the end of each group.
    rows: Vec<u32>,
    row_ends: Vec<u32>,
    /// Value of each row; arbitrary for rows without one.
    of_rows: Vec<u32>,
    runs: Vec<Run>,
}

/// Values of one length.
#[derive(Debug, Clone)]
pub(super) struct Run {
    pub(super) length: usize,
    pub(super) values: Range<usize>,
    /// Start of the first value's symbols.
    start: usize,
}

impl<S: Symbol> Values<S> {
    /// Collects the values of folded texts, given their alphabet.
    pub(super) fn new(folded: &Folded, alphabet: Alphabet) -> Values<S> {
        let mut all: Vec<S> = Vec::with_capacity(folded.text.len());
        let texts = folded.cells.iter().map(|(row, range)| {
            let start = all.len();
            all.extend(folded.text[range.clone()].chars().rev().map(|character| alphabet.symbol::<S>(character)));
            (*row, start..all.len())
        });
        let mut entries: Vec<(u32, Range<usize>)> = texts.collect();
        entries.sort_unstable_by(|(row, one), (other_row, other)| {
            let lengths = one.len().cmp(&other.len());
            lengths.then_with(|| all[one.clone()].cmp(&all[other.clone()])).then(row.cmp(other_row))
        });

        let mut values = Values {
            alphabet,
            symbols: Vec::new(),
            shared: Skips::default(),
            rows: Vec::with_capacity(entries.len()),
            row_ends: Vec::new(),
            of_rows: vec![0; folded.rows],
            runs: Vec::new(),
        };
        let mut last: Option<Range<usize>> = None;
        for (row, range) in entries {
            if last.as_ref().is_none_or(|last| all[last.clone()] != all[range.clone()]) {
                let before = last.as_ref().map_or(&[][..], |last| &all[last.clone()]);
                values.add(before, &all[range.clone()]);
                last = Some(range);
            }
            values.rows.push(row);
            values.of_rows[row as usize] = (values.len() - 1) as u32;
            if let Some(end) = values.row_ends.last_mut() {
                *end += 1;
            }
        }
        values.symbols.shrink_to_fit();
        values.shared.finish();
        values
    }

    fn add(&mut self, before: &[S], value: &[S]) {
        let (number, start) = (self.len(), self.symbols.len());
        match self.runs.last_mut() {
            Some(run) if run.length == value.len() => {
                run.values.end += 1;
                self.shared.push(common(before, value));
            }
            _ => {
                self.runs.push(Run { length: value.len(), values: number..number + 1, start });
                self.shared.push(0);
            }
        }
        self.symbols.extend_from_slice(value);
        self.row_ends.push(self.rows.len() as u32);
    }

    /// Returns the number of distinct values.
    pub(super) fn len(&self) -> usize {
        self.row_ends.len()
    }

    /// Returns the length of the longest value.
    pub(super) fn longest(&self) -> usize {
        self.runs.last().map_or(0, |run| run.length)
    }

    /// Returns the runs of some lengths.
    pub(super) fn runs(&self, lengths: &RangeInclusive<usize>) -> &[Run] {
        let start = self.runs.partition_point(|run| run.length < *lengths.start());
        let end = self.runs.partition_point(|run| run.length <= *lengths.end());
        &self.runs[start..end.max(start)]
    }

    /// Returns the symbols of a value in a run.
    pub(super) fn text(&self, run: &Run, value: usize) -> &[S] {
        let start = run.start + (value - run.values.start) * run.length;
        &self.symbols[start..start + run.length]
    }

    /// Returns the values of a range with their symbols.
    pub(super) fn texts(&self, range: Range<usize>) -> impl Iterator<Item = (usize, &[S])> {
        self.runs.iter().flat_map(move |run| run.within(&range).map(move |value| (value, self.text(run, value))))
    }

    /// Returns the total number of symbols in a range of values.
    pub(super) fn symbols_in(&self, range: &Range<usize>) -> usize {
        self.runs.iter().map(|run| run.within(range).len() * run.length).sum()
    }

    /// Returns a lower bound on the number of symbols that a value shares with an earlier one of its run.
    pub(super) fn shared(&self, run: &Run, earlier: usize, value: usize) -> usize {
        // For close values, the minimum of the numbers in between, which takes a single array.
        if value - earlier <= 8 {
            self.shared.least(earlier + 1..value + 1)
        } else {
            common(self.text(run, earlier), self.text(run, value))
        }
    }

    /// Returns the first value after this one and before `end` that shares fewer symbols with it; all are in one run.
    pub(super) fn skip(&self, value: usize, symbols: usize, end: usize) -> usize {
        self.shared.skip(value + 1..end, symbols)
    }

    /// Returns the rows of a value.
    pub(super) fn rows(&self, value: usize) -> &[u32] {
        let start = if value == 0 { 0 } else { self.row_ends[value - 1] as usize };
        &self.rows[start..self.row_ends[value] as usize]
    }

    /// Returns the value of each row; arbitrary for rows without one.
    pub(super) fn of_rows(&self) -> &[u32] {
        &self.of_rows
    }

    /// Returns the first value with at least this length.
    pub(super) fn first_of(&self, length: usize) -> usize {
        let run = self.runs.partition_point(|run| run.length < length);
        self.runs.get(run).map_or(self.len(), |run| run.values.start)
    }

    /// Finds the value that is equal to a text.
    pub(super) fn find(&self, text: &[S]) -> Option<usize> {
        let run = self.runs(&(text.len()..=text.len())).first()?;
        let Range { start: mut low, end: mut high } = run.values;
        while low < high {
            let middle = low.midpoint(high);
            match self.text(run, middle).cmp(text) {
                std::cmp::Ordering::Less => low = middle + 1,
                std::cmp::Ordering::Equal => return Some(middle),
                std::cmp::Ordering::Greater => high = middle,
            }
        }
        None
    }

    /// Returns the memory use in bytes.
    pub(super) fn memory(&self) -> usize {
        let words = self.rows.len() + self.row_ends.len() + self.of_rows.len();
        words * size_of::<u32>()
            + self.symbols.len() * size_of::<S>()
            + self.runs.len() * size_of::<Run>()
            + self.shared.memory()
            + self.alphabet.memory()
    }
}

impl Run {
    /// Returns the part of a range that is in this run.
    pub(super) fn within(&self, range: &Range<usize>) -> Range<usize> {
        let start = self.values.start.max(range.start);
        start..self.values.end.min(range.end).max(start)
    }
}

/// Returns the length of the common prefix.
fn common<S: Symbol>(one: &[S], other: &[S]) -> usize {
    std::iter::zip(one, other).take_while(|(one, other)| one == other).count()
}
