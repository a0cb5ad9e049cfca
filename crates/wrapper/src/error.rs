//! Errors in wrapper files: typed, with a code, a place in the file and a hint.
//!
//! A reader continues after an error where it can, so [`Errors`] holds all errors found, in the order of the file.
//! The messages are part of the interface: `tests/it/errors.rs` holds them as snapshots, and `docs/wrappers.md` shows
//! them.

use windrow_xpath::{ParseError, Span};

use crate::wrapper::Text;

/// The errors for which a wrapper was rejected: at least one, in the order of the file.
#[derive(Debug, Clone, PartialEq, thiserror::Error, miette::Diagnostic)]
#[error("{}", heading(.0.len()))]
#[diagnostic(code(wrapper::rejected))]
pub struct Errors(#[related] pub Vec<WrapperError>);

impl Errors {
    /// Returns `value` if there are no errors.
    pub(crate) fn unless_empty<T>(mut errors: Vec<WrapperError>, value: T) -> Result<T, Errors> {
        if errors.is_empty() {
            return Ok(value);
        }
        errors.sort_by_key(|error| error.span().map_or(0, |span| span.start));
        Err(Errors(errors))
    }
}

impl From<WrapperError> for Errors {
    fn from(error: WrapperError) -> Errors {
        Errors(vec![error])
    }
}

fn heading(count: usize) -> String {
    match count {
        1 => "the wrapper has an error".to_owned(),
        _ => format!("the wrapper has {count} errors"),
    }
}

/// One error in a wrapper.
///
/// Spans are places in the wrapper file; they are `None` for a wrapper that was not read from a file.
#[derive(Debug, Clone, PartialEq, thiserror::Error, miette::Diagnostic)]
#[non_exhaustive]
pub enum WrapperError {
    /// The file cannot be parsed in its format.
    #[error("this is not {format}: {message}")]
    #[diagnostic(code(wrapper::syntax))]
    Syntax {
        /// Name of the format: `TOML`, `JSON`, `XML`…
        format: &'static str,
        /// Message of the format's parser.
        message: String,
        /// Suggested correction.
        #[help]
        hint: Option<String>,
        /// Place of the error.
        #[label("here")]
        span: Option<Span>,
    },
    /// A key that the language does not have.
    #[error("unknown key `{key}` in {place}")]
    #[diagnostic(code(wrapper::unknown_key))]
    UnknownKey {
        /// Key as written.
        key: String,
        /// Kind of table that contains it: `a list`, `a locator`…
        place: &'static str,
        /// Most similar key, or the list of valid keys.
        #[help]
        hint: Option<String>,
        /// Place of the key.
        #[label("no such key here")]
        span: Option<Span>,
    },
    /// A required key is missing.
    #[error("{place} needs `{key}`")]
    #[diagnostic(code(wrapper::missing_key))]
    MissingKey {
        /// Missing key.
        key: &'static str,
        /// Kind of table that needs it.
        place: &'static str,
        /// Example of the key.
        #[help]
        hint: Option<String>,
        /// Place of the table.
        #[label("in this one")]
        span: Option<Span>,
    },
    /// Two keys that exclude each other.
    #[error("`{first}` and `{second}` cannot be used together")]
    #[diagnostic(code(wrapper::conflicting_keys))]
    ConflictingKeys {
        /// First key.
        first: String,
        /// Second key.
        second: String,
        /// Suggested correction.
        #[help]
        hint: Option<String>,
        /// Place of the second key.
        #[label("remove one of the two")]
        span: Option<Span>,
    },
    /// A value of the wrong type or out of its range.
    #[error("`{key}` must be {expected}, not {found}")]
    #[diagnostic(code(wrapper::wrong_value))]
    WrongValue {
        /// The key.
        key: String,
        /// Description of the allowed values.
        expected: String,
        /// Value found.
        found: String,
        /// Suggested correction.
        #[help]
        hint: Option<String>,
        /// Place of the value.
        #[label("here")]
        span: Option<Span>,
    },
    /// A text that is not allowed as a name.
    #[error("`{name}` is not a valid name")]
    #[diagnostic(
        code(wrapper::bad_name),
        help("a name begins with a letter or `_` and contains no space, comma, quote or bracket")
    )]
    BadName {
        /// Name as written.
        name: String,
        /// Place of the name.
        #[label("here")]
        span: Option<Span>,
    },
    /// Two rules of one scope have the same name.
    #[error("two rules in one scope are named `{name}`")]
    #[diagnostic(code(wrapper::duplicate_name), help("rename one of them; `label` shows both under one name"))]
    DuplicateName {
        /// The name.
        name: String,
        /// Place of the second rule.
        #[label("the second one")]
        span: Option<Span>,
    },
    /// An XPath expression or CSS selector that does not parse.
    #[error("in the rule `{rule}`: {error}")]
    #[diagnostic(code(wrapper::bad_expression))]
    BadExpression {
        /// Name of the rule.
        rule: String,
        /// Error from the expression parser.
        error: Box<ParseError>,
        /// Hint from the expression parser.
        #[help]
        hint: Option<String>,
        /// Place of the error.
        #[label("here")]
        span: Option<Span>,
    },
    /// A regular expression that does not compile.
    #[error("in the rule `{rule}`: invalid regular expression: {message}")]
    #[diagnostic(code(wrapper::bad_regex))]
    BadRegex {
        /// Name of the rule.
        rule: String,
        /// Message of the regular expression parser.
        message: String,
        /// Suggested correction.
        #[help]
        hint: Option<String>,
        /// Place of the regular expression.
        #[label("here")]
        span: Option<Span>,
    },
    /// A pattern that saves nothing.
    #[error("the pattern saves nothing: it has no `#`")]
    #[diagnostic(
        code(wrapper::pattern_without_save),
        help("`*` discards and `#` saves: `*<b>#</b>*` saves what stands between the first <b> and </b>")
    )]
    PatternWithoutSave {
        /// Place of the pattern.
        #[label("no `#` in it")]
        span: Option<Span>,
    },
    /// A pattern with two adjacent wildcards.
    #[error("`{pair}` has no text between its two wildcards, so the end of the first is ambiguous")]
    #[diagnostic(code(wrapper::adjacent_wildcards), help("write the text between them, or remove one of them"))]
    AdjacentWildcards {
        /// The two wildcards.
        pair: String,
        /// Place of the wildcards.
        #[label("here")]
        span: Option<Span>,
    },
    /// A pattern that saves more or fewer texts than there are names for them.
    #[error("{variables} {} for a pattern with {saves} `#`", if *.variables == 1 { "variable" } else { "variables" })]
    #[diagnostic(
        code(wrapper::variable_count),
        help("each `#` fills one variable, in order; give a text you do not need a name that begins with `_`")
    )]
    VariableCount {
        /// Number of names.
        variables: usize,
        /// Number of texts saved.
        saves: usize,
        /// Place of the pattern.
        #[label("{saves} saved here")]
        span: Option<Span>,
    },
    /// A token rule that does not parse.
    #[error("invalid token rule: {message}")]
    #[diagnostic(code(wrapper::bad_landmark), help("{hint}"))]
    BadLandmark {
        /// Description of the error.
        message: String,
        /// Suggested correction.
        hint: &'static str,
        /// Place of the error.
        #[label("here")]
        span: Option<Span>,
    },
    /// A `split` with an empty delimiter.
    #[error("nothing to split by: the delimiter is empty")]
    #[diagnostic(code(wrapper::empty_delimiter), help("`split` cuts at each occurrence of a text, such as `<tr`"))]
    EmptyDelimiter {
        /// Place of the delimiter.
        #[label("empty")]
        span: Option<Span>,
    },
    /// A variable that no rule in this scope or an outer one defines.
    #[error("no rule defines `{name}`")]
    #[diagnostic(code(wrapper::unknown_variable))]
    UnknownVariable {
        /// Name of the variable.
        name: String,
        /// Most similar name.
        #[help]
        hint: Option<String>,
        /// Place of its use.
        #[label("used here")]
        span: Option<Span>,
    },
    /// A variable used by a command before the one that defines it.
    #[error("`{name}` is used before it is defined")]
    #[diagnostic(code(wrapper::used_before_defined), help("commands run in order: move the one that defines it up"))]
    UsedBeforeDefined {
        /// The name.
        name: String,
        /// Place of its use.
        #[label("used here")]
        span: Option<Span>,
        /// Place of its definition.
        #[label("defined here")]
        defined: Option<Span>,
    },
    /// Variables that depend on each other.
    #[error("{} is a cycle of definitions", cycle(.names))]
    #[diagnostic(code(wrapper::cycle), help("one of them has to come from a page: `get('…')`"))]
    Cycle {
        /// Names in order; the last one uses the first.
        names: Vec<String>,
        /// Place of the first command of the cycle.
        #[label("begins here")]
        span: Option<Span>,
    },
    /// A function that the bracket language does not have.
    #[error("unknown function `{name}`")]
    #[diagnostic(code(wrapper::unknown_function))]
    UnknownFunction {
        /// Name as written.
        name: String,
        /// Most similar function, or the list of functions.
        #[help]
        hint: Option<String>,
        /// Place of the name.
        #[label("no such function")]
        span: Option<Span>,
    },
    /// A slice that cannot be parsed, or that can never select a member.
    #[error("`{slice}` is not a valid slice: {message}")]
    #[diagnostic(
        code(wrapper::bad_slice),
        help("`[1:0]` leaves out one member at the beginning and none at the end; `[2]` selects only the third")
    )]
    BadSlice {
        /// Slice as written.
        slice: String,
        /// Description of the error.
        message: String,
        /// Place of the slice.
        #[label("here")]
        span: Option<Span>,
    },
    /// An opening bracket, brace, parenthesis or quote without its closing counterpart.
    #[error("`{open}` is not closed")]
    #[diagnostic(code(wrapper::unbalanced))]
    Unbalanced {
        /// Opening character.
        open: char,
        /// Suggested correction.
        #[help]
        hint: Option<String>,
        /// Place of the opening character.
        #[label("opened here")]
        span: Option<Span>,
    },
    /// A bracket of the wrong kind.
    #[error("found `{found}` where `{expected}` is expected")]
    #[diagnostic(
        code(wrapper::wrong_bracket),
        help(
            "the list of commands and each command are enclosed in `[` and `]`: [[\"root\", \"get('…')\", \"#\"], …]"
        )
    )]
    WrongBracket {
        /// Bracket found.
        found: char,
        /// Bracket expected.
        expected: char,
        /// Place of the bracket.
        #[label("put `{expected}` here")]
        span: Option<Span>,
    },
    /// A closing bracket or parenthesis without an opening one.
    #[error("`{close}` has no matching opening bracket")]
    #[diagnostic(code(wrapper::unopened))]
    Unopened {
        /// Closing character.
        close: char,
        /// Suggested correction.
        #[help]
        hint: Option<String>,
        /// Place of the closing character.
        #[label("no open bracket here")]
        span: Option<Span>,
    },
    /// A command that does not have exactly three parts.
    #[error("a command has three parts, this one has {found}")]
    #[diagnostic(
        code(wrapper::command_parts),
        help("[variables, source, pattern], each in quotes: [\"title\", \"root\", \"*<H1>#</H1>*\"]")
    )]
    CommandParts {
        /// Number of parts found.
        found: usize,
        /// Place of the command.
        #[label("this command")]
        span: Option<Span>,
    },
    /// Alternatives of one `case` that save different numbers of texts.
    #[error(
        "all alternatives of a `case` must save the same number of texts: {first} in the first, {saves} in this one"
    )]
    #[diagnostic(code(wrapper::case_count), help("each `#` fills one variable, whichever alternative matches"))]
    CaseCount {
        /// Number of texts saved by the first alternative.
        first: usize,
        /// Number of texts saved by this alternative.
        saves: usize,
        /// Place of this alternative.
        #[label("{saves} saved here")]
        span: Option<Span>,
    },
    /// A wrapper with more rules, or deeper nesting, than the limits allow.
    #[error("the wrapper has too many {what}: more than {limit}")]
    #[diagnostic(code(wrapper::too_large))]
    TooLarge {
        /// Name of the bounded quantity.
        what: &'static str,
        /// Upper limit.
        limit: usize,
        /// Place of the first element beyond the limit.
        #[label("here")]
        span: Option<Span>,
    },
    /// A key of a list that names something other than a field of its records.
    #[error("`{name}` cannot be in the key of `{list}`: {message}")]
    #[diagnostic(code(wrapper::bad_key))]
    BadKey {
        /// Name as written.
        name: String,
        /// Name of the list.
        list: String,
        /// Reason for the rejection.
        message: String,
        /// Most similar name, or the list of valid names.
        #[help]
        hint: Option<String>,
        /// Place of the name.
        #[label("named here")]
        span: Option<Span>,
    },
    /// A `search` section that cannot send a query, or whose results have no link.
    #[error("{message}")]
    #[diagnostic(code(wrapper::bad_search))]
    BadSearch {
        /// Description of the error.
        message: String,
        /// Suggested correction.
        #[help]
        hint: Option<String>,
        /// Place of the error.
        #[label("here")]
        span: Option<Span>,
    },
    /// A rule without a `path`, when its absolute path is needed.
    #[error("the rule `{rule}` has no `path`")]
    #[diagnostic(
        code(wrapper::no_path),
        help("learned wrappers have one in each rule; add it by hand as `path = \"/html[1]/body[1]/…\"`")
    )]
    NoPath {
        /// Name of the rule, preceded by the names of its parents.
        rule: String,
        /// Place of the rule in its file.
        #[label("this one")]
        span: Option<Span>,
    },
    /// A rule that the output format cannot express.
    #[error("the rule `{rule}` cannot be written as {format}: {message}")]
    #[diagnostic(code(wrapper::not_expressible), help("TOML and JSON can express every wrapper{}", by_a_page(format)))]
    NotExpressible {
        /// Name of the rule.
        rule: String,
        /// Name of the format.
        format: &'static str,
        /// Description of the part that cannot be expressed.
        message: String,
        /// Place of the rule in the file it was read from.
        #[label("this one")]
        span: Option<Span>,
    },
}

