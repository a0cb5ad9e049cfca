//! Which pairs are one record: several things on a page, offers that lead elsewhere, the page's class.

use windrow_learn::domain::{Class, Kind};

use super::{check, check_none, check_records, read};

#[test]
fn two_things_in_full_are_two_records() {
    check_records(
        "<html><body><h1>Our rakes</h1><div class=item><h2>Leaf rake</h2><ul><li>Brand: Acme</li><li>Model: R-22</li>\
         <li>Price: $3.77</li><li>Weight: 3.2 lbs</li><li>Color: red</li></ul></div>\
         <div class=item><h2>Hay rake</h2><ul><li>Brand: Hayco</li><li>Model: H-1</li>\
         <li>Price: $8.00</li><li>Weight: 5 lbs</li><li>Color: blue</li></ul></div></body></html>",
        &[
            &["brand: Acme", "model: R-22", "price: $3.77", "weight: 3.2 lbs", "color: red"],
            &["brand: Hayco", "model: H-1", "price: $8.00", "weight: 5 lbs", "color: blue"],
        ],
    );
}

#[test]
#[ignore = "known: the node around records is richer than each"]
fn three_things_in_tables_are_three_records() {
    let item = |name: &str, brand: &str, at: usize| {
        format!(
            "<h2>{name}</h2><table><tr><td>Brand</td><td>{brand}</td></tr><tr><td>Model</td><td>M-{at}</td></tr>\
             <tr><td>Price</td><td>${at}.50</td></tr><tr><td>Weight</td><td>{at} lbs</td></tr></table>"
        )
    };
    let items = [("Leaf rake", "Acme"), ("Hay rake", "Hayco"), ("Bow rake", "Bowman")];
    let items: String = items.iter().enumerate().map(|(at, (name, brand))| item(name, brand, at + 1)).collect();
    check_records(
        &format!("<html><body><h1>Our rakes</h1>{items}</body></html>"),
        &[
            &["brand: Acme", "model: M-1", "price: $1.50", "weight: 1 lbs"],
            &["brand: Hayco", "model: M-2", "price: $2.50", "weight: 2 lbs"],
            &["brand: Bowman", "model: M-3", "price: $3.50", "weight: 3 lbs"],
        ],
    );
}

#[test]
fn records_of_one_brand_are_still_several() {
    let item = |at: usize| {
        format!(
            "<div class=item><h3>Rake {at}</h3><p>Brand: Acme</p><p>Model: R-{at}</p><p>Price: ${at}.50</p>\
             <p>Weight: {at} lbs</p></div>"
        )
    };
    let reading = read(&format!("<body>{}{}{}</body>", item(1), item(2), item(3)));
    assert_eq!(reading.records.len(), 3);
    assert_eq!(reading.class, Class::DataRich);
}

#[test]
fn each_of_several_records_has_its_own_title() {
    let item = |name: &str, at: usize| {
        format!(
            "<div class=item><h3>{name}</h3><p>Brand: Brand {at}</p><p>Model: R-{at}</p><p>Price: ${at}.50</p>\
             <p>Weight: {at} lbs</p></div>"
        )
    };
    let domain = super::domain(super::SHOP);
    let reading = read(&format!("<body><h1>Rakes</h1>{}{}</body>", item("Leaf rake", 1), item("Hay rake", 2)));
    let titles: Vec<&str> = reading
        .records
        .iter()
        .flat_map(|record| record.pairs.iter().filter(|pair| pair.role == domain.title()))
        .map(|pair| pair.values[0].text.as_str())
        .collect();
    assert_eq!(titles, ["Leaf rake", "Hay rake"]);
}

#[test]
fn records_do_not_overlap() {
    let item = |at: usize| {
        format!("<div><p>Brand: B{at}</p><p>Model: R-{at}</p><p>Price: ${at}.50</p><p>Weight: {at} lbs</p></div>")
    };
    let html: String = (1..6).map(item).collect();
    let page = windrow_wrapper::Page::from_text("page", format!("<body>{html}</body>"));
    let reading = windrow_learn::domain::Reader::new(super::domain(super::SHOP)).unwrap().read(&page);
    assert_eq!(reading.records.len(), 5);
    for pair in reading.records.windows(2) {
        assert!(page.document().subtree_end(pair[0].node) <= pair[1].node);
    }
}

/// A list of offers: a link, a brand and a price each.
fn offers(count: usize) -> String {
    (1..=count)
        .map(|at| {
            format!(
                "<li class=offer><a href=/p/{at}><img src={at}.jpg></a><h3><a href=/p/{at}>Rake {at}</a></h3>\
                 <div>Brand: Brand {at}</div><div>Price: ${at}.99</div></li>"
            )
        })
        .collect()
}

