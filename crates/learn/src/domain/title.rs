//! What a record is called: often the one thing that no label says.
//!
//! The paper takes the first leaf of the data-rich node, or the leaf in front of it. Pages say it more than once, though: in
//! their `title` element, in a heading. A line that the page's title begins with or contains, in a heading at best, is
//! the record's, and the nearest in front of the record if there are several.

use windrow_dom::{NodeId, names};

use super::Value;
use super::layout::Layouts;
use super::lexicon::Stand;
use super::sheet::fold_into;

/// Lines that are looked at.
const MOST: usize = 4000;
/// Bytes of a title.
const LONGEST: usize = 300;

/// The title of a record of a page with this many.
pub(super) fn title(layouts: &Layouts<'_, '_>, node: NodeId, alone: bool) -> Option<Value> {
    let sheet = layouts.sheet;
    let at = sheet.pieces.partition_point(|piece| piece.node < node);
    if alone && let Some(line) = from_title(layouts, at) {
        return Some(line);
    }
    // The first leaf, or the one in front.
    let is_label = |piece: usize| {
        let line = sheet.pieces[piece].line;
        layouts.marks_in(line).iter().any(|mark| mark.stand < Stand::Prose)
    };
    let first = sheet.pieces.get(at).filter(|piece| piece.node < sheet.document.subtree_end(node));
    let first = first.map(|_| at).filter(|&piece| !is_label(piece));
    let before = || (0..at).rev().take(8).find(|&piece| !is_label(piece));
    let line = sheet.pieces[first.or_else(before)?].line;
    layouts.line_value(line).filter(|value| value.text.len() <= LONGEST)
}

/// The line that the page's title has, the best one first.
fn from_title(layouts: &Layouts<'_, '_>, at: usize) -> Option<Value> {
    let sheet = layouts.sheet;
    let document = sheet.document;
    let head = document.find_html(names::TITLE)?;
    let mut wanted = String::new();
    let title = document.text_content(head);
    fold_into(&title.split_whitespace().collect::<Vec<_>>().join(" "), &mut wanted);
    let near = sheet.pieces.get(at).map_or(0, |piece| piece.line);
    let mut best: Option<(i32, u32)> = None;
    for line in 0..(sheet.lines.len().min(MOST) as u32) {
        let pieces = sheet.line_pieces(line);
        let (first, last) = (sheet.pieces[pieces.start], sheet.pieces[pieces.end - 1]);
        let text = sheet.folded[first.folded as usize..last.folded_end as usize].trim();
        if text.len() < 3 || text.len() > LONGEST || first.unseen {
            continue;
        }
        let heading = document.ancestors(first.node).take(5).find_map(|id| match document.name_id(id) {
            Some(names::H1) => Some(6),
            Some(names::H2) => Some(3),
            Some(names::H3 | names::H4) => Some(1),
            _ => None,
        });
        let within = wanted.contains(text) as i32;
        // A heading may say a little more than the title does.
        let around = (heading == Some(6)) as i32;
        if within == 0 && around == 0 {
            continue;
        }
        let begins = wanted.starts_with(text) as i32;
        let length = (text.len() as i32 / 4).min(12);
        let behind = if line > near { 2 } else { 0 };
        let score = 4 * within + 4 * begins + heading.unwrap_or(0) + within * length - behind;
        if best.is_none_or(|(known, _)| score > known) {
            best = Some((score, line));
        }
    }
    let (score, line) = best?;
    (score >= 6).then(|| layouts.line_value(line)).flatten()
}
