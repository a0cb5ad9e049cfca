//! Texts of several lines: whether the lines are columns, labelled values, or one value like an address.

use super::pieces::{Piece, Weigh, is_break};
use super::shape;

/// Lines that may be columns.
const MOST_LINES: usize = 8;

/// How many lines elements have.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Lines {
    One,
    /// So many, nearly everywhere.
    Steady(usize),
    Vary,
}

impl Weigh<'_, '_, '_> {
    /// How many lines there are.
    pub(super) fn lines(&self) -> Lines {
        let document = self.view.document;
        let count = |run: &Vec<Piece>| {
            let last = run.iter().rposition(|piece| !is_break(document, piece.node)).unwrap_or(0);
            1 + run[..last].iter().filter(|piece| is_break(document, piece.node)).count()
        };
        let counts: Vec<usize> = self.runs.iter().map(count).collect();
        let mut sorted = counts.clone();
        sorted.sort_unstable();
        let usual = sorted[sorted.len() / 2];
        let same = counts.iter().filter(|&&count| count == usual).count();
        match same * 20 >= counts.len() * 19 {
            true if usual <= 1 => Lines::One,
            true if usual <= MOST_LINES => Lines::Steady(usual),
            _ => Lines::Vary,
        }
    }

    /// Whether a line behind the first says the same nearly everywhere, and is no label: the end of an address.
    pub(super) fn ends_alike(&self, count: usize) -> bool {
        let texts: Vec<String> = self.texts().collect();
        (1..count).any(|number| {
            let mut lines: Vec<&str> =
                texts.iter().filter_map(|text| text.lines().nth(number)).map(str::trim).collect();
            lines.sort_unstable();
            let all = lines.len();
            let most = lines.chunk_by(|one, other| one == other).max_by_key(|same| same.len());
            most.is_some_and(|same| {
                all >= 4 && same.len() * 10 >= all * 9 && shape::label(same[0]).is_none() && !same[0].ends_with(':')
            })
        })
    }

    /// The labels that lines begin with, if most lines of all have one.
    pub(super) fn labels(&self) -> Option<Vec<String>> {
        let mut labels: Vec<(String, usize)> = Vec::new();
        let (mut lines, mut members) = (0, 0);
        for text in self.texts() {
            members += 1;
            for line in text.lines().filter(|line| !line.trim().is_empty()) {
                lines += 1;
                let Some(label) = shape::label(line) else { continue };
                match labels.iter().position(|known| known.0 == label) {
                    Some(at) => labels[at].1 += 1,
                    None if labels.len() < MOST_LINES * 4 => labels.push((label.to_owned(), 1)),
                    None => {}
                }
            }
        }
        labels.retain(|label| label.1 <= members && label.1 > 1);
        let labelled: usize = labels.iter().map(|label| label.1).sum();
        let told = !labels.is_empty() && labelled * 10 >= lines * 7 && labels.len() <= MOST_LINES * 2;
        told.then(|| labels.into_iter().map(|label| label.0).collect())
    }
}
