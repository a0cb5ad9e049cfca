//! A page's tree as redesigns change it: nodes that can be moved, written as HTML, and held against what a parser makes
//! of that HTML.
//!
//! Parts that no redesign examines (`head`, scripts, form lists, foreign elements, comments) are one opaque node with
//! its HTML. Copying the tree costs a reference count per node, so a change that a parser would undo is discarded with
//! its copy.

use std::sync::Arc;

use windrow_dom::{Document, Namespace, NodeId, NodeKind, names};

use super::Value;

/// Elements that are kept as they are, with all in them.
const OPAQUE: [windrow_dom::NameId; 13] = [
    names::HEAD,
    names::SCRIPT,
    names::STYLE,
    names::TEMPLATE,
    names::NOSCRIPT,
    names::IFRAME,
    names::TEXTAREA,
    names::SELECT,
    names::XMP,
    names::NOEMBED,
    names::NOFRAMES,
    names::PLAINTEXT,
    names::FRAMESET,
];

/// Elements without an end tag.
const VOID: [&str; 18] = [
    "area", "base", "basefont", "bgsound", "br", "col", "embed", "frame", "hr", "img", "input", "keygen", "link",
    "meta", "param", "source", "track", "wbr",
];

/// Kind of a node.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Content {
    Element(Arc<str>),
    Text(Arc<str>),
    /// The HTML of one node that is not looked into.
    Opaque(Arc<str>),
}

#[derive(Debug, Clone)]
pub(crate) struct Item {
    pub(crate) content: Content,
    pub(crate) attrs: Arc<[(Arc<str>, Arc<str>)]>,
    pub(crate) parent: usize,
    pub(crate) children: Vec<usize>,
    /// The node of the page before any redesign.
    pub(crate) origin: Option<NodeId>,
}

/// The tree; the root, which stands for the document, is 0. What was taken out stays in the array, unreachable.
#[derive(Debug, Clone)]
pub(crate) struct Tree {
    pub(crate) items: Vec<Item>,
}

pub(crate) const ROOT: usize = 0;

impl Tree {
    pub(crate) fn new(document: &Document) -> Tree {
        let mut tree = Tree { items: Vec::with_capacity(document.len()) };
        tree.add(Content::Opaque("".into()), &[]);
        let mut work: Vec<(NodeId, usize)> = vec![(document.root(), ROOT)];
        while let Some((id, at)) = work.pop() {
            for child in document.children(id) {
                let item = match document.kind(child) {
                    NodeKind::Element if is_open(document, child) => {
                        let name = document.name(child).unwrap_or_default();
                        let attrs = document.attrs(child).map(|attr| (attr.name(), attr.value()));
                        let item = tree.add(Content::Element(name.into()), &attrs.collect::<Vec<_>>());
                        work.push((child, item));
                        item
                    }
                    NodeKind::Text => tree.add(Content::Text(document.text(child).into()), &[]),
                    _ => tree.add(Content::Opaque(document.outer_html(child).into()), &[]),
                };
                tree.items[item].origin = Some(child);
                tree.append(at, item);
            }
        }
        tree
    }

    /// The values by nodes of this tree: what is opaque stands for all in it.
    pub(crate) fn known(&self, document: &Document, records: &[Vec<Value>]) -> Vec<Vec<Value>> {
        let mut known = vec![false; document.len()];
        self.items.iter().filter_map(|item| item.origin).for_each(|id| known[id.index()] = true);
        let is_known = |id: &NodeId| known.get(id.index()).copied().unwrap_or(false);
        let node = |id: NodeId| std::iter::once(id).chain(document.ancestors(id)).find(is_known);
        let find =
            |record: &Vec<Value>| record.iter().filter_map(|value| Some(value.moved(node(value.node())?))).collect();
        records.iter().map(find).collect()
    }

    fn add(&mut self, content: Content, attrs: &[(&str, &str)]) -> usize {
        let attrs = attrs.iter().map(|&(name, value)| (name.into(), value.into())).collect();
        self.items.push(Item { content, attrs, parent: ROOT, children: Vec::new(), origin: None });
        self.items.len() - 1
    }

    /// A new element that stands nowhere yet.
    pub(crate) fn element(&mut self, name: &str, attrs: &[(&str, &str)]) -> usize {
        self.add(Content::Element(name.into()), attrs)
    }

    /// A new text that stands nowhere yet.
    pub(crate) fn text(&mut self, text: &str) -> usize {
        self.add(Content::Text(text.into()), &[])
    }

    pub(crate) fn append(&mut self, parent: usize, child: usize) {
        self.items[parent].children.push(child);
        self.items[child].parent = parent;
    }

