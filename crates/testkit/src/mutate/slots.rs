//! Location of each extracted value in the tree: the pieces of texts that it consists of.
//!
//! A value's visible text is matched with the texts it came from, in order. If something is left over (for example a
//! text computed by XPath functions), the value is frozen: neither it nor the texts around it are changed. With the
//! pieces known, the effect of a changed text on every value that contains it can be computed, whichever rules found
//! them.
//!
//! Cost: a pass over the page and the texts of each value.

use std::ops::Range;

use windrow_dom::{Document, NodeId, Span};
use windrow_wrapper::values::{Type, text};
use windrow_wrapper::{Extraction, Object, Objects};

use super::reword;

/// A value and what it is made of.
#[derive(Debug, Clone)]
pub(super) struct Slot {
    /// The labels on the way to it: `ads/price`.
    pub(super) field: String,
    /// The text on one line, as it is now.
    pub(super) text: String,
    pub(super) made_of: MadeOf,
    /// True if it is a number, an amount, a date or a count.
    pub(super) is_volatile: bool,
    /// True if all values of the field are equal.
    pub(super) is_constant: bool,
}

#[derive(Debug, Clone)]
pub(super) enum MadeOf {
    /// An attribute of an item.
    Attribute { item: usize, name: String },
    /// Parts of texts. `whole` is the element whose text it is, if it is all of that.
    Pieces { pieces: Vec<Piece>, whole: Option<usize> },
    /// Something that cannot be changed, beside texts that must not be.
    Frozen { items: Vec<usize> },
}

/// A part of a text that is a part of a value.
#[derive(Debug, Clone)]
pub(super) struct Piece {
    pub(super) item: usize,
    /// Range in the item's text.
    pub(super) own: Range<usize>,
    /// Range in the value's text.
    pub(super) value: Range<usize>,
}

/// An object of the truth: a label with a slot, or with more objects.
#[derive(Debug, Clone)]
pub(super) enum Member {
    Value { label: String, slot: usize },
    Set { label: String, members: Vec<Member>, units: Vec<usize> },
}

impl Member {
    /// The numbers of all slots in it.
    pub(super) fn slots(&self) -> Vec<usize> {
        match self {
            Member::Value { slot, .. } => vec![*slot],
            Member::Set { members, .. } => members.iter().flat_map(Member::slots).collect(),
        }
    }

    /// The topmost nodes of the record; none for values, and where records are cut by text alone.
    pub(super) fn units(&self) -> &[usize] {
        match self {
            Member::Value { .. } => &[],
            Member::Set { units, .. } => units,
        }
    }
}

/// Reads an extraction's objects off a page. `items` gives the tree's item of each node that has one.
pub(super) struct Reader<'r> {
    pub(super) document: &'r Document,
    pub(super) items: &'r [Option<usize>],
    /// For each node, whether it is shown.
    pub(super) shown: Vec<bool>,
    pub(super) slots: Vec<Slot>,
}

