//! Statistics of a field, and the comparisons that show whether it is broken.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value as Json;

use super::FaultKind;
use super::movement::Movement;
use crate::data::Kind;

/// Drop in the share of records that counts as a fault.
pub(super) const FALL: f64 = 0.25;
/// Largest number of shapes that a uniform field may have.
const FEW: usize = 6;
/// Share of values that counts as most of them.
const MOST: f64 = 0.6;
/// Share of records in which two fields must agree to count as copies of each other. A field that is read from the
/// wrong place agrees in nearly all records.
const AGREE: f64 = 0.8;
/// Share of values that counts as negligible.
const HARDLY: f64 = 0.1;

/// Smallest number of values on a page from which it can be seen whether they differ.
const VARIED: u64 = 4;

/// Result of one list on one page in one run.
#[derive(Debug, Clone, Default)]
pub(super) struct Yield {
    pub(super) page: i64,
    pub(super) records: u64,
    /// Number of elements that are built like the records and are none; `None` if it was not counted.
    pub(super) left_out: Option<u64>,
    pub(super) fields: BTreeMap<String, Field>,
}

/// A fault of a field, with the figures that were compared.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Fault {
    pub(super) what: FaultKind,
    pub(super) before: f64,
    pub(super) now: f64,
    /// Other field that has the same values now.
    pub(super) other: Option<String>,
    /// Share of values whose shape is new. Of two fields that agree, the one with the larger share is at fault.
    pub(super) unlike: f64,
}

impl Fault {
    pub(super) fn new(what: FaultKind, before: f64, now: f64) -> Fault {
        Fault { what, before, now, other: None, unlike: 0.0 }
    }
}

/// Statistics of one field.
#[derive(Debug, Clone, Default)]
pub(super) struct Field {
    pub(super) kind: Kind,
    pub(super) records: u64,
    filled: u64,
    /// Largest number of values found in a single run, among those added up here.
    at_once: u64,
    typed: u64,
    distinct: u64,
    /// Numbers of distinct values and of values, of the pages that have enough of them to see whether they differ.
    varied: (u64, u64),
    shapes: BTreeMap<String, u64>,
    others: u64,
    looks: BTreeMap<String, u64>,
    twice: u64,
    same: BTreeMap<String, u64>,
    pub(super) examples: Vec<String>,
    /// First quartile, median and third quartile of the field's numbers, on one page.
    pub(super) quartiles: Option<[f64; 3]>,
    pub(super) movement: Movement,
}

impl Field {
    pub(super) fn read(json: &Json, records: u64) -> Field {
        let number = |key: &str| json.get(key).and_then(Json::as_u64).unwrap_or(0);
        let counts = |key: &str| {
            let counts = json.get(key).and_then(Json::as_object).into_iter().flatten();
            counts.map(|(name, count)| (name.clone(), count.as_u64().unwrap_or(0))).collect()
        };
        let (filled, distinct) = (number("filled"), number("distinct"));
        let examples = json.get("examples").and_then(Json::as_array).into_iter().flatten();
        let quartiles = json.get("quartiles").and_then(Json::as_array).map(|all| all.iter().filter_map(Json::as_f64));
        Field {
            kind: json.get("kind").and_then(Json::as_str).and_then(Kind::from_name).unwrap_or_default(),
            records,
            filled,
            at_once: filled,
            typed: number("typed"),
            distinct,
            varied: if filled >= VARIED { (distinct, filled) } else { (0, 0) },
            others: number("others"),
            shapes: counts("shapes"),
            looks: counts("looks"),
            twice: number("twice"),
            same: counts("same"),
            examples: examples.filter_map(Json::as_str).map(str::to_owned).collect(),
            quartiles: quartiles.and_then(|all| <[f64; 3]>::try_from(all.collect::<Vec<_>>()).ok()),
            movement: json.get("movement").map(Movement::read).unwrap_or_default(),
        }
    }

    /// Adds the counts of another page. Leaves `movement` as it is.
    pub(super) fn add(&mut self, other: &Field) {
        self.kind = other.kind;
        self.records += other.records;
        self.filled += other.filled;
        self.typed += other.typed;
        self.distinct += other.distinct;
        self.varied = (self.varied.0 + other.varied.0, self.varied.1 + other.varied.1);
        self.others += other.others;
        self.twice += other.twice;
        let counts =
            [(&mut self.shapes, &other.shapes), (&mut self.looks, &other.looks), (&mut self.same, &other.same)];
        for (sums, counts) in counts {
            for (name, count) in counts {
                *sums.entry(name.clone()).or_default() += count;
            }
        }
        if self.examples.len() < 2 {
            self.examples.extend(other.examples.iter().take(2 - self.examples.len()).cloned());
        }
    }

