//! Identity of records: recognizes the same record from one run to the next.
//!
//! A wrapper may declare the fields that identify its records. If it does not, a key is derived from the first records
//! that are seen together: an address that each record has and no two share, else such a text, else a pair of texts,
//! else an address or text that is nearly unique. Amounts, numbers and dates change while the record stays the same, so
//! they are never used. An address is valid across pages: a record that moves to the second page keeps its identity. A
//! text is valid only within its page, since two pages may each have an "Untitled"; the same holds for a key with a
//! missing part. If nothing differs, records are identified by their position on the page.
//!
//! A record is looked up by a single text, its key: the values joined by `|`, with the page or parent record in which
//! they are valid in front, and a number that separates records of equal values at the end. `\` and `|` inside a value
//! are escaped with `\`, so that a value cannot be mistaken for these parts.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};

use crate::catalogue::{Key, Origin};
use crate::data::{Kind, Layout, Value};
use crate::database::clean;
use crate::found::{Found, FoundValue};

/// Length of a key in bytes beyond which it is cut and hashed.
const MOST: usize = 160;
/// Share of the records that must differ in a nearly unique field.
const NEARLY: f64 = 0.8;

/// Chooses the key of these records.
pub(super) fn choose(layout: &Layout, records: &[&Found]) -> Key {
    // A single record does not show which fields differ.
    if records.len() < 2 {
        return Key::place();
    }
    let of = |wanted: &[Kind]| -> Vec<usize> {
        (0..layout.columns.len()).filter(|&at| wanted.contains(&layout.columns[at].kind)).collect()
    };
    let key = |columns: &[usize], origin: Origin| Key {
        labels: columns.iter().map(|&at| layout.columns[at].label.clone()).collect(),
        origin,
    };
    let all = |columns: &[usize]| different(records, columns) == records.len();
    if let Some(&at) = of(&[Kind::Url]).iter().find(|&&at| all(&[at])) {
        return key(&[at], Origin::Address);
    }
    let texts = of(&[Kind::Text, Kind::Url]);
    if let Some(&at) = texts.iter().find(|&&at| all(&[at])) {
        return key(&[at], Origin::Text);
    }
    for (n, &one) in texts.iter().enumerate().take(8) {
        if let Some(&other) = texts[n + 1..].iter().take(8).find(|&&other| all(&[one, other])) {
            return key(&[one, other], Origin::Text);
        }
    }
    let most = texts.iter().rev().map(|&at| (different(records, &[at]), at)).max_by_key(|(count, _)| *count);
    match most {
        Some((count, at)) if count as f64 >= NEARLY * records.len() as f64 => key(&[at], Origin::Text),
        _ => Key::place(),
    }
}

/// Returns the number of distinct values that these records have in these columns; records without values do not count.
fn different(records: &[&Found], columns: &[usize]) -> usize {
    let mut seen = HashSet::with_capacity(records.len());
    for record in records {
        let values: Vec<&Value> = columns.iter().filter_map(|&at| record.values.get(at)).map(|it| &it.value).collect();
        if values.iter().any(|value| **value != Value::Null) {
            seen.insert(values);
        }
    }
    seen.len()
}

/// Scope in which a key is unique.
#[derive(Debug, Clone, Copy)]
pub(super) enum Scope {
    /// The records inside a parent record.
    Inside(i64),
    /// The records of a page.
    Page(i64),
}

/// Returns the text of a value in a key, or `None` if it has none.
pub(super) fn part(found: &FoundValue) -> Option<Cow<'_, str>> {
    match &found.value {
        Value::Text(text) => Some(Cow::Borrowed(text.as_str())),
        Value::Number(digits) | Value::Money { amount: digits, .. } => Some(plain(digits)),
        // A text that cannot be read as its kind identifies the record just as well.
        Value::Null => found.raw.as_deref().filter(|raw| !raw.is_empty()).map(Cow::Borrowed),
    }
}

