//! The document: a page's tree in one compact arena, immutable once built.
//!
//! A [`NodeId`] *is* the node's preorder rank. That one decision gives document order (`a < b`), ancestor tests
//! (`a < b && b < end(a)`), subtrees as contiguous ranges, and children without any sibling links: the first
//! child of `n` is `n + 1`, the next sibling of `n` is `end(n)`. A node is 32 bytes, an attribute 20; names are
//! integers, and texts and attribute values are slices of the source wherever the source says them literally.
//!
//! The contents of `template` elements are trees of their own (as in a browser: no query of the page sees them).
//! They lie behind the page's tree in the same arena, each under a [`NodeKind::Fragment`] node.

use std::fmt;
use std::ops::Range;

use crate::encoding::EncodingDecision;
use crate::names::{NameId, Names};
use crate::options::Note;
use crate::span::Span;

/// A node of one document; ids order as the nodes do in the document.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct NodeId(pub(crate) u32);

impl NodeId {
    /// The document's root node.
    pub const ROOT: NodeId = NodeId(0);

    /// The preorder rank.
    pub fn index(self) -> usize {
        self.0 as usize
    }

    /// The node of a preorder rank; [`Document::len`] bounds the meaningful ones.
    pub fn from_index(index: usize) -> NodeId {
        NodeId(index as u32)
    }
}

impl fmt::Debug for NodeId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "#{}", self.0)
    }
}

/// What a node is.
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
    /// The namespace's URI; empty for none.
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

/// How a browser would lay the page out, decided by its doctype.
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

/// Where a string's bytes are: a slice of the source, or of the document's own store of decoded strings.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct StrRef {
    start: u32,
    /// Length, with [`StrRef::OWN`] set if the bytes are in the store.
    len: u32,
}

impl StrRef {
    const OWN: u32 = 1 << 31;

    #[inline]
    pub(crate) fn source(start: usize, end: usize) -> StrRef {
        StrRef { start: start as u32, len: (end - start) as u32 }
    }

    #[inline]
    pub(crate) fn own(start: usize, end: usize) -> StrRef {
        StrRef { start: start as u32, len: (end - start) as u32 | Self::OWN }
    }

    #[inline]
    pub(crate) fn is_own(self) -> bool {
        self.len & Self::OWN != 0
    }

    #[inline]
    pub(crate) fn range(self) -> Range<usize> {
        self.start as usize..self.start as usize + (self.len & !Self::OWN) as usize
    }

    #[inline]
    pub(crate) fn len(self) -> usize {
        (self.len & !Self::OWN) as usize
    }

    #[inline]
    pub(crate) fn get<'a>(self, source: &'a str, store: &'a str) -> &'a str {
        let text = if self.is_own() { store } else { source };
        text.get(self.range()).unwrap_or("")
    }
}

/// "No such node", for parents of roots.
pub(crate) const NONE: u32 = u32::MAX;

/// One node. The meaning of the last four words depends on the kind:
///
/// | kind | `name` | `span` | `extra` |
/// |---|---|---|---|
/// | element | name id | start tag | first attribute, start of the end tag ([`NONE`]: it has none) |
/// | text, comment | – | the source it came from | its string ([`StrRef`]) |
/// | doctype | index into `doctypes` | the whole tag | – |
#[derive(Debug, Clone, Copy)]
pub(crate) struct Node {
    pub(crate) parent: u32,
    /// One past the last descendant.
    pub(crate) end: u32,
    pub(crate) name: u32,
    pub(crate) kind: NodeKind,
    /// Namespace in the low bits, flags above.
    pub(crate) bits: u8,
    pub(crate) attr_count: u16,
    pub(crate) span: Span,
    pub(crate) extra: [u32; 2],
}

impl Node {
    /// Low bits of `bits`: the namespace.
    pub(crate) const NS: u8 = 0b111;
    /// The parser made this node: nothing in the source says it.
    pub(crate) const INSERTED: u8 = 1 << 3;
    /// On the stack of open elements (meaningful while building only).
    pub(crate) const OPEN: u8 = 1 << 4;

