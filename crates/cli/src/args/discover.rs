//! The arguments of `discover`.

use clap::{Args, ValueEnum};
use windrow::format::OutputFormat;

use super::{Reading, TableArguments};

/// Find the lists on a page and print them as tables, without any rules
#[derive(Debug, Args)]
#[command(long_about = ABOUT, after_long_help = EXAMPLES)]
pub(crate) struct DiscoverArguments {
    /// Pages: files, addresses, directories (all .html, .htm and .xhtml below them), WARC files, or `-` for standard input
    #[arg(value_name = "PAGE", required = true)]
    pub(crate) pages: Vec<String>,

    /// Take all lists of a page, at most ten, and not only the main one
    #[arg(long)]
    pub(crate) all: bool,

    /// Write the records to this file, or the wrapper that finds them: the ending of its name says which
    ///
    /// Records: .csv, .json, .jsonl, .ndjson, .xml, .oem, .txt (a table). Wrapper: .toml, .tsimmis, .xpath.
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Option<String>,

    /// Tell which other lists were considered, and why they lost
    ///
    /// On standard error behind the records; in JSON as the member `considered`. The best eight, or all with --all.
    #[arg(long)]
    pub(crate) explain: bool,

    /// Output format of the records [default: table on a terminal, jsonl elsewhere]
    #[arg(long, value_enum)]
    pub(crate) format: Option<DiscoverFormat>,

    /// The size of tables.
    #[command(flatten)]
    pub(crate) table: TableArguments,

    /// Print every value as its visible text on one line, not as its type says
    #[arg(long)]
    pub(crate) raw: bool,

    /// Options for reading pages.
    #[command(flatten)]
    pub(crate) reading: Reading,
}

const ABOUT: &str = "\
Find the lists on a page and print them as tables, without any rules

A page that was made from a database shows the same thing again and again with other values. Here
these repetitions are found, parted into records and fields, and the list that looks most like
the page's purpose is printed. Fields are named after the page's own words where it has any.

With -o records.csv the records go to a file. With -o rules.toml the rules that find them are
written down, as a wrapper: look at it, give the fields better names, and run it on all pages of
that kind with `windrow extract`.";

const EXAMPLES: &str = "\
Formats:
  json, jsonl  {\"page\": PAGE, \"lists\": [{\"name\": LIST, \"records\": [{FIELD: VALUE, ...}, ...]}, ...]}
               The main list comes first; without --all it is the only one; none gives []. Every
               record has every field, null where it has no value; a list inside a record is an
               array. Values are as `windrow extract` prints them. json is one object for one
               page, and an array of objects if several pages, or a directory, are given.
               With --explain: \"considered\": [{\"list\": LIST or null, \"score\", \"place\", \"division\",
               \"records\", \"dropped\", \"text\", \"evidence\": [{\"name\", \"value\", \"weight\"}, ...]}, ...]
  csv          One list of one page: lists have columns of their own. A row for each record; a list
               inside a record is one cell (docs/output.md).
  table        For people: the columns that fit the terminal and say most, a screen of rows; a list
               inside a record is shown as the number of its records.
  xml, oem     As `windrow extract` prints them.
  toml         The wrapper that finds the records. With --all it has all lists. One page only.
  -o FILE      The file is replaced when all is done, and not at all if the run fails or finds nothing.

Examples:
  windrow discover page.html
  windrow discover page.html --all
  windrow discover page.html --explain
  windrow discover page.html -o records.csv
  windrow discover pages/ | jq '{page, records: .lists[0].records | length}'

  windrow discover page-1.html -o rules.toml
  windrow extract -w rules.toml pages/ -o records.csv

Exit status:
  0  there is at least one list
  1  there is none; standard error says on which pages
  2  an error, such as an unreadable page, or rules that the format cannot express";

/// Output formats of `discover`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum DiscoverFormat {
    /// Tables for people
    Table,
    /// One JSON object for one page, an array of them for several
    Json,
    /// One JSON object a line for each page
    Jsonl,
    /// Comma-separated values with a header
    Csv,
    /// XML
    Xml,
    /// The paper's text form of objects
    Oem,
    /// The wrapper that finds the records
    Toml,
}

impl DiscoverFormat {
    /// Returns the format of the records; a wrapper has none of its own.
    pub(crate) fn records(self) -> OutputFormat {
        match self {
            DiscoverFormat::Table | DiscoverFormat::Toml => OutputFormat::Table,
            DiscoverFormat::Json => OutputFormat::Json,
            DiscoverFormat::Jsonl => OutputFormat::JSONL,
            DiscoverFormat::Csv => OutputFormat::CSV,
            DiscoverFormat::Xml => OutputFormat::Xml,
            DiscoverFormat::Oem => OutputFormat::Oem,
        }
    }
}
