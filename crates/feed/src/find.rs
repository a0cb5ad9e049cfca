//! Finds the feeds of a page.
//!
//! A page declares its feeds with `<link rel="alternate">`; older ones only link to them. If there are neither,
//! [`usual_places`] suggests addresses to try. Feeds of comments are included, but come last, since nobody wants them
//! first.

use std::collections::HashSet;

use url::Url;
use windrow_dom::{Document, NodeId, names};

use crate::markup::collapse;
use crate::uri;

/// Largest number of links examined; a page with more is not about a feed.
const MOST_LINKS: usize = 20_000;
/// Largest number of feeds returned.
const MOST: usize = 50;

/// A feed of a page.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Link {
    /// Address; absolute if the page's address or base is.
    pub url: String,
    /// Title given by the page.
    pub title: Option<String>,
    /// Media type given by the page.
    pub media_type: Option<String>,
    /// `true` if the page declares it as its feed, `false` if it only links to something that looks like one.
    pub declared: bool,
    /// `true` if it seems to contain comments rather than posts.
    pub comments: bool,
}

/// Finds the feeds of a page, the most likely first. `base` is the page's address, or empty.
///
/// ```
/// use windrow_dom::Document;
///
/// let page = Document::parse("<link rel=alternate type=application/rss+xml href=/feed/ title=News>");
/// let feeds = windrow_feed::find(&page, "https://farm.example/blog/");
/// assert_eq!(feeds[0].url, "https://farm.example/feed/");
/// ```
pub fn find(page: &Document, base: &str) -> Vec<Link> {
    let own = page.find_html(names::BASE).and_then(|element| page.attr(element, "href"));
    let base = own.map_or_else(|| base.to_owned(), |own| uri::join(base, own));
    let mut found = Vec::new();
    let mut looked = 0;
    for node in page.descendants(page.root()) {
        let link = if page.is_html(node, names::LINK) {
            declared(page, node, &base)
        } else if page.is_html(node, names::A) {
            looked += 1;
            if looked > MOST_LINKS {
                break;
            }
            linked(page, node, &base)
        } else {
            None
        };
        found.extend(link);
    }
    found.sort_by_key(|link: &Link| (link.comments, !link.declared));
    let mut seen = HashSet::new();
    found.retain(|link| seen.insert(link.url.clone()));
    found.truncate(MOST);
    found
}

/// Reads `<link rel="alternate" type="application/rss+xml" href="…">`, or `rel="feed"`.
fn declared(page: &Document, node: NodeId, base: &str) -> Option<Link> {
    let relations = page.attr(node, "rel")?.to_ascii_lowercase();
    let mut relations = relations.split_ascii_whitespace();
    let (mut alternate, mut feed) = (false, false);
    for relation in relations.by_ref() {
        alternate |= relation == "alternate";
        feed |= relation == "feed";
    }
    let media_type = page.attr(node, "type").map(|value| value.trim().to_ascii_lowercase());
    let essence = media_type.as_deref().map(|value| value.split(';').next().unwrap_or_default().trim());
    let href = page.attr(node, "href")?.trim();
    let is_feed = match essence {
        Some("application/rss+xml" | "application/atom+xml" | "application/rdf+xml" | "application/feed+json") => true,
        // Other things are XML or JSON as well: a WordPress page's `wp-json`, an oEmbed.
        Some("text/xml" | "application/xml" | "application/json" | "text/rss" | "text/rss+xml" | "application/rss") => {
            looks_like_feed(href)
        }
        None | Some("") => feed,
        Some(_) => false,
    };
    if href.is_empty() || !(is_feed && (alternate || feed) || feed && essence.is_none()) {
        return None;
    }
    let title = page.attr(node, "title").map(collapse).filter(|title| !title.is_empty());
    Some(link(uri::join(base, href), title, media_type, true))
}

/// Reads an anchor that links to something that looks like a feed.
fn linked(page: &Document, node: NodeId, base: &str) -> Option<Link> {
    let href = page.attr(node, "href")?.trim();
    let address = href.strip_prefix("feed://").map(|rest| format!("http://{rest}"));
    let address = address.as_deref().or_else(|| href.strip_prefix("feed:")).unwrap_or(href);
    let typed = page.attr(node, "type").is_some_and(|value| value.contains("rss+xml") || value.contains("atom+xml"));
    if !(typed || href.starts_with("feed:") || looks_like_feed(address)) {
        return None;
    }
    let url = uri::join(base, address);
    // A service that takes the feed's address as a parameter is not the feed.
    let elsewhere = url.contains("add?") || url.contains("subscribe?") || url.contains("subscribe/");
    if elsewhere || uri::is_absolute(&url) && !uri::is_web(&url) {
        return None;
    }
    let text = collapse(&page.text_content(node));
    let title = if text.is_empty() { page.attr(node, "title").map(collapse) } else { Some(text) };
    Some(link(url, title.filter(|title| !title.is_empty()).map(|title| title.chars().take(200).collect()), None, false))
}

