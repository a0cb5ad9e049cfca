//! Reads a feed from bytes: determines its kind and calls the reader for it.

use windrow_dom::Document;

use crate::build::Builder;
use crate::encoding;
use crate::error::NotAFeed;
use crate::find;
use crate::json;
use crate::model::{Feed, Note};
use crate::xml::{Event, Reader};

/// Information about a feed besides its bytes.
#[derive(Debug, Clone, Default)]
#[non_exhaustive]
pub struct Options {
    /// Charset from the transport's `Content-Type`. The bytes may overrule it.
    pub charset: Option<String>,
    /// Charset to use regardless of all declarations.
    pub forced_charset: Option<String>,
    /// Address of the feed, for resolving relative links.
    pub base: Option<String>,
}

impl Options {
    /// Creates options without any information.
    pub fn new() -> Options {
        Options::default()
    }

    /// Sets the charset of the transport.
    #[must_use]
    pub fn with_charset(mut self, charset: impl Into<String>) -> Options {
        self.charset = Some(charset.into());
        self
    }

    /// Sets the feed's address.
    #[must_use]
    pub fn with_base(mut self, base: impl Into<String>) -> Options {
        self.base = Some(base.into());
        self
    }
}

/// Reads a feed of any format. Damage is listed in its notes.
///
/// # Errors
///
/// Returns an error if the input is not a feed at all.
pub fn parse(bytes: &[u8], options: &Options) -> Result<Feed, NotAFeed> {
    let mut notes = Vec::new();
    let text = encoding::decode(bytes, options.forced_charset.as_deref(), options.charset.as_deref(), &mut notes);
    let base = options.base.as_deref().unwrap_or_default();
    let start = text.trim_start_matches(|c: char| c.is_whitespace() || c == '\u{feff}' || c == '\0');
    if start.is_empty() {
        return Err(NotAFeed::Empty);
    }
    let mut feed = if start.starts_with(['{', '[']) {
        // A bracket may also be text before XML: `[warning] …`.
        json::parse(start, base).or_else(|not_json| {
            xml(start, base).map_err(|_| if json::is_json(start) { not_json } else { NotAFeed::Unknown })
        })?
    } else {
        xml(start, base)?
    };
    notes.append(&mut feed.notes);
    feed.notes = notes;
    Ok(feed)
}

fn xml(text: &str, base: &str) -> Result<Feed, NotAFeed> {
    let mut reader = Reader::new(text);
    let mut builder = Builder::new(base);
    while let Some(event) = reader.next() {
        match event {
            Event::Start { name, empty } => {
                builder.start(name, &reader.attributes);
                if empty {
                    builder.end_empty();
                }
            }
            Event::End { name } => builder.end(name),
            Event::Text(text) => builder.text(&text),
            Event::Netscape => builder.netscape(),
        }
        // A page may be large, and all of it would be read as if it were a feed.
        if builder.is_html() {
            break;
        }
    }
    if let Some(feed) = builder.finish(&reader) {
        return Ok(with_junk(feed, text));
    }
    let root = first_element(text);
    if is_page(text, root.as_deref()) {
        let page = Document::parse(text);
        return Err(NotAFeed::Html { feeds: find::find(&page, base) });
    }
    match root {
        Some(root) => Err(NotAFeed::Xml { root }),
        None => Err(NotAFeed::Unknown),
    }
}

/// Adds a note about content before the first tag.
fn with_junk(mut feed: Feed, text: &str) -> Feed {
    let bytes = text.find('<').unwrap_or(0);
    if bytes > 0 {
        feed.notes.insert(0, Note::LeadingJunk { bytes });
    }
    feed
}

/// Returns `true` if a text that is not a feed is an HTML page, by its document type or its first element.
fn is_page(text: &str, root: Option<&str>) -> bool {
    let page =
        ["html", "head", "body", "div", "p", "meta", "title", "table", "h1", "a", "ul", "script", "link", "center"];
    let root = root.map(|root| root.rsplit(':').next().unwrap_or(root).to_ascii_lowercase());
    let start: String = text.chars().take(14).collect();
    root.is_some_and(|root| page.contains(&root.as_str())) || start.eq_ignore_ascii_case("<!doctype html")
}

fn first_element(text: &str) -> Option<String> {
    let mut reader = Reader::new(text);
    while let Some(event) = reader.next() {
        if let Event::Start { name, .. } = event {
            return Some(name.chars().take(60).collect());
        }
    }
    None
}
