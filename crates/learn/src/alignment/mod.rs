//! Records to fields and sublists: the records' trees laid over each other.
//!
//! All records' nodes of one kind at one place are one field if each record has at most one, several fields if each has
//! the same small number, and a sublist if the number varies; what is below is laid over each other in turn, so sublists
//! nest. Kinds that exclude each other at one place stand for the same thing and are one field. Where the content of an
//! element is one text to a reader, whatever formats it, it is not taken apart (`content`, `pieces`). A field is a column: for each
//! record the node that holds it, or none. Nothing ever moves to another record.
//!
//! Paper: Fontán et al. 2012, section 3 (alignment) and 4.1 (variability tells sublists from fields). Their strings of
//! tags are aligned by edit distance, which can shift a value into a neighbouring column; here places decide.
//!
//! # Cost
//!
//! Each node below the records is looked at once, and once more for each element around it whose content is one line.

use std::ops::Range;

use hashbrown::{HashMap, HashSet};
use windrow_dom::{Document, NodeId, names};

mod apart;
pub(crate) mod content;
mod group;
mod label_lines;
mod labelled;
mod lines;
mod mixed;
mod pairs;
pub(crate) mod pieces;
mod several;
pub(crate) mod shape;
mod whole;

use self::pieces::Content;
use crate::page_view::{PageView, is_heading, share_class};
use crate::scope::{Cut, Record};

/// A field: for each record, where it is.
#[derive(Debug, Clone)]
pub(crate) struct Column {
    pub(crate) nodes: Vec<Option<NodeId>>,
    /// What of the node's text counts.
    pub(crate) part: Part,
    /// The label that tells it from others that look alike.
    pub(crate) label: Option<String>,
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
    /// What stands in front of a label at the end.
    Before(String),
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
            Part::Before(label) => text.trim_end().strip_suffix(label.as_str()).map_or("", str::trim),
            Part::Labelled(label) => lines.find_map(|line| line.strip_prefix(label.as_str())).unwrap_or("").trim(),
        }
    }
}

