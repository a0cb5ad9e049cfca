//! Evaluates a step for a whole set of nodes, and predicates.
//!
//! Without positions, a step from a sorted set is evaluated at once: descendants of nested nodes are one merged
//! range, each ancestor is visited only once, and `following` is everything after the first end. With positions, each
//! context node is processed separately; its nodes stream past counters, and enumeration ends when no later position
//! can match.
//!
//! The result is sorted only if it did not come in order.

use windrow_dom::{Namespace, NodeId};

use super::axis::{Matcher, Order, id};
use super::{Context, Eval};
use crate::ast::Axis;
use crate::node::Node;
use crate::plan::{Ex, Predicate, Step};
use crate::value::Value;

/// The outcome of a node's passage through the streaming predicates.
enum Passage {
    Pass,
    /// The node passes, and no later node will.
    Final,
    Fail,
    /// The node fails, and so will all later nodes.
    Over,
}

/// A collector of the nodes of a step, which detects whether they come in order.
struct Collector<'o> {
    out: &'o mut Vec<Node>,
    sorted: bool,
    /// Size at which to remove duplicates: the result of `//*/following::*[…]` is small, but the sequence it is made
    /// of is not.
    tidy_at: usize,
}

impl<'o> Collector<'o> {
    const FIRST_TIDY: usize = 1 << 16;

    fn new(out: &'o mut Vec<Node>) -> Collector<'o> {
        Collector { out, sorted: true, tidy_at: Self::FIRST_TIDY }
    }

    #[inline]
    fn push(&mut self, node: Node) {
        if let Some(&last) = self.out.last()
            && last >= node
        {
            self.sorted = false;
            if self.out.len() >= self.tidy_at {
                self.tidy();
                self.tidy_at = (2 * self.out.len()).max(Self::FIRST_TIDY);
            }
        }
        self.out.push(node);
    }

    fn tidy(&mut self) {
        self.out.sort_unstable();
        self.out.dedup();
    }

    fn finish(mut self) {
        if !self.sorted {
            self.tidy();
        }
    }
}

impl<'a> Eval<'a> {
    /// Appends the nodes of a step from a sorted set of nodes to an empty vector.
    pub(super) fn step(&self, step: &'a Step, contexts: &[Node], out: &mut Vec<Node>) {
        let mut collector = Collector::new(out);
        if step.below {
            self.below(step, contexts, &mut collector);
        } else if step.positional {
            for &context in contexts {
                if self.exhausted.get() {
                    break;
                }
                self.each(step, context, &mut |node| {
                    collector.push(node);
                    false
                });
            }
        } else {
            self.set_step(step, contexts, &mut collector);
        }
        collector.finish();
    }

    /// Evaluates a step from every descendant-or-self of the context nodes.
    fn below(&self, step: &'a Step, contexts: &[Node], collector: &mut Collector<'_>) {
        let mut covered = 0;
        for context in contexts.iter().filter(|context| !context.is_attribute()) {
            let from = covered.max(context.id().index());
            let to = self.document.subtree_end(context.id()).index();
            covered = covered.max(to);
            match step.axis {
                Axis::Attribute if !step.positional => {
                    if !self.charge(to.saturating_sub(from)) {
                        return;
                    }
                    for index in from..to {
                        self.attributes(step.test, Node::node(id(index)), &mut |node| {
                            if self.passes(&step.stream, node) {
                                collector.push(node);
                            }
                            false
                        });
                    }
                }
                // Here the context node is not a child of any visited node.
                Axis::Child => self.children_below(step, from.max(context.id().index() + 1), to, collector),
                _ => {
                    for index in from..to {
                        if self.exhausted.get() {
                            return;
                        }
                        self.each(step, Node::node(id(index)), &mut |node| {
                            collector.push(node);
                            false
                        });
                    }
                }
            }
        }
    }

