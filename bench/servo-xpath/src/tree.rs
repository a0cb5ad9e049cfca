//! Windrow's document as servo-xpath wants one.

use std::cmp::Ordering;
use std::fmt;
use std::marker::PhantomData;

use markup5ever::{LocalName, Namespace, Prefix, ns};
use windrow_dom::{Document, NodeId, NodeKind};
use windrow_xpath::Node;

/// A document with its names as atoms.
pub(crate) struct Page {
    document: Document,
    /// By node; empty for what is no element.
    names: Vec<LocalName>,
    /// By node, in the order of its attributes.
    attributes: Vec<Vec<LocalName>>,
}

impl Page {
    pub(crate) fn new(document: Document) -> Page {
        let names = document.nodes().map(|id| LocalName::from(document.name(id).unwrap_or(""))).collect();
        let of = |id| document.attrs(id).map(|attr| LocalName::from(attr.local_name())).collect();
        let attributes = document.nodes().map(of).collect();
        Page { document, names, attributes }
    }
}

/// A node of a page.
#[derive(Clone, Copy)]
pub(crate) struct Handle<'a> {
    page: &'a Page,
    node: Node,
}

impl<'a> Handle<'a> {
    pub(crate) fn root(page: &'a Page) -> Handle<'a> {
        Handle { page, node: Node::node(NodeId::ROOT) }
    }

    fn of(self, id: NodeId) -> Handle<'a> {
        Handle { page: self.page, node: Node::node(id) }
    }

    fn id(self) -> NodeId {
        self.node.id()
    }

    fn is(self, kind: NodeKind) -> bool {
        !self.node.is_attribute() && self.page.document.kind(self.id()) == kind
    }
}

impl fmt::Debug for Handle<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.node.fmt(f)
    }
}

/// The types that belong together.
pub(crate) struct Tree<'a>(PhantomData<&'a Page>);

impl<'a> servo_xpath::Dom for Tree<'a> {
    type Context = ();
    type Node = Handle<'a>;
    type NamespaceResolver = Resolver;
}

/// No prefixes.
#[derive(Clone)]
pub(crate) struct Resolver;

impl servo_xpath::NamespaceResolver for Resolver {
    type Context = ();

    fn resolve_namespace_prefix(&self, (): &mut (), _: &str) -> Option<String> {
        None
    }
}

impl<'a> servo_xpath::Node for Handle<'a> {
    type Context = ();
    type ProcessingInstruction = Never;
    type Document = Handle<'a>;
    type Attribute = Handle<'a>;
    type Element = Handle<'a>;
    type Opaque = Node;

    fn is_comment(&self) -> bool {
        self.is(NodeKind::Comment)
    }

    fn is_text(&self) -> bool {
        self.is(NodeKind::Text)
    }

    fn text_content(&self) -> String {
        self.node.string_value(&self.page.document).into_owned()
    }

    fn language(&self) -> Option<String> {
        None
    }

    fn parent(&self) -> Option<Self> {
        if self.node.is_attribute() {
            return Some(self.of(self.id()));
        }
        self.page.document.parent(self.id()).map(|id| self.of(id))
    }

    fn children(&self) -> impl Iterator<Item = Self> {
        let leaf = self.node.is_attribute();
        self.page.document.children(self.id()).take_while(move |_| !leaf).map(|id| self.of(id))
    }

    fn compare_tree_order(&self, (): &mut (), other: &Self) -> Ordering {
        self.node.cmp(&other.node)
    }

    fn traverse_preorder(&self) -> impl Iterator<Item = Self> {
        let below =
            self.page.document.descendants(self.id()).take(if self.node.is_attribute() { 0 } else { usize::MAX });
        std::iter::once(*self).chain(below.map(|id| self.of(id)))
    }

    fn inclusive_ancestors(&self) -> impl Iterator<Item = Self> {
        std::iter::successors(Some(*self), servo_xpath::Node::parent)
    }

    fn preceding_nodes(&self) -> impl Iterator<Item = Self> {
        let document = &self.page.document;
        let before = document.nodes().take(self.id().index());
        before.filter(|&id| !document.is_ancestor(id, self.id())).map(|id| self.of(id))
    }

