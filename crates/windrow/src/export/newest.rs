//! The newest records: those that were first seen last; of those that were first seen together, the first of the page.
//!
//! Memory for twice as many as are wanted.

use std::cmp::Reverse;

use crate::store::Record;

/// Chooses among the records it is given.
#[derive(Debug)]
pub(super) struct Newest {
    most: usize,
    seen: u64,
    records: Vec<Record>,
}

impl Newest {
    pub(super) fn new(most: usize) -> Newest {
        Newest { most, seen: 0, records: Vec::new() }
    }

    pub(super) fn add(&mut self, record: Record) {
        self.seen += 1;
        self.records.push(record);
        if self.records.len() > self.most.saturating_mul(2).saturating_add(100) {
            self.choose();
        }
    }

    /// Returns the number of records to choose from.
    pub(super) fn seen(&self) -> u64 {
        self.seen
    }

    /// The newest first.
    pub(super) fn finish(mut self) -> Vec<Record> {
        self.choose();
        self.records
    }

    fn choose(&mut self) {
        self.records.sort_by(|a, b| (Reverse(&a.first), a.id).cmp(&(Reverse(&b.first), b.id)));
        self.records.truncate(self.most);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_first_seen_last_comes_first() {
        let mut newest = Newest::new(3);
        for id in 1..=500 {
            let first = if id > 498 { "2026-11-17T09:00:00Z" } else { "2026-11-16T09:00:00Z" };
            newest.add(Record { id, first: first.to_owned(), ..Record::default() });
        }
        assert_eq!(newest.seen(), 500);
        let ids: Vec<i64> = newest.finish().iter().map(|record| record.id).collect();
        assert_eq!(ids, [499, 500, 1]);
    }
}
