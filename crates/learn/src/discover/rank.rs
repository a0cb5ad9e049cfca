//! Which candidate is the page's main list.
//!
//! Each candidate is seen by a few features: what its records share, how many they are, how much of the page they cover,
//! whether they are links only, whether they stand side by side, whether one of them looks wrong or one looks left out.
//! The score is a weighted sum. The weights are fitted on the development pages (`tools/fit`): the right candidate of
//! each page is to score above all others of that page. With names and weights in one table, a person can be told why a
//! candidate lost (`--explain`).
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

use super::marks::{ASIDE, DIGIT, HEADING, IMAGE, LINK, Marks, RESULTS};
use super::noise;
use super::region::{Candidate, Cut, Record};
use super::tally::{Common, Tally};
use crate::outline::Outline;

/// What is seen of a candidate.
pub(crate) type Features = [f32; FEATURES.len()];

/// Each feature's name, and its weight.
pub(crate) const FEATURES: [(&str, f32); 28] = [
    ("what the records share, log", 0.683),
    ("number of records, log", 0.441),
    ("few records", -12.124),
    ("in a menu, footer or aside", -4.633),
    ("records are runs of nodes", -3.377),
    ("different parents", -0.826),
    ("places that are in many records", 3.239),
    ("different values", -1.716),
    ("size of a record, log", 0.642),
    ("links only", -3.278),
    ("longest text, log", 1.521),
    ("share of the page, log", 0.696),
    ("share of its region", 1.778),
    ("like nodes left out", -4.599),
    ("records with links", 0.286),
    ("late on the page", -2.153),
    ("class or id of results", 1.884),
    ("side by side", 2.395),
    ("records with short numbers", 2.893),
    ("runs built differently", -4.123),
    ("runs that begin with a heading", 2.580),
    ("records are rows of records", -1.632),
    ("records are sublists", -4.974),
    ("records are parts of runs", -1.807),
    ("inside one record of a longer list", -2.191),
    ("a record looks wrong", -2.430),
    ("a record looks left out", -1.819),
    ("paragraphs of prose", -12.000),
];

/// Scores candidates, and puts the best first.
pub(crate) fn rank(outline: &Outline<'_>, marks: &Marks, tally: &mut Tally, mut all: Vec<Candidate>) -> Vec<Candidate> {
    let page = Page::new(outline, &all);
    let seen: Vec<Inside> = all.iter().map(|candidate| Inside::new(outline, marks, tally, candidate)).collect();
    for (number, candidate) in all.iter_mut().enumerate() {
        candidate.features = page.features(candidate, &seen[number]);
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
        candidate.score = candidate.features.iter().zip(&FEATURES).map(|(value, (_, weight))| value * weight).sum();
    }
    all.sort_by(|one, two| two.score.total_cmp(&one.score));
    all
}

/// The features that compare a candidate with the others.
const ROWS: usize = 21;
const PARTS: usize = 23;
const INSIDE: usize = 24;
const WRONG: usize = 25;
const MISSED: usize = 26;
/// The feature that tells prose.
const PROSE_AT: usize = 27;

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
}

