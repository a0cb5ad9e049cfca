//! The result of an extraction: objects in the sense of OEM, each with a label, a type and a value (atomic or a set
//! of objects), the place it came from and the rule that made it.
//!
//! Objects are stored in one array in the order they were made, each set before its members, so an object takes 20
//! bytes. Values are read from the page on request: making half a million objects costs as much as storing half a
//! million pairs of offsets.
//!
//! OEM: Y. Papakonstantinou, H. Garcia-Molina, J. Widom, "Object Exchange Across Heterogeneous Information Sources", 1995.

use std::borrow::Cow;
use std::sync::Arc;

use windrow_dom::{NodeId, Span};
use windrow_xpath::Node;

use crate::page::Page;
use crate::problem::Problem;
use crate::program::{Program, Variable};
use crate::pruned::Pruned;
use crate::scope::{Place, Scope};
use crate::tally::Tally;
use crate::typed::{self, Value};
use crate::values::Type;
use crate::wrapper::Kind;

/// The objects that a wrapper found on a page and on the pages it followed.
#[derive(Debug)]
pub struct Extraction {
    pub(crate) program: Arc<Program>,
    pub(crate) pages: Vec<Arc<Page>>,
    pub(crate) entries: Vec<Entry>,
    /// Texts that do not occur on a page as they are: results of XPath functions, parts of visible texts.
    pub(crate) computed: Vec<Computed>,
    /// Places from whose values something is left out.
    pub(crate) pruned: Vec<Pruned>,
    /// Nodes left out of these places.
    pub(crate) left_out: Vec<NodeId>,
    /// Labels that came from the page: the columns of tables.
    pub(crate) headers: Vec<Header>,
    /// Problems in the order of the objects they belong to.
    pub(crate) problems: Vec<Problem>,
    pub(crate) unreported: usize,
    /// One tally per variable.
    pub(crate) tallies: Vec<Tally>,
}

/// An object.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Entry {
    /// Number of the variable; from the number of variables on, number of a header.
    pub(crate) variable: u32,
    /// Index after the last object below.
    pub(crate) end: u32,
    a: u32,
    b: u32,
    page: u16,
    tag: u8,
    pub(crate) incomplete: bool,
}

#[derive(Debug)]
pub(crate) struct Computed {
    pub(crate) text: String,
    /// Place it was computed from.
    pub(crate) from: Place,
}

#[derive(Debug)]
pub(crate) struct Header {
    pub(crate) label: String,
    /// List whose rows have the column.
    pub(crate) variable: u32,
}

impl Entry {
    #[inline]
    pub(crate) fn new(variable: u32, scope: Scope) -> Entry {
        let (tag, a, b) = match scope.place {
            Place::Span(span) => (0, span.start, span.end),
            Place::Node(node) => (1, node.id().index() as u32, node.attribute().map_or(0, |index| index as u32 + 1)),
            Place::Run { first, end } => (2, first.index() as u32, end.index() as u32),
            Place::Computed(index) => (3, index, 0),
            Place::Pruned(index) => (4, index, 0),
        };
        Entry { variable, end: 0, a, b, page: scope.page, tag, incomplete: false }
    }

    pub(crate) fn scope(&self) -> Scope {
        let place = match self.tag {
            0 => Place::Span(Span { start: self.a, end: self.b }),
            1 => Place::Node(match self.b.checked_sub(1) {
                None => Node::node(NodeId::from_index(self.a as usize)),
                Some(index) => Node::attribute_of(NodeId::from_index(self.a as usize), index as usize),
            }),
            2 => Place::Run { first: NodeId::from_index(self.a as usize), end: NodeId::from_index(self.b as usize) },
            3 => Place::Computed(self.a),
            _ => Place::Pruned(self.a),
        };
        Scope { page: self.page, place }
    }
}

impl Extraction {
    /// Creates an extraction without objects.
    pub(crate) fn empty(program: Arc<Program>, page: Arc<Page>) -> Extraction {
        let tallies = vec![Tally::default(); program.variables.len()];
        Extraction {
            program,
            pages: vec![page],
            entries: Vec::new(),
            computed: Vec::new(),
            pruned: Vec::new(),
            left_out: Vec::new(),
            headers: Vec::new(),
            problems: Vec::new(),
            unreported: 0,
            tallies,
        }
    }

    /// Returns the objects at the top, in order.
    pub fn objects(&self) -> Objects<'_> {
        Objects { extraction: self, at: 0, end: self.entries.len() as u32 }
    }

    /// Returns the page that was extracted from first, then those that `get` fetched, in order.
    pub fn pages(&self) -> &[Arc<Page>] {
        &self.pages
    }

    /// Returns the problems met, in the order of the objects.
    pub fn problems(&self) -> &[Problem] {
        &self.problems
    }

    /// Returns the number of problems that were not kept: only the first thousand are.
    pub fn unreported(&self) -> usize {
        self.unreported
    }

    /// Returns the number of objects at all levels.
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Returns `true` if nothing was found.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// Returns `true` if there is at least one value, that is, an atomic object.
    pub fn has_values(&self) -> bool {
        (0..self.entries.len() as u32).any(|at| !Object { extraction: self, at }.is_set())
    }
}

