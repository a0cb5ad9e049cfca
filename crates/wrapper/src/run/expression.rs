//! Evaluates expressions: finds the nodes that XPath or CSS selects in a scope.
//!
//! A node is its own context. A run of siblings or a range of the source has no node of its own: there the search
//! starts at the node around it, and only the nodes that lie in the scope are kept. The records of a list usually
//! share the node around them, so that search is made once and kept ([`SharedSelection`]); each record then takes its part in
//! logarithmic time. Searching again for each record would be quadratic in the records.

use std::sync::Arc;

use windrow_dom::NodeId;
use windrow_xpath::{EvalError, Expr, Language, Node, Value};

use super::Run;
use crate::page::Page;
use crate::problem::ProblemKind;
use crate::scope::{Place, Scope};

/// The nodes that an expression selects around scopes that have no context of their own.
#[derive(Debug)]
pub(super) struct SharedSelection {
    page: u16,
    context: Node,
    /// Order in which the nodes are sorted.
    order: Order,
    /// Selected nodes, each with its start in that order.
    nodes: Vec<(u32, Node)>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Order {
    /// Tree order: for runs of siblings.
    Tree,
    /// Source order: for ranges of the source.
    Source,
}

impl<'r> Run<'r> {
    /// Pushes the nodes that an expression selects. If `absolute`, it begins at the root and may leave the scope.
    pub(super) fn expression(&mut self, expr: &Expr, absolute: bool, scope: Scope, variable: u32, object: Option<u32>) {
        let scope = scope.bare(&self.made);
        let page: Arc<_> = self.page(scope).clone();
        let document = page.document();
        let css = expr.language() == Language::Css;
        let place = |node| Scope { page: scope.page, place: Place::Node(node) };
        match scope.place {
            Place::Node(node) => {
                let Some(nodes) = self.evaluate(expr, node, scope, variable, object) else { return };
                self.found.extend(nodes.into_iter().map(place));
            }
            Place::Run { first, end } if css => {
                let context = Node::node(document.parent(first).unwrap_or(first));
                let Some(around) = self.around(expr, context, Order::Tree, scope, variable, object) else { return };
                let inside = around.between(first.index() as u32, end.index() as u32);
                self.found.extend(inside.iter().map(|&(_, node)| place(node)));
            }
            Place::Run { first, end } => {
                let Some(nodes) = self.evaluate(expr, Node::node(first), scope, variable, object) else { return };
                self.found.extend(nodes.into_iter().filter(|node| absolute || node.id() < end).map(place));
            }
            Place::Span(range) => {
                let context = Node::node(page.extents().context(document, range));
                if absolute {
                    let Some(nodes) = self.evaluate(expr, context, scope, variable, object) else { return };
                    return self.found.extend(nodes.into_iter().map(place));
                }
                let Some(around) = self.around(expr, context, Order::Source, scope, variable, object) else { return };
                let starting = around.between(range.start, range.end).iter().map(|&(_, node)| node);
                let base = self.found.len();
                let inside = starting.filter(|&node| extent(&page, node).is_some_and(|span| range.contains(span)));
                self.found.extend(inside.map(place));
                // Restores tree order, which differs where the parser has moved nodes.
                self.found[base..].sort_by_key(|scope| match scope.place {
                    Place::Node(node) => node,
                    _ => Node::node(NodeId::ROOT),
                });
            }
            // A text that is on no page has no nodes.
            Place::Computed(_) | Place::Pruned(_) => {}
        }
    }

    /// Returns the nodes that an expression selects around a scope; `None` if the result is not a set of nodes.
    pub(super) fn around(
        &mut self,
        expr: &Expr,
        context: Node,
        order: Order,
        scope: Scope,
        variable: u32,
        object: Option<u32>,
    ) -> Option<Arc<SharedSelection>> {
        let key = std::ptr::from_ref(expr);
        if let Some(known) = self.around.get(&key)
            && (known.page, known.context, known.order) == (scope.page, context, order)
        {
            return Some(known.clone());
        }
        let found = self.evaluate(expr, context, scope, variable, object)?;
        let page = self.page(scope);
        let begin = |node: Node| match order {
            Order::Tree => Some(node.id().index() as u32),
            Order::Source => extent(page, node).map(|span| span.start),
        };
        let mut nodes: Vec<(u32, Node)> = found.into_iter().filter_map(|node| Some((begin(node)?, node))).collect();
        nodes.sort_unstable();
        let around = Arc::new(SharedSelection { page: scope.page, context, order, nodes });
        self.around.insert(key, around.clone());
        Some(around)
    }

    /// Returns the nodes that an expression selects. Any other result is pushed as a text and an error is reported as
    /// a problem; both return `None`.
    fn evaluate(
        &mut self,
        expr: &Expr,
        context: Node,
        scope: Scope,
        variable: u32,
        object: Option<u32>,
    ) -> Option<Vec<Node>> {
        let page: Arc<_> = self.page(scope).clone();
        let document = page.document();
        match expr.evaluate_within(document, context, &mut self.visits) {
            Ok(Value::Nodes(nodes)) => return Some(nodes),
            // A function would see the whole element around the scope, not only the part of it that is the scope.
            Ok(_) if matches!(scope.place, Place::Span(_)) => {
                let message = "a function cannot be computed on a part of the source: select nodes, or use `match`";
                self.problem(variable, Some(scope), object, ProblemKind::Failed { message: message.to_owned() });
            }
            Ok(value) => {
                let text = value.to_text(document);
                if !text.is_empty() {
                    let computed = self.compute(text.into_owned(), scope, variable);
                    self.found.extend(computed);
                }
            }
            Err(EvalError::Budget { .. }) => {
                self.limit(variable, scope, "nodes visited by expressions", self.limits.visits);
            }
            Err(error) => {
                let message = error.to_string();
                self.problem(variable, Some(scope), object, ProblemKind::Failed { message });
            }
        }
        None
    }
}

impl SharedSelection {
    /// Returns the nodes that begin between two positions.
    pub(super) fn between(&self, start: u32, end: u32) -> &[(u32, Node)] {
        let first = self.nodes.partition_point(|&(begin, _)| begin < start);
        let length = self.nodes[first..].partition_point(|&(begin, _)| begin < end);
        &self.nodes[first..first + length]
    }
}

/// Returns the range that a node covers in the source.
fn extent(page: &Page, node: Node) -> Option<windrow_dom::Span> {
    match node.attr(page.document()) {
        Some(attribute) => Some(attribute.span()),
        None => page.extents().span_of(node.id()),
    }
}
