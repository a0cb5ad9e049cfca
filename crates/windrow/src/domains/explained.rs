//! Explanations of how a page was read: its class, the nodes that made it so, and for each pair the label, the way from there to the value,
//! and how sure it is.

use std::fmt::Write;

use crate::learn::domain::confidence::{self, FEATURES};
use crate::learn::domain::{Domain, Entropy, Evidence, Kind, Layout, Pair, Reading, Record};
use crate::{Document, Node, NodeId, path_of};

use crate::data::json::Json;
use crate::domains::notes;
use crate::text::excerpt;
use crate::text::plural;

/// Characters of a label or a value that the outline shows.
const TEXT: usize = 60;

/// A page and how it was read.
pub struct PageExplanation<'a> {
    /// Name of the page.
    pub page: &'a str,
    /// The page.
    pub document: &'a Document,
    /// The domain.
    pub domain: &'a Domain,
    /// The page as the domain reads it.
    pub reading: &'a Reading,
}

impl PageExplanation<'_> {
    /// For people.
    pub fn outline(&self) -> String {
        let mut out = format!("{}: {}\n", self.page, notes::class(self.reading));
        let (looked, passed) = (self.reading.nodes.len(), self.reading.passed);
        let nodes = self.nodes();
        let what = if nodes.is_empty() { "no node is data-rich or a link offer" } else { "nodes by entropy" };
        let _ = writeln!(out, "  {what} ({looked} computed, {passed} passed over)");
        for node in nodes {
            let (kind, entropy) = (kind(node.kind), node.entropy);
            let roles = plural(node.roles, "role");
            let _ = writeln!(out, "    H {entropy:.4}  {kind}, {roles}  at {}", self.path(node.node));
        }
        for (number, record) in self.reading.records.iter().enumerate() {
            let _ = writeln!(out, "  record {}: H {:.4}  at {}", number + 1, record.entropy, self.path(record.node));
            self.pairs(&mut out, &record.pairs, 2);
        }
        for line in notes::conflicts(self.domain, self.reading) {
            let _ = writeln!(out, "  conflict: {line}");
        }
        out
    }

    /// Nodes that are something, the most telling first.
    fn nodes(&self) -> Vec<&Entropy> {
        let mut nodes: Vec<&Entropy> = self.reading.nodes.iter().filter(|node| node.kind != Kind::Plain).collect();
        nodes.sort_by(|a, b| b.entropy.total_cmp(&a.entropy));
        nodes
    }

    fn path(&self, node: NodeId) -> String {
        path_of(self.document, Node::node(node))
    }

    fn role(&self, pair: &Pair) -> &str {
        let role = pair.role.and_then(|role| self.domain.roles.get(role));
        role.map_or("title", |role| role.name.as_str())
    }

    /// As deep as roles nest, which is bounded.
    fn pairs(&self, out: &mut String, pairs: &[Pair], depth: usize) {
        for pair in pairs {
            (0..depth).for_each(|_| out.push_str("  "));
            let texts: Vec<String> = pair.values.iter().map(|value| quoted(&value.text)).collect();
            let _ = write!(out, "{} {}  {}", self.role(pair), texts.join(" "), evidence(pair));
            let _ = write!(out, ", {:.0} %", pair.confidence * 100.0);
            if let Some(value) = pair.values.first() {
                let _ = write!(out, "  at {}", self.path(value.node));
            }
            out.push('\n');
            pair.inner.iter().for_each(|inner| self.pairs(out, inner, depth + 1));
        }
    }

    /// For programs.
    pub fn json(&self, mut json: Json) -> String {
        json.object(|json| {
            json.key("page");
            json.text(self.page);
            json.key("class");
            json.text(self.reading.class.name());
            json.key("records");
            json.array(|json| {
                for record in &self.reading.records {
                    json.element();
                    self.record_json(json, record);
                }
            });
            json.key("conflicts");
            json.array(|json| self.conflicts_json(json));
            json.key("nodes");
            json.array(|json| {
                for node in self.nodes() {
                    json.element();
                    self.node_json(json, node);
                }
            });
            for (key, count) in [("computed", self.reading.nodes.len()), ("passed", self.reading.passed)] {
                json.key(key);
                json.literal(&count.to_string());
            }
        });
        json.finish()
    }

    fn record_json(&self, json: &mut Json, record: &Record) {
        json.object(|json| {
            json.key("path");
            json.text(&self.path(record.node));
            json.key("entropy");
            json.literal(&number(record.entropy));
            json.key("pairs");
            self.pairs_json(json, &record.pairs);
        });
    }

    fn pairs_json(&self, json: &mut Json, pairs: &[Pair]) {
        json.array(|json| {
            for pair in pairs {
                json.element();
                json.object(|json| self.pair_json(json, pair));
            }
        });
    }

    fn pair_json(&self, json: &mut Json, pair: &Pair) {
        json.key("role");
        json.text(self.role(pair));
        json.key("label");
        match &pair.label {
            Some(label) => json.object(|json| {
                json.key("text");
                json.text(&label.text);
                json.key("path");
                json.text(&self.path(label.node));
            }),
            None => json.literal("null"),
        }
        json.key("values");
        json.array(|json| {
            for value in &pair.values {
                json.element();
                json.object(|json| {
                    json.key("text");
                    json.text(&value.text);
                    json.key("path");
                    json.text(&self.path(value.node));
                    if let Some(part) = &value.part {
                        json.key("part");
                        json.literal(&format!("[{},{}]", part.start, part.end));
                    }
                });
            }
        });
        let (kind, how) = kind_of(pair.evidence);
        json.key("evidence");
        json.text(kind);
        if let Some((key, how)) = how {
            json.key(key);
            json.text(how);
        }
        json.key("confidence");
        json.literal(&number(f64::from(pair.confidence)));
        json.key("clues");
        json.object(|json| clues_json(json, pair));
        if !pair.inner.is_empty() {
            json.key("inner");
            json.array(|json| {
                for inner in &pair.inner {
                    json.element();
                    self.pairs_json(json, inner);
                }
            });
        }
    }

    fn conflicts_json(&self, json: &mut Json) {
        for conflict in &self.reading.conflicts {
            json.element();
            json.object(|json| {
                json.key("role");
                json.text(self.domain.roles.get(conflict.role).map_or("", |role| role.name.as_str()));
                json.key("seen");
                json.text(&conflict.seen);
                json.key("said");
                json.text(&conflict.said);
                json.key("syntax");
                json.text(conflict.syntax.name());
            });
        }
    }

    fn node_json(&self, json: &mut Json, node: &Entropy) {
        json.object(|json| {
            json.key("path");
            json.text(&self.path(node.node));
            json.key("kind");
            json.text(kind(node.kind));
            json.key("entropy");
            json.literal(&number(node.entropy));
            json.key("roles");
            json.literal(&node.roles.to_string());
        });
    }
}

