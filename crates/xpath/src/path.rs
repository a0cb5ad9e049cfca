//! The canonical path of a node, and so its name across runs: `/html[1]/body[1]/div[2]/text()[1]`, `…/@href`.
//!
//! An element of HTML is named by its tag and its rank among the siblings of that tag. Where a plain name would not say
//! exactly one node (foreign elements, names with colons or other odd characters, namespaced attributes), the path falls
//! back on `*[n]`, the rank among all elements, or on a test of the attribute's name.
//!
//! Costs the number of preceding siblings along the ancestors.

use std::fmt::Write;

use windrow_dom::{Document, Namespace, NodeId, NodeKind};

use crate::lexer;
use crate::node::Node;

/// The absolute path that selects exactly this node.
///
/// ```
/// use windrow_dom::Document;
/// use windrow_xpath::{Expr, path_of};
///
/// let page = Document::parse("<p>one<p>two <a href=/>link</a>");
/// let link = Expr::xpath("//a/@href")?.select(&page, page.root())?[0];
/// assert_eq!(path_of(&page, link), "/html[1]/body[1]/p[2]/a[1]/@href");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn path_of(document: &Document, node: Node) -> String {
    let mut path = String::new();
    if node.id().index() >= document.len() {
        // Nodes of templates have no path from the root: a query of the page cannot reach them.
        return path;
    }
    let mut lineage = vec![node.id()];
    lineage.extend(document.ancestors(node.id()));
    lineage.pop();
    for &id in lineage.iter().rev() {
        push_step(document, id, &mut path);
    }
    if let Some(attr) = node.attr(document) {
        // Writing to a string cannot fail.
        let _ = if attr.namespace() == Namespace::None && lexer::is_name(attr.name()) {
            write!(path, "/@{}", attr.name())
        } else {
            let rank = node.attribute().unwrap_or(0) + 1;
            write!(path, "/@node()[{rank}]")
        };
    }
    if path.is_empty() {
        path.push('/');
    }
    path
}

/// Appends `/name[rank]` for one node.
fn push_step(document: &Document, id: NodeId, path: &mut String) {
    let rank = |matches: &dyn Fn(NodeId) -> bool| {
        let siblings = document.parent(id).map(|parent| document.children(parent));
        1 + siblings.into_iter().flatten().take_while(|&sibling| sibling < id).filter(|&node| matches(node)).count()
    };
    let _ = match document.kind(id) {
        NodeKind::Element => {
            let plain = document.namespace(id) == Namespace::Html;
            match (document.name_id(id), document.name(id)) {
                (Some(name), Some(text)) if plain && lexer::is_name(text) => {
                    write!(path, "/{text}[{}]", rank(&|node| document.is_html(node, name)))
                }
                _ => write!(path, "/*[{}]", rank(&|node| document.is_element(node))),
            }
        }
        NodeKind::Text => write!(path, "/text()[{}]", rank(&|node| document.is_text(node))),
        NodeKind::Comment => {
            write!(path, "/comment()[{}]", rank(&|node| document.kind(node) == NodeKind::Comment))
        }
        NodeKind::Doctype | NodeKind::Document | NodeKind::Fragment => {
            write!(path, "/node()[{}]", rank(&|_| true))
        }
    };
}
