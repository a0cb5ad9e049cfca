//! Cases solved by hand, including some from the literature, and a comparison of all results with the program over all
//! worlds.

use proptest::prelude::*;

use super::testing::{by_enumeration, formula};
use super::*;

fn atom(number: u32) -> Formula {
    Formula::atom(number)
}

fn exactly(formula: Formula, probability: f64) -> Sentence {
    Sentence::new(formula, Interval::exactly(probability))
}

#[track_caller]
fn check(sentences: &[Sentence], goal: Formula, low: f64, high: f64) {
    let found = entail(sentences, &goal).unwrap();
    assert!((found.low - low).abs() < 1e-6 && (found.high - high).abs() < 1e-6, "{found}, not [{low}, {high}]");
}

#[track_caller]
fn weakening(sentences: &[Sentence]) -> Weakening {
    match entail_all(sentences, &[]) {
        Err(LogicError::Inconsistent(weakening)) => weakening,
        other => panic!("{other:?}"),
    }
}

#[track_caller]
fn check_weakened(sentences: &[Sentence], least: Least, expected: &[(usize, f64)]) {
    let found = weakening(sentences);
    assert_eq!(found.least, least);
    let numbers: Vec<usize> = found.weakened.iter().map(|weakened| weakened.sentence).collect();
    assert_eq!(numbers, expected.iter().map(|(number, _)| *number).collect::<Vec<_>>());
    for (weakened, (_, to)) in found.weakened.iter().zip(expected) {
        assert!((weakened.to - to).abs() < 1e-6, "{} instead of {to}", weakened.to);
    }
}

/// Nilsson 1986: P and P ⊃ Q restrict Q to between p + q − 1 and q.
#[test]
fn modus_ponens() {
    for (p, q) in [(0.8, 0.9), (0.5, 0.5), (1.0, 0.9), (0.25, 1.0), (0.1, 0.95)] {
        let known = [exactly(atom(0), p), exactly(Formula::implies(atom(0), atom(1)), q)];
        check(&known, atom(1), p + q - 1.0, q);
    }
}

/// Nilsson 1986: P and P ⊃ Q are consistent where p + q ≥ 1.
#[test]
fn modus_ponens_is_consistent_where_nilsson_says() {
    for (p, q) in [(0.0, 1.0), (0.3, 0.7), (0.3, 0.6), (0.0, 0.9), (1.0, 0.0), (0.5, 0.49)] {
        let known = [exactly(atom(0), p), exactly(Formula::implies(atom(0), atom(1)), q)];
        assert_eq!(consistent(&known).is_ok(), p + q >= 1.0, "{p} {q}");
    }
}

/// Nilsson 1986: (∃y)P(y) and (∀x)(P(x) ⊃ Q(x)) restrict (∃z)Q(z) to between p + q − 1 and 1.
#[test]
fn nilssons_quantified_example() {
    let entailed = Formula::implies(Formula::all([atom(0), atom(1)]), atom(2));
    let known = [exactly(atom(0), 0.7), exactly(atom(1), 0.6), exactly(entailed, 1.0)];
    check(&known, atom(2), 0.3, 1.0);
}

/// Two implications in a row lose no more than each lacks to certainty; the last one gives the upper bound.
#[test]
fn a_chain_of_implications() {
    let known = [
        exactly(atom(0), 0.9),
        exactly(Formula::implies(atom(0), atom(1)), 0.8),
        exactly(Formula::implies(atom(1), atom(2)), 0.7),
    ];
    check(&known, atom(1), 0.7, 0.8);
    check(&known, atom(2), 0.4, 0.7);
}

/// Fréchet 1935.
#[test]
fn conjunction_and_disjunction() {
    let known = [exactly(atom(0), 0.7), exactly(atom(1), 0.6)];
    check(&known, Formula::all([atom(0), atom(1)]), 0.3, 0.6);
    check(&known, Formula::any([atom(0), atom(1)]), 0.7, 1.0);
    check(&known, Formula::all([atom(0), atom(1).negate()]), 0.1, 0.4);
}

/// A proposition that occurs twice is not independent of itself: Fréchet's arithmetic alone would give [0, 0.5].
#[test]
fn the_same_proposition_twice() {
    let known = [exactly(atom(0), 0.5)];
    check(&known, Formula::all([atom(0), atom(0).negate()]), 0.0, 0.0);
    check(&known, Formula::all([atom(0), atom(0)]), 0.5, 0.5);
}

/// P(B | A) = c determines the part of A in B; the part outside A is unknown.
#[test]
fn conditional_probability() {
    let rule = exactly(atom(1), 0.9).given(atom(0));
    check(&[exactly(atom(0), 0.8), rule.clone()], atom(1), 0.72, 0.92);
    check(&[exactly(atom(0), 1.0), rule.clone()], atom(1), 0.9, 0.9);
    // A condition that does not hold implies nothing and contradicts nothing, unlike an implication.
    check(&[exactly(atom(0), 0.0), rule.clone()], atom(1), 0.0, 1.0);
    check(&[exactly(atom(0), 0.8), rule.clone(), exactly(atom(2), 0.5).given(atom(1))], atom(2), 0.36, 0.64);
}

/// Bayes: P(A), P(B | A) and P(B | not A) determine P(B).
#[test]
fn total_probability() {
    let known =
        [exactly(atom(0), 0.01), exactly(atom(1), 0.9).given(atom(0)), exactly(atom(1), 0.05).given(atom(0).negate())];
    check(&known, atom(1), 0.0585, 0.0585);
    check(&known, Formula::all([atom(0), atom(1)]), 0.009, 0.009);
}

#[test]
fn intervals_go_through() {
    let known = [
        Sentence::new(atom(0), Interval::new(0.6, 0.8)),
        Sentence::new(Formula::implies(atom(0), atom(1)), Interval::at_least(0.9)),
    ];
    check(&known, atom(1), 0.5, 1.0);
}