/// Objects of one set, in order.
#[derive(Debug, Clone)]
pub struct Objects<'e> {
    extraction: &'e Extraction,
    at: u32,
    end: u32,
}

impl<'e> Iterator for Objects<'e> {
    type Item = Object<'e>;

    fn next(&mut self) -> Option<Object<'e>> {
        if self.at >= self.end {
            return None;
        }
        let object = Object { extraction: self.extraction, at: self.at };
        self.at = object.entry().end;
        Some(object)
    }
}

/// An object: label, type, value, and the place it came from.
#[derive(Debug, Clone, Copy)]
pub struct Object<'e> {
    extraction: &'e Extraction,
    at: u32,
}

impl<'e> Object<'e> {
    fn entry(self) -> &'e Entry {
        &self.extraction.entries[self.at as usize]
    }

    fn header(self) -> Option<&'e Header> {
        let header = (self.entry().variable as usize).checked_sub(self.extraction.program.variables.len())?;
        self.extraction.headers.get(header)
    }

    fn variable(self) -> &'e Variable {
        let number = self.header().map_or(self.entry().variable, |header| header.variable);
        &self.extraction.program.variables[number as usize]
    }

    /// Returns its index in the extraction; sets come before their members.
    pub fn index(self) -> usize {
        self.at as usize
    }

    /// Returns its label.
    pub fn label(self) -> &'e str {
        self.header().map_or(&self.variable().label, |header| &header.label)
    }

    /// Returns `true` if the label can occur several times, however often it occurs on this page.
    pub fn is_many(self) -> bool {
        self.header().is_none() && self.variable().many
    }

    /// Returns the type of its value, if it is atomic.
    pub fn ty(self) -> Type {
        match self.header() {
            Some(_) => Type::String,
            None => self.variable().ty,
        }
    }

    /// Returns `true` if its value is a set of objects.
    pub fn is_set(self) -> bool {
        self.header().is_none() && self.variable().complex
    }

    /// Returns `true` if it is a record of a list.
    pub fn is_record(self) -> bool {
        self.header().is_none() && self.variable().kind == Kind::List
    }

    /// Returns the objects in its set.
    pub fn objects(self) -> Objects<'e> {
        Objects { extraction: self.extraction, at: self.at + 1, end: self.entry().end }
    }

    /// Returns the labels of required objects that are missing from its set.
    pub fn missing(self) -> impl Iterator<Item = &'e str> {
        let problems = &self.extraction.problems;
        let first = problems.partition_point(|problem| problem.object.is_none_or(|object| object < self.at));
        let own = problems[first..].iter().take_while(move |problem| problem.object == Some(self.at));
        let own = own.filter(|problem| problem.is_missing()).map(move |problem| problem.label(self.extraction));
        own.take(if self.entry().incomplete { usize::MAX } else { 0 })
    }

    /// Returns `true` if it lacks something required.
    pub fn is_incomplete(self) -> bool {
        self.entry().incomplete
    }

    /// Returns the page it is from.
    pub fn page(self) -> &'e Arc<Page> {
        &self.extraction.pages[self.entry().page as usize]
    }

    /// Returns the element, text or attribute it is from. For a value that a pattern cut out of the source, this is
    /// the innermost element around it, if the page's tree has been built.
    pub fn node(self) -> Option<Node> {
        self.scope().node(self.extraction)
    }

    /// Returns its place in the source of its page.
    pub fn span(self) -> Option<Span> {
        self.scope().span(self.extraction)
    }

    fn scope(self) -> Scope {
        self.entry().scope()
    }

    /// Returns `true` if its value is the whole of its place: not a part of it, not computed from it, and nothing
    /// left out.
    pub fn is_whole(self) -> bool {
        !matches!(self.scope().place, Place::Computed(_) | Place::Pruned(_))
    }

    /// Returns its text as it stands on the page: an attribute's value, a node's characters, the source that a
    /// pattern saved.
    pub fn raw(self) -> Cow<'e, str> {
        typed::raw(self.extraction, self.scope())
    }

    /// Returns its text as a person reads it: without markup, white space collapsed.
    pub fn text(self) -> Cow<'e, str> {
        typed::text(self.extraction, self.scope())
    }

    /// Returns its value, parsed according to its type.
    pub fn value(self) -> Value<'e> {
        typed::value(self.extraction, self.scope(), self.ty())
    }

    /// Returns the name of the rule that made it.
    pub fn rule_name(self) -> &'e str {
        &self.variable().name
    }

    /// Returns the number of that rule among all rules of the wrapper, counted from 0 in depth-first order. `None`
    /// for the columns of a table that no rule names, and for objects that a group takes: these were found by another
    /// rule.
    pub fn rule_number(self) -> Option<usize> {
        match self.header() {
            Some(_) => None,
            None => self.variable().number.map(|number| number as usize),
        }
    }

    /// Returns a short description of that rule's locator.
    pub fn rule(self) -> &'e str {
        &self.variable().rule
    }

    /// Returns the place of that rule in the wrapper file.
    pub fn rule_place(self) -> Option<windrow_xpath::Span> {
        self.variable().place
    }
}
