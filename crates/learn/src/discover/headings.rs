//! Records grouped under headings: what stands over a group is a field of each of its records.
//!
//! A heading is a node that stands in front of records, or of what holds them, and has none in it: an `h2` between list
//! items, or in front of each of several lists; a row of one cell in a table. There must be several of one kind, over
//! fewer groups than records, and every record must have one in front of it: then the nearest one is its own.
//!
//! # Cost
//!
//! For each of a few levels, the children of what holds the records once.

use foldhash::fast::FixedState;
use hashbrown::HashMap;
use windrow_dom::NodeId;

use crate::page_view::PageView;

/// Levels above the records at which headings are looked for.
const LEVELS: usize = 4;
/// Characters of the longest heading.
const LONGEST: usize = 100;

/// Returns the heading of each record, if there are headings.
pub(crate) fn headings(view: &PageView<'_>, records: &[NodeId]) -> Option<Vec<Option<NodeId>>> {
    let document = view.document;
    let mut held: Vec<NodeId> = records.to_vec();
    for _ in 0..LEVELS {
        if let Some(headings) = at_level(view, &held) {
            return Some(headings);
        }
        held = held.iter().map(|&node| document.parent(node)).collect::<Option<Vec<NodeId>>>()?;
        // Above what holds all records, one heading stands over all of them.
        if held.windows(2).all(|pair| pair[0] == pair[1]) {
            return None;
        }
    }
    None
}

/// The headings among the siblings of these nodes, which hold the records.
fn at_level(view: &PageView<'_>, held: &[NodeId]) -> Option<Vec<Option<NodeId>>> {
    let document = view.document;
    // What holds records, with how many it holds, by parent in order.
    let mut holders: HashMap<NodeId, usize, FixedState> = HashMap::default();
    let mut parents: Vec<NodeId> = Vec::new();
    for &node in held {
        *holders.entry(node).or_default() += 1;
        let parent = document.parent(node)?;
        if parents.last() != Some(&parent) {
            parents.push(parent);
        }
    }
    parents.sort_unstable();
    parents.dedup();
    // By kind: an example, how many there are, and the records behind one.
    let mut kinds: Vec<(u64, NodeId, usize, usize)> = Vec::new();
    for &parent in &parents {
        let mut open: Vec<usize> = Vec::new();
        for child in document.children(parent).filter(|&child| document.is_element(child)) {
            if let Some(count) = holders.get(&child) {
                open.iter().for_each(|&at| kinds[at].3 += count);
                continue;
            }
            if !view.has_content(child) || !is_heading(view, child) {
                continue;
            }
            let step = view.step(child);
            let at = match kinds.iter().position(|kind| kind.0 == step) {
                Some(at) => at,
                None if kinds.len() >= 16 => continue,
                None => {
                    kinds.push((step, child, 0, 0));
                    kinds.len() - 1
                }
            };
            kinds[at].2 += 1;
            if !open.contains(&at) {
                open.push(at);
            }
        }
    }
    let records = held.len();
    let kind =
        kinds.iter().find(|&&(_, _, count, under)| count >= 2 && under == records && count * 3 <= records * 2)?;
    // The last one of the kind in front of each.
    let mut over: HashMap<NodeId, NodeId, FixedState> = HashMap::default();
    for &parent in &parents {
        let mut last = None;
        for child in document.children(parent).filter(|&child| document.is_element(child)) {
            if holders.contains_key(&child) {
                last.map(|last| over.insert(child, last));
            } else if view.has_content(child) && is_heading(view, child) && view.step(child) == kind.0 {
                last = Some(child);
            }
        }
    }
    Some(held.iter().map(|node| over.get(node).copied()).collect())
}

/// Whether a node may be a heading: short, and by its tag or class not one of many like texts.
fn is_heading(view: &PageView<'_>, node: NodeId) -> bool {
    let document = view.document;
    let kind = match document.name(node) {
        Some("h1" | "h2" | "h3" | "h4" | "h5" | "h6" | "dt" | "strong" | "b" | "legend" | "caption") => true,
        Some("tr") => document.children(node).filter(|&cell| document.is_element(cell)).count() == 1,
        _ => view.has_class(node),
    };
    let leaves = view.leaves_below(node);
    kind && leaves.len() <= 3 && document.visible_text(node).chars().count() <= LONGEST
}

#[cfg(test)]
mod tests {
    use windrow_dom::Document;
    use windrow_wrapper::Locator;
    use windrow_xpath::{Expr, Node};

    use super::*;
    use crate::induce::locate::Finder;
    use crate::induce::outside;
    use crate::scope::Scope;

    /// Checks the heading of each record that an expression selects, and the expression that finds it.
    fn check(html: &str, records: &str, expected: Option<(&str, &[&str])>) {
        let document = Document::parse(html);
        let view = PageView::new(&document, crate::page_view::Unseen::LeftOut);
        let finder = Finder { view: &view, document: &document };
        let select = |path: &str, from: NodeId| -> Vec<NodeId> {
            Expr::parse(path).unwrap().select(&document, from).unwrap().into_iter().map(Node::id).collect()
        };
        let records = select(records, document.root());
        let found = headings(&view, &records);
        let read = |nodes: &Vec<Option<NodeId>>| -> Vec<String> {
            nodes.iter().flatten().map(|&node| document.visible_text(node)).collect()
        };
        let texts = found.as_ref().map(read).unwrap_or_default();
        assert_eq!(texts, expected.map_or(Vec::new(), |expected| expected.1.to_vec()));
        let scopes: Vec<Scope> = records.iter().map(|&record| Scope::node(&document, record)).collect();
        let locator = found.and_then(|nodes| outside::locator(&finder, &scopes, &nodes, 0));
        assert_eq!(locator, expected.map(|expected| Locator::xpath(expected.0)));
    }

    #[test]
    fn between_records() {
        check(
            "<div><h2>Monday</h2><p>Oslo</p><p>Rome</p><h2>Tuesday</h2><p>Bern</p></div>",
            "//p",
            Some(("preceding-sibling::h2[1]", &["Monday", "Monday", "Tuesday"])),
        );
    }

    #[test]
    fn over_lists() {
        check(
            "<h2>Monday</h2><ul><li>Oslo<li>Rome</ul><h2>Tuesday</h2><ul><li>Bern<li>Wien</ul>",
            "//li",
            Some(("ancestor::*[1]/preceding-sibling::h2[1]", &["Monday", "Monday", "Tuesday", "Tuesday"])),
        );
    }

    #[test]
    fn rows_of_one_cell() {
        check(
            "<table><tr><td>Monday<tr><td>Oslo<td>3<tr><td>Rome<td>4<tr><td>Tuesday<tr><td>Bern<td>5</table>",
            "//tr[td[2]]",
            Some(("preceding-sibling::tr[count(td | th)=1][1]", &["Monday", "Monday", "Tuesday"])),
        );
    }

    #[test]
    fn a_record_without_a_heading_takes_none_of_its_neighbours() {
        check("<p>Oslo</p><h2>Tuesday</h2><p>Bern</p><h2>Friday</h2><p>Wien</p><p>Rome</p>", "//p", None);
        check("<h2>Cities</h2><ul><li>Oslo<li>Rome<li>Bern</ul>", "//li", None);
    }
}