/// Normalizes a number: removes the plus sign, leading zeros and trailing zeros of the fraction.
pub(super) fn plain(digits: &str) -> Cow<'_, str> {
    let (sign, rest) = match digits.strip_prefix('-') {
        Some(rest) => ("-", rest),
        None => ("", digits.strip_prefix('+').unwrap_or(digits)),
    };
    if rest.is_empty() || !rest.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.') {
        return Cow::Borrowed(digits);
    }
    let (whole, fraction) = rest.split_once('.').unwrap_or((rest, ""));
    let (whole, fraction) = (whole.trim_start_matches('0'), fraction.trim_end_matches('0'));
    let whole = if whole.is_empty() { "0" } else { whole };
    match (whole, fraction) {
        ("0", "") => Cow::Borrowed("0"),
        (whole, "") => Cow::Owned(format!("{sign}{whole}")),
        (whole, fraction) => Cow::Owned(format!("{sign}{whole}.{fraction}")),
    }
}

/// Builds the key of a record.
pub(super) fn key<'p>(origin: Origin, scope: Scope, parts: impl Iterator<Item = Option<Cow<'p, str>>>) -> String {
    let mut text = String::new();
    let mut is_whole = true;
    let mut count = 0;
    for part in parts {
        if count > 0 {
            text.push('|');
        }
        count += 1;
        match part {
            Some(part) => escape(&mut text, &part),
            None => is_whole = false,
        }
    }
    let scope = match (scope, origin) {
        (Scope::Inside(record), _) => format!("{record}|"),
        (Scope::Page(page), Origin::Text) => format!("{page}|"),
        (Scope::Page(_), _) if is_whole && count > 0 => String::new(),
        // The prefix keeps it distinct from a complete key that begins with a number.
        (Scope::Page(page), _) => format!("\\p{page}|"),
    };
    if !scope.is_empty() {
        text.insert_str(0, &scope);
    }
    shorten(&mut text);
    text
}

fn escape(text: &mut String, part: &str) {
    let part = clean(part);
    if part.bytes().any(|byte| matches!(byte, b'\\' | b'|')) {
        *text += &part.replace('\\', "\\\\").replace('|', "\\|");
    } else {
        *text += &part;
    }
}

/// Cuts a long key and appends a hash of the whole.
fn shorten(key: &mut String) {
    if key.len() > MOST {
        let hash = xxhash_rust::xxh3::xxh3_128(key.as_bytes());
        key.truncate(key.floor_char_boundary(MOST - 33));
        *key += &format!("~{hash:032x}");
    }
}

/// Returns the key of a page's own record if another page has a record with the same key.
pub(super) fn on_page(key: &str, page: i64) -> String {
    format!("{key}\\@{page}")
}

/// Counts equal keys, by their hashes.
#[derive(Debug, Default)]
pub(super) struct Numbers(HashMap<u64, u32>);

impl Numbers {
    /// Returns the key, with a number appended if it occurred before.
    pub(super) fn numbered(&mut self, mut key: String) -> String {
        let times = self.0.entry(xxhash_rust::xxh3::xxh3_64(key.as_bytes())).or_insert(0);
        *times += 1;
        if *times > 1 {
            key += &format!("\\#{times}");
        }
        key
    }
}

