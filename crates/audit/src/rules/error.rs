//! What can be wrong with a rule file: typed, with a code, a place in the file and a hint.
//!
//! The texts are part of the interface: `tests.rs` holds them as snapshots.

use super::{MAX_BYTES, MAX_DEPTH, MAX_ERRORS, MAX_RULES};
use crate::span::Span;

/// Why rules were rejected: at least one error, in the order of the file.
#[derive(Debug, Clone, PartialEq, thiserror::Error, miette::Diagnostic)]
#[error("{}", heading(.0.len()))]
#[diagnostic(code(rules::rejected))]
pub struct Errors(#[related] pub Vec<RuleError>);

fn heading(count: usize) -> String {
    match count {
        1 => "the rules have an error".to_owned(),
        _ => format!("the rules have {count} errors"),
    }
}

/// The errors met so far. Beyond [`MAX_ERRORS`] they are no longer kept.
#[derive(Debug, Default)]
pub(super) struct Found(Vec<RuleError>);

impl Found {
    pub(super) fn push(&mut self, error: RuleError) {
        if self.0.len() < MAX_ERRORS {
            self.0.push(error);
        }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Fails if there is any, in the order of the file.
    pub(super) fn check(mut self) -> Result<(), Errors> {
        if self.0.is_empty() {
            return Ok(());
        }
        self.0.sort_by_key(|error| error.span().start);
        Err(Errors(self.0))
    }
}

/// One thing that is wrong with a rule file.
#[derive(Debug, Clone, PartialEq, thiserror::Error, miette::Diagnostic)]
#[non_exhaustive]
pub enum RuleError {
    /// Something else was expected.
    #[error("expected {expected}, found {found}")]
    #[diagnostic(code(rules::syntax))]
    Syntax {
        /// What could stand here.
        expected: String,
        /// What does.
        found: String,
        /// What may have been meant.
        #[help]
        hint: Option<String>,
        /// Where.
        #[label("here")]
        span: Span,
    },
    /// A character that begins nothing.
    #[error("unexpected character `{found}`")]
    #[diagnostic(code(rules::unexpected_character), help("a text stands in double quotes, a comment behind `#`"))]
    UnexpectedCharacter {
        /// The character.
        found: char,
        /// Where.
        #[label("here")]
        span: Span,
    },
    /// A text without its closing quote.
    #[error("the text is not closed")]
    #[diagnostic(code(rules::open_text), help("a text ends on its line, with `\"`; in it, write `\\\"` for a quote"))]
    OpenText {
        /// Where it begins.
        #[label("begins here")]
        span: Span,
    },
    /// A number, day or escape that is none.
    #[error("`{text}` is not {what}")]
    #[diagnostic(code(rules::bad_literal))]
    BadLiteral {
        /// As written.
        text: String,
        /// What it should be.
        what: &'static str,
        /// Where.
        #[label("here")]
        span: Span,
    },
    /// A confidence that is no probability.
    #[error("the confidence {value} is not between 0 and 1")]
    #[diagnostic(code(rules::confidence), help("0.9 says that the rule is right nine times of ten{}", percent(*.value)))]
    Confidence {
        /// As written.
        value: f64,
        /// Where.
        #[label("not a probability")]
        span: Span,
    },
    /// An interval whose ends are turned round.
    #[error("the confidence [{low}, {high}] ends before it begins")]
    #[diagnostic(code(rules::confidence_order), help("write the lesser first: `[{high}, {low}]`"))]
    ConfidenceOrder {
        /// As written first.
        low: f64,
        /// As written second.
        high: f64,
        /// Where.
        #[label("here")]
        span: Span,
    },
    /// A threshold that no degree of equality can be held against.
    #[error("the threshold {value} is not above 0 and at most 1")]
    #[diagnostic(code(rules::threshold), help("1 asks for the same text, 0.8 lets two letters of ten differ"))]
    Threshold {
        /// As written.
        value: f64,
        /// Where.
        #[label("no degree of equality")]
        span: Span,
    },
    /// A name that nothing has.
    #[error("unknown {what} `{name}`")]
    #[diagnostic(code(rules::unknown_name))]
    UnknownName {
        /// `field`, `column of S`, `reference table`, `conclusion`.
        what: String,
        /// As written.
        name: String,
        /// The name most like it, or those that there are.
        #[help]
        hint: Option<String>,
        /// Where.
        #[label("there is none")]
        span: Span,
    },
    /// A row's value where no row is meant.
    #[error("`{field}` stands outside of `exists {of} (…)` and `none {of} (…)`")]
    #[diagnostic(code(rules::no_row), help("say which row is meant: `exists {of} (E.code = {of}.code and …)`"))]
    NoRow {
        /// The field, as written.
        field: String,
        /// The reference table.
        of: String,
        /// Where.
        #[label("of which row?")]
        span: Span,
    },
    /// A row asked for inside the conditions of another.
    #[error("`{word}` stands inside of another `exists` or `none`")]
    #[diagnostic(
        code(rules::nested_rows),
        help("join the two beforehand, or conclude something from the inner one first")
    )]
    NestedRows {
        /// `exists` or `none`.
        word: &'static str,
        /// Where.
        #[label("inside of another")]
        span: Span,
    },
    /// Two rules, references or renames of one name.
    #[error("{what} `{name}` is there twice")]
    #[diagnostic(code(rules::twice))]
    Twice {
        /// `the rule`, `the reference table`, `the renaming of`.
        what: &'static str,
        /// The name.
        name: String,
        /// The first.
        #[label("first here")]
        first_span: Span,
        /// The second.
        #[label("again here")]
        span: Span,
    },
    /// Conclusions that depend on themselves are fine in logic; one rule that concludes its own condition is a mistake.
    #[error("`{rule}` concludes what it needs: `{name}`")]
    #[diagnostic(code(rules::circle), help("such a rule says nothing: a condition is already there where it holds"))]
    Circle {
        /// The rule.
        rule: String,
        /// The conclusion.
        name: String,
        /// Where it is concluded.
        #[label("also in the condition")]
        span: Span,
    },
    /// A condition that is false whatever the record is.
    #[error("the condition of `{rule}` can never hold")]
    #[diagnostic(code(rules::never), help("it asks for something and for its contrary"))]
    Never {
        /// The rule.
        rule: String,
        /// The rule's name.
        #[label("this rule")]
        span: Span,
    },
    /// Confidences that no record for which a rule's condition holds can satisfy.
    #[error("where `{rule}` applies, the rules contradict each other: {conflict}")]
    #[diagnostic(code(rules::inconsistent))]
    Inconsistent {
        /// The rule whose condition is assumed.
        rule: String,
        /// The rules that cannot all be right.
        conflict: String,
        /// The least that must give way.
        #[help]
        weakening: Option<String>,
        /// The confidence of the first that must.
        #[label("cannot hold beside the others")]
        span: Span,
    },
    /// Conditions inside conditions, too deep.
    #[error("the condition nests more than {MAX_DEPTH} deep")]
    #[diagnostic(code(rules::too_deep))]
    TooDeep {
        /// Where it is too deep.
        #[label("here")]
        span: Span,
    },
    /// More rules than a file may have.
    #[error("there are more than {MAX_RULES} rules")]
    #[diagnostic(code(rules::too_many))]
    TooMany {
        /// The first beyond.
        #[label("the first too many")]
        span: Span,
    },
    /// A file that is too long.
    #[error("the rule file is longer than {MAX_BYTES} bytes")]
    #[diagnostic(code(rules::too_long))]
    TooLong {
        /// Its beginning.
        #[label("this file")]
        span: Span,
    },
    /// A file without rules.
    #[error("there are no rules")]
    #[diagnostic(code(rules::no_rules), help("a rule is `R1: none S (E.code = S.code) -> Unapproved [0.9]`"))]
    NoRules {
        /// The file's beginning.
        #[label("none in this file")]
        span: Span,
    },
}

fn percent(value: f64) -> String {
    if (2.0..=100.0).contains(&value) {
        format!("; for {value} of a hundred write {}", value / 100.0)
    } else {
        String::new()
    }
}

impl RuleError {
    /// Where in the file.
    pub fn span(&self) -> Span {
        match self {
            RuleError::Syntax { span, .. }
            | RuleError::UnexpectedCharacter { span, .. }
            | RuleError::OpenText { span }
            | RuleError::BadLiteral { span, .. }
            | RuleError::Confidence { span, .. }
            | RuleError::ConfidenceOrder { span, .. }
            | RuleError::Threshold { span, .. }
            | RuleError::UnknownName { span, .. }
            | RuleError::NoRow { span, .. }
            | RuleError::NestedRows { span, .. }
            | RuleError::Twice { span, .. }
            | RuleError::Circle { span, .. }
            | RuleError::Never { span, .. }
            | RuleError::Inconsistent { span, .. }
            | RuleError::TooDeep { span }
            | RuleError::TooMany { span }
            | RuleError::TooLong { span }
            | RuleError::NoRules { span } => *span,
        }
    }
}
