//! The arguments of `domain`.

use clap::{Args, Subcommand, ValueEnum};

use super::Reading;

/// List, print and test domains: vocabularies for reading pages of any site
#[derive(Debug, Args)]
#[command(long_about = ABOUT, after_long_help = EXAMPLES)]
pub(crate) struct DomainArguments {
    /// The command to run.
    #[command(subcommand)]
    pub(crate) command: DomainCommand,
}

/// The commands of `domain`.
#[derive(Debug, Subcommand)]
pub(crate) enum DomainCommand {
    List(DomainListArguments),
    Show(DomainShowArguments),
    Check(Box<DomainCheckArguments>),
}

/// List the built-in domains
#[derive(Debug, Args)]
pub(crate) struct DomainListArguments {
    /// Output format
    #[arg(long, value_enum, default_value_t = DomainFormat::Table)]
    pub(crate) format: DomainFormat,
}

/// Print a domain as a file, including the domains that it extends
///
/// Start a domain of your own with: windrow domain show product > bicycles.toml
#[derive(Debug, Args)]
pub(crate) struct DomainShowArguments {
    /// A file, `-` for standard input, or the name of a built-in domain
    #[arg(value_name = "DOMAIN")]
    pub(crate) domain: String,
}

/// Test a domain on pages: which of its roles are found, how often, and by which labels
#[derive(Debug, Args)]
#[command(long_about = CHECK_ABOUT, after_long_help = CHECK_EXAMPLES)]
pub(crate) struct DomainCheckArguments {
    /// A file, `-` for standard input, or the name of a built-in domain
    #[arg(value_name = "DOMAIN")]
    pub(crate) domain: String,

    /// Pages: files, addresses, directories (all .html, .htm and .xhtml below them), WARC files, or `-` for standard input
    #[arg(value_name = "PAGE", required = true)]
    pub(crate) pages: Vec<String>,

    /// Output format
    #[arg(long, value_enum, default_value_t = DomainFormat::Table)]
    pub(crate) format: DomainFormat,

    /// Options for reading pages.
    #[command(flatten)]
    pub(crate) reading: Reading,
}

/// Output formats of `domain`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum DomainFormat {
    /// Tables for reading
    Table,
    /// One JSON value
    Json,
}

const ABOUT: &str = "\
List, print and test domains: vocabularies for reading pages of any site

A domain is a file of roles, such as the price of a product or the author of a book, each with the
keywords that pages print before its value. `windrow extract --domain DOMAIN PAGE...` reads pages
with it, without rules or examples. docs/domains.md describes how to write one.";

const EXAMPLES: &str = "\
Examples:
  windrow domain list
  windrow domain show book
  windrow domain check tractor.toml pages/";

const CHECK_ABOUT: &str = "\
Test a domain on pages: which of its roles are found, how often, and by which labels

For each role, in the order of the file, the table has the number of pages with a value; on how many
of them a label leads to the value, only the class or id of its element does, only the structured
data of the page has it (JSON-LD, microdata, RDFa, meta elements), or it is taken as the title; and
the labels with their numbers of pages. Below are the roles that were never found; labels that look
like known ones but belong to no role, with the role they may belong to, as candidates for further
keywords; and the pages without a record.";

const CHECK_EXAMPLES: &str = "\
Examples:
  windrow domain check tractor.toml pages/
  windrow domain check book page-1.html page-2.html --format json | jq '.roles[] | select(.pages == 0).role'";
