//! Formulas of propositional logic over numbered propositions.
//!
//! Every operation walks the formula once. It recurses as deep as the formula, whose depth is limited by the parser of
//! rules ([`MAX_DEPTH`](crate::rules::MAX_DEPTH)).

use std::collections::{BTreeMap, BTreeSet};

use super::interval::Interval;

/// A proposition, identified by its number.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Proposition(pub u32);

/// A formula, which is true or false in each possible world.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Formula {
    /// True in every world.
    True,
    /// False in every world.
    False,
    /// True in the worlds in which the proposition is true.
    Atom(Proposition),
    /// True if the inner formula is false.
    Not(Box<Formula>),
    /// True if all parts are true.
    And(Vec<Formula>),
    /// True if at least one part is true.
    Or(Vec<Formula>),
}

impl Formula {
    /// Creates the proposition with this number.
    pub fn atom(number: u32) -> Formula {
        Formula::Atom(Proposition(number))
    }

    /// Returns the negation.
    pub fn negate(self) -> Formula {
        match self {
            Formula::True => Formula::False,
            Formula::False => Formula::True,
            Formula::Not(inner) => *inner,
            other => Formula::Not(Box::new(other)),
        }
    }

    /// Returns the conjunction, without constants and nested conjunctions.
    pub fn all(parts: impl IntoIterator<Item = Formula>) -> Formula {
        let mut kept = Vec::new();
        for part in parts {
            match part {
                Formula::True => {}
                Formula::False => return Formula::False,
                Formula::And(inner) => kept.extend(inner),
                other => kept.push(other),
            }
        }
        match kept.len() {
            0 => Formula::True,
            1 => kept.remove(0),
            _ => Formula::And(kept),
        }
    }

    /// Returns the disjunction, without constants and nested disjunctions.
    pub fn any(parts: impl IntoIterator<Item = Formula>) -> Formula {
        let mut kept = Vec::new();
        for part in parts {
            match part {
                Formula::False => {}
                Formula::True => return Formula::True,
                Formula::Or(inner) => kept.extend(inner),
                other => kept.push(other),
            }
        }
        match kept.len() {
            0 => Formula::False,
            1 => kept.remove(0),
            _ => Formula::Or(kept),
        }
    }

    /// Returns the material implication, which is false only if `condition` is true and `conclusion` is false.
    pub fn implies(condition: Formula, conclusion: Formula) -> Formula {
        Formula::any([condition.negate(), conclusion])
    }

    /// Reports whether the formula is true in a world.
    pub fn holds(&self, world: &impl Fn(Proposition) -> bool) -> bool {
        match self {
            Formula::True => true,
            Formula::False => false,
            Formula::Atom(proposition) => world(*proposition),
            Formula::Not(inner) => !inner.holds(world),
            Formula::And(parts) => parts.iter().all(|part| part.holds(world)),
            Formula::Or(parts) => parts.iter().any(|part| part.holds(world)),
        }
    }

    /// Returns the truth value if it is already determined when only some propositions are decided.
    pub(super) fn decided(&self, world: &impl Fn(Proposition) -> Option<bool>) -> Option<bool> {
        match self {
            Formula::True => Some(true),
            Formula::False => Some(false),
            Formula::Atom(proposition) => world(*proposition),
            Formula::Not(inner) => inner.decided(world).map(|value| !value),
            Formula::And(parts) => settle(parts, world, false),
            Formula::Or(parts) => settle(parts, world, true),
        }
    }

    /// Substitutes known truth values.
    pub fn given(&self, known: &BTreeMap<Proposition, bool>) -> Formula {
        match self {
            Formula::Atom(proposition) => match known.get(proposition) {
                Some(true) => Formula::True,
                Some(false) => Formula::False,
                None => self.clone(),
            },
            Formula::True | Formula::False => self.clone(),
            Formula::Not(inner) => inner.given(known).negate(),
            Formula::And(parts) => Formula::all(parts.iter().map(|part| part.given(known))),
            Formula::Or(parts) => Formula::any(parts.iter().map(|part| part.given(known))),
        }
    }

