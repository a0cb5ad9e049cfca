//! Builds an extraction from objects that were not found by the wrapper's rules, under the wrapper's names and types,
//! so that they can be used like any other extraction.

use std::sync::Arc;

use windrow_dom::NodeId;
use windrow_xpath::Node;

use crate::object::{Computed, Entry, Extraction};
use crate::page::Page;
use crate::run::Extractor;
use crate::scope::{Place, Scope};

/// An extraction under construction. Rules are given by their numbers, as
/// [`Object::rule_number`](crate::Object::rule_number) counts them; objects with an unknown number are ignored.
#[derive(Debug)]
pub struct Assembly {
    made: Extraction,
    open: Vec<u32>,
}

impl Extractor {
    /// Begins an extraction from a page, without running any rule.
    pub fn assemble(&self, page: impl Into<Arc<Page>>) -> Assembly {
        let made = Extraction::empty(self.program.clone(), page.into());
        Assembly { made, open: Vec::new() }
    }
}

impl Assembly {
    /// Begins an object that contains others, until [`close`](Assembly::close).
    pub fn open(&mut self, rule: usize, node: NodeId) {
        let at = self.push(rule, Place::Node(Node::node(node)));
        self.open.push(at.unwrap_or(u32::MAX));
    }

    /// Ends the object that was begun last.
    pub fn close(&mut self) {
        let end = self.made.entries.len() as u32;
        if let Some(entry) = self.open.pop().and_then(|at| self.made.entries.get_mut(at as usize)) {
            entry.end = end;
        }
    }

    /// Adds a value: the whole text of a node, or an attribute.
    pub fn node(&mut self, rule: usize, node: Node) {
        self.push(rule, Place::Node(node));
    }

    /// Adds a value that is not a whole node: its text, and the node it comes from.
    pub fn text(&mut self, rule: usize, text: impl Into<String>, from: Node) {
        let index = self.made.computed.len() as u32;
        self.made.computed.push(Computed { text: text.into(), from: Place::Node(from) });
        self.push(rule, Place::Computed(index));
    }

    /// Returns the extraction, closing all open objects.
    pub fn finish(mut self) -> Extraction {
        while !self.open.is_empty() {
            self.close();
        }
        self.made
    }

    fn push(&mut self, rule: usize, place: Place) -> Option<u32> {
        let variable = *self.made.program.numbered.get(rule)?;
        self.made.tallies.get_mut(variable as usize)?.add(1);
        let at = self.made.entries.len() as u32;
        let mut entry = Entry::new(variable, Scope { page: 0, place });
        entry.end = at + 1;
        self.made.entries.push(entry);
        Some(at)
    }
}
