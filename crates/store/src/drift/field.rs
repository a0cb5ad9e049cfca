//! What is counted of a field, and when it is broken.

use std::collections::BTreeMap;

use serde_json::Value as Json;

use super::What;

/// How far a share may fall.
pub(super) const FALL: f64 = 0.25;
/// Shapes of a field that has few.
const FEW: usize = 6;

/// What one page gave of one list in one run.
#[derive(Debug, Clone, Default)]
pub(super) struct Yield {
    pub(super) page: i64,
    pub(super) records: u64,
    pub(super) fields: BTreeMap<String, Field>,
}

/// What is counted of one field.
#[derive(Debug, Clone, Default)]
pub(super) struct Field {
    pub(super) records: u64,
    filled: u64,
    typed: u64,
    distinct: u64,
    shapes: BTreeMap<String, u64>,
    others: u64,
    pub(super) examples: Vec<String>,
}

impl Field {
    pub(super) fn read(json: &Json, records: u64) -> Field {
        let number = |key: &str| json.get(key).and_then(Json::as_u64).unwrap_or(0);
        let shapes = json.get("shapes").and_then(Json::as_object).into_iter().flatten();
        let examples = json.get("examples").and_then(Json::as_array).into_iter().flatten();
        Field {
            records,
            filled: number("filled"),
            typed: number("typed"),
            distinct: number("distinct"),
            others: number("others"),
            shapes: shapes.map(|(shape, count)| (shape.clone(), count.as_u64().unwrap_or(0))).collect(),
            examples: examples.filter_map(Json::as_str).map(str::to_owned).collect(),
        }
    }

    pub(super) fn add(&mut self, other: &Field) {
        self.records += other.records;
        self.filled += other.filled;
        self.typed += other.typed;
        self.distinct += other.distinct;
        self.others += other.others;
        for (shape, count) in &other.shapes {
            *self.shapes.entry(shape.clone()).or_default() += count;
        }
        if self.examples.len() < 2 {
            self.examples.extend(other.examples.iter().take(2 - self.examples.len()).cloned());
        }
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

    /// Whether its values always look alike.
    fn is_uniform(&self) -> bool {
        self.shapes.len() <= FEW && share(self.others, self.filled) < 0.1
    }

    /// The share of values that look like none of another's.
    fn unlike(&self, other: &Field) -> f64 {
        let unlike = self.shapes.iter().filter(|(shape, _)| !other.shapes.contains_key(*shape));
        share(unlike.map(|(_, count)| count).sum::<u64>() + self.others, self.filled)
    }

    /// What is wrong with it, if this is how it was, with what is compared.
    pub(super) fn broken(&self, before: &Field) -> Option<(What, f64, f64)> {
        let expected = before.found() * self.records as f64;
        let told = [
            (What::Missing, before.found(), self.found(), before.records >= 3 && expected >= 2.0),
            (What::Mistyped, before.typed(), self.typed(), before.filled >= 3 && self.filled >= 2),
        ];
        let fallen = told.into_iter().find(|(_, before, now, enough)| *enough && before - now > FALL);
        if let Some((what, before, now, _)) = fallen {
            return Some((what, before, now));
        }
        let enough = before.filled >= 6 && self.filled >= 4;
        if enough && before.differing() >= 0.6 && self.distinct == 1 {
            return Some((What::Constant, before.differing(), self.differing()));
        }
        let unlike = self.unlike(before);
        (enough && before.is_uniform() && unlike > 0.6).then_some((What::Reshaped, 0.0, unlike))
    }
}

fn share(part: u64, whole: u64) -> f64 {
    if whole == 0 { 0.0 } else { part as f64 / whole as f64 }
}