/// A list in each record.
#[derive(Debug, Clone)]
pub(crate) struct Sublist {
    /// The record each of its records is in, and its node.
    pub(crate) items: Vec<(usize, NodeId)>,
    /// Whether each goes on up to the next one, or to the end of what holds them.
    pub(crate) run: bool,
    pub(crate) template: Template,
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
/// Cells of a row that are told apart by their number.
const MOST_CELLS: usize = 24;
/// Levels of sublists.
const LEVELS: usize = 3;
/// Class words of an element that say what it is; more say how it looks.
const MOST_WORDS: usize = 3;
/// Bytes of the longest label.
const LABEL: usize = 40;
/// Leaves of an element that holds a price and an old price, at most: the words for screen readers are some.
const MOST_LEAVES_OF_PRICES: usize = 8;
/// Elements inside elements that are taken apart; what is deeper is one text.
const DEPTH: usize = 100;

/// Lays the records over each other.
pub(crate) fn overlay(view: &PageView<'_>, cut: Cut, records: &[Record]) -> Template {
    let nodes: usize = records.iter().map(|record| record.end.index() - record.first.index()).sum();
    let columns = (MOST_WORK / nodes.max(1)).clamp(16, MOST_KINDS);
    let weight = weight_of(view, records);
    let mut merge =
        Merge { view, count: records.len(), columns, weight, template: Template::default(), level: 0, samples: None };
    merge.records(cut, records);
    reunite(view, records, &mut merge.template.columns);
    merge.template
}

/// Puts columns together that stand for the same in records of two kinds: no record has both, their elements have the same class, and no
/// third column could be meant.
fn reunite(view: &PageView<'_>, records: &[Record], columns: &mut Vec<Column>) {
    let marks: Vec<Option<u64>> = columns.iter().map(|column| mark_of(view, records, column)).collect();
    let apart = |one: &Column, other: &Column| {
        one.nodes.iter().zip(&other.nodes).all(|(one, other)| one.is_none() || other.is_none())
    };
    let mut gone = vec![false; columns.len()];
    for at in 0..columns.len() {
        let Some(mark) = marks[at] else { continue };
        let like: Vec<usize> = (0..columns.len()).filter(|&other| marks[other] == Some(mark)).collect();
        if let [one, other] = like[..]
            && at == one
            && apart(&columns[one], &columns[other])
        {
            let nodes = std::mem::take(&mut columns[other].nodes);
            columns[one].nodes.iter_mut().zip(nodes).for_each(|(own, node)| *own = own.or(node));
            gone[other] = true;
        }
    }
    let mut at = 0;
    columns.retain(|_| {
        at += 1;
        !gone[at - 1]
    });
}

/// The look of the elements of a column, if they are of one class everywhere.
fn mark_of(view: &PageView<'_>, records: &[Record], column: &Column) -> Option<u64> {
    let document = view.document;
    if column.part != Part::All || column.label.is_some() {
        return None;
    }
    let mut found = None;
    for (record, node) in records.iter().zip(&column.nodes) {
        let Some(node) = *node else { continue };
        let element = if document.is_text(node) { document.parent(node)? } else { node };
        let alone = view.leaves_below(element).len() <= view.leaves_below(node).len().max(1);
        if element <= record.first || !alone || !view.has_class(element) {
            return None;
        }
        let own = view.step(element);
        if *found.get_or_insert(own) != own {
            return None;
        }
    }
    found
}

/// What a reader sees of a record, at the mean.
fn weight_of(view: &PageView<'_>, records: &[Record]) -> f32 {
    let all: f32 = records.iter().map(|record| view.weight_in(record.first, record.end)).sum();
    all / records.len().max(1) as f32
}

/// A place or a group of like elements in records, with what is seen of it: what the models are fitted from.
#[derive(Debug, Clone)]
pub struct Sample {
    /// Whether it is one element in each record, or several.
    pub several: bool,
    /// Whether it is inside of the elements of a group.
    pub inner: bool,
    /// By record, its elements.
    pub members: Vec<(usize, Vec<NodeId>)>,
    /// What is seen of it.
    pub look: Vec<f32>,
}

/// What the numbers of the samples are, of places and of groups.
pub fn sample_names() -> [Vec<&'static str>; 2] {
    [content::NAMES.to_vec(), several::NAMES.to_vec()]
}

/// Everything in records that had to be decided.
pub fn samples(document: &Document, records: &[Range<NodeId>], runs: bool) -> Vec<Sample> {
    let view = PageView::new(document, crate::page_view::Unseen::LeftOut);
    let records: Vec<Record> = records.iter().map(|record| Record { first: record.start, end: record.end }).collect();
    let weight = weight_of(&view, &records);
    let mut merge = Merge {
        view: &view,
        count: records.len(),
        columns: MOST_KINDS,
        weight,
        template: Template::default(),
        level: 0,
        samples: Some(Vec::new()),
    };
    merge.records(if runs { Cut::Starts } else { Cut::Nodes }, &records);
    merge.samples.unwrap_or_default()
}

impl Merge<'_, '_> {
    fn records(&mut self, cut: Cut, records: &[Record]) {
        if cut == Cut::Nodes {
            // The records are of one kind, whatever their own classes say.
            self.single(records.iter().map(|record| record.first).enumerate().collect(), 0);
            return;
        }
        let tops: Members = records
            .iter()
            .enumerate()
            .map(|(number, record)| {
                let document = self.view.document;
                let siblings = std::iter::successors(Some(record.first), |&node| document.next_sibling(node));
                (number, siblings.take_while(|&node| node < record.end).collect())
            })
            .collect();
        self.places(tops, 1);
    }
}

struct Merge<'o, 'd> {
    view: &'o PageView<'d>,
    /// How many records there are.
    count: usize,
    /// Columns it may have.
    columns: usize,
    /// What a reader sees of a record, at the mean.
    weight: f32,
    template: Template,
    level: usize,
    /// What had to be decided, if that is asked for.
    samples: Option<Vec<Sample>>,
}

impl Merge<'_, '_> {
    /// Sorts the nodes that stand at one place in the records by kind. Each record's nodes are in order.
    fn places(&mut self, places: Members, depth: usize) {
        // Kinds in the order in which a reader meets them.
        let mut kinds: Vec<(u64, Members)> = Vec::new();
        let empty = self.empty_ones(&places);
        for (record, nodes) in places {
            let mut after = 0;
            for node in nodes {
                if !self.view.has_content(node) && !empty.contains(&node) || self.view.is_hidden(node) {
                    continue;
                }
                let step = pieces::kind(self.view, node);
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
        let mut kinds = mixed::gather(self.view, apart::split(self.view, kinds));
        let pairs = self.pairs(&mut kinds);
        for members in self.join(kinds) {
            self.kind(members, depth);
        }
        if let Some((firsts, seconds)) = pairs {
            match pairs::labels(self.view, &firsts, &seconds) {
                Some(labels) => {
                    for (label, members) in labels {
                        self.labelled_column(&members, Part::All, Some(label));
                    }
                }
                None => self.runs(&firsts),
            }
        }
    }

    /// Takes two kinds that stand in turn out of the kinds, if they are labels with their values or the records of a list.
    fn pairs(&self, kinds: &mut Vec<(u64, Members)>) -> Option<(Members, Members)> {
        if self.samples.is_some() || self.level >= LEVELS {
            return None;
        }
        let (first, second) = pairs::find(self.view, kinds)?;
        let told = pairs::labels(self.view, &kinds[first].1, &kinds[second].1).is_some();
        if !told && !pairs::is_list(self.view, &kinds[first].1) {
            return None;
        }
        let (firsts, seconds) = (kinds[first].1.clone(), kinds[second].1.clone());
        let mut at = 0;
        kinds.retain(|_| {
            at += 1;
            at - 1 != first && at - 1 != second
        });
        Some((firsts, seconds))
    }

    /// The empty elements that hold a place open: those of a kind of which each record has as many, if they are counted. The cells of
    /// a table made of `div` are such.
    fn empty_ones(&self, places: &Members) -> HashSet<NodeId> {
        let document = self.view.document;
        let mut kinds: HashMap<u64, Vec<(usize, usize)>> = HashMap::new();
        let mut empty: Vec<(u64, NodeId)> = Vec::new();
        for (number, (_, nodes)) in places.iter().enumerate() {
            for &node in nodes.iter().filter(|&&node| document.is_element(node) && !self.view.is_hidden(node)) {
                let (step, full) = (self.view.step(node), self.view.has_content(node));
                if !full {
                    empty.push((step, node));
                }
                let known = kinds.entry(step).or_default();
                match known.last_mut() {
                    Some(last) if last.0 == number => last.1 += 1,
                    _ => known.push((number, 1)),
                }
            }
        }
        empty.retain(|(step, _)| {
            kinds.get(step).is_some_and(|counts| {
                let count = counts[0].1;
                counts.len() == places.len()
                    && (2..=MOST_CELLS).contains(&count)
                    && counts.iter().all(|own| own.1 == count)
            })
        });
        empty.into_iter().map(|(_, node)| node).collect()
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
        let document = self.view.document;
        let (first, second) = (one[0].1[0], other[0].1[0]);
        // The cells of one column are one field.
        let is_cell = |node: NodeId| matches!(document.name_id(node), Some(names::TD | names::TH));
        if is_cell(first) && is_cell(second) && self.view.column(first) == self.view.column(second) {
            return true;
        }
        // What begins with a label of its own is a field of its own.
        let labels = [self.first_label(one), self.first_label(other)];
        let is_sure = |(label, members): (&Option<String>, &Members)| label.is_some() && members.len() > 2;
        if labels[0] != labels[1] && [(&labels[0], one), (&labels[1], other)].into_iter().any(is_sure) {
            return false;
        }
        // One with a class word more is the same with a mark on it, if it says the same kind of thing.
        let more = |inner: NodeId, outer: NodeId| {
            let (inner, outer) = (self.view.class_words(inner), self.view.class_words(outer));
            !inner.is_empty() && inner.len() < outer.len() && inner.iter().all(|word| outer.contains(word))
        };
        let number = |node: NodeId| document.text_content(node).contains(|c: char| c.is_ascii_digit());
        let marked = document.name_id(first) == document.name_id(second)
            && (more(first, second) || more(second, first))
            && number(first)
            && number(second);
        // Of few class words, one in common says that both are of one sort: `rank new` and `rank up`.
        let words = |node: NodeId| self.view.class_words(node).len();
        let few = |node: NodeId| (1..=MOST_WORDS).contains(&words(node)) && words(node) == words(first);
        let sort = document.name_id(first) == document.name_id(second)
            && few(first)
            && few(second)
            && self.view.class_words(first).iter().any(|word| self.view.class_words(second).contains(word));
        if !marked && !sort && (self.is_mark(one, other) || self.is_mark(other, one)) {
            return false;
        }
        let image = |node: NodeId| document.name_id(node) == Some(names::IMG);
        let wraps = |outer: NodeId, inner: NodeId| {
            let mut below = document.children(outer).filter(|&child| self.view.has_content(child));
            below.next().is_some_and(|child| self.view.step(child) == self.view.step(inner)) && below.next().is_none()
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
                // The title of a lead story is a heading of another level.
                if is_heading(document, first) && is_heading(document, second) {
                    return either;
                }
                return document.name_id(first) == document.name_id(second) && (!classed || either);
            }
            Likeness::Wrapped => return wraps(first, second) || wraps(second, first),
            Likeness::Instead if image(first) || image(second) => return false,
            Likeness::Instead => {}
        }
        let size = |members: &Members| {
            let mut sizes: Vec<usize> =
                members.iter().take(64).map(|(_, nodes)| self.view.leaves_below(nodes[0]).len()).collect();
            sizes.sort_unstable();
            sizes[sizes.len() / 2]
        };
        let (less, more) = (one.len().min(other.len()), one.len() + other.len());
        records >= 4 && less >= 2 && more * 20 >= records * 19 && size(one) == size(other)
    }

    /// The label that all elements of a kind begin with, if they have one with a colon.
    fn first_label(&self, members: &Members) -> Option<String> {
        let document = self.view.document;
        let label = |node: NodeId| {
            let leaf = self.view.leaves_below(node).first()?;
            let text = if document.is_text(leaf.node) {
                shape::collapse(document.text(leaf.node))
            } else {
                shape::collapse(&document.visible_text(leaf.node))
            };
            let end = text.find([':', '：'])?;
            (end <= LABEL && text.starts_with(char::is_alphabetic)).then(|| text[..end].to_owned())
        };
        let first = label(members[0].1[0])?;
        members.iter().take(16).all(|(_, nodes)| label(nodes[0]).as_ref() == Some(&first)).then_some(first)
    }

    /// Whether a kind only marks its records: it says the same wherever it stands, and the other one never says that.
    fn is_mark(&self, mark: &Members, other: &Members) -> bool {
        let value = |member: &(usize, Vec<NodeId>)| {
            self.view.leaves_below(member.1[0]).iter().fold(0u64, |sum, leaf| sum.rotate_left(5) ^ leaf.value)
        };
        let said = value(&mark[0]);
        let document = self.view.document;
        // A number that varies with its class is a value, and a link leads to the thing that it names.
        let (first, second) = (mark[0].1[0], other[0].1[0]);
        let is_link = |node: NodeId| document.name_id(node) == Some(names::A) && document.attr(node, "href").is_some();
        let number = || document.text_content(first).contains(|c: char| c.is_ascii_digit());
        if is_link(first) && is_link(second) || number() && share_class(document, first, second) {
            return false;
        }
        mark.len() >= 3
            && other.len() >= 2
            && mark.iter().all(|member| value(member) == said)
            && other.iter().any(|member| value(member) != value(&other[0]))
            && other.iter().all(|member| value(member) != said)
    }

    /// The nodes of one kind at one place.
    fn kind(&mut self, members: Members, depth: usize) {
        let most = members.iter().map(|(_, nodes)| nodes.len()).max().unwrap_or(0);
        if self.samples.is_some() && most > 1 {
            let look = several::look(self.view, &members).to_vec();
            if let Some(samples) = &mut self.samples {
                samples.push(Sample { several: true, inner: self.level > 0, members: members.clone(), look });
            }
            return self.sublist(&members);
        }
        if most <= 1 {
            let single = members.into_iter().map(|(record, nodes)| (record, nodes[0])).collect();
            return self.single(single, depth);
        }
        if self.by_label(&members) {
            return;
        }
        if self.level < LEVELS && has_headers(self.view.document, &members) {
            return self.sublist(&members);
        }
        let least = members.iter().map(|(_, nodes)| nodes.len()).min().unwrap_or(0);
        if members.iter().flat_map(|(_, nodes)| nodes).any(|&node| !self.view.has_content(node)) {
            for number in 0..most {
                let filled = |node: &NodeId| self.view.has_content(*node);
                let nth = |(record, nodes): &(usize, Vec<NodeId>)| {
                    Some((*record, *nodes.get(number).filter(|node| filled(node))?))
                };
                let column: Vec<(usize, NodeId)> = members.iter().filter_map(nth).collect();
                if !column.is_empty() {
                    self.single(column, depth);
                }
            }
            return;
        }
        // Texts between tags are pieces of one place, not a list.
        let texts = members.iter().all(|(_, nodes)| nodes.iter().all(|&node| self.view.document.is_text(node)));
        let sublist = !texts
            && self.level < LEVELS
            && (most > MOST_FIELDS
                || most != least
                || several::sublist(self.view, &members) > 0.5
                || several::share_words(self.view, &members));
        if sublist {
            return self.sublist(&members);
        }
        for number in 0..most.min(MOST_FIELDS * 2) {
            let nth = |(record, nodes): &(usize, Vec<NodeId>)| nodes.get(number).map(|&node| (*record, node));
            self.single(members.iter().filter_map(nth).collect(), depth);
        }
    }

    /// Takes like elements that each begin or end with a label of their own as a column for each label, though some of them are
    /// missing here and there; false if they are not such.
    fn by_label(&mut self, members: &Members) -> bool {
        let Some(labels) = labelled::labels(self.view, members) else { return false };
        for label in labels {
            let part = if label.first { Part::Labelled(label.text.clone()) } else { Part::Before(label.text.clone()) };
            self.labelled_column(&label.members, part, Some(label.text));
        }
        true
    }

    /// Nodes that are a list in each record.
    fn sublist(&mut self, members: &Members) {
        let mut items: Vec<(usize, NodeId)> =
            members.iter().flat_map(|(record, nodes)| nodes.iter().map(|&node| (*record, node))).collect();
        // A row of headers names the columns of the other rows.
        let is_head = |node: NodeId| is_header_row(self.view.document, node);
        if items.iter().any(|item| !is_head(item.1)) {
            items.retain(|item| !is_head(item.1));
        }
        let records: Vec<Record> = items.iter().map(|&(_, node)| Record::node(self.view.document, node)).collect();
        let mut inner = Merge {
            view: self.view,
            count: items.len(),
            columns: self.columns,
            weight: weight_of(self.view, &records),
            template: Template::default(),
            level: self.level + 1,
            samples: self.samples.take(),
        };
        inner.single(items.iter().enumerate().map(|(number, (_, node))| (number, *node)).collect(), 0);
        self.samples = inner.samples;
        let mut template = inner.template;
        // A list that is laid out in columns or rows is one list: what is around each part of it says nothing.
        if template.columns.is_empty() && template.sublists.len() == 1 {
            let inner = template.sublists.remove(0);
            items = inner.items.into_iter().map(|(outer, node)| (items[outer].0, node)).collect();
            template = inner.template;
        }
        self.template.sublists.push(Sublist { items, run: false, template });
    }

    /// Nodes that begin the records of a list in each record.
    fn runs(&mut self, firsts: &Members) {
        let document = self.view.document;
        let items: Vec<(usize, NodeId)> =
            firsts.iter().flat_map(|(record, nodes)| nodes.iter().map(|&node| (*record, node))).collect();
        let records: Vec<Record> = run_records(document, &items);
        let mut inner = Merge {
            view: self.view,
            count: items.len(),
            columns: self.columns,
            weight: weight_of(self.view, &records),
            template: Template::default(),
            level: self.level + 1,
            samples: None,
        };
        inner.records(Cut::Starts, &records);
        self.template.sublists.push(Sublist { items, run: true, template: inner.template });
    }

    /// One node in each of these records: a column if it is one piece, else what is below it.
    fn single(&mut self, members: Vec<(usize, NodeId)>, depth: usize) {
        let document = self.view.document;
        let atom = |node: NodeId| !document.is_element(node) || document.name_id(node) == Some(names::IMG);
        if self.samples.is_some() && depth < DEPTH && !members.iter().all(|&(_, node)| atom(node)) {
            if depth > 0 || self.level > 0 {
                let place = content::Place { members: &members, depth, record_weight: self.weight };
                let look = content::look(self.view, &place).to_vec();
                let sample = Sample {
                    several: false,
                    inner: self.level > 0,
                    members: members.iter().map(|&(record, node)| (record, vec![node])).collect(),
                    look,
                };
                if let Some(samples) = &mut self.samples {
                    samples.push(sample);
                }
            }
            let children = |node: NodeId| match document.is_element(node) {
                true => document.children(node).collect(),
                false => vec![node],
            };
            let below = members.iter().map(|&(record, node)| (record, children(node))).collect();
            return self.places(below, depth + 1);
        }
        if let Some(tags) = self.tags(&members) {
            return self.sublist(&tags);
        }
        if let Some((struck, rest)) = self.struck_out(&members) {
            self.column(&struck, Part::All);
            return self.single(rest, depth + 1);
        }
        let content = match depth < DEPTH {
            true => self.content(&members, depth),
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
                // A line of its own may stand in front of the labelled ones.
                let told = |text: &str| labels.iter().any(|label| text.starts_with(label.as_str()));
                let text = |node: NodeId| document.visible_text(node);
                let first = |&(_, node): &(usize, NodeId)| {
                    text(node).lines().next().is_some_and(|line| !line.trim().is_empty() && !told(line.trim()))
                };
                if members.iter().all(first) {
                    self.column(&members, Part::Line(0));
                }
                for label in labels {
                    self.column(&members, Part::Labelled(label));
                }
            }
            Content::Parts => {
                let children = |node: NodeId| match self.view.document.is_element(node) {
                    true => self.view.document.children(node).collect(),
                    false => vec![node],
                };
                let below = members.iter().map(|&(record, node)| (record, children(node))).collect();
                self.places(below, depth + 1);
            }
        }
    }

