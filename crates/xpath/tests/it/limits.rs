//! Limits: hostile expressions end, because the work, counted in visited nodes, stays within a budget.

use windrow_dom::Document;
use windrow_xpath::{Environment, EvalError, Expr, Node, ParseError};

/// Creates a page of nested lists.
fn deep_page(depth: usize, width: usize) -> Document {
    let mut html = String::new();
    for _ in 0..depth {
        html.push_str("<div><p>1</p><p>2</p>");
    }
    html.push_str(&"<i>x</i>".repeat(width));
    Document::parse(html)
}

fn budget(expr: &Expr, document: &Document, nodes: u64) -> Result<windrow_xpath::Value, EvalError> {
    expr.evaluate_with(document, Node::node(document.root()), &Environment::new().with_budget(nodes))
}

#[test]
fn repeated_descendants_are_linear_in_the_steps() {
    let page = deep_page(200, 1000);
    // A path that met nodes repeatedly would need 200 ^ 20 visits.
    let source = "//*".repeat(20);
    let found = budget(&Expr::xpath(&source).unwrap(), &page, 200_000).unwrap();
    assert!(found.as_nodes().unwrap().len() > 1000);
    let source = "/ancestor-or-self::*/descendant::*".repeat(20);
    assert!(budget(&Expr::xpath(&format!("/*{source}")).unwrap(), &page, 200_000).unwrap().to_boolean());
}

#[test]
fn nested_predicates_run_out_of_budget() {
    let page = deep_page(200, 1000);
    let mut source = "nothing".to_owned();
    for _ in 0..20 {
        source = format!(".//*[{source}]");
    }
    let result = budget(&Expr::xpath(&source).unwrap(), &page, 1_000_000);
    assert_eq!(result, Err(EvalError::Budget { budget: 1_000_000 }));

    let selector = format!("{} b", ":has(*) ".repeat(30));
    let below = Expr::css(&format!("p:is({selector})")).unwrap();
    assert!(matches!(budget(&below, &page, 1_000_000), Err(EvalError::Budget { .. }) | Ok(_)));
}

#[test]
fn strings_are_paid_for() {
    let page = Document::parse("x".repeat(100_000));
    let source = format!("string-length(concat({}))", vec!["."; 2000].join(","));
    assert!(matches!(budget(&Expr::xpath(&source).unwrap(), &page, 1_000_000), Err(EvalError::Budget { .. })));
}

#[test]
fn positions_in_long_lists_are_not_quadratic() {
    let page = Document::parse(format!("<ul>{}</ul>", "<li>x".repeat(20_000)));
    let visits = 400_000;
    for source in [
        "/html/body/ul/li[15000]",
        "//li[15000]",
        "//li[last()]",
        "//li[position() > 19990]",
        "//li[last() - 1]",
        "//li/following-sibling::li",
        "//li/preceding-sibling::li",
        "//li/following-sibling::*[1]",
        "//li/preceding-sibling::*[1]",
        "//li/following::*",
        "//li/preceding::*",
        "//li[preceding-sibling::li]",
        "//li[//ul]",
        "//li[id('nothing')]",
        "//li[not(/html/body/ol/li)]",
        "//li = //li",
        "//li != //li",
        "//li < //li",
    ] {
        let result = budget(&Expr::xpath(source).unwrap(), &page, visits);
        assert!(result.is_ok(), "{source}: {result:?}");
    }
    for source in [
        "li:nth-child(3n+1)",
        "li:nth-last-child(2)",
        "li:nth-child(2n of li)",
        "li:nth-last-of-type(5)",
        "li + li",
        "li:last-child",
        "ul > li:not(:first-child)",
    ] {
        let result = budget(&Expr::css(source).unwrap(), &page, visits);
        assert!(result.is_ok(), "{source}: {result:?}");
    }
}

#[test]
fn nesting_and_length_are_limited() {
    let run = || {
        for (open, close) in [("(", ")"), ("a[", "]"), ("not(", ")"), ("-(", ")")] {
            let nested = |depth: usize| format!("{}a{}", open.repeat(depth), close.repeat(depth));
            assert!(Expr::xpath(&nested(100)).is_ok(), "{open}");
            assert!(matches!(Expr::xpath(&nested(5_000)), Err(ParseError::TooDeep { .. })), "{open}");
        }
        let nested = |depth: usize| format!("{}a{}", ":is(".repeat(depth), ")".repeat(depth));
        assert!(Expr::css(&nested(100)).is_ok());
        assert!(matches!(Expr::css(&nested(5_000)), Err(ParseError::TooDeep { .. })));
        assert!(matches!(Expr::css(&vec!["a"; 5_000].join(" ")), Err(ParseError::TooDeep { .. })));
        assert!(matches!(Expr::xpath(&vec!["1"; 5_000].join("=")), Err(ParseError::TooDeep { .. })));
        assert!(matches!(Expr::xpath(&" ".repeat(1 << 20)), Err(ParseError::TooLong { .. })));
        assert!(matches!(Expr::css(&" ".repeat(1 << 20)), Err(ParseError::TooLong { .. })));
    };
    std::thread::Builder::new().stack_size(STACK).spawn(run).unwrap().join().unwrap();
}

#[test]
fn long_flat_expressions_are_fine() {
    let page = Document::parse("<p>1");
    for source in [
        vec!["1"; 10_000].join("+"),
        vec!["1"; 10_000].join(" or "),
        vec!["//p"; 10_000].join("|"),
        vec!["."; 10_000].join("/"),
        vec!["*"; 10_000].join("/"),
        format!("{}1", "-".repeat(10_000)),
        format!("//p{}", "[1]".repeat(10_000)),
        format!("//p{}", "[last()]".repeat(5_000)),
    ] {
        let result = Expr::xpath(&source).unwrap().evaluate(&page, page.root());
        assert!(result.is_ok(), "{}", &source[..20]);
    }
    assert!(Expr::css(&vec!["p"; 10_000].join(",")).unwrap().evaluate(&page, page.root()).is_ok());
}

/// Half the usual stack of a thread. Unoptimised code needs several times as much for the same depth.
const STACK: usize = if cfg!(debug_assertions) { 16 << 20 } else { 1 << 20 };

/// Evaluates the most deeply nested expressions on a thread with half the usual stack.
#[test]
fn the_deepest_expressions_fit_the_stack() {
    let run = || {
        let page = Document::parse("<a><b>x</b></a>");
        for (open, close) in
            [("a[", "]"), ("string(", ")"), ("not(a[", "])"), ("(a|", ")"), ("1+(", ")"), ("concat('',", ")")]
        {
            let mut depth = 128;
            let expr = loop {
                match Expr::xpath(&format!("//*[{}.{}]", open.repeat(depth), close.repeat(depth))) {
                    Ok(expr) => break expr,
                    Err(_) => depth -= 1,
                }
            };
            assert!(depth > 40, "{open}");
            assert!(expr.evaluate(&page, page.root()).is_ok());
        }
        let selector = format!("{}b{}", "a :is(".repeat(60), ")".repeat(60));
        assert!(Expr::css(&selector).unwrap().evaluate(&page, page.root()).is_ok());
    };
    std::thread::Builder::new().stack_size(STACK).spawn(run).unwrap().join().unwrap();
}

#[test]
fn expressions_are_shared_between_threads() {
    fn assert_shareable<T: Send + Sync + Clone>(_: &T) {}
    assert_shareable(&Expr::xpath("//a").unwrap());
}
