//! Records that came, changed and went, for people and for programs.

use crate::store::{Change, ChangeKind, Changes, FieldChange, Value};
use serde_json::{Map, Value as Json, json};

/// Letters of a value or a name that are printed.
const LONGEST: usize = 60;

/// Changes of each kind that are printed unless more are asked for.
pub const MOST: usize = 10;

/// Lines for people: the counts, then a line for each record. `more` is the command that prints all of them.
pub fn text(changes: &Changes, more: &str) -> String {
    let counts: Vec<String> = changes.counts.iter().map(|(kind, count)| format!("{count} {}", kind.name())).collect();
    if counts.is_empty() {
        return "  no record changed in the last run\n".to_owned();
    }
    let mut text = format!("  changes in the last run: {}\n", counts.join(", "));
    for kind in ChangeKind::ALL {
        let records: Vec<&Change> = changes.records.iter().filter(|change| change.kind == kind).collect();
        for change in &records {
            text += &format!("    {}\n", line(change));
        }
        let left = changes.count(kind).saturating_sub(records.len() as u64);
        if left > 0 {
            text += &format!("    … and {left} more {}; `{more}` prints all\n", kind.name());
        }
    }
    text
}

/// One record: `changed: offers «Old hay wagon»: price 900 EUR → 850 EUR`.
fn line(change: &Change) -> String {
    let mut line = format!("{}: {} «{}»", change.kind.name(), change.list, short(&change.name));
    if let Some(inside) = &change.inside {
        line += &format!(" in «{}»", short(inside));
    }
    let fields: Vec<String> = change.fields.iter().map(field).collect();
    if !fields.is_empty() {
        line += &format!(": {}", fields.join("; "));
    }
    line
}

fn field(change: &FieldChange) -> String {
    format!("{} {} → {}", short(&change.field), shown(&change.was), shown(&change.is))
}

fn shown(value: &Value) -> String {
    match value {
        Value::Null => "(none)".to_owned(),
        Value::Text(text) => format!("“{}”", short(text)),
        Value::Number(digits) => digits.clone(),
        Value::Money { amount, currency: Some(currency) } => format!("{amount} {currency}"),
        Value::Money { amount, currency: None } => amount.clone(),
    }
}

/// A text of a page on one line, cut, and without what would move a terminal's cursor.
fn short(text: &str) -> String {
    let words: Vec<&str> =
        text.split(|c: char| c.is_whitespace() || c.is_control()).filter(|it| !it.is_empty()).collect();
    let line = words.join(" ");
    match line.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}…", line[..end].trim_end()),
        None => line,
    }
}

/// The same for programs.
pub fn json(changes: &Changes) -> Json {
    let counts = ChangeKind::ALL.map(|kind| (kind.name().to_owned(), Json::from(changes.count(kind))));
    let records: Vec<Json> = changes.records.iter().map(record).collect();
    json!({ "run": changes.run, "at": changes.at, "counts": Map::from_iter(counts), "records": records })
}

fn record(change: &Change) -> Json {
    let fields = change
        .fields
        .iter()
        .map(|field| json!({ "field": field.field, "was": value(&field.was), "is": value(&field.is) }));
    json!({
        "what": change.kind.name(),
        "list": change.list,
        "id": change.id,
        "record": change.name,
        "inside": change.inside,
        "page": change.page,
        "fields": fields.collect::<Vec<_>>(),
    })
}

fn value(value: &Value) -> Json {
    let number =
        |digits: &str| serde_json::from_str::<serde_json::Number>(digits).map_or_else(|_| digits.into(), Json::Number);
    match value {
        Value::Null => Json::Null,
        Value::Text(text) => text.as_str().into(),
        Value::Number(digits) => number(digits),
        Value::Money { amount, currency } => json!({ "amount": number(amount), "currency": currency }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_one_short_line() {
        assert_eq!(short(" two\n lines\u{1b}[2J "), "two lines [2J");
        assert_eq!(short(&"x".repeat(61)), format!("{}…", "x".repeat(60)));
        assert_eq!(shown(&Value::Money { amount: "850".into(), currency: Some("EUR".into()) }), "850 EUR");
        assert_eq!(shown(&Value::Null), "(none)");
    }
}
