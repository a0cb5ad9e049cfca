use windrow_store::{FaultKind, Layout, Store};

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

fn findings(store: &mut Store) -> Vec<(String, FaultKind, String)> {
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
        assert_eq!(findings(&mut store), [("ads".into(), FaultKind::Emptied, "2026-11-02".into())]);
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
        assert_eq!(findings(&mut store), [("ads.price".into(), FaultKind::Missing, "2026-11-02".into())]);
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
                ("ads.code".into(), FaultKind::Reshaped, "2026-11-03".into()),
                ("ads.title".into(), FaultKind::Constant, "2026-11-03".into())
            ]
        );
        day(&mut store, 4, &codes, &good[..2]);
        assert_eq!(findings(&mut store), [("ads".into(), FaultKind::Fewer, "2026-11-04".into())]);
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
            ("ads".into(), FaultKind::Emptied, "2026-11-02".into()),
            ("ads.price".into(), FaultKind::Missing, "2026-11-02".into()),
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
        assert_eq!(findings(&mut store), [("ads".into(), FaultKind::Emptied, "2026-11-02".into())]);
        // One that read nothing changes nothing, and says so.
        let third = run(&mut store, 3);
        store.keep_failed(&third).unwrap();
        drop(third);
        assert_eq!(findings(&mut store), [("ads".into(), FaultKind::Emptied, "2026-11-02".into())]);
        assert_eq!(store.check("shop").unwrap().failed, 1);
    });
}

#[test]
fn three_titles_of_three_shapes_may_be_followed_by_others() {
    on_each(|open| {
        let mut store = open();
        let titles =
            ["Rake, used", "Twine: 12 rolls", "Old wagon", "Bale 1", "Bale 2", "Bale 3", "Bale 4", "Bale 5", "Bale 6"];
        let ads: Vec<(&str, &str)> = titles.iter().map(|title| (*title, "5")).collect();
        for number in 1..=3 {
            day(&mut store, number, &self::ads(), &ads[..3]);
        }
        day(&mut store, 4, &self::ads(), &ads);
        assert_eq!(findings(&mut store), []);
    });
}

/// A page of products that changes from day to day.
struct Shop {
    layout: Layout,
    rows: Vec<Vec<String>>,
    day: u32,
}

impl Shop {
    /// Ten products, known by their links.
    fn new() -> Shop {
        let layout = layout("ads", &["link:url", "title", "brand", "price:money", "views:number", "date:date"]);
        let titles =
            ["Rake, 2 wheels", "Twine", "Old wagon", "Fork (new)", "Hoe", "Saw 3", "Axe!", "Pot", "Pan - red", "Cup"];
        let rows = titles.iter().enumerate().map(|(n, title)| {
            let n = n as u32;
            vec![
                format!("https://example.org/{n}"),
                (*title).to_owned(),
                format!("Maker {}", char::from(b'A' + (n % 7) as u8)),
                format!("{}.50", 10 + n * n * 3),
                format!("{}", 3 + n * n * 40),
                format!("2026-10-{:02}", 1 + n * 2),
            ]
        });
        Shop { layout, rows: rows.collect(), day: 0 }
    }

    fn keep(&mut self, store: &mut Store) {
        self.day += 1;
        let mut run = run(store, self.day);
        let records =
            self.rows.iter().map(|row| record(&self.layout, &row.iter().map(String::as_str).collect::<Vec<_>>()));
        store.keep(&mut run, &page("p1", &self.layout, records.collect()), false).unwrap();
        store.finish(run, "x").unwrap();
    }

    fn change(&mut self, column: usize, value: impl Fn(usize, &str) -> String) {
        for (n, row) in self.rows.iter_mut().enumerate() {
            row[column] = value(n, &row[column]);
        }
    }
}

const TITLE: usize = 1;
const BRAND: usize = 2;
const PRICE: usize = 3;
const VIEWS: usize = 4;
const DATE: usize = 5;

fn times(factor: f64) -> impl Fn(usize, &str) -> String {
    move |_, price| format!("{:.2}", price.parse::<f64>().unwrap() * factor)
}

