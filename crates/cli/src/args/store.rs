//! The arguments of `check`, `versions` and `repair`, which work with a store.

use clap::{Args, ValueEnum};
use url::Url;

use super::Reading;
use super::positions::{STORE_VARIABLE, take_store, take_wrapper};
use super::values::address;

/// Report wrappers that no longer find what they used to find, and the records that changed
#[derive(Debug, Args)]
#[command(
    override_usage = "windrow check [OPTIONS] <STORE> [<WRAPPER>...]",
    long_about = CHECK_ABOUT,
    after_long_help = CHECK_EXAMPLES
)]
pub(crate) struct CheckArguments {
    /// The store, and the names that wrappers have in it [default: all wrappers]
    ///
    /// A store is a file such as shop.db, or postgres://user:password@host/database.
    #[arg(value_name = "STORE and WRAPPERS")]
    pub(crate) wrappers: Vec<String>,

    /// The store; all arguments are then wrappers [env: WINDROW_STORE]
    #[arg(long = "store", value_name = "STORE")]
    store_option: Option<String>,

    /// The store, from --store, the first argument or the environment.
    #[arg(skip)]
    pub(crate) store: String,

    /// Accept the last run as the new normal: later runs are compared with it
    #[arg(long)]
    pub(crate) accept: bool,

    /// Number of changed, new and gone records to print, of each kind; or `all`
    #[arg(long, value_name = "N", value_parser = most, default_value = "10")]
    pub(crate) changes: usize,

    /// Output format
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

impl CheckArguments {
    /// Tells the store from the wrappers.
    pub(super) fn settle(&mut self) -> Result<(), &'static str> {
        self.store = take_store(self.store_option.take(), std::env::var(STORE_VARIABLE).ok(), &mut self.wrappers)?;
        if self.accept && self.wrappers.is_empty() { Err("<WRAPPER>...") } else { Ok(()) }
    }
}

const CHECK_ABOUT: &str = "\
Report wrappers that no longer find what they used to find, and the records that changed

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

/// Output formats of `check`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum CheckFormat {
    /// For people
    Text,
    /// One JSON array with an object for each wrapper
    Json,
}

/// List a wrapper's versions in a store, compare them, or restore one
#[derive(Debug, Args)]
#[command(
    override_usage = "windrow versions [OPTIONS] <STORE> [<WRAPPER>]",
    long_about = VERSIONS_ABOUT,
    after_long_help = VERSIONS_EXAMPLES
)]
pub(crate) struct VersionsArguments {
    /// The store, and the name that the wrapper has in it; with one wrapper in the store, the name may be left out
    ///
    /// A store is a file such as shop.db, or postgres://user:password@host/database.
    #[arg(value_name = "STORE and WRAPPER", num_args = 0..=2)]
    arguments: Vec<String>,

    /// The store; the argument is then the wrapper [env: WINDROW_STORE]
    #[arg(long = "store", value_name = "STORE")]
    store_option: Option<String>,

    /// The store, from --store, the first argument or the environment.
    #[arg(skip)]
    pub(crate) store: String,

    /// The wrapper's name, if it is given.
    #[arg(skip)]
    pub(crate) wrapper: Option<String>,

    /// Print the text of this version
    #[arg(long, value_name = "N")]
    pub(crate) show: Option<i64>,

    /// Print what this version changed
    #[arg(long, value_name = "N", conflicts_with = "show")]
    pub(crate) diff: Option<i64>,

    /// Restore this version: make it the current one and write it to the file of -o
    #[arg(long, value_name = "N", requires = "output", conflicts_with_all = ["show", "diff"])]
    pub(crate) put_back: Option<i64>,

    /// Write the restored wrapper to this file
    #[arg(short, long, value_name = "FILE", requires = "put_back")]
    pub(crate) output: Option<String>,
}

impl VersionsArguments {
    /// Tells the store from the wrapper.
    pub(super) fn settle(&mut self) -> Result<(), &'static str> {
        self.store = take_store(self.store_option.take(), std::env::var(STORE_VARIABLE).ok(), &mut self.arguments)?;
        self.wrapper = self.arguments.first().cloned();
        Ok(())
    }
}

