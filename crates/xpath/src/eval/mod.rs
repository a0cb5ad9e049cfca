//! Evaluates a plan on a document.
//!
//! Node-sets are sorted vectors of [`Node`]. A path is evaluated step by step from set to set (`step`), each set
//! without duplicates, so that no expression is exponential. Questions that need no set (whether there is a node, how
//! many, which is the first) walk the tree and stop as soon as they are answered. Everything is read from the
//! document in place; strings are built only where several texts have to be joined.
//!
//! The only failure during evaluation is an exhausted budget. From then on every search returns nothing at once, the
//! evaluation unwinds by itself, and `run` reports the error.

mod axis;
mod compare;
mod condition;
mod functions;
mod states;
mod step;
mod strings;

use std::borrow::Cow;
use std::cell::{Cell, OnceCell, RefCell};
use std::rc::Rc;

use hashbrown::HashMap;
use windrow_dom::{Document, NameId, Namespace, NodeId};

use crate::ast::{Function, Type};
use crate::environment::Environment;
use crate::error::EvalError;
use crate::node::Node;
use crate::number;
use crate::plan::{Ex, NameRef, Path, Plan, Start, Step};
use crate::value::Value;

/// Evaluates a plan with `left`, the rest of a budget, and subtracts what it used.
pub(crate) fn run(
    plan: &Plan,
    document: &Document,
    context: Node,
    environment: &Environment,
    left: &mut u64,
) -> Result<Value, EvalError> {
    if !exists(document, context) {
        return Err(EvalError::NoSuchNode);
    }
    let mut names = Vec::with_capacity(plan.names.len());
    for name in &plan.names {
        names.push(resolve(name, document, environment)?);
    }
    let mut variables = Vec::with_capacity(plan.variables.len());
    for variable in &plan.variables {
        let Some(value) = environment.variable(&variable.name) else {
            return Err(EvalError::UndefinedVariable { name: variable.name.clone(), span: variable.span });
        };
        if let Value::Nodes(nodes) = value
            && !nodes.iter().all(|&node| exists(document, node))
        {
            return Err(EvalError::NoSuchNode);
        }
        if variable.needs_nodes && value.as_nodes().is_none() {
            let (name, found, span) = (variable.name.clone(), value.type_name(), variable.span);
            return Err(EvalError::VariableType { name, found, span });
        }
        variables.push(value);
    }
    let mut root = context.id();
    while let Some(parent) = document.parent(root) {
        root = parent;
    }
    let eval = Eval {
        document,
        names,
        variables,
        left: Cell::new(*left),
        exhausted: Cell::new(false),
        root,
        scope: context,
        language: OnceCell::new(),
        kept: RefCell::new(vec![None; plan.kept]),
        pool: RefCell::new(Vec::new()),
        ranks: RefCell::new(vec![HashMap::new(); plan.counters]),
    };
    let value = eval.value(&plan.root, Context { node: context, position: 1, size: 1 });
    let budget = std::mem::replace(left, eval.left.get());
    if eval.exhausted.get() { Err(EvalError::Budget { budget }) } else { Ok(value) }
}

/// Returns `true` if a node belongs to the document: to the page or to the contents of a template, which come after
/// it.
fn exists(document: &Document, node: Node) -> bool {
    document.contains(node.id()) && node.attribute().is_none_or(|index| index < document.attrs(node.id()).len())
}

/// A name of the plan, resolved in one document.
#[derive(Debug, Clone, Copy)]
struct Name {
    /// Name of HTML elements and their attributes.
    html: Option<NameId>,
    /// Name of foreign elements and their attributes.
    foreign: Option<NameId>,
    /// Namespace of the prefix; `None` if there is no prefix or its namespace does not occur in HTML documents.
    namespace: Option<Namespace>,
    /// `true` for `prefix:*`.
    any: bool,
}

