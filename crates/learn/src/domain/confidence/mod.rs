//! The probability that a value is right.
//!
//! Candidates of one role are put in order by `judge`, in steps that a person chose. How often a value of a certain standing is
//! right is another question, and only pages with known values answer it. So each pair carries its [`Clues`]: how its
//! value stands to its label, whether it matches the role's pattern, whether structured data says the same, how many other
//! values the page offers for the role, and how rich the record is. A logistic model turns them into a probability. Its weights are
//! fitted by `tools/fit-confidence`, with sites held out, and say how far they can be trusted in `docs/methods/domain.md`.
//!
//! # Cost
//!
//! A sum of about thirty products for each pair.

mod weights;

use super::layout::Layout;
use super::{Evidence, Pair, Record};
use crate::structured::Syntax;
use weights::{BIAS, WEIGHTS};

/// The least confidence of a value that is kept unless the caller asks for another. `tools/fit-confidence` measures it.
pub use weights::LEAST;

/// Clues for and against a pair.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Clues {
    /// True if the value matches its role's pattern; none if the role has none.
    pub fits: Option<bool>,
    /// Other roles whose labels look as this one does and have their values in the same place.
    pub company: u32,
    /// True if a sign behind the label says that it is one.
    pub marked: bool,
    /// True if the label is all of its line.
    pub alone: bool,
    /// Words of the label.
    pub words: u32,
    /// True if label and value are links or hidden, or the value is struck out.
    pub doubtful: bool,
    /// True if the value looks as its label does.
    pub same_look: bool,
    /// Bytes of the value.
    pub length: u32,
    /// Other values that the page offers for the role.
    pub rivals: u32,
    /// By how much the value is before the best of those.
    pub margin: f32,
    /// True if the label stands in the record's own node.
    pub at_home: bool,
    /// The entropy of the record's node; 0 if it has none.
    pub entropy: f32,
    /// Pairs of the record that a label tells.
    pub pairs: u32,
    /// Records of the page.
    pub records: u32,
    /// True if structured data says the same; none if it says nothing of the role.
    pub agrees: Option<bool>,
    /// Items, if it is a list.
    pub items: u32,
    /// The evidence for such a list.
    pub list: f32,
    /// Likeness of a title to the name of the page; 0 if only its place tells.
    pub title: f32,
    /// True if it is a class, not an id, that names the element of the value.
    pub by_class: bool,
}

/// Names of the features, in the order of the weights.
pub const FEATURES: [&str; 40] = [
    "line",
    "cell",
    "definition",
    "column",
    "beside",
    "before",
    "above",
    "below",
    "list",
    "phrase",
    "name",
    "class",
    "named_list",
    "structured",
    "meta",
    "title",
    "title_by_place",
    "title_weight",
    "fits",
    "misfit",
    "company",
    "company_2",
    "marked",
    "alone",
    "long_label",
    "doubtful",
    "same_look",
    "long",
    "very_long",
    "short",
    "rival",
    "rivals",
    "margin",
    "at_home",
    "entropy",
    "no_node",
    "pairs",
    "few_pairs",
    "agrees",
    "disagrees",
];

/// The features of a pair, each from 0 to about 1.
pub fn features(pair: &Pair) -> [f32; FEATURES.len()] {
    let clues = &pair.clues;
    let is = f32::from;
    let by = |layout: Layout| is(pair.evidence == Evidence::Label(layout) && clues.items == 0);
    let labelled = matches!(pair.evidence, Evidence::Label(_));
    let titled = pair.evidence == Evidence::Title;
    let named = pair.evidence == Evidence::Name;
    let plain = clues.items == 0;
    [
        by(Layout::Line),
        by(Layout::Cell),
        by(Layout::Definition),
        by(Layout::Column),
        by(Layout::Beside),
        by(Layout::Before),
        by(Layout::Above),
        by(Layout::Below),
        if labelled { clues.list.clamp(0.0, 1.5) } else { 0.0 },
        is(pair.evidence == Evidence::Phrase),
        is(named && plain && !clues.by_class),
        is(named && plain && clues.by_class),
        is(named && !plain),
        is(matches!(pair.evidence, Evidence::Said(syntax) if syntax != Syntax::Meta)),
        is(pair.evidence == Evidence::Said(Syntax::Meta)),
        is(titled),
        is(titled && clues.title == 0.0),
        if titled { (clues.title / 20.0).clamp(0.0, 1.0) } else { 0.0 },
        is(clues.fits == Some(true)),
        is(clues.fits == Some(false)),
        is(labelled && clues.company >= 1),
        is(labelled && clues.company >= 2),
        is(clues.marked),
        is(clues.alone),
        is(clues.words > 1),
        is(clues.doubtful),
        is(clues.same_look),
        is(plain && clues.length > 80),
        is(plain && clues.length > 300),
        is(clues.length <= 2 && clues.fits != Some(true)),
        is(clues.rivals > 0),
        clues.rivals.min(4) as f32 / 4.0,
        if clues.rivals > 0 { clues.margin.clamp(0.0, 1.0) } else { 0.0 },
        is(labelled && clues.at_home),
        (clues.entropy / 4.0).clamp(0.0, 1.0),
        is(clues.entropy == 0.0),
        ((1 + clues.pairs) as f32).log2() / 4.0,
        is(clues.pairs < 3),
        is(clues.agrees == Some(true)),
        is(clues.agrees == Some(false)),
    ]
}

/// Settles the confidence of all pairs of a record, of which the page has so many.
pub(super) fn settle(record: &mut Record, records: u32) {
    let labelled = |pair: &&Pair| matches!(pair.evidence, Evidence::Label(_));
    let pairs = record.pairs.iter().filter(labelled).count() as u32;
    for pair in &mut record.pairs {
        pair.clues.records = records;
        pair.clues.pairs = pairs;
        pair.clues.entropy = record.entropy as f32;
        pair.confidence = confidence(pair);
        let own = pair.confidence;
        pair.inner.iter_mut().flatten().for_each(|inner| inner.confidence = own);
    }
}

/// Returns the probability that the value of a pair is right.
fn confidence(pair: &Pair) -> f32 {
    let sum: f32 = features(pair).iter().zip(WEIGHTS).map(|(feature, weight)| feature * weight).sum();
    1.0 / (1.0 + (-(BIAS + sum)).exp())
}
