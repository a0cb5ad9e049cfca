//! Pricing: finds the possible world in which a weighted sum of formulas is greatest.
//!
//! Column generation asks this question repeatedly for the same formulas with different weights. There are two exact
//! methods:
//!
//! - *Elimination* (nonserial dynamic programming). Every formula is a table over its propositions; a long formula is
//!   cut into gates with a variable of their own, so that a disjunction of twenty does not need a table of a million
//!   entries. Variables are eliminated one after the other, those with few neighbours first or from one end to the
//!   other; the width of the tables depends on how entangled the formulas are and not on the number of propositions.
//!   The order and the positions in the tables depend on the formulas alone and are computed once: a pricing is then
//!   one addition per entry.
//! - *Branch and bound*, if the tables would be too large ([`MAX_ENTRIES`]): propositions are decided one after the
//!   other, those of heavy formulas first; the bound assumes the best value for every undecided formula.
//!
//! Cost: elimination O(Σ 2^width); branch and bound up to 2^n, ended after [`MAX_NODES`].

use std::collections::{BTreeMap, BTreeSet};

use super::formula::{Formula, Proposition};

/// Largest number of entries in all tables. Four million additions take some ten milliseconds; beyond that, branch and
/// bound is used.
const MAX_ENTRIES: usize = 1 << 22;
/// Largest width of a table.
const MAX_WIDTH: usize = 18;
/// Largest number of steps of a branch and bound, which take some seconds.
const MAX_NODES: u64 = 2_000_000;
/// Largest number of propositions of a formula with a single table; longer ones are cut into gates.
const MAX_TABLE: usize = 6;

/// Error: the formulas are too entangled for the tables, and there were too many branches.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct TooHard;

/// Finds the best world for formulas over the propositions 0, 1, …
#[derive(Debug)]
pub(super) struct Pricer {
    formulas: Vec<Formula>,
    propositions: usize,
    /// `None` if the tables would be too large.
    plan: Option<Plan>,
}

/// Plan of an elimination.
#[derive(Debug)]
struct Plan {
    variables: usize,
    tables: Vec<Table>,
    steps: Vec<Step>,
}

/// A table over variables: the value of a formula or a gate for each of their assignments.
#[derive(Debug)]
struct Table {
    scope: Vec<usize>,
    /// Formula whose weight applies; `None` for a gate, whose entries are 0 or −∞.
    formula: Option<usize>,
    entries: Vec<f64>,
}

/// Elimination of one variable. Assignments of `scope` are numbered with the variable itself as the lowest bit.
#[derive(Debug)]
struct Step {
    variable: usize,
    /// Other variables in the tables that contain the variable.
    scope: Vec<usize>,
    /// These tables: the number of an input table or of the step that created it, and the position in it for each
    /// assignment.
    given: Vec<(usize, Vec<u32>)>,
    made: Vec<(usize, Vec<u32>)>,
}

impl Pricer {
    pub(super) fn new(formulas: Vec<Formula>, propositions: usize) -> Pricer {
        let plan = Plan::new(&formulas, propositions);
        Pricer { formulas, propositions, plan }
    }

    /// Returns the number of additions of a pricing by tables.
    pub(super) fn cost(&self) -> usize {
        let entries = |plan: &Plan| {
            plan.steps.iter().map(|step| (2 << step.scope.len()) * (step.given.len() + step.made.len())).sum()
        };
        self.plan.as_ref().map_or(MAX_ENTRIES, entries)
    }

    /// Returns the truth of each formula in a world.
    pub(super) fn truths(&self, world: &[bool]) -> Vec<bool> {
        let world = |proposition: Proposition| world.get(proposition.0 as usize).copied().unwrap_or(false);
        self.formulas.iter().map(|formula| formula.holds(&world)).collect()
    }

    /// Returns the truth of the formulas in a world where their weighted sum is greatest.
    pub(super) fn best(&self, weights: &[f64]) -> Result<Vec<bool>, TooHard> {
        let world = match &self.plan {
            Some(plan) => plan.best(weights, self.propositions),
            None => Branching::new(self, weights).best()?,
        };
        Ok(self.truths(&world))
    }

    #[cfg(test)]
    fn without_tables(mut self) -> Pricer {
        self.plan = None;
        self
    }
}

