//! Label and value in one line: in one text, in formatting, several pairs in a line, lines that a `br` ends.

use windrow_learn::domain::Layout;

use super::{check, check_layout};

const RAKE: &[&str] = &["brand: Acme", "model: R-22", "price: $3.77", "weight: 3.2 lbs"];

#[test]
fn label_and_value_in_one_leaf() {
    let reading = check(
        "<h1>Leaf rake</h1><ul><li>Brand: Acme</li><li>Model: R-22</li><li>Price: $3.77</li><li>Weight: 3.2 lbs</li></ul>",
        RAKE,
    );
    check_layout(&reading, Layout::Line);
}

#[test]
fn a_bold_label_with_its_colon_inside() {
    check(
        "<h1>Leaf rake</h1><p><b>Brand:</b> Acme</p><p><b>Model:</b> R-22</p><p><b>Price:</b> $3.77</p>\
         <p><b>Weight:</b> 3.2 lbs</p>",
        RAKE,
    );
}

#[test]
fn a_bold_label_with_its_colon_outside() {
    check(
        "<h1>Leaf rake</h1><p><b>Brand</b>: Acme</p><p><b>Model</b>: R-22</p><p><b>Price</b>: $3.77</p>\
         <p><b>Weight</b>: 3.2 lbs</p>",
        RAKE,
    );
}

#[test]
fn a_bold_label_without_a_colon() {
    let reading = check(
        "<h1>Leaf rake</h1><p><b>Brand</b> Acme</p><p><b>Model</b> R-22</p><p><b>Price</b> $3.77</p>\
         <p><b>Weight</b> 3.2 lbs</p>",
        RAKE,
    );
    check_layout(&reading, Layout::Beside);
}

#[test]
fn a_label_span_and_a_value_span_side_by_side() {
    check(
        "<h1>Leaf rake</h1><ul><li><span class=k>Brand</span><span class=v>Acme</span></li>\
         <li><span class=k>Model</span><span class=v>R-22</span></li>\
         <li><span class=k>Price</span><span class=v>$3.77</span></li>\
         <li><span class=k>Weight</span><span class=v>3.2 lbs</span></li></ul>",
        RAKE,
    );
}

#[test]
fn a_plain_label_and_a_bold_value() {
    check(
        "<h1>Leaf rake</h1><p>Brand: <b>Acme</b></p><p>Model: <b>R-22</b></p><p>Price: <b>$3.77</b></p>\
         <p>Weight: <strong>3.2 lbs</strong></p>",
        RAKE,
    );
}

#[test]
fn lines_that_a_break_ends() {
    check("<h1>Leaf rake</h1><p>Brand: Acme<br>Model: R-22<br/>Price: $3.77<BR>\nWeight: 3.2 lbs</p>", RAKE);
}

#[test]
fn bold_labels_in_lines_that_a_break_ends() {
    check(
        "<h1>Leaf rake</h1><font size=2><b>Brand</b> Acme<br><b>Model</b> R-22<br><b>Price</b> $3.77<br>\
         <b>Weight</b> 3.2 lbs<br></font>",
        RAKE,
    );
}

#[test]
fn a_value_on_the_line_below_its_label() {
    check(
        "<h1>Leaf rake</h1><p><b>Brand</b><br>Acme</p><p><b>Model</b><br>R-22</p><p><b>Price</b><br>$3.77</p>\
         <p><b>Weight</b><br>3.2 lbs</p>",
        RAKE,
    );
}

#[test]
fn several_pairs_in_a_line_with_bars_between() {
    check("<h1>Leaf rake</h1><p>Brand: Acme | Model: R-22 | Price: $3.77 | Weight: 3.2 lbs</p>", RAKE);
}

#[test]
fn several_pairs_in_a_line_with_semicolons_between() {
    check("<h1>Leaf rake</h1><p>Brand: Acme; Model: R-22; Price: $3.77; Weight: 3.2 lbs</p>", RAKE);
}

#[test]
fn several_pairs_in_a_line_with_bullets_between() {
    check("<h1>Leaf rake</h1><p>Brand: Acme • Model: R-22 • Price: $3.77 · Weight: 3.2 lbs</p>", RAKE);
}

#[test]
fn several_pairs_in_a_line_with_commas_between() {
    check("<h1>Leaf rake</h1><p>Brand: Acme, Model: R-22, Price: $3.77, Weight: 3.2 lbs</p>", RAKE);
}

