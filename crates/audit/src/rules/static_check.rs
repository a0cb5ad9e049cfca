//! Static check: detects contradictions between rules before any record is seen.
//!
//! Comparisons and conclusions are propositions of which nothing is known. For each rule its condition is assumed to
//! hold: if no probabilities satisfy all confidences then, every record to which the rule applies would be a
//! contradiction, and the file is rejected. Rules that contradict each other only if several conditions coincide are
//! not an error in the file; such records are reported when they occur.
//!
//! Cost: most files are settled by a simple test ([`Family::agrees`]). If conclusions are both drawn and denied, one
//! linear program is solved for each rule, over the rules that share propositions with it; families of more than
//! [`MAX_FAMILY`] rules are not checked, and contradictions are only found with records.

use std::collections::{BTreeMap, BTreeSet};

use super::error::{Errors, Found, RuleError};
use super::{Condition, Kind, Rules};
use crate::logic::{Formula, Interval, Least, LogicError, Proposition, Sentence, Weakening, consistent};

/// Largest number of rules that share propositions and are checked together.
const MAX_FAMILY: usize = 100;

pub(super) fn check(rules: &Rules) -> Result<(), Errors> {
    let mut found = Found::default();
    let mut propositions = BTreeMap::new();
    let conditions: Vec<Formula> =
        rules.rules.iter().map(|rule| formula(&rule.condition, "", &mut propositions)).collect();
    let sentences: Vec<Sentence> = (rules.rules.iter().zip(&conditions))
        .map(|(rule, condition)| {
            let conclusion = Formula::all(rule.conclusions.iter().map(|conclusion| {
                let atom = atom(conclusion.name.text.clone(), &mut propositions);
                if conclusion.negated { atom.negate() } else { atom }
            }));
            sentence(condition.clone(), conclusion, rule.kind, rule.confidence)
        })
        .collect();
    let families = families(rules, &sentences);
    let mut told: Vec<Vec<usize>> = Vec::new();
    for (number, rule) in rules.rules.iter().enumerate() {
        let assumed = Sentence::new(conditions[number].clone(), Interval::TRUE).firm();
        if matches!(consistent(std::slice::from_ref(&assumed)), Err(LogicError::Inconsistent(_))) {
            found.push(RuleError::Never { rule: rule.name.text.clone(), span: rule.name.span });
            continue;
        }
        let Some(family) = families.iter().find(|family| family.0.contains(&number)) else { continue };
        if family.0.len() > MAX_FAMILY || family.agrees(rules, number) {
            continue;
        }
        let mut known: Vec<Sentence> = family.0.iter().map(|number| sentences[*number].clone()).collect();
        known.push(assumed);
        // A set that is too entangled to be solved here may still be simple for a record, for which most facts are
        // certain.
        let Err(LogicError::Inconsistent(weakening)) = consistent(&known) else { continue };
        let involved: Vec<usize> = involved(&known, &weakening).into_iter().map(|at| family.0[at]).collect();
        if !told.contains(&involved) {
            let weakened = weakening.weakened.iter().filter_map(|one| Some((*family.0.get(one.sentence)?, one.to)));
            found.push(inconsistent(rules, number, &involved, weakening.least, &weakened.collect::<Vec<_>>()));
            told.push(involved);
        }
    }
    found.check()
}

/// Rules that share propositions, in the order of the file.
struct Family(Vec<usize>);

impl Family {
    /// Reports whether the world in which all conclusions are true satisfies all rules, whatever the conditions:
    /// nothing is both concluded and denied, no confidence has an upper bound, and the assumed rule's condition
    /// contains no conclusions.
    fn agrees(&self, rules: &Rules, assumed: usize) -> bool {
        let mut asks = false;
        rules.rules[assumed].condition.walk(&mut |condition| asks |= matches!(condition, Condition::Conclusion(_)));
        let mut drawn: BTreeMap<&str, bool> = BTreeMap::new();
        !asks
            && self.0.iter().map(|number| &rules.rules[*number]).all(|rule| {
                rule.confidence.high >= 1.0
                    && rule.conclusions.iter().all(|conclusion| {
                        *drawn.entry(&conclusion.name.text).or_insert(conclusion.negated) == conclusion.negated
                    })
            })
    }
}