    /// How the content of elements, one of each record, is to be taken.
    fn content(&self, members: &[(usize, NodeId)], depth: usize) -> Content {
        let content = pieces::content(self.view, members, depth == 0);
        let document = self.view.document;
        if depth == 0 && self.level == 0
            || !matches!(content, Content::Whole | Content::Parts)
            || members.iter().all(|&(_, node)| content::is_single(self.view, node) || !document.is_element(node))
        {
            return content;
        }
        let place = content::Place { members, depth, record_weight: self.weight };
        match content {
            Content::Parts if content::is_prose(self.view, &place) => Content::Whole,
            _ => content,
        }
    }

    /// The struck-out amounts in some of these elements, and what holds the other amount in each: an old price is another field than
    /// the price, which stands alone where there is no old one.
    #[allow(clippy::type_complexity)]
    fn struck_out(&self, members: &[(usize, NodeId)]) -> Option<(Vec<(usize, NodeId)>, Vec<(usize, NodeId)>)> {
        let document = self.view.document;
        let text = |node: NodeId| shape::collapse(&document.visible_text(node));
        let is_struck =
            |&id: &NodeId| matches!(document.name(id), Some("del" | "s" | "strike")) && shape::is_value(&text(id));
        let (mut struck, mut rest) = (Vec::new(), Vec::new());
        for &(record, node) in members {
            if self.view.leaves_below(node).len() > MOST_LEAVES_OF_PRICES {
                return None;
            }
            let Some(old) = document.descendants(node).skip(1).find(is_struck) else {
                rest.push((record, node));
                continue;
            };
            struck.push((record, old));
            // The siblings of the old price that have content: just one of them holds the other.
            let parent = document.parent(old).unwrap_or(node);
            let mut others = document.children(parent).filter(|&child| child != old && self.view.has_content(child));
            if let (Some(other), None) = (others.next(), others.next()) {
                rest.push((record, other));
            }
        }
        // Where all have an old price, or none, the elements are told apart by their place. The other may be a range of amounts.
        let is_amount = |text: &str| text.contains(|c: char| c.is_ascii_digit()) && text.chars().count() <= LABEL;
        let some = !struck.is_empty() && struck.len() < members.len();
        (some && rest.iter().all(|&(_, node)| is_amount(&text(node)))).then_some((struck, rest))
    }

