//! The arguments of `export`.

use std::path::PathBuf;

use clap::Args;
use windrow::format::OutputFormat;
use windrow::store::export::Format;

use super::values::formats;

/// Write records from a store to a file: CSV, JSON Lines, Parquet, Arrow, Excel or a feed
#[derive(Debug, Args)]
#[command(
    override_usage = "windrow export [OPTIONS] <STORE> [<LIST>] -o <FILE>",
    long_about = ABOUT,
    after_long_help = EXAMPLES
)]
pub(crate) struct ExportArguments {
    /// The store, and its list if it has several
    ///
    /// A store is a file such as shop.db, or postgres://user:password@host/database.
    #[arg(value_name = "STORE and LIST", num_args = 0..=2)]
    pub(crate) arguments: Vec<String>,

    /// The store; the argument is then the list [env: WINDROW_STORE]
    #[arg(long, value_name = "STORE")]
    pub(crate) store: Option<String>,

    /// Write to this file; its ending selects the format; `-` is standard output
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,

    /// Output format [default: by the ending of the file, or jsonl]
    #[arg(long, value_name = "FORMAT", value_parser = formats(&EXPORT_FORMATS))]
    pub(crate) format: Option<OutputFormat>,

    /// Also write records that are gone from their pages
    #[arg(long)]
    pub(crate) all: bool,

    /// Also write the page of each record, and the times when it was first seen, last seen, and gone
    #[arg(long)]
    pub(crate) provenance: bool,

    /// Print no notes or progress, only errors and the number of rows
    #[arg(short, long)]
    pub(crate) quiet: bool,

    /// The title of the feed [default: the name of the list]
    #[arg(long, value_name = "TEXT", help_heading = "Feeds")]
    pub(crate) title: Option<String>,

    /// The address at which the feed will be published
    #[arg(long, value_name = "URL", help_heading = "Feeds")]
    pub(crate) self_url: Option<String>,

    /// The address of the page behind the feed [default: the page of the first record]
    #[arg(long, value_name = "URL", help_heading = "Feeds")]
    pub(crate) site_url: Option<String>,

    /// The column for a part of the entries (title, link, date, author or content); may be repeated
    #[arg(long = "role", value_name = "PART=COLUMN", value_parser = role, help_heading = "Feeds")]
    pub(crate) roles: Vec<(Role, String)>,

    /// The number of entries in the feed, newest first [default: 100]
    #[arg(long, value_name = "N", help_heading = "Feeds")]
    pub(crate) entries: Option<usize>,
}

/// Formats of the records of a store.
pub(crate) const EXPORT_FORMATS: [OutputFormat; 7] = [
    OutputFormat::JSONL,
    OutputFormat::CSV,
    OutputFormat::PARQUET,
    OutputFormat::ARROW,
    OutputFormat::XLSX,
    OutputFormat::Export(Format::Atom),
    OutputFormat::Export(Format::Rss),
];

const ABOUT: &str = "\
Write records from a store to a file: CSV, JSON Lines, Parquet, Arrow, Excel or a feed

Export writes the current records of one list, each with the lists inside it. The file appears when
it is complete. The number of rows is printed on standard error.

--format atom, or -o news.atom, makes a feed of the newest records, even if the site has none. The
columns for titles, links, dates, authors and contents are guessed from names and types and printed;
--role overrides a guess.";

const EXAMPLES: &str = "\
Formats:
  jsonl    (.jsonl, .ndjson)   an object a line; lists are arrays, money {\"amount\", \"currency\"}
  csv      (.csv)              a row for each record; a list is one cell, with `; ` between values or
                               records and ` | ` between fields; money is PRICE, PRICE.currency
  parquet  (.parquet)          nested types kept, zstd
  arrow    (.arrow, .feather)  Arrow IPC, the file format, zstd
  xlsx     (.xlsx)             a sheet for the list, and one for each list inside it
  atom     (.atom)             Atom, RFC 4287
  rss      (.rss)              RSS 2.0

Examples:
  windrow export shop.db ads -o ads.parquet
  windrow export shop.db -o ads.xlsx --all --provenance
  windrow export shop.db | jq -r .title
  windrow export blog.db -o blog.atom --title 'A small meadow' --self-url https://example.org/blog.atom
  windrow export blog.db -o blog.rss --role title=headline --role date=posted

Exit status:
  0  rows were written
  1  there were no records; an existing file stays as it was
  2  an error; an existing file stays as it was";

/// Parts of a feed's entries.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Role {
    Title,
    Link,
    Date,
    Author,
    Content,
}

fn role(text: &str) -> Result<(Role, String), String> {
    let (part, column) = text.split_once('=').ok_or("give a part and a column, for instance title=headline")?;
    let part = match part {
        "title" => Role::Title,
        "link" => Role::Link,
        "date" => Role::Date,
        "author" => Role::Author,
        "content" => Role::Content,
        _ => return Err("the parts are title, link, date, author and content".to_owned()),
    };
    Ok((part, column.to_owned()))
}
