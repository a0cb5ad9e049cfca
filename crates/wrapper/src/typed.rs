//! Converts a place on a page to a value: its raw text, its visible text, or the value of its type.

use std::borrow::Cow;

use url::Url;
use windrow_dom::{Document, NodeId, NodeKind, ParseOptions};
use windrow_xpath::Node;

use crate::object::Extraction;
use crate::page::Page;
use crate::pruned;
use crate::scope::{Place, Scope, siblings};
use crate::values::date::{self, Date};
use crate::values::money::{self, Money};
use crate::values::number::{self, Number};
use crate::values::{Type, text as white_space};

/// An atomic value.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum Value<'e> {
    /// Visible text, with its lines.
    String(Cow<'e, str>),
    /// An absolute URL, or the reference as it stands if the page's address is not known.
    Url(String),
    /// A date.
    Date(Date),
    /// A number.
    Number(Number),
    /// An amount of money.
    Money(Money),
    /// HTML: the content of an element, or the source that a pattern saved.
    Html(Cow<'e, str>),
    /// The text is not of the type; [`Object::text`](crate::Object::text) returns it.
    None,
}

/// Returns the value at a place.
pub(crate) fn value(extraction: &Extraction, scope: Scope, ty: Type) -> Value<'_> {
    let page = &extraction.pages[scope.page as usize];
    match ty {
        Type::String => Value::String(lines(extraction, scope)),
        Type::Html => Value::Html(html(extraction, scope)),
        Type::Url => reference(extraction, scope).map_or(Value::None, Value::Url),
        Type::Number => number::parse(&text(extraction, scope), page.hints()).map_or(Value::None, Value::Number),
        Type::Money => money::parse(&text(extraction, scope), page.hints()).map_or(Value::None, Value::Money),
        Type::Date => {
            // The `datetime` of a `time` element is more reliable than its visible text.
            let told = match scope.bare(extraction).place {
                Place::Node(node) if !node.is_attribute() => datetime_attribute(page.document(), node.id()),
                _ => None,
            };
            let found = told.and_then(|told| date::parse(told, page.hints()));
            let found = found.or_else(|| date::parse(&text(extraction, scope), page.hints()));
            found.map_or(Value::None, Value::Date)
        }
    }
}

fn datetime_attribute(document: &Document, id: NodeId) -> Option<&str> {
    document.attr(id, "datetime").filter(|value| !value.trim().is_empty())
}

/// Returns the text as it stands on the page.
pub(crate) fn raw(extraction: &Extraction, scope: Scope) -> Cow<'_, str> {
    let page = &extraction.pages[scope.page as usize];
    match scope.place {
        Place::Pruned(_) => {
            let (place, left_out) = (scope.bare(extraction).place, extraction.left_out(scope));
            match contents(page, place) {
                Some((_, first, end)) => Cow::Owned(pruned::characters(page.document(), first, end, left_out)),
                None => cut_source(page, place, left_out),
            }
        }
        Place::Span(span) => Cow::Borrowed(page.source().get(span.range()).unwrap_or_default()),
        Place::Node(node) => node.string_value(page.document()),
        Place::Run { first, end } => {
            let document = page.document();
            Cow::Owned(siblings(document, first, end).map(|node| document.text_content(node)).collect())
        }
        Place::Computed(index) => Cow::Borrowed(&extraction.computed[index as usize].text),
    }
}

/// Returns the visible text, with its lines.
pub(crate) fn lines(extraction: &Extraction, scope: Scope) -> Cow<'_, str> {
    let page = &extraction.pages[scope.page as usize];
    match scope.place {
        Place::Span(span) => source_text(page.source().get(span.range()).unwrap_or_default()),
        Place::Node(node) => match node.attr(page.document()) {
            Some(attribute) => white_space::collapse(attribute.value()),
            None => node_text(page.document(), node.id()),
        },
        Place::Run { first, end } => {
            let document = page.document();
            if document.subtree_end(first) < end {
                let parent = document.parent(first);
                Cow::Owned(pruned::shown(document, parent, first.index(), end.index(), &[]))
            } else if document.is_hidden(first) {
                Cow::Borrowed("")
            } else {
                node_text(document, first)
            }
        }
        Place::Pruned(_) => {
            let (place, left_out) = (scope.bare(extraction).place, extraction.left_out(scope));
            match contents(page, place) {
                Some((parent, first, end)) => Cow::Owned(pruned::shown(page.document(), parent, first, end, left_out)),
                None => Cow::Owned(source_text(&cut_source(page, place, left_out)).into_owned()),
            }
        }
        Place::Computed(index) => Cow::Borrowed(&extraction.computed[index as usize].text),
    }
}

