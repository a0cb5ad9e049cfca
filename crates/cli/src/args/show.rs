//! The arguments of `show`.

use clap::{Args, ValueEnum};

use super::Reading;

/// Print what a wrapper's rules are, and how they fare on pages
#[derive(Debug, Args)]
#[command(long_about = ABOUT, after_long_help = EXAMPLES)]
pub(crate) struct ShowArguments {
    /// The wrapper: TOML, JSON, TSIMMIS bracket commands, WTM rule XML or a list of XPaths
    #[arg(value_name = "RULES")]
    pub(crate) wrapper: String,

    /// Pages: files, addresses, directories (all .html, .htm and .xhtml below them), WARC files, or `-` for standard input
    ///
    /// Without any, the rules are printed alone.
    #[arg(value_name = "PAGE")]
    pub(crate) pages: Vec<String>,

    /// How to print
    #[arg(long, value_enum, default_value_t = ShowFormat::Text)]
    pub(crate) format: ShowFormat,

    /// How to read pages.
    #[command(flatten)]
    pub(crate) reading: Reading,
}

const ABOUT: &str = "\
Print what a wrapper's rules are, and how they fare on pages

Each rule stands in a block of its own, indented as it nests: how it finds its values; behind a
`#` where it was found when the wrapper was learned, if it was; in how many records it matched;
and three values, the first, one from the middle and the last that differ. With several pages,
the counts are for all of them together.

What looks wrong is told below the rule it is about: something required that is missing, an
optional field that is there in fewer than a third of the records, a list with one record or
none, values that are all the same, that repeat another field, or that are not of their type.";

const EXAMPLES: &str = "\
Formats:
  text  For people. Values are cut to the width of the terminal, or to 60 columns elsewhere.
  json  {\"wrapper\": FILE, \"name\": NAME, \"pages\": N, \"rules\": [RULE, ...]}, a RULE being
        {\"name\", \"kind\", \"rule\", \"path\", \"type\", \"optional\", \"scopes\", \"matched\", \"found\",
        \"samples\": [TEXT, ...], \"warnings\": [{\"kind\", \"message\"}, ...], \"rules\": [RULE, ...]}.
        `matched` of `scopes` places to look in (records, pages) had something, `found` things
        in all. Without pages there are none of the keys from `scopes` to `warnings`.

Examples:
  windrow show ads.toml
  windrow show ads.toml page.html
  windrow show ads.toml pages/
  windrow show ads.toml pages/ --format json | jq -r '.. | .warnings?[]?.message'

Exit status:
  0  there is at least one value, or no page was given
  1  there is none
  2  an error: a wrong wrapper, an unreadable page, a result that is not whole";

/// How `show` prints.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum ShowFormat {
    /// Blocks for people
    Text,
    /// One JSON object
    Json,
}