/// Returns a further suggestion for a wrapper that a format cannot express.
fn by_a_page(format: &str) -> &'static str {
    match format {
        // The name that the writer uses for this format.
        "TSIMMIS commands" => "; given a page (`--page`), commands are learned from what the rules find there",
        _ => "",
    }
}

fn cycle(names: &[String]) -> String {
    let mut text = String::new();
    for name in names.iter().chain(names.first()) {
        if !text.is_empty() {
            text.push_str(" → ");
        }
        text.push_str(name);
    }
    text
}

impl WrapperError {
    /// Creates the error for an expression of a rule that does not parse, with its place in the file.
    pub(crate) fn in_expression(rule: &Text, expression: &Text, error: ParseError) -> WrapperError {
        let hint = miette::Diagnostic::help(&error).map(|help| help.to_string());
        let span = expression.within(error.span());
        WrapperError::BadExpression { rule: rule.value.clone(), error: Box::new(error), hint, span }
    }

    /// Returns the place in the file.
    pub fn span(&self) -> Option<Span> {
        use WrapperError::*;
        match self {
            Syntax { span, .. }
            | UnknownKey { span, .. }
            | MissingKey { span, .. }
            | ConflictingKeys { span, .. }
            | WrongValue { span, .. }
            | BadName { span, .. }
            | DuplicateName { span, .. }
            | BadExpression { span, .. }
            | BadRegex { span, .. }
            | PatternWithoutSave { span }
            | AdjacentWildcards { span, .. }
            | VariableCount { span, .. }
            | BadLandmark { span, .. }
            | EmptyDelimiter { span }
            | UnknownVariable { span, .. }
            | UsedBeforeDefined { span, .. }
            | Cycle { span, .. }
            | UnknownFunction { span, .. }
            | BadSlice { span, .. }
            | Unbalanced { span, .. }
            | WrongBracket { span, .. }
            | Unopened { span, .. }
            | CommandParts { span, .. }
            | CaseCount { span, .. }
            | TooLarge { span, .. }
            | BadKey { span, .. }
            | BadSearch { span, .. }
            | NoPath { span, .. }
            | NotExpressible { span, .. } => *span,
        }
    }

