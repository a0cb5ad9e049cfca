//! Tests of parsing and writing, and of the text of every error.

use expect_test::{Expect, expect};
use miette::Diagnostic;
use proptest::prelude::*;

use super::*;

/// Formats errors as users see them: position, code, message, hint.
fn told(text: &str, errors: &Errors) -> String {
    let mut out = String::new();
    for error in &errors.0 {
        let code = error.code().map(|code| code.to_string()).unwrap_or_default();
        out.push_str(&format!("{} {code}: {error}\n", error.span().place(text)));
        if let Some(help) = error.help() {
            out.push_str(&format!("    {help}\n"));
        }
    }
    out
}

fn check_errors(text: &str, expected: Expect) {
    let errors = Rules::read(text).expect_err("the rules are wrong");
    expected.assert_eq(&told(text, &errors));
}

fn check_read(text: &str, expected: Expect) {
    match Rules::read(text) {
        Ok(rules) => expected.assert_eq(&rules.to_string()),
        Err(errors) => panic!("{}", told(text, &errors)),
    }
}

#[test]
fn the_rules_of_the_paper() {
    check_read(
        "R1: ¬∃S (E.code = S.code) ⇒ Unapproved [0.90]
         R2: ∃S ((E.proprietary = S.proprietary ∨ E.generic = S.generic) ∧ E.code = S.code ∧ E.maker ≠ S.maker)
             → Counterfeit [0.85] \"another maker's \\\"number\\\"\"",
        expect![[r#"
            threshold 0.8
            reference S
            R1: not exists S (E.code = S.code) -> Unapproved [0.9]
            R2: exists S ((E.proprietary = S.proprietary or E.generic = S.generic) and E.code = S.code and E.maker != S.maker) -> Counterfeit [0.85]
                "another maker's \"number\""
        "#]],
    );
}

#[test]
fn everything_there_is() {
    check_read(
        r#"
        threshold 0.75      # below it, values differ
        reference S, T
        rename S.price = "unit price"
        A: E.price > 2 * S.price + 1 and E.expires < today - 30 or missing E."pack size" -> X, not Y [0.5]
        "#
        .replace("E.price > 2 * S.price + 1", "exists S (E.name = S.name at 0.9 and E.price > 2 * S.price + 1)")
        .as_str(),
        expect![[r#"
            threshold 0.75
            reference S
            reference T
            rename S.price = "unit price"
            A: (exists S (E.name = S.name at 0.9 and E.price > 2 * S.price + 1) and E.expires < today - 30) or missing E."pack size" -> X, not Y [0.5]
        "#]],
    );
    check_read(
        r#"
        B: X given E.kind in ("Rx", "prescription") at 0.95 [0.6, 0.8]
        C: always -> X [0.1]
        D: (not (X and Y)) and E.made >= 2020-01-31 and E.text contains "no prescription" -> Z [1]
        F: none S (S.made = -3 * E.made) -> Y [0.7]
        "#,
        expect![[r#"
            threshold 0.8
            reference S
            B: X given E.kind in ("Rx", "prescription") at 0.95 [0.6, 0.8]
            C: always -> X [0.1]
            D: not (X and Y) and E.made >= 2020-01-31 and E.text contains ("no prescription") -> Z [1]
            F: none S (S.made = -3 * E.made) -> Y [0.7]
        "#]],
    );
}

#[test]
fn and_binds_stronger_than_or() {
    let rules = Rules::read("A: missing E.a or missing E.b and missing E.c -> X [1]").unwrap();
    let Condition::Or(parts) = &rules.rules[0].condition else { panic!() };
    assert!(matches!(parts[1], Condition::And(_)));
}

#[test]
fn a_rule_may_be_called_like_a_directive() {
    // A keyword followed by a colon is the name of a rule.
    check_errors(
        "threshold: missing E.a -> X [1]",
        expect![[r#"
            1:1 rules::syntax: expected the name of a rule, found `threshold`
        "#]],
    );
}

#[test]
fn mistakes_of_writing() {
    check_errors(
        "R1: exists S (E.code = S.code -> Unapproved [0.9]\nR2: E.a > -> X [0.5]\nR3 missing E.a -> X [1]\nR4: missing E.a -> X\n\
         R5: misisng E.a -> X [1]\nR6: E.a ? 3 -> X [1]\nR7: E.a = \"open -> X [1]\nR8: E.a < 2026-02-30 -> X [1]\n\
         R9: E.a = \"a\\x\" -> X [1]\nR10: price > 3 -> X [1]\nR11: E.a adn E.b -> X [1]",
        expect![[r#"
            1:31 rules::syntax: expected `)`, `and` or `or`, found `->`
            2:11 rules::syntax: expected a condition, found `->`
            4:21 rules::syntax: expected a confidence, found the end of the rule
                write the confidence of the rule as `[0.9]` or `[0.8, 0.95]`
            5:5 rules::syntax: expected a condition, found `misisng`
                did you mean `missing`?
            6:9 rules::unexpected_character: unexpected character `?`
                put texts in double quotes, and comments after `#`
            6:11 rules::syntax: expected a comparison, found the number 3
                `=`, `!=`, `<`, `<=`, `>`, `>=`, `in` or `contains`
            7:11 rules::open_text: the text has no closing quote
                close the text with `"` on the same line; write `\"` for a quote inside it
            7:25 rules::syntax: expected `->`, `and` or `or`, found the end of the rule
            8:11 rules::bad_literal: `2026-02-30` is not a day of the calendar
            9:13 rules::bad_literal: `\x` is not an escape: there are `\"`, `\\`, `\n` and `\t`
            10:6 rules::syntax: expected a field, found `price`
                to use a field of the record, write `E.price`
            11:10 rules::syntax: expected a comparison, found `adn`
                did you mean `and`?
        "#]],
    );
}

#[test]
fn confidences_outside_of_0_to_1() {
    check_errors(
        "R1: missing E.a -> X [1.5]\nR2: missing E.a -> X [90]\nR3: missing E.a -> X [-0.1]\nR4: missing E.a -> X [0.9, 0.8]\n\
         R5: E.a = E.b at 0 -> X [1]\nthreshold 80",
        expect![[r#"
            1:23 rules::confidence: the confidence 1.5 is not between 0 and 1
                0.9 means that the rule is right nine times out of ten
            2:23 rules::confidence: the confidence 90 is not between 0 and 1
                0.9 means that the rule is right nine times out of ten; for 90 percent write 0.9
            3:23 rules::confidence: the confidence -0.1 is not between 0 and 1
                0.9 means that the rule is right nine times out of ten
            4:23 rules::confidence_order: the bounds of the confidence [0.9, 0.8] are in the wrong order
                write the smaller one first: `[0.8, 0.9]`
            5:18 rules::threshold: the threshold 0 is not above 0 and at most 1
                1 requires equal texts, 0.8 permits two of ten letters to differ
            6:11 rules::threshold: the threshold 80 is not above 0 and at most 1
                1 requires equal texts, 0.8 permits two of ten letters to differ
        "#]],
    );
}

#[test]
fn names_that_nothing_has() {
    check_errors(
        "R1: exists T (E.a = T.a) -> X [1]\nR2: exists S (E.a = R.a) -> Counterfeit [1]\nR3: Conterfeit and price -> Y [1]\n\
         R4: E.a = S.a -> Y [1]\nR4: missing E.b -> Y [1]\nR5: exists S (E.a = S.a and none S (E.b = S.b)) -> X [1]\n\
         R6: X and missing E.c -> X [0.5]\nrename S.a = \"b\"\nrename S.a = \"c\"",
        expect![[r#"
            1:12 rules::unknown_name: unknown reference table `T`
                there are `S`
            2:21 rules::unknown_name: unknown reference table `R`
                there are `E`, `S`
            3:5 rules::unknown_name: unknown conclusion `Conterfeit`
                did you mean `Counterfeit`?
            3:20 rules::unknown_name: unknown conclusion `price`
                no rule has this conclusion; to use a field of the record, write `E.price`
            4:11 rules::no_row: `S.a` is used outside `exists S (…)` and `none S (…)`
                choose a row first: `exists S (E.code = S.code and …)`
            5:1 rules::twice: the rule `R4` is defined twice
            6:34 rules::nested_rows: `none` is nested in another `exists` or `none`
                join the tables beforehand, or move the inner condition to a rule of its own
            7:26 rules::circle: `R6` concludes its own condition `X`
                such a rule has no effect; remove it, or change its condition
            9:8 rules::twice: the renaming of `S.a` is defined twice
        "#]],
    );
}

#[test]
fn fields_that_the_data_does_not_have() {
    let text = "rename S.code = \"approval no\"\n\
                R1: exists S (E.authentification_code = S.code and E.maker = S.manufactuer) -> X [1]\n\
                R2: missing E.colour -> X [1]";
    let rules = Rules::read(text).unwrap();
    let fields = ["authentication_code", "maker", "price"].map(str::to_owned);
    let columns = ["approval no", "manufacturer"].map(str::to_owned);
    let references = [Columns { reference: "S", columns: &columns }];
    let errors = rules.check(Known { fields: Some(&fields), references: &references }).unwrap_err();
    expect![[r#"
        2:15 rules::unknown_name: unknown field `authentification_code`
            did you mean `authentication_code`?
        2:62 rules::unknown_name: unknown column of S `manufactuer`
            did you mean `manufacturer`?
        3:13 rules::unknown_name: unknown field `colour`
            there are `authentication_code`, `maker`, `price`
    "#]]
    .assert_eq(&told(text, &errors));
    let errors = rules.check(Known { fields: None, references: &[] }).unwrap_err();
    expect![[r#"
        2:12 rules::unknown_name: unknown reference table `S`
    "#]]
    .assert_eq(&told(text, &errors));
}

#[test]
fn rules_that_contradict_each_other() {
    check_errors(
        "R1: missing E.a -> Genuine [0.9]\nR2: missing E.b -> X [0.5]\nR3: missing E.a -> not Genuine [0.8]",
        expect![[r#"
            1:28 rules::inconsistent: where `R1` applies, the rules contradict each other: `R1`, `R3`
                smallest set of rules to weaken: `R1` could be at most 0.2000
        "#]],
    );
    // Via other rules, and only where the first applies.
    check_errors(
        "R1: missing E.a -> X [1]\nR2: X -> Y [0.9]\nR3: Y -> Z [0.9]\nR4: X -> not Z [0.9]",
        expect![[r#"
            1:22 rules::inconsistent: where `R1` applies, the rules contradict each other: `R1`, `R2`, `R3`, `R4`
                smallest set of rules to weaken: `R1` could be at most 0.3000
            2:12 rules::inconsistent: where `R2` applies, the rules contradict each other: `R2`, `R3`, `R4`
                smallest set of rules to weaken: `R2` could be at most 0.2000
        "#]],
    );
    check_errors(
        "R1: missing E.a and not missing E.a -> X [0.9]",
        expect![[r#"
        1:1 rules::never: the condition of `R1` can never hold
            it requires something and its opposite
    "#]],
    );
}

/// Rules that contradict each other only for some records are accepted.
#[test]
fn rules_that_may_contradict_each_other_are_read() {
    assert!(Rules::read("R1: missing E.a -> X [0.9]\nR2: missing E.b -> not X [0.9]").is_ok());
}

#[test]
fn bounds() {
    let nested = format!("R: {}missing E.a{} -> X [1]", "(".repeat(100), ")".repeat(100));
    check_errors(
        &nested,
        expect![[r#"
        1:68 rules::too_deep: the condition nests more than 64 deep
    "#]],
    );
    let denied = format!("R: {}missing E.a -> X [1]", "not ".repeat(100_000));
    check_errors(
        &denied,
        expect![[r#"
        1:260 rules::too_deep: the condition nests more than 64 deep
    "#]],
    );
    let many: String = (0..1_001).map(|number| format!("R{number}: missing E.a -> X{number} [1]\n")).collect();
    check_errors(
        &many,
        expect![[r#"
        1001:1 rules::too_many: there are more than 1000 rules
    "#]],
    );
    check_errors(
        &"#".repeat(MAX_BYTES + 1),
        expect![[r#"
        1:1 rules::too_long: the rule file is longer than 1048576 bytes
    "#]],
    );
    check_errors(
        "# nothing\n",
        expect![[r#"
        1:1 rules::no_rules: the file contains no rules
            write a rule such as `R1: none S (E.code = S.code) -> Unapproved [0.9]`
    "#]],
    );
    let wrong: String = "?".repeat(10_000);
    assert_eq!(Rules::read(&wrong).unwrap_err().0.len(), MAX_ERRORS);
}

#[test]
fn the_shipped_rules() {
    let rules = Rules::drugs();
    assert_eq!(
        rules.conclusions(),
        [
            "_Offered",
            "Unapproved",
            "Counterfeit",
            "IllegallyImported",
            "PrescriptionSoldFreely",
            "Controlled",
            "Misleading"
        ]
    );
    let confidence = |name: &str| rules.rules.iter().find(|rule| rule.name.text == name).unwrap().confidence.low;
    assert_eq!((confidence("R1"), confidence("R2")), (0.9, 0.85), "as in the paper");
    assert_eq!(Rules::read(&rules.to_string()), Ok(rules));
}

/// The built-in rules refer to the roles of the built-in domain.
#[test]
fn the_shipped_rules_know_the_domain() {
    let domain = include_str!("../../../learn/domains/drugs.toml");
    let roles: Vec<String> =
        (domain.lines()).filter_map(|line| line.strip_prefix("[role.")?.strip_suffix(']')).map(str::to_owned).collect();
    let columns = [
        "authentication_code",
        "proprietary_name",
        "generic_name",
        "manufacturer",
        "country",
        "prescription",
        "controlled",
    ]
    .map(str::to_owned);
    let references = [Columns { reference: "S", columns: &columns }];
    let checked = Rules::drugs().check(Known { fields: Some(&roles), references: &references });
    assert_eq!(checked, Ok(()));
}

fn name() -> impl Strategy<Value = Name> {
    "[A-Z][a-z_0-9é]{1,4}".prop_map(|text| Name { text, span: Span::default() })
}

fn field(of: &'static str) -> impl Strategy<Value = FieldName> {
    let names =
        prop_oneof!["[a-z_]{1,5}", Just("pack \"size\"\\".to_owned()), Just("and".to_owned()), Just("1st".to_owned())];
    names.prop_map(move |name| FieldName { of: of.to_owned(), name, span: Span::default() })
}

fn number() -> impl Strategy<Value = f64> {
    (-4000i32..4000).prop_map(|number| f64::from(number) / 8.0)
}

fn operand(row: bool) -> impl Strategy<Value = Operand> {
    let fields = if row { prop_oneof![field("E"), field("S")].boxed() } else { field("E").boxed() };
    let term = prop_oneof![
        4 => fields.prop_map(Term::Field),
        1 => ".{0,6}".prop_map(|text| Term::Text(text.replace('\r', ""))),
        1 => number().prop_map(Term::Number),
        1 => Just(Term::Date("2026-11-17".to_owned())),
        1 => Just(Term::Today),
    ];
    (proptest::option::of(number()), term, proptest::option::of(number())).prop_map(|(factor, term, plus)| Operand {
        factor,
        term,
        plus,
        span: Span::default(),
    })
}

fn condition(row: bool) -> BoxedStrategy<Condition> {
    let operator = prop_oneof![
        Just(Operator::Equal),
        Just(Operator::NotEqual),
        Just(Operator::Less),
        Just(Operator::LessOrEqual),
        Just(Operator::Greater),
        Just(Operator::GreaterOrEqual),
    ];
    let at = || proptest::option::of((1u8..=10).prop_map(|tenth| f64::from(tenth) / 10.0));
    let list = || proptest::collection::vec("[a-z\"\\\\é ]{0,4}", 1..3);
    let leaf = prop_oneof![
        Just(Condition::Always),
        name().prop_map(Condition::Conclusion),
        field("E").prop_map(Condition::Missing),
        (operand(row), operator, operand(row), at()).prop_map(|(left, operator, right, at)| Condition::Compare {
            left,
            operator,
            right,
            at
        }),
        (field("E"), list(), at()).prop_map(|(field, list, at)| Condition::In { field, list, at }),
        (field("E"), list()).prop_map(|(field, list)| Condition::Contains { field, list }),
    ];
    let leaf = if row {
        leaf.boxed()
    } else {
        let rows = (any::<bool>(), condition(true)).prop_map(|(none, condition)| Condition::Rows {
            none,
            reference: Name { text: "S".to_owned(), span: Span::default() },
            condition: Box::new(condition),
        });
        prop_oneof![4 => leaf, 1 => rows].boxed()
    };
    leaf.prop_recursive(3, 12, 3, |inner| {
        prop_oneof![
            inner.clone().prop_map(|inner| Condition::Not(Box::new(inner))),
            proptest::collection::vec(inner.clone(), 2..4).prop_map(Condition::all),
            proptest::collection::vec(inner, 2..4).prop_map(Condition::any),
        ]
    })
    .boxed()
}

fn rule() -> impl Strategy<Value = Rule> {
    let conclusions = proptest::collection::vec(
        (name(), any::<bool>()).prop_map(|(name, negated)| Conclusion { name, negated }),
        1..3,
    );
    let confidence =
        (0u8..=50, 50u8..=100).prop_map(|(low, high)| Interval::new(f64::from(low) / 100.0, f64::from(high) / 100.0));
    let kind = prop_oneof![Just(Kind::Implication), Just(Kind::Conditional)];
    let message = proptest::option::of("[a-z\"\\\\\n\té]{0,6}");
    (name(), condition(false), conclusions, confidence, kind, message).prop_map(
        |(name, condition, conclusions, confidence, kind, message)| Rule {
            name,
            condition,
            conclusions,
            confidence,
            confidence_span: Span::default(),
            kind,
            message,
            span: Span::default(),
        },
    )
}

proptest! {
    /// A rule that is written and parsed again is unchanged.
    #[test]
    fn written_and_read(rule in rule()) {
        let text = rule.to_string();
        let mut found = error::Found::default();
        let read = parser::parse_alone(&text, &mut found);
        prop_assert!(found.is_empty(), "{text}\n{found:?}");
        prop_assert_eq!(&read.rules, &[rule], "{}", text);
    }

    /// Parsing terminates on any text, and errors are within the file.
    #[test]
    fn any_text(text in "([RES]|[A-Z]:|->|given|and|not|or|exists S|missing|in|[()\\[\\],.:=<>*+\"#-]|0\\.9|[ \n]|E\\.a|S\\.b|\\PC){0,40}") {
        if let Err(Errors(errors)) = Rules::read(&text) {
            prop_assert!(!errors.is_empty());
            for error in errors {
                prop_assert!(text.get(error.span().range()).is_some(), "{error} {:?}", error.span());
            }
        }
    }
}