const VERSIONS_ABOUT: &str = "\
List a wrapper's versions in a store, compare them, or restore one

Whenever records are stored with a wrapper whose text has changed, the new text becomes a version.
No version is ever deleted: --put-back writes an old one to a file and adds it as the newest.";

const VERSIONS_EXAMPLES: &str = "\
Examples:
  windrow versions ads.db
  windrow versions ads.db offers --diff 2
  windrow versions ads.db offers --put-back 1 -o offers.toml";

/// Fix a wrapper after its site was redesigned
#[derive(Debug, Args)]
#[command(
    override_usage = "windrow repair [OPTIONS] -w <FILE> <PAGE>... --store <STORE>\n       windrow repair [OPTIONS] -w <FILE> <PAGE>... --before <PAGE>",
    long_about = REPAIR_ABOUT,
    after_long_help = REPAIR_EXAMPLES
)]
pub(crate) struct RepairArguments {
    /// The wrapper
    ///
    /// Without -w, the first argument is the wrapper.
    #[arg(short = 'w', long = "wrapper", value_name = "FILE")]
    wrapper_option: Option<String>,

    /// The wrapper, from -w or the first argument.
    #[arg(skip)]
    pub(crate) wrapper: String,

    /// Pages as they are now: files, addresses, directories, WARC files, or `-` for standard input
    #[arg(value_name = "PAGE")]
    pub(crate) pages: Vec<String>,

    /// The store that has the wrapper's records: a file such as shop.db, or postgres://…
    #[arg(
        long,
        alias = "into",
        value_name = "STORE",
        env = "WINDROW_STORE",
        hide_env_values = true,
        required_unless_present = "before"
    )]
    pub(crate) store: Option<String>,

    /// A page saved when the wrapper still worked, instead of a store; may be repeated
    #[arg(long, value_name = "PAGE", conflicts_with = "store")]
    pub(crate) before: Vec<String>,

    /// A field of the page and its value as it reads now, if repair cannot find it; may be repeated
    #[arg(long = "example", value_name = "FIELD=VALUE")]
    pub(crate) examples: Vec<String>,

    /// Write the repaired wrapper to its own file, and to the store as a new version
    #[arg(long, conflicts_with = "output")]
    pub(crate) write: bool,

    /// Write the repaired wrapper to this file; its ending selects the format
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Option<String>,

    /// The address of the page, if only one is given; relative links are resolved against it
    #[arg(long, value_name = "URL", value_parser = address)]
    pub(crate) url: Option<Url>,

    /// Options for reading pages.
    #[command(flatten)]
    pub(crate) reading: Reading,
}

impl RepairArguments {
    /// Tells the wrapper from the pages.
    pub(super) fn settle(&mut self) -> Result<(), &'static str> {
        self.wrapper = take_wrapper(self.wrapper_option.take(), &mut self.pages)?;
        if self.pages.is_empty() { Err("<PAGE>...") } else { Ok(()) }
    }
}

const REPAIR_ABOUT: &str = "\
Fix a wrapper after its site was redesigned

Repair looks on the new page for the records that the wrapper found before it broke, and learns new
rules of the same shape from the places where it finds them. It then checks the new rules against
everything that is known: the records, their values, types and numbers. The change is printed as a
patch of the wrapper's file; standard error reports the confidence for each list and field. Nothing
is written without --write or -o.

If the page no longer shows the records, or too few of them to be certain, repair refuses and says
why. A wrong wrapper would be worse than none.";

const REPAIR_EXAMPLES: &str = "\
Examples:
  windrow repair -w ads.toml https://example.org/ads --store ads.db
  windrow repair -w ads.toml new.html --before old.html
  windrow repair -w ads.toml new.html --store ads.db --write
  windrow repair -w recipe.toml new.html --store food.db --example 'yields=4 servings'
  windrow repair -w ads.toml new.html --store ads.db | patch ads.toml

`windrow repair ads.toml PAGE`, with the wrapper first and no -w, also works.

Exit status:
  0  repaired, or there was nothing to repair
  1  refused
  2  an error; the message is on standard error";
