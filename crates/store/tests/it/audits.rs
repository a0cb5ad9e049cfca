//! Findings of successive audits: new, known, gone and reappeared ones.

use windrow_store::Store;
use windrow_store::audits::{Audit, AuditedPage, KeptFindings, Mark, PageKind, Scope, Site, Verdict};

use crate::support::{layout, on_each, page, record, rows, run, server_address, with_database};

const PAGE: &str = "https://pills.example/a";

fn at(day: u32) -> String {
    format!("2026-11-{day:02}T08:00:00Z")
}

fn begin(store: &mut Store, day: u32, scope: Scope) -> Audit {
    store.begin_audit("drugs", "R1: …", "records", scope, &at(day)).unwrap()
}

/// `record path conclusion`
fn verdict(text: &str) -> Verdict {
    let mut words = text.split(' ').map(str::to_owned);
    let mut next = || words.next().unwrap();
    Verdict {
        record: next(),
        path: next(),
        conclusion: next(),
        low: 0.9,
        high: 1.0,
        rules: "R1".into(),
        messages: "no such number".into(),
        snippet: "Spray".into(),
        evidence: r#"{"conclusion":"x"}"#.into(),
    }
}

fn keep(store: &mut Store, audit: &mut Audit, page: &str, verdicts: &[&str]) -> (u64, u64, u64) {
    let looked = AuditedPage { page, host: "pills.example", kind: PageKind::Rich, records: 3 };
    let verdicts: Vec<Verdict> = verdicts.iter().map(|text| verdict(text)).collect();
    let KeptFindings { new, known, gone, .. } = store.keep_findings(audit, &looked, &verdicts).unwrap();
    (new, known, gone)
}

fn marks(store: &mut Store) -> Vec<Mark> {
    let mut marks = Vec::new();
    store.finding_marks(|mark| marks.push(mark)).unwrap();
    marks
}

#[test]
fn a_finding_is_known_by_its_record_or_its_place() {
    on_each(|open| {
        let mut store = open();
        let mut audit = begin(&mut store, 1, Scope::Pages);
        assert_eq!(keep(&mut store, &mut audit, PAGE, &["a li[1] Fake", "b li[2] Fake", "b li[2] Dear"]), (3, 0, 0));
        store.finish_audit(audit, &at(1)).unwrap();
        // One moved down, one stays where it was with other values, one is not found.
        let mut audit = begin(&mut store, 2, Scope::Pages);
        assert_eq!(keep(&mut store, &mut audit, PAGE, &["a li[3] Fake", "c li[2] Fake"]), (0, 2, 1));
        store.finish_audit(audit, &at(2)).unwrap();
        let sql = "select record, path, conclusion, substr(first_seen, 9, 2), substr(last_seen, 9, 2),
                   substr(gone, 9, 2) from _findings order by id";
        assert_eq!(rows(&mut store, sql), ["a|li[3]|Fake|01|02|-", "c|li[2]|Fake|01|02|-", "b|li[2]|Dear|01|01|02"]);
        // It is back: for another stretch of time.
        let mut audit = begin(&mut store, 3, Scope::Pages);
        assert_eq!(keep(&mut store, &mut audit, PAGE, &["b li[2] Dear", "a li[3] Fake", "c li[2] Fake"]), (1, 2, 0));
        store.finish_audit(audit, &at(3)).unwrap();
        assert_eq!(marks(&mut store).len(), 4);
        assert_eq!(rows(&mut store, "select count(*) from _findings where gone is null"), ["3"]);
    });
}

#[test]
fn alike_records_are_told_apart_by_their_places() {
    on_each(|open| {
        let mut store = open();
        let mut audit = begin(&mut store, 1, Scope::Pages);
        assert_eq!(keep(&mut store, &mut audit, PAGE, &["a li[1] Fake", "a li[2] Fake"]), (2, 0, 0));
        let mut audit = begin(&mut store, 2, Scope::Pages);
        assert_eq!(keep(&mut store, &mut audit, PAGE, &["a li[2] Fake"]), (0, 1, 1));
        assert_eq!(rows(&mut store, "select path from _findings where gone is null"), ["li[2]"]);
    });
}