#[test]
fn all_prices_half_as_high_again_are_told_until_they_are_back_or_accepted() {
    on_each(|open| {
        let mut store = open();
        let mut shop = Shop::new();
        shop.keep(&mut store);
        shop.change(PRICE, times(1.5));
        shop.keep(&mut store);
        let told = [("ads.price".into(), FaultKind::Shifted, "2026-11-02".into())];
        assert_eq!(findings(&mut store), told);
        let finding = store.check("shop").unwrap().findings.remove(0);
        assert_eq!(finding.to_string(), "ads.price rose by 50 %, in most records at once");
        // It does not go away by itself, whatever else changes.
        shop.change(VIEWS, |n, views| format!("{}", views.parse::<usize>().unwrap() + n));
        shop.keep(&mut store);
        assert_eq!(findings(&mut store), told);
        shop.change(PRICE, times(1.0 / 1.5));
        shop.keep(&mut store);
        assert_eq!(findings(&mut store), []);
        shop.change(PRICE, times(0.5));
        shop.keep(&mut store);
        let finding = store.check("shop").unwrap().findings.remove(0);
        assert_eq!(finding.to_string(), "ads.price fell by 50 %, in most records at once");
        store.accept("shop").unwrap();
        assert_eq!(findings(&mut store), []);
        shop.change(PRICE, times(1.01));
        shop.keep(&mut store);
        assert_eq!(findings(&mut store), []);
    });
}

#[test]
fn a_lost_decimal_point_is_told() {
    on_each(|open| {
        let mut store = open();
        let mut shop = Shop::new();
        shop.keep(&mut store);
        shop.change(PRICE, times(100.0));
        shop.keep(&mut store);
        let finding = store.check("shop").unwrap().findings.remove(0);
        assert_eq!(finding.to_string(), "ads.price is 100 times what it was, in most records at once");
    });
}

#[test]
fn a_lost_decimal_point_is_told_of_other_records_too() {
    on_each(|open| {
        let mut store = open();
        let mut shop = Shop::new();
        shop.keep(&mut store);
        // News: other records every day, at prices of their own.
        for (day, factor) in [(1, 1.7), (2, 0.6), (3, 1.2)] {
            shop.change(0, |n, _| format!("https://example.org/{day}{n}"));
            shop.change(PRICE, times(factor));
            shop.keep(&mut store);
            assert_eq!(findings(&mut store), [], "{day}");
        }
        shop.change(0, |n, _| format!("https://example.org/4{n}"));
        shop.change(PRICE, times(100.0));
        shop.keep(&mut store);
        assert_eq!(findings(&mut store), [("ads.price".into(), FaultKind::Shifted, "2026-11-05".into())]);
    });
}

#[test]
fn a_single_record_on_each_of_many_pages() {
    on_each(|open| {
        let mut store = open();
        let layout = layout("product", &["title", "price:money"]);
        let mut day = |number: u32, factor: usize| {
            let mut run = run(&mut store, number);
            for n in 0..8 {
                let product = record(&layout, &[&format!("Product {n}"), &format!("{}", (n + 3) * factor)]);
                store.keep(&mut run, &page(&format!("p{n}"), &layout, vec![product]), false).unwrap();
            }
            store.finish(run, "x").unwrap();
            findings(&mut store)
        };
        assert_eq!(day(1, 10), []);
        assert_eq!(day(2, 10), []);
        assert_eq!(day(3, 15), [("product.price".into(), FaultKind::Shifted, "2026-11-03".into())]);
        assert_eq!(day(4, 15), [("product.price".into(), FaultKind::Shifted, "2026-11-03".into())]);
        assert_eq!(day(5, 10), []);
    });
}