impl<'r> Reader<'r> {
    pub(super) fn new(document: &'r Document, items: &'r [Option<usize>]) -> Reader<'r> {
        let mut shown = vec![true; document.len()];
        for id in document.nodes() {
            let above = document.parent(id).is_none_or(|parent| shown[parent.index()]);
            shown[id.index()] = above && !(document.is_element(id) && document.is_hidden(id));
        }
        Reader { document, items, shown, slots: Vec::new() }
    }

    pub(super) fn read(&mut self, extraction: &Extraction) -> Vec<Member> {
        let mut members = self.members(extraction.objects(), "");
        let mut taken = vec![false; self.document.len()];
        // Records that share nodes are cut by text: no node is theirs alone.
        let shared = members.iter().flat_map(Member::units).any(|&unit| std::mem::replace(&mut taken[unit], true));
        if shared {
            members.iter_mut().for_each(|member| {
                if let Member::Set { units, .. } = member {
                    units.clear();
                }
            });
        }
        self.mark_constants();
        members
    }

    fn members(&mut self, objects: Objects<'_>, above: &str) -> Vec<Member> {
        let member = |object: Object<'_>| {
            let field = format!("{above}/{}", object.label());
            let label = object.label().to_owned();
            if object.is_set() {
                let units = if above.is_empty() && object.is_record() { self.units(object) } else { Vec::new() };
                return Member::Set { label, members: self.members(object.objects(), &field), units };
            }
            let text = object.text().into_owned();
            let volatile = matches!(object.ty(), Type::Number | Type::Money | Type::Date) || reword::is_volatile(&text);
            let made_of = self.made_of(object, &text);
            let is_url = object.ty() == Type::Url;
            let slot = Slot { field, text, made_of, is_volatile: volatile && !is_url, is_constant: false };
            self.slots.push(slot);
            Member::Value { label, slot: self.slots.len() - 1 }
        };
        objects.map(member).collect()
    }

    /// The nodes that a record is: its element, or the siblings it spans. As items; text between elements included.
    fn units(&self, object: Object<'_>) -> Vec<usize> {
        let nodes = self.topmost(object);
        let items: Vec<usize> = nodes.iter().filter_map(|node| self.items[node.index()]).collect();
        let whole = items.len() == nodes.len() && nodes.iter().any(|&node| self.document.is_element(node));
        let root = |&node: &NodeId| self.document.parent(node).is_none() || self.document.name(node) == Some("html");
        if whole && !nodes.iter().any(|node| root(node) || self.document.name(*node) == Some("body")) {
            items
        } else {
            Vec::new()
        }
    }

    /// The topmost nodes in the range of an object.
    fn topmost(&self, object: Object<'_>) -> Vec<NodeId> {
        let document = self.document;
        let (Some(node), Some(span)) = (object.node().map(|node| node.id()), object.span()) else { return Vec::new() };
        let inside = |&id: &NodeId| document.span(id).is_some_and(|own| span.contains(own));
        if !inside(&node) {
            // A range of the source, which an element is around.
            return document.children(node).filter(inside).collect();
        }
        let behind = std::iter::successors(Some(node), |&id| document.next_sibling(id));
        behind.take_while(|id| *id == node || document.span(*id).is_some_and(|own| own.start < span.end)).collect()
    }

    fn made_of(&self, object: Object<'_>, text: &str) -> MadeOf {
        let document = self.document;
        let item = |id: NodeId| self.items[id.index()];
        let Some(node) = object.node() else { return MadeOf::Frozen { items: Vec::new() } };
        let id = node.id();
        let attribute = match (node.attr(document), document.name(id)) {
            (Some(attribute), _) => Some(attribute.name()),
            (None, Some("img" | "area")) => Some("alt"),
            (None, Some("input")) => Some("value"),
            (None, Some("meta")) => Some("content"),
            _ => None,
        };
        if let Some(name) = attribute {
            let same = document.attr(id, name).is_some_and(|value| one_line(value) == text);
            return match item(id).filter(|_| same) {
                Some(item) => MadeOf::Attribute { item, name: name.to_owned() },
                None => MadeOf::Frozen { items: Vec::new() },
            };
        }
        let mut tops = self.topmost(object);
        if tops.is_empty() {
            tops.push(id);
        }
        let below = |&top: &NodeId| std::iter::once(top).chain(document.descendants(top)).collect::<Vec<_>>();
        let texts: Vec<(NodeId, usize)> = tops
            .iter()
            .flat_map(below)
            .filter(|&id| document.is_text(id) && self.shown[id.index()])
            // A value that was cut out of the source is in none of the texts beside it, though they may read alike.
            .filter(|&id| meets(object.span(), document.span(id)))
            .filter_map(|id| Some((id, item(id)?)))
            .collect();
        match self.lay(text, &texts) {
            Some(pieces) => {
                let is_whole = document.is_element(id) && one_line(&document.visible_text(id)) == text;
                MadeOf::Pieces { pieces, whole: item(id).filter(|_| is_whole) }
            }
            None => MadeOf::Frozen { items: texts.into_iter().map(|(_, item)| item).collect() },
        }
    }

    /// Lays a value over texts, in order; none if something of it stands in none of them.
    fn lay(&self, value: &str, texts: &[(NodeId, usize)]) -> Option<Vec<Piece>> {
        // A text that says all of it, and as little else as may be, is surer than several that say a part.
        let whole = texts.iter().filter(|(id, _)| collapsed(self.document.text(*id)).0.contains(value));
        let whole = whole.min_by_key(|(id, _)| self.document.text(*id).len());
        let texts = whole.map_or(texts, std::slice::from_ref);
        let mut pieces = Vec::new();
        let mut at = 0;
        for &(id, item) in texts {
            let (text, places) = collapsed(self.document.text(id));
            let rest = &value[at..];
            if text.is_empty() || rest.is_empty() {
                continue;
            }
            let blank = rest.len() - rest.trim_start().len();
            let wanted = rest.trim();
            let own = if wanted.starts_with(&text) {
                0..text.len()
            } else if let Some(found) = text.find(wanted) {
                found..found + wanted.len()
            } else if let Some(found) = begins(&text, wanted).filter(|_| pieces.is_empty()) {
                found..text.len()
            } else {
                continue;
            };
            let of_value = at + blank..at + blank + own.len();
            at = of_value.end;
            pieces.push(Piece { item, own: places[own.start]..places[own.end - 1] + 1, value: of_value });
        }
        (at == value.len() || value[at..].trim().is_empty()).then_some(pieces)
    }

    fn mark_constants(&mut self) {
        let mut fields: std::collections::BTreeMap<&str, (usize, &str, bool)> = Default::default();
        for slot in &self.slots {
            let seen = fields.entry(&slot.field).or_insert((0, &slot.text, true));
            seen.0 += 1;
            seen.2 &= seen.1 == slot.text;
        }
        let constant: Vec<bool> = self
            .slots
            .iter()
            .map(|slot| fields.get(slot.field.as_str()).is_some_and(|seen| seen.0 > 1 && seen.2))
            .collect();
        for (slot, constant) in self.slots.iter_mut().zip(constant) {
            slot.is_constant = constant;
        }
    }
}

