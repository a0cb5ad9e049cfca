//! Counts of findings by conclusion, of records, and of records that could not be decided.

use std::collections::BTreeMap;

use crate::store::audits::Verdict;

/// Records that could not be decided and are told of one by one.
const MOST_TOLD: u64 = 10;

/// The audit of one record.
#[derive(Debug)]
pub(super) struct Judged {
    /// The page that the record is on.
    pub(super) page: String,
    /// The findings as they are kept, if they are.
    pub(super) verdicts: Vec<Verdict>,
    /// The conclusion of each finding, `not` before it if it is negated; and the finding as it is printed.
    pub(super) findings: Vec<(String, String)>,
    /// WrapperFile that contradicted others.
    pub(super) weakened: Vec<String>,
    /// The place of the record, and the reason why nothing could be worked out.
    pub(super) failure: Option<String>,
}

/// The sums.
#[derive(Debug)]
pub(super) struct AuditTally {
    /// Conclusions and their contraries, in the order of the rules.
    conclusions: Vec<(String, u64)>,
    records: u64,
    undecided: u64,
    /// Records for which rules contradicted each other.
    contradicted: u64,
    /// Number of times that each rule gave way.
    weakened: BTreeMap<String, u64>,
}

impl AuditTally {
    pub(super) fn new(conclusions: &[&str]) -> AuditTally {
        let both = |conclusion: &&str| [((*conclusion).to_owned(), 0), (format!("not {conclusion}"), 0)];
        AuditTally {
            conclusions: conclusions.iter().flat_map(both).collect(),
            records: 0,
            undecided: 0,
            contradicted: 0,
            weakened: BTreeMap::new(),
        }
    }

    /// Counts a record; what is to be told of it at once.
    pub(super) fn add(&mut self, judged: &Judged) -> Vec<String> {
        self.records += 1;
        for (conclusion, _) in &judged.findings {
            if let Some((_, count)) = self.conclusions.iter_mut().find(|(known, _)| known == conclusion) {
                *count += 1;
            }
        }
        self.contradicted += u64::from(!judged.weakened.is_empty());
        for rule in &judged.weakened {
            *self.weakened.entry(rule.clone()).or_default() += 1;
        }
        let Some(failure) = &judged.failure else { return Vec::new() };
        self.undecided += 1;
        match self.undecided {
            number if number <= MOST_TOLD => vec![format!("note: {failure}")],
            _ => Vec::new(),
        }
    }

    /// Returns the number of findings.
    pub(super) fn findings(&self) -> u64 {
        self.conclusions.iter().map(|(_, count)| count).sum()
    }

    /// In words, a line each.
    pub(super) fn summary(&self) -> Vec<String> {
        let mut line = match self.findings() {
            0 => "no findings".to_owned(),
            number => counted(number, "finding"),
        };
        line += &format!(" in {}", counted(self.records, "record"));
        let found: Vec<String> = (self.conclusions.iter().filter(|(_, count)| *count > 0))
            .map(|(conclusion, count)| format!("{count} {conclusion}"))
            .collect();
        if !found.is_empty() {
            line += &format!(": {}", found.join(", "));
        }
        if self.undecided > 0 {
            line += &format!("; {} could not be decided", counted(self.undecided, "record"));
        }
        let mut lines = vec![line];
        if self.contradicted > 0 {
            let rules: Vec<String> = self.weakened.iter().map(|(rule, count)| format!("{rule} in {count}")).collect();
            let records = counted(self.contradicted, "record");
            lines.push(format!("rules contradicted each other in {records} and gave way: {}", rules.join(", ")));
        }
        lines
    }
}

fn counted(number: u64, what: &str) -> String {
    match number {
        1 => format!("1 {what}"),
        _ => format!("{number} {what}s"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn judged(findings: &[&str], weakened: &[&str], failure: Option<&str>) -> Judged {
        Judged {
            page: String::new(),
            verdicts: Vec::new(),
            findings: findings.iter().map(|one| ((*one).to_owned(), String::new())).collect(),
            weakened: weakened.iter().map(|one| (*one).to_owned()).collect(),
            failure: failure.map(str::to_owned),
        }
    }

    #[test]
    fn the_summary_counts_what_there_was() {
        let mut tally = AuditTally::new(&["Unapproved", "Counterfeit", "Controlled"]);
        assert_eq!(tally.summary(), ["no findings in 0 records"]);
        tally.add(&judged(&["Counterfeit"], &["R2", "R4"], None));
        assert_eq!(
            tally.summary(),
            [
                "1 finding in 1 record: 1 Counterfeit",
                "rules contradicted each other in 1 record and gave way: R2 in 1, R4 in 1"
            ]
        );
        tally.add(&judged(&["Unapproved", "Counterfeit", "not Controlled"], &[], None));
        assert_eq!(tally.add(&judged(&[], &[], Some("p /li[1]: too many"))), ["note: p /li[1]: too many"]);
        assert_eq!(
            tally.summary()[0],
            "4 findings in 3 records: 1 Unapproved, 2 Counterfeit, 1 not Controlled; 1 record could not be decided"
        );
    }

    #[test]
    fn of_many_failures_the_first_are_told() {
        let mut tally = AuditTally::new(&["A"]);
        let told: usize = (0..50).map(|_| tally.add(&judged(&[], &[], Some("why"))).len()).sum();
        assert_eq!(told, MOST_TOLD as usize);
        assert_eq!(tally.summary(), ["no findings in 50 records; 50 records could not be decided"]);
    }
}
