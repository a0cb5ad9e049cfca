//! Rule files: rules with confidences in a readable notation.
//!
//! ```text
//! # What is wrong with an advertised drug, by the register.
//! threshold 0.8                                 # below it two values count as different
//! rename S.code = "approval no."                # what the table calls it
//!
//! R1: none S (E.code = S.code at 1) -> Unapproved [0.90]
//!     "no such approval number in the register"
//! R2: exists S ((E.name = S.name or E.generic = S.generic) and E.code = S.code
//!               and not E.maker = S.maker) -> Counterfeit [0.85]
//! R3: missing E.warnings or E.price > 2 * 10 or E.expires < today -> Misleading [0.7]
//! R4: Unapproved and Counterfeit -> Dangerous, not Genuine [0.95]
//! R5: Misleading given E.category in ("prescription", "Rx") [0.6, 0.8]
//! ```
//!
//! # Meaning of a rule
//!
//! `E` is the extracted record, `S` (or any name that `reference` declares) a row of a reference table. `exists`
//! requires a row, `none` that there is no such row. `=` is a degree: 1 − Levenshtein / longer length of the normalized
//! texts; below the threshold (`at` sets another one for one comparison) it counts as 0. If one side is a number, a
//! date or an arithmetic expression, `=` compares amounts and is true or false, like `<` and the other operators.
//! `contains` requires one of the words as a part of the text. Names without a dot are conclusions about the same
//! record by other rules.
//!
//! `condition -> conclusion [c]` means P(condition → conclusion) ≥ c, Nilsson's material implication, as in the paper.
//! `conclusion given condition [c]` means P(conclusion | condition) ≥ c. `[low, high]` sets both bounds; `[c, c]` is
//! exact.
//!
//! # Departure from the paper
//!
//! Nilsson, and Andersen and Hooker, give an implication an exact probability. An implication is true if its condition
//! is false, so exactly 0.90 would contradict every record that the rule does not apply to; and two rules for one
//! conclusion, 0.90 and 0.85, would contradict each other if both apply. A single confidence is therefore a lower
//! bound, which matches an expert's "at least this sure".
//!
//! # Limits
//!
//! [`MAX_BYTES`], [`MAX_RULES`], [`MAX_DEPTH`]; parsing is linear in the text. Parsing continues after an error: all
//! are reported, up to [`MAX_ERRORS`].

mod check;
mod error;
mod lexer;
mod parser;
mod static_check;
#[cfg(test)]
mod tests;
mod write;

pub use check::{Columns, Known};
pub use error::{Errors, RuleError};
pub(crate) use static_check::sentence;

use crate::logic::Interval;
use crate::span::Span;

/// Largest size of a rule file in bytes.
pub const MAX_BYTES: usize = 1 << 20;
/// Largest number of rules in a file.
pub const MAX_RULES: usize = 1_000;
/// Deepest nesting of conditions.
pub const MAX_DEPTH: usize = 64;
/// Largest number of errors that are reported.
pub const MAX_ERRORS: usize = 50;
/// Default of `threshold`, chosen here: names of makers that agree less are usually different makers.
pub const DEFAULT_THRESHOLD: f64 = 0.8;

/// Built-in rules for advertised drugs: the illicit practices that the paper lists.
pub const DRUGS: &str = include_str!("drugs.rules");

/// A parsed rule file.
#[derive(Debug, Clone, PartialEq)]
pub struct Rules {
    /// Threshold below which degrees of equality count as 0.
    pub threshold: f64,
    /// Names of reference tables; only `S` if none is declared.
    pub references: Vec<Name>,
    /// Names of fields and columns in the data.
    pub renames: Vec<Rename>,
    /// Rules in the order of the file.
    pub rules: Vec<Rule>,
}

/// A renaming: `rename S.code = "approval no."`.
#[derive(Debug, Clone, PartialEq)]
pub struct Rename {
    /// Name in the rules.
    pub field: FieldName,
    /// Name in the data.
    pub to: String,
}

