//! The document: a page's tree in one compact arena, immutable once built.
//!
//! A [`NodeId`] *is* the node's preorder rank. That one decision gives document order (`a < b`), ancestor tests
//! (`a < b && b < end(a)`), subtrees as contiguous ranges, and children without sibling links: the first child of `n` is
//! `n + 1`, the next sibling of `n` is `end(n)`. A node is 24 bytes, an attribute 12; names are integers, texts and
//! attribute values are slices of the source wherever they occur there literally, and anything that can be read again
//! from the source (the end of a tag, the place of an attribute's name) is not stored.
//!
//! The contents of `template` elements are trees of their own (as in a browser: queries of the page do not see them).
//! They are stored after the page's tree in the same arena, each under a [`NodeKind::Fragment`] node.

use std::fmt;

use crate::arena::{AttrData, DecodedString, NONE, Node, Strings};
use crate::encoding::EncodingDecision;
use crate::names::NameId;
use crate::options::Note;
use crate::span::Span;

/// A node of one document; ids are in document order.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct NodeId(pub(crate) u32);

impl NodeId {
    /// The document's root node.
    pub const ROOT: NodeId = NodeId(0);

    /// Returns the preorder rank.
    pub fn index(self) -> usize {
        self.0 as usize
    }

    /// Returns the node with a preorder rank, which must be less than [`Document::len`] for nodes of the page.
    pub fn from_index(index: usize) -> NodeId {
        NodeId(index as u32)
    }
}

impl fmt::Debug for NodeId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "#{}", self.0)
    }
}

/// The kind of a node.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum NodeKind {
    /// The root of a page.
    Document,
    /// The root of a parsed fragment, or of a template's contents.
    Fragment,
    /// `<!DOCTYPE …>`
    Doctype,
    /// An element.
    Element,
    /// A text.
    Text,
    /// A comment.
    Comment,
}

/// The namespace of an element or attribute.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum Namespace {
    /// No namespace (all ordinary attributes).
    None,
    /// XHTML: all ordinary elements.
    Html,
    /// SVG.
    Svg,
    /// MathML.
    MathMl,
    /// XLink, of `xlink:…` attributes on foreign elements.
    XLink,
    /// XML, of `xml:…` attributes on foreign elements.
    Xml,
    /// XMLNS, of `xmlns` attributes on foreign elements.
    XmlNs,
}

impl Namespace {
    /// Returns the namespace's URI; empty for none.
    pub fn uri(self) -> &'static str {
        match self {
            Namespace::None => "",
            Namespace::Html => "http://www.w3.org/1999/xhtml",
            Namespace::Svg => "http://www.w3.org/2000/svg",
            Namespace::MathMl => "http://www.w3.org/1998/Math/MathML",
            Namespace::XLink => "http://www.w3.org/1999/xlink",
            Namespace::Xml => "http://www.w3.org/XML/1998/namespace",
            Namespace::XmlNs => "http://www.w3.org/2000/xmlns/",
        }
    }
}

/// The layout mode of a browser, determined by the doctype.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum QuirksMode {
    /// Standards mode.
    #[default]
    None,
    /// Almost standards mode.
    Limited,
    /// Quirks mode.
    Full,
}

/// A doctype's three strings.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Doctype {
    /// The name, usually `html`.
    pub name: String,
    /// The public identifier, if given.
    pub public_id: Option<String>,
    /// The system identifier, if given.
    pub system_id: Option<String>,
}

/// A page's tree with its source; see the [module documentation](self).
#[derive(Clone)]
pub struct Document {
    pub(crate) source: String,
    pub(crate) nodes: Vec<Node>,
    pub(crate) strings: Strings,
    pub(crate) doctypes: Vec<Doctype>,
    /// Template elements and the fragment nodes of their contents, in document order.
    pub(crate) templates: Vec<(NodeId, NodeId)>,
    /// Number of nodes of the page itself; template contents come after them.
    pub(crate) main_len: u32,
    pub(crate) quirks: QuirksMode,
    pub(crate) encoding: EncodingDecision,
    pub(crate) notes: Vec<Note>,
}

