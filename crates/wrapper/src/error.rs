//! What can be wrong with a wrapper file: typed, with a code, a place in the file and a hint.
//!
//! A reader goes on after an error where it can, so [`Errors`] holds all that were found, in the order of the file.
//! The texts are part of the interface: `tests/it/errors.rs` holds them as snapshots, and `docs/wrappers.md` shows them.

use windrow_xpath::{ParseError, Span};

use crate::wrapper::Text;

/// Why a wrapper was rejected: at least one error, in the order of the file.
#[derive(Debug, Clone, PartialEq, thiserror::Error, miette::Diagnostic)]
#[error("{}", heading(.0.len()))]
#[diagnostic(code(wrapper::rejected))]
pub struct Errors(#[related] pub Vec<WrapperError>);

impl Errors {
    /// The result if there is none.
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

/// One thing that is wrong with a wrapper.
///
/// Places are in the wrapper file; there are none for a wrapper that was not read from one.
#[derive(Debug, Clone, PartialEq, thiserror::Error, miette::Diagnostic)]
#[non_exhaustive]
pub enum WrapperError {
    /// The file is not of its format at all.
    #[error("this is not {format}: {message}")]
    #[diagnostic(code(wrapper::syntax))]
    Syntax {
        /// `TOML`, `JSON`, `XML`…
        format: &'static str,
        /// What the format's parser says.
        message: String,
        /// What may have been meant.
        #[help]
        hint: Option<String>,
        /// Where.
        #[label("here")]
        span: Option<Span>,
    },
    /// A key that the language does not have.
    #[error("unknown key `{key}` in {place}")]
    #[diagnostic(code(wrapper::unknown_key))]
    UnknownKey {
        /// As written.
        key: String,
        /// What kind of table it stands in: `a list`, `a locator`…
        place: &'static str,
        /// The key most like it, or those that there are.
        #[help]
        hint: Option<String>,
        /// Where.
        #[label("no such key here")]
        span: Option<Span>,
    },
    /// A key that must be there.
    #[error("{place} needs `{key}`")]
    #[diagnostic(code(wrapper::missing_key))]
    MissingKey {
        /// The key.
        key: &'static str,
        /// What kind of table it is.
        place: &'static str,
        /// For example.
        #[help]
        hint: Option<String>,
        /// The table.
        #[label("in this one")]
        span: Option<Span>,
    },
    /// Two keys that exclude each other.
    #[error("`{first}` and `{second}` cannot stand together")]
    #[diagnostic(code(wrapper::conflicting_keys))]
    ConflictingKeys {
        /// The one.
        first: String,
        /// The other.
        second: String,
        /// What to do.
        #[help]
        hint: Option<String>,
        /// The second.
        #[label("one of them too many")]
        span: Option<Span>,
    },
    /// A value of the wrong type or out of its range.
    #[error("`{key}` must be {expected}, not {found}")]
    #[diagnostic(code(wrapper::wrong_value))]
    WrongValue {
        /// The key.
        key: String,
        /// What it may be.
        expected: String,
        /// What stands there.
        found: String,
        /// What may have been meant.
        #[help]
        hint: Option<String>,
        /// Where.
        #[label("here")]
        span: Option<Span>,
    },
    /// A name that nothing can be called.
    #[error("`{name}` cannot be a name")]
    #[diagnostic(
        code(wrapper::bad_name),
        help("a name begins with a letter or `_` and has no space, comma, quote or bracket")
    )]
    BadName {
        /// As written.
        name: String,
        /// Where.
        #[label("here")]
        span: Option<Span>,
    },
    /// Two rules of one scope with one name.
    #[error("there are two rules `{name}` in one scope")]
    #[diagnostic(code(wrapper::duplicate_name), help("rename one; `label` lets both show under one label"))]
    DuplicateName {
        /// The name.
        name: String,
        /// The second.
        #[label("the second one")]
        span: Option<Span>,
    },
    /// An XPath expression or CSS selector that does not parse.
    #[error("in the rule `{rule}`: {error}")]
    #[diagnostic(code(wrapper::bad_expression))]
    BadExpression {
        /// The rule.
        rule: String,
        /// What is wrong with it.
        error: Box<ParseError>,
        /// The expression's own hint.
        #[help]
        hint: Option<String>,
        /// Where.
        #[label("here")]
        span: Option<Span>,
    },
    /// A regular expression that does not compile.
    #[error("in the rule `{rule}`: the regular expression is wrong: {message}")]
    #[diagnostic(code(wrapper::bad_regex))]
    BadRegex {
        /// The rule.
        rule: String,
        /// What is wrong with it.
        message: String,
        /// What to do.
        #[help]
        hint: Option<String>,
        /// Where.
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
        /// The pattern.
        #[label("no `#` in it")]
        span: Option<Span>,
    },
    /// A pattern in which two wildcards meet.
    #[error("`{pair}` has no text between its two signs, so where the first ends is open")]
    #[diagnostic(code(wrapper::adjacent_wildcards), help("put the text that stands between them, or leave one out"))]
    AdjacentWildcards {
        /// The two signs.
        pair: String,
        /// Where.
        #[label("here")]
        span: Option<Span>,
    },
    /// A pattern that saves another number of texts than there are names for them.
    #[error("{variables} {} for {saves} `#`", if *.variables == 1 { "variable" } else { "variables" })]
    #[diagnostic(
        code(wrapper::variable_count),
        help("each `#` fills one variable, in order; `_` and a name for a text that is not wanted")
    )]
    VariableCount {
        /// Names.
        variables: usize,
        /// Texts saved.
        saves: usize,
        /// The pattern.
        #[label("{saves} saved here")]
        span: Option<Span>,
    },
    /// A token rule that does not parse.
    #[error("the token rule is wrong: {message}")]
    #[diagnostic(code(wrapper::bad_landmark), help("{hint}"))]
    BadLandmark {
        /// What is wrong.
        message: String,
        /// What to write.
        hint: &'static str,
        /// Where.
        #[label("here")]
        span: Option<Span>,
    },
    /// An empty text to split by.
    #[error("nothing to split by: the delimiter is empty")]
    #[diagnostic(code(wrapper::empty_delimiter), help("`split` cuts at each occurrence of a text, such as `<tr`"))]
    EmptyDelimiter {
        /// The delimiter.
        #[label("empty")]
        span: Option<Span>,
    },
    /// A variable that no rule defines, here or further out.
    #[error("no rule defines `{name}`")]
    #[diagnostic(code(wrapper::unknown_variable))]
    UnknownVariable {
        /// The name.
        name: String,
        /// The name most like it.
        #[help]
        hint: Option<String>,
        /// Where it is used.
        #[label("used here")]
        span: Option<Span>,
    },
    /// A variable used by a command in front of the one that defines it.
    #[error("`{name}` is used before it is defined")]
    #[diagnostic(code(wrapper::used_before_defined), help("commands run in order: move the one that defines it up"))]
    UsedBeforeDefined {
        /// The name.
        name: String,
        /// Where it is used.
        #[label("used here")]
        span: Option<Span>,
        /// Where it is defined.
        #[label("defined here")]
        defined: Option<Span>,
    },
    /// Variables that are defined by each other.
    #[error("{} is a cycle: none of them can come first", cycle(.names))]
    #[diagnostic(code(wrapper::cycle), help("one of them has to come from a page: `get('…')`"))]
    Cycle {
        /// The names, in order; the last uses the first.
        names: Vec<String>,
        /// The first command of it.
        #[label("begins here")]
        span: Option<Span>,
    },
    /// A function that the bracket language does not have.
    #[error("unknown function `{name}`")]
    #[diagnostic(code(wrapper::unknown_function))]
    UnknownFunction {
        /// As written.
        name: String,
        /// The one most like it, or those that there are.
        #[help]
        hint: Option<String>,
        /// Where.
        #[label("no such function")]
        span: Option<Span>,
    },
    /// A slice that can never hold a member, or is no slice.
    #[error("`{slice}` is no slice: {message}")]
    #[diagnostic(
        code(wrapper::bad_slice),
        help("`[1:0]` leaves out one member at the beginning and none at the end; `[2]` is the third alone")
    )]
    BadSlice {
        /// As written.
        slice: String,
        /// What is wrong.
        message: String,
        /// Where.
        #[label("here")]
        span: Option<Span>,
    },
    /// Brackets, braces, parentheses or quotes that do not pair.
    #[error("`{open}` is not closed")]
    #[diagnostic(code(wrapper::unbalanced))]
    Unbalanced {
        /// The opening one.
        open: char,
        /// What may be wrong.
        #[help]
        hint: Option<String>,
        /// It.
        #[label("opened here")]
        span: Option<Span>,
    },
    /// A bracket of another kind than the one that belongs there.
    #[error("`{found}` stands where `{expected}` belongs")]
    #[diagnostic(
        code(wrapper::wrong_bracket),
        help("the list of commands and each command stand in `[` and `]`: [[\"root\", \"get('…')\", \"#\"], …]")
    )]
    WrongBracket {
        /// It.
        found: char,
        /// The one that belongs there.
        expected: char,
        /// Where.
        #[label("put `{expected}` here")]
        span: Option<Span>,
    },
    /// A closing bracket or parenthesis that closes nothing.
    #[error("`{close}` closes nothing")]
    #[diagnostic(code(wrapper::unopened))]
    Unopened {
        /// It.
        close: char,
        /// What may be wrong.
        #[help]
        hint: Option<String>,
        /// Where.
        #[label("nothing is open here")]
        span: Option<Span>,
    },
    /// A command with more or fewer parts than a command has.
    #[error("a command has three parts, this one has {found}")]
    #[diagnostic(
        code(wrapper::command_parts),
        help("[variables, source, pattern], each in quotes: [\"title\", \"root\", \"*<H1>#</H1>*\"]")
    )]
    CommandParts {
        /// How many.
        found: usize,
        /// The command.
        #[label("this command")]
        span: Option<Span>,
    },
    /// Alternatives of one `case` that save different numbers of texts.
    #[error("the alternatives of a `case` save as many texts each: {first} in the first, {saves} in this one")]
    #[diagnostic(code(wrapper::case_count), help("each `#` fills one variable, whichever alternative matches"))]
    CaseCount {
        /// Texts saved by the first.
        first: usize,
        /// Texts saved by this one.
        saves: usize,
        /// This one.
        #[label("{saves} saved here")]
        span: Option<Span>,
    },
    /// More rules or deeper rules than any wrapper needs.
    #[error("the wrapper has too many {what}: more than {limit}")]
    #[diagnostic(code(wrapper::too_large))]
    TooLarge {
        /// Of what.
        what: &'static str,
        /// How many there may be.
        limit: usize,
        /// The first beyond.
        #[label("here")]
        span: Option<Span>,
    },
    /// A key of a list that tells no records apart.
    #[error("`{name}` cannot be in the key of `{list}`: {message}")]
    #[diagnostic(code(wrapper::bad_key))]
    BadKey {
        /// As written.
        name: String,
        /// The list.
        list: String,
        /// Why not.
        message: String,
        /// The name most like it, or those that there are.
        #[help]
        hint: Option<String>,
        /// Where.
        #[label("named here")]
        span: Option<Span>,
    },
    /// A `search` that asks for nothing, or whose results lead nowhere.
    #[error("{message}")]
    #[diagnostic(code(wrapper::bad_search))]
    BadSearch {
        /// What is wrong.
        message: String,
        /// What to write.
        #[help]
        hint: Option<String>,
        /// Where.
        #[label("here")]
        span: Option<Span>,
    },
    /// A rule whose absolute path is asked for, and was never written down.
    #[error("the rule `{rule}` has no `path`")]
    #[diagnostic(
        code(wrapper::no_path),
        help("learning a wrapper writes one beside each rule; by hand, `path = \"/html[1]/body[1]/…\"` adds it")
    )]
    NoPath {
        /// The rule, behind the names of those around it.
        rule: String,
        /// It, in the file it was read from.
        #[label("this one")]
        span: Option<Span>,
    },
    /// Something that the other format has no words for.
    #[error("the rule `{rule}` cannot be written as {format}: {message}")]
    #[diagnostic(code(wrapper::not_expressible), help("TOML and JSON can express every wrapper{}", by_a_page(format)))]
    NotExpressible {
        /// The rule.
        rule: String,
        /// The format.
        format: &'static str,
        /// What it cannot express.
        message: String,
        /// The rule, in the file it was read from.
        #[label("this one")]
        span: Option<Span>,
    },
}

/// What else can be done about a wrapper that a format cannot express.
fn by_a_page(format: &str) -> &'static str {
    match format {
        // The writer's own words.
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
    /// An expression of a rule that does not parse, at its place in the file.
    pub(crate) fn in_expression(rule: &Text, expression: &Text, error: ParseError) -> WrapperError {
        let hint = miette::Diagnostic::help(&error).map(|help| help.to_string());
        let span = expression.within(error.span());
        WrapperError::BadExpression { rule: rule.value.clone(), error: Box::new(error), hint, span }
    }

    /// Where in the file.
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

    /// The same about what stands in no file.
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

/// The candidate most like `name`, if one is near enough to be meant: a third of its letters may be wrong.
pub fn nearest<'a>(name: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let limit = (name.chars().count() / 3).max(1);
    candidates
        .into_iter()
        .map(|candidate| (distance(name, candidate, limit + 1), candidate))
        .filter(|&(distance, _)| distance <= limit)
        .min_by_key(|&(distance, _)| distance)
        .map(|(_, candidate)| candidate)
}

/// Edit distance with transpositions, case aside; `cap` if it is that or more.
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
