//! Records to fields and sublists: the records' trees laid over each other.
//!
//! All records' nodes of one kind at one place are one field if each record has at most one, several fields if each has
//! the same small number, and a sublist if the number varies; what is below is laid over each other in turn, so sublists
//! nest. Kinds that exclude each other at one place stand for the same thing and are one field. Where the content of an
//! element is one text to a reader, whatever formats it, it is not taken apart (`pieces`). A field is a column: for each
//! record the node that holds it, or none. Nothing ever moves to another record.
//!
//! Paper: Fontán et al. 2012, section 3 (alignment) and 4.1 (variability tells sublists from fields). Their strings of
//! tags are aligned by edit distance, which can shift a value into a neighbouring column; here places decide.
//!
//! # Cost
//!
//! Each node below the records is looked at once, and once more for each element around it whose content is one line.

use windrow_dom::{NodeId, names};

use super::pieces::{self, Content};
use super::region::{Cut, Record};
use crate::outline::Outline;

/// A field: for each record, where it is.
#[derive(Debug, Clone)]
pub(crate) struct Column {
    pub(crate) nodes: Vec<Option<NodeId>>,
    /// What of the node's text counts.
    pub(crate) part: Part,
}

/// A part of a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Part {
    /// All of it.
    All,
    /// A line, from 0.
    Line(usize),
    /// What follows a label at the beginning of a line.
    Labelled(String),
    /// What stands behind a label, up to the first of others.
    Behind(String, Vec<String>),
    /// What a regular expression matches.
    Matched(String),
}

impl Part {
    /// What it is of a text.
    pub(crate) fn of<'t>(&self, text: &'t str) -> &'t str {
        let mut lines = text.lines().map(str::trim);
        match self {
            // What is matched is read where it is cut.
            Part::All | Part::Matched(_) => text,
            Part::Line(number) => lines.nth(*number).unwrap_or(""),
            Part::Behind(label, next) => {
                let behind = text.split_once(label.as_str()).map_or("", |(_, behind)| behind);
                let end = next.iter().filter_map(|next| behind.find(next.as_str())).min();
                behind[..end.unwrap_or(behind.len())].trim()
            }
            Part::Labelled(label) => lines.find_map(|line| line.strip_prefix(label.as_str())).unwrap_or("").trim(),
        }
    }
}

/// A list in each record.
#[derive(Debug, Clone)]
pub(crate) struct Sublist {
    /// The record each of its records is in, and its node.
    pub(crate) items: Vec<(usize, NodeId)>,
    pub(crate) template: Template,
    /// Of labels with values, what its two columns are.
    pub(crate) labelled: Option<[&'static str; 2]>,
}

/// What records have in them.
#[derive(Debug, Clone, Default)]
pub(crate) struct Template {
    pub(crate) columns: Vec<Column>,
    pub(crate) sublists: Vec<Sublist>,
}

/// How kinds that exclude each other may be alike.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Likeness {
    /// Of one tag, or texts both.
    Tag,
    /// One is around what looks like the other.
    Wrapped,
    /// Nearly each record has one of the two, and as much in it.
    Instead,
}

/// The nodes of one kind at one place: the records that have some, in order, each with its nodes.
type Members = Vec<(usize, Vec<NodeId>)>;

/// More of a kind in every record than this are a list, though their number does not vary.
const MOST_FIELDS: usize = 6;
/// Kinds of nodes that are told apart at one place, and columns of one template: each costs a search in every record,
/// and a page of a hundred thousand different elements is no list of records. What is beyond is left out.
const MOST_KINDS: usize = 200;
/// Columns times nodes of all records, at most, for the same reason: the most columns there are, or else 16.
const MOST_WORK: usize = 24_000_000;
/// Labels from which on labelled values may be a list.
const LABELS: usize = 3;
/// Levels of sublists.
const LEVELS: usize = 3;
/// Elements inside elements that are taken apart; what is deeper is one text.
const DEPTH: usize = 100;

/// Lays the records over each other.
pub(crate) fn overlay(outline: &Outline<'_>, cut: Cut, records: &[Record]) -> Template {
    let nodes: usize = records.iter().map(|record| record.end.index() - record.first.index()).sum();
    let columns = (MOST_WORK / nodes.max(1)).clamp(16, MOST_KINDS);
    let mut merge = Merge { outline, count: records.len(), columns, template: Template::default(), level: 0 };
    if cut == Cut::Nodes {
        // The records are of one kind, whatever their own classes say.
        merge.single(records.iter().map(|record| record.first).enumerate().collect(), 0);
        return merge.template;
    }
    let tops: Members = records
        .iter()
        .enumerate()
        .map(|(number, record)| {
            let document = outline.document;
            let siblings = std::iter::successors(Some(record.first), |&node| document.next_sibling(node));
            (number, siblings.take_while(|&node| node < record.end).collect())
        })
        .collect();
    merge.places(tops, 1);
    merge.template
}

