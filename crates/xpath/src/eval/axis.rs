//! Evaluates the axes from one node, and node tests.
//!
//! All axes follow from the ranks: the subtree of `n` is `n .. end(n)`, its next sibling is `end(n)`, its following
//! nodes begin at `end(n)`, and its preceding nodes are those that end before it. Only going back among siblings has
//! to climb.

use windrow_dom::{NameId, Namespace, NodeId, NodeKind};

use super::Eval;
use crate::ast::Axis;
use crate::node::Node;
use crate::plan::{Slot, Test};

/// A node test, resolved in one document.
#[derive(Debug, Clone, Copy)]
pub(super) enum Matcher {
    Node,
    Element,
    Html(NameId),
    Foreign(Namespace, NameId),
    Namespace(Namespace),
    /// An element with this name in any namespace.
    Named(NameId),
    AnyNamespace(Option<NameId>, Option<NameId>),
    Text,
    Comment,
    Nothing,
}

/// The required order of nodes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Order {
    /// Nearest first.
    Axis,
    /// Whatever is cheapest.
    Any,
}

#[inline]
pub(super) fn id(index: usize) -> NodeId {
    NodeId::from_index(index)
}

impl Eval<'_> {
    pub(super) fn matcher(&self, test: Test) -> Matcher {
        match test {
            Test::Node => Matcher::Node,
            Test::Element => Matcher::Element,
            Test::Html(slot) => self.names[slot].html.map_or(Matcher::Nothing, Matcher::Html),
            Test::Qualified(slot) => {
                let name = self.names[slot];
                match name.namespace {
                    None => Matcher::Nothing,
                    Some(namespace) if name.any => Matcher::Namespace(namespace),
                    Some(Namespace::Html) => name.html.map_or(Matcher::Nothing, Matcher::Html),
                    Some(namespace) => name.foreign.map_or(Matcher::Nothing, |name| Matcher::Foreign(namespace, name)),
                }
            }
            Test::AnyNamespace(slot) => match (self.names[slot].html, self.names[slot].foreign) {
                (None, None) => Matcher::Nothing,
                (Some(html), Some(foreign)) if html == foreign => Matcher::Named(html),
                (html, foreign) => Matcher::AnyNamespace(html, foreign),
            },
            Test::Text => Matcher::Text,
            Test::Comment => Matcher::Comment,
            Test::Nothing => Matcher::Nothing,
        }
    }

    #[inline]
    pub(super) fn is(&self, matcher: Matcher, node: NodeId) -> bool {
        let document = self.document;
        match matcher {
            Matcher::Node => true,
            Matcher::Element => document.is_element(node),
            Matcher::Html(name) => document.is_html(node, name),
            Matcher::Foreign(namespace, name) => {
                document.name_id(node) == Some(name) && document.namespace(node) == namespace
            }
            Matcher::Namespace(namespace) => document.is_element(node) && document.namespace(node) == namespace,
            Matcher::Named(name) => document.name_id(node) == Some(name),
            Matcher::AnyNamespace(html, foreign) => match document.name_id(node) {
                None => false,
                found if document.namespace(node) == Namespace::Html => found == html,
                found => found == foreign,
            },
            Matcher::Text => document.is_text(node),
            Matcher::Comment => document.kind(node) == NodeKind::Comment,
            Matcher::Nothing => false,
        }
    }

    /// Visits the matching nodes of a range. Each frequent test has a loop of its own, as tight as the test.
    #[inline]
    pub(super) fn scan(
        &self,
        matcher: Matcher,
        from: usize,
        to: usize,
        found: &mut impl FnMut(NodeId) -> bool,
    ) -> bool {
        if from >= to || !self.charge(to - from) {
            return false;
        }
        let document = self.document;
        match matcher {
            Matcher::Html(name) => {
                let mut at = id(from);
                while let Some(node) = document.next_html(name, at, id(to)) {
                    if found(node) {
                        return true;
                    }
                    at = id(node.index() + 1);
                }
            }
            Matcher::Element => {
                for index in from..to {
                    if document.is_element(id(index)) && found(id(index)) {
                        return true;
                    }
                }
            }
            Matcher::Named(name) => {
                for index in from..to {
                    if document.name_id(id(index)) == Some(name) && found(id(index)) {
                        return true;
                    }
                }
            }
            Matcher::Text => {
                for index in from..to {
                    if document.is_text(id(index)) && found(id(index)) {
                        return true;
                    }
                }
            }
            Matcher::Nothing => {}
            other => {
                for index in from..to {
                    if self.is(other, id(index)) && found(id(index)) {
                        return true;
                    }
                }
            }
        }
        false
    }

    /// Visits the matching children.
    #[inline]
    pub(super) fn children(&self, matcher: Matcher, parent: NodeId, found: &mut impl FnMut(NodeId) -> bool) -> bool {
        let end = self.document.subtree_end(parent);
        self.siblings(matcher, id(parent.index() + 1), end, found)
    }

    /// Visits the matching nodes among `first` and the siblings after it, up to `end`.
    #[inline]
    pub(super) fn siblings(
        &self,
        matcher: Matcher,
        first: NodeId,
        end: NodeId,
        found: &mut impl FnMut(NodeId) -> bool,
    ) -> bool {
        match matcher {
            Matcher::Html(name) => self.siblings_if(first, end, |node| self.document.is_html(node, name), found),
            Matcher::Element => self.siblings_if(first, end, |node| self.document.is_element(node), found),
            Matcher::Nothing => false,
            other => self.siblings_if(first, end, |node| self.is(other, node), found),
        }
    }

    #[inline]
    fn siblings_if(
        &self,
        first: NodeId,
        end: NodeId,
        matches: impl Fn(NodeId) -> bool,
        found: &mut impl FnMut(NodeId) -> bool,
    ) -> bool {
        let mut visited = 1;
        let mut at = first;
        let mut stopped = false;
        while at < end {
            visited += 1;
            if matches(at) && found(at) {
                stopped = true;
                break;
            }
            at = self.document.subtree_end(at);
        }
        self.charge(visited);
        stopped
    }

    /// Visits the matching nodes on an axis until `found` returns `true`.
    pub(super) fn on_axis(
        &self,
        axis: Axis,
        test: Test,
        node: Node,
        order: Order,
        found: &mut impl FnMut(Node) -> bool,
    ) -> bool {
        if self.exhausted.get() {
            return false;
        }
        let document = self.document;
        if axis == Axis::Attribute {
            return self.attributes(test, node, found);
        }
        let matcher = self.matcher(test);
        if matches!(matcher, Matcher::Nothing) {
            self.charge(1);
            return false;
        }
        if node.is_attribute() {
            return self.off_attribute(axis, matcher, node, order, found);
        }
        let context = node.id();
        let mut found_id = |id: NodeId| found(Node::node(id));
        match axis {
            Axis::Child => self.children(matcher, context, &mut found_id),
            Axis::Descendant => {
                self.scan(matcher, context.index() + 1, document.subtree_end(context).index(), &mut found_id)
            }
            Axis::DescendantOrSelf => {
                self.scan(matcher, context.index(), document.subtree_end(context).index(), &mut found_id)
            }
            Axis::Itself => {
                self.charge(1);
                self.is(matcher, context) && found_id(context)
            }
            Axis::Parent => {
                self.charge(1);
                document.parent(context).is_some_and(|parent| self.is(matcher, parent) && found_id(parent))
            }
            Axis::Ancestor => self.lineage(matcher, document.parent(context), &mut found_id),
            Axis::AncestorOrSelf => self.lineage(matcher, Some(context), &mut found_id),
            Axis::FollowingSibling => match document.parent(context) {
                Some(parent) => {
                    let (next, end) = (document.subtree_end(context), document.subtree_end(parent));
                    self.siblings(matcher, next, end, &mut found_id)
                }
                None => false,
            },
            Axis::PrecedingSibling => match (document.parent(context), order) {
                (None, _) => false,
                (Some(parent), Order::Any) => self.siblings(matcher, id(parent.index() + 1), context, &mut found_id),
                (Some(_), Order::Axis) => {
                    let mut at = document.prev_sibling(context);
                    while let Some(sibling) = at {
                        if !self.charge(1) {
                            return false;
                        }
                        if self.is(matcher, sibling) && found_id(sibling) {
                            return true;
                        }
                        at = document.prev_sibling(sibling);
                    }
                    false
                }
            },
            Axis::Following => self.scan(
                matcher,
                document.subtree_end(context).index(),
                document.subtree_end(self.root_of(context)).index(),
                &mut found_id,
            ),
            Axis::Preceding => self.preceding(matcher, context, order, &mut found_id),
            Axis::Attribute | Axis::Namespace => false,
        }
    }

    /// Returns the root of a node's tree: nearly always that of the evaluation, unless a variable contains nodes of
    /// another tree.
    pub(super) fn root_of(&self, node: NodeId) -> NodeId {
        if node >= self.root && node < self.document.subtree_end(self.root) {
            return self.root;
        }
        self.document.ancestors(node).last().unwrap_or(node)
    }

    fn lineage(&self, matcher: Matcher, from: Option<NodeId>, found: &mut impl FnMut(NodeId) -> bool) -> bool {
        let mut at = from;
        while let Some(node) = at {
            if !self.charge(1) {
                return false;
            }
            if self.is(matcher, node) && found(node) {
                return true;
            }
            at = self.document.parent(node);
        }
        false
    }

    /// Visits the nodes that end before the node begins; this excludes ancestors.
    fn preceding(
        &self,
        matcher: Matcher,
        context: NodeId,
        order: Order,
        found: &mut impl FnMut(NodeId) -> bool,
    ) -> bool {
        let from = self.root_of(context).index();
        if !self.charge(context.index() - from + 1) {
            return false;
        }
        let mut show = |index: usize| {
            let node = id(index);
            self.is(matcher, node) && self.document.subtree_end(node) <= context && found(node)
        };
        match order {
            Order::Any => (from..context.index()).any(&mut show),
            Order::Axis => (from..context.index()).rev().any(&mut show),
        }
    }

    /// Evaluates the axes of an attribute: it has no children and no siblings, its parent is its element, and in
    /// document order it stands between its element and the element's content.
    fn off_attribute(
        &self,
        axis: Axis,
        matcher: Matcher,
        node: Node,
        order: Order,
        found: &mut impl FnMut(Node) -> bool,
    ) -> bool {
        self.charge(1);
        let owner = node.id();
        let itself = matches!(matcher, Matcher::Node);
        let mut found_id = |id: NodeId| found(Node::node(id));
        match axis {
            Axis::Parent => self.is(matcher, owner) && found_id(owner),
            Axis::Ancestor => self.lineage(matcher, Some(owner), &mut found_id),
            Axis::Following => self.scan(
                matcher,
                owner.index() + 1,
                self.document.subtree_end(self.root_of(owner)).index(),
                &mut found_id,
            ),
            Axis::Preceding => self.preceding(matcher, owner, order, &mut found_id),
            Axis::AncestorOrSelf => {
                itself && found(node) || self.lineage(matcher, Some(owner), &mut |id| found(Node::node(id)))
            }
            Axis::Itself | Axis::DescendantOrSelf => itself && found(node),
            _ => false,
        }
    }

    /// Returns the attribute with this name, and its index.
    #[inline]
    pub(super) fn attribute(&self, slot: Slot, owner: NodeId) -> Option<(usize, windrow_dom::Attr<'_>)> {
        let name = self.names[slot];
        let wanted = (if self.document.namespace(owner) == Namespace::Html { name.html } else { name.foreign })?;
        let namespace = name.namespace.unwrap_or(Namespace::None);
        let mut attributes = self.document.attrs(owner).enumerate();
        attributes.find(|(_, attr)| attr.name_id() == wanted && attr.namespace() == namespace)
    }

    pub(super) fn attributes(&self, test: Test, node: Node, found: &mut impl FnMut(Node) -> bool) -> bool {
        if node.is_attribute() {
            return false;
        }
        let owner = node.id();
        let attributes = self.document.attrs(owner);
        if attributes.len() == 0 {
            return false;
        }
        self.charge(1);
        match test {
            Test::Html(slot) => match self.attribute(slot, owner) {
                Some((index, _)) => found(Node::attribute_of(owner, index)),
                None => false,
            },
            Test::Node => (0..attributes.len()).any(|index| found(Node::attribute_of(owner, index))),
            Test::Element => attributes
                .enumerate()
                .any(|(index, attr)| attr.namespace() != Namespace::XmlNs && found(Node::attribute_of(owner, index))),
            Test::Qualified(slot) => {
                let name = self.names[slot];
                attributes.enumerate().any(|(index, attr)| {
                    attr.namespace() != Namespace::XmlNs
                        && Some(attr.namespace()) == name.namespace
                        && (name.any || Some(attr.name_id()) == name.foreign)
                        && found(Node::attribute_of(owner, index))
                })
            }
            Test::Text | Test::Comment | Test::Nothing | Test::AnyNamespace(_) => false,
        }
    }
}
