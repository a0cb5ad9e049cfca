//! Property tests: the evaluator against the reference, canonical paths, unions.

use proptest::prelude::*;
use windrow_dom::{Document, NodeId};

use crate::node::Node;
use crate::value::Value;
use crate::{Expr, compile, eval, parser, path_of, reference};

/// Generates small pages with few names, so that random expressions find something.
fn page() -> impl Strategy<Value = String> {
    let leaf = prop_oneof![
        4 => prop::sample::select(vec!["x", "y", " x y ", "1", "2.5", "ab"]).prop_map(str::to_owned),
        1 => Just("<!--x-->".to_owned()),
        1 => Just("<br id=b>".to_owned()),
        1 => Just("<svg xlink:href=x><g a=y>x</g></svg>".to_owned()),
        1 => Just("<template><p>hidden</p></template>".to_owned()),
    ];
    let tree = leaf.prop_recursive(4, 24, 4, |inner| {
        (
            prop::sample::select(vec!["div", "p", "b", "span", "ul", "section"]),
            prop::sample::select(vec!["", " a=x", " a=y b=x", " class='x y'", " id=i", " id=j a='1'", " b"]),
            prop::collection::vec(inner, 0..4),
        )
            .prop_map(|(name, attributes, inside)| format!("<{name}{attributes}>{}</{name}>", inside.concat()))
    });
    (prop::bool::ANY, prop::collection::vec(tree, 1..4))
        .prop_map(|(doctype, parts)| format!("{}{}", if doctype { "<!DOCTYPE html>" } else { "" }, parts.concat()))
}

/// Generates expressions that return nodes, with nested conditions.
fn expression() -> impl Strategy<Value = String> {
    let axis = prop::sample::select(vec![
        "",
        "",
        "",
        "ancestor::",
        "ancestor-or-self::",
        "@",
        "child::",
        "descendant::",
        "descendant-or-self::",
        "following::",
        "following-sibling::",
        "parent::",
        "preceding::",
        "preceding-sibling::",
        "self::",
        "attribute::",
    ]);
    let test = prop::sample::select(vec![
        "*",
        "*",
        "node()",
        "text()",
        "div",
        "P",
        "b",
        "span",
        "a",
        "class",
        "comment()",
        "body",
        "g",
        "ul",
    ]);
    let step = prop_oneof![
        6 => (axis, test).prop_map(|(axis, test)| format!("{axis}{test}")),
        1 => Just("..".to_owned()),
        1 => Just(".".to_owned()),
    ];
    let number =
        prop::sample::select(vec!["1", "2", "3", "0", "1.5", "position()", "last()", "last() - 1", "count(*)"]);
    let simple = prop_oneof![
        number.prop_map(str::to_owned),
        prop::sample::select(vec![
            "position() < 3",
            "position() >= 2",
            "3 > position()",
            "position() != 2",
            "position() = last()",
            "position() mod 2 = 1",
            "@a",
            "@a = 'x'",
            "@a != 'x'",
            "'y' = @a",
            "contains(@class, 'x')",
            "starts-with(@a, 'x')",
            "contains(concat(' ', @class, ' '), ' x ')",
            ". = 'x'",
            "text() = 'x'",
            "text()",
            "contains(., 'xy')",
            "contains(concat(' ', normalize-space(@class), ' '), ' y ')",
            "not(@a)",
            "* and @a",
            "name() = 'div'",
            "string-length() > 2",
            "@a < 2",
            "count(preceding-sibling::*) = 1",
            "@* = @*",
            ". != .",
            "* = //@a",
            "* < //text()",
            "normalize-space() = 'x y'",
            "id('i')",
            "contains(., '')",
            "self::div or self::p",
            "(.//*)[2]",
            "sum(.//text()) > 1",
            "'x'",
            "''",
            "true()",
            "boolean(@b)",
            "contains(text(), 'x')",
            "string() = 'xy'",
            "substring-after(., 'x') = 'y'",
            "starts-with(@a, '')",
        ])
        .prop_map(str::to_owned),
    ];
    let path = |predicate: BoxedStrategy<String>| {
        let predicated = (step.clone(), prop::collection::vec(predicate, 0..3)).prop_map(|(step, predicates)| {
            let mut text = step;
            if !text.starts_with('.') {
                predicates.iter().for_each(|predicate| text.push_str(&format!("[{predicate}]")));
            }
            text
        });
        let separators = prop::sample::select(vec!["/", "//", "/"]);
        let start = prop::sample::select(vec!["", "", "/", "//", "(//*)[2]/", "(//b|//p)[last()]/", "id('i')//"]);
        (start, predicated.clone(), prop::collection::vec((separators, predicated), 0..3)).prop_map(
            |(start, first, rest)| {
                let mut text = format!("{start}{first}");
                rest.iter().for_each(|(separator, step)| text.push_str(&format!("{separator}{step}")));
                text
            },
        )
    };
    let inner = path(simple.clone().boxed()).boxed();
    let predicate = prop_oneof![
        3 => simple.clone(),
        2 => inner.clone(),
        1 => inner.clone().prop_map(|path| format!("not({path})")),
        1 => (inner.clone(), inner.clone()).prop_map(|(left, right)| format!("{left} = {right}")),
        1 => (inner.clone(), inner.clone()).prop_map(|(left, right)| format!("{left} != {right}")),
        1 => (inner.clone(), inner.clone()).prop_map(|(left, right)| format!("{left} <= {right}")),
        1 => inner.clone().prop_map(|path| format!("count({path}) > 1")),
        1 => inner.clone().prop_map(|path| format!("string({path}) = 'x'")),
        1 => (simple.clone(), simple).prop_map(|(left, right)| format!("({left}) and ({right})")),
    ];
    let outer = path(predicate.boxed()).boxed();
    prop_oneof![
        6 => outer.clone(),
        1 => (outer.clone(), outer.clone()).prop_map(|(left, right)| format!("{left} | {right}")),
        1 => (outer.clone(), prop::sample::select(vec!["1", "2", "last()", "position() < 3", "@a"]))
            .prop_map(|(path, predicate)| format!("({path})[{predicate}]")),
        1 => outer.clone().prop_map(|path| format!("count({path})")),
        1 => outer.clone().prop_map(|path| format!("string({path})")),
        1 => outer.prop_map(|path| format!("name({path})")),
    ]
}

