//! What an extraction gives: objects in the sense of OEM, each with a label, a type and a value, which is atomic or a set
//! of objects; each with the place it came from and the rule that made it.
//!
//! Objects lie in one array in the order they were made, a set in front of its members, so an object is 20 bytes and
//! the value is read off the page when it is asked for: making half a million objects costs as much as writing down
//! half a million pairs of offsets.
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

/// What a wrapper found on a page, and on the pages it followed.
#[derive(Debug)]
pub struct Extraction {
    pub(crate) program: Arc<Program>,
    pub(crate) pages: Vec<Arc<Page>>,
    pub(crate) entries: Vec<Entry>,
    /// Texts that stand on no page as they are: results of XPath functions, parts of visible texts.
    pub(crate) computed: Vec<Computed>,
    /// Places of whose values something is left out.
    pub(crate) pruned: Vec<Pruned>,
    /// What is left out of them.
    pub(crate) left_out: Vec<NodeId>,
    /// Labels that came from the page: the columns of tables.
    pub(crate) headers: Vec<Header>,
    /// In the order of the objects they belong to.
    pub(crate) problems: Vec<Problem>,
    pub(crate) unreported: usize,
    /// One for each variable.
    pub(crate) tallies: Vec<Tally>,
}

/// An object.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Entry {
    /// The variable, or behind those of the program, the header.
    pub(crate) variable: u32,
    /// One past the last object below.
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
    /// What it was computed from.
    pub(crate) from: Place,
}

#[derive(Debug)]
pub(crate) struct Header {
    pub(crate) label: String,
    /// The list whose rows have it.
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
    /// Nothing yet of a page.
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

    /// The objects at the top, in order.
    pub fn objects(&self) -> Objects<'_> {
        Objects { extraction: self, at: 0, end: self.entries.len() as u32 }
    }

    /// The page that was extracted from first, and those that `get` asked for, in the order of asking.
    pub fn pages(&self) -> &[Arc<Page>] {
        &self.pages
    }

    /// What was missing, or not as the wrapper says, in the order of the objects.
    pub fn problems(&self) -> &[Problem] {
        &self.problems
    }

    /// How many further problems there were: of thousands alike only the first are kept.
    pub fn unreported(&self) -> usize {
        self.unreported
    }

    /// How many objects there are, at all levels.
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Whether nothing was found.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// Whether there is a value anywhere: an atomic object.
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

/// An object: label, type, value, and where it came from.
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

    /// Its number in the extraction: sets come in front of their members.
    pub fn index(self) -> usize {
        self.at as usize
    }

    /// Its label.
    pub fn label(self) -> &'e str {
        self.header().map_or(&self.variable().label, |header| &header.label)
    }

    /// Whether it is one of several with this label, however many there are this time.
    pub fn is_many(self) -> bool {
        self.header().is_none() && self.variable().many
    }

    /// The type of its value, if it is atomic.
    pub fn ty(self) -> Type {
        match self.header() {
            Some(_) => Type::String,
            None => self.variable().ty,
        }
    }

    /// Whether its value is a set of objects.
    pub fn is_set(self) -> bool {
        self.header().is_none() && self.variable().complex
    }

    /// Whether it is a record of a list.
    pub fn is_record(self) -> bool {
        self.header().is_none() && self.variable().kind == Kind::List
    }

    /// The objects in its set.
    pub fn objects(self) -> Objects<'e> {
        Objects { extraction: self.extraction, at: self.at + 1, end: self.entry().end }
    }

    /// The labels of required objects that it should hold and does not.
    pub fn missing(self) -> impl Iterator<Item = &'e str> {
        let problems = &self.extraction.problems;
        let first = problems.partition_point(|problem| problem.object.is_none_or(|object| object < self.at));
        let own = problems[first..].iter().take_while(move |problem| problem.object == Some(self.at));
        let own = own.filter(|problem| problem.is_missing()).map(move |problem| problem.label(self.extraction));
        own.take(if self.entry().incomplete { usize::MAX } else { 0 })
    }

    /// Whether it lacks something required.
    pub fn is_incomplete(self) -> bool {
        self.entry().incomplete
    }

    /// The page it is from.
    pub fn page(self) -> &'e Arc<Page> {
        &self.extraction.pages[self.entry().page as usize]
    }

    /// The element, text or attribute it is from. Of a value that a pattern cut out of the source, the innermost element
    /// around it, if the page's tree has been built.
    pub fn node(self) -> Option<Node> {
        self.scope().node(self.extraction)
    }

    /// Its place in the source of its page.
    pub fn span(self) -> Option<Span> {
        self.scope().span(self.extraction)
    }

    fn scope(self) -> Scope {
        self.entry().scope()
    }

    /// Whether its value is all of its place: not a part of it, nor put together from it, and nothing left out.
    pub fn is_whole(self) -> bool {
        !matches!(self.scope().place, Place::Computed(_) | Place::Pruned(_))
    }

    /// Its text as it stands on the page: an attribute's value, a node's characters, the source that a pattern saved.
    pub fn raw(self) -> Cow<'e, str> {
        typed::raw(self.extraction, self.scope())
    }

    /// Its text as a person reads it: no markup, white space collapsed.
    pub fn text(self) -> Cow<'e, str> {
        typed::text(self.extraction, self.scope())
    }

    /// Its value, read as its type says.
    pub fn value(self) -> Value<'e> {
        typed::value(self.extraction, self.scope(), self.ty())
    }

    /// The name of the rule that made it.
    pub fn rule_name(self) -> &'e str {
        &self.variable().name
    }

    /// The number of that rule among all of the wrapper, from 0, each in front of those below it. None for the columns of
    /// a table that no rule names, and for what a group takes: that was found by another rule.
    pub fn rule_number(self) -> Option<usize> {
        match self.header() {
            Some(_) => None,
            None => self.variable().number.map(|number| number as usize),
        }
    }

    /// How that rule finds its objects, in a few words.
    pub fn rule(self) -> &'e str {
        &self.variable().rule
    }

    /// Where that rule stands in the wrapper file.
    pub fn rule_place(self) -> Option<windrow_xpath::Span> {
        self.variable().place
    }
}
