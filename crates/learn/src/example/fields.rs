//! The labels of fields in records: from the place in one record to the places in all.
//!
//! The template says where a field stands in the other records (`follow`). Where it does not, the field's class, the order
//! of the fields, or the words around it do.
//!
//! # Cost
//!
//! For each field a few walks over the records.

use std::ops::Range;

use foldhash::fast::FixedState;
use hashbrown::HashMap;
use windrow_dom::{Document, NodeId, names};
use windrow_wrapper::values::text::collapse;
use windrow_xpath::{Node, path_of};

use super::follow::{self, Column};
use super::records;
use crate::alignment::Part;
use crate::alignment::shape;
use crate::induce::part::{self, Cutting};
use crate::labels::{Extent, LabelledField, Place};
use crate::page_view::{By, Leaf, PageView, is_formatting};
use crate::reading::Reading;
use crate::scope::Scope;

/// Characters of the longest label in front of a value in its text: a line of a narrow column, as for `discover`.
const LONGEST_LABEL: usize = 40;

/// Labels fields in the scope of their records.
pub(crate) struct Fields<'o, 'd> {
    pub(crate) view: &'o PageView<'d>,
    pub(crate) reading: &'o Reading<'d>,
    pub(crate) scopes: Vec<Scope>,
    pub(crate) columns: Vec<Column>,
    /// The shown record, and those around it, the innermost first.
    pub(crate) bases: Vec<NodeId>,
}

/// Where a field is in each record, and what of the text there, if the template says that.
#[derive(Debug, Clone)]
pub(crate) struct Known {
    pub(crate) nodes: Vec<Option<NodeId>>,
    part: Part,
    /// The label that tells it from others that look alike.
    label: Option<String>,
}

impl Known {
    /// In how many records it is.
    pub(crate) fn count(&self) -> usize {
        count(&self.nodes)
    }
}

impl Fields<'_, '_> {
    /// Labels a field. `shown`: the records that show it, the one with the place first.
    pub(crate) fn label(&self, name: &str, place: &Place, known: &Known, shown: &[usize]) -> Option<LabelledField> {
        let document = self.view.document;
        let first = *shown.first()?;
        let attribute = place.attribute.as_deref();
        let at = |nodes: &[Option<NodeId>]| LabelledField::at(name, nodes, attribute);
        let mut field = if let Some(cells) = self.over_rows(place, first) {
            LabelledField { filled: self.scopes.len(), ..LabelledField::at(name, &cells, None) }
        } else if known.part != Part::All {
            LabelledField {
                extent: Extent::Part(known.part.clone()),
                told: known.label.clone(),
                ..LabelledField::at(name, &known.nodes, None)
            }
        } else if let Some((nodes, cutting, filled)) = self.in_parent(place, &known.nodes, first) {
            LabelledField { extent: Extent::Cut(cutting), filled, ..at(&nodes) }
        } else if let Some((nodes, cutting, label)) = self.behind_label(place, &known.nodes, first) {
            let filled = count(&nodes);
            LabelledField { extent: Extent::Cut(cutting), filled, told: Some(label), ..at(&nodes) }
        } else if let Some(range) = &place.part {
            let (cutting, values) = self.cut(&known.nodes, known.nodes[first]?, range.clone())?;
            let filled = values.iter().flatten().count();
            LabelledField { extent: Extent::Cut(cutting), filled, ..at(&known.nodes) }
        } else {
            at(&known.nodes)
        };
        field.shown = shown.to_vec();
        field.path = Some(through(document, place.path(document), &self.bases));
        Some(field)
    }

    /// By record, the cell of a column whose shown cell covers several rows: it says the same of all of them.
    fn over_rows(&self, place: &Place, shown: usize) -> Option<Vec<Option<NodeId>>> {
        let document = self.view.document;
        let scope = self.scopes[shown];
        if place.part.is_some() || place.attribute.is_some() || scope.run {
            return None;
        }
        let mut around = std::iter::once(place.node).chain(document.ancestors(place.node));
        let cell = around.find(|&id| document.parent(id) == Some(scope.record.first))?;
        let covered = |cell: NodeId| document.attr(cell, "rowspan").and_then(|rows| rows.trim().parse::<usize>().ok());
        let whole = self.reading.range(cell) == self.reading.range(place.node);
        let column = self.view.spanned_column(cell).filter(|_| covered(cell).is_some_and(|rows| rows > 1) && whole)?;
        // The last cell of the column, its row, and how many more rows it covers.
        let mut last: Option<(NodeId, NodeId, usize)> = None;
        let in_row = |scope: &Scope| {
            let row = scope.record.first;
            let own = document.children(row).find(|&id| self.view.spanned_column(id) == Some(column));
            match own {
                Some(cell) => last = Some((cell, row, covered(cell).unwrap_or(1).saturating_sub(1))),
                None => {
                    let (cell, above, left) = last?;
                    let between = std::iter::successors(document.next_sibling(above), |&id| document.next_sibling(id));
                    let down = between.take_while(|&id| id <= row).filter(|&id| document.is_element(id)).count();
                    last = left.checked_sub(down).map(|left| (cell, row, left));
                }
            }
            last.map(|last| last.0)
        };
        Some(self.scopes.iter().map(in_row).collect())
    }

