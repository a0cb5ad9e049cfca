//! Rules with a confidence, as a file that people read and write.
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
//! # What a rule says
//!
//! `E` is the extracted record, `S` (or any name that `reference` declares) a row of a reference table. `exists` asks for
//! a row, `none` that there is none. `=` is a degree: 1 − Levenshtein / longer length of the normalised texts; below the
//! threshold (`at` gives another for one comparison) it counts as 0. With a number, a date or arithmetic on one side, `=`
//! compares amounts and is true or false, as `<` and its kin are. `contains` asks for one of the words as a part of the
//! text. Names without a dot are conclusions, of this record, by other rules.
//!
//! `condition -> conclusion [c]` says P(condition → conclusion) ≥ c, Nilsson's material implication, as in the paper.
//! `conclusion given condition [c]` says P(conclusion | condition) ≥ c. `[low, high]` says both ends; `[c, c]` is exact.
//!
//! # Departure from the paper
//!
//! Nilsson, and Andersen and Hooker, give an implication an exact probability. Where the condition is false the
//! implication is true, so exactly 0.90 would contradict every record that the rule does not speak of; and two rules for
//! one conclusion, 0.90 and 0.85, would contradict each other where both apply. A confidence alone is therefore a lower
//! bound, which is what an expert's "at least so sure" means.
//!
//! # Limits
//!
//! [`MAX_BYTES`], [`MAX_RULES`], [`MAX_DEPTH`]; reading is linear in the text. A mistake does not end the reading: all are
//! told, up to [`MAX_ERRORS`].

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

/// The longest rule file.
pub const MAX_BYTES: usize = 1 << 20;
/// The most rules in a file.
pub const MAX_RULES: usize = 1_000;
/// How deep conditions may nest.
pub const MAX_DEPTH: usize = 64;
/// The most errors that are told.
pub const MAX_ERRORS: usize = 50;
/// What `threshold` is if the file does not say. Ours: names of makers that agree to less are, as a rule, others.
pub const DEFAULT_THRESHOLD: f64 = 0.8;

/// The rules for advertised drugs: the illicit practices that the paper lists.
pub const DRUGS: &str = include_str!("drugs.rules");

/// A rule file, read.
#[derive(Debug, Clone, PartialEq)]
pub struct Rules {
    /// Degrees of equality below this count as 0.
    pub threshold: f64,
    /// The names of reference tables; `S` alone if none is declared.
    pub references: Vec<Name>,
    /// What fields and columns are called in the data.
    pub renames: Vec<Rename>,
    /// In the order of the file.
    pub rules: Vec<Rule>,
}

/// `rename S.code = "approval no."`
#[derive(Debug, Clone, PartialEq)]
pub struct Rename {
    /// As the rules call it.
    pub field: FieldName,
    /// As the data does.
    pub to: String,
}

/// A name, and where it stands.
#[derive(Debug, Clone, PartialEq)]
pub struct Name {
    /// As written.
    pub text: String,
    /// Where.
    pub span: Span,
}

/// A field of the record, or a column of a reference table: `E.price`, `S."unit price"`.
#[derive(Debug, Clone, PartialEq)]
pub struct FieldName {
    /// `E`, or the name of a reference table.
    pub of: String,
    /// The field.
    pub name: String,
    /// Where.
    pub span: Span,
}

impl FieldName {
    /// Whether it is one of the record.
    pub fn is_extracted(&self) -> bool {
        self.of == EXTRACTED
    }
}

/// What rules call the record.
pub const EXTRACTED: &str = "E";

/// One rule.
#[derive(Debug, Clone, PartialEq)]
pub struct Rule {
    /// What it is called.
    pub name: Name,
    /// When it speaks.
    pub condition: Condition,
    /// What it says then: all of it.
    pub conclusions: Vec<Conclusion>,
    /// How sure it is.
    pub confidence: Interval,
    /// Where the confidence stands.
    pub confidence_span: Span,
    /// What the confidence is of.
    pub kind: Kind,
    /// A line for people.
    pub message: Option<String>,
    /// From its name to its end.
    pub span: Span,
}

/// What a confidence is the probability of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// `condition -> conclusion`: of the material implication.
    Implication,
    /// `conclusion given condition`: of the conclusion, among the worlds in which the condition is true.
    Conditional,
}

/// A proposition that rules conclude, or its contrary.
#[derive(Debug, Clone, PartialEq)]
pub struct Conclusion {
    /// What.
    pub name: Name,
    /// `not` before it: it is false.
    pub negated: bool,
}

