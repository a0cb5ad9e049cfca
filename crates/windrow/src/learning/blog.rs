//! A weblog's feed and its home page, either of which may tell the other.
//!
//! The option's value may be the feed or the home page: what it is, its content says. A page that is given without a feed
//! is asked for it, as `windrow feed` does; a feed that is given without a page tells the page that it is the feed of.

use crate::feed::{Feed, NotAFeed};
use crate::learn::feed::Error;
use crate::{Document, Page};
use miette::{Diagnostic, Report};
use url::Url;

use crate::feeds::{self, UnreadFeed};
use crate::monitor::{Monitor, Reports};
use crate::neighbours::Neighbours;
use crate::open::{self, Content, Opener, PageError, Source};

/// The evidence of a weblog.
pub(super) struct Blog {
    pub(super) feed: Feed,
    /// Name of the feed: as given, or its address.
    pub(super) name: String,
    /// Place of the home page.
    pub(super) home: Source,
    /// The home page, then the others that were given.
    pub(super) pages: Vec<Page>,
}

/// Why there is no feed.
#[derive(Debug, thiserror::Error, Diagnostic)]
enum FeedError {
    #[error("no feed of `{page}` can be found")]
    #[diagnostic(code(learn::no_feed), help("{hint}: give it with --feed FEED"))]
    None { page: String, hint: String },
    #[error("`{name}` may be several files, and a feed is one")]
    #[diagnostic(code(learn::several_feeds), help("give the feed's own file or address"))]
    Several { name: String },
}

/// Reads a weblog. `named` is its feed, unless it is to be found; `given` are arguments that mean pages.
pub(super) fn read(
    given: &[String],
    named: Option<&str>,
    opener: &Opener,
    threads: usize,
    monitor: &dyn Monitor,
) -> Result<Blog, Reports> {
    let feed_content = named.map(|name| content(name, given, opener)).transpose()?;
    let mut pages = super::read(given, opener, threads, monitor)?;
    let mut feed = None;
    if let Some((source, content)) = feed_content {
        // The links of a saved feed are those of the site.
        let base = pages.first().and_then(|(_, page)| page.base()).filter(|_| content.address.is_none());
        match feeds::parse(&content, opener.charset(), base.map(Url::as_str)) {
            Ok(read) => feed = Some((source, read)),
            Err(NotAFeed::Html { .. }) => {
                pages.retain(|(other, _)| other.name() != source.name());
                let page = page(source.name(), content, opener, monitor);
                pages.insert(0, (source, page));
            }
            Err(cause) => return Err(UnreadFeed { name: source.name(), cause }.into()),
        }
    }
    if let (true, Some((source, feed))) = (pages.is_empty(), &feed) {
        pages.extend(home(source, feed, opener, monitor));
    }
    if pages.is_empty() {
        return Err(Error::NoPage.into());
    }
    let (name, feed) = match feed {
        Some((source, feed)) => (source.name(), feed),
        None => {
            let (source, page) = &pages[0];
            let (name, feed) = discover(source, page, opener)?;
            let count = feed.items.len();
            monitor.note(&format!("note: the feed is {name} ({}, {count} items)", feed.format));
            (name, feed)
        }
    };
    feed.notes.iter().for_each(|note| monitor.note(&format!("note: {name}: {note}")));
    let home = pages[0].0.clone();
    Ok(Blog { feed, name, home, pages: pages.into_iter().map(|(_, page)| page).collect() })
}

/// Returns the address of a home page: its own, the one it declares, or the one its feed names.
pub(super) fn address(home: &Page, feed: &Feed) -> Option<Url> {
    home.url().or_else(|| home.base()).cloned().or_else(|| link(feed)).filter(is_web)
}

/// Opens the feed that the option names.
fn content(name: &str, pages: &[String], opener: &Opener) -> Result<(Source, Content), Report> {
    if name == "-" && pages.iter().any(|page| page == "-") {
        return Err(PageError::StandardTwice.into());
    }
    if open::is_several(name) {
        return Err(FeedError::Several { name: name.to_owned() }.into());
    }
    let source = opener.find(&[name.to_owned()]).next();
    let source = source.unwrap_or_else(|| Ok(Source::File(name.into())))?;
    let content = opener.content(&source)?;
    Ok((source, content))
}

/// The page that a feed says it is the feed of, if that can be had.
fn home(source: &Source, feed: &Feed, opener: &Opener, monitor: &dyn Monitor) -> Option<(Source, Page)> {
    let url = link(feed)?;
    let content = Neighbours::new(source, None, Some(url.clone()), true, opener).content(url.as_str()).ok()?;
    monitor.note(&format!("note: the home page is {url}, as the feed says"));
    // A saved feed has its saved pages beside it.
    let place = if matches!(source, Source::File(_)) { source.clone() } else { Source::Url(url.clone()) };
    Some((place, page(url.to_string(), content, opener, monitor)))
}

/// The feed of a page: what it names, or what is in the usual places.
fn discover(source: &Source, home: &Page, opener: &Opener) -> Result<(String, Feed), FeedError> {
    let address = home.url().or_else(|| home.base()).cloned();
    let base = address.as_ref().map(Url::as_str).unwrap_or_default();
    let mut named = crate::feed::find(home.document(), base);
    // Comments are no entries.
    named.retain(|link| !link.comments);
    let neighbours = Neighbours::new(source, None, address.clone(), true, opener);
    let found = feeds::places(&named, address.as_ref()).into_iter().find_map(|place| {
        let mut content = neighbours.content(&place).ok()?;
        // Where a copy is saved says nothing about where the feed's links lead.
        content.address = content.address.filter(is_web);
        let feed = feeds::parse(&content, opener.charset(), None).ok()?;
        (!feed.items.is_empty()).then(|| (content.address.map_or(place, String::from), feed))
    });
    found.ok_or_else(|| {
        let hint = match named.first() {
            Some(first) if !neighbours.fetches() => format!("it names {}, of which no copy is saved", first.url),
            Some(first) => format!("it names {}, which is none or cannot be had", first.url),
            None if neighbours.fetches() && address.is_some() => {
                "it names none, and there is none in the usual places, /feed and its like".to_owned()
            }
            None => "it names none".to_owned(),
        };
        FeedError::None { page: home.name().to_owned(), hint }
    })
}

fn page(name: String, content: Content, opener: &Opener, monitor: &dyn Monitor) -> Page {
    let options = opener.parse_options(&content);
    let document = Document::from_bytes(content.bytes, &options);
    super::made(open::Page { name, document, address: content.address }, monitor)
}

fn link(feed: &Feed) -> Option<Url> {
    feed.link.as_ref().and_then(|link| Url::parse(link).ok()).filter(is_web)
}

fn is_web(url: &Url) -> bool {
    matches!(url.scheme(), "http" | "https")
}
