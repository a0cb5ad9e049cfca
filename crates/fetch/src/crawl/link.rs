//! Where a page leads, how soon to go there, and whether that is a site of its own.
//!
//! A crawl of one site takes its links as they come. One that looks for something knows more: a result of a search opens a
//! site, the next page of a list is no farther away than the list, and one link is likelier than another to lead to what is
//! looked for. What the ranks mean is the visitor's affair; a lower one is taken first, host by host.

use url::Url;

/// A page to go on with.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Link {
    /// Its address.
    pub url: Url,
    /// Pages of a lower rank come first on their host.
    pub rank: u8,
    /// Where it stands to the page that has the link.
    pub way: Way,
    /// Of one that opens a site: what led to it.
    pub note: Option<String>,
}

/// Where a page stands to the one that leads to it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Way {
    /// A link farther from the seeds, on a site of the crawl.
    #[default]
    Deeper,
    /// As near as the page itself: where its list goes on.
    Beside,
    /// The first page of a site that the crawl takes in, if [`Sites`](super::Sites) has room; where it leads, too.
    Site,
}

impl From<Url> for Link {
    fn from(url: Url) -> Link {
        Link { url, rank: 0, way: Way::Deeper, note: None }
    }
}

impl Link {
    /// The same at another rank.
    #[must_use]
    pub fn ranked(self, rank: u8) -> Link {
        Link { rank, ..self }
    }

    /// The same with a note of what led to it.
    #[must_use]
    pub fn noted(self, note: impl Into<String>) -> Link {
        Link { note: Some(note.into()), ..self }
    }

    /// The same in another place.
    #[must_use]
    pub fn on(self, way: Way) -> Link {
        Link { way, ..self }
    }
}
