//! Which record is which, from one day to the next.
//!
//! A wrapper may say which fields tell its records from one another. If it does not, one is looked for in the first
//! records that are seen: an address that each has and no two share, else a text, else two texts together. Amounts,
//! numbers and dates change while the record stays, so they never count. An address is good from page to page: a record
//! that moves to the second page is the same. A text is good on its page only: two pages may have an "Untitled" each.
//! Where nothing differs, the place among the page's records has to do.

use std::collections::{HashMap, HashSet};

use crate::catalogue::{Key, Origin};
use crate::data::{Kind, Layout, Value};
use crate::found::Found;

/// Bytes of a key that are kept readable.
const MOST: usize = 160;

/// What tells these records from one another.
pub(super) fn choose(layout: &Layout, records: &[&Found]) -> Key {
    if !layout.key.is_empty() {
        return Key { labels: layout.key.clone(), origin: Origin::Declared };
    }
    // A single record differs from no other in anything.
    let nothing = Key { labels: Vec::new(), origin: Origin::Text };
    if records.len() < 2 {
        return nothing;
    }
    let of = |wanted: &[Kind]| -> Vec<usize> {
        (0..layout.columns.len()).filter(|&at| wanted.contains(&layout.columns[at].kind)).collect()
    };
    let label = |at: usize| layout.columns[at].label.clone();
    if let Some(&at) = of(&[Kind::Url]).iter().find(|&&at| tells(records, &[at])) {
        return Key { labels: vec![label(at)], origin: Origin::Address };
    }
    let texts = of(&[Kind::Text, Kind::Url]);
    if let Some(&at) = texts.iter().find(|&&at| tells(records, &[at])) {
        return Key { labels: vec![label(at)], origin: Origin::Text };
    }
    for (n, &one) in texts.iter().enumerate().take(8) {
        if let Some(&other) = texts[n + 1..].iter().take(8).find(|&&other| tells(records, &[one, other])) {
            return Key { labels: vec![label(one), label(other)], origin: Origin::Text };
        }
    }
    nothing
}

/// Whether all records have these values, and no two the same.
fn tells(records: &[&Found], columns: &[usize]) -> bool {
    let mut seen = HashSet::with_capacity(records.len());
    records.iter().all(|record| {
        let values: Vec<&Value> = columns.iter().filter_map(|&at| record.values.get(at)).map(|it| &it.value).collect();
        let has = values.iter().any(|value| **value != Value::Null);
        has && seen.insert(values)
    })
}

/// What the records of one scope are found by: the values of the key behind `scope`, with a number where they are the
/// same.
pub(super) fn keys<'f>(layout: &Layout, key: &Key, records: impl Iterator<Item = (&'f str, &'f Found)>) -> Vec<String> {
    let columns: Vec<usize> =
        key.labels.iter().filter_map(|label| layout.columns.iter().position(|column| column.label == *label)).collect();
    let mut seen: HashMap<String, u32> = HashMap::new();
    records
        .map(|(scope, record)| {
            let mut text = String::from(scope);
            for (n, &at) in columns.iter().enumerate() {
                if n > 0 {
                    text.push('|');
                }
                let value = record.values.get(at);
                match value.map(|it| &it.value) {
                    Some(Value::Text(value) | Value::Number(value) | Value::Money { amount: value, .. }) => {
                        text += value;
                    }
                    // A text that is not of its kind tells as well as one that is.
                    _ => text += value.and_then(|it| it.raw.as_deref()).unwrap_or_default(),
                }
            }
            shorten(&mut text);
            let n = seen.entry(text.clone()).or_insert(0);
            *n += 1;
            if *n > 1 || columns.is_empty() {
                text += &format!("#{n}");
            }
            text
        })
        .collect()
}

/// A long key is cut, with a hash of all of it at its end.
fn shorten(key: &mut String) {
    if key.len() > MOST {
        let hash = xxhash_rust::xxh3::xxh3_128(key.as_bytes());
        key.truncate(key.floor_char_boundary(MOST - 33));
        *key += &format!("~{hash:032x}");
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::Column;
    use crate::found::FoundValue;

    fn layout(columns: &[(&str, Kind)]) -> Layout {
        let column = |(label, kind): &(&str, Kind)| Column { label: (*label).into(), kind: *kind, rule: String::new() };
        Layout { label: "ads".into(), columns: columns.iter().map(column).collect(), ..Layout::default() }
    }

    fn record(values: &[&str]) -> Found {
        let value = |text: &&str| match text.is_empty() {
            true => FoundValue::default(),
            false => FoundValue { value: Value::Text((*text).into()), ..FoundValue::default() },
        };
        Found { values: values.iter().map(value).collect(), ..Found::default() }
    }

    fn chosen(columns: &[(&str, Kind)], records: &[&[&str]]) -> (Vec<String>, Origin) {
        let records: Vec<Found> = records.iter().map(|values| record(values)).collect();
        let key = choose(&layout(columns), &records.iter().collect::<Vec<_>>());
        (key.labels, key.origin)
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
    fn two_texts_together() {
        let columns = [("city", Kind::Text), ("day", Kind::Text)];
        let records: [&[&str]; 3] = [&["Oslo", "Mo"], &["Oslo", "Tu"], &["Rome", "Mo"]];
        assert_eq!(chosen(&columns, &records), (vec!["city".into(), "day".into()], Origin::Text));
    }

    #[test]
    fn equals_are_numbered_and_long_keys_cut() {
        let layout = layout(&[("title", Kind::Text)]);
        let key = Key { labels: vec!["title".into()], origin: Origin::Text };
        let long = "x".repeat(500);
        let records = [record(&["a"]), record(&["a"]), record(&[&long]), record(&[""])];
        let keys = keys(&layout, &key, records.iter().map(|record| ("7|", record)));
        assert_eq!(keys[0], "7|a");
        assert_eq!(keys[1], "7|a#2");
        assert_eq!(keys[2].len(), MOST);
        assert_eq!(keys[3], "7|");
    }
}