    /// Returns the number of records in which the field was found.
    pub(super) fn filled(&self) -> u64 {
        self.filled
    }

    pub(super) fn found(&self) -> f64 {
        share(self.filled, self.records)
    }

    pub(super) fn typed(&self) -> f64 {
        share(self.typed, self.filled)
    }

    fn differing(&self) -> f64 {
        share(self.varied.0, self.varied.1)
    }

    /// Updates `at_once` with the number of values found in one run.
    pub(super) fn note_run(&mut self, filled: u64) {
        self.at_once = self.at_once.max(filled);
    }

    /// Reports whether the field's values always have one of a few shapes. Requires three times as many values as
    /// shapes, since three titles can easily have three shapes.
    fn is_uniform(&self) -> bool {
        let is_few = self.shapes.len() <= FEW && self.shapes.len() as u64 * 3 <= self.at_once;
        is_few && share(self.others, self.filled) < HARDLY
    }

    /// Returns the share of values whose shape does not occur in the other field.
    fn unlike(&self, other: &Field) -> f64 {
        // Whether a change is up or down says nothing about the rule.
        let plain = |shape: &str| shape.trim_start_matches(['-', '+', '−', '~']).trim_start().to_owned();
        let known: BTreeSet<String> = other.shapes.keys().map(|shape| plain(shape)).collect();
        let unlike = self.shapes.iter().filter(|(shape, _)| !known.contains(&plain(shape)));
        share(unlike.map(|(_, count)| count).sum::<u64>() + self.others, self.filled)
    }

    /// Returns the share of values of a class (address, number, words) that hardly occurs in the other field.
    fn looks_unlike(&self, other: &Field) -> f64 {
        let look = |field: &Field, name: &str| share(field.looks.get(name).copied().unwrap_or(0), field.filled);
        if other.looks.is_empty() {
            return 0.0;
        }
        let new = ["address", "number", "words"].into_iter().filter(|name| look(other, name) < HARDLY / 2.0);
        new.map(|name| look(self, name)).sum()
    }

    /// Returns the first fault of the field compared with `before`, if there is one.
    pub(super) fn fault(&self, before: &Field) -> Option<Fault> {
        let (was, is) = (before.typed(), self.typed());
        if before.filled >= 3 && self.filled >= 2 && was - is > FALL {
            return Some(Fault::new(FaultKind::Mistyped, was, is));
        }
        if before.filled < 6 || self.filled < VARIED {
            return None;
        }
        if before.differing() >= MOST && self.distinct == 1 {
            return Some(Fault::new(FaultKind::Constant, before.differing(), self.differing()));
        }
        if let Some(fault) = self.copied(before) {
            return Some(fault);
        }
        let unlike = self.unlike(before);
        if before.is_uniform() && unlike > MOST {
            return Some(Fault::new(FaultKind::Reshaped, 0.0, unlike));
        }
        let unlike = self.looks_unlike(before);
        if unlike > MOST {
            return Some(Fault::new(FaultKind::Reshaped, 0.0, unlike));
        }
        let (was, is) = (share(before.twice, before.filled), share(self.twice, self.filled));
        (was < HARDLY && is > MOST).then(|| Fault::new(FaultKind::Doubled, was, is))
    }

    /// Reports whether the field has the same values as another in nearly all records.
    pub(super) fn agrees_with(&self, other: &str) -> bool {
        share(self.same.get(other).copied().unwrap_or(0), self.filled) >= AGREE
    }

    /// Returns a fault if the field now has the values of another field. Fields with few distinct values are skipped,
    /// since these may agree by chance.
    fn copied(&self, before: &Field) -> Option<Fault> {
        if self.differing() < 0.5 || self.movement.stayed() {
            return None;
        }
        let same = self.same.iter().map(|(other, count)| (other, share(*count, self.filled)));
        let (other, now) = same.max_by(|one, other| one.1.total_cmp(&other.1))?;
        let was = share(before.same.get(other).copied().unwrap_or(0), before.filled);
        let unlike = self.unlike(before);
        let fault = Fault { other: Some(other.clone()), unlike, ..Fault::new(FaultKind::Copied, was, now) };
        (now >= AGREE && was < HARDLY).then_some(fault)
    }
}

pub(super) fn share(part: u64, whole: u64) -> f64 {
    if whole == 0 { 0.0 } else { part as f64 / whole as f64 }
}