impl Plan {
    fn new(formulas: &[Formula], propositions: usize) -> Option<Plan> {
        let mut tables = Vec::new();
        let mut places: Vec<usize> = (0..propositions).collect();
        for (number, formula) in formulas.iter().enumerate() {
            if matches!(formula, Formula::True | Formula::False) {
                continue;
            }
            let formula = gated(formula, &mut places, &mut tables);
            tables.push(table(&formula, Some(number), |truth| f64::from(u8::from(truth))));
        }
        let variables = places.len();
        let by_neighbours = order(&tables, variables, |variable, neighbours| neighbours[variable].len());
        // Long formulas over the same propositions are best eliminated from one end to the other.
        let by_places = order(&tables, variables, |variable, _| places[variable]);
        let (entries, order) = by_neighbours.into_iter().chain(by_places).min_by_key(|(entries, _)| *entries)?;
        if entries > MAX_ENTRIES {
            return None;
        }
        let steps = steps(&tables, variables, &order);
        Some(Plan { variables, tables, steps })
    }

    fn best(&self, weights: &[f64], propositions: usize) -> Vec<bool> {
        let mut made: Vec<Vec<f64>> = Vec::with_capacity(self.steps.len());
        let mut choices: Vec<Vec<bool>> = Vec::with_capacity(self.steps.len());
        let mut sums = Vec::new();
        for step in &self.steps {
            sums.clear();
            sums.resize(2 << step.scope.len(), 0.0);
            for (number, places) in &step.given {
                let table = &self.tables[*number];
                let weight = table.formula.map_or(1.0, |formula| weights[formula]);
                if table.formula.is_some() && weight == 0.0 {
                    continue;
                }
                for (sum, place) in sums.iter_mut().zip(places) {
                    *sum += weight * table.entries[*place as usize];
                }
            }
            for (number, places) in &step.made {
                let message = &made[*number];
                for (sum, place) in sums.iter_mut().zip(places) {
                    *sum += message[*place as usize];
                }
            }
            let pairs = sums.chunks_exact(2);
            choices.push(pairs.clone().map(|pair| pair[1] > pair[0]).collect());
            made.push(pairs.map(|pair| pair[0].max(pair[1])).collect());
        }
        let mut values = vec![false; self.variables];
        for (step, choice) in self.steps.iter().zip(&choices).rev() {
            let place = step.scope.iter().rev().fold(0, |place, variable| place << 1 | usize::from(values[*variable]));
            values[step.variable] = choice[place];
        }
        values.truncate(propositions);
        values
    }
}

/// Rewrites a formula over few variables by replacing long parts with gates. The result has at most [`MAX_TABLE`]
/// variables.
fn gated(formula: &Formula, places: &mut Vec<usize>, tables: &mut Vec<Table>) -> Formula {
    if formula.propositions().len() <= MAX_TABLE {
        return formula.clone();
    }
    match formula {
        Formula::Not(inner) => Formula::Not(Box::new(gated(inner, places, tables))),
        Formula::And(parts) | Formula::Or(parts) => {
            let conjunction = matches!(formula, Formula::And(_));
            let join = |parts: Vec<Formula>| if conjunction { Formula::And(parts) } else { Formula::Or(parts) };
            let mut parts: Vec<Formula> = parts
                .iter()
                .map(|part| match gated(part, places, tables) {
                    whole @ (Formula::Atom(_) | Formula::Not(_)) if whole.propositions().len() <= 1 => whole,
                    whole => gate(whole, places, tables),
                })
                .collect();
            // A chain in the order of the propositions lets several long formulas be eliminated side by side, with
            // tables as wide as the number of formulas. A tree of pairs would cut each formula at different points.
            parts.sort();
            let mut parts = parts.into_iter();
            let mut chain: Vec<Formula> = parts.by_ref().take(1).collect();
            while parts.len() >= MAX_TABLE {
                chain.extend(parts.next());
                chain = vec![gate(join(chain), places, tables)];
            }
            chain.extend(parts);
            let parts = chain;
            join(parts)
        }
        other => other.clone(),
    }
}

/// Adds a variable that is true exactly if the formula is; its place is that of the formula's last proposition.
fn gate(formula: Formula, places: &mut Vec<usize>, tables: &mut Vec<Table>) -> Formula {
    let output = Formula::atom(places.len() as u32);
    let last = formula.propositions().iter().map(|proposition| places[proposition.0 as usize]).max();
    places.push(last.unwrap_or(0));
    let same = Formula::any([
        Formula::all([formula.clone(), output.clone()]),
        Formula::all([formula.negate(), output.clone().negate()]),
    ]);
    tables.push(table(&same, None, |truth| if truth { 0.0 } else { f64::NEG_INFINITY }));
    output
}

fn table(formula: &Formula, number: Option<usize>, entry: impl Fn(bool) -> f64) -> Table {
    let scope: Vec<usize> = formula.propositions().iter().map(|proposition| proposition.0 as usize).collect();
    let entries = (0..1usize << scope.len())
        .map(|assignment| {
            let world = |proposition: Proposition| {
                let place = scope.binary_search(&(proposition.0 as usize)).unwrap_or(0);
                assignment >> place & 1 == 1
            };
            entry(formula.holds(&world))
        })
        .collect();
    Table { scope, formula: number, entries }
}