/// A name with its position.
#[derive(Debug, Clone, PartialEq)]
pub struct Name {
    /// Name as written.
    pub text: String,
    /// Position.
    pub span: Span,
}

/// A field of the record, or a column of a reference table: `E.price`, `S."unit price"`.
#[derive(Debug, Clone, PartialEq)]
pub struct FieldName {
    /// `E`, or the name of a reference table.
    pub of: String,
    /// Name of the field or column.
    pub name: String,
    /// Position.
    pub span: Span,
}

impl FieldName {
    /// Reports whether it is a field of the record.
    pub fn is_extracted(&self) -> bool {
        self.of == EXTRACTED
    }
}

/// Name of the record in rules.
pub const EXTRACTED: &str = "E";

/// A rule.
#[derive(Debug, Clone, PartialEq)]
pub struct Rule {
    /// Name of the rule.
    pub name: Name,
    /// Condition.
    pub condition: Condition,
    /// Conclusions, all of which follow.
    pub conclusions: Vec<Conclusion>,
    /// Confidence.
    pub confidence: Interval,
    /// Position of the confidence.
    pub confidence_span: Span,
    /// Meaning of the confidence.
    pub kind: Kind,
    /// Message for display.
    pub message: Option<String>,
    /// Position of the whole rule.
    pub span: Span,
}

/// Meaning of a confidence.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// `condition -> conclusion`: probability of the material implication.
    Implication,
    /// `conclusion given condition`: probability of the conclusion among the worlds in which the condition is true.
    Conditional,
}

/// A proposition that rules conclude, or its negation.
#[derive(Debug, Clone, PartialEq)]
pub struct Conclusion {
    /// Name of the proposition.
    pub name: Name,
    /// True if it is preceded by `not`.
    pub negated: bool,
}

/// Condition of a rule.
#[derive(Debug, Clone, PartialEq)]
pub enum Condition {
    /// `always`
    Always,
    /// The conclusion of another rule.
    Conclusion(Name),
    /// `missing E.warnings`: the value does not exist or is empty.
    Missing(FieldName),
    /// `E.name = S.name at 0.9`, `E.price > 2 * S.price`
    Compare {
        /// Left side.
        left: Operand,
        /// Operator.
        operator: Operator,
        /// Right side.
        right: Operand,
        /// Threshold for this comparison.
        at: Option<f64>,
    },
    /// `E.category in ("Rx", "prescription")`: the degree of equality with the most similar one.
    In {
        /// The value.
        field: FieldName,
        /// The list.
        list: Vec<String>,
        /// Threshold for this test.
        at: Option<f64>,
    },
    /// `E.text contains ("no prescription")`: one of the texts is part of the value, after normalization.
    Contains {
        /// The value.
        field: FieldName,
        /// The list.
        list: Vec<String>,
    },
    /// `exists S (…)`, or `none S (…)`.
    Rows {
        /// True for `none`.
        none: bool,
        /// Reference table.
        reference: Name,
        /// Condition on the row.
        condition: Box<Condition>,
    },
    /// Negation.
    Not(Box<Condition>),
    /// Conjunction.
    And(Vec<Condition>),
    /// Disjunction.
    Or(Vec<Condition>),
}

/// Comparison operator.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Operator {
    /// `=`
    Equal,
    /// `!=`
    NotEqual,
    /// `<`
    Less,
    /// `<=`
    LessOrEqual,
    /// `>`
    Greater,
    /// `>=`
    GreaterOrEqual,
}

/// One side of a comparison: `factor * term + plus`.
#[derive(Debug, Clone, PartialEq)]
pub struct Operand {
    /// Factor by which the value is multiplied.
    pub factor: Option<f64>,
    /// The value.
    pub term: Term,
    /// Summand; for a date, a number of days.
    pub plus: Option<f64>,
    /// Position.
    pub span: Span,
}

