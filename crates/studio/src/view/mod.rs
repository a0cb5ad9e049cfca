//! A page as it looks, and nothing that it does.
//!
//! The document is written anew, not filtered as text: only what is known to be harmless is written. Scripts, frames,
//! plug-ins, handlers and everything that leads somewhere is left out; images, styles and fonts lead to [`crate::assets`].
//! Every element has its number as `data-w`. What is left out leaves an empty comment, so that the texts around it stay
//! two and can be counted.
//!
//! This is one of three walls (see the crate's documentation), and does not rely on the browser's building the same tree
//! from what is written: nothing harmful is written at any place, so it does not matter where it ends up.
//!
//! One pass over the nodes; styles are scanned once.

mod css;
mod names;

use url::Url;
use windrow::dom::Namespace;
use windrow::{Document, NodeId, NodeKind};

pub(crate) use self::css::rewrite as rewrite_css;
use self::names::{Fate, attribute_is_kept, fate, is_plain};

/// The attribute that has an element's number.
const NUMBER: &str = "data-w";

/// Where a page's addresses lead in the view.
#[derive(Debug, Clone)]
pub(crate) struct Links {
    /// What relative addresses are relative to.
    pub(crate) base: Option<Url>,
    /// The address of the page's assets, up to the asset's own.
    pub(crate) assets: String,
}

impl Links {
    /// Where an image, a style or a font is had from; none if it cannot be had.
    pub(crate) fn asset(&self, address: &str) -> Option<String> {
        let address = address.trim();
        if address.is_empty() || address.starts_with('#') {
            return None;
        }
        let url = match Url::parse(address) {
            Ok(url) => url,
            Err(_) => self.base.as_ref()?.join(address).ok()?,
        };
        match url.scheme() {
            "http" | "https" | "file" => {
                let quoted: String = url::form_urlencoded::byte_serialize(url.as_str().as_bytes()).collect();
                Some(format!("{}?u={quoted}", self.assets))
            }
            // Pictures that are in the page itself; a browser runs no script in an image.
            "data" => {
                let kind = url.path().split([';', ',']).next().unwrap_or_default().trim().to_ascii_lowercase();
                let harmless = kind.starts_with("image/") || kind.starts_with("font/") || kind.contains("font");
                harmless.then(|| address.to_owned())
            }
            _ => None,
        }
    }
}

/// Writes the view of a page. `script`: what runs in it, with the nonce that lets it.
pub(crate) fn write(document: &Document, links: &Links, script: &str, nonce: &str) -> String {
    let mut view = View { document, links, out: String::with_capacity(document.source().len() * 5 / 4) };
    view.out.push_str(match document.quirks() {
        // The browser must lay out the page as it would the original.
        windrow::dom::QuirksMode::Full => "",
        _ => "<!DOCTYPE html>",
    });
    view.nodes(document.root());
    view.out.push_str("\n<script nonce=\"");
    view.out.push_str(nonce);
    view.out.push_str("\">");
    view.out.push_str(script);
    view.out.push_str("</script>\n");
    view.out
}

struct View<'d> {
    document: &'d Document,
    links: &'d Links,
    out: String,
}

/// What to do next, last first.
enum Work {
    Nodes(usize, usize),
    EndTag(&'static str),
    EndOf(NodeId),
}

impl View<'_> {
    /// Writes what is below a node. Depth is the page's to choose, so nothing here recurses.
    fn nodes(&mut self, root: NodeId) {
        let document = self.document;
        let mut work = vec![Work::Nodes(root.index() + 1, document.subtree_end(root).index())];
        while let Some(task) = work.pop() {
            let (at, end) = match task {
                Work::EndTag(name) => {
                    self.end_tag(name);
                    continue;
                }
                Work::EndOf(id) => {
                    self.end_tag(document.name(id).unwrap_or_default());
                    continue;
                }
                Work::Nodes(at, end) if at >= end => continue,
                Work::Nodes(at, end) => (at, end),
            };
            let id = NodeId::from_index(at);
            let after = document.subtree_end(id).index();
            work.push(Work::Nodes(after, end));
            match document.kind(id) {
                NodeKind::Text => escape(document.text(id), &mut self.out),
                NodeKind::Element => self.element(id, after, &mut work),
                NodeKind::Comment | NodeKind::Doctype => self.gap(),
                NodeKind::Document | NodeKind::Fragment => {}
            }
        }
    }

