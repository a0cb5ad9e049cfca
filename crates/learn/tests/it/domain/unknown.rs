//! Labels that the domain does not know: they look as the known ones do, and tell which words it lacks.

use windrow_learn::domain::{Reader, Unknown};
use windrow_wrapper::Page;

use super::{SHOP, domain};

/// `label: value`, and the role that a part of the label is a keyword of.
fn unknown(html: &str) -> Vec<String> {
    let domain = domain(SHOP);
    let show = |unknown: Unknown| {
        let near = unknown.near.map(|role| format!(" ({})", domain.roles[role].name)).unwrap_or_default();
        format!("{}: {}{near}", unknown.label, unknown.value)
    };
    let reader = Reader::new(domain.clone()).unwrap();
    reader.unknown(&Page::from_text("page", html)).into_iter().map(show).collect()
}

#[test]
fn header_cells_that_look_as_known_ones_do() {
    let found = unknown(
        "<h1>Leaf rake</h1><table><tr><th>Brand</th><td>Acme</td></tr><tr><th>Warranty</th><td>two years</td></tr>\
         <tr><th>Model</th><td>R-22</td></tr><tr><th>Tines</th><td>22</td></tr></table>",
    );
    assert_eq!(found, ["Warranty: two years", "Tines: 22"]);
}

#[test]
fn bold_labels_that_look_as_known_ones_do() {
    let found = unknown(
        "<h1>Leaf rake</h1><p><b>Brand:</b> Acme</p><p><b>Warranty:</b> two years</p><p><b>Model:</b> R-22</p>\
         <p>Made for <b>leaves</b> only.</p>",
    );
    assert_eq!(found, ["Warranty: two years"]);
}

#[test]
fn terms_of_a_definition_list() {
    let found = unknown(
        "<h1>Leaf rake</h1><dl><dt>Brand</dt><dd>Acme</dd><dt>Warranty</dt><dd>two years</dd><dt>Model</dt><dd>R-22</dd></dl>",
    );
    assert_eq!(found, ["Warranty: two years"]);
}

#[test]
fn a_label_that_has_a_keyword_in_it_is_near_its_role() {
    let found = unknown(
        "<h1>Leaf rake</h1><dl><dt>Brand</dt><dd>Acme</dd><dt>Handle material</dt><dd>ash</dd><dt>Model</dt><dd>R-22</dd></dl>",
    );
    assert_eq!(found, ["Handle material: ash (material)"]);
}

#[test]
fn a_label_that_stands_there_twice_is_told_once() {
    let found = unknown(
        "<h1>Leaf rake</h1><dl><dt>Brand</dt><dd>Acme</dd><dt>Warranty</dt><dd>two years</dd><dt>Model</dt><dd>R-22</dd>\
         <dt>Warranty</dt><dd>two years</dd></dl>",
    );
    assert_eq!(found, ["Warranty: two years"]);
}

#[test]
fn a_page_of_which_nothing_is_known_tells_nothing() {
    let found = unknown("<dl><dt>Warranty</dt><dd>two years</dd><dt>Tines</dt><dd>22</dd></dl>");
    assert_eq!(found, [""; 0]);
}

#[test]
fn values_that_look_as_labels_do_are_none() {
    let found = unknown(
        "<h1>Leaf rake</h1><table><tr><td>Brand</td><td>Acme</td></tr><tr><td>Model</td><td>R-22</td></tr>\
         <tr><td>Price</td><td>$3.77</td></tr></table>",
    );
    assert_eq!(found, [""; 0]);
}
