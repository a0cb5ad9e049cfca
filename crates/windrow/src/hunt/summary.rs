//! Summaries of hunts, over all their runs: a table of sites, and the sums.
//!
//! Visits count; the crawl keeps the counts with its state, so that a page counts once, whatever happens meanwhile.

use std::collections::BTreeMap;

use crate::fetch::crawl::{self, Config, End};
use crate::store::audits::PageKind;
use url::Url;

use super::error::HuntError;
use super::plan::Engines;
use crate::format::text_table::layout;
use crate::text::plural;

/// Sites that the table shows.
const MOST: usize = 20;
/// Failures that are named one by one.
const FAILURES: usize = 3;

/// Something that is counted.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Count {
    /// Pages of results.
    Searched,
    /// Results on them.
    Results,
    Rich,
    Offer,
    Neither,
    Records,
    /// Records that are told in full elsewhere.
    Offers,
    /// Records that could not be judged.
    Undecided,
    /// Findings with this conclusion.
    Finding(String),
}

impl Count {
    /// As the crawl keeps it.
    pub(super) fn tally(&self, host: &str, count: u64) -> (String, u64) {
        let name = match self {
            Count::Searched => "searched",
            Count::Results => "results",
            Count::Rich => "rich",
            Count::Offer => "offer",
            Count::Neither => "neither",
            Count::Records => "records",
            Count::Offers => "offers",
            Count::Undecided => "undecided",
            Count::Finding(conclusion) => return (format!("{host}\tfinding {conclusion}"), count),
        };
        (format!("{host}\t{name}"), count)
    }

    fn read(name: &str) -> Option<Count> {
        Some(match name {
            "searched" => Count::Searched,
            "results" => Count::Results,
            "rich" => Count::Rich,
            "offer" => Count::Offer,
            "neither" => Count::Neither,
            "records" => Count::Records,
            "offers" => Count::Offers,
            "undecided" => Count::Undecided,
            _ => Count::Finding(name.strip_prefix("finding ")?.to_owned()),
        })
    }
}

/// Returns the count that a page of this kind belongs to.
pub(super) fn page(kind: PageKind) -> Count {
    match kind {
        PageKind::Rich => Count::Rich,
        PageKind::Offer => Count::Offer,
        PageKind::Neither => Count::Neither,
    }
}

/// Counts of one site, or of all.
type SiteCounts = BTreeMap<Count, u64>;

fn of(counts: &SiteCounts, count: &Count) -> u64 {
    counts.get(count).copied().unwrap_or_default()
}

fn findings(counts: &SiteCounts) -> impl Iterator<Item = (&str, u64)> {
    counts.iter().filter_map(|(count, number)| match count {
        Count::Finding(conclusion) => Some((conclusion.as_str(), *number)),
        _ => None,
    })
}

/// The summary of a hunt.
pub(super) struct HuntSummary<'a> {
    crawled: &'a crawl::Summary,
    config: &'a Config,
    sites: BTreeMap<&'a str, SiteCounts>,
    all: SiteCounts,
}

