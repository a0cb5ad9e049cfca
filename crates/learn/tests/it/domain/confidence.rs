//! Tests of the confidence of values, and of the thresholds that decide what comes out.

use windrow_learn::domain::{Domain, Evidence, Reader, Thresholds};
use windrow_wrapper::Page;

use super::{SHOP, domain, read};

const PAGE: &str = "<h1>Leaf rake</h1><p>Brand: Acme</p><p>Model: R-22</p><p>Price: $3.77</p><p>Weight: 3.2 lbs</p>";

#[test]
fn every_value_has_a_confidence_between_nothing_and_one() {
    let reading = read(PAGE);
    for pair in &reading.records[0].pairs {
        assert!(pair.confidence > 0.0 && pair.confidence < 1.0, "{pair:?}");
    }
}

#[test]
fn a_value_of_its_pattern_is_surer_than_the_title() {
    let reading = read(PAGE);
    let price = reading.records[0].pairs.iter().find(|pair| pair.role == domain(SHOP).role("price")).unwrap();
    let title = reading.records[0].pairs.iter().find(|pair| pair.evidence == Evidence::Title).unwrap();
    assert!(price.confidence > title.confidence);
}

#[test]
fn what_is_below_the_threshold_is_left_out_and_told() {
    let reader = Reader::new(domain(SHOP)).unwrap().at_least(1.0);
    let reading = reader.read(&Page::from_text("page", PAGE));
    assert!(reading.records.is_empty());
    assert_eq!(reading.doubtful.len(), 5);
}

#[test]
fn the_threshold_of_data_rich_nodes_can_be_given() {
    let rich = |domain: Domain| {
        let reading = Reader::new(domain).unwrap().read(&Page::from_text("page", PAGE));
        reading.records[0].entropy > 0.0
    };
    assert!(rich(domain(SHOP)));
    assert!(!rich(domain(&format!("data_rich_entropy = 3\n{SHOP}"))));
    let reader = Reader::new(domain(SHOP)).unwrap();
    let reader = reader.with_thresholds(Thresholds { data_rich: 3.0, ..Thresholds::default() });
    assert_eq!(reader.read(&Page::from_text("page", PAGE)).records[0].entropy, 0.0);
}
