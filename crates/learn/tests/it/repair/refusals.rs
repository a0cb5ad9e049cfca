//! Pages on which a wrapper must not be repaired.

use windrow_learn::discover::discover;
use windrow_testkit::generate::{Generator, Input};

use super::*;

/// Why a wrapper of the shop is not repaired on a page.
fn refused(now: &str) -> String {
    mend(SHOP, &old_shop(&OFFERS), now).expect_err("a refusal").to_string()
}

#[test]
fn an_unchanged_page_needs_no_repair() {
    assert_eq!(mend(SHOP, &old_shop(&OFFERS), &old_shop(&OFFERS)), Err(Refusal::StillWorks));
    // Nor does one with other prices, a record more and one less.
    let mut offers = OFFERS;
    offers[0].1 = "€ 300";
    offers[3] = ("Sickle with a beech handle", "€ 7", "Ribe", &["wood"]);
    assert_eq!(mend(SHOP, &old_shop(&OFFERS), &old_shop(&offers)), Err(Refusal::StillWorks));
}

#[test]
fn the_list_is_gone() {
    assert_eq!(
        refused("<h1>Barn</h1><p>Nothing for sale today.<ul><li>Home<li>New<li>All</ul>"),
        "none of the 6 known records of `offers` has left a trace on the page"
    );
    assert_eq!(refused(""), "none of the 6 known records of `offers` has left a trace on the page");
}

#[test]
fn another_list() {
    let other: [Offer; 6] = [
        ("Milk churn", "€ 340", "Ribe", &["milk"]),
        ("Butter press", "€ 55", "Ribe", &["milk", "wood"]),
        ("Cheese forms", "€ 900", "Varde", &["wood"]),
        ("Whey tub", "€ 28", "Ribe", &["milk"]),
        ("Cream spoon", "€ 18", "Esbjerg", &["milk"]),
        ("Curd knife", "€ 120", "Tønder", &["hay"]),
    ];
    // Prices and places are there, even in the same order, and say nothing.
    let scattered = "values of 6 known records of `offers` are on the page, but in no list";
    assert_eq!(refused(&new_shop(&other)), scattered);
    assert_eq!(refused(&old_shop(&other)), scattered);
}

#[test]
fn a_few_titles_are_left() {
    let teasers: String =
        OFFERS[..3].iter().map(|offer| format!("<li><a href='/ad/{}'>{}</a>", offer.0.len(), offer.0)).collect();
    let html = format!("<h1>Barn</h1><p>Closed for the winter.<h2>Popular</h2><ul>{teasers}</ul>");
    let refusal = refused(&html);
    assert!(refusal.contains("cannot be found again"), "{refusal}");
    let teasers: String =
        OFFERS[..2].iter().map(|offer| format!("<li><a href='/ad/{}'>{}</a>", offer.0.len(), offer.0)).collect();
    assert_eq!(
        refused(&format!("<h1>Barn</h1><h2>Popular</h2><ul>{teasers}</ul>")),
        "only 2 of the 6 known records of `offers` are on the page"
    );
}

#[test]
fn a_field_is_gone() {
    let now = new_shop(&OFFERS);
    let now = OFFERS.iter().fold(now, |now, offer| now.replace(&format!("<p class=cost>{}</p>", offer.1), ""));
    assert_eq!(refused(&now), "`offers.price` cannot be found again: its known value stands in 0 of 6 records");
}

#[test]
fn a_rare_optional_field_is_left_out() {
    let toml = format!("{SHOP}\n").replace("place = {", "sold = { css = \".sold\", optional = true }\nplace = {");
    let before = old_shop(&OFFERS).replacen("<ul class=tags>", "<u class=sold>Sold</u><ul class=tags>", 1);
    let now = new_shop(&OFFERS);
    let repaired = mend(&toml, &before, &now).unwrap();
    assert_eq!(gives(&repaired, &now), known(&wrapper(SHOP), &old_shop(&OFFERS)));
    let notes: Vec<String> = repaired.notes.iter().map(ToString::to_string).collect();
    assert_eq!(notes, ["`offers.sold` was not found again and is left out"]);
}

#[test]
fn what_cannot_be_asked() {
    let wrapper = wrapper(SHOP);
    let known = known(&wrapper, &old_shop(&OFFERS));
    assert_eq!(repair(&wrapper, &known, &[]), Err(Refusal::NoPage));
    assert_eq!(repair(&wrapper, &Known::default(), &[page("")]), Err(Refusal::NothingKnown));
    let broken = Wrapper { rules: vec![windrow_wrapper::Rule::field("x", "//[")], ..Wrapper::default() };
    assert!(matches!(repair(&broken, &known, &[page("")]), Err(Refusal::Broken { .. })));
}

#[test]
fn a_rule_by_hand_that_broke() {
    let toml = "[list.offers]\nrecords = \"li.ad\"\n[list.offers.field]\ntitle = \"h2 a\"\n[list.offers.group.where]\nat = { css = \".place\" }\nfield = { name = \".\" }\n";
    let all: Vec<Offer> = OFFERS.iter().map(|offer| (offer.0, offer.1, "Ribe in the south", offer.3)).collect();
    let (before, now) = (old_shop(&all), new_shop(&all));
    assert_eq!(mend(toml, &before, &now).unwrap_err().to_string(), "`offers.where` no longer finds what it should");
}

/// On whatever page, repair ends, and an unchanged page is never repaired.
#[test]
fn no_page_is_too_odd() {
    let samples = [old_shop(&OFFERS), new_shop(&OFFERS)];
    let shop = wrapper(SHOP);
    let records = known(&shop, &samples[0]);
    let mut generator = Generator::new(7, &samples);
    let mut input = Input::default();
    for _ in 0..200 {
        generator.next(&mut input);
        let html = input.html.clone();
        let now = page(&html);
        let _ = repair(&shop, &records, std::slice::from_ref(&now));
        for wrapper in discover(now.document(), 1) {
            let found = known(&wrapper, &html);
            match repair(&wrapper, &found, std::slice::from_ref(&now)) {
                Err(Refusal::StillWorks | Refusal::NothingKnown) => {}
                // What says nothing of itself, numbers or single letters, is not known again, and is not repaired.
                Err(_) => {}
                Ok(repaired) => panic!("{html}\n{repaired:?}"),
            }
        }
    }
}