struct Merge<'o, 'd> {
    outline: &'o Outline<'d>,
    /// How many records there are.
    count: usize,
    /// Columns it may have.
    columns: usize,
    template: Template,
    level: usize,
}

impl Merge<'_, '_> {
    /// Sorts the nodes that stand at one place in the records by kind. Each record's nodes are in order.
    fn places(&mut self, places: Members, depth: usize) {
        // Kinds in the order in which a reader meets them.
        let mut kinds: Vec<(u64, Members)> = Vec::new();
        for (record, nodes) in places {
            let mut after = 0;
            for node in nodes {
                if !self.outline.has_content(node) || self.outline.is_hidden(node) {
                    continue;
                }
                let step = pieces::kind(self.outline, node);
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
        if let Some((members, first)) = self.properties(&mut kinds) {
            self.sublist(&members, Some(if first { ["label", "value"] } else { ["value", "label"] }));
        }
        for members in self.join(kinds) {
            self.kind(members, depth);
        }
    }

    /// Takes out the kinds that are labelled values, some here and others there: a list of what each record has to say.
    /// Where all records have the same labels, they are fields. Beside them, whether the labels stand first.
    fn properties(&self, kinds: &mut Vec<(u64, Members)>) -> Option<(Members, bool)> {
        let document = self.outline.document;
        if self.level >= LEVELS || kinds.len() < LABELS {
            return None;
        }
        let tag = |members: &Members| document.name_id(members[0].1[0]);
        let mut chosen: Vec<(usize, u64)> = Vec::new();
        let mut first = true;
        for (at, (_, members)) in kinds.iter().enumerate() {
            let Some((label, front)) = self.label(members) else { continue };
            first = front;
            if chosen.first().is_none_or(|&(known, _)| tag(&kinds[known].1) == tag(members)) {
                chosen.push((at, label));
            }
        }
        let mut labels: Vec<u64> = chosen.iter().map(|chosen| chosen.1).collect();
        labels.sort_unstable();
        labels.dedup();
        let mut records: Vec<usize> =
            chosen.iter().flat_map(|&(at, _)| kinds[at].1.iter().map(|member| member.0)).collect();
        let held = records.len();
        records.sort_unstable();
        records.dedup();
        // Nothing but labelled values, all different: a box made for them.
        let alone = chosen.len() == kinds.len();
        let told = alone && labels.len() >= LABELS && labels.len() == chosen.len() && records.len() >= 3;
        // As many for all would be fields.
        if !told || held * 10 > records.len() * chosen.len() * 9 {
            return None;
        }
        let mut all: Vec<(usize, NodeId)> = Vec::with_capacity(held);
        for &(at, _) in chosen.iter().rev() {
            let (_, members) = kinds.remove(at);
            all.extend(members.iter().map(|(record, nodes)| (*record, nodes[0])));
        }
        all.sort_unstable();
        let members = all.chunk_by(|one, other| one.0 == other.0);
        let members = members.map(|own| (own[0].0, own.iter().map(|&(_, node)| node).collect())).collect();
        Some((members, first))
    }

    /// The label of a kind that is nothing but a label and a value: the one of its two texts that never changes; and
    /// whether it stands first.
    fn label(&self, members: &Members) -> Option<(u64, bool)> {
        let document = self.outline.document;
        let texts = |node: NodeId| -> Option<[u64; 2]> {
            let mut leaves =
                self.outline.leaves_below(node).iter().filter(|leaf| document.name_id(leaf.node) != Some(names::IMG));
            let both = [leaves.next()?.value, leaves.next()?.value];
            leaves.next().is_none().then_some(both)
        };
        let mut known: [Option<u64>; 2] = [None; 2];
        let mut varies = [false; 2];
        for (_, nodes) in members {
            let [node] = nodes[..] else { return None };
            let values = texts(node)?;
            for (at, value) in values.into_iter().enumerate() {
                varies[at] |= *known[at].get_or_insert(value) != value;
            }
        }
        match varies {
            [false, true] => Some((known[0]?, true)),
            [true, false] => Some((known[1]?, false)),
            _ => None,
        }
    }

    /// Joins kinds that exclude each other: a record has the one or the other, and they stand for the same.
    fn join(&self, kinds: Vec<(u64, Members)>) -> Vec<Members> {
        let records = {
            let mut seen: Vec<usize> = kinds.iter().flat_map(|kind| kind.1.iter().map(|member| member.0)).collect();
            seen.sort_unstable();
            seen.dedup();
            seen.len()
        };
        let single = |members: &Members| members.iter().all(|(_, nodes)| nodes.len() == 1);
        let mut kinds: Vec<(bool, Members)> =
            kinds.into_iter().map(|(_, members)| (single(&members), members)).collect();
        // What is surest first: a text takes the place of a text before a badge does.
        for likeness in [Likeness::Tag, Likeness::Wrapped, Likeness::Instead] {
            let mut joined: Vec<(bool, Members)> = Vec::new();
            for (single, members) in kinds {
                let fits = |(other_single, other): &&mut (bool, Members)| {
                    single && *other_single && apart(other, &members) && self.same(other, &members, records, likeness)
                };
                match joined.iter_mut().find(fits) {
                    Some((_, other)) => {
                        other.extend(members);
                        other.sort_by_key(|member| member.0);
                    }
                    None => joined.push((single, members)),
                }
            }
            kinds = joined;
        }
        kinds.into_iter().map(|(_, members)| members).collect()
    }

    /// Whether two kinds that exclude each other stand for the same.
    fn same(&self, one: &Members, other: &Members, records: usize, likeness: Likeness) -> bool {
        let document = self.outline.document;
        let (first, second) = (one[0].1[0], other[0].1[0]);
        // One with a class word more is the same with a mark on it, if it says the same kind of thing.
        let more = |inner: NodeId, outer: NodeId| {
            let (inner, outer) = (self.outline.class_words(inner), self.outline.class_words(outer));
            !inner.is_empty() && inner.len() < outer.len() && inner.iter().all(|word| outer.contains(word))
        };
        let number = |node: NodeId| document.text_content(node).contains(|c: char| c.is_ascii_digit());
        let marked = document.name_id(first) == document.name_id(second)
            && (more(first, second) || more(second, first))
            && number(first)
            && number(second);
        if !marked && (self.is_mark(one, other) || self.is_mark(other, one)) {
            return false;
        }
        let image = |node: NodeId| document.name_id(node) == Some(names::IMG);
        let wraps = |outer: NodeId, inner: NodeId| {
            let mut below = document.children(outer).filter(|&child| self.outline.has_content(child));
            below.next().is_some_and(|child| self.outline.step(child) == self.outline.step(inner))
                && below.next().is_none()
        };
        match likeness {
            Likeness::Tag => {
                // Of two classes, they may be two fields that never met by chance, unless one stands where the other
                // does not, nearly everywhere.
                // Words with digits only count.
                let words = |node: NodeId| {
                    let class = document.attr_by_id(node, names::CLASS).unwrap_or_default();
                    class.split_ascii_whitespace().filter(|word| !word.contains(|c: char| c.is_ascii_digit()))
                };
                let mut own = words(first).peekable();
                let has_others = words(second).next().is_some();
                let classed =
                    own.peek().is_some() && has_others && !own.any(|word| words(second).any(|other| other == word));
                let either = (one.len() + other.len()) * 10 >= records * 9;
                return document.name_id(first) == document.name_id(second) && (!classed || either);
            }
            Likeness::Wrapped => return wraps(first, second) || wraps(second, first),
            Likeness::Instead if image(first) || image(second) => return false,
            Likeness::Instead => {}
        }
        let size = |members: &Members| {
            let mut sizes: Vec<usize> =
                members.iter().take(64).map(|(_, nodes)| self.outline.leaves_below(nodes[0]).len()).collect();
            sizes.sort_unstable();
            sizes[sizes.len() / 2]
        };
        let (less, more) = (one.len().min(other.len()), one.len() + other.len());
        records >= 4 && less >= 2 && more * 20 >= records * 19 && size(one) == size(other)
    }

    /// Whether a kind only marks its records: it says the same wherever it stands, and the other one never says that.
    fn is_mark(&self, mark: &Members, other: &Members) -> bool {
        let value = |member: &(usize, Vec<NodeId>)| {
            self.outline.leaves_below(member.1[0]).iter().fold(0u64, |sum, leaf| sum.rotate_left(5) ^ leaf.value)
        };
        let said = value(&mark[0]);
        mark.len() >= 3
            && other.len() >= 2
            && mark.iter().all(|member| value(member) == said)
            && other.iter().any(|member| value(member) != value(&other[0]))
            && other.iter().all(|member| value(member) != said)
    }

    /// The nodes of one kind at one place.
    fn kind(&mut self, members: Members, depth: usize) {
        let most = members.iter().map(|(_, nodes)| nodes.len()).max().unwrap_or(0);
        let least = members.iter().map(|(_, nodes)| nodes.len()).min().unwrap_or(0);
        let several = members.iter().filter(|(_, nodes)| nodes.len() > 1).count();
        if most <= 1 || several * 12 < members.len() {
            let single = members.into_iter().map(|(record, nodes)| (record, nodes[0])).collect();
            return self.single(single, depth);
        }
        let steady = most == least && most <= MOST_FIELDS && members.len() > 1;
        // Texts between tags are pieces of one place, not a list.
        let texts = members.iter().all(|(_, nodes)| nodes.iter().all(|&node| self.outline.document.is_text(node)));
        if steady || texts || self.level >= LEVELS {
            for number in 0..most.min(MOST_FIELDS * 2) {
                let nth = |(record, nodes): &(usize, Vec<NodeId>)| nodes.get(number).map(|&node| (*record, node));
                self.single(members.iter().filter_map(nth).collect(), depth);
            }
            return;
        }
        self.sublist(&members, None);
    }

    /// Nodes that are a list in each record.
    fn sublist(&mut self, members: &Members, labelled: Option<[&'static str; 2]>) {
        let items: Vec<(usize, NodeId)> =
            members.iter().flat_map(|(record, nodes)| nodes.iter().map(|&node| (*record, node))).collect();
        let mut inner = Merge { count: items.len(), template: Template::default(), level: self.level + 1, ..*self };
        inner.single(items.iter().enumerate().map(|(number, (_, node))| (number, *node)).collect(), 0);
        let template = inner.template;
        self.template.sublists.push(Sublist { items, template, labelled });
    }

    /// One node in each of these records: a column if it is one piece, else what is below it.
    fn single(&mut self, members: Vec<(usize, NodeId)>, depth: usize) {
        let content = match depth < DEPTH {
            true => pieces::content(self.outline, &members, depth == 0),
            false => Content::Whole,
        };
        match content {
            Content::Whole => {
                let images = self.images(&members);
                self.column(&members, Part::All);
                if let Some(images) = images {
                    self.column(&images, Part::All);
                }
            }
            Content::Lines(count) => {
                for line in 0..count {
                    self.column(&members, Part::Line(line));
                }
                if let Some(images) = self.images(&members) {
                    self.column(&images, Part::All);
                }
            }
            Content::Labelled(labels) => {
                for (at, label) in labels.iter().enumerate() {
                    self.column(&members, Part::Behind(label.clone(), labels[at + 1..].to_vec()));
                }
            }
            Content::Labels(labels) => {
                for label in labels {
                    self.column(&members, Part::Labelled(label));
                }
            }
            Content::Parts => {
                let children = |node: NodeId| match self.outline.document.is_element(node) {
                    true => self.outline.document.children(node).collect(),
                    false => vec![node],
                };
                let below = members.iter().map(|&(record, node)| (record, children(node))).collect();
                self.places(below, depth + 1);
            }
        }
    }

    /// The first image in each of these texts, if a third of them have one.
    fn images(&self, members: &[(usize, NodeId)]) -> Option<Vec<(usize, NodeId)>> {
        let document = self.outline.document;
        let is = |node: NodeId| document.name_id(node) == Some(names::IMG);
        let found: Vec<(usize, NodeId)> = members
            .iter()
            .filter(|&&(_, node)| !is(node))
            .filter_map(|&(record, node)| {
                let leaf = self.outline.leaves_below(node).iter().find(|leaf| is(leaf.node))?;
                Some((record, leaf.node))
            })
            .collect();
        (found.len() * 3 >= members.len() && !found.is_empty()).then_some(found)
    }

    fn column(&mut self, members: &[(usize, NodeId)], part: Part) {
        if self.template.columns.len() < self.columns {
            let mut nodes = vec![None; self.count];
            for &(record, node) in members {
                nodes[record] = Some(node);
            }
            self.template.columns.push(Column { nodes, part });
        }
    }
}

/// Whether no record has both.
fn apart(one: &Members, other: &Members) -> bool {
    other.iter().all(|member| one.binary_search_by_key(&member.0, |member| member.0).is_err())
}
