//! The tree under construction.
//!
//! Almost every page is written in document order: each new node becomes the last one. So a node needs nothing but
//! its parent, ids are preorder ranks already, and finishing is one backward pass. Only when something is put
//! elsewhere (content fostered out of a table, misnested formatting, text after `</body>`) does the tree create
//! sibling links, once; when it is finished, the nodes are renumbered.

use crate::arena::{NONE, Node, StrRef, Strings};
use crate::document::{NodeId, NodeKind};
use crate::names;
use crate::span::Span;

/// Sibling links, created when the page leaves document order.
#[derive(Debug, Clone, Copy)]
struct Link {
    first: u32,
    last: u32,
    prev: u32,
    next: u32,
}

impl Link {
    const LOOSE: Link = Link { first: NONE, last: NONE, prev: NONE, next: NONE };
}

/// The place to insert a node.
#[derive(Debug, Clone, Copy)]
pub(super) enum Place {
    /// As the last child.
    Into(u32),
    /// Before that sibling.
    Before(u32),
}

/// A text whose pieces are not adjacent in the store: it grows separately and is moved there at the end.
#[derive(Debug)]
struct SeparateText {
    node: u32,
    text: String,
}

/// The tree under construction; see the [module documentation](self).
#[derive(Debug)]
pub(super) struct Tree {
    pub(super) nodes: Vec<Node>,
    links: Option<Vec<Link>>,
    separate_texts: Vec<SeparateText>,
    /// Template elements and the roots of their contents.
    pub(super) templates: Vec<(u32, u32)>,
}

impl Tree {
    pub(super) fn new(root: NodeKind, capacity: usize) -> Tree {
        let mut nodes = Vec::with_capacity(capacity);
        nodes.push(Node::new(root, 0, NONE, NONE));
        Tree { nodes, links: None, separate_texts: Vec::new(), templates: Vec::new() }
    }

    /// Adds a node without a parent.
    pub(super) fn loose(&mut self, mut node: Node) -> u32 {
        let id = self.nodes.len() as u32;
        node.parent = NONE;
        self.nodes.push(node);
        if let Some(links) = &mut self.links {
            links.push(Link::LOOSE);
        }
        id
    }

    /// Adds a node at a place.
    #[inline]
    pub(super) fn add(&mut self, node: Node, place: Place) -> u32 {
        if let Place::Into(parent) = place
            && self.links.is_none()
            && self.is_at_the_end(parent)
        {
            let id = self.nodes.len() as u32;
            self.nodes.push(Node { parent, ..node });
            return id;
        }
        let id = self.loose(node);
        self.put(id, place);
        id
    }

    /// Returns `true` if a new last child of `parent` would be the last node of the document. Each step of the climb
    /// leaves a node to which nothing can be added any more, so all climbs of a page together are linear, and the end
    /// of the node's subtree is known.
    #[inline]
    fn is_at_the_end(&mut self, parent: u32) -> bool {
        let len = self.nodes.len() as u32;
        let mut at = len - 1;
        while at != parent {
            let node = &mut self.nodes[at as usize];
            node.end = len;
            at = node.parent;
            // Parents come before their children, so nodes before `parent` cannot lead to it.
            if at == NONE || at < parent {
                return false;
            }
        }
        true
    }

    /// Adds a last child if that keeps document order and no text has to be joined: the fast path, which fails often
    /// on some pages and never on most.
    ///
    /// Takes the node's words one by one, in registers: a node that is built in memory and copied from there
    /// immediately stalls the processor.
    #[inline]
    pub(super) fn append(&mut self, parent: u32, bits: u32, start: u32, first: u32, second: u32) -> Option<u32> {
        let id = self.nodes.len() as u32;
        let last = &self.nodes[id as usize - 1];
        let joins = last.parent == parent && last.kind() == NodeKind::Text && bits == NodeKind::Text as u32;
        if joins || self.links.is_some() || !self.is_at_the_end(parent) {
            return None;
        }
        self.nodes.push(Node { parent, end: 0, bits, start, first, second });
        Some(id)
    }

    /// Puts a node without a parent at a place.
    pub(super) fn put(&mut self, id: u32, place: Place) {
        let links = link(&mut self.links, &self.nodes);
        match place {
            Place::Into(parent) => {
                self.nodes[id as usize].parent = parent;
                let last = std::mem::replace(&mut links[parent as usize].last, id);
                links[id as usize].prev = last;
                if last == NONE {
                    links[parent as usize].first = id;
                } else {
                    links[last as usize].next = id;
                }
            }
            Place::Before(sibling) => {
                let parent = self.nodes[sibling as usize].parent;
                self.nodes[id as usize].parent = parent;
                let prev = std::mem::replace(&mut links[sibling as usize].prev, id);
                links[id as usize].prev = prev;
                links[id as usize].next = sibling;
                if prev != NONE {
                    links[prev as usize].next = id;
                } else if parent != NONE {
                    links[parent as usize].first = id;
                }
            }
        }
    }

