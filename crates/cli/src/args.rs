//! The arguments: the types that the commands take, and the help texts that describe them.
//!
//! The help texts are the reference: `docs/cli.md` is generated from them and a test keeps the two the same.

mod audit;
mod crawl;
mod discover;
mod domain;
mod export;
mod extract;
mod feed;
mod fetching;
pub(crate) mod help;
mod hunt;
mod keep;
mod learn;
mod politeness;
mod positions;
mod query;
mod report;
mod show;
mod store;
mod studio;
mod table;
mod values;
mod watch;

use std::ffi::OsString;
use std::num::NonZeroUsize;
use std::path::PathBuf;

use clap::error::ErrorKind;
use clap::{Args, FromArgMatches, Parser, Subcommand, ValueEnum};
use windrow::Format;

pub(crate) use audit::AuditArguments;
pub(crate) use crawl::{CRAWL_FORMATS, CrawlArguments};
pub(crate) use discover::{DiscoverArguments, DiscoverFormat};
pub(crate) use domain::{DomainArguments, DomainCheckArguments, DomainCommand, DomainFormat};
pub(crate) use export::{EXPORT_FORMATS, ExportArguments, Role};
pub(crate) use extract::{ExtractArguments, TestArguments};
pub(crate) use feed::FeedArguments;
pub(crate) use fetching::Fetching;
pub(crate) use hunt::{HUNT_FORMATS, HuntArguments};
pub(crate) use keep::KeepArguments;
pub(crate) use learn::{LearnArguments, LearnFormat, RulesForm};
pub(crate) use query::QueryArguments;
pub(crate) use report::{ReportArguments, ReportFormat};
pub(crate) use show::{ShowArguments, ShowFormat};
pub(crate) use store::{CheckArguments, CheckFormat, RepairArguments, VersionsArguments};
pub(crate) use studio::StudioArguments;
pub(crate) use table::{RowLimit, TableArguments};
pub(crate) use watch::WatchArguments;

/// The whole command line.
#[derive(Debug, Parser)]
#[command(
    name = "windrow",
    version,
    about = "Windrow turns web pages into tables",
    long_about = LONG_ABOUT,
    propagate_version = true,
    max_term_width = 100
)]
pub(crate) struct Arguments {
    /// The command to run.
    #[command(subcommand)]
    pub(crate) command: Command,
}

const LONG_ABOUT: &str = "\
Windrow turns web pages into tables.

Give it a page and get CSV, without writing selectors. Show it one example to get exactly the
fields you want. When the site is redesigned, Windrow says what broke and proposes a fix.";

impl Arguments {
    /// Reads the arguments of the process. The error is what is wrong with them, or the help that was asked for.
    pub(crate) fn read() -> Result<Arguments, clap::Error> {
        Arguments::try_read(std::env::args_os().collect())
    }

    fn try_read(arguments: Vec<OsString>) -> Result<Arguments, clap::Error> {
        let (mut command, arguments) = help::prepare(arguments);
        let matches = command.try_get_matches_from_mut(arguments)?;
        let mut arguments = Arguments::from_arg_matches(&matches)?;
        let settled = match &mut arguments.command {
            Command::Show(show) => show.settle(),
            Command::Watch(watch) => watch.settle(),
            Command::Repair(repair) => repair.settle(),
            Command::Check(check) => check.settle(),
            Command::Versions(versions) => versions.settle(),
            Command::Report(report) => report.settle(),
            _ => Ok(()),
        };
        let name = matches.subcommand_name().unwrap_or_default();
        settled.map_err(|missing| {
            let command = command.find_subcommand_mut(name).expect("a command that was parsed is there");
            let message = format!("the following required arguments were not provided:\n  {missing}");
            command.error(ErrorKind::MissingRequiredArgument, message)
        })?;
        Ok(arguments)
    }
}