#[test]
fn a_category_page_is_a_link_offer() {
    check_none(
        &format!("<html><head><title>Rakes</title></head><body><h1>Rakes</h1><ul>{}</ul></body></html>", offers(12)),
        Class::LinkOffer,
    );
}

#[test]
fn a_category_page_of_two_offers_is_a_link_offer() {
    check_none(&format!("<html><body><h1>Rakes</h1><ul>{}</ul></body></html>", offers(2)), Class::LinkOffer);
}

#[test]
fn a_category_page_in_a_table_with_a_header_row_is_a_link_offer() {
    let rows: String = (1..=8)
        .map(|at| {
            format!(
                "<tr><td><a href=/p/{at}>Rake {at}</a></td><td>Brand {at}</td><td>R-{at}</td><td>${at}.99</td></tr>"
            )
        })
        .collect();
    let reading = read(&format!(
        "<html><body><h1>Rakes</h1><table><tr><th>Item</th><th>Brand</th><th>Model</th><th>Price</th></tr>{rows}</table>\
         </body></html>"
    ));
    assert!(reading.records.is_empty(), "{:?}", reading.records);
    assert_ne!(reading.class, Class::DataRich);
}

#[test]
fn a_category_page_with_four_roles_an_offer_has_no_single_record() {
    let offers: String = (1..=6)
        .map(|at| {
            format!(
                "<div class=card><a href=/p/{at}>Rake {at}</a><p>Brand: Brand {at}</p><p>Model: R-{at}</p>\
                 <p>Price: ${at}.99</p><p>Weight: {at} lbs</p></div>"
            )
        })
        .collect();
    let reading = read(&format!("<html><body><h1>Rakes</h1>{offers}</body></html>"));
    assert_ne!(reading.records.len(), 1, "six things are not one");
}

#[test]
fn a_record_and_a_list_of_offers_is_data_rich_and_has_one_record() {
    check(
        &format!(
            "<html><head><title>Leaf rake</title></head><body><h1>Leaf rake</h1><table><tr><td>Brand</td><td>Acme</td></tr>\
             <tr><td>Model</td><td>R-22</td></tr><tr><td>Price</td><td>$3.77</td></tr><tr><td>Weight</td><td>3.2 lbs</td></tr>\
             </table><h2>More rakes</h2><ul>{}</ul></body></html>",
            offers(8)
        ),
        &["brand: Acme", "model: R-22", "price: $3.77", "weight: 3.2 lbs"],
    );
}

#[test]
fn offers_around_the_record_on_all_sides() {
    check(
        &format!(
            "<html><head><title>Leaf rake</title></head><body><ul class=top>{}</ul><div><h1>Leaf rake</h1><dl><dt>Brand</dt>\
             <dd>Acme</dd><dt>Model</dt><dd>R-22</dd><dt>Price</dt><dd>$3.77</dd><dt>Weight</dt><dd>3.2 lbs</dd></dl></div>\
             <ul class=bottom>{}</ul></body></html>",
            offers(3),
            offers(5)
        ),
        &["brand: Acme", "model: R-22", "price: $3.77", "weight: 3.2 lbs"],
    );
}

#[test]
fn the_list_of_offers_is_a_link_offer_node() {
    let reading = read(&format!("<html><body><h1>Rakes</h1><ul>{}</ul></body></html>", offers(12)));
    assert!(reading.nodes.iter().any(|node| node.kind == Kind::LinkOffer));
    assert!(reading.nodes.iter().all(|node| node.kind != Kind::DataRich));
}

#[test]
fn an_agreeing_summary_adds_to_the_record() {
    check(
        "<html><head><title>Leaf rake</title></head><body><div class=summary><h1>Leaf rake</h1><p>Brand: Acme</p>\
         <p>Model: R-22</p><p>Price: $3.77</p><p>Availability: in stock</p></div><div class=specs><h2>Specifications</h2>\
         <p>Brand: Acme</p><p>Model: R-22</p><p>Weight: 3.2 lbs</p><p>Color: red</p><p>Material: ash</p></div></body></html>",
        &[
            "brand: Acme",
            "model: R-22",
            "price: $3.77",
            "availability: in stock",
            "weight: 3.2 lbs",
            "color: red",
            "material: ash",
        ],
    );
}

