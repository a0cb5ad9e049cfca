//! Pages and domains that nobody would write: nothing panics, and nothing grows out of proportion.

use windrow_learn::domain::{Class, Domain, Reader, Reading, Role};
use windrow_testkit::hostile::DETAILS;
use windrow_wrapper::Page;

use super::{SHOP, check, domain, read};

/// Reads a shape at its larger size, which the program `growth` of `crates/bench` times; gives the number of records.
fn records(name: &str) -> usize {
    let shape = DETAILS.iter().find(|shape| shape.name == name).unwrap();
    let reading = read(&shape.large());
    let most = reading.records.iter().flat_map(|record| &record.pairs).map(|pair| pair.values.len()).max();
    assert!(most.is_none_or(|most| most <= 10_000), "{name}: {most:?} values in a pair");
    reading.records.len()
}

#[test]
fn many_labels_make_one_record_at_most() {
    for name in ["labels in one cell", "labels in text nodes of their own", "bold labels with colons in one line"] {
        assert!(records(name) <= 1, "{name}");
    }
}

#[test]
fn labels_without_values_make_no_record() {
    for name in ["labels without values", "keywords in prose"] {
        assert_eq!(records(name), 0, "{name}");
    }
}

#[test]
fn a_table_of_ten_thousand_columns() {
    let columns = DETAILS.iter().find(|shape| shape.name == "columns").unwrap();
    assert!(read(&(columns.build)(10_000)).records.len() <= 1);
}

#[test]
fn one_record_deep_inside_is_found() {
    assert_eq!(records("one record deep inside"), 1);
}

#[test]
fn the_other_hostile_pages_are_read() {
    for name in [
        "keywords in the prose of values",
        "letters with accents",
        "columns",
        "columns without values",
        "rows",
        "a label at every depth",
        "a label without a value at every depth",
        "tables in tables",
        "elements named like a role",
        "records",
        "a value of many links",
    ] {
        records(name);
    }
}

/// A page around a record that must be read whatever is beside it.
fn beside(hostile: &str) -> Reading {
    check(
        &format!(
            "<html><head><title>Leaf rake</title></head><body><div class=main><h1>Leaf rake</h1><table>\
             <tr><td>Brand</td><td>Acme</td></tr><tr><td>Model</td><td>R-22</td></tr><tr><td>Price</td><td>$3.77</td></tr>\
             <tr><td>Weight</td><td>3.2 lbs</td></tr></table></div>{hostile}</body></html>"
        ),
        &["brand: Acme", "model: R-22", "price: $3.77", "weight: 3.2 lbs"],
    )
}

#[test]
fn an_empty_document() {
    let reading = read("");
    assert_eq!(reading.class, Class::Neither);
    assert!(reading.records.is_empty() && reading.nodes.is_empty());
}

#[test]
fn documents_without_a_body() {
    for html in [" ", "<", "<!doctype html>", "<html>", "<head></head>", "<frameset><frame src=a></frameset>", "\0\0\0"]
    {
        assert_eq!(read(html).class, Class::Neither, "{html:?}");
    }
}

#[test]
fn texts_of_signs_alone() {
    for html in [":", "::::", "Price", "Price:", ": $3.77", "|", "Price:|:|:", "【】", "Price=", "Brand:Brand:Brand:"]
    {
        let reading = read(&format!("<p>{html}</p>"));
        assert!(reading.records.is_empty(), "{html:?}");
    }
}

#[test]
fn a_line_of_a_megabyte() {
    let line = "word ".repeat(200_000);
    let reading = read(&format!("<p>Price: 1 {line}</p><p>Brand: {line}</p><p>Color: {line} Size: {line}</p>"));
    assert!(reading.records.len() <= 1);
    beside(&format!("<p>{line}</p>"));
}

#[test]
fn letters_that_fold_to_many_or_to_none() {
    let text = "\u{fdfa}\u{301}\u{301}ﬃ\u{1d15e}İ\u{130}\u{ad}\u{200b}\u{feff}";
    let reading = beside(&format!("<p>{text}Price{text}: {text}</p><p>{text}</p><p>{text}Size: {text}</p>"));
    assert_eq!(reading.records.len(), 1);
    for html in
        ["\u{301}Price: 1", "P\u{301}rice: 1", "Price\u{301}: 1", "Price:\u{301} 1", "\u{fdfa}: Price", "ﬁ Price ﬁ"]
    {
        read(&format!("<p>{html}</p><p>Brand: x</p>"));
    }
}

