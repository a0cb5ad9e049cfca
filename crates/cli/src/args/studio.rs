//! The arguments of `studio`.

use clap::Args;

use super::Fetching;

/// Learn, check and repair wrappers in a browser, by pointing
#[derive(Debug, Args)]
#[command(long_about = ABOUT, after_long_help = EXAMPLES)]
pub(crate) struct StudioArguments {
    /// Pages to open: files, addresses, WARC files (their first page; the studio lists the others)
    #[arg(value_name = "PAGE")]
    pub(crate) pages: Vec<String>,

    /// A wrapper to begin with
    #[arg(short = 'w', long = "wrapper", value_name = "RULES")]
    pub(crate) wrapper: Option<String>,

    /// The port to listen on, on this machine only; 0 takes any that is free
    #[arg(long, value_name = "PORT", default_value = "0")]
    pub(crate) port: u16,

    /// Only print the address; do not open a browser
    #[arg(long)]
    pub(crate) no_open: bool,

    /// How to fetch pages.
    #[command(flatten)]
    pub(crate) fetching: Fetching,
}

const ABOUT: &str = "\
Learn, check and repair wrappers in a browser, by pointing

A local web application is started and opened. It shows the page as it looks; point at the fields
of one record, and the rules for the whole list are learned, with its table filled below. Lists are
also found without pointing, by a weblog's feed or by a domain's words. The wrapper stands beside
the page, to be edited, saved, tested, repaired and run on more pages (docs/studio.md).

The pages' scripts do not run, and nothing of them leaves their frame. The studio listens on this
machine only, and answers nobody who does not know the token in the address that is printed.
Wrappers are saved below the current directory. Ctrl-C ends it.";

const EXAMPLES: &str = "\
Examples:
  windrow studio
  windrow studio page.html
  windrow studio https://example.org/ads -w ads.toml
  windrow studio --no-open --port 8400 crawl.warc.gz

Exit status:
  0  it was ended by Ctrl-C
  2  an error, told on standard error";
