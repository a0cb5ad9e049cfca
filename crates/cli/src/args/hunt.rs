//! The arguments of `hunt`.

use std::path::PathBuf;

use clap::Args;
use windrow::audit::print::name;
use windrow::format::OutputFormat;
use windrow::report::Day;

use super::politeness::{Budget, Politeness};
use super::values::{day, named_formats, probability};
use super::{KeepArguments, Reading};

/// Find sites with a search engine, extract their records, and audit them
#[derive(Debug, Args)]
#[command(long_about = ABOUT, after_long_help = EXAMPLES)]
pub(crate) struct HuntArguments {
    /// The domain to look for: a file, or a built-in one (`windrow domain list`)
    #[arg(long, value_name = "DOMAIN")]
    pub(crate) domain: String,

    /// The search engine: a wrapper of its result pages with a table `search`; may be repeated
    #[arg(long, value_name = "FILE", required = true)]
    pub(crate) search: Vec<String>,

    /// The number of queries to make from the domain's vocabulary
    #[arg(long, value_name = "N", default_value = "16", value_parser = clap::value_parser!(u32).range(0..=1000), help_heading = "What to ask")]
    pub(crate) queries: u32,

    /// A query of your own; may be repeated
    #[arg(long = "query", value_name = "TEXT", help_heading = "What to ask")]
    pub(crate) own: Vec<String>,

    /// Also search for the names in this column of a reference table, such as S.proprietary_name
    #[arg(long, value_name = "COLUMN", requires = "references", help_heading = "What to ask")]
    pub(crate) names: Option<String>,

    /// The number of names to search for, spread over the table
    #[arg(long, value_name = "N", default_value = "20", value_parser = clap::value_parser!(u32).range(1..=10_000), help_heading = "What to ask")]
    pub(crate) most_names: u32,

    /// The rules to audit with: a file, or a built-in set (`drugs`); without rules, records are only stored
    #[arg(long, value_name = "RULES", help_heading = "Audit")]
    pub(crate) rules: Option<String>,

    /// A reference table: [NAME=]PLACE, as for `windrow audit`; may be repeated
    #[arg(long = "reference", value_name = "TABLE", requires = "rules", help_heading = "Audit")]
    pub(crate) references: Vec<String>,

    /// Report conclusions with at least this probability, the lower end of the interval, from 0 to 1
    #[arg(long, value_name = "P", default_value = "0.5", value_parser = probability, help_heading = "Audit")]
    pub(crate) at_least: f64,

    /// The date that rules use as `today` [default: today]
    #[arg(long, value_name = "DATE", value_parser = day, help_heading = "Audit")]
    pub(crate) today: Option<Day>,

    /// Treat fields that the records do not have as empty, instead of rejecting the rule
    #[arg(long, help_heading = "Audit")]
    pub(crate) lenient: bool,

    /// Output format of the findings [default: by the ending of the -o file; without -o they are only stored]
    #[arg(long, value_name = "FORMAT", value_parser = named_formats(&HUNT_FORMATS, name), requires = "rules")]
    pub(crate) format: Option<OutputFormat>,

    /// Write the findings to this file; its ending selects the format: .txt, .jsonl, .ndjson or .csv
    #[arg(short, long, value_name = "FILE", requires = "rules")]
    pub(crate) output: Option<PathBuf>,

    /// The file with the state of the hunt [default: the name of the store with .hunt]
    #[arg(long, value_name = "FILE")]
    pub(crate) state: Option<PathBuf>,

    /// Start again: search and fetch everything anew; the store keeps its records and findings
    #[arg(long)]
    pub(crate) restart: bool,

    /// The number of sites to visit, over all runs
    #[arg(long, value_name = "N", default_value = "100", help_heading = "Budget")]
    pub(crate) sites: u64,

    /// The number of pages to read of each site
    #[arg(long, value_name = "N", default_value = "50", help_heading = "Budget")]
    pub(crate) pages: u64,

    /// Go no further than this many links from the first page of a site
    #[arg(long, value_name = "N", default_value = "4", help_heading = "Budget")]
    pub(crate) depth: u32,

    /// Limits of a run.
    #[command(flatten)]
    pub(crate) budget: Budget,

    /// Skip this host and its subdomains, such as a large marketplace; may be repeated
    #[arg(long, value_name = "HOST", help_heading = "Budget")]
    pub(crate) not_host: Vec<String>,

    /// Limits that protect the sites.
    #[command(flatten)]
    pub(crate) politeness: Politeness,

    /// Options for storing records.
    #[command(flatten)]
    pub(crate) keep: KeepArguments,

    /// Options for reading pages.
    #[command(flatten)]
    pub(crate) reading: Reading,
}

/// Formats that grow page by page.
pub(crate) const HUNT_FORMATS: [OutputFormat; 3] = [OutputFormat::Table, OutputFormat::JSONL, OutputFormat::CSV];

const ABOUT: &str = "\
Find sites with a search engine, extract their records, and audit them

A hunt queries a search engine with the vocabulary of the domain and visits the sites in its
results. Of each site it reads a number of pages, first the ones that are likely to describe the
domain's things in full. Records go into the store (--into). With --rules they are checked against
the reference tables; findings, sites, server addresses and kinds of pages are stored as well.
docs/hunt.md has the details.

The search engine is described by a wrapper of its result pages. One field must be the link to the
result, and a table says how to send a query:

  [search]
  url = \"https://search.example/?q={query}&page={page}\"

A record in a list that links to its own page is an offer: it is stored, but audited on that page,
where it is described in full.

The state of the hunt is one file beside the store. After Ctrl-C, a limit or kill -9, the same
command continues where it stopped; nothing is lost and nothing is reported twice.

The hunt obeys robots.txt, also the search engine's, and sends each host one request a second unless
you say otherwise. Results with private addresses are refused.";

const EXAMPLES: &str = "\
Examples:
  windrow hunt --domain drugs --search engine.toml --rules drugs --reference register.csv --into hunt.db
  windrow hunt --domain drugs --search engine.toml --query 'buy painkillers' --queries 0 --into hunt.db
  windrow hunt --domain drugs --search a.toml --search b.toml --rules drugs --reference S=register.csv \\
      --names S.proprietary_name --sites 500 --pages 30 --time 1h --into hunt.db
  windrow hunt --domain book --search engine.toml --not-host market.example --into books.db

Exit status:
  0  there is a finding; without --rules, a record
  1  there is none
  2  an error: a search engine that cannot be queried or gives no results, or invalid rules";
