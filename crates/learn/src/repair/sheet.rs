//! The new page, looked at for known values: which nodes say just what is known, in their text or in an attribute.
//!
//! # Cost
//!
//! One walk over the page. The text of a node is hashed if a known value may be that long, so all hashing together is
//! the page's text times the depth of its inner nodes.

use std::hash::BuildHasher;
use std::sync::Arc;

use foldhash::fast::FixedState;
use hashbrown::{HashMap, HashSet};
use windrow_dom::{Document, NodeId};
use windrow_wrapper::Page;
use windrow_wrapper::values::text::collapse;

use super::known::{Known, KnownRecord, KnownValue};
use crate::page_view::{PageView, Unseen};
use crate::reading::Reading;
use crate::scope::Scope;

/// Bytes of the longest text that is compared as a whole.
const LONGEST: usize = 32_768;
/// Nodes in an element that no reader sees and whose text is read all the same.
const UNSEEN: usize = 24;
/// Attributes whose values are addresses.
const ADDRESSES: [&str; 6] = ["href", "src", "data-src", "content", "action", "data-original"];

/// A page, and where known values stand on it.
pub(super) struct Sheet<'p> {
    pub(super) page: &'p Arc<Page>,
    pub(super) document: &'p Document,
    pub(super) view: PageView<'p>,
    pub(super) reading: Reading<'p>,
    /// What a person showed of it.
    pub(super) shown: Vec<KnownValue>,
    /// By the hash of a known text: the nodes that say just that, in order, with those inside that say the same.
    texts: HashMap<u64, Vec<NodeId>, FixedState>,
    /// By the hash of a known text: the elements with an attribute that says just that, and the attribute's number.
    attributes: HashMap<u64, Vec<(NodeId, usize)>, FixedState>,
}

/// A text as it is looked up.
pub(super) fn hash(text: &str) -> u64 {
    FixedState::default().hash_one(text.as_bytes())
}

/// The hashes of all that is known, and the length of the longest.
pub(super) struct Wanted {
    hashes: HashSet<u64, FixedState>,
    longest: usize,
    shown: Vec<KnownValue>,
}

impl Wanted {
    pub(super) fn new(known: &Known) -> Wanted {
        let mut wanted = Wanted { hashes: HashSet::default(), longest: 0, shown: known.shown.clone() };
        for record in known.lists.iter().flat_map(|list| &list.records) {
            wanted.add(record, 0);
        }
        wanted
    }

    fn add(&mut self, record: &KnownRecord, depth: usize) {
        for value in record.values.iter().filter(|value| !value.raw.is_empty()) {
            let text = collapse(&value.raw);
            self.hashes.insert(hash(&text));
            self.longest = self.longest.max(text.len());
        }
        if depth < super::DEEPEST {
            for record in record.lists.iter().flat_map(|list| &list.records) {
                self.add(record, depth + 1);
            }
        }
    }
}

