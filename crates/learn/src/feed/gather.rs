//! The pages of a weblog that its rules are learned from, beside those that are given.
//!
//! The learner says which pages of entries it would like, the most useful first ([`wanted`](super::wanted)); the home page
//! says which index page comes after it. What is not there is passed over. Who has the pages is asked for one at a time, and
//! a server a bounded number of times; an archive or a folder may be asked for everything, since not to have a page costs it
//! nothing.

use std::collections::HashSet;

use url::Url;
use windrow_feed::Item;
use windrow_wrapper::Page;

use super::wanted;
use crate::next::{self, Address};

/// Pages of entries that are enough: what all ten have is the template's.
const ENTRY_PAGES: usize = 10;

/// Index pages behind the home page: one shows what changes from page to page, the second that it is no accident.
const INDEX_PAGES: usize = 2;

/// Pages of entries that a site is asked for at most.
const REQUESTS: usize = 20;

/// Requests that fail one after the other until a site is left alone: each may take until its time is out.
const FAILURES: usize = 5;

/// Who has the pages of a site.
pub trait Library {
    /// The page at an address, under the address where it was found; none if what is there is no page. An error says why it
    /// cannot be had.
    fn page(&mut self, url: &Url) -> Result<Option<Page>, String>;

    /// Whether servers are asked, so that each page costs them something.
    fn asks_servers(&self) -> bool;
}

/// Adds pages to those that are given, the first of which is the home page at `site`. If servers were asked for pages of
/// entries and gave none, why not.
pub fn gather(items: &[Item], site: &Url, pages: &mut Vec<Page>, library: &mut dyn Library) -> Option<String> {
    let known = pages.iter().filter_map(address).map(Address::new).collect();
    let mut gatherer = Gatherer { site: Address::new(site), known, library };
    let refused = gatherer.entries(items, pages);
    gatherer.index_pages(site, pages);
    refused
}

struct Gatherer<'a> {
    site: Address,
    /// The pages that are here, and those that were asked for.
    known: HashSet<Address>,
    library: &'a mut dyn Library,
}

impl Gatherer<'_> {
    /// Adds pages of entries, until there are enough.
    fn entries(&mut self, items: &[Item], pages: &mut Vec<Page>) -> Option<String> {
        let wanted = wanted(items, pages.first()?);
        let home = address(pages.first()?).map(Address::new);
        let given: HashSet<Address> = pages.iter().filter_map(address).map(Address::new).collect();
        let is_given = |url: &&Url| Some(Address::new(url)) != home && given.contains(&Address::new(url));
        let mut had = wanted.iter().filter(is_given).count();
        let (mut requests, mut failures, mut refused) = (0, 0, None);
        for url in wanted {
            let spent = self.library.asks_servers() && (requests == REQUESTS || failures == FAILURES);
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
        refused.filter(|_| had == 0 && self.library.asks_servers())
    }

    /// Adds the index pages behind the home page, each from the one before.
    fn index_pages(&mut self, site: &Url, pages: &mut Vec<Page>) {
        let mut at = 0;
        for _ in 0..INDEX_PAGES {
            let Some(page) = pages.get(at) else { return };
            let own = page.url().unwrap_or(site);
            let Some(next) = next::page(page.document(), own) else { return };
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

    /// Asks the library for a page. A server redirects from one spelling of an address to another; an archive or a folder
    /// knows each page by one spelling, so it is asked for the others, too.
    fn spelled(&mut self, url: &Url) -> Result<Option<Page>, String> {
        let found = self.library.page(url);
        if self.library.asks_servers() || matches!(found, Ok(Some(_))) {
            return found;
        }
        for other in spellings(url) {
            if let Ok(Some(page)) = self.library.page(&other) {
                return Ok(Some(page));
            }
        }
        found
    }

    /// Whether an address is one of this site.
    fn is_here(&self, url: &Url) -> bool {
        Address::new(url).site == self.site.site
    }

    /// The page at an address; none if that leads to one that is here already, to another site, or to what is no page.
    fn page(&mut self, url: &Url) -> Result<Option<Page>, String> {
        let Some(page) = self.spelled(url)? else { return Ok(None) };
        let there = page.url().unwrap_or(url).clone();
        let is_new = Address::new(&there) == Address::new(url) || self.known.insert(Address::new(&there));
        Ok(Some(page).filter(|_| is_new && self.is_here(&there)))
    }
}

/// Other spellings of an address that usually lead to the same page: with and without a last slash, `index.html`, `www.`,
/// by HTTP and by HTTPS.
fn spellings(url: &Url) -> Vec<Url> {
    let path = url.path();
    let bare = path.strip_suffix("/index.html").unwrap_or(path).trim_end_matches('/');
    let paths = [path.to_owned(), bare.to_owned(), format!("{bare}/"), format!("{bare}/index.html")];
    let host = url.host_str().unwrap_or_default();
    let hosts = [host.to_owned(), host.strip_prefix("www.").map_or_else(|| format!("www.{host}"), str::to_owned)];
    let mut all = vec![url.clone()];
    for scheme in [url.scheme(), if url.scheme() == "http" { "https" } else { "http" }] {
        for host in &hosts {
            for path in &paths {
                let mut other = url.clone();
                other.set_path(path);
                // An address of numbers has no `www.`.
                let spelled = other.set_scheme(scheme).is_ok() && other.set_host(Some(host)).is_ok();
                if spelled && !all.contains(&other) {
                    all.push(other);
                }
            }
        }
    }
    all.split_off(1)
}

/// Where a page is: what it was read from, or what it says itself.
fn address(page: &Page) -> Option<&Url> {
    page.url().or_else(|| page.base())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// An archive that knows one address.
    struct Archive(&'static str);

    impl Library for Archive {
        fn page(&mut self, url: &Url) -> Result<Option<Page>, String> {
            let page = Page::from_text("entry", "<h1>Rain</h1>").with_url(url.clone());
            Ok(Some(page).filter(|_| url.as_str() == self.0))
        }

        fn asks_servers(&self) -> bool {
            false
        }
    }

    #[test]
    fn archives_are_asked_for_every_usual_spelling() {
        let asked = Url::parse("https://meadow.example/2013/rain/index.html").unwrap();
        for known in [
            "https://meadow.example/2013/rain/index.html",
            "https://meadow.example/2013/rain/",
            "https://meadow.example/2013/rain",
            "http://meadow.example/2013/rain/",
            "http://www.meadow.example/2013/rain",
        ] {
            let mut archive = Archive(known);
            let site = Address::new(&asked);
            let mut gatherer = Gatherer { site, known: HashSet::new(), library: &mut archive };
            let page = gatherer.page(&asked).unwrap().unwrap();
            assert_eq!(page.url().map(Url::as_str), Some(known));
        }
    }
}
