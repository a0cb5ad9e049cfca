//! The arguments of `hunt`.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use super::audit::{day, probability};
use super::politeness::{Budget, Politeness};
use super::{KeepArguments, Reading};

/// Find sites by a search engine, read them by a domain's words, and audit what they say
#[derive(Debug, Args)]
#[command(long_about = ABOUT, after_long_help = EXAMPLES)]
pub(crate) struct HuntArguments {
    /// What to look for: a domain's file, or one that comes along (`windrow domain list`)
    #[arg(long, value_name = "DOMAIN")]
    pub(crate) domain: String,

    /// The search engine: a wrapper of its result pages with a table `search`. May be repeated
    #[arg(long, value_name = "RULES", required = true)]
    pub(crate) search: Vec<String>,

    /// Queries made of the domain's words, at most
    #[arg(long, value_name = "N", default_value = "16", value_parser = clap::value_parser!(u32).range(0..=1000), help_heading = "What to ask")]
    pub(crate) queries: u32,

    /// A query of one's own; may be repeated
    #[arg(long = "query", value_name = "TEXT", help_heading = "What to ask")]
    pub(crate) own: Vec<String>,

    /// Ask for names of this column of a table of reference, too: S.proprietary_name
    #[arg(long, value_name = "COLUMN", requires = "references", help_heading = "What to ask")]
    pub(crate) names: Option<String>,

    /// How many of the names, spread over the table
    #[arg(long, value_name = "N", default_value = "20", value_parser = clap::value_parser!(u32).range(1..=10_000), help_heading = "What to ask")]
    pub(crate) most_names: u32,

    /// The rules to audit by: a file, or a set that comes along (`drugs`); without, records are only kept
    #[arg(long, value_name = "RULES", help_heading = "Audit")]
    pub(crate) rules: Option<String>,

    /// A table of reference: [NAME=]PLACE, as for `windrow audit`. May be repeated
    #[arg(long = "reference", value_name = "TABLE", requires = "rules", help_heading = "Audit")]
    pub(crate) references: Vec<String>,

    /// Tell conclusions that are at least so probable: the lower end of the interval, from 0 to 1
    #[arg(long, value_name = "P", default_value = "0.5", value_parser = probability, help_heading = "Audit")]
    pub(crate) at_least: f64,

    /// The day that rules mean by `today` [default: today]
    #[arg(long, value_name = "DATE", value_parser = day, help_heading = "Audit")]
    pub(crate) today: Option<String>,

    /// Take a field that the records do not have for one without a value, instead of refusing the rule
    #[arg(long, help_heading = "Audit")]
    pub(crate) lenient: bool,

    /// Print the findings, too, in this format [default: they are kept, and not printed; by the name of the file with -o]
    #[arg(long, value_enum, requires = "rules")]
    pub(crate) format: Option<HuntFormat>,

    /// Write the findings to this file: .txt, .jsonl, .ndjson or .csv
    #[arg(short, long, value_name = "FILE", requires = "rules")]
    pub(crate) output: Option<PathBuf>,

    /// Where the hunt keeps how far it is [default: the name of the store with .hunt]
    #[arg(long, value_name = "FILE")]
    pub(crate) state: Option<PathBuf>,

    /// Begin anew: ask and fetch everything again. What is kept in the store stays, and is compared
    #[arg(long)]
    pub(crate) restart: bool,

    /// Sites that are looked at, over all runs
    #[arg(long, value_name = "N", default_value = "100", help_heading = "Budget")]
    pub(crate) sites: u64,

    /// Pages of each site
    #[arg(long, value_name = "N", default_value = "50", help_heading = "Budget")]
    pub(crate) pages: u64,

    /// Links from a site's first page to the farthest
    #[arg(long, value_name = "N", default_value = "4", help_heading = "Budget")]
    pub(crate) depth: u32,

    /// When to stop a run.
    #[command(flatten)]
    pub(crate) budget: Budget,

    /// Leave out this host and those below it, such as a marketplace that is known; may be repeated
    #[arg(long, value_name = "HOST", help_heading = "Budget")]
    pub(crate) not_host: Vec<String>,

    /// How sites are treated.
    #[command(flatten)]
    pub(crate) politeness: Politeness,

    /// How records are kept.
    #[command(flatten)]
    pub(crate) keep: KeepArguments,

    /// How to read pages.
    #[command(flatten)]
    pub(crate) reading: Reading,
}

/// How a hunt prints findings.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum HuntFormat {
    /// For people
    Text,
    /// One JSON object a line for each finding
    Jsonl,
    /// Comma-separated values with a header
    Csv,
}

const ABOUT: &str = "\
Find sites by a search engine, read them by a domain's words, and audit what they say

A hunt asks a search engine for the domain's words, and takes the sites that it finds. Of each it
reads some pages, those first that are likely to tell of the domain's things in full: what a list
offers, the list's next page. Records go into the store (--into); with --rules they are held
against the tables of reference, and findings, sites, their servers' addresses and what kinds of
pages they have are kept, too. (docs/hunt.md tells all.)

The search engine is described by a wrapper of its result pages, a field of which leads to what
was found, with a table that says how it is asked:

  [search]
  url = \"https://search.example/?q={query}&page={page}\"

A record in a list whose name leads to a page of its own is an offer: it is kept, but audited
there, where it is told in full.

How far the hunt is stands in one file beside the store. Stopped by Ctrl-C, by its budget or by
kill -9, the same command goes on where it was: nothing is lost, and nothing told twice.

Sites are treated with care: robots.txt is obeyed, also the search engine's, and a host is asked
once a second unless you say otherwise. Results that lead to private addresses are refused.";

const EXAMPLES: &str = "\
Examples:
  windrow hunt --domain drugs --search engine.toml --rules drugs --reference register.csv --into hunt.db
  windrow hunt --domain drugs --search engine.toml --query 'buy painkillers' --queries 0 --into hunt.db
  windrow hunt --domain drugs --search a.toml --search b.toml --rules drugs --reference S=register.csv \\
      --names S.proprietary_name --sites 500 --pages 30 --time 3600 --into hunt.db
  windrow hunt --domain book --search engine.toml --not-host market.example --into books.db

Exit status:
  0  there is a finding; without --rules, a record
  1  there is none
  2  an error: a search engine that cannot be asked or gives no results, wrong rules";
