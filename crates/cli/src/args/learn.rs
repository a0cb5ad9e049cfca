//! The arguments of `learn`.
//!
//! Each method has its own kind of evidence and so its own option; pages and output are the same for all.

use clap::{Args, ValueEnum};

use super::{Reading, RulesFormat};

/// Learn a wrapper from one example, from a weblog's feed, or from a domain's vocabulary
#[derive(Debug, Args)]
#[command(
    override_usage = "windrow learn [OPTIONS] --example <FIELD=VALUE>... <PAGE>... [-o <FILE>]\n       windrow learn [OPTIONS] --feed [<FEED>] <HOME> [<PAGE>...] [-o <FILE>]\n       windrow learn [OPTIONS] --domain <DOMAIN> <PAGE>... [-o <FILE>]",
    long_about = ABOUT,
    after_long_help = EXAMPLES
)]
pub(crate) struct LearnArguments {
    /// Pages of one kind: files, addresses, directories (all .html, .htm and .xhtml below them), WARC files, or `-`
    ///
    /// An example belongs to the first page that has all its texts. Pages without an example are used to test the rules.
    /// With --feed, the home page of the weblog comes first; the others may be older index pages and pages of entries.
    #[arg(value_name = "PAGE", required_unless_present = "feed")]
    pub(crate) pages: Vec<String>,

    /// A field of the example record and its value; may be repeated
    ///
    /// A field that is given a second time starts the next example record.
    #[arg(long = "example", value_name = "FIELD=VALUE", help_heading = "Evidence")]
    pub(crate) examples: Vec<String>,

    /// A value that must not be extracted, of this field or of any; may be repeated
    #[arg(long, value_name = "[FIELD=]VALUE", help_heading = "Evidence")]
    pub(crate) not: Vec<String>,

    /// The node of the example record, as an XPath
    #[arg(long, value_name = "XPATH", help_heading = "Evidence")]
    pub(crate) node: Option<String>,

    /// Treat the example as one record of a list; without a second record, learn nothing
    #[arg(long = "as-list", alias = "list", help_heading = "Evidence", conflicts_with = "page")]
    pub(crate) list: bool,

    /// Treat the example as the only record of its page, even if the page has a list
    #[arg(long = "as-page", alias = "page", help_heading = "Evidence", conflicts_with = "node")]
    pub(crate) page: bool,

    /// The feed of the weblog, a file or an address; without FEED, the feed that HOME links to
    ///
    /// If FEED is an HTML page, it is used as HOME, and its feed is looked up.
    #[arg(
        long,
        value_name = "FEED",
        num_args = 0..=1,
        help_heading = "Evidence",
        conflicts_with_all = ["examples", "not", "node", "list", "page"]
    )]
    pub(crate) feed: Option<Option<String>>,

    /// The domain that finds the fields on the pages: a file, or a built-in one (`windrow domain list`)
    #[arg(
        long,
        value_name = "DOMAIN",
        help_heading = "Evidence",
        conflicts_with_all = ["examples", "not", "node", "list", "page", "feed"]
    )]
    pub(crate) domain: Option<String>,

    /// Use only the given pages; fetch neither pages of entries nor older index pages
    #[arg(long, requires = "feed", conflicts_with = "examples", help_heading = "With --feed")]
    pub(crate) no_follow: bool,

    /// The kind of rules [default: best; landmark for WTM XML]
    #[arg(long, value_enum, requires = "feed", conflicts_with = "examples", help_heading = "With --feed")]
    pub(crate) form: Option<RulesForm>,

    /// Choose other entries for testing the rules: any number
    #[arg(long, value_name = "N", requires = "feed", conflicts_with = "examples", help_heading = "With --feed")]
    pub(crate) seed: Option<u64>,

    /// Also print where each item of the feed was found, and how the rules were chosen
    #[arg(long, requires = "feed", conflicts_with = "examples", help_heading = "With --feed")]
    pub(crate) explain: bool,

    /// Write the wrapper to this file; its ending selects the format; without -o, or with `-`, it is printed as TOML
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Option<String>,

    /// Convert to this format, whatever the ending of the file
    #[arg(long, value_enum, value_name = "FORMAT")]
    pub(crate) to: Option<RulesFormat>,

    /// Format of the report on what the rules find: `json` prints it on standard output, with the wrapper in it if there is no -o
    #[arg(long, value_enum, value_name = "FORMAT", default_value = "text", conflicts_with_all = ["feed", "domain"])]
    pub(crate) format: LearnFormat,

    /// Options for reading pages.
    #[command(flatten)]
    pub(crate) reading: Reading,
}

