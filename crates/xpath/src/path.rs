//! The canonical path of a node, which identifies it across runs: `/html[1]/body[1]/div[2]/text()[1]`, `…/@href`.
//!
//! An HTML element is identified by its tag name and its rank among the siblings with that name. Where a plain name
//! would be ambiguous (foreign elements, names with colons or other unusual characters, namespaced attributes), the
//! path uses `*[n]`, the rank among all elements, or a test of the attribute's name.
//!
//! Costs the number of preceding siblings along the ancestors; [`Paths`] counts them once for a whole page.

use std::collections::HashMap;
use std::fmt::Write;

use windrow_dom::{Document, Namespace, NodeId, NodeKind};

use crate::lexer;
use crate::node::Node;

/// Returns the absolute path that selects exactly this node.
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
    absolute(document, node, &mut |id| {
        let siblings = document.parent(id).map(|parent| document.children(parent));
        let before = siblings.into_iter().flatten().take_while(|&sibling| sibling < id);
        let own = rank_group(document, id);
        let counts = |sibling: &NodeId| match own {
            RankGroup::Element => document.is_element(*sibling),
            RankGroup::Node => true,
            _ => rank_group(document, *sibling) == own,
        };
        1 + before.filter(counts).count() as u32
    })
}

/// Paths of many nodes of one page: siblings are counted once, so each path costs only its own length.
#[derive(Debug)]
pub struct Paths<'d> {
    document: &'d Document,
    /// Rank of each node among its kind, as far as computed.
    ranks: HashMap<NodeId, u32>,
}

impl<'d> Paths<'d> {
    /// Creates an empty cache for a page.
    pub fn new(document: &'d Document) -> Paths<'d> {
        Paths { document, ranks: HashMap::new() }
    }

    /// Returns the absolute path that selects exactly this node; empty for nodes in a template, which no path
    /// reaches.
    pub fn of(&mut self, node: Node) -> String {
        let document = self.document;
        absolute(document, node, &mut |id| self.rank(id))
    }

    /// Returns the path from an element to a node inside it, `.` for itself; `None` if the node is not inside it.
    pub fn below(&mut self, from: NodeId, node: Node) -> Option<String> {
        if node.id().index() >= self.document.len() || node.id() < from || node.id() >= self.document.subtree_end(from)
        {
            return None;
        }
        let mut lineage = vec![node.id()];
        lineage.extend(self.document.ancestors(node.id()).take_while(|id| *id != from));
        if node.id() == from {
            lineage.clear();
        }
        let mut path = String::new();
        write_steps(self.document, &lineage, node, &mut path, &mut |id| self.rank(id));
        Some(match path.strip_prefix('/') {
            Some(path) => path.to_owned(),
            None => ".".to_owned(),
        })
    }

    fn rank(&mut self, id: NodeId) -> u32 {
        if let Some(&rank) = self.ranks.get(&id) {
            return rank;
        }
        let Some(parent) = self.document.parent(id) else { return 1 };
        let mut counts: HashMap<RankGroup, u32> = HashMap::new();
        let (mut elements, mut nodes) = (0, 0);
        for sibling in self.document.children(parent) {
            nodes += 1;
            elements += u32::from(self.document.is_element(sibling));
            let like = rank_group(self.document, sibling);
            let rank = match like {
                RankGroup::Element => elements,
                RankGroup::Node => nodes,
                _ => {
                    let count = counts.entry(like).or_insert(0);
                    *count += 1;
                    *count
                }
            };
            self.ranks.insert(sibling, rank);
        }
        self.ranks.get(&id).copied().unwrap_or(1)
    }
}

/// Returns the path from the root, with ranks from `rank`.
fn absolute(document: &Document, node: Node, rank: &mut dyn FnMut(NodeId) -> u32) -> String {
    let mut path = String::new();
    if node.id().index() >= document.len() {
        // Nodes of templates have no path from the root: queries cannot reach them.
        return path;
    }
    let mut lineage = vec![node.id()];
    lineage.extend(document.ancestors(node.id()));
    lineage.pop();
    write_steps(document, &lineage, node, &mut path, rank);
    if path.is_empty() {
        path.push('/');
    }
    path
}

fn write_steps(
    document: &Document,
    lineage: &[NodeId],
    node: Node,
    path: &mut String,
    rank: &mut dyn FnMut(NodeId) -> u32,
) {
    for &id in lineage.iter().rev() {
        push_step(document, id, rank(id), path);
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
}

/// The kind of nodes that a rank counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum RankGroup {
    /// HTML elements of one name.
    Named(usize),
    /// All elements.
    Element,
    Text,
    Comment,
    /// All nodes.
    Node,
}

fn rank_group(document: &Document, id: NodeId) -> RankGroup {
    match document.kind(id) {
        NodeKind::Element => {
            let plain = document.namespace(id) == Namespace::Html && document.name(id).is_some_and(lexer::is_name);
            match document.name_id(id) {
                Some(name) if plain => RankGroup::Named(name.index()),
                _ => RankGroup::Element,
            }
        }
        NodeKind::Text => RankGroup::Text,
        NodeKind::Comment => RankGroup::Comment,
        NodeKind::Doctype | NodeKind::Document | NodeKind::Fragment => RankGroup::Node,
    }
}

/// Appends `/name[rank]` for one node.
fn push_step(document: &Document, id: NodeId, rank: u32, path: &mut String) {
    let _ = match (rank_group(document, id), document.name(id)) {
        (RankGroup::Named(_), Some(name)) => write!(path, "/{name}[{rank}]"),
        (RankGroup::Named(_) | RankGroup::Element, _) => write!(path, "/*[{rank}]"),
        (RankGroup::Text, _) => write!(path, "/text()[{rank}]"),
        (RankGroup::Comment, _) => write!(path, "/comment()[{rank}]"),
        (RankGroup::Node, _) => write!(path, "/node()[{rank}]"),
    };
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn many_paths_are_the_same_as_one_by_one() {
        let page = Document::parse(
            "<!-- a --><p>one<b>x</b> two<!-- c --><p>three<svg><g/><g/><a:b/></svg><ul><li>1<li>2 <i title=t>3</i></ul>",
        );
        let mut paths = Paths::new(&page);
        for id in page.nodes() {
            assert_eq!(paths.of(Node::node(id)), path_of(&page, Node::node(id)));
        }
    }

    #[test]
    fn a_path_may_begin_below() {
        let page = Document::parse("<ul><li>1<li>2 <i title=t>3</i></ul><p>4");
        let mut paths = Paths::new(&page);
        let find = |name: &str| page.nodes().rfind(|&id| page.name(id) == Some(name)).unwrap();
        let (item, italic, paragraph) = (find("li"), find("i"), find("p"));
        assert_eq!(paths.below(item, Node::node(italic)).as_deref(), Some("i[1]"));
        assert_eq!(paths.below(item, Node::attribute_of(italic, 0)).as_deref(), Some("i[1]/@title"));
        assert_eq!(paths.below(item, Node::node(item)).as_deref(), Some("."));
        assert_eq!(paths.below(item, Node::node(paragraph)), None);
    }
}
