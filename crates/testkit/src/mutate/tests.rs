//! Each kind on small pages, with many seeds: the truth is what the page shows, and nothing else is lost.

use std::sync::Arc;

use windrow_wrapper::{Extractor, Page, files};

use super::*;
use crate::redesign::settled;

const SEEDS: std::ops::Range<u64> = 0..40;

/// A shop's shelf: records with classes in a frame, a list in each record, a part of a text, an attribute.
const SHELF: &str = r#"<body><div id=top class=head><a href=/>Shop</a></div>
    <div class=page><div class=side><p>Help</p></div><div class=main><h1>Rakes</h1><ul class=list>
    <li class=card><h3 class=name><a href=/1>Oak rake</a></h3><p class=text>Long and <i>strong</i>.</p><span class=price>Price: 340</span><div class=tags><b>hay</b> <b>straw</b></div></li>
    <li class=card><h3 class=name><a href=/2>Ash rake</a></h3><p class=text>Short handle.</p><span class=price>Price: 120</span><div class=tags><b>lawn</b></div></li>
    <li class=card><h3 class=name><a href=/3>Elm fork</a></h3><p class=text>Light as air.</p><span class=price>Price: 95</span></li>
    <li class=card><h3 class=name><a href=/4>Beech fork</a></h3><p class=text>Four teeth.</p><span class=price>Price: 88</span></li>
    <li class=card><h3 class=name><a href=/5>Twine</a></h3><p class=text>By the mile.</p><span class=price>Price: 55</span></li>
    </ul></div></div><div class=foot>End</div>"#;

const SHELF_RULES: &str = r#"
    [list.ads]
    records = { css = ".card" }
    [list.ads.field]
    title = { css = ".name" }
    link = { xpath = ".//a/@href", type = "url" }
    about = { css = ".text" }
    price = { css = ".price", after = "Price:", type = "number" }
    [list.ads.list.tags]
    records = { css = ".tags b" }
    "#;

/// A table of records.
const TABLE: &str = "<body><h1>Yields</h1><div><table id=t><tbody>
    <tr class=r><td><a href=/1>Weir</a></td><td>Jan 3, 2018</td><td>41</td></tr>
    <tr class=r><td><a href=/2>Veit</a></td><td>Jan 9, 2018</td><td>30</td></tr>
    <tr class=r><td><a href=/3>Nord</a></td><td>Feb 2, 2018</td><td>77</td></tr></tbody></table></div><p>Source: own figures</p>";

const TABLE_RULES: &str = r#"
    [list.farms]
    records = { css = ".r" }
    [list.farms.field]
    farm = "td[1]"
    date = { xpath = "td[2]", type = "date" }
    cut = { xpath = "td[3]", type = "number" }
    "#;

/// Records of several siblings.
const RUNS: &str = "<body><div class=days><h2>Monday</h2><p>Rain and wind.</p><h2>Tuesday</h2><p>Sun all day.</p><h2>Среда</h2><p>Nebel, später kühl.</p></div><p>Bye</p>";

const RUN_RULES: &str = r#"
    [list.days]
    records = { xpath = "//h2", until = "next" }
    [list.days.field]
    day = "."
    weather = "following-sibling::p[1]"
    "#;

const PAGES: [(&str, &str); 3] = [(SHELF, SHELF_RULES), (TABLE, TABLE_RULES), (RUNS, RUN_RULES)];

fn extract(html: &str, rules: &str) -> (Document, Extraction) {
    let document = settled(html).expect("the page writes back");
    let wrapper = files::read(rules, files::Format::Toml).expect("the rules are right");
    let page = Arc::new(Page::from_document("page", document.clone()));
    (document, Extractor::new(&wrapper).expect("the rules compile").extract(page))
}

fn subject(html: &str, rules: &str) -> Subject {
    let (document, extraction) = extract(html, rules);
    Subject::new(&document, &extraction)
}

fn pool() -> Vec<String> {
    ["meadow", "barley", "harvest", "orchard", "stable", "thresher"].map(str::to_owned).to_vec()
}

/// The words of a page, sorted.
fn words_of(html: &str) -> Vec<String> {
    let document = Document::parse(html);
    let text = document.visible_text(document.root());
    let mut words: Vec<String> = text.split_whitespace().map(str::to_owned).collect();
    words.sort();
    words
}

fn texts(told: &[Told], all: &mut Vec<String>) {
    for told in told {
        match &told.value {
            Content::Text(text) => all.push(text.clone()),
            Content::Set(members) => texts(members, all),
        }
    }
}