#[test]
fn a_value_behind_a_sign_beats_one_further_away() {
    // The first price is a heading over something else; the second is in the table of the record.
    check(
        "<html><head><title>Leaf rake</title></head><body><h3>Price</h3><p>Check our 3 offers</p><h1>Leaf rake</h1><table>\
         <tr><td>Brand</td><td>Acme</td></tr><tr><td>Model</td><td>R-22</td></tr><tr><td>Price:</td><td>$3.77</td></tr>\
         <tr><td>Weight</td><td>3.2 lbs</td></tr></table></body></html>",
        &["brand: Acme", "model: R-22", "price: $3.77", "weight: 3.2 lbs"],
    );
}

#[test]
fn a_value_that_matches_beats_one_that_does_not() {
    check(
        "<html><body><h1>Leaf rake</h1><p>Price: call us</p><table><tr><td>Brand</td><td>Acme</td></tr>\
         <tr><td>Model</td><td>R-22</td></tr><tr><td>Price</td><td>$3.77</td></tr><tr><td>Weight</td><td>3.2 lbs</td></tr>\
         </table></body></html>",
        &["brand: Acme", "model: R-22", "price: $3.77", "weight: 3.2 lbs"],
    );
}

#[test]
fn the_confidence_is_between_none_and_certain_and_a_label_beats_a_name() {
    let reading = read(
        "<h1>Leaf rake</h1><ul><li>Brand: Acme</li><li>Model: R-22</li><li>Price: $3.77</li><li>Weight: 3.2 lbs</li></ul>\
         <b id=sku>AC-22</b>",
    );
    let pairs = &reading.records[0].pairs;
    assert!(pairs.iter().all(|pair| pair.confidence > 0.0 && pair.confidence <= 1.0));
    let domain = super::domain(super::SHOP);
    let of = |name: &str| pairs.iter().find(|pair| pair.role == domain.role(name)).unwrap().confidence;
    assert!(of("price") > of("code"));
}

#[test]
fn pairs_come_in_the_order_of_the_roles() {
    let reading = read(
        "<h1>Leaf rake</h1><ul><li>Weight: 3.2 lbs</li><li>Price: $3.77</li><li>Model: R-22</li><li>Brand: Acme</li></ul>",
    );
    let roles: Vec<_> = reading.records[0].pairs.iter().map(|pair| pair.role).collect();
    let mut sorted = roles.clone();
    sorted.sort();
    assert_eq!(roles, sorted);
}

#[test]
fn reading_twice_gives_the_same() {
    let html =
        format!("<html><body><h1>Leaf rake</h1><p>Brand: Acme</p><p>Price: $1</p><ul>{}</ul></body></html>", offers(9));
    assert_eq!(format!("{:?}", read(&html)), format!("{:?}", read(&html)));
}

#[test]
fn the_extraction_has_the_records_as_objects() {
    let html = "<h1>Leaf rake</h1><ul><li>Brand: Acme</li><li>Model: R-22</li><li>Price: $3.77</li><li>Weight: 3 lbs</li></ul>";
    let page = std::sync::Arc::new(windrow_wrapper::Page::from_text("page", html));
    let reader = windrow_learn::domain::Reader::new(super::domain(super::SHOP)).unwrap();
    let reading = reader.read(&page);
    let extraction = reader.extraction(page, &reading);
    let records: Vec<String> = extraction
        .objects()
        .map(|record| {
            let fields = record.objects().map(|object| format!("{} {:?}", object.label(), object.text()));
            format!("{}: {}", record.label(), fields.collect::<Vec<_>>().join(", "))
        })
        .collect();
    assert_eq!(records, [r#"records: name "Leaf rake", brand "Acme", model "R-22", price "$3.77", weight "3 lbs""#]);
}

#[test]
fn every_record_has_its_pairs_in_its_own_node_or_on_the_page_alone() {
    let html = "<body><div><p>Brand: A</p><p>Model: M1</p><p>Price: $1</p><p>Weight: 1 lb</p></div>\
        <div><p>Brand: B</p><p>Model: M2</p><p>Price: $2</p><p>Weight: 2 lb</p></div></body>";
    let page = windrow_wrapper::Page::from_text("page", html);
    let reading = windrow_learn::domain::Reader::new(super::domain(super::SHOP)).unwrap().read(&page);
    assert_eq!(reading.records.len(), 2);
    for record in &reading.records {
        let end = page.document().subtree_end(record.node);
        for label in record.pairs.iter().filter_map(|pair| pair.label.as_ref()) {
            assert!(record.node <= label.node && label.node < end, "{label:?}");
        }
    }
}