/// Returns the nodes of a place: their parent, the first index, and the index after the last. `None` for a range of
/// the source.
fn contents(page: &Page, place: Place) -> Option<(Option<NodeId>, usize, usize)> {
    let document = page.document();
    match place {
        Place::Node(node) => Some((Some(node.id()), node.id().index() + 1, document.subtree_end(node.id()).index())),
        Place::Run { first, end } => Some((document.parent(first), first.index(), end.index())),
        Place::Span(_) | Place::Computed(_) | Place::Pruned(_) => None,
    }
}

/// Returns a range of the source without the nodes left out.
fn cut_source<'e>(page: &Page, place: Place, left_out: &[NodeId]) -> Cow<'e, str> {
    Cow::Owned(place.span(page).map_or_else(String::new, |span| pruned::source(page, span, left_out)))
}

/// Returns the visible text of a node. An element that shows something other than text has its replacement text.
fn node_text(document: &Document, id: NodeId) -> Cow<'_, str> {
    match document.kind(id) {
        NodeKind::Text => white_space::collapse(document.text(id)),
        // The most frequent case by far: an element with one text.
        NodeKind::Element if document.subtree_end(id).index() == id.index() + 2 && document.is_text(first(id)) => {
            match document.name(id) {
                Some("pre" | "textarea" | "listing" | "xmp" | "plaintext") => Cow::Owned(document.visible_text(id)),
                _ => white_space::collapse(document.text(first(id))),
            }
        }
        NodeKind::Element => match document.name(id) {
            Some("img" | "area") => white_space::collapse(document.attr(id, "alt").unwrap_or_default()),
            Some("input") => white_space::collapse(document.attr(id, "value").unwrap_or_default()),
            Some("meta") => white_space::collapse(document.attr(id, "content").unwrap_or_default()),
            _ => Cow::Owned(document.visible_text(id)),
        },
        _ => Cow::Owned(document.visible_text(id)),
    }
}

fn first(id: NodeId) -> NodeId {
    NodeId::from_index(id.index() + 1)
}

/// Returns the visible text of a piece of source: tags removed, references resolved.
fn source_text(source: &str) -> Cow<'_, str> {
    if memchr::memchr2(b'<', b'&', source.as_bytes()).is_none() {
        return white_space::collapse(source);
    }
    let fragment = Document::parse_fragment(source, "body", &ParseOptions::default());
    Cow::Owned(fragment.visible_text(fragment.root()))
}

/// Returns the visible text on one line.
pub(crate) fn text(extraction: &Extraction, scope: Scope) -> Cow<'_, str> {
    match lines(extraction, scope) {
        Cow::Borrowed(text) => white_space::collapse(text),
        Cow::Owned(text) => match white_space::collapse(&text) {
            Cow::Borrowed(same) if same.len() == text.len() => Cow::Owned(text),
            collapsed => Cow::Owned(collapsed.into_owned()),
        },
    }
}

fn html(extraction: &Extraction, scope: Scope) -> Cow<'_, str> {
    let page = &extraction.pages[scope.page as usize];
    match scope.place {
        Place::Span(_) => raw(extraction, scope),
        Place::Pruned(_) => match contents(page, scope.bare(extraction).place) {
            Some((_, first, end)) => {
                Cow::Owned(pruned::markup(page.document(), first, end, extraction.left_out(scope)))
            }
            None => raw(extraction, scope),
        },
        Place::Node(node) if node.is_attribute() => raw(extraction, scope),
        Place::Node(node) => Cow::Owned(match page.document().kind(node.id()) {
            NodeKind::Element | NodeKind::Document | NodeKind::Fragment => page.document().inner_html(node.id()),
            _ => page.document().outer_html(node.id()),
        }),
        Place::Run { first, end } => {
            let document = page.document();
            Cow::Owned(siblings(document, first, end).map(|node| document.outer_html(node)).collect())
        }
        Place::Computed(_) => raw(extraction, scope),
    }
}