/// Lists the clues that the confidence was computed from, without those that are zero.
fn clues_json(json: &mut Json, pair: &Pair) {
    let features = FEATURES.iter().zip(confidence::features(pair));
    for (name, value) in features.filter(|(_, value)| *value != 0.0) {
        json.key(name);
        json.literal(&number(f64::from(value)));
    }
}

fn quoted(text: &str) -> String {
    format!("\"{}\"", excerpt(text, TEXT))
}

/// Digits that JSON takes: an entropy is never anything but finite, yet a file must not break if one is.
fn number(value: f64) -> String {
    if value.is_finite() { format!("{value:.4}") } else { "null".to_owned() }
}

fn kind(kind: Kind) -> &'static str {
    match kind {
        Kind::DataRich => "data-rich",
        Kind::LinkOffer => "link offer",
        Kind::Plain => "plain",
    }
}

/// Describes how a pair was found.
fn evidence(pair: &Pair) -> String {
    let label = pair.label.as_ref().map(|label| quoted(&label.text)).unwrap_or_default();
    match pair.evidence {
        Evidence::Label(layout) => format!("by label {label}, {}", layout_in_words(layout)),
        Evidence::Phrase => "by its wording".to_owned(),
        Evidence::Name => "by the name of its element".to_owned(),
        Evidence::Said(syntax) => format!("by {} alone", notes::syntax(syntax)),
        Evidence::Title => "as the title".to_owned(),
    }
}

fn layout_in_words(layout: Layout) -> &'static str {
    match layout {
        Layout::Line => "in its line",
        Layout::Cell => "in the next cell",
        Layout::Definition => "in its definition",
        Layout::Column => "in the cell below",
        Layout::Beside => "beside it",
        Layout::Below => "in the next block",
        Layout::Before => "in front of it",
        Layout::Above => "above it",
    }
}

/// Writes how a pair was found, for programs: a word, and details.
fn kind_of(evidence: Evidence) -> (&'static str, Option<(&'static str, &'static str)>) {
    match evidence {
        Evidence::Label(layout) => {
            let name = match layout {
                Layout::Line => "line",
                Layout::Cell => "cell",
                Layout::Definition => "definition",
                Layout::Column => "column",
                Layout::Beside => "beside",
                Layout::Below => "below",
                Layout::Before => "before",
                Layout::Above => "above",
            };
            ("label", Some(("layout", name)))
        }
        Evidence::Phrase => ("phrase", None),
        Evidence::Name => ("name", None),
        Evidence::Said(syntax) => ("structured", Some(("syntax", syntax.name()))),
        Evidence::Title => ("title", None),
    }
}
