//! What is known of the words of an entry: which are the feed's, which the template's, and where the body may be.

use std::hash::{BuildHasher, Hasher};
use std::ops::Range;

use foldhash::fast::FixedState;
use hashbrown::{HashMap, HashSet};
use windrow_dom::{Document, NodeId, names};

use super::{Body, Case};
use crate::page_view::{Leaf, is_heading};

/// Elements around the beginning of a body that are looked at.
const HEIGHTS: usize = 16;
/// Bytes of a line that says who wrote an entry.
const SIGNED: usize = 200;
/// Words that an element adds to those inside it before they are looked at.
const ADDED: usize = 5;
/// The share of these that are the template's if the body ends there.
const TEMPLATE: f32 = 0.3;
/// Words that may stand in front of a body in its element.
const BEFORE: usize = 3;

/// A case with what is known of its words.
pub(super) struct Known<'c, 's, 'p> {
    pub(super) case: &'c Case<'s, 'p>,
    /// What keys are taken below.
    base: NodeId,
    /// The words of the entry.
    words: Range<usize>,
    /// By word: whether it is the template's.
    noise: Vec<bool>,
    /// By word: whether it may be the template's, which does not have it everywhere.
    pub(super) likely: Vec<bool>,
    /// The node that the body begins with.
    begin: NodeId,
    /// The feed's words among those of the entry.
    pub(super) common: usize,
    /// By word, and behind the last: how many in front of it are the feed's.
    told: Vec<u32>,
}

/// An element or run that may be the body.
#[derive(Debug, Clone)]
pub(super) struct Candidate {
    pub(super) body: Body,
    pub(super) key: u64,
    /// How much speaks for it, if the feed has the whole body, and if not.
    pub(super) score: [f32; 2],
    pub(super) depth: usize,
    pub(super) named: bool,
    /// There is more of the template in it than of the body.
    outside: bool,
    words: Range<usize>,
}

/// The harmonic mean.
fn mean(precision: f32, recall: f32) -> f32 {
    match precision + recall {
        0.0 => 0.0,
        sum => 2.0 * precision * recall / sum,
    }
}

/// By key and text of a leaf: in how many entries it is.
pub(super) type Repeated = HashMap<u64, u32, FixedState>;

pub(super) fn repeated(cases: &[Case<'_, '_>]) -> Repeated {
    let mut counts = Repeated::default();
    for case in cases {
        let mut own: HashSet<u64, FixedState> = HashSet::default();
        for leaf in case.sheet.view.leaves_in(case.scope.record.first, case.scope.record.end) {
            let key = leaf_key(case, leaf);
            if own.insert(key) {
                *counts.entry(key).or_insert(0) += 1;
            }
        }
    }
    counts
}

/// Where a leaf stands and what it says, numbers, dates and the author aside.
fn leaf_key(case: &Case<'_, '_>, leaf: &Leaf) -> u64 {
    let sheet = case.sheet;
    let mut hash = FixedState::default().build_hasher();
    hash.write_u64(sheet.skeleton(leaf.node));
    let text = sheet.reading.of(leaf.node);
    if text.is_empty() {
        hash.write_u64(leaf.value);
        return hash.finish();
    }
    let dates = sheet.dates_at(leaf.node);
    if dates.iter().any(|dated| dated.bytes.is_none() && dated.date.is_some()) {
        return hash.finish();
    }
    let mut values: Vec<Range<usize>> = dates.iter().filter_map(|dated| dated.bytes.clone()).collect();
    if text.len() <= SIGNED {
        let authors = case.wanted.into_iter().flat_map(|wanted| &wanted.authors).filter(|author| !author.is_empty());
        values.extend(authors.filter_map(|author| text.find(author.as_str()).map(|at| at..at + author.len())));
    }
    let dated = |at: usize| values.iter().any(|bytes| bytes.contains(&at));
    let same = text.bytes().enumerate().filter(|(at, byte)| !byte.is_ascii_digit() && !dated(*at));
    let mut empty = true;
    same.for_each(|(_, byte)| {
        empty &= byte.is_ascii_whitespace();
        hash.write_u8(byte);
    });
    if empty && values.is_empty() {
        // A number alone says nothing but itself: lines of code are numbered.
        text.bytes().for_each(|byte| hash.write_u8(byte));
        hash.write_usize(leaf.node.index());
    }
    hash.finish()
}

