//! Tests of the contents of findings.

use std::fmt::Write;

use expect_test::{Expect, expect};
use windrow_audit::reference::Reference;
use windrow_audit::{Auditor, Field, Finding, Options, Record, Rules};

const RULES: &str = "
R1: none S (E.code = S.code at 1) -> Unapproved [0.90]
    \"no such approval number in the register\"
R2: exists S ((E.name = S.name or E.generic = S.generic) and E.code = S.code at 1 and not E.maker = S.maker)
    -> Counterfeit [0.85]
    \"registered for another maker\"
R3: Counterfeit or Unapproved -> Dangerous, not Genuine [0.95]
R4: Overpriced given exists S (E.code = S.code at 1 and E.price > 2 * S.price) [0.6, 0.8]
";

fn register() -> Reference {
    Reference::from_rows(
        "register",
        &["code", "name", "generic", "maker", "price"],
        [
            ["H20050001", "Panadol", "paracetamol", "Northern Works", "10"],
            ["H20050002", "Aspro", "aspirin", "Delta Labs", "5"],
        ],
    )
}

fn advertisement(fields: &[(&str, &str)]) -> Record {
    let mut record = Record::new("http://pharmacy.example/7");
    record.path = "/html/body/div[2]".to_owned();
    record.snippet = "Aspro, 20 tablets".to_owned();
    for (name, text) in fields {
        let path = Some(format!("/html/body/div[2]/dl/dd[{}]", record.fields.len() + 1));
        let snippet = Some(format!("{name}: {text}"));
        record.fields.push(((*name).to_owned(), Field { path, snippet, ..Field::text(*text) }));
    }
    record
}

fn tell(finding: &Finding) -> String {
    let mut out = String::new();
    let not = if finding.negated { "not " } else { "" };
    writeln!(
        out,
        "{not}{} {} on {} at {}: {}",
        finding.conclusion, finding.interval, finding.page, finding.path, finding.snippet
    )
    .unwrap();
    for rule in &finding.rules {
        let message = rule.message.as_deref().unwrap_or("-");
        writeln!(out, "  {} ({}), condition {}: {message}", rule.name, rule.confidence, rule.condition).unwrap();
    }
    for one in &finding.evidence {
        let text = |value: &Option<String>| value.clone().unwrap_or_else(|| "-".to_owned());
        let row = one.row.map_or("-".to_owned(), |row| row.to_string());
        let degree = one.degree.map_or("-".to_owned(), |degree| format!("{degree:.3}"));
        let holds = one.holds.map_or("unknown".to_owned(), |holds| holds.to_string());
        let (extracted, reference, path, snippet) =
            (text(&one.extracted), text(&one.reference_value), text(&one.path), text(&one.snippet));
        writeln!(
            out,
            "  {} {} | {extracted} | {reference} row {row} | {degree} {holds} | {path} {snippet}",
            one.rule, one.test
        )
        .unwrap();
    }
    out
}

fn check(fields: &[(&str, &str)], expected: Expect) {
    let (rules, register) = (Rules::read(RULES).unwrap(), register());
    let auditor = Auditor::new(&rules, &[("S", &register)], Options::default()).unwrap();
    let audited = auditor.audit(&advertisement(fields));
    assert_eq!(audited.failure, None);
    expected.assert_eq(&audited.findings.iter().map(tell).collect::<String>());
}

