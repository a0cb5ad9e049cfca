//! Which record is which: across wrappers, pages, runs and keys.

use windrow_store::{Form, Layout, Page, Store, Value, Which};

use crate::support::{layout, on_each, page, record, rows, run};

/// Keeps a page by a run of its own; what became of its records.
fn keep(store: &mut Store, wrapper: &str, day: u32, page: &Page) -> (u64, u64, u64) {
    let at = format!("2026-11-{day:02}T08:00:00Z");
    let version = store.version(wrapper, &format!("{:?}", page.layouts), "toml", "given", &at).unwrap();
    let mut run = store.begin(version.id, &at).unwrap();
    let outcome = store.keep(&mut run, page, false).unwrap();
    store.finish(run, &at).unwrap();
    (outcome.inserted, outcome.updated, outcome.gone)
}

fn ads() -> Layout {
    layout("ads", &["title", "link:url"])
}

#[test]
fn wrappers_that_share_a_list_keep_their_hands_off_each_others_records() {
    on_each(|open| {
        let mut store = open();
        let (ads, other) = (ads(), layout("ads", &["name", "link:url", "price:money"]));
        let first = page("p1", &ads, vec![record(&ads, &["Rake", "/1"]), record(&ads, &["Twine", "/2"])]);
        let second = |price: &str| {
            page("p9", &other, vec![record(&other, &["R", "/1", price]), record(&other, &["F", "/3", "5"])])
        };
        assert_eq!(keep(&mut store, "one", 1, &first), (2, 0, 0));
        assert_eq!(keep(&mut store, "other", 1, &second("1")), (2, 0, 0));
        assert_eq!(keep(&mut store, "one", 2, &first), (0, 0, 0));
        assert_eq!(keep(&mut store, "other", 2, &second("2")), (0, 1, 0));
        let fewer = page("p9", &other, vec![record(&other, &["F", "/3", "5"])]);
        assert_eq!(keep(&mut store, "other", 3, &fewer), (0, 0, 1));
        assert_eq!(
            rows(&mut store, "select title from ads_now where title is not null order by _id"),
            ["Rake", "Twine"]
        );
        let mut names = Vec::new();
        let each = |record: windrow_store::Record| {
            names.push(record.values[2].clone());
            true
        };
        store.records_of("other", "ads", Which::Present, Form::Typed, each).unwrap();
        assert_eq!(names, [Value::Text("F".into())]);
    });
}

#[test]
fn wrappers_have_keys_of_their_own() {
    on_each(|open| {
        let mut store = open();
        let ads = ads();
        let mut codes = layout("ads", &["code", "price:money"]);
        codes.key = vec!["code".into()];
        keep(&mut store, "one", 1, &page("p1", &ads, vec![record(&ads, &["a", "/1"]), record(&ads, &["b", "/2"])]));
        // What has no link is not told by it.
        for (name, code) in [("p1", "x"), ("p2", "y")] {
            let records = vec![record(&codes, &[code, "1"])];
            assert_eq!(keep(&mut store, "other", 1, &page(name, &codes, records)), (1, 0, 0));
        }
        assert_eq!(rows(&mut store, "select code from ads_now where code is not null order by _id"), ["x", "y"]);
    });
}

#[test]
fn a_key_that_is_declared_later_finds_the_records_that_are_there() {
    on_each(|open| {
        let mut store = open();
        let plain = layout("ads", &["sku:number", "title"]);
        let mut keyed = plain.clone();
        keyed.key = vec!["sku".into()];
        let records = |layout: &Layout, titles: [&str; 3]| {
            let skus = ["007", "8", "9"];
            skus.iter().zip(titles).map(|(sku, title)| record(layout, &[sku, title])).collect::<Vec<_>>()
        };
        keep(&mut store, "shop", 1, &page("p1", &plain, records(&plain, ["Rake", "Twine", "Fork"])));
        // Under its title the second would be gone, and another new.
        let renamed = page("p1", &keyed, records(&keyed, ["Rake", "Best twine", "Fork"]));
        assert_eq!(keep(&mut store, "shop", 2, &renamed), (0, 1, 0));
        assert_eq!(rows(&mut store, "select _key from ads order by _id"), ["7", "8", "9"]);
    });
}

