//! A finding with its evidence, as shown in a report.

use serde_json::Value;

/// A stored finding.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Detail {
    /// Number of the finding.
    pub id: i64,
    /// Name of the rules.
    pub ruleset: String,
    /// List that contains the record.
    pub list: String,
    /// Page of the record.
    pub page: String,
    /// XPath of the record on the page.
    pub path: String,
    /// Conclusion of the rules.
    pub conclusion: String,
    /// Lower bound of the conclusion's probability.
    pub low: f64,
    /// Upper bound of the conclusion's probability.
    pub high: f64,
    /// Excerpt of the page at the record.
    pub snippet: String,
    /// Time at which it was first seen.
    pub first: String,
    /// Time at which it was last seen.
    pub last: String,
    /// Time at which it was found to be gone.
    pub gone: Option<String>,
    /// Complete finding, as written by [`Finding::to_json`](crate::Finding::to_json).
    pub evidence: String,
}

/// A rule that a finding rests on, with its comparisons.
#[derive(Debug, Default, PartialEq)]
pub(super) struct Basis {
    pub(super) rule: String,
    pub(super) message: String,
    /// Confidence of the rule.
    pub(super) confidence: Option<(f64, f64)>,
    pub(super) compared: Vec<Compared>,
}

/// One comparison.
#[derive(Debug, Default, PartialEq)]
pub(super) struct Compared {
    pub(super) test: String,
    /// Value of the record, if it has one.
    pub(super) extracted: Option<String>,
    /// Field, as in `E.name`; empty if none was compared.
    pub(super) field: String,
    /// Column, as in `S.name`; empty if none was compared.
    pub(super) column: String,
    pub(super) value: Option<String>,
    pub(super) row: Option<u64>,
    pub(super) degree: Option<f64>,
    pub(super) holds: Option<bool>,
    pub(super) path: Option<String>,
}

impl Detail {
    /// Returns the rules that the finding rests on, strongest first, and the weakened rules. Invalid parts of the
    /// stored JSON are skipped.
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
