//! Score of a hunt: compares reported with expected findings, by page and by site.

use std::collections::BTreeSet;
use std::fmt;

/// Something that was found, or was there to be.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Told {
    /// The page.
    pub page: String,
    /// Conclusion about something on the page.
    pub conclusion: String,
}

impl Told {
    /// The page's site.
    pub fn site(&self) -> &str {
        let host = self.page.find("://").map_or(0, |at| at + 3);
        self.page[host..].find('/').map_or(&self.page, |end| &self.page[..host + end])
    }
}

/// Right ones among what there is, and among what is told.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Rates {
    /// Told, and there.
    pub right: usize,
    /// There.
    pub there: usize,
    /// Told.
    pub told: usize,
}

impl Rates {
    /// Computes the rates of two sets.
    pub fn of<T: Ord>(there: &BTreeSet<T>, told: &BTreeSet<T>) -> Rates {
        Rates { right: there.intersection(told).count(), there: there.len(), told: told.len() }
    }

    /// Returns the share of expected findings that were reported.
    pub fn recall(&self) -> f64 {
        if self.there == 0 { 1.0 } else { self.right as f64 / self.there as f64 }
    }

    /// Returns the share of reported findings that were expected.
    pub fn precision(&self) -> f64 {
        if self.told == 0 { 1.0 } else { self.right as f64 / self.told as f64 }
    }
}

impl fmt::Display for Rates {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (recall, precision) = (100.0 * self.recall(), 100.0 * self.precision());
        write!(
            f,
            "recall {recall:.1} % ({} of {}), precision {precision:.1} % ({} of {})",
            self.right, self.there, self.right, self.told
        )
    }
}

/// A hunt held against the truth.
#[derive(Debug, Clone)]
pub struct Score {
    /// By page and conclusion.
    pub findings: Rates,
    /// By site: one with a finding is a culprit.
    pub sites: Rates,
    /// Expected findings that were not reported.
    pub missed: Vec<Told>,
    /// Reported findings that were not expected.
    pub wrong: Vec<Told>,
}

impl Score {
    /// Compares expected with reported findings.
    pub fn new(there: &BTreeSet<Told>, told: &BTreeSet<Told>) -> Score {
        let sites = |of: &BTreeSet<Told>| of.iter().map(|one| one.site().to_owned()).collect::<BTreeSet<_>>();
        Score {
            findings: Rates::of(there, told),
            sites: Rates::of(&sites(there), &sites(told)),
            missed: there.difference(told).cloned().collect(),
            wrong: told.difference(there).cloned().collect(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pages_and_sites_are_counted_apart() {
        let set = |all: &[(&str, &str)]| {
            all.iter().map(|(page, what)| Told { page: (*page).to_owned(), conclusion: (*what).to_owned() }).collect()
        };
        let there = set(&[("http://a/1", "X"), ("http://a/2", "X"), ("http://b/1", "Y")]);
        let told = set(&[("http://a/1", "X"), ("http://a/1", "Y"), ("http://c/", "X")]);
        let score = Score::new(&there, &told);
        assert_eq!(score.findings, Rates { right: 1, there: 3, told: 3 });
        assert_eq!(score.sites, Rates { right: 1, there: 2, told: 2 });
        assert_eq!((score.missed.len(), score.wrong.len()), (2, 2));
        assert_eq!(score.sites.to_string(), "recall 50.0 % (1 of 2), precision 50.0 % (1 of 2)");
    }
}
