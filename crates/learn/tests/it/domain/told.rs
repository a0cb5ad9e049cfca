//! What a page tells machines: evidence where nothing is seen, a conflict where something else is.

use windrow_learn::domain::{Evidence, Reading};
use windrow_learn::structured::Syntax;

use super::{SHOP, check, domain, read};

/// A page that shows a rake, with something for machines in its head and its body.
fn page(head: &str, body: &str) -> String {
    format!(
        "<html><head><title>Leaf rake</title>{head}</head><body><h1>Leaf rake</h1><ul><li>Brand: Acme</li><li>Model: R-22</li>\
         <li>Price: $3.77</li><li>Weight: 3.2 lbs</li></ul>{body}</body></html>"
    )
}

const LD: &str = r#"<script type="application/ld+json">{"@context":"https://schema.org","@type":"Product","name":"Leaf rake",
"brand":{"@type":"Brand","name":"Acme"},"sku":"AC-22","offers":{"@type":"Offer","price":"3.77","priceCurrency":"USD"}}</script>"#;

/// The conflicts as `role: seen / said`.
fn conflicts(reading: &Reading) -> Vec<String> {
    let domain = domain(SHOP);
    let show = |conflict: &windrow_learn::domain::Conflict| {
        format!("{}: {} / {}", domain.roles[conflict.role].name, conflict.seen, conflict.said)
    };
    reading.conflicts.iter().map(show).collect()
}

fn evidence(reading: &Reading, role: &str) -> Option<Evidence> {
    let role = domain(SHOP).role(role);
    reading.records[0].pairs.iter().find(|pair| pair.role == role).map(|pair| pair.evidence)
}

#[test]
fn json_ld_adds_what_nobody_sees() {
    let reading =
        check(&page(LD, ""), &["brand: Acme", "model: R-22", "code: AC-22", "price: $3.77", "weight: 3.2 lbs"]);
    assert_eq!(evidence(&reading, "code"), Some(Evidence::Said(Syntax::JsonLd)));
    assert_eq!(conflicts(&reading), [""; 0]);
}

#[test]
fn json_ld_that_says_another_price_is_a_conflict() {
    let reading = check(
        &page(&LD.replace("3.77", "4.99"), ""),
        &["brand: Acme", "model: R-22", "code: AC-22", "price: $3.77", "weight: 3.2 lbs"],
    );
    assert_eq!(conflicts(&reading), ["price: $3.77 / 4.99"]);
    assert_eq!(reading.conflicts[0].syntax, Syntax::JsonLd);
}

#[test]
fn the_same_price_written_otherwise_is_no_conflict() {
    let html = page(&LD.replace("3.77", "1299"), "").replace("$3.77", "1.299,00 €");
    assert_eq!(conflicts(&read(&html)), [""; 0]);
}

#[test]
fn a_price_that_begins_with_the_other_is_a_conflict() {
    let html = page(&LD.replace("3.77", "13.77"), "");
    assert_eq!(conflicts(&read(&html)), ["price: $3.77 / 13.77"]);
}

#[test]
fn a_tenfold_price_is_a_conflict() {
    let html = page(&LD.replace("3.77", "30"), "").replace("$3.77", "$3.00");
    assert_eq!(conflicts(&read(&html)), ["price: $3.00 / 30"]);
}

#[test]
fn case_and_accents_make_no_conflict() {
    let html = page(&LD.replace("Acme", "ACMÉ"), "");
    assert_eq!(conflicts(&read(&html)), [""; 0]);
}

#[test]
fn agreement_makes_a_pair_surer() {
    let domain = domain(SHOP);
    let of = |html: &str| {
        let reading = read(html);
        reading.records[0].pairs.iter().find(|pair| pair.role == domain.role("price")).unwrap().confidence
    };
    let (alone, agreed) = (of(&page("", "")), of(&page(LD, "")));
    assert!(agreed > alone || alone >= 1.0, "{agreed} {alone}");
}

#[test]
fn microdata_adds_and_contradicts() {
    let reading = read(&page(
        "",
        "<div itemscope itemtype='https://schema.org/Product'><meta itemprop=sku content=AC-22>\
         <meta itemprop=name content='Leaf rake'><div itemprop=offers itemscope itemtype='https://schema.org/Offer'>\
         <meta itemprop=price content=4.50></div></div>",
    ));
    assert_eq!(evidence(&reading, "code"), Some(Evidence::Said(Syntax::Microdata)));
    assert_eq!(conflicts(&reading), ["price: $3.77 / 4.50"]);
}

#[test]
fn rdfa_adds() {
    let reading = read(&page(
        "",
        "<div vocab='https://schema.org/' typeof=Product><meta property=name content='Leaf rake'>\
         <meta property=sku content=AC-22></div>",
    ));
    assert_eq!(evidence(&reading, "code"), Some(Evidence::Said(Syntax::Rdfa)));
}

#[test]
fn what_the_head_says_of_every_page_fills_no_role() {
    check(
        &page(
            "<meta property='og:title' content='Leaf rake'><meta property='og:description' content='The best rakes.'>\
             <meta property='og:type' content='website'><meta name=description content='Rakes and more'>",
            "",
        ),
        &["brand: Acme", "model: R-22", "price: $3.77", "weight: 3.2 lbs"],
    );
}

#[test]
fn other_products_in_the_data_add_nothing() {
    let more = r#"<script type="application/ld+json">{"@context":"https://schema.org","@type":"ItemList","itemListElement":[
{"@type":"ListItem","position":1,"item":{"@type":"Product","name":"Hay rake","sku":"H-1","color":"blue"}},
{"@type":"ListItem","position":2,"item":{"@type":"Product","name":"Bow rake","sku":"B-1","color":"red"}}]}</script>"#;
    check(
        &page(&format!("{LD}{more}"), ""),
        &["brand: Acme", "model: R-22", "code: AC-22", "price: $3.77", "weight: 3.2 lbs"],
    );
}

#[test]
fn the_shops_own_data_adds_nothing() {
    let shop = r#"<script type="application/ld+json">{"@context":"https://schema.org","@type":"Organization",
"name":"Garden Corner","brand":"Gardenia","description":"All for your garden","url":"https://example.org/"}</script>"#;
    check(
        &page(&format!("{LD}{shop}"), ""),
        &["brand: Acme", "model: R-22", "code: AC-22", "price: $3.77", "weight: 3.2 lbs"],
    );
}

#[test]
fn broken_json_is_passed_over() {
    check(
        &page("<script type='application/ld+json'>{\"@type\":\"Product\",\"sku\": </script>", ""),
        &["brand: Acme", "model: R-22", "price: $3.77", "weight: 3.2 lbs"],
    );
}

#[test]
fn a_page_whose_data_alone_has_the_record_is_read_from_it() {
    // A shop that draws itself by script: the page has a heading, and all else is said to machines.
    let html = r#"<html><head><title>Leaf rake</title><script type="application/ld+json">{"@context":"https://schema.org",
"@type":"Product","name":"Leaf rake","brand":{"name":"Acme"},"sku":"AC-22","model":"R-22","manufacturer":"Acme Inc.",
"offers":{"@type":"Offer","price":"3.77"}}</script></head><body><div id=app><h1>Leaf rake</h1></div></body></html>"#;
    let reading = check(
        html,
        &["name: Leaf rake", "brand: Acme", "code: AC-22", "model: R-22", "manufacturer: Acme Inc.", "price: 3.77"],
    );
    assert_eq!(evidence(&reading, "price"), Some(Evidence::Said(Syntax::JsonLd)));
}
