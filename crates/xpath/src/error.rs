//! What can be wrong with an expression, and with running one: typed, with a code, a place and a hint.
//!
//! The texts are part of the interface; `tests/it/errors.rs` holds them as snapshots.

use std::ops::Range;

/// A range of bytes in an expression.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Span {
    /// First byte.
    pub start: usize,
    /// One past the last byte.
    pub end: usize,
}

impl Span {
    /// The span from `start` up to `end`.
    pub fn new(start: usize, end: usize) -> Span {
        Span { start, end }
    }

    /// As a range for slicing.
    pub fn range(self) -> Range<usize> {
        self.start..self.end
    }

    /// The smallest span that covers both.
    pub(crate) fn to(self, other: Span) -> Span {
        Span { start: self.start.min(other.start), end: self.end.max(other.end) }
    }

    /// The same place in a text that has `by` bytes in front.
    pub(crate) fn shift(self, by: usize) -> Span {
        Span { start: self.start + by, end: self.end + by }
    }
}

impl From<Span> for miette::SourceSpan {
    fn from(span: Span) -> miette::SourceSpan {
        (span.start, span.end.saturating_sub(span.start)).into()
    }
}

/// Why an expression was rejected.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error, miette::Diagnostic)]
#[non_exhaustive]
pub enum ParseError {
    /// There is nothing to evaluate.
    #[error("the expression is empty")]
    #[diagnostic(code(xpath::empty), help("`//a` selects all links, `.` the context node itself"))]
    Empty {
        /// Where.
        #[label("nothing here")]
        span: Span,
    },
    /// A character that begins no token.
    #[error("unexpected character `{found}`")]
    #[diagnostic(code(xpath::unexpected_character))]
    UnexpectedCharacter {
        /// The character.
        found: char,
        /// What may have been meant.
        #[help]
        hint: Option<&'static str>,
        /// Where.
        #[label("not part of any token")]
        span: Span,
    },
    /// A string literal without its closing quote.
    #[error("the string is not closed")]
    #[diagnostic(code(xpath::unclosed_string))]
    UnclosedString {
        /// What may be wrong.
        #[help]
        hint: Option<&'static str>,
        /// From the opening quote on.
        #[label("opened here")]
        span: Span,
    },
    /// The grammar wants something else here.
    #[error("expected {expected}, found {found}")]
    #[diagnostic(code(xpath::unexpected_token))]
    UnexpectedToken {
        /// What could follow.
        expected: &'static str,
        /// What stands there.
        found: String,
        /// What may have been meant.
        #[help]
        hint: Option<&'static str>,
        /// Where.
        #[label("here")]
        span: Span,
    },
    /// `name::` that is no axis.
    #[error("unknown axis `{name}`")]
    #[diagnostic(code(xpath::unknown_axis), help("did you mean `{nearest}::`?"))]
    UnknownAxis {
        /// As written.
        name: String,
        /// The axis most like it.
        nearest: &'static str,
        /// Where.
        #[label("not one of the thirteen axes")]
        span: Span,
    },
    /// A function that XPath 1.0 does not have.
    #[error("unknown function `{name}()`")]
    #[diagnostic(code(xpath::unknown_function), help("{hint}"))]
    UnknownFunction {
        /// As written.
        name: String,
        /// What to write instead.
        hint: String,
        /// Where.
        #[label("not an XPath 1.0 function")]
        span: Span,
    },
    /// A function given too many or too few arguments.
    #[error("`{name}()` takes {wanted}, not {given}")]
    #[diagnostic(code(xpath::argument_count), help("{signature}"))]
    ArgumentCount {
        /// The function.
        name: &'static str,
        /// How many it takes, in words.
        wanted: &'static str,
        /// How many there are.
        given: usize,
        /// The function's signature.
        signature: &'static str,
        /// The call.
        #[label("in this call")]
        span: Span,
    },
    /// A string, number or boolean where only nodes make sense.
    #[error("{place} needs nodes, but this is a {found}")]
    #[diagnostic(code(xpath::not_nodes), help("only paths, unions, variables and `id()` give nodes"))]
    NotNodes {
        /// What needs them.
        place: &'static str,
        /// What it is instead.
        found: &'static str,
        /// The operand.
        #[label("a {found}")]
        span: Span,
    },
    /// A pseudo-class that is not supported.
    #[error("unknown pseudo-class `:{name}`")]
    #[diagnostic(code(css::unknown_pseudo_class), help("{hint}"))]
    UnknownPseudoClass {
        /// As written.
        name: String,
        /// What to write instead.
        hint: String,
        /// Where.
        #[label("not supported")]
        span: Span,
    },
    /// A pseudo-element that is not supported, or stands where none can.
    #[error("unknown pseudo-element `::{name}`")]
    #[diagnostic(
        code(css::unknown_pseudo_element),
        help("`::text` and `::attr(name)` are supported, as the last step")
    )]
    UnknownPseudoElement {
        /// As written.
        name: String,
        /// Where.
        #[label("not supported here")]
        span: Span,
    },
    /// The argument of `:nth-child()` and its kin is not `an+b`.
    #[error("`{found}` is not a valid position")]
    #[diagnostic(code(css::nth), help("write `odd`, `even`, a number, or `an+b` as in `2n+1`"))]
    BadNth {
        /// As written.
        found: String,
        /// Where.
        #[label("expected `an+b`")]
        span: Span,
    },
    /// The expression is longer than can be allowed.
    #[error("the expression is {length} bytes long; the limit is {limit}")]
    #[diagnostic(code(xpath::too_long))]
    TooLong {
        /// Its length.
        length: usize,
        /// The limit.
        limit: usize,
    },
    /// Parentheses, predicates or operators are nested deeper than can be allowed.
    #[error("the expression is nested more than {limit} deep")]
    #[diagnostic(code(xpath::too_deep), help("split it into several expressions"))]
    TooDeep {
        /// The limit.
        limit: usize,
        /// Where the limit was met.
        #[label("too deep from here on")]
        span: Span,
    },
}

