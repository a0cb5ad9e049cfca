//! Formatting elements that are closed in the wrong order: the list from which they are re-opened, and the "adoption
//! agency" algorithm that repairs them.
//!
//! The standard bounds neither: a page of `<font color=1><font color=2>…` re-opens all of them in every paragraph,
//! and each end tag may reshuffle the whole stack. Real pages never come near, so a budget in proportion to the page
//! ([`Limits::repairs_per_byte`](crate::Limits)) keeps repairs linear; when it is exhausted, a note is added and
//! formatting ends where its parent does. The list itself keeps its last [`MAX_ENTRIES`].

use super::Builder;
use super::stack::{Open, Scope};
use super::tree::Place;
use crate::arena::{AttrData, NONE, Node};
use crate::document::Namespace;
use crate::names::{self, NameId};
use crate::options::Note;
use crate::span::Span;

/// Number of entries kept after the last marker. Real pages have a dozen; the standard drops only exact repeats.
const MAX_ENTRIES: usize = 256;

/// One entry of the list of active formatting elements.
#[derive(Debug, Clone, Copy)]
pub(super) enum Entry {
    /// A boundary in the list at a cell, caption, template, `object`, …
    Marker,
    Element(Formatting),
}

/// A formatting element, with the data needed to create it again.
#[derive(Debug, Clone, Copy)]
pub(super) struct Formatting {
    pub(super) node: u32,
    pub(super) name: NameId,
    attrs: u32,
    attr_count: u16,
    /// Digest of the attributes, independent of their order.
    digest: u32,
}