#[test]
fn what_nothing_speaks_of_is_unknown() {
    check(&[exactly(atom(0), 0.5)], atom(7), 0.0, 1.0);
    check(&[], Formula::any([atom(7), atom(7).negate()]), 1.0, 1.0);
    check(&[], Formula::True, 1.0, 1.0);
}

/// A is certain, A → B has 0.9 and A → not B has 0.8: one of them must be weakened by 0.7.
#[test]
fn two_rules_against_each_other() {
    let known = [
        exactly(atom(0), 1.0).firm(),
        Sentence::new(Formula::implies(atom(0), atom(1)), Interval::at_least(0.9)),
        Sentence::new(Formula::implies(atom(0), atom(1).negate()), Interval::at_least(0.8)),
    ];
    check_weakened(&known, Least::Number, &[(1, 0.2)]);
}

/// Two rules for, one against: weakening the one is less than weakening both others.
#[test]
fn the_fewest_give_way() {
    let known = [
        exactly(atom(0), 1.0).firm(),
        Sentence::new(Formula::implies(atom(0), atom(1)), Interval::at_least(0.6)),
        Sentence::new(Formula::implies(atom(0), atom(1)), Interval::at_least(0.6)),
        Sentence::new(Formula::implies(atom(0), atom(1).negate()), Interval::at_least(0.9)),
    ];
    check_weakened(&known, Least::Number, &[(3, 0.4)]);
}

#[test]
fn separate_contradictions_are_both_told() {
    let known = [
        exactly(atom(0), 0.9),
        exactly(atom(0), 0.4),
        exactly(atom(1), 0.5),
        exactly(atom(2), 1.0),
        { exactly(Formula::all([atom(2), atom(3)]), 0.5).firm() },
        exactly(atom(3), 0.1),
    ];
    check_weakened(&known, Least::Number, &[(0, 0.4), (5, 0.5)]);
}

#[test]
fn a_weakened_condition_is_told_as_a_condition() {
    let known = [
        exactly(atom(0), 0.5).firm(),
        exactly(Formula::all([atom(0), atom(1)]), 0.1).firm(),
        Sentence::new(atom(1), Interval::at_least(0.9)).given(atom(0)),
    ];
    check_weakened(&known, Least::Number, &[(2, 0.2)]);
}

#[test]
fn improper_intervals_are_refused() {
    for interval in
        [Interval::new(0.5, 0.4), Interval::exactly(1.5), Interval::exactly(-0.1), Interval::exactly(f64::NAN)]
    {
        let known = [exactly(atom(0), 0.5), Sentence::new(atom(0), interval)];
        assert_eq!(entail(&known, &atom(0)), Err(LogicError::Improper { sentence: 1 }));
    }
}

/// Thirty propositions in a ring of implications, with a conclusion from all: 2³⁰ worlds, of which some dozens are
/// generated.
#[test]
fn thirty_propositions() {
    let mut known: Vec<Sentence> = (0..30).map(|number| exactly(atom(number), 0.95)).collect();
    known.extend((0..30).map(|number| exactly(Formula::implies(atom(number), atom((number + 1) % 30)), 0.98)));
    check(&known, Formula::any((0..30).map(atom)), 0.97, 1.0);
    check(&known, Formula::all([atom(0), atom(15)]), 0.9, 0.95);
}

fn sentences(propositions: u32) -> impl Strategy<Value = Vec<Sentence>> {
    let given = prop_oneof![2 => Just(None), 1 => formula(propositions).prop_map(Some)];
    let interval = prop_oneof![
        (0u8..=10).prop_map(|tenth| Interval::exactly(f64::from(tenth) / 10.0)),
        (0u8..=10).prop_map(|tenth| Interval::at_least(f64::from(tenth) / 10.0)),
        (0u8..=5, 5u8..=10).prop_map(|(low, high)| Interval::new(f64::from(low) / 10.0, f64::from(high) / 10.0)),
    ];
    let sentence = (formula(propositions), given, interval).prop_map(|(formula, given, interval)| Sentence {
        formula,
        given,
        interval,
        firm: false,
    });
    proptest::collection::vec(sentence, 1..7)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn as_by_enumeration(sentences in sentences(6), goal in formula(6)) {
        match (entail(&sentences, &goal), by_enumeration(&sentences, &goal, 6)) {
            (Ok(found), Some(expected)) => {
                prop_assert!((found.low - expected.low).abs() < 1e-5, "{found} {expected}");
                prop_assert!((found.high - expected.high).abs() < 1e-5, "{found} {expected}");
            }
            (Err(LogicError::Inconsistent(_)), None) => {}
            (found, expected) => prop_assert!(false, "{found:?} {expected:?}"),
        }
    }

    /// After weakening as reported, the sentences are consistent.
    #[test]
    fn weakening_is_enough(mut sentences in sentences(4)) {
        let Err(error) = consistent(&sentences) else { return Ok(()) };
        let LogicError::Inconsistent(weakening) = error else { panic!("{error}") };
        prop_assert!(!weakening.weakened.is_empty());
        for weakened in &weakening.weakened {
            let interval = &mut sentences[weakened.sentence].interval;
            *interval = Interval::new(interval.low.min(weakened.to), interval.high.max(weakened.to));
        }
        // The smallest set was proved sufficient to 10⁻⁶ each; a little more makes up for rounding.
        for sentence in &mut sentences {
            let Interval { low, high } = sentence.interval;
            sentence.interval = Interval::new((low - 1e-5).max(0.0), (high + 1e-5).min(1.0));
        }
        prop_assert!(consistent(&sentences).is_ok(), "{weakening:?}");
    }
}
