use windrow_store::{Layout, Store, What};

use crate::support::{layout, on_each, page, record, run};

/// A run over one page with these titles and prices.
fn day(store: &mut Store, number: u32, ads: &Layout, records: &[(&str, &str)]) {
    let mut run = run(store, number);
    let records = records.iter().map(|(title, price)| record(ads, &[title, price])).collect();
    store.keep(&mut run, &page("p1", ads, records), false).unwrap();
    store.finish(run, "x").unwrap();
}

fn ads() -> Layout {
    layout("ads", &["title", "price:money"])
}

const GOOD: [(&str, &str); 5] = [("Rake", "1"), ("Twine", "2"), ("Wagon", "3"), ("Fork", "4"), ("Hoe", "5")];

fn findings(store: &mut Store) -> Vec<(String, What, String)> {
    let report = store.check("shop").unwrap();
    let name = |list: &str, field: &Option<String>| match field {
        Some(field) => format!("{list}.{field}"),
        None => list.to_owned(),
    };
    let findings = report.findings.iter();
    findings
        .map(|finding| (name(&finding.list, &finding.field), finding.what, finding.since[..10].to_owned()))
        .collect()
}

#[test]
fn the_first_run_and_others_like_it_are_fine() {
    on_each(|open| {
        let mut store = open();
        day(&mut store, 1, &ads(), &GOOD);
        assert_eq!(findings(&mut store), []);
        day(&mut store, 2, &ads(), &GOOD[1..]);
        day(&mut store, 3, &ads(), &[("Rake", "1"), ("Twine", "2"), ("Wagon", "3"), ("Fork", "4"), ("Saw", "")]);
        assert_eq!(findings(&mut store), []);
    });
}

#[test]
fn an_emptied_list_is_an_alarm_until_it_is_back() {
    on_each(|open| {
        let mut store = open();
        day(&mut store, 1, &ads(), &GOOD);
        day(&mut store, 2, &ads(), &[]);
        day(&mut store, 3, &ads(), &[]);
        assert_eq!(findings(&mut store), [("ads".into(), What::Emptied, "2026-11-02".into())]);
        day(&mut store, 4, &ads(), &GOOD);
        assert_eq!(findings(&mut store), []);
    });
}

#[test]
fn a_field_that_is_lost_is_told_with_examples() {
    on_each(|open| {
        let mut store = open();
        day(&mut store, 1, &ads(), &GOOD);
        let without: Vec<(&str, &str)> = GOOD.iter().map(|(title, _)| (*title, "")).collect();
        day(&mut store, 2, &ads(), &without);
        day(&mut store, 3, &ads(), &without);
        assert_eq!(findings(&mut store), [("ads.price".into(), What::Missing, "2026-11-02".into())]);
        let report = store.check("shop").unwrap();
        assert_eq!(report.findings[0].pages, ["p1"]);
        assert_eq!((report.findings[0].before, report.findings[0].now), (1.0, 0.0));
        assert_eq!(report.findings[0].was, ["~1", "~2"]);
        store.accept("shop").unwrap();
        assert_eq!(findings(&mut store), []);
        day(&mut store, 4, &ads(), &without);
        assert_eq!(findings(&mut store), []);
    });
}

#[test]
fn far_fewer_records_constants_and_other_shapes() {
    on_each(|open| {
        let mut store = open();
        let codes = layout("ads", &["title", "code"]);
        let good =
            [("Rake", "A-1"), ("Twine", "B-2"), ("Wagon", "C-3"), ("Fork", "D-4"), ("Hoe", "E-5"), ("Saw", "F-6")];
        day(&mut store, 1, &codes, &good);
        day(&mut store, 2, &codes, &good);
        let other: Vec<(&str, &str)> = good.iter().map(|(title, _)| ("Menu", *title)).collect();
        day(&mut store, 3, &codes, &other);
        assert_eq!(
            findings(&mut store),
            [
                ("ads.code".into(), What::Reshaped, "2026-11-03".into()),
                ("ads.title".into(), What::Constant, "2026-11-03".into())
            ]
        );
        day(&mut store, 4, &codes, &good[..2]);
        assert_eq!(findings(&mut store), [("ads".into(), What::Fewer, "2026-11-04".into())]);
    });
}

#[test]
fn a_broken_page_that_does_not_change_stays_an_alarm() {
    on_each(|open| {
        let mut store = open();
        let ads = ads();
        let of = |name: &str, records: &[(&str, &str)]| {
            page(name, &ads, records.iter().map(|(title, price)| record(&ads, &[title, price])).collect())
        };
        let without: Vec<(&str, &str)> = GOOD.iter().map(|(title, _)| (*title, "")).collect();
        for (number, second) in [(1, &GOOD[..]), (2, &without[..])] {
            let mut run = run(&mut store, number);
            store.keep(&mut run, &of("p1", &GOOD), false).unwrap();
            store.keep(&mut run, &of("p2", second), false).unwrap();
            store.keep(&mut run, &of("p3", if number == 1 { &GOOD } else { &[] }), false).unwrap();
            store.finish(run, "x").unwrap();
        }
        let expected = [
            ("ads".into(), What::Emptied, "2026-11-02".into()),
            ("ads.price".into(), What::Missing, "2026-11-02".into()),
        ];
        assert_eq!(findings(&mut store), expected);
        // The broken ones are as they were, and not read again. What is read is fine.
        let mut third = run(&mut store, 3);
        store.keep(&mut third, &of("p1", &GOOD[1..]), false).unwrap();
        store.keep_unchanged(&mut third, "p2").unwrap();
        store.keep_unchanged(&mut third, "p3").unwrap();
        store.finish(third, "x").unwrap();
        assert_eq!(findings(&mut store), expected);
        assert_eq!(store.check("shop").unwrap().pages, 3);
        store.accept("shop").unwrap();
        assert_eq!(findings(&mut store), []);
    });
}

#[test]
fn a_run_that_died_counts_as_far_as_it_came() {
    on_each(|open| {
        let mut store = open();
        day(&mut store, 1, &ads(), &GOOD);
        let mut second = run(&mut store, 2);
        store.keep(&mut second, &page("p1", &ads(), Vec::new()), false).unwrap();
        drop(second);
        assert_eq!(findings(&mut store), [("ads".into(), What::Emptied, "2026-11-02".into())]);
        // One that read nothing changes nothing, and says so.
        let third = run(&mut store, 3);
        store.keep_failed(&third).unwrap();
        drop(third);
        assert_eq!(findings(&mut store), [("ads".into(), What::Emptied, "2026-11-02".into())]);
        assert_eq!(store.check("shop").unwrap().failed, 1);
    });
}
