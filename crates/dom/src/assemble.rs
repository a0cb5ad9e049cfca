//! Documents put together by hand, without HTML: for tests, and for trees that come from elsewhere (XML).

use crate::document::{AttrData, Document, NONE, Namespace, Node, NodeKind, QuirksMode, StrRef, Strings};
use crate::encoding::EncodingDecision;
use crate::span::Span;

/// Builds a document node by node, in document order.
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
    /// An empty document.
    pub fn new() -> Assembler {
        let mut assembler = Assembler { nodes: Vec::new(), strings: Strings::default(), open: Vec::new() };
        assembler.node(NodeKind::Document, 0, Namespace::None);
        assembler.open.push(0);
        assembler
    }

    fn node(&mut self, kind: NodeKind, name: u32, namespace: Namespace) -> u32 {
        let id = self.nodes.len() as u32;
        self.nodes.push(Node {
            parent: self.open.last().copied().unwrap_or(NONE),
            end: id + 1,
            name,
            kind,
            bits: namespace as u8 | Node::INSERTED,
            attr_count: 0,
            span: Span::default(),
            extra: [0, NONE],
        });
        id
    }

    fn string(&mut self, text: &str) -> StrRef {
        let start = self.strings.store.len();
        self.strings.store.push_str(text);
        StrRef::own(start, self.strings.store.len())
    }

    /// Opens an element.
    pub fn open(&mut self, name: &str, namespace: Namespace, attributes: &[(&str, &str)]) {
        let name = self.strings.names.intern(name);
        let id = self.node(NodeKind::Element, name.0, namespace);
        let start = self.strings.attrs.len() as u32;
        for (name, value) in attributes.iter().take(u16::MAX as usize) {
            let name = self.strings.names.intern(name);
            let value = self.string(value);
            let extra = self.strings.values.len() as u32;
            self.strings.values.push(value);
            self.strings.attrs.push(AttrData {
                name,
                name_start: 0,
                value_start: 0,
                value_len: AttrData::DECODED,
                extra,
            });
        }
        let node = &mut self.nodes[id as usize];
        node.extra[0] = start;
        node.attr_count = attributes.len().min(u16::MAX as usize) as u16;
        self.open.push(id);
    }

    /// Adds a text.
    pub fn text(&mut self, text: &str) {
        let string = self.string(text);
        let id = self.node(NodeKind::Text, 0, Namespace::None);
        self.nodes[id as usize].set_string(string);
    }

    /// Adds a comment.
    pub fn comment(&mut self, text: &str) {
        let string = self.string(text);
        let id = self.node(NodeKind::Comment, 0, Namespace::None);
        self.nodes[id as usize].set_string(string);
    }

    /// Closes the last opened element; the root stays open.
    pub fn close(&mut self) {
        if self.open.len() > 1 {
            self.open.pop();
        }
    }

    /// The document. Elements still open are closed.
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