    /// Where a field is in each record, as far as the template tells.
    pub(crate) fn known(&self, place: &Place, shown: usize) -> Option<Known> {
        if let Some(known) = self.column_of(place, shown) {
            return Some(Known { nodes: self.inside(known.nodes), ..known });
        }
        self.whole(place, shown).map(|nodes| Known { nodes, part: Part::All, label: None })
    }

    /// A template has its fields in one order: what stands on the other side of most fields in a record is another
    /// thing there.
    pub(crate) fn keep_order(&self, known: &mut [Option<Known>], shown: usize) {
        let at = |known: &[Option<Known>], record: usize| -> Vec<Option<NodeId>> {
            known.iter().map(|known| known.as_ref().and_then(|known| known.nodes[record])).collect()
        };
        let order = at(known, shown);
        for record in (0..self.scopes.len()).filter(|&record| record != shown) {
            let here = at(known, record);
            for field in 0..known.len() {
                let (Some(own), Some(model)) = (here[field], order[field]) else { continue };
                let others = (0..known.len()).filter(|&other| other != field);
                let (mut kept, mut turned) = (0, 0);
                for other in others {
                    let (Some(there), Some(other)) = (here[other], order[other]) else { continue };
                    match there.cmp(&own) {
                        std::cmp::Ordering::Equal => {}
                        now if now == other.cmp(&model) => kept += 1,
                        _ if other != model => turned += 1,
                        _ => {}
                    }
                }
                // A label says what it is wherever it stands.
                if turned > kept + 1
                    && let Some(known) = known[field].as_mut().filter(|known| known.label.is_none())
                {
                    known.nodes[record] = None;
                }
            }
        }
    }

    /// Where a field is in each record: the shown place, or an element around it with the same text that more of them
    /// have.
    fn whole(&self, place: &Place, shown: usize) -> Option<Vec<Option<NodeId>>> {
        let scope = self.scopes[shown];
        let mut tries = vec![place.node];
        if place.part.is_none() && place.attribute.is_none() {
            let around = records::equals(self.reading, place.node);
            tries.extend(around.into_iter().skip(1).filter(|&id| scope.contains(id)));
        }
        let kind = value_kind(self.reading.of(place.node));
        // Where it is, and how often that is a value of the kind that was shown.
        let mut best: Option<(usize, Vec<Option<NodeId>>)> = None;
        for node in tries {
            let Some(mut nodes) = follow::follow(self.view, &self.columns, shown, node) else { continue };
            nodes[shown] = Some(node);
            let mut nodes = self.inside(nodes);
            self.by_class(&mut nodes, node);
            if !scope.run {
                let records: Vec<NodeId> = self.scopes.iter().map(|scope| scope.record.first).collect();
                let typed = place.attribute.is_none() && kind.contains(&true);
                let fits = |id: NodeId| {
                    let other = value_kind(self.reading.of(id));
                    place.attribute.is_some() || (typed || !other.contains(&true)) && fits(kind, other)
                };
                follow::fill_by_tag(self.view, &records, shown, node, typed, &fits, &mut nodes);
            }
            if place.attribute.is_none() {
                nodes.iter_mut().for_each(|node| *node = node.filter(|&node| !self.reading.of(node).is_empty()));
            }
            let fitting = match place.attribute.is_none() && place.part.is_none() {
                true => nodes.iter().flatten().filter(|&&id| fits(kind, value_kind(self.reading.of(id)))).count(),
                false => count(&nodes),
            };
            let better = |(most, best): &(usize, Vec<Option<NodeId>>)| {
                fitting > *most || fitting == *most && self.is_one_of_several(best, shown)
            };
            if best.as_ref().is_none_or(better) {
                best = Some((fitting, nodes));
            }
        }
        let best = best.map(|best| best.1);
        let mut best = best?;
        if place.part.is_none() && place.attribute.is_none() {
            self.bare(&mut best, shown);
        }
        Some(best)
    }

