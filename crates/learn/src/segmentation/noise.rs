//! Records that are none: headings, pagers, advertisements, totals among the records of a list.
//!
//! Each record is compared with the others by a few traits (how much it has of what they have, how much of its own is
//! unlike theirs, its class, its size, whether it stands at an end). A weighted sum says whether it is one of them.
//! The weights are fitted on the development pages (`tools/fit noise`) by logistic regression, on the records of all
//! cuts that hold nine tenths of the page's true records. That of advertisements is a decision, not fitted.
//!
//! Paper: Fontán et al. 2012, section 4.2, which drops tokens at the ends of the region that align with nothing, tokens
//! that align in the first and last record alone, and records at the ends with low similarity. Here whole records are
//! dropped, also between others, and one at an end has to fit better; single tokens are left to the alignment.
//!
//! # Cost
//!
//! The candidate's leaves, at most [`ROUNDS`] times.

use foldhash::fast::FixedState;
use hashbrown::HashMap;
use windrow_dom::{Document, NodeId, names};

use super::marks::{HEADING, LINK, Marks};
use super::tally::Tally;
use super::{Candidate, Record};
use crate::page_view::{Leaf, PageView};

/// What is seen of one record beside the others.
pub(crate) type Traits = [f32; TRAITS.len()];

/// Each trait's name, and what it says for being a record.
pub(crate) const TRAITS: [(&str, f32); 20] = [
    ("bias", 7.018),
    ("fit", 2.193),
    ("fit, log", 0.560),
    ("class of the others", 0.965),
    ("first", -2.126),
    ("last", -1.852),
    ("smaller, log", 1.511),
    ("leaves, log", -0.214),
    ("no link", -1.220),
    ("no heading", -6.787),
    ("keys that half have", 0.637),
    ("header cells", -1.819),
    ("built like no other", 0.185),
    ("said before", -1.440),
    ("fit and class", -1.478),
    ("fit at an end", 1.926),
    ("share of its kind", -4.259),
    ("rarer kind", -9.118),
    ("only one of its kind", 3.379),
    ("advertisement", -8.000),
];

/// Each round sees what the others are like more clearly.
const ROUNDS: usize = 3;

/// Drops the records that are unlike the rest.
pub(crate) fn drop_noise(view: &PageView<'_>, marks: &Marks, tally: &mut Tally, candidate: &mut Candidate) {
    drop_total(view, candidate);
    for _ in 0..ROUNDS {
        let before = candidate.records.len();
        if before < 3 {
            return;
        }
        let margins = margins(view, marks, tally, candidate);
        let unlike = margins.iter().position(|&margin| margin <= 0.0);
        let first = unlike.and_then(|at| candidate.records.get(at)).copied();
        candidate.first_dropped = candidate.first_dropped.into_iter().chain(first).min_by_key(|record| record.first);
        let mut each = margins.iter();
        candidate.records.retain(|_| each.next().is_none_or(|&margin| margin > 0.0));
        let dropped = before - candidate.records.len();
        candidate.dropped += dropped;
        if dropped > 0 {
            candidate.common = None;
        } else {
            candidate.margins = Some(margins);
            return;
        }
    }
}

/// Drops the last row of a table if it is the sum of those above.
fn drop_total(view: &PageView<'_>, candidate: &mut Candidate) {
    let is_row = |record: &Record| view.document.name_id(record.first) == Some(names::TR);
    let total = candidate.records.last().filter(|last| is_row(last) && is_total(view, last)).copied();
    if let Some(total) = total.filter(|_| candidate.records.len() > 2) {
        candidate.records.pop();
        candidate.dropped += 1;
        candidate.first_dropped = Some(total);
        candidate.common = None;
    }
}

/// For each record, how sure it is that it is one: the log of the odds.
pub(crate) fn margins(view: &PageView<'_>, marks: &Marks, tally: &mut Tally, candidate: &Candidate) -> Vec<f32> {
    let weigh = |traits: Traits| traits.iter().zip(&TRAITS).map(|(value, (_, weight))| value * weight).sum();
    see(view, marks, tally, candidate, weigh)
}