impl Inside {
    fn new(outline: &Outline<'_>, marks: &Marks, tally: &mut Tally, candidate: &Candidate) -> Inside {
        let margins = match &candidate.margins {
            Some(margins) => margins.clone(),
            None => noise::margins(outline, marks, tally, candidate),
        };
        let common = candidate.common.unwrap_or_else(|| {
            tally.take(outline, candidate, candidate.by);
            Common::new(tally)
        });
        let count = candidate.records.len() as f32;
        let mut inside = Inside {
            cut: candidate.cut,
            spans: Vec::with_capacity(candidate.records.len()),
            sizes: Vec::with_capacity(candidate.records.len()),
            margins,
            leaves: 0,
            unsteady: unsteady(outline, candidate),
            size: 0.0,
            common,
            links: 0.0,
            longest: 0.0,
            linked: 0.0,
            numbered: 0.0,
            aside: 0.0,
            headed: 0.0,
            results: 0.0,
        };
        for record in &candidate.records {
            let leaves = outline.leaves_in(record.first, record.end);
            let (mut size, mut longest, mut link, mut number) = (0.0, 0.0f32, false, false);
            for leaf in leaves {
                size += leaf.weight;
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
        }
        inside.links /= common.total;
        inside.size = inside.sizes.iter().sum();
        inside
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
const MENU: f32 = 5.5;
const MENU_ITEMS: usize = 12;
/// The root of the length of a text that is more than a name.
const PROSE: f32 = 8.0;
/// The root of the length of a text that may be a number, a date or a price.
const NUMBER: f32 = 6.5;

/// What the page has.
struct Page<'o, 'd> {
    outline: &'o Outline<'d>,
    total: f32,
    /// How many nodes look alike from the root down.
    paths: HashMap<u64, u32, FixedState>,
}

impl<'o, 'd> Page<'o, 'd> {
    fn new(outline: &'o Outline<'d>, candidates: &[Candidate]) -> Page<'o, 'd> {
        let document = outline.document;
        let mut paths: HashMap<u64, u32, FixedState> = HashMap::default();
        for record in candidates.iter().flat_map(|candidate| &candidate.records) {
            paths.insert(outline.path(record.first), 0);
        }
        for id in document.nodes().filter(|&id| document.is_element(id) && !outline.is_hidden(id)) {
            if !outline.leaves_below(id).is_empty()
                && let Some(count) = paths.get_mut(&outline.path(id))
            {
                *count += 1;
            }
        }
        let total = outline.weight_in(NodeId::ROOT, document.subtree_end(NodeId::ROOT)).max(0.1);
        Page { outline, total, paths }
    }

    /// Whether the records are paragraphs with nothing in them but long texts. Nobody takes these for records, though
    /// by likeness alone there is no better list. The weight is a decision, not fitted.
    fn is_prose(&self, candidate: &Candidate, inside: &Inside) -> bool {
        // Runs of paragraphs may be records, if they are built alike and lead somewhere.
        let runs = candidate.cut != Cut::Nodes;
        if inside.leaves * 5 > candidate.records.len() * 9
            || inside.longest <= PROSE
            || runs && inside.unsteady <= 0.25 && inside.links >= 0.05
        {
            return false;
        }
        let (outline, document) = (self.outline, self.outline.document);
        let paragraph = |node: NodeId| match document.name_id(node) {
            Some(names::P) => true,
            // Over a paragraph.
            Some(names::H1 | names::H2 | names::H3 | names::H4 | names::H5 | names::H6) => runs,
            _ => document.is_text(node) || outline.leaves_below(node).is_empty(),
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
            && inside.longest < MENU
            && (candidate.records.len() < MENU_ITEMS || inside.aside > 0.5)
    }

    fn features(&self, candidate: &Candidate, inside: &Inside) -> Features {
        let (outline, document) = (self.outline, self.outline.document);
        let records = &candidate.records;
        let count = records.len() as f32;
        let size = inside.size;
        let hull = candidate.hull();
        let mut kinds: Vec<u64> = records.iter().map(|record| outline.path(record.first)).collect();
        kinds.sort_unstable();
        kinds.dedup();
        let like: u32 = kinds.iter().filter_map(|kind| self.paths.get(kind)).sum();
        let pairs = (count - 1.0).max(1.0);
        let apart =
            records.windows(2).filter(|pair| document.parent(pair[0].first) != document.parent(pair[1].first)).count();
        let side_by_side = records
            .windows(2)
            .filter(|pair| outline.leaves_in(pair[0].end.min(pair[1].first), pair[1].first).is_empty())
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
            size / outline.weight_in(hull.first, hull.end).max(0.1),
            1.0 - count / (like as f32).max(count),
            inside.linked,
            outline.weight_in(NodeId::ROOT, hull.first) / self.total,
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
        ]
    }
}

/// The share of runs that are not built like most runs.
fn unsteady(outline: &Outline<'_>, candidate: &Candidate) -> f32 {
    if candidate.cut == Cut::Nodes {
        return 0.0;
    }
    let document = outline.document;
    let mut builds: HashMap<u64, u32, FixedState> = HashMap::default();
    for record in &candidate.records {
        let siblings = std::iter::successors(Some(record.first), |&node| document.next_sibling(node));
        let build = siblings
            .take_while(|&node| node < record.end)
            .filter(|&node| !outline.leaves_below(node).is_empty())
            .fold(0u64, |build, node| build.wrapping_mul(31).wrapping_add(outline.step(node)));
        *builds.entry(build).or_default() += 1;
    }
    let most = builds.values().copied().max().unwrap_or(0);
    1.0 - most as f32 / candidate.records.len() as f32
}
