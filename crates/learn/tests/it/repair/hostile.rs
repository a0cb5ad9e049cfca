//! Repair ends without a panic, whatever is known and whatever the page.

use std::fmt::Write as _;

use windrow_learn::repair::{KnownList, KnownRecord, KnownValue};
use windrow_testkit::generate::{Generator, Input, Rng};
use windrow_testkit::hostile::RELAUNCH;

use super::*;

/// Texts that are hard on one step or another.
const ODD: [&str; 14] = [
    "",
    " ",
    "a",
    "7",
    "€ 340",
    "\u{200B}",
    "\u{E000}",
    "🦀🦀🦀🦀🦀🦀",
    "Ribe",
    "]]>&lt;",
    "https://barn.example/ad/27",
    "/ad/27",
    "Two-wheel rake, hardly used",
    "١٢٣ عربى",
];

fn odd_text(rng: &mut Rng, page: &str) -> String {
    match rng.below(4) {
        0 => ODD[rng.below(ODD.len())].to_owned(),
        // A part of the page's source, wherever that begins.
        1 if !page.is_empty() => page.chars().skip(rng.below(page.len())).take(rng.below(40)).collect(),
        2 => OFFERS[rng.below(OFFERS.len())].0.to_owned(),
        _ => ODD[rng.below(ODD.len())].repeat(rng.below(4)),
    }
}

fn odd_record(rng: &mut Rng, page: &str, depth: usize) -> KnownRecord {
    let labels = ["title", "title_link", "price", "place", "tags", "", "nobody knows it"];
    let value =
        |rng: &mut Rng| KnownValue { label: labels[rng.below(labels.len())].to_owned(), raw: odd_text(rng, page) };
    let values = (0..rng.below(7)).map(|_| value(rng)).collect();
    let lists = if depth < 8 && rng.once_in(2) {
        let records = (0..rng.below(4)).map(|_| odd_record(rng, page, depth + 1)).collect();
        vec![KnownList { label: labels[rng.below(labels.len())].to_owned(), records }]
    } else {
        Vec::new()
    };
    KnownRecord { values, lists }
}

#[test]
fn whatever_is_known_whatever_the_page() {
    let samples = [old_shop(&OFFERS), new_shop(&OFFERS)];
    let shops = [wrapper(SHOP), wrapper(&format!("{SHOP}[field]\nhead = {{ css = \"h1\" }}\n"))];
    let mut generator = Generator::new(11, &samples);
    let mut input = Input::default();
    for seed in 0..300 {
        let mut rng = Rng::new(seed);
        generator.next(&mut input);
        let html = if rng.once_in(2) { samples[rng.below(2)].clone() } else { input.html.clone() };
        let lists = ["offers", "", "others"].iter().take(1 + rng.below(3)).map(|label| KnownList {
            label: (*label).to_owned(),
            records: (0..rng.below(9)).map(|_| odd_record(&mut rng, &html, 0)).collect(),
        });
        let records = Known { lists: lists.collect(), shown: Vec::new() };
        for shop in &shops {
            if let Ok(repaired) = repair(shop, &records, &[page(&html)]) {
                // What comes out is a wrapper: it runs, and can be kept.
                gives(&repaired, &html);
                assert!(files::write(&repaired.wrapper, files::Format::Toml).is_ok(), "{html}");
            }
        }
    }
}

#[test]
fn a_page_as_deep_as_pages_can_be() {
    let mut html = String::new();
    for (title, price, place, _) in OFFERS {
        let _ =
            write!(html, "{}<p>{title}</p><b>{price}</b><i>{place}</i>{}", "<div>".repeat(400), "</div>".repeat(400));
    }
    let _ = mend(SHOP, &old_shop(&OFFERS), &html);
    let nested = OFFERS.iter().fold(String::new(), |inner, offer| format!("<div><p>{}</p>{inner}</div>", offer.0));
    let _ = mend(SHOP, &old_shop(&OFFERS), &nested.repeat(20));
}

/// Offers that are all alike but for a number in their titles. The program `growth` of `crates/bench` times it.
#[test]
fn a_page_of_four_thousand_offers_is_repaired() {
    let repaired = mend(RELAUNCH.rules, &(RELAUNCH.before)(4000), &(RELAUNCH.now)(4000)).unwrap();
    assert_eq!(repaired.lists[0].records, 4000);
}
