//! What a report counts.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use super::{Audit, Day, Input, Mark, Period, Site, Week};

/// Weeks that the trend goes back at most: a year, and what a plot has room for.
const MOST_WEEKS: i64 = 53;

/// The numbers of a report, and the findings that it shows.
#[derive(Debug, Clone)]
pub struct Report {
    pub(super) title: String,
    pub(super) made: String,
    pub(super) period: Period,
    /// Sites that the report speaks of: those that are new or have findings, the worst first.
    pub(super) sites: Vec<SiteRow>,
    pub(super) sites_known: u64,
    pub(super) kinds: Vec<Kind>,
    pub(super) trend: Vec<Trend>,
    /// The audits of the period.
    pub(super) audits: Vec<Audit>,
}

/// How often something was concluded.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Kind {
    /// What is concluded.
    pub conclusion: String,
    /// Findings that stand at the end of the period.
    pub open: u64,
    /// Findings first seen in it.
    pub new: u64,
    /// Findings that were gone in it.
    pub gone: u64,
    /// On how many sites it stands.
    pub sites: u64,
}

/// A site, and what there is on it.
#[derive(Debug, Clone, Default, PartialEq)]
#[non_exhaustive]
pub struct SiteRow {
    /// The site.
    pub site: Site,
    /// Whether it was first seen in the period.
    pub is_new: bool,
    /// Records that the last audits of it saw.
    pub records: u64,
    /// Pages of it: with records, with links to such, others.
    pub pages: [u64; 3],
    /// Findings that stand at the end of the period, those first seen in it, and those gone in it.
    pub open: u64,
    /// See [`SiteRow::open`].
    pub new: u64,
    /// See [`SiteRow::open`].
    pub gone: u64,
    /// What stands, and how often.
    pub kinds: Vec<(String, u64)>,
    /// The least probability of the most probable finding.
    pub worst: f64,
    /// The findings that are shown, the worst first.
    pub(super) shown: Vec<Shown>,
}

/// A finding that is shown.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Shown {
    pub(super) id: i64,
    pub(super) low: f64,
    pub(super) is_new: bool,
    pub(super) is_gone: bool,
}

/// How things stood at the end of a week.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct Trend {
    /// The week.
    pub week: Week,
    /// Sites known.
    pub sites: u64,
    /// Sites first seen in it.
    pub new_sites: u64,
    /// Findings that stood.
    pub open: u64,
    /// Findings first seen in it.
    pub new: u64,
    /// Findings that were gone in it.
    pub gone: u64,
}

/// Something that is counted while findings come in.
#[derive(Default)]
struct Counting {
    sites: HashMap<String, SiteRow>,
    site_kinds: HashMap<String, BTreeMap<String, u64>>,
    kinds: BTreeMap<String, (Kind, BTreeSet<String>)>,
    /// By week: new and gone.
    weeks: BTreeMap<Week, (u64, u64)>,
}

impl Report {
    /// Counts what is known by the end of the period; `findings` hands over each finding there ever was.
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
        // Of each host and list, what the last audit saw counts: audits see the same records again.
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

    /// Whether there is anything to report: an audit of the period, a site or a finding.
    pub fn is_empty(&self) -> bool {
        self.sites.is_empty() && self.sites_known == 0 && self.audits.is_empty()
    }

    /// The days that it is of.
    pub fn period(&self) -> Period {
        self.period
    }

    /// The sites that it speaks of, the worst first.
    pub fn sites(&self) -> &[SiteRow] {
        &self.sites
    }

    /// What is concluded how often.
    pub fn kinds(&self) -> &[Kind] {
        &self.kinds
    }

    /// Week by week.
    pub fn trend(&self) -> &[Trend] {
        &self.trend
    }

    /// How many findings it shows if there is room for all.
    pub fn findings(&self) -> usize {
        self.sites.iter().map(|row| row.shown.len()).sum()
    }

    /// Sites first seen in the period.
    pub(super) fn new_sites(&self) -> impl Iterator<Item = &SiteRow> {
        self.sites.iter().filter(|row| row.is_new)
    }

    /// Findings that stand, are new, and are gone.
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

    /// Sites and kinds, the worst first.
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
            // What is gone comes last.
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

/// Week by week, from the first in which there was something.
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