    fn following_nodes(&self) -> impl Iterator<Item = Self> {
        let document = &self.page.document;
        document.nodes().skip(document.subtree_end(self.id()).index()).map(|id| self.of(id))
    }

    fn preceding_siblings(&self) -> impl Iterator<Item = Self> {
        let start = Some(self.id()).filter(|_| !self.node.is_attribute());
        let before = |id: &NodeId| self.page.document.prev_sibling(*id);
        std::iter::successors(start.as_ref().and_then(before), before)
            .map(|id| self.of(id))
            .collect::<Vec<_>>()
            .into_iter()
    }

    fn following_siblings(&self) -> impl Iterator<Item = Self> {
        let start = Some(self.id()).filter(|_| !self.node.is_attribute());
        let after = |id: NodeId| self.page.document.next_sibling(id);
        std::iter::successors(start.and_then(after), move |&id| after(id)).map(|id| self.of(id))
    }

    fn owner_document(&self) -> Handle<'a> {
        Handle::root(self.page)
    }

    fn to_opaque(&self) -> Node {
        self.node
    }

    fn as_processing_instruction(&self) -> Option<Never> {
        None
    }

    fn as_attribute(&self) -> Option<Self> {
        self.node.is_attribute().then_some(*self)
    }

    fn as_element(&self) -> Option<Self> {
        self.is(NodeKind::Element).then_some(*self)
    }

    fn get_root_node(&self) -> Self {
        Handle::root(self.page)
    }
}

/// There are no processing instructions.
pub(crate) enum Never {}

impl servo_xpath::ProcessingInstruction for Never {
    fn target(&self) -> String {
        match *self {}
    }
}

impl<'a> servo_xpath::Document for Handle<'a> {
    type Node = Handle<'a>;

    fn get_elements_with_id(&self, (): &mut (), id: &str) -> impl Iterator<Item = Handle<'a>> {
        let document = &self.page.document;
        let found: Vec<NodeId> = document.nodes().filter(|&node| document.attr(node, "id") == Some(id)).collect();
        found.into_iter().map(|id| self.of(id))
    }
}

fn namespace(namespace: windrow_dom::Namespace) -> Namespace {
    match namespace {
        windrow_dom::Namespace::None => ns!(),
        windrow_dom::Namespace::Html => ns!(html),
        windrow_dom::Namespace::Svg => ns!(svg),
        windrow_dom::Namespace::MathMl => ns!(mathml),
        windrow_dom::Namespace::XLink => ns!(xlink),
        windrow_dom::Namespace::Xml => ns!(xml),
        windrow_dom::Namespace::XmlNs => ns!(xmlns),
    }
}

impl<'a> servo_xpath::Element for Handle<'a> {
    type Context = ();
    type Node = Handle<'a>;
    type Attribute = Handle<'a>;

    fn as_node(&self) -> Self {
        *self
    }

    fn prefix(&self) -> Option<Prefix> {
        None
    }

    fn namespace(&self) -> Namespace {
        namespace(self.page.document.namespace(self.id()))
    }

    fn local_name(&self) -> LocalName {
        self.page.names[self.id().index()].clone()
    }

    fn attributes(&self, (): &mut ()) -> impl Iterator<Item = Self> {
        let count = self.page.attributes[self.id().index()].len();
        (0..count).map(|index| Handle { page: self.page, node: Node::attribute_of(self.id(), index) })
    }

    fn is_html_element_in_html_document(&self) -> bool {
        self.page.document.namespace(self.id()) == windrow_dom::Namespace::Html
    }
}

impl<'a> servo_xpath::Attribute for Handle<'a> {
    type Node = Handle<'a>;

    fn as_node(&self) -> Self {
        *self
    }

    fn prefix(&self) -> Option<Prefix> {
        None
    }

    fn namespace(&self) -> Namespace {
        namespace(self.node.namespace(&self.page.document))
    }

    fn local_name(&self) -> LocalName {
        let index = self.node.attribute().expect("this is an attribute");
        self.page.attributes[self.id().index()][index].clone()
    }
}