/// When a rule speaks.
#[derive(Debug, Clone, PartialEq)]
pub enum Condition {
    /// `always`
    Always,
    /// What another rule concludes.
    Conclusion(Name),
    /// `missing E.warnings`: there is no such value, or it is empty.
    Missing(FieldName),
    /// `E.name = S.name at 0.9`, `E.price > 2 * S.price`
    Compare {
        /// One side.
        left: Operand,
        /// How they are compared.
        operator: Operator,
        /// The other.
        right: Operand,
        /// Another threshold.
        at: Option<f64>,
    },
    /// `E.category in ("Rx", "prescription")`: equal, as a degree, to one of them.
    In {
        /// The value.
        field: FieldName,
        /// The list.
        list: Vec<String>,
        /// Another threshold.
        at: Option<f64>,
    },
    /// `E.text contains ("no prescription")`: one of them is a part of it, after normalisation.
    Contains {
        /// The value.
        field: FieldName,
        /// The list.
        list: Vec<String>,
    },
    /// `exists S (…)`, or `none S (…)`.
    Rows {
        /// Whether there is to be none.
        none: bool,
        /// The reference table.
        reference: Name,
        /// What is asked of the row.
        condition: Box<Condition>,
    },
    /// The contrary.
    Not(Box<Condition>),
    /// All of them.
    And(Vec<Condition>),
    /// At least one of them.
    Or(Vec<Condition>),
}

/// How two values are compared.
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
    /// What it is multiplied with.
    pub factor: Option<f64>,
    /// The value.
    pub term: Term,
    /// What is added; to a date, days.
    pub plus: Option<f64>,
    /// Where.
    pub span: Span,
}

/// A value in a comparison.
#[derive(Debug, Clone, PartialEq)]
pub enum Term {
    /// Of the record or a row.
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
    /// The field, if it has one.
    pub fn field(&self) -> Option<&FieldName> {
        match &self.term {
            Term::Field(field) => Some(field),
            _ => None,
        }
    }

    /// The field, if the operand is one without arithmetic.
    pub fn plain_field(&self) -> Option<&FieldName> {
        self.field().filter(|_| self.factor.is_none() && self.plus.is_none())
    }

    /// Whether it is compared as a text rather than as an amount.
    pub(crate) fn is_textual(&self) -> bool {
        let plain = self.factor.is_none() && self.plus.is_none();
        plain && matches!(self.term, Term::Field(_) | Term::Text(_))
    }
}

impl Condition {
    /// All of them, without conjunctions in conjunctions.
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

    /// At least one of them, without disjunctions in disjunctions.
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

    /// Calls `visit` with this condition and all in it.
    pub(crate) fn walk<'a>(&'a self, visit: &mut impl FnMut(&'a Condition)) {
        visit(self);
        match self {
            Condition::Rows { condition, .. } | Condition::Not(condition) => condition.walk(visit),
            Condition::And(parts) | Condition::Or(parts) => parts.iter().for_each(|part| part.walk(visit)),
            _ => {}
        }
    }

    /// The fields that this condition itself names, not those in it.
    pub(crate) fn own_fields(&self) -> Vec<&FieldName> {
        match self {
            Condition::Missing(field) | Condition::In { field, .. } | Condition::Contains { field, .. } => vec![field],
            Condition::Compare { left, right, .. } => [left, right].into_iter().filter_map(Operand::field).collect(),
            _ => Vec::new(),
        }
    }
}

impl Rules {
    /// Reads a rule file. All mistakes are told, with their places; that rules contradict each other is one of them.
    pub fn read(text: &str) -> Result<Rules, Errors> {
        let rules = parser::parse(text)?;
        static_check::check(&rules)?;
        Ok(rules)
    }

    /// The rules for advertised drugs, which are shipped: [`DRUGS`].
    pub fn drugs() -> Rules {
        Rules::read(DRUGS).expect("the shipped rules are right: a test reads them")
    }

    /// What the rules conclude, each once, in the order of the file.
    pub fn conclusions(&self) -> Vec<&str> {
        let mut found: Vec<&str> = Vec::new();
        for conclusion in self.rules.iter().flat_map(|rule| &rule.conclusions) {
            if !found.contains(&conclusion.name.text.as_str()) {
                found.push(&conclusion.name.text);
            }
        }
        found
    }

    /// What a field or column is called in the data.
    pub fn in_data<'a>(&'a self, field: &'a FieldName) -> &'a str {
        let renamed = self.renames.iter().find(|rename| rename.field == *field);
        renamed.map_or(&field.name, |rename| &rename.to)
    }
}
