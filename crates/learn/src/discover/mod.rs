//! Discover: records, fields and sublists from one page, with no help.
//!
//! A page that was made from records shows it: the same things stand in the same places, again and again. [`discover`]
//! looks at every way of cutting the page into such a list (`region`), leaves out what is no record (`noise`), takes the
//! best (`rank`), lays its records over each other to see which fields and sublists they have (`template`, `pieces`), labels
//! these with names that a person can read (`columns`, `names`), and has the wrapper written that gets them (`crate::induce`).
//!
//! Paper: L. Fontán, R. López-García, M. Álvarez, A. Pan, "Automatically Extracting Complex Data Structures from the
//! Web", 2012, on M. Álvarez et al., "Extracting lists of data records from semi-structured web pages", 2008.
//!
//! # Worked example
//!
//! `<ul><li><b>Oslo</b> 3°<li><b>Rome</b> 19°</ul>`: the two `li` have a bold text and a text each, all different; no
//! other cut of the page has as much in common. The wrapper says `records = "/html[1]/body[1]/ul[1]/li"`, with the fields
//! `b` and `text()`.
//!
//! # Departures from the paper
//!
//! Region and division are one choice, by fitted weights, without pairs and without edit distance; fields are aligned by
//! place, so a value cannot slip into the neighbouring column. Each module says more.
//!
//! # Cost
//!
//! Linear in the page times a bounded number of cuts; trying the rules costs their evaluation on each record.

mod attributes;
mod columns;
mod depth;
mod headings;
mod names;
mod split;
#[cfg(test)]
mod tests;

use std::ops::Range;

use windrow_dom::{Document, NodeId};
use windrow_wrapper::Wrapper;
use windrow_xpath::{Node, path_of};

pub use self::names::suggest;
use crate::alignment;
use crate::induce::induce;
use crate::page_view::{PageView, Unseen};
use crate::segmentation::marks::Marks;
use crate::segmentation::tally::Tally;
use crate::segmentation::{self, Candidate, Cut, Noise, Record};
use crate::segmentation::{noise, rank};
use crate::source::Source;

/// The lists of a page, each as the wrapper that takes it out, the main one first; at most `most` of them. The page is a
/// [`Document`], or a [`Page`](windrow_wrapper::Page), whose name and address help to name and type what is found.
pub fn discover<'p>(page: impl Into<Source<'p>>, most: usize) -> Vec<Wrapper> {
    let source = page.into();
    let (view, all) = search(source.document);
    lists(&all, most).into_iter().map(|number| wrapper(&source, &view, &all[number])).collect()
}

/// The wrapper of records that are known: siblings from the first node of each up to the one behind its last. `runs`: whether a
/// record is several siblings.
pub fn of_records<'p>(page: impl Into<Source<'p>>, records: Vec<Range<NodeId>>, runs: bool) -> Wrapper {
    let source = page.into();
    let view = PageView::new(source.document, Unseen::LeftOut);
    let cut = if runs { Cut::Starts } else { Cut::Nodes };
    let parent = records.first().and_then(|record| source.document.parent(record.start));
    let records = records.into_iter().map(|record| Record { first: record.start, end: record.end }).collect();
    wrapper(&source, &view, &Candidate::new(cut, parent.unwrap_or(NodeId::ROOT), records))
}

/// What was found on a page, and all that was considered on the way.
#[derive(Debug, Clone)]
pub struct Discovery {
    /// As from [`discover`].
    pub lists: Vec<Wrapper>,
    /// The ways of cutting the page into records that were looked at closely, the best first.
    pub considered: Vec<Considered>,
}

/// One way of cutting a part of the page into records.
#[derive(Debug, Clone)]
pub struct Considered {
    /// The list it became, by its number in [`Discovery::lists`].
    pub list: Option<usize>,
    /// Where its records are: the path of the first.
    pub place: String,
    /// What each record is.
    pub division: Division,
    /// The records, each as the nodes from its first up to the one behind its last.
    pub records: Vec<Range<NodeId>>,
    /// Number of siblings that were left out because they are unlike the records.
    pub dropped: usize,
    /// The first sibling that was left out.
    pub first_dropped: Option<Range<NodeId>>,
    /// The sum of the evidence.
    pub score: f32,
    /// The probability that these are the records of a list, and all of them.
    pub probability: f32,
    /// What was seen of it.
    pub evidence: Vec<Evidence>,
}

/// What each record of a cut is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Division {
    /// One node.
    Nodes,
    /// Siblings from a node of one kind up to the next of that kind.
    Starts,
    /// Siblings up to a node of one kind.
    Ends,
}

/// One thing that was seen of a cut.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Evidence {
    /// What it is.
    pub name: &'static str,
    /// How much there is of it.
    pub value: f32,
    /// What one of it says for the cut, or against it.
    pub weight: f32,
}

