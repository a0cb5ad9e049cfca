//! The arguments: what `windrow --help` teaches, and the types the commands take.
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
mod hunt;
mod keep;
mod learn;
mod politeness;
mod query;
mod report;
mod show;
mod store;
mod studio;
mod table;
mod watch;

use std::num::NonZeroUsize;

use clap::{Args, Parser, Subcommand, ValueEnum};
use windrow::Format;

pub(crate) use audit::{AuditArguments, AuditFormat};
pub(crate) use crawl::{CrawlArguments, CrawlFormat};
pub(crate) use discover::{DiscoverArguments, DiscoverFormat};
pub(crate) use domain::{DomainArguments, DomainCheckArguments, DomainCommand, DomainFormat};
pub(crate) use export::{ExportArguments, Role};
pub(crate) use extract::{ExtractArguments, ExtractFormat, TestArguments};
pub(crate) use feed::{FeedArguments, FeedFormat};
pub(crate) use fetching::Fetching;
pub(crate) use hunt::{HuntArguments, HuntFormat};
pub(crate) use keep::KeepArguments;
pub(crate) use learn::{LearnArguments, RulesForm};
pub(crate) use query::{QueryArguments, QueryFormat};
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
    about = "Windrow rakes web pages into rows",
    long_about = "Windrow rakes web pages into rows: it reads HTML as a browser does and prints what you ask for.",
    after_help = "Exit status: 0 something was found, 1 nothing was found, 2 an error (told on standard error).",
    after_long_help = EXAMPLES,
    propagate_version = true,
    max_term_width = 100
)]
pub(crate) struct Arguments {
    /// What to do.
    #[command(subcommand)]
    pub(crate) command: Command,
}

const EXAMPLES: &str = "\
Examples:
  windrow dom page.html                          the page's tree, with byte spans
  windrow select page.html //h1                  every h1, by XPath
  windrow select page.html 'li.ad > a'           every link of an ad, by CSS selector
  windrow select page.html --each //li title=h2 link=a/@href
                                                 one row for each li, with two columns
  windrow discover page.html                     the records that the page repeats, with no rules
  windrow learn page.html --example 'title=Old hay wagon' -o ads.toml
                                                 the rules that find this record and its like
  windrow studio page.html                       the same in a browser, by pointing
  windrow learn --feed https://example.org/ -o blog.toml
                                                 the rules of a weblog, which its feed teaches
  windrow show ads.toml page.html                what the rules are, and how they fare
  windrow extract -w ads.toml pages/ -o ads.csv  the records that a wrapper describes
  windrow extract --domain product pages/        the records that a domain's words find, on any site
  windrow domain list                            the domains that come along
  windrow crawl https://example.org/ads -w ads.toml -o ads.jsonl
                                                 the same, from page to page of a site
  windrow extract -w ads.toml pages/ --into ads.db
                                                 keep the records in a store
  windrow query ads.db 'select * from ads_now'   what was kept, asked by SQL or jq
  windrow export ads.db -o ads.parquet           what was kept, as a file: also a spreadsheet, or a feed
  windrow check ads.db                           whether the wrappers still find what they found
  windrow repair ads.toml page.html --store ads.db
                                                 mend the rules of a redesigned page
  windrow audit --rules drugs --reference register.csv shop.db
                                                 what is wrong with the records, by a register
  windrow hunt --domain drugs --search engine.toml --into hunt.db
                                                 find sites that sell drugs, and keep what they say
  windrow report found.db -o week.html           what audits found, week by week, as one page
  windrow test -w ads.toml pages/                whether the wrapper still finds what it should
  windrow feed feed.xml                          the items of a feed, whole or broken

Exit status:
  0  something was found
  1  nothing was found
  2  an error, told on standard error";

/// The commands, in the order a newcomer meets them.
#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    Dom(DomArguments),
    Select(SelectArguments),
    Discover(DiscoverArguments),
    Learn(LearnArguments),
    Studio(StudioArguments),
    Show(ShowArguments),
    Extract(ExtractArguments),
    Domain(DomainArguments),
    Crawl(CrawlArguments),
    Query(QueryArguments),
    Export(ExportArguments),
    Check(CheckArguments),
    Repair(RepairArguments),
    Versions(VersionsArguments),
    Watch(Box<WatchArguments>),
    Audit(Box<AuditArguments>),
    Hunt(Box<HuntArguments>),
    Report(ReportArguments),
    Test(TestArguments),
    Feed(FeedArguments),
    Fmt(FmtArguments),
    Schema(SchemaArguments),
    Completions(CompletionsArguments),
}

/// Print the tree of each page, every node with its byte span in the source
#[derive(Debug, Args)]
#[command(long_about = DOM_ABOUT, after_long_help = DOM_EXAMPLES)]
pub(crate) struct DomArguments {
    /// Pages: files, addresses, directories (all .html, .htm and .xhtml below them), WARC files, or `-` for standard input
    #[arg(value_name = "PAGE", required = true)]
    pub(crate) pages: Vec<String>,