impl Builder<'_> {
    /// Implements "push onto the list of active formatting elements", with the Noah's Ark clause.
    pub(super) fn push_formatting(&mut self, node: u32, name: NameId, attrs: u32, attr_count: u16) {
        let digest = self.digest(attrs, attr_count);
        let entry = Formatting { node, name, attrs, attr_count, digest };
        let (mut same, mut earliest, mut count, mut full) = (0, 0, 0, false);
        for (index, other) in self.formatting.iter().enumerate().rev() {
            let Entry::Element(other) = other else { break };
            count += 1;
            if self.is_same(other, &entry) {
                same += 1;
                earliest = index;
            }
            if count >= MAX_ENTRIES {
                same = same.max(3);
                earliest = index;
                full = true;
                break;
            }
        }
        if full {
            self.note_repairs();
        }
        if same >= 3 {
            self.formatting.remove(earliest);
        }
        self.formatting.push(Entry::Element(entry));
    }

    /// Computes a cheap digest of a tag's attributes that does not depend on their order: equal sets have equal
    /// digests.
    fn digest(&self, attrs: u32, count: u16) -> u32 {
        let mut digest = 0u32;
        for attr in self.tokenizer.attrs_of(attrs, count) {
            let value = self.value(attr).as_bytes();
            let ends = value.first_chunk::<4>().map_or(0, |chunk| u32::from_le_bytes(*chunk))
                ^ value.last_chunk::<4>().map_or(0, |chunk| u32::from_le_bytes(*chunk)).rotate_left(7);
            let mixed = (attr.name().0 ^ (value.len() as u32) << 20 ^ ends).wrapping_mul(0x9E37_79B1);
            digest = digest.wrapping_add(mixed ^ mixed >> 15);
        }
        digest
    }

    fn value(&self, attr: &AttrData) -> &str {
        self.tokenizer.strings.value(self.tokenizer.source(), attr)
    }

    /// Returns `true` if two elements were created by equivalent tags.
    fn is_same(&self, one: &Formatting, other: &Formatting) -> bool {
        if one.name != other.name || one.digest != other.digest || one.attr_count != other.attr_count {
            return false;
        }
        let sorted = |entry: &Formatting| {
            let mut attrs = self.tokenizer.attrs_of(entry.attrs, entry.attr_count).to_vec();
            attrs.sort_by_key(AttrData::name);
            attrs
        };
        let pairs = sorted(one).into_iter().zip(sorted(other));
        pairs.into_iter().all(|(one, other)| one.name() == other.name() && self.value(&one) == self.value(&other))
    }

    pub(super) fn push_marker(&mut self) {
        self.formatting.push(Entry::Marker);
    }

    /// Implements "clear the list of active formatting elements up to the last marker".
    pub(super) fn clear_to_marker(&mut self) {
        while let Some(Entry::Element(_)) = self.formatting.pop() {}
    }

    /// Returns the last entry with that name after the last marker.
    pub(super) fn find_formatting(&self, name: NameId) -> Option<(usize, Formatting)> {
        for (index, entry) in self.formatting.iter().enumerate().rev() {
            match entry {
                Entry::Marker => return None,
                Entry::Element(entry) if entry.name == name => return Some((index, *entry)),
                Entry::Element(_) => {}
            }
        }
        None
    }

    fn list_index(&self, node: u32) -> Option<usize> {
        // Markers are few and do not end this search: a node is in the list or it is not.
        self.formatting.iter().rposition(|entry| matches!(entry, Entry::Element(entry) if entry.node == node))
    }

    pub(super) fn remove_formatting(&mut self, node: u32) {
        if let Some(index) = self.list_index(node) {
            self.formatting.remove(index);
        }
    }

    /// Subtracts `work` from the budget; returns `false` (and adds a note) if it is exhausted.
    fn may_repair(&mut self, work: usize) -> bool {
        if self.repairs >= work {
            self.repairs -= work;
            return true;
        }
        self.repairs = 0;
        self.note_repairs();
        false
    }

    /// Adds a note, once, that misnested formatting is no longer repaired according to the standard.
    fn note_repairs(&mut self) {
        if !self.repairs_noted {
            self.repairs_noted = true;
            self.notes.push(Note::RepairsLimited { at: self.lexeme_start });
        }
    }

    fn is_open(&self, node: u32) -> bool {
        self.tree.nodes[node as usize].has(Node::OPEN)
    }

    /// Implements "reconstruct the active formatting elements".
    #[inline]
    pub(super) fn reconstruct(&mut self) {
        match self.formatting.last() {
            Some(Entry::Element(entry)) if !self.is_open(entry.node) => self.reopen(),
            _ => {}
        }
    }

    #[inline(never)]
    fn reopen(&mut self) {
        let first = self
            .formatting
            .iter()
            .rposition(|entry| match entry {
                Entry::Marker => true,
                Entry::Element(entry) => self.is_open(entry.node),
            })
            .map_or(0, |index| index + 1);
        if !self.may_repair((self.formatting.len() - first) * 4) {
            return;
        }
        for index in first..self.formatting.len() {
            let Entry::Element(mut entry) = self.formatting[index] else { continue };
            entry.node = self.insert_copy(&entry);
            self.formatting[index] = Entry::Element(entry);
        }
    }

    /// Creates a copy of an entry's element.
    fn copy_of(&self, entry: &Formatting) -> Node {
        let attrs = if entry.attr_count == 0 { NONE } else { entry.attrs };
        Node::element(entry.name, Namespace::Html, self.lexeme_start, attrs).with(Node::INSERTED)
    }

    fn insert_copy(&mut self, entry: &Formatting) -> u32 {
        let place = self.place();
        let node = self.tree.add(self.copy_of(entry), place);
        self.push_open(Open::new(node, entry.name, Namespace::Html));
        node
    }

    /// Implements the adoption agency algorithm, for an end tag of a formatting element (or an `a` or `nobr` in
    /// itself).
    pub(super) fn adopt(&mut self, subject: NameId, tag: Option<Span>) {
        if let Some(&open) = self.stack.last()
            && open.is_html(subject)
            && self.list_index(open.node).is_none()
        {
            self.pop_closed(tag);
            return;
        }
        for round in 0..8 {
            // The tag ends the element it was written for, not the copies.
            let tag = tag.filter(|_| round == 0);
            let Some((list_index, entry)) = self.find_formatting(subject) else {
                if round == 0 {
                    self.any_other_end_tag(subject, tag);
                }
                return;
            };
            let index = if self.is_open(entry.node) { self.stack.index_of(entry.node, subject) } else { None };
            let Some(index) = index else {
                self.formatting.remove(list_index);
                return;
            };
            if !self.stack.in_scope(index, Scope::Default) {
                return;
            }
            let above = self.stack.from(index + 1);
            let Some(furthest) = above.iter().position(Open::is_special).map(|found| index + 1 + found) else {
                self.pop_to(index, tag);
                self.formatting.remove(list_index);
                return;
            };
            let above = self.stack.len() - index;
            // Content this far above lies deeper than the tree goes: moving it would have no effect.
            if above > 2 * self.max_depth || !self.may_repair(above + self.formatting.len()) {
                // Gives up moving content: closes the element named by the tag, like any other element.
                self.pop_to(index, tag);
                self.formatting.remove(list_index);
                return;
            }
            if let Some(tag) = tag {
                self.tree.nodes[entry.node as usize].second = tag.start;
            }
            self.untangle(index, furthest, list_index, entry);
        }
    }

    /// Performs one round of the adoption agency algorithm: moves the content of the `furthest` block out of the
    /// formatting element at `index`, into copies.
    fn untangle(&mut self, index: usize, furthest: usize, mut list_index: usize, entry: Formatting) {
        let elements: Vec<Open> = self.stack.from(index).to_vec();
        let block = elements[furthest - index];
        let ancestor = self.stack.get(index.wrapping_sub(1)).copied();
        let mut bookmark = list_index;
        let mut last = block.node;
        // Elements that stay between the formatting element and the block, innermost first.
        let mut kept: Vec<Open> = Vec::new();
        for (count, &open) in elements[1..furthest - index].iter().rev().enumerate() {
            let mut listed = self.list_index(open.node);
            if count + 1 > 3
                && let Some(at) = listed
            {
                self.formatting.remove(at);
                bookmark -= usize::from(at < bookmark);
                list_index -= usize::from(at < list_index);
                listed = None;
            }
            let Some(at) = listed else {
                self.tree.nodes[open.node as usize].set(Node::OPEN, false);
                continue;
            };
            let Entry::Element(mut copy) = self.formatting[at] else { continue };
            self.tree.nodes[open.node as usize].set(Node::OPEN, false);
            copy.node = self.tree.loose(self.copy_of(&copy));
            self.formatting[at] = Entry::Element(copy);
            if last == block.node {
                bookmark = at + 1;
            }
            self.tree.take(last);
            self.tree.put(last, Place::Into(copy.node));
            last = copy.node;
            kept.push(Open::new(copy.node, copy.name, Namespace::Html));
        }
        self.tree.take(last);
        if let Some(ancestor) = ancestor {
            let place = self.place_in(ancestor);
            self.tree.put(last, place);
        }
        let mut copy = entry;
        copy.node = self.tree.loose(self.copy_of(&entry));
        self.repairs = self.repairs.saturating_sub(self.tree.move_children(block.inside, copy.node));
        self.tree.put(copy.node, Place::Into(block.inside));
        self.formatting.remove(list_index);
        bookmark -= usize::from(list_index < bookmark);
        self.formatting.insert(bookmark.min(self.formatting.len()), Entry::Element(copy));
        let mut order: Vec<Open> = kept.into_iter().rev().collect();
        order.push(block);
        order.push(Open::new(copy.node, copy.name, Namespace::Html));
        order.extend_from_slice(&elements[furthest - index + 1..]);
        self.tree.nodes[entry.node as usize].set(Node::OPEN, false);
        self.stack.replace_from(index, &order);
        for open in order {
            self.tree.nodes[open.node as usize].set(Node::OPEN, true);
        }
    }

    /// Handles `<a>` inside `<a>`: the open one ends here.
    pub(super) fn end_open_anchor(&mut self) {
        let Some((_, entry)) = self.find_formatting(names::A) else { return };
        self.adopt(names::A, None);
        self.remove_formatting(entry.node);
        if self.is_open(entry.node)
            && let Some(index) = self.stack.index_of(entry.node, names::A)
        {
            self.remove_open(index);
        }
    }
}
