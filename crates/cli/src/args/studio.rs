//! The arguments of `studio`.

use clap::Args;

use super::Fetching;

/// Learn, check and repair wrappers in the browser, by clicking
#[derive(Debug, Args)]
#[command(long_about = ABOUT, after_long_help = EXAMPLES)]
pub(crate) struct StudioArguments {
    /// Pages to open: files, addresses, WARC files (the first page is opened, the others are listed)
    #[arg(value_name = "PAGE")]
    pub(crate) pages: Vec<String>,

    /// The wrapper to start with
    #[arg(short = 'w', long = "wrapper", value_name = "FILE")]
    pub(crate) wrapper: Option<String>,

    /// The port to listen on, on this machine only; 0 takes a free one
    #[arg(long, value_name = "PORT", default_value = "0")]
    pub(crate) port: u16,

    /// Print the address and do not open a browser
    #[arg(long)]
    pub(crate) no_open: bool,

    /// Options for fetching pages.
    #[command(flatten)]
    pub(crate) fetching: Fetching,
}

const ABOUT: &str = "\
Learn, check and repair wrappers in the browser, by clicking

The studio is a local web application. It shows the page as it looks; click the fields of one
record, and Windrow learns the rules for the whole list and fills a table below. It also finds lists
without clicks, from a weblog's feed or from a domain's vocabulary. The wrapper is shown beside the
page and can be edited, saved, tested, repaired and run on more pages (docs/studio.md).

The scripts of the pages do not run, and nothing in them leaves its frame. The studio listens on
this machine only and answers only requests with the token in the printed address. Wrappers are
saved below the current directory. Ctrl-C stops it.";

const EXAMPLES: &str = "\
Examples:
  windrow studio
  windrow studio page.html
  windrow studio https://example.org/ads -w ads.toml
  windrow studio --no-open --port 8400 crawl.warc.gz

Exit status:
  0  stopped by Ctrl-C
  2  an error; the message is on standard error";
