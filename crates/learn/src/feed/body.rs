//! Bodies: from where the feed's text begins on the page to the boundary of the template.
//!
//! A feed has the whole body, a part of it, or another text; a page shows more or less than the feed. What they agree on
//! is where the body begins. The body is then the element around that place that has most of it and least of the rest:
//! words that are the feed's, if the feed has the whole body, else all words that are not the template's, which says the
//! same in every entry. Where the title is in every element around the body, the body is a run of siblings, up to the
//! first that belongs to the template.
//!
//! # Cost
//!
//! For each entry, its words once for each element around the place where it begins, of which there are a few.

use std::hash::{BuildHasher, Hasher};
use std::ops::Range;

use foldhash::fast::FixedState;
use hashbrown::{HashMap, HashSet};
use windrow_dom::{NodeId, names};

use super::matcher::Wanted;
use super::sheet::Sheet;
use super::words;
use crate::outline::{By, Leaf};
use crate::scope::Scope;

/// Elements around the beginning of a body that are looked at.
const HEIGHTS: usize = 16;
/// What a body must agree with its feed to be taken as known.
const AGREES: f32 = 0.8;
/// How much better a run of siblings must be than an element.
const MARGIN: f32 = 0.04;
/// Words that the page or the feed may have between others that both have.
const SKIP: usize = 12;
/// Kinds of noise in a body.
const KINDS: usize = 6;
/// Elements of a body that are looked at for noise.
const INSIDE: usize = 2000;

/// An entry whose body is looked for.
pub(super) struct Case<'s, 'p> {
    pub(super) sheet: &'s Sheet<'p>,
    pub(super) scope: Scope,
    /// The word that it begins with, if the feed tells.
    pub(super) start: Option<usize>,
    pub(super) wanted: Option<&'s Wanted>,
    /// What is not in it: title, date.
    pub(super) outside: Vec<NodeId>,
}

/// Where a body is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Body {
    /// All there is in an element.
    Element(NodeId),
    /// Siblings: from `first` up to the node `end`.
    Run {
        /// The first of them.
        first: NodeId,
        /// The node behind them.
        end: NodeId,
    },
}

/// The bodies of entries of one template.
pub(super) struct Bodies {
    /// By case.
    pub(super) bodies: Vec<Option<Body>>,
    /// Selectors of what is in bodies, but is the template's.
    pub(super) noise: Vec<String>,
    /// Whether they agree with the feed, which has them whole.
    pub(super) whole: bool,
}

/// A case with what is known of its words.
struct Known<'c, 's, 'p> {
    case: &'c Case<'s, 'p>,
    /// What keys are taken below.
    base: NodeId,
    /// The words of the entry.
    words: Range<usize>,
    /// By word: whether it is the template's.
    noise: Vec<bool>,
    /// By word: whether it may be the template's, which does not have it everywhere.
    likely: Vec<bool>,
    /// The node that the body begins with.
    begin: NodeId,
    /// The feed's words among those of the entry.
    common: usize,
    /// From where the body begins to the template.
    grown: Range<usize>,
}

/// An element or run that may be the body.
#[derive(Debug, Clone, Copy)]
struct Candidate {
    body: Body,
    key: u64,
    /// How much speaks for it, if the feed has the whole body, and if not.
    score: [f32; 2],
    depth: usize,
    named: bool,
}

/// The bodies of these entries, which are all of one template.
pub(super) fn bodies(cases: &[Case<'_, '_>]) -> Bodies {
    let repeated = repeated(cases);
    let known: Vec<Option<Known<'_, '_, '_>>> =
        cases.iter().map(|case| Known::new(case, &repeated, cases.len())).collect();
    let candidates: Vec<Vec<Candidate>> =
        known.iter().map(|known| known.as_ref().map_or_else(Vec::new, Known::candidates)).collect();
    let told = known.iter().flatten().count().max(1) as f32;
    let mut none = Bodies { bodies: vec![None; cases.len()], noise: Vec::new(), whole: false };
    // If the feed has the whole bodies, one kind of element agrees with them.
    for mode in [0, 1] {
        let Some((key, sum, run)) = best(&candidates, mode) else { continue };
        if mode == 0 && sum / told < AGREES {
            continue;
        }
        let of =
            |own: &[Candidate]| own.iter().find(|candidate| candidate.key == key && is_run(candidate) == run).copied();
        let chosen = candidates.iter().map(|own| of(own));
        // The first of several paragraphs is what the feed has of the body, not the body.
        let goes_on = known.iter().zip(chosen).filter(|(known, chosen)| match (known, chosen) {
            (Some(known), Some(Candidate { body: Body::Element(id), named: false, .. })) => known.goes_on(*id),
            _ => false,
        });
        if mode == 0 && goes_on.count() * 2 > told as usize {
            continue;
        }
        for (at, own) in candidates.iter().enumerate() {
            let same = own.iter().filter(|candidate| candidate.key == key && is_run(candidate) == run);
            let found = same.max_by(|one, two| one.score[mode].total_cmp(&two.score[mode]));
            none.bodies[at] = found.map(|candidate| candidate.body);
        }
        none.whole = mode == 0;
        none.noise = noise(&known, &none.bodies, mode == 0);
        return none;
    }
    none
}

