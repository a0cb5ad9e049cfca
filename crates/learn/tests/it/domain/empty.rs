//! A label without a value: it never takes the next label, known or unknown, nor the next label's value.

use super::check;

const REST: &[&str] = &["brand: Acme", "model: R-22", "price: $3.77", "weight: 3.2 lbs"];

/// A page of pairs laid out so; those with an empty value between others: one in front of a known label, one in front of
/// an unknown one, one at the end.
fn page(around: (&str, &str), pair: impl Fn(&str, &str) -> String) -> String {
    let pairs = [
        ("Brand", "Acme"),
        ("Color", ""),
        ("Model", "R-22"),
        ("Material", ""),
        ("Warranty", "two years"),
        ("Price", "$3.77"),
        ("Weight", "3.2 lbs"),
        ("Size", ""),
    ];
    let pairs: String = pairs.iter().map(|(label, value)| pair(label, value)).collect();
    format!("<h1>Leaf rake</h1>{}{pairs}{}", around.0, around.1)
}

#[test]
fn empty_values_in_list_items() {
    check(&page(("<ul>", "</ul>"), |label, value| format!("<li>{label}: {value}</li>")), REST);
}

#[test]
fn empty_values_behind_bold_labels() {
    check(&page(("<div>", "</div>"), |label, value| format!("<p><b>{label}:</b> {value}</p>")), REST);
}

#[test]
fn empty_values_behind_bold_labels_without_colons() {
    check(&page(("<div>", "</div>"), |label, value| format!("<p><b>{label}</b> {value}</p>")), REST);
}

#[test]
fn empty_values_in_lines_that_a_break_ends() {
    check(&page(("<p>", "</p>"), |label, value| format!("{label}: {value}<br>")), REST);
}

#[test]
fn empty_values_behind_bold_labels_in_lines_that_a_break_ends() {
    check(&page(("<p>", "</p>"), |label, value| format!("<b>{label}:</b> {value}<br>")), REST);
}

#[test]
fn empty_values_in_cells() {
    check(&page(("<table>", "</table>"), |label, value| format!("<tr><td>{label}</td><td>{value}</td></tr>")), REST);
}

#[test]
fn empty_values_in_cells_with_a_hard_space() {
    let pair = |label: &str, value: &str| {
        let value = if value.is_empty() { "&nbsp;" } else { value };
        format!("<tr><td>{label}</td><td>{value}</td></tr>")
    };
    check(&page(("<table>", "</table>"), pair), REST);
}

#[test]
fn empty_values_in_cells_beside_header_cells() {
    check(&page(("<table>", "</table>"), |label, value| format!("<tr><th>{label}</th><td>{value}</td></tr>")), REST);
}

#[test]
fn missing_cells() {
    let pair = |label: &str, value: &str| match value {
        "" => format!("<tr><td>{label}</td></tr>"),
        value => format!("<tr><td>{label}</td><td>{value}</td></tr>"),
    };
    check(&page(("<table>", "</table>"), pair), REST);
}

#[test]
fn empty_definitions() {
    check(&page(("<dl>", "</dl>"), |label, value| format!("<dt>{label}</dt><dd>{value}</dd>")), REST);
}

#[test]
fn missing_definitions() {
    let pair = |label: &str, value: &str| match value {
        "" => format!("<dt>{label}</dt>"),
        value => format!("<dt>{label}</dt><dd>{value}</dd>"),
    };
    check(&page(("<dl>", "</dl>"), pair), REST);
}

#[test]
fn empty_boxes_in_rows() {
    let pair = |label: &str, value: &str| {
        format!("<div class=row><div class=label>{label}</div><div class=value>{value}</div></div>")
    };
    check(&page(("<div>", "</div>"), pair), REST);
}

#[test]
fn empty_boxes_without_rows() {
    let pair = |label: &str, value: &str| format!("<div class=label>{label}</div><div class=value>{value}</div>");
    check(&page(("<div>", "</div>"), pair), REST);
}

#[test]
fn empty_spans_in_list_items() {
    let pair = |label: &str, value: &str| format!("<li><span class=k>{label}</span> <span class=v>{value}</span></li>");
    check(&page(("<ul>", "</ul>"), pair), REST);
}

