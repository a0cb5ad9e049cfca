//! String-values, read in place. An element's string-value is the concatenation of the texts below it; comparing it
//! or searching in it needs no copy.

use std::borrow::Cow;

use memchr::memmem::Finder;
use windrow_dom::NodeKind;

use super::{Context, Eval};
use crate::ast::Type;
use crate::node::Node;
use crate::number::is_space;
use crate::plan::Ex;

impl<'a> Eval<'a> {
    /// Returns the string-value of a node.
    pub(super) fn node_text(&self, node: Node) -> Cow<'a, str> {
        if !self.pay(node) {
            return Cow::Borrowed("");
        }
        let text = node.string_value(self.document);
        if let Cow::Owned(text) = &text
            && !self.charge_bytes(text.len())
        {
            return Cow::Borrowed("");
        }
        text
    }

    /// Charges for going through the texts below a node; returns `false` if the budget is exhausted.
    fn pay(&self, node: Node) -> bool {
        if node.is_attribute() {
            self.charge(1)
        } else {
            self.charge(self.document.subtree_end(node.id()).index() - node.id().index())
        }
    }

    /// Passes the texts that make up the string-value of a node to `found` until it returns `true`.
    fn pieces(&self, node: Node, found: &mut impl FnMut(&'a str) -> bool) -> bool {
        let document = self.document;
        if !self.pay(node) {
            return false;
        }
        if node.is_attribute() {
            return found(node.attr(document).map_or("", |attr| attr.value()));
        }
        match document.kind(node.id()) {
            NodeKind::Text | NodeKind::Comment => found(document.text(node.id())),
            NodeKind::Doctype => false,
            NodeKind::Element | NodeKind::Document | NodeKind::Fragment => {
                document.descendants(node.id()).any(|below| document.is_text(below) && found(document.text(below)))
            }
        }
    }

    /// Returns `true` if the string-value of a node equals `wanted`.
    pub(super) fn node_equals(&self, node: Node, wanted: &str) -> bool {
        let mut rest = wanted;
        let differs = self.pieces(node, &mut |piece| match rest.strip_prefix(piece) {
            Some(after) => {
                rest = after;
                false
            }
            None => true,
        });
        !differs && rest.is_empty()
    }

    /// Returns `true` if the string-value of a node contains the finder's needle, which is not empty.
    fn node_contains(&self, node: Node, finder: &Finder<'_>) -> bool {
        let reach = finder.needle().len() - 1;
        // The end of the previous texts, as far as it can be the beginning of a match.
        let mut tail: Vec<u8> = Vec::new();
        self.pieces(node, &mut |piece| {
            let piece = piece.as_bytes();
            if finder.find(piece).is_some() {
                return true;
            }
            if reach == 0 {
                return false;
            }
            if !tail.is_empty() {
                let before = tail.len();
                tail.extend_from_slice(&piece[..piece.len().min(reach)]);
                if finder.find(&tail).is_some() {
                    return true;
                }
                if piece.len() >= reach {
                    tail.clear();
                } else {
                    let surplus = tail.len().saturating_sub(reach);
                    tail.drain(..surplus);
                    debug_assert!(tail.len() <= before + piece.len());
                    return false;
                }
            }
            tail.extend_from_slice(&piece[piece.len().saturating_sub(reach)..]);
            false
        })
    }

    /// Returns `true` if the argument's string has characters other than white space: `normalize-space()` as a
    /// condition.
    pub(super) fn has_characters(&self, arguments: &'a [Ex], context: Context) -> bool {
        let beyond_space = |text: &str| !text.bytes().all(is_space);
        let node = match arguments {
            [] => Some(context.node),
            [argument, ..] => match self.type_of(argument) {
                Type::Nodes => self.first(argument, context),
                _ => return beyond_space(&self.text(argument, context)),
            },
        };
        node.is_some_and(|node| self.pieces(node, &mut |piece| beyond_space(piece)))
    }

    /// Implements `contains(whole, 'literal')`.
    pub(super) fn contains(&self, whole: &'a Ex, finder: &Finder<'_>, context: Context) -> bool {
        match self.type_of(whole) {
            Type::Nodes => self.first(whole, context).is_some_and(|node| self.node_contains(node, finder)),
            _ => finder.find(self.text(whole, context).as_bytes()).is_some(),
        }
    }
}

/// Implements `normalize-space()`: no white space at the ends, single spaces inside. Borrows if nothing changes.
pub(super) fn normalize_space(text: Cow<'_, str>) -> Cow<'_, str> {
    let bytes = text.as_bytes();
    let is_normal = !bytes.first().is_some_and(|&byte| is_space(byte))
        && !bytes.last().is_some_and(|&byte| is_space(byte))
        && !bytes.windows(2).any(|pair| is_space(pair[0]) && (pair[0] != b' ' || is_space(pair[1])));
    if is_normal {
        return text;
    }
    let mut out = String::with_capacity(text.len());
    for word in text.split([' ', '\t', '\r', '\n']).filter(|word| !word.is_empty()) {
        if !out.is_empty() {
            out.push(' ');
        }
        out.push_str(word);
    }
    Cow::Owned(out)
}

/// Applies a function that returns a part of a string, without copying borrowed text.
pub(super) fn part<'a>(text: Cow<'a, str>, cut: impl FnOnce(&str) -> std::ops::Range<usize>) -> Cow<'a, str> {
    match text {
        Cow::Borrowed(text) => Cow::Borrowed(text.get(cut(text)).unwrap_or("")),
        Cow::Owned(mut text) => {
            let range = cut(&text);
            text.truncate(range.end);
            text.drain(..range.start.min(text.len()));
            Cow::Owned(text)
        }
    }
}
