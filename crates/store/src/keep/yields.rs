//! Yield of a page: statistics of each field, for comparison with later runs.
//!
//! For each field of a list on a page: the number of records in which it was found, the number of texts that could be
//! read as its kind, the number of distinct texts, their [`shape`]s and [`Look`]s, the number of texts that repeat
//! themselves, agreement with other fields, quartiles of its numbers, a few examples, and how far the values of known
//! records [moved](super::movement). The shape of a date or price hardly changes while its values do.

use std::collections::{BTreeMap, HashSet};

use serde_json::{Map, Value as Json, json};

use super::movement::Movement;
use crate::data::{Kind, Layout, Value};
use crate::database::clean;
use crate::found::Found;

/// Largest number of shapes counted for one field of one page.
const SHAPES: usize = 8;
/// Longest shape, in characters.
const LONGEST: usize = 24;
/// Number of examples; `EXAMPLE` is the length of each in bytes.
const EXAMPLES: usize = 2;
const EXAMPLE: usize = 60;
/// Largest number of other fields recorded as agreeing with a field.
const SAME: usize = 8;
/// Smallest length of a text that counts as repeated. Shorter ones repeat by chance, as in `55` or `2 2`.
const TWICE: usize = 3;

/// Key of the statistics of the list itself. No column has this name.
pub(crate) const LIST: &str = "*";
/// Key of the number of elements that are built like the records and are none.
pub(crate) const LEFT_OUT: &str = "left_out";

/// Statistics of one field.
#[derive(Debug, Default)]
struct Field {
    filled: usize,
    typed: usize,
    distinct: HashSet<u64>,
    shapes: Vec<(String, usize)>,
    others: usize,
    looks: BTreeMap<&'static str, usize>,
    twice: usize,
    /// By index of another field, the number of records in which both have the same text.
    same: BTreeMap<usize, usize>,
    numbers: Vec<f64>,
    examples: Vec<String>,
}

impl Field {
    fn add(&mut self, text: &str, value: &Value, hash: u64) {
        self.filled += 1;
        self.typed += usize::from(*value != Value::Null);
        self.distinct.insert(hash);
        let shape = shape(text);
        match self.shapes.iter().position(|(known, _)| *known == shape) {
            Some(at) => self.shapes[at].1 += 1,
            None if self.shapes.len() < SHAPES => self.shapes.push((shape, 1)),
            None => self.others += 1,
        }
        *self.looks.entry(Look::from_text(text).name()).or_default() += 1;
        self.twice += usize::from(is_twice(text));
        if let Value::Number(digits) | Value::Money { amount: digits, .. } = value {
            self.numbers.extend(digits.parse::<f64>().ok().filter(|number| number.is_finite()));
        }
        if self.examples.len() < EXAMPLES {
            self.examples.push(text[..text.floor_char_boundary(EXAMPLE)].to_owned());
        }
    }

    fn json(mut self, kind: Kind, movement: Option<&Movement>, columns: &[&str]) -> Json {
        let shapes: Map<String, Json> = self.shapes.into_iter().map(|(shape, count)| (shape, json!(count))).collect();
        let mut json = json!({
            "kind": kind.name(),
            "filled": self.filled,
            "typed": self.typed,
            "distinct": self.distinct.len(),
            "shapes": shapes,
            "others": self.others,
            "looks": self.looks,
            "examples": self.examples,
        });
        if self.twice > 0 {
            json["twice"] = self.twice.into();
        }
        if !self.same.is_empty() {
            let mut same: Vec<(usize, usize)> = self.same.into_iter().collect();
            same.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
            let same = same
                .into_iter()
                .take(SAME)
                .filter_map(|(at, count)| Some(((*columns.get(at)?).to_owned(), json!(count))));
            json["same"] = Json::Object(same.collect());
        }
        if !self.numbers.is_empty() {
            self.numbers.sort_by(f64::total_cmp);
            let at = |part: usize| self.numbers[((self.numbers.len() - 1) * part).div_ceil(4)];
            json["quartiles"] = json!([at(1), at(2), at(3)]);
        }
        if let Some(movement) = movement.and_then(|movement| movement.json(kind, columns)) {
            json["movement"] = movement;
        }
        json
    }
}

