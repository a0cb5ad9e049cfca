//! Errors for input that is not a feed.

use crate::find::Link;

/// The reason why the input is not a feed.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error, miette::Diagnostic)]
#[non_exhaustive]
pub enum NotAFeed {
    /// The input is empty.
    #[error("this is empty, and no feed")]
    #[diagnostic(code(feed::empty))]
    Empty,
    /// The input is an HTML page.
    #[error("this is an HTML page, and no feed")]
    #[diagnostic(code(feed::html), help("{}", html_hint(.feeds)))]
    Html {
        /// Feeds that the page declares or links to.
        feeds: Vec<Link>,
    },
    /// The input is JSON of another kind.
    #[error("this is JSON, but no JSON Feed")]
    #[diagnostic(code(feed::json), help("a JSON Feed has a `version` and a list `items`"))]
    Json,
    /// The input is XML of another kind.
    #[error("this is XML, but no feed: it begins with `<{root}>`")]
    #[diagnostic(code(feed::xml), help("{}", xml_hint(.root)))]
    Xml {
        /// Name of the outermost element.
        root: String,
    },
    /// The input is anything else.
    #[error("this is no feed, and neither XML nor JSON")]
    #[diagnostic(code(feed::unknown))]
    Unknown,
}

fn html_hint(feeds: &[Link]) -> String {
    match feeds {
        [] => "it names no feeds; /feed, /rss.xml or /atom.xml of the same site are usual places".to_owned(),
        [one] => format!("its feed is {}", one.url),
        several => {
            let urls: Vec<&str> = several.iter().map(|link| link.url.as_str()).collect();
            format!("its feeds are {}", urls.join(", "))
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
