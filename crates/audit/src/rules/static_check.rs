//! Whether rules contradict each other, before any record is seen.
//!
//! Comparisons and conclusions are propositions, nothing is known of them, and for each rule its condition is assumed to
//! hold: if no probabilities agree with all confidences then, every record that the rule speaks of would be a
//! contradiction, and the file is rejected. Rules that contradict each other only where several conditions meet are no
//! mistake of the file; the records for which they do are told when they come up.
//!
//! Cost: most files are settled at a glance ([`Family::agrees`]). Where conclusions are both drawn and denied, it is a
//! linear program for each rule, over the rules that share propositions with it; families of more than [`MAX_FAMILY`]
//! such rules are left for the records to tell.

use std::collections::{BTreeMap, BTreeSet};

use super::error::{Errors, Found, RuleError};
use super::{Condition, Kind, Rules};
use crate::logic::{Formula, Interval, Least, LogicError, Proposition, Sentence, Weakening, consistent};

/// Rules that share propositions and are looked at together.
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
        // What is too entangled to be worked out here may still be simple for a record, where most is certain.
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
    /// Whether the world in which everything concluded is so satisfies all rules, whatever the conditions are: nothing
    /// is both concluded and denied, no confidence has an upper end, and the rule does not ask what others conclude.
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

/// What a rule says, once its condition and conclusion are formulas.
pub(crate) fn sentence(condition: Formula, conclusion: Formula, kind: Kind, confidence: Interval) -> Sentence {
    match kind {
        Kind::Implication => Sentence::new(Formula::implies(condition, conclusion), confidence),
        Kind::Conditional => Sentence::new(conclusion, confidence).given(condition),
    }
}

/// Which rules cannot all be right: leaving out any one of them would help. One irreducible set, by deletion.
fn involved(known: &[Sentence], weakening: &Weakening) -> Vec<usize> {
    let last = known.len() - 1;
    let mut kept: Vec<usize> = (0..=last).collect();
    for candidate in 0..last {
        // The one that must give way stays in.
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
        Least::Number => "the fewest that must give way",
        Least::Amount => "the least that must give way in all",
    };
    let first = weakened.first().map_or(number, |(number, _)| *number);
    RuleError::Inconsistent {
        rule: rules.rules[number].name.text.clone(),
        conflict: involved.iter().map(|number| name(*number)).collect::<Vec<_>>().join(", "),
        weakening: (!to.is_empty()).then(|| format!("{sense}: {to}")),
        span: rules.rules[first].confidence_span,
    }
}

/// The proposition of this name.
fn atom(name: String, propositions: &mut BTreeMap<String, u32>) -> Formula {
    let next = propositions.len() as u32;
    Formula::atom(*propositions.entry(name).or_insert(next))
}

/// A condition over propositions that are told apart by how they are written. Two rows that are asked for are two.
fn formula(condition: &Condition, row: &str, propositions: &mut BTreeMap<String, u32>) -> Formula {
    match condition {
        Condition::Always => Formula::True,
        Condition::Not(inner) => formula(inner, row, propositions).negate(),
        Condition::And(parts) => Formula::all(parts.iter().map(|part| formula(part, row, propositions))),
        Condition::Or(parts) => Formula::any(parts.iter().map(|part| formula(part, row, propositions))),
        Condition::Rows { none, condition, .. } => {
            // The row is the one that fits best, which depends on all that is asked of it.
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