/// Returns for each variable the others that share a table with it.
fn neighbours(tables: &[Table], variables: usize) -> Vec<BTreeSet<usize>> {
    let mut neighbours: Vec<BTreeSet<usize>> = vec![BTreeSet::new(); variables];
    for table in tables {
        for one in &table.scope {
            neighbours[*one].extend(table.scope.iter().filter(|other| *other != one));
        }
    }
    neighbours
}

/// Eliminates a variable: its neighbours become neighbours of each other and are returned.
fn take_out(variable: usize, neighbours: &mut [BTreeSet<usize>]) -> Vec<usize> {
    let scope: Vec<usize> = std::mem::take(&mut neighbours[variable]).into_iter().collect();
    for one in &scope {
        neighbours[*one].remove(&variable);
        neighbours[*one].extend(scope.iter().filter(|other| *other != one));
    }
    scope
}

/// Returns the order that always takes the variable with the least effort next, and the approximate number of table
/// entries. `None` if a table would be too wide.
fn order(
    tables: &[Table],
    variables: usize,
    effort: impl Fn(usize, &[BTreeSet<usize>]) -> usize,
) -> Option<(usize, Vec<usize>)> {
    let mut neighbours = neighbours(tables, variables);
    let mut left: BTreeSet<usize> = (0..variables).collect();
    let (mut order, mut entries) = (Vec::with_capacity(variables), 0);
    while let Some(variable) = left.iter().copied().min_by_key(|variable| (effort(*variable, &neighbours), *variable)) {
        left.remove(&variable);
        let width = take_out(variable, &mut neighbours).len();
        if width > MAX_WIDTH {
            return None;
        }
        entries += 2 << width;
        order.push(variable);
    }
    // Every table is read in one step, usually a narrow one.
    Some((entries * 3, order))
}

/// Returns the elimination steps in this order, with the positions in every table.
fn steps(tables: &[Table], variables: usize, order: &[usize]) -> Vec<Step> {
    let mut neighbours = neighbours(tables, variables);
    let mut open: BTreeSet<usize> = (0..tables.len()).collect();
    // Tables created by steps and not used by another step yet.
    let mut pending: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
    let mut steps: Vec<Step> = Vec::with_capacity(variables);
    for &variable in order {
        let scope = take_out(variable, &mut neighbours);
        let given: Vec<usize> = open.iter().copied().filter(|table| tables[*table].scope.contains(&variable)).collect();
        let taken: Vec<usize> =
            pending.iter().filter(|(_, scope)| scope.contains(&variable)).map(|(step, _)| *step).collect();
        let mut step = Step { variable, given: Vec::new(), made: Vec::new(), scope: Vec::new() };
        for table in given {
            open.remove(&table);
            step.given.push((table, places(&tables[table].scope, variable, &scope)));
        }
        for made in taken {
            let made_scope = pending.remove(&made).unwrap_or_default();
            step.made.push((made, places(&made_scope, variable, &scope)));
        }
        pending.insert(steps.len(), scope.clone());
        step.scope = scope;
        steps.push(step);
    }
    steps
}

/// Returns for each assignment of the variable and its scope the position in a table over some of these variables.
fn places(table: &[usize], variable: usize, scope: &[usize]) -> Vec<u32> {
    let bits: Vec<usize> = table
        .iter()
        .map(|one| if *one == variable { 0 } else { scope.binary_search(one).map_or(0, |place| place + 1) })
        .collect();
    (0..2usize << scope.len())
        .map(|assignment| {
            let place = bits.iter().enumerate().map(|(at, bit)| (assignment >> bit & 1) << at);
            place.sum::<usize>() as u32
        })
        .collect()
}

/// Branch and bound over the propositions.
struct Branching<'a> {
    pricer: &'a Pricer,
    weights: &'a [f64],
    /// Propositions, heavy ones first; `of` has the formulas that contain each.
    order: Vec<usize>,
    of: Vec<Vec<usize>>,
    world: Vec<Option<bool>>,
    best: Option<(f64, Vec<bool>)>,
    nodes: u64,
}

