//! `selectedcontent`: a copy of the selected option's content in a customised `select`.
//!
//! Browsers fill it as options are closed; the final content is that of the last option marked `selected`, or else of
//! the first one that is not disabled. So it is filled once, when the tree is complete.

use std::collections::BTreeSet;

use super::Builder;
use super::tree::Place;
use crate::arena::{NONE, Node};
use crate::document::NodeKind;
use crate::names::{self, NameId};

impl Builder<'_> {
    /// Fills the `selectedcontent` elements of the page.
    pub(super) fn fill_selected_contents(&mut self) {
        // Only the first one in each select is filled, and none inside an option.
        let mut filled = BTreeSet::new();
        let candidates: Vec<u32> =
            (0..self.tree.nodes.len() as u32).filter(|&id| self.is(id, names::SELECTEDCONTENT)).collect();
        for target in candidates {
            let mut at = self.tree.nodes[target as usize].parent;
            let mut select = None;
            while at != NONE {
                if self.is(at, names::OPTION) || self.is(at, names::SELECTEDCONTENT) {
                    break;
                }
                if self.is(at, names::SELECT) {
                    select = Some(at);
                    break;
                }
                at = self.tree.nodes[at as usize].parent;
            }
            let Some(select) = select else { continue };
            if filled.contains(&select) || self.has_attribute(select, names::MULTIPLE) || self.repairs == 0 {
                continue;
            }
            filled.insert(select);
            if let Some(option) = self.chosen_option(select)
                && !self.is_inside(option, target)
            {
                self.copy_children(option, target);
            }
        }
    }

    fn is(&self, node: u32, name: NameId) -> bool {
        self.tree.nodes[node as usize].is_html(name)
    }

    fn is_inside(&self, node: u32, ancestor: u32) -> bool {
        let mut at = node;
        while at != NONE && at != ancestor {
            at = self.tree.nodes[at as usize].parent;
        }
        at == ancestor
    }

    fn has_attribute(&self, node: u32, name: NameId) -> bool {
        let first = self.tree.nodes[node as usize].first;
        self.tokenizer.strings.attrs_from(first).iter().any(|attr| attr.name() == name)
    }

    fn chosen_option(&mut self, select: u32) -> Option<u32> {
        let (mut first, mut selected) = (None, None);
        let mut waiting = vec![select];
        while let Some(node) = waiting.pop() {
            self.repairs = self.repairs.saturating_sub(1);
            if self.is(node, names::OPTION) {
                if self.has_attribute(node, names::SELECTED) {
                    selected = Some(node);
                }
                if first.is_none() && !self.has_attribute(node, names::DISABLED) {
                    first = Some(node);
                }
                continue;
            }
            waiting.extend(self.tree.children(node).into_iter().rev());
        }
        selected.or(first)
    }

    fn copy_children(&mut self, from: u32, to: u32) {
        for old in self.tree.children(to) {
            self.tree.take(old);
        }
        let mut waiting: Vec<(u32, u32)> =
            self.tree.children(from).into_iter().rev().map(|child| (child, to)).collect();
        while let Some((node, parent)) = waiting.pop() {
            if self.repairs == 0 {
                return;
            }
            self.repairs -= 1;
            let mut copy = self.tree.nodes[node as usize].with(Node::INSERTED);
            if copy.kind() == NodeKind::Element {
                copy.second = NONE;
            }
            let copy = self.tree.copy(copy, Place::Into(parent));
            if let Some((contents, copy)) = self.tree.copy_template(node, copy) {
                waiting.extend(self.tree.children(contents).into_iter().rev().map(|child| (child, copy)));
            }
            waiting.extend(self.tree.children(node).into_iter().rev().map(|child| (child, copy)));
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::{Document, names};

    fn check(html: &str, expected: &str) {
        let document = Document::parse(html);
        let target = document.find_html(names::SELECTEDCONTENT).unwrap();
        assert_eq!(document.inner_html(target), expected, "{html}");
    }

    #[test]
    fn the_chosen_option_is_shown() {
        check("<select><button><selectedcontent></button><option>a<option>b", "a");
        check("<select><button><selectedcontent></button><option>a<option selected><i>b</i>", "<i>b</i>");
        check("<select multiple><button><selectedcontent></button><option>a", "");
    }

    #[test]
    fn copies_are_whole_and_never_of_themselves() {
        let option = "<option><template><b>t</b></template>";
        let copy = "<template><b>t</b></template>";
        check(&format!("<select><button><selectedcontent></button>{option}"), copy);
        check("<select><selectedcontent><option>a</option>/</selectedcontent>", "<option>a</option>/");
    }
}
