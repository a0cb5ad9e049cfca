//! The pages of a weblog beside those that are given, from where the home page is: the web, an archive or a folder.

use url::Url;

use crate::feed::Feed;
use crate::learn::feed::{Library, gather};
use crate::monitor::Monitor;
use crate::neighbours::Neighbours;
use crate::open::{Content, Opener};
use crate::{Document, Page};

/// Adds pages to the given ones, the first of which is the home page. Returns the reason if a site was asked for pages
/// of entries and gave none.
pub(super) fn follow(
    feed: &Feed,
    pages: &mut Vec<Page>,
    neighbours: &Neighbours<'_>,
    opener: &Opener,
    monitor: &dyn Monitor,
) -> Option<String> {
    let site = neighbours.address()?.clone();
    monitor.begin(None);
    let refused = gather(&feed.items, &site, pages, &mut Shelf { neighbours, opener, monitor });
    monitor.end();
    refused
}

/// The pages around the home page.
struct Shelf<'a> {
    neighbours: &'a Neighbours<'a>,
    opener: &'a Opener,
    monitor: &'a dyn Monitor,
}

impl Library for Shelf<'_> {
    fn page(&mut self, url: &Url) -> Result<Option<Page>, String> {
        let content = self.neighbours.content(url.as_str());
        self.monitor.advance();
        let content = content?;
        if !is_page(&content) {
            return Ok(None);
        }
        let there = content.address.clone().unwrap_or_else(|| url.clone());
        let options = self.opener.parse_options(&content);
        let (name, document) = (url.to_string(), Document::from_bytes(content.bytes, &options));
        let notes = content.notes.iter().cloned().chain(document.notes().iter().map(ToString::to_string));
        notes.for_each(|note| self.monitor.note(&format!("note: {name}: {note}")));
        Ok(Some(Page::from_document(name, document).with_url(there)))
    }

    fn asks_servers(&self) -> bool {
        self.neighbours.asks_servers()
    }
}

/// Returns `true` if something is a page as far as its server says.
fn is_page(content: &Content) -> bool {
    content.media_type.as_deref().is_none_or(|kind| kind.contains("html") || kind.contains("xml"))
}