    /// Whether the shown node is the only paragraph in what is around it, and others are the first of several: then what is
    /// around them is meant.
    fn is_one_of_several(&self, nodes: &[Option<NodeId>], shown: usize) -> bool {
        let document = self.view.document;
        let several = |node: NodeId| {
            let like = |id: &NodeId| document.name_id(*id) == Some(names::P) && self.view.has_content(*id);
            document.parent(node).is_some_and(|parent| document.children(parent).filter(like).nth(1).is_some())
        };
        let Some(own) = nodes[shown].filter(|&node| document.name_id(node) == Some(names::P)) else { return false };
        !several(own) && nodes.iter().flatten().any(|&node| several(node))
    }

    /// Fills in records where the element of this kind stands elsewhere: it is the only one with its class there, as it is
    /// wherever it was found already.
    fn by_class(&self, nodes: &mut [Option<NodeId>], node: NodeId) {
        let document = self.view.document;
        if count(nodes) == nodes.len() || !document.is_element(node) || !self.view.has_class(node) {
            return;
        }
        let step = self.view.step(node);
        let only = |scope: &Scope| {
            let all = (scope.record.first.index()..scope.record.end.index()).map(NodeId::from_index);
            let mut like = all.filter(|&id| document.is_element(id) && self.view.step(id) == step);
            like.next().filter(|_| like.next().is_none())
        };
        let found: Vec<Option<NodeId>> = self.scopes.iter().map(only).collect();
        if nodes.iter().zip(&found).all(|(node, found)| node.is_none() || node == found) {
            nodes.copy_from_slice(&found);
        }
    }

    /// Where the shown element has nothing but its text, and a few others have a badge or a link beside it, the text alone
    /// is meant.
    fn bare(&self, nodes: &mut [Option<NodeId>], shown: usize) {
        let document = self.view.document;
        let texts = |node: NodeId| -> Option<NodeId> {
            let mut texts = document
                .children(node)
                .filter(|&child| document.is_text(child) && !document.text(child).trim().is_empty());
            texts.next().filter(|_| texts.next().is_none())
        };
        let Some(value) = nodes[shown].filter(|&node| document.is_element(node)) else { return };
        let plain = |node: NodeId| {
            document.children(node).all(|child| document.is_text(child) || self.reading.range(child).is_empty())
        };
        let typed = shape::is_value(self.reading.of(value));
        let (mut badges, mut all) = (0, 0);
        for node in nodes.iter().flatten().copied() {
            all += 1;
            if plain(node) {
                continue;
            }
            let Some(text) = texts(node) else { return };
            let formatted = document.children(node).any(|child| {
                document.is_element(child) && !self.reading.range(child).is_empty() && is_formatting(document, child)
            });
            let odd = typed && !shape::is_value(self.reading.of(node)) && shape::is_value(self.reading.of(text));
            if formatted && !odd {
                return;
            }
            badges += 1;
        }
        if badges == 0 || badges * 2 >= all || !plain(value) {
            return;
        }
        nodes.iter_mut().for_each(|node| *node = node.and_then(texts));
    }

    /// How to cut a part out of the texts of nodes, and what that gives.
    fn cut(
        &self,
        nodes: &[Option<NodeId>],
        node: NodeId,
        range: Range<usize>,
    ) -> Option<(Cutting, Vec<Option<String>>)> {
        let texts: Vec<&str> = nodes.iter().flatten().map(|&node| self.reading.of(node)).collect();
        let cutting = part::cutting(self.reading.of(node), range.start, range.end, &texts)?;
        let regex = cutting.regex()?;
        let apply = |node: &Option<NodeId>| {
            node.and_then(|node| cutting.apply(self.reading.of(node), regex.as_ref())).map(str::to_owned)
        };
        let values = nodes.iter().map(apply).collect();
        Some((cutting, values))
    }