    #[inline]
    pub(crate) fn string(&self) -> StrRef {
        StrRef { start: self.extra[0], len: self.extra[1] }
    }

    #[inline]
    pub(crate) fn set_string(&mut self, string: StrRef) {
        self.extra = [string.start, string.len];
    }

    #[inline]
    pub(crate) fn namespace(&self) -> Namespace {
        namespace_of(self.bits & Self::NS)
    }
}

#[inline]
fn namespace_of(bits: u8) -> Namespace {
    match bits {
        1 => Namespace::Html,
        2 => Namespace::Svg,
        3 => Namespace::MathMl,
        4 => Namespace::XLink,
        5 => Namespace::Xml,
        6 => Namespace::XmlNs,
        _ => Namespace::None,
    }
}

/// One attribute.
#[derive(Debug, Clone, Copy)]
pub(crate) struct AttrData {
    pub(crate) name: NameId,
    /// Where the name begins in the source.
    pub(crate) name_start: u32,
    /// Where the value begins in the source, quotes not counted; the namespace is in `bits`.
    pub(crate) value_start: u32,
    /// Length of the value in the source, with [`AttrData::DECODED`] if its string is in the store.
    pub(crate) value_len: u32,
    /// Index into the store's table of decoded values, with the namespace in the top bits.
    pub(crate) extra: u32,
}

impl AttrData {
    pub(crate) const DECODED: u32 = 1 << 31;
    const NS_SHIFT: u32 = 29;
    pub(crate) const MAX_DECODED: u32 = (1 << Self::NS_SHIFT) - 1;

    #[inline]
    pub(crate) fn namespace(&self) -> Namespace {
        namespace_of((self.extra >> Self::NS_SHIFT) as u8)
    }

    pub(crate) fn set_namespace(&mut self, namespace: Namespace) {
        self.extra = self.extra & Self::MAX_DECODED | (namespace as u32) << Self::NS_SHIFT;
    }

    /// The value's place in the source.
    #[inline]
    pub(crate) fn value_span(&self) -> Span {
        Span { start: self.value_start, end: self.value_start + (self.value_len & !Self::DECODED) }
    }
}

/// The strings of a document that are not slices of its source, and its attributes.
#[derive(Debug, Clone, Default)]
pub(crate) struct Strings {
    pub(crate) names: Names,
    pub(crate) attrs: Vec<AttrData>,
    /// Decoded values of attributes, as ranges of `store`.
    pub(crate) values: Vec<StrRef>,
    pub(crate) store: String,
}

impl Strings {
    #[inline]
    pub(crate) fn value<'a>(&'a self, source: &'a str, attr: &AttrData) -> &'a str {
        if attr.value_len & AttrData::DECODED == 0 {
            source.get(attr.value_span().range()).unwrap_or("")
        } else {
            let at = (attr.extra & AttrData::MAX_DECODED) as usize;
            self.values.get(at).map_or("", |string| string.get(source, &self.store))
        }
    }
}

/// A doctype's three strings.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Doctype {
    /// `html`, as a rule.
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
    /// Nodes of the page itself; template contents lie behind.
    pub(crate) main_len: u32,
    pub(crate) quirks: QuirksMode,
    pub(crate) encoding: EncodingDecision,
    pub(crate) notes: Vec<Note>,
}

impl Document {
    /// The decoded source that all spans refer to.
    pub fn source(&self) -> &str {
        &self.source
    }

    /// How the bytes were decoded, and why so.
    pub fn encoding(&self) -> &EncodingDecision {
        &self.encoding
    }

    /// Layout mode by doctype.
    pub fn quirks(&self) -> QuirksMode {
        self.quirks
    }

    /// What the parser had to leave out or cut short: empty for all but hostile pages.
    pub fn notes(&self) -> &[Note] {
        &self.notes
    }

    /// Number of nodes of the page, template contents not counted.
    pub fn len(&self) -> usize {
        self.main_len as usize
    }

