//! The linear program over possible worlds, solved by column generation.
//!
//! A distribution assigns a probability to every possible world. The known sentences are rows: the expected value of a
//! sum of formulas lies between two numbers. The objective is the least expected value of another such sum:
//!
//! ```text
//! least     Σ goal(w)·p(w)
//! where     low_r ≤ Σ row_r(w)·p(w) ≤ high_r,   Σ p(w) = 1,   p ≥ 0
//! ```
//!
//! There are 2ⁿ worlds, but a basis has only as many as there are rows. The solver works on the *dual* of the program
//! over the few worlds found so far; its variables are the prices y of the rows, which are needed to find the next
//! world (the solver's interface does not return duals). A world with negative reduced cost becomes a new constraint of
//! the dual, and the solver continues from its last solution. When [`Pricer`] proves that there is none, the result is
//! exact.
//!
//! Every price is limited. In the first phase the limit is the cost of violating the row by one, so that the program
//! always has a solution, whose value is the amount that must be given up; in the second phase it is [`MAX_PRICE`]. A
//! limit that is too small makes the bound weaker but never wrong. The same holds for stopping early, since nearly
//! feasible prices are made feasible by lowering the price of the row Σ p = 1.

use microlp::{ComparisonOp, Error, OptimizationDirection, Problem, Solution, SolveOptions, Variable};

use super::LogicError;
use super::pricing::Pricer;

/// Reduced costs above the negative of this count as zero, so bounds are exact to this. Ten times the solver's own
/// tolerance.
pub(super) const TOLERANCE: f64 = 1e-7;
/// Largest violation of a constraint that the solver permits.
const SOLVER_TOLERANCE: f64 = 1e-9;
/// Largest price of a row that must hold. Prices are quotients of small determinants: one to ten in practice.
pub(super) const MAX_PRICE: f64 = 1e3;
/// Largest number of generated worlds before an exact bound is given up.
const MAX_WORLDS: usize = 5_000;
/// Largest number of additions in all pricings of one bound, which take some seconds.
const MAX_WORK: usize = 2_000_000_000;

/// A weighted sum of formulas, by index.
pub(super) type Sum = Vec<(usize, f64)>;

/// Bounds on the expected value of a sum.
#[derive(Debug, Clone)]
pub(super) struct Row {
    pub(super) sum: Sum,
    pub(super) low: Option<f64>,
    pub(super) high: Option<f64>,
}

/// The rows, and the worlds found so far, as the truth of the formulas in each.
#[derive(Debug)]
pub(super) struct Program {
    pricer: Pricer,
    pub(super) rows: Vec<Row>,
    pub(super) worlds: Vec<Vec<bool>>,
    formulas: usize,
}

/// A bound with its prices.
#[derive(Debug)]
pub(super) struct Priced {
    pub(super) value: f64,
    /// Rows with a nonzero price: these alone yield the same bound.
    pub(super) rows: Vec<usize>,
}

/// Prices of a row's lower and upper bound.
struct Prices {
    low: Option<Variable>,
    high: Option<Variable>,
}

impl Program {
    pub(super) fn new(pricer: Pricer, formulas: usize, rows: Vec<Row>) -> Program {
        // Any world can be the first.
        let worlds = vec![pricer.truths(&[])];
        Program { pricer, rows, worlds, formulas }
    }

    /// Returns the least expected value of the goal. `limits` are the largest prices of the rows.
    pub(super) fn least(&mut self, goal: &Sum, limits: &[f64]) -> Result<f64, LogicError> {
        self.priced(goal, limits).map(|priced| priced.value)
    }

    /// Like [`Program::least`], and returns the rows that determine the bound.
    pub(super) fn priced(&mut self, goal: &Sum, limits: &[f64]) -> Result<Priced, LogicError> {
        let mut problem = Problem::new(OptimizationDirection::Maximize);
        let most: f64 = 2.0 + 2.0 * limits.iter().sum::<f64>();
        let total = problem.add_var(1.0, (-most, most));
        let prices: Vec<Prices> = (self.rows.iter().zip(limits))
            .map(|(row, limit)| match (row.low, row.high) {
                // One price for both: two would only differ by what cancels.
                (Some(low), Some(high)) if low == high => {
                    Prices { low: Some(problem.add_var(low, (-limit, *limit))), high: None }
                }
                (low, high) => Prices {
                    low: low.map(|low| problem.add_var(low, (0.0, *limit))),
                    high: high.map(|high| problem.add_var(-high, (0.0, *limit))),
                },
            })
            .collect();
        for world in &self.worlds {
            let constraint = self.constraint(world, total, &prices);
            problem.add_constraint(constraint.as_slice(), ComparisonOp::Le, value(goal, world));
        }
        let mut options = SolveOptions::default();
        options.tolerances.feasibility = SOLVER_TOLERANCE;
        let mut solution = solved(problem.solve_with(options))?;
        let mut work: usize = 0;
        loop {
            work = work.saturating_add(self.pricer.cost());
            let weights = self.weights(&solution, &prices, goal);
            let world = self.pricer.best(&weights).map_err(|_| LogicError::TooEntangled)?;
            let gain: f64 = world.iter().zip(&weights).map(|(truth, weight)| if *truth { *weight } else { 0.0 }).sum();
            let excess = solution.var_value(total) + gain;
            let tired = self.worlds.len() >= MAX_WORLDS || work > MAX_WORK;
            if excess <= TOLERANCE || tired || self.worlds.contains(&world) {
                let has =
                    |price: &Option<Variable>| price.is_some_and(|price| solution.var_value(price).abs() > TOLERANCE);
                let rows = prices.iter().enumerate().filter(|(_, price)| has(&price.low) || has(&price.high));
                let rows = rows.map(|(row, _)| row).collect();
                return Ok(Priced { value: solution.objective() - excess.max(0.0), rows });
            }
            let constraint = self.constraint(&world, total, &prices);
            let right = value(goal, &world);
            solution = solved(solution.add_constraint(constraint.as_slice(), ComparisonOp::Le, right))?;
            self.worlds.push(world);
        }
    }