/// Whether a leaf is in a heading that no class calls the template's: each entry of a weblog may have its "Conclusion".
fn is_own_heading(document: &Document, leaf: NodeId) -> bool {
    let mut lineage = std::iter::once(leaf).chain(document.ancestors(leaf)).take(3);
    lineage.any(|id| is_heading(document, id) && document.attr_by_id(id, names::CLASS).is_none())
}

fn base(case: &Case<'_, '_>) -> NodeId {
    let first = case.scope.record.first;
    if case.scope.run { case.sheet.document.parent(first).unwrap_or(first) } else { first }
}

impl<'c, 's, 'p> Known<'c, 's, 'p> {
    pub(super) fn new(case: &'c Case<'s, 'p>, repeated: &Repeated, cases: usize) -> Option<Known<'c, 's, 'p>> {
        let sheet = case.sheet;
        let base = base(case);
        let words = sheet.words_in(case.scope.record.first, case.scope.record.end);
        let (mut noise, mut likely) = (vec![false; words.len()], vec![false; words.len()]);
        let mut heaviest: Option<(f32, NodeId)> = None;
        for leaf in sheet.view.leaves_in(case.scope.record.first, case.scope.record.end) {
            let mut count = repeated.get(&leaf_key(case, leaf)).copied().unwrap_or(0) as usize;
            // What the feed says as well is an author's, however often.
            if count >= 2 && case.wanted.is_some_and(|wanted| wanted.says(&sheet.words[sheet.words_at(leaf.node)])) {
                count = 0;
            }
            let outside = case.outside.iter().any(|&node| {
                node == leaf.node
                    || sheet.document.is_ancestor(node, leaf.node)
                    || sheet.document.is_ancestor(leaf.node, node)
            });
            let template = count >= 2 && count * 5 >= cases * 4 && !is_own_heading(sheet.document, leaf.node);
            let own = sheet.words_at(leaf.node);
            if count >= 2 && count * 2 >= cases && !is_own_heading(sheet.document, leaf.node) || outside {
                let own = own.start.max(words.start) - words.start..own.end.min(words.end).saturating_sub(words.start);
                if own.start < own.end {
                    likely[own.clone()].fill(true);
                    if template || outside {
                        noise[own].fill(true);
                    }
                }
            } else if !own.is_empty() && heaviest.is_none_or(|heaviest| leaf.weight > heaviest.0) {
                heaviest = Some((leaf.weight, leaf.node));
            }
        }
        for &link in &case.links {
            let own = sheet.words_at(link);
            let own = own.start.max(words.start) - words.start..own.end.min(words.end).saturating_sub(words.start);
            if own.start < own.end {
                likely[own.clone()].fill(true);
                noise[own].fill(true);
            }
        }
        let begin = case.start.and_then(|start| sheet.node_of(start)).or(heaviest.map(|heaviest| heaviest.1))?;
        let mut known = Known { case, base, words, noise, likely, begin, common: 0, told: Vec::new() };
        known.tell();
        Some(known)
    }

    /// Counts the words that are the feed's: from where the body begins, each as often as the feed has it. What the
    /// template says is not the feed's, though the words may be.
    fn tell(&mut self) {
        let Some((start, wanted)) = self.case.start.zip(self.case.wanted) else { return };
        let mut left = wanted.counts.clone();
        let mut sum = 0;
        self.told = Vec::with_capacity(self.words.len() + 1);
        for (at, word) in self.words.clone().enumerate() {
            self.told.push(sum);
            let hash = self.case.sheet.words[word].hash;
            if word >= start
                && !self.noise[at]
                && let Some(left) = left.get_mut(&hash).filter(|left| **left > 0)
            {
                *left -= 1;
                sum += 1;
            }
        }
        self.told.push(sum);
        self.common = sum as usize;
    }

    /// How many of these words are the feed's.
    pub(super) fn common(&self, words: &Range<usize>) -> usize {
        let before = |word: usize| {
            let at = word.clamp(self.words.start, self.words.end) - self.words.start;
            self.told.get(at).copied().unwrap_or(0) as usize
        };
        before(words.end).saturating_sub(before(words.start))
    }

    /// How many of these words are the template's.
    fn noisy(&self, words: &Range<usize>) -> usize {
        self.count(&self.noise, words)
    }

    pub(super) fn count(&self, marks: &[bool], words: &Range<usize>) -> usize {
        let own = words.start.max(self.words.start)..words.end.min(self.words.end);
        let own = own.start.saturating_sub(self.words.start)..own.end.saturating_sub(self.words.start);
        marks.get(own).map_or(0, |marks| marks.iter().filter(|mark| **mark).count())
    }

    pub(super) fn candidates(&self) -> Vec<Candidate> {
        let document = self.case.sheet.document;
        let mut found: Vec<Candidate> = Vec::new();
        let lineage: Vec<NodeId> = std::iter::once(self.begin)
            .chain(document.ancestors(self.begin))
            .take_while(|&id| id != self.base && id >= self.case.scope.record.first)
            .take(HEIGHTS)
            .collect();
        let mut child = self.begin;
        let mut last: Option<Range<usize>> = None;
        // Further out there is more of the template than of the body.
        let mut outside = false;
        for (depth, &id) in lineage.iter().enumerate() {
            if child != id && document.is_element(id) {
                found.extend(self.run(child, outside));
            }
            if self.case.outside.first().is_some_and(|&node| node == id || document.is_ancestor(id, node)) {
                // Not the element, but what is in it behind the title.
                child = self.base;
                break;
            }
            if document.is_element(id) {
                let named = document.attr_by_id(id, names::CLASS).is_some() || document.attr(id, "id").is_some();
                let words = self.case.sheet.words_at(id);
                outside |=
                    last.as_ref().is_some_and(|last| self.is_template(last, &words)) || self.begins_before(&words);
                found.push(Candidate {
                    body: Body::Element(id),
                    key: self.key(id),
                    score: [self.agreement(&words), 0.0],
                    depth: lineage.len() - depth,
                    named,
                    outside,
                    words: words.clone(),
                });
                last = Some(words);
            }
            child = id;
        }
        if child != self.base {
            found.extend(self.run(child, outside));
        }
        self.weigh(&mut found);
        found
    }

    /// Whether what an element has beside what is in it already is the template's.
    fn is_template(&self, inner: &Range<usize>, outer: &Range<usize>) -> bool {
        let added = outer.len().saturating_sub(inner.len());
        let noise = self.noisy(outer).saturating_sub(self.noisy(inner));
        added >= ADDED && noise as f32 >= TEMPLATE * added as f32
    }

    /// Whether there is text in front of where the body is known to begin.
    fn begins_before(&self, words: &Range<usize>) -> bool {
        let Some(start) = self.case.start else { return false };
        let before = words.start..start.max(words.start);
        before.len() - self.noisy(&before) > BEFORE
    }

    /// If the feed does not have the whole body, the body is as much as there is without the template.
    fn weigh(&self, found: &mut [Candidate]) {
        let clean = |candidate: &Candidate| (candidate.words.len() - self.noisy(&candidate.words)) as f32;
        let most = found.iter().filter(|candidate| !candidate.outside).map(clean).fold(1.0, f32::max);
        for candidate in found.iter_mut().filter(|candidate| !candidate.outside && !candidate.words.is_empty()) {
            let clean = clean(candidate);
            candidate.score[1] = mean(clean / candidate.words.len() as f32, clean / most);
        }
    }

    /// The run of siblings from one of them up to the template.
    fn run(&self, first: NodeId, outside: bool) -> Option<Candidate> {
        let document = self.case.sheet.document;
        let parent = document.parent(first)?;
        let first = self.with_images(first);
        let limit = self.case.scope.record.end.min(document.subtree_end(parent));
        let mut end = limit;
        let begin = first;
        let mut at = Some(first);
        while let Some(node) = at.filter(|&node| node < limit) {
            let words = self.case.sheet.words_at(node);
            let holds = |&outside: &NodeId| outside == node || document.is_ancestor(node, outside);
            if node != begin
                && document.is_element(node)
                && (!words.is_empty() && self.noisy(&words) * 2 >= words.len() || self.case.outside.iter().any(holds))
            {
                end = node;
                break;
            }
            at = document.next_sibling(node);
        }
        let words = self.case.sheet.words_in(first, end);
        let score = [self.agreement(&words), 0.0];
        let key = self.key(parent);
        let named = document.attr_by_id(parent, names::CLASS).is_some() || document.attr(parent, "id").is_some();
        Some(Candidate { body: Body::Run { first, end }, key, score, depth: 0, named, outside, words })
    }

    /// The first of the siblings in front of a node that say nothing: a picture above the text is a part of the body.
    fn with_images(&self, node: NodeId) -> NodeId {
        let document = self.case.sheet.document;
        let mut first = node;
        while let Some(before) = document.prev_sibling(first).filter(|&id| id >= self.case.scope.record.first) {
            let holds = |&outside: &NodeId| outside == before || document.is_ancestor(before, outside);
            if !self.case.sheet.words_at(before).is_empty() || self.case.outside.iter().any(holds) {
                break;
            }
            first = before;
        }
        first
    }

    /// How well words agree with the feed, if it has the whole body.
    fn agreement(&self, words: &Range<usize>) -> f32 {
        if words.is_empty() || self.common == 0 {
            return 0.0;
        }
        let common = self.common(words) as f32;
        mean(common / words.len() as f32, common / self.common as f32)
    }

    /// Whether an element is followed by others like it that are not the template's.
    pub(super) fn goes_on(&self, id: NodeId) -> bool {
        let document = self.case.sheet.document;
        let next = std::iter::successors(document.next_sibling(id), |&id| document.next_sibling(id));
        let mut elements = next.filter(|&id| document.is_element(id) && !self.case.sheet.words_at(id).is_empty());
        elements.next().is_some_and(|next| {
            let words = self.case.sheet.words_at(next);
            let part = matches!(
                document.name(id),
                Some(
                    "p" | "h1"
                        | "h2"
                        | "h3"
                        | "h4"
                        | "ul"
                        | "ol"
                        | "pre"
                        | "blockquote"
                        | "figure"
                        | "span"
                        | "a"
                        | "b"
                )
            );
            let like =
                document.attr_by_id(next, names::CLASS).is_none() && document.name_id(next) == document.name_id(id);
            (part || like) && self.noisy(&words) * 2 < words.len()
        })
    }

    /// Where an element stands, and what it is called.
    fn key(&self, id: NodeId) -> u64 {
        let document = self.case.sheet.document;
        let mut hash = FixedState::default().build_hasher();
        hash.write_u64(self.case.sheet.view.node_keys_below(self.base, id)[1]);
        let class = document.attr_by_id(id, names::CLASS).unwrap_or_default();
        for word in class.split_ascii_whitespace().filter(|word| !word.contains(|c: char| c.is_ascii_digit())).take(1) {
            hash.write(word.as_bytes());
        }
        hash.finish()
    }
}
