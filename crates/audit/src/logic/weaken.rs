//! What must give way when sentences contradict each other.
//!
//! First the *fewest* confidences. Prices that prove a contradiction name the rows that it is made of: a *core*, of which
//! at least one sentence must give way. The smallest set that has one of every core found so far is left out; if the rest
//! is still contradictory, it has another core, and so on until it is not (an implicit hitting set). Of all sets of that
//! size that do, the one that gives up the least probability in all is told. If that takes more than [`MAX_TRIALS`], the
//! answer is the set that gives up the least probability in all, whatever its size (one linear program), and says so.
//! Facts never give way unless they contradict each other by themselves.

use super::program::{MAX_PRICE, Sum};
use super::reduce::{self, Apart, Part};
use super::{CONSISTENT, LogicError, Sentence};

/// Linear programs before the search for the smallest set ends.
const MAX_TRIALS: usize = 200;
/// Sets of the smallest size that are compared by how much they give up.
const MAX_COMPARED: usize = 50;
/// Steps of a search for hitting sets.
const MAX_STEPS: usize = 100_000;

/// In which sense a set is least.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Least {
    /// No smaller set would do; among those of its size, none gives up less.
    Number,
    /// No set gives up less probability in all.
    Amount,
}

/// Which confidences must be weakened, and to what.
#[derive(Debug, Clone, PartialEq)]
pub struct Weakening {
    /// In which sense it is the least.
    pub least: Least,
    /// In the order of the sentences.
    pub weakened: Vec<Weakened>,
}

/// One sentence of a [`Weakening`].
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Weakened {
    /// The sentence, counted from 0.
    pub sentence: usize,
    /// The probability nearest to its interval that it can have.
    pub to: f64,
}

/// The error that tells how inconsistent sentences must be weakened. `Err`: that could not be worked out.
pub(super) fn weaken(sentences: &[Sentence]) -> Result<LogicError, LogicError> {
    let whole = || {
        let sentences = sentences.iter().cloned().enumerate().collect();
        vec![Apart { sentences, goals: Vec::new() }]
    };
    // Facts may be put into the rest, since they do not give way; unless they contradict each other.
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

/// The smallest set that must give way. None: it was not found in time, or facts contradict each other.
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
            // What is left out has no price.
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
                // With one more core there may be no set of this size left; the others are tried again if there is.
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

/// The sets of this size that have a member of every core, the first few; none if that takes too long.
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

/// Weakens the sentences that may be, the others hardly at any price: how much in all, and what becomes of them.
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
