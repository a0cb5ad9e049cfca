//! The wrapper: rules as plain data, whatever file they were read from and whoever wrote them.
//!
//! A [`Rule`] is a [`Locator`] in the scope of its parent rule. Four kinds differ in what they make of what the locator
//! finds:
//!
//! | kind | finds | makes |
//! |---|---|---|
//! | [`Kind::Field`] | the first match | one atomic object |
//! | [`Kind::Group`] | the first match | one object that holds what its own rules make |
//! | [`Kind::List`] | every match | an object for each, atomic if there are no rules below |
//! | [`Kind::Save`] | one match of a pattern with several `#` | nothing itself: its *n*-th rule runs in the *n*-th saved text |
//!
//! A rule whose name begins with `_` is a temporary: it gives a scope to the rules below it, and no object of its own.
//!
//! Every text that a person wrote is a [`Text`], which knows where in the file it stands, so that an error found later
//! still points there. Two wrappers are equal if they say the same, wherever they say it.

use std::fmt;

use windrow_xpath::Span;

use crate::values::Type;

/// The rules for one template.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Wrapper {
    /// What it is called.
    pub name: Option<String>,
    /// What it is for.
    pub description: Option<String>,
    /// The page to begin with, if none is given; also the address of a saved page that stands in for it.
    pub url: Option<Text>,
    /// How it was learned, if it was.
    pub learned: Option<Learned>,
    /// How far `get` may go.
    pub follow: Follow,
    /// How its pages are asked for, if they are those of a search engine.
    pub search: Option<Search>,
    /// What to take from a page.
    pub rules: Vec<Rule>,
}

/// How a wrapper was learned.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Learned {
    /// The method: `discover`, `example`, `feed`, `domain`, `repair`.
    pub by: String,
    /// The page or pages it was learned from.
    pub from: Vec<String>,
    /// When, as RFC 3339.
    pub at: Option<String>,
}

/// Bounds on the pages that `get` may ask for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Follow {
    /// Pages on one way from the first page; 1 follows the links of the page itself.
    pub depth: u32,
    /// Pages in all, for one page that the wrapper is run on.
    pub pages: u32,
}

/// How a search engine is asked, whose result pages a wrapper reads.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Search {
    /// The address of a page of results: `{query}` is what is looked for, `{page}` the number of the page. Without
    /// `{page}`, where the results go on is read off the page.
    pub url: Text,
    /// What `{page}` is for the first page.
    pub first: u32,
    /// By how much it grows from page to page: 10, if it counts results.
    pub step: u32,
    /// Pages of results that are read for a query.
    pub pages: u32,
    /// The field that leads to what was found; if nothing is said, the one called `link`, or the first of type `url`.
    pub link: Option<Text>,
}

impl Default for Search {
    /// Three pages, counted from 1: what a person might still look at.
    fn default() -> Search {
        Search { url: Text::default(), first: 1, step: 1, pages: 3, link: None }
    }
}

impl Default for Follow {
    /// Three levels and a thousand pages: enough for a list, its details and their details.
    fn default() -> Follow {
        Follow { depth: 3, pages: 1000 }
    }
}

/// A rule: how values are found in the scope of the rule above, and what becomes of them.
#[derive(Debug, Clone, PartialEq)]
pub struct Rule {
    /// What becomes of what is found.
    pub kind: Kind,
    /// Its name, unique among its neighbours of one scope; empty for [`Kind::Save`].
    pub name: Text,
    /// How it finds its values.
    pub locator: Locator,
    /// The label of its objects, if it is not the name.
    pub label: Option<Text>,
    /// The type of its objects, if they are atomic.
    pub ty: Type,
    /// Whether a page may lack it.
    pub optional: bool,
    /// For which members of the list above it runs; for all if none is given.
    pub members: Option<Slice>,
    /// The fields that tell one record from another, by the names of their rules; `group.field` for those of a group.
    /// Records are matched by it from one day to the next. Only in a [`Kind::List`].
    pub key: Vec<Text>,
    /// The absolute XPath at which it was found when the wrapper was learned: every step with its index, but for the
    /// steps that are records. Of a list, where its records are. It tells and does not rule: nothing is found by it.
    pub path: Option<Text>,
    /// Objects shown in this group beside those of its own rules. Only in a [`Kind::Group`].
    pub take: Vec<Take>,
    /// The rules in the scope of what is found.
    pub rules: Vec<Rule>,
}

/// What a rule makes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Kind {
    /// One atomic object.
    Field,
    /// One object that holds others.
    Group,
    /// One object for each match.
    List,
    /// Nothing: its rules run in the texts that its pattern saved, one each.
    Save,
}

/// An object shown in a group: a copy of what another rule, here or further out, has found.
#[derive(Debug, Clone, PartialEq)]
pub struct Take {
    /// Its label here.
    pub label: Text,
    /// The name of the rule that finds it.
    pub variable: Text,
}

