//! The arguments of `check`, `versions` and `repair`: what is done with wrappers whose records are kept.

use clap::{Args, ValueEnum};
use url::Url;

use super::Reading;
use super::extract::address;

/// Say whether wrappers still find what they found, and which records changed
#[derive(Debug, Args)]
#[command(long_about = CHECK_ABOUT, after_long_help = CHECK_EXAMPLES)]
pub(crate) struct CheckArguments {
    /// The store: a file such as shop.db, or postgres://…
    #[arg(value_name = "STORE")]
    pub(crate) store: String,

    /// Wrappers, by their names in the store [default: all]
    #[arg(value_name = "WRAPPER")]
    pub(crate) wrappers: Vec<String>,

    /// Say that what was found last is how things are now: what follows is compared with it
    #[arg(long, requires = "wrappers")]
    pub(crate) accept: bool,

    /// How many changed, new and gone records to print, of each kind: a number, or `all`
    #[arg(long, value_name = "N", value_parser = most, default_value = "10")]
    pub(crate) changes: usize,

    /// How to print
    #[arg(long, value_enum, default_value_t = CheckFormat::Text)]
    pub(crate) format: CheckFormat,
}

/// A number, or all there are.
fn most(text: &str) -> Result<usize, String> {
    match text {
        "all" => Ok(usize::MAX),
        text => text.parse().map_err(|_| "give a number, or `all`".to_owned()),
    }
}

const CHECK_ABOUT: &str = "\
Say whether wrappers still find what they found, and which records changed

Each run that keeps records (`extract --into`, `crawl --into`, `watch`) notes what every page gave
of every field: in how many records it was found, whether its texts could be read as its type,
their forms, how many differed, and how far the values of known records moved. The last run is
compared with the good ones before it. A problem is printed with its pages, since when, values
before and now, and what to do; it stays until the wrapper finds again what it found (`windrow
repair` may help), or --accept says that this is right.

Values that move as a whole are a problem, too: all prices half as high again, all dates a month
later, titles that hold the price. A few records that change are not; they are printed as changes.

A list that never was empty and is empty now is always a problem, and so are pages that could not
be read in the newest run.";

