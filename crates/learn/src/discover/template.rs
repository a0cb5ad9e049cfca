//! Records to fields and sublists: the records' trees laid over each other.
//!
//! All records' nodes of one kind at one place are one field if each record has at most one, several fields if each has
//! the same small number, and a sublist if the number varies; what is below is laid over each other in turn, so sublists
//! nest. A field is a column: for each record the leaf that holds it, or none. Nothing ever moves to another record.
//!
//! Paper: Fontán et al. 2012, section 3 (alignment) and 4.1 (variability tells sublists from fields). Their strings of
//! tags are aligned by edit distance, which can shift a value into a neighbouring column; here places decide.
//!
//! # Cost
//!
//! Each node below the records is looked at once.

use windrow_dom::NodeId;

use super::region::{Cut, Record};
use crate::outline::Outline;

/// A field: for each record, where it is.
#[derive(Debug, Clone)]
pub(crate) struct Column {
    pub(crate) nodes: Vec<Option<NodeId>>,
}

/// A list in each record.
#[derive(Debug, Clone)]
pub(crate) struct Sublist {
    /// The record each of its records is in, and its node.
    pub(crate) items: Vec<(usize, NodeId)>,
    pub(crate) template: Template,
}

/// What records have in them.
#[derive(Debug, Clone, Default)]
pub(crate) struct Template {
    pub(crate) columns: Vec<Column>,
    pub(crate) sublists: Vec<Sublist>,
}

/// The nodes of one kind, by record.
type Members = Vec<(usize, Vec<NodeId>)>;

/// Whether no record has both.
fn apart(one: &Members, other: &Members) -> bool {
    other.iter().all(|member| one.binary_search_by_key(&member.0, |member| member.0).is_err())
}

/// More of a kind in every record than this are a list, though their number does not vary.
const MOST_FIELDS: usize = 6;
/// Kinds of nodes that are told apart at one place, and columns of one template: each costs a search in every record,
/// and a page of a hundred thousand different elements is no list of records. What is beyond is left out.
const MOST_KINDS: usize = 200;
/// Levels of sublists.
const LEVELS: usize = 3;

/// Lays the records over each other.
pub(crate) fn overlay(outline: &Outline<'_>, cut: Cut, records: &[Record]) -> Template {
    let mut merge = Merge { outline, count: records.len(), template: Template::default(), level: 0 };
    if cut == Cut::Nodes {
        // The records are of one kind, whatever their own classes say.
        merge.single(records.iter().map(|record| record.first).enumerate().collect());
        return merge.template;
    }
    let tops: Vec<(usize, Vec<NodeId>)> = records
        .iter()
        .enumerate()
        .map(|(number, record)| {
            let document = outline.document;
            let siblings = std::iter::successors(Some(record.first), |&node| document.next_sibling(node));
            (number, siblings.take_while(|&node| node < record.end).collect())
        })
        .collect();
    merge.places(tops);
    merge.template
}

struct Merge<'o, 'd> {
    outline: &'o Outline<'d>,
    /// How many records there are.
    count: usize,
    template: Template,
    level: usize,
}

impl Merge<'_, '_> {
    /// Sorts the nodes that stand at one place in the records by kind. Each record's nodes are in order.
    fn places(&mut self, places: Vec<(usize, Vec<NodeId>)>) {
        // Kinds in the order in which a reader meets them.
        let mut kinds: Vec<(u64, Members)> = Vec::new();
        for (record, nodes) in places {
            let mut after = 0;
            for node in nodes {
                if self.outline.leaves_below(node).is_empty() || self.outline.is_hidden(node) {
                    continue;
                }
                let step = self.outline.step(node);
                let at = match kinds.iter().position(|kind| kind.0 == step) {
                    Some(at) => at,
                    None if kinds.len() >= MOST_KINDS => continue,
                    None => {
                        // Behind the kind it was met behind.
                        let at = after.min(kinds.len());
                        kinds.insert(at, (step, Vec::new()));
                        at
                    }
                };
                after = at + 1;
                let own = &mut kinds[at].1;
                match own.last_mut() {
                    Some((last, nodes)) if *last == record => nodes.push(node),
                    _ => own.push((record, vec![node])),
                }
            }
        }
        for members in self.join(kinds) {
            self.kind(members);
        }
    }

    /// Joins kinds of one tag that exclude each other: a record has the one or the other, and they stand for the same.
    fn join(&self, kinds: Vec<(u64, Members)>) -> Vec<Members> {
        let document = self.outline.document;
        let mut joined: Vec<Members> = Vec::new();
        for (_, members) in kinds {
            let tag = document.name_id(members[0].1[0]);
            let single = |members: &Members| members.iter().all(|(_, nodes)| nodes.len() == 1);
            let fits = |other: &&mut Members| {
                tag.is_some()
                    && document.name_id(other[0].1[0]) == tag
                    && single(other)
                    && single(&members)
                    && apart(other, &members)
            };
            match joined.iter_mut().find(fits) {
                Some(other) => {
                    other.extend(members);
                    other.sort_by_key(|member| member.0);
                }
                None => joined.push(members),
            }
        }
        joined
    }

    /// The nodes of one kind at one place.
    fn kind(&mut self, members: Members) {
        let most = members.iter().map(|(_, nodes)| nodes.len()).max().unwrap_or(0);
        let least = members.iter().map(|(_, nodes)| nodes.len()).min().unwrap_or(0);
        let several = members.iter().filter(|(_, nodes)| nodes.len() > 1).count();
        if most <= 1 || several * 12 < members.len() {
            let single = members.into_iter().map(|(record, nodes)| (record, nodes[0])).collect();
            return self.single(single);
        }
        let steady = most == least && most <= MOST_FIELDS && members.len() > 1;
        // Texts between tags are pieces of one place, not a list.
        let texts = members.iter().all(|(_, nodes)| nodes.iter().all(|&node| self.outline.document.is_text(node)));
        if steady || texts || self.level >= LEVELS {
            for number in 0..most.min(MOST_FIELDS * 2) {
                let nth = |(record, nodes): &(usize, Vec<NodeId>)| nodes.get(number).map(|&node| (*record, node));
                self.single(members.iter().filter_map(nth).collect());
            }
            return;
        }
        let items: Vec<(usize, NodeId)> =
            members.iter().flat_map(|(record, nodes)| nodes.iter().map(|&node| (*record, node))).collect();
        let mut inner =
            Merge { outline: self.outline, count: items.len(), template: Template::default(), level: self.level + 1 };
        inner.single(items.iter().enumerate().map(|(number, (_, node))| (number, *node)).collect());
        let template = inner.template;
        self.template.sublists.push(Sublist { items, template });
    }

    /// One node in each of these records: a column if it is a leaf, else what is below it.
    fn single(&mut self, members: Vec<(usize, NodeId)>) {
        let mut nodes = vec![None; self.count];
        let mut leaf = false;
        let mut below = Vec::new();
        for (record, node) in members {
            if self.outline.is_leaf(node) {
                nodes[record] = Some(node);
                leaf = true;
            } else {
                below.push((record, self.outline.document.children(node).collect()));
            }
        }
        if leaf && self.template.columns.len() < MOST_KINDS {
            self.template.columns.push(Column { nodes });
        }
        if !below.is_empty() {
            self.places(below);
        }
    }
}
