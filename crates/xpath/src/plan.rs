//! The plan: what the evaluator runs. XPath and CSS both compile to it.
//!
//! It is the expression tree again, with three differences. Names are slots, resolved to ids once per document. A step
//! knows what its predicates need: position-free ones filter as nodes are found, positions are counted as nodes stream
//! by, and only `last()` makes the evaluator gather a list. And conditions that real expressions are full of (`@class`,
//! `@id = 'x'`, `contains(@class, 'x')`, CSS's tests) are single nodes that look at the document directly.

use memchr::memmem::Finder;

use crate::ast::{Arithmetic, Axis, Comparison, Function, Type};
use crate::error::Span;

/// A compiled expression.
#[derive(Debug, Clone)]
pub(crate) struct Plan {
    pub(crate) root: Ex,
    pub(crate) names: Vec<NameRef>,
    pub(crate) variables: Vec<VariableRef>,
    /// How many [`CssTest::Nth`] keep counts of siblings.
    pub(crate) counters: usize,
    /// How many [`Ex::Once`] keep nodes.
    pub(crate) kept: usize,
}

/// A name to look up in each document.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct NameRef {
    pub(crate) prefix: Option<String>,
    /// As written: what foreign elements and their attributes are compared with. Empty for `prefix:*`.
    pub(crate) exact: String,
    pub(crate) is_attribute: bool,
    pub(crate) span: Span,
}

/// A variable the expression uses.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct VariableRef {
    pub(crate) name: String,
    /// Only nodes make sense where it stands.
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
    /// An attribute of the context element is there and passes a test.
    Attribute(Slot, AttributeTest),
    /// `contains(…, 'literal')`, the literal not empty.
    Contains(Box<Ex>, Box<Finder<'static>>),
    /// A condition of CSS on the context element.
    Css(Box<CssTest>),
    /// Nodes that do not depend on the context, inside a predicate: found once and kept. The number says where.
    Once(usize, Box<Ex>),
    /// One plan where the context is the whole document, another below an element.
    ByContext(Box<(Ex, Ex)>),
}

impl Ex {
    /// The type of its value.
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
    /// Depth-first over the steps meets no node twice, so that a question about the nodes (is there one, how many) can be
    /// answered without collecting them. With steps that overlap, only sets keep the work polynomial.
    pub(crate) walkable: bool,
    /// Depth-first over the steps also meets the nodes in document order.
    pub(crate) ordered: bool,
    /// Ordered, and each step looks only at the nodes next to its own.
    pub(crate) direct: bool,
}

/// Where a path begins.
#[derive(Debug, Clone)]
pub(crate) enum Start {
    Root,
    Context,
    /// The node the whole evaluation began with: CSS's `:scope`.
    Scope,
    /// Nodes, filtered in document order.
    Filter(Ex, Box<[Predicate]>),
}

/// A step.
#[derive(Debug, Clone)]
pub(crate) struct Step {
    pub(crate) axis: Axis,
    pub(crate) test: Test,
    /// Predicates that can be decided as nodes stream by; at most [`Step::COUNTERS`] of them count positions.
    pub(crate) stream: Box<[Predicate]>,
    /// Predicates behind the first that needs the whole list.
    pub(crate) gather: Box<[Predicate]>,
    /// Some predicate depends on position or size, so that each context node has to be looked at alone.
    pub(crate) positional: bool,
    /// Taken from every descendant-or-self of the context nodes: `//li[1]` in one step.
    pub(crate) below: bool,
}

impl Step {
    pub(crate) const COUNTERS: usize = 4;
}

/// A node test, with the axis's principal node type worked in.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Test {
    /// `node()`
    Node,
    /// `*`
    Element,
    /// A name without prefix: an HTML element.
    Html(Slot),
    /// `prefix:name`, and `prefix:*`
    Qualified(Slot),
    Text,
    Comment,
    /// Matches no node.
    Nothing,
    /// CSS's type selector: an HTML element by its name without case, a foreign one by its exact name.
    AnyNamespace(Slot),
}

/// A predicate.
#[derive(Debug, Clone)]
pub(crate) enum Predicate {
    /// True or false, whatever the position.
    Test(Ex),
    /// Positions from one to another, both included: `[3]`, `[position() < 3]`.
    Range(u32, u32),
    /// `[last()]`
    Last,
    /// True or false, depending on the position.
    Positional(Ex),
    /// A number to compare the position with.
    Number(Ex),
    /// A variable: a number is a position, anything else true or false.
    Any(Ex),
}

/// What the value of an attribute must be like.
#[derive(Debug, Clone)]
pub(crate) enum AttributeTest {
    Present,
    Equal(Box<str>),
    Differs(Box<str>),
    Contains(Box<Finder<'static>>),
    StartsWith(Box<str>),
    /// One of the words between spaces; XPath's `contains(concat(' ', @class, ' '), ' x ')`.
    Word(Box<Finder<'static>>, Spaces),
    /// CSS's operators.
    Css(CssOperator, Box<str>, Case),
}

/// What parts words.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Spaces {
    /// The space alone.
    Space,
    /// Those of `normalize-space()`.
    Xml,
}

/// `[a=b]`, `[a~=b]`, …
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum CssOperator {
    Equal,
    Word,
    Dash,
    Prefix,
    Suffix,
    Part,
}

/// How CSS compares an attribute's value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Case {
    /// Letter by letter.
    Sensitive,
    /// ASCII case does not count.
    Insensitive,
    /// ASCII case does not count on HTML elements: `type`, `rel`, `lang` and others.
    InsensitiveInHtml,
}

/// A condition of CSS on an element.
#[derive(Debug, Clone)]
pub(crate) enum CssTest {
    Type(Slot),
    Id(Box<str>),
    Class(Box<str>),
    Nth(Nth),
    /// No elements and no text inside.
    Empty,
    Root,
    Scope,
    Lang(Box<[Box<str>]>),
    Checked,
    Disabled,
    Enabled,
    Link,
}

/// `an+b`: the rank among siblings.
#[derive(Debug, Clone)]
pub(crate) struct Nth {
    pub(crate) step: i32,
    pub(crate) offset: i32,
    pub(crate) from_end: bool,
    pub(crate) among: Among,
    /// Which of the plan's counters.
    pub(crate) counter: usize,
}

/// Which siblings count.
#[derive(Debug, Clone)]
pub(crate) enum Among {
    All,
    SameType,
    Matching(Ex),
}
