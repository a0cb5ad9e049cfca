//! Records come back as they were found: values, texts and places.

use windrow_store::{Found, FoundValue, Place, Placed, Store, Value};

use crate::support::{layout, on_each, page, record, run};

fn placed(store: &mut Store, list: &str) -> Vec<Placed> {
    let mut records = Vec::new();
    store
        .placed(list, |record| {
            records.push(record);
            true
        })
        .unwrap();
    records
}

#[test]
fn what_was_kept_comes_back_with_its_places() {
    on_each(|open| {
        let mut store = open();
        let ads = layout("ads", &["title", "link:url", "price:money", "posted:date", "count:number"]);
        let found = vec![
            record(&ads, &["Rake", "http://a.example/1", "340", "2026-11-01", "3"]),
            record(&ads, &["Twine", "", "", "", ""]),
        ];
        let mut run = run(&mut store, 1);
        store.keep(&mut run, &page("p1", &ads, found.clone()), false).unwrap();
        store.finish(run, "x").unwrap();
        let records = placed(&mut store, "ads");
        assert_eq!(records.iter().map(|record| record.page.as_str()).collect::<Vec<_>>(), ["p1", "p1"]);
        assert_eq!(records.into_iter().map(|record| record.found).collect::<Vec<_>>(), found);
    });
}

#[test]
fn lists_inside_records_come_back_in_their_order() {
    on_each(|open| {
        let mut store = open();
        let tags = layout("tags", &["value"]);
        let mut ads = layout("ads", &["title"]);
        ads.lists.push(tags.clone());
        let tag = |text: &str| record(&tags, &[text]);
        let found = Found { lists: vec![vec![tag("old"), tag("green")]], ..record(&ads, &["Rake"]) };
        let mut run = run(&mut store, 1);
        store.keep(&mut run, &page("p1", &ads, vec![found.clone(), record(&ads, &["Twine"])]), false).unwrap();
        store.finish(run, "x").unwrap();
        let records = placed(&mut store, "ads");
        assert_eq!(records[0].found, found);
        assert_eq!(records[1].found.lists, [vec![]]);
    });
}

#[test]
fn a_text_that_is_not_of_its_kind_is_there_as_it_stood() {
    on_each(|open| {
        let mut store = open();
        let ads = layout("ads", &["title", "price:money"]);
        let place = Some(Place { path: "i[\"]".into(), span: None });
        let on_request = FoundValue { value: Value::Null, raw: Some("on request".into()), place };
        let mut found = record(&ads, &["Rake", ""]);
        found.values[1] = on_request.clone();
        let mut run = run(&mut store, 1);
        store.keep(&mut run, &page("p1", &ads, vec![found]), false).unwrap();
        store.finish(run, "x").unwrap();
        assert_eq!(placed(&mut store, "ads")[0].found.values[1], on_request);
    });
}
