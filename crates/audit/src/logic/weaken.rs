//! What must give way when sentences contradict each other.
//!
//! First the *fewest* confidences: sets of one, of two, … are tried until leaving one out makes the rest consistent; of
//! the smallest sets that do, the one that gives up the least probability in all is told. Trying is exponential, so it
//! ends after [`MAX_TRIALS`]; then the answer is the set that gives up the least probability in all, whatever its size
//! (one linear program), and says so. Facts never give way unless they contradict each other by themselves.

use super::program::{MAX_PRICE, Sum};
use super::reduce::{self, Apart, Part};
use super::{CONSISTENT, LogicError, Sentence};

/// Sets of sentences to leave out before the search for the smallest ends.
const MAX_TRIALS: usize = 2_000;

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

/// The smallest set that must give way. None: it was not found in time.
fn fewest(part: &Apart, program: &mut Part) -> Result<Option<Vec<Weakened>>, LogicError> {
    let soft: Vec<usize> = (0..part.sentences.len()).filter(|number| !part.sentences[*number].1.firm).collect();
    let mut trials = 0;
    for size in 1..=soft.len() {
        let mut best: Option<(f64, Vec<Weakened>)> = None;
        let mut chosen: Vec<usize> = (0..size).collect();
        loop {
            trials += 1;
            if trials > MAX_TRIALS {
                return Ok(None);
            }
            let out = |number: usize| chosen.iter().any(|at| soft[*at] == number);
            let limits = limits(program, |number| if out(number) { 0.0 } else { 1.0 });
            if program.program.least(&Sum::new(), &limits)? <= CONSISTENT {
                let (amount, found) = amounts(part, program, out)?;
                if best.as_ref().is_none_or(|(least, _)| amount < least - CONSISTENT) {
                    best = Some((amount, found));
                }
            }
            if !advance(&mut chosen, soft.len()) {
                break;
            }
        }
        if let Some((_, found)) = best {
            return Ok(Some(found));
        }
    }
    Ok(None)
}

/// The next choice of some of `count` things, in order; false after the last.
fn advance(chosen: &mut [usize], count: usize) -> bool {
    let size = chosen.len();
    for at in (0..size).rev() {
        if chosen[at] + (size - at) < count {
            chosen[at] += 1;
            for next in at + 1..size {
                chosen[next] = chosen[next - 1] + 1;
            }
            return true;
        }
    }
    false
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
