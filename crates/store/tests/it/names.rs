//! Labels and values of all sorts.

use windrow_store::{Error, Form, Found, FoundValue, Value, Which};

use crate::support::{layout, on_each, page, record, rows, run};

#[test]
fn labels_of_all_sorts_are_kept_apart() {
    on_each(|open| {
        let labels = [
            "order",
            "Order",
            "ORDER",
            "select",
            "_id",
            "id",
            "_gone",
            "page",
            "first_seen",
            "last_seen",
            "xmin",
            "ctid",
            "rowid",
            "a b",
            "a-b",
            "a__raw",
            "a",
            "price",
            "Größe",
            "größe",
            "GRÖSSE",
            "",
            "***",
            "\0",
            "a\0b",
            "\"x\"",
            "1",
            "sqlite_x",
            "İ",
            "ﬀ",
            "名前",
            "a.b",
            "'; drop table _pages; --",
        ];
        let columns: Vec<String> = labels.iter().map(|label| label.replace(':', " ")).collect();
        let columns: Vec<&str> = columns.iter().map(String::as_str).collect();
        let values: Vec<String> = (0..labels.len()).map(|n| format!("value {n}")).collect();
        let values: Vec<&str> = values.iter().map(String::as_str).collect();
        for label in ["order", "Order", "order_now", "sqlite_master", "pg_class", "_pages", "pages now", "pages", "\0"]
        {
            let list = layout(label, &columns);
            for day in 1..3 {
                // Opened again, it knows them again.
                let mut store = open();
                let mut run = run(&mut store, day);
                let outcome = store.keep(&mut run, &page(label, &list, vec![record(&list, &values)]), false).unwrap();
                assert_eq!((outcome.inserted, outcome.updated), (u64::from(day == 1), 0), "{label}");
                store.finish(run, "x").unwrap();
                let mut read = Vec::new();
                let label = label.replace('\0', "\u{fffd}");
                store
                    .records(&label, Which::Present, Form::Typed, |record| {
                        read.push(record.values);
                        true
                    })
                    .unwrap();
                let expected: Vec<Value> = values.iter().map(|value| Value::Text((*value).into())).collect();
                assert_eq!(read, [expected], "{label}");
            }
        }
    });
}

#[test]
fn a_field_called_like_the_views_own_has_a_number() {
    on_each(|open| {
        let mut store = open();
        let ads = layout("ads", &["page", "xmin:number"]);
        let mut run = run(&mut store, 1);
        store.keep(&mut run, &page("p1", &ads, vec![record(&ads, &["seven", "3"])]), false).unwrap();
        assert_eq!(rows(&mut store, "select page, page_2, xmin_2 from ads_now"), ["p1|seven|3"]);
    });
}

#[test]
fn long_names_in_lists_in_lists() {
    on_each(|open| {
        let mut store = open();
        let long = "a label that is as long as some people make them, and longer still";
        let column = format!("{long}:money");
        let mut deepest = layout(long, &[&column, &format!("{long} too:date")]);
        let mut found = record(&deepest, &["1", "2026-11-01"]);
        for _ in 0..4 {
            let mut around = layout(long, &[&column, &format!("{long} too:date")]);
            around.lists = vec![deepest];
            deepest = around;
            let mut outer = record(&deepest, &["1", "2026-11-01"]);
            outer.lists[0] = vec![found];
            found = outer;
        }
        let mut run = run(&mut store, 1);
        let outcome = store.keep(&mut run, &page("p1", &deepest, vec![found]), false).unwrap();
        assert_eq!(outcome.inserted, 5);
    });
}

