//! Changes of the last run: which records, which fields, from what to what.

use windrow_store::{ChangeKind, Changes, Found, Layout, Store, Value};

use crate::support::{layout, on_each, page, record, run};

fn ads() -> Layout {
    let mut ads = layout("ads", &["title", "link:url", "price:money"]);
    ads.lists.push(layout("tags", &["value"]));
    ads
}

/// Keeps a page of ads: title, price, tags.
fn day(store: &mut Store, number: u32, records: &[(&str, &str, &[&str])]) {
    let ads = ads();
    let one = |(title, price, tags): &(&str, &str, &[&str])| -> Found {
        let mut ad = record(&ads, &[title, &format!("https://example.org/{title}"), price]);
        ad.lists[0] = tags.iter().map(|tag| record(&ads.lists[0], &[tag])).collect();
        ad
    };
    let mut run = run(store, number);
    store.keep(&mut run, &page("p1", &ads, records.iter().map(one).collect()), false).unwrap();
    store.finish(run, "x").unwrap();
}

/// A line for each change.
fn lines(changes: &Changes) -> Vec<String> {
    let value = |value: &Value| match value {
        Value::Null => "-".to_owned(),
        Value::Text(text) | Value::Number(text) => text.clone(),
        Value::Money { amount, currency } => format!("{amount} {}", currency.as_deref().unwrap_or("-")),
    };
    let records = changes.records.iter().map(|change| {
        let inside = change.inside.iter().map(|inside| format!(" in {inside}"));
        let fields = change.fields.iter().map(|it| format!(" {} {} -> {}", it.field, value(&it.was), value(&it.is)));
        let more: String = inside.chain(fields).collect();
        format!("{} {} {}{more}", change.kind.name(), change.list, change.name)
    });
    records.collect()
}

#[test]
fn a_run_says_what_came_changed_and_went() {
    on_each(|open| {
        let mut store = open();
        day(&mut store, 1, &[("rake", "340", &["hay", "old"]), ("twine", "55", &["hay"]), ("fork", "9", &["new"])]);
        assert_eq!(store.changes("shop", None, 10).unwrap(), None, "there is nothing to compare with");
        day(&mut store, 2, &[("rake", "310", &["hay", "red"]), ("wagon", "900", &["hay"]), ("fork", "9", &["new"])]);
        let changes = store.changes("shop", None, 10).unwrap().unwrap();
        let expected = [
            "changed ads rake price 340 EUR -> 310 EUR",
            "new ads wagon",
            "new ads_tags red in rake",
            "gone ads twine",
            "gone ads_tags old in rake",
        ];
        assert_eq!(lines(&changes), expected);
        assert_eq!((changes.run, changes.at.as_str()), (2, "2026-11-02T08:00:00Z"));
        assert_eq!(changes.records[0].page, "p1");
        // The twine comes back with another price, and nothing else happens.
        day(
            &mut store,
            3,
            &[
                ("rake", "310", &["hay", "red"]),
                ("wagon", "900", &["hay"]),
                ("fork", "9", &["new"]),
                ("twine", "60", &["hay"]),
            ],
        );
        let changes = store.changes("shop", None, 10).unwrap().unwrap();
        assert_eq!(lines(&changes), ["back ads twine price 55 EUR -> 60 EUR", "back ads_tags hay in twine"]);
        // Two runs together: what went and came back is as it was, but for its price.
        let both = store.changes("shop", Some(2), 10).unwrap().unwrap();
        assert_eq!(both.count(ChangeKind::Gone), 1, "{both:?}");
        assert!(lines(&both).contains(&"changed ads rake price 340 EUR -> 310 EUR".to_owned()), "{both:?}");
        // A run that finds all as it was.
        let mut fourth = run(&mut store, 4);
        store.keep_unchanged(&mut fourth, "p1").unwrap();
        store.finish(fourth, "x").unwrap();
        assert!(store.changes("shop", None, 10).unwrap().unwrap().is_empty());
    });
}

#[test]
fn what_changed_and_changed_back_did_not_change() {
    on_each(|open| {
        let mut store = open();
        day(&mut store, 1, &[("rake", "340", &[]), ("twine", "55", &[])]);
        day(&mut store, 2, &[("rake", "1", &[]), ("twine", "2", &[])]);
        day(&mut store, 3, &[("rake", "340", &[]), ("twine", "50", &[])]);
        let changes = store.changes("shop", Some(2), 10).unwrap().unwrap();
        assert_eq!(lines(&changes), ["changed ads twine price 55 EUR -> 50 EUR"]);
        assert_eq!(changes.counts, [(ChangeKind::Changed, 1)]);
    });
}

#[test]
fn as_many_are_read_as_are_asked_for_and_all_are_counted() {
    on_each(|open| {
        let mut store = open();
        let names: Vec<String> = (0..30).map(|n| format!("ad {n:02}")).collect();
        let some = |range: std::ops::Range<usize>, price: &'static str| -> Vec<(&str, &str, &[&str])> {
            names[range].iter().map(|name| (name.as_str(), price, &[][..])).collect()
        };
        day(&mut store, 1, &some(0..20, "5"));
        day(&mut store, 2, &some(5..30, "6"));
        let changes = store.changes("shop", None, 3).unwrap().unwrap();
        assert_eq!(changes.counts, [(ChangeKind::Changed, 15), (ChangeKind::New, 10), (ChangeKind::Gone, 5)]);
        let names: Vec<&str> = changes.records.iter().map(|change| change.name.as_str()).collect();
        assert_eq!(names, ["ad 05", "ad 06", "ad 07", "ad 20", "ad 21", "ad 22", "ad 00", "ad 01", "ad 02"]);
        assert_eq!(store.changes("shop", None, usize::MAX).unwrap().unwrap().records.len(), 30);
    });
}

#[test]
fn records_say_when_they_last_changed() {
    on_each(|open| {
        let mut store = open();
        day(&mut store, 1, &[("rake", "340", &["hay"]), ("twine", "55", &["hay"]), ("fork", "9", &["hay", "old"])]);
        day(&mut store, 2, &[("rake", "340", &["hay"]), ("twine", "50", &["hay"]), ("fork", "9", &["hay"])]);
        day(&mut store, 3, &[("rake", "340", &["hay", "red"]), ("twine", "50", &["hay"]), ("fork", "9", &["hay"])]);
        let mut changed = Vec::new();
        let (which, form) = Default::default();
        store
            .records("ads", which, form, |record| {
                changed.push(record.changed.map(|at| at[..10].to_owned()));
                true
            })
            .unwrap();
        let day = |day: &str| Some(format!("2026-11-{day}"));
        assert_eq!(changed, [day("03"), day("02"), day("02")]);
    });
}