fn resolve(name: &NameRef, document: &Document, environment: &Environment) -> Result<Name, EvalError> {
    let namespace = match &name.prefix {
        None => None,
        Some(prefix) => match environment.namespace(prefix) {
            Some(namespace) => namespace,
            None => return Err(EvalError::UnknownPrefix { prefix: prefix.clone(), span: name.span }),
        },
    };
    // Namespaced attributes are identified by their qualified names, whose prefixes the parser determines.
    let qualified = match namespace {
        Some(Namespace::XLink) if name.is_attribute => Some(format!("xlink:{}", name.exact)),
        Some(Namespace::Xml) if name.is_attribute => Some(format!("xml:{}", name.exact)),
        _ => None,
    };
    let foreign = document.find_name(qualified.as_deref().unwrap_or(&name.exact));
    let html = if name.exact.bytes().any(|byte| byte.is_ascii_uppercase()) {
        document.find_name(&name.exact.to_ascii_lowercase())
    } else {
        foreign
    };
    Ok(Name { html, foreign, namespace, any: name.exact.is_empty() })
}

/// The context of an expression.
#[derive(Debug, Clone, Copy)]
struct Context {
    node: Node,
    position: usize,
    size: usize,
}

/// One evaluation.
struct Eval<'a> {
    document: &'a Document,
    names: Vec<Name>,
    variables: Vec<&'a Value>,
    /// Remaining budget.
    left: Cell<u64>,
    exhausted: Cell<bool>,
    /// Root of the context node's tree.
    root: NodeId,
    scope: Node,
    /// Language that the page declares, once it has been requested.
    language: OnceCell<Option<&'a str>>,
    /// Nodes found once, by the number of the [`Ex::Once`].
    kept: RefCell<Vec<Option<Rc<[Node]>>>>,
    /// Vectors for reuse.
    pool: RefCell<Vec<Vec<Node>>>,
    /// Ranks among siblings, by counter and node: the rank, and the number of siblings counted.
    ranks: RefCell<Vec<HashMap<u32, (u32, u32)>>>,
}

impl<'a> Eval<'a> {
    /// Charges for visiting nodes; returns `false` if the budget is exhausted.
    #[inline]
    fn charge(&self, nodes: usize) -> bool {
        let left = self.left.get();
        let nodes = nodes as u64;
        if nodes > left {
            self.left.set(0);
            self.exhausted.set(true);
            return false;
        }
        self.left.set(left - nodes);
        true
    }

    /// Charges for building a string; returns `false` if the budget is exhausted.
    fn charge_bytes(&self, bytes: usize) -> bool {
        self.charge(bytes / 8)
    }

    fn take(&self) -> Vec<Node> {
        self.pool.borrow_mut().pop().unwrap_or_default()
    }

    fn give(&self, mut nodes: Vec<Node>) {
        nodes.clear();
        self.pool.borrow_mut().push(nodes);
    }

    /// Returns the type of an expression's value, looking up variables.
    fn type_of(&self, ex: &Ex) -> Type {
        match ex {
            Ex::Variable(index) => match self.variables[*index] {
                Value::Nodes(_) => Type::Nodes,
                Value::Boolean(_) => Type::Boolean,
                Value::Number(_) => Type::Number,
                Value::String(_) => Type::String,
            },
            _ => ex.value_type(),
        }
    }

    fn value(&self, ex: &'a Ex, context: Context) -> Value {
        match self.type_of(ex) {
            Type::Boolean => Value::Boolean(self.boolean(ex, context)),
            Type::Number => Value::Number(self.number(ex, context)),
            Type::String => Value::String(self.text(ex, context).into_owned()),
            Type::Nodes | Type::Any => {
                let mut nodes = Vec::new();
                self.nodes(ex, context, &mut nodes);
                Value::Nodes(nodes)
            }
        }
    }

    fn boolean(&self, ex: &'a Ex, context: Context) -> bool {
        match ex {
            Ex::Boolean(value) => *value,
            Ex::Or(parts) => parts.iter().any(|part| self.boolean(part, context)),
            Ex::And(parts) => parts.iter().all(|part| self.boolean(part, context)),
            Ex::Not(inner) => !self.boolean(inner, context),
            Ex::Compare(comparison, left, right) => self.compare(*comparison, left, right, context),
            Ex::Attribute(slot, test) => self.attribute_passes(*slot, test, context.node),
            Ex::Contains(whole, finder) => self.contains(whole, finder, context),
            Ex::Css(test) => self.css(test, context.node),
            Ex::Variable(index) => self.variables[*index].to_boolean(),
            Ex::Once(index, inner) => !self.kept(*index, inner, context).is_empty(),
            Ex::Path(_) | Ex::Union(_) | Ex::ByContext(_) | Ex::Call(Function::Id, _) => {
                self.any(ex, context, &mut |_| true)
            }
            Ex::Text(text) => !text.is_empty(),
            Ex::Number(_) | Ex::Arithmetic(..) | Ex::Negate(_) => {
                let number = self.number(ex, context);
                number != 0.0 && !number.is_nan()
            }
            Ex::Call(Function::NormalizeSpace, arguments) => self.has_characters(arguments, context),
            Ex::Call(function, arguments) => match function.result() {
                Type::Boolean => self.boolean_call(*function, arguments, context),
                Type::Number => {
                    let number = self.number_call(*function, arguments, context);
                    number != 0.0 && !number.is_nan()
                }
                _ => !self.text_call(*function, arguments, context).is_empty(),
            },
        }
    }

