//! Reduction: substitutes certain sentences and splits the rest into independent parts.
//!
//! A sentence with probability 1 or 0 decides its propositions if it is a literal, or a conjunction (or negated
//! disjunction) of literals. Substituting these may make further sentences certain; this is repeated until nothing
//! changes. Then sentences that share a proposition form a part, together with the goals that contain it. Most facts
//! from records are certain, so little remains.
//!
//! Cost: each round walks every formula; there are at most as many rounds as propositions.

use std::collections::BTreeMap;

use super::formula::{Formula, Proposition};
use super::pricing::Pricer;
use super::program::{MAX_PRICE, Program, Row, Sum};
use super::{Interval, LogicError, Sentence};

/// Sentences and goals that share propositions, with their original numbers.
#[derive(Debug, Default)]
pub(super) struct Apart {
    pub(super) sentences: Vec<(usize, Sentence)>,
    pub(super) goals: Vec<(usize, Formula)>,
}

/// Result of the reduction.
#[derive(Debug)]
pub(super) struct Reduced {
    pub(super) parts: Vec<Apart>,
    /// Goals that are certain.
    pub(super) certain: Vec<(usize, bool)>,
}

/// Reduces sentences and goals, substituting only sentences that are `trusted`. `None` if they contradict each other.
pub(super) fn reduce(
    sentences: &[Sentence],
    goals: &[Formula],
    trusted: impl Fn(&Sentence) -> bool,
) -> Option<Reduced> {
    let mut known: BTreeMap<Proposition, bool> = BTreeMap::new();
    let mut left: Vec<(usize, Sentence)> = sentences.iter().cloned().enumerate().collect();
    loop {
        let before = known.len();
        for (_, sentence) in left.iter().filter(|(_, sentence)| sentence.given.is_none() && trusted(sentence)) {
            let mut literals = Vec::new();
            if sentence.interval.low >= 1.0 {
                sentence.formula.literals(true, &mut literals);
            } else if sentence.interval.high <= 0.0 {
                sentence.formula.literals(false, &mut literals);
            }
            for (proposition, truth) in literals {
                if *known.entry(proposition).or_insert(truth) != truth {
                    return None;
                }
            }
        }
        if known.len() == before {
            break;
        }
        for (_, sentence) in &mut left {
            sentence.formula = sentence.formula.given(&known);
            sentence.given = sentence.given.as_ref().map(|given| given.given(&known));
            if sentence.given == Some(Formula::True) {
                sentence.given = None;
            }
        }
        left.retain(|(_, sentence)| !says_nothing(sentence));
        let broken = |sentence: &Sentence| match (&sentence.given, &sentence.formula) {
            (None, Formula::True) => sentence.interval.high < 1.0,
            (None, Formula::False) => sentence.interval.low > 0.0,
            _ => false,
        };
        if left.iter().any(|(_, sentence)| trusted(sentence) && broken(sentence)) {
            return None;
        }
    }
    left.retain(|(_, sentence)| !says_nothing(sentence));
    let mut certain = Vec::new();
    let mut open = Vec::new();
    for (number, goal) in goals.iter().enumerate() {
        match goal.given(&known) {
            Formula::True => certain.push((number, true)),
            Formula::False => certain.push((number, false)),
            goal => open.push((number, goal)),
        }
    }
    Some(Reduced { parts: apart(left, open), certain })
}

/// Reports whether the sentence holds in every distribution.
fn says_nothing(sentence: &Sentence) -> bool {
    let Interval { low, high } = sentence.interval;
    match (&sentence.given, &sentence.formula) {
        (Some(Formula::False), _) => true,
        (None, Formula::True) => high >= 1.0,
        (None, Formula::False) => low <= 0.0,
        _ => low <= 0.0 && high >= 1.0,
    }
}

/// Groups sentences and goals that share propositions.
fn apart(sentences: Vec<(usize, Sentence)>, goals: Vec<(usize, Formula)>) -> Vec<Apart> {
    let mut groups = Groups::default();
    let of = |sentence: &Sentence| {
        let mut found = sentence.formula.propositions();
        found.extend(sentence.given.iter().flat_map(Formula::propositions));
        found
    };
    for (_, sentence) in &sentences {
        groups.join(of(sentence));
    }
    for (_, goal) in &goals {
        groups.join(goal.propositions());
    }
    let mut parts: BTreeMap<Option<Proposition>, Apart> = BTreeMap::new();
    for (number, sentence) in sentences {
        // Constants contain no proposition and form one part.
        let group = of(&sentence).first().map(|proposition| groups.root(*proposition));
        parts.entry(group).or_default().sentences.push((number, sentence));
    }
    for (number, goal) in goals {
        let group = goal.propositions().first().map(|proposition| groups.root(*proposition));
        parts.entry(group).or_default().goals.push((number, goal));
    }
    parts.into_values().collect()
}