/// The commands. `help` groups them by task.
#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    Discover(DiscoverArguments),
    Extract(ExtractArguments),
    Crawl(CrawlArguments),
    Query(QueryArguments),
    Export(ExportArguments),
    Feed(FeedArguments),
    Learn(LearnArguments),
    Studio(StudioArguments),
    Show(ShowArguments),
    Test(TestArguments),
    Repair(RepairArguments),
    Fmt(FmtArguments),
    Check(CheckArguments),
    Watch(Box<WatchArguments>),
    Versions(VersionsArguments),
    Audit(Box<AuditArguments>),
    Hunt(Box<HuntArguments>),
    Report(ReportArguments),
    Domain(DomainArguments),
    Dom(DomArguments),
    Select(SelectArguments),
    Schema(SchemaArguments),
    Completions(CompletionsArguments),
    #[command(hide = true)]
    Man(ManArguments),
}

/// Print the parsed tree of a page, each node with its byte span in the source
#[derive(Debug, Args)]
#[command(long_about = DOM_ABOUT, after_long_help = DOM_EXAMPLES)]
pub(crate) struct DomArguments {
    /// Pages: files, addresses, directories (all .html, .htm and .xhtml below them), WARC files, or `-` for standard input
    #[arg(value_name = "PAGE", required = true)]
    pub(crate) pages: Vec<String>,

    /// Print this many levels of the tree; the root is level 0
    #[arg(long = "levels", alias = "depth", value_name = "N", conflicts_with = "tokens")]
    pub(crate) depth: Option<usize>,

    /// Show every attribute, and texts that are only white space
    #[arg(long)]
    pub(crate) all: bool,

    /// Print the flat view instead: tags, texts and comments in source order
    #[arg(long)]
    pub(crate) tokens: bool,

    /// Output format
    #[arg(long, value_enum, default_value_t = DomFormat::Text)]
    pub(crate) format: DomFormat,

    /// Options for reading pages.
    #[command(flatten)]
    pub(crate) reading: Reading,
}

const DOM_ABOUT: &str = "\
Print the parsed tree of a page, each node with its byte span in the source

The first line gives the size of the page, the encoding and the reason for choosing it, and the
layout mode of a browser. The left column is the node's byte span in the decoded source; `+` marks
elements that the page leaves out and the parser inserted, as browsers do.";

const DOM_EXAMPLES: &str = "\
Examples:
  windrow dom page.html
  windrow dom --levels 3 page.html
  windrow dom --tokens - < page.html
  windrow dom --format jsonl pages/ | jq -r '[.page, .encoding.name, .encoding.because] | @tsv'";

/// Output formats of `dom`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum DomFormat {
    /// An outline for people
    Text,
    /// One JSON array with an object for each page
    Json,
    /// One JSON object a line for each page
    Jsonl,
}

/// Print what XPath expressions or CSS selectors match
#[derive(Debug, Args)]
#[command(
    override_usage = "windrow select [OPTIONS] <PAGE> <EXPRESSION>...\n       windrow select [OPTIONS] -e <EXPRESSION>... <PAGE>...",
    long_about = SELECT_ABOUT,
    after_long_help = SELECT_EXAMPLES
)]
pub(crate) struct SelectArguments {
    /// One page and the expressions, or any number of pages if the expressions are given with -e
    ///
    /// A page is a file, an address, a directory (all .html, .htm and .xhtml below it), a WARC file or `-` for standard
    /// input.
    #[arg(value_name = "PAGE and EXPRESSIONS", required = true)]
    pub(crate) arguments: Vec<String>,

    /// An expression; all other arguments are then pages. May be repeated
    #[arg(short = 'e', long = "expression", value_name = "EXPRESSION")]
    pub(crate) expressions: Vec<String>,

    /// Select the records: one row each, the expressions evaluated from it
    #[arg(long, value_name = "EXPRESSION")]
    pub(crate) each: Option<String>,

    /// Output format
    #[arg(long, value_enum, default_value_t = SelectFormat::Table)]
    pub(crate) format: SelectFormat,

    /// Print nodes as HTML, with their own tags
    #[arg(long, conflicts_with = "inner_html")]
    pub(crate) html: bool,

