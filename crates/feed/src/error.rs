//! Errors for input that is not a feed.

use crate::find::Link;

/// The reason why the input is not a feed.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error, miette::Diagnostic)]
#[non_exhaustive]
pub enum NotAFeed {
    /// The input is empty.
    #[error("the input is empty, not a feed")]
    #[diagnostic(code(feed::empty))]
    Empty,
    /// The input is an HTML page.
    #[error("this is an HTML page, not a feed")]
    #[diagnostic(code(feed::html), help("{}", html_hint(.feeds)))]
    Html {
        /// Feeds that the page declares or links to.
        feeds: Vec<Link>,
    },
    /// The input is JSON of another kind.
    #[error("this is JSON, but not a JSON Feed")]
    #[diagnostic(code(feed::json), help("a JSON Feed has a `version` and a list `items`"))]
    Json,
    /// The input is XML of another kind.
    #[error("this is XML, but not a feed: it begins with `<{root}>`")]
    #[diagnostic(code(feed::xml), help("{}", xml_hint(.root)))]
    Xml {
        /// Name of the outermost element.
        root: String,
    },
    /// The input is anything else.
    #[error("this is not a feed: it is neither XML nor JSON")]
    #[diagnostic(code(feed::unknown))]
    Unknown,
}

fn html_hint(feeds: &[Link]) -> String {
    match feeds {
        [] => "the page declares no feeds; try /feed, /rss.xml or /atom.xml of the same site".to_owned(),
        [one] => format!("the page's feed is {}", one.url),
        several => {
            let urls: Vec<&str> = several.iter().map(|link| link.url.as_str()).collect();
            format!("the page's feeds are {}", urls.join(", "))
        }
    }
}

fn xml_hint(root: &str) -> &'static str {
    match root.rsplit(':').next().unwrap_or_default().to_ascii_lowercase().as_str() {
        "opml" => "an OPML file lists feeds: give one of the addresses in its `xmlUrl`",
        "urlset" | "sitemapindex" => "a sitemap lists pages, not items",
        _ => "feeds begin with `<rss>`, `<rdf:RDF>`, `<feed>` or `<channel>`",
    }
}
