//! Prints every cut of pages into records that `discover` considers, with what it sees of each: what `tools/fit` fits
//! its models from.
//!
//! ```text
//! cuts [--raw] PAGE.html...
//! ```
//!
//! A line `page PATH`; a line `truth` with the records that `truth.json` beside the page names by their nodes; then a line
//! for each cut: the values of its evidence, and for each record its traits (with `--raw`, which leaves noise in), where
//! it is, and its texts; tabs between records, control characters within. Where a record is, is told by the numbers of
//! the page's texts and images from its first up to the one behind its last.

use std::io::Write;
use std::ops::Range;
use std::path::Path;

use windrow_dom::{Document, NodeId, ParseOptions, names};
use windrow_learn::discover::{Considered, explain, samples};

fn main() -> std::io::Result<()> {
    let mut out = std::io::BufWriter::new(std::io::stdout().lock());
    let mut raw = false;
    for argument in std::env::args().skip(1) {
        if argument == "--raw" {
            raw = true;
            continue;
        }
        let document = Document::from_bytes(std::fs::read(&argument)?, &ParseOptions::default());
        let leaves = leaves(&document);
        writeln!(out, "page {argument}")?;
        writeln!(out, "truth\t{}", truth(&document, &leaves, Path::new(&argument)).join("\t"))?;
        if raw {
            for sample in samples(&document) {
                print(&mut out, &document, &leaves, &sample.cut, &sample.traits)?;
            }
        } else {
            for cut in explain(&document, 1).considered {
                print(&mut out, &document, &leaves, &cut, &[])?;
            }
        }
    }
    out.flush()
}

/// By node: the texts and images in front of it.
fn leaves(document: &Document) -> Vec<u32> {
    let mut leaves = vec![0; document.len() + 1];
    let mut hidden = vec![false; document.len()];
    for id in document.nodes() {
        let at = id.index();
        let never = matches!(document.name_id(id), Some(names::SCRIPT | names::STYLE | names::NOSCRIPT | names::HEAD))
            || document.name(id) == Some("template");
        hidden[at] = never || document.parent(id).is_some_and(|parent| hidden[parent.index()]);
        let text = document.is_text(id) && !document.text(id).trim().is_empty();
        let leaf = !hidden[at] && (text || document.name_id(id) == Some(names::IMG));
        leaves[at + 1] = leaves[at] + u32::from(leaf);
    }
    leaves
}

/// The true records of a page: for each the ranges of leaves of its nodes.
fn truth(document: &Document, leaves: &[u32], page: &Path) -> Vec<String> {
    let read = || {
        let text = std::fs::read_to_string(page.with_file_name("truth.json")).ok()?;
        serde_json::from_str::<serde_json::Value>(&text).ok()
    };
    let told = read().unwrap_or_default();
    let records = told["records"].as_array().cloned().unwrap_or_default();
    let paths = |record: &serde_json::Value| {
        let nodes = record.as_array().or_else(|| record["nodes"].as_array()).cloned().unwrap_or_default();
        let ranges = nodes.iter().filter_map(|path| {
            let node = walk(document, path.as_str()?)?;
            Some(format!("{}-{}", leaves[node.index()], leaves[document.subtree_end(node).index()]))
        });
        ranges.collect::<Vec<_>>().join(" ")
    };
    records.iter().map(paths).collect()
}

/// The node at a path of names and positions.
fn walk(document: &Document, path: &str) -> Option<NodeId> {
    let mut node = document.root();
    for (at, step) in path.split('/').filter(|step| !step.is_empty()).enumerate() {
        let (name, position) = step.split_once('[').unwrap_or((step, "1]"));
        let position: usize = position.trim_end_matches(']').parse().ok()?;
        let is = |child: &NodeId, name: &str| match name {
            "text()" => document.is_text(*child),
            name => document.name(*child) == Some(name),
        };
        if at == 0 && name == "body" {
            node = document.children(node).find(|child| is(child, "html"))?;
        }
        node = document.children(node).filter(|child| is(child, name)).nth(position.checked_sub(1)?)?;
    }
    Some(node)
}

fn print(
    out: &mut impl Write,
    document: &Document,
    leaves: &[u32],
    cut: &Considered,
    traits: &[Vec<f32>],
) -> std::io::Result<()> {
    let list = |values: &mut dyn Iterator<Item = f32>| values.map(|value| format!("{value} ")).collect::<String>();
    write!(out, "{}", list(&mut cut.evidence.iter().map(|evidence| evidence.value)))?;
    for (number, record) in cut.records.iter().enumerate() {
        let traits = traits.get(number).map(|traits| list(&mut traits.iter().copied())).unwrap_or_default();
        let (first, end) = (leaves[record.start.index()], leaves[record.end.index()]);
        write!(out, "\t{traits}\u{2}{first}-{end}\u{2}{}", texts(document, record).join("\u{1}"))?;
    }
    writeln!(out)
}

/// The texts of a record, piece by piece and joined.
fn texts(document: &Document, record: &Range<NodeId>) -> Vec<String> {
    let mut texts: Vec<String> = Vec::new();
    for at in record.start.index()..record.end.index() {
        let id = NodeId::from_index(at);
        let seen = |id: NodeId| !(document.is_element(id) && document.is_hidden(id));
        if !seen(id) || !document.ancestors(id).all(seen) {
            continue;
        }
        let holds_text = |id| document.is_text(id) && !document.text(id).trim().is_empty();
        let text = if holds_text(id) {
            document.text(id).to_owned()
        } else if document.is_element(id) && document.children(id).any(holds_text) {
            document.visible_text(id)
        } else {
            continue;
        };
        let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
        if !texts.contains(&text) && text.len() < 4000 {
            texts.push(text);
        }
    }
    texts
}
