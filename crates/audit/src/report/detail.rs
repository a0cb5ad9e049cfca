//! A finding with its evidence, as it is shown.

use serde_json::Value;

/// A finding that was kept.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Detail {
    /// Its number.
    pub id: i64,
    /// The name of the rules.
    pub ruleset: String,
    /// The list whose record it is about.
    pub list: String,
    /// The page.
    pub page: String,
    /// The record on the page: an XPath.
    pub path: String,
    /// What is concluded.
    pub conclusion: String,
    /// How probable it is at least.
    pub low: f64,
    /// How probable it is at most.
    pub high: f64,
    /// What the page says there.
    pub snippet: String,
    /// When it was first seen.
    pub first: String,
    /// When it was last seen.
    pub last: String,
    /// When it was gone.
    pub gone: Option<String>,
    /// All of it, as [`Finding::to_json`](crate::Finding::to_json) writes it.
    pub evidence: String,
}

/// A rule that a finding rests on, and what it compared.
#[derive(Debug, Default, PartialEq)]
pub(super) struct Basis {
    pub(super) rule: String,
    pub(super) message: String,
    /// How sure the rule is.
    pub(super) confidence: Option<(f64, f64)>,
    pub(super) compared: Vec<Compared>,
}

/// One comparison.
#[derive(Debug, Default, PartialEq)]
pub(super) struct Compared {
    pub(super) test: String,
    /// The record's value; none: it has none.
    pub(super) extracted: Option<String>,
    /// The field, as `E.name`; empty if none was compared.
    pub(super) field: String,
    /// The column, as `S.name`; empty if none was compared.
    pub(super) column: String,
    pub(super) value: Option<String>,
    pub(super) row: Option<u64>,
    pub(super) degree: Option<f64>,
    pub(super) holds: Option<bool>,
    pub(super) path: Option<String>,
}

impl Detail {
    /// The rules it rests on, the strongest first. What is not as it should be is left out: it was written by somebody.
    pub(super) fn bases(&self) -> (Vec<Basis>, Vec<(String, f64)>) {
        let all: Value = serde_json::from_str(&self.evidence).unwrap_or_default();
        let compared: Vec<(String, Compared)> = array(&all, "evidence").iter().map(comparison).collect();
        let bases = array(&all, "rules").iter().map(|one| {
            let rule = text(one, "rule").unwrap_or_default();
            let confidence = array(one, "confidence");
            let end = |at: usize| confidence.get(at).and_then(Value::as_f64);
            Basis {
                message: text(one, "message").unwrap_or_default(),
                confidence: end(0).zip(end(1)),
                compared: Vec::new(),
                rule,
            }
        });
        let mut bases: Vec<Basis> = bases.collect();
        for (rule, one) in compared {
            if let Some(basis) = bases.iter_mut().find(|basis| basis.rule == rule) {
                basis.compared.push(one);
            }
        }
        let weakened = array(&all, "weakened").iter();
        let weakened = weakened.filter_map(|one| Some((text(one, "rule")?, one.get("to")?.as_f64()?)));
        (bases, weakened.collect())
    }
}

fn comparison(one: &Value) -> (String, Compared) {
    let (field, reference, column) = (text(one, "field"), text(one, "reference"), text(one, "column"));
    let compared = Compared {
        test: text(one, "test").unwrap_or_default(),
        extracted: text(one, "extracted").filter(|value| !value.trim().is_empty()),
        field: field.map(|field| format!("E.{field}")).unwrap_or_default(),
        column: reference.zip(column).map(|(table, column)| format!("{table}.{column}")).unwrap_or_default(),
        value: text(one, "value"),
        row: one.get("row").and_then(Value::as_u64),
        degree: one.get("degree").and_then(Value::as_f64),
        holds: one.get("holds").and_then(Value::as_bool),
        path: text(one, "path"),
    };
    (text(one, "rule").unwrap_or_default(), compared)
}

fn array<'v>(value: &'v Value, key: &str) -> &'v [Value] {
    value.get(key).and_then(Value::as_array).map_or(&[], Vec::as_slice)
}

fn text(value: &Value, key: &str) -> Option<String> {
    value.get(key)?.as_str().map(str::to_owned)
}