impl Document {
    /// Returns the decoded source that all spans refer to.
    pub fn source(&self) -> &str {
        &self.source
    }

    /// Returns the encoding of the bytes, and the reason for it.
    pub fn encoding(&self) -> &EncodingDecision {
        &self.encoding
    }

    /// Returns the layout mode.
    pub fn quirks(&self) -> QuirksMode {
        self.quirks
    }

    /// Returns notes on everything the parser left out or truncated; empty except for hostile pages.
    pub fn notes(&self) -> &[Note] {
        &self.notes
    }

    /// Returns the number of nodes of the page, without template contents.
    pub fn len(&self) -> usize {
        self.main_len as usize
    }

    /// Returns `true` if there is nothing below the root.
    pub fn is_empty(&self) -> bool {
        self.main_len <= 1
    }

    /// Returns `true` if the node exists, in the page or in the contents of a template.
    pub fn contains(&self, id: NodeId) -> bool {
        id.index() < self.nodes.len()
    }

    /// Returns the root node: a [`NodeKind::Document`], or a [`NodeKind::Fragment`] if a fragment was parsed.
    pub fn root(&self) -> NodeId {
        NodeId::ROOT
    }

    /// Returns all nodes of the page in document order, beginning with the root.
    pub fn nodes(&self) -> impl DoubleEndedIterator<Item = NodeId> + ExactSizeIterator + use<> {
        (0..self.main_len as usize).map(|index| NodeId(index as u32))
    }

    #[inline]
    pub(crate) fn node(&self, id: NodeId) -> &Node {
        &self.nodes[id.index()]
    }

    /// Returns the kind of a node.
    #[inline]
    pub fn kind(&self, id: NodeId) -> NodeKind {
        self.node(id).kind()
    }

    /// Returns `true` if the node is an element.
    #[inline]
    pub fn is_element(&self, id: NodeId) -> bool {
        self.kind(id) == NodeKind::Element
    }

    /// Returns `true` if the node is a text.
    #[inline]
    pub fn is_text(&self, id: NodeId) -> bool {
        self.kind(id) == NodeKind::Text
    }

    /// Returns an element's local name as in the tree (lower case in HTML, `foreignObject` in SVG).
    pub fn name(&self, id: NodeId) -> Option<&str> {
        self.name_id(id).map(|name| self.name_str(name))
    }

    /// Returns an element's name as an id.
    #[inline]
    pub fn name_id(&self, id: NodeId) -> Option<NameId> {
        let node = self.node(id);
        (node.kind() == NodeKind::Element).then_some(node.name())
    }

    /// Returns `true` if this is an HTML element with the given name.
    #[inline]
    pub fn is_html(&self, id: NodeId, name: NameId) -> bool {
        self.node(id).is_html(name)
    }

    /// Returns an element's namespace; [`Namespace::None`] for other nodes.
    #[inline]
    pub fn namespace(&self, id: NodeId) -> Namespace {
        self.node(id).namespace()
    }

    /// Returns the string of a name id.
    pub fn name_str(&self, name: NameId) -> &str {
        self.strings.names.get(name)
    }

    /// Returns the id of a name; `None` if no element or attribute in the document has it. Compare ids, not strings,
    /// in loops.
    pub fn find_name(&self, name: &str) -> Option<NameId> {
        self.strings.names.find(name)
    }

    /// Returns the characters of a text or comment; empty for other nodes.
    #[inline]
    pub fn text(&self, id: NodeId) -> &str {
        let node = self.node(id);
        match node.kind() {
            NodeKind::Text | NodeKind::Comment => self.strings.text(&self.source, node),
            _ => "",
        }
    }