#[test]
fn several_pairs_in_a_line_with_spaces_between() {
    check(
        "<h1>Leaf rake</h1><p>Brand: Acme &nbsp;&nbsp; Model: R-22 &nbsp;&nbsp; Price: $3.77 &nbsp; Weight: 3.2 lbs</p>",
        RAKE,
    );
}

#[test]
fn several_bold_labels_in_a_line() {
    check(
        "<h1>Leaf rake</h1><div><b>Brand:</b> Acme <b>Model:</b> R-22 <b>Price:</b> $3.77 <b>Weight:</b> 3.2 lbs</div>",
        RAKE,
    );
}

#[test]
fn several_bold_labels_without_colons_in_a_line() {
    check(
        "<h1>Leaf rake</h1><div><b>Brand</b> Acme <b>Model</b> R-22 <b>Price</b> $3.77 <b>Weight</b> 3.2 lbs</div>",
        RAKE,
    );
}

#[test]
fn key_and_value_with_a_bar_between() {
    check(
        "<h1>Leaf rake</h1><ul><li>Brand|Acme</li><li>Model|R-22</li><li>Price|$3.77</li><li>Weight|3.2 lbs</li></ul>",
        RAKE,
    );
}

#[test]
fn key_and_value_with_a_spaced_bar_between() {
    check("<h1>Leaf rake</h1><p>Brand | Acme<br>Model | R-22<br>Price | $3.77<br>Weight | 3.2 lbs</p>", RAKE);
}

#[test]
fn key_and_value_with_an_equals_sign_between() {
    check(
        "<h1>Leaf rake</h1><ul><li>Brand = Acme</li><li>Model = R-22</li><li>Price = $3.77</li><li>Weight=3.2 lbs</li></ul>",
        RAKE,
    );
}

#[test]
#[ignore = "known: a dash is no sign of a label"]
fn key_and_value_with_a_dash_between() {
    check(
        "<h1>Leaf rake</h1><ul><li>Brand - Acme</li><li>Model - R-22</li><li>Price - $3.77</li>\
         <li>Weight – 3.2 lbs</li></ul>",
        RAKE,
    );
}

#[test]
fn key_and_value_in_preformatted_text() {
    check("<h1>Leaf rake</h1><pre>\nBrand:    Acme\nModel:    R-22\nPrice:    $3.77\nWeight:   3.2 lbs\n</pre>", RAKE);
}

#[test]
#[ignore = "known: dots are no sign of a label"]
fn dotted_leaders_are_no_part_of_the_value() {
    check(
        "<h1>Leaf rake</h1><ul><li>Brand ........ Acme</li><li>Model ........ R-22</li>\
         <li>Price ........ $3.77</li><li>Weight ....... 3.2 lbs</li></ul>",
        RAKE,
    );
}

#[test]
fn bullets_in_front_of_labels() {
    check("<h1>Leaf rake</h1><p>• Brand: Acme<br>• Model: R-22<br>• Price: $3.77<br>• Weight: 3.2 lbs</p>", RAKE);
}

#[test]
fn case_and_white_space_of_labels_do_not_count() {
    check(
        "<h1>Leaf rake</h1><p>BRAND : Acme</p><p>MODEL\n NUMBER : R-22</p><p>our&nbsp;price: $3.77</p>\
         <p>Item  Weight: 3.2 lbs</p>",
        RAKE,
    );
}

#[test]
fn the_longest_keyword_labels() {
    check(
        "<h1>Leaf rake</h1><p>List price: $5.00</p><p>Price: $3.77</p><p>Item model number: R-22</p><p>Brand: Acme</p>",
        &["list_price: $5.00", "price: $3.77", "model: R-22", "brand: Acme"],
    );
}

#[test]
fn a_longer_label_that_ends_in_a_keyword_is_another_label() {
    check(
        "<h1>Leaf rake</h1><p>Brand: Acme</p><p>Model: R-22</p><p>Cheapest competitor price: $9.00</p><p>Price: $3.77</p>\
         <p>Weight: 3.2 lbs</p>",
        RAKE,
    );
}

