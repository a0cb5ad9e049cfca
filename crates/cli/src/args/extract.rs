//! The arguments of `extract` and `test`.

use clap::{ArgGroup, Args};
use url::Url;
use windrow::format::OutputFormat;
use windrow::wrapper::values::date::Date;

use super::values::{address, date, entropy, formats, probability};
use super::{KeepArguments, Reading, TableArguments};

/// Extract records from pages with a wrapper, or with a domain's vocabulary
#[derive(Debug, Args)]
#[command(
    group = ArgGroup::new("what").required(true),
    override_usage = "windrow extract [OPTIONS] -w <FILE> [<PAGE>...]\n       windrow extract [OPTIONS] --domain <DOMAIN> <PAGE>...",
    long_about = EXTRACT_ABOUT,
    after_long_help = EXTRACT_EXAMPLES
)]
pub(crate) struct ExtractArguments {
    /// Pages: files, addresses, directories (all .html, .htm and .xhtml below them), WARC files, or `-` for standard input
    ///
    /// Without pages, the page that the wrapper names as its `url` is fetched.
    #[arg(value_name = "PAGE", required_unless_present = "wrapper")]
    pub(crate) pages: Vec<String>,

    /// The wrapper: TOML, JSON, TSIMMIS bracket commands, WTM rule XML or a list of XPaths
    #[arg(short = 'w', long = "wrapper", value_name = "FILE", group = "what")]
    pub(crate) wrapper: Option<String>,

    /// The domain: a file, or a built-in one (`windrow domain list`)
    #[arg(long, value_name = "DOMAIN", group = "what")]
    pub(crate) domain: Option<String>,

    /// Output format [default: table on a terminal, jsonl elsewhere]
    #[arg(long, value_name = "FORMAT", value_parser = formats(&OutputFormat::RECORDS))]
    pub(crate) format: Option<OutputFormat>,

    /// With JSON Lines, write a line for each record of the main list, as `windrow export` does, instead of one for each page
    #[arg(long)]
    pub(crate) per_record: bool,

    /// Write to this file, in the format that its name tells; with a `/` at its end, to CSV files in this directory
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Option<String>,

    /// Write CSV files to this directory: one for the pages, and one for each list
    #[arg(long, value_name = "DIR", conflicts_with = "output")]
    pub(crate) csv_dir: Option<String>,

    /// The size of tables.
    #[command(flatten)]
    pub(crate) table: TableArguments,

    /// Print every value as its visible text on one line, not as its type says
    #[arg(long)]
    pub(crate) raw: bool,

    /// Also print where each value comes from: its node, its byte span, and the rule or label that found it
    #[arg(long)]
    pub(crate) explain: bool,

    /// Exit with status 2 if a required field is missing
    #[arg(long)]
    pub(crate) strict: bool,

    /// With --domain, read every page on its own instead of learning rules for pages of the same template
    #[arg(long = "page-by-page", alias = "each", requires = "domain")]
    pub(crate) each: bool,

    /// With --domain, leave out values whose confidence is below this, from 0 to 1, and report them on standard error
    #[arg(long, value_name = "P", requires = "domain", value_parser = probability)]
    pub(crate) min_confidence: Option<f64>,

    /// With --domain, the entropy from which on a node of the page holds a record, instead of the domain's
    #[arg(long, value_name = "H", requires = "domain", value_parser = entropy)]
    pub(crate) data_rich_entropy: Option<f64>,

    /// With --domain, the entropy from which on a node may be a list of offers, instead of the domain's
    #[arg(long, value_name = "H", requires = "domain", value_parser = entropy)]
    pub(crate) list_entropy: Option<f64>,

    /// The address of the page, if only one is given; relative links are resolved against it
    #[arg(long, value_name = "URL", value_parser = address)]
    pub(crate) url: Option<Url>,

    /// The date on which the pages were saved, for values such as `yesterday` or `3 March`
    #[arg(long, value_name = "DATE", value_parser = date)]
    pub(crate) at: Option<Date>,

    /// Options for storing records.
    #[command(flatten)]
    pub(crate) keep: KeepArguments,

    /// Options for reading pages.
    #[command(flatten)]
    pub(crate) reading: Reading,
}

const EXTRACT_ABOUT: &str = "\
Extract records from pages with a wrapper, or with a domain's vocabulary

With -w, pages of one template are read by its rules. A wrapper is a file of rules: which records a page holds, which fields they have, of which type
(docs/wrappers.md tells the language). Its format is told by its name (.toml, .json, .tsimmis,
.xml, .xpath) or else by its looks.

What a page lacks is told on standard error, with the object and the line of the rule; the records
are printed all the same. The first ten such lines of a run are printed, with --explain all of
them. A field that most records lack is told once.

With --domain, pages of any site are read by what a kind of thing has and what pages call it:
DOMAIN is a file of roles and keywords (docs/domains.md tells the language), or the name of one
that comes along (`windrow domain list`). There are no rules and no example. The records are in
the list `records`, their fields are the domain's roles. Standard error tells of each page
whether it is data-rich (it has records), a link offer (it leads to pages that do) or neither;
and where it shows people something else than its structured data tells machines.

