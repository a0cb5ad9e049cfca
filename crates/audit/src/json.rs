//! Findings as JSON: the format of `windrow audit --format json`, of the store, and of reports.

use serde_json::{Value, json};

use crate::finding::Finding;
use crate::logic::Interval;

impl Finding {
    /// Converts the finding to JSON. Rows of a table are counted from 1; probabilities have six decimals, since further
    /// digits are artefacts of the linear program.
    pub fn to_json(&self) -> Value {
        let both = |interval: Interval| json!([rounded(interval.low), rounded(interval.high)]);
        let rules = self.rules.iter().map(|rule| {
            json!({
                "rule": rule.name,
                "message": rule.message,
                "confidence": both(rule.confidence),
                "condition": both(rule.condition),
            })
        });
        let evidence = self.evidence.iter().map(|evidence| {
            json!({
                "rule": evidence.rule,
                "test": evidence.test,
                "field": evidence.field,
                "extracted": evidence.extracted,
                "reference": evidence.reference,
                "column": evidence.column,
                "row": evidence.row.map(|row| row + 1),
                "value": evidence.reference_value,
                "degree": evidence.degree.map(rounded),
                "holds": evidence.holds,
                "path": evidence.path,
                "snippet": evidence.snippet,
            })
        });
        let weakened = (self.weakened.iter())
            .map(|rule| json!({ "rule": rule.name, "confidence": both(rule.confidence), "to": rounded(rule.to) }));
        json!({
            "conclusion": self.conclusion,
            "negated": self.negated,
            "probability": both(self.interval),
            "page": self.page,
            "path": self.path,
            "snippet": self.snippet,
            "rules": rules.collect::<Vec<_>>(),
            "evidence": evidence.collect::<Vec<_>>(),
            "weakened": weakened.collect::<Vec<_>>(),
        })
    }
}

/// Rounds a probability to six decimals, which removes artefacts of the linear program.
pub fn rounded(value: f64) -> f64 {
    (value * 1e6).round() / 1e6
}
