//! Which candidate is the page's main list.
//!
//! Each candidate is seen by a few features: what its records share, how many they are, how much of the page they cover,
//! whether they are links only, whether they stand side by side, whether one of them looks wrong or one looks left out.
//! The score is a weighted sum of all features, fitted so that the right candidate of each page scores above all others of
//! that page, on long pages and on short ones. With names and weights in one table, a person can be told why a candidate lost
//! (`--explain`). The same features, in small decision trees, say how likely a candidate is a list that is cut rightly. Both are in
//! `model`, written by `tools/fit lists`.
//!
//! Paper: Fontán et al. 2012, section 3, choose by similarity alone, which knows nothing of menus, of lists in the margin,
//! or of rows that each hold four records.
//!
//! # Cost
//!
//! Each candidate's leaves once more, and a look at each pair of candidates.

use foldhash::fast::FixedState;
use hashbrown::HashMap;
use windrow_dom::{NodeId, names};

use super::marks::{
    ASIDE, BESIDE, CONTROL, DIGIT, FILTER, FOOTER, HEADER, HEADING, IMAGE, ITEM, LINK, MAIN, MENU, Marks, RESULTS,
};
use super::model::{PRIOR, TREES, WEIGHTS};
use super::noise;
use super::runs::Runs;
use super::tally::{Common, Tally};
use super::{Candidate, Cut, Record};
use crate::page_view::{By, PageView};

/// What is seen of a candidate.
pub(crate) type Features = [f32; FEATURES.len()];

/// The name of each feature. Its weight is in `model`.
pub(crate) const FEATURES: [&str; 71] = [
    "what the records share, log",
    "number of records, log",
    "few records",
    "in a menu, footer or aside",
    "records are runs of nodes",
    "different parents",
    "places that are in many records",
    "different values",
    "size of a record, log",
    "links only",
    "longest text, log",
    "share of the page, log",
    "share of its region",
    "like nodes left out",
    "records with links",
    "late on the page",
    "class or id of results",
    "side by side",
    "records with short numbers",
    "runs built differently",
    "runs that begin with a heading",
    "records are rows of records",
    "records are sublists",
    "records are parts of runs",
    "inside one record of a longer list",
    "a record looks wrong",
    "a record looks left out",
    "paragraphs of prose",
    "pieces in a record, log",
    "places that most records have, log",
    "places whose values differ, log",
    "records with images",
    "records with headings",
    "sizes differ",
    "in a footer",
    "in a header",
    "in main or an article",
    "named like navigation",
    "named like a filter",
    "named like something beside",
    "buttons and labels",
    "records with inputs",
    "links that lead nowhere",
    "links in a record, log",
    "length of a text, log",
    "the weakest record",
    "the mean record",
    "records dropped",
    "share of what is around, log",
    "children left out",
    "size beside the largest",
    "shared beside the most",
    "depth",
    "rows of a table",
    "list items",
    "inline elements",
    "articles",
    "alike by tags only",
    "heading in front",
    "one short text each",
    "digits",
    "end on the page",
    "items of microdata",
    "same class left out",
    "begins with a link",
    "records that repeat",
    "an end lacks what the rest has",
    "an end is smaller, log",
    "an end fits worse",
    "header cells",
    "one record apart",
];