    /// The link in each of these elements, if nothing else is there and the page says that it is one of the record's tags or
    /// categories: there may be more of them on other pages.
    fn tags(&self, members: &[(usize, NodeId)]) -> Option<Members> {
        let document = self.view.document;
        if self.level > 0 || members.len() < 2 {
            return None;
        }
        let is_tag = |&id: &NodeId| {
            let rel = document.attr(id, "rel").unwrap_or_default();
            document.name_id(id) == Some(names::A)
                && rel.split_ascii_whitespace().any(|word| matches!(word, "tag" | "category"))
        };
        let tag = |&(record, node): &(usize, NodeId)| {
            let link = std::iter::once(node).chain(document.descendants(node).take(8)).find(is_tag)?;
            let whole = self.view.leaves_below(link).len() == self.view.leaves_below(node).len();
            (whole && self.view.has_content(link)).then(|| (record, vec![link]))
        };
        members.iter().map(tag).collect()
    }

    /// The first image in each of these texts, if a third of them have one.
    fn images(&self, members: &[(usize, NodeId)]) -> Option<Vec<(usize, NodeId)>> {
        let document = self.view.document;
        let is = |node: NodeId| document.name_id(node) == Some(names::IMG);
        let found: Vec<(usize, NodeId)> = members
            .iter()
            .filter(|&&(_, node)| !is(node))
            .filter_map(|&(record, node)| {
                let leaf = self.view.leaves_below(node).iter().find(|leaf| is(leaf.node))?;
                Some((record, leaf.node))
            })
            .collect();
        (found.len() * 3 >= members.len() && !found.is_empty()).then_some(found)
    }