/// Formats of the report.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum LearnFormat {
    /// Lines on standard error
    Text,
    /// One JSON object on standard output
    Json,
}

/// Kinds of learned rules.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum RulesForm {
    /// For each field the kind that does better on entries held back for testing, then the simpler one
    Best,
    /// Positions in the tree of the page: XPath and CSS
    Xpath,
    /// The tags and texts before and after a value; for index pages only
    Landmark,
}

const ABOUT: &str = "\
Learn a wrapper from one example, from a weblog's feed, or from a domain's vocabulary

With --example, give the fields of one record with their values on the page. Windrow works out the
rules that find these fields in all other records, tests them on the page, and writes them as a
wrapper for `windrow extract`. If nothing else on the page is built like the record, the rules are
for other pages with one such record each.

With --feed, no example is needed: the feed lists the newest entries of the weblog, and the home
page shows them. The rules find title, link, date, body, author and categories of the entries on the
home page, on older index pages and on the pages of the entries. If HOME is an address, up to ten
pages of entries and two older index pages are fetched from the same site (none with --no-follow).
If HOME is a file, copies saved beside it are used.

With --domain, the vocabulary of the domain finds the fields on a few pages of one site, as in
`windrow extract --domain`, and rules are learned from that. On the other pages of the site the
rules are faster, and they also find fields without a label. Give pages that describe one thing
each, five or more if possible.";

const EXAMPLES: &str = "\
Pointing:
  title=Old hay wagon      the visible text; white space and, if needed, case may differ. If the text
                           is on the page several times, the place nearest to the other fields is
                           used. If it is part of a longer text, the same part is taken in all
                           records.
  title=@//h2[1]           the node that an XPath selects: `@` and the XPath, which begins with /, (
                           or ./ (as `windrow select --path` and browsers' developer tools print it)
  link=@href of title      an attribute of the element that another field is in, or of one around it
  tags[]=hay               one of several values that each record may have
  comments.author=Ann      a field of a list inside each record, shown by one of its items
  --not title=Sow now      no record may have this title
  --not 'Sow now'          whatever contains this text is not a record

Examples:
  A list, from two fields of one of its records:
    windrow learn page.html --example 'title=Baler twine, 12 rolls' --example 'price=€ 55' -o ads.toml
    windrow extract -w ads.toml pages/ -o ads.csv

  A detail page with the link of its picture, tested on two more pages of the site:
    windrow learn rake.html twine.html wagon.html \\
      --example 'name=Two-wheel rake' --example 'price=€ 340' --example 'photo=@//main//img/@src' -o ad.toml

  One example is not enough, or too much is extracted: give another, and a wrong value:
    windrow learn page.html --example title=Rake --example price=340 --example title=Twine \\
      --not 'title=Sow now, save 20 %' -o ads.toml

  A weblog, from its feed; then its whole history:
    windrow learn --feed https://example.org/feed.xml https://example.org/ -o blog.toml
    windrow crawl https://example.org/ -w blog.toml -o entries.jsonl

  The feed that the page links to, with the place of each item:
    windrow learn --feed https://example.org/ -o blog.toml --explain

  The product pages of a shop, from the vocabulary for products:
    windrow learn --domain product saved/ -o shop.toml

Exit status:
  0  learned; standard error reports what the rules find on the pages
  2  an error: a text that is not on the page, a feed and a page that do not belong together, or
     nothing that can be learned; no file is written";
