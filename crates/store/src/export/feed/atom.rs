//! Atom, RFC 4287.

use super::super::time::rfc3339;
use super::xml::Xml;
use super::{About, Entry};

/// Returns the feed as text.
pub(super) fn write(about: &About, entries: &[Entry]) -> String {
    let mut xml = Xml::new();
    xml.open("feed", &[("xmlns", "http://www.w3.org/2005/Atom")]);
    xml.element("id", &[], &about.id);
    xml.element("title", &[], &about.title);
    xml.element("updated", &[], &rfc3339(&about.updated));
    // Entries without an author need the feed to have one.
    author(&mut xml, &about.title);
    if let Some(url) = &about.self_url {
        xml.element("link", &[("rel", "self"), ("type", "application/atom+xml"), ("href", url)], "");
    }
    if let Some(url) = &about.site_url {
        xml.element("link", &[("rel", "alternate"), ("href", url)], "");
    }
    xml.element("generator", &[("version", env!("CARGO_PKG_VERSION"))], "Windrow");
    for entry in entries {
        self::entry(&mut xml, entry);
    }
    xml.close("feed");
    xml.finish()
}

fn entry(xml: &mut Xml, entry: &Entry) {
    xml.open("entry", &[]);
    xml.element("id", &[], &entry.id);
    xml.element("title", &[], &entry.title);
    xml.element("published", &[], &rfc3339(&entry.published));
    xml.element("updated", &[], &rfc3339(&entry.updated));
    if let Some(link) = entry.link.as_ref().or(entry.base.as_ref()) {
        xml.element("link", &[("rel", "alternate"), ("href", link)], "");
    }
    if let Some(name) = &entry.author {
        author(xml, name);
    }
    for category in &entry.categories {
        xml.element("category", &[("term", category)], "");
    }
    match (&entry.content, &entry.base) {
        (Some(content), Some(base)) if entry.is_html => {
            xml.element("content", &[("type", "html"), ("xml:base", base)], content);
        }
        (Some(content), _) => {
            let kind = if entry.is_html { "html" } else { "text" };
            xml.element("content", &[("type", kind)], content);
        }
        // An entry needs a link or content.
        (None, _) => xml.element("content", &[("type", "text")], &entry.title),
    }
    xml.close("entry");
}

fn author(xml: &mut Xml, name: &str) {
    xml.open("author", &[]);
    xml.element("name", &[], name);
    xml.close("author");
}