impl ParseError {
    /// The place in the expression.
    pub fn span(&self) -> Span {
        match self {
            ParseError::Empty { span }
            | ParseError::UnexpectedCharacter { span, .. }
            | ParseError::UnclosedString { span, .. }
            | ParseError::UnexpectedToken { span, .. }
            | ParseError::UnknownAxis { span, .. }
            | ParseError::UnknownFunction { span, .. }
            | ParseError::ArgumentCount { span, .. }
            | ParseError::NotNodes { span, .. }
            | ParseError::UnknownPseudoClass { span, .. }
            | ParseError::UnknownPseudoElement { span, .. }
            | ParseError::BadNth { span, .. }
            | ParseError::TooDeep { span, .. } => *span,
            ParseError::TooLong { length, limit } => Span::new(*limit, *length),
        }
    }

    /// The same error in a text that has `by` bytes in front: for expressions inside other files.
    pub fn shifted(mut self, by: usize) -> ParseError {
        match &mut self {
            ParseError::Empty { span }
            | ParseError::UnexpectedCharacter { span, .. }
            | ParseError::UnclosedString { span, .. }
            | ParseError::UnexpectedToken { span, .. }
            | ParseError::UnknownAxis { span, .. }
            | ParseError::UnknownFunction { span, .. }
            | ParseError::ArgumentCount { span, .. }
            | ParseError::NotNodes { span, .. }
            | ParseError::UnknownPseudoClass { span, .. }
            | ParseError::UnknownPseudoElement { span, .. }
            | ParseError::BadNth { span, .. }
            | ParseError::TooDeep { span, .. } => *span = span.shift(by),
            ParseError::TooLong { .. } => {}
        }
        self
    }
}

/// Why an expression gave no value on a page.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error, miette::Diagnostic)]
#[non_exhaustive]
pub enum EvalError {
    /// The expression visits more nodes of this page than it may.
    #[error("the expression visits more than {budget} nodes")]
    #[diagnostic(
        code(xpath::budget),
        help("nested `//` in predicates multiply: name the elements, or give a larger budget")
    )]
    Budget {
        /// The limit, see [`Environment::with_budget`](crate::Environment::with_budget).
        budget: u64,
    },
    /// Nodes were asked for; the expression gives something else.
    #[error("the expression gives a {found}, not nodes")]
    #[diagnostic(code(xpath::not_a_node_set), help("evaluate it to a value instead of selecting with it"))]
    NotNodes {
        /// `string`, `number` or `boolean`.
        found: &'static str,
    },
    /// A variable that the environment does not define.
    #[error("undefined variable `${name}`")]
    #[diagnostic(code(xpath::undefined_variable))]
    UndefinedVariable {
        /// Without the `$`.
        name: String,
        /// Where it is used.
        #[label("no value was given for this")]
        span: Span,
    },
    /// A variable that holds a string, number or boolean is used where only nodes make sense.
    #[error("the variable `${name}` must hold nodes, but holds a {found}")]
    #[diagnostic(code(xpath::variable_type))]
    VariableType {
        /// Without the `$`.
        name: String,
        /// What it holds.
        found: &'static str,
        /// Where it is used.
        #[label("needs nodes")]
        span: Span,
    },
    /// A namespace prefix that the environment does not declare.
    #[error("undeclared namespace prefix `{prefix}`")]
    #[diagnostic(
        code(xpath::unknown_prefix),
        help(
            "`html`, `svg`, `math`, `xlink` and `xml` are declared; an element written `<{prefix}:…>` in HTML is found by `*[name() = '{prefix}:…']`"
        )
    )]
    UnknownPrefix {
        /// The prefix.
        prefix: String,
        /// Where it is used.
        #[label("not declared")]
        span: Span,
    },
    /// The context node is not a node of this document.
    #[error("the context node is not in this document")]
    #[diagnostic(code(xpath::context))]
    NoSuchNode,
}

/// The candidate most like `name`: fewest edits, the first of equals.
pub(crate) fn nearest<'a>(name: &str, candidates: &[&'a str]) -> &'a str {
    let name = name.to_ascii_lowercase();
    candidates.iter().copied().min_by_key(|candidate| distance(&name, candidate)).unwrap_or("")
}

/// Edits between two short names. A shared beginning counts half: `contain` is nearer to `contains` than to `count`.
fn distance(left: &str, right: &str) -> usize {
    let left: Vec<char> = left.chars().take(64).collect();
    let right: Vec<char> = right.chars().collect();
    let mut row: Vec<usize> = (0..=right.len()).collect();
    for (at, &from) in left.iter().enumerate() {
        let mut diagonal = row[0];
        row[0] = at + 1;
        for (column, &to) in right.iter().enumerate() {
            let substitution = diagonal + usize::from(from != to);
            diagonal = row[column + 1];
            row[column + 1] = substitution.min(diagonal + 1).min(row[column] + 1);
        }
    }
    let shared = left.iter().zip(&right).take_while(|(a, b)| a == b).count();
    (2 * row[right.len()]).saturating_sub(shared)
}

#[cfg(test)]
mod tests {
    use super::nearest;

    #[test]
    fn nearest_finds_misspellings() {
        let names = ["contains", "concat", "count", "starts-with", "string", "string-length"];
        assert_eq!(nearest("contain", &names), "contains");
        assert_eq!(nearest("startswith", &names), "starts-with");
        assert_eq!(nearest("cont", &names), "count");
    }
}
