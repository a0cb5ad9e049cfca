//! Feeds and domains.

use serde_json::{Value, json};

use crate::support::{ADS, Running, testdata};

#[test]
fn a_weblog_is_learned_from_the_feed_that_it_names() {
    let studio = Running::new();
    let home = studio.open_file("blog/home.html");
    let learned = studio.call("learn/feed", &json!({ "page": home }));
    assert!(learned["notes"][0].as_str().unwrap().starts_with("the feed is "), "{learned}");
    assert!(learned["rules"]["text"].as_str().unwrap().contains("by = \"feed\""), "{learned}");
    let table = &learned["result"]["tables"][0];
    assert!(table["total"].as_u64().unwrap() > 2, "{table}");
    // Or from one that is named.
    let named = studio.call("learn/feed", &json!({ "page": home, "feed": testdata("blog/feed.xml") }));
    assert_eq!(named["result"]["tables"][0]["total"], table["total"]);
}

#[test]
fn a_page_without_a_feed_says_so() {
    let studio = Running::new();
    let page = studio.open(ADS);
    assert_eq!(studio.refused("learn/feed", &json!({ "page": page })), "learn::no_feed");
    let named = |feed: &str| json!({ "page": page, "feed": feed });
    assert_eq!(studio.refused("learn/feed", &named("not-there.xml")), "feed::unreadable");
    assert_eq!(studio.refused("learn/feed", &named(&testdata("blog/home.html"))), "feed::unreadable");
    assert_eq!(studio.refused("learn/feed", &named(&testdata("blog/feed.xml"))), "learn::not_together");
}

#[test]
fn a_thing_is_read_by_the_words_of_its_domain() {
    let studio = Running::new();
    let start = studio.get("/api/v1/start").json();
    let names: Vec<&str> =
        start["domains"].as_array().unwrap().iter().map(|domain| domain["name"].as_str().unwrap()).collect();
    assert!(names.contains(&"drugs") && names.contains(&"book"), "{names:?}");
    assert!(start["domains"].as_array().unwrap().iter().all(|domain| !domain["about"].as_str().unwrap().is_empty()));
    let page = studio.open_file("domain/drugstore/nasal-spray.html");
    let learned = studio.call("learn/domain", &json!({ "page": page, "domain": "drugs" }));
    let table = &learned["result"]["tables"][0];
    assert_eq!(table["total"], 1, "{learned}");
    assert!(learned.to_string().contains("xylometazoline"), "{learned}");
    assert_eq!(studio.refused("learn/domain", &json!({ "page": page, "domain": "drums" })), "domain::unknown");
    let nothing = json!({ "page": studio.open("<p>Hello.</p>"), "domain": "drugs" });
    assert_eq!(studio.refused("learn/domain", &nothing), "domain::no_records");
}

#[test]
fn several_things_on_a_page_are_read_without_rules() {
    let studio = Running::new();
    let thing = |name: &str, brand: &str, price: u32| {
        format!(
            "<div class=item><h2>{name}</h2><ul><li>Brand: {brand}</li><li>Model: M-{price}</li><li>Price: ${price}.50</li>\
             <li>Weight: {price} lbs</li><li>Color: red</li></ul></div>"
        )
    };
    let things = [thing("Leaf rake", "Acme", 3), thing("Hay rake", "Hayco", 8)].concat();
    let page = studio.open(&format!("<h1>Our rakes</h1>{things}"));
    let learned = studio.call("learn/domain", &json!({ "page": page, "domain": "product" }));
    let text = learned["rules"]["text"].as_str().unwrap();
    assert_eq!(text, "", "{learned}");
    assert!(learned["notes"][0].as_str().unwrap().contains("by the domain's words"), "{learned}");
    assert!(learned["result"]["tables"][0]["total"].as_u64().unwrap() >= 2, "{learned}");
    assert_ne!(learned["result"]["tables"][0]["rows"][0]["cells"], Value::Null);
}