#[test]
fn headings_without_a_paragraph() {
    let pair = |label: &str, value: &str| match value {
        "" => format!("<h3>{label}</h3>"),
        value => format!("<h3>{label}</h3><p>{value}</p>"),
    };
    check(&page(("<div>", "</div>"), pair), REST);
}

#[test]
fn headings_with_an_empty_paragraph() {
    check(&page(("<div>", "</div>"), |label, value| format!("<h3>{label}</h3><p>{value}</p>")), REST);
}

#[test]
#[ignore = "known: an empty value takes the next unknown label"]
fn empty_values_between_bars() {
    check(&page(("<p>", "</p>"), |label, value| format!("{label}: {value} | ")), REST);
}

#[test]
fn empty_values_of_bold_labels_in_one_line() {
    check(&page(("<p>", "</p>"), |label, value| format!("<b>{label}:</b> {value} ")), REST);
}

#[test]
#[ignore = "known: an empty value takes the next unknown label"]
fn empty_values_in_key_and_value_text() {
    check(&page(("<ul>", "</ul>"), |label, value| format!("<li>{label}|{value}</li>")), REST);
}

#[test]
fn empty_values_in_two_pairs_a_row() {
    check(
        "<h1>Leaf rake</h1><table><tr><td>Brand</td><td>Acme</td><td>Color</td><td></td></tr>\
         <tr><td>Model</td><td>R-22</td><td>Warranty</td><td>two years</td></tr>\
         <tr><td>Material</td><td></td><td>Warranty</td><td></td></tr>\
         <tr><td>Price</td><td>$3.77</td><td>Weight</td><td>3.2 lbs</td></tr></table>",
        REST,
    );
}

#[test]
fn an_empty_price_does_not_take_the_next_price() {
    check(
        "<h1>Leaf rake</h1><table><tr><td>Brand</td><td>Acme</td></tr><tr><td>Model</td><td>R-22</td></tr>\
         <tr><td>Price</td><td></td></tr><tr><td>List price</td><td>$5.00</td></tr>\
         <tr><td>Weight</td><td>3.2 lbs</td></tr></table>",
        &["brand: Acme", "model: R-22", "list_price: $5.00", "weight: 3.2 lbs"],
    );
}

#[test]
fn an_empty_value_at_the_end_of_a_table_does_not_take_what_follows_the_table() {
    check(
        "<h1>Leaf rake</h1><table><tr><td>Brand</td><td>Acme</td></tr><tr><td>Model</td><td>R-22</td></tr>\
         <tr><td>Price</td><td>$3.77</td></tr><tr><td>Color</td><td></td></tr></table><p>Add to cart</p>",
        &["brand: Acme", "model: R-22", "price: $3.77"],
    );
}

#[test]
fn an_empty_definition_at_the_end_does_not_take_what_follows_the_list() {
    check(
        "<h1>Leaf rake</h1><dl><dt>Brand</dt><dd>Acme</dd><dt>Model</dt><dd>R-22</dd><dt>Price</dt><dd>$3.77</dd>\
         <dt>Color</dt><dd></dd></dl><p>Add to cart</p>",
        &["brand: Acme", "model: R-22", "price: $3.77"],
    );
}

#[test]
fn an_image_as_the_value_leaves_the_role_out() {
    check(
        "<h1>Leaf rake</h1><table><tr><td>Brand</td><td><img src=acme.gif></td></tr><tr><td>Model</td><td>R-22</td></tr>\
         <tr><td>Price</td><td>$3.77</td></tr><tr><td>Weight</td><td>3.2 lbs</td></tr><tr><td>Color</td><td>red</td></tr>\
         </table>",
        &["model: R-22", "price: $3.77", "weight: 3.2 lbs", "color: red"],
    );
}

#[test]
fn a_dash_says_that_there_is_no_value() {
    let pair = |label: &str, value: &str| {
        let value = if value.is_empty() { "—" } else { value };
        format!("<li><strong>{label}</strong><span>{value}</span></li>")
    };
    let page = page(("<ul>", "</ul><a href=/test>Book a test drive</a>"), pair);
    check(&page, REST);
}

#[test]
fn a_dash_below_a_heading_says_that_there_is_no_value() {
    check(
        "<h1>Leaf rake</h1><p>Brand: Acme</p><p>Model: R-22</p><p>Price: $3.77</p><p>Weight: 3.2 lbs</p>\
         <h3>Material</h3><p>-</p><p>A good one.</p>",
        REST,
    );
}