    /// Print the HTML inside the nodes
    #[arg(long)]
    pub(crate) inner_html: bool,

    /// Print every value as one line of text: white space collapsed, no JSON numbers or booleans
    #[arg(long, conflicts_with_all = ["html", "inner_html"])]
    pub(crate) raw: bool,

    /// Also print each node's canonical XPath
    #[arg(long)]
    pub(crate) path: bool,

    /// Also print each node's byte span in the decoded source
    #[arg(long)]
    pub(crate) span: bool,

    /// The size of tables.
    #[command(flatten)]
    pub(crate) table: TableArguments,

    /// Options for reading pages.
    #[command(flatten)]
    pub(crate) reading: Reading,
}

const SELECT_ABOUT: &str = "\
Print what XPath expressions or CSS selectors match

The page comes first, the expressions after it. With -e, expressions are options and all
arguments are pages:

  windrow select PAGE EXPRESSION...
  windrow select -e EXPRESSION [-e EXPRESSION]... PAGE...

An expression is XPath 1.0 or a CSS selector, whichever it looks like; `xpath:` or `css:` in
front settles it. NAME=EXPRESSION names its column. (An XPath that itself begins with a word
and `=` goes in parentheses.)

Without --each, every match is a row of its own. With --each, every node that it selects is a
record and a row; the expressions start from that node (`h2` or `.//a/@href`; `//h2` would
start from the page again) and fill one cell each, with their first match. NAME[]=EXPRESSION
fills the cell with all matches. `--each /` makes each page one row.";

