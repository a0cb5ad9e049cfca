//! The arguments of `feed`.

use clap::Args;
use url::Url;
use windrow::format::OutputFormat;

use super::values::{ROW_FORMATS, address, formats};
use super::{Reading, TableArguments};

/// Print the items of RSS, Atom and JSON feeds, or list the feeds of a page
#[derive(Debug, Args)]
#[command(long_about = ABOUT, after_long_help = EXAMPLES)]
pub(crate) struct FeedArguments {
    /// Feeds: files, addresses, or `-` for standard input; for an HTML page, its feeds are listed
    #[arg(value_name = "FEED", required = true)]
    pub(crate) pages: Vec<String>,

    /// The address of the feed or page; relative links are resolved against it
    #[arg(long, alias = "base", value_name = "URL", value_parser = address)]
    pub(crate) url: Option<Url>,

    /// Output format [default: table on a terminal, jsonl elsewhere]
    #[arg(long, value_name = "FORMAT", value_parser = formats(&ROW_FORMATS))]
    pub(crate) format: Option<OutputFormat>,

    /// The size of tables.
    #[command(flatten)]
    pub(crate) table: TableArguments,

    /// Options for reading feeds.
    #[command(flatten)]
    pub(crate) reading: Reading,
}

const ABOUT: &str = "\
Print the items of RSS, Atom and JSON feeds, or list the feeds of a page

All formats are read: RSS 0.90 to 2.0, RSS 1.0 (RDF), Atom 0.3 and 1.0, JSON Feed 1 and 1.1, CDF.
Broken feeds are read as well: bare ampersands, undeclared entities, wrong encodings, missing end
tags and quotes, feeds that end in the middle. The errors are reported on standard error.

For an HTML page, the feeds that it links to are listed, the most likely one first.";

const EXAMPLES: &str = "\
Formats:
  json, jsonl  {\"page\": FEED, \"format\": \"rss 2.0\", \"title\", \"link\", \"description\", \"language\",
               \"items\": [{\"title\", \"link\", \"id\", \"date\", \"updated\", \"author\", \"categories\": [...],
               \"summary\", \"body\", \"body_is_html\"}, ...], \"notes\": [...]}
               null means that the feed does not say. The date is the date of publication, or else
               of the last change, in ISO 8601; the body is the content, or else the summary, as
               HTML if the feed has HTML. A page gives \"format\": \"html\", no items, and
               \"feeds\": [{\"url\", \"title\", \"type\", \"comments\"}, ...].
               json is one object for one feed, and an array of objects for several.
  csv          page,title,link,id,date,updated,author,categories,summary,body: one row an item,
               summary and body as text
  table        date, title and link, for reading

Examples:
  windrow feed feed.xml
  windrow feed feed.xml --format csv > items.csv
  windrow feed - --url https://example.org/ < feed.xml | jq -r '.items[].link'
  windrow feed home.html --url https://example.org/";
