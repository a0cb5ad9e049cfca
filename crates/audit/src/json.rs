//! A finding as JSON: what `windrow audit --format json` prints, what is kept, and what reports read again.

use serde_json::{Value, json};

use crate::finding::Finding;
use crate::logic::Interval;

impl Finding {
    /// All that it tells. Rows of a table are counted from 1; probabilities have six digits, as the rest are the linear
    /// program's.
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

/// A probability without the last digits, which are the linear program's.
pub fn rounded(value: f64) -> f64 {
    (value * 1e6).round() / 1e6
}
