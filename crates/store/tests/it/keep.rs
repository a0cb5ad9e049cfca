use windrow_store::{Error, Form, Question, Value, Which};

use crate::support::{layout, on_each, page, record, rows, run};

#[test]
fn a_list_is_a_table_with_companions() {
    on_each(|open| {
        let mut store = open();
        let ads = layout("ads", &["title", "link:url", "price:money", "posted:date", "stars:number"]);
        let records = vec![
            record(&ads, &["Rake", "https://example.org/1", "340.50", "2026-11-01", "4"]),
            record(&ads, &["Twine", "https://example.org/2", "55", "", "3.5"]),
        ];
        let mut first = run(&mut store, 1);
        let outcome = store.keep(&mut first, &page("p1", &ads, records), false).unwrap();
        assert_eq!((outcome.records, outcome.inserted, outcome.updated, outcome.gone), (2, 2, 0, 0));
        store.finish(first, "2026-11-01T08:00:01Z").unwrap();
        let sql = "select title, price, price__currency, price__raw, posted, stars, _key from ads order by _n";
        assert_eq!(
            rows(&mut store, sql),
            [
                "Rake|340.5|EUR|~340.50|2026-11-01|4|https://example.org/1"
                    .replace("340.5|", if is_server(&mut store) { "340.50|" } else { "340.5|" }),
                "Twine|55|EUR|~55|-|3.5|https://example.org/2".into(),
            ]
        );
        let sql = "select p.name, r.rule, a._path, a._start, a._end from ads a join _pages p on p.id = a._page
                   join _rules r on r.version = a._version and r.tbl = 'ads' and r.col = 'price' where a._n = 0";
        assert_eq!(rows(&mut store, sql), ["p1|.//price|/html[1]|1|9"]);
        assert_eq!(rows(&mut store, "select page, title from ads_now order by _id"), ["p1|Rake", "p1|Twine"]);
    });
}

fn is_server(store: &mut windrow_store::Store) -> bool {
    store.place() == "the database"
}

