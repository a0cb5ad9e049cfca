//! What `domain` promises: pages of the kinds that shops, catalogues and pharmacies have had over the years, read in the
//! words of a small domain of things for sale, and all pairs compared.

mod blocks;
mod confidence;
mod empty;
mod hostile;
mod hunted;
mod integrity;
mod languages;
mod lines;
mod lists;
mod names;
mod noise;
mod paper;
mod phrases;
mod records;
mod site;
mod sites;
mod tables;
mod titles;
mod told;
mod unknown;
mod values;

use windrow_learn::domain::{Class, Domain, Evidence, Layout, Reader, Reading, Record};
use windrow_wrapper::Page;

/// Things for sale.
const SHOP: &str = r#"
name = "shop"
description = "Things for sale."

[role.name]
keywords = ["product name", "item name"]
title = true
schema = ["name"]

[role.brand]
keywords = ["brand", "brand name"]
schema = ["brand.name", "brand"]

[role.manufacturer]
keywords = ["manufacturer", "manufactured by", "made by"]
schema = ["manufacturer.name", "manufacturer"]

[role.model]
keywords = ["model", "model number", "item model number", "model no."]
schema = ["model"]

[role.code]
keywords = ["product code", "sku", "item no.", "item number", "item #"]
schema = ["sku"]

[role.price]
keywords = ["price", "our price", "sale price", "you pay"]
value = '\d'
type = "money"
schema = ["offers.price"]

[role.list_price]
keywords = ["list price", "msrp", "regular price"]
value = '\d'
type = "money"

[role.weight]
keywords = ["weight", "item weight", "shipping weight"]
value = '\d'

[role.size]
keywords = ["size", "dimensions", "product dimensions"]

[role.color]
keywords = ["color", "colour", "colors"]

[role.material]
keywords = ["material", "materials", "fabric"]

[role.availability]
keywords = ["availability", "stock status"]

[role.format]
keywords = ["format", "binding", "hardcover", "paperback"]

[role.description]
keywords = ["description", "product description"]

[role.ingredients]
keywords = ["ingredients", "active ingredients"]

[role.warnings]
keywords = ["warnings", "warning"]

[role.authors]
keywords = ["author", "authors"]
many = true

[role.isbn]
keywords = ["isbn", "isbn-13"]
value = '\d'
"#;

/// A domain from the text of its file.
#[track_caller]
fn domain(text: &str) -> Domain {
    Domain::read(text, &|_| None).unwrap()
}

/// Reads a page in the words of a domain.
#[track_caller]
fn read_in(domain: Domain, html: &str) -> Reading {
    Reader::new(domain).unwrap().read(&Page::from_text("page", html))
}

/// Reads a page of things for sale.
#[track_caller]
fn read(html: &str) -> Reading {
    read_in(domain(SHOP), html)
}

/// `role: value | value` for each pair of a record that is not its title, in the order of the alphabet.
fn lines(domain: &Domain, record: &Record) -> Vec<String> {
    let mut lines: Vec<String> = record
        .pairs
        .iter()
        .filter(|pair| pair.evidence != Evidence::Title)
        .map(|pair| {
            let name = pair.role.map_or("title", |role| domain.roles[role].name.as_str());
            let values: Vec<&str> = pair.values.iter().map(|value| value.text.as_str()).collect();
            format!("{name}: {}", values.join(" | "))
        })
        .collect();
    lines.sort();
    lines
}

/// Checks that a page has one record with these pairs and no others, its title aside.
#[track_caller]
fn check_in(domain: Domain, html: &str, expected: &[&str]) -> Reading {
    let reader = Reader::new(domain).unwrap();
    let reading = reader.read(&Page::from_text("page", html));
    let found: Vec<Vec<String>> = reading.records.iter().map(|record| lines(reader.domain(), record)).collect();
    let mut expected: Vec<String> = expected.iter().map(|&line| line.to_owned()).collect();
    expected.sort();
    assert_eq!(found, [expected], "{:?} and the pairs of each record", reading.class);
    assert_eq!(reading.class, Class::DataRich);
    reading
}

/// The same in the domain of things for sale.
#[track_caller]
fn check(html: &str, expected: &[&str]) -> Reading {
    check_in(domain(SHOP), html, expected)
}

/// Checks that a page has these records and no others, in its own order, their titles aside.
#[track_caller]
fn check_records(html: &str, expected: &[&[&str]]) -> Reading {
    let domain = domain(SHOP);
    let reading = read_in(domain.clone(), html);
    let found: Vec<Vec<String>> = reading.records.iter().map(|record| lines(&domain, record)).collect();
    let sorted = |lines: &&[&str]| {
        let mut lines: Vec<String> = lines.iter().map(|&line| line.to_owned()).collect();
        lines.sort();
        lines
    };
    assert_eq!(found, expected.iter().map(sorted).collect::<Vec<_>>(), "{:?}", reading.class);
    reading
}

/// Checks that a page is of this class and has no record.
#[track_caller]
fn check_none(html: &str, class: Class) {
    let reading = read(html);
    let found: Vec<Vec<String>> = reading.records.iter().map(|record| lines(&domain(SHOP), record)).collect();
    assert_eq!(found, Vec::<Vec<String>>::new());
    assert_eq!(reading.class, class);
}

/// How each value was found, by the name of its role.
fn layouts(reading: &Reading) -> Vec<(String, Layout)> {
    let domain = domain(SHOP);
    let pairs = reading.records.iter().flat_map(|record| &record.pairs);
    pairs
        .filter_map(|pair| match (pair.role, pair.evidence) {
            (Some(role), Evidence::Label(layout)) => Some((domain.roles[role].name.clone(), layout)),
            _ => None,
        })
        .collect()
}

/// Checks that all labels of a page have their values laid out so.
#[track_caller]
fn check_layout(reading: &Reading, expected: Layout) {
    for (role, layout) in layouts(reading) {
        assert_eq!(layout, expected, "{role}");
    }
    assert!(!layouts(reading).is_empty());
}

/// What the title of the only record is.
#[track_caller]
fn title(html: &str) -> Option<String> {
    let domain = domain(SHOP);
    let reading = read_in(domain.clone(), html);
    assert_eq!(reading.records.len(), 1, "{:?}", reading.class);
    let pairs = &reading.records[0].pairs;
    let pair = pairs.iter().find(|pair| pair.role == domain.title())?;
    Some(pair.values.iter().map(|value| value.text.as_str()).collect::<Vec<_>>().join(" | "))
}
