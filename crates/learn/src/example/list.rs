//! The labels of a list, from some of its records: the places of their fields in all records, and the lists in them.
//!
//! A field that is called `comments.author` is a field `author` of a list `comments` in each record, and `tags[]` a list
//! of values: one item of the list in the shown record is shown, and its like are found as those of a record are.

use windrow_dom::{Document, NodeId};
use windrow_xpath::{Node, path_of};

use super::error::{Candidate, Error, Note};
use super::fields::{Fields, Known, is_kind_of, is_value, through, unindexed};
use super::follow;
use super::point::{Found, FoundField, meet};
use super::records::Records;
use crate::alignment::{self, Part, Template};
use crate::labels::{Extent, LabelledField, Labels, Place};
use crate::page_view::{By, Leaf, PageView};
use crate::reading::{Reading, Rung, Spot};
use crate::scope::{Cut, Record, Scope};

/// Number of records of which one must lack a field for a note: a field that half of them have is optional, one that all but
/// a few have may stand elsewhere in these.
const FEW_LACK: usize = 4;

/// A page that is learned from.
pub(crate) struct Sheet<'o, 'd> {
    pub(crate) view: &'o PageView<'d>,
    pub(crate) reading: &'o Reading<'d>,
}

/// A value that a field must not have.
pub(crate) struct Excluded {
    pub(crate) field: String,
    pub(crate) nodes: Vec<NodeId>,
}

/// Places that may be meant beside the one that was taken, looked at for each field.
const RIVALS: usize = 4;

/// Labels these records with the fields that were shown in some of them.
pub(crate) fn labels(
    sheet: &Sheet<'_, '_>,
    found: &[&Found],
    records: &Records,
    excluded: &[Excluded],
    notes: &mut Vec<Note>,
) -> Result<Labels, Error> {
    let document = sheet.view.document;
    let template = alignment::overlay(sheet.view, records.cut, &records.records);
    let first = records.records[records.shown[0]].first;
    let examples: Vec<Shown<'_>> = found
        .iter()
        .zip(&records.shown)
        .map(|(found, &record)| Shown {
            record,
            fields: found.fields.iter().map(|field| (&*field.name, field)).collect(),
        })
        .collect();
    let mut labels = Labels {
        page: found[0].page,
        path: Some(unindexed(&path_of(document, Node::node(first))).to_owned()),
        without: records.without.clone(),
        ..Labels::new("records", records.cut, records.records.clone())
    };
    let level = Level { sheet, scopes: labels.scopes(), bases: vec![first], excluded };
    level.label(&template, &examples, &mut labels, notes)?;
    Ok(labels)
}

/// The fields of one record that are shown at one level, by their names there.
struct Shown<'f> {
    record: usize,
    fields: Vec<(&'f str, &'f FoundField)>,
}

/// The records of a list that are labelled, on the page or in the records of another.
struct Level<'s, 'o, 'd> {
    sheet: &'s Sheet<'o, 'd>,
    scopes: Vec<Scope>,
    bases: Vec<NodeId>,
    excluded: &'s [Excluded],
}

