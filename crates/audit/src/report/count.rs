//! Figures of a report.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use super::{Audit, Day, Input, Mark, Period, Site, Week};

/// Largest number of weeks in the trend: a year, which is also what the plot has room for.
const MOST_WEEKS: i64 = 53;

/// Figures of a report, and the findings that it shows.
#[derive(Debug, Clone)]
pub struct Report {
    pub(super) title: String,
    pub(super) made: String,
    pub(super) period: Period,
    /// Sites in the report: those that are new or have findings, worst first.
    pub(super) sites: Vec<SiteRow>,
    pub(super) sites_known: u64,
    pub(super) kinds: Vec<Kind>,
    pub(super) trend: Vec<Trend>,
    /// Audits in the period.
    pub(super) audits: Vec<Audit>,
}

/// Counts of one conclusion.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Kind {
    /// The conclusion.
    pub conclusion: String,
    /// Number of findings that are open at the end of the period.
    pub open: u64,
    /// Number of findings first seen in the period.
    pub new: u64,
    /// Number of findings that disappeared in the period.
    pub gone: u64,
    /// Number of sites with open findings.
    pub sites: u64,
}

/// A site with its counts.
#[derive(Debug, Clone, Default, PartialEq)]
#[non_exhaustive]
pub struct SiteRow {
    /// The site.
    pub site: Site,
    /// True if it was first seen in the period.
    pub is_new: bool,
    /// Number of records in its last audits.
    pub records: u64,
    /// Number of pages: with records, with links to such pages, others.
    pub pages: [u64; 3],
    /// Number of findings that are open at the end of the period; `new` were first seen and `gone` disappeared in the
    /// period.
    pub open: u64,
    /// See [`SiteRow::open`].
    pub new: u64,
    /// See [`SiteRow::open`].
    pub gone: u64,
    /// Open findings by conclusion.
    pub kinds: Vec<(String, u64)>,
    /// Lower bound of the most probable finding's probability.
    pub worst: f64,
    /// Findings to show, worst first.
    pub(super) shown: Vec<Shown>,
}

/// A finding to show.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Shown {
    pub(super) id: i64,
    pub(super) low: f64,
    pub(super) is_new: bool,
    pub(super) is_gone: bool,
}

/// Figures at the end of a week.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct Trend {
    /// The week.
    pub week: Week,
    /// Number of known sites.
    pub sites: u64,
    /// Number of sites first seen in the week.
    pub new_sites: u64,
    /// Number of open findings.
    pub open: u64,
    /// Number of findings first seen in the week.
    pub new: u64,
    /// Number of findings that disappeared in the week.
    pub gone: u64,
}

/// Counts in progress while findings are read.
#[derive(Default)]
struct Counting {
    sites: HashMap<String, SiteRow>,
    site_kinds: HashMap<String, BTreeMap<String, u64>>,
    kinds: BTreeMap<String, (Kind, BTreeSet<String>)>,
    /// Numbers of new and gone findings by week.
    weeks: BTreeMap<Week, (u64, u64)>,
}

impl Report {
    /// Computes the figures at the end of the period; `findings` passes every stored finding to its callback.
    pub fn new<E>(
        input: Input,
        period: Period,
        findings: impl FnOnce(&mut dyn FnMut(Mark)) -> Result<(), E>,
    ) -> Result<Report, E> {
        let mut counting = Counting::default();
        findings(&mut |mark| counting.add(mark, period))?;
        let Input { title, made, sites, audits, visits } = input;
        let by = |time: &str| Day::parse(time).is_some_and(|day| day <= period.until);
        let known: Vec<Site> = sites.into_iter().filter(|site| by(&site.first)).collect();
        let first_seen: Vec<Day> = known.iter().filter_map(|site| Day::parse(&site.first)).collect();
        let sites_known = known.len() as u64;
        for site in known {
            let row = counting.sites.entry(site.host.clone()).or_default();
            row.is_new = Day::parse(&site.first).is_some_and(|day| period.has(day));
            row.site = site;
        }
        // For each host and list only the last audit counts, since audits see the same records again.
        let mut last: BTreeMap<(&str, &str), usize> = BTreeMap::new();
        let audit_of: HashMap<i64, &Audit> =
            audits.iter().filter(|audit| by(&audit.started)).map(|audit| (audit.id, audit)).collect();
        for (at, visit) in visits.iter().enumerate() {
            let Some(audit) = audit_of.get(&visit.audit) else { continue };
            last.insert((&visit.host, &audit.list), at);
        }
        for ((host, _), at) in last {
            let Some(row) = counting.sites.get_mut(host) else { continue };
            let visit = &visits[at];
            row.records += visit.records;
            let pages = [visit.rich, visit.offers, visit.neither];
            row.pages.iter_mut().zip(pages).for_each(|(sum, more)| *sum += more);
        }
        let trend = trend(&counting.weeks, &first_seen, period);
        let audits = audits.into_iter().filter(|audit| Day::parse(&audit.started).is_some_and(|day| period.has(day)));
        let (sites, kinds) = counting.finish();
        Ok(Report { title, made, period, sites, sites_known, kinds, trend, audits: audits.collect() })
    }

    /// Reports whether there is nothing to report: no audit in the period, no site and no finding.
    pub fn is_empty(&self) -> bool {
        self.sites.is_empty() && self.sites_known == 0 && self.audits.is_empty()
    }

