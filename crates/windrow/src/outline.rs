//! A page's tree or tokens, with spans, as an outline or as JSON.
//!
//! The JSON form is a flat list in document order, each node naming its parent: a nested one would be too deep for
//! many JSON readers on real pages. Contents of `template` elements are printed below their element.

use std::fmt::Write;

use crate::dom::{Namespace, QuirksMode, TokenKind};
use crate::{Document, NodeId, NodeKind, Span};
use serde_json::{Map, Value, json as value};

use crate::open::Page;
use crate::text::{excerpt, visible};

/// Characters of a text, comment or token shown in an outline.
const EXCERPT: usize = 60;

/// Levels that are shown by indentation; deeper nodes say their depth. A page may nest as deep as it is long, and then the
/// indentation would be the square of its size.
const INDENTED: usize = 40;

/// The part of a page's tree that is printed.
#[derive(Debug, Clone, Copy, Default)]
pub struct OutlineOptions {
    /// Number of levels; all if `None`. The root is level 0.
    pub depth: Option<usize>,
    /// Prints every attribute, and texts that are only white space.
    pub all: bool,
    /// Prints the flat view: tags, texts and comments in source order.
    pub tokens: bool,
}

/// Returns a page's tree or tokens as an outline for people.
pub fn text(page: &Page, options: OutlineOptions) -> String {
    if options.tokens { token_lines(page) } else { outline(page, options) }
}

// ---- the page ----

/// One line about the page: name, size, encoding and why, mode.
fn heading(page: &Page) -> String {
    let document = &page.document;
    let decoding = page.document.encoding();
    let (bytes, nodes) = (document.source().len(), document.len());
    let name = visible(&page.name);
    let mut line = format!("{name}: {bytes} bytes, {nodes} nodes, {} ({}", decoding.name, decoding.because);
    if let Some(overruled) = decoding.overruled {
        let _ = write!(line, ", though {overruled} was declared");
    }
    if decoding.malformed {
        line.push_str(", some bytes malformed");
    }
    let _ = writeln!(line, "), {}", mode(document));
    line
}

fn mode(document: &Document) -> &'static str {
    match document.quirks() {
        QuirksMode::None => "standards mode",
        QuirksMode::Limited => "limited-quirks mode",
        QuirksMode::Full => "quirks mode",
    }
}

// ---- the tree ----

/// A node to print, and how deep it stands; template contents count as below their element.
struct Visit {
    node: NodeId,
    parent: Option<NodeId>,
    depth: usize,
}

/// The nodes in the order they are printed. A list, not a recursion: depth is the page's to choose.
fn visits(document: &Document, deepest: Option<usize>) -> Vec<Visit> {
    let mut visits = Vec::new();
    let mut stack = vec![Visit { node: document.root(), parent: None, depth: 0 }];
    while let Some(visit) = stack.pop() {
        if deepest.is_none_or(|deepest| visit.depth < deepest) {
            let (parent, depth) = (Some(visit.node), visit.depth + 1);
            let from = stack.len();
            stack.extend(document.children(visit.node).map(|node| Visit { node, parent, depth }));
            if let Some(node) = document.template_contents(visit.node) {
                stack.push(Visit { node, parent, depth });
            }
            stack[from..].reverse();
        }
        visits.push(visit);
    }
    visits
}

fn outline(page: &Page, options: OutlineOptions) -> String {
    let document = &page.document;
    let mut out = heading(page);
    let width = span_width(document);
    for Visit { node, depth, .. } in visits(document, options.depth) {
        if !options.all && document.is_text(node) && document.text(node).trim_ascii().is_empty() {
            continue;
        }
        let mark = if document.is_inserted(node) { '+' } else { ' ' };
        let span = document.span(node).map(place).unwrap_or_default();
        let _ = write!(out, "{span:>width$} {mark} {}", "  ".repeat(depth.min(INDENTED)));
        if depth > INDENTED {
            let _ = write!(out, "[{depth}] ");
        }
        describe(document, node, options.all, &mut out);
        if options.depth == Some(depth) && document.first_child(node).is_some() {
            let below = document.descendants(node).len();
            let _ = write!(out, " … {below} below");
        }
        out.push('\n');
    }
    out
}

/// Characters of the widest span of the page.
fn span_width(document: &Document) -> usize {
    2 * document.source().len().to_string().len() + 2
}

/// A span as `12..34`.
fn place(span: Span) -> String {
    format!("{}..{}", span.start, span.end)
}

/// A node on one line: `li#first.ad`, `"a text"`, `<!-- a comment -->`.
fn describe(document: &Document, node: NodeId, all: bool, out: &mut String) {
    let _ = match document.kind(node) {
        NodeKind::Document => write!(out, "#document"),
        NodeKind::Fragment => write!(out, "#fragment"),
        NodeKind::Doctype => {
            let name = document.doctype(node).map_or("", |doctype| &doctype.name);
            write!(out, "<!DOCTYPE {}>", excerpt(name, EXCERPT))
        }
        NodeKind::Text => write!(out, "\"{}\"", excerpt(document.text(node), EXCERPT)),
        NodeKind::Comment => write!(out, "<!-- {} -->", excerpt(document.text(node), EXCERPT)),
        NodeKind::Element => {
            describe_element(document, node, all, out);
            Ok(())
        }
    };
}

