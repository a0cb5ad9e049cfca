//! The arguments of `query`.

use std::time::Duration;

use clap::{Args, ValueEnum};

use super::fetching::seconds;
use super::{Reading, TableArguments};

/// Ask a store, or pages, by SQL or jq
#[derive(Debug, Args)]
#[command(
    override_usage = "windrow query [OPTIONS] <STORE> [<SQL>]\n       windrow query [OPTIONS] --jq <FILTER> [<STORE>]\n       windrow query [OPTIONS] --over <RULES> <PAGE>... <SQL>\n       windrow query [OPTIONS] --over <RULES> --jq <FILTER> <PAGE>...",
    long_about = ABOUT,
    after_long_help = EXAMPLES
)]
pub(crate) struct QueryArguments {
    /// The store and the SQL; with --over, the pages and the SQL
    ///
    /// A store is a file such as shop.db, or postgres://user:password@host/database. Without SQL, what can be asked
    /// is told: the tables, their columns and how many records they have. `-` reads the SQL from standard input.
    #[arg(value_name = "STORE and SQL")]
    pub(crate) arguments: Vec<String>,

    /// The store; all arguments are then the query's [env: WINDROW_STORE]
    #[arg(long, value_name = "ADDRESS", conflicts_with = "over")]
    pub(crate) store: Option<String>,

    /// Ask by a filter of jq's instead of SQL
    #[arg(long, value_name = "FILTER")]
    pub(crate) jq: Option<String>,

    /// Ask what this wrapper finds on pages, without keeping anything
    #[arg(long, value_name = "RULES")]
    pub(crate) over: Option<String>,

    /// A value for the next `?` or `$1`; NAME=VALUE is for `:NAME`, in jq for `$NAME`. May be repeated
    #[arg(short, long = "param", value_name = "VALUE", allow_hyphen_values = true)]
    pub(crate) params: Vec<String>,

    /// How to print [default: table on a terminal, jsonl elsewhere]
    #[arg(long, value_enum)]
    pub(crate) format: Option<QueryFormat>,

    /// The size of tables.
    #[command(flatten)]
    pub(crate) table: TableArguments,

    /// With --jq, print texts as they are, without quotes
    #[arg(long, requires = "jq", conflicts_with = "format")]
    pub(crate) raw: bool,

    /// Stop a query after this many seconds [default: never]
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    pub(crate) time: Option<Duration>,

    /// How to read pages.
    #[command(flatten)]
    pub(crate) reading: Reading,
}

const ABOUT: &str = "\
Ask a store, or pages, by SQL or jq

A store is what `windrow extract … --into shop.db` makes. Each list of records is a table; a view
with _now at its end, such as ads_now, has the records that are there now, with the page they are
on. `windrow query shop.db` tells the tables and their columns. (docs/store.md tells all.)

SQL is the database's own: SQLite's, or PostgreSQL's. It can only read. Rows are printed as they
come.

With --jq, the records that are there are one tree of objects, {\"ads\": [{\"title\": …}, …], …}:
lists under their names, lists inside records as arrays, groups as objects.

With --over, pages are read by a wrapper and asked at once; nothing is kept.";

const EXAMPLES: &str = "\
Parameters:
  --param Vienna       the next of ? and ?, or of $1 and $2
  --param city=Vienna  :city in SQL (of a file; a server only numbers its parameters), $city in jq
  --param =a=b         the value `a=b`, which would else be that of :a

Formats:
  table   for people: the columns that fit and say most, a screen of rows; long values are cut
  csv     comma-separated values with a header
  json    one array of objects
  jsonl   one object a line
  A column's name is a key; the second of the same name is NAME_2. Nothing is null, or an empty
  cell. Numbers keep their digits. Bytes are \\x and hexadecimal digits.
  Results of jq are JSON, one a line, or with json one array; --raw prints texts without quotes.

Examples:
  windrow query shop.db
  windrow query shop.db 'select title, price from ads_now order by price limit 10'
  windrow query shop.db 'select * from ads_now where price < ? and page like ?' -p 100 -p '%/tools/%'
  windrow query shop.db --format csv 'select * from ads_now' > ads.csv
  windrow query --jq '.city_temp[] | select(.city == \"Vienna\")' weather.db
  windrow query --over ads.toml pages/ 'select avg(price) from ads_now'
  windrow query postgres://me@server/shop 'select count(*) from ads_now'

Exit status:
  0  there is at least one row or result
  1  there is none
  2  an error: no store, a wrong query, one that would write, one that was stopped";

/// How `query` prints.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum QueryFormat {
    /// A table for people: what fits the terminal
    Table,
    /// Comma-separated values with a header
    Csv,
    /// One JSON array with an object for each row
    Json,
    /// One JSON object a line for each row
    Jsonl,
}
