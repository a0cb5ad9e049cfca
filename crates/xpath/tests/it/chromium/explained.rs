//! Known differences, each with its reason: lines of `difference<TAB>reason` in `testdata/xpath`.

use std::collections::BTreeMap;
use std::fs;

use super::testdata;

/// The known differences of one kind, and how often each was met.
pub(super) struct Explanations {
    met: BTreeMap<String, usize>,
}

/// Reads a list; `#` begins a comment line.
pub(super) fn read(name: &str) -> Explanations {
    let path = testdata().join(name);
    let text = fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let mut met = BTreeMap::new();
    for line in text.lines().filter(|line| !line.is_empty() && !line.starts_with('#')) {
        let (what, reason) = line.split_once('\t').unwrap_or_else(|| panic!("{name}: no reason given: {line}"));
        assert!(!reason.trim().is_empty(), "{name}: no reason given: {line}");
        met.insert(what.to_owned(), 0);
    }
    Explanations { met }
}

impl Explanations {
    /// Returns `true` if this difference is known.
    pub(super) fn explains(&mut self, what: &str) -> bool {
        self.met.get_mut(what).map(|met| *met += 1).is_some()
    }

    /// Returns the number of known differences met so far.
    pub(super) fn used(&self) -> usize {
        self.met.values().sum()
    }

    /// Returns the known differences that were not met.
    pub(super) fn unused(&self) -> Vec<&str> {
        self.met.iter().filter(|&(_, &met)| met == 0).map(|(what, _)| what.as_str()).collect()
    }
}
