//! The arguments of `query`.

use std::time::Duration;

use clap::Args;
use windrow::format::OutputFormat;

use super::values::{ROW_FORMATS, duration, formats};
use super::{Reading, TableArguments};

/// Query a store, or pages, with SQL or jq
#[derive(Debug, Args)]
#[command(
    override_usage = "windrow query [OPTIONS] <STORE> [<SQL>]\n       windrow query [OPTIONS] --jq <FILTER> [<STORE>]\n       windrow query [OPTIONS] -w <FILE> <PAGE>... <SQL>\n       windrow query [OPTIONS] -w <FILE> --jq <FILTER> <PAGE>...",
    long_about = ABOUT,
    after_long_help = EXAMPLES
)]
pub(crate) struct QueryArguments {
    /// The store and the SQL; with -w, the pages and the SQL
    ///
    /// A store is a file such as shop.db, or postgres://user:password@host/database. Without SQL, the tables are listed
    /// with their columns and numbers of records. `-` reads the SQL from standard input.
    #[arg(value_name = "STORE and SQL")]
    pub(crate) arguments: Vec<String>,

    /// The store; the argument is then the SQL [env: WINDROW_STORE]
    #[arg(long, value_name = "STORE", conflicts_with = "over")]
    pub(crate) store: Option<String>,

    /// Query with this jq filter instead of SQL
    #[arg(long, value_name = "FILTER")]
    pub(crate) jq: Option<String>,

    /// Query the records that this wrapper finds on pages; nothing is stored
    #[arg(short = 'w', long = "wrapper", alias = "over", value_name = "FILE")]
    pub(crate) over: Option<String>,

    /// A value for the next `?` or `$1`; NAME=VALUE is for `:NAME`, in jq for `$NAME`; may be repeated
    #[arg(short, long = "param", value_name = "VALUE", allow_hyphen_values = true)]
    pub(crate) params: Vec<String>,

    /// Output format [default: table on a terminal, jsonl elsewhere]
    #[arg(long, value_name = "FORMAT", value_parser = formats(&ROW_FORMATS))]
    pub(crate) format: Option<OutputFormat>,

    /// The size of tables.
    #[command(flatten)]
    pub(crate) table: TableArguments,

    /// With --jq, print strings without quotes
    #[arg(long, requires = "jq", conflicts_with = "format")]
    pub(crate) raw: bool,

    /// Stop after this time, such as 90s, 30m or 1h [default: never]
    #[arg(long, value_name = "DURATION", value_parser = duration)]
    pub(crate) time: Option<Duration>,

    /// Options for reading pages.
    #[command(flatten)]
    pub(crate) reading: Reading,
}

const ABOUT: &str = "\
Query a store, or pages, with SQL or jq

A store is written by `windrow extract … --into shop.db`. Each list of records is a table; a view
whose name ends in _now, such as ads_now, has the current records with their pages. `windrow query
shop.db` prints the tables and their columns. docs/store.md has the details.

The SQL is the database's own: SQLite's or PostgreSQL's. Queries can only read. Rows are printed as
they arrive.

With --jq, the current records are one object, {\"ads\": [{\"title\": …}, …], …}: lists under their
names, lists inside records as arrays, groups as objects.

With -w, pages are read with a wrapper and queried at once; nothing is stored.";

const EXAMPLES: &str = "\
Parameters:
  --param Vienna       the next of ? and ?, or of $1 and $2
  --param city=Vienna  :city in SQL (of a file; a server only numbers its parameters), $city in jq
  --param =a=b         the value `a=b`, which would otherwise be the value of :a

Formats:
  table   for reading: the columns that fit and say most, a screen of rows; long values are cut
  csv     comma-separated values with a header
  json    one array of objects
  jsonl   one object a line
  The name of a column is the key; a second column of the same name is NAME_2. A missing value is
  null, or an empty cell. Numbers keep their digits. Bytes are \\x and hexadecimal digits.
  Results of jq are JSON, one a line, or with json one array; --raw prints strings without quotes.

Examples:
  windrow query shop.db
  windrow query shop.db 'select title, price from ads_now order by price limit 10'
  windrow query shop.db 'select * from ads_now where price < ? and page like ?' -p 100 -p '%/tools/%'
  windrow query shop.db --format csv 'select * from ads_now' > ads.csv
  windrow query --jq '.city_temp[] | select(.city == \"Vienna\")' weather.db
  windrow query -w ads.toml pages/ 'select avg(price) from ads_now'
  windrow query postgres://me@server/shop 'select count(*) from ads_now'

Exit status:
  0  there is at least one row or result
  1  there is none
  2  an error: no store, an invalid query, a query that would write, or one that was stopped";
