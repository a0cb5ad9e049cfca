//! The view of a page: its looks without its behaviour.
//!
//! The document is written from its tree and not filtered as text: only parts that are known to be harmless are
//! written. Scripts, frames, plug-ins, event handlers and link targets are left out; images, style sheets and fonts
//! lead to [`crate::assets`]. Every element has its number in `data-w`. Omitted nodes leave an empty comment, so that
//! the texts around them stay separate and can be counted.
//!
//! This is one of three layers of protection (see the crate's documentation). It does not rely on the browser building
//! the same tree from the output: nothing harmful is written anywhere, so it does not matter where it ends up.
//!
//! One pass over the nodes; style sheets are scanned once.

mod css;
mod names;

use url::Url;
use windrow::dom::Namespace;
use windrow::{Document, NodeId, NodeKind};

pub(crate) use self::css::rewrite as rewrite_css;
use self::names::{Fate, attribute_is_kept, fate, is_plain};

/// Attribute with an element's number.
const NUMBER: &str = "data-w";

/// Targets of a page's addresses in the view.
#[derive(Debug, Clone)]
pub(crate) struct Links {
    /// Base of relative addresses.
    pub(crate) base: Option<Url>,
    /// Address of the page's assets, up to the asset's own.
    pub(crate) assets: String,
}

impl Links {
    /// Returns the address of an image, style sheet or font in the studio; `None` if it cannot be loaded.
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
            // Images embedded in the page; browsers run no scripts in an image.
            "data" => {
                let kind = url.path().split([';', ',']).next().unwrap_or_default().trim().to_ascii_lowercase();
                let harmless = kind.starts_with("image/") || kind.starts_with("font/") || kind.contains("font");
                harmless.then(|| address.to_owned())
            }
            _ => None,
        }
    }
}

/// Writes the view of a page. `script` is the only script that runs in it, permitted by the nonce.
pub(crate) fn write(document: &Document, links: &Links, script: &str, nonce: &str) -> String {
    let mut view = View { document, links, out: String::with_capacity(document.source().len() * 5 / 4) };
    view.out.push_str(match document.quirks() {
        // Preserves the layout mode of the original.
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

/// A pending step; the last one is next.
enum Work {
    Nodes(usize, usize),
    EndTag(&'static str),
    EndOf(NodeId),
}

impl View<'_> {
    /// Writes the nodes below a node, without recursion, since the page determines the depth.
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
                // In HTML the text is raw, elsewhere it is parsed: the output is harmless in both cases.
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
                // Links keep their appearance.
                "href" | "xlink:href" if matches!(name, "a" | "area") => self.attribute("href", "#"),
                "href" if name == "link" => self.asset("href", value),
                // SVG elements refer to each other by id.
                "href" | "xlink:href" if value.trim_start().starts_with('#') => self.attribute("href", value),
                "href" | "xlink:href" if name == "image" => self.asset("href", value),
                "src" if matches!(name, "img" | "input") => source = Some(value),
                "srcset" if matches!(name, "img" | "source") => self.candidates(value),
                "poster" if name == "video" => self.asset("poster", value),
                "background" if document.namespace(id) == Namespace::Html => self.asset("background", value),
                // Elements with such names would shadow properties of the document from the studio's script.
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

    /// Writes the image of an element. Lazily loaded images are resolved here, since the scripts that load them do not
    /// run.
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

    /// Writes the alternative images of a `srcset`.
    fn candidates(&mut self, value: &str) {
        let all = value.split(',').filter_map(|one| {
            let mut words = one.split_ascii_whitespace();
            let address = self.links.asset(words.next()?)?;
            // A `data:` address contains a comma; the parts after splitting are not valid.
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

    /// Writes an empty comment, which keeps the texts before and after it separate.
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
