//! The wrapper as plain data: its rules, independent of the file format they were read from or the learner that made
//! them.
//!
//! A [`Rule`] is a [`Locator`] that is evaluated in the scope of its parent rule. There are four kinds of rules,
//! which differ in how they use the matches of the locator:
//!
//! | kind | finds | makes |
//! |---|---|---|
//! | [`Kind::Field`] | the first match | one atomic object |
//! | [`Kind::Group`] | the first match | one object that holds what its own rules make |
//! | [`Kind::List`] | every match | an object for each, atomic if there are no rules below |
//! | [`Kind::Save`] | one match of a pattern with several `#` | nothing itself: its *n*-th rule runs in the *n*-th saved text |
//!
//! A rule whose name begins with `_` is a temporary: it provides a scope for the rules below it, but makes no object.
//!
//! Every text that a person wrote is a [`Text`], which knows its place in the file, so that errors found later can
//! still point there. Places are ignored when two wrappers are compared for equality.

use std::fmt;

use windrow_xpath::Span;

use crate::values::Type;

/// The rules for one template.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Wrapper {
    /// Name of the wrapper.
    pub name: Option<String>,
    /// Description of its purpose.
    pub description: Option<String>,
    /// Page to start with if the caller gives none; also the address of a saved page that stands in for it.
    pub url: Option<Text>,
    /// Origin of the rules, if they were learned.
    pub learned: Option<Learned>,
    /// Limits on the pages that `get` may fetch.
    pub follow: Follow,
    /// Query settings, if the wrapper reads the result pages of a search engine.
    pub search: Option<Search>,
    /// Top-level rules, each of which extracts something from the page.
    pub rules: Vec<Rule>,
}

/// Origin of a learned wrapper.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Learned {
    /// Learning method: `discover`, `example`, `feed`, `domain` or `repair`.
    pub by: String,
    /// Pages it was learned from.
    pub from: Vec<String>,
    /// Time of learning, as RFC 3339.
    pub at: Option<String>,
}

/// Limits on the pages that `get` may fetch.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Follow {
    /// Largest number of links followed in a row; 1 follows only the links of the first page.
    pub depth: u32,
    /// Largest number of pages fetched in total for one page that the wrapper is run on.
    pub pages: u32,
}

/// Query settings of a search engine whose result pages a wrapper reads.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Search {
    /// Address of a page of results: `{query}` is replaced by the query, `{page}` by the page number. Without
    /// `{page}`, the link to the next page is found on the page itself.
    pub url: Text,
    /// Value of `{page}` for the first page.
    pub first: u32,
    /// Increment of `{page}` from one page to the next: 10 if it counts results.
    pub step: u32,
    /// Number of result pages to read per query.
    pub pages: u32,
    /// Field that holds the link to a result. Default: the field named `link`, or else the first of type `url`.
    pub link: Option<Text>,
}

impl Default for Search {
    /// Reads three pages, counted from 1: as many as a person might look at.
    fn default() -> Search {
        Search { url: Text::default(), first: 1, step: 1, pages: 3, link: None }
    }
}

impl Default for Follow {
    /// Allows three levels and a thousand pages: enough for a list, its detail pages and the pages they link to.
    fn default() -> Follow {
        Follow { depth: 3, pages: 1000 }
    }
}

/// A rule: it finds values in the scope of the rule above and makes objects of them.
#[derive(Debug, Clone, PartialEq)]
pub struct Rule {
    /// Kind of objects the rule makes.
    pub kind: Kind,
    /// Name, unique among the rules of one scope; empty for [`Kind::Save`].
    pub name: Text,
    /// Locator that finds the values.
    pub locator: Locator,
    /// Label of its objects, if it differs from the name.
    pub label: Option<Text>,
    /// Type of its objects, if they are atomic.
    pub ty: Type,
    /// `true` if a page may lack it without a problem being reported.
    pub optional: bool,
    /// Members of the list above that the rule runs for; all members if `None`.
    pub members: Option<Slice>,
    /// Fields that identify a record, by the names of their rules; `group.field` for a field in a group. Records are
    /// matched by these fields from one run to the next. Only for [`Kind::List`].
    pub key: Vec<Text>,
    /// Absolute XPath at which the value was found when the wrapper was learned. Every step has an index, except
    /// those that select records. For a list, the place of its records. Informational; it does not affect extraction.
    pub path: Option<Text>,
    /// Objects shown in this group in addition to those of its own rules. Only for [`Kind::Group`].
    pub take: Vec<Take>,
    /// Rules evaluated in the scope of each match.
    pub rules: Vec<Rule>,
}

/// The kind of objects a rule makes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Kind {
    /// One atomic object.
    Field,
    /// One object that contains others.
    Group,
    /// One object per match.
    List,
    /// No object of its own: its rules run in the texts saved by its pattern, one rule per text.
    Save,
}

