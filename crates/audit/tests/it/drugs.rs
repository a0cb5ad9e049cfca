//! The shipped rules on drugs: each of the paper's practices, and a drug with which nothing is wrong.

use windrow_audit::reference::Reference;
use windrow_audit::{Auditor, Field, Options, Record, Rules};

fn register() -> Reference {
    let columns = [
        "authentication_code",
        "proprietary_name",
        "generic_name",
        "manufacturer",
        "country",
        "prescription",
        "controlled",
    ];
    Reference::from_rows(
        "register",
        &columns,
        [
            ["国药准字H20050001", "百服宁", "对乙酰氨基酚片", "中美上海施贵宝制药有限公司", "中国", "no", "no"],
            ["国药准字H20050002", "Aspro", "aspirin tablets", "Delta Labs", "China", "no", "no"],
            ["国药准字H20050003", "Amoxil", "amoxicillin", "Omega Works", "China", "yes", "no"],
            ["国药准字H20050004", "Dolantin", "pethidine", "Northern Works", "China", "yes", "yes"],
        ],
    )
}

/// A complete and honest advertisement.
fn honest() -> Vec<(&'static str, &'static str)> {
    vec![
        ("authentication_code", "国药准字H20050002"),
        ("proprietary_name", "Aspro"),
        ("generic_name", "Aspirin Tablets"),
        ("manufacturer", "Delta Labs."),
        ("country", "China"),
        ("ingredients", "aspirin"),
        ("indications", "pain"),
        ("contraindications", "ulcers"),
        ("warnings", "not for children"),
        ("dosage", "one a day"),
        ("description", "white tablets"),
        ("discount_price", "4.10"),
    ]
}

fn found(changes: &[(&'static str, Option<&'static str>)]) -> Vec<(String, f64)> {
    let mut fields = honest();
    for (name, value) in changes {
        fields.retain(|(field, _)| field != name);
        fields.extend(value.map(|value| (*name, value)));
    }
    let fields = fields.into_iter().map(|(name, text)| (name.to_owned(), Field::text(text)));
    let record = Record { fields: fields.collect(), ..Record::new("http://pharmacy.example/1") };
    let (rules, register) = (Rules::drugs(), register());
    let auditor = Auditor::new(&rules, &[("S", &register)], Options::default()).unwrap();
    assert_eq!(auditor.notes(), Vec::<String>::new(), "no rule compares with every row");
    let findings = auditor.audit(&record).findings.into_iter();
    findings.map(|finding| (finding.conclusion, (finding.interval.low * 1e4).round() / 1e4)).collect()
}

#[track_caller]
fn check(changes: &[(&'static str, Option<&'static str>)], expected: &[(&str, f64)]) {
    let expected: Vec<(String, f64)> = expected.iter().map(|(name, low)| ((*name).to_owned(), *low)).collect();
    assert_eq!(found(changes), expected);
}

#[test]
fn an_honest_advertisement() {
    check(&[], &[]);
    check(&[("country", None), ("description", None)], &[]);
}

/// An encyclopedia leaves out who makes a drug, and may tell of one that is not registered or controlled.
#[test]
fn what_is_not_offered() {
    let told = [
        ("discount_price", None),
        ("authentication_code", None),
        ("manufacturer", None),
        ("dosage", None),
        ("proprietary_name", Some("Dolantin")),
        ("generic_name", Some("pethidine")),
    ];
    check(&told, &[]);
    let offered = [&told[..], &[("availability", Some("in stock"))]].concat();
    check(&offered, &[("Controlled", 0.85), ("Misleading", 0.7)]);
    // A number that is not there is wrong wherever it stands.
    let numbered = [&told[..], &[("authentication_code", Some("国药准字H20059999"))]].concat();
    check(&numbered, &[("Unapproved", 0.9)]);
}

/// R1 of the paper.
#[test]
fn without_approval() {
    check(&[("authentication_code", Some("国药准字H20059999"))], &[("Unapproved", 0.9)]);
    let unknown =
        [("authentication_code", None), ("proprietary_name", Some("Wondermed")), ("generic_name", Some("wonder"))];
    check(&unknown, &[("Unapproved", 0.7), ("Misleading", 0.7)]);
}

/// R2 of the paper.
#[test]
fn counterfeit() {
    check(&[("manufacturer", Some("Imitators Inc."))], &[("Counterfeit", 0.85)]);
    // A name that agrees to 0.9 only: the rule is as much less certain.
    let spelled = [
        ("manufacturer", Some("Imitators Inc.")),
        ("proprietary_name", None),
        ("generic_name", Some("aspirin tablet")),
    ];
    check(&spelled, &[("Counterfeit", 0.7833)]);
    let other = [("proprietary_name", Some("Viagra")), ("generic_name", Some("sildenafil"))];
    check(&other, &[("Counterfeit", 0.75)]);
}

#[test]
fn illegally_imported() {
    check(&[("country", Some("Atlantis"))], &[("IllegallyImported", 0.7)]);
    let imported = [("country", Some("imported from Atlantis")), ("authentication_code", Some("A-1"))];
    check(&imported, &[("Unapproved", 0.9), ("IllegallyImported", 0.7)]);
}

#[test]
fn prescription_drugs_without_prescription() {
    let amoxil = [
        ("authentication_code", Some("国药准字H20050003")),
        ("proprietary_name", Some("Amoxil")),
        ("generic_name", Some("amoxicillin")),
        ("manufacturer", Some("Omega Works")),
    ];
    check(&amoxil, &[]);
    let freely = [&amoxil[..], &[("description", Some("Buy with no prescription!"))]].concat();
    check(&freely, &[("PrescriptionSoldFreely", 0.9)]);
}

#[test]
fn controlled_drugs() {
    let dolantin = [
        ("authentication_code", Some("国药准字H20050004")),
        ("proprietary_name", Some("Dolantin")),
        ("generic_name", Some("pethidine")),
        ("manufacturer", Some("Northern Works")),
    ];
    check(&dolantin, &[("Controlled", 0.95)]);
    let unnumbered = [&dolantin[..], &[("authentication_code", None)]].concat();
    check(&unnumbered, &[("Controlled", 0.85), ("Misleading", 0.7)]);
}

#[test]
fn incomplete_information() {
    check(&[("contraindications", None), ("warnings", None)], &[("Misleading", 0.8)]);
    check(&[("dosage", None)], &[("Misleading", 0.6)]);
}

#[test]
fn chinese_labels_agree() {
    let baifuning = [
        ("authentication_code", Some("国药准字 H20050001")),
        ("proprietary_name", Some("百服宁")),
        ("generic_name", Some("对乙酰氨基酚片")),
        ("manufacturer", Some("中美上海施贵宝制药有限公司")),
        ("country", Some("中国")),
    ];
    check(&baifuning, &[]);
}