const SELECT_EXAMPLES: &str = "\
Formats:
  json, jsonl  without --each  {\"page\": PAGE, \"matches\": {NAME: [VALUE, ...], ...}}
               with --each     {\"page\": PAGE, \"records\": [{NAME: VALUE, ...}, ...]}
               A VALUE is a string, or what an expression such as count(//a) gives; null where a
               record has no match; a list for NAME[]. With --path or --span it is an object
               {\"value\": VALUE, \"path\": PATH, \"span\": [START, END]}.
  csv          without --each  page,expression,n,value and, if asked for, path,span
               with --each     page and the names; if asked for, NAME.path and NAME.span
  table, text  A list cell holds its values with `; ` between them; in csv, a `;`, `|` or `\\` of a
               value itself has a `\\` in front.

Examples:
  windrow select page.html //h1
  windrow select page.html title=//h1 'links=count(//a)'
  windrow select page.html --each 'tr[td]' 'name=td[1]' 'price=td[2]' --format csv
  windrow select page.html --each article 'title=h2' 'tags[]=.//li' --format json
  windrow select --each / -e title=//title -e 'h1s=count(//h1)' pages/
  curl -s https://example.org/ | windrow select - //title --format text";

/// Output formats of `select`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum SelectFormat {
    /// A table for people, laid out a thousand rows at a time
    Table,
    /// The values alone, one row a line, columns separated by tabs
    Text,
    /// One JSON array with an object for each page
    Json,
    /// One JSON object a line for each page
    Jsonl,
    /// Comma-separated values with a header
    Csv,
}

/// Options for reading pages, shared by all commands that take pages.
#[derive(Debug, Args)]
#[command(next_help_heading = "Reading")]
pub(crate) struct Reading {
    /// Decode the pages with this charset, whatever they declare
    #[arg(long, value_name = "LABEL", value_parser = charset)]
    pub(crate) charset: Option<&'static str>,

    /// Number of threads for many pages [default: one for each core]
    #[arg(short = 'j', long, value_name = "N")]
    pub(crate) threads: Option<NonZeroUsize>,

    /// Print no notes, hints or progress, only errors
    #[arg(short, long)]
    pub(crate) quiet: bool,

    /// Options for fetching pages.
    #[command(flatten)]
    pub(crate) fetching: Fetching,
}

impl Reading {
    /// Returns the number of threads to use.
    pub(crate) fn threads(&self) -> usize {
        windrow::run::threads(self.threads)
    }
}

fn charset(label: &str) -> Result<&'static str, String> {
    windrow::dom::encoding_name(label)
        .ok_or_else(|| "no such charset; browsers know, for instance, utf-8, windows-1252, gbk, shift_jis".to_owned())
}

/// Format wrapper files, or convert them to another format
///
/// Without --to and -o, files are changed in place and the names of the changed files are printed. Comments in TOML are
/// kept.
#[derive(Debug, Args)]
#[command(after_long_help = FMT_EXAMPLES)]
pub(crate) struct FmtArguments {
    /// Wrapper files, or `-` for standard input, which is printed on standard output
    #[arg(value_name = "WRAPPER", required = true)]
    pub(crate) rules: Vec<String>,

    /// Convert to this format
    #[arg(long, value_enum, value_name = "FORMAT")]
    pub(crate) to: Option<RulesFormat>,

    /// Write to this file; its ending selects the format
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Option<String>,

    /// With --to xpath, write the absolute path that is kept beside each rule instead of the rule
    ///
    /// A learned wrapper keeps the place of every field as `path`. Each field becomes one such path, with an index on every
    /// step except the record's, as in the paper of this format (MERL). Types and refinements are left out.
    #[arg(long)]
    pub(crate) absolute: bool,

    /// With --to tsimmis, learn the commands from what the rules find on this page, a file
    ///
    /// TSIMMIS patterns match characters and not the tree, so CSS and XPath rules cannot be translated into them. Instead,
    /// commands that find the same values are learned from the page, run and compared. Fields that they cannot find are
    /// left out and named.
    #[arg(long, value_name = "PAGE")]
    pub(crate) page: Option<String>,

    /// Change nothing; exit with status 1 if a file would be changed
    #[arg(long, conflicts_with_all = ["to", "output", "absolute", "page"])]
    pub(crate) check: bool,
}

const FMT_EXAMPLES: &str = "\
Examples:
  windrow fmt ads.toml
  windrow fmt --check wrappers/*.toml
  windrow fmt weather.tsimmis --to toml
  windrow fmt weather.tsimmis -o weather.toml
  windrow fmt learned.toml --to xpath --absolute
  windrow fmt learned.toml --to tsimmis --page ads.html

Exit status:
  0  done; with --check, no file would change
  1  with --check, a file would change
  2  an error, such as an invalid wrapper, or one that the format cannot express";

/// The formats of wrappers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum RulesFormat {
    /// The canonical format
    Toml,
    /// The same model as TOML
    Json,
    /// TSIMMIS bracket commands
    Tsimmis,
    /// WTM rule XML
    #[value(alias = "stalker")]
    Wtm,
    /// A list of XPaths
    #[value(alias = "xpaths")]
    Xpath,
}

impl From<RulesFormat> for Format {
    fn from(format: RulesFormat) -> Format {
        match format {
            RulesFormat::Toml => Format::Toml,
            RulesFormat::Json => Format::Json,
            RulesFormat::Tsimmis => Format::Tsimmis,
            RulesFormat::Wtm => Format::Wtm,
            RulesFormat::Xpath => Format::XPaths,
        }
    }
}

/// Print the JSON Schema of wrapper files
///
/// With it, editors can complete and check wrappers in JSON and TOML while you write them.
#[derive(Debug, Args)]
pub(crate) struct SchemaArguments {}

/// Print a completion script for your shell
///
/// For instance: windrow completions bash > ~/.local/share/bash-completion/completions/windrow
#[derive(Debug, Args)]
pub(crate) struct CompletionsArguments {
    /// The shell
    pub(crate) shell: clap_complete::Shell,
}

/// Write man pages and shell completions to a directory
///
/// DIR/man1 gets a man page for each command, DIR/completions a script for each shell. Packages are built with it.
#[derive(Debug, Args)]
pub(crate) struct ManArguments {
    /// The directory; it is created if needed
    #[arg(value_name = "DIR")]
    pub(crate) directory: PathBuf,
}
