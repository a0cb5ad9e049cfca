//! Conversion of records to database rows.

use std::borrow::Cow;
use std::fmt::Write;

use crate::catalogue::{Kept, Table};
use crate::data::{Kind, Value};
use crate::database::{Param, SqlType, Target, clean};
use crate::found::Found;

/// Longest date in bytes; anything longer is not a date and would exceed the key size of a server's index.
const LONGEST_DATE: usize = 64;
/// Largest number of digits, and largest exponent. PostgreSQL permits more, but no real value needs them.
const MOST_DIGITS: usize = 1000;
const MOST_ZEROES: u32 = 400;

/// Columns that are updated when a known record is found again, before its values.
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

/// Data of a row besides the record's values.
#[derive(Debug, Clone, Copy)]
pub(super) struct Row<'a> {
    pub(super) id: i64,
    pub(super) parent: Option<i64>,
    pub(super) wrapper: i64,
    pub(super) key: &'a str,
    pub(super) page: i64,
    pub(super) version: i64,
    pub(super) run: i64,
    pub(super) n: i64,
    pub(super) hash: i64,
    pub(super) record: &'a Found,
}

/// Builds the rows of one list of one wrapper.
#[derive(Debug)]
pub(super) struct Writer<'a> {
    /// Columns that the wrapper fills, followed by columns of the same labels but other kinds that it filled earlier,
    /// whose values are cleared when a record changes.
    columns: Vec<&'a Kept>,
    /// Number of columns that the wrapper fills.
    filled: usize,
    /// Hash of the columns' names, so that records with different columns have different hashes.
    seed: u64,
    /// Target for new records.
    pub(super) new: Target,
    /// Target for records whose values changed.
    pub(super) changed: Target,
    /// Target for records with unchanged values, possibly at another place.
    pub(super) same: Target,
}

