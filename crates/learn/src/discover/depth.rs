//! Records inside records: the depth of each is a field.
//!
//! In a thread, answers stand inside what they answer, or inside a list below it. An element around the records that is
//! found again inside its like says so: the number of such elements around a record is its depth, from 0 on.
//!
//! # Worked example
//!
//! `<div class=thread><p>Hay?</p><div class=thread><p>Straw.</p></div></div>`: the records are the two `p`; one `div` is
//! around the first and two are around the second, so the rule is `count(ancestor::div[…]) - 1`, and the depths are 0 and 1.
//!
//! # Cost
//!
//! The ancestors of each record, at most [`MOST`] of them.

use windrow_dom::NodeId;

use crate::labels::Extent;
use crate::page_view::PageView;

/// Ancestors of a record that are looked at: twice as many as the deepest thread of the corpora has, and less than would let a
/// page of nothing but nested elements cost its square.
const MOST: usize = 96;

/// Returns what is counted to tell how deep each record stands in others of its kind, if some stand deeper than others.
///
/// The elements that are counted have a class, or are parts of lists. As in a thread, the first record stands as high as any, and each
/// other at most one step deeper than the one in front of it.
pub(super) fn depth(view: &PageView<'_>, records: &[NodeId]) -> Option<Extent> {
    let document = view.document;
    let mut kinds: Vec<Kind> = Vec::new();
    for (number, &record) in records.iter().enumerate() {
        for above in document.ancestors(record).take(MOST).filter(|&above| may_count(view, above)) {
            let step = view.step(above);
            if let Some(kind) = kinds.iter_mut().find(|kind| kind.step == step) {
                kind.around += 1;
            } else if kinds.len() < MOST {
                kinds.push(Kind::new(step, above, number == 0));
            }
        }
        kinds.iter_mut().for_each(|kind| kind.end_record(number == 0));
    }
    let kind = kinds.iter().find(|kind| kind.is_depth())?;
    Some(Extent::Depth { around: kind.example })
}

/// Elements of one kind around records, counted record by record.
struct Kind {
    step: u64,
    example: NodeId,
    /// Number of them around this record, and around the one in front of it.
    around: usize,
    before: usize,
    /// Number of them around the first record, and the most and the least around any.
    of_first: usize,
    most: usize,
    least: usize,
    /// True if each record stands at most one step deeper than the one in front of it.
    is_stepwise: bool,
}

impl Kind {
    /// Begins to count with an element around this record; there was none around those in front of it.
    fn new(step: u64, example: NodeId, is_first: bool) -> Kind {
        let least = if is_first { usize::MAX } else { 0 };
        Kind { step, example, around: 1, before: 0, of_first: 0, most: 0, least, is_stepwise: true }
    }

    fn end_record(&mut self, is_first: bool) {
        if is_first {
            self.of_first = self.around;
        } else {
            self.is_stepwise &= self.around <= self.before + 1;
        }
        self.most = self.most.max(self.around);
        self.least = self.least.min(self.around);
        self.before = std::mem::take(&mut self.around);
    }

    /// Returns whether the counts are those of a thread: in its like at least once, as one box around some of the records may be anything.
    fn is_depth(&self) -> bool {
        self.most >= 2 && self.most > self.least && self.of_first == self.least && self.is_stepwise
    }
}

/// Returns whether an element around records may be counted: any `div` may be around another.
fn may_count(view: &PageView<'_>, above: NodeId) -> bool {
    let part = ["ul", "ol", "li", "dl", "dd", "details", "blockquote", "article"];
    let document = view.document;
    view.has_class(above) || document.name(above).is_some_and(|name| part.contains(&name))
}

#[cfg(test)]
mod tests {
    use windrow_dom::Document;
    use windrow_xpath::{Expr, Node, Value};

    use super::*;
    use crate::induce::extent;
    use crate::induce::locate::Finder;
    use crate::page_view::Unseen;

    fn check(html: &str, expected: Option<(&str, &[f64])>) {
        let document = Document::parse(html);
        let view = PageView::new(&document, Unseen::LeftOut);
        let finder = Finder { view: &view, document: &document };
        let records = Expr::parse("//p").unwrap().select(&document, document.root()).unwrap();
        let records: Vec<NodeId> = records.into_iter().map(Node::id).collect();
        let found = match depth(&view, &records) {
            Some(Extent::Depth { around }) => extent::depth(&finder, around, records[0]),
            _ => None,
        };
        let read = |path: &String, record: NodeId| match Expr::parse(path).unwrap().evaluate(&document, record).unwrap()
        {
            Value::Number(number) => number,
            other => panic!("{other:?} is no number"),
        };
        let depths: Vec<f64> =
            found.iter().flat_map(|path| records.iter().map(move |&record| read(path, record))).collect();
        assert_eq!(found.as_deref(), expected.map(|expected| expected.0));
        assert_eq!(depths, expected.map_or(Vec::new(), |expected| expected.1.to_vec()));
    }

    #[test]
    fn answers_inside_what_they_answer() {
        check(
            "<ul><li><p>Hay?</p><ul><li><p>Straw.</p></li></ul></li><li><p>Oats?</p></li></ul>",
            Some(("count(ancestor::li) - 1", &[0.0, 1.0, 0.0])),
        );
    }

    #[test]
    fn answers_in_a_box_beside_it() {
        check(
            "<main><p>Hay?</p><div class=below><p>Straw.</p><div class=below><p>Both.</p></div></div></main>",
            Some((
                "count(ancestor::div[contains(concat(' ', normalize-space(@class), ' '), ' below ')])",
                &[0.0, 1.0, 2.0],
            )),
        );
    }

    #[test]
    fn classes_that_say_the_depth() {
        check(
            "<ul><li class='post depth-1'><p>Hay?</p><ul><li class='post depth-2'><p>Straw.</p><ul><li class='post depth-3'>\
             <p>Both.</p></ul></ul><li class='post depth-1'><p>Oats?</p></ul>",
            Some((
                "count(ancestor::li[contains(concat(' ', normalize-space(@class), ' '), ' post ')]) - 1",
                &[0.0, 1.0, 2.0, 0.0],
            )),
        );
    }

    #[test]
    fn a_plain_list_has_no_depth() {
        check("<ul><li><p>Hay</p><p>Straw</p></ul>", None);
        check("<div><p>Hay</p><div><p>Straw</p><div><p>Both</p></div></div></div>", None);
    }

    #[test]
    fn what_begins_too_deep_is_no_thread() {
        check("<ul><li><ul><li><p>Hay</p></ul><li><p>Straw</p></ul>", None);
    }
}
