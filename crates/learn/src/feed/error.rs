//! What can go wrong with a feed and its pages, and what to know about a lesson that went well.

use std::fmt;

use miette::Diagnostic;

/// Why nothing was learned.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Error {
    /// The feed has no items, or none with a title, a link or a text.
    NoItems {
        /// How many it has.
        items: usize,
    },
    /// There is no page.
    NoPage,
    /// No item is on any of the pages.
    NotTogether {
        /// The items that were looked for: their titles, or addresses.
        items: Vec<String>,
        /// The pages that were looked at.
        pages: Vec<String>,
    },
    /// Items are on the page, but no rule tells them from the rest of it.
    NoRules {
        /// How many items were found.
        found: usize,
        /// The pages they were found on.
        pages: Vec<String>,
    },
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::NoItems { items: 0 } => write!(f, "the feed has no items"),
            Error::NoItems { items } => {
                write!(f, "none of the feed's {items} items has a title, a link or a text")
            }
            Error::NoPage => write!(f, "there is no page to learn from"),
            Error::NotTogether { items, pages } => {
                write!(f, "none of the feed's {} items is on `{}`", items.len(), pages.join("`, `"))
            }
            Error::NoRules { found, pages } => {
                let (are, them) = if *found == 1 { ("is", "it") } else { ("are", "them") };
                write!(f, "{found} of the feed's items {are} on `{}`, but no rule finds {them}", pages.join("`, `"))
            }
        }
    }
}

impl std::error::Error for Error {}

impl Diagnostic for Error {
    fn code<'a>(&'a self) -> Option<Box<dyn fmt::Display + 'a>> {
        Some(Box::new(match self {
            Error::NoItems { .. } => "learn::no_items",
            Error::NoPage => "learn::no_page",
            Error::NotTogether { .. } => "learn::not_together",
            Error::NoRules { .. } => "learn::no_rules",
        }))
    }

    fn help(&self) -> Option<Box<dyn fmt::Display + '_>> {
        Some(Box::new(self.hint()))
    }
}

impl Error {
    /// What to do about it.
    pub fn hint(&self) -> String {
        match self {
            Error::NoItems { .. } => "`windrow feed` shows what a feed says".to_owned(),
            Error::NoPage => "give the weblog's home page".to_owned(),
            Error::NotTogether { items, .. } => {
                let first: Vec<String> = items.iter().take(3).map(|item| format!("`{item}`")).collect();
                format!(
                    "looked for {}: is this the page's feed, and the page the one that shows the newest entries?",
                    first.join(", ")
                )
            }
            Error::NoRules { .. } => "show one entry with `windrow learn --example` instead".to_owned(),
        }
    }
}

/// What to know about a lesson.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Note {
    /// Items that are on none of the pages.
    NotFound {
        /// Their titles, or addresses.
        items: Vec<String>,
        /// Number of items in the feed.
        of: usize,
    },
    /// Items whose title or link is on a page, but not where the rules find entries.
    Elsewhere {
        /// Their titles, or addresses.
        items: Vec<String>,
        /// Number of items in the feed.
        of: usize,
    },
    /// The feed has more items than are looked for on one page.
    NotLookedFor {
        /// How many were looked for, the newest.
        looked: usize,
        /// Number of items in the feed.
        of: usize,
    },
    /// Entry pages cannot be told from index pages: the rules are for index pages alone.
    NotApart,
    /// So few entries were known that none could be held back: the rules are not tested.
    Untested {
        /// How many were known.
        entries: usize,
    },
    /// The home page shows no entries; the rules are for the entries' own pages.
    NoEntries {
        /// The page.
        page: String,
    },
    /// No page of an entry was seen: the rules are for index pages alone.
    NoEntryPages,
    /// A field that the feed has was not found on pages of this kind.
    NoField {
        /// The field.
        field: &'static str,
        /// Where it was looked for: `index pages`, `entry pages`.
        pages: &'static str,
    },
    /// A page that no item was found on.
    Unused {
        /// The page.
        page: String,
    },
}

impl fmt::Display for Note {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Note::NotFound { items, of } => {
                let are = if items.len() == 1 { "is" } else { "are" };
                write!(f, "{} of the feed's {of} items {are} on none of the pages: {}", items.len(), first_of(items))
            }
            Note::Elsewhere { items, of } => {
                let (count, first) = (items.len(), first_of(items));
                let stand = if count == 1 { "stands" } else { "stand" };
                write!(
                    f,
                    "{count} of the feed's {of} items {stand} on the pages, but not where the rules find entries: {first}"
                )
            }
            Note::NotLookedFor { looked, of } => {
                write!(f, "only the first {looked} of the feed's {of} items were looked for on index pages")
            }
            Note::NotApart => write!(
                f,
                "nothing tells entry pages from index pages: the rules are for index pages alone; \
                 check what they find on the page of an entry"
            ),
            Note::Untested { entries: 1 } => write!(f, "only one entry was known: the rules are not tested on another"),
            Note::Untested { entries } => write!(f, "only {entries} entries were known: none was held back for a test"),
            Note::NoEntries { page } => {
                write!(f, "`{page}` shows none of the feed's entries: the rules are for entry pages alone")
            }
            Note::NoEntryPages => write!(f, "no page of an entry was seen: the rules are for index pages alone"),
            Note::NoField { field, pages } => write!(f, "`{field}` was not found on {pages}"),
            Note::Unused { page } => write!(f, "`{page}` shows none of the feed's entries"),
        }
    }
}

/// The first of these items, as a message names them.
fn first_of(items: &[String]) -> String {
    let first: Vec<String> = items.iter().take(3).map(|item| format!("`{item}`")).collect();
    let more = if items.len() > 3 { ", …" } else { "" };
    first.join(", ") + more
}
