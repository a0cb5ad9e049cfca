//! A node in the sense of XPath: a node of the tree, or an attribute of an element. Eight bytes, in document order.

use std::borrow::Cow;
use std::fmt;

use windrow_dom::{Attr, Document, Namespace, NodeId, NodeKind};

/// A node of a document or an attribute of an element, in document order.
///
/// Attributes follow their element and precede its children, in source order.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Node(u64);

impl Node {
    /// Creates a node of the tree.
    // Named for the kind it creates, like `attribute_of`; `new` would hide that there are two kinds.
    #[allow(clippy::self_named_constructors)]
    #[inline]
    pub fn node(id: NodeId) -> Node {
        Node((id.index() as u64) << 32)
    }

    /// Creates the attribute of `owner` with this index in [`Document::attrs`].
    #[inline]
    pub fn attribute_of(owner: NodeId, index: usize) -> Node {
        Node(((owner.index() as u64) << 32) | u64::from((index as u32).saturating_add(1)))
    }

    /// Returns the node's id; for an attribute, that of its element.
    #[inline]
    pub fn id(self) -> NodeId {
        NodeId::from_index((self.0 >> 32) as usize)
    }

    /// Returns the attribute's index in [`Document::attrs`]; `None` if this is a node of the tree.
    #[inline]
    pub fn attribute(self) -> Option<usize> {
        (self.0 as u32).checked_sub(1).map(|index| index as usize)
    }

    /// Returns `true` if this is an attribute.
    #[inline]
    pub fn is_attribute(self) -> bool {
        self.0 as u32 != 0
    }

    /// Returns the attribute, if this is one.
    #[inline]
    pub fn attr(self, document: &Document) -> Option<Attr<'_>> {
        document.attrs(self.id()).nth(self.attribute()?)
    }

    /// Returns the string-value: an attribute's value, a text's or comment's characters, the texts below anything
    /// else.
    ///
    /// Borrowed unless several texts have to be joined.
    pub fn string_value(self, document: &Document) -> Cow<'_, str> {
        if self.is_attribute() {
            return Cow::Borrowed(self.attr(document).map_or("", |attr| attr.value()));
        }
        let id = self.id();
        match document.kind(id) {
            NodeKind::Text | NodeKind::Comment => Cow::Borrowed(document.text(id)),
            NodeKind::Doctype => Cow::Borrowed(""),
            NodeKind::Element | NodeKind::Document | NodeKind::Fragment => {
                let mut texts = document.descendants(id).filter(|&below| document.is_text(below));
                let Some(first) = texts.next() else { return Cow::Borrowed("") };
                let Some(second) = texts.next() else { return Cow::Borrowed(document.text(first)) };
                let mut value = String::from(document.text(first));
                value.push_str(document.text(second));
                for text in texts {
                    value.push_str(document.text(text));
                }
                Cow::Owned(value)
            }
        }
    }

    /// Returns the qualified name of an element or attribute; empty for other nodes.
    pub fn name(self, document: &Document) -> &str {
        match self.attribute() {
            Some(_) => self.attr(document).map_or("", |attr| attr.name()),
            None => document.name(self.id()).unwrap_or(""),
        }
    }

    /// Returns the name without its prefix; empty for nodes without a name.
    pub fn local_name(self, document: &Document) -> &str {
        match self.attribute() {
            Some(_) => self.attr(document).map_or("", |attr| attr.local_name()),
            None => document.name(self.id()).unwrap_or(""),
        }
    }

    /// Returns the namespace of an element or attribute.
    pub fn namespace(self, document: &Document) -> Namespace {
        match self.attribute() {
            Some(_) => self.attr(document).map_or(Namespace::None, |attr| attr.namespace()),
            None => document.namespace(self.id()),
        }
    }
}

impl From<NodeId> for Node {
    fn from(id: NodeId) -> Node {
        Node::node(id)
    }
}

impl fmt::Debug for Node {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.attribute() {
            None => write!(f, "{:?}", self.id()),
            Some(index) => write!(f, "{:?}@{index}", self.id()),
        }
    }
}