/// Scores candidates, and puts the best first.
pub(crate) fn rank(view: &PageView<'_>, marks: &Marks, tally: &mut Tally, mut all: Vec<Candidate>) -> Vec<Candidate> {
    let page = Page::new(view, &all);
    let seen: Vec<Inside> = all.iter().map(|candidate| Inside::new(view, marks, tally, candidate)).collect();
    let largest = seen.iter().map(|inside| inside.size).fold(0.1, f32::max);
    let most = seen.iter().map(|inside| inside.common.shared).fold(0.01, f32::max).ln();
    for (number, candidate) in all.iter_mut().enumerate() {
        candidate.features = page.features(marks, candidate, &seen[number]);
        candidate.furniture = candidate.features[PROSE_AT] > 0.0 || page.is_menu(candidate, &seen[number]);
        let others = || seen.iter().enumerate().filter(|(other, _)| *other != number).map(|(_, inside)| inside);
        let rows = others().any(|other| seen[number].is_rows_of(other));
        let missed = others().map(|other| seen[number].misses(other)).fold(0.0, f32::max);
        candidate.features[ROWS] = f32::from(u8::from(rows));
        let parts = others().any(|other| seen[number].is_part_of(other));
        candidate.features[PARTS] = f32::from(u8::from(parts));
        let inside = others().any(|other| seen[number].is_inside_one_of(other));
        candidate.features[INSIDE] = f32::from(u8::from(inside));
        candidate.features[WRONG] = 1.0 - seen[number].margins.iter().map(|&margin| sigmoid(margin)).product::<f32>();
        candidate.features[MISSED] = missed;
        candidate.features[LARGEST] = seen[number].size / largest;
        candidate.features[MOST] = candidate.features[0] - most;
        candidate.score = candidate.features.iter().enumerate().map(|(at, value)| value * weight(at)).sum();
    }
    let chances = chances(&all, &seen);
    for (candidate, chance) in all.iter_mut().zip(chances) {
        candidate.chance = chance;
    }
    all.sort_by(|one, two| two.score.total_cmp(&one.score));
    all
}

/// The weight of a feature in the score.
pub(crate) fn weight(at: usize) -> f32 {
    WEIGHTS.get(at).copied().unwrap_or(0.0)
}

/// Score differences beyond this say no more.
const FAR: f32 = 10.0;

/// Returns the probability of each candidate that it is a list and cut rightly.
fn chances(all: &[Candidate], seen: &[Inside]) -> Vec<f32> {
    let scores: Vec<f32> = all.iter().map(|candidate| candidate.score).collect();
    let best = scores.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    let sum: f32 = scores.iter().map(|score| (score - best).exp()).sum();
    let mut order: Vec<usize> = (0..all.len()).collect();
    order.sort_by(|&one, &two| scores[two].total_cmp(&scores[one]));
    let chance = |number: usize| {
        let score = scores[number];
        let rival = order.iter().find(|&&other| other != number && seen[number].overlaps(&seen[other]));
        let above = rival.map_or(FAR, |&rival| (score - scores[rival]).clamp(-FAR, FAR));
        let beside = [score, score - best, ((score - best).exp() / sum + 1e-4).ln(), above];
        let value = |at: usize| match at.checked_sub(FEATURES.len()) {
            Some(at) => beside[at],
            None => all[number].features[at],
        };
        sigmoid(TREES.iter().fold(PRIOR, |sum, tree| sum + tree.look_up(value)))
    };
    (0..all.len()).map(chance).collect()
}

/// A decision tree of three questions: is a feature at most so much? The first is at the root, then its two below, then
/// four; those that say yes go left.
pub(super) struct Tree {
    pub(super) splits: [(u8, f32); 7],
    pub(super) leaves: [f32; 8],
}

impl Tree {
    fn look_up(&self, value: impl Fn(usize) -> f32) -> f32 {
        let mut at = 0;
        for _ in 0..3 {
            let (feature, most) = self.splits[at];
            at = at * 2 + if value(usize::from(feature)) <= most { 1 } else { 2 };
        }
        self.leaves[at - 7]
    }
}

/// The features that compare a candidate with the others.
const ROWS: usize = 21;
const PARTS: usize = 23;
const INSIDE: usize = 24;
const WRONG: usize = 25;
const MISSED: usize = 26;
/// The feature that tells prose.
const PROSE_AT: usize = 27;
const LARGEST: usize = 50;
const MOST: usize = 51;

/// Whether an address is a script.
fn is_script(address: &str) -> bool {
    address.get(..11).is_some_and(|start| start.eq_ignore_ascii_case("javascript:"))
}

/// Whether some part of one list is also part of another, each in document order, given by its first and its last.
pub(super) fn overlap<T>(one: &[T], two: &[T], ends: impl Fn(&T) -> (NodeId, NodeId)) -> bool {
    let (mut one, mut two) = (one.iter().peekable(), two.iter().peekable());
    while let (Some(a), Some(b)) = (one.peek(), two.peek()) {
        let (a, b) = (ends(a), ends(b));
        if a.1 < b.0 {
            one.next();
        } else if b.1 < a.0 {
            two.next();
        } else {
            return true;
        }
    }
    false
}

fn sigmoid(x: f32) -> f32 {
    1.0 / (1.0 + (-x).exp())
}