#[test]
fn columns_as_wide_as_numbers_go() {
    for wide in ["18446744073709551615", "-1", "0", "99999999999999999999999999", "1e9", ""] {
        let reading = read(&format!(
            "<table><tr><th colspan={wide}>Price</th><th colspan='{wide}'>Brand</th><th>Color</th></tr>\
             <tr><td colspan={wide}>1</td><td>2</td><td>3</td></tr></table>"
        ));
        assert!(reading.records.len() <= 1, "{wide}");
    }
}

#[test]
fn fifty_thousand_elements_with_the_name_of_a_role() {
    beside(&"<b data-qa=price>$1</b>".repeat(50_000));
}

fn role(name: &str, keywords: Vec<String>) -> Role {
    Role { name: name.to_owned(), keywords, ..Role::default() }
}

fn of(roles: Vec<Role>) -> Domain {
    Domain { name: "hostile".to_owned(), roles, ..Domain::default() }
}

#[test]
fn keywords_that_are_empty_or_signs() {
    let keywords = ["", " ", ":", "：", "\u{301}", "|", "\n"].map(str::to_owned).to_vec();
    let reader = Reader::new(of(vec![role("a", keywords.clone()), role("b", keywords)])).unwrap();
    let reading = reader.read(&Page::from_text("page", "<p>: a | b : c</p><p>|</p><p>text: more</p>"));
    assert!(reading.records.is_empty());
}

#[test]
fn a_keyword_of_two_thousand_words_leaves_the_others_as_they_are() {
    // A file may have no such keyword; a domain made by hand may, and it is found or not.
    let long = "price ".repeat(2_000);
    let roles =
        vec![role("a", vec![long.clone()]), role("b", vec!["brand".to_owned()]), role("c", vec!["model".to_owned()])];
    let reader = Reader::new(of(roles)).unwrap();
    let html = format!("<p>{}: 1</p><p>Brand: b</p><p>Model: m</p>", long.trim());
    let reading = reader.read(&Page::from_text("page", html));
    assert_eq!(reading.records.len(), 1);
    let others = super::lines(reader.domain(), &reading.records[0]);
    assert_eq!(others.iter().filter(|line| !line.starts_with("a: ")).collect::<Vec<_>>(), ["b: b", "c: m"]);
}

#[test]
fn five_thousand_roles() {
    let roles = (0..5_000).map(|at| role(&format!("r{at}"), vec![format!("label {at}")])).collect();
    let reader = Reader::new(of(roles)).unwrap();
    let html: String = (0..5_000).map(|at| format!("<p>Label {at}: value {at}</p>")).collect();
    let reading = reader.read(&Page::from_text("page", html));
    assert_eq!(reading.records.len(), 1);
    assert_eq!(reading.records[0].pairs.len(), 5_000);
}

#[test]
fn of_keywords_inside_each_other_the_longest_labels() {
    let roles = vec![
        role("a", vec!["price".to_owned()]),
        role("b", vec!["price per unit".to_owned()]),
        role("c", vec!["unit".to_owned()]),
        role("d", vec!["unit price".to_owned()]),
    ];
    let reading = super::check_in(
        of(roles),
        "<h1>Leaf rake</h1><p>Price: 1</p><p>Price per unit: 2</p><p>Unit: 3</p><p>Unit price: 4</p>",
        &["a: 1", "b: 2", "c: 3", "d: 4"],
    );
    assert_eq!(reading.records.len(), 1);
}

#[test]
fn keywords_that_overlap_in_a_text_do_not_hide_each_other() {
    // `unit price` would begin inside `per unit`, which is no label here; the label is behind it.
    let roles = vec![
        role("a", vec!["cost per unit".to_owned()]),
        role("b", vec!["unit price".to_owned()]),
        role("c", vec!["size".to_owned()]),
    ];
    super::check_in(
        of(roles),
        "<h1>Leaf rake</h1><p>Size: 3</p><p>Cost per unit: 4</p><p>Unit price: 5</p>",
        &["a: 4", "b: 5", "c: 3"],
    );
}