    /// Returns the identifiers of a doctype node.
    pub fn doctype(&self, id: NodeId) -> Option<&Doctype> {
        let node = self.node(id);
        if node.kind() != NodeKind::Doctype {
            return None;
        }
        self.doctypes.get(node.second as usize)
    }

    /// Returns the contents of a `template` element: a [`NodeKind::Fragment`] node with the contents below it.
    pub fn template_contents(&self, id: NodeId) -> Option<NodeId> {
        let at = self.templates.binary_search_by_key(&id, |&(template, _)| template).ok()?;
        Some(self.templates[at].1)
    }

    // ---- the tree ----

    /// Returns the parent; `None` for the root and for template contents.
    #[inline]
    pub fn parent(&self, id: NodeId) -> Option<NodeId> {
        let parent = self.node(id).parent;
        (parent != NONE).then_some(NodeId(parent))
    }

    /// Returns the first child.
    #[inline]
    pub fn first_child(&self, id: NodeId) -> Option<NodeId> {
        (self.node(id).end > id.0 + 1).then_some(NodeId(id.0 + 1))
    }

    /// Returns the last child. Costs a climb from the end of the subtree.
    pub fn last_child(&self, id: NodeId) -> Option<NodeId> {
        let end = self.node(id).end;
        if end <= id.0 + 1 {
            return None;
        }
        Some(self.climb(NodeId(end - 1), id.0))
    }

    /// Returns the next sibling.
    #[inline]
    pub fn next_sibling(&self, id: NodeId) -> Option<NodeId> {
        let node = self.node(id);
        if node.parent == NONE {
            return None;
        }
        (node.end < self.nodes[node.parent as usize].end).then_some(NodeId(node.end))
    }

    /// Returns the previous sibling. Costs a climb from the end of that sibling's subtree.
    pub fn prev_sibling(&self, id: NodeId) -> Option<NodeId> {
        let parent = self.node(id).parent;
        if parent == NONE || id.0 == parent + 1 {
            return None;
        }
        Some(self.climb(NodeId(id.0 - 1), parent))
    }

    /// Returns the ancestor-or-self of `id` whose parent is `parent`.
    fn climb(&self, id: NodeId, parent: u32) -> NodeId {
        let mut at = id.0;
        loop {
            let up = self.nodes[at as usize].parent;
            if up == parent || up == NONE {
                return NodeId(at);
            }
            at = up;
        }
    }