impl<'a> Writer<'a> {
    pub(super) fn new(table: &'a Table, plan: &[usize]) -> Writer<'a> {
        let mut columns: Vec<&Kept> = plan.iter().map(|&at| &table.columns[at]).collect();
        let filled = columns.len();
        let names: Vec<&str> = columns.iter().map(|kept| kept.name.as_str()).collect();
        let seed = xxhash_rust::xxh3::xxh3_64(names.join("|").as_bytes());
        let once = (0..table.columns.len()).filter(|at| !plan.contains(at)).map(|at| &table.columns[at]);
        let once: Vec<&Kept> = once.filter(|kept| columns.iter().any(|other| other.label == kept.label)).collect();
        let target = |own: &[(&str, SqlType)], columns: &[&Kept]| Target {
            table: table.name.clone(),
            columns: own
                .iter()
                .map(|(name, ty)| ((*name).to_owned(), *ty))
                .chain(columns.iter().flat_map(|kept| kept.sql()))
                .collect(),
        };
        let new = target(&crate::catalogue::OWN, &columns);
        columns.extend(once);
        let changed = target(&AGAIN, &columns);
        Writer { columns, filled, seed, new, changed, same: target(&AGAIN, &[]) }
    }

    /// Returns the table's name.
    pub(super) fn table(&self) -> &str {
        &self.new.table
    }

    /// Returns the columns that are written when a record changes.
    pub(super) fn written(&self) -> impl Iterator<Item = &'a Kept> + '_ {
        self.columns.iter().copied()
    }

    /// Returns the number of columns that the wrapper fills.
    pub(super) fn filled(&self) -> usize {
        self.filled
    }

    /// Returns a hash of a record's values.
    pub(super) fn hash(&self, record: &Found) -> i64 {
        let mut hash = xxhash_rust::xxh3::Xxh3Builder::new().with_seed(self.seed).build();
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
        hash.digest() as i64
    }

    /// Returns the parameters for inserting a new record.
    pub(super) fn insert<'r>(&self, row: &Row<'r>) -> Vec<Param<'r>> {
        let mut params = Vec::with_capacity(self.new.columns.len());
        params.extend([
            Param::Int(row.id),
            row.parent.map_or(Param::Null, Param::Int),
            Param::Int(row.wrapper),
            Param::text(row.key),
            Param::Int(row.page),
            Param::Int(row.version),
            Param::Int(row.run),
            Param::Int(row.run),
            Param::Null,
        ]);
        self.place(row, &mut params);
        self.values(row.record, self.filled, &mut params);
        params
    }

    /// Returns the parameters for updating a known record, including its values if they changed.
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
            self.values(row.record, self.columns.len(), &mut params);
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

    fn values<'r>(&self, record: &'r Found, count: usize, params: &mut Vec<Param<'r>>) {
        for (at, kept) in self.columns.iter().take(count).enumerate() {
            let found = record.values.get(at).filter(|_| at < self.filled);
            let value = found.map_or(&Value::Null, |found| &found.value);
            params.push(param(kept.kind, value));
            if kept.kind == Kind::Money {
                params.push(match value {
                    Value::Money { currency, .. } => Param::maybe(currency.as_deref()),
                    _ => Param::Null,
                });
            }
            if kept.has_raw() {
                params.push(Param::maybe(found.and_then(|found| found.raw.as_deref())));
            }
        }
    }

    /// Returns the place of each value in JSON: `{"price":["td[2]",120,135]}`.
    fn sources(&self, record: &Found) -> String {
        let mut json = String::with_capacity(48 * record.values.len());
        json.push('{');
        for (kept, found) in self.columns.iter().take(self.filled).zip(&record.values) {
            let Some(place) = &found.place else { continue };
            if json.len() > 1 {
                json.push(',');
            }
            // Column names contain no quotes or backslashes; paths may.
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

/// Converts a value for its column; a value that is not of the column's kind becomes null.
fn param(kind: Kind, value: &Value) -> Param<'_> {
    let text = match value {
        Value::Null => return Param::Null,
        Value::Text(text) | Value::Number(text) | Value::Money { amount: text, .. } => text.as_str(),
    };
    match kind {
        Kind::Number | Kind::Money if is_number(text) => Param::Number(text.into()),
        Kind::Number | Kind::Money => Param::Null,
        Kind::Date if text.len() > LONGEST_DATE => Param::Null,
        Kind::Text | Kind::Url | Kind::Date | Kind::Html => Param::text(text),
    }
}

/// Reports whether both databases accept the text as a number.
fn is_number(text: &str) -> bool {
    let (mantissa, exponent) = match text.split_once(['e', 'E']) {
        Some((mantissa, exponent)) => (mantissa, Some(exponent)),
        None => (text, None),
    };
    let digits = mantissa.strip_prefix(['-', '+']).unwrap_or(mantissa);
    let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
    let are_digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    let is_small = |exponent: &str| {
        let digits = exponent.strip_prefix(['-', '+']).unwrap_or(exponent);
        are_digits(digits) && digits.parse::<u32>().is_ok_and(|zeroes| zeroes <= MOST_ZEROES)
    };
    text.len() <= MOST_DIGITS
        && whole.len() + fraction.len() > 0
        && are_digits(whole)
        && are_digits(fraction)
        && exponent.is_none_or(is_small)
}

/// Appends a JSON string.
fn string(json: &mut String, text: &str) {
    // PostgreSQL rejects NUL in JSON, too.
    let text = &*clean(text);
    if text.bytes().any(|byte| matches!(byte, b'"' | b'\\' | 0..=0x1f)) {
        *json += &serde_json::Value::from(text).to_string();
    } else {
        json.push('"');
        *json += text;
        json.push('"');
    }
}

#[cfg(test)]
mod tests {
    use super::is_number;

    #[test]
    fn numbers() {
        for text in ["0", "-1.5", "+3", ".5", "5.", "1e400", "007", &"9".repeat(1000)] {
            assert!(is_number(text), "{text}");
        }
        for text in ["", "-", ".", "abc", "NaN", "inf", "1e", "1e401", "1e99999999999", "0x1", "1 2", "--1", "١"] {
            assert!(!is_number(text), "{text}");
        }
        assert!(!is_number(&"9".repeat(1001)));
    }
}