#[test]
fn a_list_that_began_with_one_record_finds_its_key_later() {
    on_each(|open| {
        let mut store = open();
        let ads = ads();
        let ad = |n: usize| record(&ads, &[&format!("Ad {n}"), &format!("/{n}")]);
        assert_eq!(keep(&mut store, "shop", 1, &page("p1", &ads, vec![ad(1)])), (1, 0, 0));
        assert_eq!(keep(&mut store, "shop", 2, &page("p1", &ads, vec![ad(2), ad(1)])), (1, 0, 0));
        assert_eq!(rows(&mut store, "select title, _key from ads order by _id"), ["Ad 1|/1", "Ad 2|/2"]);
    });
}

#[test]
fn a_wrapper_that_loses_the_field_it_told_by_finds_another() {
    on_each(|open| {
        let mut store = open();
        let (ads, titles) = (ads(), layout("ads", &["title"]));
        keep(&mut store, "shop", 1, &page("p1", &ads, vec![record(&ads, &["a", "/1"]), record(&ads, &["b", "/2"])]));
        let now = page("p1", &titles, vec![record(&titles, &["b"]), record(&titles, &["c"]), record(&titles, &["a"])]);
        assert_eq!(keep(&mut store, "shop", 2, &now), (1, 0, 0));
        let elsewhere = page("p2", &titles, vec![record(&titles, &["a"]), record(&titles, &["b"])]);
        assert_eq!(keep(&mut store, "shop", 2, &elsewhere), (2, 0, 0));
    });
}

#[test]
fn a_record_without_its_key_is_its_pages_own() {
    on_each(|open| {
        let mut store = open();
        let ads = ads();
        let with = |extra: &str, n: usize| {
            let records = vec![record(&ads, &["x", &format!("/{n}")]), record(&ads, &["y", &format!("/{n}y")])];
            page(&format!("p{n}"), &ads, [records, vec![record(&ads, &[extra, ""])]].concat())
        };
        assert_eq!(keep(&mut store, "shop", 1, &with("one", 1)), (3, 0, 0));
        assert_eq!(keep(&mut store, "shop", 2, &with("two", 2)), (3, 0, 0));
        assert_eq!(keep(&mut store, "shop", 3, &with("one", 1)), (0, 0, 0));
        assert_eq!(rows(&mut store, "select count(*) from ads_now"), ["6"]);
    });
}

#[test]
fn keys_of_any_length_and_with_any_signs_do_not_collide() {
    on_each(|open| {
        let mut store = open();
        let ads = ads();
        let long = format!("https://example.org/{}", "x".repeat(5000));
        let links = ["/x", "/x", "/x#2", "/x\\#2", "/x|", "\0", "%00", &long, &format!("{long}y"), "ﬀ\u{202e}"];
        let records = || links.iter().map(|link| record(&ads, &["same", link])).collect::<Vec<_>>();
        // Two of them are the same, so titles or places would have to do; the wrapper says otherwise.
        let mut ads = ads.clone();
        ads.key = vec!["link".into()];
        assert_eq!(keep(&mut store, "shop", 1, &page("p1", &ads, records())), (links.len() as u64, 0, 0));
        assert_eq!(keep(&mut store, "shop", 2, &page("p1", &ads, records())), (0, 0, 0));
        let long = rows(&mut store, &format!("select count(*) from ads where link = '{long}'"));
        assert_eq!(long, ["1"]);
    });
}

#[test]
fn equal_records_on_a_page_are_several() {
    on_each(|open| {
        let mut store = open();
        let ads = layout("ads", &["title"]);
        let of = |count: usize| page("p1", &ads, vec![record(&ads, &["Rake"]); count]);
        assert_eq!(keep(&mut store, "shop", 1, &of(3)), (3, 0, 0));
        assert_eq!(keep(&mut store, "shop", 2, &of(3)), (0, 0, 0));
        assert_eq!(keep(&mut store, "shop", 3, &of(2)), (0, 0, 1));
    });
}