#[test]
fn one_keyword_of_two_roles_labels_one_of_them() {
    let roles = vec![
        role("a", vec!["size".to_owned()]),
        role("b", vec!["size".to_owned()]),
        role("c", vec!["price".to_owned()]),
        role("d", vec!["brand".to_owned()]),
    ];
    let reader = Reader::new(of(roles)).unwrap();
    let reading = reader.read(&Page::from_text("page", "<p>Size: L</p><p>Price: 1</p><p>Brand: b</p>"));
    assert_eq!(reading.records.len(), 1);
    let sizes = reading.records[0].pairs.iter().filter(|pair| matches!(pair.role, Some(0 | 1))).count();
    assert_eq!(sizes, 1);
}

#[test]
fn a_broken_pattern_of_a_domain_made_by_hand_asks_nothing() {
    let mut roles = vec![role("a", vec!["price".to_owned()]), role("b", vec!["brand".to_owned()])];
    roles[0].value = Some("(".to_owned());
    let reader = Reader::new(of(roles)).unwrap();
    let reading = reader.read(&Page::from_text("page", "<h1>x</h1><p>Price: 1</p><p>Brand: b</p>"));
    assert_eq!(reading.records.len(), 1);
}

#[test]
fn a_role_within_a_role_that_does_not_exist() {
    let mut roles = vec![role("a", vec!["price".to_owned()]), role("b", vec!["brand".to_owned()])];
    roles[1].within = Some(99);
    if let Ok(reader) = Reader::new(of(roles)) {
        let page = std::sync::Arc::new(Page::from_text("page", "<h1>x</h1><p>Price: 1</p><p>Brand: b</p>"));
        let reading = reader.read(&page);
        reader.extraction(page, &reading);
    }
}

#[test]
fn every_prefix_of_a_page_is_read() {
    let html = "<html><head><title>Größe</title><script type='application/ld+json'>{\"@type\":\"Product\",\"sku\":\"1\"}\
        </script></head><body><h1>Größe</h1><table><tr><th>Brand</th><td colspan=2>Acmé</td></tr><tr><td>Price:</td>\
        <td>€ 1</td></tr></table><dl><dt>Size<dd>L</dl><p>【Color】red | Weight: 1</p></body></html>";
    let reader = Reader::new(domain(SHOP)).unwrap();
    for end in (0..=html.len()).filter(|&end| html.is_char_boundary(end)) {
        let page = std::sync::Arc::new(Page::from_text("page", &html[..end]));
        let reading = reader.read(&page);
        reader.extraction(page, &reading);
    }
}

#[test]
fn pieces_of_markup_in_any_order() {
    let pieces = [
        "<table>",
        "<tr>",
        "<td>",
        "<th colspan=3>",
        "</td>",
        "</table>",
        "Price",
        "Brand:",
        ": ",
        "|",
        "$3.77",
        "é",
        "【",
        "】",
        "<dl>",
        "<dt>",
        "<dd>",
        "<br>",
        "<b>",
        "</b>",
        "<a href=x>",
        "</a>",
        "<li>",
        "<div hidden>",
        "</div>",
        "\n",
        "Color",
        "Size: L",
        "<h1>",
        "<p class=price>",
        "<span id=model>",
        "<select>",
        "\u{301}",
    ];
    let reader = Reader::new(domain(SHOP)).unwrap();
    // A small generator of numbers with a fixed seed: the same pages every time.
    let mut state = 0x9E37_79B9_7F4A_7C15_u64;
    for _ in 0..3_000 {
        let mut html = String::new();
        for _ in 0..40 {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            html.push_str(pieces[(state % pieces.len() as u64) as usize]);
        }
        let page = std::sync::Arc::new(Page::from_text("page", html));
        let reading = reader.read(&page);
        for pair in reading.records.iter().flat_map(|record| &record.pairs) {
            assert!(!pair.values.is_empty());
            assert!(pair.values.iter().all(|value| !value.text.trim().is_empty()));
        }
        reader.extraction(page, &reading);
    }
}