#[test]
fn other_rules_lists_and_pages_do_not_touch() {
    on_each(|open| {
        let mut store = open();
        let mut audit = begin(&mut store, 1, Scope::Pages);
        keep(&mut store, &mut audit, PAGE, &["a li[1] Fake"]);
        store.finish_audit(audit, &at(1)).unwrap();
        for (ruleset, list) in [("prices", "records"), ("drugs", "ads")] {
            let mut audit = store.begin_audit(ruleset, "", list, Scope::Pages, &at(2)).unwrap();
            assert_eq!(keep(&mut store, &mut audit, PAGE, &[]), (0, 0, 0));
            store.finish_audit(audit, &at(2)).unwrap();
        }
        let mut audit = begin(&mut store, 3, Scope::Pages);
        assert_eq!(keep(&mut store, &mut audit, "https://pills.example/b", &["a li[1] Fake"]), (1, 0, 0));
        store.note_unread(&audit).unwrap();
        store.finish_audit(audit, &at(3)).unwrap();
        assert_eq!(rows(&mut store, "select count(*) from _findings where gone is null"), ["2"]);
        assert_eq!(store.audits().unwrap()[3].failed, 1);
    });
}

#[test]
fn a_whole_list_may_come_in_parts_and_says_at_its_end_what_is_gone() {
    on_each(|open| {
        let mut store = open();
        let mut audit = begin(&mut store, 1, Scope::List);
        keep(&mut store, &mut audit, PAGE, &["1 li[1] Fake"]);
        keep(&mut store, &mut audit, "p", &["2 li[1] Fake"]);
        assert_eq!(keep(&mut store, &mut audit, PAGE, &["3 li[2] Fake"]), (1, 0, 0));
        assert_eq!(store.finish_audit(audit, &at(1)).unwrap(), 0);
        // The other page has no records any more, so nobody looks at it; and two records have changed places.
        let mut audit = begin(&mut store, 2, Scope::List);
        assert_eq!(keep(&mut store, &mut audit, PAGE, &["1 li[2] Fake"]), (0, 1, 0));
        assert_eq!(keep(&mut store, &mut audit, PAGE, &["3 li[1] Fake"]), (0, 1, 0));
        assert_eq!(rows(&mut store, "select count(*) from _findings where gone is null"), ["3"], "not yet");
        assert_eq!(store.finish_audit(audit, &at(2)).unwrap(), 1);
        assert_eq!(rows(&mut store, "select record, page from _findings where gone is not null"), ["2|p"]);
        let audits = store.audits().unwrap();
        let sums: Vec<_> = audits.iter().map(|one| (one.pages, one.records, one.findings, one.new, one.gone)).collect();
        assert_eq!(sums, [(2, 9, 3, 3, 0), (1, 6, 2, 0, 1)]);
    });
}

#[test]
fn an_audit_that_was_interrupted_is_marked_and_takes_nothing_for_gone() {
    on_each(|open| {
        let mut store = open();
        let mut audit = begin(&mut store, 1, Scope::List);
        keep(&mut store, &mut audit, PAGE, &["1 li[1] Fake", "2 li[2] Fake"]);
        store.finish_audit(audit, &at(1)).unwrap();
        let mut audit = begin(&mut store, 2, Scope::List);
        keep(&mut store, &mut audit, PAGE, &["1 li[1] Fake"]);
        drop(audit);
        let mut store = open();
        let audits = store.audits().unwrap();
        assert_eq!(audits.iter().map(|one| one.ended.clone()).collect::<Vec<_>>(), [Some(at(1)), None]);
        assert_eq!(rows(&mut store, "select count(*) from _findings where gone is null"), ["2"]);
    });
}