    /// Evaluates `//x[1]` in one pass over all nodes of a range, with a family of siblings for each open parent. If
    /// the parent of the next node is open, it is the innermost one.
    fn children_below(&self, step: &'a Step, from: usize, to: usize, collector: &mut Collector<'_>) {
        struct Family {
            parent: NodeId,
            end: NodeId,
            counters: [u32; Step::COUNTERS],
            over: bool,
            list: Vec<Node>,
        }
        let document = self.document;
        let gathers = !step.gather.is_empty();
        let mut open: Vec<Family> = Vec::new();
        let close = |family: Family, collector: &mut Collector<'_>| {
            if gathers {
                let mut list = family.list;
                for predicate in &step.gather {
                    self.filter(predicate, &mut list);
                }
                list.iter().for_each(|&node| collector.push(node));
                self.give(list);
            }
        };
        self.scan(self.matcher(step.test), from, to, &mut |child| {
            while let Some(family) = open.pop_if(|family| family.end <= child) {
                close(family, collector);
            }
            let Some(parent) = document.parent(child) else { return false };
            if open.last().is_none_or(|family| family.parent != parent) {
                let list = if gathers { self.take() } else { Vec::new() };
                let end = document.subtree_end(parent);
                open.push(Family { parent, end, counters: [0; Step::COUNTERS], over: false, list });
            }
            let Some(family) = open.last_mut() else { return false };
            if family.over {
                return false;
            }
            let node = Node::node(child);
            let passage = self.passage(&step.stream, &mut family.counters, node);
            family.over = matches!(passage, Passage::Final | Passage::Over);
            if matches!(passage, Passage::Pass | Passage::Final) {
                if gathers {
                    family.list.push(node);
                } else {
                    collector.push(node);
                }
            }
            self.exhausted.get()
        });
        while let Some(family) = open.pop() {
            close(family, collector);
        }
    }

    /// Evaluates a step without positions from all context nodes together.
    fn set_step(&self, step: &'a Step, contexts: &[Node], collector: &mut Collector<'_>) {
        let document = self.document;
        let matcher = self.matcher(step.test);
        if step.axis != Axis::Attribute && matches!(matcher, Matcher::Nothing) {
            return;
        }
        let plain = step.stream.is_empty();
        // A single context is the beginning of most paths, and attributes are rare as contexts. Both are left to the
        // axis itself.
        let odd = match step.axis {
            Axis::Child | Axis::Descendant | Axis::Attribute => false,
            _ => contexts.len() == 1 || contexts.iter().any(|context| context.is_attribute()),
        };
        if odd {
            for &context in contexts {
                self.on_axis(step.axis, step.test, context, Order::Any, &mut |node| {
                    if plain || self.passes(&step.stream, node) {
                        collector.push(node);
                    }
                    false
                });
            }
            return;
        }
        let mut collect = |id: NodeId| {
            let node = Node::node(id);
            if plain || self.passes(&step.stream, node) {
                collector.push(node);
            }
            false
        };
        match step.axis {
            Axis::Child => {
                for context in contexts.iter().filter(|context| !context.is_attribute()) {
                    self.children(matcher, context.id(), &mut collect);
                }
            }
            Axis::Descendant | Axis::DescendantOrSelf => {
                let skip = usize::from(step.axis == Axis::Descendant);
                let mut covered = 0;
                for context in contexts.iter().filter(|context| !context.is_attribute()) {
                    let from = covered.max(context.id().index() + skip);
                    let to = document.subtree_end(context.id()).index();
                    covered = covered.max(to);
                    self.scan(matcher, from, to, &mut collect);
                }
            }
            Axis::Attribute => {
                for &context in contexts {
                    self.attributes(step.test, context, &mut |node| {
                        if plain || self.passes(&step.stream, node) {
                            collector.push(node);
                        }
                        false
                    });
                }
            }
            Axis::Itself => {
                self.charge(contexts.len());
                for context in contexts.iter().filter(|context| self.is(matcher, context.id())) {
                    collect(context.id());
                }
            }
            Axis::Parent => {
                self.charge(contexts.len());
                let mut last = None;
                for context in contexts {
                    let parent = document.parent(context.id());
                    if parent != last {
                        last = parent;
                        if let Some(parent) = parent.filter(|&parent| self.is(matcher, parent)) {
                            collect(parent);
                        }
                    }
                }
            }
            Axis::Ancestor | Axis::AncestorOrSelf => self.lineages(step.axis, matcher, contexts, &mut collect),
            Axis::FollowingSibling => {
                // From a parent's first context on, all later siblings are in the result. The parents whose ranges
                // are open form a stack, and the parent of the next context can only be its top.
                let mut open: Vec<NodeId> = Vec::new();
                for context in contexts {
                    while open.last().is_some_and(|&parent| document.subtree_end(parent) <= context.id()) {
                        open.pop();
                    }
                    let Some(parent) = document.parent(context.id()) else { continue };
                    if open.last() != Some(&parent) {
                        open.push(parent);
                        let next = document.subtree_end(context.id());
                        self.siblings(matcher, next, document.subtree_end(parent), &mut collect);
                    }
                }
            }
            Axis::PrecedingSibling => {
                // The mirror image: before a parent's last context, all earlier siblings are in the result.
                let mut open: Vec<NodeId> = Vec::new();
                for context in contexts.iter().rev() {
                    while open.last().is_some_and(|&parent| context.id() <= parent) {
                        open.pop();
                    }
                    let Some(parent) = document.parent(context.id()) else { continue };
                    if open.last() != Some(&parent) {
                        open.push(parent);
                        self.siblings(matcher, id(parent.index() + 1), context.id(), &mut collect);
                    }
                }
            }
            Axis::Following => {
                // Nodes that follow any of the contexts follow the one that ends first.
                let first = contexts.iter().min_by_key(|context| document.subtree_end(context.id()));
                if let Some(first) = first {
                    self.on_axis(Axis::Following, step.test, *first, Order::Any, &mut |node| collect(node.id()));
                }
            }
            Axis::Preceding => {
                // Nodes that precede any of the contexts precede the last one.
                if let Some(&last) = contexts.last() {
                    self.on_axis(Axis::Preceding, step.test, last, Order::Any, &mut |node| collect(node.id()));
                }
            }
            Axis::Namespace => {}
        }
    }