    /// Whether there is nothing below the root.
    pub fn is_empty(&self) -> bool {
        self.main_len <= 1
    }

    /// The root node: a [`NodeKind::Document`], or a [`NodeKind::Fragment`] if a fragment was parsed.
    pub fn root(&self) -> NodeId {
        NodeId::ROOT
    }

    /// All nodes of the page, in document order, the root first.
    pub fn nodes(&self) -> impl DoubleEndedIterator<Item = NodeId> + ExactSizeIterator + use<> {
        (0..self.main_len as usize).map(|index| NodeId(index as u32))
    }

    #[inline]
    pub(crate) fn node(&self, id: NodeId) -> &Node {
        &self.nodes[id.index()]
    }

    /// What the node is.
    #[inline]
    pub fn kind(&self, id: NodeId) -> NodeKind {
        self.node(id).kind
    }

    /// Whether the node is an element.
    #[inline]
    pub fn is_element(&self, id: NodeId) -> bool {
        self.kind(id) == NodeKind::Element
    }

    /// Whether the node is a text.
    #[inline]
    pub fn is_text(&self, id: NodeId) -> bool {
        self.kind(id) == NodeKind::Text
    }

    /// An element's local name, as the tree has it (lower case in HTML, `foreignObject` in SVG).
    pub fn name(&self, id: NodeId) -> Option<&str> {
        self.name_id(id).map(|name| self.name_str(name))
    }

    /// An element's name as an id.
    #[inline]
    pub fn name_id(&self, id: NodeId) -> Option<NameId> {
        let node = self.node(id);
        (node.kind == NodeKind::Element).then_some(NameId(node.name))
    }

    /// Whether this is an HTML element of the given name.
    #[inline]
    pub fn is_html(&self, id: NodeId, name: NameId) -> bool {
        let node = self.node(id);
        node.kind == NodeKind::Element && node.name == name.0 && node.bits & Node::NS == Namespace::Html as u8
    }

    /// An element's namespace; [`Namespace::None`] for other nodes.
    #[inline]
    pub fn namespace(&self, id: NodeId) -> Namespace {
        self.node(id).namespace()
    }

    /// The string of a name id.
    pub fn name_str(&self, name: NameId) -> &str {
        self.strings.names.get(name)
    }

    /// The id of a name, if any element or attribute here can have it. Compare ids, not strings, in loops.
    pub fn find_name(&self, name: &str) -> Option<NameId> {
        self.strings.names.find(name)
    }

    /// A text's or comment's characters; empty for other nodes.
    #[inline]
    pub fn text(&self, id: NodeId) -> &str {
        let node = self.node(id);
        match node.kind {
            NodeKind::Text | NodeKind::Comment => node.string().get(&self.source, &self.strings.store),
            _ => "",
        }
    }

    /// A doctype node's identifiers.
    pub fn doctype(&self, id: NodeId) -> Option<&Doctype> {
        let node = self.node(id);
        if node.kind != NodeKind::Doctype {
            return None;
        }
        self.doctypes.get(node.name as usize)
    }

    /// The contents of a `template` element: a [`NodeKind::Fragment`] node with the contents below it.
    pub fn template_contents(&self, id: NodeId) -> Option<NodeId> {
        let at = self.templates.binary_search_by_key(&id, |&(template, _)| template).ok()?;
        Some(self.templates[at].1)
    }

    // ---- the tree ----

    /// The parent; none for the root and for template contents.
    #[inline]
    pub fn parent(&self, id: NodeId) -> Option<NodeId> {
        let parent = self.node(id).parent;
        (parent != NONE).then_some(NodeId(parent))
    }

    /// The first child.
    #[inline]
    pub fn first_child(&self, id: NodeId) -> Option<NodeId> {
        (self.node(id).end > id.0 + 1).then_some(NodeId(id.0 + 1))
    }

    /// The last child. Costs a climb as high as the last child's own right edge.
    pub fn last_child(&self, id: NodeId) -> Option<NodeId> {
        let end = self.node(id).end;
        if end <= id.0 + 1 {
            return None;
        }
        Some(self.climb(NodeId(end - 1), id.0))
    }

