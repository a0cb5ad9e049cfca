//! The arguments of `learn`.
//!
//! Each method has its own evidence, and so an option of its own; what the rules are learned from and where they go is
//! the same for all.

use clap::{Args, ValueEnum};

use super::{Reading, RulesFormat};

/// Learn a wrapper from the fields of one record, from a weblog's feed, or from a domain's words
#[derive(Debug, Args)]
#[command(
    override_usage = "windrow learn [OPTIONS] --example <FIELD=VALUE>... <PAGE>... [-o <RULES>]\n       windrow learn [OPTIONS] --feed [<FEED>] <HOME> [<PAGE>...] [-o <RULES>]\n       windrow learn [OPTIONS] --domain <DOMAIN> <PAGE>... [-o <RULES>]",
    long_about = ABOUT,
    after_long_help = EXAMPLES
)]
pub(crate) struct LearnArguments {
    /// Pages of one kind: files, addresses, directories (all .html, .htm and .xhtml below them), WARC files, or `-`
    ///
    /// An example belongs to the first page that has all its texts. Pages without an example are used to try the rules.
    /// With --feed, the weblog's home page comes first; others may be older index pages, and pages of entries.
    #[arg(value_name = "PAGE", required_unless_present = "feed")]
    pub(crate) pages: Vec<String>,

    /// A field of the example record, and its value there; may be repeated
    ///
    /// A field that is given a second time begins the next example record.
    #[arg(long = "example", value_name = "FIELD=VALUE", help_heading = "Evidence")]
    pub(crate) examples: Vec<String>,

    /// What must not come out: a value of this field, or whatever holds this text; may be repeated
    #[arg(long, value_name = "[FIELD=]VALUE", help_heading = "Evidence")]
    pub(crate) not: Vec<String>,

    /// The record is this node, whatever else would be taken for it
    #[arg(long, value_name = "XPATH", help_heading = "Evidence")]
    pub(crate) node: Option<String>,

    /// The example is one record of a list; without a second one, learn nothing
    #[arg(long, help_heading = "Evidence", conflicts_with = "page")]
    pub(crate) list: bool,

    /// The record is the page, even if something on it looks like a list
    #[arg(long, help_heading = "Evidence", conflicts_with = "node")]
    pub(crate) page: bool,

    /// The weblog's feed, which tells what its newest entries are; without FEED, the one that HOME names
    ///
    /// A file or an address. If it is a page, it is taken for HOME, and its feed is looked for.
    #[arg(
        long,
        value_name = "FEED",
        num_args = 0..=1,
        help_heading = "Evidence",
        conflicts_with_all = ["examples", "not", "node", "list", "page"]
    )]
    pub(crate) feed: Option<Option<String>>,

    /// The domain whose words find the fields on the pages: a file, or one that comes along (`windrow domain list`)
    #[arg(
        long,
        value_name = "DOMAIN",
        help_heading = "Evidence",
        conflicts_with_all = ["examples", "not", "node", "list", "page", "feed"]
    )]
    pub(crate) domain: Option<String>,

    /// Learn from what is given alone; fetch neither pages of entries nor older index pages
    #[arg(long, requires = "feed", conflicts_with = "examples", help_heading = "With --feed")]
    pub(crate) no_follow: bool,

    /// What the rules look like [default: best; landmark for the papers' XML]
    #[arg(long, value_enum, requires = "feed", conflicts_with = "examples", help_heading = "With --feed")]
    pub(crate) form: Option<RulesForm>,

    /// Hold back other entries to test rules with: any number
    #[arg(
        long,
        value_name = "N",
        requires = "feed",
        conflicts_with = "examples",
        help_heading = "With --feed",
        hide_short_help = true
    )]
    pub(crate) seed: Option<u64>,

    /// Print which item of the feed was found where, and how the rules were chosen
    #[arg(long, requires = "feed", conflicts_with = "examples", help_heading = "With --feed")]
    pub(crate) explain: bool,

    /// Write the wrapper to this file, in the format that its name tells; without it, or with `-`, print it as TOML
    #[arg(short, long, value_name = "RULES")]
    pub(crate) output: Option<String>,

    /// Write the wrapper in this format, whatever the file is called
    #[arg(long, value_enum, value_name = "FORMAT")]
    pub(crate) to: Option<RulesFormat>,

    /// How to read pages.
    #[command(flatten)]
    pub(crate) reading: Reading,
}

/// What learned rules look like.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum RulesForm {
    /// For each field the one that does better on entries that were held back, then the simpler
    Best,
    /// Where a value stands in the page's tree: XPath and CSS
    Xpath,
    /// The tags and texts in front of a value and behind it, for index pages alone
    Landmark,
}

const ABOUT: &str = "\
Learn a wrapper from the fields of one record, from a weblog's feed, or from a domain's words

With --example, point at the fields of one record, by what they say on the page; the rules that
find them in all other records are worked out, tried on the page, and written down as a wrapper
for `windrow extract`. If nothing else on the page is built like the record, the record is the
page itself, and the rules are for other pages of that kind.

With --feed, nobody needs to point: the weblog's feed says what its newest entries are, and its
home page shows them. The rules find entries on the home page, on older index pages and on the
entries' own pages: title, link, date, body, author and categories. If HOME is an address, up to
ten pages of entries and two older index pages are fetched from the same site (--no-follow:
none); if it is a file, copies that are saved beside it are read.

With --domain, a domain's words find the fields on a few pages of one site, as in `windrow extract
--domain`, and the rules are learned from that: for its other pages they are faster, and they find
what has no label there. Give pages that tell of one thing each, five or more if there are.";

const EXAMPLES: &str = "\
Pointing:
  title=Old hay wagon      the text that people see; white space, and if need be case, may differ. If
                           it stands on the page several times, the place nearest to the other
                           fields is meant. Of a longer text it is a part, and the same part is
                           taken in all records.
  title=@//h2[1]           the node that an XPath selects: `@` and the XPath, which begins with /, (
                           or ./ (as `windrow select --path` and browsers' developer tools print it)
  link=@href of title      an attribute of the element that another field is in, or of one around it
  tags[]=hay               one of several values that each record may have
  comments.author=Ann      a field of a list inside each record, shown by one of its items
  --not title=Sow now      no record may have this title
  --not 'Sow now'          what holds this text is no record

Examples:
  A list, shown by two fields of one of its records:
    windrow learn page.html --example 'title=Baler twine, 12 rolls' --example 'price=€ 55' -o ads.toml
    windrow extract -w ads.toml pages/ -o ads.csv

  A detail page, tried on two more of the site; the link of the picture, too:
    windrow learn rake.html twine.html wagon.html \\
      --example 'name=Two-wheel rake' --example 'price=€ 340' --example 'photo=@//main//img/@src' -o ad.toml

  One record is not enough, or too much comes out: show another, and what is wrong:
    windrow learn page.html --example title=Rake --example price=340 --example title=Twine \\
      --not 'title=Sow now, save 20 %' -o ads.toml

  A weblog, whose feed says what to look for; then its whole history:
    windrow learn --feed https://example.org/feed.xml https://example.org/ -o blog.toml
    windrow crawl https://example.org/ -w blog.toml -o entries.jsonl

  The feed that the page names, and which item of it was found where:
    windrow learn --feed https://example.org/ -o blog.toml --explain

  The product pages of a shop, by the words for products; nobody points at anything:
    windrow learn --domain product saved/ -o shop.toml

Exit status:
  0  learned; standard error tells what the rules find on the pages
  2  an error: a text that is not on the page, a feed and a page that do not belong together, or
     nothing that can be learned; no file is written";
