//! Parsed selectors: compounds between combinators, with conditions in the form of the plan.

use crate::error::Span;
use crate::plan::{CssTest, Ex, Slot};

/// The relation between two compounds.
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
    /// Nesting depth of the conditions.
    pub(super) depth: usize,
}

impl Compound {
    /// Returns `true` for `*`, and for an empty compound before a pseudo-element.
    pub(super) fn is_bare(&self) -> bool {
        self.name.is_none() && self.conditions.is_empty()
    }

    /// Returns `true` for `:scope` alone.
    pub(super) fn is_scope(&self) -> bool {
        self.name.is_none() && matches!(self.conditions.as_slice(), [Ex::Css(test)] if matches!(**test, CssTest::Scope))
    }

    /// Combines everything into one condition.
    pub(super) fn condition(&self) -> Ex {
        super::all(self.name, self.conditions.clone())
    }
}

/// The part of its elements that a selector returns.
#[derive(Debug, Clone, Copy)]
pub(super) enum PseudoElement {
    /// `::text`
    Text,
    /// `::attr(name)`
    Attribute(Slot),
}

/// Compounds, each with the combinator before it. The first combinator is used only in `:has()`.
#[derive(Debug, Clone)]
pub(super) struct Complex {
    pub(super) compounds: Vec<(Combinator, Compound)>,
    pub(super) pseudo: Option<PseudoElement>,
    pub(super) span: Span,
}

impl Complex {
    /// Returns `true` if the selector ends in a pseudo-element that applies to everything inside (`div ::text`,
    /// `::text`), with the compounds before that last bare one.
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

    /// Returns the nesting depth of the condition compiled from it.
    pub(super) fn depth(&self) -> usize {
        self.compounds.iter().fold(0, |depth, (_, compound)| compound.depth.max(depth + 1))
    }
}
