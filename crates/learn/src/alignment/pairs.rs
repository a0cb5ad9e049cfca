//! Elements of two kinds in turn: `dt` and `dd`, `h4` and `p`.
//!
//! What stands between one of the first kind and the next belongs to it. If the first ones are labels that records share
//! (`Rooms`, `Area`), each label is a column; else each pair is a record of a sublist, which begins with a node and ends in front
//! of the next.
//!
//! Paper: Fontán et al. 2012, section 4.1.2: a sequence of labels and values is no list.
//!
//! # Cost
//!
//! The siblings of the elements, once for each two kinds that have as many of them.

use hashbrown::HashMap;
use windrow_dom::{NodeId, names};

use super::{Members, several};
use crate::alignment::shape;
use crate::page_view::PageView;

/// Labels of one record; more are the words of a text.
const MOST_LABELS: usize = 24;
/// Characters of the longest label.
const LONGEST: usize = 40;

/// Two kinds in turn, by their numbers among the kinds.
pub(super) fn find(view: &PageView<'_>, kinds: &[(u64, Members)]) -> Option<(usize, usize)> {
    let repeated: Vec<usize> = (0..kinds.len()).filter(|&at| is_repeated(view, &kinds[at].1)).take(8).collect();
    repeated.iter().find_map(|&first| {
        let second =
            repeated.iter().find(|&&second| first != second && in_turn(view, &kinds[first].1, &kinds[second].1))?;
        Some((first, *second))
    })
}

/// Says whether these are elements that some record has several of.
fn is_repeated(view: &PageView<'_>, members: &Members) -> bool {
    let cell = |node: &NodeId| {
        matches!(view.document.name_id(*node), None | Some(names::TD | names::TH | names::BR | names::IMG))
    };
    members.len() > 1
        && members.iter().any(|(_, nodes)| nodes.len() > 1)
        && !members.iter().flat_map(|(_, nodes)| nodes).any(cell)
}

/// Says whether each element of the first kind has one of the second right behind it, and nothing else is among them or behind them.
fn in_turn(view: &PageView<'_>, firsts: &Members, seconds: &Members) -> bool {
    let next = |node: NodeId| {
        let behind = std::iter::successors(view.document.next_sibling(node), |&id| view.document.next_sibling(id));
        behind.into_iter().find(|&id| view.has_content(id) && !view.is_hidden(id))
    };
    firsts.len() == seconds.len()
        && firsts.iter().zip(seconds).all(|((record, one), (other, two))| {
            let last = one.len();
            record == other
                && last == two.len()
                && (0..last).all(|at| next(one[at]) == Some(two[at]) && next(two[at]) == one.get(at + 1).copied())
        })
}

/// A label with its values: the record of each, and its element.
pub(super) type LabelledValues = (String, Vec<(usize, NodeId)>);

/// Returns the labels that the first of each pair are, each with the second ones; none if they are no labels.
pub(super) fn labels(view: &PageView<'_>, firsts: &Members, seconds: &Members) -> Option<Vec<LabelledValues>> {
    let mut labels: Vec<LabelledValues> = Vec::new();
    let mut known: HashMap<String, usize> = HashMap::new();
    let mut all = 0usize;
    for ((record, one), (_, two)) in firsts.iter().zip(seconds) {
        for (&label, &value) in one.iter().zip(two) {
            let text = shape::collapse(&view.document.visible_text(label));
            if text.is_empty() || text.chars().count() > LONGEST {
                return None;
            }
            all += 1;
            let at = *known.entry(text.clone()).or_insert_with(|| {
                labels.push((text, Vec::new()));
                labels.len() - 1
            });
            // Twice in one record: no label.
            if labels.len() > MOST_LABELS || labels[at].1.last().is_some_and(|last| last.0 == *record) {
                return None;
            }
            labels[at].1.push((*record, value));
        }
    }
    let again: usize = labels.iter().map(|label| label.1.len()).filter(|&count| count > 1).sum();
    let told = labels.len() > 1 && again * 10 >= all * 9;
    labels.retain(|label| label.1.len() > 1);
    told.then_some(labels)
}

/// Says whether the pairs are a list: their number varies, or the first ones are a list by themselves.
pub(super) fn is_list(view: &PageView<'_>, firsts: &Members) -> bool {
    let count = firsts.first().map_or(0, |(_, nodes)| nodes.len());
    firsts.iter().any(|(_, nodes)| nodes.len() != count) || several::sublist(view, firsts) > 0.5
}