    /// Returns the period of the report.
    pub fn period(&self) -> Period {
        self.period
    }

    /// Returns the sites in the report, worst first.
    pub fn sites(&self) -> &[SiteRow] {
        &self.sites
    }

    /// Returns the counts of each conclusion.
    pub fn kinds(&self) -> &[Kind] {
        &self.kinds
    }

    /// Returns the figures week by week.
    pub fn trend(&self) -> &[Trend] {
        &self.trend
    }

    /// Returns the number of findings that the report shows if there is room for all.
    pub fn findings(&self) -> usize {
        self.sites.iter().map(|row| row.shown.len()).sum()
    }

    /// Returns the sites first seen in the period.
    pub(super) fn new_sites(&self) -> impl Iterator<Item = &SiteRow> {
        self.sites.iter().filter(|row| row.is_new)
    }

    /// Returns the total numbers of open, new and gone findings.
    pub(super) fn sums(&self) -> (u64, u64, u64) {
        let sum = |of: fn(&Kind) -> u64| self.kinds.iter().map(of).sum();
        (sum(|kind| kind.open), sum(|kind| kind.new), sum(|kind| kind.gone))
    }
}

impl Counting {
    fn add(&mut self, mark: Mark, period: Period) {
        let Some(first) = Day::parse(&mark.first).filter(|day| *day <= period.until) else { return };
        let gone = mark.gone.as_deref().and_then(Day::parse).filter(|day| *day <= period.until);
        let (is_open, is_new) = (gone.is_none(), period.has(first));
        let is_gone = gone.is_some_and(|day| period.has(day));
        self.weeks.entry(first.week()).or_default().0 += 1;
        if let Some(gone) = gone {
            self.weeks.entry(gone.week()).or_default().1 += 1;
        }
        if !is_open && !is_new && !is_gone {
            return;
        }
        let (kind, hosts) = self.kinds.entry(mark.conclusion.clone()).or_default();
        let row = self.sites.entry(mark.host.clone()).or_insert_with(|| SiteRow {
            site: Site { host: mark.host.clone(), ..Site::default() },
            ..SiteRow::default()
        });
        for (open, new, lost) in
            [(&mut kind.open, &mut kind.new, &mut kind.gone), (&mut row.open, &mut row.new, &mut row.gone)]
        {
            *open += u64::from(is_open);
            *new += u64::from(is_new);
            *lost += u64::from(is_gone);
        }
        row.shown.push(Shown { id: mark.id, low: mark.low, is_new, is_gone });
        if is_open {
            row.worst = row.worst.max(mark.low);
            hosts.insert(mark.host.clone());
            *self.site_kinds.entry(mark.host).or_default().entry(mark.conclusion).or_default() += 1;
        }
    }

    /// Returns sites and conclusions, worst first.
    fn finish(mut self) -> (Vec<SiteRow>, Vec<Kind>) {
        let kinds = self.kinds.into_iter();
        let mut kinds: Vec<Kind> =
            kinds.map(|(conclusion, (kind, hosts))| Kind { conclusion, sites: hosts.len() as u64, ..kind }).collect();
        kinds.sort_by(|one, other| other.open.cmp(&one.open).then_with(|| one.conclusion.cmp(&other.conclusion)));
        let mut sites: Vec<SiteRow> = self.sites.into_values().collect();
        sites.retain(|row| row.is_new || !row.shown.is_empty());
        for row in &mut sites {
            row.kinds = self.site_kinds.remove(&row.site.host).unwrap_or_default().into_iter().collect();
            row.kinds.sort_by(|one, other| other.1.cmp(&one.1).then_with(|| one.0.cmp(&other.0)));
            // Findings that are gone come last.
            row.shown.sort_by(|one, other| {
                one.is_gone.cmp(&other.is_gone).then(other.low.total_cmp(&one.low)).then(one.id.cmp(&other.id))
            });
        }
        sites.sort_by(|one, other| {
            let worst = other.worst.total_cmp(&one.worst).then(other.open.cmp(&one.open));
            worst.then_with(|| one.site.host.cmp(&other.site.host))
        });
        (sites, kinds)
    }
}

/// Returns the figures week by week, from the first week with any data.
fn trend(weeks: &BTreeMap<Week, (u64, u64)>, sites: &[Day], period: Period) -> Vec<Trend> {
    let last = period.until.week();
    let begun = weeks.keys().next().copied().into_iter().chain(sites.iter().map(|day| day.week())).min();
    let begun = begun.unwrap_or(last).max(last.plus(1 - MOST_WEEKS));
    let mut new_sites: BTreeMap<Week, u64> = BTreeMap::new();
    for day in sites {
        *new_sites.entry(day.week()).or_default() += 1;
    }
    let mut known: u64 = new_sites.range(..begun).map(|(_, count)| count).sum();
    let before = weeks.range(..begun).fold((0u64, 0u64), |sum, (_, one)| (sum.0 + one.0, sum.1 + one.1));
    let mut open = before.0.saturating_sub(before.1);
    (0..=last.since(begun))
        .map(|number| {
            let week = begun.plus(number);
            let (new, gone) = weeks.get(&week).copied().unwrap_or_default();
            let new_sites = new_sites.get(&week).copied().unwrap_or_default();
            known += new_sites;
            open = (open + new).saturating_sub(gone);
            Trend { week, sites: known, new_sites, open, new, gone }
        })
        .collect()
}