/// Disjoint sets of propositions (union–find).
#[derive(Debug, Default)]
struct Groups(BTreeMap<Proposition, Proposition>);

impl Groups {
    fn root(&mut self, proposition: Proposition) -> Proposition {
        let mut at = proposition;
        loop {
            let up = *self.0.entry(at).or_insert(at);
            if up == at {
                return at;
            }
            // Path halving keeps later walks short.
            let above = self.0.get(&up).copied().unwrap_or(up);
            self.0.insert(at, above);
            at = above;
        }
    }

    fn join(&mut self, propositions: impl IntoIterator<Item = Proposition>) {
        let mut propositions = propositions.into_iter();
        let Some(first) = propositions.next() else { return };
        for other in propositions {
            let (one, other) = (self.root(first), self.root(other));
            self.0.insert(other, one);
        }
        self.root(first);
    }
}

/// Linear program of one part.
#[derive(Debug)]
pub(super) struct Part {
    pub(super) program: Program,
    /// For each row, the index in the part of the sentence that it came from.
    pub(super) of: Vec<usize>,
    /// Goals as pairs of number and formula.
    goals: Vec<(usize, usize)>,
    /// Formula and condition of each sentence in the program.
    pub(super) sums: Vec<(Sum, Option<Sum>)>,
}

impl Part {
    pub(super) fn new(part: &Apart) -> Part {
        let mut numbers: BTreeMap<Proposition, Proposition> = BTreeMap::new();
        let mut formulas: Vec<Formula> = Vec::new();
        let mut places: BTreeMap<Formula, usize> = BTreeMap::new();
        let mut put = |formula: &Formula| -> usize {
            for proposition in formula.propositions() {
                let next = Proposition(numbers.len() as u32);
                numbers.entry(proposition).or_insert(next);
            }
            let formula =
                formula.renumber(&mut |proposition| numbers.get(&proposition).copied().unwrap_or(proposition));
            *places.entry(formula.clone()).or_insert_with(|| {
                formulas.push(formula);
                formulas.len() - 1
            })
        };
        let (mut rows, mut of, mut sums) = (Vec::new(), Vec::new(), Vec::new());
        for (number, (_, sentence)) in part.sentences.iter().enumerate() {
            let Interval { low, high } = sentence.interval;
            match &sentence.given {
                None => {
                    let sum = vec![(put(&sentence.formula), 1.0)];
                    let low = (low > 0.0).then_some(low);
                    let high = (high < 1.0).then_some(high);
                    rows.push(Row { sum: sum.clone(), low, high });
                    of.push(number);
                    sums.push((sum, None));
                }
                // P(A | B) ≥ c is P(A and B) − c·P(B) ≥ 0.
                Some(given) => {
                    let both = put(&Formula::all([sentence.formula.clone(), given.clone()]));
                    let given = put(given);
                    let row = |bound: f64| vec![(both, 1.0), (given, -bound)];
                    if low == high {
                        rows.push(Row { sum: row(low), low: Some(0.0), high: Some(0.0) });
                        of.push(number);
                    } else {
                        if low > 0.0 {
                            rows.push(Row { sum: row(low), low: Some(0.0), high: None });
                            of.push(number);
                        }
                        if high < 1.0 {
                            rows.push(Row { sum: row(high), low: None, high: Some(0.0) });
                            of.push(number);
                        }
                    }
                    sums.push((vec![(both, 1.0)], Some(vec![(given, 1.0)])));
                }
            }
        }
        let goals = part.goals.iter().map(|(number, goal)| (*number, put(goal))).collect();
        let count = formulas.len();
        let pricer = Pricer::new(formulas, numbers.len());
        Part { program: Program::new(pricer, count, rows), of, goals, sums }
    }

    /// Returns the total probability that must be given up to make the part consistent.
    pub(super) fn conflict(&mut self) -> Result<f64, LogicError> {
        let limits = vec![1.0; self.program.rows.len()];
        self.program.least(&Sum::new(), &limits)
    }

    /// Returns the intervals of the part's goals.
    pub(super) fn goals(&mut self) -> Result<Vec<(usize, Interval)>, LogicError> {
        let limits = vec![MAX_PRICE; self.program.rows.len()];
        let mut found = Vec::with_capacity(self.goals.len());
        for (number, formula) in self.goals.clone() {
            let low = self.program.least(&vec![(formula, 1.0)], &limits)?;
            let high = -self.program.least(&vec![(formula, -1.0)], &limits)?;
            found.push((number, Interval::new(low, high).clamped()));
        }
        Ok(found)
    }
}
