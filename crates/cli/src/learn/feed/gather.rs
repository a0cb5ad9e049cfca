//! The pages of a weblog beside those that are given, from where the home page is: the web, an archive or a folder.

use url::Url;
use windrow::learn::feed::{Library, gather};
use windrow::{Document, Page};
use windrow_feed::Feed;

use crate::extract::Neighbours;
use crate::output::{Output, Sink};
use crate::pages::{Content, Opener};
use crate::run::tell;

/// Adds pages to those that are given, the first of which is the home page. If a site was asked for pages of entries and
/// gave none, why not.
pub(super) fn follow(
    feed: &Feed,
    pages: &mut Vec<Page>,
    neighbours: &Neighbours<'_>,
    opener: &Opener,
    quiet: bool,
) -> Option<String> {
    let site = neighbours.address()?.clone();
    let output = Output::new(Sink::Standard, None, quiet);
    gather(&feed.items, &site, pages, &mut Shelf { neighbours, opener, output, quiet })
}

/// The pages around the home page.
struct Shelf<'a> {
    neighbours: &'a Neighbours<'a>,
    opener: &'a Opener,
    output: Output,
    quiet: bool,
}

impl Library for Shelf<'_> {
    fn page(&mut self, url: &Url) -> Result<Option<Page>, String> {
        let content = self.neighbours.content(url.as_str());
        self.output.advance();
        let content = content?;
        if !is_page(&content) {
            return Ok(None);
        }
        let there = content.address.clone().unwrap_or_else(|| url.clone());
        let options = self.opener.parse_options(&content);
        let (name, document) = (url.to_string(), Document::from_bytes(content.bytes, &options));
        if !self.quiet {
            let notes = content.notes.iter().cloned().chain(document.notes().iter().map(ToString::to_string));
            self.output.aside(|| notes.for_each(|note| tell(&format!("note: {name}: {note}"))));
        }
        Ok(Some(Page::from_document(name, document).with_url(there)))
    }

    fn asks_servers(&self) -> bool {
        self.neighbours.asks_servers()
    }
}

/// Whether something is a page as far as its server says.
fn is_page(content: &Content) -> bool {
    content.media_type.as_deref().is_none_or(|kind| kind.contains("html") || kind.contains("xml"))
}