    /// Returns the children, in order.
    #[inline]
    pub fn children(&self, id: NodeId) -> Children<'_> {
        Children { document: self, next: id.0 + 1, end: self.node(id).end }
    }

    /// Returns the ancestors, beginning with the parent.
    pub fn ancestors(&self, id: NodeId) -> impl Iterator<Item = NodeId> + '_ {
        std::iter::successors(self.parent(id), |&node| self.parent(node))
    }

    /// Returns the node after the last descendant: `id .. subtree_end(id)` is the node with everything below it.
    #[inline]
    pub fn subtree_end(&self, id: NodeId) -> NodeId {
        NodeId(self.node(id).end)
    }

    /// Returns the nodes below this one, in document order.
    pub fn descendants(&self, id: NodeId) -> impl DoubleEndedIterator<Item = NodeId> + ExactSizeIterator + use<> {
        let (start, end) = (id.index() + 1, self.node(id).end as usize);
        (start..end.max(start)).map(|index| NodeId(index as u32))
    }

    /// Returns `true` if `ancestor` is a proper ancestor of `id`.
    #[inline]
    pub fn is_ancestor(&self, ancestor: NodeId, id: NodeId) -> bool {
        ancestor < id && id.0 < self.node(ancestor).end
    }

    /// Returns the first HTML element with this name, anywhere in the page.
    pub fn find_html(&self, name: NameId) -> Option<NodeId> {
        self.nodes().find(|&id| self.is_html(id, name))
    }

    /// Returns the first HTML element with this name among the ids `from .. to`; searches over a subtree are built on
    /// this.
    #[inline]
    pub fn next_html(&self, name: NameId, from: NodeId, to: NodeId) -> Option<NodeId> {
        let range = self.nodes.get(from.index()..to.index())?;
        let found = range.iter().position(|node| node.is_html(name))?;
        Some(NodeId(from.0 + found as u32))
    }

    // ---- attributes ----

    /// Returns the attributes, in source order.
    #[inline]
    pub fn attrs(&self, id: NodeId) -> Attrs<'_> {
        let node = self.node(id);
        let next = if node.kind() == NodeKind::Element { node.first } else { NONE };
        Attrs { document: self, next }
    }

    /// Returns the value of the attribute with this name (as in the tree: lower case in HTML).
    pub fn attr(&self, id: NodeId, name: &str) -> Option<&str> {
        self.attr_by_id(id, self.find_name(name)?)
    }

    /// Returns the value of the attribute with this name, which has no namespace.
    #[inline]
    pub fn attr_by_id(&self, id: NodeId, name: NameId) -> Option<&str> {
        self.attrs(id).find(|attr| attr.name_id() == name).map(|attr| attr.value())
    }

    // ---- spans ----

    /// Returns `true` if the parser inserted this node (`tbody` between `table` and `tr`, a re-opened `b`).
    pub fn is_inserted(&self, id: NodeId) -> bool {
        self.node(id).has(Node::INSERTED)
    }

    /// Returns the start tag of an element; `None` for elements the parser inserted.
    ///
    /// Costs the length of the tag.
    pub fn start_tag(&self, id: NodeId) -> Option<Span> {
        let node = self.node(id);
        (node.kind() == NodeKind::Element && !node.has(Node::INSERTED)).then(|| self.tag_at(node.start))
    }

    /// Returns the end tag of an element; `None` if it was left out.
    pub fn end_tag(&self, id: NodeId) -> Option<Span> {
        let node = self.node(id);
        (node.kind() == NodeKind::Element && node.second != NONE).then(|| self.tag_at(node.second))
    }

    fn tag_at(&self, start: u32) -> Span {
        Span::new(start as usize, crate::tokenizer::tag_end(self.source.as_bytes(), start as usize))
    }

    /// Returns the place of a single node in the source: a start tag, a text, a comment, a doctype.
    pub(crate) fn own_span(&self, id: NodeId) -> Option<Span> {
        let node = self.node(id);
        match node.kind() {
            NodeKind::Element => self.start_tag(id),
            NodeKind::Document | NodeKind::Fragment => None,
            _ => (!node.has(Node::INSERTED)).then(|| node.leaf_span()),
        }
    }

    /// Returns the range of the source that the node covers: an element from its start tag to its end tag (or to the
    /// end of its last descendant), a text or comment the characters it came from. `None` if no part of the source
    /// belongs to it.
    ///
    /// Costs the size of the subtree for elements without an end tag.
    pub fn span(&self, id: NodeId) -> Option<Span> {
        if id == NodeId::ROOT {
            return Some(Span::new(0, self.source.len()));
        }
        let mut found = self.own_span(id);
        if !matches!(self.kind(id), NodeKind::Element | NodeKind::Fragment) {
            return found;
        }
        let mut widen = |span: Option<Span>| {
            found = match (found, span) {
                (Some(old), Some(new)) => Some(Span { start: old.start.min(new.start), end: old.end.max(new.end) }),
                (old, new) => old.or(new),
            };
        };
        let end_tag = self.end_tag(id);
        if end_tag.is_none() || self.is_inserted(id) {
            for below in self.descendants(id) {
                widen(self.own_span(below));
                widen(self.end_tag(below));
            }
        }
        widen(end_tag);
        found
    }

    /// Returns the number of heap bytes of the document, without its source.
    pub fn heap_size(&self) -> usize {
        self.nodes.capacity() * size_of::<Node>()
            + self.strings.attrs.capacity() * size_of::<AttrData>()
            + self.strings.values.capacity() * size_of::<DecodedString>()
            + self.strings.store.capacity()
            + self.strings.names.heap()
            + self.templates.capacity() * size_of::<(NodeId, NodeId)>()
            + self.doctypes.capacity() * size_of::<Doctype>()
            + self.notes.capacity() * size_of::<Note>()
    }
}