impl Level<'_, '_, '_> {
    /// Labels the fields and lists at this level.
    fn label(
        self,
        template: &Template,
        examples: &[Shown<'_>],
        labels: &mut Labels,
        notes: &mut Vec<Note>,
    ) -> Result<(), Error> {
        let document = self.sheet.view.document;
        let holds = |item: NodeId| {
            let nodes = examples.iter().flat_map(|shown| &shown.fields).map(|(_, field)| field.spot.place.node);
            nodes.into_iter().any(|node| item == node || document.is_ancestor(item, node))
        };
        let columns = follow::columns(template, self.scopes.len(), &holds);
        let Level { sheet, scopes, bases, excluded } = self;
        let fields = Fields { view: sheet.view, reading: sheet.reading, scopes, columns, bases };
        let mut own: Vec<Own<'_>> = Vec::new();
        let mut lists: Vec<&str> = Vec::new();
        for &(name, field) in examples.iter().flat_map(|shown| &shown.fields) {
            match nested(name) {
                Some((list, _)) if lists.contains(&list) => {}
                Some((list, _)) => lists.push(list),
                None if own.iter().any(|own| own.name == name) => {}
                None => own.push(Own::new(&fields, name, field, examples)),
            }
        }
        let mut known: Vec<Option<Known>> = own.iter().map(|own| own.known.clone()).collect();
        if let Some(shown) = examples.first() {
            fields.keep_order(&mut known, shown.record);
        }
        for (own, known) in own.iter_mut().zip(known) {
            own.known = known;
            own.exclude(excluded);
            let labelled = own.known.as_ref().and_then(|known| {
                let mut field = fields.label(own.name, &own.spot.place, known, &own.shown_in(examples))?;
                field.test = own.test(&field, sheet.reading, excluded)?;
                Some(field)
            });
            let Some(field) = labelled else {
                return Err(Error::Contradiction { field: own.name.to_owned(), paths: own.paths(document, examples) });
            };
            notes.extend(own.notes(&fields, field.filled));
            notes.extend(own.doubts(&fields));
            labels.fields.push(field);
        }
        for list in lists {
            labels.lists.push(sublist(&fields, sheet, template, list, examples, excluded, notes)?);
        }
        Ok(())
    }
}

/// A field of the level, with the example that it is learned from.
struct Own<'f> {
    name: &'f str,
    record: usize,
    spot: Spot,
    known: Option<Known>,
    /// Other places that fit as well, in the same record.
    rivals: Vec<Spot>,
    /// The first of the places that only their values tell, and how many there are.
    elsewhere: Option<(NodeId, usize)>,
}

