//! Other ways of finding what a rule finds: that they find it, that the order of their estimates is that of their lives.

use std::sync::Arc;

use expect_test::{Expect, expect};
use windrow_dom::{Document, names};
use windrow_learn::alternatives::{Alternative, alternatives};
use windrow_testkit::redesign::{Value, redesign, settled};
use windrow_wrapper::files::{self, Format, write_locator};
use windrow_wrapper::{Extractor, Locator, Page, Rule, Wrapper};

const SHOP: &str = "<!doctype html><title>Barn</title><div id=top><a href=/>Home</a></div><ul class=offers>\
    <li class=ad><h2><a href=/1>Two-wheel rake</a></h2><p class=facts>Price: <b class=price>€ 340</b> \
        Place: <i class=place>Tønder</i></p><ul class=tags><li>rakes<li>hay</ul>\
    <li class=ad><h2><a href=/2>Baler twine</a></h2><p class=facts>Price: <b class=price>€ 55</b> \
        Place: <i class=place>Ribe</i></p><ul class=tags><li>hay</ul>\
    <li class=ad><h2><a href=/3>Old hay wagon</a></h2><p class=facts>Price: <b class=price>€ 900</b> \
        Place: <i class=place>Varde</i></p><ul class=tags><li>wagons<li>wood</ul>\
    <li class=ad><h2><a href=/4>Scythe blades</a></h2><p class=facts>Price: <b class=price>€ 28</b> \
        Place: <i class=place>Ribe</i></p><ul class=tags><li>blades</ul></ul>";

const RULES: &str = "[list.offers]\nrecords = \"li.ad\"\n[list.offers.field]\ntitle = \"h2/a\"\n\
    link = { css = \"h2 a::attr(href)\", type = \"url\" }\nprice = { css = \".price\", type = \"money\" }\n\
    amount = { css = \".price\", match = \"[0-9]+\" }\n\
    [list.offers.list]\ntags = \".tags li\"\n";

fn page(html: &str) -> Arc<Page> {
    Arc::new(Page::from_text("page.html", html))
}

fn wrapper(rules: &str) -> Wrapper {
    files::read(rules, Format::Toml).unwrap()
}

fn ways(html: &str, rules: &str, rule: &str) -> Vec<Alternative> {
    alternatives(&page(html), &wrapper(rules), rule).unwrap()
}

fn check(rule: &str, expected: &Expect) {
    let told = |way: &Alternative| {
        let own = if way.current { "* " } else { "  " };
        format!("{own}{}  {} of {}: {}\n", write_locator(&way.locator), way.same, way.found, way.why)
    };
    expected.assert_eq(&ways(SHOP, RULES, rule).iter().map(told).collect::<String>());
}