/// Reports whether two source ranges overlap, if both are known.
fn meets(one: Option<Span>, other: Option<Span>) -> bool {
    one.zip(other).is_none_or(|(one, other)| one.start < other.end && other.start < one.end)
}

/// Returns the position in a text at which a value begins that continues after the text.
fn begins(text: &str, value: &str) -> Option<usize> {
    // A value that is cut out of a text is cut near its beginning; looking further would cost the square of it.
    let starts = text.char_indices().take(LONGEST_LABEL);
    // The end of "3 PM" does not begin "Mary".
    let mut starts = starts.filter(|&(at, _)| !text[..at].ends_with(char::is_alphanumeric));
    starts.find(|&(at, _)| value.starts_with(&text[at..])).map(|(at, _)| at)
}

/// So many characters may stand in front of a value in its first text.
const LONGEST_LABEL: usize = 200;

/// Reports whether the character is invisible: visible texts do not contain it.
fn is_ignorable(char: char) -> bool {
    !char.is_ascii() && !char.is_whitespace() && text::collapse(char.encode_utf8(&mut [0; 4])).is_empty()
}

/// A text on one line, and for each of its bytes where it stands in the text as it was.
fn collapsed(text: &str) -> (String, Vec<usize>) {
    let (mut line, mut places) = (String::new(), Vec::new());
    let mut blank = None;
    for (at, char) in text.char_indices() {
        if is_ignorable(char) {
            continue;
        }
        if char.is_whitespace() {
            blank.get_or_insert(at);
            continue;
        }
        if let Some(blank) = blank.take().filter(|_| !line.is_empty()) {
            line.push(' ');
            places.push(blank);
        }
        line.push(char);
        places.extend(at..at + char.len_utf8());
    }
    (line, places)
}

/// A text on one line.
pub(super) fn one_line(text: &str) -> String {
    collapsed(text).0
}