fn families(rules: &Rules, sentences: &[Sentence]) -> Vec<Family> {
    let mut families: Vec<(BTreeSet<Proposition>, Vec<usize>)> = Vec::new();
    for (number, sentence) in sentences.iter().enumerate().take(rules.rules.len()) {
        let mut propositions = sentence.formula.propositions();
        propositions.extend(sentence.given.iter().flat_map(Formula::propositions));
        let mut members = vec![number];
        families.retain_mut(|(others, numbers)| {
            let apart = others.is_disjoint(&propositions);
            if !apart {
                propositions.append(others);
                members.append(numbers);
            }
            apart
        });
        members.sort_unstable();
        families.push((propositions, members));
    }
    families.into_iter().map(|(_, members)| Family(members)).collect()
}

/// Returns the sentence of a rule, given its condition and conclusion as formulas.
pub(crate) fn sentence(condition: Formula, conclusion: Formula, kind: Kind, confidence: Interval) -> Sentence {
    match kind {
        Kind::Implication => Sentence::new(Formula::implies(condition, conclusion), confidence),
        Kind::Conditional => Sentence::new(conclusion, confidence).given(condition),
    }
}

/// Returns an irreducible set of rules that contradict each other: removing any one of them resolves it. Found by
/// deletion.
fn involved(known: &[Sentence], weakening: &Weakening) -> Vec<usize> {
    let last = known.len() - 1;
    let mut kept: Vec<usize> = (0..=last).collect();
    for candidate in 0..last {
        // The rule that must be weakened always stays in the set.
        if weakening.weakened.iter().any(|weakened| weakened.sentence == candidate) {
            continue;
        }
        let without: Vec<usize> = kept.iter().copied().filter(|number| *number != candidate).collect();
        let left: Vec<Sentence> = without.iter().map(|number| known[*number].clone()).collect();
        if matches!(consistent(&left), Err(LogicError::Inconsistent(_))) {
            kept = without;
        }
    }
    kept.retain(|number| *number != last);
    kept
}

fn inconsistent(
    rules: &Rules,
    number: usize,
    involved: &[usize],
    least: Least,
    weakened: &[(usize, f64)],
) -> RuleError {
    let name = |number: usize| format!("`{}`", rules.rules[number].name.text);
    let to = weakened.iter().map(|(number, to)| {
        let side = if *to < rules.rules[*number].confidence.low { "most" } else { "least" };
        format!("{} could be at {side} {to:.4}", name(*number))
    });
    let to = to.collect::<Vec<_>>().join(", ");
    let sense = match least {
        Least::Number => "smallest set of rules to weaken",
        Least::Amount => "smallest change in total",
    };
    let first = weakened.first().map_or(number, |(number, _)| *number);
    RuleError::Inconsistent {
        rule: rules.rules[number].name.text.clone(),
        conflict: involved.iter().map(|number| name(*number)).collect::<Vec<_>>().join(", "),
        weakening: (!to.is_empty()).then(|| format!("{sense}: {to}")),
        span: rules.rules[first].confidence_span,
    }
}

/// Returns the proposition with this name.
fn atom(name: String, propositions: &mut BTreeMap<String, u32>) -> Formula {
    let next = propositions.len() as u32;
    Formula::atom(*propositions.entry(name).or_insert(next))
}

/// Converts a condition to a formula. Propositions are identified by their text; two different `exists` refer to
/// different rows.
fn formula(condition: &Condition, row: &str, propositions: &mut BTreeMap<String, u32>) -> Formula {
    match condition {
        Condition::Always => Formula::True,
        Condition::Not(inner) => formula(inner, row, propositions).negate(),
        Condition::And(parts) => Formula::all(parts.iter().map(|part| formula(part, row, propositions))),
        Condition::Or(parts) => Formula::any(parts.iter().map(|part| formula(part, row, propositions))),
        Condition::Rows { none, condition, .. } => {
            // The row is the best match, which depends on the whole inner condition.
            let row = format!(" {condition}");
            let inner = formula(condition, &row, propositions);
            if *none { inner.negate() } else { inner }
        }
        Condition::Conclusion(name) => atom(name.text.clone(), propositions),
        Condition::Compare { left, operator: super::Operator::NotEqual, right, at } => {
            let (left, right) = (left.clone(), right.clone());
            let equal = Condition::Compare { left, operator: super::Operator::Equal, right, at: *at };
            formula(&equal, row, propositions).negate()
        }
        other => {
            let row = if other.own_fields().iter().all(|field| field.is_extracted()) { "" } else { row };
            atom(format!("{other}{row}"), propositions)
        }
    }
}
