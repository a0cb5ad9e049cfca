//! The arguments of `audit`.

use clap::Args;
use windrow::audit::print::{FORMATS, name};
use windrow::format::OutputFormat;
use windrow::report::Day;

use super::Reading;
use super::values::{day, named_formats, probability};

/// Check records against reference data, with rules that have a confidence
#[derive(Debug, Args)]
#[command(
    override_usage = "windrow audit --rules <RULES> [--reference <TABLE>]... [OPTIONS] <STORE> [<LIST>]\n       windrow audit --rules <RULES> [--reference <TABLE>]... [OPTIONS] -w <FILE> <PAGE>...\n       windrow audit --rules <RULES> [--reference <TABLE>]... [OPTIONS] --domain <DOMAIN> <PAGE>...",
    long_about = ABOUT,
    after_long_help = EXAMPLES
)]
pub(crate) struct AuditArguments {
    /// The store, and its list if it has several; with -w or --domain, pages
    ///
    /// A store is a file such as shop.db, or postgres://user:password@host/database. A page is a file, an address, a
    /// directory (all .html, .htm and .xhtml below it), a WARC file or `-` for standard input.
    #[arg(value_name = "STORE and LIST, or PAGES")]
    pub(crate) arguments: Vec<String>,

    /// The rules: a file, or a built-in set (`drugs`)
    #[arg(long, value_name = "RULES")]
    pub(crate) rules: String,

    /// A reference table: [NAME=]PLACE, such as register.csv or S=register.db#drugs; may be repeated
    ///
    /// A place is a CSV, Parquet or SQLite file, or postgres://user@host/database; a database is followed by #TABLE or
    /// #QUERY. NAME is the name of the table in the rules; it may be left out if the rules use one table.
    #[arg(long = "reference", value_name = "TABLE")]
    pub(crate) references: Vec<String>,

    /// The store; the argument is then the list [env: WINDROW_STORE]
    #[arg(long, value_name = "STORE", conflicts_with_all = ["wrapper", "domain"])]
    pub(crate) store: Option<String>,

    /// Audit the records that this wrapper finds on pages; nothing is stored
    #[arg(short = 'w', long = "wrapper", value_name = "FILE", conflicts_with = "domain")]
    pub(crate) wrapper: Option<String>,

    /// Audit the records that a domain finds on pages: a file, or a built-in one (`windrow domain list`)
    #[arg(long, value_name = "DOMAIN")]
    pub(crate) domain: Option<String>,

    /// The list to audit, if there are several
    #[arg(long, value_name = "LIST")]
    pub(crate) list: Option<String>,

    /// Report conclusions with at least this probability, the lower end of the interval, from 0 to 1
    #[arg(long, value_name = "P", default_value = "0.5", value_parser = probability)]
    pub(crate) at_least: f64,

    /// The date that rules use as `today` [default: today]
    #[arg(long, value_name = "DATE", value_parser = day)]
    pub(crate) today: Option<Day>,

    /// Treat fields that the records do not have as empty, instead of rejecting the rule
    #[arg(long)]
    pub(crate) lenient: bool,

    /// Only check the rules: against the tables, and against the records' fields if a store, wrapper or domain is given
    #[arg(long, conflicts_with = "show")]
    pub(crate) check: bool,

    /// Print the rules and exit, to start your own from a built-in set
    #[arg(long = "print-rules", alias = "show")]
    pub(crate) show: bool,

    /// Output format [default: text on a terminal, jsonl elsewhere]
    #[arg(long, value_name = "FORMAT", value_parser = named_formats(&FORMATS, name))]
    pub(crate) format: Option<OutputFormat>,

    /// Write to this file; its ending selects the format
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Option<String>,

    /// Write the findings to this store: a file such as shop.db, created if needed, or postgres://…
    ///
    /// Findings of an earlier audit with rules of the same file name, on the same pages, that this audit does not find
    /// again are marked as gone. Nothing is printed without --format or -o; `windrow report` shows the stored findings.
    #[arg(long, value_name = "STORE")]
    pub(crate) into: Option<String>,

    /// Write the findings to the store that the records are from
    #[arg(long, conflicts_with_all = ["wrapper", "domain", "into"])]
    pub(crate) keep: bool,

    /// Options for reading pages.
    #[command(flatten)]
    pub(crate) reading: Reading,
}

const ABOUT: &str = "\
Check records against reference data, with rules that have a confidence

A rule says what follows when a record (E) and a reference table (S) agree or disagree:

  R1: none S (E.code = S.code at 1) -> Unapproved [0.90]
      \"no such approval number in the register\"

Values agree to a degree, rules have a confidence, and the conclusion about a record is an interval
of probability. A finding is a conclusion whose lower end is at least --at-least. It names the rules
it rests on, the values that were compared, and the place of the record. docs/audit.md has the
details.

The records come from a store, or from pages that a wrapper or a domain reads. All rules are checked
before any record is read: syntax, confidences, contradictions, columns of the tables, fields of the
records.

--into writes the findings to a store instead of printing them, and --keep to the store that the
records are from. Each finding is then new, known or gone; `windrow report` makes a page of them.

The numbers of findings and records are printed on standard error.";

const EXAMPLES: &str = "\
Formats:
  text   For reading: each finding with its page, its place, and the comparison of each rule.
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
  windrow audit --rules drugs --print-rules > my.rules

Exit status:
  0  there is at least one finding; with --check, the rules are valid
  1  there is no finding
  2  an error: invalid rules, or a table or page that cannot be read";
