//! Values found by the name of their element, where no label is seen.

use windrow_learn::domain::Evidence;

use super::{SHOP, check, domain, read};

const PAIRS: &str = "<ul><li>Brand: Acme</li><li>Model: R-22</li><li>Weight: 3.2 lbs</li><li>Color: red</li></ul>";

fn page(more: &str) -> String {
    format!("<html><body><h1>Leaf rake</h1>{PAIRS}{more}</body></html>")
}

#[test]
fn an_id_names_the_price() {
    let html = page("<div id=price>$3.77</div>");
    check(&html, &["brand: Acme", "model: R-22", "weight: 3.2 lbs", "color: red", "price: $3.77"]);
    let reading = read(&html);
    let price = domain(SHOP).role("price");
    let pair = reading.records[0].pairs.iter().find(|pair| pair.role == price).unwrap();
    assert_eq!(pair.evidence, Evidence::Name);
    assert!(pair.label.is_none());
}

#[test]
fn an_id_in_camel_case_names_the_code() {
    check(
        &page("<span id=lblProductCode>AC-22</span>"),
        &["brand: Acme", "model: R-22", "weight: 3.2 lbs", "color: red", "code: AC-22"],
    );
}

#[test]
fn an_attribute_for_tests_names_the_price() {
    check(
        &page("<b class=big data-testid='product-price'>$3.77</b>"),
        &["brand: Acme", "model: R-22", "weight: 3.2 lbs", "color: red", "price: $3.77"],
    );
}

#[test]
fn a_name_that_several_elements_have_says_nothing() {
    check(
        &page("<b data-qa=price>$3.77</b><b data-qa=price>$4.77</b>"),
        &["brand: Acme", "model: R-22", "weight: 3.2 lbs", "color: red"],
    );
}

#[test]
fn of_names_inside_each_other_the_innermost_counts() {
    check(
        &page("<div id=price>only <span id=product-price>$3.77</span></div>"),
        &["brand: Acme", "model: R-22", "weight: 3.2 lbs", "color: red", "price: $3.77"],
    );
}

#[test]
fn a_named_element_whose_text_does_not_match_says_nothing() {
    check(&page("<div id=price>call us</div>"), &["brand: Acme", "model: R-22", "weight: 3.2 lbs", "color: red"]);
}

#[test]
fn a_label_beats_a_name() {
    check(
        &page("<p>Price: $3.77</p><div id=price>$9.99</div>"),
        &["brand: Acme", "model: R-22", "weight: 3.2 lbs", "color: red", "price: $3.77"],
    );
}

#[test]
fn a_name_that_only_begins_with_a_keyword_says_nothing() {
    check(
        &page("<div id=size-chart>Open chart</div>"),
        &["brand: Acme", "model: R-22", "weight: 3.2 lbs", "color: red"],
    );
}

#[test]
fn a_named_element_without_text_says_nothing() {
    check(
        &page("<div id=price></div><input id=size value=L>"),
        &["brand: Acme", "model: R-22", "weight: 3.2 lbs", "color: red"],
    );
}

#[test]
fn a_hidden_named_element_says_nothing() {
    check(
        &page("<div id=price style='display:none'>$9.99</div>"),
        &["brand: Acme", "model: R-22", "weight: 3.2 lbs", "color: red"],
    );
}

#[test]
fn names_alone_make_no_record() {
    let reading = read("<body><h1>Leaf rake</h1><b id=price>$3.77</b></body>");
    assert!(reading.records.is_empty());
}

#[test]
fn a_class_is_no_name() {
    // It says what something looks like: the price of something else looks so, too.
    check(&page("<div class=price>$3.77</div>"), &["brand: Acme", "model: R-22", "weight: 3.2 lbs", "color: red"]);
}