#[test]
fn a_record_on_two_pages_stays_while_one_shows_it() {
    on_each(|open| {
        let mut store = open();
        let ads = ads();
        let ad = |n: usize| record(&ads, &[&format!("Ad {n}"), &format!("/{n}")]);
        let p1 = page("p1", &ads, vec![ad(1), ad(2)]);
        let p2 = page("p2", &ads, vec![ad(2), ad(3)]);
        let mut first = run(&mut store, 1);
        store.keep(&mut first, &p1, false).unwrap();
        assert_eq!(store.keep(&mut first, &p2, false).unwrap().inserted, 1);
        store.finish(first, "x").unwrap();
        let sql = "select page, _path from ads_now join ads using (_id) where ads.title = 'Ad 2'";
        // The first loses it; the second is as it was, and not read again.
        let mut second = run(&mut store, 2);
        let outcome = store.keep(&mut second, &page("p1", &ads, vec![ad(1)]), false).unwrap();
        assert_eq!(outcome.gone, 0);
        store.keep_unchanged(&mut second, "p2").unwrap();
        store.finish(second, "x").unwrap();
        assert_eq!(rows(&mut store, &sql.replace("join ads using (_id)", "n join ads on ads._id = n._id")), ["p2|-"]);
        let mut third = run(&mut store, 3);
        assert_eq!(store.keep(&mut third, &page("p2", &ads, vec![ad(3)]), false).unwrap().gone, 1);
    });
}

#[test]
fn an_address_with_different_things_behind_it_is_stable_in_any_order() {
    on_each(|open| {
        let mut store = open();
        let ads = ads();
        let of = |name: &str, title: &str| {
            page(name, &ads, vec![record(&ads, &[title, "/same"]), record(&ads, &[name, &format!("/{name}")])])
        };
        let pages = [of("p1", "one thing"), of("p2", "another")];
        for (day, order) in [[0, 1], [1, 0], [0, 1]].into_iter().enumerate() {
            let mut run = run(&mut store, day as u32 + 1);
            for number in order {
                let outcome = store.keep(&mut run, &pages[number], false).unwrap();
                let expected = if day == 0 { 2 } else { 0 };
                assert_eq!((outcome.inserted, outcome.updated, outcome.gone), (expected, 0, 0), "day {day}");
            }
            store.finish(run, "x").unwrap();
        }
    });
}

#[test]
fn a_declared_key_on_two_pages_is_one_record_that_does_not_flutter() {
    on_each(|open| {
        let mut store = open();
        let mut ads = layout("ads", &["sku", "price:money"]);
        ads.key = vec!["sku".into()];
        let of = |name: &str, price: &str| page(name, &ads, vec![record(&ads, &["A1", price])]);
        for day in 1..4 {
            let mut run = run(&mut store, day);
            store.keep(&mut run, &of("p1", "10"), false).unwrap();
            store.keep(&mut run, &of("p2", "12"), false).unwrap();
            store.finish(run, "x").unwrap();
        }
        assert_eq!(rows(&mut store, "select page, price from ads_now"), ["p1|10"]);
        assert_eq!(rows(&mut store, "select count(*) from _changes"), ["0"]);
    });
}

#[test]
fn two_addresses_of_one_content_are_one_page() {
    on_each(|open| {
        let mut store = open();
        let ads = layout("ads", &["title"]);
        let of = |name: &str| page(name, &ads, vec![record(&ads, &["Rake"]), record(&ads, &["Twine"])]);
        for day in 1..3 {
            let mut run = run(&mut store, day);
            for name in ["http://example.org/", "https://example.org/"] {
                store.keep(&mut run, &of(name), false).unwrap();
            }
            store.finish(run, "x").unwrap();
        }
        assert_eq!(rows(&mut store, "select count(*) from ads"), ["2"]);
        assert_eq!(rows(&mut store, "select count(*) from _changes"), ["0"]);
    });
}

