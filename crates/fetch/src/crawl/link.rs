//! Links to follow, with their priority and their relation to the crawl's sites.
//!
//! A crawl of one site follows its links in order. A crawl that searches for something knows more: a search result
//! opens a site, the next page of a list is no farther away than the list, and some links are more promising than
//! others. The visitor decides what ranks mean; lower ranks are taken first, host by host.

use url::Url;

/// A link to a page.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Link {
    /// Its address.
    pub url: Url,
    /// Priority on its host: lower ranks come first.
    pub rank: u8,
    /// Relation to the page that contains the link.
    pub way: Way,
    /// Source of a link that opens a site, such as a search query.
    pub note: Option<String>,
}

/// Relation of a linked page to the page that contains the link.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Way {
    /// A page one link farther from the seeds, on a site of the crawl.
    #[default]
    Deeper,
    /// A page at the same depth, such as the next page of a list.
    Beside,
    /// The first page of a new site, opened if [`Sites`](super::Sites) permits; the target of its redirect counts, too.
    Site,
}

impl From<Url> for Link {
    fn from(url: Url) -> Link {
        Link { url, rank: 0, way: Way::Deeper, note: None }
    }
}

impl Link {
    /// Sets the rank.
    #[must_use]
    pub fn ranked(self, rank: u8) -> Link {
        Link { rank, ..self }
    }

    /// Sets a note on the source of the link.
    #[must_use]
    pub fn noted(self, note: impl Into<String>) -> Link {
        Link { note: Some(note.into()), ..self }
    }

    /// Sets the relation to the page.
    #[must_use]
    pub fn on(self, way: Way) -> Link {
        Link { way, ..self }
    }
}
