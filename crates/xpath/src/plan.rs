//! The plan, which the evaluator runs. XPath and CSS are both compiled to it.
//!
//! A plan is the expression tree with three differences. Names are slots, resolved to ids once per document. A step
//! knows what its predicates need: those independent of position filter nodes as they are found, positions are
//! counted as nodes stream by, and only `last()` makes the evaluator collect a list. And conditions that are frequent
//! in real expressions (`@class`, `@id = 'x'`, `contains(@class, 'x')`, the tests of CSS) are single operations on
//! the document.

use memchr::memmem::Finder;

use crate::ast::{Arithmetic, Axis, Comparison, Function, Type};
use crate::error::Span;

/// A compiled expression.
#[derive(Debug, Clone)]
pub(crate) struct Plan {
    pub(crate) root: Ex,
    pub(crate) names: Vec<NameRef>,
    pub(crate) variables: Vec<VariableRef>,
    /// Number of sibling counters that [`CssTest::Nth`] tests use.
    pub(crate) counters: usize,
    /// Number of results that [`Ex::Once`] expressions keep.
    pub(crate) kept: usize,
}

/// A name to look up in each document.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct NameRef {
    pub(crate) prefix: Option<String>,
    /// Name as written, which foreign elements and their attributes are compared with. Empty for `prefix:*`.
    pub(crate) exact: String,
    pub(crate) is_attribute: bool,
    pub(crate) span: Span,
}

/// A variable the expression uses.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct VariableRef {
    pub(crate) name: String,
    /// `true` if only nodes make sense where it is used.
    pub(crate) needs_nodes: bool,
    pub(crate) span: Span,
}

/// An index into [`Plan::names`].
pub(crate) type Slot = usize;

/// An expression.
#[derive(Debug, Clone)]
pub(crate) enum Ex {
    Number(f64),
    Text(Box<str>),
    Boolean(bool),
    /// An index into [`Plan::variables`].
    Variable(usize),
    Or(Box<[Ex]>),
    And(Box<[Ex]>),
    Not(Box<Ex>),
    Compare(Comparison, Box<Ex>, Box<Ex>),
    Arithmetic(Box<Ex>, Box<[(Arithmetic, Ex)]>),
    Negate(Box<Ex>),
    Union(Box<[Ex]>),
    Path(Box<Path>),
    Call(Function, Box<[Ex]>),
    /// A test that the context element has an attribute that passes a test.
    Attribute(Slot, AttributeTest),
    /// `contains(…, 'literal')` with a non-empty literal.
    Contains(Box<Ex>, Box<Finder<'static>>),
    /// A CSS condition on the context element.
    Css(Box<CssTest>),
    /// Nodes that do not depend on the context, inside a predicate: found once and kept under this number.
    Once(usize, Box<Ex>),
    /// Two plans: one for the whole document as context, one for an element.
    ByContext(Box<(Ex, Ex)>),
}

impl Ex {
    /// Returns the type of its value.
    pub(crate) fn value_type(&self) -> Type {
        match self {
            Ex::Number(_) | Ex::Arithmetic(..) | Ex::Negate(_) => Type::Number,
            Ex::Text(_) => Type::String,
            Ex::Boolean(_) | Ex::Or(_) | Ex::And(_) | Ex::Not(_) | Ex::Compare(..) => Type::Boolean,
            Ex::Attribute(..) | Ex::Contains(..) | Ex::Css(_) => Type::Boolean,
            Ex::Variable(_) => Type::Any,
            Ex::Union(_) | Ex::Path(_) | Ex::Once(..) | Ex::ByContext(_) => Type::Nodes,
            Ex::Call(function, _) => function.result(),
        }
    }
}

/// A path.
#[derive(Debug, Clone)]
pub(crate) struct Path {
    pub(crate) start: Start,
    pub(crate) steps: Box<[Step]>,
    /// `true` if a depth-first search over the steps meets no node twice, so that questions about the nodes (whether
    /// there are any, how many) can be answered without collecting them. With overlapping steps, only sets keep the
    /// work polynomial.
    pub(crate) walkable: bool,
    /// `true` if a depth-first search over the steps also meets the nodes in document order.
    pub(crate) ordered: bool,
    /// `true` if the path is ordered and each step only visits nodes next to its context node.
    pub(crate) direct: bool,
}

/// The start of a path.
#[derive(Debug, Clone)]
pub(crate) enum Start {
    Root,
    Context,
    /// The context node of the whole evaluation: CSS's `:scope`.
    Scope,
    /// Nodes of an expression, filtered in document order.
    Filter(Ex, Box<[Predicate]>),
}

/// A step.
#[derive(Debug, Clone)]
pub(crate) struct Step {
    pub(crate) axis: Axis,
    pub(crate) test: Test,
    /// Predicates that can be decided as nodes stream by; at most [`Step::COUNTERS`] of them count positions.
    pub(crate) stream: Box<[Predicate]>,
    /// Predicates from the first one on that needs the whole list.
    pub(crate) gather: Box<[Predicate]>,
    /// `true` if a predicate depends on position or size, so that each context node has to be processed separately.
    pub(crate) positional: bool,
    /// `true` if the step is taken from every descendant-or-self of the context nodes: `//li[1]` in one step.
    pub(crate) below: bool,
}

impl Step {
    pub(crate) const COUNTERS: usize = 4;
}

/// A node test, combined with the principal node type of the axis.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Test {
    /// `node()`
    Node,
    /// `*`
    Element,
    /// A name without prefix: an HTML element.
    Html(Slot),
    /// `prefix:name`, and `prefix:*`.
    Qualified(Slot),
    Text,
    Comment,
    /// Matches no node.
    Nothing,
    /// CSS's type selector: an HTML element by its name, ignoring case, or a foreign one by its exact name.
    AnyNamespace(Slot),
}

