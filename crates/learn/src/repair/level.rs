//! The records of one list on the new page, with what is known of each; on the page itself, or in the records of another.

use super::known::KnownRecord;
use super::sheet::Sheet;
use crate::induce::locate::Finder;
use crate::scope::{Cut, Scope};

/// Records and what is known of them.
pub(super) struct Level<'s, 'p, 'k> {
    pub(super) sheet: &'s Sheet<'p>,
    pub(super) cut: Cut,
    /// In the order of the page.
    pub(super) scopes: Vec<Scope>,
    /// By scope: the known record that is there.
    pub(super) known: Vec<Option<&'k KnownRecord>>,
}

impl<'p, 'k> Level<'_, 'p, 'k> {
    /// The numbers of the scopes that a known record is in.
    pub(super) fn matched(&self) -> Vec<usize> {
        (0..self.scopes.len()).filter(|&at| self.known[at].is_some()).collect()
    }

    /// What is known in a scope.
    pub(super) fn known_at(&self, scope: usize) -> Option<&'k KnownRecord> {
        self.known.get(scope).copied().flatten()
    }

    pub(super) fn finder(&self) -> Finder<'_, 'p> {
        Finder { view: &self.sheet.view, document: self.sheet.document }
    }

    /// Whether a value stands in a scope: as this attribute, if it was read from one; else as all of a text, or, if it
    /// is long enough to be no chance, as a part of one.
    pub(super) fn stands(&self, scope: usize, attribute: Option<&str>, value: &str) -> bool {
        let place = self.scopes[scope];
        if let Some(name) = attribute {
            return self.sheet.is_told(place, name, value);
        }
        if self.sheet.is_read(place, value) {
            return true;
        }
        let reading = &self.sheet.reading;
        let from = reading.before(place.record.first);
        let to = reading.before(place.record.end).max(from);
        value.len() >= 6 && reading.text.get(from..to).is_some_and(|text| text.contains(value))
    }

    /// Scopes evenly taken from the matched ones; of runs all, as each ends where the next begins.
    pub(super) fn sample(&self, matched: &[usize], most: usize) -> Vec<usize> {
        let step = matched.len().div_ceil(most.max(1)).max(1);
        matched.iter().step_by(step).copied().collect()
    }
}
