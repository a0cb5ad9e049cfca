//! The arguments of `report`.

use clap::{Args, ValueEnum};
use windrow::report::{Day, Week};

use super::positions::{STORE_VARIABLE, take_store};
use super::values::{day, week};

/// Write a weekly report of audit findings as one HTML page
#[derive(Debug, Args)]
#[command(
    override_usage = "windrow report [OPTIONS] <STORE>",
    long_about = ABOUT,
    after_long_help = EXAMPLES
)]
pub(crate) struct ReportArguments {
    /// The store with the findings: a file such as shop.db, or postgres://…
    #[arg(value_name = "STORE", num_args = 0..=1, conflicts_with = "store_option")]
    arguments: Vec<String>,

    /// The store, instead of the argument [env: WINDROW_STORE]
    #[arg(long = "store", value_name = "STORE")]
    store_option: Option<String>,

    /// The store, from --store, the argument or the environment.
    #[arg(skip)]
    pub(crate) store: String,

    /// Write to this file; its ending selects the format (.html, .json)
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Option<String>,

    /// Output format [default: html]
    #[arg(long, value_enum)]
    pub(crate) format: Option<ReportFormat>,

    /// The week, such as 2026-W47, or a date in it [default: the last week with an audit or a new site]
    #[arg(long, value_name = "WEEK", value_parser = week, conflicts_with_all = ["since", "until"])]
    pub(crate) week: Option<Week>,

    /// The first day of the report [default: the Monday of the week of --until]
    #[arg(long, value_name = "DATE", value_parser = day)]
    pub(crate) since: Option<Day>,

    /// The last day of the report [default: the Sunday of the last week with an audit or a new site]
    #[arg(long, value_name = "DATE", value_parser = day)]
    pub(crate) until: Option<Day>,

    /// Show the countries and cities of IP addresses, from this database (MaxMind format, .mmdb); works offline
    #[arg(long, value_name = "FILE")]
    pub(crate) geoip: Option<String>,

    /// The title of the report
    #[arg(long, value_name = "TEXT", default_value = "Findings of the week")]
    pub(crate) title: String,

    /// The number of findings on the page, worst sites first; JSON has all findings
    #[arg(long, value_name = "N", default_value = "2000")]
    pub(crate) most: usize,

    /// Print no notes, hints or progress, only errors
    #[arg(short, long)]
    pub(crate) quiet: bool,
}

impl ReportArguments {
    /// Finds the store.
    pub(super) fn settle(&mut self) -> Result<(), &'static str> {
        let variable = std::env::var(STORE_VARIABLE).ok().filter(|_| self.arguments.is_empty());
        self.store = take_store(self.store_option.take(), variable, &mut self.arguments)?;
        Ok(())
    }
}

const ABOUT: &str = "\
Write a weekly report of audit findings as one HTML page

`windrow audit --into STORE` (or --keep) stores findings. The report of a week lists new sites with
their kinds of violation, numbers of records and findings, host and IP address; all kinds of
violation, and which are new or gone; the growth of sites and findings from week to week, as plots
and numbers; and every finding with its evidence, by site, worst first, each with its own anchor
(#f12).

A week is reported as it was at its end, whenever the report is made.

The page is one file without scripts that needs no other file. It prints well and can be read on a
phone.";

const EXAMPLES: &str = "\
Formats:
  html  One page.
  json  {\"title\", \"made\", \"week\", \"from\", \"until\", \"sums\", \"kinds\": [...], \"trend\": [...],
        \"audits\": [...], \"sites\": [...], \"findings\": [{\"id\", \"host\", \"page\", ..., \"evidence\"}, ...]}
        `evidence` is as `windrow audit --format json` prints it.

Examples:
  windrow report found.db -o week.html
  windrow report found.db --week 2026-W47 --geoip GeoLite2-City.mmdb -o week.html
  windrow report found.db --since 2026-10-01 --until 2026-10-31 --title October -o october.html
  windrow report found.db --format json | jq '.sites[] | select(.is_new) | .host'

Exit status:
  0  there is something to report
  1  there is no audit, site or finding up to the end of that time
  2  an error, such as a missing store or a store without audits";

/// Output formats of `report`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum ReportFormat {
    /// One HTML page that needs no other file
    Html,
    /// One JSON object
    Json,
}
