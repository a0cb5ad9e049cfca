//! Weakening of sentences that contradict each other.
//!
//! The main goal is to weaken as *few* confidences as possible. Prices that prove a contradiction identify the rows
//! that cause it: a *core*, of which at least one sentence must be weakened. The smallest set that contains a member of
//! every core found so far is removed; if the rest is still contradictory, it has another core, and so on (an implicit
//! hitting set). Among all sufficient sets of that size, the one that gives up the least total probability is reported.
//! If this takes more than [`MAX_TRIALS`], the result is the set that gives up the least total probability, whatever
//! its size (one linear program), and says so. Facts are never weakened unless they contradict each other.

use super::program::{MAX_PRICE, Sum};
use super::reduce::{self, Apart, Part};
use super::{CONSISTENT, LogicError, Sentence};

/// Largest number of linear programs in the search for the smallest set.
const MAX_TRIALS: usize = 200;
/// Largest number of sets of the smallest size that are compared by amount.
const MAX_COMPARED: usize = 50;
/// Largest number of steps in a search for hitting sets.
const MAX_STEPS: usize = 100_000;

/// Criterion by which a set is minimal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Least {
    /// No smaller set suffices; among those of its size, none gives up less.
    Number,
    /// No set gives up less total probability.
    Amount,
}

/// Confidences that must be weakened, with their new values.
#[derive(Debug, Clone, PartialEq)]
pub struct Weakening {
    /// Criterion by which it is minimal.
    pub least: Least,
    /// Weakened sentences, in their original order.
    pub weakened: Vec<Weakened>,
}

/// One sentence of a [`Weakening`].
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Weakened {
    /// Index of the sentence, from 0.
    pub sentence: usize,
    /// Consistent probability that is nearest to its interval.
    pub to: f64,
}

/// Returns the error that says how inconsistent sentences must be weakened. `Err` if that could not be computed.
pub(super) fn weaken(sentences: &[Sentence]) -> Result<LogicError, LogicError> {
    let whole = || {
        let sentences = sentences.iter().cloned().enumerate().collect();
        vec![Apart { sentences, goals: Vec::new() }]
    };
    // Facts may be substituted into the rest, since they are not weakened; unless they contradict each other.
    let parts = reduce::reduce(sentences, &[], |sentence| sentence.firm).map_or_else(whole, |reduced| reduced.parts);
    let mut weakening = Weakening { least: Least::Number, weakened: Vec::new() };
    for part in &parts {
        let mut program = Part::new(part);
        if program.conflict()? <= CONSISTENT {
            continue;
        }
        let found = match fewest(part, &mut program)? {
            Some(found) => found,
            None => {
                weakening.least = Least::Amount;
                let soft = |number: usize| !part.sentences[number].1.firm;
                amounts(part, &mut program, soft)?.1
            }
        };
        weakening.weakened.extend(found);
    }
    weakening.weakened.sort_by_key(|weakened| weakened.sentence);
    Ok(LogicError::Inconsistent(weakening))
}

/// Returns the smallest set that must be weakened. `None` if it was not found in time, or if facts contradict each
/// other.
fn fewest(part: &Apart, program: &mut Part) -> Result<Option<Vec<Weakened>>, LogicError> {
    let soft: Vec<usize> = (0..part.sentences.len()).filter(|number| !part.sentences[*number].1.firm).collect();
    let mut cores: Vec<Vec<usize>> = Vec::new();
    let mut size = 0;
    let mut trials = 0;
    loop {
        let Some(sets) = hitting(&cores, size) else { return Ok(None) };
        let mut best: Option<(f64, Vec<Weakened>)> = None;
        let known = cores.len();
        for set in sets {
            trials += 1;
            if trials > MAX_TRIALS {
                return Ok(None);
            }
            // Sentences in the set get no price.
            let limits = limits(program, |number| if set.contains(&number) { 0.0 } else { 1.0 });
            let conflict = program.program.priced(&Sum::new(), &limits)?;
            if conflict.value > CONSISTENT {
                let mut core: Vec<usize> = conflict.rows.iter().map(|row| program.of[*row]).collect();
                core.retain(|number| soft.contains(number));
                core.dedup();
                if core.is_empty() {
                    return Ok(None);
                }
                cores.push(core);
                // With this additional core there may be no set of this size left; if there is, the others are tried
                // again.
                break;
            }
            let (amount, found) = amounts(part, program, |number| set.contains(&number))?;
            if best.as_ref().is_none_or(|(least, _)| amount < least - CONSISTENT) {
                best = Some((amount, found));
            }
        }
        match best {
            Some((_, found)) if cores.len() == known => return Ok(Some(found)),
            _ if cores.len() == known => size += 1,
            _ => {}
        }
        if size > soft.len() {
            return Ok(None);
        }
    }
}

/// Returns the first few sets of this size that have a member of every core; `None` if that takes too long.
fn hitting(cores: &[Vec<usize>], size: usize) -> Option<Vec<Vec<usize>>> {
    fn extend(cores: &[Vec<usize>], left: usize, set: &mut Vec<usize>, found: &mut Vec<Vec<usize>>, steps: &mut usize) {
        *steps += 1;
        if *steps > MAX_STEPS || found.len() >= MAX_COMPARED {
            return;
        }
        match cores.iter().find(|core| !core.iter().any(|number| set.contains(number))) {
            None => {
                let mut sorted = set.clone();
                sorted.sort_unstable();
                if !found.contains(&sorted) {
                    found.push(sorted);
                }
            }
            Some(_) if left == 0 => {}
            Some(core) => {
                for number in core {
                    set.push(*number);
                    extend(cores, left - 1, set, found, steps);
                    set.pop();
                }
            }
        }
    }
    let (mut found, mut steps) = (Vec::new(), 0);
    extend(cores, size, &mut Vec::new(), &mut found, &mut steps);
    (steps <= MAX_STEPS).then_some(found)
}

/// Weakens the sentences that `may` be weakened, the others only at a very high price. Returns the total amount and the
/// weakened sentences.
fn amounts(part: &Apart, program: &mut Part, may: impl Fn(usize) -> bool) -> Result<(f64, Vec<Weakened>), LogicError> {
    let limits = limits(program, |number| if may(number) { 1.0 } else { MAX_PRICE });
    let amount = program.program.least(&Sum::new(), &limits)?;
    let distribution = program.program.distribution(&limits)?;
    let mut found = Vec::new();
    for (number, (sentence, stated)) in part.sentences.iter().enumerate() {
        let (formula, given) = &program.sums[number];
        let mut value = program.program.expected(formula, &distribution);
        if let Some(given) = given {
            let given = program.program.expected(given, &distribution);
            if given <= CONSISTENT {
                continue;
            }
            value /= given;
        }
        let outside = (stated.interval.low - value).max(value - stated.interval.high);
        if outside > CONSISTENT {
            found.push(Weakened { sentence: *sentence, to: value.clamp(0.0, 1.0) });
        }
    }
    Ok((amount, found))
}

fn limits(program: &Part, of: impl Fn(usize) -> f64) -> Vec<f64> {
    program.of.iter().map(|sentence| of(*sentence)).collect()
}