/// Returns the URL at a place: the text or attribute itself, or the target of an element.
pub(crate) fn reference(extraction: &Extraction, scope: Scope) -> Option<String> {
    let page = &extraction.pages[scope.page as usize];
    let left_out = extraction.left_out(scope);
    let text = match scope.bare(extraction).place {
        Place::Node(node) => node_reference(page.document(), node, left_out),
        Place::Run { first, end } => run_reference(page.document(), first, end, left_out),
        Place::Span(_) if !left_out.is_empty() => Cow::Owned(source_reference(&raw(extraction, scope)).into_owned()),
        Place::Span(span) => source_reference(page.source().get(span.range()).unwrap_or_default()),
        Place::Computed(_) | Place::Pruned(_) => raw(extraction, scope),
    };
    let base = page.base().or(if scope.page == 0 { extraction.program.url.as_ref() } else { None });
    resolve(&text, base)
}

/// Reads a piece of source as a reference. It is usually an attribute value, in which `&region=5` does not mean
/// `®ion=5`.
fn source_reference(source: &str) -> Cow<'_, str> {
    if memchr::memchr(b'<', source.as_bytes()).is_some() {
        return source_text(source);
    }
    if memchr::memchr(b'&', source.as_bytes()).is_none() {
        return Cow::Borrowed(source);
    }
    let link = format!("<a href=\"{}\">", source.replace('"', "&quot;"));
    let fragment = Document::parse_fragment(&link, "body", &ParseOptions::default());
    let value = fragment.nodes().find_map(|id| fragment.attr(id, "href")).map(str::to_owned);
    Cow::Owned(value.unwrap_or_else(|| source.to_owned()))
}

/// Returns the reference of a node: the target that an element links to or loads; for a text or attribute, itself.
fn node_reference<'d>(document: &'d Document, node: Node, left_out: &[NodeId]) -> Cow<'d, str> {
    let linked = if node.is_attribute() { None } else { link(document, node.id(), left_out) };
    linked.map_or_else(|| node.string_value(document), Cow::Borrowed)
}

/// Returns the reference of siblings: that of the first that has one or, without any, the text of the first.
fn run_reference<'d>(document: &'d Document, first: NodeId, end: NodeId, left_out: &[NodeId]) -> Cow<'d, str> {
    let linked = siblings(document, first, end).find_map(|id| link(document, id, left_out));
    linked.map_or_else(|| document.text_content(first), Cow::Borrowed)
}

/// Returns the target of an element, or of the first link in it.
fn link<'d>(document: &'d Document, id: NodeId, left_out: &[NodeId]) -> Option<&'d str> {
    if !document.is_element(id) || pruned::is_left_out(document, left_out, id) {
        return None;
    }
    let own = ["href", "src", "data-src", "content", "action"].into_iter().find_map(|name| document.attr(id, name));
    own.or_else(|| {
        let links = document.descendants(id).filter(|&below| document.name(below) == Some("a"));
        let mut links = links.filter(|&link| !pruned::is_left_out(document, left_out, link));
        document.attr(links.next()?, "href")
    })
}

/// Makes a reference absolute if a base address is known, after removing quotes that a pattern may have left.
fn resolve(text: &str, base: Option<&Url>) -> Option<String> {
    let text = text.trim();
    let text = match text.as_bytes().first() {
        Some(mark @ (b'"' | b'\'')) => text.trim_matches(*mark as char).trim(),
        _ => text,
    };
    if text.is_empty() {
        return None;
    }
    let resolved = match base {
        Some(base) => base.join(text).ok(),
        None => Url::parse(text).ok(),
    };
    Some(resolved.map_or_else(|| text.to_owned(), String::from))
}
