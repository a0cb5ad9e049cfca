//! Documents built by hand, without HTML: for tests, and for trees from other sources (XML).

use crate::arena::{AttrData, DecodedString, NONE, Node, StrRef, Strings};
use crate::document::{Document, Namespace, NodeKind, QuirksMode};
use crate::encoding::EncodingDecision;
use crate::span::Span;

/// A builder of documents, node by node in document order.
///
/// ```
/// use windrow_dom::{Namespace, assemble::Assembler};
///
/// let mut assembler = Assembler::new();
/// assembler.open("book", Namespace::Html, &[("lang", "no")]);
/// assembler.text("Sult");
/// assembler.close();
/// let document = assembler.finish();
/// assert_eq!(document.outer_html(document.root()), "<book lang=\"no\">Sult</book>");
/// ```
#[derive(Debug)]
pub struct Assembler {
    nodes: Vec<Node>,
    strings: Strings,
    open: Vec<u32>,
}

impl Default for Assembler {
    fn default() -> Assembler {
        Assembler::new()
    }
}

impl Assembler {
    /// Creates an empty document.
    pub fn new() -> Assembler {
        let mut assembler = Assembler { nodes: Vec::new(), strings: Strings::default(), open: Vec::new() };
        assembler.add(Node::new(NodeKind::Document, 0, NONE, NONE));
        assembler.open.push(0);
        assembler
    }

    fn add(&mut self, node: Node) -> u32 {
        let id = self.nodes.len() as u32;
        let parent = self.open.last().copied().unwrap_or(NONE);
        self.nodes.push(Node { parent, end: id + 1, ..node.with(Node::INSERTED) });
        id
    }

    /// Stores a string and returns its index among the decoded values.
    fn keep(&mut self, text: &str) -> u32 {
        let start = self.strings.store.len();
        self.strings.store.push_str(text);
        let string = StrRef::own(start, self.strings.store.len());
        self.strings.values.push(DecodedString { string, source_len: 0 });
        self.strings.values.len() as u32 - 1
    }

    /// Opens an element.
    pub fn open(&mut self, name: &str, namespace: Namespace, attributes: &[(&str, &str)]) {
        let name = self.strings.names.intern(name);
        let first = if attributes.is_empty() { NONE } else { self.strings.attrs.len() as u32 };
        for (name, value) in attributes {
            let mut attr = AttrData::new(self.strings.names.intern(name), Span::default(), false);
            attr.set_decoded(self.keep(value));
            self.strings.attrs.push(attr);
        }
        if let Some(last) = self.strings.attrs.last_mut()
            && !attributes.is_empty()
        {
            last.set_last(true);
        }
        let id = self.add(Node::element(name, namespace, 0, first));
        self.open.push(id);
    }

    /// Adds a text.
    pub fn text(&mut self, text: &str) {
        let second = self.keep(text);
        self.add(Node::new(NodeKind::Text, 0, 0, second));
    }

    /// Adds a comment.
    pub fn comment(&mut self, text: &str) {
        let second = self.keep(text);
        self.add(Node::new(NodeKind::Comment, 0, 0, second));
    }

    /// Closes the last opened element; the root stays open.
    pub fn close(&mut self) {
        if self.open.len() > 1 {
            self.open.pop();
        }
    }

    /// Returns the document, closing all open elements.
    pub fn finish(mut self) -> Document {
        for id in (1..self.nodes.len()).rev() {
            let Node { parent, end, .. } = self.nodes[id];
            if let Some(parent) = self.nodes.get_mut(parent as usize) {
                parent.end = parent.end.max(end);
            }
        }
        Document {
            source: String::new(),
            main_len: self.nodes.len() as u32,
            nodes: self.nodes,
            strings: self.strings,
            doctypes: Vec::new(),
            templates: Vec::new(),
            quirks: QuirksMode::None,
            encoding: EncodingDecision::TEXT,
            notes: Vec::new(),
        }
    }
}
