//! A store against a simple model of it: pages that change at random, day by day.
//!
//! The model knows three things of a record: what it is found by, its values, and whether it is there. Everything that
//! the store says (what became of a page, what is there now, what changed and when it went) must be what the model says.

use std::collections::{BTreeMap, BTreeSet};

use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};
use windrow_store::{Form, Found, Layout, Record, Store, Value, Which};

use crate::support::{all, layout, page, record, rows, run, server_address, with_server};

/// A page on one day: the numbers of its ads in their order, each with a price and its sellers with their phones.
type State = Vec<(u8, u8, Vec<(u8, u8)>)>;

#[derive(Debug, Clone)]
struct Day {
    /// By page; a page that is not there is not read.
    pages: BTreeMap<u8, State>,
    accept_empty: bool,
}

fn state() -> impl Strategy<Value = State> {
    let sellers = proptest::collection::btree_map(0..3_u8, 0..2_u8, 0..3);
    let ads = proptest::collection::btree_map(0..8_u8, (0..3_u8, sellers), 0..6);
    // In any order.
    ads.prop_map(|ads| {
        ads.into_iter()
            .map(|(n, (price, inside))| (n, price, inside.into_iter().collect::<Vec<_>>()))
            .collect::<Vec<_>>()
    })
    .prop_shuffle()
}

fn days() -> impl Strategy<Value = Vec<Day>> {
    let pages = proptest::collection::btree_map(0..3_u8, state(), 1..4);
    let day = (pages, proptest::bool::weighted(0.3)).prop_map(|(pages, accept_empty)| Day { pages, accept_empty });
    proptest::collection::vec(day, 1..8)
}

#[derive(Debug, Clone, PartialEq, Eq)]
struct Seller {
    phone: u8,
    there: bool,
}

#[derive(Debug, Clone, PartialEq, Eq)]
struct Ad {
    price: u8,
    page: u8,
    there: bool,
    sellers: BTreeMap<u8, Seller>,
}

#[derive(Debug, Default)]
struct Model {
    /// By number: an ad's address is its number's, so that it is the same on each page.
    ads: BTreeMap<u8, Ad>,
    /// The pages that show another's ads.
    also: BTreeSet<(u8, u8)>,
    /// The pages in the order they were first read.
    pages: Vec<u8>,
    gone: u64,
    back: u64,
    changed: u64,
}

/// Outcome of storing a page: inserted, updated, gone, emptied lists.
type Told = (u64, u64, u64, Vec<String>);

impl Model {
    /// Keeps a page; `read` are the pages of this day so far, `swept` what they lost.
    fn keep(
        &mut self,
        page: u8,
        state: &State,
        accept: bool,
        read: &BTreeSet<u8>,
        swept: &mut BTreeSet<(u8, Option<u8>)>,
    ) -> Told {
        let mut told = Told::default();
        if !self.pages.contains(&page) {
            self.pages.push(page);
        }
        if state.is_empty() && !accept && self.ads.values().any(|ad| ad.there && ad.page == page) {
            told.3.push("ads".to_owned());
            return told;
        }
        self.also.retain(|(on, _)| *on != page);
        let mut own = Vec::new();
        for (n, price, sellers) in state {
            match self.ads.get_mut(n) {
                None => {
                    let ad = Ad { price: *price, page, there: true, sellers: BTreeMap::new() };
                    self.ads.insert(*n, ad);
                    told.0 += 1;
                    own.push((*n, true, sellers));
                }
                Some(ad) if ad.there && ad.page != page && read.contains(&ad.page) => {
                    self.also.insert((page, *n));
                }
                Some(ad) => {
                    if ad.price != *price {
                        (ad.price, told.1, self.changed) = (*price, told.1 + 1, self.changed + 1);
                    }
                    if !ad.there {
                        ad.there = true;
                        if swept.remove(&(*n, None)) { self.gone -= 1 } else { self.back += 1 }
                    }
                    ad.page = page;
                    own.push((*n, false, sellers));
                }
            }
        }
        let any = own.iter().any(|(_, _, sellers)| !sellers.is_empty());
        let had = own.iter().filter(|(_, new, _)| !new);
        let had = had.into_iter().any(|(n, ..)| self.ads[n].sellers.values().any(|seller| seller.there));
        if !any && had && !accept {
            told.3.push("ads.sellers".to_owned());
        } else {
            for (n, _, sellers) in &own {
                self.inside(*n, sellers, swept, &mut told);
            }
        }
        let shown: BTreeSet<u8> = state.iter().map(|(n, ..)| *n).collect();
        let lost = self.ads.iter().filter(|(n, ad)| ad.there && ad.page == page && !shown.contains(n));
        for n in lost.map(|(n, _)| *n).collect::<Vec<_>>() {
            let others = self.also.iter().filter(|(_, ad)| *ad == n);
            let other = others.min_by_key(|(page, _)| self.pages.iter().position(|known| known == page)).copied();
            let ad = self.ads.get_mut(&n).unwrap();
            if let Some(other) = other {
                ad.page = other.0;
                self.also.remove(&other);
                continue;
            }
            ad.there = false;
            (told.2, self.gone) = (told.2 + 1, self.gone + 1);
            swept.insert((n, None));
            for (name, seller) in ad.sellers.iter_mut().filter(|(_, seller)| seller.there) {
                seller.there = false;
                (told.2, self.gone) = (told.2 + 1, self.gone + 1);
                swept.insert((n, Some(*name)));
            }
        }
        told
    }

