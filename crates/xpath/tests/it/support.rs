//! Helpers for the behaviour tests: evaluate an expression on a page and format the result.

use windrow_dom::{Document, NodeKind};
use windrow_xpath::{Expr, Node, Value};

/// Formats a node: `<p#id.class>` for elements, `'text'`, `@name=value`, `<!--comment-->`.
fn show(document: &Document, node: Node) -> String {
    if let Some(attr) = node.attr(document) {
        return format!("@{}={}", attr.name(), attr.value());
    }
    let id = node.id();
    match document.kind(id) {
        NodeKind::Element => {
            let mut text = format!("<{}", document.name(id).unwrap_or_default());
            if let Some(id) = document.attr(id, "id") {
                text.push_str(&format!("#{id}"));
            }
            text + ">"
        }
        NodeKind::Text => format!("'{}'", document.text(id)),
        NodeKind::Comment => format!("<!--{}-->", document.text(id)),
        NodeKind::Doctype => "<!DOCTYPE>".to_owned(),
        NodeKind::Document | NodeKind::Fragment => "/".to_owned(),
    }
}

pub(crate) fn answer(document: &Document, expr: &Expr, context: windrow_dom::NodeId) -> String {
    match expr.evaluate(document, context) {
        Ok(Value::Nodes(nodes)) => nodes.iter().map(|&node| show(document, node)).collect::<Vec<_>>().join(" "),
        Ok(Value::String(text)) => format!("\"{text}\""),
        Ok(other) => other.to_text(document).into_owned(),
        Err(error) => format!("error: {error}"),
    }
}

/// Evaluates an XPath expression on a page, from the root.
#[track_caller]
pub(crate) fn check(html: &str, source: &str, expected: &str) {
    let document = Document::parse(html);
    let expr = Expr::xpath(source).unwrap_or_else(|error| panic!("{source}: {error}"));
    assert_eq!(answer(&document, &expr, document.root()), expected, "{source}");
}

/// Evaluates a selector on a page, from the root. With `html` as context it must find the same, except `html` itself.
#[track_caller]
pub(crate) fn check_css(html: &str, source: &str, expected: &str) {
    let document = Document::parse(html);
    let expr = Expr::css(source).unwrap_or_else(|error| panic!("{source}: {error}"));
    assert_eq!(answer(&document, &expr, document.root()), expected, "{source}");
    let root = document.children(document.root()).find(|&child| document.is_element(child)).unwrap();
    let below = expected.split(' ').filter(|node| !node.starts_with("<html")).collect::<Vec<_>>().join(" ");
    if !source.contains(":scope") {
        assert_eq!(answer(&document, &expr, root), below, "{source}, below the root element");
    }
}