/// What is inside a candidate.
struct Inside {
    cut: Cut,
    /// For each record its first and last leaf: the same for an element and one that holds nothing else.
    spans: Vec<(NodeId, NodeId)>,
    /// For each record what a reader sees of it.
    sizes: Vec<f32>,
    /// For each record how sure it is one.
    margins: Vec<f32>,
    leaves: usize,
    /// For runs, the share of them that are not built like most.
    unsteady: f32,
    /// What a reader sees of all of them.
    size: f32,
    /// What the records share.
    common: Common,
    /// Share of the content in links.
    links: f32,
    /// The longest text of a record, at the mean.
    longest: f32,
    /// Shares of records.
    linked: f32,
    numbered: f32,
    aside: f32,
    headed: f32,
    results: f32,
    images: f32,
    titled: f32,
    footer: f32,
    header: f32,
    main: f32,
    menu: f32,
    filter: f32,
    beside: f32,
    control: f32,
    digits: f32,
    items: f32,
    link_first: f32,
    repeated: f32,
    /// The most that the first or the last record lacks of what others have: a link, a number, an image, a heading.
    end_lacks: f32,
    /// The smaller of the first and the last beside the middle one, as a logarithm.
    end_smaller: f32,
    /// The margin of the worse of the first and the last beside the mean.
    end_worse: f32,
}

impl Inside {
    fn new(view: &PageView<'_>, marks: &Marks, tally: &mut Tally, candidate: &Candidate) -> Inside {
        let margins = match &candidate.margins {
            Some(margins) => margins.clone(),
            None => noise::margins(view, marks, tally, candidate),
        };
        let common = candidate.common.unwrap_or_else(|| {
            tally.take(view, candidate, candidate.by);
            Common::new(tally)
        });
        let count = candidate.records.len() as f32;
        let mut inside = Inside {
            cut: candidate.cut,
            spans: Vec::with_capacity(candidate.records.len()),
            sizes: Vec::with_capacity(candidate.records.len()),
            margins,
            leaves: 0,
            unsteady: Runs::new(view, candidate).unsteady,
            size: 0.0,
            common,
            links: 0.0,
            longest: 0.0,
            linked: 0.0,
            numbered: 0.0,
            aside: 0.0,
            headed: 0.0,
            results: 0.0,
            images: 0.0,
            titled: 0.0,
            footer: 0.0,
            header: 0.0,
            main: 0.0,
            menu: 0.0,
            filter: 0.0,
            beside: 0.0,
            control: 0.0,
            digits: 0.0,
            items: 0.0,
            link_first: 0.0,
            repeated: 0.0,
            end_lacks: 0.0,
            end_smaller: 0.0,
            end_worse: 0.0,
        };
        let mut outer: Vec<[bool; 4]> = Vec::new();
        let mut texts: Vec<u64> = Vec::with_capacity(candidate.records.len());
        for record in &candidate.records {
            let leaves = view.leaves_in(record.first, record.end);
            let (mut size, mut longest, mut link, mut number) = (0.0, 0.0f32, false, false);
            let (mut image, mut title, mut text) = (false, false, 0u64);
            for leaf in leaves {
                size += leaf.weight;
                image |= marks.has(leaf.node, IMAGE);
                title |= marks.has(leaf.node, HEADING);
                text = text.wrapping_mul(31).wrapping_add(leaf.value);
                if marks.has(leaf.node, CONTROL) {
                    inside.control += leaf.weight;
                }
                if marks.has(leaf.node, DIGIT) {
                    inside.digits += leaf.weight;
                }
                if marks.has(leaf.node, LINK) {
                    inside.links += leaf.weight;
                    link = true;
                }
                if !marks.has(leaf.node, IMAGE) {
                    longest = longest.max(leaf.weight);
                }
                number |= marks.has(leaf.node, DIGIT) && leaf.weight < NUMBER;
            }
            let ends = leaves.first().zip(leaves.last());
            inside.spans.push(ends.map_or((record.first, record.first), |(first, last)| (first.node, last.node)));
            inside.sizes.push(size);
            inside.leaves += leaves.len();
            inside.longest += longest / count;
            inside.linked += f32::from(u8::from(link)) / count;
            inside.numbered += f32::from(u8::from(number)) / count;
            inside.aside += f32::from(u8::from(marks.has(record.first, ASIDE))) / count;
            let headed = candidate.cut != Cut::Nodes && marks.has(record.first, HEADING);
            inside.headed += f32::from(u8::from(headed)) / count;
            inside.results += f32::from(u8::from(marks.has(record.first, RESULTS))) / count;
            texts.push(text);
            // The first and the last: each takes the place of the last so far, but for the first.
            outer.truncate(1);
            outer.push([link, number, image, title]);
            inside.images += f32::from(u8::from(image)) / count;
            inside.titled += f32::from(u8::from(title)) / count;
            let marked = |mark: u16| f32::from(u8::from(marks.has(record.first, mark))) / count;
            inside.footer += marked(FOOTER);
            inside.header += marked(HEADER);
            inside.main += marked(MAIN);
            inside.menu += marked(MENU);
            inside.filter += marked(FILTER);
            inside.beside += marked(BESIDE);
            inside.items += marked(ITEM);
            let first = leaves.iter().find(|leaf| !marks.has(leaf.node, IMAGE));
            inside.link_first += f32::from(u8::from(first.is_some_and(|leaf| marks.has(leaf.node, LINK)))) / count;
        }
        let usual = [inside.linked, inside.numbered, inside.images, inside.titled];
        for has in &outer {
            let lacks = usual.iter().zip(has).filter(|(_, has)| !**has).map(|(share, _)| *share);
            inside.end_lacks = lacks.fold(inside.end_lacks, f32::max);
        }
        if let (Some(first), Some(last)) = (inside.sizes.first(), inside.sizes.last()) {
            let mut sorted = inside.sizes.clone();
            let (_, middle, _) = sorted.select_nth_unstable_by(inside.sizes.len() / 2, f32::total_cmp);
            inside.end_smaller = (first.min(*last).max(0.1) / middle.max(0.1)).ln().min(0.0);
        }
        if let (Some(first), Some(last)) = (inside.margins.first(), inside.margins.last()) {
            let mean = inside.margins.iter().map(|margin| margin.clamp(-5.0, 10.0)).sum::<f32>() / count;
            inside.end_worse = first.min(*last).clamp(-5.0, 10.0) - mean;
        }
        texts.sort_unstable();
        inside.repeated = texts.windows(2).filter(|pair| pair[0] == pair[1]).count() as f32 / count;
        inside.control /= common.total;
        inside.digits /= common.total;
        inside.links /= common.total;
        inside.size = inside.sizes.iter().sum();
        inside
    }

