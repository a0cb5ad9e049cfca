//! The arguments of `export`.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use windrow::store::export::Format;

/// Write the records of a store to a file: JSON Lines, CSV, Parquet, Arrow, Excel, or a feed
#[derive(Debug, Args)]
#[command(
    override_usage = "windrow export [OPTIONS] <STORE> [<LIST>] -o <FILE>",
    long_about = ABOUT,
    after_long_help = EXAMPLES
)]
pub(crate) struct ExportArguments {
    /// The store, and the list whose records are wanted, if there are several
    ///
    /// A store is a file such as shop.db, or postgres://user:password@host/database.
    #[arg(value_name = "STORE and LIST", num_args = 0..=2)]
    pub(crate) arguments: Vec<String>,

    /// The store; the argument is then the list [env: WINDROW_STORE]
    #[arg(long, value_name = "ADDRESS")]
    pub(crate) store: Option<String>,

    /// Write to this file, in the format that its name tells; `-` is standard output
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,

    /// The format [default: by the name of the file; jsonl without one]
    #[arg(long, value_enum)]
    pub(crate) format: Option<ExportFormat>,

    /// Also write the records that are gone
    #[arg(long)]
    pub(crate) all: bool,

    /// Also write each record's page, and when it was first seen, last seen, and gone
    #[arg(long)]
    pub(crate) provenance: bool,

    /// Print no notes and no progress; how many rows were written is told all the same
    #[arg(short, long)]
    pub(crate) quiet: bool,

    /// The feed's title [default: the list's name]
    #[arg(long, value_name = "TEXT", help_heading = "Feeds")]
    pub(crate) title: Option<String>,

    /// The address that the feed will have
    #[arg(long, value_name = "URL", help_heading = "Feeds")]
    pub(crate) self_url: Option<String>,

    /// The address of the page that the feed is of [default: the first record's page]
    #[arg(long, value_name = "URL", help_heading = "Feeds")]
    pub(crate) site_url: Option<String>,

    /// Which column a part of the entries is: title, link, date, author or content. May be repeated
    #[arg(long = "role", value_name = "PART=COLUMN", value_parser = role, help_heading = "Feeds")]
    pub(crate) roles: Vec<(Role, String)>,

    /// How many entries the feed has at most: the newest [default: 100]
    #[arg(long, value_name = "N", help_heading = "Feeds")]
    pub(crate) entries: Option<usize>,
}

const ABOUT: &str = "\
Write the records of a store to a file: JSON Lines, CSV, Parquet, Arrow, Excel, or a feed

The records of one list are written, those that are there now, each with the lists inside it.
The file appears when it is whole. How many rows it has is always told, on standard error.

A page without a feed gets one: --format atom, or -o news.atom, makes a feed of the newest
records. Which columns are titles, links, dates, authors and contents is guessed by their names
and types, and told; --role says otherwise.";

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
  1  there were none; a file that was there is as it was
  2  an error, told on standard error; a file that was there is as it was";

/// What `export` writes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum ExportFormat {
    /// JSON Lines
    #[value(alias = "ndjson")]
    Jsonl,
    /// Comma-separated values
    Csv,
    /// Apache Parquet
    Parquet,
    /// Arrow IPC
    #[value(alias = "feather")]
    Arrow,
    /// An Excel workbook
    Xlsx,
    /// An Atom feed
    Atom,
    /// An RSS feed
    Rss,
}

impl From<ExportFormat> for Format {
    fn from(format: ExportFormat) -> Format {
        match format {
            ExportFormat::Jsonl => Format::Jsonl,
            ExportFormat::Csv => Format::Csv,
            ExportFormat::Parquet => Format::Parquet,
            ExportFormat::Arrow => Format::Arrow,
            ExportFormat::Xlsx => Format::Xlsx,
            ExportFormat::Atom => Format::Atom,
            ExportFormat::Rss => Format::Rss,
        }
    }
}

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
