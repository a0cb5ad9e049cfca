//! A second evaluator, for tests only: a literal implementation of the Recommendation, one node at a time, on the
//! tree as parsed. It shares nothing with the plan and its evaluator but the node type and the number formats, so a
//! result on which both agree is not the same mistake made twice.

use std::collections::BTreeSet;

use windrow_dom::{Document, Namespace, NodeId, NodeKind};

use crate::ast::*;
use crate::node::Node;
use crate::number;
use crate::value::Value;

#[derive(Clone, Copy)]
struct Context {
    node: Node,
    position: usize,
    size: usize,
}

/// Returns the value of an expression.
pub(crate) fn evaluate(ast: &Ast, document: &Document, node: Node) -> Value {
    Reference { document }.value(ast, Context { node, position: 1, size: 1 })
}

struct Reference<'d> {
    document: &'d Document,
}

impl Reference<'_> {
    fn value(&self, ast: &Ast, context: Context) -> Value {
        match &ast.kind {
            AstKind::Or(parts) => parts.iter().any(|part| self.value(part, context).to_boolean()).into(),
            AstKind::And(parts) => parts.iter().all(|part| self.value(part, context).to_boolean()).into(),
            AstKind::Compare(comparison, left, right) => {
                self.compare(*comparison, &self.value(left, context), &self.value(right, context)).into()
            }
            AstKind::Arithmetic(first, rest) => rest
                .iter()
                .fold(self.number(first, context), |left, (operator, part)| {
                    operator.apply(left, self.number(part, context))
                })
                .into(),
            AstKind::Negate(inner) => (-self.number(inner, context)).into(),
            AstKind::Union(parts) => parts.iter().flat_map(|part| self.nodes(part, context)).collect::<Vec<_>>().into(),
            AstKind::Path(path) => self.path(path, context).into(),
            AstKind::Literal(text) => text.as_str().into(),
            AstKind::Number(number) => (*number).into(),
            AstKind::Variable(_) => Value::Nodes(Vec::new()),
            AstKind::Call(function, arguments) => self.call(*function, arguments, context),
        }
    }

    fn number(&self, ast: &Ast, context: Context) -> f64 {
        self.value(ast, context).to_number(self.document)
    }

    fn text(&self, ast: &Ast, context: Context) -> String {
        self.value(ast, context).to_text(self.document).into_owned()
    }

    fn nodes(&self, ast: &Ast, context: Context) -> Vec<Node> {
        match self.value(ast, context) {
            Value::Nodes(nodes) => nodes,
            _ => Vec::new(),
        }
    }

    fn compare(&self, comparison: Comparison, left: &Value, right: &Value) -> bool {
        let text = |node: &Node| Value::String(node.string_value(self.document).into_owned());
        match (left, right) {
            (Value::Nodes(left), Value::Nodes(right)) => {
                left.iter().any(|left| right.iter().any(|right| self.compare(comparison, &text(left), &text(right))))
            }
            (Value::Nodes(_), Value::Boolean(_)) => self.compare(comparison, &left.to_boolean().into(), right),
            (Value::Boolean(_), Value::Nodes(_)) => self.compare(comparison, left, &right.to_boolean().into()),
            (Value::Nodes(nodes), _) => nodes.iter().any(|node| self.compare(comparison, &text(node), right)),
            (_, Value::Nodes(nodes)) => nodes.iter().any(|node| self.compare(comparison, left, &text(node))),
            _ if comparison.is_equality() => {
                let equal = match (left, right) {
                    (Value::Boolean(_), _) | (_, Value::Boolean(_)) => left.to_boolean() == right.to_boolean(),
                    (Value::Number(_), _) | (_, Value::Number(_)) => {
                        left.to_number(self.document) == right.to_number(self.document)
                    }
                    _ => left.to_text(self.document) == right.to_text(self.document),
                };
                equal == (comparison == Comparison::Equal)
            }
            _ => comparison.numbers(left.to_number(self.document), right.to_number(self.document)),
        }
    }

    fn path(&self, path: &AstPath, context: Context) -> Vec<Node> {
        let mut nodes: BTreeSet<Node> = match &path.start {
            AstStart::Root => BTreeSet::from([Node::node(self.document.root())]),
            AstStart::Context => BTreeSet::from([context.node]),
            AstStart::Filter(primary, predicates) => {
                let mut nodes = self.nodes(primary, context);
                for predicate in predicates {
                    nodes = self.filter(nodes, predicate);
                }
                nodes.into_iter().collect()
            }
        };
        for step in &path.steps {
            nodes = nodes.into_iter().flat_map(|node| self.step(step, node)).collect();
        }
        nodes.into_iter().collect()
    }

    fn step(&self, step: &AstStep, node: Node) -> Vec<Node> {
        let mut nodes: Vec<Node> =
            self.everything().into_iter().filter(|&other| self.on(step.axis, node, other)).collect();
        nodes.retain(|&node| self.matches(step, node));
        if step.axis.is_reverse() {
            nodes.reverse();
        }
        for predicate in &step.predicates {
            nodes = self.filter(nodes, predicate);
        }
        nodes
    }

    fn everything(&self) -> Vec<Node> {
        let with_attributes = |id: NodeId| {
            let attributes = (0..self.document.attrs(id).len()).map(move |index| Node::attribute_of(id, index));
            std::iter::once(Node::node(id)).chain(attributes)
        };
        self.document.nodes().flat_map(with_attributes).collect()
    }

    fn parent(&self, node: Node) -> Option<Node> {
        if node.is_attribute() { Some(Node::node(node.id())) } else { self.document.parent(node.id()).map(Node::node) }
    }

    fn is_ancestor(&self, ancestor: Node, node: Node) -> bool {
        std::iter::successors(self.parent(node), |&node| self.parent(node)).any(|node| node == ancestor)
    }

    /// Returns `true` if `other` is on the axis of `node`, by the definitions.
    fn on(&self, axis: Axis, node: Node, other: Node) -> bool {
        let tree = !other.is_attribute();
        let siblings =
            tree && !node.is_attribute() && self.parent(node).is_some() && self.parent(node) == self.parent(other);
        match axis {
            Axis::Ancestor => self.is_ancestor(other, node),
            Axis::AncestorOrSelf => node == other || self.is_ancestor(other, node),
            Axis::Attribute => !tree && self.parent(other) == Some(node),
            Axis::Child => tree && self.parent(other) == Some(node),
            Axis::Descendant => tree && self.is_ancestor(node, other),
            Axis::DescendantOrSelf => node == other || tree && self.is_ancestor(node, other),
            Axis::Following => tree && other > node && !self.is_ancestor(node, other),
            Axis::FollowingSibling => siblings && other > node,
            Axis::Namespace => false,
            Axis::Parent => self.parent(node) == Some(other),
            Axis::Preceding => tree && other < node && !self.is_ancestor(other, node),
            Axis::PrecedingSibling => siblings && other < node,
            Axis::Itself => node == other,
        }
    }

    fn matches(&self, step: &AstStep, node: Node) -> bool {
        let document = self.document;
        let principal = match step.axis {
            Axis::Attribute => node.is_attribute() && node.namespace(document) != Namespace::XmlNs,
            _ => !node.is_attribute() && document.is_element(node.id()),
        };
        let kind = |kind| !node.is_attribute() && document.kind(node.id()) == kind;
        match &step.test {
            AstTest::Any => principal,
            AstTest::Prefix(_) | AstTest::Name(Some(_), _) | AstTest::Instruction => false,
            AstTest::Name(None, name) => {
                let in_html = document.namespace(node.id()) == Namespace::Html;
                let same = |own: &str| if in_html { own.eq_ignore_ascii_case(name) } else { own == name };
                principal
                    && same(node.local_name(document))
                    && match step.axis {
                        Axis::Attribute => node.namespace(document) == Namespace::None,
                        _ => in_html,
                    }
            }
            AstTest::Node => true,
            AstTest::Text => kind(NodeKind::Text),
            AstTest::Comment => kind(NodeKind::Comment),
        }
    }

    fn filter(&self, nodes: Vec<Node>, predicate: &Ast) -> Vec<Node> {
        let size = nodes.len();
        let holds = |(index, node): (usize, Node)| {
            let position = index + 1;
            let value = self.value(predicate, Context { node, position, size });
            let holds = match value {
                Value::Number(number) => number == position as f64,
                other => other.to_boolean(),
            };
            holds.then_some(node)
        };
        nodes.into_iter().enumerate().filter_map(holds).collect()
    }

    fn call(&self, function: Function, arguments: &[Ast], context: Context) -> Value {
        let document = self.document;
        let text = |at: usize| match arguments.get(at) {
            Some(argument) => self.text(argument, context),
            None => context.node.string_value(document).into_owned(),
        };
        let number = |at: usize| arguments.get(at).map_or(f64::NAN, |argument| self.number(argument, context));
        let node = || match arguments.first() {
            Some(argument) => self.nodes(argument, context).first().copied(),
            None => Some(context.node),
        };
        match function {
            Function::Last => (context.size as f64).into(),
            Function::Position => (context.position as f64).into(),
            Function::Count => (self.nodes(&arguments[0], context).len() as f64).into(),
            Function::Id => {
                let ids: Vec<String> = match self.value(&arguments[0], context) {
                    Value::Nodes(nodes) => nodes.iter().map(|node| node.string_value(document).into_owned()).collect(),
                    other => vec![other.to_text(document).into_owned()],
                };
                let ids = ids.iter().flat_map(|ids| ids.split_ascii_whitespace());
                let find = |id: &str| document.nodes().find(|&node| document.attr(node, "id") == Some(id));
                ids.filter_map(find).map(Node::node).collect::<Vec<_>>().into()
            }
            Function::LocalName => node().map_or("", |node| node.local_name(document)).into(),
            Function::NamespaceUri => node().map_or("", |node| node.namespace(document).uri()).into(),
            Function::Name => node().map_or("", |node| node.name(document)).into(),
            Function::String => text(0).into(),
            Function::Concat => (0..arguments.len()).map(text).collect::<String>().into(),
            Function::StartsWith => text(0).starts_with(&text(1)).into(),
            Function::Contains => text(0).contains(&text(1)).into(),
            Function::SubstringBefore => text(0).split_once(&text(1)).map_or("", |(before, _)| before).into(),
            Function::SubstringAfter => text(0).split_once(&text(1)).map_or("", |(_, after)| after).into(),
            Function::Substring => {
                let start = number::round(number(1));
                let end = if arguments.len() == 3 { start + number::round(number(2)) } else { f64::INFINITY };
                let inside = |&(index, _): &(usize, char)| (index + 1) as f64 >= start && ((index + 1) as f64) < end;
                text(0).chars().enumerate().filter(inside).map(|(_, c)| c).collect::<String>().into()
            }
            Function::StringLength => (text(0).chars().count() as f64).into(),
            Function::NormalizeSpace => {
                let words: Vec<String> =
                    text(0).split([' ', '\t', '\r', '\n']).filter(|word| !word.is_empty()).map(str::to_owned).collect();
                words.join(" ").into()
            }
            Function::Translate => {
                let (from, to) = (text(1), text(2));
                let replace = |c: char| match from.chars().position(|other| other == c) {
                    Some(at) => to.chars().nth(at),
                    None => Some(c),
                };
                text(0).chars().filter_map(replace).collect::<String>().into()
            }
            Function::Boolean => self.value(&arguments[0], context).to_boolean().into(),
            Function::Not => (!self.value(&arguments[0], context).to_boolean()).into(),
            Function::True => true.into(),
            Function::False | Function::Lang => false.into(),
            Function::Number if arguments.is_empty() => number::parse(&text(0)).into(),
            Function::Number => number(0).into(),
            Function::Sum => {
                let nodes = self.nodes(&arguments[0], context);
                nodes.iter().fold(0.0, |sum, node| sum + number::parse(&node.string_value(document))).into()
            }
            Function::Floor => number(0).floor().into(),
            Function::Ceiling => number(0).ceil().into(),
            Function::Round => number::round(number(0)).into(),
        }
    }
}