    /// Leave out nodes deeper than this (the root has depth 0)
    #[arg(long, value_name = "N", conflicts_with = "tokens")]
    pub(crate) depth: Option<usize>,

    /// Show every attribute, and texts that are only white space
    #[arg(long)]
    pub(crate) all: bool,

    /// Print the flat view instead: tags, texts and comments in source order
    #[arg(long)]
    pub(crate) tokens: bool,

    /// How to print
    #[arg(long, value_enum, default_value_t = DomFormat::Text)]
    pub(crate) format: DomFormat,

    /// How to read pages.
    #[command(flatten)]
    pub(crate) reading: Reading,
}

const DOM_ABOUT: &str = "\
Print the tree of each page, every node with its byte span in the source

The first line of a page tells its size, how its bytes were decoded and why, and the mode a
browser would lay it out in. The left column is a node's place in the decoded source; `+`
marks what the page does not say and the parser inserted, as browsers do.";

const DOM_EXAMPLES: &str = "\
Examples:
  windrow dom page.html
  windrow dom --depth 3 page.html
  windrow dom --tokens - < page.html
  windrow dom --format jsonl pages/ | jq -r '[.page, .encoding.name, .encoding.because] | @tsv'";

/// How `dom` prints.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum DomFormat {
    /// An outline for people
    Text,
    /// One JSON array with an object for each page
    Json,
    /// One JSON object a line for each page
    Jsonl,
}

/// Print what XPath expressions or CSS selectors find
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

    /// How to print
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

    /// How to read pages.
    #[command(flatten)]
    pub(crate) reading: Reading,
}

const SELECT_ABOUT: &str = "\
Print what XPath expressions or CSS selectors find

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

/// How `select` prints.
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

/// How pages are read, whatever is done with them.
#[derive(Debug, Args)]
#[command(next_help_heading = "Reading")]
pub(crate) struct Reading {
    /// Decode the pages with this charset, whatever they declare
    #[arg(long, value_name = "LABEL", value_parser = charset)]
    pub(crate) charset: Option<&'static str>,

    /// Threads to use for many pages [default: one for each core]
    #[arg(short = 'j', long, value_name = "N")]
    pub(crate) threads: Option<NonZeroUsize>,

    /// Print no notes, hints or progress; errors are still told
    #[arg(short, long)]
    pub(crate) quiet: bool,

    /// How to fetch pages.
    #[command(flatten)]
    pub(crate) fetching: Fetching,
}

fn charset(label: &str) -> Result<&'static str, String> {
    windrow::dom::encoding_name(label)
        .ok_or_else(|| "no such charset; browsers know, for instance, utf-8, windows-1252, gbk, shift_jis".to_owned())
}

/// Lay out wrapper files, or convert them
///
/// Without --to and -o, files are changed in place and the names of those that were are printed. In TOML, comments are
/// kept.
#[derive(Debug, Args)]
#[command(after_long_help = FMT_EXAMPLES)]
pub(crate) struct FmtArguments {
    /// Wrapper files, or `-` for standard input, which is printed on standard output
    #[arg(value_name = "RULES", required = true)]
    pub(crate) rules: Vec<String>,

    /// Convert to this format
    #[arg(long, value_enum, value_name = "FORMAT")]
    pub(crate) to: Option<RulesFormat>,

    /// Write to this file, in the format that its name tells
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Option<String>,

    /// As a list of XPaths: write the absolute path that is kept beside each rule, not the rule
    ///
    /// A learned wrapper keeps where it found everything, as `path`. Each field becomes one such path, every step with
    /// its index but for the record's, as in the paper of this format (MERL). Types and refinements are left out.
    #[arg(long)]
    pub(crate) absolute: bool,

    /// As TSIMMIS commands: learn them from what the rules find on this page, a file
    ///
    /// Patterns look at letters and not at the tree, so rules of CSS and XPath cannot be translated into them. Commands that
    /// find the same on the page are learned from it, run, and compared; what they cannot find is left out and named.
    #[arg(long, value_name = "PAGE")]
    pub(crate) page: Option<String>,

    /// Change nothing; end with status 1 if something would be changed
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
  0  done; with --check, nothing would change
  1  with --check, something would change
  2  an error, such as a wrong wrapper, or one that the format cannot express";

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
/// Editors that know it complete and check wrappers in JSON and TOML as they are written.
#[derive(Debug, Args)]
pub(crate) struct SchemaArguments {}

/// Print a completion script for a shell
///
/// For instance: windrow completions bash > ~/.local/share/bash-completion/completions/windrow
#[derive(Debug, Args)]
pub(crate) struct CompletionsArguments {
    /// The shell
    pub(crate) shell: clap_complete::Shell,
}
