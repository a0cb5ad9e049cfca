//! What a feed says: the one model that all formats are read into.

use std::fmt;

use windrow_wrapper::values::date::Date;

use crate::markup;

/// A feed.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Feed {
    /// The format that it is written in.
    pub format: Format,
    /// What it is called, as text.
    pub title: Option<String>,
    /// The page that it is the feed of.
    pub link: Option<String>,
    /// What it is about, as text.
    pub description: Option<String>,
    /// The language that it is written in, as it says: `en-GB`.
    pub language: Option<String>,
    /// Its own address, as it says.
    pub address: Option<String>,
    /// Where older items are, if it is one page of several (RFC 5005, `next_url` of JSON Feed).
    pub next: Option<String>,
    /// Its items, in its own order.
    pub items: Vec<Item>,
    /// What is wrong with it.
    pub notes: Vec<Note>,
}

/// An item of a feed: a post, an article, an episode.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Item {
    /// Its title, as text on one line.
    pub title: Option<String>,
    /// Its page; resolved, if a base is known.
    pub link: Option<String>,
    /// The address that it had before a service put its own in place of it (`feedburner:origLink`).
    pub original_link: Option<String>,
    /// What tells it from others, if it says.
    pub id: Option<String>,
    /// When it was published.
    pub published: Option<Date>,
    /// When it was last changed.
    pub updated: Option<Date>,
    /// When it was made, which few say.
    pub created: Option<Date>,
    /// The whole of it, or as much as the feed has: its content, else its summary.
    pub body: Option<Text>,
    /// What it says in short.
    pub summary: Option<Text>,
    /// Who wrote it: names, else addresses.
    pub authors: Vec<String>,
    /// What it is filed under.
    pub categories: Vec<String>,
    /// The files that belong to it.
    pub enclosures: Vec<Enclosure>,
}

impl Item {
    /// When it was published; if it does not say so, when it was changed, else when it was made.
    pub fn date(&self) -> Option<Date> {
        self.published.or(self.updated).or(self.created)
    }
}

/// A text that may be HTML.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Text {
    /// The text or HTML. HTML is as the feed has it, scripts and all; its links are absolute if a base is known.
    pub value: String,
    /// Whether it is HTML.
    pub is_html: bool,
}

impl Text {
    /// The text that people read, white space collapsed; nothing of scripts and styles.
    pub fn plain(&self) -> String {
        if self.is_html { markup::text_of(&self.value) } else { markup::collapse(&self.value) }
    }

    /// The same with its links resolved against a base, if that is known.
    pub(crate) fn with_base(mut self, base: &str) -> Text {
        if self.is_html
            && let Some(value) = markup::absolute_links(&self.value, base)
        {
            self.value = value;
        }
        self
    }
}

/// A file that belongs to an item.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Enclosure {
    /// Where it is.
    pub url: String,
    /// Its media type, if it is said.
    pub media_type: Option<String>,
    /// Its length in bytes, if it is said.
    pub length: Option<u64>,
}

/// The formats of feeds.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Format {
    /// RSS that does not say which.
    #[default]
    Rss,
    /// RSS 0.90, in RDF.
    Rss090,
    /// RSS 0.91 with Netscape's document type.
    Rss091Netscape,
    /// RSS 0.91 as UserLand had it.
    Rss091,
    /// RSS 0.92.
    Rss092,
    /// RSS 0.93.
    Rss093,
    /// RSS 0.94.
    Rss094,
    /// RSS 1.0, in RDF.
    Rss10,
    /// RSS 2.0.
    Rss20,
    /// Atom that does not say which.
    Atom,
    /// Atom 0.1.
    Atom01,
    /// Atom 0.2.
    Atom02,
    /// Atom 0.3.
    Atom03,
    /// Atom 1.0 (RFC 4287).
    Atom10,
    /// The Channel Definition Format.
    Cdf,
    /// JSON Feed 1.
    Json1,
    /// JSON Feed 1.1.
    Json11,
}

