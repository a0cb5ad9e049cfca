//! Canonical paths on real pages: each selects the node it was made for, and no other.

use windrow_dom::{Document, ParseOptions};
use windrow_testkit::shared;
use windrow_xpath::{Expr, Node, path_of};

/// Of the pages, every so-many-th; of a page, about so many nodes: a few seconds' work that meets every kind of page.
const EVERY_PAGE: usize = 8;
const NODES: usize = 200;

#[test]
fn paths_find_their_nodes() {
    let Some(pages) = shared::pages() else {
        #[allow(clippy::print_stderr)] // A test that did not run has to say so.
        {
            eprintln!("{}", shared::missing("corpus"));
        }
        return;
    };
    let mut checked = 0;
    for page in pages.iter().step_by(EVERY_PAGE) {
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