    /// Visits the ancestors of a sorted set in order without duplicates: climbs from each context until it meets the
    /// lineage of the previous context; the nodes climbed come after all previous ones.
    fn lineages(&self, axis: Axis, matcher: Matcher, contexts: &[Node], collect: &mut impl FnMut(NodeId) -> bool) {
        let document = self.document;
        let mut before: Option<NodeId> = None;
        let mut climbed: Vec<NodeId> = Vec::new();
        for context in contexts {
            let start = match axis {
                Axis::AncestorOrSelf => Some(context.id()),
                _ => document.parent(context.id()),
            };
            let mut at = start;
            while let Some(node) = at {
                let met = before.is_some_and(|before| node == before || document.is_ancestor(node, before));
                if met || !self.charge(1) {
                    break;
                }
                climbed.push(node);
                at = document.parent(node);
            }
            for node in climbed.drain(..).rev() {
                if self.is(matcher, node) {
                    collect(node);
                }
            }
            before = start.or(before);
        }
    }

    /// Passes the nodes of a step from one node to `found` until it returns `true`, in axis order if the step counts
    /// positions. Ignores `below`, which is up to the caller: paths with such steps are never walked.
    pub(super) fn each(&self, step: &'a Step, node: Node, found: &mut dyn FnMut(Node) -> bool) -> bool {
        if !step.positional {
            return self.on_axis(step.axis, step.test, node, Order::Any, &mut |node| {
                self.passes(&step.stream, node) && found(node)
            });
        }
        let mut counters = [0u32; Step::COUNTERS];
        let mut satisfied = false;
        let gathers = !step.gather.is_empty();
        let mut list = if gathers { self.take() } else { Vec::new() };
        self.on_axis(step.axis, step.test, node, Order::Axis, &mut |node| {
            let mut accept = |node| {
                if gathers {
                    list.push(node);
                } else {
                    satisfied = found(node);
                }
                satisfied
            };
            match self.passage(&step.stream, &mut counters, node) {
                Passage::Pass => accept(node),
                Passage::Final => {
                    accept(node);
                    true
                }
                Passage::Fail => false,
                Passage::Over => true,
            }
        });
        if gathers {
            for predicate in &step.gather {
                self.filter(predicate, &mut list);
            }
            satisfied = list.iter().any(|&node| found(node));
            self.give(list);
        }
        satisfied
    }

