//! Counts of a field, and the comparisons that say it is broken.

use std::collections::BTreeMap;

use serde_json::Value as Json;

use super::What;
use super::movement::Movement;
use crate::data::Kind;

/// Share of the records by which a share may fall.
pub(super) const FALL: f64 = 0.25;
/// Shapes of a field that has few.
const FEW: usize = 6;
/// Share of values that is most of them.
const MOST: f64 = 0.6;
/// Share of records in which two fields must agree to be taken for one; a field found in the wrong place is found there
/// in nearly all records.
const AGREE: f64 = 0.8;
/// Share of values that is next to none.
const HARDLY: f64 = 0.1;

/// What one page gave of one list in one run.
#[derive(Debug, Clone, Default)]
pub(super) struct Yield {
    pub(super) page: i64,
    pub(super) records: u64,
    pub(super) fields: BTreeMap<String, Field>,
}

/// Something that is wrong with a field, with what is compared.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Fault {
    pub(super) what: What,
    pub(super) before: f64,
    pub(super) now: f64,
    /// Another field that has its values now.
    pub(super) other: Option<String>,
    /// Share of its values that look like none before: of two fields that agree, the one that changed is at fault.
    pub(super) unlike: f64,
}

impl Fault {
    pub(super) fn new(what: What, before: f64, now: f64) -> Fault {
        Fault { what, before, now, other: None, unlike: 0.0 }
    }
}

/// What is counted of one field.
#[derive(Debug, Clone, Default)]
pub(super) struct Field {
    pub(super) kind: Kind,
    pub(super) records: u64,
    filled: u64,
    /// The most values that one run gave, of several that were added.
    at_once: u64,
    typed: u64,
    distinct: u64,
    shapes: BTreeMap<String, u64>,
    others: u64,
    looks: BTreeMap<String, u64>,
    twice: u64,
    same: BTreeMap<String, u64>,
    pub(super) examples: Vec<String>,
    /// First quartile, median and third quartile of its numbers, on one page.
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
        let examples = json.get("examples").and_then(Json::as_array).into_iter().flatten();
        let quartiles = json.get("quartiles").and_then(Json::as_array).map(|all| all.iter().filter_map(Json::as_f64));
        Field {
            kind: json.get("kind").and_then(Json::as_str).and_then(Kind::from_name).unwrap_or_default(),
            records,
            filled: number("filled"),
            at_once: number("filled"),
            typed: number("typed"),
            distinct: number("distinct"),
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

    /// Adds the counts of another page. How far its values moved is not among them.
    pub(super) fn add(&mut self, other: &Field) {
        self.kind = other.kind;
        self.records += other.records;
        self.filled += other.filled;
        self.typed += other.typed;
        self.distinct += other.distinct;
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

    /// Records in which it was found.
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
        share(self.distinct, self.filled)
    }

    /// Notes how many values one run gave.
    pub(super) fn note_run(&mut self, filled: u64) {
        self.at_once = self.at_once.max(filled);
    }

    /// Reports whether its values always have one of a few shapes. Three titles may well have three.
    fn is_uniform(&self) -> bool {
        let is_few = self.shapes.len() <= FEW && self.shapes.len() as u64 * 3 <= self.at_once;
        is_few && share(self.others, self.filled) < HARDLY
    }

    /// The share of values whose shape none of another's has.
    fn unlike(&self, other: &Field) -> f64 {
        let unlike = self.shapes.iter().filter(|(shape, _)| !other.shapes.contains_key(*shape));
        share(unlike.map(|(_, count)| count).sum::<u64>() + self.others, self.filled)
    }

    /// The share of values that look like hardly any of another's: words that are numbers now, or addresses.
    fn looks_unlike(&self, other: &Field) -> f64 {
        let look = |field: &Field, name: &str| share(field.looks.get(name).copied().unwrap_or(0), field.filled);
        if other.looks.is_empty() {
            return 0.0;
        }
        let new = ["address", "number", "words"].into_iter().filter(|name| look(other, name) < HARDLY / 2.0);
        new.map(|name| look(self, name)).sum()
    }

    /// The first fault of it, if `before` is how it was.
    pub(super) fn fault(&self, before: &Field) -> Option<Fault> {
        let expected = before.found() * self.records as f64;
        let shares = [
            (What::Missing, before.found(), self.found(), before.records >= 3 && expected >= 2.0),
            (What::Mistyped, before.typed(), self.typed(), before.filled >= 3 && self.filled >= 2),
        ];
        let fallen = shares.into_iter().find(|(_, before, now, enough)| *enough && before - now > FALL);
        if let Some((what, before, now, _)) = fallen {
            return Some(Fault::new(what, before, now));
        }
        if before.filled < 6 || self.filled < 4 {
            return None;
        }
        if before.differing() >= MOST && self.distinct == 1 {
            return Some(Fault::new(What::Constant, before.differing(), self.differing()));
        }
        if let Some(fault) = self.copied(before) {
            return Some(fault);
        }
        let unlike = self.unlike(before);
        if before.is_uniform() && unlike > MOST {
            return Some(Fault::new(What::Reshaped, 0.0, unlike));
        }
        let unlike = self.looks_unlike(before);
        if unlike > MOST {
            return Some(Fault::new(What::Reshaped, 0.0, unlike));
        }
        let (was, is) = (share(before.twice, before.filled), share(self.twice, self.filled));
        (was < HARDLY && is > MOST).then(|| Fault::new(What::Doubled, was, is))
    }

    /// Reports whether it has the values of another field in nearly all records.
    pub(super) fn agrees_with(&self, other: &str) -> bool {
        share(self.same.get(other).copied().unwrap_or(0), self.filled) >= AGREE
    }

    /// The fault of having the values of another field now. Values that are few may agree by chance.
    fn copied(&self, before: &Field) -> Option<Fault> {
        if self.differing() < 0.5 || self.movement.stayed() {
            return None;
        }
        let same = self.same.iter().map(|(other, count)| (other, share(*count, self.filled)));
        let (other, now) = same.max_by(|one, other| one.1.total_cmp(&other.1))?;
        let was = share(before.same.get(other).copied().unwrap_or(0), before.filled);
        let unlike = self.unlike(before);
        let fault = Fault { other: Some(other.clone()), unlike, ..Fault::new(What::Copied, was, now) };
        (now >= AGREE && was < HARDLY).then_some(fault)
    }
}

pub(super) fn share(part: u64, whole: u64) -> f64 {
    if whole == 0 { 0.0 } else { part as f64 / whole as f64 }
}
