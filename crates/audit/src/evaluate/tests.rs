//! Tests of the evaluation through an auditor, by the intervals of the conclusions.

use proptest::prelude::*;

use crate::logic::Interval;
use crate::reference::Reference;
use crate::{Auditor, Field, Options, Record, Rules};

fn register() -> Reference {
    Reference::from_rows(
        "register",
        &["code", "name", "generic", "maker", "price", "until"],
        [
            ["H20050001", "Panadol", "paracetamol", "Northern Works", "10", "2027-01-31"],
            ["H20050002", "Aspro", "aspirin", "Delta Labs", "20.50", "2025-01-31"],
            ["H20050003", "", "aspirin", "", "", ""],
        ],
    )
}

fn record(fields: &[(&str, &str)]) -> Record {
    let fields = fields.iter().map(|(name, text)| ((*name).to_owned(), Field::text(*text)));
    Record { fields: fields.collect(), ..Record::new("http://pharmacy.example/") }
}

/// Returns the interval of `X` by one rule that is certain.
fn interval(condition: &str, fields: &[(&str, &str)]) -> Interval {
    let rules = Rules::read(&format!("R: {condition} -> X [1]")).unwrap();
    let register = register();
    let auditor = Auditor::new(&rules, &[("S", &register)], Options::default().with_today("2026-11-17")).unwrap();
    let audited = auditor.audit(&record(fields));
    assert_eq!(audited.failure, None);
    audited.conclusions[0].1
}

#[track_caller]
fn check(condition: &str, fields: &[(&str, &str)], low: f64) {
    let found = interval(condition, fields);
    assert!((found.low - low).abs() < 1e-4, "{condition}: {found}, not {low}");
}

/// The number must be equal, or a row whose number differs in one digit would be a witness.
const MAKER: &str = "exists S (E.code = S.code at 1 and not E.maker = S.maker)";

#[test]
fn equality_is_a_degree() {
    check("exists S (E.name = S.name)", &[("name", "PANADOL")], 1.0);
    check("exists S (E.name = S.name)", &[("name", "Panadoll")], 0.875);
    check("exists S (E.name = S.name)", &[("name", "Pandl")], 0.0);
    check("exists S (E.name = S.name at 0.5)", &[("name", "Pandl")], 1.0 - 2.0 / 7.0);
    check("exists S (E.name = S.name at 1)", &[("name", "Panadoll")], 0.0);
    check("none S (E.name = S.name)", &[("name", "Panadoll")], 0.125);
    check("E.name = \"Panadol\"", &[("name", "Panadoll")], 0.875);
    check("E.name = E.other", &[("name", "one"), ("other", "One")], 1.0);
    check("E.name != \"Aspro\"", &[("name", "Panadol")], 1.0);
}

#[test]
fn the_witness_is_one_row() {
    // The code of one row and the maker of another: no single row has both.
    check(
        "exists S (E.code = S.code at 1 and E.maker = S.maker)",
        &[("code", "H20050001"), ("maker", "Delta Labs")],
        0.0,
    );
    check(MAKER, &[("code", "H20050001"), ("maker", "Imitators Inc.")], 1.0);
    check(MAKER, &[("code", "H20050001"), ("maker", "Northern Works")], 0.0);
    // For two degrees below 1, the conjunction is less certain than each. The best row is the one with the right
    // number.
    check("exists S (E.code = S.code and E.name = S.name)", &[("code", "H20050001"), ("name", "Panadoll")], 0.875);
    check(
        "exists S (E.code = S.code and E.name = S.name)",
        &[("code", "H2005000"), ("name", "Panadoll")],
        0.875 - 1.0 / 9.0,
    );
}

#[test]
fn nothing_follows_from_what_is_not_there() {
    assert_eq!(interval("none S (E.code = S.code)", &[]), Interval::UNKNOWN);
    assert_eq!(interval("exists S (E.code = S.code)", &[("code", " — ")]), Interval::UNKNOWN, "a dash is no code");
    check(MAKER, &[("code", "H20050001")], 0.0);
    // The third row has no maker.
    check(MAKER, &[("code", "H20050003"), ("maker", "Imitators Inc.")], 0.0);
    // One part is missing, but the other already fails.
    check("none S (E.code = S.code at 1 and E.name = S.name)", &[("code", "H9")], 1.0);
    check("none S (E.code = S.code at 1 and E.name = S.name)", &[("name", "Nothing like it")], 1.0);
    check("none S (E.code = S.code at 1 and E.name = S.name)", &[("name", "Panadol")], 0.0);
}

#[test]
fn missing_is_certain() {
    check("missing E.code", &[], 1.0);
    check("missing E.code", &[("code", "-")], 1.0);
    check("missing E.code", &[("code", "H1")], 0.0);
    check("exists S (E.code = S.code at 1 and missing S.maker)", &[("code", "H20050003")], 1.0);
    check("exists S (E.code = S.code at 1 and missing S.maker)", &[("code", "H20050001")], 0.0);
}

