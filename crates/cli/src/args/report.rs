//! The arguments of `report`.

use clap::{Args, ValueEnum};

/// Tell what audits found, week by week, as one page
#[derive(Debug, Args)]
#[command(long_about = ABOUT, after_long_help = EXAMPLES)]
pub(crate) struct ReportArguments {
    /// The store that findings were kept in: a file such as shop.db, or postgres://…
    #[arg(value_name = "STORE", env = "WINDROW_STORE", hide_env_values = true)]
    pub(crate) store: String,

    /// Write to this file, in the format that its name tells (.html, .json)
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Option<String>,

    /// How to write it [default: html]
    #[arg(long, value_enum)]
    pub(crate) format: Option<ReportFormat>,

    /// The week: a day in it, or 2026-W47 [default: the last in which there was an audit or a new site]
    #[arg(long, value_name = "WEEK", conflicts_with_all = ["since", "until"])]
    pub(crate) week: Option<String>,

    /// The first day, instead of a week's [default: the Monday of the week of --until]
    #[arg(long, value_name = "DATE")]
    pub(crate) since: Option<String>,

    /// The last day [default: the Sunday of the last week with anything in it]
    #[arg(long, value_name = "DATE")]
    pub(crate) until: Option<String>,

    /// Say where IP addresses are, by this database (MaxMind's format, .mmdb); nothing is asked over the network
    #[arg(long, value_name = "FILE")]
    pub(crate) geoip: Option<String>,

    /// What stands above the report
    #[arg(long, value_name = "TEXT", default_value = "Findings of the week")]
    pub(crate) title: String,

    /// Show at most so many findings on the page, the worst sites first; JSON has all
    #[arg(long, value_name = "N", default_value = "2000")]
    pub(crate) most: usize,

    /// Tell nothing on standard error but errors
    #[arg(short, long)]
    pub(crate) quiet: bool,
}

const ABOUT: &str = "\
Tell what audits found, week by week, as one page

`windrow audit --into STORE` (or --keep) keeps findings. The report of a week tells which sites are
new, with the kinds of violation, the numbers of records and findings, host and IP address; which
kinds there are in all and which are new or gone; how sites and findings grew from week to week, as
plots and in numbers; and every finding with its evidence, by site, the worst first, each with an
anchor of its own (#f12).

A week is told as it stood at its end, whenever the report is made.

The page is one file that needs no other and no script. It can be printed, and read on a phone.";

const EXAMPLES: &str = "\
Formats:
  html  One page.
  json  {\"title\", \"made\", \"week\", \"from\", \"until\", \"sums\", \"kinds\": [...], \"trend\": [...],
        \"audits\": [...], \"sites\": [...], \"findings\": [{\"id\", \"host\", \"page\", ..., \"evidence\"}, ...]}
        `evidence` is what `windrow audit --format json` prints of the finding.

Examples:
  windrow report found.db -o week.html
  windrow report found.db --week 2026-W47 --geoip GeoLite2-City.mmdb -o week.html
  windrow report found.db --since 2026-10-01 --until 2026-10-31 --title October -o october.html
  windrow report found.db --format json | jq '.sites[] | select(.is_new) | .host'

Exit status:
  0  there is something to report
  1  there is nothing: no audit, site or finding by the end of that time
  2  an error: no store, a store without audits, a week that is none";

/// How `report` writes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum ReportFormat {
    /// One page that needs no other
    Html,
    /// One JSON object
    Json,
}
