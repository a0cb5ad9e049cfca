//! Shared parts of the tests: random formulas, and the linear program over all worlds.

use microlp::{ComparisonOp, OptimizationDirection, Problem};
use proptest::prelude::*;

use super::{Formula, Interval, Sentence};

/// Generates random formulas over the first few propositions.
pub(super) fn formula(propositions: u32) -> impl Strategy<Value = Formula> {
    let leaf = (0..propositions).prop_map(Formula::atom);
    leaf.prop_recursive(3, 10, 3, |inner| {
        prop_oneof![
            inner.clone().prop_map(|formula| Formula::Not(Box::new(formula))),
            proptest::collection::vec(inner.clone(), 2..4).prop_map(Formula::And),
            proptest::collection::vec(inner, 2..4).prop_map(Formula::Or),
        ]
    })
}

pub(super) fn formulas(propositions: u32, most: usize) -> impl Strategy<Value = Vec<Formula>> {
    proptest::collection::vec(formula(propositions), 1..=most)
}

/// Computes the goal's interval by the program over all 2ⁿ worlds; `None` if it has no solution.
pub(super) fn by_enumeration(sentences: &[Sentence], goal: &Formula, propositions: u32) -> Option<Interval> {
    let bound = |direction| {
        let mut problem = Problem::new(direction);
        let truth = |formula: &Formula, world: u32| {
            f64::from(u8::from(formula.holds(&|proposition| world >> proposition.0 & 1 == 1)))
        };
        let worlds: Vec<_> = (0..1u32 << propositions)
            .map(|world| (world, problem.add_var(truth(goal, world), (0.0, f64::INFINITY))))
            .collect();
        let all: Vec<_> = worlds.iter().map(|(_, variable)| (*variable, 1.0)).collect();
        problem.add_constraint(all.as_slice(), ComparisonOp::Eq, 1.0);
        for sentence in sentences {
            let given = sentence.given.clone().unwrap_or(Formula::True);
            let both = Formula::all([sentence.formula.clone(), given.clone()]);
            let mut row = |bound: f64, operator| {
                let row = worlds
                    .iter()
                    .map(|(world, variable)| (*variable, truth(&both, *world) - bound * truth(&given, *world)));
                let row: Vec<_> = row.filter(|(_, worth)| *worth != 0.0).collect();
                problem.add_constraint(row.as_slice(), operator, 0.0);
            };
            row(sentence.interval.low, ComparisonOp::Ge);
            row(sentence.interval.high, ComparisonOp::Le);
        }
        Some(problem.solve().ok()?.into_solution().ok()?.objective())
    };
    Some(Interval::new(bound(OptimizationDirection::Minimize)?, bound(OptimizationDirection::Maximize)?))
}
