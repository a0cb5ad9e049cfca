//! Values with something left out: what `without` selects in a place is no part of its text and of its HTML.
//!
//! The place stays what it was; beside it stands which nodes are missing from it, in the order of the tree and none
//! inside another. The HTML is then written around them, and the text is what that HTML shows. A run of siblings is
//! written and read the same way, so that its text is what the siblings would show inside one element.
//!
//! Cost: linear in what is written; text also costs the parse of that HTML.

use windrow_dom::{Document, Namespace, NodeId, ParseOptions};

use crate::object::Extraction;
use crate::page::Page;
use crate::scope::{Place, Scope};

/// A place with something left out.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Pruned {
    /// The place itself.
    pub(crate) from: Place,
    /// Which of the extraction's left-out nodes are its own.
    pub(crate) start: u32,
    pub(crate) end: u32,
}

impl Extraction {
    /// The nodes that are left out of a place.
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

/// Whether a node is one of those left out, or inside one of them.
pub(crate) fn is_left_out(document: &Document, left_out: &[NodeId], id: NodeId) -> bool {
    let before = left_out.partition_point(|&out| out <= id);
    before.checked_sub(1).is_some_and(|last| id < document.subtree_end(left_out[last]))
}

/// Those of the nodes left out that lie among the nodes `first..end`, a run of whole subtrees.
pub(crate) fn among(left_out: &[NodeId], first: usize, end: usize) -> std::ops::Range<usize> {
    let from = left_out.partition_point(|id| id.index() < first);
    from..from + left_out[from..].partition_point(|id| id.index() < end)
}

/// The nodes `first..end`, a run of whole subtrees, as HTML without those left out.
pub(crate) fn markup(document: &Document, first: usize, end: usize, left_out: &[NodeId]) -> String {
    let mut left_out = &left_out[among(left_out, first, end)];
    let mut out = String::new();
    // Elements that hold something left out: where they end.
    let mut open: Vec<(usize, NodeId)> = Vec::new();
    // Whether the next line feed would be taken for the one that parsers drop.
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

/// What the nodes `first..end`, children of `parent`, show without those left out.
pub(crate) fn shown(
    document: &Document,
    parent: Option<NodeId>,
    first: usize,
    end: usize,
    left_out: &[NodeId],
) -> String {
    let html = markup(document, first, end, left_out);
    let (html, context) = match parent.filter(|&parent| document.is_element(parent)) {
        // White space counts there, which the context alone does not say.
        Some(parent) if keeps_white_space(document, parent) => (format!("<pre>\n{html}</pre>"), "body"),
        Some(parent) if document.namespace(parent) == Namespace::Html => {
            (html, document.name(parent).unwrap_or("body"))
        }
        _ => (html, "body"),
    };
    let fragment = Document::parse_fragment(html, context, &ParseOptions::default());
    fragment.visible_text(fragment.root())
}

/// The characters of the nodes `first..end` without those left out.
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

/// A range of the source without the nodes left out.
pub(crate) fn source(page: &Page, range: windrow_dom::Span, left_out: &[NodeId]) -> String {
    let mut spans: Vec<_> = left_out.iter().filter_map(|&id| page.extents().of(id)).collect();
    // The parser may have moved nodes: the order of the tree is not that of the source.
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
