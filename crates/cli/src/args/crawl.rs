//! The arguments of `crawl`.

use std::path::PathBuf;

use clap::Args;
use windrow::format::OutputFormat;

use super::politeness::{Budget, Politeness};
use super::values::formats;
use super::{KeepArguments, Reading};

/// Follow links through a site and extract records from every page
#[derive(Debug, Args)]
#[command(long_about = ABOUT, after_long_help = EXAMPLES)]
pub(crate) struct CrawlArguments {
    /// Addresses to start from
    #[arg(value_name = "SEED", required_unless_present = "seeds")]
    pub(crate) pages: Vec<String>,

    /// A file with one address to start from on each line; `-` for standard input
    #[arg(long, value_name = "FILE")]
    pub(crate) seeds: Option<String>,

    /// The wrapper, applied to every page
    #[arg(short = 'w', long = "wrapper", value_name = "FILE", required_unless_present = "record")]
    pub(crate) wrapper: Option<String>,

    /// Write to this file; its ending selects the format: .jsonl, .ndjson or .csv
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,

    /// Output format [default: by the ending of the file, or jsonl]
    #[arg(long, value_name = "FORMAT", value_parser = formats(&CRAWL_FORMATS))]
    pub(crate) format: Option<OutputFormat>,

    /// Write every value as its visible text on one line, not as its type says
    #[arg(long)]
    pub(crate) raw: bool,

    /// The file with the state of the crawl [default: the name of the output, of the store, or of the host, with .crawl]
    #[arg(long, value_name = "FILE")]
    pub(crate) state: Option<PathBuf>,

    /// Begin anew: discard the state of an earlier run; its output and archive are replaced when this run has ended
    #[arg(long)]
    pub(crate) restart: bool,

    /// Follow the links that this XPath or CSS selector finds, too; may be repeated
    #[arg(long, value_name = "EXPRESSION", help_heading = "Where to go")]
    pub(crate) follow: Vec<String>,

    /// Do not look for the next page of lists
    #[arg(long, help_heading = "Where to go")]
    pub(crate) no_next: bool,

    /// Stay with addresses below this one, instead of the seeds' sites; may be repeated
    #[arg(long, value_name = "ADDRESS", help_heading = "Where to go", conflicts_with = "anywhere")]
    pub(crate) within: Vec<String>,

    /// Follow links to any site
    #[arg(long, help_heading = "Where to go")]
    pub(crate) anywhere: bool,

    /// Go no further than this many links from a seed
    #[arg(long, value_name = "N", help_heading = "Where to go")]
    pub(crate) depth: Option<u32>,

    /// Take what was found last first, instead of what is nearest to a seed
    #[arg(long, help_heading = "Where to go")]
    pub(crate) depth_first: bool,

    /// Stop when this many pages are stored, over all runs
    #[arg(long = "pages", value_name = "N", help_heading = "Budget")]
    pub(crate) most_pages: Option<u64>,

    /// Limits of a run.
    #[command(flatten)]
    pub(crate) budget: Budget,

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
pub(crate) const CRAWL_FORMATS: [OutputFormat; 2] = [OutputFormat::JSONL, OutputFormat::CSV];

const ABOUT: &str = "\
Follow links through a site and extract records from every page

A crawl begins with the seeds. It goes on to the next page of a list (rel=next, a link that says
so in one of many languages, page numbers, load-more addresses) and to what --follow finds; pages
that the wrapper asks for with `get` become part of the record that asks.

Everything it knows is in one file, its state. Stopped by Ctrl-C, by its budget or by kill -9,
the same command goes on where it was: no stored page is fetched again, and none is lost. Pages
are written in the order in which they come, each once. (What is printed for want of -o is
printed once, and gone if nobody takes it.) What failed for a while is tried again by the next run,
and everything that failed if that has other options, such as --timeout or --allow-private.

Until the crawl has ended, it writes to FILE.part beside the output; a file that was there before
stays as it is until then.

Sites are treated with care: robots.txt is obeyed, a host is asked once a second unless you say
otherwise, and one that asks us to wait is waited for. A server on this machine or in its network
can be crawled if it is a seed; links to other private addresses need --allow-private.

With --into, records are kept in a store, and printed only if -o says where (docs/store.md). State
and store belong together: a crawl whose store is gone or older than its state does not go on.";

const EXAMPLES: &str = "\
Examples:
  windrow crawl https://example.org/ads -w ads.toml -o ads.jsonl
  windrow crawl https://example.org/ads -w ads.toml -o ads.csv --pages 100
  windrow crawl https://example.org/ads -w ads.toml --into ads.db
  windrow crawl https://example.org/ --follow 'nav a' -w ads.toml -o ads.jsonl --record ads.warc.gz
  windrow crawl https://example.org/docs/ --follow a --within https://example.org/docs/ --record docs.warc.gz
  windrow crawl https://example.org/ads -w ads.toml --replay ads.warc.gz

Exit status:
  0  pages were stored, and none failed
  1  some pages failed, or there were none
  2  an error, told on standard error, or no page could be fetched";