    /// Renumbers the propositions.
    pub(crate) fn renumber(&self, number: &mut impl FnMut(Proposition) -> Proposition) -> Formula {
        match self {
            Formula::True | Formula::False => self.clone(),
            Formula::Atom(proposition) => Formula::Atom(number(*proposition)),
            Formula::Not(inner) => Formula::Not(Box::new(inner.renumber(number))),
            Formula::And(parts) => Formula::And(parts.iter().map(|part| part.renumber(number)).collect()),
            Formula::Or(parts) => Formula::Or(parts.iter().map(|part| part.renumber(number)).collect()),
        }
    }

    /// Computes the interval of probability from those of the propositions by Fréchet's arithmetic, which gives outer
    /// bounds.
    pub fn interval(&self, of: &impl Fn(Proposition) -> Interval) -> Interval {
        match self {
            Formula::True => Interval::TRUE,
            Formula::False => Interval::FALSE,
            Formula::Atom(proposition) => of(*proposition),
            Formula::Not(inner) => inner.interval(of).negate(),
            Formula::And(parts) => parts.iter().fold(Interval::TRUE, |all, part| all.and(part.interval(of))),
            Formula::Or(parts) => parts.iter().fold(Interval::FALSE, |all, part| all.or(part.interval(of))),
        }
    }

    /// Returns the propositions that occur in the formula.
    pub fn propositions(&self) -> BTreeSet<Proposition> {
        let mut found = BTreeSet::new();
        self.collect(&mut found);
        found
    }

    fn collect(&self, found: &mut BTreeSet<Proposition>) {
        match self {
            Formula::True | Formula::False => {}
            Formula::Atom(proposition) => {
                found.insert(*proposition);
            }
            Formula::Not(inner) => inner.collect(found),
            Formula::And(parts) | Formula::Or(parts) => parts.iter().for_each(|part| part.collect(found)),
        }
    }

    /// Collects the propositions whose truth follows if the formula is certainly `truth`.
    pub(super) fn literals(&self, truth: bool, found: &mut Vec<(Proposition, bool)>) {
        match (self, truth) {
            (Formula::Atom(proposition), _) => found.push((*proposition, truth)),
            (Formula::Not(inner), _) => inner.literals(!truth, found),
            (Formula::And(parts), true) | (Formula::Or(parts), false) => {
                parts.iter().for_each(|part| part.literals(truth, found));
            }
            _ => {}
        }
    }
}

/// Returns the truth value of a conjunction (`absorbing` is false) or disjunction (true), if it is determined.
fn settle(parts: &[Formula], world: &impl Fn(Proposition) -> Option<bool>, absorbing: bool) -> Option<bool> {
    let mut open = false;
    for part in parts {
        match part.decided(world) {
            Some(value) if value == absorbing => return Some(absorbing),
            Some(_) => {}
            None => open = true,
        }
    }
    (!open).then_some(!absorbing)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_known_goes_in() {
        let formula = Formula::implies(Formula::all([Formula::atom(0), Formula::atom(1)]), Formula::atom(2));
        assert_eq!(formula.given(&BTreeMap::from([(Proposition(0), false)])), Formula::True);
        let known = BTreeMap::from([(Proposition(0), true), (Proposition(1), true)]);
        assert_eq!(formula.given(&known), Formula::atom(2));
    }

    #[test]
    fn a_certain_conjunction_says_its_parts() {
        let formula = Formula::all([Formula::atom(0), Formula::any([Formula::atom(1), Formula::atom(2)]).negate()]);
        let mut found = Vec::new();
        formula.literals(true, &mut found);
        assert_eq!(found, [(Proposition(0), true), (Proposition(1), false), (Proposition(2), false)]);
        found.clear();
        formula.literals(false, &mut found);
        assert_eq!(found, [], "a false conjunction does not say which part is false");
    }

    #[test]
    fn half_a_world_decides_what_it_can() {
        let formula = Formula::any([Formula::atom(0), Formula::atom(1)]);
        assert_eq!(formula.decided(&|proposition| (proposition.0 == 0).then_some(true)), Some(true));
        assert_eq!(formula.decided(&|proposition| (proposition.0 == 0).then_some(false)), None);
    }
}
