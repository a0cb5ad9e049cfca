//! Audits kept: which sites there are, what was audited when, and what was found wrong with whom.
//!
//! | table | holds |
//! |---|---|
//! | `_sites` | hosts: when each was first and last seen, its address, what led to it |
//! | `_audits` | which rules were held against which list, from when to when; one without an end was interrupted |
//! | `_visits` | for each audit and host, the pages by their kind, the records and the findings |
//! | `_findings` | what was found, for as long as it was so: first seen, last seen, gone |
//!
//! A page is kept at a time, whole or not at all ([`Store::keep_findings`](crate::Store::keep_findings)). A finding of
//! the same rules, list, page and conclusion is the one that is known if it is about the same record: one that is known
//! by the same thing, or else one that stands at the same place. So a record may move, or change, but not both at once.
//! One that the page had and does not have now is gone. If it comes back after that, it is a new row: a row is one
//! stretch of time, and what was true of a week stays true.
//!
//! Cost: one query and one statement a finding for each page; the page's open findings are in memory.

mod read;
mod schema;
mod write;

pub(crate) use self::schema::{is_there, make};
pub use self::write::Audit;

/// How the records of an audit come in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Scope {
    /// Page by page, each whole: what a page had and does not have now is gone at once.
    Pages,
    /// All records of a list, those of a page perhaps in several parts: what was not found is gone when the audit ends.
    List,
}

/// A website that pages were looked at of.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Site {
    /// Its host, with the port if that is not the usual one.
    pub host: String,
    /// When it was first seen, in RFC 3339.
    pub first: String,
    /// When it was last seen.
    pub last: String,
    /// Its IP address, if somebody looked.
    pub ip: Option<String>,
    /// What led to it, if that is known: a query of a search engine, say.
    pub found_by: Option<String>,
}

/// What a page is, to those who look for records.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum PageKind {
    /// It has records.
    Rich,
    /// It links to pages that may have some.
    Offer,
    /// Neither.
    #[default]
    Neither,
}

/// A page that was audited.
#[derive(Debug, Clone, Copy, Default)]
pub struct Looked<'a> {
    /// Its address, or the file's name.
    pub page: &'a str,
    /// Its host; empty for a file.
    pub host: &'a str,
    /// What it is.
    pub kind: PageKind,
    /// How many records were audited.
    pub records: u64,
}

/// A finding that is to be kept.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Verdict {
    /// What its record is known by, wherever it stands: the number of a kept one, a hash of its values.
    pub record: String,
    /// Where the record stands: an XPath.
    pub path: String,
    /// What is concluded: `Counterfeit`, `not Genuine`.
    pub conclusion: String,
    /// How probable it is at least.
    pub low: f64,
    /// How probable it is at most.
    pub high: f64,
    /// The names of the rules that it rests on, for people.
    pub rules: String,
    /// What they say.
    pub messages: String,
    /// What the page says there.
    pub snippet: String,
    /// All of it, in JSON.
    pub evidence: String,
}

/// What became of the findings of a page.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct KeptFindings {
    /// How many are new.
    pub new: u64,
    /// How many were known.
    pub known: u64,
    /// How many are gone.
    pub gone: u64,
}

/// An audit, as it is told afterwards.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct PastAudit {
    /// Its number.
    pub id: i64,
    /// The name of the rules.
    pub ruleset: String,
    /// What their text hashed to.
    pub hash: String,
    /// The list whose records were audited.
    pub list: String,
    /// When it began.
    pub started: String,
    /// When it ended; none if it was interrupted, or is still under way.
    pub ended: Option<String>,
    /// Pages looked at.
    pub pages: u64,
    /// Pages that could not be read.
    pub failed: u64,
    /// Records audited.
    pub records: u64,
    /// Findings, known ones among them.
    pub findings: u64,
    /// Findings that were new.
    pub new: u64,
    /// Findings that were gone.
    pub gone: u64,
}

/// What one audit saw of one host.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct Visit {
    /// The audit's number.
    pub audit: i64,
    /// The host; empty for files.
    pub host: String,
    /// Pages with records.
    pub rich: u64,
    /// Pages that link to such.
    pub offers: u64,
    /// Other pages.
    pub neither: u64,
    /// Records.
    pub records: u64,
    /// Findings.
    pub findings: u64,
}

/// What is needed of a finding to count and order it.
#[derive(Debug, Clone, PartialEq, Default)]
#[non_exhaustive]
pub struct Mark {
    /// Its number.
    pub id: i64,
    /// The host; empty for a file.
    pub host: String,
    /// The page.
    pub page: String,
    /// What is concluded.
    pub conclusion: String,
    /// How probable it is at least.
    pub low: f64,
    /// When it was first seen.
    pub first: String,
    /// When it was gone.
    pub gone: Option<String>,
}

/// A finding that was kept.
#[derive(Debug, Clone, PartialEq, Default)]
#[non_exhaustive]
pub struct Finding {
    /// Its number.
    pub id: i64,
    /// The name of the rules.
    pub ruleset: String,
    /// The list whose record it is about.
    pub list: String,
    /// The page.
    pub page: String,
    /// The host; empty for a file.
    pub host: String,
    /// The finding.
    pub verdict: Verdict,
    /// When it was first seen.
    pub first: String,
    /// When it was last seen.
    pub last: String,
    /// When it was gone.
    pub gone: Option<String>,
}