#[test]
fn the_truth_before_any_change_is_the_extraction() {
    for (html, rules) in PAGES {
        let (document, extraction) = extract(html, rules);
        let truth = Subject::new(&document, &extraction).truth();
        assert_eq!(truth, Truth::of(&extraction));
        assert!(truth.records() >= 3);
    }
}

#[test]
fn the_same_seed_makes_the_same_page() {
    for (html, rules) in PAGES {
        for kind in Kind::ALL {
            let (one, other) = (subject(html, rules), subject(html, rules));
            let (one, other) = (one.mutate(kind, 7, &pool()), other.mutate(kind, 7, &pool()));
            assert_eq!(one.html, other.html);
            assert_eq!(one.truth, other.truth);
        }
    }
}

#[test]
fn changes_of_the_markup_lose_no_word_and_no_value() {
    for (html, rules) in PAGES {
        let subject = subject(html, rules);
        for kind in [Kind::Classes, Kind::Wrapped, Kind::Tags, Kind::Moved] {
            for seed in SEEDS {
                let after = subject.mutate(kind, seed, &pool());
                assert_eq!(after.truth, subject.truth());
                let mut now = words_of(&after.html).into_iter();
                // A relaunch brings blocks of its own.
                let kept = words_of(html).into_iter().all(|word| now.any(|other| other == word));
                assert!(kept, "{}: {}", kind.name(), after.html);
                if kind != Kind::Moved {
                    assert_eq!(words_of(&after.html), words_of(html), "{}", kind.name());
                }
            }
        }
    }
}

#[test]
fn every_kind_finds_something_to_change() {
    for (html, rules) in [PAGES[0], PAGES[1]] {
        let subject = subject(html, rules);
        for kind in Kind::ALL {
            let all = kind.steps().len();
            // A page without a table keeps its tables; steps by a draw may find nothing.
            let least = SEEDS.map(|seed| subject.mutate(kind, seed, &pool()).steps).min().unwrap_or_default();
            assert!(least > 0 && least + 2 >= all.min(3), "{}: {least} of {all} steps", kind.name());
        }
    }
}

/// If only texts change, the old rules still work, so they can verify the expected results.
#[test]
fn the_truth_of_new_values_is_what_the_old_rules_give() {
    for (html, rules) in PAGES {
        let subject = subject(html, rules);
        for kind in [Kind::Values, Kind::Volatile] {
            for seed in SEEDS {
                let after = subject.mutate(kind, seed, &pool());
                let (_, extraction) = extract(&after.html, rules);
                assert_eq!(after.truth, Truth::of(&extraction), "{} {seed}: {}", kind.name(), after.html);
            }
        }
    }
}

#[test]
fn about_a_third_of_the_values_is_new_and_records_come_and_go() {
    let subject = subject(SHELF, SHELF_RULES);
    let (mut kept, mut wanted, mut same) = (0, 0, 0);
    for seed in SEEDS {
        let after = subject.mutate(Kind::Values, seed, &pool());
        assert_eq!(after.truth.records(), 5, "one came and one went");
        let agreement = after.truth.compare(&subject.truth());
        kept += agreement.right;
        wanted += agreement.wanted;
        same += usize::from(after.truth == subject.truth());
    }
    let share = kept as f64 / wanted as f64;
    assert!((0.35..0.75).contains(&share), "{share}");
    assert_eq!(same, 0);
}

#[test]
fn what_is_said_twice_is_new_in_both_places() {
    let html = SHELF.replace("<h3 class=name>", "<img alt='Twine' src=/t.png><h3 class=name>");
    let html = html.replace("<p class=text>By", "<a href='/5#more'>Twine</a><p class=text>By");
    let subject = subject(&html, SHELF_RULES);
    let mut renamed = 0;
    for seed in SEEDS {
        let after = subject.mutate(Kind::Values, seed, &pool());
        let mut now = Vec::new();
        texts(&after.truth.members, &mut now);
        let page = Document::parse(after.html.as_str());
        let links: Vec<String> = page
            .nodes()
            .filter(|&id| page.attr(id, "href").is_some_and(|href| href.contains('#')))
            .map(|id| page.visible_text(id))
            .collect();
        // The second link is read by no rule, and follows the title of its record.
        assert!(links.iter().all(|link| now.contains(link)), "{links:?} {now:?}");
        renamed += usize::from(links.iter().any(|link| link != "Twine"));
    }
    assert!(renamed > 3, "{renamed}");
}

