//! Like elements that labels tell apart: `<li>Rooms: 3</li><li>Area: 70 m²</li>`.
//!
//! To their markup they are all the same, and where one is missing the others move up. Their labels say which is which, so
//! each label is a column: a text that many records have once, with different values behind it (or in front of it: `8 Food`).
//!
//! Paper: Fontán et al. 2012, section 4.1.2: a sequence of labels and values is no list.
//!
//! # Cost
//!
//! The texts of the elements, once.

use hashbrown::HashMap;
use windrow_dom::NodeId;

use super::{Members, mixed};
use crate::alignment::shape;
use crate::page_view::PageView;

/// A label, and the elements that have it.
pub(super) struct Label {
    pub(super) text: String,
    /// Whether it stands in front of its value.
    pub(super) first: bool,
    pub(super) members: Vec<(usize, NodeId)>,
}

/// Labels of one record; more are the words of a text.
const MOST: usize = 24;
/// Characters of the longest label.
const LONGEST: usize = 40;

/// The labels of like elements, in the order in which a reader meets them; none if labels do not tell them apart.
pub(super) fn labels(view: &PageView<'_>, members: &Members) -> Option<Vec<Label>> {
    if members.len() < 2 {
        return None;
    }
    [true, false].into_iter().find_map(|first| {
        let mut labels: Vec<Label> = Vec::new();
        let mut known: HashMap<String, usize> = HashMap::new();
        let (mut all, mut told) = (0usize, 0usize);
        for (record, nodes) in members {
            let mut after = 0;
            for &node in nodes {
                all += 1;
                let Some(text) = label(view, node, first) else { continue };
                told += 1;
                let at = match known.get(&text) {
                    Some(&at) => at,
                    None => {
                        if labels.len() >= MOST {
                            return None;
                        }
                        known.insert(text.clone(), labels.len());
                        labels.push(Label { text, first, members: Vec::new() });
                        labels.len() - 1
                    }
                };
                // Twice in one record: no label.
                if labels[at].members.last().is_some_and(|last| last.0 == *record) {
                    return None;
                }
                labels[at].members.push((*record, node));
                after = after.max(at);
            }
        }
        // A label is met again: a text that stands once is a value.
        let again: usize = labels.iter().filter(|label| label.members.len() > 1).map(|label| label.members.len()).sum();
        let enough = told * 10 >= all * 9 && again * 10 >= all * 9 && labels.len() > 1;
        // Of a steady number of elements that say now this, now that, each is an item of a list; so it is where most records lack most of
        // them. Labels tell fields apart that a record has or lacks.
        let counts = || members.iter().map(|(_, nodes)| nodes.len());
        let (most, least) = (counts().max().unwrap_or(0), counts().min().unwrap_or(0));
        // A colon marks a label. Without one, fields stand in one order, and what stands behind them is not all of one kind: shops with
        // their prices are a list.
        let marked = labels.iter().all(|label| label.text.ends_with([':', '：']));
        let too_many = labels.len() > if most == least && !marked { most } else { most * 2 };
        if too_many || !marked && (turns(&labels) || say_one_kind(view, &labels)) {
            return None;
        }
        labels.retain(|label| label.members.len() > 1);
        enough.then_some(labels)
    })
}

/// Returns whether the order of the labels changes from record to record.
fn turns(labels: &[Label]) -> bool {
    let members = |label: &Label| label.members.iter().map(|&(record, node)| (record, vec![node])).collect();
    let kinds: Vec<Members> = labels.iter().map(members).collect();
    mixed::swap(&kinds.iter().collect::<Vec<_>>())
}

/// Returns whether an amount of money stands behind each label.
fn say_one_kind(view: &PageView<'_>, labels: &[Label]) -> bool {
    let is_money = |label: &Label, node: NodeId| {
        let text = view.text(node);
        let value =
            if label.first { text.strip_prefix(label.text.as_str()) } else { text.strip_suffix(label.text.as_str()) };
        value.is_some_and(|value| shape::is_money(value.trim()))
    };
    let mut values = labels.iter().flat_map(|label| label.members.iter().take(8).map(move |member| (label, member.1)));
    values.all(|(label, node)| is_money(label, node))
}

/// The label of an element: what it says up to a colon; or the first of its leaves (the last), if it has two or three.
fn label(view: &PageView<'_>, node: NodeId, first: bool) -> Option<String> {
    let document = view.document;
    let text = view.text(node);
    if first && let Some(label) = shape::label(&text) {
        return Some(label.to_owned());
    }
    let leaves = view.leaves_below(node);
    if !(2..=3).contains(&leaves.len()) {
        return None;
    }
    let leaf = if first { leaves.first()? } else { leaves.last()? };
    let said = shape::collapse(&document.visible_text(leaf.node));
    let said = if document.is_text(leaf.node) { shape::collapse(document.text(leaf.node)) } else { said };
    let is_label = said.chars().count() <= LONGEST
        && said.chars().any(char::is_alphabetic)
        && !said.contains(|c: char| c.is_ascii_digit())
        && said.len() < text.len()
        && if first { text.starts_with(said.as_str()) } else { text.ends_with(said.as_str()) };
    is_label.then_some(said)
}
