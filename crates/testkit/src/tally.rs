//! A suite's results against its list of known failures.
//!
//! The list is exact in both directions: a case that fails without being listed is a failure of the test, and so is
//! a listed case that passes, so that the list never outlives its reasons.

use std::fmt::Write as _;

/// One case that is known to fail.
#[derive(Debug, Clone, Copy)]
pub struct Known {
    /// The case's name, as reports print it.
    pub case: &'static str,
    /// Why it fails and why that stays so.
    pub reason: &'static str,
}

/// Results so far.
#[derive(Debug)]
pub struct Tally {
    known: &'static [Known],
    met: Vec<bool>,
    passed: usize,
    total: usize,
    unexpected: Vec<String>,
}

/// Largest number of unexpected failures listed in a report.
const SHOWN: usize = 40;

impl Tally {
    /// An empty tally against a list.
    pub fn new(known: &'static [Known]) -> Tally {
        Tally { known, met: vec![false; known.len()], passed: 0, total: 0, unexpected: Vec::new() }
    }

    /// Counts one case; `detail` is called for an unlisted failure only.
    pub fn count(&mut self, case: &str, passed: bool, detail: impl FnOnce() -> String) {
        self.total += 1;
        self.passed += usize::from(passed);
        if passed {
            return;
        }
        match self.known.iter().position(|known| known.case == case) {
            Some(at) => self.met[at] = true,
            None => self.unexpected.push(format!("{case}\n{}", detail())),
        }
    }

    /// Cases that passed, of all.
    pub fn passed_of(&self) -> (usize, usize) {
        (self.passed, self.total)
    }

    /// `N of M passed`, with the number of known failures.
    pub fn summary(&self) -> String {
        let known = self.met.iter().filter(|&&met| met).count();
        format!("{} of {} passed, {known} known failures", self.passed, self.total)
    }

    /// Returns a description of unlisted failures, and of listed cases that no longer fail; empty if there are none.
    pub fn complaints(&self) -> String {
        let mut out = String::new();
        for failure in self.unexpected.iter().take(SHOWN) {
            let _ = writeln!(out, "FAILED {failure}\n");
        }
        if self.unexpected.len() > SHOWN {
            let _ = writeln!(out, "… and {} more", self.unexpected.len() - SHOWN);
        }
        for (known, _) in self.known.iter().zip(&self.met).filter(|(_, met)| !**met) {
            let _ = writeln!(out, "LISTED, BUT PASSES: {} ({})", known.case, known.reason);
        }
        out
    }

    /// All unlisted failures, in full.
    pub fn unexpected(&self) -> &[String] {
        &self.unexpected
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    static KNOWN: [Known; 2] = [Known { case: "a", reason: "old" }, Known { case: "b", reason: "older" }];

    #[test]
    fn the_list_is_exact_both_ways() {
        let mut tally = Tally::new(&KNOWN);
        tally.count("a", false, String::new);
        tally.count("b", true, String::new);
        tally.count("c", false, || "why".to_owned());
        assert_eq!(tally.passed_of(), (1, 3));
        let complaints = tally.complaints();
        assert!(complaints.contains("FAILED c\nwhy"), "{complaints}");
        assert!(complaints.contains("LISTED, BUT PASSES: b"), "{complaints}");
        assert!(!complaints.contains("FAILED a"), "{complaints}");
    }
}