    /// The next sibling.
    #[inline]
    pub fn next_sibling(&self, id: NodeId) -> Option<NodeId> {
        let node = self.node(id);
        if node.parent == NONE {
            return None;
        }
        (node.end < self.nodes[node.parent as usize].end).then_some(NodeId(node.end))
    }

    /// The previous sibling. Costs a climb as high as that sibling's right edge.
    pub fn prev_sibling(&self, id: NodeId) -> Option<NodeId> {
        let parent = self.node(id).parent;
        if parent == NONE || id.0 == parent + 1 {
            return None;
        }
        Some(self.climb(NodeId(id.0 - 1), parent))
    }

    /// The ancestor-or-self of `id` whose parent is `parent`.
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

    /// The children, in order.
    #[inline]
    pub fn children(&self, id: NodeId) -> Children<'_> {
        Children { document: self, next: id.0 + 1, end: self.node(id).end }
    }

    /// The ancestors, the parent first.
    pub fn ancestors(&self, id: NodeId) -> impl Iterator<Item = NodeId> + '_ {
        std::iter::successors(self.parent(id), |&node| self.parent(node))
    }

    /// One past the node's last descendant: `id .. subtree_end(id)` is the node with all below it.
    #[inline]
    pub fn subtree_end(&self, id: NodeId) -> NodeId {
        NodeId(self.node(id).end)
    }

    /// The nodes below this one, in document order.
    pub fn descendants(&self, id: NodeId) -> impl DoubleEndedIterator<Item = NodeId> + ExactSizeIterator + use<> {
        let (start, end) = (id.index() + 1, self.node(id).end as usize);
        (start..end.max(start)).map(|index| NodeId(index as u32))
    }

    /// Whether `ancestor` is a proper ancestor of `id`.
    #[inline]
    pub fn is_ancestor(&self, ancestor: NodeId, id: NodeId) -> bool {
        ancestor < id && id.0 < self.node(ancestor).end
    }

    /// The first element of that HTML name, anywhere in the page.
    pub fn find_html(&self, name: NameId) -> Option<NodeId> {
        self.nodes().find(|&id| self.is_html(id, name))
    }

    // ---- attributes ----

    /// The attributes, in source order.
    #[inline]
    pub fn attrs(&self, id: NodeId) -> Attrs<'_> {
        let node = self.node(id);
        let start = if node.kind == NodeKind::Element { node.extra[0] as usize } else { 0 };
        let data = self.strings.attrs.get(start..start + node.attr_count as usize).unwrap_or(&[]);
        Attrs { document: self, data: data.iter() }
    }

    /// The value of the attribute of that name (as the tree has it: lower case in HTML).
    pub fn attr(&self, id: NodeId, name: &str) -> Option<&str> {
        self.attr_by_id(id, self.find_name(name)?)
    }

    /// The value of the attribute of that name, which has no namespace.
    #[inline]
    pub fn attr_by_id(&self, id: NodeId, name: NameId) -> Option<&str> {
        self.attrs(id).find(|attr| attr.data.name == name).map(|attr| attr.value())
    }

    // ---- spans ----

    /// Whether the parser made this node up (`tbody` between `table` and `tr`, a re-opened `b`).
    pub fn is_inserted(&self, id: NodeId) -> bool {
        self.node(id).bits & Node::INSERTED != 0
    }

    /// The start tag of an element; none for elements the parser inserted.
    pub fn start_tag(&self, id: NodeId) -> Option<Span> {
        let node = self.node(id);
        (node.kind == NodeKind::Element && node.bits & Node::INSERTED == 0).then_some(node.span)
    }

    /// The end tag of an element; none where it was left out.
    pub fn end_tag(&self, id: NodeId) -> Option<Span> {
        let node = self.node(id);
        if node.kind != NodeKind::Element || node.extra[1] == NONE {
            return None;
        }
        let start = node.extra[1] as usize;
        Some(Span::new(start, crate::tokenizer::tag_end(self.source.as_bytes(), start)))
    }

    /// What the node covers in the source: an element from its start tag to its end tag (or to the end of its
    /// last descendant), a text or comment the characters it came from. None if nothing in the source is its own.
    ///
    /// Costs the size of the subtree for elements without an end tag.
    pub fn span(&self, id: NodeId) -> Option<Span> {
        let node = self.node(id);
        match node.kind {
            NodeKind::Document | NodeKind::Fragment if id == NodeId::ROOT => Some(Span::new(0, self.source.len())),
            NodeKind::Element | NodeKind::Document | NodeKind::Fragment => {
                let mut found = self.start_tag(id);
                let mut widen = |span: Span| {
                    let span = found.map_or(span, |old| Span {
                        start: old.start.min(span.start),
                        end: old.end.max(span.end),
                    });
                    found = Some(span);
                };
                match self.end_tag(id) {
                    Some(tag) if self.start_tag(id).is_some() => widen(tag),
                    end_tag => {
                        for below in self.descendants(id) {
                            let node = self.node(below);
                            if node.bits & Node::INSERTED == 0 {
                                widen(node.span);
                            }
                            if let Some(tag) = self.end_tag(below) {
                                widen(tag);
                            }
                        }
                        if let Some(tag) = end_tag {
                            widen(tag);
                        }
                    }
                }
                found
            }
            _ => (node.bits & Node::INSERTED == 0).then_some(node.span),
        }
    }

    /// Bytes of heap the document holds beside its source.
    pub fn heap_size(&self) -> usize {
        self.nodes.capacity() * size_of::<Node>()
            + self.strings.attrs.capacity() * size_of::<AttrData>()
            + self.strings.values.capacity() * size_of::<StrRef>()
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
    data: std::slice::Iter<'a, AttrData>,
}

