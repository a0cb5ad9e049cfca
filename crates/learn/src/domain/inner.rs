//! Roles inside roles: a manufacturer's address is none of the product's.
//!
//! A keyword may belong to several roles: to one at the top, and to others inside roles. Which is meant is told by the
//! label it stands under: from a label of a role with roles inside, to the end of what that label heads or to the next label
//! that is none of those, keywords are the inner roles'.

use super::layout::{Candidate, Layouts};
use super::lexicon::{Mark, Stand};
use super::sheet::Sheet;
use super::words::Domain;

/// Gives the keywords below a role with roles inside to those, and puts keywords aside that are only inner ones'.
pub(super) fn settle(sheet: &Sheet<'_>, domain: &Domain, keys: &[Vec<u32>], marks: &mut [Mark]) {
    if domain.roles.iter().all(|role| role.within.is_none()) {
        return;
    }
    let within = |role: u32| domain.roles.get(role as usize).and_then(|role| role.within);
    // The role whose part of the page this is, and where that ends.
    let mut open: Option<(usize, u32)> = None;
    for mark in marks.iter_mut() {
        if open.is_some_and(|(_, end)| mark.first >= end) {
            open = None;
        }
        let roles = keys.get(mark.key as usize).map_or(&[][..], |roles| roles);
        let inner = open.and_then(|(parent, _)| roles.iter().find(|&&role| within(role) == Some(parent)));
        if let Some(&inner) = inner {
            mark.role = inner;
            continue;
        }
        match roles.iter().find(|&&role| within(role).is_none()) {
            Some(&role) => {
                mark.role = role;
                if mark.stand < Stand::Prose {
                    let parent = domain.roles.iter().any(|inner| inner.within == Some(role as usize));
                    open = parent.then(|| (role as usize, end_of(sheet, mark)));
                }
            }
            // A word that means something inside another role only.
            None => mark.stand = Stand::Prose,
        }
    }
}

/// The piece at which what a label heads ends: the smallest thing around it that has more than its line.
fn end_of(sheet: &Sheet<'_>, mark: &Mark) -> u32 {
    let document = sheet.document;
    let line = sheet.line_pieces(mark.line);
    let node = sheet.pieces[mark.last as usize].node;
    let around = document.ancestors(node).map(|id| sheet.pieces_below(id)).find(|pieces| pieces.end > line.end);
    around.map_or(line.end, |pieces| pieces.end) as u32
}

/// Takes the candidates of inner roles out, in the order of the page.
pub(super) fn take(domain: &Domain, candidates: &mut Vec<Candidate>) -> Vec<Candidate> {
    let inner =
        |candidate: &Candidate| domain.roles.get(candidate.role as usize).is_some_and(|role| role.within.is_some());
    let taken = candidates.iter().filter(|candidate| inner(candidate)).cloned().collect();
    candidates.retain(|candidate| !inner(candidate));
    taken
}

/// The inner pairs under a label: a group for each thing, which begins where a role comes again.
pub(super) fn groups(
    layouts: &Layouts<'_, '_>,
    domain: &Domain,
    inner: &[Candidate],
    parent: u32,
    mark: u32,
) -> Vec<Vec<Candidate>> {
    let heads = |number: u32| {
        let mark = &layouts.marks[number as usize];
        mark.role == parent && mark.stand < Stand::Prose
    };
    let next = (mark + 1..layouts.marks.len() as u32).find(|&number| heads(number)).unwrap_or(u32::MAX);
    let mut groups: Vec<Vec<Candidate>> = Vec::new();
    let own = inner.iter().filter(|candidate| {
        domain.roles[candidate.role as usize].within == Some(parent as usize) && (mark..next).contains(&candidate.mark)
    });
    for candidate in own {
        match groups.last_mut() {
            Some(group) if !group.iter().any(|known| known.role == candidate.role) => group.push(candidate.clone()),
            _ => groups.push(vec![candidate.clone()]),
        }
    }
    groups
}
