//! Movement of columns: the distance between the current and the previous values of known records.
//!
//! One price that changes is news; if all prices change by the same factor, the rule probably reads a different value.
//! Each page therefore records for each column how many known records had a value before and have one now, how many of
//! these values differ, and by how much: for numbers and amounts the logarithm of the ratio and the difference, for
//! dates the days. It also records how many values are now what another column of the same record had before, as when
//! two columns of a table were swapped. Only a few quantiles of these distances are stored, from which those of a whole run can be
//! estimated.

use std::collections::BTreeMap;

use serde_json::{Value as Json, json};

use crate::data::{Kind, Value};
use crate::export::moment;
use crate::found::Found;

/// Number of quantiles stored; enough to tell four fifths from three quarters.
const POINTS: usize = 16;

/// Movement of one column on one page.
#[derive(Debug, Clone, Default)]
pub(super) struct Movement {
    /// Number of known records that had a value before and have one now.
    matched: u64,
    /// Number of known records that had a value before and have none now.
    lost: u64,
    /// Number of matched records whose values can be compared.
    pairs: u64,
    /// Number of compared values that differ.
    changed: u64,
    /// Logarithms of the ratios of new to old, for values that differ.
    ratios: Vec<f64>,
    /// Differences between new and old, for values that differ; in days for dates.
    differences: Vec<f64>,
    /// By index of another column, the number of changed values that are now what the other column had before.
    taken: BTreeMap<usize, u64>,
}

impl Movement {
    /// Adds the values of an unchanged record.
    pub(super) fn add_unchanged(movements: &mut [Movement], found: &Found) {
        for (movement, found) in movements.iter_mut().zip(&found.values) {
            let is_comparable = match &found.value {
                Value::Null => continue,
                Value::Text(_) => true,
                Value::Number(digits) | Value::Money { amount: digits, .. } => positive(digits).is_some(),
            };
            movement.matched += 1;
            movement.pairs += u64::from(is_comparable);
        }
    }

    /// Adds one value of a changed record. Amounts in two currencies are not compared, nor are numbers that are not
    /// positive, since a ratio to zero has no meaning.
    pub(super) fn add(&mut self, kind: Kind, before: Option<&str>, now: Option<&str>, is_same_currency: bool) {
        let Some(before) = before else { return };
        let Some(now) = now else {
            self.lost += 1;
            return;
        };
        self.matched += 1;
        let (ratio, difference) = match kind {
            Kind::Number | Kind::Money => {
                let (Some(before), Some(now)) = (positive(before), positive(now)) else { return };
                if !is_same_currency {
                    return;
                }
                ((now / before).ln(), now - before)
            }
            Kind::Date => {
                let (Some(before), Some(now)) = (days(before), days(now)) else { return };
                (0.0, now - before)
            }
            Kind::Text | Kind::Url | Kind::Html => (0.0, if before == now { 0.0 } else { 1.0 }),
        };
        self.pairs += 1;
        if difference != 0.0 {
            self.changed += 1;
            self.ratios.push(ratio);
            self.differences.push(difference);
        }
    }

    /// Compares the new values of a record with the earlier values of its other columns. A value counts if it differs
    /// from its own earlier value and equals that of exactly one other column.
    pub(super) fn add_taken(movements: &mut [Movement], values: &[(Option<String>, Option<&str>)]) {
        for (at, (movement, (before, now))) in movements.iter_mut().zip(values).enumerate() {
            let (Some(before), Some(now)) = (before, now) else { continue };
            if is_equal(before, now) {
                continue;
            }
            let is_taken = |other: &(usize, &(Option<String>, Option<&str>))| {
                other.0 != at && other.1.0.as_deref().is_some_and(|theirs| is_equal(theirs, now))
            };
            let mut others = values.iter().enumerate().filter(is_taken);
            if let (Some((other, _)), None) = (others.next(), others.next()) {
                *movement.taken.entry(other).or_default() += 1;
            }
        }
    }

    /// Returns the stored form; `None` if no record was known.
    pub(super) fn json(&self, kind: Kind, columns: &[&str]) -> Option<Json> {
        if self.matched + self.lost == 0 {
            return None;
        }
        let mut json = json!({ "matched": self.matched, "pairs": self.pairs, "changed": self.changed });
        if self.lost > 0 {
            json["lost"] = self.lost.into();
        }
        let is_number = matches!(kind, Kind::Number | Kind::Money);
        if self.changed > 0 && is_number {
            json["ratios"] = self.quantiles(&self.ratios);
        }
        if self.changed > 0 && (is_number || kind == Kind::Date) {
            json["differences"] = self.quantiles(&self.differences);
        }
        if let Some((other, count)) = self.taken.iter().max_by_key(|(_, count)| **count) {
            json["taken"] = json!({ *columns.get(*other)?: count });
        }
        Some(json)
    }

    /// Returns quantiles of all distances, including the zeros of unchanged values.
    fn quantiles(&self, changed: &[f64]) -> Json {
        let mut all = changed.to_vec();
        all.resize(self.pairs as usize, 0.0);
        all.sort_by(f64::total_cmp);
        let points = all.len().min(POINTS);
        let at = |point: usize| all[((2 * point + 1) * all.len() / (2 * points)).min(all.len() - 1)];
        // Four decimals are precise enough.
        (0..points).map(|point| Json::from((at(point) * 10_000.0).round() / 10_000.0)).collect()
    }
}

/// Reports whether two texts are the same, or two numbers are equal.
fn is_equal(one: &str, other: &str) -> bool {
    one == other || matches!((one.parse::<f64>(), other.parse::<f64>()), (Ok(one), Ok(other)) if one == other)
}

fn positive(digits: &str) -> Option<f64> {
    digits.parse::<f64>().ok().filter(|number| number.is_finite() && *number > 0.0)
}

fn days(text: &str) -> Option<f64> {
    Some(moment(text)?.timestamp().as_second() as f64 / 86_400.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distances_of_all_pairs_are_summed_up() {
        let mut movement = Movement::default();
        movement.add(Kind::Money, Some("100"), Some("150"), true);
        movement.add(Kind::Money, Some("100"), Some("100.0"), true);
        movement.add(Kind::Money, Some("100"), Some("90"), false);
        movement.add(Kind::Money, Some("0"), Some("90"), true);
        movement.add(Kind::Money, None, Some("90"), true);
        let json = movement.json(Kind::Money, &[]).unwrap();
        assert_eq!(
            json.to_string(),
            r#"{"matched":4,"pairs":2,"changed":1,"ratios":[0.0,0.4055],"differences":[0.0,50.0]}"#
        );
        let mut movement = Movement::default();
        movement.add(Kind::Date, Some("2026-11-01"), Some("2026-12-01"), true);
        assert_eq!(
            movement.json(Kind::Date, &[]).unwrap().to_string(),
            r#"{"matched":1,"pairs":1,"changed":1,"differences":[30.0]}"#
        );
        assert_eq!(Movement::default().json(Kind::Text, &[]), None);
    }

    #[test]
    fn many_distances_keep_their_quantiles() {
        let mut movement = Movement::default();
        for n in 0..1000 {
            movement.add(Kind::Number, Some("10"), Some(if n < 900 { "20" } else { "10" }), true);
        }
        let json = movement.json(Kind::Number, &[]).unwrap();
        let differences = json["differences"].as_array().unwrap();
        assert_eq!((differences.len(), differences.iter().filter(|it| **it == json!(0.0)).count()), (POINTS, 2));
    }
}
