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

use super::{Candidate, Cut, Record};
use crate::page_view::{By, Leaf, PageView};

/// What is counted of one key.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Seen {
    key: u64,
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
///
/// A page has many small candidates and a few large ones. Both tables are emptied by counting the rounds, and only as
/// much of them is used as the candidate needs: a small one after a large one costs what is small.
#[derive(Default)]
pub(crate) struct Tally {
    /// By key, in the order in which they were met: sums must come out the same in every run.
    pub(crate) seen: Vec<Seen>,
    /// By leaf that was counted: the place of its key in `seen`.
    pub(crate) places: Vec<u32>,
    /// Round, and place in `seen`.
    keys: Vec<(u32, u32)>,
    /// Half of a value's hash, and round; where it stands says the other half.
    values: Vec<(u32, u32)>,
    /// How far a hash is shifted to be a place in `keys`, and in `values`.
    keys_shift: u32,
    values_shift: u32,
    round: u32,
    records: usize,
}

/// Spreads what differs in few bits over the high ones.
const SPREAD: u64 = 0xF135_7AEA_2E62_A9C5;
/// The least that a table holds, as a power of two.
const LEAST: u32 = 6;

/// The sum over all keys.
#[derive(Debug, Clone, Copy)]
struct Worth {
    sum: f32,
    thin: bool,
}

/// What the records of a candidate have in common, in a few sums.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Common {
    /// What they share.
    pub(crate) shared: f32,
    /// Share of the content in places that are in many records, and in places whose values differ.
    pub(crate) support: f32,
    pub(crate) distinct: f32,
    /// What a reader sees of all of them.
    pub(crate) total: f32,
    /// Nothing but one short text in each: a menu, or tags.
    pub(crate) thin: bool,
    /// Number of places that most records have.
    pub(crate) usual: f32,
    /// Number of places that half of the records have, with values that differ.
    pub(crate) telling: f32,
}

impl Common {
    /// From the counts of a candidate.
    pub(crate) fn new(tally: &Tally) -> Common {
        let count = tally.records as f32;
        let Worth { sum, thin } = tally.worth();
        let mut common =
            Common { shared: sum, support: 0.0, distinct: 0.0, total: 0.0, thin, usual: 0.0, telling: 0.0 };
        for seen in &tally.seen {
            common.usual += f32::from(u8::from(seen.records * 5 >= tally.records as u32 * 4));
            let telling = seen.records * 2 >= tally.records as u32 && seen.distinctness() >= 0.5;
            common.telling += f32::from(u8::from(telling));
            common.total += seen.weight;
            common.distinct += seen.weight * seen.distinctness();
            if seen.records > 1 {
                common.support += seen.weight * seen.records as f32 / count;
            }
        }
        common.total = common.total.max(0.1);
        common.support /= common.total;
        common.distinct /= common.total;
        common
    }
}

/// The root of the length of a text that says little by itself.
const SHORT: f32 = 5.0;

impl Tally {
    /// Forgets what was counted, for so many leaves at most.
    pub(crate) fn clear(&mut self, leaves: usize) {
        self.seen.clear();
        self.places.clear();
        self.records = 0;
        self.round = match self.round.checked_add(1) {
            Some(round) => round,
            None => {
                self.keys.clear();
                self.values.clear();
                1
            }
        };
        // At most half full.
        let bits = (usize::BITS - (leaves * 2).leading_zeros()).max(LEAST);
        self.values_shift = u64::BITS - bits;
        if self.values.len() < 1 << bits {
            self.values.resize(1 << bits, (0, 0));
        }
        self.keys_shift = u64::BITS - LEAST;
        if self.keys.len() < 1 << LEAST {
            self.keys.resize(1 << LEAST, (0, 0));
        }
    }

    /// Counts a candidate's records, but not how many values a key has.
    pub(crate) fn take_places(&mut self, view: &PageView<'_>, candidate: &Candidate, by: By) {
        self.clear(0);
        for record in &candidate.records {
            self.records += 1;
            for (key, leaf) in keys(view, candidate, by, record) {
                self.count(key, self.records as u32, leaf);
            }
        }
    }