    /// Which child of its parent it is.
    pub(crate) fn rank(&self, at: usize) -> usize {
        let siblings = &self.items[self.items[at].parent].children;
        siblings.iter().position(|&sibling| sibling == at).expect("a child of its parent")
    }

    pub(crate) fn insert(&mut self, parent: usize, rank: usize, child: usize) {
        self.items[parent].children.insert(rank, child);
        self.items[child].parent = parent;
    }

    pub(crate) fn remove(&mut self, at: usize) {
        let (parent, rank) = (self.items[at].parent, self.rank(at));
        self.items[parent].children.remove(rank);
    }

    /// Puts `new` where `old` stands.
    pub(crate) fn replace(&mut self, old: usize, new: &[usize]) {
        let (parent, rank) = (self.items[old].parent, self.rank(old));
        self.items[parent].children.splice(rank..=rank, new.iter().copied());
        for &new in new {
            self.items[new].parent = parent;
        }
    }

    /// The two change places, each where the other stood, in whatever parents.
    pub(crate) fn swap(&mut self, one: usize, other: usize) {
        let (first, second) = (self.items[one].parent, self.items[other].parent);
        let (at, to) = (self.rank(one), self.rank(other));
        self.items[first].children[at] = other;
        self.items[second].children[to] = one;
        self.items[one].parent = second;
        self.items[other].parent = first;
    }

    /// A copy of a subtree that stands nowhere yet; `attrs` and `text` say what becomes of attributes and texts.
    pub(crate) fn copy(
        &mut self,
        from: usize,
        attrs: &mut dyn FnMut(&str, &str) -> Option<String>,
        text: &mut dyn FnMut(&str) -> String,
    ) -> usize {
        let mut item = self.items[from].clone();
        let children = std::mem::take(&mut item.children);
        item.origin = None;
        if let Content::Text(old) = &item.content
            && !old.trim().is_empty()
        {
            item.content = Content::Text(text(old).into());
        }
        let kept = item.attrs.iter().filter_map(|(name, value)| Some((name.clone(), attrs(name, value)?.into())));
        item.attrs = kept.collect();
        self.items.push(item);
        let copy = self.items.len() - 1;
        for child in children {
            // What is opaque may have ids and scripts of its own: a copy of it would be no copy of a template.
            if !matches!(self.items[child].content, Content::Opaque(_)) {
                let child = self.copy(child, attrs, text);
                self.append(copy, child);
            }
        }
        copy
    }

    pub(crate) fn name(&self, at: usize) -> Option<&str> {
        match &self.items[at].content {
            Content::Element(name) => Some(name),
            _ => None,
        }
    }

    pub(crate) fn is_element(&self, at: usize) -> bool {
        self.name(at).is_some()
    }

    pub(crate) fn is_any(&self, at: usize, names: &[&str]) -> bool {
        self.name(at).is_some_and(|name| names.contains(&name))
    }

    pub(crate) fn attr(&self, at: usize, name: &str) -> Option<&str> {
        self.items[at].attrs.iter().find(|(found, _)| &**found == name).map(|(_, value)| &**value)
    }

    /// Gives an attribute another value; adds it behind the others if it is not there.
    pub(crate) fn set_attr(&mut self, at: usize, name: &str, value: &str) {
        let mut attrs = self.items[at].attrs.to_vec();
        match attrs.iter_mut().find(|(found, _)| &**found == name) {
            Some((_, old)) => *old = value.into(),
            None => attrs.push((name.into(), value.into())),
        }
        self.items[at].attrs = attrs.into();
    }

    pub(crate) fn classes(&self, at: usize) -> impl Iterator<Item = &str> {
        self.attr(at, "class").unwrap_or_default().split_ascii_whitespace()
    }