    /// Whether a part of the page is in records of both.
    fn overlaps(&self, other: &Inside) -> bool {
        let apart = |one: &Inside, two: &Inside| {
            one.spans.last().zip(two.spans.first()).is_none_or(|(last, first)| last.1 < first.0)
        };
        !apart(self, other) && !apart(other, self) && overlap(&self.spans, &other.spans, |span| (span.0, span.1))
    }

    /// Whether the records hold the other's records, two and more each, and little else: the rows of a grid.
    fn is_rows_of(&self, other: &Inside) -> bool {
        // Single texts are no records that rows could hold.
        if other.cut != Cut::Nodes
            || other.spans.len() + 1 < self.spans.len() * 2
            || other.leaves < other.spans.len() * 2
            || self.spans.first().zip(other.spans.last()).is_none_or(|(first, last)| last.1 < first.0)
        {
            return false;
        }
        let (mut at, mut held, mut several, mut size) = (0, 0, 0, 0.0);
        for span in &self.spans {
            while other.spans.get(at).is_some_and(|inner| inner.0 < span.0) {
                at += 1;
            }
            let before = held;
            while other.spans.get(at).is_some_and(|inner| inner.1 <= span.1) {
                if other.spans[at] == *span {
                    return false;
                }
                size += other.sizes[at];
                held += 1;
                at += 1;
            }
            several += usize::from(held >= before + 2);
        }
        held * 10 >= other.spans.len() * 9 && several * 10 >= self.spans.len() * 7 && size > self.size * 0.97
    }

    /// Whether all of these are in a single record of the other, which has more.
    fn is_inside_one_of(&self, other: &Inside) -> bool {
        let (Some(first), Some(last)) = (self.spans.first(), self.spans.last()) else { return false };
        let at = other.spans.partition_point(|span| span.1 < first.0);
        other.spans.len() > self.spans.len()
            && other.spans.get(at).is_some_and(|span| span.0 <= first.0 && last.1 <= span.1)
    }

