//! CSS selectors on small fixed pages, alone and where the language is guessed.
#![no_main]

mod pages;

use std::sync::LazyLock;

use libfuzzer_sys::fuzz_target;
use windrow_dom::Document;
use windrow_xpath::{Environment, Expr, Node};

static PAGES: LazyLock<Vec<Document>> = LazyLock::new(pages::all);
static ENVIRONMENT: LazyLock<Environment> = LazyLock::new(|| Environment::new().with_budget(100_000));

fuzz_target!(|source: &str| {
    let _ = Expr::parse(source);
    let expr = match Expr::css(source) {
        Ok(expr) => expr,
        Err(error) => {
            let span = error.span();
            assert!(span.start <= span.end && span.end <= source.len(), "{source:?}: {span:?}");
            return;
        }
    };
    for page in PAGES.iter() {
        for context in [page.root(), page.nodes().nth(page.len() / 2).unwrap_or(page.root())] {
            let Ok(value) = expr.evaluate_with(page, Node::node(context), &ENVIRONMENT) else { continue };
            let Some(nodes) = value.as_nodes() else { continue };
            assert!(nodes.windows(2).all(|pair| pair[0] < pair[1]), "{source:?} is out of order");
        }
    }
});