/// What one record has, by itself.
struct Look {
    /// What it has of what the others have.
    fit: f32,
    /// The share of its keys that half of the records have.
    shared: f32,
    size: f32,
    leaves: f32,
    link: bool,
    heading: bool,
    ad: bool,
    /// Its keys, as one number.
    build: u64,
    text: u64,
    kind: u64,
}

/// The traits of all records.
pub(crate) fn traits(view: &PageView<'_>, marks: &Marks, tally: &mut Tally, candidate: &Candidate) -> Vec<Traits> {
    see(view, marks, tally, candidate, |traits| traits)
}

/// What is made of the traits of each record.
fn see<T>(
    view: &PageView<'_>,
    marks: &Marks,
    tally: &mut Tally,
    candidate: &Candidate,
    keep: impl Fn(Traits) -> T,
) -> Vec<T> {
    tally.take_places(view, candidate, candidate.by);
    let count = candidate.records.len() as f32;
    let (mut all, mut places) = (Vec::new(), &tally.places[..]);
    let mut looks: Vec<Look> = Vec::with_capacity(candidate.records.len());
    for record in &candidate.records {
        let leaves = view.leaves_in(record.first, record.end);
        let (own, rest) = places.split_at(leaves.len());
        places = rest;
        looks.push(look(view, marks, tally, count, record, leaves.iter().zip(own), &mut all));
    }
    let usual = |value: fn(&Look) -> f32| {
        let mut values: Vec<f32> = looks.iter().map(value).collect();
        values.sort_unstable_by(f32::total_cmp);
        values.get(values.len() / 2).copied().unwrap_or(0.0).max(1e-3)
    };
    let (fit, size, leaves) = (usual(|look| look.fit), usual(|look| look.size), usual(|look| look.leaves));
    let share = |has: fn(&Look) -> bool| looks.iter().filter(|look| has(look)).count() as f32 / count;
    let ads = share(|look| look.ad);
    let (links, headings) = (share(|look| look.link), share(|look| look.heading));
    let (builds, texts) = (tell(&looks, |look| look.build), tell(&looks, |look| look.text));
    let kinds = tell(&looks, |look| look.kind);
    let (commonest, often) = kinds
        .iter()
        .max_by_key(|(kind, often)| (**often, **kind))
        .map_or((0, 0.0), |(kind, often)| (*kind, *often as f32 / count));
    let flag = |is: bool| f32::from(u8::from(is));
    let one = |(number, look): (usize, &Look)| -> Traits {
        let record = &candidate.records[number];
        let (first, last) = (number == 0, number + 1 == looks.len());
        let fit = (look.fit / fit).min(2.0);
        let marked = look.kind == commonest && view.has_class(record.first);
        let size = (look.size / size).max(0.02).ln().min(0.0);
        let own_kind = kinds.get(&look.kind).map_or(0.0, |often| *often as f32 / count);
        let lacks = |has: bool, share: f32| if has { 0.0 } else { share };
        [
            1.0,
            fit,
            fit.max(0.02).ln(),
            flag(marked),
            flag(first),
            flag(last),
            size,
            (look.leaves / leaves).max(0.02).ln(),
            lacks(look.link, links),
            lacks(look.heading, headings),
            look.shared,
            flag(is_header(view, record)),
            flag(builds.get(&look.build) == Some(&1)),
            flag(texts.get(&look.text).is_some_and(|often| *often > 1)),
            fit * flag(marked),
            fit * flag(first || last),
            own_kind,
            often - own_kind,
            flag(kinds.get(&look.kind) == Some(&1)) * often,
            flag(look.ad && ads < 0.4),
        ]
    };
    looks.iter().enumerate().map(|look| keep(one(look))).collect()
}

