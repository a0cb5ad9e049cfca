//! Rows of an answer as text: lines of CSV, JSON objects.

use std::collections::HashSet;

use crate::data::json::Json;
use crate::store::Cell;

/// Returns names of columns that can be keys: the second of one name is `name_2`.
pub fn distinct(names: &[String]) -> Vec<String> {
    let all: HashSet<&String> = names.iter().collect();
    let mut given: HashSet<String> = HashSet::new();
    let mut distinct = Vec::with_capacity(names.len());
    for name in names {
        let mut free = name.clone();
        let mut number = 2;
        // A name that another column has by itself is left to it.
        while given.contains(&free) || number > 2 && all.contains(&free) {
            free = format!("{name}_{number}");
            number += 1;
        }
        given.insert(free.clone());
        distinct.push(free);
    }
    distinct
}

/// Returns a line of CSV.
pub fn csv_line(cells: &[String]) -> String {
    let mut writer = csv::Writer::from_writer(Vec::new());
    // Nothing can go wrong in memory.
    let _ = writer.write_record(cells);
    String::from_utf8(writer.into_inner().unwrap_or_default()).unwrap_or_default()
}

/// Returns a row as a JSON object on one line.
pub fn object(names: &[String], cells: &[Cell]) -> String {
    let mut json = Json::line();
    json.object(|json| {
        for (name, cell) in names.iter().zip(cells) {
            json.key(name);
            match cell {
                Cell::Null => json.literal("null"),
                Cell::Real(number) if !number.is_finite() => json.text(&number.to_string()),
                Cell::Number(digits) if !is_json_number(digits) => json.text(digits),
                Cell::Int(_) | Cell::Real(_) | Cell::Number(_) | Cell::Bool(_) => json.literal(&text(cell)),
                Cell::Text(_) | Cell::Bytes(_) => json.text(&text(cell)),
            }
        }
    });
    json.finish()
}

/// Returns `true` if digits are as JSON has them; `NaN` and `Infinity`, which PostgreSQL knows, are not.
fn is_json_number(digits: &str) -> bool {
    let digits = digits.strip_prefix('-').unwrap_or(digits);
    digits.starts_with(|first: char| first.is_ascii_digit())
        && digits.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.')
}

/// Returns a value as text; nothing is empty.
pub fn text(cell: &Cell) -> String {
    match cell {
        Cell::Null => String::new(),
        Cell::Int(number) => number.to_string(),
        // With a point, as the database shows it.
        Cell::Real(number) => format!("{number:?}"),
        Cell::Number(digits) => digits.clone(),
        Cell::Bool(truth) => truth.to_string(),
        Cell::Text(text) => text.clone(),
        Cell::Bytes(bytes) => {
            let digits = bytes.iter().map(|byte| format!("{byte:02x}"));
            std::iter::once("\\x".to_owned()).chain(digits).collect()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_become_keys() {
        let check = |names: &[&str], expected: &[&str]| {
            let names: Vec<String> = names.iter().map(|name| (*name).to_owned()).collect();
            assert_eq!(distinct(&names), expected);
        };
        check(&["title", "price"], &["title", "price"]);
        check(&["title", "title", "title"], &["title", "title_2", "title_3"]);
        check(&["a", "a", "a_2"], &["a", "a_3", "a_2"]);
    }

    #[test]
    fn every_cell_is_json() {
        let cells = [
            Cell::Null,
            Cell::Int(-3),
            Cell::Real(0.5),
            Cell::Real(1e300),
            Cell::Real(f64::INFINITY),
            Cell::Number("340.50".to_owned()),
            Cell::Number("NaN".to_owned()),
            Cell::Bool(true),
            Cell::Text("a\"b\n".to_owned()),
            Cell::Bytes(vec![0, 255]),
        ];
        let names: Vec<String> = (0..cells.len()).map(|number| format!("c{number}")).collect();
        let line = object(&names, &cells);
        let read: serde_json::Value = serde_json::from_str(&line).unwrap();
        assert_eq!(read["c3"], 1e300);
        assert_eq!(
            line,
            "{\"c0\":null,\"c1\":-3,\"c2\":0.5,\"c3\":1e300,\"c4\":\"inf\",\"c5\":340.50,\"c6\":\"NaN\",\"c7\":true,\
             \"c8\":\"a\\\"b\\n\",\"c9\":\"\\\\x00ff\"}"
        );
    }
}
