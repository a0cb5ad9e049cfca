//! Counts the elements of a page that are built like the records of a list and are none.
//!
//! If a redesign gives some of the records another class, a wrapper goes on finding the rest, and nothing else shows it.
//! The number itself says little, since advertisements and notices may be built like records; a store compares it with
//! the numbers of earlier runs.
//!
//! An element is built like the records if it is a sibling of records, has their name, and has nearly all the tags that
//! most of its sibling records have, each under the same parent tag. Classes are not compared.
//!
//! Linear in the elements under the records' parents.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use windrow_dom::{Document, NameId, NodeId};
#[cfg(feature = "store")]
use windrow_store::Layout;
use windrow_wrapper::Extraction;
use windrow_xpath::{Node, path_of};

/// Share of the tags that most records have which an element must have to be built like them. A record may lack an
/// optional field or two.
const ALIKE: f64 = 0.75;
/// Nodes of a record that are looked at.
const NODES: usize = 200;

/// Tags below an element, each with its parent's tag; `None` stands for text.
type Build = BTreeSet<(NameId, Option<NameId>)>;

/// Elements that are built like the records of a list and were not taken for records.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SiblingsLeftOut {
    /// Number of the list's rule among all rules of the wrapper, in depth-first order.
    pub rule: usize,
    /// Number of the elements.
    pub count: usize,
    /// Path of the first.
    pub path: String,
    /// Visible text of the first.
    pub text: String,
    /// A class that all records have and the first of the elements lacks.
    pub lacks_class: Option<String>,
}

/// Returns, for each list of the first page of an extraction, the elements beside its records that are built like them; only lists that
/// have such elements.
pub fn siblings_left_out(extraction: &Extraction) -> Vec<SiblingsLeftOut> {
    let Some(page) = extraction.pages().first() else { return Vec::new() };
    let Some(document) = page.built() else { return Vec::new() };
    let mut lists: BTreeMap<usize, Vec<NodeId>> = BTreeMap::new();
    for object in extraction.objects().filter(|object| object.is_many() && std::ptr::eq(&**page, &**object.page())) {
        if let (Some(rule), Some(node)) = (object.rule_number(), object.node().filter(|node| !node.is_attribute())) {
            lists.entry(rule).or_default().push(node.id());
        }
    }
    let of_list = |(rule, mut records): (usize, Vec<NodeId>)| {
        let left = built_alike(document, &mut records);
        let first = *left.first()?;
        let words = |id: NodeId| document.attr(id, "class").unwrap_or_default().split_ascii_whitespace();
        let is_shared = |word: &&str| records.iter().all(|&record| words(record).any(|other| other == *word));
        let lacks = words(*records.first()?).find(|word| is_shared(word) && !words(first).any(|own| own == *word));
        Some(SiblingsLeftOut {
            rule,
            count: left.len(),
            path: path_of(document, Node::node(first)),
            text: document.visible_text(first).split_whitespace().collect::<Vec<_>>().join(" "),
            lacks_class: lacks.map(str::to_owned),
        })
    };
    lists.into_iter().filter_map(of_list).collect()
}

/// Returns the count for the list of each layout.
#[cfg(feature = "store")]
pub(crate) fn left_out(extraction: &Extraction, layouts: &[Layout]) -> Vec<u64> {
    let mut nodes: BTreeMap<&str, Vec<NodeId>> = BTreeMap::new();
    let page = extraction.pages().first();
    for object in extraction.objects() {
        let is_here = page.is_some_and(|page| std::ptr::eq(&**page, &**object.page()));
        if let Some(node) = object.node().filter(|node| is_here && object.is_many() && !node.is_attribute()) {
            nodes.entry(object.label()).or_default().push(node.id());
        }
    }
    let document = page.and_then(|page| page.built());
    let count = |layout: &Layout| Some(built_alike(document?, nodes.get_mut(layout.label.as_str())?).len() as u64);
    layouts.iter().map(count).map(Option::unwrap_or_default).collect()
}

/// Returns the elements built like these records, in order.
fn built_alike(document: &Document, records: &mut Vec<NodeId>) -> Vec<NodeId> {
    records.retain(|&id| document.is_element(id));
    records.sort_unstable();
    records.dedup();
    let mut parents: BTreeMap<NodeId, Vec<NodeId>> = BTreeMap::new();
    for &record in records.iter() {
        if let Some(parent) = document.parent(record) {
            parents.entry(parent).or_default().push(record);
        }
    }
    let in_records = |id: NodeId| {
        let next = records.partition_point(|&record| record < id);
        records.get(next).is_some_and(|&record| record < document.subtree_end(id))
    };
    let mut left = Vec::new();
    for (parent, own) in parents {
        let mut builds: HashMap<NameId, (usize, BTreeMap<_, usize>)> = HashMap::new();
        for &record in &own {
            let Some(name) = document.name_id(record) else { continue };
            let (all, tags) = builds.entry(name).or_default();
            *all += 1;
            for tag in build(document, record) {
                *tags.entry(tag).or_default() += 1;
            }
        }
        for child in document.children(parent).filter(|&id| document.is_element(id) && !in_records(id)) {
            let Some((all, tags)) = document.name_id(child).and_then(|name| builds.get(&name)) else { continue };
            let own = build(document, child);
            let usual: Vec<_> = tags.iter().filter(|(_, count)| **count * 2 > *all).map(|(tag, _)| tag).collect();
            let shared = usual.iter().filter(|tag| own.contains(tag)).count();
            if shared > 0 && shared as f64 >= ALIKE * usual.len() as f64 {
                left.push(child);
            }
        }
    }
    left.sort_unstable();
    left
}

fn build(document: &Document, element: NodeId) -> Build {
    let nodes = document.descendants(element).take(NODES);
    let tag = |id: NodeId| {
        let parent = document.name_id(document.parent(id)?)?;
        match document.is_text(id) {
            true if document.text(id).trim().is_empty() => None,
            true => Some((parent, None)),
            false => Some((parent, Some(document.name_id(id)?))),
        }
    };
    nodes.filter_map(tag).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn siblings_with_another_class_are_counted() {
        let page = "<ul><li class=ad><h3>Rake</h3><b>1</b><li class=ad><h3>Hoe</h3><b>2</b>
            <li class=new><h3>Saw</h3><b>3</b><li class=note>We are closed<li class=new><h3>Axe</h3></ul>
            <ul><li><h3>Elsewhere</h3><b>1</b></ul>";
        let document = Document::parse(page);
        let has = |&id: &NodeId| document.attr(id, "class") == Some("ad");
        let mut records: Vec<NodeId> = document.nodes().filter(has).collect();
        let left = built_alike(&document, &mut records);
        let texts: Vec<String> = left.iter().map(|&id| document.visible_text(id)).collect();
        assert_eq!(texts.iter().map(|text| text.split_whitespace().collect()).collect::<Vec<String>>(), ["Saw3"]);
    }
}