    fn column(&mut self, members: &[(usize, NodeId)], part: Part) {
        self.labelled_column(members, part, None);
    }

    fn labelled_column(&mut self, members: &[(usize, NodeId)], part: Part, label: Option<String>) {
        if self.template.columns.len() < self.columns {
            let mut nodes = vec![None; self.count];
            for &(record, node) in members {
                nodes[record] = Some(node);
            }
            self.template.columns.push(Column { nodes, part, label });
        }
    }
}

/// The siblings from each of these nodes up to the next one that has the same parent, or to the end of what holds them.
pub(crate) fn run_records(document: &Document, items: &[(usize, NodeId)]) -> Vec<Record> {
    let end = |at: usize| {
        let (_, first) = items[at];
        let parent = document.parent(first);
        let next = items.get(at + 1).filter(|next| next.1 > first && document.parent(next.1) == parent);
        next.map_or_else(|| document.subtree_end(parent.unwrap_or(first)), |next| next.1)
    };
    items.iter().enumerate().map(|(at, &(_, first))| Record { first, end: end(at) }).collect()
}

/// Says whether a row of a table has headers in it and nothing else.
fn is_header_row(document: &Document, row: NodeId) -> bool {
    let mut cells = document.children(row).filter(|&cell| document.is_element(cell)).peekable();
    document.name_id(row) == Some(names::TR)
        && cells.peek().is_some()
        && cells.all(|cell| document.name_id(cell) == Some(names::TH))
}

/// Says whether rows of a table have a row of headers above them, in a table of their own in each record: they are a list, however many
/// they are.
fn has_headers(document: &Document, members: &Members) -> bool {
    let table = |row: NodeId| document.ancestors(row).take(2).find(|&id| document.name_id(id) == Some(names::TABLE));
    let mut last = None;
    members.iter().all(|(_, rows)| {
        let table = rows.first().and_then(|&row| table(row));
        let own = table.is_some() && table != last;
        last = table;
        own && table.is_some_and(|table| {
            let mut rows = document.descendants(table).filter(|&id| document.name_id(id) == Some(names::TR));
            rows.next().is_some_and(|row| is_header_row(document, row) && document.children(row).count() > 1)
        })
    })
}

/// Whether no record has both.
fn apart(one: &Members, other: &Members) -> bool {
    other.iter().all(|member| one.binary_search_by_key(&member.0, |member| member.0).is_err())
}
