//! Records as rows.

use std::borrow::Cow;
use std::fmt::Write;
use std::hash::Hasher;

use crate::catalogue::{Kept, Table};
use crate::data::Value;
use crate::database::{Param, SqlType, Target};
use crate::found::Found;

/// What the values of a record hash to: the same as long as none of them changes.
pub(super) fn hash(record: &Found) -> i64 {
    let mut hash = xxhash_rust::xxh3::Xxh3Default::new();
    let mut text = |tag: u8, text: &str| {
        hash.update(&[tag]);
        hash.update(&(text.len() as u64).to_le_bytes());
        hash.update(text.as_bytes());
    };
    for found in &record.values {
        match &found.value {
            Value::Null => text(0, ""),
            Value::Text(value) => text(1, value),
            Value::Number(value) => text(2, value),
            Value::Money { amount, currency } => {
                text(3, amount);
                text(4, currency.as_deref().unwrap_or_default());
            }
        }
    }
    hash.finish() as i64
}

/// The columns in front of the values that a record has as it is found again.
const AGAIN: [(&str, SqlType); 11] = [
    ("_id", SqlType::Integer),
    ("_page", SqlType::Integer),
    ("_version", SqlType::Integer),
    ("_seen", SqlType::Integer),
    ("_gone", SqlType::Integer),
    ("_n", SqlType::Integer),
    ("_hash", SqlType::Integer),
    ("_path", SqlType::Text),
    ("_start", SqlType::Integer),
    ("_end", SqlType::Integer),
    ("_sources", SqlType::Json),
];

/// What a row is made of beside the record.
#[derive(Debug, Clone, Copy)]
pub(super) struct Row<'a> {
    pub(super) id: i64,
    pub(super) parent: Option<i64>,
    pub(super) key: &'a str,
    pub(super) page: i64,
    pub(super) version: i64,
    pub(super) run: i64,
    pub(super) n: i64,
    pub(super) hash: i64,
    pub(super) record: &'a Found,
}

/// The rows of one list of one wrapper.
#[derive(Debug)]
pub(super) struct Writer<'a> {
    columns: Vec<&'a Kept>,
    /// New records.
    pub(super) new: Target,
    /// Records whose values changed.
    pub(super) changed: Target,
    /// Records that are as they were, though maybe elsewhere.
    pub(super) same: Target,
}

impl<'a> Writer<'a> {
    pub(super) fn new(table: &'a Table, columns: &[usize]) -> Writer<'a> {
        let columns: Vec<&Kept> = columns.iter().map(|&at| &table.columns[at]).collect();
        let values: Vec<(String, SqlType)> = columns.iter().flat_map(|kept| kept.sql()).collect();
        let target = |own: &[(&str, SqlType)], values: &[(String, SqlType)]| Target {
            table: table.name.clone(),
            columns: own.iter().map(|(name, ty)| ((*name).to_owned(), *ty)).chain(values.iter().cloned()).collect(),
        };
        Writer {
            new: target(&crate::catalogue::OWN, &values),
            changed: target(&AGAIN, &values),
            same: target(&AGAIN, &[]),
            columns,
        }
    }

    /// A new record.
    pub(super) fn insert<'r>(&self, row: &Row<'r>) -> Vec<Param<'r>> {
        let mut params = Vec::with_capacity(self.new.columns.len());
        params.extend([
            Param::Int(row.id),
            row.parent.map_or(Param::Null, Param::Int),
            Param::text(row.key),
            Param::Int(row.page),
            Param::Int(row.version),
            Param::Int(row.run),
            Param::Int(row.run),
            Param::Null,
        ]);
        self.place(row, &mut params);
        self.values(row.record, &mut params);
        params
    }

    /// A record found again, with its values if they changed.
    pub(super) fn again<'r>(&self, row: &Row<'r>, changed: bool) -> Vec<Param<'r>> {
        let mut params = Vec::with_capacity(self.changed.columns.len());
        params.extend([
            Param::Int(row.id),
            Param::Int(row.page),
            Param::Int(row.version),
            Param::Int(row.run),
            Param::Null,
        ]);
        self.place(row, &mut params);
        if changed {
            self.values(row.record, &mut params);
        }
        params
    }

    fn place<'r>(&self, row: &Row<'r>, params: &mut Vec<Param<'r>>) {
        let place = &row.record.place;
        let (start, end) = match place.span {
            Some((start, end)) => (Param::Int(start.into()), Param::Int(end.into())),
            None => (Param::Null, Param::Null),
        };
        params.extend([
            Param::Int(row.n),
            Param::Int(row.hash),
            Param::text(place.path.as_str()),
            start,
            end,
            Param::Text(Cow::Owned(self.sources(row.record))),
        ]);
    }

    fn values<'r>(&self, record: &'r Found, params: &mut Vec<Param<'r>>) {
        for (kept, found) in self.columns.iter().zip(&record.values) {
            params.push(match &found.value {
                Value::Null => Param::Null,
                Value::Text(text) => Param::text(text.as_str()),
                Value::Number(digits) | Value::Money { amount: digits, .. } => Param::Number(digits.as_str().into()),
            });
            if kept.kind == crate::data::Kind::Money {
                params.push(match &found.value {
                    Value::Money { currency, .. } => Param::maybe(currency.as_deref()),
                    _ => Param::Null,
                });
            }
            if kept.has_raw() {
                params.push(Param::maybe(found.raw.as_deref()));
            }
        }
    }

    /// Where each value came from: `{"price":["td[2]",120,135]}`.
    fn sources(&self, record: &Found) -> String {
        let mut json = String::with_capacity(48 * record.values.len());
        json.push('{');
        for (kept, found) in self.columns.iter().zip(&record.values) {
            let Some(place) = &found.place else { continue };
            if json.len() > 1 {
                json.push(',');
            }
            // Names have no quotes or backslashes in them; paths may.
            let _ = write!(json, "\"{}\":[", kept.name);
            string(&mut json, &place.path);
            if let Some((start, end)) = place.span {
                let _ = write!(json, ",{start},{end}");
            }
            json.push(']');
        }
        json.push('}');
        json
    }
}

/// A JSON string.
fn string(json: &mut String, text: &str) {
    match text.bytes().any(|byte| matches!(byte, b'"' | b'\\' | 0..=0x1f)) {
        true => *json += &serde_json::Value::from(text).to_string(),
        false => {
            json.push('"');
            *json += text;
            json.push('"');
        }
    }
}