/// Generates selectors from a few names.
fn selector() -> impl Strategy<Value = String> {
    let simple = prop::sample::select(vec![
        "div",
        "p",
        "b",
        "*",
        "span",
        "ul",
        "g",
        ".x",
        ".y",
        "#i",
        "[a]",
        "[a=x]",
        "[b]",
        ":first-child",
        ":last-child",
        ":nth-child(2n+1)",
        ":nth-last-child(2)",
        ":nth-of-type(2)",
        ":only-child",
        ":empty",
        ":root",
        "p.x",
        "div[a]",
        ":nth-child(1 of .x, b)",
        ":last-of-type",
    ]);
    let combinator = prop::sample::select(vec![" ", " > ", " + ", " ~ "]);
    let complex = (simple.clone(), prop::collection::vec((combinator, simple), 0..3)).prop_map(|(first, rest)| {
        rest.iter().fold(first.to_owned(), |text, (combinator, simple)| format!("{text}{combinator}{simple}"))
    });
    let complex = complex.boxed();
    prop_oneof![
        4 => complex.clone(),
        1 => (complex.clone(), complex.clone()).prop_map(|(one, other)| format!("{one}, {other}")),
        1 => (complex.clone(), complex.clone()).prop_map(|(one, other)| format!("{one}:is({other})")),
        1 => (complex.clone(), complex.clone()).prop_map(|(one, other)| format!("{one}:not({other})")),
        1 => (complex.clone(), complex).prop_map(|(one, other)| format!("{one}:has({other})")),
    ]
}

fn same(left: &Value, right: &Value) -> bool {
    match (left, right) {
        (Value::Number(left), Value::Number(right)) => left == right || left.is_nan() && right.is_nan(),
        _ => left == right,
    }
}