impl<'f> Own<'f> {
    fn new(writer: &Fields<'_, '_>, name: &'f str, field: &'f FoundField, examples: &[Shown<'_>]) -> Own<'f> {
        let of = |shown: &Shown<'_>| shown.fields.iter().any(|(_, other)| std::ptr::eq(*other, field));
        let record = examples.iter().find(|shown| of(shown)).map_or(0, |shown| shown.record);
        let scope = writer.scopes[record];
        let inside = |spot: &&Spot| scope.contains(spot.place.node);
        // What another field has taken is not meant.
        let taken = |spot: &&Spot| {
            examples.iter().flat_map(|shown| &shown.fields).any(|(_, other)| other.spot.place == spot.place)
        };
        let rivals: Vec<Spot> = match field.pointed {
            true => Vec::new(),
            false => field.others.iter().filter(inside).filter(|spot| !taken(spot)).take(RIVALS).cloned().collect(),
        };
        // Of places that fit as well, the one that gives what the other examples show, and that most records have.
        let others: Vec<(usize, &FoundField)> = examples
            .iter()
            .filter(|shown| shown.record != record)
            .filter_map(|shown| Some((shown.record, shown.fields.iter().find(|(other, _)| *other == name)?.1)))
            .collect();
        let gives = |known: &Known, (at, other): &(usize, &FoundField)| {
            let shown = || other.spot.place.text(writer.view.document);
            other.spot.place.part.is_none() && known.nodes[*at].is_some_and(|node| writer.reading.of(node) == shown())
        };
        let worth = |known: &Option<Known>| {
            known
                .as_ref()
                .map_or((0, 0), |known| (others.iter().filter(|other| gives(known, other)).count(), known.count()))
        };
        let known = writer.known(&field.spot.place, record);
        let mut own = Own { name, record, known, spot: field.spot.clone(), rivals, elsewhere: None };
        for at in 0..own.rivals.len() {
            let known = writer.known(&own.rivals[at].place, record);
            if worth(&known) > worth(&own.known) {
                own.known = known;
                std::mem::swap(&mut own.spot, &mut own.rivals[at]);
            }
        }
        if !others.is_empty() && worth(&own.known).0 == others.len() {
            own.rivals.clear();
        }
        let (record, place) = (own.record, own.spot.place.clone());
        if let Some(known) = &mut own.known {
            writer.by_marks(known, &place, record);
        }
        // Further examples fill in what the first does not tell.
        for (at, other) in others {
            if let Some(known) = &mut own.known
                && !gives(known, &(at, other))
                && let Some(more) = writer.known(&other.spot.place, at)
            {
                for (node, more) in known.nodes.iter_mut().zip(more.nodes) {
                    *node = node.or(more);
                }
                known.nodes[at] = Some(other.spot.place.node);
            }
        }
        if let Some(known) = &mut own.known {
            own.elsewhere = writer.fill_elsewhere(known, &place, record);
        }
        own
    }

    /// Takes back what must not come out.
    fn exclude(&mut self, excluded: &[Excluded]) {
        let Some(known) = &mut self.known else { return };
        for excluded in excluded.iter().filter(|excluded| excluded.field == self.name) {
            for node in &mut known.nodes {
                *node = node.filter(|node| !excluded.nodes.contains(node));
            }
        }
    }

    /// A test that what must not come out does not pass, if one is needed; none if there is no such test.
    fn test(&self, field: &LabelledField, reading: &Reading<'_>, excluded: &[Excluded]) -> Option<Option<String>> {
        let excluded = excluded.iter().filter(|excluded| excluded.field == self.name).flat_map(|it| &it.nodes);
        let excluded: Vec<&str> = excluded.map(|&node| reading.of(node)).collect();
        let values: Vec<&str> = match (&self.known, self.spot.place.part.is_some()) {
            (Some(known), false) => known.nodes.iter().flatten().map(|&node| reading.of(node)).collect(),
            _ => return Some(None),
        };
        // The rest of the template may tell it already; what it is made of tells it in any case.
        let digit = |text: &&str| text.contains(|c: char| c.is_ascii_digit());
        let is_matched = match &field.extent {
            Extent::Part(part) => matches!(part, Part::Matched(_) | Part::Before(_)),
            Extent::Cut(cutting) => cutting.matches.is_some(),
            Extent::Depth { .. } => true,
        };
        if excluded.is_empty() || is_matched {
            return Some(None);
        }
        match () {
            () if values.iter().all(digit) && !excluded.iter().any(digit) => Some(Some(r"^.*\d.*$".to_owned())),
            () if !values.iter().any(digit) && excluded.iter().all(digit) => Some(Some(r"^\D*$".to_owned())),
            () => self.is_told(&excluded, &values).then_some(None),
        }
    }

    /// Whether records without the field were left out, so that nothing of what is excluded is left.
    fn is_told(&self, excluded: &[&str], values: &[&str]) -> bool {
        !excluded.iter().any(|text| values.contains(text))
    }

    /// The records that show it, the one that it is learned from first.
    fn shown_in(&self, examples: &[Shown<'_>]) -> Vec<usize> {
        let others = examples.iter().filter(|shown| shown.record != self.record);
        let others = others.filter(|shown| shown.fields.iter().any(|(name, _)| *name == self.name));
        std::iter::once(self.record).chain(others.map(|shown| shown.record)).collect()
    }

    fn paths(&self, document: &Document, examples: &[Shown<'_>]) -> Vec<String> {
        let own = |shown: &Shown<'_>| {
            let field = shown.fields.iter().find(|(name, _)| *name == self.name)?;
            Some(field.1.spot.place.path(document))
        };
        examples.iter().filter_map(own).collect()
    }

    fn notes(&self, writer: &Fields<'_, '_>, found: usize) -> Vec<Note> {
        let (document, records) = (writer.view.document, writer.scopes.len());
        let mut notes = Vec::new();
        if !self.rivals.is_empty() && self.spot.rung <= Rung::Folded {
            let all = std::iter::once(&self.spot).chain(&self.rivals);
            let candidates = all.map(|spot| Candidate::new(document, &spot.place)).collect();
            notes.push(Note::Ambiguous { field: self.name.to_owned(), candidates });
        }
        // In few records, or in all but a few: both may be a mistake.
        if found * 2 < records || found < records && (records - found) * FEW_LACK <= records {
            let field = || self.name.to_owned();
            notes.extend(self.without_it(writer).map(|without| Note::Rare { field: field(), found, records, without }));
        }
        notes
    }
}

impl Own<'_> {
    /// The first record without the field; the first, if the rule misses it in one that has it.
    fn without_it(&self, writer: &Fields<'_, '_>) -> Option<Candidate> {
        let known = self.known.as_ref()?;
        let at = known.nodes.iter().position(Option::is_none).unwrap_or_default();
        Some(self.record(writer, at))
    }

    fn record(&self, writer: &Fields<'_, '_>, at: usize) -> Candidate {
        Candidate::new(writer.view.document, &Place::node(writer.scopes[at].record.first))
    }

    /// Notes on values that may be wrong or missing.
    fn doubts(&self, writer: &Fields<'_, '_>) -> Vec<Note> {
        let mut notes = Vec::new();
        let field = || self.name.to_owned();
        notes.extend(self.elsewhere(writer));
        notes.extend(self.elsewhere.map(|(first, count)| {
            let first = Candidate::new(writer.view.document, &Place::node(first));
            Note::OtherPlace { field: field(), count, first }
        }));
        let (Some(known), None, None) = (&self.known, &self.spot.place.part, &self.spot.place.attribute) else {
            return notes;
        };
        let shown = known.nodes[self.record].map(|node| writer.reading.of(node)).unwrap_or_default();
        let other = |(at, node): (usize, &Option<NodeId>)| {
            let text = writer.reading.of((*node)?);
            (!text.is_empty() && !is_kind_of(shown, text)).then(|| (at, text.to_owned()))
        };
        let mut others = known.nodes.iter().enumerate().filter_map(other);
        if let Some((at, value)) = others.next() {
            let value = match value.char_indices().nth(60) {
                Some((at, _)) => format!("{}…", &value[..at]),
                None => value,
            };
            let within = self.record(writer, at);
            notes.push(Note::OtherKind { field: field(), count: 1 + others.count(), value, within });
        }
        notes
    }

    /// Records without the field that have a value of its kind at a place that no record with the field has.
    fn elsewhere(&self, writer: &Fields<'_, '_>) -> Option<Note> {
        let known = self.known.as_ref().filter(|known| known.count() < known.nodes.len())?;
        let shown = known.nodes[self.record].map(|node| writer.reading.of(node))?;
        let scopes = || writer.scopes.iter().zip(&known.nodes).filter(|(scope, _)| !scope.run);
        if self.spot.place.part.is_some() || self.spot.place.attribute.is_some() || !is_value(shown) {
            return None;
        }
        let leaves = |scope: &Scope| writer.view.leaves_in(scope.record.first, scope.record.end);
        let key = |scope: &Scope, leaf: &Leaf| writer.view.key_below(scope.record.first, leaf, By::Class);
        let keys = writer.keys_with(&known.nodes);
        let other = |(scope, _): (&Scope, &Option<NodeId>)| {
            let like = |leaf: &&Leaf| {
                keys.binary_search(&key(scope, leaf)).is_err() && is_kind_of(shown, writer.reading.of(leaf.node))
            };
            leaves(scope).iter().find(like).map(|leaf| leaf.node)
        };
        let mut others = scopes().filter(|(_, node)| node.is_none()).filter_map(other);
        let first = Candidate::new(writer.view.document, &Place::node(others.next()?));
        Some(Note::Elsewhere { field: self.name.to_owned(), count: 1 + others.count(), first })
    }
}

/// The list that a field is in, and its name there: `comments.author`, `tags[]`.
pub(crate) fn nested(name: &str) -> Option<(&str, &str)> {
    name.split_once('.').or_else(|| name.strip_suffix("[]").map(|list| (list, "")))
}

/// Labels a list in each record.
fn sublist(
    writer: &Fields<'_, '_>,
    sheet: &Sheet<'_, '_>,
    template: &Template,
    name: &str,
    examples: &[Shown<'_>],
    excluded: &[Excluded],
    notes: &mut Vec<Note>,
) -> Result<Labels, Error> {
    let document = sheet.view.document;
    let inside =
        |shown: &&Shown<'_>| shown.fields.iter().any(|(field, _)| nested(field).is_some_and(|it| it.0 == name));
    let shown: Vec<&Shown<'_>> = examples.iter().filter(inside).collect();
    let of = |shown: &Shown<'_>| -> Vec<NodeId> {
        let fields = shown.fields.iter().filter(|(field, _)| nested(field).is_some_and(|it| it.0 == name));
        fields.map(|(_, field)| field.spot.place.node).collect()
    };
    let places = of(shown[0]);
    let missing = || Error::NoList { path: path_of(document, Node::node(places[0])) };
    let items = items_of(template, document, &places)
        .or_else(|| siblings(writer, sheet.view, shown[0].record, &places))
        .ok_or_else(missing)?;
    let holder = |places: &[NodeId]| {
        items.iter().position(|(_, item)| places.iter().all(|&node| node == *item || document.is_ancestor(*item, node)))
    };
    let mut below: Vec<Shown<'_>> = Vec::new();
    for shown in &shown {
        let Some(record) = holder(&of(shown)) else { continue };
        let fields = shown.fields.iter().filter_map(|&(field, found)| {
            let (list, rest) = nested(field)?;
            (list == name).then_some((rest, found))
        });
        below.push(Shown { record, fields: fields.collect() });
    }
    let first = below.first().ok_or_else(missing)?;
    let item = items[first.record].1;
    let mut bases = vec![item];
    bases.extend(&writer.bases);
    let records: Vec<Record> = items.iter().map(|&(_, node)| Record::node(document, node)).collect();
    let mut list = Labels {
        within: items.iter().map(|item| item.0).collect(),
        path: Some(through(document, path_of(document, Node::node(item)), &bases)),
        ..Labels::new(name, Cut::Nodes, records)
    };
    // The item itself is the value.
    if below.iter().all(|shown| shown.fields.iter().all(|(name, _)| name.is_empty())) {
        return Ok(list);
    }
    let template = alignment::overlay(sheet.view, Cut::Nodes, &list.records);
    let level = Level { sheet, scopes: list.scopes(), bases, excluded };
    level.label(&template, &below, &mut list, notes)?;
    Ok(list)
}

/// The items of the template's sublist that these places are in.
fn items_of(template: &Template, document: &Document, places: &[NodeId]) -> Option<Vec<(usize, NodeId)>> {
    let holds =
        |item: &(usize, NodeId)| places.iter().all(|&node| node == item.1 || document.is_ancestor(item.1, node));
    template.sublists.iter().find(|sublist| sublist.items.iter().any(holds)).map(|sublist| sublist.items.clone())
}

/// The elements like the one around these places in what holds it, in each record.
fn siblings(
    writer: &Fields<'_, '_>,
    view: &PageView<'_>,
    record: usize,
    places: &[NodeId],
) -> Option<Vec<(usize, NodeId)>> {
    let document = view.document;
    let scope = writer.scopes[record];
    let low = places.iter().copied().reduce(|one, other| meet(document, one, other))?;
    for item in std::iter::once(low).chain(document.ancestors(low)).filter(|&id| document.is_element(id)) {
        let holder = document.parent(item).filter(|&holder| scope.contains(holder))?;
        let like = |id: &NodeId| document.name_id(*id) == document.name_id(item) && view.has_content(*id);
        if document.children(holder).filter(like).count() < 2 {
            continue;
        }
        let mut holders = follow::follow(view, &writer.columns, record, holder)?;
        holders[record] = Some(holder);
        let inside = |(number, holder): (usize, Option<NodeId>)| {
            let holder = holder.filter(|&holder| writer.scopes[number].contains(holder));
            holder
                .into_iter()
                .flat_map(move |holder| document.children(holder))
                .filter(like)
                .map(move |id| (number, id))
        };
        return Some(holders.into_iter().enumerate().flat_map(inside).collect());
    }
    None
}
