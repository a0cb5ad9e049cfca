//! Errors in expressions and in their evaluation: typed, with a code, a place and a hint.
//!
//! The messages are part of the interface; `tests/it/errors.rs` holds them as snapshots.

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
    /// Creates the span from `start` up to `end`.
    pub fn new(start: usize, end: usize) -> Span {
        Span { start, end }
    }

    /// Returns the range for slicing.
    pub fn range(self) -> Range<usize> {
        self.start..self.end
    }

    /// Returns the smallest span that covers both.
    pub(crate) fn to(self, other: Span) -> Span {
        Span { start: self.start.min(other.start), end: self.end.max(other.end) }
    }

    /// Returns the same place in a text that is preceded by `by` more bytes.
    pub(crate) fn shift(self, by: usize) -> Span {
        Span { start: self.start + by, end: self.end + by }
    }
}

impl From<Span> for miette::SourceSpan {
    fn from(span: Span) -> miette::SourceSpan {
        (span.start, span.end.saturating_sub(span.start)).into()
    }
}

/// An error in an expression.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error, miette::Diagnostic)]
#[non_exhaustive]
pub enum ParseError {
    /// The expression is empty.
    #[error("the expression is empty")]
    #[diagnostic(code(xpath::empty), help("`//a` selects all links, `.` the context node itself"))]
    Empty {
        /// Place of the expression.
        #[label("nothing here")]
        span: Span,
    },
    /// A character that cannot begin a token.
    #[error("unexpected character `{found}`")]
    #[diagnostic(code(xpath::unexpected_character))]
    UnexpectedCharacter {
        /// The character.
        found: char,
        /// Suggested correction.
        #[help]
        hint: Option<&'static str>,
        /// Place of the character.
        #[label("not part of any token")]
        span: Span,
    },
    /// A string literal without its closing quote.
    #[error("the string is not closed")]
    #[diagnostic(code(xpath::unclosed_string))]
    UnclosedString {
        /// Suggested correction.
        #[help]
        hint: Option<&'static str>,
        /// Place of the string, from the opening quote on.
        #[label("opened here")]
        span: Span,
    },
    /// A token that the grammar does not allow here.
    #[error("expected {expected}, found {found}")]
    #[diagnostic(code(xpath::unexpected_token))]
    UnexpectedToken {
        /// Description of the allowed tokens.
        expected: &'static str,
        /// Token found.
        found: String,
        /// Suggested correction.
        #[help]
        hint: Option<&'static str>,
        /// Place of the token.
        #[label("here")]
        span: Span,
    },
    /// An unknown name before `::`.
    #[error("unknown axis `{name}`")]
    #[diagnostic(code(xpath::unknown_axis), help("did you mean `{nearest}::`?"))]
    UnknownAxis {
        /// Name as written.
        name: String,
        /// Most similar axis.
        nearest: &'static str,
        /// Place of the name.
        #[label("not one of the thirteen axes")]
        span: Span,
    },
    /// A function that XPath 1.0 does not have.
    #[error("unknown function `{name}()`")]
    #[diagnostic(code(xpath::unknown_function), help("{hint}"))]
    UnknownFunction {
        /// Name as written.
        name: String,
        /// Suggested replacement.
        hint: String,
        /// Place of the name.
        #[label("not an XPath 1.0 function")]
        span: Span,
    },
    /// A call with too many or too few arguments.
    #[error("`{name}()` takes {wanted}, not {given}")]
    #[diagnostic(code(xpath::argument_count), help("{signature}"))]
    ArgumentCount {
        /// Name of the function.
        name: &'static str,
        /// Description of the arguments it takes.
        wanted: &'static str,
        /// Number of arguments given.
        given: usize,
        /// Signature of the function.
        signature: &'static str,
        /// Place of the call.
        #[label("in this call")]
        span: Span,
    },
    /// A string, number or boolean where only nodes make sense.
    #[error("{place} needs nodes, but this is a {found}")]
    #[diagnostic(code(xpath::not_nodes), help("only paths, unions, variables and `id()` return nodes"))]
    NotNodes {
        /// Construct that needs nodes.
        place: &'static str,
        /// Type found.
        found: &'static str,
        /// Place of the operand.
        #[label("a {found}")]
        span: Span,
    },
    /// A pseudo-class that is not supported.
    #[error("unknown pseudo-class `:{name}`")]
    #[diagnostic(code(css::unknown_pseudo_class), help("{hint}"))]
    UnknownPseudoClass {
        /// Name as written.
        name: String,
        /// Suggested replacement.
        hint: String,
        /// Place of the pseudo-class.
        #[label("not supported")]
        span: Span,
    },
    /// A pseudo-element that is not supported or not allowed here.
    #[error("unknown pseudo-element `::{name}`")]
    #[diagnostic(
        code(css::unknown_pseudo_element),
        help("`::text` and `::attr(name)` are supported, as the last step")
    )]
    UnknownPseudoElement {
        /// Name as written.
        name: String,
        /// Place of the pseudo-element.
        #[label("not supported here")]
        span: Span,
    },
    /// An argument of `:nth-child()` or a similar pseudo-class that is not `an+b`.
    #[error("`{found}` is not a valid position")]
    #[diagnostic(code(css::nth), help("write `odd`, `even`, a number, or `an+b` as in `2n+1`"))]
    BadNth {
        /// Argument as written.
        found: String,
        /// Place of the argument.
        #[label("expected `an+b`")]
        span: Span,
    },
    /// An expression longer than the limit.
    #[error("the expression is {length} bytes long; the limit is {limit}")]
    #[diagnostic(code(xpath::too_long))]
    TooLong {
        /// Length of the expression.
        length: usize,
        /// Upper limit.
        limit: usize,
    },
    /// An expression whose parentheses, predicates or operators are nested deeper than the limit.
    #[error("the expression is nested more than {limit} deep")]
    #[diagnostic(code(xpath::too_deep), help("split it into several expressions"))]
    TooDeep {
        /// Upper limit.
        limit: usize,
        /// Place where the limit was exceeded.
        #[label("too deep from here on")]
        span: Span,
    },
}

