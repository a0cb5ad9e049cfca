//! Values that are runs of siblings, as the bodies of weblogs often are: they begin behind an element and end in front of one.
//!
//! No element holds such a value alone, so it is found by its neighbours: the last element in front of it and the first
//! behind it, each by its class, its tag or its rank from the outer end. Which of these pairs hold in the other records
//! is tried as with all locators.

use windrow_dom::{Document, NodeId, names};
use windrow_wrapper::{Find, Locator, Slice, Until};

use super::level::Level;
use crate::induce::path::{class_test, named_step};

/// The nodes of a run: the first, and the last.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Run {
    first: NodeId,
    last: NodeId,
}

/// The children of a node that a part of its text is made of, if it is whole children, and several.
pub(super) fn of_part(level: &Level<'_, '_, '_>, node: NodeId, part: std::ops::Range<usize>) -> Option<Run> {
    let (reading, document) = (&level.sheet.reading, level.sheet.document);
    let start = reading.range(node).start;
    let (from, to) = (start + part.start, start + part.end);
    let says = |id: &NodeId| !reading.range(*id).is_empty();
    let first = document.children(node).filter(says).find(|&id| reading.range(id).start >= from)?;
    let last = document.children(node).filter(says).take_while(|&id| reading.range(id).end <= to).last()?;
    let whole = reading.range(first).start == from && reading.range(last).end == to;
    (whole && first < last).then_some(Run { first, last })
}

/// The locators that may find a run, from the element that it is in.
pub(super) fn locators(document: &Document, run: Run) -> Vec<Locator> {
    let before = std::iter::successors(document.prev_sibling(run.first), |&id| document.prev_sibling(id));
    let behind = std::iter::successors(document.next_sibling(run.last), |&id| document.next_sibling(id));
    let anchor = before.into_iter().find(|&id| document.is_element(id));
    let stop = behind.into_iter().find(|&id| document.is_element(id));
    let parent = document.parent(run.first);
    let rank = |id: NodeId, back: bool| {
        let all: Vec<NodeId> = parent.into_iter().flat_map(|parent| document.children(parent)).collect();
        let elements = all.into_iter().filter(|&id| document.is_element(id));
        elements.filter(|&other| if back { other > id } else { other < id }).count()
    };
    let begins: Vec<String> = match anchor {
        None => vec!["node()[1]".to_owned()],
        Some(id) => {
            let mut steps = steps(document, id);
            steps.push(format!("*[{}]", rank(id, false) + 1));
            steps.into_iter().map(|step| format!("{step}/following-sibling::node()[1]")).collect()
        }
    };
    let ends: Vec<Until> = match stop {
        None => vec![Until::Next],
        Some(id) => {
            let mut all = steps(document, id);
            all.push(format!("{}[last()]", document.name(id).unwrap_or("*")));
            all.push(match rank(id, true) {
                0 => "*[last()]".to_owned(),
                more => format!("*[last() - {more}]"),
            });
            all.into_iter().map(|step| Until::Before(step.into())).collect()
        }
    };
    let both = begins.iter().flat_map(|begin| ends.iter().map(move |end| (begin, end)));
    both.map(|(begin, end)| Locator {
        until: Some(end.clone()),
        slice: Some(Slice::Index(0)),
        ..Locator::xpath(begin.clone())
    })
    .collect()
}

/// An element as a step: by a name that will last, by any name, by its tag.
fn steps(document: &Document, id: NodeId) -> Vec<String> {
    let tag = document.name(id).unwrap_or("*");
    let class = document.attr_by_id(id, names::CLASS).and_then(|class| class.split_ascii_whitespace().next());
    let word = class.filter(|word| !word.contains(['\'', '"'])).map(|word| format!("{tag}[{}]", class_test(word)));
    let mut steps = vec![named_step(document, id)];
    steps.extend(word);
    steps.push(tag.to_owned());
    steps.dedup();
    steps
}

/// A run in the element that a locator finds; none if the locator cannot be followed.
pub(super) fn in_holder(holder: &Locator, run: &Locator) -> Option<Locator> {
    let plain = holder.then.is_none() && !matches!(holder.find, Find::Case(_));
    plain.then(|| Locator { then: Some(Box::new(run.clone())), ..holder.clone() })
}
