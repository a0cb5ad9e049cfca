//! XPath expressions on small fixed pages: no panic, no run-away, answers in document order, paths that lead back.
#![no_main]

mod pages;

use std::sync::LazyLock;

use libfuzzer_sys::fuzz_target;
use windrow_dom::Document;
use windrow_xpath::{Environment, Expr, Node, Value, path_of};

static PAGES: LazyLock<Vec<Document>> = LazyLock::new(pages::all);
static ENVIRONMENT: LazyLock<Environment> = LazyLock::new(|| {
    Environment::new()
        .with_variable("x", Value::Number(2.0))
        .with_variable("s", Value::String("Oslo".into()))
        .with_budget(100_000)
});

fuzz_target!(|source: &str| {
    let expr = match Expr::xpath(source) {
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
            let _ = (value.to_boolean(), value.to_number(page), value.to_text(page));
            let Some(nodes) = value.as_nodes() else { continue };
            assert!(nodes.windows(2).all(|pair| pair[0] < pair[1]), "{source:?} is out of order");
            for &node in nodes.iter().take(4) {
                let path = path_of(page, node);
                let back = Expr::xpath(&path).expect("a path is an expression").select(page, page.root());
                assert_eq!(back.expect("a path selects"), [node], "{path}");
            }
        }
    }
});