    /// Returns a world's constraint on the prices: their sum is at most the goal's value in it.
    fn constraint(&self, world: &[bool], total: Variable, prices: &[Prices]) -> Vec<(Variable, f64)> {
        let mut terms = vec![(total, 1.0)];
        for (row, price) in self.rows.iter().zip(prices) {
            let worth = value(&row.sum, world);
            if worth != 0.0 {
                terms.extend(price.low.map(|price| (price, worth)));
                terms.extend(price.high.map(|price| (price, -worth)));
            }
        }
        terms
    }

    /// Returns the negated contribution of each formula to the reduced cost of a world in which it is true.
    fn weights(&self, solution: &Solution, prices: &[Prices], goal: &Sum) -> Vec<f64> {
        let mut weights = vec![0.0; self.formulas];
        for (row, price) in self.rows.iter().zip(prices) {
            let value = |price: Option<Variable>| price.map_or(0.0, |price| solution.var_value(price));
            let price = value(price.low) - value(price.high);
            for (formula, factor) in &row.sum {
                weights[*formula] += price * factor;
            }
        }
        for (formula, factor) in goal {
            weights[*formula] -= factor;
        }
        weights
    }

    /// Returns a distribution over the worlds found so far that violates the rows as little as possible at these costs,
    /// as probabilities of the worlds. Must be called after [`Program::least`] with the same limits, which finds the
    /// worlds.
    pub(super) fn distribution(&self, limits: &[f64]) -> Result<Vec<f64>, LogicError> {
        let mut problem = Problem::new(OptimizationDirection::Minimize);
        let worlds: Vec<Variable> = self.worlds.iter().map(|_| problem.add_var(0.0, (0.0, 1.0))).collect();
        let all: Vec<(Variable, f64)> = worlds.iter().map(|world| (*world, 1.0)).collect();
        problem.add_constraint(all.as_slice(), ComparisonOp::Eq, 1.0);
        for (row, limit) in self.rows.iter().zip(limits) {
            for (bound, sign, operator) in [(row.low, 1.0, ComparisonOp::Ge), (row.high, -1.0, ComparisonOp::Le)] {
                let Some(bound) = bound else { continue };
                let slack = problem.add_var(*limit, (0.0, f64::INFINITY));
                let terms =
                    self.worlds.iter().zip(&worlds).map(|(world, variable)| (*variable, value(&row.sum, world)));
                let terms: Vec<(Variable, f64)> = terms.filter(|(_, worth)| *worth != 0.0).collect();
                let terms = [terms, vec![(slack, sign)]].concat();
                problem.add_constraint(terms.as_slice(), operator, bound);
            }
        }
        let mut options = SolveOptions::default();
        options.tolerances.feasibility = SOLVER_TOLERANCE;
        let solution = solved(problem.solve_with(options))?;
        Ok(worlds.iter().map(|world| solution.var_value(*world).clamp(0.0, 1.0)).collect())
    }

    /// Returns the expected value of a sum.
    pub(super) fn expected(&self, sum: &Sum, distribution: &[f64]) -> f64 {
        self.worlds.iter().zip(distribution).map(|(world, probability)| value(sum, world) * probability).sum()
    }
}

/// Returns the value of a sum of formulas in a world.
fn value(sum: &Sum, world: &[bool]) -> f64 {
    sum.iter().map(|(formula, factor)| if world[*formula] { *factor } else { 0.0 }).sum()
}

fn solved(outcome: Result<microlp::SolveOutcome, Error>) -> Result<Solution, LogicError> {
    let solver = |message: String| LogicError::Solver { message };
    let outcome = outcome.map_err(|error| solver(error.to_string()))?;
    outcome.into_solution().map_err(|_| solver("interrupted".to_owned()))
}
