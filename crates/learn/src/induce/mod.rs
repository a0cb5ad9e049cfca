//! From labels to rules: expressions that find places again, on this page and on others, as long as possible.
//!
//! [`induce`] writes the rule of a labelled list. Nothing here knows of evidence.
//!
//! `list` writes the rules of a list, its fields and the lists in its records: [`locate`] finds the expression of a field, [`record`] that
//! of the records, [`outside`] that of a heading over them, [`extent`] and [`part`] take a part out of a text.
//!
//! On a page that is a record itself, [`ways`] writes the alternatives of a place, the most lasting first: by [`label`], id, class,
//! heading, and steps from what has a name. A [`Way`](way::Way) is one of them, and a [`Probe`](way::Probe) tells what it finds on a page.
//! [`heading`] finds a list by the words above it. [`cut`] takes a part out of a text there, [`shape`] says what a value looks like, [`names`] whether the page calls a field what a person
//! calls it, [`landmark`] finds a value by the tokens around it, and [`generated`] tells names that a person gave from names that a program
//! made up.

pub(crate) mod cut;
pub(crate) mod extent;
pub(crate) mod generated;
pub(crate) mod heading;
pub(crate) mod label;
pub(crate) mod landmark;
mod list;
pub(crate) mod locate;
pub(crate) mod marks;
pub(crate) mod names;
pub(crate) mod outside;
pub(crate) mod part;
pub(crate) mod path;
pub(crate) mod record;
pub(crate) mod selections;
mod selectors;
pub(crate) mod shape;
pub(crate) mod way;
pub(crate) mod ways;

use windrow_dom::NodeId;
use windrow_wrapper::{Learned as Source, Rule, Wrapper};

pub use self::list::is_positional;
use crate::labels::Labels;
use crate::page_view::PageView;

/// The rules of a list, and what they were written from.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Learned {
    /// The rule of the list.
    pub(crate) list: Rule,
    /// By page: the labels.
    pub(crate) labels: Vec<Labels>,
    /// Warnings about the rules.
    pub(crate) warnings: Vec<Warning>,
}

/// Something that may be wrong with learned rules.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Warning {
    /// No expression tells the records from what is beside them: they are written one by one.
    OneByOne {
        /// Number of the records.
        records: usize,
    },
    /// A field that some records lack is found by its number among its like.
    Positional {
        /// The field, behind the names of the lists that it is in.
        field: String,
        /// The first record without it.
        without: NodeId,
    },
    /// No expression finds a labelled field or list, or none that can be read.
    NoRule {
        /// The field, behind the names of the lists that it is in.
        field: String,
    },
}

/// Writes the rules of a labelled list.
pub(crate) fn induce(view: &PageView<'_>, labels: Labels) -> Learned {
    let mut warnings = Vec::new();
    let list = list::rule(view, &labels, &mut warnings);
    Learned { list, labels: vec![labels], warnings }
}

impl Learned {
    /// Adds what was learned on another page of the same kind.
    pub(crate) fn merge(&mut self, more: Learned) {
        list::merge(&mut self.list, more.list);
        self.labels.extend(more.labels);
        self.warnings.extend(more.warnings);
    }

    /// Returns the wrapper. `method`: the name of the method that labelled the list.
    pub(crate) fn wrapper(self, method: &str) -> Wrapper {
        let learned = Source { by: method.to_owned(), from: Vec::new(), at: None };
        Wrapper { learned: Some(learned), rules: vec![self.list], ..Wrapper::default() }
    }
}