impl<'a> Iterator for Attrs<'a> {
    type Item = Attr<'a>;

    #[inline]
    fn next(&mut self) -> Option<Attr<'a>> {
        let data = self.data.next()?;
        Some(Attr { document: self.document, data })
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        self.data.size_hint()
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
    /// The qualified name: `href`, or `xlink:href` on a foreign element.
    pub fn name(&self) -> &'a str {
        self.document.name_str(self.data.name)
    }

    /// The name without its prefix, if it has a namespace.
    pub fn local_name(&self) -> &'a str {
        let name = self.name();
        match self.namespace() {
            Namespace::None => name,
            _ => name.split_once(':').map_or(name, |(_, local)| local),
        }
    }

    /// The qualified name as an id.
    #[inline]
    pub fn name_id(&self) -> NameId {
        self.data.name
    }

    /// The namespace: none, but for `xlink:…`, `xml:…` and `xmlns…` on foreign elements.
    #[inline]
    pub fn namespace(&self) -> Namespace {
        self.data.namespace()
    }

    /// The decoded value.
    #[inline]
    pub fn value(&self) -> &'a str {
        self.document.strings.value(&self.document.source, self.data)
    }

    /// The name's place in the source.
    pub fn name_span(&self) -> Span {
        let start = self.data.name_start as usize;
        Span::new(start, crate::tokenizer::attribute_name_end(self.document.source.as_bytes(), start))
    }

    /// The value's place in the source, quotes not counted; an empty span behind the name where there is none.
    pub fn value_span(&self) -> Span {
        self.data.value_span()
    }

    /// From the name's first byte to the value's closing quote.
    pub fn span(&self) -> Span {
        let name = self.name_span();
        let value = self.value_span();
        let quoted = matches!(self.document.source.as_bytes().get(value.end as usize), Some(b'"' | b'\''))
            && value.start > name.end
            && self.document.source.as_bytes().get(value.start as usize - 1)
                == self.document.source.as_bytes().get(value.end as usize);
        Span { start: name.start, end: value.end.max(name.end) + u32::from(quoted) }
    }
}

impl fmt::Debug for Attr<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}={:?}", self.name(), self.value())
    }
}
