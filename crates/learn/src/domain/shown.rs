//! What a value says: one text, or the members of a list; without what the page adds to it.
//!
//! Members are links side by side, with little between them, as in `<a>Drama</a>, <a>Comedy</a>`: what a page can link to
//! is a thing of its own. A link in brackets (`[more]`) is no part of a value, and of a value in two states, one of them
//! hidden, the one that is seen counts.

use std::ops::Range;

use windrow_dom::NodeId;

use super::Value;
use super::judge::link_around;
use super::layout::{Candidate, Layouts};
use super::sheet::is_space;

/// Members of one value.
const MOST: usize = 1000;

impl Layouts<'_, '_> {
    /// The values of a candidate: several if it is a list and may be one.
    pub(super) fn values(&self, candidate: &Candidate, many: Option<bool>) -> Vec<Value> {
        let all = candidate.start as usize..candidate.end as usize;
        let pieces = self.pieces_of(all.start, all.end);
        let sheet = self.sheet;
        let seen = pieces.clone().any(|piece| !sheet.pieces[piece].unseen);
        let mut own: Vec<(Range<usize>, Option<NodeId>)> = Vec::new();
        for piece in pieces.map(|piece| &sheet.pieces[piece]).filter(|piece| !(seen && piece.unseen)) {
            let range = piece.range().start.max(all.start)..piece.range().end.min(all.end);
            let Some(text) = sheet.text.get(range.clone()).filter(|text| !text.is_empty()) else { continue };
            match link_around(sheet.document, piece.node) {
                Some(_) if text.starts_with('[') => continue,
                // `$11.92 & free shipping`
                None if !own.is_empty() && text.starts_with("& ") => break,
                link => own.push((range, link)),
            }
        }
        self.drop_actions(&mut own);
        let mut parts: Vec<Range<usize>> = Vec::new();
        let mut links: Vec<(NodeId, Range<usize>)> = Vec::new();
        let mut apart = 0;
        for (range, link) in own {
            match (link, links.last_mut()) {
                (Some(link), Some(last)) if last.0 == link => last.1.end = range.end,
                (Some(link), _) => links.push((link, range.clone())),
                (None, _) => apart += letters(&sheet.text[range.clone()]),
            }
            match parts.last_mut() {
                Some(last) if !sheet.text[last.end..range.start].contains('\n') => last.end = range.end,
                _ => parts.push(range),
            }
        }
        links.retain(|(_, range)| sheet.text[range.clone()].contains(char::is_alphanumeric));
        let linked: usize = links.iter().map(|(_, range)| letters(&sheet.text[range.clone()])).sum();
        if many != Some(false) && links.len() >= 2 && 2 * apart <= 3 * linked {
            return links.into_iter().take(MOST).map(|(_, range)| self.value(&[range])).collect();
        }
        vec![self.value(&parts)]
    }

    /// Takes links off the end of a text that are behind a sign: `12 Main St | Map it`, `2.1 pounds (see rates)`.
    fn drop_actions(&self, own: &mut Vec<(Range<usize>, Option<NodeId>)>) {
        let text = |range: &Range<usize>| &self.sheet.text[range.clone()];
        while own.first().is_some_and(|(_, link)| link.is_none()) {
            let behind = own.iter().rposition(|(range, _)| text(range).contains(char::is_alphanumeric));
            let Some(at) = behind.filter(|&at| at > 0 && own[at].1.is_some()) else { return };
            let before = text(&own[at - 1].0).trim_end();
            if !before.ends_with(['(', '[', '|', '»', '›', '>']) {
                return;
            }
            own.truncate(at);
        }
    }

    /// All of a line.
    pub(super) fn line_value(&self, line: u32) -> Option<Value> {
        let pieces = self.sheet.line_pieces(line);
        let (first, last) = (self.sheet.pieces.get(pieces.start)?, self.sheet.pieces.get(pieces.end.checked_sub(1)?)?);
        self.text_value(first.start as usize..last.end as usize)
    }

    /// These bytes of the text.
    pub(super) fn text_value(&self, range: Range<usize>) -> Option<Value> {
        let value = self.value(&[range]);
        value.text.contains(char::is_alphanumeric).then_some(value)
    }

    /// The value of these bytes.
    fn value(&self, parts: &[Range<usize>]) -> Value {
        let texts: Vec<&str> = parts.iter().map(|range| &self.sheet.text[range.clone()]).collect();
        let text = trim(&texts.join(" ")).replace('\n', " ");
        let (start, end) = (parts.first().map_or(0, |part| part.start), parts.last().map_or(0, |part| part.end));
        let node = self.node_of(start, end);
        let all = self.sheet.text_of(self.sheet.pieces_below(node)).replace('\n', " ");
        let part = if all == text { None } else { all.find(&text).map(|at| at..at + text.len()) };
        Value { text, node, part }
    }
}

fn letters(text: &str) -> usize {
    text.chars().filter(|c| c.is_alphanumeric()).count()
}

/// A value without the signs between it and others.
pub(super) fn trim(text: &str) -> &str {
    text.trim_matches(|c: char| is_space(c) || matches!(c, '|' | '•' | '·' | ';' | ','))
        .trim_end_matches(|c: char| is_space(c) || matches!(c, '(' | '[' | '|' | '»' | '›' | '>'))
}
