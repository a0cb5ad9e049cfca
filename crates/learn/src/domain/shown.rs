//! What a value says: one text, or the members of a list; without what the page adds to it.
//!
//! Members are links side by side, with little between them, as in `<a>Drama</a>, <a>Comedy</a>`: what a page can link to
//! is a thing of its own. A link in brackets (`[more]`) is no part of a value, and of a value in two states, one of them
//! hidden, the one that is seen counts.

use std::ops::Range;

use windrow_dom::{Document, NodeId};

use super::Value;
use super::judge::{is_struck, link_around};
use super::layout::{Candidate, Layouts};
use super::sheet::{Piece, is_space};

/// Words of a member that commas tell apart.
const SHORT: usize = 5;
/// Number of levels up that a button is looked for.
const AROUND: usize = 3;
/// Members of one value.
const MOST: usize = 1000;

impl Layouts<'_, '_> {
    /// The values of a candidate: several if it is a list and may be one.
    pub(super) fn values(&self, candidate: &Candidate, many: Option<bool>) -> Vec<Value> {
        if let Some(list) = &candidate.list {
            let items = list.items.iter().map(|item| item.start as usize..item.end as usize);
            return items.filter_map(|item| self.item_value(item)).collect();
        }
        let all = candidate.start as usize..candidate.end as usize;
        let pieces = self.pieces_of(all.start, all.end);
        let sheet = self.sheet;
        let seen = pieces.clone().any(|piece| !sheet.pieces[piece].unseen);
        // What is struck out is no longer so, if something else is.
        let struck = |piece: usize| is_struck(sheet.document, sheet.pieces[piece].node);
        let said = |piece: usize| sheet.text[sheet.pieces[piece].range()].contains(char::is_alphanumeric);
        let valid = pieces.clone().any(|piece| said(piece) && !struck(piece));
        // Nor is a button, `Remove` or `×`, a part of what stands beside it.
        let pressed = |piece: usize| is_pressed(sheet.document, sheet.pieces[piece].node);
        let open = pieces.clone().any(|piece| said(piece) && !pressed(piece) && !(valid && struck(piece)));
        let pieces = pieces.filter(|&piece| (!valid || !struck(piece)) && (!open || !pressed(piece)));
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
        if many == Some(true) {
            let members = self.members(&parts);
            if members.len() >= 2 {
                return members.into_iter().take(MOST).map(|range| self.value(&[range])).collect();
            }
        }
        vec![self.value(&parts)]
    }

    /// An item of a list: what is seen of it.
    pub(super) fn item_value(&self, item: Range<usize>) -> Option<Value> {
        let pieces = &self.sheet.pieces[self.pieces_of(item.start, item.end)];
        let seen = pieces.iter().any(|piece| !piece.unseen);
        let mut parts: Vec<Range<usize>> = Vec::new();
        for piece in pieces.iter().filter(|piece| !(seen && piece.unseen)) {
            let range = piece.range().start.max(item.start)..piece.range().end.min(item.end);
            match parts.last_mut() {
                Some(last) if last.end + 1 >= range.start => last.end = range.end,
                _ => parts.push(range),
            }
        }
        let value = self.value(&parts);
        value.text.contains(char::is_alphanumeric).then_some(value)
    }

    /// The members of a value that is a list by its role: lines, or short texts with commas between them.
    fn members(&self, parts: &[Range<usize>]) -> Vec<Range<usize>> {
        let mut lines: Vec<Range<usize>> = Vec::new();
        let mut pieces: Vec<Range<usize>> = Vec::new();
        for part in parts {
            let text = &self.sheet.text[part.clone()];
            let mut at = part.start;
            for line in text.split('\n') {
                lines.push(at..at + line.len());
                at += line.len() + 1;
            }
            let mut at = part.start;
            for piece in text.split([',', ';', '、', '，', '\n']) {
                pieces.push(at..at + piece.len());
                at += piece.len() + text[at - part.start + piece.len()..].chars().next().map_or(0, char::len_utf8);
            }
        }
        let said = |range: &Range<usize>| self.sheet.text[range.clone()].contains(char::is_alphanumeric);
        lines.retain(said);
        pieces.retain(said);
        let short = |range: &Range<usize>| self.sheet.text[range.clone()].split_whitespace().count() <= SHORT;
        if lines.len() >= 2 || !pieces.iter().all(short) { lines } else { pieces }
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
        let value = self.value(&[self.without_buttons(range)]);
        value.text.contains(char::is_alphanumeric).then_some(value)
    }

    /// These bytes of the text without the buttons at their ends, unless they have nothing else.
    pub(super) fn without_buttons(&self, range: Range<usize>) -> Range<usize> {
        let pieces = &self.sheet.pieces[self.pieces_of(range.start, range.end)];
        let open = |piece: &&Piece| !is_pressed(self.sheet.document, piece.node);
        match (pieces.iter().find(open), pieces.iter().rfind(open)) {
            (Some(first), Some(last)) => range.start.max(first.start as usize)..range.end.min(last.end as usize),
            _ => range,
        }
    }

    /// The value of these bytes.
    fn value(&self, parts: &[Range<usize>]) -> Value {
        let texts: Vec<&str> = parts.iter().map(|range| &self.sheet.text[range.clone()]).collect();
        let text = trim(&texts.join(" ")).replace('\n', " ");
        let (start, end) = (parts.first().map_or(0, |part| part.start), parts.last().map_or(0, |part| part.end));
        let node = self.node_of(start, end);
        // Line breaks are as long as blanks, so places in the page's text are places in the node's.
        let all = self.sheet.pieces_below(node);
        let (from, to) = (self.sheet.pieces[all.start].start as usize, self.sheet.pieces[all.end - 1].end as usize);
        let at = if end - start == text.len() { Some(0) } else { find(&self.sheet.text[start..end], &text) };
        let part = match at {
            Some(at) if start + at == from && start + at + text.len() == to => None,
            Some(at) => Some(start + at - from..start + at - from + text.len()),
            // Something in the middle of it is left out.
            None => Some(0..0),
        };
        Value { text, node, part }
    }
}

/// Returns whether a text is what a button says.
fn is_pressed(document: &Document, id: NodeId) -> bool {
    document.ancestors(id).take(AROUND).any(|id| document.name(id) == Some("button"))
}

/// Where a text in one line stands in the same text in several.
fn find(lines: &str, text: &str) -> Option<usize> {
    let first = text.chars().next()?;
    let at = lines.find(first)?;
    let found = lines.get(at..at + text.len())?;
    let same = found.bytes().zip(text.bytes()).all(|(one, two)| one == two || (one == b'\n' && two == b' '));
    same.then_some(at)
}

fn letters(text: &str) -> usize {
    text.chars().filter(|c| c.is_alphanumeric()).count()
}

/// A value without the signs between it and others.
pub(super) fn trim(text: &str) -> &str {
    let text = text.trim_matches(|c: char| is_space(c) || matches!(c, '|' | '•' | '·' | ';' | ','));
    let open = text.contains(['«', '‹', '<']);
    text.trim_end_matches(|c: char| {
        is_space(c) || matches!(c, '(' | '[' | '|') || !open && matches!(c, '»' | '›' | '>')
    })
}