#[test]
fn sites_keep_what_was_first_and_what_is_last() {
    on_each(|open| {
        let mut store = open();
        let mut audit = begin(&mut store, 5, Scope::Pages);
        keep(&mut store, &mut audit, PAGE, &[]);
        let looked = AuditedPage { page: "a.html", kind: PageKind::Neither, ..AuditedPage::default() };
        store.keep_findings(&mut audit, &looked, &[]).unwrap();
        let site = |day: u32, ip: Option<&str>, by: Option<&str>| Site {
            host: "pills.example".into(),
            first: at(day),
            last: at(day),
            ip: ip.map(str::to_owned),
            found_by: by.map(str::to_owned),
        };
        for seen in [site(7, Some("192.0.2.7"), Some("drug")), site(3, None, Some("pill")), site(6, None, None)] {
            store.note_site(&seen).unwrap();
        }
        // A file has no host, and is no site.
        let known = Site { first: at(3), last: at(7), ..site(0, Some("192.0.2.7"), Some("drug")) };
        assert_eq!(store.sites().unwrap(), [known]);
        let visits: Vec<_> =
            store.visits().unwrap().into_iter().map(|one| (one.host, one.rich, one.neither, one.records)).collect();
        assert_eq!(visits, [(String::new(), 0, 1, 0), ("pills.example".into(), 1, 0, 3)]);
    });
}

#[test]
fn findings_come_back_as_they_were_kept() {
    on_each(|open| {
        let mut store = open();
        let mut audit = begin(&mut store, 1, Scope::Pages);
        // What pages say may be anything; NUL alone no database takes.
        let hostile = Verdict {
            snippet: "'; drop table _findings; -- <b>\u{202e}\0".into(),
            evidence: r#"{"page": "'\"<script>", "degree": 0.123456}"#.into(),
            low: 0.123_456,
            ..verdict("a li[1] not_Genuine")
        };
        let looked = AuditedPage { page: PAGE, host: "pills.example", kind: PageKind::Rich, records: 1 };
        store.keep_findings(&mut audit, &looked, &[hostile.clone(), verdict("b li[2] Fake")]).unwrap();
        let found = store.findings(&[2, 99, 1]).unwrap();
        assert_eq!(found.iter().map(|one| one.id).collect::<Vec<_>>(), [2, 1]);
        let kept = &found[1].verdict;
        assert_eq!(kept.snippet, hostile.snippet.replace('\0', "\u{fffd}"));
        assert_eq!((kept.low, kept.high), (0.123_456, 1.0));
        let json = |text: &str| serde_json::from_str::<serde_json::Value>(text).unwrap();
        assert_eq!(json(&kept.evidence), json(&hostile.evidence));
        assert_eq!(
            (found[0].page.as_str(), found[0].host.as_str(), found[0].list.as_str()),
            (PAGE, "pills.example", "records")
        );
        let marks: Vec<_> = marks(&mut store).into_iter().map(|mark| (mark.id, mark.low, mark.gone)).collect();
        assert_eq!(marks, [(1, 0.123_456, None), (2, 0.9, None)]);
    });
}

/// Takes the tables away that older programs did not make.
const OLD: &str = "drop table _findings; drop table _visits; drop table _audits; drop table _sites;";

fn an_old_store_gets_what_it_lacks(address: &str, age: impl Fn()) {
    let ads = layout("ads", &["title"]);
    let mut store = Store::open(address).unwrap();
    let mut first = run(&mut store, 1);
    store.keep(&mut first, &page("p", &ads, vec![record(&ads, &["Rake"])]), false).unwrap();
    store.finish(first, &at(1)).unwrap();
    drop(store);
    age();
    // Reading changes nothing, and finds nothing.
    let mut store = Store::open_read_only(address).unwrap();
    assert_eq!((store.audits().unwrap(), store.sites().unwrap()), (Vec::new(), Vec::new()));
    assert_eq!((marks(&mut store), store.findings(&[1]).unwrap()), (Vec::new(), Vec::new()));
    drop(store);
    let mut store = Store::open(address).unwrap();
    let mut audit = begin(&mut store, 2, Scope::Pages);
    assert_eq!(keep(&mut store, &mut audit, PAGE, &["a li[1] Fake"]), (1, 0, 0));
    assert_eq!(rows(&mut store, "select title from ads_now"), ["Rake"]);
}

#[test]
fn old_stores_can_be_read_and_get_the_tables_when_they_are_written_to() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("old.db");
    an_old_store_gets_what_it_lacks(path.to_str().unwrap(), || {
        rusqlite::Connection::open(&path).unwrap().execute_batch(OLD).unwrap();
    });
    if server_address().is_some() {
        with_database(|address| {
            an_old_store_gets_what_it_lacks(address, || {
                postgres::Client::connect(address, postgres::NoTls).unwrap().batch_execute(OLD).unwrap();
            });
        });
    }
}
