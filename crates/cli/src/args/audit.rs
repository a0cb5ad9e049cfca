//! The arguments of `audit`.

use clap::{Args, ValueEnum};
use windrow::wrapper::values::Hints;
use windrow::wrapper::values::date;

use super::Reading;

/// Hold records against reference data by rules with a confidence
#[derive(Debug, Args)]
#[command(
    override_usage = "windrow audit --rules <RULES> [--reference <TABLE>]... [OPTIONS] <STORE> [<LIST>]\n       windrow audit --rules <RULES> [--reference <TABLE>]... [OPTIONS] -w <WRAPPER> <PAGE>...\n       windrow audit --rules <RULES> [--reference <TABLE>]... [OPTIONS] --domain <DOMAIN> <PAGE>...",
    long_about = ABOUT,
    after_long_help = EXAMPLES
)]
pub(crate) struct AuditArguments {
    /// The store, and the list whose records are meant, if there are several; with -w or --domain, pages
    ///
    /// A store is a file such as shop.db, or postgres://user:password@host/database. A page is a file, an address, a
    /// directory (all .html, .htm and .xhtml below it), a WARC file or `-` for standard input.
    #[arg(value_name = "STORE and LIST, or PAGES")]
    pub(crate) arguments: Vec<String>,

    /// The rules: a file, or a set that comes along (`drugs`)
    #[arg(long, value_name = "RULES")]
    pub(crate) rules: String,

    /// A table of reference: [NAME=]PLACE, such as register.csv or S=register.db#drugs. May be repeated
    ///
    /// A place is a CSV, Parquet or SQLite file, or postgres://user@host/database; behind a database, #TABLE or #QUERY.
    /// NAME is what the rules call the table; it may be left out if they have one.
    #[arg(long = "reference", value_name = "TABLE")]
    pub(crate) references: Vec<String>,

    /// The store; the argument is then the list [env: WINDROW_STORE]
    #[arg(long, value_name = "ADDRESS", conflicts_with_all = ["wrapper", "domain"])]
    pub(crate) store: Option<String>,

    /// Audit what this wrapper finds on pages, without keeping anything
    #[arg(short = 'w', long = "wrapper", value_name = "WRAPPER", conflicts_with = "domain")]
    pub(crate) wrapper: Option<String>,

    /// Audit what a domain's words find on pages: a file, or one that comes along (`windrow domain list`)
    #[arg(long, value_name = "DOMAIN")]
    pub(crate) domain: Option<String>,

    /// The list whose records are meant, if there are several
    #[arg(long, value_name = "LIST")]
    pub(crate) list: Option<String>,

    /// Tell conclusions that are at least so probable: the lower end of the interval, from 0 to 1
    #[arg(long, value_name = "P", default_value = "0.5", value_parser = probability)]
    pub(crate) at_least: f64,

    /// The day that rules mean by `today` [default: today]
    #[arg(long, value_name = "DATE", value_parser = day)]
    pub(crate) today: Option<String>,

    /// Take a field that the records do not have for one without a value, instead of refusing the rule
    #[arg(long)]
    pub(crate) lenient: bool,

    /// Only check the rules: against the tables, and against the records' fields if a store, wrapper or domain is given
    #[arg(long, conflicts_with = "show")]
    pub(crate) check: bool,

    /// Print the rules and end, to start a set of one's own from one that comes along
    #[arg(long)]
    pub(crate) show: bool,

    /// How to print [default: text on a terminal, jsonl elsewhere]
    #[arg(long, value_enum)]
    pub(crate) format: Option<AuditFormat>,

    /// Write to this file, in the format that its name tells
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Option<String>,

    /// Keep the findings in this store: a file such as shop.db, made if there is none, or postgres://…
    ///
    /// What an earlier audit by rules of the same name (that of their file) found on the same page, and this one does not,
    /// is then gone. Nothing is printed unless --format or -o says so; `windrow report` tells what is kept.
    #[arg(long, value_name = "STORE")]
    pub(crate) into: Option<String>,