fn is_run(candidate: &Candidate) -> bool {
    matches!(candidate.body, Body::Run { .. })
}

/// The kind of candidates that does best in all cases: its key, how well it does, and whether it is a run.
fn best(candidates: &[Vec<Candidate>], mode: usize) -> Option<(u64, f32, bool)> {
    let mut sums: HashMap<(u64, bool), (f32, f32), FixedState> = HashMap::default();
    for own in candidates {
        let mut counted: HashSet<(u64, bool), FixedState> = HashSet::default();
        for candidate in own {
            let key = (candidate.key, is_run(candidate));
            if counted.insert(key) {
                let sum = sums.entry(key).or_default();
                sum.0 += candidate.score[mode];
                // Of elements that do as well, one with a name, then the outer one.
                sum.1 += if candidate.named { 0.02 } else { 0.0 } - 0.001 * candidate.depth as f32;
            }
        }
    }
    let order = |(key, sum): &((u64, bool), (f32, f32))| (sum.0 + sum.1, key.0);
    let of = |run: bool| {
        let own = sums.iter().filter(|(key, _)| key.1 == run).map(|(key, sum)| (*key, *sum));
        own.max_by(|one, two| order(one).partial_cmp(&order(two)).unwrap_or(std::cmp::Ordering::Equal))
    };
    let told = candidates.iter().filter(|own| !own.is_empty()).count().max(1) as f32;
    match (of(false), of(true)) {
        (Some(element), Some(run)) if run.1.0 <= element.1.0 + MARGIN * told => Some((element.0.0, element.1.0, false)),
        (_, Some(run)) => Some((run.0.0, run.1.0, true)),
        (Some(element), None) => Some((element.0.0, element.1.0, false)),
        (None, None) => None,
    }
}

/// By key and text of a leaf: in how many entries it is.
type Repeated = HashMap<u64, u32, FixedState>;

fn repeated(cases: &[Case<'_, '_>]) -> Repeated {
    let mut counts = Repeated::default();
    for case in cases {
        let base = base(case);
        let mut own: HashSet<u64, FixedState> = HashSet::default();
        for leaf in case.sheet.outline.leaves_in(case.scope.record.first, case.scope.record.end) {
            let key = leaf_key(case.sheet, base, leaf);
            if own.insert(key) {
                *counts.entry(key).or_insert(0) += 1;
            }
        }
    }
    counts
}

/// Where a leaf stands and what it says, numbers and dates aside.
fn leaf_key(sheet: &Sheet<'_>, base: NodeId, leaf: &Leaf) -> u64 {
    let mut hash = FixedState::default().build_hasher();
    hash.write_u64(sheet.outline.key_below(base, leaf, By::Tag));
    let text = sheet.reading.of(leaf.node);
    if text.is_empty() {
        hash.write_u64(leaf.value);
        return hash.finish();
    }
    let dates = sheet.dates_at(leaf.node);
    if dates.iter().any(|dated| dated.bytes.is_none()) {
        return hash.finish();
    }
    let dated = |at: usize| dates.iter().filter_map(|dated| dated.bytes.as_ref()).any(|bytes| bytes.contains(&at));
    let same = text.bytes().enumerate().filter(|(at, byte)| !byte.is_ascii_digit() && !dated(*at));
    same.for_each(|(_, byte)| hash.write_u8(byte));
    hash.finish()
}

fn base(case: &Case<'_, '_>) -> NodeId {
    let first = case.scope.record.first;
    if case.scope.run { case.sheet.document.parent(first).unwrap_or(first) } else { first }
}