    fn element(&mut self, id: NodeId, after: usize, work: &mut Vec<Work>) {
        let document = self.document;
        let html = document.namespace(id) == Namespace::Html;
        let name = document.name(id).unwrap_or_default();
        match fate(document, id, name, html) {
            Fate::Drop => self.gap(),
            Fate::Keep if html && names::is_void(name) => self.start_tag(id, name),
            Fate::Keep => {
                self.start_tag(id, name);
                if matches!(name, "pre" | "textarea" | "listing") {
                    // Browsers drop the first line feed.
                    self.out.push('\n');
                }
                work.push(Work::EndOf(id));
                work.push(Work::Nodes(id.index() + 1, after));
            }
            Fate::Rename(other) => {
                self.start_tag(id, other);
                work.push(Work::EndTag(other));
                work.push(Work::Nodes(id.index() + 1, after));
            }
            Fate::Empty(other) => {
                self.start_tag(id, other);
                self.end_tag(other);
            }
            Fate::Style => {
                self.start_tag(id, "style");
                let text = windrow::Node::node(id).string_value(document);
                let css = css::rewrite(&text, self.links);
                // In HTML it is raw, elsewhere it is text: what is harmless as both is written.
                self.out.push_str(&css);
                self.end_tag("style");
            }
        }
    }

    fn start_tag(&mut self, id: NodeId, name: &str) {
        self.out.push('<');
        self.out.push_str(name);
        self.attribute(NUMBER, &id.index().to_string());
        let document = self.document;
        let mut source = None;
        for attr in document.attrs(id) {
            let (key, value) = (attr.name(), attr.value());
            match key {
                "style" => {
                    let css = css::rewrite(value, self.links);
                    self.attribute("style", &css);
                }
                // Links stay links to the eye.
                "href" | "xlink:href" if matches!(name, "a" | "area") => self.attribute("href", "#"),
                "href" if name == "link" => self.asset("href", value),
                // What is drawn again inside a drawing is named by its id.
                "href" | "xlink:href" if value.trim_start().starts_with('#') => self.attribute("href", value),
                "href" | "xlink:href" if name == "image" => self.asset("href", value),
                "src" if matches!(name, "img" | "input") => source = Some(value),
                "srcset" if matches!(name, "img" | "source") => self.candidates(value),
                "poster" if name == "video" => self.asset("poster", value),
                "background" if document.namespace(id) == Namespace::Html => self.asset("background", value),
                // Names of these hide what the page's object has by itself from our script.
                "name" if matches!(name, "img" | "form") => {}
                _ if attribute_is_kept(key) => self.attribute(key, value),
                _ => {}
            }
        }
        if name == "img" || name == "input" {
            self.image(id, source);
        }
        self.out.push('>');
    }

    /// The image of an element; scripts that would load it later do not run, so what they would load is taken.
    fn image(&mut self, id: NodeId, source: Option<&str>) {
        let is_stand_in = |source: &str| source.trim().is_empty() || source.trim_start().starts_with("data:");
        let later = ["data-src", "data-original", "data-lazy-src", "data-lazy"];
        let later = later.iter().find_map(|name| self.document.attr(id, name)).filter(|later| !later.trim().is_empty());
        let source = match (source, later) {
            (source, Some(later)) if source.is_none_or(is_stand_in) => Some(later),
            (source, _) => source,
        };
        if let Some(source) = source {
            self.asset("src", source);
        }
    }

    /// The images that a browser may choose from.
    fn candidates(&mut self, value: &str) {
        let all = value.split(',').filter_map(|one| {
            let mut words = one.split_ascii_whitespace();
            let address = self.links.asset(words.next()?)?;
            // A `data:` address has a comma in it; what is left of it after the split is none.
            let size = words.next().unwrap_or_default();
            (!address.starts_with("data:")).then(|| format!("{address} {size}"))
        });
        let all: Vec<String> = all.collect();
        if !all.is_empty() {
            self.attribute("srcset", &all.join(", "));
        }
    }

    fn asset(&mut self, name: &str, value: &str) {
        if let Some(address) = self.links.asset(value) {
            self.attribute(name, &address);
        }
    }

    fn attribute(&mut self, name: &str, value: &str) {
        self.out.push(' ');
        self.out.push_str(name);
        self.out.push_str("=\"");
        escape(value, &mut self.out);
        self.out.push('"');
    }

    fn end_tag(&mut self, name: &str) {
        if is_plain(name) {
            self.out.push_str("</");
            self.out.push_str(name);
            self.out.push('>');
        }
    }

    /// Something was here: the texts before and behind it are two.
    fn gap(&mut self) {
        self.out.push_str("<!---->");
    }
}

fn escape(text: &str, out: &mut String) {
    let mut rest = text;
    while let Some(at) = rest.find(['&', '<', '>', '"', '\r', '\0']) {
        out.push_str(&rest[..at]);
        let found = rest.as_bytes()[at];
        out.push_str(match found {
            b'&' => "&amp;",
            b'<' => "&lt;",
            b'>' => "&gt;",
            b'"' => "&quot;",
            b'\r' => "&#13;",
            _ => "\u{FFFD}",
        });
        rest = &rest[at + 1..];
    }
    out.push_str(rest);
}

#[cfg(test)]
mod tests;
