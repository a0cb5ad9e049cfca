//! Which keywords head a list, and where other parts of the page begin.

use windrow_dom::{NodeId, names};

use super::super::judge::is_linked;
use super::super::lexicon::{Mark, Stand, is_edge};
use super::super::unknown::NONE;
use super::{Finder, Heading};

/// Bytes of a heading that has more words than its keyword.
const HEADING: usize = 80;
/// Bytes of a heading element.
const LONGEST_HEADING: usize = 300;

impl Finder<'_, '_, '_> {
    pub(super) fn level(&self, id: NodeId) -> Option<u8> {
        match self.layouts.sheet.document.name_id(id)? {
            names::H1 => Some(1),
            names::H2 => Some(2),
            names::H3 => Some(3),
            names::H4 => Some(4),
            names::H5 => Some(5),
            names::H6 => Some(6),
            _ => None,
        }
    }

    /// The heading element around a text.
    pub(super) fn heading_around(&self, id: NodeId) -> Option<(NodeId, u8)> {
        let around = self.layouts.sheet.document.ancestors(id).take(6);
        let (id, level) = around.into_iter().find_map(|id| Some((id, self.level(id)?)))?;
        // One that was never closed holds the rest of the page.
        let text = self.text_below(id)?;
        (text.len() <= LONGEST_HEADING).then_some((id, level))
    }

    /// The role with several values that a keyword may be of.
    pub(super) fn list_role(&self, mark: &Mark) -> Option<u32> {
        let roles = self.lexicon.keys().get(mark.key as usize)?;
        let is_list = |role: &&u32| {
            let role = &self.domain.roles[**role as usize];
            role.many == Some(true) && role.within.is_none()
        };
        roles.iter().find(is_list).copied()
    }

    /// The heading that a keyword is.
    pub(super) fn heading(&self, mark: &Mark) -> Option<Heading> {
        let role = self.list_role(mark)?;
        let sheet = self.layouts.sheet;
        let document = sheet.document;
        let node = sheet.pieces[mark.first as usize].node;
        let line = sheet.line_pieces(mark.line);
        let text = sheet.text_of(line.clone());
        let around = self.heading_around(node);
        let line_start = sheet.pieces[line.start].start;
        let behind = sheet.text.get(mark.end as usize..sheet.pieces[line.end - 1].end as usize)?;
        let before = sheet.text.get(line_start as usize..mark.start as usize)?;
        let ends = behind.chars().all(is_edge);
        let whole = ends && before.chars().all(is_edge);
        let marked = mark.stand < Stand::Prose && ends && mark.stand != Stand::Behind;
        if !(whole || marked && before.is_empty()) {
            // `Ingredients for four`, `How to make it: steps`, in a heading of one line.
            let (heading, _) = around?;
            let edge = before.chars().all(is_edge) || ends;
            if !edge || text.len() > HEADING || sheet.pieces_below(heading).len() > 2 * line.len() {
                return None;
            }
        }
        // A link that is no heading leads to the list, or to others.
        if around.is_none() && is_linked(document, node) || self.is_aside(node) {
            return None;
        }
        let (node, level) = around.map_or((node, None), |(id, level)| (id, Some(level)));
        let end = match level {
            Some(_) => document.subtree_end(node),
            None => sheet.pieces.get(line.end).map_or(document.subtree_end(document.root()), |piece| piece.node),
        };
        Some(Heading { node, end, level, whole, line: mark.line, role })
    }

    /// Returns whether a text is of the site, not of what the page is about.
    pub(super) fn is_aside(&self, id: NodeId) -> bool {
        let document = self.layouts.sheet.document;
        let aside = |id: NodeId| matches!(document.name_id(id), Some(names::NAV | names::FOOTER));
        document.ancestors(id).any(aside)
    }

    /// Returns whether a text is something to press, or hidden behind it.
    pub(super) fn is_control(&self, id: NodeId) -> bool {
        let document = self.layouts.sheet.document;
        document
            .ancestors(id)
            .take(4)
            .any(|id| document.name(id).is_some_and(|name| matches!(name, "button" | "nav" | "figcaption")))
    }

    /// Returns whether a line begins another part of the page.
    pub(super) fn is_other(&self, heading: &Heading, line: u32) -> bool {
        let sheet = self.layouts.sheet;
        self.layouts.marks_in(line).iter().any(|mark| {
            if mark.role == NONE {
                return false;
            }
            let node = sheet.pieces[mark.first as usize].node;
            let headed = self.heading_around(node).is_some();
            match self.list_role(mark) {
                // Another list, or the same again.
                Some(_) => self.heading(mark).is_some(),
                None => {
                    let same = sheet.pieces[mark.first as usize].style == self.style(heading);
                    mark.stand < Stand::Prose && (headed || same)
                }
            }
        })
    }

    pub(super) fn style(&self, heading: &Heading) -> u64 {
        let sheet = self.layouts.sheet;
        sheet.pieces.get(sheet.line_pieces(heading.line).start).map_or(0, |piece| piece.style)
    }
}