#[test]
fn ordinary_days_are_no_alarm() {
    on_each(|open| {
        let mut store = open();
        let mut shop = Shop::new();
        shop.keep(&mut store);
        let mut fine = |shop: &mut Shop, why: &str| {
            shop.keep(&mut store);
            assert_eq!(findings(&mut store), [], "{why}");
        };
        // Views grow, and those of new articles manyfold.
        shop.change(VIEWS, |n, views| format!("{}", views.parse::<usize>().unwrap() + 25 * (10 - n)));
        fine(&mut shop, "views");
        // A sale on six of ten.
        shop.change(PRICE, |n, price| if n < 6 { times(0.5)(n, price) } else { price.to_owned() });
        fine(&mut shop, "a sale");
        shop.change(PRICE, |n, price| if n < 6 { times(2.0)(n, price) } else { price.to_owned() });
        shop.change(VIEWS, |n, views| format!("{}", views.parse::<usize>().unwrap() * (2 + n)));
        fine(&mut shop, "the end of the sale");
        shop.change(PRICE, times(1.04));
        fine(&mut shop, "inflation");
        shop.change(PRICE, times(0.81));
        fine(&mut shop, "a fifth off on everything");
        // Some dates are put off; one title is mended.
        shop.change(DATE, |n, date| if n < 4 { format!("2026-12-{:02}", n + 1) } else { date.to_owned() });
        shop.change(TITLE, |n, title| if n == 3 { "Fork".to_owned() } else { title.to_owned() });
        fine(&mut shop, "dates and titles");
        // A new record, one gone.
        shop.rows.remove(0);
        let mut new = shop.rows[0].clone();
        new[0] = "https://example.org/new".to_owned();
        shop.rows.push(new);
        fine(&mut shop, "new and gone");
    });
}

#[test]
fn amounts_in_another_currency_are_not_compared() {
    on_each(|open| {
        let mut store = open();
        let mut shop = Shop::new();
        shop.keep(&mut store);
        shop.change(PRICE, times(160.0));
        shop.day += 1;
        let mut second = run(&mut store, shop.day);
        let mut records: Vec<_> = (shop.rows.iter())
            .map(|row| record(&shop.layout, &row.iter().map(String::as_str).collect::<Vec<_>>()))
            .collect();
        for found in &mut records {
            let windrow_store::Value::Money { currency, .. } = &mut found.values[PRICE].value else { unreachable!() };
            *currency = Some("JPY".to_owned());
        }
        store.keep(&mut second, &page("p1", &shop.layout, records), false).unwrap();
        store.finish(second, "x").unwrap();
        assert_eq!(findings(&mut store), []);
    });
}

#[test]
fn dates_that_all_moved_by_as_much_are_told_and_the_calendar_is_not() {
    on_each(|open| {
        let mut store = open();
        let mut shop = Shop::new();
        shop.change(DATE, |n, _| format!("2026-10-{:02}", n + 1));
        shop.keep(&mut store);
        shop.change(DATE, |n, _| format!("2026-10-{:02}", n + 2));
        shop.keep(&mut store);
        assert_eq!(findings(&mut store), []);
        shop.change(DATE, |n, _| format!("2025-10-{:02}", n + 2));
        shop.keep(&mut store);
        assert_eq!(findings(&mut store), [("ads.date".into(), FaultKind::Redated, "2026-11-03".into())]);
        let finding = store.check("shop").unwrap().findings.remove(0);
        assert_eq!(finding.to_string(), "ads.date is 365 days earlier, in most records at once");
    });
}

#[test]
fn a_field_that_reads_another_field_is_told() {
    on_each(|open| {
        let mut store = open();
        let mut shop = Shop::new();
        shop.keep(&mut store);
        // The price as it stands on the page.
        for row in &mut shop.rows {
            row[TITLE] = format!("~{}", row[PRICE]);
        }
        shop.keep(&mut store);
        shop.keep(&mut store);
        assert_eq!(findings(&mut store), [("ads.title".into(), FaultKind::Copied, "2026-11-02".into())]);
        let finding = store.check("shop").unwrap().findings.remove(0);
        assert_eq!(finding.to_string(), "ads.title is the same as ads.price in 100 % of the records; before, in 0 %");
        // Numbers where there were words, though of no other field.
        shop.change(TITLE, |n, _| format!("{n}{n}7 cm"));
        shop.keep(&mut store);
        assert_eq!(findings(&mut store), [("ads.title".into(), FaultKind::Reshaped, "2026-11-02".into())]);
    });
}

#[test]
fn texts_that_all_change_are_told_if_they_never_did() {
    on_each(|open| {
        let mut store = open();
        let mut shop = Shop::new();
        shop.keep(&mut store);
        shop.change(TITLE, |n, title| if n == 3 { "Fork".to_owned() } else { title.to_owned() });
        shop.keep(&mut store);
        let names = ["Ann", "Bob", "Cleo", "Dan", "Eve", "Finn", "Gus", "Hal", "Ivy", "Joe"];
        let titles: Vec<String> = shop.rows.iter().map(|row| row[TITLE].clone()).collect();
        shop.change(TITLE, |n, _| names[n].to_owned());
        shop.keep(&mut store);
        shop.keep(&mut store);
        assert_eq!(findings(&mut store), [("ads.title".into(), FaultKind::Rewritten, "2026-11-03".into())]);
        shop.change(TITLE, |n, _| titles[n].clone());
        shop.keep(&mut store);
        assert_eq!(findings(&mut store), []);
    });
}

