//! The report: what audits found, week by week, as one page for people and as JSON for programs.
//!
//! [`Report`] is counted from plain data ([`Input`], and a [`Mark`] for each finding), so this crate need not know where
//! findings are kept. [`Report::html`] and [`Report::json`] write it piece by piece; the evidence of a finding is asked for
//! when its turn comes, so that a report of a hundred thousand findings holds a few hundred at a time.
//!
//! A report is of a [`Period`], a week as a rule, and says how things stood at its end: a later audit does not change the
//! report of an earlier week, but for the evidence, which is that of the last audit that saw a finding.
//!
//! Cost: linear in findings, sites and weeks, and a sort of the findings that are shown; about 100 bytes for each of those.

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

/// A website, as far as it is known.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Site {
    /// Its host; empty for files.
    pub host: String,
    /// When it was first seen, in RFC 3339.
    pub first: String,
    /// When it was last seen.
    pub last: String,
    /// Its IP address.
    pub ip: Option<String>,
    /// Where that is.
    pub location: Option<String>,
    /// What led to it.
    pub found_by: Option<String>,
}

/// An audit.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Audit {
    /// Its number.
    pub id: i64,
    /// The name of the rules.
    pub ruleset: String,
    /// The list whose records were audited.
    pub list: String,
    /// When it began.
    pub started: String,
    /// When it ended; none if it was interrupted.
    pub ended: Option<String>,
    /// Pages looked at.
    pub pages: u64,
    /// Pages that could not be read.
    pub failed: u64,
    /// Records audited.
    pub records: u64,
    /// Findings.
    pub findings: u64,
}

/// What an audit saw of a host.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Visit {
    /// The audit's number.
    pub audit: i64,
    /// The host.
    pub host: String,
    /// Pages with records.
    pub rich: u64,
    /// Pages that link to such.
    pub offers: u64,
    /// Other pages.
    pub neither: u64,
    /// Records.
    pub records: u64,
}

/// What is counted of a finding.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Mark {
    /// Its number.
    pub id: i64,
    /// The host; empty for a file.
    pub host: String,
    /// What is concluded.
    pub conclusion: String,
    /// How probable it is at least.
    pub low: f64,
    /// When it was first seen.
    pub first: String,
    /// When it was gone.
    pub gone: Option<String>,
}

/// All that is known beside the findings.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Input {
    /// What stands above the report.
    pub title: String,
    /// When it is made.
    pub made: String,
    /// The sites.
    pub sites: Vec<Site>,
    /// The audits, the first first.
    pub audits: Vec<Audit>,
    /// What they saw.
    pub visits: Vec<Visit>,
}

impl Input {
    /// The last week in which there was an audit or a new site.
    pub fn last_week(&self) -> Option<Week> {
        let times = self.audits.iter().map(|audit| &audit.started).chain(self.sites.iter().map(|site| &site.first));
        times.filter_map(|time| Day::parse(time)).max().map(Day::week)
    }
}
