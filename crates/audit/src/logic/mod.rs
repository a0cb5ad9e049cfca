//! Probabilistic logic: from the probabilities of some sentences, the interval of probability of another.
//!
//! A *possible world* says of every proposition whether it is true. A probability of a sentence is that of the worlds in
//! which it is true. Sentences with intervals of probability leave some distributions over the worlds possible; over
//! these, the least and the greatest probability of a goal are two linear programs. No independence is assumed, and
//! nothing that does not follow is claimed.
//!
//! Papers: N. Nilsson, "Probabilistic Logic", Artificial Intelligence 28, 1986. K. A. Andersen, J. N. Hooker, "A linear
//! programming framework for logics of uncertainty", Decision Support Systems 16, 1996, which the paper of `audit` names.
//! Column generation for it is due to Jaumard, Hansen and Poggi de Aragão (1991).
//!
//! # Worked example
//!
//! P(A) = 0.8 and P(A → B) = 0.9. Where A is false the implication is true, so worlds without A have 0.2 of its 0.9; at
//! least 0.7 is left for worlds with A and B. B may also be true in all of the 0.2. Hence P(B) is between 0.7 and 0.9.
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
//! What is certain is put into everything else (`reduce.rs`); what is left falls into parts that share no proposition; of
//! each part a linear program decides whether it is consistent, and if the goal is in it, the goal's bounds
//! (`program.rs`, with `pricing.rs`). If a part is inconsistent, `weaken.rs` says which sentences must give way, and how far.
//!
//! # Tolerances
//!
//! Bounds are right to 10⁻⁶; a set of sentences is consistent if giving up 10⁻⁶ of probability in all makes it so.
//! Results are clamped into [0, 1] and their ends are in order.
//!
//! # Cost
//!
//! A linear program with as many rows as the part has sentences, and a pricing for each of the worlds that
//! it generates: in practice two to five times the number of rows. Thirty propositions: milliseconds; see
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

/// What giving up counts as nothing.
const CONSISTENT: f64 = 1e-6;
/// Propositions and sentences that a set may have.
const MAX_SENTENCES: usize = 10_000;

/// A formula, perhaps under a condition, with the interval that its probability lies in.
#[derive(Debug, Clone, PartialEq)]
pub struct Sentence {
    /// What is said.
    pub formula: Formula,
    /// The probability is that of the formula among the worlds in which this is true. None: among all.
    pub given: Option<Formula>,
    /// Its probability.
    pub interval: Interval,
    /// A fact does not give way when sentences contradict each other; a confidence does.
    pub firm: bool,
}

impl Sentence {
    /// A sentence whose probability gives way in a contradiction.
    pub fn new(formula: Formula, interval: Interval) -> Sentence {
        Sentence { formula, given: None, interval, firm: false }
    }

    /// The same as a fact.
    #[must_use]
    pub fn firm(mut self) -> Sentence {
        self.firm = true;
        self
    }

    /// The same, of the worlds in which `condition` is true.
    #[must_use]
    pub fn given(mut self, condition: Formula) -> Sentence {
        self.given = Some(condition);
        self
    }
}

/// Why there is no interval.
#[derive(Debug, Clone, PartialEq, thiserror::Error, miette::Diagnostic)]
#[non_exhaustive]
pub enum LogicError {
    /// An interval that is none of probabilities.
    #[error("the interval of sentence {sentence} is not within [0, 1], or its ends are turned round")]
    #[diagnostic(code(logic::improper))]
    Improper {
        /// The sentence, counted from 0.
        sentence: usize,
    },
    /// No distribution agrees with all sentences.
    #[error("the sentences contradict each other")]
    #[diagnostic(code(logic::inconsistent))]
    Inconsistent(Weakening),
    /// More sentences than one set may have.
    #[error("{count} sentences are more than {MAX_SENTENCES}")]
    #[diagnostic(code(logic::too_many))]
    TooMany {
        /// How many there are.
        count: usize,
    },
    /// The search for worlds was given up.
    #[error("the sentences are too entangled to be worked out")]
    #[diagnostic(code(logic::too_entangled), help("fewer propositions in one sentence, or fewer that share them"))]
    TooEntangled,
    /// The solver failed.
    #[error("the linear program was not solved: {message}")]
    #[diagnostic(code(logic::solver))]
    Solver {
        /// What it says.
        message: String,
    },
}

/// The interval of probability that the sentences leave to the goal.
pub fn entail(sentences: &[Sentence], goal: &Formula) -> Result<Interval, LogicError> {
    let found = entail_all(sentences, std::slice::from_ref(goal))?;
    Ok(found.first().copied().unwrap_or(Interval::UNKNOWN))
}

/// As [`entail`], of several goals: what they need in common is done once.
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

/// Whether some distribution agrees with all sentences; if none does, [`LogicError::Inconsistent`] says what must give way.
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
