//! Spans: the source at a start tag's span is that tag, and so on for all nodes and attributes.

use windrow_dom::{Document, Limits, names};
use windrow_testkit::checks;

use crate::invariants::{on_generated, on_pages};

#[test]
fn spans_of_real_pages_read_as_their_nodes() {
    on_pages("spans", |document| checks::spans(document, &Limits::default()));
}

#[test]
fn generated_spans_read_as_their_nodes() {
    on_generated(100_000, |document| checks::spans(document, &Limits::default()));
}

/// Returns the source at the spans of the first element with that name: start tag, end tag, whole element.
fn said(html: &str, name: windrow_dom::NameId) -> (Option<String>, Option<String>, Option<String>) {
    let document = Document::parse(html);
    let id = document.find_html(name).expect("the page has such an element");
    let text = |span: Option<windrow_dom::Span>| span.map(|span| document.source()[span.range()].to_owned());
    (text(document.start_tag(id)), text(document.end_tag(id)), text(document.span(id)))
}

fn some(text: &str) -> Option<String> {
    Some(text.to_owned())
}

#[test]
fn an_element_spans_from_tag_to_tag() {
    let html = "<ul><li class='a' >Oslo</li ><li>Rome</ul>";
    assert_eq!(said(html, names::LI), (some("<li class='a' >"), some("</li >"), some("<li class='a' >Oslo</li >")));
    assert_eq!(said(html, names::UL), (some("<ul>"), some("</ul>"), some(html)));
}

#[test]
fn a_left_out_end_tag_ends_at_the_last_descendant() {
    assert_eq!(said("<p>one<b>two</b><p>three", names::P), (some("<p>"), None, some("<p>one<b>two</b>")));
}

#[test]
fn made_up_elements_have_no_tags_but_cover_their_contents() {
    assert_eq!(said("<table><tr><td>x</table>", names::TBODY), (None, None, some("<tr><td>x")));
}

#[test]
fn attributes_know_name_value_and_quotes() {
    let document = Document::parse("<a HREF = '/x?a=1&amp;b' hidden title=t>");
    let id = document.find_html(names::A).expect("the page has a link");
    let said: Vec<[&str; 3]> = document
        .attrs(id)
        .map(|attr| [attr.name_span(), attr.value_span(), attr.span()].map(|span| &document.source()[span.range()]))
        .collect();
    assert_eq!(
        said,
        [["HREF", "/x?a=1&amp;b", "HREF = '/x?a=1&amp;b'"], ["hidden", "", "hidden"], ["title", "t", "title=t"]]
    );
}
