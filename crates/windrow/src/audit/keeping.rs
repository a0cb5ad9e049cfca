//! Findings kept in a store: what `audit --into` and `audit --keep` do with them.
//!
//! A page is kept whole or not at all, in the order in which pages are told. An audit that does not come to its end stays
//! marked as interrupted.

use std::path::Path;

use crate::audit::{Finding, Record, rounded};
use crate::store::audits::{Audit, AuditedPage, KeptFindings, PageKind, Scope, Verdict};
use crate::store::{Store, content_hash};
use miette::Report;
use url::Url;

use super::print::{conclusion, joined_messages, joined_rules};
use crate::clock::stamp as now;
use crate::stores::{self, report};

/// An audit that keeps what it finds.
pub struct FindingsRun {
    store: Store,
    audit: Audit,
    kept: KeptFindings,
}

impl FindingsRun {
    /// Begins an audit of a list in the store at this address, by rules of this name and text.
    pub fn begin(address: &str, (name, text): (&str, &str), list: &str, scope: Scope) -> Result<FindingsRun, Report> {
        let mut store = stores::open(address)?;
        let audit = store.begin_audit(&ruleset(name), text, list, scope, &now()).map_err(report)?;
        Ok(FindingsRun { store, audit, kept: KeptFindings::default() })
    }

    /// Keeps what was found among the records of a page.
    pub fn page(&mut self, page: &str, kind: PageKind, records: usize, verdicts: &[Verdict]) -> Result<(), Report> {
        let looked = AuditedPage { page, host: &host(page), kind, records: records as u64 };
        let kept = self.store.keep_findings(&mut self.audit, &looked, verdicts).map_err(report)?;
        self.kept.new += kept.new;
        self.kept.known += kept.known;
        self.kept.gone += kept.gone;
        Ok(())
    }

    /// Notes that a page could not be read, or not whole: what is known of it stays.
    pub fn unread(&mut self) -> Result<(), Report> {
        self.store.note_unread(&self.audit).map_err(report)
    }

    /// Ends it; what is said of it: `kept in shop.db: 3 new findings, 1 known, 0 gone`.
    pub fn finish(mut self) -> Result<String, Report> {
        self.kept.gone += self.store.finish_audit(self.audit, &now()).map_err(report)?;
        let KeptFindings { new, known, gone, .. } = self.kept;
        let plural = if new == 1 { "" } else { "s" };
        Ok(format!("kept in {}: {new} new finding{plural}, {known} known, {gone} gone", self.store.place()))
    }
}

/// Returns the name of rules from one audit to the next: their file's name without its folder and ending.
fn ruleset(name: &str) -> String {
    let stem = Path::new(name).file_stem().and_then(|stem| stem.to_str());
    stem.filter(|stem| *stem != "-").unwrap_or("rules").to_owned()
}

/// The host of a page's address, with the port if it is not the usual one; nothing for a file.
pub fn host(page: &str) -> String {
    let Ok(url) = Url::parse(page) else { return String::new() };
    match (url.scheme(), url.host_str(), url.port()) {
        ("http" | "https", Some(host), Some(port)) => format!("{host}:{port}"),
        ("http" | "https", Some(host), None) => host.to_owned(),
        _ => String::new(),
    }
}

/// Returns the key of a record that nobody numbered: a hash of its fields.
pub fn record_key(record: &Record) -> String {
    let mut text = String::new();
    for (name, field) in &record.fields {
        text += &format!("{}:{name}{}:{}", name.len(), field.text.len(), field.text);
    }
    content_hash(text.as_bytes())
}

/// A finding as it is kept.
pub fn verdict(finding: &Finding, record: &str) -> Verdict {
    Verdict {
        record: record.to_owned(),
        path: finding.path.clone(),
        conclusion: conclusion(finding),
        low: rounded(finding.interval.low),
        high: rounded(finding.interval.high),
        rules: joined_rules(finding),
        messages: joined_messages(finding),
        snippet: finding.snippet.clone(),
        evidence: finding.to_json().to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hosts_are_those_of_addresses() {
        assert_eq!(host("https://Pills.example:443/a?b"), "pills.example");
        assert_eq!(host("http://127.0.0.1:8080/"), "127.0.0.1:8080");
        assert_eq!(host("pages/a.html"), "");
        assert_eq!(host("file:///a.html"), "");
        assert_eq!(host("javascript:alert(1)"), "");
    }

    #[test]
    fn rules_are_called_by_their_file() {
        assert_eq!(ruleset("drugs"), "drugs");
        assert_eq!(ruleset("rules/my.rules"), "my");
        assert_eq!(ruleset("-"), "rules");
    }

    #[test]
    fn a_record_is_known_by_what_it_says() {
        let record = |fields: &[(&str, &str)]| {
            let add =
                |record: Record, (name, text): &(&str, &str)| record.with(*name, crate::audit::Field::text(*text));
            record_key(&fields.iter().fold(Record::new("p"), add))
        };
        assert_eq!(record(&[("a", "x")]), record(&[("a", "x")]));
        assert_ne!(record(&[("a", "xb1:y")]), record(&[("a", "x"), ("b", "y")]));
    }
}