    /// Removes a node from its place, with everything below it.
    pub(super) fn take(&mut self, id: u32) {
        let links = link(&mut self.links, &self.nodes);
        let parent = std::mem::replace(&mut self.nodes[id as usize].parent, NONE);
        if parent == NONE {
            return;
        }
        let Link { prev, next, .. } = links[id as usize];
        links[id as usize].prev = NONE;
        links[id as usize].next = NONE;
        match prev {
            NONE => links[parent as usize].first = next,
            prev => links[prev as usize].next = next,
        }
        match next {
            NONE => links[parent as usize].last = prev,
            next => links[next as usize].prev = prev,
        }
    }

    /// Moves all children of one node to another, which has none. Returns their number.
    pub(super) fn move_children(&mut self, from: u32, to: u32) -> usize {
        let links = link(&mut self.links, &self.nodes);
        let Link { first, last, .. } = links[from as usize];
        links[from as usize].first = NONE;
        links[from as usize].last = NONE;
        links[to as usize].first = first;
        links[to as usize].last = last;
        let mut child = first;
        let mut count = 0;
        while child != NONE {
            self.nodes[child as usize].parent = to;
            child = links[child as usize].next;
            count += 1;
        }
        count
    }

    /// Returns the text directly before a place, which a new text joins.
    #[inline]
    fn text_before(&self, place: Place) -> Option<u32> {
        let before = match (&self.links, place) {
            (None, Place::Into(parent)) => {
                let last = self.nodes.len() as u32 - 1;
                if self.nodes[last as usize].parent == parent { last } else { NONE }
            }
            (Some(links), Place::Into(parent)) => links[parent as usize].last,
            (Some(links), Place::Before(sibling)) => links[sibling as usize].prev,
            (None, Place::Before(_)) => NONE,
        };
        (before != NONE && self.nodes[before as usize].kind() == NodeKind::Text).then_some(before)
    }

    /// Adds characters at a place: to the text that is there, or as a new one.
    #[inline]
    pub(super) fn add_text(&mut self, place: Place, span: Span, string: StrRef, source: &str, strings: &mut Strings) {
        // Out of order, the text to join can be found only by links.
        let in_order = matches!(place, Place::Into(parent) if self.links.is_none() && self.is_at_the_end(parent));
        if !in_order {
            link(&mut self.links, &self.nodes);
        }
        match self.text_before(place) {
            None => {
                let second = strings.keep(span, string);
                self.add(Node::new(NodeKind::Text, span.start, span.end, second), place);
            }
            Some(before) => self.join_text(before, span, string, source, strings),
        }
    }

    fn join_text(&mut self, before: u32, span: Span, string: StrRef, source: &str, strings: &mut Strings) {
        let node = &mut self.nodes[before as usize];
        let (start, end) = (node.start, node.first);
        node.start = start.min(span.start);
        node.first = end.max(span.end);
        // A text kept apart is marked open.
        if node.has(Node::OPEN) {
            self.separate_texts[node.second as usize].text.push_str(string.get(source, &strings.store));
            return;
        }
        let literal = matches!(node.second, Node::LITERAL | Node::LITERAL_REST);
        if literal && end == span.start && string == StrRef::source(span.start as usize, span.end as usize) {
            return;
        }
        let mut text = String::with_capacity(2 * ((end - start) as usize + string.len()));
        let old = Node { start, first: end, ..*node };
        text.push_str(strings.text(source, &old));
        text.push_str(string.get(source, &strings.store));
        node.second = self.separate_texts.len() as u32;
        node.set(Node::OPEN, true);
        self.separate_texts.push(SeparateText { node: before, text });
    }

    /// Adds a copy of a node, even if its text is still kept apart.
    pub(super) fn copy(&mut self, copy: Node, place: Place) -> u32 {
        let id = self.add(copy, place);
        if copy.kind() == NodeKind::Text && copy.has(Node::OPEN) {
            let text = self.separate_texts[copy.second as usize].text.clone();
            self.nodes[id as usize].second = self.separate_texts.len() as u32;
            self.separate_texts.push(SeparateText { node: id, text });
        }
        id
    }

    /// Creates contents for a copy of a template. Returns the original's contents and the copy's, which are still
    /// empty.
    pub(super) fn copy_template(&mut self, of: u32, copy: u32) -> Option<(u32, u32)> {
        let found = self.templates.binary_search_by_key(&of, |&(host, _)| host).ok()?;
        let contents = self.templates[found].1;
        let root = self.loose(self.nodes[contents as usize]);
        // Ids grow, so the list stays sorted by host.
        self.templates.push((copy, root));
        Some((contents, root))
    }

    /// Returns the children of a node during building.
    pub(super) fn children(&mut self, id: u32) -> Vec<u32> {
        let links = link(&mut self.links, &self.nodes);
        let mut out = Vec::new();
        let mut child = links[id as usize].first;
        while child != NONE {
            out.push(child);
            child = links[child as usize].next;
        }
        out
    }