    /// Whether these are parts of the other's runs, which are all built alike and have more in them.
    fn is_part_of(&self, other: &Inside) -> bool {
        if self.cut != Cut::Nodes || other.cut == Cut::Nodes || other.unsteady > 0.25 || self.size > other.size * 0.95 {
            return false;
        }
        let mut at = 0;
        let mut filled = 0;
        for run in &other.spans {
            let before = at;
            while self.spans.get(at).is_some_and(|span| span.1 <= run.1) {
                if self.spans[at].0 < run.0 {
                    return false;
                }
                at += 1;
            }
            filled += usize::from(at > before);
        }
        at == self.spans.len() && filled * 10 >= other.spans.len() * 9
    }

    /// How likely the other's records are these and at least one more that is right: one beside these, or one of several
    /// that are a single one here.
    fn misses(&self, other: &Inside) -> f32 {
        if self.cut != other.cut || other.spans.len() <= self.spans.len() || other.spans.len() > self.spans.len() * 2 {
            return 0.0;
        }
        // Both are in document order.
        let mut mine = self.spans.iter().peekable();
        let (mut none, mut held, mut parted) = (1.0, 0, 0);
        for (span, margin) in other.spans.iter().zip(&other.margins) {
            if held >= 2 && mine.peek().is_some_and(|own| own.1 < span.0) {
                (held, parted) = (0, parted + 1);
                mine.next();
            }
            match mine.peek() {
                Some(own) if *own == span => {
                    mine.next();
                }
                Some(own) if own.0 <= span.0 && span.1 <= own.1 => held += 1,
                // This one is not among the other's.
                Some(own) if own.0 < span.1 => return 0.0,
                _ => none *= 1.0 - sigmoid(*margin),
            }
        }
        if held >= 2 {
            parted += 1;
            mine.next();
        }
        // If many hold several, the other's are not these but their parts.
        match mine.peek() {
            None if parted * 10 > self.spans.len() * 3 => 0.0,
            None if parted > 0 => 1.0,
            None => 1.0 - none,
            Some(_) => 0.0,
        }
    }
}

/// The root of the length of a menu's words, and how many items a menu has.
const MENU_WORDS: f32 = 5.5;
const MENU_ITEMS: usize = 12;
/// The root of the length of a text that is more than a name.
const PROSE: f32 = 8.0;
/// The root of the length of a text that may be a number, a date or a price.
const NUMBER: f32 = 6.5;

/// What the page has.
struct Page<'o, 'd> {
    view: &'o PageView<'d>,
    total: f32,
    /// How many nodes look alike from the root down.
    paths: HashMap<u64, u32, FixedState>,
    /// How many nodes look alike by themselves.
    steps: HashMap<u64, u32, FixedState>,
    /// By node, what is in front of it: links, those that lead nowhere, inputs of forms.
    counts: Vec<[u32; 3]>,
}

impl<'o, 'd> Page<'o, 'd> {
    fn new(view: &'o PageView<'d>, candidates: &[Candidate]) -> Page<'o, 'd> {
        let document = view.document;
        let mut paths: HashMap<u64, u32, FixedState> = HashMap::default();
        let mut steps: HashMap<u64, u32, FixedState> = HashMap::default();
        for record in candidates.iter().flat_map(|candidate| &candidate.records) {
            paths.insert(view.path(record.first), 0);
            steps.insert(view.step(record.first), 0);
        }
        let mut counts = vec![[0u32; 3]; document.len() + 1];
        for id in document.nodes() {
            let mut count = counts[id.index()];
            match document.name_id(id) {
                Some(names::A) => {
                    let address = document.attr_by_id(id, names::HREF).unwrap_or_default();
                    count[0] += 1;
                    count[1] += u32::from(address.is_empty() || address.starts_with('#') || is_script(address));
                }
                Some(names::INPUT | names::SELECT | names::TEXTAREA) => count[2] += 1,
                _ => {}
            }
            counts[id.index() + 1] = count;
        }
        for id in document.nodes().filter(|&id| document.is_element(id) && !view.is_hidden(id)) {
            if !view.leaves_below(id).is_empty()
                && let Some(count) = steps.get_mut(&view.step(id))
            {
                *count += 1;
                if let Some(count) = paths.get_mut(&view.path(id)) {
                    *count += 1;
                }
            }
        }
        let total = view.weight_in(NodeId::ROOT, document.subtree_end(NodeId::ROOT)).max(0.1);
        Page { view, total, paths, steps, counts }
    }