fn link(url: String, title: Option<String>, media_type: Option<String>, declared: bool) -> Link {
    let about = |text: &str| text.to_ascii_lowercase().contains("comment");
    let comments = about(&url) || title.as_deref().is_some_and(about);
    Link { url, title, media_type, declared, comments }
}

/// Returns `true` if an address looks like that of a feed.
fn looks_like_feed(href: &str) -> bool {
    let lower = href.to_ascii_lowercase();
    let lower = lower.split('#').next().unwrap_or_default();
    let (path, query) = lower.split_once('?').unwrap_or((lower, ""));
    let last = path.trim_end_matches('/').rsplit('/').next().unwrap_or_default();
    let (stem, extension) = last.rsplit_once('.').unwrap_or((last, ""));
    let named = |word: &str| matches!(word, "feed" | "feeds" | "rss" | "rss2" | "rss1" | "atom" | "rdf" | "index.rdf");
    matches!(extension, "rss" | "atom" | "rdf")
        || (matches!(extension, "xml" | "json" | "php" | "aspx" | "cgi" | "")
            && (named(stem) || stem == "index" && extension == "xml"))
        || query.split('&').any(|pair| {
            let (name, value) = pair.split_once('=').unwrap_or((pair, ""));
            name == "feed" && (value.is_empty() || named(value))
                || matches!(name, "format" | "type" | "alt") && named(value)
        })
}

/// Returns the addresses at which a site's feed may be if its page does not declare one, the most likely first.
///
/// ```
/// let places = windrow_feed::usual_places(&"https://farm.example/blog/2026/hay.html".parse().unwrap());
/// assert_eq!(places[0].as_str(), "https://farm.example/blog/2026/feed");
/// assert!(places.iter().any(|place| place.as_str() == "https://farm.example/rss.xml"));
/// ```
pub fn usual_places(page: &Url) -> Vec<Url> {
    const PLACES: [&str; 12] = [
        "feed",
        "rss.xml",
        "atom.xml",
        "index.xml",
        "feed.xml",
        "feed.json",
        "rss",
        "index.rdf",
        "feeds/posts/default",
        "atom",
        "?feed=rss2",
        "feed.atom",
    ];
    let mut page = page.clone();
    page.set_fragment(None);
    page.set_query(None);
    let (here, root) = (page.join("."), page.join("/"));
    let mut places: Vec<Url> = Vec::new();
    for folder in [here, root].into_iter().flatten() {
        for place in PLACES.iter().filter_map(|place| folder.join(place).ok()) {
            if matches!(place.scheme(), "http" | "https") && !places.contains(&place) {
                places.push(place);
            }
        }
    }
    places
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(html: &str, expected: &[&str]) {
        let found = find(&Document::parse(html), "https://farm.example/blog/");
        let urls: Vec<&str> = found.iter().map(|link| link.url.as_str()).collect();
        assert_eq!(urls, expected, "{html}");
    }

    #[test]
    fn declared_feeds_come_first_and_comments_last() {
        check(
            "<head><link rel=alternate type=application/rss+xml href=comments/feed/>
             <link rel='ALTERNATE home' type='application/atom+xml; charset=utf-8' href=/atom.xml>
             <link rel=alternate type=application/json href=/wp-json/wp/v2/pages/2>
             <link rel=alternate type=application/feed+json href=feed.json><link rel=feed href=x>
             <body><a href=/rss>RSS</a><a href=/atom.xml>again</a>",
            &[
                "https://farm.example/atom.xml",
                "https://farm.example/blog/feed.json",
                "https://farm.example/blog/x",
                "https://farm.example/rss",
                "https://farm.example/blog/comments/feed/",
            ],
        );
    }

    #[test]
    fn anchors_that_look_like_feeds() {
        check(
            "<a href=index.rdf>x</a><a href='/?feed=rss2'>y</a><a href=feed://other.example/f>z</a><a href=/food.html>no</a>
             <a href=feedback>no</a><a href=/index.html>no</a><a href='https://r.example/add?url=/feed'>no</a><a>no</a>",
            &[
                "https://farm.example/blog/index.rdf",
                "https://farm.example/?feed=rss2",
                "http://other.example/f",
            ],
        );
    }

    #[test]
    fn the_page_may_have_a_base() {
        check(
            "<base href=/other/><link rel=alternate type=application/rss+xml href=rss>",
            &["https://farm.example/other/rss"],
        );
    }
}
