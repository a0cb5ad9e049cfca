//! The order of the candidates of a role: by layout, by the value's pattern, and by other labels that look as the candidate's
//! own does.
//!
//! The weights were chosen by hand, in steps of a tenth; the order that they give matters, not their sums. How likely a value
//! is right is computed by `confidence`, from the clues that are gathered here.

use std::ops::Range;

use foldhash::fast::FixedState;
use hashbrown::HashMap;
use regex::Regex;
use windrow_dom::{Document, NodeId, names};

use super::confidence::Clues;
use super::items::Items;
use super::layout::{Candidate, Layout, Layouts};
use super::lexicon::{Mark, Stand};

/// The least that a pair must have.
const LEAST: f32 = 0.5;
/// What a pair has that is beyond doubt.
const SURE: f32 = 2.5;
/// Bytes of a text that may stand for a value that the page does not know: `not reported`.
const PLACEHOLDER: usize = 24;
/// How far up a link is looked for around a text.
const AROUND: usize = 4;

/// A candidate, and how sure it is.
#[derive(Debug, Clone)]
pub(super) struct Judged {
    pub(super) candidate: Candidate,
    pub(super) score: f32,
    pub(super) clues: Clues,
}

impl Judged {
    /// The score from 0 to 1, by which pairs of different kinds are weighed against each other.
    pub(super) fn weight(&self) -> f32 {
        (self.score / SURE).clamp(0.0, 1.0)
    }
}

/// The candidates that may be pairs.
pub(super) fn judge(layouts: &Layouts<'_, '_>, patterns: &[Option<Regex>], candidates: Vec<Candidate>) -> Vec<Judged> {
    let sheet = layouts.sheet;
    let looks = |candidate: &Candidate| {
        let mark = &layouts.marks[candidate.mark as usize];
        (sheet.pieces[mark.first as usize].style, candidate.layout)
    };
    // Roles whose labels look the same, and have their values in the same place.
    let mut company: HashMap<(u64, Layout), Vec<u32>, FixedState> = HashMap::default();
    for candidate in &candidates {
        let roles = company.entry(looks(candidate)).or_default();
        if roles.len() < 4 && !roles.contains(&candidate.role) {
            roles.push(candidate.role);
        }
    }
    let score = |candidate: &Candidate| {
        if let Some(list) = &candidate.list {
            let score = list_score(layouts, patterns, candidate, list)?;
            let mark = &layouts.marks[candidate.mark as usize];
            let clues = Clues {
                items: list.items.len() as u32,
                list: score,
                alone: mark.stand == Stand::Alone,
                marked: mark.stand == Stand::Marked,
                ..Clues::default()
            };
            return Some((score, clues));
        }
        let mark = &layouts.marks[candidate.mark as usize];
        let text = layouts.text(candidate);
        let mut score = match candidate.layout {
            Layout::Line | Layout::Cell | Layout::Definition => 1.0,
            Layout::Column | Layout::Before => 0.8,
            Layout::Beside | Layout::Above => 0.7,
            Layout::Below => 0.5,
        };
        let mut clues = Clues::default();
        if let Some(pattern) = patterns.get(candidate.role as usize).and_then(Option::as_ref) {
            clues.fits = Some(pattern.is_match(text));
            if clues.fits == Some(true) {
                score += 0.5;
            } else if is_placeholder(text) {
                score -= 0.6;
            } else {
                return None;
            }
        }
        let others = company.get(&looks(candidate)).map_or(0, |roles| roles.len() - 1);
        score += 0.2 * others as f32;
        let menu = match candidate.layout {
            Layout::Below => true,
            Layout::Beside => mark.stand != Stand::Marked,
            _ => false,
        };
        if menu && is_menu(layouts, mark, candidate) {
            score -= 1.5;
        }
        // A menu at the foot of the page: a heading, and links below it.
        if is_in_frame(sheet.document, sheet.pieces[mark.first as usize].node)
            && is_linked(
                sheet.document,
                sheet.pieces[layouts.pieces_of(candidate.start as usize, candidate.end as usize).start].node,
            )
        {
            return None;
        }
        if sheet.pieces[mark.first as usize].unseen {
            score -= 0.2;
        }
        // What is struck out is no longer so.
        let value = &sheet.pieces[layouts.pieces_of(candidate.start as usize, candidate.end as usize).start];
        if is_struck(sheet.document, value.node) {
            score -= 0.5;
        }
        // `Product type` says more than `type`.
        let words = sheet.text[mark.start as usize..mark.end as usize].split(' ').count();
        score += 0.1 * (words.min(4) - 1) as f32;
        clues.company = others as u32;
        clues.marked = mark.stand == Stand::Marked;
        clues.alone = mark.stand == Stand::Alone;
        clues.words = words as u32;
        clues.doubtful = menu && is_menu(layouts, mark, candidate)
            || sheet.pieces[mark.first as usize].unseen
            || is_struck(sheet.document, value.node);
        clues.same_look = value.style == sheet.pieces[mark.first as usize].style && value.line != mark.line;
        clues.length = candidate.end - candidate.start;
        (score >= LEAST).then_some((score, clues))
    };
    let judged = |candidate: Candidate| {
        let (score, clues) = score(&candidate)?;
        Some(Judged { candidate, score, clues })
    };
    candidates.into_iter().filter_map(judged).collect()
}