#[test]
fn a_longer_label_that_begins_with_a_keyword_is_another_label() {
    check(
        "<h1>Leaf rake</h1><p>Brand: Acme</p><p>Model: R-22</p><p>Price match guarantee: 30 days</p><p>Price: $3.77</p>\
         <p>Weight: 3.2 lbs</p>",
        RAKE,
    );
}

#[test]
fn a_keyword_inside_a_word_is_none() {
    check(
        "<h1>Leaf rake</h1><p>Brand: Acme</p><p>Model: R-22</p><p>Caprice: 12</p><p>Priced: 13</p><p>Price: $3.77</p>\
         <p>Weight: 3.2 lbs</p><p>Counterweight: 9 kg</p>",
        RAKE,
    );
}

#[test]
fn a_label_with_a_unit_in_brackets() {
    check(
        "<h1>Leaf rake</h1><p>Brand: Acme</p><p>Model: R-22</p><p>Price (USD): 3.77</p><p>Weight (lbs): 3.2</p>",
        &["brand: Acme", "model: R-22", "price: 3.77", "weight: 3.2"],
    );
}

#[test]
fn a_value_with_colons_of_its_own_stays_whole() {
    check(
        "<h1>Leaf rake</h1><p>Brand: Acme</p><p>Model: R-22</p><p>Price: $3.77</p><p>Availability: today until 17:30</p>",
        &["brand: Acme", "model: R-22", "price: $3.77", "availability: today until 17:30"],
    );
}

#[test]
fn a_value_in_several_formats_stays_whole() {
    check(
        "<h1>Leaf rake</h1><p>Brand: Acme</p><p>Model: R-22</p><p>Price: <sup>$</sup>3<sup>77</sup></p>\
         <p>Material: <em>ash</em> and <b>steel</b>, <a href=/oil>oiled</a></p>",
        &["brand: Acme", "model: R-22", "price: $377", "material: ash and steel, oiled"],
    );
}

#[test]
fn a_label_in_a_link_with_its_value_behind() {
    check(
        "<h1>Leaf rake</h1><p><a href=/g/brand>Brand</a>: Acme</p><p><a href=/g/model>Model</a>: R-22</p>\
         <p><a href=/g/price>Price</a>: $3.77</p><p><a href=/g/weight>Weight</a>: 3.2 lbs</p>",
        RAKE,
    );
}

#[test]
fn a_value_in_a_link() {
    check(
        "<h1>Leaf rake</h1><p>Brand: <a href=/b/acme>Acme</a></p><p>Model: <a href=/m/22>R-22</a></p><p>Price: $3.77</p>\
         <p>Weight: 3.2 lbs</p>",
        RAKE,
    );
}

#[test]
fn the_value_says_where_it_is() {
    let html = "<h1>Leaf rake</h1><ul><li>Brand: Acme</li><li>Model: R-22</li><li><b>Price:</b> <i>$3.77</i></li>\
        <li>Weight: 3.2 lbs</li></ul>";
    let page = windrow_wrapper::Page::from_text("page", html);
    let domain = super::domain(super::SHOP);
    let reading = windrow_learn::domain::Reader::new(domain.clone()).unwrap().read(&page);
    let mut seen = 0;
    for pair in &reading.records[0].pairs {
        for value in &pair.values {
            let all = page.document().text_content(value.node);
            let all = all.trim();
            let text = value.part.clone().map_or(all, |part| &all[part]);
            assert_eq!(text, value.text);
            seen += 1;
        }
    }
    assert!(seen >= 4);
}

#[test]
fn a_label_in_brackets_behind_its_value() {
    let reading = check(
        "<h1>Raking</h1><p><a href=/a>Ann Ash</a> (Author)</p><p>Format: Hardcover</p><p>ISBN: 978-0-00-000000-2</p>\
         <p>Price: $3.77</p>",
        &["authors: Ann Ash", "format: Hardcover", "isbn: 978-0-00-000000-2", "price: $3.77"],
    );
    assert!(super::layouts(&reading).contains(&("authors".to_owned(), Layout::Before)));
}

#[test]
fn a_struck_price_gives_way_to_the_one_that_holds() {
    check(
        "<h1>Leaf rake</h1><p>Brand: Acme</p><p>Model: R-22</p><p>Price: <del>$5.00</del></p><p>Price: $3.77</p>\
         <p>Weight: 3.2 lbs</p>",
        RAKE,
    );
}