#[test]
fn a_field_of_another_type_has_another_column_and_leaves_the_old_one() {
    on_each(|open| {
        let mut store = open();
        let (text, money) = (layout("ads", &["title", "price:text"]), layout("ads", &["title", "price:money"]));
        keep(&mut store, "shop", 1, &page("p1", &text, vec![record(&text, &["a", "3"]), record(&text, &["b", "4"])]));
        let now = page("p1", &money, vec![record(&money, &["a", "3"]), record(&money, &["b", "4"])]);
        assert_eq!(keep(&mut store, "shop", 2, &now), (0, 2, 0));
        assert_eq!(rows(&mut store, "select price, price_2 from ads_now order by _id"), ["-|3", "-|4"]);
        let was = rows(&mut store, "select cast(was as text) from _changes order by record");
        assert!(was[0].contains(r#""3""#), "{was:?}");
        // A link in place of a text reads the same, and goes into the new column all the same.
        let link = layout("ads", &["title:url", "price:money"]);
        let now = page("p1", &link, vec![record(&link, &["a", "3"]), record(&link, &["b", "4"])]);
        assert_eq!(keep(&mut store, "shop", 3, &now), (0, 2, 0));
        assert_eq!(rows(&mut store, "select title, title_2 from ads_now order by _id"), ["-|a", "-|b"]);
    });
}

#[test]
fn what_records_were_before_a_run_can_be_read() {
    on_each(|open| {
        let mut store = open();
        let ads = layout("ads", &["title", "price:money", "stars:number"]);
        let of = |price: &str| page("p1", &ads, vec![record(&ads, &["a", price, "5"]), record(&ads, &["b", "2", "4"])]);
        for (day, price) in [(1, "1.50"), (2, ""), (3, "7")] {
            keep(&mut store, "shop", day, &of(price));
        }
        let mut read = |which: Which, form: Form| {
            let mut first = Vec::new();
            store
                .records("ads", which, form, |record| {
                    first.push(record.values[1].clone());
                    false
                })
                .unwrap();
            first.remove(0)
        };
        assert_eq!(read(Which::Before(2), Form::Raw), Value::Text("~1.50".into()));
        assert!(
            matches!(read(Which::Before(2), Form::Typed), Value::Money { amount, .. } if amount.starts_with("1.5"))
        );
        assert_eq!(read(Which::Before(3), Form::Raw), Value::Null);
        assert_eq!(read(Which::Present, Form::Raw), Value::Text("~7".into()));
    });
}

#[test]
fn a_list_inside_records_of_which_nothing_is_left_is_broken_too() {
    on_each(|open| {
        let mut store = open();
        let mut ads = layout("ads", &["title"]);
        ads.lists.push(layout("sellers", &["name"]));
        ads.lists[0].lists.push(layout("phones", &["number"]));
        let of = |sellers: &[&str]| {
            let ad = |title: &str| {
                let mut ad = record(&ads, &[title]);
                let seller = |name: &&str| {
                    let mut seller = record(&ads.lists[0], &[name]);
                    seller.lists[0] =
                        vec![record(&ads.lists[0].lists[0], &["1"]), record(&ads.lists[0].lists[0], &["2"])];
                    seller
                };
                ad.lists[0] = sellers.iter().map(seller).collect();
                ad
            };
            page("p1", &ads, vec![ad("Rake"), ad("Twine")])
        };
        assert_eq!(keep(&mut store, "shop", 1, &of(&["Ann", "Bob"])), (2 + 4 + 8, 0, 0));
        let mut second = run(&mut store, 2);
        let outcome = store.keep(&mut second, &of(&[]), false).unwrap();
        assert_eq!((outcome.gone, outcome.emptied), (0, vec!["ads.sellers".to_owned()]));
        let outcome = store.keep(&mut second, &of(&["Bob"]), false).unwrap();
        assert_eq!((outcome.gone, outcome.inserted), (2 + 4, 0));
        let sql = "select count(*) from ads_sellers_phones_now";
        assert_eq!(rows(&mut store, sql), ["4"]);
        let outcome = store.keep(&mut second, &of(&[]), true).unwrap();
        assert_eq!(outcome.gone, 2 + 4);
    });
}

#[test]
fn a_record_is_seen_with_its_page_while_that_stays_as_it_is() {
    on_each(|open| {
        let mut store = open();
        let ads = layout("ads", &["title"]);
        let p1 = page("p1", &ads, vec![record(&ads, &["a"]), record(&ads, &["b"])]);
        keep(&mut store, "shop", 1, &p1);
        let at = "2026-11-02T08:00:00Z";
        let mut second = store.begin(1, at).unwrap();
        store.keep_unchanged(&mut second, "p1").unwrap();
        store.finish(second, at).unwrap();
        assert_eq!(rows(&mut store, "select distinct last_seen from ads_now"), [at]);
        // The page was seen, and nothing of it.
        let mut third = store.begin(1, "2026-11-03T08:00:00Z").unwrap();
        store.keep(&mut third, &page("p1", &ads, Vec::new()), false).unwrap();
        assert_eq!(rows(&mut store, "select distinct last_seen from ads_now"), ["2026-11-01T08:00:00Z"]);
    });
}