impl<'a> Branching<'a> {
    fn new(pricer: &'a Pricer, weights: &'a [f64]) -> Branching<'a> {
        let mut of = vec![Vec::new(); pricer.propositions];
        for (number, formula) in pricer.formulas.iter().enumerate() {
            if weights[number] != 0.0 {
                formula.propositions().iter().for_each(|proposition| of[proposition.0 as usize].push(number));
            }
        }
        let heavy = |proposition: &usize| of[*proposition].iter().map(|formula| weights[*formula].abs()).sum::<f64>();
        let mut order: Vec<usize> = (0..pricer.propositions).collect();
        order.sort_by(|one, other| heavy(other).total_cmp(&heavy(one)));
        let world = vec![None; pricer.propositions];
        Branching { pricer, weights, order, of, world, best: None, nodes: 0 }
    }

    fn best(mut self) -> Result<Vec<bool>, TooHard> {
        let open = |world: &[Option<bool>], formula: usize| -> Option<bool> {
            self.pricer.formulas[formula].decided(&|proposition| world[proposition.0 as usize])
        };
        let bound = (0..self.weights.len()).map(|formula| self.at_best(open(&self.world, formula), formula)).sum();
        self.descend(0, bound)?;
        Ok(self.best.map(|(_, world)| world).unwrap_or_default())
    }

    /// Returns the largest value that a formula can still contribute.
    fn at_best(&self, truth: Option<bool>, formula: usize) -> f64 {
        match truth {
            Some(true) => self.weights[formula],
            Some(false) => 0.0,
            None => self.weights[formula].max(0.0),
        }
    }

    fn truth(&self, formula: usize) -> Option<bool> {
        self.pricer.formulas[formula].decided(&|proposition| self.world[proposition.0 as usize])
    }

    fn descend(&mut self, depth: usize, bound: f64) -> Result<(), TooHard> {
        self.nodes += 1;
        if self.nodes > MAX_NODES {
            return Err(TooHard);
        }
        // An improvement within rounding errors is not worth a subtree.
        if self.best.as_ref().is_some_and(|(best, _)| bound <= best + 1e-12) {
            return Ok(());
        }
        let Some(proposition) = self.order.get(depth).copied() else {
            let world = self.world.iter().map(|value| value.unwrap_or(false)).collect();
            self.best = Some((bound, world));
            return Ok(());
        };
        let touched = std::mem::take(&mut self.of[proposition]);
        let before: f64 = touched.iter().map(|formula| self.at_best(self.truth(*formula), *formula)).sum();
        let mut bounds = [0.0; 2];
        for value in [false, true] {
            self.world[proposition] = Some(value);
            let after: f64 = touched.iter().map(|formula| self.at_best(self.truth(*formula), *formula)).sum();
            bounds[usize::from(value)] = bound - before + after;
        }
        let first = bounds[1] > bounds[0];
        for value in [first, !first] {
            self.world[proposition] = Some(value);
            self.descend(depth + 1, bounds[usize::from(value)])?;
        }
        self.world[proposition] = None;
        self.of[proposition] = touched;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::logic::testing::formulas;

    fn sum(truths: &[bool], weights: &[f64]) -> f64 {
        truths.iter().zip(weights).map(|(truth, weight)| if *truth { *weight } else { 0.0 }).sum()
    }

    #[test]
    fn a_long_disjunction_is_no_large_table() {
        let all = Formula::any((0..60).map(Formula::atom));
        let mut formulas: Vec<Formula> = (0..60).map(Formula::atom).collect();
        formulas.push(all);
        let pricer = Pricer::new(formulas, 60);
        assert!(pricer.plan.is_some());
        let mut weights = vec![-1.0; 60];
        weights[17] = -0.25;
        weights.push(0.5);
        let truths = pricer.best(&weights).unwrap();
        let at: Vec<usize> = (0..61).filter(|at| truths[*at]).collect();
        assert_eq!(at, [17, 60], "one true proposition is enough, and the cheapest is taken");
    }

    proptest! {
        #[test]
        fn both_ways_find_the_best_of_all_worlds(
            formulas in formulas(7, 8),
            weights in proptest::collection::vec(-4i8..=4, 8),
        ) {
            let weights: Vec<f64> = weights.iter().take(formulas.len()).map(|weight| f64::from(*weight)).collect();
            let pricer = Pricer::new(formulas.clone(), 7);
            prop_assert!(pricer.plan.is_some());
            let all = (0..1u32 << 7).map(|world| {
                let world: Vec<bool> = (0..7).map(|bit| world >> bit & 1 == 1).collect();
                sum(&pricer.truths(&world), &weights)
            });
            let best = all.fold(f64::NEG_INFINITY, f64::max);
            let by_tables = sum(&pricer.best(&weights).unwrap(), &weights);
            let by_branches = sum(&pricer.without_tables().best(&weights).unwrap(), &weights);
            prop_assert_eq!(by_tables, best);
            prop_assert_eq!(by_branches, best);
        }
    }
}
