//! Values with something left out: the nodes that `without` selects in a place are not part of its text and HTML.
//!
//! The place itself is kept, together with the nodes missing from it, in tree order and none inside another. Its HTML
//! is written without them, and its text is the visible text of that HTML. A run of siblings is written and read the
//! same way, so its text is what the siblings would show inside one element.
//!
//! Cost: linear in the output; text also costs parsing that HTML.

use windrow_dom::{Document, Namespace, NodeId, ParseOptions};

use crate::object::Extraction;
use crate::page::Page;
use crate::scope::{Place, Scope};

/// A place with something left out.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Pruned {
    /// Place before pruning.
    pub(crate) from: Place,
    /// Range of the extraction's left-out nodes that belong to this place.
    pub(crate) start: u32,
    pub(crate) end: u32,
}

impl Extraction {
    /// Returns the nodes that are left out of a place.
    pub(crate) fn left_out(&self, scope: Scope) -> &[NodeId] {
        match scope.place {
            Place::Pruned(index) => {
                let Pruned { start, end, .. } = self.pruned[index as usize];
                &self.left_out[start as usize..end as usize]
            }
            _ => &[],
        }
    }
}

/// Returns `true` if a node is left out or lies inside a node that is.
pub(crate) fn is_left_out(document: &Document, left_out: &[NodeId], id: NodeId) -> bool {
    let before = left_out.partition_point(|&out| out <= id);
    before.checked_sub(1).is_some_and(|last| id < document.subtree_end(left_out[last]))
}

/// Returns the range of left-out nodes that lie among the nodes `first..end`, a run of whole subtrees.
pub(crate) fn among(left_out: &[NodeId], first: usize, end: usize) -> std::ops::Range<usize> {
    let from = left_out.partition_point(|id| id.index() < first);
    from..from + left_out[from..].partition_point(|id| id.index() < end)
}

/// Writes the nodes `first..end`, a run of whole subtrees, as HTML without those left out.
pub(crate) fn markup(document: &Document, first: usize, end: usize, left_out: &[NodeId]) -> String {
    let mut left_out = &left_out[among(left_out, first, end)];
    let mut out = String::new();
    // Open elements that contain something left out, with their ends.
    let mut open: Vec<(usize, NodeId)> = Vec::new();
    // `true` if a parser would drop a line feed at this point.
    let mut fresh = false;
    let mut at = first;
    loop {
        while let Some(&(until, id)) = open.last()
            && until <= at
        {
            open.pop();
            out.push_str("</");
            out.push_str(document.name(id).unwrap_or_default());
            out.push('>');
            fresh = false;
        }
        if at >= end {
            return out;
        }
        let id = NodeId::from_index(at);
        let behind = document.subtree_end(id).index();
        match left_out.first() {
            Some(next) if next.index() == at => {
                left_out = &left_out[1..];
                at = behind;
            }
            Some(next) if next.index() < behind => {
                start_tag(document, id, &mut out);
                fresh = keeps_white_space(document, id);
                open.push((behind, id));
                at += 1;
            }
            _ => {
                let whole = document.outer_html(id);
                if fresh && whole.starts_with('\n') {
                    out.push('\n');
                }
                fresh = false;
                out.push_str(&whole);
                at = behind;
            }
        }
    }
}

fn start_tag(document: &Document, id: NodeId, out: &mut String) {
    out.push('<');
    out.push_str(document.name(id).unwrap_or_default());
    for attribute in document.attrs(id) {
        out.push(' ');
        out.push_str(attribute.name());
        out.push_str("=\"");
        for character in attribute.value().chars() {
            match character {
                '&' => out.push_str("&amp;"),
                '<' => out.push_str("&lt;"),
                '>' => out.push_str("&gt;"),
                '"' => out.push_str("&quot;"),
                '\u{A0}' => out.push_str("&nbsp;"),
                '\r' => out.push_str("&#13;"),
                other => out.push(other),
            }
        }
        out.push('"');
    }
    out.push('>');
}

fn keeps_white_space(document: &Document, id: NodeId) -> bool {
    document.namespace(id) == Namespace::Html && matches!(document.name(id), Some("pre" | "listing"))
}

/// Returns the visible text of the nodes `first..end`, children of `parent`, without those left out.
pub(crate) fn shown(
    document: &Document,
    parent: Option<NodeId>,
    first: usize,
    end: usize,
    left_out: &[NodeId],
) -> String {
    let html = markup(document, first, end, left_out);
    let (html, context) = match parent.filter(|&parent| document.is_element(parent)) {
        // White space is significant there, which the context element alone does not convey.
        Some(parent) if keeps_white_space(document, parent) => (format!("<pre>\n{html}</pre>"), "body"),
        Some(parent) if document.namespace(parent) == Namespace::Html => {
            (html, document.name(parent).unwrap_or("body"))
        }
        _ => (html, "body"),
    };
    let fragment = Document::parse_fragment(html, context, &ParseOptions::default());
    fragment.visible_text(fragment.root())
}

/// Returns the characters of the nodes `first..end` without those left out.
pub(crate) fn characters(document: &Document, first: usize, end: usize, left_out: &[NodeId]) -> String {
    let mut out = String::new();
    let mut left_out = left_out[among(left_out, first, end)].iter();
    let mut next = left_out.next();
    let mut at = first;
    while at < end {
        let id = NodeId::from_index(at);
        if next == Some(&id) {
            next = left_out.next();
            at = document.subtree_end(id).index();
            continue;
        }
        if document.is_text(id) {
            out.push_str(document.text(id));
        }
        at += 1;
    }
    out
}

/// Returns a range of the source without the nodes left out.
pub(crate) fn source(page: &Page, range: windrow_dom::Span, left_out: &[NodeId]) -> String {
    let mut spans: Vec<_> = left_out.iter().filter_map(|&id| page.extents().span_of(id)).collect();
    // The parser may have moved nodes, so tree order is not source order.
    spans.sort_unstable_by_key(|span| (span.start, span.end));
    let source = page.source();
    let mut out = String::new();
    let mut at = range.start;
    for span in spans {
        if span.start > at {
            out.push_str(source.get(at as usize..span.start.min(range.end) as usize).unwrap_or_default());
        }
        at = at.max(span.end);
    }
    out.push_str(source.get(at.min(range.end) as usize..range.end as usize).unwrap_or_default());
    out
}