    /// Whether the records are paragraphs with nothing in them but long texts. Nobody takes these for records, though
    /// by likeness alone there is no better list.
    fn is_prose(&self, candidate: &Candidate, inside: &Inside) -> bool {
        // Runs of paragraphs may be records, if they are built alike and lead somewhere.
        let runs = candidate.cut != Cut::Nodes;
        if inside.leaves * 5 > candidate.records.len() * 9
            || inside.longest <= PROSE
            || runs && inside.unsteady <= 0.25 && inside.links >= 0.05
        {
            return false;
        }
        let (view, document) = (self.view, self.view.document);
        let paragraph = |node: NodeId| match document.name_id(node) {
            Some(names::P) => true,
            // Over a paragraph.
            Some(names::H1 | names::H2 | names::H3 | names::H4 | names::H5 | names::H6) => runs,
            _ => document.is_text(node) || view.leaves_below(node).is_empty(),
        };
        let only_paragraphs = |record: &&Record| {
            let siblings = std::iter::successors(Some(record.first), |&node| document.next_sibling(node));
            siblings.take_while(|&node| node < record.end).all(paragraph)
        };
        let texts = candidate.records.iter().filter(only_paragraphs).count();
        texts * 10 >= candidate.records.len() * if runs { 6 } else { 9 }
    }

    /// Whether the records are a few short links and nothing else.
    fn is_menu(&self, candidate: &Candidate, inside: &Inside) -> bool {
        inside.links > 0.9
            && inside.leaves * 4 <= candidate.records.len() * 5
            && inside.longest < MENU_WORDS
            && (candidate.records.len() < MENU_ITEMS || inside.aside > 0.5)
    }