/// As [`discover`], with what lost and why.
pub fn explain<'p>(page: impl Into<Source<'p>>, most: usize) -> Discovery {
    let source = page.into();
    let document = source.document;
    let (view, all) = search(document);
    let chosen = lists(&all, most);
    let list = |number: usize| chosen.iter().position(|chosen| *chosen == number);
    Discovery {
        lists: chosen.iter().map(|&number| wrapper(&source, &view, &all[number])).collect(),
        considered: all
            .iter()
            .enumerate()
            .map(|(number, candidate)| considered(document, candidate, list(number)))
            .collect(),
    }
}

/// A cut with nothing left out, each record with its traits: what the weights are fitted from.
#[derive(Debug, Clone)]
pub struct Sample {
    /// The cut.
    pub cut: Considered,
    /// For each record, what was seen of it beside the others.
    pub traits: Vec<Vec<f32>>,
}

/// The cuts of a page before noise is left out, for fitting the weights.
pub fn samples(document: &Document) -> Vec<Sample> {
    let view = PageView::new(document, Unseen::LeftOut);
    let (marks, mut tally) = (Marks::new(document), Tally::default());
    let all = segmentation::candidates(&view, Noise::Kept);
    all.iter()
        .map(|candidate| Sample {
            cut: considered(document, candidate, None),
            traits: noise::traits(&view, &marks, &mut tally, candidate).iter().map(|it| it.to_vec()).collect(),
        })
        .collect()
}

fn considered(document: &Document, candidate: &Candidate, list: Option<usize>) -> Considered {
    let first = candidate.records.first().map_or(document.root(), |record| record.first);
    Considered {
        list,
        place: path_of(document, Node::node(first)),
        division: match candidate.cut {
            Cut::Nodes => Division::Nodes,
            Cut::Starts => Division::Starts,
            Cut::Ends => Division::Ends,
        },
        records: candidate.records.iter().map(|record| record.first..record.end).collect(),
        dropped: candidate.dropped,
        first_dropped: candidate.first_dropped.map(|record| record.first..record.end),
        score: candidate.score,
        probability: candidate.chance,
        evidence: candidate
            .features
            .iter()
            .zip(rank::FEATURES)
            .enumerate()
            .map(|(at, (&value, name))| Evidence { name, value, weight: rank::weight(at) })
            .collect(),
    }
}

/// The probability below which a list is doubtful if another cut of the same part of the page is at least as likely. With sites held
/// out, 94% of the lists from 0.8 on are right (`tools/fit lists` prints the table).
pub const DOUBTFUL: f32 = 0.7;

/// The probability below which a list is doubtful in any case. With sites held out, two right lists of the 574 open pages are below it.
pub const UNLIKELY: f32 = 0.25;

/// The probability below which a cut is not printed as the main list: a page without a better one has no list. With sites held out, the
/// lowest of any right list is 0.14.
pub const NO_LIST: f32 = 0.1;

/// The page's candidates. Where there is hardly a list in what a reader sees, as in a page that was saved before its
/// scripts ran, also in what is hidden.
fn search(document: &Document) -> (PageView<'_>, Vec<Candidate>) {
    let find = |unseen| {
        let view = PageView::new(document, unseen);
        let all = segmentation::candidates(&view, Noise::Dropped);
        (view, all)
    };
    let best = |all: &[Candidate]| all.first().map_or(0.0, |candidate| candidate.chance);
    let seen = find(Unseen::LeftOut);
    if best(&seen.1) < UNLIKELY {
        let shown = find(Unseen::Shown);
        if best(&shown.1) >= DOUBTFUL {
            return shown;
        }
    }
    seen
}

/// The probability from which a candidate beside the main list is taken for a list. With sites held out, the lists of a
/// page are found best at this level (`tools/fit lists`).
const LIKELY: f32 = 0.4;
/// A candidate whose score is this close to the main list's is taken, too: it might as well be the main one. The weights are fitted so
/// that a difference of 4 stands for odds of fifty to one. Compared with 3, the lists of the NEXT-EVAL pages are found as well on open
/// pages (F1 .842 both times) and better on blind ones (.742 instead of .737), with more recall and less precision.
const NEAR: f32 = 4.0;

/// The numbers of the candidates that are lists of their own, the main one first.
fn lists(all: &[Candidate], most: usize) -> Vec<usize> {
    let mut chosen: Vec<usize> = Vec::new();
    for (number, candidate) in all.iter().enumerate().filter(|(_, candidate)| !candidate.furniture) {
        let near = |&main: &usize| candidate.score + NEAR >= all[main].score;
        let likely = candidate.chance >= LIKELY || chosen.first().map_or(candidate.chance >= NO_LIST, near);
        // Another cut of a list that was taken already is no other list.
        if chosen.len() < most && likely && !chosen.iter().any(|&list| all[list].overlaps(candidate)) {
            chosen.push(number);
        }
    }
    chosen
}

fn wrapper(source: &Source<'_>, view: &PageView<'_>, candidate: &Candidate) -> Wrapper {
    let template = alignment::overlay(view, candidate.cut, &candidate.records);
    induce(view, columns::labels(source, view, candidate, &template)).wrapper("discover")
}
