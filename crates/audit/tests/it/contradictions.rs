//! Rules that contradict each other for a record: the fewest give way, and the rest is worked out.

use windrow_audit::{Auditor, Field, Options, Record, Rules, WeakenedRule, logic::Interval};

const RULES: &str = "
Good: E.seal = \"yes\" -> Genuine [0.9]
Bad: missing E.maker -> not Genuine [0.8]
Other: missing E.price -> Incomplete [0.7]
";

fn audit(fields: &[(&str, &str)]) -> windrow_audit::Audited {
    let rules = Rules::read(RULES).unwrap();
    let auditor = Auditor::new(&rules, &[], Options::default()).unwrap();
    let fields = fields.iter().map(|(name, text)| ((*name).to_owned(), Field::text(*text)));
    auditor.audit(&Record { fields: fields.collect(), ..Record::default() })
}

#[test]
fn one_of_two_gives_way() {
    let audited = audit(&[("seal", "yes")]);
    let [WeakenedRule { name, confidence, to }] = &audited.weakened[..] else { panic!("{audited:?}") };
    assert_eq!((name.as_str(), *confidence), ("Good", Interval::at_least(0.9)));
    assert!((to - 0.2).abs() < 1e-5, "{to}");
    let told: Vec<(&str, bool)> =
        audited.findings.iter().map(|finding| (finding.conclusion.as_str(), finding.negated)).collect();
    assert_eq!(told, [("Genuine", true), ("Incomplete", false)]);
    assert!(audited.findings.iter().all(|finding| finding.weakened == audited.weakened));
}

#[test]
fn where_only_one_applies_nothing_does() {
    let audited = audit(&[("seal", "yes"), ("maker", "Delta Labs"), ("price", "3")]);
    assert_eq!(audited.weakened, []);
    assert!((audited.conclusions[0].1.low - 0.9).abs() < 1e-6);
}