#[test]
fn no_row() {
    check(
        &[("code", "H7"), ("name", "Aspro")],
        expect![[r#"
        Unapproved [0.9000, 1.0000] on http://pharmacy.example/7 at /html/body/div[2]: Aspro, 20 tablets
          R1 ([0.9000, 1.0000]), condition 1.0000: no such approval number in the register
          R1 E.code = S.code at 1 | H7 | - row - | - false | /html/body/div[2]/dl/dd[1] code: H7
        Dangerous [0.8500, 1.0000] on http://pharmacy.example/7 at /html/body/div[2]: Aspro, 20 tablets
          R1 ([0.9000, 1.0000]), condition 1.0000: no such approval number in the register
          R3 ([0.9500, 1.0000]), condition [0.9000, 1.0000]: -
          R1 E.code = S.code at 1 | H7 | - row - | - false | /html/body/div[2]/dl/dd[1] code: H7
        not Genuine [0.8500, 1.0000] on http://pharmacy.example/7 at /html/body/div[2]: Aspro, 20 tablets
          R1 ([0.9000, 1.0000]), condition 1.0000: no such approval number in the register
          R3 ([0.9500, 1.0000]), condition [0.9000, 1.0000]: -
          R1 E.code = S.code at 1 | H7 | - row - | - false | /html/body/div[2]/dl/dd[1] code: H7
    "#]],
    );
}

#[test]
fn a_row_that_agrees_in_part() {
    check(
        &[("code", "H20050002"), ("generic", "aspirine"), ("maker", "Imitators"), ("price", "12")],
        expect![[r#"
        Counterfeit [0.7250, 1.0000] on http://pharmacy.example/7 at /html/body/div[2]: Aspro, 20 tablets
          R2 ([0.8500, 1.0000]), condition [0.8750, 1.0000]: registered for another maker
          R2 E.name = S.name | - | Aspro row 1 | - unknown | - -
          R2 E.generic = S.generic | aspirine | aspirin row 1 | 0.875 true | /html/body/div[2]/dl/dd[2] generic: aspirine
          R2 E.code = S.code at 1 | H20050002 | H20050002 row 1 | 1.000 true | /html/body/div[2]/dl/dd[1] code: H20050002
          R2 E.maker = S.maker | Imitators | Delta Labs row 1 | 0.300 false | /html/body/div[2]/dl/dd[3] maker: Imitators
        Dangerous [0.6750, 1.0000] on http://pharmacy.example/7 at /html/body/div[2]: Aspro, 20 tablets
          R2 ([0.8500, 1.0000]), condition [0.8750, 1.0000]: registered for another maker
          R3 ([0.9500, 1.0000]), condition [0.7250, 1.0000]: -
          R2 E.name = S.name | - | Aspro row 1 | - unknown | - -
          R2 E.generic = S.generic | aspirine | aspirin row 1 | 0.875 true | /html/body/div[2]/dl/dd[2] generic: aspirine
          R2 E.code = S.code at 1 | H20050002 | H20050002 row 1 | 1.000 true | /html/body/div[2]/dl/dd[1] code: H20050002
          R2 E.maker = S.maker | Imitators | Delta Labs row 1 | 0.300 false | /html/body/div[2]/dl/dd[3] maker: Imitators
        not Genuine [0.6750, 1.0000] on http://pharmacy.example/7 at /html/body/div[2]: Aspro, 20 tablets
          R2 ([0.8500, 1.0000]), condition [0.8750, 1.0000]: registered for another maker
          R3 ([0.9500, 1.0000]), condition [0.7250, 1.0000]: -
          R2 E.name = S.name | - | Aspro row 1 | - unknown | - -
          R2 E.generic = S.generic | aspirine | aspirin row 1 | 0.875 true | /html/body/div[2]/dl/dd[2] generic: aspirine
          R2 E.code = S.code at 1 | H20050002 | H20050002 row 1 | 1.000 true | /html/body/div[2]/dl/dd[1] code: H20050002
          R2 E.maker = S.maker | Imitators | Delta Labs row 1 | 0.300 false | /html/body/div[2]/dl/dd[3] maker: Imitators
        Overpriced [0.6000, 0.8000] on http://pharmacy.example/7 at /html/body/div[2]: Aspro, 20 tablets
          R4 ([0.6000, 0.8000]), condition 1.0000: -
          R4 E.code = S.code at 1 | H20050002 | H20050002 row 1 | 1.000 true | /html/body/div[2]/dl/dd[1] code: H20050002
          R4 E.price > 2 * S.price | 12 | 5 row 1 | - true | /html/body/div[2]/dl/dd[4] price: 12
    "#]],
    );
}

#[test]
fn nothing_wrong() {
    check(&[("code", "H20050002"), ("name", "Aspro"), ("maker", "Delta Labs"), ("price", "5")], expect![[r#""#]]);
}

#[test]
fn a_step_on_the_way_is_evidence_and_no_finding() {
    let rules = "R0: not missing E.price -> _Offered [1] \"it has a price\"
                 R1: _Offered and missing E.maker -> Misleading [0.7] \"who makes it?\"";
    let rules = Rules::read(rules).unwrap();
    let auditor = Auditor::new(&rules, &[], Options::default()).unwrap();
    let told =
        |fields: &[(&str, &str)]| auditor.audit(&advertisement(fields)).findings.iter().map(tell).collect::<String>();
    expect![[r#"
        Misleading [0.7000, 1.0000] on http://pharmacy.example/7 at /html/body/div[2]: Aspro, 20 tablets
          R1 ([0.7000, 1.0000]), condition 1.0000: who makes it?
          R0 (1.0000), condition 1.0000: it has a price
          R1 missing E.maker | - | - row - | - true | - -
          R0 missing E.price | 10 | - row - | - false | /html/body/div[2]/dl/dd[2] price: 10
    "#]]
    .assert_eq(&told(&[("name", "Aspro"), ("price", "10")]));
    // Tells of it and sells it not.
    assert_eq!(told(&[("name", "Aspro")]), "");
}

#[test]
fn a_lower_bar_tells_more() {
    let (rules, register) = (Rules::read(RULES).unwrap(), register());
    let count = |report: f64| {
        let auditor = Auditor::new(&rules, &[("S", &register)], Options::default().with_report(report)).unwrap();
        auditor.findings([advertisement(&[("code", "H7")])]).count()
    };
    assert_eq!((count(0.0), count(0.86), count(0.91)), (3, 1, 0));
}

#[test]
fn auditors_are_shared_by_threads() {
    let (rules, register) = (Rules::read(RULES).unwrap(), register());
    let auditor = Auditor::new(&rules, &[("S", &register)], Options::default()).unwrap();
    let found = std::thread::scope(|scope| {
        let run = |code: &'static str| {
            let auditor = &auditor;
            scope.spawn(move || {
                (0..100).map(|_| auditor.audit(&advertisement(&[("code", code)])).findings.len()).sum::<usize>()
            })
        };
        let threads = [run("H7"), run("H20050001")];
        threads.map(|thread| thread.join().unwrap())
    });
    assert_eq!(found, [300, 0]);
}

#[test]
fn a_table_without_the_columns() {
    let rules = Rules::read(RULES).unwrap();
    let short = Reference::from_rows("short", &["code", "names", "generic", "price"], [["H1", "", "", ""]]);
    let errors = Auditor::new(&rules, &[("S", &short)], Options::default()).unwrap_err();
    let told: Vec<String> = errors.0.iter().map(|error| format!("{} {error}", error.span().place(RULES))).collect();
    assert_eq!(told, ["4:25 unknown column of S `name`", "4:101 unknown column of S `maker`"]);
}