#[test]
fn records_are_matched_changed_gone_and_back() {
    on_each(|open| {
        let mut store = open();
        let ads = layout("ads", &["title", "link:url", "price:money"]);
        let rake = |price: &str| record(&ads, &["Rake", "/1", price]);
        let twine = || record(&ads, &["Twine", "/2", "55"]);
        let wagon = || record(&ads, &["Wagon", "/3", "900"]);
        let days = [
            vec![rake("340"), twine()],
            vec![wagon(), rake("340")],
            vec![rake("299"), wagon()],
            vec![rake("299"), wagon(), twine()],
        ];
        let mut told = Vec::new();
        for (day, records) in days.into_iter().enumerate() {
            let mut run = run(&mut store, day as u32 + 1);
            let outcome = store.keep(&mut run, &page("p1", &ads, records), false).unwrap();
            told.push((outcome.inserted, outcome.updated, outcome.gone));
            store.finish(run, "2026-11-09T08:00:01Z").unwrap();
        }
        assert_eq!(told, [(2, 0, 0), (1, 0, 1), (0, 1, 0), (0, 0, 0)]);
        assert_eq!(rows(&mut store, "select title from ads_now order by _id"), ["Rake", "Twine", "Wagon"]);
        let sql = "select c.what, a.title, c.at from _changes c join ads a on a._id = c.record order by c.id";
        assert_eq!(
            rows(&mut store, sql),
            ["gone|Twine|2026-11-02T08:00:00Z", "changed|Rake|2026-11-03T08:00:00Z", "back|Twine|2026-11-04T08:00:00Z"]
        );
        let was = rows(&mut store, "select cast(was as text) from _changes where what = 'changed'");
        assert_eq!(was[0].replace(' ', ""), r#"{"price":340}"#);
    });
}

#[test]
fn a_record_that_moves_to_another_page_is_the_same() {
    on_each(|open| {
        let mut store = open();
        let ads = layout("ads", &["title", "link:url"]);
        let ad = |n: usize| record(&ads, &[&format!("Ad {n}"), &format!("/{n}")]);
        let mut first = run(&mut store, 1);
        store.keep(&mut first, &page("p1", &ads, vec![ad(1), ad(2)]), false).unwrap();
        store.keep(&mut first, &page("p2", &ads, vec![ad(3), ad(4)]), false).unwrap();
        store.finish(first, "x").unwrap();
        let mut second = run(&mut store, 2);
        store.keep(&mut second, &page("p1", &ads, vec![ad(0), ad(1)]), false).unwrap();
        store.keep(&mut second, &page("p2", &ads, vec![ad(2), ad(3), ad(4)]), false).unwrap();
        store.finish(second, "x").unwrap();
        assert_eq!(rows(&mut store, "select count(*) from ads"), ["5"]);
        assert_eq!(rows(&mut store, "select count(*) from _changes"), ["0"]);
        assert_eq!(rows(&mut store, "select inserted, gone from _runs where id = 2"), ["1|0"]);
        assert_eq!(rows(&mut store, "select page from ads_now where title = 'Ad 2'"), ["p2"]);
    });
}

#[test]
fn lists_inside_records_have_tables_of_their_own() {
    on_each(|open| {
        let mut store = open();
        let mut ads = layout("ads", &["title"]);
        ads.lists.push(layout("sellers", &["name", "phone"]));
        let ad = |title: &str, sellers: &[(&str, &str)]| {
            let mut ad = record(&ads, &[title]);
            ad.lists[0] = sellers.iter().map(|(name, phone)| record(&ads.lists[0], &[name, phone])).collect();
            ad
        };
        let mut first = run(&mut store, 1);
        let records = vec![ad("Rake", &[("Ann", "1"), ("Bob", "2")]), ad("Twine", &[("Ann", "3")])];
        store.keep(&mut first, &page("p1", &ads, records), false).unwrap();
        store.finish(first, "x").unwrap();
        let sql = "select a.title, s.name, s.phone from ads_now a join ads_sellers_now s on s._parent = a._id
                   order by s._id";
        assert_eq!(rows(&mut store, sql), ["Rake|Ann|1", "Rake|Bob|2", "Twine|Ann|3"]);
        let mut second = run(&mut store, 2);
        let records = vec![ad("Rake", &[("Bob", "7")])];
        let outcome = store.keep(&mut second, &page("p1", &ads, records), false).unwrap();
        assert_eq!((outcome.inserted, outcome.updated, outcome.gone), (0, 1, 3));
        store.finish(second, "x").unwrap();
        assert_eq!(rows(&mut store, sql), ["Rake|Bob|7"]);
        let mut trees = Vec::new();
        store
            .records("ads", Which::Present, Form::Typed, |record| {
                trees.push(record);
                true
            })
            .unwrap();
        assert_eq!(trees.len(), 1);
        assert_eq!(trees[0].values, [Value::Text("Rake".into())]);
        assert_eq!(trees[0].lists[0][0].values, [Value::Text("Bob".into()), Value::Text("7".into())]);
    });
}

#[test]
fn a_list_of_which_nothing_is_left_is_broken_not_empty() {
    on_each(|open| {
        let mut store = open();
        let ads = layout("ads", &["title"]);
        let mut first = run(&mut store, 1);
        let records = vec![record(&ads, &["Rake"]), record(&ads, &["Twine"])];
        store.keep(&mut first, &page("p1", &ads, records), false).unwrap();
        store.finish(first, "x").unwrap();
        let mut second = run(&mut store, 2);
        let outcome = store.keep(&mut second, &page("p1", &ads, Vec::new()), false).unwrap();
        assert_eq!(outcome.emptied, ["ads"]);
        assert_eq!(rows(&mut store, "select count(*) from ads_now"), ["2"]);
        let outcome = store.keep(&mut second, &page("p1", &ads, Vec::new()), true).unwrap();
        assert_eq!(outcome.gone, 2);
        assert_eq!(rows(&mut store, "select count(*) from ads_now"), ["0"]);
    });
}

#[test]
fn tables_grow_and_never_shrink() {
    on_each(|open| {
        let mut store = open();
        let narrow = layout("ads", &["title"]);
        let wide = layout("ads", &["title", "price:money"]);
        let mut first = run(&mut store, 1);
        let records = vec![record(&wide, &["Rake", "3"]), record(&wide, &["Twine", "4"])];
        store.keep(&mut first, &page("p1", &wide, records), false).unwrap();
        let records = vec![record(&narrow, &["Fork"]), record(&narrow, &["Hoe"])];
        store.keep(&mut first, &page("p2", &narrow, records), false).unwrap();
        let other = layout("ads", &["title", "price:text", "size"]);
        let records = vec![record(&other, &["Saw", "cheap", "XL"]), record(&other, &["Axe", "dear", "S"])];
        store.keep(&mut first, &page("p3", &other, records), false).unwrap();
        store.finish(first, "x").unwrap();
        // Opened again, it is the same.
        let mut store = open();
        assert_eq!(
            rows(&mut store, "select title, price, price_2, size from ads_now order by _id"),
            ["Rake|3|-|-", "Twine|4|-|-", "Fork|-|-|-", "Hoe|-|-|-", "Saw|-|cheap|XL", "Axe|-|dear|S"]
        );
    });
}

#[test]
fn a_query_does_not_write() {
    on_each(|open| {
        let mut store = open();
        let mut nobody = crate::support::Nobody;
        for sql in ["delete from _pages", "create table x (a integer)", "insert into _windrow values (1, 1)"] {
            let error = store.query(&Question { sql, ..Question::default() }, &mut nobody).unwrap_err();
            assert!(matches!(error, Error::Writes | Error::Query { .. }), "{sql}: {error:?}");
        }
        let error = store.query(&Question { sql: "select nothing from nowhere", ..Question::default() }, &mut nobody);
        assert!(matches!(error.unwrap_err(), Error::Query { .. }));
        let question = Question { sql: "select 1 where 'a' = $1", params: vec!["a".into()], ..Question::default() };
        store.query(&question, &mut nobody).unwrap();
    });
}

#[test]
fn two_wrappers_may_read_one_page() {
    on_each(|open| {
        let mut store = open();
        let ads = layout("ads", &["title"]);
        let at = "2026-11-01T08:00:00Z";
        let mut keep = |wrapper: &str, titles: [&str; 2]| {
            let version = store.version(wrapper, wrapper, "toml", "given", at).unwrap();
            let mut run = store.begin(version.id, at).unwrap();
            let page = page("p1", &ads, titles.map(|title| record(&ads, &[title])).into());
            assert!(!store.is_unchanged("p1", &page.hash, version.id).unwrap());
            store.keep(&mut run, &page, false).unwrap();
            store.finish(run, at).unwrap();
            assert!(store.is_unchanged("p1", &page.hash, version.id).unwrap());
        };
        keep("one", ["Rake", "Twine"]);
        keep("other", ["Fork", "Hoe"]);
        assert_eq!(rows(&mut store, "select title from ads_now order by _id"), ["Rake", "Twine", "Fork", "Hoe"]);
    });
}

#[test]
fn a_declared_key_is_good_everywhere() {
    on_each(|open| {
        let mut store = open();
        let mut ads = layout("ads", &["street", "day", "price:money"]);
        ads.key = vec!["street".into(), "day".into()];
        let mut first = run(&mut store, 1);
        store.keep(&mut first, &page("p1", &ads, vec![record(&ads, &["Elm", "Mo", "1"])]), false).unwrap();
        store.finish(first, "x").unwrap();
        let mut second = run(&mut store, 2);
        let records = vec![record(&ads, &["Elm", "Tu", "1"]), record(&ads, &["Elm", "Mo", "2"])];
        let outcome = store.keep(&mut second, &page("p2", &ads, records), false).unwrap();
        assert_eq!((outcome.inserted, outcome.updated), (1, 1));
        store.finish(second, "x").unwrap();
        assert_eq!(rows(&mut store, "select _key from ads order by _id"), ["Elm|Mo", "Elm|Tu"]);
    });
}
