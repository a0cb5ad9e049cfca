//! Bytes to a document, then everything a document can be asked; what must hold of every document is asserted.
#![no_main]

use libfuzzer_sys::fuzz_target;
use windrow_dom::{Document, NodeId, ParseOptions};
use windrow_testkit::{checks, tree};

fuzz_target!(|data: &[u8]| {
    let options = ParseOptions::default();
    let document = Document::from_bytes(data, &options);
    checks::structure(&document).expect("structure");
    checks::tokens(&document).expect("tokens");
    checks::spans(&document, &options.limits).expect("spans");
    let root = document.root();
    let visible = document.visible_text(root);
    let content = document.text_content(root);
    // Line breaks aside, nothing is shown that no text says.
    assert!(visible.chars().filter(|char| !char.is_whitespace()).count() <= content.chars().count());
    for id in document.nodes() {
        let _ = document.span(id);
    }
    assert!(document.heap_size() < 4096 + 400 * data.len());
    // Four times the work of all above: one input in four is enough.
    if data.len() % 4 == 0 {
        for id in document.nodes().take(8) {
            let _ = document.outer_html(id);
        }
        settles(&document, &options);
    }
});

/// Serialising and parsing again may mend a tree that HTML cannot say, but must settle: each trip is a valid page,
/// and a page that came out of a trip and survives the next one is the same tree for good.
fn settles(document: &Document, options: &ParseOptions) {
    let mut html = document.inner_html(NodeId::ROOT);
    for _ in 0..3 {
        let again = Document::parse_with(html.as_str(), options);
        checks::structure(&again).expect("structure of the round trip");
        let next = again.inner_html(NodeId::ROOT);
        if next == html {
            // The same HTML must be the same tree.
            let third = Document::parse_with(next, options);
            assert_eq!(tree::dump(&again), tree::dump(&third));
            return;
        }
        html = next;
    }
}
