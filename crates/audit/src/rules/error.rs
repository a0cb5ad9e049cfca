//! Errors in rule files: typed, with a code, a position and a hint.
//!
//! The texts are part of the interface and are tested as snapshots in `tests.rs`.

use super::{MAX_BYTES, MAX_DEPTH, MAX_ERRORS, MAX_RULES};
use crate::span::Span;

/// Errors of a rejected rule file: at least one, in the order of the file.
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

/// Errors found so far, at most [`MAX_ERRORS`].
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

    /// Returns the errors, if there are any, in the order of the file.
    pub(super) fn check(mut self) -> Result<(), Errors> {
        if self.0.is_empty() {
            return Ok(());
        }
        self.0.sort_by_key(|error| error.span().start);
        Err(Errors(self.0))
    }
}

/// An error in a rule file.
#[derive(Debug, Clone, PartialEq, thiserror::Error, miette::Diagnostic)]
#[non_exhaustive]
pub enum RuleError {
    /// A different token was expected.
    #[error("expected {expected}, found {found}")]
    #[diagnostic(code(rules::syntax))]
    Syntax {
        /// Expected token.
        expected: String,
        /// Token found instead.
        found: String,
        /// Suggestion.
        #[help]
        hint: Option<String>,
        /// Position.
        #[label("here")]
        span: Span,
    },
    /// A character that cannot begin a token.
    #[error("unexpected character `{found}`")]
    #[diagnostic(code(rules::unexpected_character), help("put texts in double quotes, and comments after `#`"))]
    UnexpectedCharacter {
        /// The character.
        found: char,
        /// Position.
        #[label("here")]
        span: Span,
    },
    /// A text without its closing quote.
    #[error("the text has no closing quote")]
    #[diagnostic(
        code(rules::open_text),
        help("close the text with `\"` on the same line; write `\\\"` for a quote inside it")
    )]
    OpenText {
        /// Beginning of the text.
        #[label("begins here")]
        span: Span,
    },
    /// An invalid number, day or escape sequence.
    #[error("`{text}` is not {what}")]
    #[diagnostic(code(rules::bad_literal))]
    BadLiteral {
        /// Text as written.
        text: String,
        /// Description of valid texts.
        what: &'static str,
        /// Position.
        #[label("here")]
        span: Span,
    },
    /// A confidence that is not a probability.
    #[error("the confidence {value} is not between 0 and 1")]
    #[diagnostic(code(rules::confidence), help("0.9 means that the rule is right nine times out of ten{}", percent(*.value)))]
    Confidence {
        /// Value as written.
        value: f64,
        /// Position.
        #[label("not a probability")]
        span: Span,
    },
    /// An interval whose bounds are in the wrong order.
    #[error("the bounds of the confidence [{low}, {high}] are in the wrong order")]
    #[diagnostic(code(rules::confidence_order), help("write the smaller one first: `[{high}, {low}]`"))]
    ConfidenceOrder {
        /// First bound as written.
        low: f64,
        /// Second bound as written.
        high: f64,
        /// Position.
        #[label("here")]
        span: Span,
    },
    /// A threshold that is not a degree of equality.
    #[error("the threshold {value} is not above 0 and at most 1")]
    #[diagnostic(code(rules::threshold), help("1 requires equal texts, 0.8 permits two of ten letters to differ"))]
    Threshold {
        /// Value as written.
        value: f64,
        /// Position.
        #[label("not a degree of equality")]
        span: Span,
    },
    /// An unknown name.
    #[error("unknown {what} `{name}`")]
    #[diagnostic(code(rules::unknown_name))]
    UnknownName {
        /// Kind of name: `field`, `column of S`, `reference table`, `conclusion`.
        what: String,
        /// Name as written.
        name: String,
        /// Most similar name, or a list of the existing ones.
        #[help]
        hint: Option<String>,
        /// Position.
        #[label("unknown")]
        span: Span,
    },
    /// A column of a reference table is used where no row is in scope.
    #[error("`{field}` is used outside `exists {of} (…)` and `none {of} (…)`")]
    #[diagnostic(code(rules::no_row), help("choose a row first: `exists {of} (E.code = {of}.code and …)`"))]
    NoRow {
        /// Field as written.
        field: String,
        /// Reference table.
        of: String,
        /// Position.
        #[label("no row is in scope here")]
        span: Span,
    },
    /// An `exists` or `none` inside another one.
    #[error("`{word}` is nested in another `exists` or `none`")]
    #[diagnostic(
        code(rules::nested_rows),
        help("join the tables beforehand, or move the inner condition to a rule of its own")
    )]
    NestedRows {
        /// `exists` or `none`.
        word: &'static str,
        /// Position.
        #[label("nested here")]
        span: Span,
    },
    /// Two rules, references or renames with the same name.
    #[error("{what} `{name}` is defined twice")]
    #[diagnostic(code(rules::twice))]
    Twice {
        /// Kind of name: `the rule`, `the reference table`, `the renaming of`.
        what: &'static str,
        /// The name.
        name: String,
        /// Position of the first definition.
        #[label("first defined here")]
        first_span: Span,
        /// Position of the second definition.
        #[label("defined again here")]
        span: Span,
    },
    /// A rule that concludes its own condition. Conclusions may depend on each other in a cycle, but a single rule that
    /// does is a mistake.
    #[error("`{rule}` concludes its own condition `{name}`")]
    #[diagnostic(code(rules::circle), help("such a rule has no effect; remove it, or change its condition"))]
    Circle {
        /// Name of the rule.
        rule: String,
        /// The conclusion.
        name: String,
        /// Position of the conclusion.
        #[label("also in the condition")]
        span: Span,
    },
    /// A condition that is false for every record.
    #[error("the condition of `{rule}` can never hold")]
    #[diagnostic(code(rules::never), help("it requires something and its opposite"))]
    Never {
        /// Name of the rule.
        rule: String,
        /// Position of the rule's name.
        #[label("this rule")]
        span: Span,
    },
    /// Confidences that no record for which a rule's condition holds can satisfy.
    #[error("where `{rule}` applies, the rules contradict each other: {conflict}")]
    #[diagnostic(code(rules::inconsistent))]
    Inconsistent {
        /// Rule whose condition is assumed.
        rule: String,
        /// Rules that contradict each other.
        conflict: String,
        /// Smallest change that resolves the contradiction.
        #[help]
        weakening: Option<String>,
        /// Position of the first confidence that must change.
        #[label("contradicts the others")]
        span: Span,
    },
    /// A condition that is nested too deeply.
    #[error("the condition nests more than {MAX_DEPTH} deep")]
    #[diagnostic(code(rules::too_deep))]
    TooDeep {
        /// Position at which the limit is exceeded.
        #[label("here")]
        span: Span,
    },
    /// A file with too many rules.
    #[error("there are more than {MAX_RULES} rules")]
    #[diagnostic(code(rules::too_many))]
    TooMany {
        /// Position of the first rule beyond the limit.
        #[label("the first rule beyond the limit")]
        span: Span,
    },
    /// A file that is too long.
    #[error("the rule file is longer than {MAX_BYTES} bytes")]
    #[diagnostic(code(rules::too_long))]
    TooLong {
        /// Beginning of the file.
        #[label("this file")]
        span: Span,
    },
    /// A file without rules.
    #[error("the file contains no rules")]
    #[diagnostic(
        code(rules::no_rules),
        help("write a rule such as `R1: none S (E.code = S.code) -> Unapproved [0.9]`")
    )]
    NoRules {
        /// Beginning of the file.
        #[label("no rule in this file")]
        span: Span,
    },
}

fn percent(value: f64) -> String {
    if (2.0..=100.0).contains(&value) {
        format!("; for {value} percent write {}", value / 100.0)
    } else {
        String::new()
    }
}

impl RuleError {
    /// Returns the position in the file.
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