#[test]
fn a_field_in_records() {
    check(
        "offers.price",
        &expect![[r#"
        * .price  4 of 4: by the class `price`
          .facts .price  4 of 4: by the classes `facts`, `price`
          b  4 of 4: by the tag `b`
          b.price  4 of 4: by the class `price`
          .facts b  4 of 4: by the class `facts`
          p b  4 of 4: by the tags `p`, `b`
          { css = ".price", slice = 0 }  4 of 4: by the class `price`, then by position
          p.facts > b.price  4 of 4: by the classes `facts`, `price`
          p.facts > b[class="price"]  4 of 4: by the classes `facts`, `price`
          { css = "b.price", slice = 0 }  4 of 4: by the class `price`, then by position
          .//p/text()[normalize-space()='Price:']/following-sibling::b[1]  4 of 4: by the words `Price:`, then by position
          p[1]/b[1]  4 of 4: by its position: breaks if anything is added
    "#]],
    );
}

#[test]
fn an_attribute() {
    check(
        "offers.link",
        &expect![[r#"
        * h2 a::attr(href)  4 of 4: by the tags `h2`, `a`
          a::attr(href)  4 of 4: by the tag `a`
          h2/a/@href  4 of 4: by the tag `h2`
          h2 > a::attr(href)  4 of 4: by the tag `h2`
          { css = "h2 a", slice = 0, then = { xpath = "@href" } }  4 of 4: by its position: breaks if anything is added
          { css = "h2 > a", slice = 0, then = { xpath = "@href" } }  4 of 4: by its position: breaks if anything is added
          h2[1]/a[1]/@href  4 of 4: by its position: breaks if anything is added
    "#]],
    );
}

#[test]
fn a_part_of_a_text() {
    check(
        "offers.amount",
        &expect![[r#"
        * { css = ".price", match = "[0-9]+" }  4 of 4: by the class `price`, and by what it looks like
          { css = ".facts .price", match = "[0-9]+" }  4 of 4: by the classes `facts`, `price`, and by what it looks like
          { css = "b", match = "[0-9]+" }  4 of 4: by the tag `b`, and by what it looks like
          { css = "b.price", match = "[0-9]+" }  4 of 4: by the class `price`, and by what it looks like
          { css = ".facts b", match = "[0-9]+" }  4 of 4: by the class `facts`, and by what it looks like
          { css = "p b", match = "[0-9]+" }  4 of 4: by the tags `p`, `b`, and by what it looks like
          { css = ".price", slice = 0, match = "[0-9]+" }  4 of 4: by the class `price`, then by position, and by what it looks like
          { css = "p.facts > b.price", match = "[0-9]+" }  4 of 4: by the classes `facts`, `price`, and by what it looks like
          { css = 'p.facts > b[class="price"]', match = "[0-9]+" }  4 of 4: by the classes `facts`, `price`, and by what it looks like
          { css = "b.price", slice = 0, match = "[0-9]+" }  4 of 4: by the class `price`, then by position, and by what it looks like
          { xpath = ".//p/text()[normalize-space()='Price:']/following-sibling::b[1]", match = "[0-9]+" }  4 of 4: by the words `Price:`, then by position, and by what it looks like
          { xpath = "p[1]/b[1]", match = "[0-9]+" }  4 of 4: by its position: breaks if anything is added, and by what it looks like
    "#]],
    );
}

#[test]
fn the_records() {
    check(
        "offers",
        &expect![[r#"
        * li.ad  4 of 4: by the class `ad`
          .ad  4 of 4: by the class `ad`
          .offers .ad  4 of 4: by the classes `offers`, `ad`
          .ad:has(h2 a, .price)  4 of 4: by the class `ad`
          .offers .ad:has(h2 a, .price)  4 of 4: by the classes `offers`, `ad`
          .offers > .ad  4 of 4: by the classes `offers`, `ad`
          li:has(h2 a, .price)  4 of 4: by the tag `li`
          li.ad:has(h2 a, .price)  4 of 4: by the class `ad`
          .offers li:has(h2 a, .price)  4 of 4: by the class `offers`
          .offers > li  4 of 4: by the class `offers`
          .offers > .ad:has(h2 a, .price)  4 of 4: by the classes `offers`, `ad`
          .offers > li:has(h2 a, .price)  4 of 4: by the class `offers`
          /html[1]/body[1]/ul[1]/li  4 of 4: by its position from the top of the page: breaks if anything is added above it
    "#]],
    );
}

#[test]
fn a_list_in_records() {
    check(
        "offers.tags",
        &expect![[r#"
            * .tags li  6 of 6: by the class `tags`
              li  6 of 6: by the tag `li`
              ul li  6 of 6: by the tags `ul`, `li`
              ul.tags > li  6 of 6: by the class `tags`
              ul[contains(concat(' ', normalize-space(@class), ' '), ' tags ')]/li  6 of 6: by the class `tags`
              { css = ".tags li", slice = 0 }  4 of 4: by the class `tags`, then by position
              ul[1]/li  6 of 6: by its position: breaks if anything is added
              { css = "ul.tags > li", slice = 0 }  4 of 4: by the class `tags`, then by position
              ul[1]/li[1]  4 of 4: by its position: breaks if anything is added
        "#]],
    );
}

#[test]
fn a_field_of_the_page() {
    let html = "<body><h1 id=name>Meadow Rake</h1><table><tr><th>Brand:</th><td>Meadow</td></tr>\
                <tr><th>Weight:</th><td class=weight>1.4 kg</td></tr></table>";
    let rules = "field.weight = { xpath = \"//tr[2]/td\" }";
    let ways = ways(html, rules, "weight");
    let told: Vec<String> = ways.iter().map(|way| write_locator(&way.locator)).collect();
    assert!(ways.iter().all(|way| way.same == 1 && way.found == 1), "{told:?}");
    assert!(ways.iter().any(|way| way.why.contains("`Weight:`")), "{told:?}");
    assert!(ways.iter().any(|way| way.why.contains("class `weight`")), "{told:?}");
    // By position comes behind all that has a name, whether it also says what the value looks like or not.
    let absolute = "/html[1]/body[1]/table[1]/tbody[1]/tr[2]/td[1]";
    assert!(told.iter().any(|way| way == absolute) && told.last().unwrap().contains(absolute), "{told:?}");
}

#[test]
fn the_path_by_position_is_always_there() {
    for rule in ["offers", "offers.title", "offers.price", "offers.link", "offers.tags"] {
        let ways = ways(SHOP, RULES, rule);
        assert!(ways.iter().any(|way| way.why.contains("position")), "{rule}: {ways:#?}");
    }
}

#[test]
fn every_way_runs_in_the_place_of_the_rule() {
    for rule in ["offers", "offers.title", "offers.price", "offers.link", "offers.tags"] {
        for way in ways(SHOP, RULES, rule) {
            assert!((0.0..=1.0).contains(&way.robustness), "{way:?}");
            assert!(way.same <= way.found && way.places.len() == way.found, "{way:?}");
            let new =
                files::edit(RULES, Format::Toml, rule, &files::Edit::Locate(Box::new(way.locator.clone()))).unwrap();
            let extraction = Extractor::new(&wrapper(&new)).unwrap().extract(page(SHOP));
            assert_eq!(extraction.objects().count(), 4, "{rule}: {}", write_locator(&way.locator));
        }
    }
}

#[test]
fn what_finds_nothing_has_no_others() {
    let rules = "[list.ads]\nrecords = \"li.ad\"\nfield.x = \".nothing\"";
    let ways = ways(SHOP, rules, "ads.x");
    assert_eq!((ways.len(), ways[0].found, ways[0].current), (1, 0, true));
    assert!(alternatives(&page(SHOP), &wrapper(rules), "ads.y").is_err());
}

#[test]
fn odd_rules_do_no_harm() {
    for rules in [
        "[[save]]\npattern = \"<h2>#</h2>\"\ninto = [\"x\"]",
        "field.x = { pattern = \"<h2>#</h2>\" }",
        "field.x = { xpath = \"count(//li)\" }",
        "field.x = { xpath = \"string(//h2)\" }",
        "field.x = \"//comment()\"",
        "field.x = { xpath = \"//@class\" }",
        "field.x = { landmark = { start = \"<h2>\", end = \"</h2>\" } }",
        "list.x = { records = { css = \"h2\", until = \"next\" } }",
        "list.x = { records = { split = \"<li\" } }",
        "[list._t]\nrecords = \"li.ad\"\nfield.x = \"h2\"",
        "group.g = { at = \"ul\", field = { x = \"li\" } }",
    ] {
        for name in ["x", "g.x", "g"] {
            if let Ok(ways) = alternatives(&page(SHOP), &wrapper(rules), name) {
                assert!(ways.first().is_some_and(|way| way.current), "{rules}");
            }
        }
    }
}

/// How often each way gives the same values, record by record, on redesigned pages.
fn alive(html: &str, rules: &str, rule: &str, seeds: u64) -> Vec<(f32, f64, String)> {
    let document = settled(html).unwrap();
    let own = Arc::new(Page::from_document("page", document.clone()));
    let wrapper = wrapper(rules);
    let ways: Vec<Alternative> =
        alternatives(&own, &wrapper, rule).unwrap().into_iter().filter(|way| way.same == way.found).collect();
    let records = wrapper.rules[0].locator.clone();
    let values = |page: &Arc<Page>, way: &Locator| -> Vec<String> {
        let list = Rule::list("r", records.clone()).with(vec![Rule::field("x", way.clone()).optional()]);
        let extractor = Extractor::new(&Wrapper { rules: vec![list], ..Wrapper::default() }).unwrap();
        let texts = |object: windrow_wrapper::Object<'_>| object.objects().map(|x| x.text().into_owned()).collect();
        extractor.extract(page.clone()).objects().map(texts).collect()
    };
    let before = values(&own, &ways[0].locator);
    let kept: Vec<Vec<Value>> = kept(&document);
    let mut counts = vec![0; ways.len()];
    let mut runs = 0;
    for seed in 0..seeds {
        let after = redesign(&document, &kept, seed, 5);
        let page = Arc::new(Page::from_document("page", after.document));
        // A redesign that took the records away says nothing about a field in them.
        if values(&page, &Locator::default()).len() != before.len() {
            continue;
        }
        runs += 1;
        for (way, count) in ways.iter().zip(&mut counts) {
            *count += usize::from(values(&page, &way.locator) == before);
        }
    }
    assert!(runs > seeds / 4, "{runs} of {seeds}");
    let share = |count: usize| count as f64 / runs as f64;
    ways.iter().zip(counts).map(|(way, count)| (way.robustness, share(count), write_locator(&way.locator))).collect()
}

/// The values of each advertisement.
fn kept(document: &Document) -> Vec<Vec<Value>> {
    let is = |id, word: &str| document.attr(id, "class") == Some(word);
    let ads = document.nodes().filter(|&id| document.is_html(id, names::LI) && is(id, "ad"));
    let value = |id| is(id, "price") || is(id, "place") || document.is_html(id, names::A);
    ads.map(|ad| document.descendants(ad).filter(|&id| value(id)).map(Value::Text).collect()).collect()
}

#[test]
fn the_order_of_estimates_is_the_order_of_lives() {
    let (mut right, mut wrong) = (0, 0);
    for rule in ["offers.title", "offers.price"] {
        let ways = alive(SHOP, RULES, rule, 60);
        for (number, one) in ways.iter().enumerate() {
            for other in &ways[number + 1..] {
                // Ways that are about as lasting have no order to get right.
                if (one.0 - other.0).abs() < 0.02 || (one.1 - other.1).abs() < 0.1 {
                    continue;
                }
                match (one.0 > other.0) == (one.1 > other.1) {
                    true => right += 1,
                    false => wrong += 1,
                }
            }
        }
    }
    assert!(right >= 5 && right >= 4 * wrong, "{right} pairs in order, {wrong} not");
}