    /// Moves the texts kept apart into the store, puts the nodes in document order and closes the ranges.
    ///
    /// Returns the nodes, the length of the main tree, and the templates with their contents.
    pub(super) fn finish(mut self, strings: &mut Strings) -> (Vec<Node>, u32, Vec<(NodeId, NodeId)>) {
        for SeparateText { node, text } in std::mem::take(&mut self.separate_texts) {
            let start = strings.store.len();
            strings.store.push_str(&text);
            let node = &mut self.nodes[node as usize];
            node.set(Node::OPEN, false);
            node.second = strings.keep(node.leaf_span(), StrRef::own(start, strings.store.len()));
        }
        // In document order (except for templates, whose contents are stored elsewhere), everything is done when the
        // root is left.
        let main = if self.links.is_none() && self.templates.is_empty() && self.is_at_the_end(0) {
            self.nodes[0].end = self.nodes.len() as u32;
            self.nodes.len() as u32
        } else {
            link(&mut self.links, &self.nodes);
            let links = self.links.take().unwrap_or_default();
            let main = self.renumber(&links);
            self.close_ranges();
            main
        };
        let templates = self.templates.into_iter().map(|(host, root)| (NodeId(host), NodeId(root))).collect();
        (self.nodes, main, templates)
    }

    /// Computes the end of each subtree, once the nodes are in preorder.
    fn close_ranges(&mut self) {
        for (id, node) in self.nodes.iter_mut().enumerate() {
            node.end = id as u32 + 1;
        }
        for id in (1..self.nodes.len()).rev() {
            let Node { parent, end, .. } = self.nodes[id];
            if parent != NONE {
                let parent = &mut self.nodes[parent as usize];
                parent.end = parent.end.max(end);
            }
        }
    }

    /// Puts the nodes in preorder, with the contents of templates after the page, and drops nodes without a parent.
    fn renumber(&mut self, links: &[Link]) -> u32 {
        let mut rank = vec![NONE; self.nodes.len()];
        let mut order: Vec<u32> = Vec::with_capacity(self.nodes.len());
        let walk = |root: u32, rank: &mut Vec<u32>, order: &mut Vec<u32>| {
            let mut at = root;
            'walk: loop {
                rank[at as usize] = order.len() as u32;
                order.push(at);
                if links[at as usize].first != NONE {
                    at = links[at as usize].first;
                    continue;
                }
                while links[at as usize].next == NONE || at == root {
                    if at == root {
                        break 'walk;
                    }
                    at = self.nodes[at as usize].parent;
                }
                at = links[at as usize].next;
            }
        };
        walk(0, &mut rank, &mut order);
        let main = order.len() as u32;
        // Contents follow in the order of their hosts; a template in a template's contents is met on the way.
        let mut placed = Vec::new();
        let mut at = 0;
        while at < order.len() {
            let host = order[at];
            if self.nodes[host as usize].is_html(names::TEMPLATE)
                && let Ok(found) = self.templates.binary_search_by_key(&host, |&(host, _)| host)
            {
                let root = self.templates[found].1;
                walk(root, &mut rank, &mut order);
                placed.push((at as u32, rank[root as usize]));
            }
            at += 1;
        }
        self.templates = placed;
        for node in &mut self.nodes {
            if node.parent != NONE {
                node.parent = rank[node.parent as usize];
            }
        }
        let kept = order.len();
        order.extend((0..rank.len() as u32).filter(|&id| rank[id as usize] == NONE));
        permute(&mut self.nodes, &mut order);
        self.nodes.truncate(kept);
        main
    }
}

/// Puts the item with index `order[i]` at index `i`, for all `i`, in place, so that a large page does not need its
/// nodes twice.
fn permute(nodes: &mut [Node], order: &mut [u32]) {
    for start in 0..nodes.len() {
        if order[start] == NONE {
            continue;
        }
        // Follows the cycle, marking finished items.
        let first = nodes[start];
        let mut at = start;
        loop {
            let from = std::mem::replace(&mut order[at], NONE) as usize;
            if from == start {
                nodes[at] = first;
                break;
            }
            nodes[at] = nodes[from];
            at = from;
        }
    }
}

/// Returns the sibling links, creating them if necessary.
fn link<'a>(links: &'a mut Option<Vec<Link>>, nodes: &[Node]) -> &'a mut Vec<Link> {
    links.get_or_insert_with(|| {
        let mut links = vec![Link::LOOSE; nodes.len()];
        for (id, node) in nodes.iter().enumerate() {
            if node.parent == NONE {
                continue;
            }
            let id = id as u32;
            let parent = node.parent as usize;
            let last = std::mem::replace(&mut links[parent].last, id);
            links[id as usize].prev = last;
            if last == NONE {
                links[parent].first = id;
            } else {
                links[last as usize].next = id;
            }
        }
        links
    })
}
