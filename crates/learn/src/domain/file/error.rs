//! What can be wrong with a domain file: typed, with a code, a place in the file and a hint.
//!
//! The texts are part of the interface: `tests/it/domain_file/errors.rs` holds them as snapshots.

use windrow_xpath::Span;

use super::MAX_ERRORS;

/// Why a domain was rejected: at least one error, in the order of the file.
#[derive(Debug, Clone, PartialEq, thiserror::Error, miette::Diagnostic)]
#[error("{}", heading(.0.len()))]
#[diagnostic(code(domain::rejected))]
pub struct Errors(#[related] pub Vec<DomainError>);

fn heading(count: usize) -> String {
    match count {
        1 => "the domain has an error".to_owned(),
        _ => format!("the domain has {count} errors"),
    }
}

impl From<DomainError> for Errors {
    fn from(error: DomainError) -> Errors {
        Errors(vec![error])
    }
}

/// The errors met so far. Beyond [`MAX_ERRORS`] they are no longer kept.
#[derive(Debug, Default)]
pub(super) struct Found(Vec<DomainError>);

impl Found {
    pub(super) fn push(&mut self, error: DomainError) {
        if !self.is_full() {
            self.0.push(error);
        }
    }

    pub(super) fn len(&self) -> usize {
        self.0.len()
    }

    pub(super) fn is_full(&self) -> bool {
        self.0.len() >= MAX_ERRORS
    }

    /// Fails if there is any, in the order of the file.
    pub(super) fn check(&mut self) -> Result<(), Errors> {
        if self.0.is_empty() {
            return Ok(());
        }
        self.0.sort_by_key(|error| error.span().start);
        Err(Errors(std::mem::take(&mut self.0)))
    }
}

/// One thing that is wrong with a domain file.
#[derive(Debug, Clone, PartialEq, thiserror::Error, miette::Diagnostic)]
#[non_exhaustive]
pub enum DomainError {
    /// The file is not TOML at all.
    #[error("this is not TOML: {message}")]
    #[diagnostic(code(domain::syntax))]
    Syntax {
        /// What the parser says.
        message: String,
        /// What may have been meant.
        #[help]
        hint: Option<String>,
        /// Where.
        #[label("here")]
        span: Span,
    },
    /// A key that domain files do not have.
    #[error("unknown key `{key}` in {place}")]
    #[diagnostic(code(domain::unknown_key))]
    UnknownKey {
        /// As written.
        key: String,
        /// `a domain` or `a role`.
        place: &'static str,
        /// The key most like it, or those that there are.
        #[help]
        hint: Option<String>,
        /// Where.
        #[label("no such key here")]
        span: Span,
    },
    /// A value of the wrong kind.
    #[error("`{key}` must be {expected}, not {found}")]
    #[diagnostic(code(domain::wrong_value))]
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
        span: Span,
    },
    /// A name that no role can have.
    #[error("`{name}` cannot be the name of a role")]
    #[diagnostic(
        code(domain::bad_name),
        help("a name begins with a letter and has no space, dot, comma, quote or bracket: `list_price`")
    )]
    BadName {
        /// As written.
        name: String,
        /// Where.
        #[label("here")]
        span: Span,
    },
    /// A domain without roles.
    #[error("the domain has no roles")]
    #[diagnostic(
        code(domain::no_roles),
        help(
            "a role is a header and the words that pages use: `[role.price]`, then `keywords = [\"price\", \"our price\"]`"
        )
    )]
    NoRoles {
        /// The file's beginning.
        #[label("none in this file")]
        span: Span,
    },
    /// A role that nothing on a page can tell.
    #[error("the role `{role}` has no keywords")]
    #[diagnostic(
        code(domain::no_keywords),
        help("say what pages write in front of its values, or what schema.org calls it, or that it is the `title`")
    )]
    NoKeywords {
        /// The role, behind the names of those around it.
        role: String,
        /// Its name.
        #[label("this role")]
        span: Span,
    },
    /// A keyword with nothing in it.
    #[error("a keyword of `{role}` is empty")]
    #[diagnostic(
        code(domain::empty_keyword),
        help("a keyword has at least one sign that is not a space or punctuation")
    )]
    EmptyKeyword {
        /// The role.
        role: String,
        /// The keyword.
        #[label("nothing to look for")]
        span: Span,
    },
    /// A keyword of two roles that stand beside each other or within each other.
    #[error("`{keyword}` is a keyword of two roles: `{first}` and `{second}`")]
    #[diagnostic(
        code(domain::same_keyword),
        help("a label says one role: leave it out of one of them, or write the longer label that tells them apart")
    )]
    SameKeyword {
        /// As written the second time.
        keyword: String,
        /// The one role.
        first: String,
        /// The other.
        second: String,
        /// The keyword of the first.
        #[label("of `{first}` here")]
        first_span: Span,
        /// The keyword of the second.
        #[label("of `{second}` here")]
        span: Span,
    },
    /// Two roles that are both the title.
    #[error("two roles are the title: `{first}` and `{second}`")]
    #[diagnostic(code(domain::two_titles), help("a page has one title: leave `title` out of one of them"))]
    TwoTitles {
        /// The one role.
        first: String,
        /// The other.
        second: String,
        /// The first role's name.
        #[label("this one")]
        first_span: Span,
        /// The second role's name.
        #[label("and this one")]
        span: Span,
    },
    /// A value pattern that does not compile.
    #[error("the value pattern of `{role}` is wrong: {message}")]
    #[diagnostic(code(domain::bad_pattern))]
    BadPattern {
        /// The role.
        role: String,
        /// What is wrong with it.
        message: String,
        /// What to do.
        #[help]
        hint: Option<String>,
        /// Where, as exactly as can be told.
        #[label("here")]
        span: Span,
    },
    /// A type that there is not.
    #[error("there is no type `{name}`")]
    #[diagnostic(code(domain::unknown_type))]
    UnknownType {
        /// As written.
        name: String,
        /// The type most like it, or those that there are.
        #[help]
        hint: Option<String>,
        /// Where.
        #[label("here")]
        span: Span,
    },
    /// A domain that is extended and nowhere to be found.
    #[error("there is no domain `{name}` to extend")]
    #[diagnostic(code(domain::unknown_domain))]
    UnknownDomain {
        /// As written.
        name: String,
        /// Those that come along.
        #[help]
        hint: Option<String>,
        /// Where.
        #[label("not found")]
        span: Span,
    },
    /// Domains that extend each other in a circle.
    #[error("the domain extends itself: {}", .names.join(" → "))]
    #[diagnostic(code(domain::cycle), help("let both extend a third that holds what they have in common"))]
    Cycle {
        /// Along the way, the first again at the end.
        names: Vec<String>,
        /// Where this file takes the way.
        #[label("by this")]
        span: Span,
    },
    /// A domain that is extended and has errors itself.
    #[error(
        "the domain `{name}`, which this one extends, has {} in line {line}: {error}",
        if *.more == 0 { "an error".to_owned() } else { format!("{} errors, the first", more + 1) }
    )]
    #[diagnostic(code(domain::broken))]
    Broken {
        /// The domain.
        name: String,
        /// The first of its errors. Its places are in the other file.
        error: Box<DomainError>,
        /// How many more there are.
        more: usize,
        /// Where the first is, in the other file.
        line: usize,
        /// The first error's own hint.
        #[help]
        hint: Option<String>,
        /// Where this file extends it.
        #[label("extended here")]
        span: Span,
    },
    /// A role to leave out that what is extended does not have.
    #[error("there is no role `{role}` to drop")]
    #[diagnostic(code(domain::unknown_role))]
    UnknownRole {
        /// As written.
        role: String,
        /// The role most like it, or what `drop` is for.
        #[help]
        hint: Option<String>,
        /// Where.
        #[label("here")]
        span: Span,
    },
    /// More than any domain needs.
    #[error("the domain has too many {what}: more than {limit}")]
    #[diagnostic(code(domain::too_large))]
    TooLarge {
        /// Of what.
        what: &'static str,
        /// How many there may be.
        limit: usize,
        /// The first beyond.
        #[label("here")]
        span: Span,
    },
}

impl DomainError {
    /// Where in the file.
    pub fn span(&self) -> Span {
        use DomainError::*;
        match self {
            Syntax { span, .. }
            | UnknownKey { span, .. }
            | WrongValue { span, .. }
            | BadName { span, .. }
            | NoRoles { span }
            | NoKeywords { span, .. }
            | EmptyKeyword { span, .. }
            | SameKeyword { span, .. }
            | TwoTitles { span, .. }
            | BadPattern { span, .. }
            | UnknownType { span, .. }
            | UnknownDomain { span, .. }
            | Cycle { span, .. }
            | Broken { span, .. }
            | UnknownRole { span, .. }
            | TooLarge { span, .. } => *span,
        }
    }
}
