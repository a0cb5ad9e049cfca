//! Domain: attribute and value pairs on any site, from a few keywords.
//!
//! Y. Gu, X. Zheng, Y. Li, "Data Extraction from Web Pages Based on Structural Semantic Entropy", WWW 2012.
//!
//! A [`Domain`] says what its things are called on pages; that is all that is known of a site. The steps, each a file:
//!
//! 1. `sheet`: the page cleaned: lines of text with the way back to their nodes.
//! 2. `lexicon`: where the page has the domain's keywords, and which of them label something.
//! 3. `layout`: what each label's value is: in its line, the next cell, the next block, the cell below.
//! 4. `entropy`: which nodes hold many different roles and little else: the records.
//! 5. `judge`: puts the candidates of a role in order. `records`: which pairs are one record; the best of several values for a
//!    role.
//! 6. `names` and `said`: what the page says for machines: names of elements, and structured data, as evidence where no
//!    label is seen, and as a check where one is.
//! 7. `phrase`: values that their own wording tells, where a role has none yet.
//! 8. `title`: what the record is called.
//! 9. `confidence`: how likely each value is right.
//!
//! Where sites are not known, [`queries`] says what to look for, and [`leads`] where to go on from a page.
//!
//! # Beyond the paper
//!
//! A keyword inside prose, a menu or a longer label labels nothing. An empty value ends the search, so it never takes the
//! next label. A label's row is one leaf, so large tables of labels that the domain does not know stay data-rich. Pairs
//! that stand apart from the record's node are its own unless they are another record's: one whose values differ, which a
//! link leads to. Values may be lists, roles may have roles inside.
//!
//! # Cost
//!
//! One walk over the page, one pass of an automaton over its text; the rest is in proportion to the labels found.

mod compare;
pub mod confidence;
mod entropy;
pub mod file;
mod inner;
mod items;
mod judge;
mod layout;
pub mod leads;
mod lesson;
mod lexicon;
mod names;
mod phrase;
mod queries;
mod reader;
mod records;
mod rows;
mod said;
mod sheet;
mod shown;
mod site;
mod telling;
mod title;
mod unknown;
mod words;

use std::ops::Range;

use windrow_dom::NodeId;

use crate::structured::Syntax;

pub use confidence::Clues;
pub use entropy::{DATA_RICH, Entropy, Kind, LIST};
pub use layout::Layout;
pub use leads::{Lead, Leads};
pub use lesson::{Error, Lesson, Trial, learn};
pub use queries::queries;
pub use reader::Reader;
pub use site::{Accelerated, Plan, Site, Ticket};
pub use telling::Telling;
pub use unknown::Unknown;
pub use words::{Domain, Role, Thresholds};

/// What a page is to a domain.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Class {
    /// It tells of a thing, or of several: it has records.
    DataRich,
    /// It leads to pages that do: what it has of them is there again, and more.
    LinkOffer,
    /// It has nothing of the domain, or too little to be sure.
    Neither,
}

impl Class {
    /// Its name, as reports write it.
    pub fn name(self) -> &'static str {
        match self {
            Class::DataRich => "data-rich",
            Class::LinkOffer => "link offer",
            Class::Neither => "neither",
        }
    }
}

/// What a page says in the words of a domain.
#[derive(Debug, Clone)]
pub struct Reading {
    /// What the page is.
    pub class: Class,
    /// The things it tells of.
    pub records: Vec<Record>,
    /// Pairs that were left out: they are less sure than was asked for ([`Reader::at_least`]).
    pub doubtful: Vec<Pair>,
    /// Where what people see and what machines are told is not the same.
    pub conflicts: Vec<Conflict>,
    /// Nodes whose entropy was computed, in document order.
    pub nodes: Vec<Entropy>,
    /// How many nodes have labels below them and could be passed over.
    pub passed: usize,
}

/// One thing.
#[derive(Debug, Clone)]
pub struct Record {
    /// The node that has it: data-rich, or the smallest that has all its pairs.
    pub node: NodeId,
    /// Its entropy.
    pub entropy: f64,
    /// What is known of it, in the order of the domain's roles.
    pub pairs: Vec<Pair>,
}

/// A role and its value.
#[derive(Debug, Clone)]
pub struct Pair {
    /// The role, by its number in the domain; none for a title that no role asks for.
    pub role: Option<usize>,
    /// What the page calls it, and where.
    pub label: Option<Label>,
    /// Its value; several if it is a list.
    pub values: Vec<Value>,
    /// How the value was found.
    pub evidence: Evidence,
    /// The probability that the value is right.
    pub confidence: f32,
    /// The clues that it was computed from.
    pub clues: Clues,
    /// If the role has roles inside: what is known of those, a group for each thing.
    pub inner: Vec<Vec<Pair>>,
}

/// A keyword on the page that says what a value is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Label {
    /// As the page writes it.
    pub text: String,
    /// Its text node.
    pub node: NodeId,
}

/// A value on the page.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Value {
    /// Its visible text in one line.
    pub text: String,
    /// The smallest node that has it all.
    pub node: NodeId,
    /// Its bytes in that node's visible text in one line, if it is not all of that.
    pub part: Option<Range<usize>>,
}

/// How a value was found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Evidence {
    /// By a label, laid out so.
    Label(Layout),
    /// By its own wording.
    Phrase,
    /// By the id or class of its element.
    Name,
    /// By the page's structured data alone: nobody sees it.
    Said(Syntax),
    /// As what the record is called.
    Title,
}

/// A role of which people see something else than machines are told.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Conflict {
    /// The role.
    pub role: usize,
    /// What the page shows.
    pub seen: String,
    /// What its structured data says.
    pub said: String,
    /// In which syntax.
    pub syntax: Syntax,
}
