//! What the records of a candidate have in common, counted.
//!
//! For every *key* (the way from a record down to a piece of content): how many records have it, how many have it once,
//! how many different values it has, how much a reader sees of it. The sum over all keys of
//!
//! > support (share of records that have it) × single (share of those that have it once) × √distinct (its values differ)
//! > × what a reader sees of it
//!
//! is large where the same things stand in the same places with different values, which is what records do, and small
//! for prose, menus and page furniture.
//!
//! # Cost
//!
//! Each leaf of the candidate once.

use foldhash::fast::FixedState;
use hashbrown::{HashMap, HashSet};

use super::region::{Candidate, Cut, Record};
use crate::outline::{By, Leaf, Outline};

/// What is counted of one key.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Seen {
    /// Records that have it.
    pub(crate) records: u32,
    /// Records that have it once.
    pub(crate) single: u32,
    /// Different values.
    pub(crate) distinct: u32,
    /// What a reader sees of it in all records together.
    pub(crate) weight: f32,
    last: u32,
    in_last: u32,
}

impl Seen {
    /// The share of its records that have it once.
    pub(crate) fn singleness(&self) -> f32 {
        self.single as f32 / self.records as f32
    }

    /// How far its values differ: 0 if all are the same, 1 if no two are.
    pub(crate) fn distinctness(&self) -> f32 {
        (self.distinct.saturating_sub(1) as f32 / (self.records.max(2) - 1) as f32).min(1.0)
    }

    /// What it says for a list of so many records.
    fn worth(&self, count: f32) -> f32 {
        let support = self.records as f32 / count;
        support * self.singleness() * self.distinctness().sqrt() * self.weight
    }
}

/// The counts of one candidate, with tables that are kept for the next.
#[derive(Default)]
pub(crate) struct Tally {
    // A fixed seed: sums are taken in the table's order, and must come out the same in every run.
    pub(crate) seen: HashMap<u64, Seen, FixedState>,
    values: HashSet<u64, FixedState>,
    records: usize,
}

/// The sum over all keys.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Worth {
    pub(crate) sum: f32,
    /// Nothing but one short text in each: a menu, or tags.
    pub(crate) thin: bool,
}

/// The root of the length of a text that says little by itself.
const SHORT: f32 = 5.0;

impl Tally {
    pub(crate) fn clear(&mut self) {
        self.seen.clear();
        self.values.clear();
        self.records = 0;
    }

    /// Counts a candidate's records.
    pub(crate) fn take(&mut self, outline: &Outline<'_>, candidate: &Candidate, by: By) {
        self.clear();
        for record in &candidate.records {
            self.records += 1;
            for (key, leaf) in keys(outline, candidate, by, record) {
                self.add(key, self.records as u32, leaf);
            }
        }
    }

    /// Counts a leaf of a record, by the record's number from 1 on.
    pub(crate) fn add(&mut self, key: u64, number: u32, leaf: &Leaf) {
        let seen = self.seen.entry(key).or_default();
        if seen.last == number {
            seen.in_last += 1;
            if seen.in_last == 2 {
                seen.single -= 1;
            }
        } else {
            seen.last = number;
            seen.in_last = 1;
            seen.records += 1;
            seen.single += 1;
        }
        seen.weight += leaf.weight;
        if self.values.insert(leaf.value ^ key.rotate_left(17)) {
            seen.distinct += 1;
        }
    }

    pub(crate) fn worth(&self) -> Worth {
        let count = self.records as f32;
        let mut sum = 0.0;
        let mut most = (0.0, 0.0);
        for seen in self.seen.values().filter(|seen| seen.records >= 2) {
            let worth = seen.worth(count);
            sum += worth;
            if worth > most.0 {
                most = (worth, seen.weight / seen.records as f32);
            }
        }
        Worth { sum, thin: most.0 > sum * 0.9 && most.1 < SHORT }
    }
}

/// A record's leaves, each with its key.
pub(crate) fn keys<'o>(
    outline: &'o Outline<'_>,
    candidate: &Candidate,
    by: By,
    record: &Record,
) -> impl Iterator<Item = (u64, &'o Leaf)> {
    let from = if candidate.cut == Cut::Nodes { record.first } else { candidate.parent };
    outline.leaves_in(record.first, record.end).iter().map(move |leaf| (outline.key_below(from, leaf, by), leaf))
}
