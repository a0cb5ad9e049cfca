//! Values that no label tells, but that their own wording does: `4.8 from 54 votes` is a rating, `6 servings` a yield.
//!
//! A role's `phrases` are patterns; the first group is the value. They are looked for where a role has no value yet, in the
//! text behind the title of the page, outside of what is the value of another role. The first match counts: what a page is
//! about stands in front of what it links to.
//!
//! # Cost
//!
//! One pass over the text of the page for each phrase of a role without a value.

use regex::Regex;
use windrow_dom::NodeId;

use super::layout::Layouts;
use super::names::is_of_others;
use super::{Clues, Evidence, Pair, Record};

/// Confidence of a value that a phrase tells: above that of a class name, below that of a label.
const CONFIDENCE: f32 = 0.45;
/// Matches of one phrase that are looked at.
const MOST: usize = 64;

/// The pairs of the roles that a record lacks (`wanted`), by phrases.
pub(super) fn find(layouts: &Layouts<'_, '_>, phrases: &[Vec<Regex>], wanted: &[bool], record: &Record) -> Vec<Pair> {
    let sheet = layouts.sheet;
    let document = sheet.document;
    let values = |pair: &Pair| pair.values.iter().map(|value| value.node).collect::<Vec<NodeId>>();
    let (titles, others): (Vec<&Pair>, Vec<&Pair>) =
        record.pairs.iter().partition(|pair| pair.evidence == Evidence::Title);
    let title = titles.into_iter().flat_map(values).max();
    let taken: Vec<NodeId> = others.into_iter().flat_map(values).collect();
    // Where the text of a match stands; none if something else stands there.
    let place = |start: usize| {
        let at = sheet.pieces.partition_point(|piece| piece.end as usize <= start);
        let piece = sheet.pieces.get(at).filter(|piece| !piece.unseen)?;
        let free = !taken.iter().any(|&node| node <= piece.node && piece.node < document.subtree_end(node));
        (free && title.is_none_or(|title| title <= piece.node) && !is_of_others(document, record.node, piece.node))
            .then_some(start)
    };
    let mut pairs = Vec::new();
    for (role, phrases) in phrases.iter().enumerate().filter(|(role, _)| wanted.get(*role) == Some(&true)) {
        let first = |phrase: &Regex| {
            let matches = phrase.captures_iter(&sheet.text).take(MOST).filter_map(|found| found.get(1));
            matches.into_iter().find_map(|value| Some((place(value.start())?, value.end())))
        };
        let Some((start, end)) = phrases.iter().filter_map(first).min() else { continue };
        let Some(value) = layouts.text_value(start..end) else { continue };
        pairs.push(Pair {
            role: Some(role),
            label: None,
            values: vec![value],
            evidence: Evidence::Phrase,
            confidence: CONFIDENCE,
            clues: Clues::default(),
            inner: Vec::new(),
        });
    }
    pairs
}