/// How often each value occurs.
fn tell(looks: &[Look], value: fn(&Look) -> u64) -> HashMap<u64, u32, FixedState> {
    let mut often = HashMap::default();
    for look in looks {
        *often.entry(value(look)).or_default() += 1;
    }
    often
}

/// Different keys of one record that are looked at.
const MOST_KEYS: usize = 256;

/// What a record has, from its leaves with the places of their keys in the tally. `all` is a table to be used again.
fn look<'l>(
    view: &PageView<'_>,
    marks: &Marks,
    tally: &Tally,
    count: f32,
    record: &Record,
    leaves: impl Iterator<Item = (&'l Leaf, &'l u32)>,
    all: &mut Vec<u32>,
) -> Look {
    let mut look = Look {
        fit: 0.0,
        shared: 0.0,
        size: 0.0,
        leaves: 0.0,
        link: false,
        heading: false,
        ad: is_ad(view.document, record.first),
        build: 7,
        text: 7,
        kind: view.step(record.first),
    };
    all.clear();
    for (leaf, &place) in leaves {
        look.size += leaf.weight;
        look.leaves += 1.0;
        look.text = look.text.wrapping_mul(31).wrapping_add(leaf.value);
        look.link |= marks.has(leaf.node, LINK);
        look.heading |= marks.has(leaf.node, HEADING);
        if all.len() < MOST_KEYS * 4 {
            all.push(place);
        }
    }
    all.sort_unstable();
    all.dedup();
    all.truncate(MOST_KEYS);
    let mut halves = 0;
    for &place in &*all {
        look.build = look.build.wrapping_mul(0x9E37_79B9_7F4A_7C15).wrapping_add(u64::from(place));
        let seen = &tally.seen[place as usize];
        halves += usize::from(seen.records as f32 >= count * 0.5);
        if seen.records > 1 {
            // What stands in every record says more than what stands in two.
            look.fit += seen.single as f32 * seen.weight / seen.records as f32;
        }
    }
    look.shared = halves as f32 / all.len().max(1) as f32;
    look
}

/// Whether a record is a table's row of nothing but header cells.
pub(super) fn is_header(view: &PageView<'_>, record: &Record) -> bool {
    let document = view.document;
    let mut cells = document.children(record.first).filter(|&cell| document.is_element(cell)).peekable();
    document.name_id(record.first) == Some(names::TR)
        && cells.peek().is_some()
        && cells.all(|cell| document.name_id(cell) == Some(names::TH))
}

/// "Total" and "sum", as the first cell of a table's last row says it in languages of the corpora.
const TOTALS: [&str; 20] = [
    "total",
    "totals",
    "sum",
    "grand total",
    "subtotal",
    "summe",
    "gesamt",
    "insgesamt",
    "totale",
    "totaal",
    "suma",
    "somme",
    "razem",
    "totalt",
    "celkem",
    "итого",
    "всего",
    "合计",
    "合計",
    "합계",
];

/// Returns whether the first text of a record says that it is a sum.
pub(crate) fn is_total(view: &PageView<'_>, record: &Record) -> bool {
    let Some(leaf) = view.leaves_in(record.first, record.end).first() else { return false };
    let text = view.document.visible_text(leaf.node).trim().trim_end_matches(':').to_lowercase();
    TOTALS.contains(&text.trim())
}

/// Words in the class or id of an advertisement.
const ADS: &[&str] = &["ad", "ads", "advert", "advertisement", "sponsor", "sponsored", "promoted", "promotedlink"];

/// Whether an element's class or id says that it is an advertisement.
pub(crate) fn is_ad(document: &Document, id: NodeId) -> bool {
    let called = document.attr_by_id(id, names::CLASS).into_iter().chain(document.attr_by_id(id, names::ID));
    let mut words = called.flat_map(|name| name.split(|c: char| !c.is_ascii_alphabetic()));
    words.any(|word| ADS.iter().any(|ad| word.eq_ignore_ascii_case(ad)))
}