impl<'p> Sheet<'p> {
    pub(super) fn new(page: &'p Arc<Page>, wanted: &Wanted) -> Sheet<'p> {
        let document = page.document();
        let view = PageView::new(document, Unseen::LeftOut);
        let reading = Reading::new(document);
        let mut texts: HashMap<u64, Vec<NodeId>, FixedState> = HashMap::default();
        let mut attributes: HashMap<u64, Vec<(NodeId, usize)>, FixedState> = HashMap::default();
        let most = wanted.longest.min(LONGEST);
        let mut keys = vec![0u64; document.len()];
        for id in document.nodes() {
            let range = reading.range(id);
            if !range.is_empty() && range.len() <= most {
                // Most elements have one text, and say what it says.
                let key = match document.parent(id).filter(|&parent| reading.range(parent) == range) {
                    Some(parent) => keys[parent.index()],
                    None => hash(&reading.text[range]),
                };
                keys[id.index()] = key;
                if wanted.hashes.contains(&key) {
                    texts.entry(key).or_default().push(id);
                }
            } else if range.is_empty()
                && document.is_element(id)
                && let Some(text) = unseen(document, id)
            {
                let key = hash(&text);
                if wanted.hashes.contains(&key) {
                    texts.entry(key).or_default().push(id);
                }
            }
            if !document.is_element(id) {
                continue;
            }
            for (number, attribute) in document.attrs(id).enumerate() {
                let value = attribute.value();
                if value.is_empty() || value.len() > LONGEST {
                    continue;
                }
                let mut add = |key: u64| {
                    if wanted.hashes.contains(&key) {
                        let known = attributes.entry(key).or_default();
                        if known.last() != Some(&(id, number)) {
                            known.push((id, number));
                        }
                    }
                };
                add(hash(&collapse(value)));
                if ADDRESSES.contains(&attribute.name())
                    && let Some(address) = resolved(page, value)
                {
                    add(hash(&address));
                }
            }
        }
        Sheet { page, document, view, reading, shown: wanted.shown.clone(), texts, attributes }
    }

    /// The outermost nodes that say just this.
    pub(super) fn texts(&self, key: u64) -> Vec<NodeId> {
        self.outermost(self.texts.get(&key).map_or(&[], Vec::as_slice))
    }

    /// Of nodes that say the same, those that are in none of the others.
    fn outermost(&self, nodes: &[NodeId]) -> Vec<NodeId> {
        let mut kept: Vec<NodeId> = Vec::with_capacity(nodes.len().min(4));
        for &node in nodes {
            if kept.last().is_none_or(|&last| self.document.subtree_end(last) <= node) {
                kept.push(node);
            }
        }
        kept
    }

    /// The elements with an attribute that says just this.
    pub(super) fn attributes(&self, key: u64) -> &[(NodeId, usize)] {
        self.attributes.get(&key).map_or(&[], Vec::as_slice)
    }

    /// The outermost nodes in a scope that say just this.
    pub(super) fn texts_in(&self, scope: Scope, key: u64) -> Vec<NodeId> {
        let nodes = self.texts.get(&key).map_or(&[][..], Vec::as_slice);
        let from = nodes.partition_point(|&node| node < scope.record.first);
        let to = nodes.partition_point(|&node| node < scope.record.end);
        self.outermost(&nodes[from..to.max(from)])
    }

    /// The innermost nodes in a scope that say just this: of the only item of a list, the item, not the list.
    pub(super) fn innermost_texts_in(&self, scope: Scope, key: u64) -> Vec<NodeId> {
        let nodes = self.texts.get(&key).map_or(&[][..], Vec::as_slice);
        let from = nodes.partition_point(|&node| node < scope.record.first);
        let to = nodes.partition_point(|&node| node < scope.record.end).max(from);
        let nodes = &nodes[from..to];
        let holds = |at: usize| nodes.get(at + 1).is_some_and(|&next| next < self.document.subtree_end(nodes[at]));
        (0..nodes.len()).filter(|&at| !holds(at)).map(|at| nodes[at]).collect()
    }

    /// Those of the elements with an attribute that says just this that are in a scope.
    pub(super) fn attributes_in(&self, scope: Scope, key: u64) -> &[(NodeId, usize)] {
        let nodes = self.attributes(key);
        let from = nodes.partition_point(|&(node, _)| node < scope.record.first);
        let to = nodes.partition_point(|&(node, _)| node < scope.record.end);
        &nodes[from..to.max(from)]
    }

    /// Whether an element only has a text for those who do not see it: the same words mostly stand beside it.
    pub(super) fn is_image(&self, node: NodeId) -> bool {
        matches!(self.document.name(node), Some("img" | "area" | "input"))
    }

    /// Whether a text can be read in a scope, as all of a node's.
    pub(super) fn is_read(&self, scope: Scope, text: &str) -> bool {
        self.texts_in(scope, hash(&collapse(text))).into_iter().any(|node| !self.is_image(node))
    }

    /// Whether an element in a scope has a text as this attribute.
    pub(super) fn is_told(&self, scope: Scope, name: &str, text: &str) -> bool {
        let own = |&(node, number): &(NodeId, usize)| {
            self.document.attrs(node).nth(number).is_some_and(|attribute| attribute.name() == name)
        };
        self.attributes_in(scope, hash(&collapse(text))).iter().any(own)
    }

    /// Whether a text stands in a scope, as all of a node's or an attribute's.
    pub(super) fn stands(&self, scope: Scope, text: &str) -> bool {
        let key = hash(&collapse(text));
        let nodes = self.texts.get(&key).map_or(&[][..], Vec::as_slice);
        let from = nodes.partition_point(|&node| node < scope.record.first);
        nodes.get(from).is_some_and(|&node| node < scope.record.end) || !self.attributes_in(scope, key).is_empty()
    }

    /// A node that says something, and those inside that say the same, from the outermost in; texts last.
    pub(super) fn chain(&self, node: NodeId) -> Vec<NodeId> {
        let range = self.reading.range(node);
        let mut chain = vec![node];
        let mut at = node;
        while !range.is_empty()
            && let Some(child) = self.document.children(at).find(|&child| self.reading.range(child) == range)
        {
            chain.push(child);
            at = child;
        }
        chain
    }
}

/// The text of an element that a reader does not see, as a rule reads it.
fn unseen(document: &Document, id: NodeId) -> Option<String> {
    let text = match document.name(id)? {
        "img" | "area" => collapse(document.attr(id, "alt")?).into_owned(),
        "input" => collapse(document.attr(id, "value")?).into_owned(),
        "script" | "style" | "head" | "html" | "body" => return None,
        _ => {
            let nodes = document.subtree_end(id).index() - id.index();
            match document.first_child(id)? {
                only if nodes == 2 && document.is_text(only) => collapse(document.text(only)).into_owned(),
                _ if nodes <= UNSEEN => collapse(&document.visible_text(id)).into_owned(),
                _ => return None,
            }
        }
    };
    Some(text).filter(|text| !text.is_empty())
}

/// An address as a rule of this type reads it.
fn resolved(page: &Page, value: &str) -> Option<String> {
    let value = value.trim();
    let url = match page.base() {
        Some(base) => base.join(value).ok(),
        None => url::Url::parse(value).ok(),
    };
    url.map(String::from)
}