fn describe_element(document: &Document, node: NodeId, all: bool, out: &mut String) {
    out.push_str(prefix(document.namespace(node)));
    out.push_str(&excerpt(document.name(node).unwrap_or_default(), EXCERPT));
    if let Some(id) = document.attr(node, "id") {
        let _ = write!(out, "#{}", excerpt(id, EXCERPT));
    }
    for class in document.attr(node, "class").unwrap_or_default().split_ascii_whitespace() {
        let _ = write!(out, ".{}", excerpt(class, EXCERPT));
    }
    if all {
        for attr in document.attrs(node).filter(|attr| !matches!(attr.name(), "id" | "class")) {
            let _ = write!(out, " {}=\"{}\"", excerpt(attr.name(), EXCERPT), excerpt(attr.value(), EXCERPT));
        }
    }
}

fn prefix(namespace: Namespace) -> &'static str {
    match namespace {
        Namespace::Svg => "svg:",
        Namespace::MathMl => "math:",
        _ => "",
    }
}

// ---- the tokens ----

fn token_lines(page: &Page) -> String {
    let document = &page.document;
    let mut out = heading(page);
    let width = span_width(document);
    for token in document.tokens() {
        let source = document.source().get(token.span.range()).unwrap_or_default();
        let (span, kind) = (place(token.span), token_kind(token.kind));
        let _ = writeln!(out, "{span:>width$}   {kind:<9} {}", excerpt(source, EXCERPT));
    }
    out
}

fn token_kind(kind: TokenKind) -> &'static str {
    match kind {
        TokenKind::StartTag => "start-tag",
        TokenKind::EndTag => "end-tag",
        TokenKind::Text => "text",
        TokenKind::Comment => "comment",
        TokenKind::Doctype => "doctype",
    }
}

// ---- JSON ----

/// Returns the page as one JSON object; `separator` stands before each node, so that `json` has a line for each and
/// `jsonl` a line for all.
pub fn json(page: &Page, options: OutlineOptions, separator: &str) -> String {
    let document = &page.document;
    let decoding = page.document.encoding();
    let about = value!({
        "page": page.name,
        "bytes": document.source().len(),
        "encoding": {
            "name": decoding.name,
            "because": decoding.because.to_string(),
            "overruled": decoding.overruled,
            "malformed": decoding.malformed,
        },
        "mode": mode(document),
        "notes": document.notes().iter().map(ToString::to_string).collect::<Vec<_>>(),
    });
    let mut out = about.to_string();
    out.pop();
    // One value at a time: all of a large page's would take many times its size.
    if options.tokens {
        let values = document.tokens().into_iter().map(|token| {
            let span = [token.span.start, token.span.end];
            value!({ "kind": token_kind(token.kind), "node": token.node.index(), "span": span })
        });
        write_array(&mut out, "tokens", separator, values);
    } else {
        let visits = visits(document, options.depth).into_iter();
        write_array(&mut out, "nodes", separator, visits.map(|visit| node_json(document, &visit)));
    }
    out.push_str("}\n");
    out
}

fn write_array(out: &mut String, key: &str, separator: &str, values: impl Iterator<Item = Value>) {
    let _ = write!(out, ",\"{key}\":[");
    for (at, value) in values.enumerate() {
        let comma = if at == 0 { "" } else { "," };
        let _ = write!(out, "{comma}{separator}{value}");
    }
    out.push(']');
}

fn node_json(document: &Document, visit: &Visit) -> Value {
    let node = visit.node;
    let mut object = Map::new();
    let mut put = |key: &str, value: Value| object.insert(key.to_owned(), value);
    put("id", node.index().into());
    put("parent", visit.parent.map(NodeId::index).into());
    match document.kind(node) {
        NodeKind::Document => put("kind", "document".into()),
        NodeKind::Fragment => put("kind", "fragment".into()),
        NodeKind::Doctype => {
            put("kind", "doctype".into());
            put("name", document.doctype(node).map(|doctype| doctype.name.clone()).into())
        }
        NodeKind::Text => {
            put("kind", "text".into());
            put("text", document.text(node).into())
        }
        NodeKind::Comment => {
            put("kind", "comment".into());
            put("text", document.text(node).into())
        }
        NodeKind::Element => {
            put("kind", "element".into());
            put(
                "name",
                format!("{}{}", prefix(document.namespace(node)), document.name(node).unwrap_or_default()).into(),
            );
            let attributes: Map<String, Value> =
                document.attrs(node).map(|attr| (attr.name().to_owned(), attr.value().into())).collect();
            put("attributes", attributes.into());
            put("start_tag", span_json(document.start_tag(node)));
            put("end_tag", span_json(document.end_tag(node)))
        }
    };
    put("span", span_json(document.span(node)));
    put("inserted", document.is_inserted(node).into());
    object.into()
}

fn span_json(span: Option<Span>) -> Value {
    span.map_or(Value::Null, |span| value!([span.start, span.end]))
}
