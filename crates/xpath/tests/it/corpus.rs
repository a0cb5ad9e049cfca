//! Canonical paths on real pages: each selects the node it was made for, and no other.

use windrow_dom::{Document, ParseOptions};
use windrow_testkit::shared;
use windrow_xpath::{Expr, Node, path_of};

/// Share of the corpus that is read by default.
const ONE_PAGE_IN: usize = 20;

/// Approximate number of nodes that are checked per page.
const NODES: usize = 200;

#[test]
fn paths_find_their_nodes() {
    let pages = shared::test_pages(ONE_PAGE_IN);
    let mut checked = 0;
    for page in &pages {
        let document = Document::from_bytes(std::fs::read(page).unwrap(), &ParseOptions::default());
        for id in document.nodes().step_by(document.len() / NODES + 1) {
            let attributes = (0..document.attrs(id).len()).map(|index| Node::attribute_of(id, index));
            for node in std::iter::once(Node::node(id)).chain(attributes) {
                let path = path_of(&document, node);
                let found = Expr::xpath(&path).map(|expr| expr.select(&document, document.root()));
                assert_eq!(found, Ok(Ok(vec![node])), "{path} on {}", shared::short_name(page));
                checked += 1;
            }
        }
    }
    assert!(checked > 1000, "only {checked} nodes");
}