const CHECK_EXAMPLES: &str = "\
Formats:
  text  For people.
  json  [{\"wrapper\", \"runs\", \"at\", \"pages\", \"failed\", \"findings\": [{\"list\", \"field\", \"other\",
        \"what\", \"since\", \"pages\": [...], \"on\", \"of\", \"before\", \"now\", \"was\": [...], \"is\": [...],
        \"cause\"}, ...], \"changes\": {\"run\", \"at\", \"counts\": {\"changed\", \"new\", \"back\", \"gone\"},
        \"records\": [{\"what\", \"list\", \"id\", \"record\", \"inside\", \"page\", \"fields\": [{\"field\", \"was\",
        \"is\"}, ...]}, ...]}}, ...]
        `what` of a finding is emptied, fewer, missing, mistyped, reshaped, constant, shifted,
        redated, rewritten, copied or doubled. `before` and `now` are numbers of records for the
        first two, a factor for shifted (before is 1), days for redated (before is 0), shares
        otherwise. `on` of `of` pages are affected, the first few of which are named. `failed`
        pages could not be read in the newest run. `changes` are those of the last run, null if
        there was none before; `record` is the value that names the record, `inside` that of the
        record around it.

Examples:
  windrow check ads.db
  windrow check ads.db offers --changes all
  windrow check ads.db offers --accept
  windrow extract -w ads.toml pages/ --into ads.db --quiet && windrow check ads.db || mail -s alarm me

Exit status:
  0  all wrappers find what they found
  1  something broke, or pages could not be read
  2  an error, told on standard error";

/// How `check` prints.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum CheckFormat {
    /// For people
    Text,
    /// One JSON array with an object for each wrapper
    Json,
}

/// List the versions of a wrapper that records were kept with, and put old ones back
#[derive(Debug, Args)]
#[command(long_about = VERSIONS_ABOUT, after_long_help = VERSIONS_EXAMPLES)]
pub(crate) struct VersionsArguments {
    /// The store: a file such as shop.db, or postgres://…
    #[arg(value_name = "STORE")]
    pub(crate) store: String,

    /// The wrapper, by its name in the store [default: the only one there is]
    #[arg(value_name = "WRAPPER")]
    pub(crate) wrapper: Option<String>,

    /// Print the text of this version
    #[arg(long, value_name = "N")]
    pub(crate) show: Option<i64>,

    /// Print what this version changed
    #[arg(long, value_name = "N", conflicts_with = "show")]
    pub(crate) diff: Option<i64>,

    /// Make this version the one in use again, and write it to the file of -o
    #[arg(long, value_name = "N", requires = "output", conflicts_with_all = ["show", "diff"])]
    pub(crate) put_back: Option<i64>,

    /// The wrapper's file
    #[arg(short, long, value_name = "RULES", requires = "put_back")]
    pub(crate) output: Option<String>,
}

const VERSIONS_ABOUT: &str = "\
List the versions of a wrapper that records were kept with, and put old ones back

Whenever records are kept with a wrapper whose text is new, the text becomes a version. None is
ever lost: --put-back writes an old one to a file again, as a new version.";

const VERSIONS_EXAMPLES: &str = "\
Examples:
  windrow versions ads.db
  windrow versions ads.db offers --diff 2
  windrow versions ads.db offers --put-back 1 -o offers.toml";

/// Mend a wrapper whose pages were redesigned, from the records that were kept
#[derive(Debug, Args)]
#[command(long_about = REPAIR_ABOUT, after_long_help = REPAIR_EXAMPLES)]
pub(crate) struct RepairArguments {
    /// The wrapper
    #[arg(value_name = "RULES")]
    pub(crate) wrapper: String,

    /// Pages as they are now: files, addresses, directories, WARC files, or `-` for standard input
    #[arg(value_name = "PAGE", required = true)]
    pub(crate) pages: Vec<String>,

    /// The store that has the wrapper's records: a file such as shop.db, or postgres://…
    #[arg(
        long,
        visible_alias = "into",
        value_name = "STORE",
        env = "WINDROW_STORE",
        hide_env_values = true,
        required_unless_present = "before"
    )]
    pub(crate) store: Option<String>,

    /// A page as it was when the wrapper worked, saved then, instead of a store; may be repeated
    #[arg(long, value_name = "PAGE", conflicts_with = "store")]
    pub(crate) before: Vec<String>,

    /// Write the mended wrapper to its file, and note it in the store as a new version
    #[arg(long, conflicts_with = "output")]
    pub(crate) write: bool,

    /// Write the mended wrapper to this file instead
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Option<String>,

    /// The address of the page, if there is one page only: links are resolved against it
    #[arg(long, value_name = "URL", value_parser = address)]
    pub(crate) url: Option<Url>,

    /// How to read pages.
    #[command(flatten)]
    pub(crate) reading: Reading,
}

const REPAIR_ABOUT: &str = "\
Mend a wrapper whose pages were redesigned, from the records that were kept

What was kept before the wrapper broke is looked for on the page. Where known values stand, new
rules of the same shape are learned, and held against everything that is known: which records are
found again, whether values agree, types, numbers. The change is printed as a patch of the
wrapper's file; standard error tells how sure it is, list by list and field by field. Nothing is
written unless --write or -o says so.

If the page does not show the records any more, or too few of them to be sure, the repair is
refused, and it is said why. A wrong wrapper would be worse than none.";

const REPAIR_EXAMPLES: &str = "\
Examples:
  windrow repair ads.toml https://example.org/ads --store ads.db
  windrow repair ads.toml new.html --before old.html
  windrow repair ads.toml new.html --store ads.db --write
  windrow repair ads.toml new.html --store ads.db | patch ads.toml

Exit status:
  0  it is mended, or there was nothing to mend
  1  refused
  2  an error, told on standard error";
