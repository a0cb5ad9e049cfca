//! The arguments of `feed`.

use clap::{Args, ValueEnum};

use super::{Reading, TableArguments};

/// Print the items of feeds: RSS, Atom, JSON Feed, whole or broken
#[derive(Debug, Args)]
#[command(long_about = ABOUT, after_long_help = EXAMPLES)]
pub(crate) struct FeedArguments {
    /// Feeds: files or `-` for standard input. A page tells its feeds instead
    #[arg(value_name = "FEED", required = true)]
    pub(crate) pages: Vec<String>,

    /// Where the feed or page is: its relative links are resolved against this
    #[arg(long, value_name = "URL")]
    pub(crate) base: Option<String>,

    /// How to print [default: table on a terminal, jsonl elsewhere]
    #[arg(long, value_enum)]
    pub(crate) format: Option<FeedFormat>,

    /// The size of tables.
    #[command(flatten)]
    pub(crate) table: TableArguments,

    /// How to read feeds.
    #[command(flatten)]
    pub(crate) reading: Reading,
}

const ABOUT: &str = "\
Print the items of feeds: RSS, Atom, JSON Feed, whole or broken

All formats are read: RSS 0.90 to 2.0, RSS 1.0 (RDF), Atom 0.3 and 1.0, JSON Feed 1 and 1.1, CDF.
So is what feeds get wrong: bare ampersands, undeclared entities, wrong encodings, missing end
tags and quotes, a feed that ends in the middle. What is wrong is told on standard error.

An HTML page is no feed, but it may have some: they are listed, the likeliest first.";

const EXAMPLES: &str = "\
Formats:
  json, jsonl  {\"page\": FEED, \"format\": \"rss 2.0\", \"title\", \"link\", \"description\", \"language\",
               \"items\": [{\"title\", \"link\", \"id\", \"date\", \"updated\", \"author\", \"categories\": [...],
               \"summary\", \"body\", \"body_is_html\"}, ...], \"notes\": [...]}
               null is what the feed does not say. The date is when an item was published, else
               when it was changed, in ISO 8601; the body is its content, else its summary, and
               HTML as the feed has it. A page gives \"format\": \"html\", no items, and
               \"feeds\": [{\"url\", \"title\", \"type\", \"comments\"}, ...].
               json is one object for one feed, and an array of objects for several.
  csv          page,title,link,id,date,updated,author,categories,summary,body: one row an item,
               summary and body as text
  table        date, title and link, for people

Examples:
  windrow feed feed.xml
  windrow feed feed.xml --format csv > items.csv
  windrow feed - --base https://example.org/ < feed.xml | jq -r '.items[].link'
  windrow feed home.html --base https://example.org/

Exit status:
  0  there is at least one item
  1  there is none, as in a page
  2  an error: unreadable, or neither a feed nor a page";

/// How `feed` prints.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum FeedFormat {
    /// A table for people
    Table,
    /// One JSON object for one feed, an array of them for several
    Json,
    /// One JSON object a line for each feed
    Jsonl,
    /// Comma-separated values with a header, a row for each item
    Csv,
}
