//! What an audit finds, told so that a person can act on it.

use crate::logic::Interval;

/// Something that is wrong with a record, and why.
#[derive(Debug, Clone, PartialEq)]
pub struct Finding {
    /// What the rules conclude: `Counterfeit`.
    pub conclusion: String,
    /// The finding is that it is *not* so: `not Genuine`. The interval is then that of the contrary.
    pub negated: bool,
    /// How probable it is.
    pub interval: Interval,
    /// The rules that it rests on, the strongest first.
    pub rules: Vec<RuleUse>,
    /// What was compared for them.
    pub evidence: Vec<Evidence>,
    /// Rules contradicted each other for this record; these had to be weakened.
    pub weakened: Vec<WeakenedRule>,
    /// The page.
    pub page: String,
    /// The record on the page: an XPath.
    pub path: String,
    /// What the page says there.
    pub snippet: String,
}

/// A rule that a finding rests on.
#[derive(Debug, Clone, PartialEq)]
pub struct RuleUse {
    /// What it is called.
    pub name: String,
    /// Its line for people.
    pub message: Option<String>,
    /// How sure it is.
    pub confidence: Interval,
    /// How probable its condition is for this record.
    pub condition: Interval,
}

/// One comparison that a rule made.
#[derive(Debug, Clone, PartialEq)]
pub struct Evidence {
    /// The rule.
    pub rule: String,
    /// The comparison, as the rule says it: `E.name = S.name`.
    pub test: String,
    /// The field of the record, as the rule calls it.
    pub field: Option<String>,
    /// Its value. None: the record has none.
    pub extracted: Option<String>,
    /// The reference table, as the rule calls it.
    pub reference: Option<String>,
    /// Its column, as the rule calls it.
    pub column: Option<String>,
    /// Its row, counted from 0. None: no row agrees.
    pub row: Option<usize>,
    /// Its value.
    pub reference_value: Option<String>,
    /// The degree of equality, where there is one, before any threshold.
    pub degree: Option<f64>,
    /// Whether it holds: a degree that reaches its threshold does. None: unknown, for want of a value.
    pub holds: Option<bool>,
    /// The value on the page: an XPath.
    pub path: Option<String>,
    /// What the page says there.
    pub snippet: Option<String>,
}

/// A rule whose confidence had to give way for a record.
#[derive(Debug, Clone, PartialEq)]
pub struct WeakenedRule {
    /// What it is called.
    pub name: String,
    /// Its confidence.
    pub confidence: Interval,
    /// What its confidence could be at most, beside the others; at least, if its upper end gave way.
    pub to: f64,
}

/// All that an audit says of one record.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Audited {
    /// What is probable enough to be told, in the order of the rules.
    pub findings: Vec<Finding>,
    /// Every conclusion of the rules, in their order.
    pub conclusions: Vec<(String, Interval)>,
    /// Rules that contradicted each other for this record, and gave way.
    pub weakened: Vec<WeakenedRule>,
    /// Why the conclusions could not be worked out, if so; then they are unknown.
    pub failure: Option<String>,
}