impl Kind {
    /// Returns the name of the kind, as files write it.
    pub fn name(self) -> &'static str {
        match self {
            Kind::Field => "field",
            Kind::Group => "group",
            Kind::List => "list",
            Kind::Save => "save",
        }
    }
}

/// An object shown in a group: a copy of the value found by another rule, in this scope or an outer one.
#[derive(Debug, Clone, PartialEq)]
pub struct Take {
    /// Label of the copy.
    pub label: Text,
    /// Name of the rule that finds the value.
    pub variable: Text,
}

/// A locator: one way of finding, then refinements, applied in the order of these fields.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Locator {
    /// The way of finding.
    pub find: Find,
    /// Extends each matched node over its following siblings.
    pub until: Option<Until>,
    /// Selects which matches count.
    pub slice: Option<Slice>,
    /// XPath expression or CSS selector (the syntax is detected): the nodes it selects inside a match are left out of
    /// the value.
    pub without: Option<Text>,
    /// Keeps only the visible text after this label.
    pub after: Option<Text>,
    /// Keeps only the visible text before this text.
    pub before: Option<Text>,
    /// Keeps only the part of the visible text that this regular expression matches: its first group, or the whole
    /// match.
    pub matches: Option<Text>,
    /// Locator evaluated in the scope of each match.
    pub then: Option<Box<Locator>>,
}

/// A way of finding.
///
/// The enum is closed: code of this crate names every variant where it decides by them, so that a new one does not compile
/// until each format, the compiler and the executor say what becomes of it.
#[derive(Debug, Clone, PartialEq, Default)]
pub enum Find {
    /// The scope itself.
    #[default]
    Scope,
    /// An XPath expression or CSS selector; the syntax is detected.
    Expression(Text),
    /// An XPath expression.
    XPath(Text),
    /// A CSS selector.
    Css(Text),
    /// A TSIMMIS pattern: `*` discards, `#` saves, everything else is literal; a backslash escapes `*`, `#` and `\`.
    Pattern(Text),
    /// The pieces between the occurrences of a text.
    Split(Text),
    /// The content between token rules.
    Landmark(Landmark),
    /// The data rows of a table: the one the locator finds, or the first one inside its match.
    Table(Box<Locator>),
    /// The cell of a table row.
    Column(Column),
    /// The first of these locators that finds something.
    Case(Vec<Locator>),
    /// The page whose URL the locator finds.
    Get(Box<Locator>),
}

impl Find {
    /// Returns the name of the locator, as wrapper files write it; the scope itself has none.
    pub fn name(&self) -> Option<&'static str> {
        match self {
            Find::Scope => None,
            Find::Expression(_) => Some("find"),
            Find::XPath(_) => Some("xpath"),
            Find::Css(_) => Some("css"),
            Find::Pattern(_) => Some("pattern"),
            Find::Split(_) => Some("split"),
            Find::Landmark(_) => Some("landmark"),
            Find::Table(_) => Some("table"),
            Find::Column(_) => Some("column"),
            Find::Case(_) => Some("case"),
            Find::Get(_) => Some("get"),
        }
    }

    /// Returns the locators that this one contains, in the order in which they are tried.
    pub fn inner(&self) -> &[Locator] {
        match self {
            Find::Table(inner) | Find::Get(inner) => std::slice::from_ref(inner),
            Find::Case(cases) => cases,
            Find::Scope
            | Find::Expression(_)
            | Find::XPath(_)
            | Find::Css(_)
            | Find::Pattern(_)
            | Find::Split(_)
            | Find::Landmark(_)
            | Find::Column(_) => &[],
        }
    }
}

/// Token rules. A token rule is a sequence of consecutive tokens: `<tag attribute="value">` (attributes that are not
/// named may have any value), `</tag>`, `"text"`; `*` skips any number of tokens.
#[derive(Debug, Clone, PartialEq)]
pub enum Landmark {
    /// From the end of `start` to the next `end`, or to the end of the scope if there is no `end`.
    Between {
        /// Tokens before the content.
        start: Text,
        /// Tokens after the content.
        end: Option<Text>,
    },
    /// From each match, including the match, to the next one.
    Each(Text),
}

/// The end of a record that extends over its following siblings.
#[derive(Debug, Clone, PartialEq)]
pub enum Until {
    /// Ends at the next record or at the end of the parent.
    Next,
    /// Ends at the next record or at the next sibling that this expression selects.
    Before(Text),
}

/// Selects members of a list by position, in the notation of TSIMMIS.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Slice {
    /// `[skip:drop]`: all members except so many at the beginning and at the end.
    Range {
        /// Number of members left out at the beginning.
        skip: u32,
        /// Number of members left out at the end.
        drop: u32,
    },
    /// `[n]`: only that member, counted from 0.
    Index(u32),
}

impl Slice {
    /// Returns `true` if the slice of a list of `len` members includes the member at `index`.
    #[inline]
    pub fn contains(self, index: usize, len: usize) -> bool {
        match self {
            Slice::Range { skip, drop } => index >= skip as usize && index + (drop as usize) < len,
            Slice::Index(only) => index == only as usize,
        }
    }
}