impl Format {
    /// Whether the format's own rules say which texts are HTML, so that nothing is to be guessed.
    pub(crate) fn is_atom(self) -> bool {
        matches!(self, Format::Atom | Format::Atom01 | Format::Atom02 | Format::Atom03 | Format::Atom10)
    }
}

impl fmt::Display for Format {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(match self {
            Format::Rss => "rss",
            Format::Rss090 => "rss 0.90",
            Format::Rss091Netscape => "rss 0.91 (netscape)",
            Format::Rss091 => "rss 0.91",
            Format::Rss092 => "rss 0.92",
            Format::Rss093 => "rss 0.93",
            Format::Rss094 => "rss 0.94",
            Format::Rss10 => "rss 1.0",
            Format::Rss20 => "rss 2.0",
            Format::Atom => "atom",
            Format::Atom01 => "atom 0.1",
            Format::Atom02 => "atom 0.2",
            Format::Atom03 => "atom 0.3",
            Format::Atom10 => "atom 1.0",
            Format::Cdf => "cdf",
            Format::Json1 => "json feed 1",
            Format::Json11 => "json feed 1.1",
        })
    }
}

/// What is wrong with a feed that was read all the same.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Note {
    /// Its bytes contradict the encoding it declares.
    Encoding {
        /// What it declares.
        declared: String,
        /// What was used.
        used: String,
    },
    /// Bytes that mean nothing in its encoding; they were read as windows-1252, or replaced.
    BadBytes,
    /// Something stands in front of it.
    LeadingJunk {
        /// How many bytes.
        bytes: usize,
    },
    /// It ends in the middle; what is there of the last item is given.
    CutOff {
        /// The element that is open at its end.
        within: String,
    },
    /// Elements that never end; they end where their parent does.
    Unclosed {
        /// How many.
        elements: usize,
    },
    /// Entities that are not declared: those of HTML are understood, others are left as they stand.
    UndeclaredEntities {
        /// How many references.
        references: usize,
    },
    /// Ampersands that begin no reference.
    BareAmpersands {
        /// How many.
        count: usize,
    },
    /// A prefix that no namespace is declared for; its usual meaning was taken.
    UndeclaredPrefix {
        /// The first such prefix.
        prefix: String,
    },
    /// Attribute values without quotes, or with one missing.
    BadAttributes {
        /// How many.
        count: usize,
    },
    /// Dates that could not be read.
    BadDates {
        /// How many.
        count: usize,
        /// The first.
        first: String,
    },
    /// Entities whose expansions would be larger than the feed: left as they stand.
    EntityBomb,
    /// JSON that is not quite JSON.
    BadJson {
        /// What is wrong.
        cause: String,
    },
}

impl fmt::Display for Note {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let s = |count: &usize| if *count == 1 { "" } else { "s" };
        match self {
            Note::Encoding { declared, used } => write!(out, "declared as {declared}, but read as {used}"),
            Note::BadBytes => out.write_str("some bytes mean nothing in its encoding"),
            Note::LeadingJunk { bytes } => write!(out, "{bytes} byte{} in front of it", s(bytes)),
            Note::CutOff { within } => write!(out, "it ends in the middle, within `{within}`"),
            Note::Unclosed { elements } => write!(out, "{elements} element{} without an end", s(elements)),
            Note::UndeclaredEntities { references } => {
                write!(out, "{references} reference{} to undeclared entities", s(references))
            }
            Note::BareAmpersands { count } => write!(out, "{count} bare ampersand{}", s(count)),
            Note::UndeclaredPrefix { prefix } => write!(out, "no namespace for the prefix `{prefix}`"),
            Note::BadAttributes { count } => write!(out, "{count} attribute{} badly quoted", s(count)),
            Note::BadDates { count, first } => {
                write!(out, "{count} unreadable date{}, such as \"{}\"", s(count), first.escape_debug())
            }
            Note::EntityBomb => out.write_str("its entities would expand to more than the feed: left as they stand"),
            Note::BadJson { cause } => write!(out, "its JSON is broken: {cause}"),
        }
    }
}
