//! Selectors as parsed: compounds between combinators, their conditions in the plan's own form.

use crate::error::Span;
use crate::plan::{CssTest, Ex, Slot};

/// What stands between two compounds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Combinator {
    /// White space.
    Descendant,
    /// `>`
    Child,
    /// `+`
    Next,
    /// `~`
    Later,
}

/// A type selector and conditions on one element.
#[derive(Debug, Clone, Default)]
pub(super) struct Compound {
    pub(super) name: Option<Slot>,
    pub(super) conditions: Vec<Ex>,
    /// How deep the conditions nest.
    pub(super) depth: usize,
}

impl Compound {
    /// `*`, or nothing at all in front of a pseudo-element.
    pub(super) fn is_bare(&self) -> bool {
        self.name.is_none() && self.conditions.is_empty()
    }

    /// `:scope` and nothing else.
    pub(super) fn is_scope(&self) -> bool {
        self.name.is_none() && matches!(self.conditions.as_slice(), [Ex::Css(test)] if matches!(**test, CssTest::Scope))
    }

    /// All of it as one condition.
    pub(super) fn condition(&self) -> Ex {
        super::all(self.name, self.conditions.clone())
    }
}

/// What a selector takes from its elements.
#[derive(Debug, Clone, Copy)]
pub(super) enum PseudoElement {
    /// `::text`
    Text,
    /// `::attr(name)`
    Attribute(Slot),
}

/// Compounds and the combinators in front of them. The first combinator counts in `:has()` only.
#[derive(Debug, Clone)]
pub(super) struct Complex {
    pub(super) compounds: Vec<(Combinator, Compound)>,
    pub(super) pseudo: Option<PseudoElement>,
    pub(super) span: Span,
}

impl Complex {
    /// Whether the selector ends in a pseudo-element of everything inside (`div ::text`, `::text`), and the compounds
    /// without that last bare one.
    pub(super) fn split_bare(&self) -> (bool, &[(Combinator, Compound)]) {
        match self.compounds.split_last() {
            Some(((combinator, last), before))
                if self.pseudo.is_some()
                    && last.is_bare()
                    && (before.is_empty() || *combinator == Combinator::Descendant) =>
            {
                (true, before)
            }
            _ => (false, &self.compounds),
        }
    }

    /// How deep the condition made of it nests.
    pub(super) fn depth(&self) -> usize {
        self.compounds.iter().fold(0, |depth, (_, compound)| compound.depth.max(depth + 1))
    }
}