#[test]
fn amounts() {
    let dear = "exists S (E.code = S.code at 1 and E.price > 2 * S.price)";
    check(dear, &[("code", "H20050001"), ("price", "¥20.50")], 1.0);
    check(dear, &[("code", "H20050001"), ("price", "20.00")], 0.0);
    check(dear, &[("code", "H20050001"), ("price", "on request")], 0.0);
    check("E.price >= 10 and E.price <= 10 and E.price = 10", &[("price", "10.0")], 1.0);
    check("E.until < today", &[("until", "2026-11-16")], 1.0);
    check("E.until < today", &[("until", "2026-11-17")], 0.0);
    check("E.until < today + 30", &[("until", "2026-12-16")], 1.0);
    check("E.until > 2026-01-01", &[("until", "2026-11-17T08:00:00Z")], 1.0);
    check("exists S (E.code = S.code at 1 and S.until < today)", &[("code", "H20050002")], 1.0);
}

#[test]
fn typed_values_are_not_read_again() {
    let rules = Rules::read("R: E.price > 100 and E.until < 2026-01-01 -> X [1]").unwrap();
    let auditor = Auditor::new(&rules, &[], Options::default()).unwrap();
    let price = Field { number: Some(1234.5), ..Field::text("one thousand or so: 7") };
    let until = Field { date: Some("2025-12-31".to_owned()), ..Field::text("31 December") };
    let audited = auditor.audit(&Record::default().with("price", price).with("until", until));
    assert_eq!(audited.conclusions[0].1, Interval::TRUE);
}

#[test]
fn lists_and_parts() {
    check("E.kind in (\"Rx\", \"prescription\")", &[("kind", "Prescription")], 1.0);
    check("E.kind in (\"Rx\", \"prescription\")", &[("kind", "prescriptions")], 12.0 / 13.0);
    check("E.text contains (\"no prescription\")", &[("text", "Buy now: No  PRESCRIPTION needed!")], 1.0);
    check("E.text contains (\"no prescription\")", &[("text", "on prescription")], 0.0);
}

#[test]
fn one_of_several_values_is_enough() {
    check("exists S (E.name = S.name)", &[("name", "Something"), ("name", "Aspro")], 1.0);
    check("E.price < 5", &[("price", "7"), ("price", "3")], 1.0);
}

#[test]
fn degrees_are_not_multiplied() {
    // Fréchet: 0.875 and 0.875, with nothing known about their dependence.
    check("E.a = \"Panadol\" and E.b = \"Panadol\"", &[("a", "Panadoll"), ("b", "Panadoll")], 0.75);
    check("E.a = \"Panadol\" or E.b = \"Panadol\"", &[("a", "Panadoll"), ("b", "Panadoll")], 0.875);
    // The same comparison twice is a single proposition.
    check("E.a = \"Panadol\" and (E.a = \"Panadol\" or missing E.a)", &[("a", "Panadoll")], 0.875);
}

#[test]
fn rules_without_an_equality_are_told() {
    let rules = Rules::read(
        "A: exists S (E.price > S.price) -> X [1]\nB: none S (E.code = S.code and E.price > S.price) -> X [1]\n\
                             C: exists S (E.code = S.code or missing S.maker) -> X [1]",
    )
    .unwrap();
    let register = register();
    let auditor = Auditor::new(&rules, &[("S", &register)], Options::default()).unwrap();
    let told = auditor.notes();
    assert_eq!(told.len(), 2);
    assert!(told[0].starts_with("`A`") && told[1].starts_with("`C`"), "{told:?}");
    let found = auditor.audit(&record(&[("price", "15")]));
    assert_eq!(found.conclusions[0].1, Interval::TRUE);
}

proptest! {
    /// A lookup by an index finds the same witness as trying all rows. Adding a part that is always true and needs
    /// every row (a disjunction that no index covers) turns the one into the other.
    #[test]
    fn covers_are_exact(code in "H200500[0-4]{2}", name in "(Panado|Aspr)[lo]{1,3}", maker in "(Northern W[ork]{0,4}s|Delta L[abs]{1,4})") {
        let fields = [("code", code.as_str()), ("name", name.as_str()), ("maker", maker.as_str())];
        for inner in [
            "E.code = S.code and E.name = S.name",
            "(E.name = S.name at 0.7 or E.code = S.code at 0.9) and not E.maker = S.maker at 0.6",
            "E.code = S.code and (E.maker = S.maker at 0.7 or missing S.maker)",
        ] {
            let looked_up = interval(&format!("exists S ({inner})"), &fields);
            let tried = interval(&format!("exists S (({inner}) or (missing S.code and S.code = S.maker))"), &fields);
            prop_assert!((looked_up.low - tried.low).abs() < 1e-6, "{} {} {}", inner, looked_up, tried);
        }
    }
}