impl<'a> HuntSummary<'a> {
    pub(super) fn new(crawled: &'a crawl::Summary, config: &'a Config) -> HuntSummary<'a> {
        let mut summary = HuntSummary { crawled, config, sites: BTreeMap::new(), all: BTreeMap::new() };
        for (name, number) in &crawled.tallies {
            let Some((host, Some(count))) = name.split_once('\t').map(|(host, name)| (host, Count::read(name))) else {
                continue;
            };
            *summary.all.entry(count.clone()).or_default() += number;
            if !host.is_empty() {
                *summary.sites.entry(host).or_default().entry(count).or_default() += number;
            }
        }
        summary
    }

    /// Returns `true` if there is what was hunted for.
    pub(super) fn is_found(&self, audited: bool) -> bool {
        if audited { findings(&self.all).next().is_some() } else { of(&self.all, &Count::Records) > 0 }
    }

    /// Returns a table of the sites of at most this width, and the sums, as lines.
    pub(super) fn text(&self, audited: bool, width: usize) -> Vec<String> {
        let table = (!self.sites.is_empty()).then(|| self.table(audited, width).trim_end().to_owned());
        table.into_iter().chain(self.lines(audited)).collect()
    }

    fn table(&self, audited: bool, width: usize) -> String {
        let mut columns = vec!["site", "data-rich", "link offers", "neither", "records"];
        columns.extend(audited.then_some("findings"));
        let mut sites: Vec<(&str, &SiteCounts)> = self.sites.iter().map(|(host, counts)| (*host, counts)).collect();
        let number = |counts: &SiteCounts| findings(counts).map(|(_, number)| number).sum::<u64>();
        // Those with the most to see to first.
        sites.sort_by_key(|(_, counts)| std::cmp::Reverse((number(counts), of(counts, &Count::Rich))));
        let rows = sites.iter().take(MOST).map(|(host, counts)| {
            let mut row = vec![(*host).to_owned()];
            row.extend(
                [Count::Rich, Count::Offer, Count::Neither, Count::Records].map(|count| of(counts, &count).to_string()),
            );
            let found: Vec<String> = findings(counts).map(|(what, number)| format!("{number} {what}")).collect();
            row.extend(audited.then(|| found.join(", ")));
            row
        });
        layout(&columns.iter().map(|column| (*column).to_owned()).collect::<Vec<_>>(), &rows.collect::<Vec<_>>(), width)
    }

    fn lines(&self, audited: bool) -> Vec<String> {
        let count = |count: Count| of(&self.all, &count) as usize;
        let mut lines = Vec::new();
        if self.sites.len() > MOST {
            lines.push(format!("and {} more", plural(self.sites.len() - MOST, "site")));
        }
        let searched = plural(count(Count::Searched), "page");
        lines.push(format!(
            "{} on {searched} of results: {}",
            plural(count(Count::Results), "link"),
            plural(self.sites.len(), "site")
        ));
        let (rich, offer, neither) = (count(Count::Rich), count(Count::Offer), count(Count::Neither));
        let offers = if offer == 1 { "1 link offer".to_owned() } else { format!("{offer} link offers") };
        let failed = match self.crawled.progress.counts.failed {
            0 => String::new(),
            failed => format!("; {failed} failed"),
        };
        lines.push(format!(
            "{}: {rich} data-rich, {offers}, {neither} neither{failed}",
            plural(rich + offer + neither, "page")
        ));
        let told = match count(Count::Offers) {
            0 => String::new(),
            offers => format!(", {offers} of them told in full elsewhere"),
        };
        lines.push(format!("{}{told}", plural(count(Count::Records), "record")));
        if audited {
            let found: Vec<String> = findings(&self.all).map(|(what, number)| format!("{number} {what}")).collect();
            let number: u64 = findings(&self.all).map(|(_, number)| number).sum();
            lines.push(match number {
                0 => "no findings".to_owned(),
                number => format!("{}: {}", plural(number as usize, "finding"), found.join(", ")),
            });
            let undecided = count(Count::Undecided);
            if undecided > 0 {
                lines.push(format!("{} could not be decided", plural(undecided, "record")));
            }
        }
        lines.push(self.end());
        for (url, why) in self.crawled.failures.iter().take(FAILURES) {
            lines.push(if why.contains(url.as_str()) {
                format!("failed: {why}")
            } else {
                format!("failed: {url}: {why}")
            });
        }
        lines
    }

    /// Describes how the hunt ended, and what is left.
    fn end(&self) -> String {
        let how = match self.crawled.end {
            End::Complete => "complete",
            End::Budget => "the budget is used up",
            End::Stopped => "stopped",
        };
        let counts = self.crawled.progress.counts;
        let left = match counts.left {
            0 => String::new(),
            left => format!(", {} beyond --pages", plural(left as usize, "page")),
        };
        let queued = match counts.queued {
            0 => String::new(),
            queued => format!(", {queued} queued; the same command goes on"),
        };
        format!("{how}{left}{queued} (state: {})", self.config.state.display())
    }

    /// An error if the hunt came to nothing for a reason that can be seen to.
    pub(super) fn check(&self, seeds: &[Url], engines: &Engines) -> Result<(), HuntError> {
        if self.crawled.end == End::Stopped || !self.sites.is_empty() {
            return Ok(());
        }
        let address = seeds.first().map(Url::to_string).unwrap_or_default();
        let wrapper = engines.name(0).to_owned();
        let failure = |what: &dyn Fn(&str) -> bool| {
            self.crawled.failures.iter().find(|(url, _)| what(url)).map(|(_, why)| why.clone())
        };
        let is_asked = |url: &str| seeds.iter().any(|seed| seed.as_str() == url);
        let searched = of(&self.all, &Count::Searched) as usize;
        if searched == 0 {
            let why = failure(&is_asked).unwrap_or_else(|| "there was no time".to_owned());
            return Err(HuntError::Unreachable { why, wrapper, address });
        }
        if of(&self.all, &Count::Results) == 0 {
            let pages = plural(searched, "page");
            return Err(HuntError::NoResults { wrapper, pages, address });
        }
        let why = failure(&|url| !is_asked(url));
        let hint = match &why {
            Some(why) if why.contains("private") => "--allow-private lets results lead to this machine and its network",
            Some(_) => "the same command goes on with what failed for a while",
            None => "--not-host and --sites may leave all of them out",
        };
        Err(HuntError::NoSites { why: why.unwrap_or_else(|| "none was left".to_owned()), hint })
    }
}
