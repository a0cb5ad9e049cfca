//! RSS 2.0, with the self link and the authors in the namespaces that are usual for them.

use super::super::time::rfc2822;
use super::xml::Xml;
use super::{About, Entry};

/// Returns the feed as text.
pub(super) fn write(about: &About, entries: &[Entry]) -> String {
    let mut xml = Xml::new();
    let namespaces = [("xmlns:atom", "http://www.w3.org/2005/Atom"), ("xmlns:dc", "http://purl.org/dc/elements/1.1/")];
    xml.open("rss", &[[("version", "2.0")].as_slice(), &namespaces].concat());
    xml.open("channel", &[]);
    xml.element("title", &[], &about.title);
    // RSS requires a link and a description of the channel.
    let link = about.site_url.as_ref().or(about.self_url.as_ref());
    xml.element("link", &[], link.map_or("http://localhost/", String::as_str));
    xml.element("description", &[], &about.title);
    if let Some(url) = &about.self_url {
        xml.element("atom:link", &[("rel", "self"), ("type", "application/rss+xml"), ("href", url)], "");
    }
    xml.element("lastBuildDate", &[], &rfc2822(&about.updated));
    xml.element("generator", &[], concat!("Windrow ", env!("CARGO_PKG_VERSION")));
    for entry in entries {
        item(&mut xml, entry);
    }
    xml.close("channel");
    xml.close("rss");
    xml.finish()
}

fn item(xml: &mut Xml, entry: &Entry) {
    xml.open("item", &[]);
    xml.element("title", &[], &entry.title);
    if let Some(link) = entry.link.as_ref().or(entry.base.as_ref()) {
        xml.element("link", &[], link);
    }
    let is_link = if entry.link.as_ref() == Some(&entry.id) { "true" } else { "false" };
    xml.element("guid", &[("isPermaLink", is_link)], &entry.id);
    xml.element("pubDate", &[], &rfc2822(&entry.published));
    // The `author` element of RSS must contain an email address.
    if let Some(author) = &entry.author {
        xml.element("dc:creator", &[], author);
    }
    for category in &entry.categories {
        xml.element("category", &[], category);
    }
    match &entry.content {
        Some(content) if entry.is_html => xml.element("description", &[], content),
        // Descriptions are HTML, so plain text is escaped once more.
        Some(content) => xml.element("description", &[], &as_markup(content)),
        None => {}
    }
    xml.close("item");
}

fn as_markup(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}