    fn inside(&mut self, n: u8, sellers: &[(u8, u8)], swept: &mut BTreeSet<(u8, Option<u8>)>, told: &mut Told) {
        let known = &mut self.ads.get_mut(&n).unwrap().sellers;
        for (name, phone) in sellers {
            let Some(seller) = known.get_mut(name) else {
                known.insert(*name, Seller { phone: *phone, there: true });
                told.0 += 1;
                continue;
            };
            if seller.phone != *phone {
                (seller.phone, told.1, self.changed) = (*phone, told.1 + 1, self.changed + 1);
            }
            if !seller.there {
                seller.there = true;
                if swept.remove(&(n, Some(*name))) { self.gone -= 1 } else { self.back += 1 }
            }
        }
        for (name, seller) in known.iter_mut().filter(|(_, seller)| seller.there) {
            if !sellers.iter().any(|(shown, _)| shown == name) {
                seller.there = false;
                (told.2, self.gone) = (told.2 + 1, self.gone + 1);
                swept.insert((n, Some(*name)));
            }
        }
    }

    /// Stored records: page, ad, price, sellers.
    fn present(&self) -> Vec<String> {
        let ads = self.ads.iter().filter(|(_, ad)| ad.there);
        let mut all: Vec<String> = ads
            .map(|(n, ad)| {
                let sellers = ad.sellers.iter().filter(|(_, seller)| seller.there);
                let mut sellers: Vec<String> = sellers.map(|(name, it)| format!("S{name}:{}", it.phone)).collect();
                sellers.sort();
                format!("p{} /{n} {} {}", ad.page, ad.price, sellers.join(","))
            })
            .collect();
        all.sort();
        all
    }
}

fn ads() -> Layout {
    let mut ads = layout("ads", &["link:url", "price:money"]);
    // Said, not found: what is found depends on what comes first.
    ads.key = vec!["link".into()];
    ads.lists.push(layout("sellers", &["name", "phone"]));
    ads.lists[0].key = vec!["name".into()];
    ads
}

fn found(ads: &Layout, state: &State) -> Vec<Found> {
    let ad = |(n, price, sellers): &(u8, u8, Vec<(u8, u8)>)| {
        let mut ad = record(ads, &[&format!("/{n}"), &price.to_string()]);
        let seller = |(name, phone): &(u8, u8)| record(&ads.lists[0], &[&format!("S{name}"), &phone.to_string()]);
        ad.lists[0] = sellers.iter().map(seller).collect();
        ad
    };
    state.iter().map(ad).collect()
}

fn shown(record: &Record) -> String {
    let text = |value: &Value| match value {
        Value::Text(text) | Value::Number(text) | Value::Money { amount: text, .. } => text.clone(),
        Value::Null => "-".to_owned(),
    };
    let seller = |seller: &Record| format!("{}:{}", text(&seller.values[0]), text(&seller.values[1]));
    let mut sellers: Vec<String> = record.lists[0].iter().map(seller).collect();
    sellers.sort();
    format!("{} {} {} {}", record.page, text(&record.values[0]), text(&record.values[1]), sellers.join(","))
}

fn check(store: &mut Store, days: &[Day]) {
    let ads = ads();
    let mut model = Model::default();
    for (number, day) in days.iter().enumerate() {
        let mut run = run(store, number as u32 + 1);
        let (mut read, mut swept) = (BTreeSet::new(), BTreeSet::new());
        let before = model.gone;
        for (name, state) in &day.pages {
            // The hash of a page's own: two of one content are one page, which is tested elsewhere.
            let mut page = page(&format!("p{name}"), &ads, found(&ads, state));
            page.hash += &name.to_string();
            let outcome = store.keep(&mut run, &page, day.accept_empty).unwrap();
            let expected = model.keep(*name, state, day.accept_empty, &read, &mut swept);
            let told = (outcome.inserted, outcome.updated, outcome.gone, outcome.emptied);
            assert_eq!(told, expected, "day {number}, page {name}");
            read.insert(*name);
        }
        store.finish(run, "x").unwrap();
        let noted = rows(store, &format!("select gone from _runs where id = {}", number + 1));
        assert_eq!(noted, [(model.gone - before).to_string()], "day {number}");
        let mut present = Vec::new();
        let each = |record: Record| {
            present.push(shown(&record));
            true
        };
        store.records("ads", Which::Present, Form::Typed, each).unwrap();
        present.sort();
        assert_eq!(present, model.present(), "day {number}");
    }
    for (what, count) in [("gone", model.gone), ("back", model.back), ("changed", model.changed)] {
        let noted = rows(store, &format!("select count(*) from _changes where what = '{what}'"));
        assert_eq!(noted, [count.to_string()], "{what}");
    }
    let all: usize = model.ads.values().map(|ad| 1 + ad.sellers.len()).sum();
    let kept = rows(store, "select (select count(*) from ads) + (select count(*) from ads_sellers)");
    assert_eq!(kept, [all.to_string()]);
}

fn cases(many: u32, mut test: impl FnMut(&[Day])) {
    let mut runner = TestRunner::new(Config { cases: many, failure_persistence: None, ..Config::default() });
    let test = std::cell::RefCell::new(&mut test);
    runner
        .run(&days(), |days| {
            (test.borrow_mut())(&days);
            Ok(())
        })
        .unwrap();
}

#[test]
fn a_file_is_as_the_model_says() {
    cases(if all() { 400 } else { 60 }, |days| check(&mut Store::in_memory().unwrap(), days));
}

#[test]
fn a_server_is_as_the_model_says() {
    if server_address().is_some() {
        cases(if all() { 12 } else { 4 }, |days| with_server(|open| check(&mut open(), days)));
    }
}
