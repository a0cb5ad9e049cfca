//! The parts of the arena: nodes of 24 bytes, attributes of 12, and the strings that are not in the source.

use std::ops::Range;

use crate::document::{Namespace, NodeKind};
use crate::names::{NameId, Names};
use crate::span::Span;

/// A reference to a string: a slice of the source, or of the document's own store of decoded strings.
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
        self.start as usize..self.start as usize + self.len()
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

/// A missing parent, attribute, end tag or decoded string.
pub(crate) const NONE: u32 = u32::MAX;

/// One node. The meaning of the last three words depends on the kind:
///
/// | kind | `start` | `first` | `second` |
/// |---|---|---|---|
/// | element | its start tag | first attribute or [`NONE`] | its end tag or [`NONE`] |
/// | text | its first byte | one past its last byte | [`Node::LITERAL`], [`Node::LITERAL_REST`], or index into `values` |
/// | comment | its first byte | one past its last byte | index into `values` |
/// | doctype | its first byte | one past its last byte | index into `doctypes` |
///
/// The end of a tag is not stored: it is found by reading the tag again.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Node {
    pub(crate) parent: u32,
    /// One past the last descendant.
    pub(crate) end: u32,
    /// Kind, namespace and flags in the low bits, the name above them.
    pub(crate) bits: u32,
    pub(crate) start: u32,
    pub(crate) first: u32,
    pub(crate) second: u32,
}

impl Node {
    const KIND: u32 = 0b111;
    const NS_SHIFT: u32 = 3;
    const NAME_SHIFT: u32 = 8;
    /// The parser inserted this node: it does not occur in the source.
    pub(crate) const INSERTED: u32 = 1 << 6;
    /// During building: an open element, or a text that is kept apart.
    pub(crate) const OPEN: u32 = 1 << 7;

    /// A text that equals its span of the source.
    pub(crate) const LITERAL: u32 = u32::MAX;
    /// A text that equals its span of the source without the first byte (the CR of a DOS line end).
    pub(crate) const LITERAL_REST: u32 = u32::MAX - 1;

    #[inline]
    pub(crate) fn new(kind: NodeKind, start: u32, first: u32, second: u32) -> Node {
        Node { parent: NONE, end: 0, bits: kind as u32, start, first, second }
    }

    #[inline]
    pub(crate) fn element(name: NameId, namespace: Namespace, start: u32, attrs: u32) -> Node {
        let bits = Self::element_bits(name, namespace);
        Node { parent: NONE, end: 0, bits, start, first: attrs, second: NONE }
    }

    /// Returns the bits of an element without flags.
    #[inline]
    pub(crate) fn element_bits(name: NameId, namespace: Namespace) -> u32 {
        NodeKind::Element as u32 | (namespace as u32) << Self::NS_SHIFT | name.0 << Self::NAME_SHIFT
    }

    #[inline]
    pub(crate) fn with(mut self, flags: u32) -> Node {
        self.bits |= flags;
        self
    }

    #[inline]
    pub(crate) fn set(&mut self, flag: u32, on: bool) {
        if on {
            self.bits |= flag;
        } else {
            self.bits &= !flag;
        }
    }

    #[inline]
    pub(crate) fn has(&self, flag: u32) -> bool {
        self.bits & flag != 0
    }

    #[inline]
    pub(crate) fn kind(&self) -> NodeKind {
        match self.bits & Self::KIND {
            0 => NodeKind::Document,
            1 => NodeKind::Fragment,
            2 => NodeKind::Doctype,
            3 => NodeKind::Element,
            4 => NodeKind::Text,
            _ => NodeKind::Comment,
        }
    }

    #[inline]
    pub(crate) fn name(&self) -> NameId {
        NameId(self.bits >> Self::NAME_SHIFT)
    }

    #[inline]
    pub(crate) fn namespace(&self) -> Namespace {
        namespace_of(self.bits >> Self::NS_SHIFT & 0b111)
    }

    /// Returns `true` if this is an HTML element with that name, in one comparison.
    #[inline]
    pub(crate) fn is_html(&self, name: NameId) -> bool {
        self.bits & !(Self::INSERTED | Self::OPEN) == Self::element_bits(name, Namespace::Html)
    }

    /// Returns the place of the node in the source, if it is not an element.
    #[inline]
    pub(crate) fn leaf_span(&self) -> Span {
        Span { start: self.start, end: self.first }
    }
}

#[inline]
fn namespace_of(bits: u32) -> Namespace {
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
    /// Flags and namespace in the low bits, the name above them.
    bits: u32,
    /// Start of the value in the source, without quotes; for an attribute without a value, the end of its name.
    pub(crate) value_start: u32,
    /// Length of the value in the source or, with [`AttrData::DECODED`], an index into `values`.
    pub(crate) value: u32,
}

