//! The model of a feed, common to all formats.

use std::fmt;

use windrow_wrapper::values::date::Date;

use crate::markup;

/// A feed.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Feed {
    /// Format of the feed.
    pub format: Format,
    /// Title, as text.
    pub title: Option<String>,
    /// Address of the page that the feed belongs to.
    pub link: Option<String>,
    /// Description, as text.
    pub description: Option<String>,
    /// Declared language: `en-GB`.
    pub language: Option<String>,
    /// Declared address of the feed itself.
    pub address: Option<String>,
    /// Address of the next page with older items, if the feed has several pages (RFC 5005, `next_url` of JSON Feed).
    pub next: Option<String>,
    /// Items, in the order of the feed.
    pub items: Vec<Item>,
    /// Damage found in the feed.
    pub notes: Vec<Note>,
}

/// An item of a feed: a post, an article, an episode.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Item {
    /// Title, as text on one line.
    pub title: Option<String>,
    /// Address of its page, resolved if a base is known.
    pub link: Option<String>,
    /// Original address, if a service replaced it with its own (`feedburner:origLink`).
    pub original_link: Option<String>,
    /// Identifier, if there is one.
    pub id: Option<String>,
    /// Date of publication.
    pub published: Option<Date>,
    /// Date of the last change.
    pub updated: Option<Date>,
    /// Date of creation; few feeds give it.
    pub created: Option<Date>,
    /// Full text, as far as the feed contains it: its content, else its summary.
    pub body: Option<Text>,
    /// Summary.
    pub summary: Option<Text>,
    /// Authors: names, else addresses.
    pub authors: Vec<String>,
    /// Categories.
    pub categories: Vec<String>,
    /// Attached files.
    pub enclosures: Vec<Enclosure>,
}

impl Item {
    /// Returns the date of publication, else the date of the last change, else the date of creation.
    pub fn date(&self) -> Option<Date> {
        self.published.or(self.updated).or(self.created)
    }
}

/// A text that may be HTML.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Text {
    /// The text or HTML. HTML is unchanged, including scripts; its links are absolute if a base is known.
    pub value: String,
    /// `true` if the text is HTML.
    pub is_html: bool,
}

impl Text {
    /// Returns the text that people read, with white space collapsed, without scripts and styles.
    pub fn plain(&self) -> String {
        if self.is_html { markup::text_of(&self.value) } else { markup::collapse(&self.value) }
    }

    /// Resolves its links against a base, if one is known.
    pub(crate) fn with_base(mut self, base: &str) -> Text {
        if self.is_html
            && let Some(value) = markup::absolute_links(&self.value, base)
        {
            self.value = value;
        }
        self
    }
}

/// A file attached to an item.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Enclosure {
    /// Address of the file.
    pub url: String,
    /// Media type, if declared.
    pub media_type: Option<String>,
    /// Length in bytes, if declared.
    pub length: Option<u64>,
}

/// Feed formats.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Format {
    /// RSS of an unspecified version.
    #[default]
    Rss,
    /// RSS 0.90, in RDF.
    Rss090,
    /// RSS 0.91 with Netscape's document type.
    Rss091Netscape,
    /// RSS 0.91 as defined by UserLand.
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
    /// Atom of an unspecified version.
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
    /// Returns `true` if the format itself determines which texts are HTML, so that nothing has to be guessed.
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

/// A kind of damage in a feed that could be read nevertheless.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Note {
    /// The bytes contradict the declared encoding.
    Encoding {
        /// Declared encoding.
        declared: String,
        /// Encoding used.
        used: String,
    },
    /// Some bytes are invalid in the encoding; they were read as windows-1252, or replaced.
    BadBytes,
    /// Content before the feed.
    LeadingJunk {
        /// Number of bytes.
        bytes: usize,
    },
    /// The feed ends in the middle; the existing part of the last item is included.
    CutOff {
        /// Name of the innermost element open at the end.
        within: String,
    },
    /// Elements without an end tag; they end with their parents.
    Unclosed {
        /// Number of elements.
        elements: usize,
    },
    /// References to undeclared entities: those of HTML are resolved, others are left unchanged.
    UndeclaredEntities {
        /// Number of references.
        references: usize,
    },
    /// Ampersands that do not begin a reference.
    BareAmpersands {
        /// Number of ampersands.
        count: usize,
    },
    /// A prefix without a declared namespace; its usual meaning was assumed.
    UndeclaredPrefix {
        /// First such prefix.
        prefix: String,
    },
    /// Attribute values without quotes, or with one quote missing.
    BadAttributes {
        /// Number of attributes.
        count: usize,
    },
    /// Dates that could not be parsed.
    BadDates {
        /// Number of dates.
        count: usize,
        /// First such date.
        first: String,
    },
    /// Entities whose expansions would be larger than the feed; they were left unchanged.
    EntityBomb,
    /// Invalid JSON that could be repaired.
    BadJson {
        /// Message of the JSON parser.
        cause: String,
    },
}

impl fmt::Display for Note {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let s = |count: &usize| if *count == 1 { "" } else { "s" };
        match self {
            Note::Encoding { declared, used } => write!(out, "declared as {declared}, but read as {used}"),
            Note::BadBytes => out.write_str("some bytes are invalid in its encoding"),
            Note::LeadingJunk { bytes } => write!(out, "{bytes} byte{} before the feed", s(bytes)),
            Note::CutOff { within } => write!(out, "the feed is cut off within `{within}`"),
            Note::Unclosed { elements } => write!(out, "{elements} element{} without an end tag", s(elements)),
            Note::UndeclaredEntities { references } => {
                write!(out, "{references} reference{} to undeclared entities", s(references))
            }
            Note::BareAmpersands { count } => write!(out, "{count} bare ampersand{}", s(count)),
            Note::UndeclaredPrefix { prefix } => write!(out, "no namespace for the prefix `{prefix}`"),
            Note::BadAttributes { count } => write!(out, "{count} attribute{} badly quoted", s(count)),
            Note::BadDates { count, first } => {
                write!(out, "{count} unreadable date{}, such as \"{}\"", s(count), first.escape_debug())
            }
            Note::EntityBomb => out.write_str("its entities would expand to more than the feed: left unchanged"),
            Note::BadJson { cause } => write!(out, "its JSON is broken: {cause}"),
        }
    }
}
