//! Probabilistic logic: computes the interval of probability of a goal from the probabilities of some sentences.
//!
//! A *possible world* assigns a truth value to every proposition. The probability of a sentence is that of the worlds
//! in which it is true. Sentences with intervals of probability admit a set of distributions over the worlds; the least
//! and the greatest probability of a goal over these are two linear programs. No independence is assumed, and nothing
//! is claimed that does not follow.
//!
//! Papers: N. Nilsson, "Probabilistic Logic", Artificial Intelligence 28, 1986. K. A. Andersen, J. N. Hooker, "A linear
//! programming framework for logics of uncertainty", Decision Support Systems 16, 1996, which the paper of `audit` names.
//! Column generation for it is due to Jaumard, Hansen and Poggi de Aragão (1991).
//!
//! # Worked example
//!
//! P(A) = 0.8 and P(A → B) = 0.9. The implication is true in all worlds without A, which account for 0.2 of its 0.9; at
//! least 0.7 is left for worlds with A and B. B may also be true in all worlds without A. Hence P(B) is between 0.7 and
//! 0.9.
//!
//! ```
//! use windrow_audit::logic::{Formula, Interval, Sentence, entail};
//! let (a, b) = (Formula::atom(0), Formula::atom(1));
//! let known = [
//!     Sentence::new(a.clone(), Interval::exactly(0.8)),
//!     Sentence::new(Formula::implies(a, b.clone()), Interval::exactly(0.9)),
//! ];
//! let found = entail(&known, &b).unwrap();
//! assert!((found.low - 0.7).abs() < 1e-6 && (found.high - 0.9).abs() < 1e-6);
//! ```
//!
//! # The steps
//!
//! Certain sentences are substituted into all others (`reduce.rs`). The remaining ones fall into parts that share no
//! proposition. For each part a linear program decides whether it is consistent and, if it contains the goal, computes
//! the goal's bounds (`program.rs`, with `pricing.rs`). If a part is inconsistent, `weaken.rs` determines which
//! sentences must be weakened, and how far.
//!
//! # Tolerances
//!
//! Bounds are exact to 10⁻⁶. A set of sentences counts as consistent if giving up 10⁻⁶ of probability in total makes it
//! so. Results are clamped into [0, 1] and their ends are in order.
//!
//! # Cost
//!
//! A linear program with as many rows as the part has sentences, and one pricing for each generated world: in practice
//! two to five times the number of rows. Thirty propositions take milliseconds; see
//! `crates/bench/src/bin/audit_logic.rs`.

mod formula;
mod interval;
mod pricing;
mod program;
mod reduce;
#[cfg(test)]
mod testing;
#[cfg(test)]
mod tests;
mod weaken;

pub use formula::{Formula, Proposition};
pub use interval::Interval;
pub use weaken::{Least, Weakened, Weakening};

use reduce::Part;

/// Amount of inconsistency that is ignored.
const CONSISTENT: f64 = 1e-6;
/// Largest number of sentences in a set.
const MAX_SENTENCES: usize = 10_000;

/// A formula, optionally under a condition, with the interval of its probability.
#[derive(Debug, Clone, PartialEq)]
pub struct Sentence {
    /// The formula.
    pub formula: Formula,
    /// Condition: the probability is that of the formula among the worlds in which the condition is true. `None` means
    /// all worlds.
    pub given: Option<Formula>,
    /// Interval of the probability.
    pub interval: Interval,
    /// True for a fact, which is not weakened when sentences contradict each other; false for a confidence.
    pub firm: bool,
}

impl Sentence {
    /// Creates a sentence that may be weakened in a contradiction.
    pub fn new(formula: Formula, interval: Interval) -> Sentence {
        Sentence { formula, given: None, interval, firm: false }
    }

    /// Makes the sentence a fact.
    #[must_use]
    pub fn firm(mut self) -> Sentence {
        self.firm = true;
        self
    }

    /// Restricts the sentence to the worlds in which `condition` is true.
    #[must_use]
    pub fn given(mut self, condition: Formula) -> Sentence {
        self.given = Some(condition);
        self
    }
}

/// Error of computing an interval.
#[derive(Debug, Clone, PartialEq, thiserror::Error, miette::Diagnostic)]
#[non_exhaustive]
pub enum LogicError {
    /// The bounds of an interval are not probabilities, or not in order.
    #[error("the interval of sentence {sentence} is not within [0, 1], or its bounds are in the wrong order")]
    #[diagnostic(code(logic::improper))]
    Improper {
        /// Index of the sentence, from 0.
        sentence: usize,
    },
    /// No distribution satisfies all sentences.
    #[error("the sentences contradict each other")]
    #[diagnostic(code(logic::inconsistent))]
    Inconsistent(Weakening),
    /// There are too many sentences.
    #[error("there are {count} sentences, but at most {MAX_SENTENCES} are allowed")]
    #[diagnostic(code(logic::too_many))]
    TooMany {
        /// Number of sentences.
        count: usize,
    },
    /// The search for worlds was given up.
    #[error("the sentences share too many propositions to be solved")]
    #[diagnostic(
        code(logic::too_entangled),
        help("use fewer conditions in one rule, or fewer rules with the same conditions")
    )]
    TooEntangled,
    /// The solver failed.
    #[error("the linear program was not solved: {message}")]
    #[diagnostic(code(logic::solver))]
    Solver {
        /// Message of the solver.
        message: String,
    },
}

/// Returns the interval of probability that follows for the goal from the sentences.
pub fn entail(sentences: &[Sentence], goal: &Formula) -> Result<Interval, LogicError> {
    let found = entail_all(sentences, std::slice::from_ref(goal))?;
    Ok(found.first().copied().unwrap_or(Interval::UNKNOWN))
}

/// Like [`entail`], for several goals, with the common work done once.
pub fn entail_all(sentences: &[Sentence], goals: &[Formula]) -> Result<Vec<Interval>, LogicError> {
    check(sentences)?;
    let Some(reduced) = reduce::reduce(sentences, goals, |_| true) else {
        return Err(weaken::weaken(sentences)?);
    };
    let mut found = vec![Interval::UNKNOWN; goals.len()];
    for part in &reduced.parts {
        let mut part = Part::new(part);
        if part.conflict()? > CONSISTENT {
            return Err(weaken::weaken(sentences)?);
        }
        for (number, interval) in part.goals()? {
            found[number] = interval;
        }
    }
    for (number, truth) in &reduced.certain {
        found[*number] = if *truth { Interval::TRUE } else { Interval::FALSE };
    }
    Ok(found)
}

/// Checks that some distribution satisfies all sentences; otherwise [`LogicError::Inconsistent`] says which must be
/// weakened.
pub fn consistent(sentences: &[Sentence]) -> Result<(), LogicError> {
    entail_all(sentences, &[]).map(|_| ())
}

fn check(sentences: &[Sentence]) -> Result<(), LogicError> {
    if sentences.len() > MAX_SENTENCES {
        return Err(LogicError::TooMany { count: sentences.len() });
    }
    match sentences.iter().position(|sentence| !sentence.interval.is_proper()) {
        Some(sentence) => Err(LogicError::Improper { sentence }),
        None => Ok(()),
    }
}