    fn features(&self, marks: &Marks, candidate: &Candidate, inside: &Inside) -> Features {
        let (view, document) = (self.view, self.view.document);
        let records = &candidate.records;
        let count = records.len() as f32;
        let size = inside.size;
        let hull = candidate.hull();
        let mut kinds: Vec<u64> = records.iter().map(|record| view.path(record.first)).collect();
        kinds.sort_unstable();
        kinds.dedup();
        let like: u32 = kinds.iter().filter_map(|kind| self.paths.get(kind)).sum();
        let mut own: Vec<u64> = records
            .iter()
            .map(|record| record.first)
            .filter(|&id| view.has_class(id))
            .map(|id| view.step(id))
            .collect();
        own.sort_unstable();
        own.dedup();
        let same: u32 = own.iter().filter_map(|step| self.steps.get(step)).sum();
        let mean = size / count;
        let spread = (inside.sizes.iter().map(|own| (own - mean).powi(2)).sum::<f32>() / count).sqrt() / mean.max(0.1);
        let (mut links, mut dead, mut inputs) = (0.0, 0.0, 0usize);
        for record in records {
            let (from, to) = (self.counts[record.first.index()], self.counts[record.end.index()]);
            links += (to[0] - from[0]) as f32;
            dead += (to[1] - from[1]) as f32;
            inputs += usize::from(to[2] > from[2]);
        }
        let weakest = inside.margins.iter().copied().fold(10.0, f32::min).max(-5.0);
        let mean_margin = inside.margins.iter().map(|margin| margin.clamp(-5.0, 10.0)).sum::<f32>() / count;
        // The lowest element around all records.
        let around =
            document.ancestors(hull.first).find(|&id| document.subtree_end(id) >= hull.end).unwrap_or(NodeId::ROOT);
        let parents = {
            let mut parents: Vec<NodeId> = records.iter().filter_map(|record| document.parent(record.first)).collect();
            parents.dedup();
            parents
        };
        let children: usize = parents
            .iter()
            .take(64)
            .map(|&parent| document.children(parent).filter(|&child| !view.leaves_below(child).is_empty()).count())
            .sum();
        let held: usize = records
            .iter()
            .filter(|record| {
                parents.len() <= 64
                    || document.parent(record.first).is_some_and(|parent| parents[..64].contains(&parent))
            })
            .map(|record| {
                if candidate.cut == Cut::Nodes {
                    1
                } else {
                    std::iter::successors(Some(record.first), |&node| document.next_sibling(node))
                        .take_while(|&node| node < record.end)
                        .filter(|&child| !view.leaves_below(child).is_empty())
                        .count()
                }
            })
            .sum();
        let left_out = 1.0 - held as f32 / children.max(held).max(1) as f32;
        let tagged = |tags: &[windrow_dom::NameId]| {
            let is = |record: &&Record| document.name_id(record.first).is_some_and(|name| tags.contains(&name));
            records.iter().filter(is).count() as f32 / count
        };
        // Rows of header cells, or in the head of a table.
        let head = |record: &&Record| {
            let in_head = document.ancestors(record.first).take(2).any(|id| document.name_id(id) == Some(names::THEAD));
            in_head || document.name_id(record.first) == Some(names::THEAD) || noise::is_header(view, record)
        };
        let header = records.iter().filter(head).count() as f32 / count.sqrt();
        let headed = view.leaf_before(hull.first).is_some_and(|leaf| marks.has(leaf.node, HEADING));
        let pairs = (count - 1.0).max(1.0);
        let apart =
            records.windows(2).filter(|pair| document.parent(pair[0].first) != document.parent(pair[1].first)).count();
        let side_by_side = records
            .windows(2)
            .filter(|pair| view.leaves_in(pair[0].end.min(pair[1].first), pair[1].first).is_empty())
            .count();
        [
            inside.common.shared.max(0.01).ln(),
            count.ln(),
            1.0 / count,
            inside.aside,
            f32::from(u8::from(candidate.cut != Cut::Nodes)),
            apart as f32 / pairs,
            inside.common.support,
            inside.common.distinct,
            (size / count).max(0.1).ln(),
            inside.links,
            inside.longest.max(0.1).ln(),
            (size / self.total).max(1e-4).ln(),
            size / view.weight_in(hull.first, hull.end).max(0.1),
            1.0 - count / (like as f32).max(count),
            inside.linked,
            view.weight_in(NodeId::ROOT, hull.first) / self.total,
            inside.results,
            side_by_side as f32 / pairs,
            inside.numbered,
            inside.unsteady,
            inside.headed,
            0.0,
            f32::from(u8::from(candidate.nested)),
            0.0,
            0.0,
            0.0,
            0.0,
            f32::from(u8::from(self.is_prose(candidate, inside))),
            (inside.leaves as f32 / count).max(0.1).ln(),
            inside.common.usual.ln_1p(),
            inside.common.telling.ln_1p(),
            inside.images,
            inside.titled,
            spread,
            inside.footer,
            inside.header,
            inside.main,
            inside.menu,
            inside.filter,
            inside.beside,
            inside.control,
            inputs as f32 / count,
            if links > 0.0 { dead / links } else { 0.0 },
            (links / count).ln_1p(),
            (size / inside.leaves.max(1) as f32).max(0.1).ln(),
            weakest,
            mean_margin,
            candidate.dropped as f32 / (candidate.dropped as f32 + count),
            (size / view.weight_in(around, document.subtree_end(around)).max(0.1)).max(1e-4).ln(),
            left_out,
            0.0,
            0.0,
            f32::from(view.depth(records.first().map_or(NodeId::ROOT, |record| record.first))),
            tagged(&[names::TR]),
            tagged(&[names::LI]),
            tagged(&[
                names::A,
                names::SPAN,
                names::B,
                names::I,
                names::IMG,
                names::BUTTON,
                names::LABEL,
                names::STRONG,
            ]),
            tagged(&[names::ARTICLE]),
            f32::from(u8::from(candidate.by == By::Tag)),
            f32::from(u8::from(headed)),
            f32::from(u8::from(inside.common.thin)),
            inside.digits,
            view.weight_in(NodeId::ROOT, hull.end) / self.total,
            inside.items,
            1.0 - count / (same as f32).max(count),
            inside.link_first,
            inside.repeated,
            inside.end_lacks,
            inside.end_smaller,
            inside.end_worse,
            header,
            f32::from(u8::from(apart == 1 && records.len() > 2)),
        ]
    }
}