With --into, records are kept in a store instead of being printed: a table for each list, matched
with what is there from before (docs/store.md). A page that is as it was is not extracted again.
`windrow query` and `windrow export` read what was kept.";

const EXTRACT_EXAMPLES: &str = "\
Formats:
  json, jsonl  {\"page\": PAGE, \"data\": {LABEL: VALUE, ...}}
               Every label of the wrapper is there: null where a page has no value or the text is
               not of its type, [] for an empty list. A list of the wrapper is always an array.
               number: 340; money: {\"amount\": 340, \"currency\": \"EUR\"}; date: ISO 8601; all else
               is a string. An object that lacks something required has \"_missing\": [LABEL, ...];
               what the page itself lacks stands so beside \"data\".
               With --domain, labels without a value are left out; a role of which the page shows
               several values has an array of them.
  csv          A row for each record of the main list, which is the first list of records, or for
               each page if there is no list. The first column is `page`; money fills two columns,
               `price` and `price.currency`; a group's fields are columns `group.field`. A list
               inside a record is one cell: values are joined with `; `, the fields of a record with
               ` | `; a `;`, `|` or `\\` of a value itself has a `\\` in front. Where a table's own
               columns are taken, the first page that has rows settles the header.
  --csv-dir    page.csv has the pages' own fields; each list has a file of its own, LIST.csv or
               LIST.SUBLIST.csv. `_id` numbers the rows of a file, `_parent` is the `_id` of the
               row around, in the file of the list around or in page.csv.
  table        For people: the page's own fields, then a table for each list, with the columns that
               fit the terminal and say most. With --domain, a block for each record, with the roles
               that have a value.
  xml          <windrow><page name=\"PAGE\"><LABEL>VALUE</LABEL>...</page></windrow>; a label that is
               no XML name is <object name=\"LABEL\">.
  oem          LABEL TYPE VALUE, sets as LABEL complex { ... }; texts in quotes, with \\\" \\\\ \\n \\r
               \\t \\u{...}; comments begin with `;`.
  parquet, arrow, xlsx
               The records of the main list with their types, as `windrow export` writes them.
  --per-record With jsonl: {LABEL: VALUE, ...}, a line for each record of the main list, as
               `windrow export` writes them.
  -o FILE      .txt is table, .json, .jsonl (or .ndjson), .csv, .xml, .oem, .parquet, .arrow (or
               .feather), .xlsx. The file is replaced
               when all is done. If a page fails it stays as it was, and the rows of the others are
               in FILE.partial.csv beside it; if nothing is found it stays as it was, too.
  --explain    An outline; with --format json or jsonl, objects {\"label\", \"type\", \"value\", \"raw\",
               \"text\", \"path\", \"span\", \"rule\", \"line\", \"objects\"}. With --domain: the class of the
               page, the nodes that make it so with their entropy, and of each pair the label, how
               its value was found, and how sure that is.

Pages that a wrapper asks for with `get` are read from files: a relative link or file: address
as it is, an http address below the wrapper's `url` (or --url) from beside the page that was
given, `vie/` from vie/index.html or vie.html. Only files below the directory of the page or of
the wrapper are read.

Examples:
  windrow extract -w ads.toml page.html
  windrow extract -w ads.toml pages/ -o ads.csv
  windrow extract -w ads.toml pages/ | jq -r '.data.ads[].title'
  windrow extract -w weather.tsimmis europe.html --format oem
  windrow extract -w ads.toml page.html --explain
  windrow extract -w ads.toml pages/ --into ads.db
  windrow extract --domain drugs page.html
  windrow extract --domain tractor.toml saved/ -o tractors.csv

Exit status:
  0  there is at least one value
  1  there is none
  2  an error: a wrong wrapper or domain, an unreadable page, a result that is not whole, or with
     --strict a missing field";

/// Check a wrapper against saved pages and their expected records
#[derive(Debug, Args)]
#[command(long_about = TEST_ABOUT, after_long_help = TEST_EXAMPLES)]
pub(crate) struct TestArguments {
    /// Pages: files or directories; the expected records of ads.html are in ads.json beside it
    #[arg(value_name = "PAGE", required = true)]
    pub(crate) pages: Vec<String>,

    /// The wrapper
    #[arg(short = 'w', long = "wrapper", value_name = "FILE")]
    pub(crate) wrapper: String,

    /// Write the records that are found as the expected ones
    #[arg(long)]
    pub(crate) update: bool,

    /// Options for reading pages.
    #[command(flatten)]
    pub(crate) reading: Reading,
}

const TEST_ABOUT: &str = "\
Check a wrapper against saved pages and their expected records

The expected records of ads.html are in ads.json beside it: the object that `extract --format json`
prints as `data`. Everything is compared: values, order, keys, numbers of records. --update writes
these files; read them before you commit them.";

const TEST_EXAMPLES: &str = "\
Examples:
  windrow test -w ads.toml pages/
  windrow test -w ads.toml --update pages/page-3.html

Exit status:
  0  every page gives the expected records
  1  a page gives others
  2  an error, such as a page without a file of expected records";