impl ParseError {
    /// Returns the place in the expression.
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

    /// Shifts the place by `by` bytes, for expressions inside other files.
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

/// An error that prevents an expression from returning a value on a page.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error, miette::Diagnostic)]
#[non_exhaustive]
pub enum EvalError {
    /// The expression visits more nodes of the page than its budget allows.
    #[error("the expression visits more than {budget} nodes")]
    #[diagnostic(
        code(xpath::budget),
        help("nested `//` in predicates multiply: name the elements, or give a larger budget")
    )]
    Budget {
        /// The limit, see [`Environment::with_budget`](crate::Environment::with_budget).
        budget: u64,
    },
    /// The expression does not return nodes, although nodes were requested.
    #[error("the expression returns a {found}, not nodes")]
    #[diagnostic(code(xpath::not_a_node_set), help("evaluate it to a value instead of selecting with it"))]
    NotNodes {
        /// Type of its value: `string`, `number` or `boolean`.
        found: &'static str,
    },
    /// A variable that the environment does not define.
    #[error("undefined variable `${name}`")]
    #[diagnostic(code(xpath::undefined_variable))]
    UndefinedVariable {
        /// Name without the `$`.
        name: String,
        /// Place of its use.
        #[label("no value was given for this")]
        span: Span,
    },
    /// A variable that contains a string, number or boolean is used where only nodes make sense.
    #[error("the variable `${name}` must hold nodes, but holds a {found}")]
    #[diagnostic(code(xpath::variable_type))]
    VariableType {
        /// Name without the `$`.
        name: String,
        /// Type of its value.
        found: &'static str,
        /// Place of its use.
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
        /// Name of the prefix.
        prefix: String,
        /// Place of its use.
        #[label("not declared")]
        span: Span,
    },
    /// The context node is not a node of this document.
    #[error("the context node is not in this document")]
    #[diagnostic(code(xpath::context))]
    NoSuchNode,
}

/// Returns the candidate most similar to `name`: fewest edits, the first one if several are equal.
pub(crate) fn nearest<'a>(name: &str, candidates: &[&'a str]) -> &'a str {
    let name = name.to_ascii_lowercase();
    candidates.iter().copied().min_by_key(|candidate| distance(&name, candidate)).unwrap_or("")
}

/// Counts the edits between two short names. A common prefix reduces the distance: `contain` is nearer to `contains`
/// than to `count`.
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