    /// Returns `true` if a node passes predicates that do not count.
    #[inline]
    pub(super) fn passes(&self, predicates: &'a [Predicate], node: Node) -> bool {
        predicates.iter().all(|predicate| match predicate {
            Predicate::Test(test) => self.boolean(test, Context { node, position: 1, size: 1 }),
            _ => false,
        })
    }

    fn passage(&self, predicates: &'a [Predicate], counters: &mut [u32; Step::COUNTERS], node: Node) -> Passage {
        let mut counter = counters.iter_mut();
        let mut is_final = false;
        for predicate in predicates {
            if let Predicate::Test(test) = predicate {
                if !self.boolean(test, Context { node, position: 1, size: 1 }) {
                    // An earlier predicate's last position may have been that of this node.
                    return if is_final { Passage::Over } else { Passage::Fail };
                }
                continue;
            }
            // The compiler ensures that there are enough counters.
            let Some(position) = counter.next() else { return Passage::Over };
            *position += 1;
            match predicate {
                Predicate::Range(first, last) => {
                    if *position > *last {
                        return Passage::Over;
                    }
                    is_final |= *position == *last;
                    if *position < *first {
                        return Passage::Fail;
                    }
                }
                _ => {
                    if !self.holds(predicate, Context { node, position: *position as usize, size: 1 }) {
                        return if is_final { Passage::Over } else { Passage::Fail };
                    }
                }
            }
        }
        if is_final { Passage::Final } else { Passage::Pass }
    }

    /// Returns `true` if a predicate holds at a position.
    fn holds(&self, predicate: &'a Predicate, context: Context) -> bool {
        match predicate {
            Predicate::Test(test) | Predicate::Positional(test) => self.boolean(test, context),
            Predicate::Range(first, last) => (*first as usize..=*last as usize).contains(&context.position),
            Predicate::Last => context.position == context.size,
            Predicate::Number(number) => self.number(number, context) == context.position as f64,
            Predicate::Any(test) => match test {
                Ex::Variable(index) => match self.variables[*index] {
                    Value::Number(number) => *number == context.position as f64,
                    other => other.to_boolean(),
                },
                other => self.boolean(other, context),
            },
        }
    }

    /// Keeps the nodes of a list for which a predicate holds.
    fn filter(&self, predicate: &'a Predicate, list: &mut Vec<Node>) {
        let size = list.len();
        match predicate {
            Predicate::Last => {
                list.drain(..size.saturating_sub(1));
            }
            Predicate::Range(first, last) => {
                list.truncate(*last as usize);
                list.drain(..(*first as usize - 1).min(list.len()));
            }
            _ => {
                let mut position = 0;
                list.retain(|&node| {
                    position += 1;
                    !self.exhausted.get() && self.holds(predicate, Context { node, position, size })
                });
            }
        }
    }

    /// Evaluates `(primary)[…]…`: predicates on a whole node-set, in document order.
    pub(super) fn filtered(&self, primary: &'a Ex, predicates: &'a [Predicate], context: Context, out: &mut Vec<Node>) {
        match (primary, predicates.first()) {
            // `(//a)[1]`: the others need not be found.
            (Ex::Path(path), Some(Predicate::Range(_, last))) if path.ordered => {
                let enough = *last as usize;
                if enough > 0 {
                    self.walk_path(path, context, &mut |node| {
                        out.push(node);
                        out.len() >= enough
                    });
                }
            }
            _ => self.nodes(primary, context, out),
        }
        for predicate in predicates {
            self.filter(predicate, out);
        }
    }

    /// Returns `true` if the node is an HTML element.
    pub(super) fn is_html(&self, node: NodeId) -> bool {
        self.document.namespace(node) == Namespace::Html && self.document.is_element(node)
    }
}