    pub(crate) fn elements(&self, at: usize) -> impl Iterator<Item = usize> + '_ {
        self.items[at].children.iter().copied().filter(|&child| self.is_element(child))
    }

    pub(crate) fn is_blank(&self, at: usize) -> bool {
        matches!(&self.items[at].content, Content::Text(text) if text.trim().is_empty())
    }

    /// Reports whether it has a text of its own besides those of its elements.
    pub(crate) fn has_own_text(&self, at: usize) -> bool {
        let is_text = |child: usize| matches!(self.items[child].content, Content::Text(_)) && !self.is_blank(child);
        self.items[at].children.iter().any(|&child| is_text(child))
    }

    /// All nodes that are in the tree, in document order.
    pub(crate) fn order(&self) -> Vec<usize> {
        let mut order = Vec::with_capacity(self.items.len());
        let mut work = vec![ROOT];
        while let Some(at) = work.pop() {
            order.push(at);
            work.extend(self.items[at].children.iter().rev());
        }
        order
    }

    /// All text below, white space collapsed.
    pub(crate) fn words(&self, at: usize) -> String {
        let mut words = String::new();
        let mut work = vec![at];
        while let Some(at) = work.pop() {
            if let Content::Text(text) = &self.items[at].content {
                for word in text.split_whitespace() {
                    if !words.is_empty() {
                        words.push(' ');
                    }
                    words.push_str(word);
                }
            }
            work.extend(self.items[at].children.iter().rev());
        }
        words
    }

    /// Joins texts that stand beside each other, as a parser does. Of two the one that is not blank keeps its origin.
    pub(crate) fn join_texts(&mut self) {
        for at in self.order() {
            let is_text = |tree: &Tree, child: usize| matches!(tree.items[child].content, Content::Text(_));
            let mut children: Vec<usize> = Vec::with_capacity(self.items[at].children.len());
            for child in std::mem::take(&mut self.items[at].children) {
                let Some(&last) = children.last().filter(|&&last| is_text(self, last) && is_text(self, child)) else {
                    children.push(child);
                    continue;
                };
                let (Content::Text(one), Content::Text(other)) =
                    (&self.items[last].content, &self.items[child].content)
                else {
                    unreachable!("both are texts");
                };
                let joined = Content::Text(format!("{one}{other}").into());
                if self.is_blank(last) {
                    self.items[last].origin = self.items[child].origin;
                }
                self.items[last].content = joined;
            }
            self.items[at].children = children;
        }
    }

    pub(crate) fn to_html(&self) -> String {
        self.subtree_html(ROOT)
    }

    /// The HTML of one node and what is below it.
    pub(crate) fn subtree_html(&self, from: usize) -> String {
        let mut html = String::new();
        // What to write next, last first: a node, or an end tag.
        let mut work = vec![(from, false)];
        while let Some((at, end)) = work.pop() {
            let item = &self.items[at];
            match &item.content {
                Content::Element(name) if end => html.extend(["</", name, ">"]),
                Content::Element(name) => {
                    html.extend(["<", name]);
                    for (name, value) in item.attrs.iter() {
                        html.extend([" ", name, "=\""]);
                        escape(value, &mut html);
                        html.push('"');
                    }
                    html.push('>');
                    if VOID.contains(&&**name) {
                        continue;
                    }
                    // A parser drops the first line feed.
                    if let Some(&first) = item.children.first()
                        && let Content::Text(text) = &self.items[first].content
                        && text.starts_with('\n')
                        && ["pre", "listing"].contains(&&**name)
                    {
                        html.push('\n');
                    }
                    work.push((at, true));
                }
                Content::Text(text) => escape(text, &mut html),
                Content::Opaque(own) => html.push_str(own),
            }
            if !end {
                work.extend(item.children.iter().rev().map(|&child| (child, false)));
            }
        }
        html
    }

    /// Compares a document with this tree. If they are equal, returns the node of each item, by the item's number.
    pub(crate) fn matched(&self, document: &Document) -> Option<Vec<Option<NodeId>>> {
        let mut nodes = vec![None; self.items.len()];
        let mut work = vec![(ROOT, document.root())];
        while let Some((at, id)) = work.pop() {
            nodes[at] = Some(id);
            let mut children = self.items[at].children.iter();
            for node in document.children(id) {
                let &child = children.next()?;
                let item = &self.items[child];
                match &item.content {
                    Content::Element(name) => {
                        let attrs = || document.attrs(node).map(|attr| (attr.name(), attr.value()));
                        let own = item.attrs.iter().map(|(name, value)| (&**name, &**value));
                        if !is_open(document, node) || document.name(node) != Some(name) || !attrs().eq(own) {
                            return None;
                        }
                        work.push((child, node));
                    }
                    Content::Text(text) if document.is_text(node) && document.text(node) == &**text => {}
                    Content::Opaque(html) if !document.is_text(node) && document.outer_html(node) == **html => {}
                    _ => return None,
                }
                nodes[child] = Some(node);
            }
            if children.next().is_some() {
                return None;
            }
        }
        Some(nodes)
    }
}

/// Reports whether it is an element that redesigns may examine.
fn is_open(document: &Document, id: NodeId) -> bool {
    document.namespace(id) == Namespace::Html
        && document.is_element(id)
        && !document.name_id(id).is_some_and(|name| OPAQUE.contains(&name))
}

fn escape(text: &str, html: &mut String) {
    for char in text.chars() {
        match char {
            '&' => html.push_str("&amp;"),
            '<' => html.push_str("&lt;"),
            '>' => html.push_str("&gt;"),
            '"' => html.push_str("&quot;"),
            '\u{A0}' => html.push_str("&nbsp;"),
            '\r' => html.push_str("&#13;"),
            other => html.push(other),
        }
    }
}
