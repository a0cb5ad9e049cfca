//! The arguments of `domain`.

use clap::{Args, Subcommand, ValueEnum};

use super::Reading;

/// List, print and try domains: the words by which pages of any site are read
#[derive(Debug, Args)]
#[command(long_about = ABOUT, after_long_help = EXAMPLES)]
pub(crate) struct DomainArguments {
    /// What to do.
    #[command(subcommand)]
    pub(crate) command: DomainCommand,
}

/// What is done with domains.
#[derive(Debug, Subcommand)]
pub(crate) enum DomainCommand {
    List(DomainListArguments),
    Show(DomainShowArguments),
    Check(Box<DomainCheckArguments>),
}

/// List the domains that come along
#[derive(Debug, Args)]
pub(crate) struct DomainListArguments {
    /// How to print
    #[arg(long, value_enum, default_value_t = DomainFormat::Table)]
    pub(crate) format: DomainFormat,
}

/// Print a domain as a file, with what it extends written out
///
/// A good beginning for a domain of your own: windrow domain show product > rakes.toml
#[derive(Debug, Args)]
pub(crate) struct DomainShowArguments {
    /// A file, `-` for standard input, or the name of a domain that comes along
    #[arg(value_name = "DOMAIN")]
    pub(crate) domain: String,
}

/// Try a domain on pages: which of its roles are found, how often, and by which labels
#[derive(Debug, Args)]
#[command(long_about = CHECK_ABOUT, after_long_help = CHECK_EXAMPLES)]
pub(crate) struct DomainCheckArguments {
    /// A file, `-` for standard input, or the name of a domain that comes along
    #[arg(value_name = "DOMAIN")]
    pub(crate) domain: String,

    /// Pages: files, addresses, directories (all .html, .htm and .xhtml below them), WARC files, or `-` for standard input
    #[arg(value_name = "PAGE", required = true)]
    pub(crate) pages: Vec<String>,

    /// How to print
    #[arg(long, value_enum, default_value_t = DomainFormat::Table)]
    pub(crate) format: DomainFormat,

    /// How to read pages.
    #[command(flatten)]
    pub(crate) reading: Reading,
}

/// How `domain` prints.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum DomainFormat {
    /// Tables for people
    Table,
    /// One JSON value
    Json,
}

const ABOUT: &str = "\
List, print and try domains: the words by which pages of any site are read

A domain is a file of roles, such as the price of a product or the author of a book, each with
the keywords that pages print in front of its value. `windrow extract --domain DOMAIN PAGE...`
reads pages by it, without rules and without an example. docs/domains.md tells how to write one.";

const EXAMPLES: &str = "\
Examples:
  windrow domain list
  windrow domain show book
  windrow domain check tractor.toml pages/";

const CHECK_ABOUT: &str = "\
Try a domain on pages: which of its roles are found, how often, and by which labels

For each role, in the order of the file: on how many pages it has a value; on how many of these
a label leads to it, only the class or id of its element does, only the page's structured data
(JSON-LD, microdata, RDFa, meta elements) has it, or it is taken for the title; and which labels
they are, with the number of pages. Below it are the roles that were never found; the labels that
look as the known ones do and belong to no role, with what they may be meant for: the next
keywords; and the pages without a record.";

const CHECK_EXAMPLES: &str = "\
Examples:
  windrow domain check tractor.toml pages/
  windrow domain check book page-1.html page-2.html --format json | jq '.roles[] | select(.pages == 0).role'

Exit status:
  0  there is at least one record
  1  there is none
  2  an error: a wrong domain, or an unreadable page";
