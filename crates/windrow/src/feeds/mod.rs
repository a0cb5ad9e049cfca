//! Feeds: read from opened content, and the places where the feed of a page may be.

pub mod render;

use url::Url;

use crate::feed::{Feed, Link, NotAFeed, Options};
use crate::open::Content;

/// A feed that cannot be read, with its name.
#[derive(Debug, thiserror::Error, miette::Diagnostic)]
#[error("cannot read `{name}`: {cause}")]
#[diagnostic(forward(cause))]
pub struct UnreadFeed {
    /// The feed.
    pub name: String,
    /// Reason.
    pub cause: NotAFeed,
}

/// Reads a feed, whose links are relative to `base`, or else to where it is. A charset overrules what it declares.
///
/// # Errors
///
/// The content is not a feed.
pub fn parse(content: &Content, charset: Option<&str>, base: Option<&str>) -> Result<Feed, NotAFeed> {
    let mut options = Options::new();
    options.charset.clone_from(&content.charset);
    options.forced_charset = charset.map(str::to_owned);
    options.base = base.map(str::to_owned).or_else(|| content.address.as_ref().map(Url::to_string));
    windrow_feed::parse(&content.bytes, &options)
}

/// Returns where the feed of a page may be: what it names, the likeliest first, then the usual places.
pub fn places(named: &[Link], page: Option<&Url>) -> Vec<String> {
    let usual = page.map(windrow_feed::usual_places).unwrap_or_default();
    named.iter().map(|link| link.url.clone()).chain(usual.iter().map(Url::to_string)).collect()
}
