//! Comparison operators: existential over node-sets, without looping over pairs of nodes.

use std::borrow::Cow;

use hashbrown::HashSet;

use super::{Context, Eval};
use crate::ast::{Comparison, Type};
use crate::number;
use crate::plan::Ex;

impl<'a> Eval<'a> {
    pub(super) fn compare(&self, comparison: Comparison, left: &'a Ex, right: &'a Ex, context: Context) -> bool {
        match (self.type_of(left), self.type_of(right)) {
            (Type::Nodes, Type::Nodes) => self.compare_sets(comparison, left, right, context),
            (Type::Nodes, other) => self.compare_nodes(comparison, left, right, other, context),
            (other, Type::Nodes) => self.compare_nodes(comparison.flipped(), right, left, other, context),
            (one, other) => {
                let either = |wanted| one == wanted || other == wanted;
                if comparison.is_equality() && !either(Type::Number) && !either(Type::Boolean) {
                    let equal = self.text(left, context) == self.text(right, context);
                    equal == (comparison == Comparison::Equal)
                } else if comparison.is_equality() && either(Type::Boolean) {
                    let equal = self.boolean(left, context) == self.boolean(right, context);
                    equal == (comparison == Comparison::Equal)
                } else {
                    comparison.numbers(self.number(left, context), self.number(right, context))
                }
            }
        }
    }

    /// Compares nodes with a single value.
    fn compare_nodes(
        &self,
        comparison: Comparison,
        nodes: &'a Ex,
        other: &'a Ex,
        other_type: Type,
        context: Context,
    ) -> bool {
        match other_type {
            Type::Boolean => {
                let as_number = |ex| f64::from(u8::from(self.boolean(ex, context)));
                comparison.numbers(as_number(nodes), as_number(other))
            }
            Type::String if comparison.is_equality() => {
                let text = self.text(other, context);
                let wanted = comparison == Comparison::Equal;
                self.any(nodes, context, &mut |node| self.node_equals(node, &text) == wanted)
            }
            _ => {
                let value = self.number(other, context);
                self.any(nodes, context, &mut |node| comparison.numbers(number::parse(&self.node_text(node)), value))
            }
        }
    }

    /// Compares nodes with nodes by looking for a matching pair: equality uses a set of strings, inequality checks
    /// whether all strings are the same, and order compares the extremes.
    fn compare_sets(&self, comparison: Comparison, left: &'a Ex, right: &'a Ex, context: Context) -> bool {
        match comparison {
            Comparison::Equal => {
                let mut strings: HashSet<Cow<'a, str>> = HashSet::new();
                self.any(left, context, &mut |node| {
                    let text = self.node_text(node);
                    // Strings kept until the end cost more than strings built and dropped.
                    self.charge(text.len() / 2);
                    strings.insert(text);
                    self.exhausted.get()
                });
                !strings.is_empty()
                    && self.any(right, context, &mut |node| strings.contains(self.node_text(node).as_ref()))
            }
            Comparison::NotEqual => {
                let Some(first) = self.first(left, context) else { return false };
                let text = self.node_text(first);
                let differs = |ex| self.any(ex, context, &mut |node| !self.node_equals(node, &text));
                // If a node on the right differs from the first on the left, these are a pair. Otherwise all on the
                // right equal that string, and a pair needs one of them and a different node on the left.
                differs(right) || differs(left) && self.any(right, context, &mut |_| true)
            }
            _ => {
                let extremes = |ex| {
                    let (mut least, mut greatest) = (f64::NAN, f64::NAN);
                    self.any(ex, context, &mut |node| {
                        // `min` and `max` ignore NaN, for which every comparison is false.
                        let value = number::parse(&self.node_text(node));
                        least = least.min(value);
                        greatest = greatest.max(value);
                        self.exhausted.get()
                    });
                    (least, greatest)
                };
                let (left, right) = (extremes(left), extremes(right));
                match comparison {
                    Comparison::Less | Comparison::LessEqual => comparison.numbers(left.0, right.1),
                    _ => comparison.numbers(left.1, right.0),
                }
            }
        }
    }
}