    /// The same value as a part of the text around it, if it is found in more records so: some have a link there, and
    /// others plain text behind the same label.
    fn in_parent(
        &self,
        place: &Place,
        own: &[Option<NodeId>],
        shown: usize,
    ) -> Option<(Vec<Option<NodeId>>, Cutting, usize)> {
        let document = self.view.document;
        let scope = self.scopes[shown];
        if place.attribute.is_some() {
            return None;
        }
        let node = own[shown]?;
        let inner = match &place.part {
            Some(part) if document.is_text(node) => {
                let start = self.reading.range(node).start;
                start + part.start..start + part.end
            }
            Some(_) => return None,
            None => self.reading.range(node),
        };
        let values: Vec<Option<String>> = match &place.part {
            Some(part) => self.cut(own, node, part.clone())?.1,
            None => own.iter().map(|node| node.map(|node| self.reading.of(node).to_owned())).collect(),
        };
        let known = values.iter().flatten().count();
        if known == own.len() {
            return None;
        }
        let parent = document.parent(own[shown]?).filter(|&parent| scope.contains(parent))?;
        if !self.view.is_inline(parent) {
            return None;
        }
        let outer = self.reading.range(parent);
        let range = inner.start.checked_sub(outer.start)?..inner.end.checked_sub(outer.start)?;
        if range.len() == outer.len() {
            return None;
        }
        let mut nodes = follow::follow(self.view, &self.columns, shown, parent)?;
        nodes[shown] = Some(parent);
        if !scope.run {
            let records: Vec<NodeId> = self.scopes.iter().map(|scope| scope.record.first).collect();
            follow::fill(self.view, &records, shown, parent, &mut nodes);
        }
        let nodes = self.inside(nodes);
        let (cutting, cut) = self.cut(&nodes, parent, range)?;
        // Where what stands behind the value is missing and nothing is in front of it, the whole text would be taken: that may
        // be anything.
        if !cutting.has_front() && cutting.matches.is_some() {
            return None;
        }
        let found = cut.iter().flatten().count();
        let agree = values.iter().zip(&cut).all(|(value, cut)| value.is_none() || value == cut);
        if found <= known || !agree {
            return None;
        }
        Some((nodes, cutting, found))
    }

    /// Fills in records that have an amount or a date like the shown one at another place, of which the records with the field have
    /// nothing. It must be the only one of its kind there in most of the records that lack the field, and its place the same in them.
    /// Returns the first of the places, and how many there are.
    pub(crate) fn fill_elsewhere(&self, known: &mut Known, place: &Place, shown: usize) -> Option<(NodeId, usize)> {
        // An element for times is as good as a text that reads like one.
        let is_time = |node: NodeId| {
            let around = std::iter::once(node).chain(self.view.document.ancestors(node)).take(2);
            around.into_iter().any(|id| self.view.document.name(id) == Some("time"))
        };
        let kind_at = |node: NodeId| {
            let [money, date, _] = value_kind(self.reading.of(node));
            [money, date || is_time(node)]
        };
        let kind = kind_at(known.nodes[shown]?);
        let is_plain = place.part.is_none() && place.attribute.is_none() && known.part == Part::All;
        if !is_plain || !kind.contains(&true) || known.count() == known.nodes.len() {
            return None;
        }
        let keys = self.keys_with(&known.nodes);
        let mut found: Vec<(usize, u64, NodeId)> = Vec::new();
        let lacking = || self.scopes.iter().zip(&known.nodes).enumerate().filter(|(_, (_, node))| node.is_none());
        for (record, (scope, _)) in lacking() {
            let fits = |leaf: &&Leaf| kind_at(leaf.node) == kind && keys.binary_search(&self.key(scope, leaf)).is_err();
            let mut own = self.leaves(scope).iter().filter(fits);
            let Some(first) = own.next().filter(|_| !scope.run) else { continue };
            if own.all(|other| self.reading.of(other.node) == self.reading.of(first.node)) {
                found.push((record, self.key(scope, first), first.node));
            }
        }
        let mut counts: HashMap<u64, usize, FixedState> = HashMap::default();
        found.iter().for_each(|(_, key, _)| *counts.entry(*key).or_default() += 1);
        // Of two that are as usual, the one that is met first.
        let usual = found.iter().rev().map(|(_, key, _)| *key).max_by_key(|key| counts[key])?;
        found.retain(|(_, key, _)| *key == usual);
        if found.len() * 2 <= lacking().count() {
            return None;
        }
        found.iter().for_each(|&(record, _, node)| known.nodes[record] = Some(node));
        Some((found[0].2, found.len()))
    }

    fn leaves(&self, scope: &Scope) -> &[Leaf] {
        self.view.leaves_in(scope.record.first, scope.record.end)
    }

    fn key(&self, scope: &Scope, leaf: &Leaf) -> u64 {
        self.view.key_below(scope.record.first, leaf, By::Class)
    }

    /// The keys of the leaves in records that have a field, in order.
    pub(crate) fn keys_with(&self, nodes: &[Option<NodeId>]) -> Vec<u64> {
        let with = self.scopes.iter().zip(nodes).filter(|(scope, node)| !scope.run && node.is_some());
        let mut keys: Vec<u64> =
            with.flat_map(|(scope, _)| self.leaves(scope).iter().map(|leaf| self.key(scope, leaf))).collect();
        keys.sort_unstable();
        keys.dedup();
        keys
    }

