//! Reports: the results of audits, week by week, as an HTML page for people and as JSON for programs.
//!
//! A [`Report`] is computed from plain data ([`Input`], and a [`Mark`] for each finding), so this crate need not know
//! how findings are stored. [`Report::html`] and [`Report::json`] write it piece by piece; the evidence of a finding is
//! requested when it is written, so that a report of a hundred thousand findings holds only a few hundred at a time.
//!
//! A report covers a [`Period`], usually a week, and shows the state at its end. Later audits do not change the report
//! of an earlier week, except for the evidence, which is that of the last audit that saw a finding.
//!
//! Cost: linear in findings, sites and weeks, plus sorting the findings that are shown; about 100 bytes for each of
//! those.

mod count;
mod detail;
mod html;
mod json;
mod plot;
mod text;
mod week;

#[cfg(test)]
mod tests;

pub use self::count::{Kind, Report, SiteRow, Trend};
pub use self::detail::Detail;
pub use self::week::{Day, Period, Week};

/// A known website.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Site {
    /// Host name; empty for files.
    pub host: String,
    /// Time at which it was first seen, in RFC 3339.
    pub first: String,
    /// Time at which it was last seen.
    pub last: String,
    /// IP address.
    pub ip: Option<String>,
    /// Location of the IP address.
    pub location: Option<String>,
    /// Search query or other source that led to the site.
    pub found_by: Option<String>,
}

/// A past audit.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Audit {
    /// Number of the audit.
    pub id: i64,
    /// Name of the rules.
    pub ruleset: String,
    /// List whose records were audited.
    pub list: String,
    /// Start time.
    pub started: String,
    /// End time; `None` if it was interrupted.
    pub ended: Option<String>,
    /// Number of pages audited.
    pub pages: u64,
    /// Number of pages that could not be read.
    pub failed: u64,
    /// Number of records audited.
    pub records: u64,
    /// Number of findings.
    pub findings: u64,
}

/// Totals of one audit for one host.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Visit {
    /// Number of the audit.
    pub audit: i64,
    /// Host name.
    pub host: String,
    /// Number of pages with records.
    pub rich: u64,
    /// Number of pages that link to pages with records.
    pub offers: u64,
    /// Number of other pages.
    pub neither: u64,
    /// Number of records.
    pub records: u64,
}

/// The parts of a finding that are counted.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Mark {
    /// Number of the finding.
    pub id: i64,
    /// Host name; empty for a file.
    pub host: String,
    /// Conclusion of the rules.
    pub conclusion: String,
    /// Lower bound of the conclusion's probability.
    pub low: f64,
    /// Time at which it was first seen.
    pub first: String,
    /// Time at which it was found to be gone.
    pub gone: Option<String>,
}

/// Input of a report, except for the findings.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Input {
    /// Title of the report.
    pub title: String,
    /// Time at which the report is made.
    pub made: String,
    /// Known sites.
    pub sites: Vec<Site>,
    /// Audits, oldest first.
    pub audits: Vec<Audit>,
    /// Totals of the audits for each host.
    pub visits: Vec<Visit>,
}

impl Input {
    /// Returns the last week with an audit or a new site.
    pub fn last_week(&self) -> Option<Week> {
        let times = self.audits.iter().map(|audit| &audit.started).chain(self.sites.iter().map(|site| &site.first));
        times.filter_map(|time| Day::parse(time)).max().map(Day::week)
    }
}