    /// Counts a candidate's records.
    pub(crate) fn take(&mut self, view: &PageView<'_>, candidate: &Candidate, by: By) {
        let leaves = candidate.records.iter().map(|record| view.leaves_in(record.first, record.end).len()).sum();
        self.clear(leaves);
        self.places.reserve(leaves);
        for record in &candidate.records {
            self.records += 1;
            for (key, leaf) in keys(view, candidate, by, record) {
                self.add(key, self.records as u32, leaf);
            }
        }
    }

    /// Whether a candidate's leaves have as many keys as were counted, by other keys.
    pub(crate) fn has_as_many(&mut self, view: &PageView<'_>, candidate: &Candidate, by: By) -> bool {
        let counted = self.seen.len();
        self.clear(0);
        for record in &candidate.records {
            for (key, _) in keys(view, candidate, by, record) {
                self.place(key);
            }
        }
        self.seen.len() == counted
    }

    /// Counts a leaf of a record, by the record's number from 1 on. No more leaves than were said to come.
    pub(crate) fn add(&mut self, key: u64, number: u32, leaf: &Leaf) {
        let place = self.count(key, number, leaf);
        let new = self.is_new(leaf.value ^ key.rotate_left(17));
        self.seen[place].distinct += u32::from(new);
    }

    fn count(&mut self, key: u64, number: u32, leaf: &Leaf) -> usize {
        let place = self.place(key);
        self.places.push(place as u32);
        let seen = &mut self.seen[place];
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
        place
    }

    /// The place of a key among those seen.
    fn place(&mut self, key: u64) -> usize {
        let mask = (1usize << (u64::BITS - self.keys_shift)) - 1;
        let mut at = (key.wrapping_mul(SPREAD) >> self.keys_shift) as usize;
        loop {
            let (round, place) = self.keys[at];
            if round != self.round {
                break;
            }
            if self.seen[place as usize].key == key {
                return place as usize;
            }
            at = (at + 1) & mask;
        }
        let place = self.seen.len();
        self.keys[at] = (self.round, place as u32);
        self.seen.push(Seen { key, records: 0, single: 0, distinct: 0, weight: 0.0, last: 0, in_last: 0 });
        if self.seen.len() * 2 > mask {
            self.grow();
        }
        place
    }

    /// Doubles the table of keys.
    fn grow(&mut self) {
        self.keys_shift -= 1;
        let size = 1usize << (u64::BITS - self.keys_shift);
        self.keys.clear();
        self.keys.resize(size, (0, 0));
        for (place, seen) in self.seen.iter().enumerate() {
            let mut at = (seen.key.wrapping_mul(SPREAD) >> self.keys_shift) as usize;
            while self.keys[at].0 == self.round {
                at = (at + 1) & (size - 1);
            }
            self.keys[at] = (self.round, place as u32);
        }
    }

    /// Whether a value of a key was not met before.
    fn is_new(&mut self, value: u64) -> bool {
        let mask = (1usize << (u64::BITS - self.values_shift)) - 1;
        // A full table has no end.
        debug_assert!(self.places.len() <= mask, "more leaves than were said to come");
        if self.places.len() > mask {
            return true;
        }
        let hash = value.wrapping_mul(SPREAD);
        let mut at = (hash >> self.values_shift) as usize;
        loop {
            let (known, round) = self.values[at];
            if round != self.round {
                self.values[at] = (hash as u32, self.round);
                return true;
            }
            if known == hash as u32 {
                return false;
            }
            at = (at + 1) & mask;
        }
    }

    fn worth(&self) -> Worth {
        let count = self.records as f32;
        let mut sum = 0.0;
        let mut most = (0.0, 0.0);
        for seen in self.seen.iter().filter(|seen| seen.records >= 2) {
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
    view: &'o PageView<'_>,
    candidate: &Candidate,
    by: By,
    record: &Record,
) -> impl Iterator<Item = (u64, &'o Leaf)> {
    let from = if candidate.cut == Cut::Nodes { record.first } else { candidate.parent };
    view.leaves_in(record.first, record.end).iter().map(move |leaf| (view.key_below(from, leaf, by), leaf))
}
