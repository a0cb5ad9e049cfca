//! The pages of a weblog that its rules are learned from, beside those that are given.
//!
//! The learner says which pages of entries it would like, the most useful first; the home page says which index page
//! comes after it. What is not there is passed over. Live sites are asked a bounded number of times; an archive or a
//! folder may be asked for everything, since not to have a page costs it nothing.

use std::collections::HashSet;

use url::Url;
use windrow::learn::feed;
use windrow::learn::next::{self, Address};
use windrow::{Document, Page};
use windrow_feed::Feed;

use crate::extract::Neighbours;
use crate::output::{Output, Sink};
use crate::pages::{Content, Opener};
use crate::run::tell;

/// Pages of entries that are enough: what all ten have is the template's.
const ENTRY_PAGES: usize = 10;

/// Index pages behind the home page: one shows what changes from page to page, the second that it is no accident.
const INDEX_PAGES: usize = 2;

/// Pages of entries that a site is asked for at most.
const REQUESTS: usize = 20;

/// Requests that fail one after the other until a site is left alone: each may take until its time is out.
const FAILURES: usize = 5;

/// Adds pages to those that are given, the first of which is the home page. If a site was asked for pages of entries and
/// gave none, why not.
pub(super) fn follow(
    feed: &Feed,
    pages: &mut Vec<Page>,
    neighbours: &Neighbours<'_>,
    opener: &Opener<'_>,
    quiet: bool,
) -> Option<String> {
    let site = neighbours.address()?.clone();
    let known = pages.iter().filter_map(address).map(Address::new).collect();
    let output = Output::new(Sink::Standard, None, quiet);
    let mut gatherer = Gatherer { site: Address::new(&site), known, neighbours, opener, output, quiet };
    let refused = gatherer.entries(feed, pages);
    gatherer.index_pages(&site, pages);
    refused
}

struct Gatherer<'a> {
    site: Address,
    /// The pages that are here, and those that were asked for.
    known: HashSet<Address>,
    neighbours: &'a Neighbours<'a>,
    opener: &'a Opener<'a>,
    output: Output,
    quiet: bool,
}

impl Gatherer<'_> {
    /// Adds pages of entries, until there are enough.
    fn entries(&mut self, feed: &Feed, pages: &mut Vec<Page>) -> Option<String> {
        let wanted = feed::wanted(&feed.items, &pages[0]);
        let home = address(&pages[0]).map(Address::new);
        let given: HashSet<Address> = pages.iter().filter_map(address).map(Address::new).collect();
        let is_given = |url: &&Url| Some(Address::new(url)) != home && given.contains(&Address::new(url));
        let mut had = wanted.iter().filter(is_given).count();
        let (mut requests, mut failures, mut refused) = (0, 0, None);
        for url in wanted {
            let spent = self.neighbours.asks_servers() && (requests == REQUESTS || failures == FAILURES);
            if had >= ENTRY_PAGES || spent {
                break;
            }
            // What other sites show has other templates; an aggregator's items are all of that kind.
            if !self.is_here(&url) || !self.known.insert(Address::new(&url)) {
                continue;
            }
            requests += 1;
            match self.page(&url) {
                Ok(page) => {
                    failures = 0;
                    had += usize::from(page.is_some());
                    pages.extend(page);
                }
                Err(why) => {
                    failures += 1;
                    refused.get_or_insert(why);
                }
            }
        }
        // That a folder or an archive has none is no failure.
        refused.filter(|_| had == 0 && self.neighbours.asks_servers())
    }

    /// Adds the index pages behind the home page, each from the one before.
    fn index_pages(&mut self, site: &Url, pages: &mut Vec<Page>) {
        let mut at = 0;
        for _ in 0..INDEX_PAGES {
            let own = pages[at].url().unwrap_or(site);
            let Some(next) = next::page(pages[at].document(), own) else { return };
            let there = Address::new(&next.url);
            if !self.is_here(&next.url) {
                return;
            }
            if let Some(given) = pages.iter().position(|page| address(page).is_some_and(|it| Address::new(it) == there))
            {
                at = given;
                continue;
            }
            if !self.known.insert(there) {
                return;
            }
            let Ok(Some(page)) = self.page(&next.url) else { return };
            pages.push(page);
            at = pages.len() - 1;
        }
    }

    /// Whether an address is one of this site.
    fn is_here(&self, url: &Url) -> bool {
        Address::new(url).site == self.site.site
    }

    /// The page at an address; none if that leads to one that is here already, to another site, or to what is no page.
    fn page(&mut self, url: &Url) -> Result<Option<Page>, String> {
        let content = self.neighbours.content(url.as_str());
        self.output.advance();
        let content = content?;
        let there = content.address.clone().unwrap_or_else(|| url.clone());
        let is_new = Address::new(&there) == Address::new(url) || self.known.insert(Address::new(&there));
        if !is_new || !self.is_here(&there) || !is_page(&content) {
            return Ok(None);
        }
        let options = self.opener.options(&content);
        let (name, document) = (url.to_string(), Document::from_bytes(content.bytes, &options));
        if !self.quiet {
            let notes = content.notes.iter().cloned().chain(document.notes().iter().map(ToString::to_string));
            self.output.aside(|| notes.for_each(|note| tell(&format!("note: {name}: {note}"))));
        }
        Ok(Some(Page::from_document(name, document).with_url(there)))
    }
}

/// Whether something is a page as far as its server says.
fn is_page(content: &Content) -> bool {
    content.media_type.as_deref().is_none_or(|kind| kind.contains("html") || kind.contains("xml"))
}

/// Where a page is: what it was read from, or what it says itself.
fn address(page: &Page) -> Option<&Url> {
    page.url().or_else(|| page.base())
}