    /// A value behind a label in its text, found by the label in records that have another element at the place: `Case quantity: 192`.
    /// Returns the elements, how the value is cut from their texts, and the label.
    fn behind_label(
        &self,
        place: &Place,
        own: &[Option<NodeId>],
        shown: usize,
    ) -> Option<(Vec<Option<NodeId>>, Cutting, String)> {
        let document = self.view.document;
        let node = own[shown]?;
        let range = place.part.clone().filter(|_| place.attribute.is_none() && count(own) < own.len())?;
        let label = self.reading.of(node).get(..range.start)?.trim();
        let letters = label.chars().filter(|c| c.is_alphabetic()).count();
        if !label.ends_with([':', '：']) || letters < 2 || label.chars().count() > LONGEST_LABEL {
            return None;
        }
        let element = |id: NodeId| if document.is_element(id) { Some(id) } else { document.parent(id) };
        let holder = element(node).filter(|&id| self.scopes[shown].contains(id))?;
        let tag = document.name_id(holder);
        let is_it = |id: &NodeId| document.name_id(*id) == tag && self.reading.of(*id).starts_with(label);
        let by_label = |scope: &Scope| {
            let mut found = self.leaves(scope).iter().filter_map(|leaf| element(leaf.node)).filter(is_it);
            let first = found.next()?;
            found.all(|other| other == first).then_some(first)
        };
        let nodes: Vec<Option<NodeId>> = own
            .iter()
            .zip(&self.scopes)
            .map(|(node, scope)| node.and_then(element).filter(is_it).or_else(|| by_label(scope)))
            .collect();
        let (inner, outer) = (self.reading.range(node), self.reading.range(holder));
        let at = inner.start.checked_sub(outer.start)?;
        let (cutting, values) = self.cut(&nodes, holder, at + range.start..at + range.end)?;
        let found = values.iter().flatten().count();
        (found > count(own) && found == count(&nodes)).then(|| (nodes, cutting, label.to_owned()))
    }

    /// What is in its record: a place of another one is none.
    fn inside(&self, mut nodes: Vec<Option<NodeId>>) -> Vec<Option<NodeId>> {
        for (node, scope) in nodes.iter_mut().zip(&self.scopes) {
            *node = node.filter(|&node| scope.contains(node));
        }
        nodes
    }

    /// The column whose part of a text is exactly what was shown.
    fn column_of(&self, place: &Place, shown: usize) -> Option<Known> {
        let document = self.view.document;
        let value = place.text(document);
        self.columns.iter().find_map(|Column { nodes, part, label }| {
            let node = nodes[shown].filter(|_| *part != Part::All && place.attribute.is_none())?;
            let holds = node == place.node || document.is_ancestor(node, place.node);
            let same = holds && collapse(part.of(&document.visible_text(node))) == value;
            same.then(|| Known { nodes: nodes.clone(), part: part.clone(), label: label.clone() })
        })
    }
}

/// An absolute path without the indexes of these records, the innermost first, that it leads through.
pub(crate) fn through(document: &Document, mut path: String, records: &[NodeId]) -> String {
    for &record in records {
        let record = path_of(document, Node::node(record));
        if path.starts_with(&record) {
            path.replace_range(unindexed(&record).len()..record.len(), "");
        }
    }
    path
}

/// Says whether a value may be of the field that has the other: both are values of a kind, or both are words.
pub(crate) fn is_kind_of(shown: &str, other: &str) -> bool {
    let (shown, other) = (value_kind(shown), value_kind(other));
    match shown.contains(&true) {
        true => fits(shown, other),
        false => !other[0] && !other[1],
    }
}

/// Says whether a text is an amount, a date, a number or another value of these.
pub(crate) fn is_value(text: &str) -> bool {
    value_kind(text).contains(&true)
}

/// What a text is: an amount, a date, a number or another value of these; nothing of all that if it is words.
fn value_kind(text: &str) -> [bool; 3] {
    match text.chars().count() {
        0..=60 => [shape::is_money(text), shape::is_date(text), shape::is_value(text)],
        _ => [false; 3],
    }
}

/// Whether a value may be of a field of this kind.
fn fits(kind: [bool; 3], other: [bool; 3]) -> bool {
    !kind.contains(&true) || kind.iter().zip(other).any(|(own, other)| *own && other)
}

fn count(nodes: &[Option<NodeId>]) -> usize {
    nodes.iter().flatten().count()
}

/// A path without its last index.
pub(crate) fn unindexed(path: &str) -> &str {
    path.rfind('[').filter(|_| path.ends_with(']')).map_or(path, |at| &path[..at])
}
