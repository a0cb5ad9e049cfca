//! Round trips: serialising and parsing again gives the same tree.
//!
//! The standard's serialisation cannot represent every tree (its section on serialising lists the reasons: a form in
//! a form, a link in a link, a `p` in a `p`, adjacent texts, all of them only reachable through misnesting, and
//! `plaintext`). Pages of the corpus with such trees are listed in [`crate::known`].

use windrow_dom::{Document, ParseOptions};
use windrow_testkit::tally::Tally;
use windrow_testkit::{checks, shared, tree};

use crate::invariants::ONE_PAGE_IN;
use crate::known;

#[test]
fn real_pages_survive_the_round_trip() {
    let pages = shared::test_pages(ONE_PAGE_IN);
    let options = ParseOptions::default();
    let mut tally = Tally::new(known::ROUND_TRIP);
    for path in &pages {
        let bytes = std::fs::read(path).expect("the page can be read");
        let document = Document::from_bytes(bytes, &options);
        let result = checks::round_trip(&document, &options);
        tally.count(&shared::short_name(path), result.is_ok(), || result.unwrap_err());
    }
    eprintln!("round trip: {}", tally.summary());
    let complaints = tally.complaints();
    assert!(complaints.is_empty(), "{}\n{complaints}", tally.summary());
}

fn check(html: &str) {
    let options = ParseOptions::default();
    let document = Document::parse(html);
    if let Err(message) = checks::round_trip(&document, &options) {
        panic!("{html:?}: {message}\n{}", tree::dump(&document));
    }
}

#[test]
fn small_pages_survive_the_round_trip() {
    check("<!DOCTYPE html><title>a &amp; b</title><p class='x \"y\"' title=a&nbsp;b>1 &lt; 2 &amp;amp; 3");
    check("<pre>\n\nx</pre><textarea>\n\ny</textarea>");
    check("<script>if (a < b && c) { '<\\/script>' }</script><style>a > b { }</style>");
    check("<svg viewbox='0 0 1 1'><a xlink:href=#x><foreignObject><p>x</foreignObject></svg>");
    check("<template><tr><td>x</template><noscript><p>y</noscript>");
    check("<table><tr><td>a<td>b<tfoot><tr><td>c</table><select><option>o<optgroup label=g><option>p</select>");
    check("<!-- a --><p><!-- b -- c --></p>");
}

#[test]
fn a_fragment_survives_in_its_context() {
    let options = ParseOptions::default();
    for (html, context) in [("<td>x<td>y", "tr"), ("<g><path d='M0 0'/></g>", "svg svg"), ("a<b>c", "div")] {
        let first = Document::parse_fragment(html, context, &options);
        let again = Document::parse_fragment(first.inner_html(first.root()), context, &options);
        assert_eq!(tree::dump(&first), tree::dump(&again), "{html:?} in {context}");
    }
}