fn all_nodes(document: &Document) -> Vec<Node> {
    let attributes = |id: NodeId| (0..document.attrs(id).len()).map(move |index| Node::attribute_of(id, index));
    document.nodes().flat_map(|id| std::iter::once(Node::node(id)).chain(attributes(id))).collect()
}

fn cases() -> ProptestConfig {
    // `WINDROW_XPATH_CASES` sets the number of cases for a longer run.
    let cases = std::env::var("WINDROW_XPATH_CASES").ok().and_then(|cases| cases.parse().ok()).unwrap_or(2000);
    ProptestConfig { cases, failure_persistence: None, ..ProptestConfig::default() }
}

proptest! {
    #![proptest_config(cases())]

    #[test]
    fn the_plan_gives_what_the_reference_gives(html in page(), source in expression(), at in any::<prop::sample::Index>()) {
        let document = Document::parse(html.as_str());
        let nodes = all_nodes(&document);
        let ast = parser::parse(&source).map_err(|error| TestCaseError::fail(format!("{source}: {error}")))?;
        let plan = compile::compile(&ast);
        for context in [Node::node(document.root()), nodes[at.index(nodes.len())]] {
            let expected = reference::evaluate(&ast, &document, context);
            let found = eval::run(&plan, &document, context, &crate::Environment::new(), &mut 1_000_000);
            let found = found.map_err(|error| TestCaseError::fail(format!("{source}: {error}")))?;
            prop_assert!(same(&found, &expected), "{source}\non {html}\nfrom {}\nfound    {found:?}\nexpected {expected:?}", path_of(&document, context));
        }
    }

    #[test]
    fn a_union_is_the_union_of_the_sets(html in page(), left in expression(), right in expression()) {
        let document = Document::parse(html.as_str());
        let select = |source: &str| Expr::xpath(source).unwrap().select(&document, document.root());
        if let (Ok(one), Ok(other)) = (select(&left), select(&right)) {
            let expected: std::collections::BTreeSet<Node> = one.into_iter().chain(other).collect();
            let found = select(&format!("{left} | {right}")).unwrap();
            prop_assert_eq!(found, expected.into_iter().collect::<Vec<_>>());
        }
    }

    #[test]
    fn the_path_of_a_node_selects_exactly_that_node(html in page()) {
        let document = Document::parse(html.as_str());
        for node in all_nodes(&document) {
            let path = path_of(&document, node);
            prop_assert_eq!(Expr::xpath(&path).unwrap().select(&document, document.root()).unwrap(), vec![node], "{}", path);
        }
    }

    /// From the root, a selector is evaluated as a path; below an element, as a condition read from the right.
    #[test]
    fn selectors_find_the_same_in_both_directions(html in page(), source in selector()) {
        let document = Document::parse(html.as_str());
        let expr = Expr::css(&source).map_err(|error| TestCaseError::fail(format!("{source}: {error}")))?;
        let all = expr.select(&document, document.root()).unwrap();
        for context in document.nodes().filter(|&id| document.is_element(id)) {
            let inside: Vec<Node> =
                all.iter().copied().filter(|node| document.is_ancestor(context, node.id())).collect();
            prop_assert_eq!(expr.select(&document, context).unwrap(), inside, "{} on {}", source, html);
        }
    }

    #[test]
    fn no_text_makes_the_parsers_panic(text in "[-a-z*@/.:|()\\[\\]'\"$=<>!+0-9 ,#~^\\\\é]{0,40}") {
        let _ = Expr::xpath(&text);
        let _ = Expr::css(&text);
        let _ = Expr::parse(&text);
    }
}

#[test]
fn evaluations_share_a_budget() {
    let document = Document::parse("<p>".repeat(100));
    let expr = Expr::xpath("//p").unwrap();
    let mut left = 1_000;
    expr.evaluate_within(&document, Node::node(document.root()), &mut left).unwrap();
    assert!((500..1_000).contains(&left), "{left} left");
    while expr.evaluate_within(&document, Node::node(document.root()), &mut left).is_ok() {}
    assert_eq!(left, 0);
}