/// How sure a list is: of a role with a pattern, at least half of the items must match it.
fn list_score(
    layouts: &Layouts<'_, '_>,
    patterns: &[Option<Regex>],
    candidate: &Candidate,
    list: &Items,
) -> Option<f32> {
    let mut score = list.score;
    if let Some(pattern) = patterns.get(candidate.role as usize).and_then(Option::as_ref) {
        let text = |item: &Range<u32>| layouts.sheet.text.get(item.start as usize..item.end as usize);
        let right = list.items.iter().filter_map(text).filter(|text| pattern.is_match(text)).count();
        if 2 * right < list.items.len() {
            return None;
        }
        score += 0.5 * right as f32 / list.items.len().max(1) as f32;
    }
    (score >= LEAST).then_some(score)
}

/// Whether a text may say that there is no value, or none to speak of.
pub(super) fn is_placeholder(text: &str) -> bool {
    text.len() <= PLACEHOLDER && !text.contains('\n') && !text.contains(|c: char| c.is_ascii_digit())
}

/// Whether a label and what follows it are two links of a menu.
fn is_menu(layouts: &Layouts<'_, '_>, mark: &Mark, candidate: &Candidate) -> bool {
    let sheet = layouts.sheet;
    let pieces = layouts.pieces_of(candidate.start as usize, candidate.end as usize);
    is_linked(sheet.document, sheet.pieces[mark.first as usize].node)
        && is_linked(sheet.document, sheet.pieces[pieces.start].node)
}

/// Returns whether a text stands in a menu of the site, or at the foot of the page; the foot of an article is its own.
fn is_in_frame(document: &Document, id: NodeId) -> bool {
    let mut frame = false;
    for id in document.ancestors(id) {
        match document.name_id(id) {
            Some(names::ARTICLE | names::MAIN | names::SECTION | names::TABLE) => return false,
            Some(names::NAV | names::FOOTER) => frame = true,
            _ => {}
        }
    }
    frame
}

pub(super) fn is_struck(document: &Document, id: NodeId) -> bool {
    let name = |id: NodeId| document.name(id).is_some_and(|name| matches!(name, "s" | "strike" | "del"));
    document.ancestors(id).take(AROUND).any(name)
}

/// Whether a text is a link.
pub(super) fn is_linked(document: &Document, id: NodeId) -> bool {
    link_around(document, id).is_some()
}

/// The link that a text is in.
pub(super) fn link_around(document: &Document, id: NodeId) -> Option<NodeId> {
    document.ancestors(id).take(AROUND).find(|&id| document.name_id(id) == Some(names::A))
}
