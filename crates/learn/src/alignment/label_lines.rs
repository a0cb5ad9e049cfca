//! Lines of several labelled values: `<b>Pay:</b> 12 € <b>Hours:</b> 8`.
//!
//! Labels that are set off as elements tell where each value begins and ends, though they all look alike and some of
//! them are missing here and there. So they are fields, one for each label.
//!
//! Paper: Fontán et al. 2012, section 4.1.2: a sequence of labels and values is no list.
//!
//! # Cost
//!
//! The texts of the elements' children, twice; most elements are found out at their first child.

use super::pieces::{Piece, Weigh, is_break};
use super::shape;

/// Labels of one line.
const MOST: usize = 8;
/// Characters of the longest label.
const LONGEST: usize = 40;

impl Weigh<'_, '_, '_> {
    /// Returns whether a label that is set off stands in the middle of a line somewhere, behind the value of another one.
    pub(super) fn has_labels_within_lines(&self) -> bool {
        let document = self.view.document;
        let within = |pair: &[Piece]| self.label(&pair[1]).is_some() && !is_break(document, pair[0].node);
        self.runs.iter().any(|run| run.windows(2).any(within))
    }

    /// Returns the text of a piece that is a label: an element of its own, with a colon at its end.
    fn label(&self, piece: &Piece) -> Option<String> {
        let document = self.view.document;
        let is_label = |text: &String| text.ends_with([':', '：']) && text.chars().count() <= LONGEST;
        let set_off = document.is_element(piece.node);
        set_off.then(|| shape::collapse(&document.visible_text(piece.node))).filter(is_label)
    }

    /// The labels of a line that is nothing but labels, set off as elements, and their values. Some may be missing, but
    /// those that are there stand in one order.
    pub(super) fn labels_in_line(&self) -> Option<Vec<String>> {
        let label = |piece: &Piece| self.label(piece);
        let mut labels: Vec<(String, usize)> = Vec::new();
        for run in &self.runs {
            let mut last = None;
            let mut open = false;
            for piece in run {
                let Some(text) = label(piece) else {
                    // In front of a value there is a label.
                    last?;
                    open = false;
                    continue;
                };
                let at = match labels.iter().position(|known| known.0 == text) {
                    Some(at) if last.is_some_and(|last| at <= last) => return None,
                    Some(at) => at,
                    None if labels.len() >= MOST => return None,
                    None => {
                        let at = last.map_or(0, |last: usize| last + 1);
                        labels.insert(at, (text, 0));
                        at
                    }
                };
                // A label without a value would take the next one's.
                if open {
                    return None;
                }
                open = true;
                labels[at].1 += 1;
                last = Some(at);
            }
            if open || last.is_none() {
                return None;
            }
        }
        // The order was made up as the runs came; and a label that is in another one cannot be looked for.
        let rising = self.runs.iter().all(|run| {
            let mut rest = labels.iter();
            let mut own = run.iter().filter_map(label);
            own.all(|text| rest.any(|known| known.0 == text))
        });
        let apart = labels.iter().enumerate().all(|(at, (label, count))| {
            *count > 1
                && labels.iter().enumerate().all(|(other, known)| at == other || !known.0.contains(label.as_str()))
        });
        (labels.len() > 1 && rising && apart).then(|| labels.into_iter().map(|label| label.0).collect())
    }
}
