//! The absolute form of a rule: one path from the root for each field, every step with its index but for those that are
//! records, as the paper on learning from one example has it.

use std::sync::Arc;

use windrow_dom::Document;
use windrow_wrapper::{Extractor, Locator, Page, Rule, Wrapper};
use windrow_xpath::{Node, path_of};

use super::values::texts;

/// A path that is run on a whole page.
pub(super) struct Absolute(Extractor);

impl Absolute {
    /// None if it is no XPath.
    pub(super) fn new(path: &str) -> Option<Absolute> {
        let rules = vec![Rule::list("values", Locator::xpath(path))];
        Extractor::new(&Wrapper { rules, ..Wrapper::default() }).ok().map(Absolute)
    }

    pub(super) fn values(&self, page: &Arc<Page>) -> Vec<String> {
        texts(&self.0.extract(Arc::clone(page)))
    }
}

/// The path of these nodes: that of the one in the middle, without the indexes in which it differs from those that are
/// reached by the same tags. The rest are reached otherwise, and the paper would not reach them either.
pub(super) fn path(document: &Document, nodes: &[Node]) -> Option<String> {
    let steps = |node: &Node| path_of(document, *node).split('/').map(str::to_owned).collect::<Vec<_>>();
    let name = |step: &str| step.split('[').next().unwrap_or_default().to_owned();
    let mut path = steps(nodes.get(nodes.len() / 2)?);
    for other in nodes.iter().map(steps) {
        if other.len() == path.len() && other.iter().zip(&path).all(|(one, other)| name(one) == name(other)) {
            for (step, other) in path.iter_mut().zip(&other) {
                if step != other {
                    *step = name(step);
                }
            }
        }
    }
    Some(path.join("/"))
}