    /// Removes the place, for a wrapper that was not read from a file.
    pub(crate) fn unplaced(mut self) -> WrapperError {
        use WrapperError::*;
        match &mut self {
            Syntax { span, .. }
            | UnknownKey { span, .. }
            | MissingKey { span, .. }
            | ConflictingKeys { span, .. }
            | WrongValue { span, .. }
            | BadName { span, .. }
            | DuplicateName { span, .. }
            | BadExpression { span, .. }
            | BadRegex { span, .. }
            | PatternWithoutSave { span }
            | AdjacentWildcards { span, .. }
            | VariableCount { span, .. }
            | BadLandmark { span, .. }
            | EmptyDelimiter { span }
            | UnknownVariable { span, .. }
            | UsedBeforeDefined { span, .. }
            | Cycle { span, .. }
            | UnknownFunction { span, .. }
            | BadSlice { span, .. }
            | Unbalanced { span, .. }
            | WrongBracket { span, .. }
            | Unopened { span, .. }
            | CommandParts { span, .. }
            | CaseCount { span, .. }
            | TooLarge { span, .. }
            | BadKey { span, .. }
            | BadSearch { span, .. }
            | NoPath { span, .. }
            | NotExpressible { span, .. } => *span = None,
        }
        self
    }
}

/// Returns the candidate most similar to `name`, if at most a third of its letters (at least one) differ.
pub fn nearest<'a>(name: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let limit = (name.chars().count() / 3).max(1);
    candidates
        .into_iter()
        .map(|candidate| (distance(name, candidate, limit + 1), candidate))
        .filter(|&(distance, _)| distance <= limit)
        .min_by_key(|&(distance, _)| distance)
        .map(|(_, candidate)| candidate)
}

/// Computes the edit distance with transpositions, ignoring case; returns at most `cap`.
fn distance(a: &str, b: &str, cap: usize) -> usize {
    let (a, b): (Vec<char>, Vec<char>) =
        (a.to_lowercase().chars().take(64).collect(), b.to_lowercase().chars().take(64).collect());
    if a.len().abs_diff(b.len()) >= cap {
        return cap;
    }
    let mut before: Vec<usize> = Vec::new();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for i in 1..=a.len() {
        let mut next = vec![i; b.len() + 1];
        for j in 1..=b.len() {
            let change = row[j - 1] + usize::from(a[i - 1] != b[j - 1]);
            next[j] = change.min(row[j] + 1).min(next[j - 1] + 1);
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                next[j] = next[j].min(before[j - 2] + 1);
            }
        }
        before = std::mem::replace(&mut row, next);
    }
    row[b.len()].min(cap)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_is_near() {
        assert_eq!(nearest("xpaht", ["css", "xpath", "split"]), Some("xpath"));
        assert_eq!(nearest("Recrods", ["records", "rules"]), Some("records"));
        assert_eq!(nearest("banana", ["css", "xpath"]), None);
    }
}
