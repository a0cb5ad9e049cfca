//! The arguments of `show`.

use clap::{Args, ValueEnum};

use super::Reading;
use super::positions::take_wrapper;

/// Print a wrapper's rules, and what each of them finds on pages
#[derive(Debug, Args)]
#[command(
    override_usage = "windrow show [OPTIONS] -w <FILE> [<PAGE>...]",
    long_about = ABOUT,
    after_long_help = EXAMPLES
)]
pub(crate) struct ShowArguments {
    /// The wrapper: TOML, JSON, TSIMMIS bracket commands, WTM rule XML or a list of XPaths
    ///
    /// Without -w, the first argument is the wrapper.
    #[arg(short = 'w', long = "wrapper", value_name = "FILE")]
    wrapper_option: Option<String>,

    /// The wrapper, from -w or the first argument.
    #[arg(skip)]
    pub(crate) wrapper: String,

    /// Pages: files, addresses, directories (all .html, .htm and .xhtml below them), WARC files, or `-` for standard input
    ///
    /// Without pages, the rules are printed alone.
    #[arg(value_name = "PAGE")]
    pub(crate) pages: Vec<String>,

    /// Output format
    #[arg(long, value_enum, default_value_t = ShowFormat::Text)]
    pub(crate) format: ShowFormat,

    /// Options for reading pages.
    #[command(flatten)]
    pub(crate) reading: Reading,
}

impl ShowArguments {
    /// Tells the wrapper from the pages.
    pub(super) fn settle(&mut self) -> Result<(), &'static str> {
        self.wrapper = take_wrapper(self.wrapper_option.take(), &mut self.pages)?;
        Ok(())
    }
}

const ABOUT: &str = "\
Print a wrapper's rules, and what each of them finds on pages

Each rule is a block, indented as the rules nest. It shows the selector; after a `#`, the place
where the value was when the wrapper was learned; the number of records in which the rule matched;
and up to three different values: the first, one from the middle, and the last. With several pages,
the counts are totals.

Warnings follow the rule they are about: a required field that is missing, an optional field found
in fewer than a third of the records, an optional field found by its position, a list with one
record or none, elements that are built like the records and were left out, values that are all the
same, that repeat another field, that do not have the declared type, or that are words among
numbers.";

const EXAMPLES: &str = "\
Formats:
  text  For reading. Values are cut to the width of the terminal, or to 60 columns elsewhere.
  json  {\"wrapper\": FILE, \"name\": NAME, \"pages\": N, \"rules\": [RULE, ...]}, a RULE being
        {\"name\", \"kind\", \"rule\", \"path\", \"type\", \"optional\", \"scopes\", \"matched\", \"found\",
        \"samples\": [TEXT, ...], \"warnings\": [{\"kind\", \"message\"}, ...], \"rules\": [RULE, ...]}.
        The rule matched in `matched` of `scopes` records or pages and found `found` values.
        Without pages, the keys from `scopes` to `warnings` are left out.

Examples:
  windrow show -w ads.toml
  windrow show -w ads.toml page.html
  windrow show -w ads.toml pages/
  windrow show -w ads.toml pages/ --format json | jq -r '.. | .warnings?[]?.message'

`windrow show ads.toml page.html`, with the wrapper first and no -w, also works.";

/// Output formats of `show`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum ShowFormat {
    /// Blocks of text
    Text,
    /// One JSON object
    Json,
}