impl Slice {
    /// Returns `true` if the slice of a list of `len` members is empty.
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
    /// Selected by its header's visible text, ignoring case and white space.
    Named(Text),
    /// Selected by position; the first is 1, as in XPath.
    Number(u32),
}

/// A text of a wrapper file, with its place in the file.
#[derive(Clone, Default)]
pub struct Text {
    /// The text, with escapes resolved.
    pub value: String,
    /// Place in the file, without the quotes if `exact`; `None` if the text was not read from a file.
    pub span: Option<Span>,
    /// `true` if the bytes at `span` are exactly the value, so that errors can point inside it.
    pub exact: bool,
}

impl Text {
    /// Creates a text located at `span` of a file.
    pub fn at(value: impl Into<String>, span: Span, exact: bool) -> Text {
        Text { value: value.into(), span: Some(span), exact }
    }

    /// Converts a span inside the value to its place in the file.
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

    /// Creates a required string field.
    pub fn field(name: impl Into<Text>, locator: impl Into<Locator>) -> Rule {
        Rule::new(Kind::Field, name, locator.into())
    }

    /// Creates a group in the scope of the rule above; add rules with [`Rule::with`].
    pub fn group(name: impl Into<Text>, locator: impl Into<Locator>) -> Rule {
        Rule::new(Kind::Group, name, locator.into())
    }

    /// Creates a list of records; add rules with [`Rule::with`], or none for a list of values.
    pub fn list(name: impl Into<Text>, records: impl Into<Locator>) -> Rule {
        Rule::new(Kind::List, name, records.into())
    }

    /// Creates a pattern that saves one text for each of the rules in `into`.
    pub fn save(locator: impl Into<Locator>, into: Vec<Rule>) -> Rule {
        Rule::new(Kind::Save, "", locator.into()).with(into)
    }

    /// Replaces the rules in its scope.
    pub fn with(mut self, rules: Vec<Rule>) -> Rule {
        self.rules = rules;
        self
    }

    /// Sets the type.
    pub fn typed(mut self, ty: Type) -> Rule {
        self.ty = ty;
        self
    }

    /// Marks the rule as optional: a page may lack it.
    pub fn optional(mut self) -> Rule {
        self.optional = true;
        self
    }

    /// Sets the fields that identify a record.
    pub fn keyed(mut self, key: impl IntoIterator<Item = impl Into<Text>>) -> Rule {
        self.key = key.into_iter().map(Into::into).collect();
        self
    }

    /// Sets the absolute XPath at which it was found.
    pub fn found_at(mut self, path: impl Into<Text>) -> Rule {
        self.path = Some(path.into());
        self
    }

    /// Returns `true` if the rule makes no objects of its own.
    pub fn is_temporary(&self) -> bool {
        self.kind == Kind::Save || self.name.starts_with('_')
    }

    /// Returns the label of its objects.
    pub fn shown(&self) -> &str {
        self.label.as_ref().unwrap_or(&self.name)
    }
}

impl Locator {
    /// Creates a locator without refinements.
    pub fn new(find: Find) -> Locator {
        Locator { find, ..Locator::default() }
    }

    /// Creates a locator from an XPath expression.
    pub fn xpath(expression: impl Into<Text>) -> Locator {
        Locator::new(Find::XPath(expression.into()))
    }

    /// Creates a locator from a CSS selector.
    pub fn css(selector: impl Into<Text>) -> Locator {
        Locator::new(Find::Css(selector.into()))
    }

    /// Creates a locator from a TSIMMIS pattern.
    pub fn pattern(pattern: impl Into<Text>) -> Locator {
        Locator::new(Find::Pattern(pattern.into()))
    }

    /// Creates a locator for the pieces between the occurrences of a text.
    pub fn split(delimiter: impl Into<Text>) -> Locator {
        Locator::new(Find::Split(delimiter.into()))
    }

    /// Creates a locator for the content between two token rules.
    pub fn between(start: impl Into<Text>, end: impl Into<Text>) -> Locator {
        Locator::new(Find::Landmark(Landmark::Between { start: start.into(), end: Some(end.into()) }))
    }

    /// Returns `true` if its matches are parts of a text, which have no node of their own.
    pub(crate) fn ends_in_text(&self) -> bool {
        match &self.then {
            Some(then) => then.ends_in_text(),
            None => self.after.is_some() || self.before.is_some() || self.matches.is_some(),
        }
    }

    /// Returns `true` if it selects the scope itself, without refinements.
    pub fn is_scope(&self) -> bool {
        *self == Locator::default()
    }
}

impl From<&str> for Locator {
    /// Creates a locator from an XPath expression or CSS selector; the syntax is detected.
    fn from(expression: &str) -> Locator {
        Locator::new(Find::Expression(expression.into()))
    }
}