    fn number(&self, ex: &'a Ex, context: Context) -> f64 {
        match ex {
            Ex::Number(number) => *number,
            Ex::Arithmetic(first, rest) => {
                let first = self.number(first, context);
                rest.iter().fold(first, |left, (operator, part)| operator.apply(left, self.number(part, context)))
            }
            Ex::Negate(inner) => -self.number(inner, context),
            Ex::Variable(index) => self.variables[*index].to_number(self.document),
            Ex::Call(function, arguments) if function.result() == Type::Number => {
                self.number_call(*function, arguments, context)
            }
            _ => match self.type_of(ex) {
                Type::Boolean => f64::from(u8::from(self.boolean(ex, context))),
                _ => number::parse(&self.text(ex, context)),
            },
        }
    }

    fn text(&self, ex: &'a Ex, context: Context) -> Cow<'a, str> {
        match ex {
            Ex::Text(text) => Cow::Borrowed(text),
            Ex::Variable(index) => self.variables[*index].to_text(self.document),
            Ex::Call(function, arguments) if function.result() == Type::String => {
                self.text_call(*function, arguments, context)
            }
            _ => match self.type_of(ex) {
                Type::Boolean => Cow::Borrowed(if self.boolean(ex, context) { "true" } else { "false" }),
                Type::Number => number::format(self.number(ex, context)),
                _ => self.first(ex, context).map_or(Cow::Borrowed(""), |node| self.node_text(node)),
            },
        }
    }

    /// Appends the nodes of an expression to an empty vector, in document order without duplicates.
    fn nodes(&self, ex: &'a Ex, context: Context, out: &mut Vec<Node>) {
        match ex {
            Ex::Path(path) => self.path(path, context, out),
            Ex::Union(parts) => {
                let mut part_nodes = self.take();
                for part in parts {
                    part_nodes.clear();
                    self.nodes(part, context, &mut part_nodes);
                    let sorted = out.last() < part_nodes.first();
                    out.extend_from_slice(&part_nodes);
                    if !sorted {
                        out.sort_unstable();
                        out.dedup();
                    }
                }
                self.give(part_nodes);
            }
            Ex::Variable(index) => {
                if let Value::Nodes(nodes) = self.variables[*index] {
                    out.extend_from_slice(nodes);
                }
            }
            Ex::Call(Function::Id, arguments) => self.by_ids(arguments, context, out),
            Ex::Once(index, inner) => out.extend_from_slice(&self.kept(*index, inner, context)),
            Ex::ByContext(plans) => self.nodes(self.by_context(plans), context, out),
            // The parser allows nothing else where nodes are needed.
            _ => {}
        }
    }

    /// Returns nodes that are the same for every context, computing them on first use.
    fn kept(&self, index: usize, ex: &'a Ex, context: Context) -> Rc<[Node]> {
        // Each request is charged, even if the result is known: a condition is not free.
        self.charge(1);
        if let Some(nodes) = &self.kept.borrow()[index] {
            return Rc::clone(nodes);
        }
        let mut nodes = self.take();
        self.nodes(ex, context, &mut nodes);
        let kept: Rc<[Node]> = nodes.as_slice().into();
        self.give(nodes);
        self.kept.borrow_mut()[index] = Some(Rc::clone(&kept));
        kept
    }

    fn by_context<'p>(&self, plans: &'p (Ex, Ex)) -> &'p Ex {
        if self.scope == Node::node(self.root) { &plans.0 } else { &plans.1 }
    }

    /// Passes the nodes of an expression to `found` until it returns `true`, in any order and possibly with
    /// duplicates.
    fn any(&self, ex: &'a Ex, context: Context, found: &mut dyn FnMut(Node) -> bool) -> bool {
        match ex {
            Ex::Path(path) if path.walkable => self.walk_path(path, context, found),
            Ex::Union(parts) => parts.iter().any(|part| self.any(part, context, found)),
            Ex::ByContext(plans) => self.any(self.by_context(plans), context, found),
            Ex::Once(index, inner) => self.kept(*index, inner, context).iter().any(|&node| found(node)),
            Ex::Variable(index) => {
                self.variables[*index].as_nodes().unwrap_or_default().iter().any(|&node| found(node))
            }
            _ => {
                let mut nodes = self.take();
                self.nodes(ex, context, &mut nodes);
                let stopped = nodes.iter().any(|&node| found(node));
                self.give(nodes);
                stopped
            }
        }
    }

    /// Returns the first node of an expression in document order.
    fn first(&self, ex: &'a Ex, context: Context) -> Option<Node> {
        let mut first: Option<Node> = None;
        match ex {
            Ex::Path(path) if path.walkable => {
                self.walk_path(path, context, &mut |node| {
                    first = Some(first.map_or(node, |old| old.min(node)));
                    path.ordered
                });
            }
            Ex::Once(index, inner) => first = self.kept(*index, inner, context).first().copied(),
            _ => {
                let mut nodes = self.take();
                self.nodes(ex, context, &mut nodes);
                first = nodes.first().copied();
                self.give(nodes);
            }
        }
        first
    }

    /// Returns the number of nodes of an expression.
    fn count(&self, ex: &'a Ex, context: Context) -> usize {
        let mut count = 0;
        match ex {
            Ex::Path(path) if path.walkable => {
                self.walk_path(path, context, &mut |_| {
                    count += 1;
                    false
                });
            }
            Ex::Once(index, inner) => count = self.kept(*index, inner, context).len(),
            _ => {
                let mut nodes = self.take();
                self.nodes(ex, context, &mut nodes);
                count = nodes.len();
                self.give(nodes);
            }
        }
        count
    }

    // ---- paths ----

    fn walk_path(&self, path: &'a Path, context: Context, found: &mut dyn FnMut(Node) -> bool) -> bool {
        let start = match path.start {
            Start::Root => Node::node(self.root),
            Start::Scope => self.scope,
            // A filter is never walkable.
            Start::Context | Start::Filter(..) => context.node,
        };
        self.walk(&path.steps, start, found)
    }

    /// Walks depth-first over the steps. The compiler allows it for short paths on which no node is met twice.
    fn walk(&self, steps: &'a [Step], node: Node, found: &mut dyn FnMut(Node) -> bool) -> bool {
        match steps {
            [] => found(node),
            [last] => self.each(last, node, found),
            [first, rest @ ..] => self.each(first, node, &mut |next| self.walk(rest, next, found)),
        }
    }

    fn path(&self, path: &'a Path, context: Context, out: &mut Vec<Node>) {
        // `/html/body/div[2]/ul/li`: from child to child there is nothing to merge, so nothing to collect between
        // steps.
        if path.direct {
            self.walk_path(path, context, &mut |node| {
                out.push(node);
                false
            });
            return;
        }
        let start;
        let mut filtered = Vec::new();
        let mut current: &[Node] = match &path.start {
            Start::Root => {
                start = [Node::node(self.root)];
                &start
            }
            Start::Context => {
                start = [context.node];
                &start
            }
            Start::Scope => {
                start = [self.scope];
                &start
            }
            Start::Filter(primary, predicates) => {
                filtered = self.take();
                self.filtered(primary, predicates, context, &mut filtered);
                &filtered
            }
        };
        let Some((last, steps)) = path.steps.split_last() else {
            out.extend_from_slice(current);
            return self.give(filtered);
        };
        // Two vectors alternate; the last step writes into the result itself.
        let (mut held, mut next) = (Vec::new(), Vec::new());
        if !steps.is_empty() {
            (held, next) = (self.take(), self.take());
        }
        for step in steps {
            next.clear();
            self.step(step, current, &mut next);
            std::mem::swap(&mut held, &mut next);
            current = &held;
            if current.is_empty() {
                break;
            }
        }
        if !current.is_empty() {
            self.step(last, current, out);
        }
        for vector in [filtered, held, next] {
            if vector.capacity() > 0 {
                self.give(vector);
            }
        }
    }
}