#[test]
fn texts_that_stand_twice_are_told() {
    on_each(|open| {
        let mut store = open();
        let mut shop = Shop::new();
        shop.keep(&mut store);
        shop.change(BRAND, |_, brand| format!("{brand} {brand}"));
        shop.keep(&mut store);
        assert_eq!(findings(&mut store), [("ads.brand".into(), FaultKind::Doubled, "2026-11-02".into())]);
    });
}

#[test]
fn columns_that_changed_places_are_told_until_they_are_back() {
    on_each(|open| {
        let mut store = open();
        let mut shop = Shop::new();
        shop.keep(&mut store);
        let swap = |shop: &mut Shop| shop.rows.iter_mut().for_each(|row| row.swap(TITLE, BRAND));
        swap(&mut shop);
        shop.keep(&mut store);
        shop.keep(&mut store);
        let told = [
            ("ads.brand".into(), FaultKind::Taken, "2026-11-02".into()),
            ("ads.title".into(), FaultKind::Taken, "2026-11-02".into()),
        ];
        assert_eq!(findings(&mut store), told);
        let finding = store.check("shop").unwrap().findings.remove(1);
        assert_eq!(finding.to_string(), "ads.title now has what ads.brand had before, in 100 % of the records");
        swap(&mut shop);
        shop.keep(&mut store);
        assert_eq!(findings(&mut store), []);
        // An old price that appears when a sale begins, and the price of yesterday, are no swaps.
        for _ in 0..3 {
            for row in &mut shop.rows {
                row[VIEWS] = row[PRICE].clone();
                row[PRICE] = times(0.9)(0, &row[PRICE]);
            }
            shop.keep(&mut store);
        }
        let taken = findings(&mut store).iter().any(|(_, what, _)| *what == FaultKind::Taken);
        assert!(!taken);
    });
}

#[test]
fn elements_like_the_records_that_are_left_out_are_told() {
    on_each(|open| {
        let mut store = open();
        let mut day = |number: u32, left_out: u64, shown: usize| {
            let mut run = run(&mut store, number);
            let records = GOOD.iter().take(shown).map(|(title, price)| record(&ads(), &[title, price])).collect();
            let page = windrow_store::Page { left_out: vec![left_out], ..page("p1", &ads(), records) };
            store.keep(&mut run, &page, false).unwrap();
            store.finish(run, "x").unwrap();
            findings(&mut store)
        };
        assert_eq!(day(1, 0, 5), []);
        // Advertisements.
        assert_eq!(day(2, 3, 5), []);
        let told = [("ads".into(), FaultKind::LeftOut, "2026-11-03".into())];
        assert_eq!(day(3, 12, 5), told);
        assert_eq!(day(4, 12, 4), told);
        assert_eq!(day(5, 2, 5), []);
    });
}

#[test]
fn a_field_that_was_always_there_and_is_lost_in_some_records_is_told() {
    on_each(|open| {
        let mut store = open();
        let mut day = |number: u32, lost: u32, optional: u32| {
            let layout = layout("ads", &["title", "price:money", "city"]);
            let records = (0..60).map(|n| {
                let price = if n < lost { String::new() } else { format!("{n}") };
                let city = if n % 10 < optional { "Oslo" } else { "" };
                record(&layout, &[&format!("Ad {n}"), &price, city])
            });
            let mut run = run(&mut store, number);
            store.keep(&mut run, &page("p1", &layout, records.collect()), false).unwrap();
            store.finish(run, "x").unwrap();
            findings(&mut store)
        };
        for number in 1..9 {
            assert_eq!(day(number, 0, 3 + number % 3), []);
        }
        assert_eq!(day(9, 1, 2), []);
        assert_eq!(day(10, 12, 2), [("ads.price".into(), FaultKind::Missing, "2026-11-10".into())]);
    });
}