/// Returns the statistics of one list on one page as JSON.
pub(super) fn summary<'f>(
    layout: &Layout,
    columns: &[&str],
    records: impl Iterator<Item = &'f Found>,
    movements: &[Movement],
    left_out: Option<u64>,
) -> String {
    let mut fields: Vec<Field> = layout.columns.iter().map(|_| Field::default()).collect();
    let mut hashes: Vec<(u64, usize)> = Vec::with_capacity(fields.len());
    for record in records {
        hashes.clear();
        for (at, (field, found)) in fields.iter_mut().zip(&record.values).enumerate() {
            let Some(text) = found.text().filter(|_| found.is_found()) else { continue };
            let text = &*clean(text);
            let hash = xxhash_rust::xxh3::xxh3_64(text.as_bytes());
            field.add(text, &found.value, hash);
            hashes.push((hash, at));
        }
        // After sorting, fields with equal texts are adjacent. Each is compared with the first of them only, which
        // keeps this linear.
        hashes.sort_unstable();
        for alike in hashes.chunk_by(|one, other| one.0 == other.0) {
            for &(_, at) in &alike[1..] {
                let first = alike[0].1;
                *fields[at].same.entry(first).or_default() += 1;
                *fields[first].same.entry(at).or_default() += 1;
            }
        }
    }
    let mut all = Map::new();
    for (at, (field, column)) in fields.into_iter().zip(columns).enumerate() {
        let json = field.json(layout.columns[at].kind, movements.get(at), columns);
        all.insert((*column).to_owned(), json);
    }
    if let Some(count) = left_out {
        all.insert(LIST.to_owned(), json!({ LEFT_OUT: count }));
    }
    Json::Object(all).to_string()
}

/// Rough class of a text, as a reader would see it at a glance.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Look {
    /// A web address: `https://…`, `www.…`.
    Address,
    /// Mostly digits: `€ 340`, `12.50 EUR`.
    Number,
    /// Mostly letters.
    Words,
    /// Codes and everything else.
    Other,
}

impl Look {
    fn from_text(text: &str) -> Look {
        let text = text.trim();
        if text.contains("://") || text.starts_with("www.") {
            return Look::Address;
        }
        let digits = text.chars().filter(|c| c.is_numeric()).count();
        let letters = text.chars().filter(|c| c.is_alphabetic()).count();
        match (digits, letters) {
            (0, 0) => Look::Other,
            (digits, letters) if digits >= letters => Look::Number,
            (digits, letters) if digits * 3 <= letters => Look::Words,
            _ => Look::Other,
        }
    }

    fn name(self) -> &'static str {
        match self {
            Look::Address => "address",
            Look::Number => "number",
            Look::Words => "words",
            Look::Other => "other",
        }
    }
}

/// Reports whether a text consists of the same text twice, optionally separated by white space: `Rake Rake`.
fn is_twice(text: &str) -> bool {
    let text = text.trim();
    let half = text.len() / 2;
    let Some(first) = text.get(..half).map(str::trim_end) else { return false };
    // An odd byte in the middle is a space; trimming longer white space keeps both halves equally long.
    let Some(second) = text.get(text.len() - first.len()..) else { return false };
    first.chars().count() >= TWICE && first == second && text[first.len()..text.len() - first.len()].trim().is_empty()
}

/// Returns the shape of a value: letters become `a`, digits `9`, runs of either are merged, and other characters stay.
pub(crate) fn shape(text: &str) -> String {
    let mut shape = String::new();
    let mut letters = 0;
    for c in text.chars() {
        let c = match c {
            c if c.is_alphabetic() => 'a',
            c if c.is_numeric() => '9',
            c if c.is_whitespace() => ' ',
            c => c,
        };
        // Several words count as one.
        if shape.ends_with(c) || (c == 'a' && shape.ends_with("a ")) {
            continue;
        }
        if letters == LONGEST {
            shape.push('…');
            break;
        }
        letters += 1;
        shape.push(c);
    }
    while shape.ends_with(' ') {
        shape.pop();
    }
    shape
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shapes() {
        assert_eq!(shape("€ 1,340.00"), "€ 9,9.9");
        assert_eq!(shape("The old hay wagon"), "a");
        assert_eq!(shape("12. März 2024"), "9. a 9");
        assert_eq!(shape("3 comments"), "9 a");
        assert_eq!(shape(""), "");
    }

    #[test]
    fn looks() {
        for (text, look) in [
            ("Two-wheel rake, hardly used", Look::Words),
            ("Baler twine, 12 rolls", Look::Words),
            ("€ 340", Look::Number),
            ("12.50 EUR", Look::Number),
            ("2026-11-18", Look::Number),
            ("https://example.org/ad/1", Look::Address),
            ("AB-12", Look::Number),
            ("ABC-12", Look::Other),
            ("—", Look::Other),
        ] {
            assert_eq!(Look::from_text(text), look, "{text}");
        }
    }

    #[test]
    fn a_text_that_stands_twice() {
        for text in ["RakeRake", "Rake Rake", " Old hay wagon  Old hay wagon ", "€ 340 € 340"] {
            assert!(is_twice(text), "{text}");
        }
        for text in ["Rake", "Rake Fork", "5555", "2 2", "", "RakeRakeRake", "äöüßäöü"] {
            assert!(!is_twice(text), "{text}");
        }
    }
}