/// A value in a comparison.
#[derive(Debug, Clone, PartialEq)]
pub enum Term {
    /// A field of the record, or a column of a row.
    Field(FieldName),
    /// A text.
    Text(String),
    /// A number.
    Number(f64),
    /// A day, as `2026-11-17`.
    Date(String),
    /// The day of the audit.
    Today,
}

impl Operand {
    /// Returns the field, if there is one.
    pub fn field(&self) -> Option<&FieldName> {
        match &self.term {
            Term::Field(field) => Some(field),
            _ => None,
        }
    }

    /// Returns the field if the operand consists of a field without arithmetic.
    pub fn plain_field(&self) -> Option<&FieldName> {
        self.field().filter(|_| self.factor.is_none() && self.plus.is_none())
    }

    /// Reports whether the operand is compared as a text and not as an amount.
    pub(crate) fn is_textual(&self) -> bool {
        let plain = self.factor.is_none() && self.plus.is_none();
        plain && matches!(self.term, Term::Field(_) | Term::Text(_))
    }
}

impl Condition {
    /// Returns the conjunction, with nested conjunctions flattened.
    pub(crate) fn all(parts: Vec<Condition>) -> Condition {
        let mut kept = Vec::new();
        for part in parts {
            match part {
                Condition::And(inner) => kept.extend(inner),
                other => kept.push(other),
            }
        }
        if kept.len() == 1 { kept.remove(0) } else { Condition::And(kept) }
    }

    /// Returns the disjunction, with nested disjunctions flattened.
    pub(crate) fn any(parts: Vec<Condition>) -> Condition {
        let mut kept = Vec::new();
        for part in parts {
            match part {
                Condition::Or(inner) => kept.extend(inner),
                other => kept.push(other),
            }
        }
        if kept.len() == 1 { kept.remove(0) } else { Condition::Or(kept) }
    }

    /// Calls `visit` with this condition and all nested ones.
    pub(crate) fn walk<'a>(&'a self, visit: &mut impl FnMut(&'a Condition)) {
        visit(self);
        match self {
            Condition::Rows { condition, .. } | Condition::Not(condition) => condition.walk(visit),
            Condition::And(parts) | Condition::Or(parts) => parts.iter().for_each(|part| part.walk(visit)),
            _ => {}
        }
    }

    /// Returns the fields that this condition itself refers to, without those of nested ones.
    pub(crate) fn own_fields(&self) -> Vec<&FieldName> {
        match self {
            Condition::Missing(field) | Condition::In { field, .. } | Condition::Contains { field, .. } => vec![field],
            Condition::Compare { left, right, .. } => [left, right].into_iter().filter_map(Operand::field).collect(),
            _ => Vec::new(),
        }
    }
}

impl Rules {
    /// Parses a rule file. All errors are reported with their positions, including contradictions between rules.
    pub fn read(text: &str) -> Result<Rules, Errors> {
        let rules = parser::parse(text)?;
        static_check::check(&rules)?;
        Ok(rules)
    }

    /// Returns the built-in rules for advertised drugs: [`DRUGS`].
    pub fn drugs() -> Rules {
        Rules::read(DRUGS).expect("the built-in rules are valid: a test parses them")
    }

    /// Returns the conclusions of the rules, each once, in the order of the file.
    pub fn conclusions(&self) -> Vec<&str> {
        let mut found: Vec<&str> = Vec::new();
        for conclusion in self.rules.iter().flat_map(|rule| &rule.conclusions) {
            if !found.contains(&conclusion.name.text.as_str()) {
                found.push(&conclusion.name.text);
            }
        }
        found
    }

    /// Returns the name of a field or column in the data.
    pub fn in_data<'a>(&'a self, field: &'a FieldName) -> &'a str {
        let renamed = self.renames.iter().find(|rename| rename.field == *field);
        renamed.map_or(&field.name, |rename| &rename.to)
    }
}