impl AttrData {
    const NS_SHIFT: u32 = 3;
    const NAME_SHIFT: u32 = 8;
    /// Flag of the element's last attribute.
    const LAST: u32 = 1;
    /// Flag of a value that is stored in `values`.
    const DECODED: u32 = 1 << 1;
    /// Flag of an attribute that has only a name.
    const BARE: u32 = 1 << 2;

    #[inline]
    pub(crate) fn new(name: NameId, value: Span, bare: bool) -> AttrData {
        let bits = name.0 << Self::NAME_SHIFT | if bare { Self::BARE } else { 0 };
        AttrData { bits, value_start: value.start, value: value.end - value.start }
    }

    #[inline]
    pub(crate) fn name(&self) -> NameId {
        NameId(self.bits >> Self::NAME_SHIFT)
    }

    #[inline]
    pub(crate) fn namespace(&self) -> Namespace {
        namespace_of(self.bits >> Self::NS_SHIFT & 0b111)
    }

    pub(crate) fn rename(&mut self, name: NameId, namespace: Namespace) {
        let flags = self.bits & (Self::LAST | Self::DECODED | Self::BARE);
        self.bits = name.0 << Self::NAME_SHIFT | (namespace as u32) << Self::NS_SHIFT | flags;
    }

    pub(crate) fn set_decoded(&mut self, index: u32) {
        self.bits |= Self::DECODED;
        self.value = index;
    }

    pub(crate) fn set_last(&mut self, last: bool) {
        self.bits = self.bits & !Self::LAST | u32::from(last);
    }

    #[inline]
    pub(crate) fn is_last(&self) -> bool {
        self.bits & Self::LAST != 0
    }

    #[inline]
    pub(crate) fn is_bare(&self) -> bool {
        self.bits & Self::BARE != 0
    }

    #[inline]
    pub(crate) fn decoded(&self) -> Option<usize> {
        (self.bits & Self::DECODED != 0).then_some(self.value as usize)
    }
}

/// A string that does not occur literally in the source.
#[derive(Debug, Clone, Copy)]
pub(crate) struct DecodedString {
    pub(crate) string: StrRef,
    /// Number of bytes it takes in the source.
    pub(crate) source_len: u32,
}

/// The strings of a document that are not slices of its source, and its attributes.
#[derive(Debug, Clone, Default)]
pub(crate) struct Strings {
    pub(crate) names: Names,
    pub(crate) attrs: Vec<AttrData>,
    pub(crate) values: Vec<DecodedString>,
    pub(crate) store: String,
}

impl Strings {
    /// Returns the attributes of an element, given the index of the first.
    #[inline]
    pub(crate) fn attrs_from(&self, first: u32) -> &[AttrData] {
        let Some(rest) = self.attrs.get(first as usize..) else { return &[] };
        let count = rest.iter().position(AttrData::is_last).map_or(0, |last| last + 1);
        &rest[..count]
    }

    #[inline]
    pub(crate) fn value<'a>(&'a self, source: &'a str, attr: &AttrData) -> &'a str {
        match attr.decoded() {
            None => source.get(self.value_span(attr).range()).unwrap_or(""),
            Some(at) => self.values.get(at).map_or("", |decoded| decoded.string.get(source, &self.store)),
        }
    }

    /// Returns the place of a value in the source.
    #[inline]
    pub(crate) fn value_span(&self, attr: &AttrData) -> Span {
        let len = match attr.decoded() {
            None => attr.value,
            Some(at) => self.values.get(at).map_or(0, |decoded| decoded.source_len),
        };
        Span { start: attr.value_start, end: attr.value_start + len }
    }

    /// Returns the characters of a text or comment.
    #[inline]
    pub(crate) fn text<'a>(&'a self, source: &'a str, node: &Node) -> &'a str {
        let Span { start, end } = node.leaf_span();
        match node.second {
            Node::LITERAL => source.get(start as usize..end as usize).unwrap_or(""),
            Node::LITERAL_REST => source.get(start as usize + 1..end as usize).unwrap_or(""),
            at => self.values.get(at as usize).map_or("", |decoded| decoded.string.get(source, &self.store)),
        }
    }

    /// Stores a string for a text or comment and returns the word for its node.
    #[inline]
    pub(crate) fn keep(&mut self, span: Span, string: StrRef) -> u32 {
        let range = string.range();
        if !string.is_own() && range.end == span.end as usize {
            if range.start == span.start as usize {
                return Node::LITERAL;
            }
            if range.start == span.start as usize + 1 {
                return Node::LITERAL_REST;
            }
        }
        self.values.push(DecodedString { string, source_len: span.len() as u32 });
        self.values.len() as u32 - 1
    }
}