    /// Keep the findings in the store that the records are from
    #[arg(long, conflicts_with_all = ["wrapper", "domain", "into"])]
    pub(crate) keep: bool,

    /// How to read pages.
    #[command(flatten)]
    pub(crate) reading: Reading,
}

const ABOUT: &str = "\
Hold records against reference data by rules with a confidence

A rule says what follows when a record (E) and a table of reference (S) agree or do not:

  R1: none S (E.code = S.code at 1) -> Unapproved [0.90]
      \"no such approval number in the register\"

Values agree to a degree, rules are right with a confidence, and what follows for a record is an
interval of probability. A finding is a conclusion whose lower end is at least --at-least. It
tells the rules that it rests on, the values that were compared, and where the record stands.
(docs/audit.md tells all.)

Records are those that a store keeps, or what a wrapper or a domain's words find on pages at once.
Rules are checked whole before any record is read: grammar, confidences, contradictions, columns
of the tables, fields of the records.

--into keeps findings in a store instead of printing them, and --keep in the store that the records
are from: what is new, what was known, what is gone. `windrow report` makes a page of it.

Standard error tells how many findings there were, and in how many records.";

const EXAMPLES: &str = "\
Formats:
  text   For people: each finding with its page, its place, and per rule what was compared.
  json   [{\"conclusion\", \"negated\", \"probability\": [LOW, HIGH], \"page\", \"path\", \"snippet\",
         \"rules\": [{\"rule\", \"message\", \"confidence\": [LOW, HIGH], \"condition\": [LOW, HIGH]}, ...],
         \"evidence\": [{\"rule\", \"test\", \"field\", \"extracted\", \"reference\", \"column\", \"row\", \"value\",
         \"degree\", \"holds\", \"path\", \"snippet\"}, ...],
         \"weakened\": [{\"rule\", \"confidence\": [LOW, HIGH], \"to\"}, ...]}, ...]
         Rows of a table are counted from 1. `holds` is null if a value is missing.
  jsonl  The same, an object a line.
  csv    A row for each finding: conclusion,low,high,page,path,snippet,rules,messages,evidence
  -o     .txt is text; .json, .jsonl (or .ndjson), .csv. The file appears when all is done.

Examples:
  windrow audit --rules drugs --reference register.csv --domain drugs pages/
  windrow audit --rules drugs --reference register.csv shop.db records
  windrow audit --rules my.rules --reference S=register.db#drugs --reference R=recalled.csv shop.db
  windrow audit --rules prices.rules --reference list.parquet -w ads.toml pages/ -o findings.csv
  windrow audit --rules drugs --reference register.csv --domain drugs https://a.example/ --into found.db
  windrow audit --rules drugs --reference register.csv shop.db records --keep
  windrow audit --rules my.rules --reference register.csv --check
  windrow audit --rules drugs --show > my.rules

Exit status:
  0  there is at least one finding; with --check, the rules are right
  1  there is none
  2  an error: wrong rules, a table or page that cannot be read";

/// How `audit` prints.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum AuditFormat {
    /// For people
    Text,
    /// One JSON array with an object for each finding
    Json,
    /// One JSON object a line for each finding
    Jsonl,
    /// Comma-separated values with a header
    Csv,
}

pub(super) fn probability(text: &str) -> Result<f64, String> {
    let value = text.parse().ok().filter(|value| (0.0..=1.0).contains(value));
    value.ok_or_else(|| "no probability; write, for instance, 0.8".to_owned())
}

/// A day as the rules write it.
pub(super) fn day(text: &str) -> Result<String, String> {
    let date = date::parse(text, &Hints::default()).map(|date| date.to_string());
    let whole = date.filter(|date| date.len() >= 10).map(|date| date[..10].to_owned());
    whole.ok_or_else(|| "no day; write, for instance, 2026-11-15".to_owned())
}
