//! The distinct values of a column, in order of length, and the rows of each.
//!
//! A value's number is its rank by length and then by its symbols, so that the values of some lengths are a range of
//! numbers, an equal value is found by halving, and neighbours share a beginning. Texts are kept back to front: what the
//! values of a column share (`tablets`, `Co., Ltd.`, `GmbH`) they mostly share at the end.

use std::ops::Range;

use super::alphabet::{Alphabet, Symbol};
use crate::normal::normal;
use crate::reference::Reference;

/// The distinct values of a column.
#[derive(Debug)]
pub(super) struct Values {
    pub(super) alphabet: Alphabet,
    symbols: Vec<Symbol>,
    /// Where each value's symbols end.
    ends: Vec<u32>,
    /// How many symbols each value shares with the one before, if that has its length; 255 stand for more.
    shared: Vec<u8>,
    /// The rows, value by value, and where those of each value end.
    rows: Vec<u32>,
    row_ends: Vec<u32>,
    /// For each length, the first value that has it or more.
    lengths: Vec<u32>,
}

impl Values {
    /// Of one column.
    pub(super) fn new(reference: &Reference, column: usize) -> Values {
        let mut text = String::new();
        let mut folded: Vec<(u32, Range<usize>)> = Vec::new();
        for row in 0..reference.rows() {
            if let Some(value) = reference.value(row, column) {
                let start = text.len();
                text.push_str(&normal(value));
                folded.push((row as u32, start..text.len()));
            }
        }
        let alphabet = Alphabet::new(text.chars());
        let mut all: Vec<Symbol> = Vec::with_capacity(text.len());
        let mut entries: Vec<(u32, Range<usize>)> = folded
            .into_iter()
            .map(|(row, range)| {
                let start = all.len();
                all.extend(text[range].chars().rev().map(|character| alphabet.symbol(character)));
                (row, start..all.len())
            })
            .collect();
        drop(text);
        entries.sort_unstable_by(|(row, one), (other_row, other)| {
            let lengths = one.len().cmp(&other.len());
            lengths.then_with(|| all[one.clone()].cmp(&all[other.clone()])).then(row.cmp(other_row))
        });

        let mut values = Values {
            alphabet,
            symbols: Vec::new(),
            ends: Vec::new(),
            shared: Vec::new(),
            rows: Vec::with_capacity(entries.len()),
            row_ends: Vec::new(),
            lengths: vec![0],
        };
        let mut last: Option<Range<usize>> = None;
        for (row, range) in entries {
            if last.as_ref().is_none_or(|last| all[last.clone()] != all[range.clone()]) {
                values.add(&all[range.clone()]);
                last = Some(range);
            }
            values.rows.push(row);
            if let Some(end) = values.row_ends.last_mut() {
                *end += 1;
            }
        }
        values.symbols.shrink_to_fit();
        values
    }

    fn add(&mut self, value: &[Symbol]) {
        let before = self.len().checked_sub(1).map_or(&[][..], |before| self.symbols(before));
        let shared = if before.len() == value.len() { common(before, value) } else { 0 };
        while self.lengths.len() <= value.len() {
            self.lengths.push(self.ends.len() as u32);
        }
        self.symbols.extend_from_slice(value);
        self.ends.push(self.symbols.len() as u32);
        self.shared.push(shared.min(255) as u8);
        self.row_ends.push(self.rows.len() as u32);
    }

    /// How many there are.
    pub(super) fn len(&self) -> usize {
        self.ends.len()
    }

    /// The length of the longest.
    pub(super) fn longest(&self) -> usize {
        self.lengths.len() - 1
    }

    /// The symbols of a value.
    pub(super) fn symbols(&self, value: usize) -> &[Symbol] {
        let start = if value == 0 { 0 } else { self.ends[value - 1] as usize };
        &self.symbols[start..self.ends[value] as usize]
    }

    /// How many symbols all values of a range have.
    pub(super) fn symbols_in(&self, range: Range<usize>) -> usize {
        let end = |value: usize| if value == 0 { 0 } else { self.ends[value - 1] as usize };
        end(range.end) - end(range.start)
    }

    /// How many symbols a value shares with an earlier one of its length, at least.
    pub(super) fn shared(&self, earlier: usize, value: usize) -> usize {
        // Close by, the least of those between; it is one array.
        if value - earlier <= 8 {
            self.shared[earlier + 1..=value].iter().min().map_or(0, |&shared| usize::from(shared))
        } else {
            common(self.symbols(earlier), self.symbols(value))
        }
    }

    /// The first value after this one and before `end` that shares fewer symbols with it.
    pub(super) fn skip(&self, value: usize, symbols: usize, end: usize) -> usize {
        let rest = &self.shared[value + 1..end];
        // 255 may stand for less than what is asked for.
        let fewer = |&shared: &u8| usize::from(shared) < symbols || shared == u8::MAX;
        rest.iter().position(fewer).map_or(end, |skipped| value + 1 + skipped)
    }

    /// The rows of a value.
    pub(super) fn rows(&self, value: usize) -> &[u32] {
        let start = if value == 0 { 0 } else { self.row_ends[value - 1] as usize };
        &self.rows[start..self.row_ends[value] as usize]
    }

    /// The first value of at least this length.
    pub(super) fn first_of(&self, length: usize) -> usize {
        self.lengths.get(length).map_or(self.len(), |&first| first as usize)
    }

    /// The value that is equal to a text.
    pub(super) fn find(&self, text: &[Symbol]) -> Option<usize> {
        let (mut low, mut high) = (self.first_of(text.len()), self.first_of(text.len() + 1));
        while low < high {
            let middle = low.midpoint(high);
            match self.symbols(middle).cmp(text) {
                std::cmp::Ordering::Less => low = middle + 1,
                std::cmp::Ordering::Equal => return Some(middle),
                std::cmp::Ordering::Greater => high = middle,
            }
        }
        None
    }

    /// Bytes in memory.
    pub(super) fn memory(&self) -> usize {
        let words = self.symbols.len() + self.ends.len() + self.rows.len() + self.row_ends.len() + self.lengths.len();
        words * size_of::<u32>() + self.shared.len() + self.alphabet.memory()
    }
}

/// How many symbols two texts begin with alike.
fn common(one: &[Symbol], other: &[Symbol]) -> usize {
    std::iter::zip(one, other).take_while(|(one, other)| one == other).count()
}