/// How a rule finds its values: one way of finding, then refinements in the order of these fields.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Locator {
    /// The way of finding.
    pub find: Find,
    /// Extends each node found over its following siblings.
    pub until: Option<Until>,
    /// Which of the matches count.
    pub slice: Option<Slice>,
    /// An XPath expression or CSS selector, whichever it looks like: the nodes it selects inside what was found are no
    /// part of the value.
    pub without: Option<Text>,
    /// Only what follows this label in the visible text.
    pub after: Option<Text>,
    /// Only what precedes this text in the visible text.
    pub before: Option<Text>,
    /// Only the part of the visible text that this regular expression matches: its first group, or all of it.
    pub matches: Option<Text>,
    /// A locator that runs in the scope of each match.
    pub then: Option<Box<Locator>>,
}

/// A way of finding.
#[derive(Debug, Clone, PartialEq, Default)]
pub enum Find {
    /// The scope itself.
    #[default]
    Scope,
    /// An XPath expression or CSS selector, whichever it looks like.
    Expression(Text),
    /// An XPath expression.
    XPath(Text),
    /// A CSS selector.
    Css(Text),
    /// A TSIMMIS pattern: `*` discards, `#` saves, all else stands for itself; a backslash takes the meaning away.
    Pattern(Text),
    /// The pieces between occurrences of a text.
    Split(Text),
    /// What lies between token rules.
    Landmark(Landmark),
    /// The data rows of a table: the one found, or the first within what is found.
    Table(Box<Locator>),
    /// The cell of a table row.
    Column(Column),
    /// The first of these that finds something.
    Case(Vec<Locator>),
    /// The page whose URL is found.
    Get(Box<Locator>),
}

/// Token rules. A token rule is a sequence of tokens that follow each other: `<tag attribute="value">` (attributes that
/// are not named are free), `</tag>`, `"text"`; `*` skips any number of tokens.
#[derive(Debug, Clone, PartialEq)]
pub enum Landmark {
    /// From behind `start` up to the next `end`, or to the end of the scope without one.
    Between {
        /// The tokens in front.
        start: Text,
        /// The tokens behind.
        end: Option<Text>,
    },
    /// From each match, itself included, up to the next one.
    Each(Text),
}

/// How far a record reaches over its following siblings.
#[derive(Debug, Clone, PartialEq)]
pub enum Until {
    /// Up to the next record, or the end of the parent.
    Next,
    /// Up to the next record or the next sibling that this expression selects.
    Before(Text),
}

/// Which members of a list count: from the `skip`-th (the first is 0) up to the last but `drop`, as TSIMMIS counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Slice {
    /// `[skip:drop]`
    Range {
        /// Members left out at the beginning.
        skip: u32,
        /// Members left out at the end.
        drop: u32,
    },
    /// `[n]`: that member alone.
    Index(u32),
}

impl Slice {
    /// Whether the member with this index, of so many, counts.
    #[inline]
    pub fn contains(self, index: usize, len: usize) -> bool {
        match self {
            Slice::Range { skip, drop } => index >= skip as usize && index + (drop as usize) < len,
            Slice::Index(only) => index == only as usize,
        }
    }
}

impl Slice {
    /// Whether no member of a list of this length counts.
    pub fn is_empty_of(self, len: usize) -> bool {
        match self {
            Slice::Range { skip, drop } => skip as usize + drop as usize >= len,
            Slice::Index(only) => only as usize >= len,
        }
    }
}

impl fmt::Display for Slice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Slice::Range { skip, drop } => write!(f, "[{skip}:{drop}]"),
            Slice::Index(index) => write!(f, "[{index}]"),
        }
    }
}

/// A column of a table.
#[derive(Debug, Clone, PartialEq)]
pub enum Column {
    /// By its header's visible text, case and white space aside.
    Named(Text),
    /// By position; the first is 1, as in XPath.
    Number(u32),
}

/// A text of a wrapper file, with its place there.
#[derive(Clone, Default)]
pub struct Text {
    /// The text, escapes resolved.
    pub value: String,
    /// Where it stands in the file, quotes excluded if `exact`; none if it was not read from a file.
    pub span: Option<Span>,
    /// Whether the bytes at `span` are the value, so that places inside it can be shown.
    pub exact: bool,
}

impl Text {
    /// A text that stands at `span` of a file.
    pub fn at(value: impl Into<String>, span: Span, exact: bool) -> Text {
        Text { value: value.into(), span: Some(span), exact }
    }

    /// The place in the file of a span inside the value.
    pub fn within(&self, inner: Span) -> Option<Span> {
        let span = self.span?;
        if !self.exact {
            return Some(span);
        }
        let end = |offset: usize| (span.start + offset).min(span.end);
        Some(Span::new(end(inner.start), end(inner.end)))
    }
}

