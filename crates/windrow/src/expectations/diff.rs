//! The differences between two JSON values, a line each, by path.

use serde_json::{Map, Value};

use crate::text::excerpt;

/// Characters of a value that a line shows.
const SHOWN: usize = 60;

/// Returns the differences, in the order of what was expected.
pub(super) fn differences(expected: &Value, found: &Value) -> Vec<String> {
    let mut lines = Vec::new();
    compare("", expected, found, &mut lines);
    lines
}

fn compare(path: &str, expected: &Value, found: &Value, lines: &mut Vec<String>) {
    let here = if path.is_empty() { "data" } else { path };
    match (expected, found) {
        (Value::Object(expected), Value::Object(found)) => objects(path, expected, found, lines),
        (Value::Array(expected), Value::Array(found)) => {
            if expected.len() != found.len() {
                let (expected, found) = (members(expected, found), found.len());
                lines.push(format!("{here}: expected {expected}, found {found}"));
            }
            for (at, (expected, found)) in expected.iter().zip(found).enumerate() {
                compare(&format!("{path}[{at}]"), expected, found, lines);
            }
            for (at, missing) in expected.iter().enumerate().skip(found.len()) {
                lines.push(format!("{path}[{at}]: expected {}, found nothing", shown(missing)));
            }
            for (at, more) in found.iter().enumerate().skip(expected.len()) {
                lines.push(format!("{path}[{at}]: not expected, found {}", shown(more)));
            }
        }
        (expected, found) if same(expected, found) => {}
        (expected, found) => lines.push(format!("{here}: expected {}, found {}", shown(expected), shown(found))),
    }
}

/// Returns the number of members, with their kind.
fn members(expected: &[Value], found: &[Value]) -> String {
    let records = expected.iter().chain(found).all(Value::is_object);
    let kind = if records { "record" } else { "value" };
    format!("{} {kind}{}", expected.len(), if expected.len() == 1 { "" } else { "s" })
}

fn objects(path: &str, expected: &Map<String, Value>, found: &Map<String, Value>, lines: &mut Vec<String>) {
    let below = |key: &str| if path.is_empty() { key.to_owned() } else { format!("{path}.{key}") };
    for (key, expected) in expected {
        match found.get(key) {
            Some(found) => compare(&below(key), expected, found, lines),
            None => lines.push(format!("{}: expected {}, found nothing", below(key), shown(expected))),
        }
    }
    for (key, found) in found.iter().filter(|(key, _)| !expected.contains_key(*key)) {
        lines.push(format!("{}: not expected, found {}", below(key), shown(found)));
    }
}

/// Returns `true` if two atomic values are the same: `1` and `1.0` are one number.
fn same(expected: &Value, found: &Value) -> bool {
    match (expected.as_number(), found.as_number()) {
        (Some(expected), Some(found)) if expected.is_f64() || found.is_f64() => expected.as_f64() == found.as_f64(),
        _ => expected == found,
    }
}

fn shown(value: &Value) -> String {
    excerpt(&value.to_string(), SHOWN)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn each_difference_has_its_path() {
        let expected = json!({"ads": [{"title": "Rake", "price": 55}, {"title": "Twine"}], "n": 1, "gone": "x"});
        let found = json!({"ads": [{"title": "Rake", "price": null, "new": true}], "n": 1.0});
        assert_eq!(
            differences(&expected, &found),
            [
                "ads: expected 2 records, found 1",
                "ads[0].price: expected 55, found null",
                "ads[0].new: not expected, found true",
                "ads[1]: expected {\"title\":\"Twine\"}, found nothing",
                "gone: expected \"x\", found nothing",
            ]
        );
        assert_eq!(differences(&expected, &expected), [""; 0]);
        assert_eq!(differences(&json!([]), &json!({})), ["data: expected [], found {}"]);
    }
}