#[test]
fn volatile_values_change_and_the_others_stay() {
    let subject = subject(TABLE, TABLE_RULES);
    for seed in SEEDS {
        let after = subject.mutate(Kind::Volatile, seed, &pool());
        let (mut before, mut now) = (Vec::new(), Vec::new());
        texts(&subject.truth().members, &mut before);
        texts(&after.truth.members, &mut now);
        for (before, now) in before.iter().zip(&now) {
            assert_eq!(before == now, before.chars().all(char::is_alphabetic), "{before} became {now}");
        }
    }
}

#[test]
fn classes_are_renamed_alike_and_never_kept() {
    let subject = subject(SHELF, SHELF_RULES);
    let after = Document::parse(subject.mutate(Kind::Classes, 1, &pool()).html);
    let class = |name: &str| -> Vec<String> {
        let all = after.nodes().filter(|&id| after.name(id) == Some(name));
        all.filter_map(|id| Some(after.attr(id, "class")?.to_owned())).collect()
    };
    let cards = class("li");
    assert_eq!(cards.len(), 5);
    assert!(cards.iter().all(|card| *card == cards[0] && card != "card"), "{cards:?}");
}

#[test]
fn fields_move_the_same_way_in_all_records() {
    let subject = subject(SHELF, SHELF_RULES);
    let mut orders = std::collections::BTreeSet::new();
    for seed in SEEDS {
        let after = Document::parse(subject.mutate(Kind::Moved, seed, &pool()).html);
        let order = |card: NodeId| -> Vec<String> {
            after.children(card).filter_map(|id| Some(after.attr(id, "class")?.to_owned())).collect()
        };
        let cards: Vec<NodeId> = after.nodes().filter(|&id| after.attr(id, "class") == Some("card")).collect();
        let first: Vec<String> = order(cards[0]).into_iter().filter(|class| class != "tags").collect();
        assert!(cards.iter().all(|&card| order(card).into_iter().filter(|class| class != "tags").eq(first.clone())));
        orders.insert(first);
    }
    assert!(orders.len() > 3, "{orders:?}");
}

#[test]
fn a_negative_page_has_the_rest_of_the_page_alone() {
    let subject = subject(SHELF, SHELF_RULES);
    for seed in SEEDS {
        let gone = subject.gone(seed).expect("records are elements");
        assert!(!gone.contains("Oak") && !gone.contains("Twine") && gone.contains("Rakes") && gone.contains("End"));
        let teasers = subject.teasers(seed).expect("records have titles");
        let titles = ["Oak rake", "Ash rake", "Elm fork", "Beech fork", "Twine", "By the mile", "Long and strong"];
        let left = titles.iter().filter(|title| teasers.contains(**title)).count();
        assert!((2..=5).contains(&left) && !teasers.contains("Price"), "{left}: {teasers}");
    }
    let table = super::tests::subject(TABLE, TABLE_RULES);
    let other = subject.other(&table.records_html().expect("records are rows")).expect("records are elements");
    assert!(other.contains("Weir") && !other.contains("Oak"));
}

#[test]
fn the_next_page_has_the_same_kind_of_records_and_none_of_them() {
    let subject = subject(SHELF, SHELF_RULES);
    for seed in SEEDS {
        let next = subject.next(seed, &pool()).expect("titles differ");
        let gone = ["Oak rake", "Ash rake", "Elm fork", "Beech fork", "Twine", "By the mile", "Long and strong"];
        assert!(gone.iter().all(|title| !next.contains(title)), "{next}");
        assert_eq!(next.matches("Price: ").count(), 5);
        assert_eq!(next.contains("class=\"card\"") || next.contains("class=card"), seed % 2 == 0, "{next}");
    }
}

#[test]
fn teasers_link_to_their_own_pages_every_other_time() {
    let subject = subject(SHELF, SHELF_RULES);
    let own = |html: &str| html.matches("href=\"/popular/").count();
    assert!(own(&subject.teasers(0).expect("titles")) >= 3);
    assert_eq!(own(&subject.teasers(1).expect("titles")), 0);
}

#[test]
fn a_new_value_has_no_long_word_of_the_old_one() {
    let subject = subject(SHELF, SHELF_RULES);
    for seed in SEEDS {
        let mut now = Vec::new();
        texts(&subject.mutate(Kind::Values, seed, &pool()).truth.members, &mut now);
        let old = ["Long and strong.", "Short handle.", "Light as air.", "Four teeth.", "By the mile."];
        for text in now.iter().filter(|text| text.ends_with('.') && !old.contains(&text.as_str())) {
            assert!(
                !["Long", "strong", "Short", "handle", "Light", "Four", "teeth", "mile"]
                    .iter()
                    .any(|word| text.contains(word)),
                "{text}"
            );
        }
    }
}