impl<'c, 's, 'p> Known<'c, 's, 'p> {
    fn new(case: &'c Case<'s, 'p>, repeated: &Repeated, cases: usize) -> Option<Known<'c, 's, 'p>> {
        let sheet = case.sheet;
        let base = base(case);
        let words = sheet.words_in(case.scope.record.first, case.scope.record.end);
        let (mut noise, mut likely) = (vec![false; words.len()], vec![false; words.len()]);
        let mut heaviest: Option<(f32, NodeId)> = None;
        for leaf in sheet.outline.leaves_in(case.scope.record.first, case.scope.record.end) {
            let count = repeated.get(&leaf_key(sheet, base, leaf)).copied().unwrap_or(0) as usize;
            let outside = case.outside.iter().any(|&node| {
                node == leaf.node
                    || sheet.document.is_ancestor(node, leaf.node)
                    || sheet.document.is_ancestor(leaf.node, node)
            });
            let template = count >= 2 && count * 5 > cases * 4;
            let own = sheet.words_at(leaf.node);
            if count >= 2 && count * 2 >= cases || outside {
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
        let begin = case.start.and_then(|start| sheet.node_of(start)).or(heaviest.map(|heaviest| heaviest.1))?;
        let mut known = Known { case, base, words, noise, likely, begin, common: 0, grown: 0..0 };
        known.common = known.common(known.words.clone());
        known.grown = known.grown();
        Some(known)
    }

    /// The words from where the body begins, and what the feed has of it, up to the next of the template.
    fn grown(&self) -> Range<usize> {
        let begin = self.case.start.unwrap_or_else(|| self.case.sheet.words_at(self.begin).start);
        let begin = begin.clamp(self.words.start, self.words.end);
        let is_noise = |word: &usize| self.noise[word - self.words.start];
        let told = self.case.wanted.filter(|_| self.case.start.is_some()).map_or(1, |wanted| self.told(begin, wanted));
        let end = (begin + told..self.words.end).find(is_noise).unwrap_or(self.words.end);
        // Where the feed does not say where it begins, it begins behind the template.
        let start = match self.case.start {
            Some(_) => begin,
            None => (self.words.start..begin).rev().find(is_noise).map_or(self.words.start, |word| word + 1),
        };
        start..end.max(start)
    }

    /// How many words from a place on are the feed's, in its order.
    fn told(&self, begin: usize, wanted: &Wanted) -> usize {
        let page = &self.case.sheet.words[begin..self.words.end];
        let mut feed = wanted.body.iter();
        let mut told = 1;
        for (at, word) in page.iter().enumerate() {
            // What the page has and the feed has not is skipped, and the other way round.
            match feed.clone().take(SKIP).position(|other| *other == word.hash) {
                Some(skipped) => {
                    feed.nth(skipped);
                    told = at + 1;
                }
                None if at > told + SKIP => break,
                None => {}
            }
        }
        told
    }

    /// How many of these words are the feed's.
    fn common(&self, words: Range<usize>) -> usize {
        let Some(wanted) = self.case.wanted.filter(|_| self.case.start.is_some()) else { return 0 };
        let own = words.filter(|word| !self.is_outside(*word)).map(|word| self.case.sheet.words[word].hash);
        words::common(own, &wanted.counts)
    }

    fn is_outside(&self, word: usize) -> bool {
        let at = self.case.sheet.words[word].start;
        self.case.outside.iter().any(|&node| self.case.sheet.reading.range(node).contains(&at))
    }

    /// How many of these words are the template's.
    fn noisy(&self, words: &Range<usize>) -> usize {
        self.count(&self.noise, words)
    }

    fn count(&self, marks: &[bool], words: &Range<usize>) -> usize {
        let own = words.start.max(self.words.start)..words.end.min(self.words.end);
        let own = own.start.saturating_sub(self.words.start)..own.end.saturating_sub(self.words.start);
        marks.get(own).map_or(0, |marks| marks.iter().filter(|mark| **mark).count())
    }

    fn candidates(&self) -> Vec<Candidate> {
        let document = self.case.sheet.document;
        let mut found = Vec::new();
        let lineage: Vec<NodeId> = std::iter::once(self.begin)
            .chain(document.ancestors(self.begin))
            .take_while(|&id| id != self.base && id >= self.case.scope.record.first)
            .take(HEIGHTS)
            .collect();
        let lineage_end = lineage.len();
        let mut child = self.begin;
        for (depth, &id) in lineage.iter().enumerate() {
            let title = self.case.outside.first().is_some_and(|&node| node == id || document.is_ancestor(id, node));
            if title {
                // Not the element, but what is in it behind the title.
                found.extend(self.run(child));
                return found;
            }
            if document.is_element(id) && child != id {
                found.extend(self.run(child));
            }
            if document.is_element(id) {
                let named = document.attr_by_id(id, names::CLASS).is_some() || document.attr(id, "id").is_some();
                let score = self.score(&self.case.sheet.words_at(id));
                let key = self.key(id);
                found.push(Candidate { body: Body::Element(id), key, score, depth: lineage_end - depth, named });
            }
            child = id;
        }
        found.extend(self.run(child));
        found
    }

    /// The run of siblings from one of them up to the template.
    fn run(&self, first: NodeId) -> Option<Candidate> {
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
        let score = self.score(&words);
        let key = self.key(parent);
        Some(Candidate { body: Body::Run { first, end }, key, score, depth: 0, named: false })
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

    /// How well words do as the body: if the feed has all of it, and if not.
    fn score(&self, words: &Range<usize>) -> [f32; 2] {
        if words.is_empty() {
            return [0.0; 2];
        }
        let mean = |precision: f32, recall: f32| match precision + recall {
            0.0 => 0.0,
            sum => 2.0 * precision * recall / sum,
        };
        let all = words.len() as f32;
        let common = if self.common > 0 { self.common(words.clone()) as f32 } else { 0.0 };
        let inside = words.end.min(self.grown.end).saturating_sub(words.start.max(self.grown.start)) as f32;
        [
            mean(common / all, common / self.common.max(1) as f32),
            mean(inside / all, inside / self.grown.len().max(1) as f32),
        ]
    }

    /// Whether an element is followed by others like it that are not the template's.
    fn goes_on(&self, id: NodeId) -> bool {
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
        hash.write_u64(self.case.sheet.outline.node_keys_below(self.base, id)[1]);
        let class = document.attr_by_id(id, names::CLASS).unwrap_or_default();
        for word in class.split_ascii_whitespace().filter(|word| !word.contains(|c: char| c.is_ascii_digit())).take(1) {
            hash.write(word.as_bytes());
        }
        hash.finish()
    }
}

/// Selectors of elements in the bodies that are the template's: they say the same everywhere, or nothing that the feed
/// has, and are named alike in several entries.
fn noise(known: &[Option<Known<'_, '_, '_>>], bodies: &[Option<Body>], whole: bool) -> Vec<String> {
    // By selector: cases in which all such elements are noise, and those in which one is not.
    let mut votes: HashMap<String, (u32, u32), FixedState> = HashMap::default();
    for (known, body) in known.iter().zip(bodies) {
        let (Some(known), Some(body)) = (known, body) else { continue };
        let document = known.case.sheet.document;
        let (first, end) = match *body {
            Body::Element(id) => (NodeId::from_index(id.index() + 1), document.subtree_end(id)),
            Body::Run { first, end } => (first, end),
        };
        let mut own: HashMap<String, bool, FixedState> = HashMap::default();
        let mut inside: NodeId = first;
        let nodes = (first.index()..end.index()).map(NodeId::from_index).filter(|&id| document.is_element(id));
        for id in nodes.take(INSIDE) {
            let words = known.case.sheet.words_at(id);
            if words.is_empty() {
                continue;
            }
            let foreign = whole && known.common > 0 && known.common(words.clone()) * 4 < words.len();
            let is_noise = known.count(&known.likely, &words) == words.len() || foreign;
            // What is in noise is told by it.
            if is_noise && id < inside {
                continue;
            }
            if is_noise {
                inside = document.subtree_end(id);
            }
            for selector in selectors(document, id) {
                let all = own.entry(selector).or_insert(true);
                *all &= is_noise;
            }
        }
        for (selector, all) in own {
            let vote = votes.entry(selector).or_default();
            if all { vote.0 += 1 } else { vote.1 += 1 }
        }
    }
    let cases = bodies.iter().flatten().count() as u32;
    let mut found: Vec<(u32, String)> = votes
        .into_iter()
        .filter(|(_, (noise, body))| *body == 0 && *noise >= 2 && noise * 3 >= cases)
        .map(|(selector, (noise, _))| (noise, selector))
        .collect();
    found.sort_by(|one, two| {
        two.0.cmp(&one.0).then_with(|| one.1.len().cmp(&two.1.len())).then_with(|| one.1.cmp(&two.1))
    });
    found.truncate(KINDS);
    found.into_iter().map(|(_, selector)| selector).collect()
}

/// Selectors of an element by its names.
fn selectors(document: &windrow_dom::Document, id: NodeId) -> Vec<String> {
    let plain = |word: &&str| {
        word.starts_with(|c: char| c.is_ascii_alphabetic())
            && word.chars().all(|c| c.is_ascii_alphabetic() || c == '-' || c == '_')
    };
    let class = document.attr_by_id(id, names::CLASS).unwrap_or_default();
    let mut all: Vec<String> = class.split_ascii_whitespace().filter(plain).map(|word| format!(".{word}")).collect();
    all.extend(document.attr(id, "id").filter(|id| plain(id)).map(|id| format!("#{id}")));
    all
}