#[test]
fn values_that_no_column_takes_are_nothing_and_their_texts_are_kept() {
    on_each(|open| {
        let mut store = open();
        let ads = layout("ads", &["title", "n:number", "when:date"]);
        let digits = "9".repeat(1000);
        let huge = "9".repeat(200_000);
        let date = "2026".repeat(3000);
        let numbers =
            ["NaN", "inf", "abc", "1e99999", "", "-", &huge, &digits, "1e400", "12345678901234567890", "-7.25"];
        let records = |texts: &[&str]| {
            texts
                .iter()
                .map(|text| record(&ads, &[&format!("{} {}", text.len(), &text[..text.len().min(9)]), text, &date]))
                .collect::<Vec<_>>()
        };
        for day in 1..3 {
            let mut run = run(&mut store, day);
            let outcome = store.keep(&mut run, &page("p1", &ads, records(&numbers)), false).unwrap();
            assert_eq!(outcome.updated, 0);
            store.finish(run, "x").unwrap();
        }
        let read = rows(&mut store, "select n from ads where n is not null order by _id");
        assert_eq!(read.last().unwrap(), "-7.25");
        assert!(read.len() >= 2, "{read:?}");
        assert_eq!(rows(&mut store, "select count(*) from ads where n__raw = '~abc' and n is null"), ["1"]);
        assert_eq!(rows(&mut store, "select count(*) from ads where \"when\" is not null"), ["0"]);
        assert_eq!(rows(&mut store, "select n__raw from ads where n = -7.25"), ["~-7.25"]);
    });
}

#[test]
fn nul_and_odd_signs_in_values_and_places() {
    on_each(|open| {
        let mut store = open();
        let ads = layout("ads", &["title", "link:url"]);
        let odd = "a\0b\u{202e}\u{1}\u{fffe}𝔘\\u0000\"'";
        let mut records = vec![record(&ads, &[odd, odd]), record(&ads, &["x", "y"])];
        records[0].place.path = odd.to_owned();
        records[0].values[0].place.as_mut().unwrap().path = odd.to_owned();
        for day in 1..3 {
            let mut run = run(&mut store, day);
            let mut page = page(odd, &ads, records.clone());
            page.name = odd.to_owned();
            let outcome = store.keep(&mut run, &page, false).unwrap();
            assert_eq!(outcome.inserted, if day == 1 { 2 } else { 0 });
            store.finish(run, "x").unwrap();
        }
        assert_eq!(rows(&mut store, "select title from ads order by _id")[0], odd.replace('\0', "\u{fffd}"));
        assert_eq!(store.check("shop").unwrap().findings, []);
    });
}

#[test]
fn records_with_too_few_values_lack_the_others() {
    on_each(|open| {
        let mut store = open();
        let ads = layout("ads", &["title", "price:money"]);
        let short = Found {
            values: vec![FoundValue { value: Value::Text("b".into()), ..FoundValue::default() }],
            ..Found::default()
        };
        let mut run = run(&mut store, 1);
        store.keep(&mut run, &page("p1", &ads, vec![record(&ads, &["a", "3"]), short]), false).unwrap();
        assert_eq!(rows(&mut store, "select title, price, price__raw from ads order by _id"), ["a|3|~3", "b|-|-"]);
    });
}

#[test]
fn four_hundred_fields_and_no_more() {
    on_each(|open| {
        let mut store = open();
        let columns = |from: usize, to: usize| (from..to).map(|n| format!("field {n}:money")).collect::<Vec<_>>();
        let wide = |columns: &[String]| layout("ads", &columns.iter().map(String::as_str).collect::<Vec<_>>());
        let all = wide(&columns(0, 400));
        let mut run = run(&mut store, 1);
        let values: Vec<String> = (0..400).map(|n| n.to_string()).collect();
        let values: Vec<&str> = values.iter().map(String::as_str).collect();
        store.keep(&mut run, &page("p1", &all, vec![record(&all, &values)]), false).unwrap();
        assert_eq!(rows(&mut store, "select field_399, field_399__currency from ads_now"), ["399|EUR"]);
        // Over time no more than that, either.
        let more = wide(&columns(400, 401));
        let error = store.keep(&mut run, &page("p2", &more, vec![record(&more, &["1"])]), false).unwrap_err();
        assert!(matches!(error, Error::TooWide { columns: 401, .. }), "{error:?}");
        // And nothing of it is left.
        assert_eq!(rows(&mut store, "select count(*) from _pages"), ["1"]);
    });
}
