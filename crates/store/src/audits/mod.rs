//! Audit history: the known sites, the audits that ran, and the findings of each.
//!
//! | table | holds |
//! |---|---|
//! | `_sites` | hosts: when each was first and last seen, its IP address, how it was discovered |
//! | `_audits` | one row per audit: its rules, list, start and end; a row without an end was interrupted |
//! | `_visits` | per audit and host: the number of pages of each kind, of records and of findings |
//! | `_findings` | each finding with the period for which it held: first seen, last seen, gone |
//!
//! Each page is stored in one transaction ([`Store::keep_findings`](crate::Store::keep_findings)). A new finding is
//! matched with a stored one of the same rules, list, page and conclusion if both are about the same record: the record
//! has the same identity, or else stands at the same place. A record may therefore move or change between two audits,
//! but not both at once. A stored finding that is not matched is marked as gone. If it reappears later, it gets a new
//! row: each row covers one continuous period, so past weeks stay reproducible.
//!
//! Cost: one query per page and one statement per finding; the page's open findings are held in memory.

mod read;
mod schema;
mod write;

pub(crate) use self::schema::{is_there, make};
pub use self::write::Audit;

/// Order in which the records of an audit are delivered.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Scope {
    /// Page by page, each page complete: a finding that its page no longer has is marked as gone at once.
    Pages,
    /// All records of a list, a page possibly in several parts: findings not seen again are marked as gone when the
    /// audit ends.
    List,
}

/// A website whose pages were visited.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Site {
    /// Its host, with the port if that is not the usual one.
    pub host: String,
    /// When it was first seen, in RFC 3339.
    pub first: String,
    /// When it was last seen.
    pub last: String,
    /// IP address, if it was resolved.
    pub ip: Option<String>,
    /// Search query or other source that led to the site, if known.
    pub found_by: Option<String>,
}

/// Kind of a page, by the records it offers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum PageKind {
    /// The page contains records.
    Rich,
    /// The page links to pages that may contain records.
    Offer,
    /// Neither.
    #[default]
    Neither,
}

/// A page that was audited.
#[derive(Debug, Clone, Copy, Default)]
pub struct AuditedPage<'a> {
    /// Address, or the file's name.
    pub page: &'a str,
    /// Host; empty for a file.
    pub host: &'a str,
    /// Kind of the page.
    pub kind: PageKind,
    /// Number of records that were audited.
    pub records: u64,
}

/// A finding to be stored.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Verdict {
    /// Identity of the record, independent of its place: the number of a stored record, or a hash of its values.
    pub record: String,
    /// XPath of the record on the page.
    pub path: String,
    /// Conclusion of the rules: `Counterfeit`, `not Genuine`.
    pub conclusion: String,
    /// Lower bound of the conclusion's probability.
    pub low: f64,
    /// Upper bound of the conclusion's probability.
    pub high: f64,
    /// Names of the rules that led to the conclusion, for display.
    pub rules: String,
    /// Messages of these rules.
    pub messages: String,
    /// Excerpt of the page at the record.
    pub snippet: String,
    /// Complete evidence in JSON.
    pub evidence: String,
}

/// Counts of new, known and gone findings after a page was stored.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct KeptFindings {
    /// Number of findings seen for the first time.
    pub new: u64,
    /// Number of findings that were already stored.
    pub known: u64,
    /// Number of findings that are no longer on the page.
    pub gone: u64,
}

/// Summary of a past audit.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct PastAudit {
    /// Number of the audit.
    pub id: i64,
    /// Name of the rules.
    pub ruleset: String,
    /// Hash of the rules' text.
    pub hash: String,
    /// List whose records were audited.
    pub list: String,
    /// Start time.
    pub started: String,
    /// End time; none if the audit was interrupted or is still running.
    pub ended: Option<String>,
    /// Number of pages audited.
    pub pages: u64,
    /// Number of pages that could not be read.
    pub failed: u64,
    /// Number of records audited.
    pub records: u64,
    /// Number of findings, new and known.
    pub findings: u64,
    /// Number of new findings.
    pub new: u64,
    /// Number of findings that were marked as gone.
    pub gone: u64,
}

/// Totals of one audit for one host.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct Visit {
    /// Number of the audit.
    pub audit: i64,
    /// Host; empty for files.
    pub host: String,
    /// Number of pages with records.
    pub rich: u64,
    /// Number of pages that link to pages with records.
    pub offers: u64,
    /// Number of other pages.
    pub neither: u64,
    /// Number of records.
    pub records: u64,
    /// Number of findings.
    pub findings: u64,
}

/// The parts of a finding that are needed to count and sort it.
#[derive(Debug, Clone, PartialEq, Default)]
#[non_exhaustive]
pub struct Mark {
    /// Number of the finding.
    pub id: i64,
    /// Host; empty for a file.
    pub host: String,
    /// Page name.
    pub page: String,
    /// Conclusion of the rules.
    pub conclusion: String,
    /// Lower bound of the conclusion's probability.
    pub low: f64,
    /// Time at which it was first seen.
    pub first: String,
    /// Time at which it was found to be gone.
    pub gone: Option<String>,
}

/// A stored finding.
#[derive(Debug, Clone, PartialEq, Default)]
#[non_exhaustive]
pub struct Finding {
    /// Number of the finding.
    pub id: i64,
    /// Name of the rules.
    pub ruleset: String,
    /// List that contains the record.
    pub list: String,
    /// Page name.
    pub page: String,
    /// Host; empty for a file.
    pub host: String,
    /// The finding itself.
    pub verdict: Verdict,
    /// Time at which it was first seen.
    pub first: String,
    /// Time at which it was last seen.
    pub last: String,
    /// Time at which it was found to be gone.
    pub gone: Option<String>,
}
