//! Whether rules contradict each other, before any record is seen.
//!
//! Comparisons and conclusions are propositions, nothing is known of them, and for each rule its condition is assumed to
//! hold: if no probabilities agree with all confidences then, every record that the rule speaks of would be a
//! contradiction, and the file is rejected. Rules that contradict each other only where several conditions meet are no
//! mistake of the file; the records for which they do are told when they come up.
//!
//! Cost: a linear program for each rule, over the rules that share propositions with it.

use std::collections::BTreeMap;

use super::error::{Errors, Found, RuleError};
use super::{Condition, Kind, Rules};
use crate::logic::{Formula, Interval, Least, LogicError, Sentence, Weakening, consistent};

pub(super) fn check(rules: &Rules) -> Result<(), Errors> {
    let mut found = Found::default();
    let mut propositions = BTreeMap::new();
    let conditions: Vec<Formula> = rules.rules.iter().map(|rule| formula(&rule.condition, "", &mut propositions)).collect();
    let sentences: Vec<Sentence> = (rules.rules.iter().zip(&conditions))
        .map(|(rule, condition)| {
            let conclusion = Formula::all(rule.conclusions.iter().map(|conclusion| {
                let atom = atom(conclusion.name.text.clone(), &mut propositions);
                if conclusion.negated { atom.negate() } else { atom }
            }));
            sentence(condition.clone(), conclusion, rule.kind, rule.confidence)
        })
        .collect();
    let mut told: Vec<Vec<usize>> = Vec::new();
    for (number, rule) in rules.rules.iter().enumerate() {
        let assumed = Sentence::new(conditions[number].clone(), Interval::TRUE).firm();
        if matches!(consistent(std::slice::from_ref(&assumed)), Err(LogicError::Inconsistent(_))) {
            found.push(RuleError::Never { rule: rule.name.text.clone(), span: rule.name.span });
            continue;
        }
        let mut known = sentences.clone();
        known.push(assumed);
        // What is too entangled to be worked out here may still be simple for a record, where most is certain.
        let Err(LogicError::Inconsistent(weakening)) = consistent(&known) else { continue };
        let involved = involved(&known, &weakening);
        if !told.contains(&involved) {
            found.push(inconsistent(rules, number, &involved, &weakening));
            told.push(involved);
        }
    }
    found.check()
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

fn inconsistent(rules: &Rules, number: usize, involved: &[usize], weakening: &Weakening) -> RuleError {
    let names = |numbers: &mut dyn Iterator<Item = usize>| {
        let names: Vec<String> =
            numbers.filter_map(|number| rules.rules.get(number)).map(|rule| format!("`{}`", rule.name.text)).collect();
        names.join(", ")
    };
    let weakened: Vec<String> = (weakening.weakened.iter())
        .filter_map(|weakened| {
            let rule = rules.rules.get(weakened.sentence)?;
            let least = weakened.to < rule.confidence.low;
            Some(format!("`{}` could be at {} {:.4}", rule.name.text, if least { "most" } else { "least" }, weakened.to))
        })
        .collect();
    let sense = match weakening.least {
        Least::Number => "the fewest that must give way",
        Least::Amount => "the least that must give way in all",
    };
    let first = weakening.weakened.iter().find_map(|weakened| rules.rules.get(weakened.sentence));
    RuleError::Inconsistent {
        rule: rules.rules[number].name.text.clone(),
        conflict: names(&mut involved.iter().copied()),
        weakening: (!weakened.is_empty()).then(|| format!("{sense}: {}", weakened.join(", "))),
        span: first.map_or(rules.rules[number].confidence_span, |rule| rule.confidence_span),
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