/// A predicate.
#[derive(Debug, Clone)]
pub(crate) enum Predicate {
    /// A condition independent of position.
    Test(Ex),
    /// A range of positions, both ends included: `[3]`, `[position() < 3]`.
    Range(u32, u32),
    /// `[last()]`
    Last,
    /// A condition that depends on the position.
    Positional(Ex),
    /// A number that the position is compared with.
    Number(Ex),
    /// A variable: a number is a position, anything else a condition.
    Any(Ex),
}

/// A test of an attribute's value.
#[derive(Debug, Clone)]
pub(crate) enum AttributeTest {
    Present,
    Equal(Box<str>),
    Differs(Box<str>),
    Contains(Box<Finder<'static>>),
    StartsWith(Box<str>),
    /// The value contains a word between spaces; XPath's `contains(concat(' ', @class, ' '), ' x ')`.
    Word(Box<Finder<'static>>, Spaces),
    /// One of CSS's operators.
    Css(CssOperator, Box<str>, Case),
}

/// The characters that separate words.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Spaces {
    /// Only the space.
    Space,
    /// The white space of `normalize-space()`.
    Xml,
}

/// An operator of CSS attribute selectors: `[a=b]`, `[a~=b]`, …
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum CssOperator {
    Equal,
    Word,
    Dash,
    Prefix,
    Suffix,
    Part,
}

/// The way CSS compares an attribute's value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Case {
    /// Case-sensitive.
    Sensitive,
    /// Ignores ASCII case.
    Insensitive,
    /// Ignores ASCII case on HTML elements: for `type`, `rel`, `lang` and others.
    InsensitiveInHtml,
}

/// A CSS condition on an element.
#[derive(Debug, Clone)]
pub(crate) enum CssTest {
    Type(Slot),
    Id(Box<str>),
    Class(Box<str>),
    Nth(Nth),
    /// The element contains no elements and no text.
    Empty,
    Root,
    Scope,
    Lang(Box<[Box<str>]>),
    Checked,
    Disabled,
    Enabled,
    Link,
}

/// `an+b`: a test of the rank among siblings.
#[derive(Debug, Clone)]
pub(crate) struct Nth {
    pub(crate) step: i32,
    pub(crate) offset: i32,
    pub(crate) from_end: bool,
    pub(crate) among: Among,
    /// Index of the plan's counter.
    pub(crate) counter: usize,
}

/// The siblings that a rank counts.
#[derive(Debug, Clone)]
pub(crate) enum Among {
    All,
    SameType,
    Matching(Ex),
}