/// Returns the positions of a key's columns in a layout.
pub(super) fn positions(layout: &Layout, key: &Key) -> Vec<Option<usize>> {
    let at = |label: &String| layout.columns.iter().position(|column| column.label == *label);
    key.labels.iter().map(at).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::Column;

    fn layout(columns: &[(&str, Kind)]) -> Layout {
        let column = |(label, kind): &(&str, Kind)| Column { label: (*label).into(), kind: *kind, rule: String::new() };
        Layout { label: "ads".into(), columns: columns.iter().map(column).collect(), ..Layout::default() }
    }

    fn record(values: &[&str]) -> Found {
        let value = |text: &&str| {
            if text.is_empty() {
                FoundValue::default()
            } else {
                FoundValue { value: Value::Text((*text).into()), ..FoundValue::default() }
            }
        };
        Found { values: values.iter().map(value).collect(), ..Found::default() }
    }

    fn chosen(columns: &[(&str, Kind)], records: &[&[&str]]) -> (Vec<String>, Origin) {
        let records: Vec<Found> = records.iter().map(|values| record(values)).collect();
        let key = choose(&layout(columns), &records.iter().collect::<Vec<_>>());
        (key.labels, key.origin)
    }

    fn keyed(origin: Origin, parts: &[&str]) -> String {
        let part = |part: &&'static str| (!part.is_empty()).then_some(Cow::Borrowed(*part));
        let parts: Vec<&'static str> = parts.iter().map(|part| &*part.to_string().leak()).collect();
        key(origin, Scope::Page(7), parts.iter().map(part))
    }

    #[test]
    fn an_address_before_a_text() {
        let columns = [("title", Kind::Text), ("link", Kind::Url)];
        assert_eq!(chosen(&columns, &[&["a", "/1"], &["b", "/2"]]), (vec!["link".into()], Origin::Address));
        assert_eq!(chosen(&columns, &[&["a", "/1"], &["b", "/1"]]), (vec!["title".into()], Origin::Text));
    }

    #[test]
    fn what_changes_is_no_key() {
        let columns = [("price", Kind::Money), ("at", Kind::Date), ("stars", Kind::Number)];
        assert_eq!(chosen(&columns, &[&["1", "2024", "5"], &["2", "2025", "4"]]), (vec![], Origin::Text));
    }

    #[test]
    fn two_texts_together_and_one_that_nearly_tells() {
        let columns = [("city", Kind::Text), ("day", Kind::Text)];
        let records: [&[&str]; 3] = [&["Oslo", "Mo"], &["Oslo", "Tu"], &["Rome", "Mo"]];
        assert_eq!(chosen(&columns, &records), (vec!["city".into(), "day".into()], Origin::Text));
        let records: [&[&str]; 5] = [&["a", "x"], &["b", "x"], &["c", "x"], &["d", "x"], &["d", "x"]];
        assert_eq!(chosen(&columns, &records), (vec!["city".into()], Origin::Text));
    }

    #[test]
    fn a_key_with_a_part_missing_is_good_on_its_page() {
        assert_eq!(keyed(Origin::Declared, &["Elm", "Mo"]), "Elm|Mo");
        assert_eq!(keyed(Origin::Declared, &["Elm", ""]), "\\p7|Elm|");
        assert_eq!(keyed(Origin::Address, &[]), "\\p7|");
        assert_eq!(keyed(Origin::Text, &["a"]), "7|a");
    }

    #[test]
    fn no_value_looks_like_another_key() {
        assert_ne!(keyed(Origin::Declared, &["a|b", "c"]), keyed(Origin::Declared, &["a", "b|c"]));
        assert_ne!(keyed(Origin::Declared, &["a\\", "b"]), keyed(Origin::Declared, &["a", "\\b"]));
        let mut numbers = Numbers::default();
        let keys = ["/x", "/x", "/x\\#2", "/x#2"].map(|link| numbers.numbered(keyed(Origin::Address, &[link])));
        assert_eq!(keys.iter().collect::<HashSet<_>>().len(), 4, "{keys:?}");
    }

    #[test]
    fn long_keys_are_cut() {
        let key = keyed(Origin::Text, &[&"x".repeat(500)]);
        assert_eq!(key.len(), MOST);
        assert_ne!(key, keyed(Origin::Text, &[&"x".repeat(501)]));
    }

    #[test]
    fn digits_without_what_does_not_count() {
        for (digits, expected) in
            [("007", "7"), ("340.50", "340.5"), ("-0.0", "0"), ("+3", "3"), ("0.5", "0.5"), ("1e5", "1e5")]
        {
            assert_eq!(plain(digits), expected);
        }
    }
}