impl fmt::Debug for Document {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Document")
            .field("source_len", &self.source.len())
            .field("nodes", &self.nodes.len())
            .field("encoding", &self.encoding)
            .field("notes", &self.notes)
            .finish_non_exhaustive()
    }
}

/// The children of a node; see [`Document::children`].
#[derive(Clone)]
pub struct Children<'a> {
    document: &'a Document,
    next: u32,
    end: u32,
}

impl Iterator for Children<'_> {
    type Item = NodeId;

    #[inline]
    fn next(&mut self) -> Option<NodeId> {
        if self.next >= self.end {
            return None;
        }
        let id = NodeId(self.next);
        self.next = self.document.node(id).end;
        Some(id)
    }
}

/// The attributes of an element; see [`Document::attrs`].
#[derive(Clone)]
pub struct Attrs<'a> {
    document: &'a Document,
    /// Index of the next attribute, or [`NONE`].
    next: u32,
}

impl<'a> Iterator for Attrs<'a> {
    type Item = Attr<'a>;

    #[inline]
    fn next(&mut self) -> Option<Attr<'a>> {
        let data = self.document.strings.attrs.get(self.next as usize)?;
        self.next = if data.is_last() { NONE } else { self.next + 1 };
        Some(Attr { document: self.document, data })
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let count = self.document.strings.attrs_from(self.next).len();
        (count, Some(count))
    }
}

impl ExactSizeIterator for Attrs<'_> {}

/// One attribute of an element.
#[derive(Clone, Copy)]
pub struct Attr<'a> {
    document: &'a Document,
    data: &'a AttrData,
}

impl<'a> Attr<'a> {
    /// Returns the qualified name: `href`, or `xlink:href` on a foreign element.
    pub fn name(&self) -> &'a str {
        self.document.name_str(self.data.name())
    }

    /// Returns the name without its prefix, if it has a namespace.
    pub fn local_name(&self) -> &'a str {
        let name = self.name();
        match self.namespace() {
            Namespace::None => name,
            _ => name.split_once(':').map_or(name, |(_, local)| local),
        }
    }

    /// Returns the qualified name as an id.
    #[inline]
    pub fn name_id(&self) -> NameId {
        self.data.name()
    }

    /// Returns the namespace: none, except for `xlink:…`, `xml:…` and `xmlns…` on foreign elements.
    #[inline]
    pub fn namespace(&self) -> Namespace {
        self.data.namespace()
    }

    /// Returns the decoded value.
    #[inline]
    pub fn value(&self) -> &'a str {
        self.document.strings.value(&self.document.source, self.data)
    }

    /// Returns the place of the name in the source.
    pub fn name_span(&self) -> Span {
        let source = self.document.source.as_bytes();
        let value = self.data.value_start as usize;
        crate::tokenizer::attribute_name_span(source, value, self.data.is_bare(), self.name())
    }

    /// Returns the place of the value in the source, without quotes; an empty span after the name if there is no
    /// value.
    pub fn value_span(&self) -> Span {
        self.document.strings.value_span(self.data)
    }

    /// Returns the span from the first byte of the name to the closing quote of the value.
    pub fn span(&self) -> Span {
        let Span { start, end } = self.value_span();
        let source = self.document.source.as_bytes();
        let before = (start as usize).checked_sub(1).and_then(|at| source.get(at));
        let quoted = !self.data.is_bare() && matches!(before, Some(b'"' | b'\''));
        Span { start: self.name_span().start, end: end + u32::from(quoted) }
    }
}

impl fmt::Debug for Attr<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}={:?}", self.name(), self.value())
    }
}
