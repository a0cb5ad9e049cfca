//! Findings of an audit.

use crate::logic::Interval;

/// A problem with a record, with the reasons.
#[derive(Debug, Clone, PartialEq)]
pub struct Finding {
    /// Conclusion of the rules: `Counterfeit`.
    pub conclusion: String,
    /// True if the finding is that the conclusion does *not* hold: `not Genuine`. The interval is then that of the
    /// negation.
    pub negated: bool,
    /// Probability of the finding.
    pub interval: Interval,
    /// Rules that the finding rests on, strongest first.
    pub rules: Vec<RuleUse>,
    /// Comparisons made by these rules.
    pub evidence: Vec<Evidence>,
    /// Rules that were weakened because the rules contradict each other for this record.
    pub weakened: Vec<WeakenedRule>,
    /// Page of the record.
    pub page: String,
    /// XPath of the record on the page.
    pub path: String,
    /// Excerpt of the page at the record.
    pub snippet: String,
}

/// A rule that a finding rests on.
#[derive(Debug, Clone, PartialEq)]
pub struct RuleUse {
    /// Name of the rule.
    pub name: String,
    /// Message for display.
    pub message: Option<String>,
    /// Confidence of the rule.
    pub confidence: Interval,
    /// Probability of its condition for this record.
    pub condition: Interval,
}

/// One comparison made by a rule.
#[derive(Debug, Clone, PartialEq)]
pub struct Evidence {
    /// Name of the rule.
    pub rule: String,
    /// Text of the comparison in the rule: `E.name = S.name`.
    pub test: String,
    /// Field of the record, as named in the rule.
    pub field: Option<String>,
    /// Value of the field; `None` if the record lacks it.
    pub extracted: Option<String>,
    /// Reference table, as named in the rule.
    pub reference: Option<String>,
    /// Column of the table, as named in the rule.
    pub column: Option<String>,
    /// Row of the table, counted from 0; `None` if no row matches.
    pub row: Option<usize>,
    /// Value in the table.
    pub reference_value: Option<String>,
    /// Degree of equality before any threshold, if the comparison has one.
    pub degree: Option<f64>,
    /// True if the comparison holds (the degree reaches its threshold); `None` if unknown, because a value is missing.
    pub holds: Option<bool>,
    /// XPath of the value on the page.
    pub path: Option<String>,
    /// Excerpt of the page at the value.
    pub snippet: Option<String>,
}

/// A rule whose confidence was weakened for a record.
#[derive(Debug, Clone, PartialEq)]
pub struct WeakenedRule {
    /// Name of the rule.
    pub name: String,
    /// Original confidence.
    pub confidence: Interval,
    /// Largest confidence that is consistent with the other rules; the smallest if its upper bound was weakened.
    pub to: f64,
}

/// Result of auditing one record.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Audited {
    /// Conclusions that are probable enough to be reported, in the order of the rules.
    pub findings: Vec<Finding>,
    /// All conclusions of the rules, in their order.
    pub conclusions: Vec<(String, Interval)>,
    /// Rules that were weakened because they contradict each other for this record.
    pub weakened: Vec<WeakenedRule>,
    /// Error if the conclusions could not be computed; they are unknown then.
    pub failure: Option<String>,
}