impl From<&str> for Text {
    fn from(value: &str) -> Text {
        Text { value: value.to_owned(), span: None, exact: false }
    }
}

impl From<String> for Text {
    fn from(value: String) -> Text {
        Text { value, span: None, exact: false }
    }
}

impl std::ops::Deref for Text {
    type Target = str;

    fn deref(&self) -> &str {
        &self.value
    }
}

impl PartialEq for Text {
    fn eq(&self, other: &Text) -> bool {
        self.value == other.value
    }
}

impl Eq for Text {}

impl fmt::Debug for Text {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&self.value, f)
    }
}

impl fmt::Display for Text {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.value)
    }
}

impl Rule {
    fn new(kind: Kind, name: impl Into<Text>, locator: Locator) -> Rule {
        Rule {
            kind,
            name: name.into(),
            locator,
            label: None,
            ty: Type::String,
            optional: false,
            members: None,
            key: Vec::new(),
            path: None,
            take: Vec::new(),
            rules: Vec::new(),
        }
    }

    /// A required string field.
    pub fn field(name: impl Into<Text>, locator: impl Into<Locator>) -> Rule {
        Rule::new(Kind::Field, name, locator.into())
    }

    /// A group in the scope of the rule above; give it rules with [`Rule::with`].
    pub fn group(name: impl Into<Text>, locator: impl Into<Locator>) -> Rule {
        Rule::new(Kind::Group, name, locator.into())
    }

    /// A list of records; give it rules with [`Rule::with`], or none for a list of values.
    pub fn list(name: impl Into<Text>, records: impl Into<Locator>) -> Rule {
        Rule::new(Kind::List, name, records.into())
    }

    /// A pattern that saves a text for each of the rules it is given.
    pub fn save(locator: impl Into<Locator>, into: Vec<Rule>) -> Rule {
        Rule::new(Kind::Save, "", locator.into()).with(into)
    }

    /// The same with rules in its scope.
    pub fn with(mut self, rules: Vec<Rule>) -> Rule {
        self.rules = rules;
        self
    }

    /// The same with another type.
    pub fn typed(mut self, ty: Type) -> Rule {
        self.ty = ty;
        self
    }

    /// The same, but a page may lack it.
    pub fn optional(mut self) -> Rule {
        self.optional = true;
        self
    }

    /// The same, its records told apart by these fields.
    pub fn keyed(mut self, key: impl IntoIterator<Item = impl Into<Text>>) -> Rule {
        self.key = key.into_iter().map(Into::into).collect();
        self
    }

    /// The same, found at this absolute XPath.
    pub fn found_at(mut self, path: impl Into<Text>) -> Rule {
        self.path = Some(path.into());
        self
    }

    /// Whether it makes no objects of its own.
    pub fn is_temporary(&self) -> bool {
        self.kind == Kind::Save || self.name.starts_with('_')
    }

    /// The label of its objects.
    pub fn shown(&self) -> &str {
        self.label.as_ref().unwrap_or(&self.name)
    }
}

impl Locator {
    /// A locator of this kind, without refinements.
    pub fn new(find: Find) -> Locator {
        Locator { find, ..Locator::default() }
    }

    /// An XPath expression.
    pub fn xpath(expression: impl Into<Text>) -> Locator {
        Locator::new(Find::XPath(expression.into()))
    }

    /// A CSS selector.
    pub fn css(selector: impl Into<Text>) -> Locator {
        Locator::new(Find::Css(selector.into()))
    }

    /// A TSIMMIS pattern.
    pub fn pattern(pattern: impl Into<Text>) -> Locator {
        Locator::new(Find::Pattern(pattern.into()))
    }

    /// The pieces between occurrences of a text.
    pub fn split(delimiter: impl Into<Text>) -> Locator {
        Locator::new(Find::Split(delimiter.into()))
    }

    /// What lies between two token rules.
    pub fn between(start: impl Into<Text>, end: impl Into<Text>) -> Locator {
        Locator::new(Find::Landmark(Landmark::Between { start: start.into(), end: Some(end.into()) }))
    }

    /// Whether what it finds is a part of a text.
    pub(crate) fn ends_in_text(&self) -> bool {
        match &self.then {
            Some(then) => then.ends_in_text(),
            None => self.after.is_some() || self.before.is_some() || self.matches.is_some(),
        }
    }

    /// Whether it is the scope itself, without refinements.
    pub fn is_scope(&self) -> bool {
        *self == Locator::default()
    }
}

impl From<&str> for Locator {
    /// An XPath expression or CSS selector, whichever it looks like.
    fn from(expression: &str) -> Locator {
        Locator::new(Find::Expression(expression.into()))
    }
}
