//! Prints every cut of pages into records that `discover` considers, with its evidence; `tools/fit` fits its models
//! to them.
//!
//! ```text
//! cuts [--raw] [--small] PAGE.html...
//! ```
//!
//! With `--small`, pages whose true records are known as nodes are printed twice more: with only their first few
//! records (`short`), and with these records alone (`bare`).
//!
//! The output has a line `page PATH`; a line `truth` with the records that `truth.json` beside the page gives by
//! their nodes; then one line per cut: the values of its evidence, and for each record its traits (with `--raw`,
//! which keeps noise), its place, and its texts. Records are separated by tabs, their parts by control characters.
//! The place of a record is given by the numbers of the page's texts and images, from its first to the one after its
//! last.

use std::io::Write;
use std::ops::Range;
use std::path::Path;

use windrow_dom::{Document, NodeId, ParseOptions, names};
use windrow_learn::discover::{Considered, explain, samples};

fn main() -> std::io::Result<()> {
    let mut out = std::io::BufWriter::new(std::io::stdout().lock());
    let (mut raw, mut small) = (false, false);
    for argument in std::env::args().skip(1) {
        match argument.as_str() {
            "--raw" => {
                raw = true;
                continue;
            }
            "--small" => {
                small = true;
                continue;
            }
            _ => {}
        }
        let document = Document::from_bytes(std::fs::read(&argument)?, &ParseOptions::default());
        let records = truth(&document, Path::new(&argument));
        print_page(&mut out, &argument, &document, &records, raw)?;
        if small && let Some((short, bare)) = shortened(&document, &records, argument.len()) {
            for (name, source) in [("short", short), ("bare", bare)] {
                let document = Document::parse(&source);
                let records = marked(&document);
                print_page(&mut out, &format!("{argument}#{name}"), &document, &records, raw)?;
            }
        }
    }
    out.flush()
}

fn print_page(
    out: &mut impl Write,
    name: &str,
    document: &Document,
    records: &[Vec<NodeId>],
    raw: bool,
) -> std::io::Result<()> {
    let leaves = leaves(document);
    let range = |&node: &NodeId| format!("{}-{}", leaves[node.index()], leaves[document.subtree_end(node).index()]);
    let ranges = |record: &Vec<NodeId>| record.iter().map(range).collect::<Vec<_>>().join(" ");
    writeln!(out, "page {name}")?;
    writeln!(out, "truth\t{}", records.iter().map(ranges).collect::<Vec<_>>().join("\t"))?;
    if raw {
        for sample in samples(document) {
            print(out, document, &leaves, &sample.cut, &sample.traits)?;
        }
    } else {
        for cut in explain(document, 1).considered {
            print(out, document, &leaves, &cut, &[])?;
        }
    }
    Ok(())
}

/// Attribute that marks the nodes of true records in shortened pages.
const MARK: &str = "data-true-record";

/// Returns the source of a page with only its first two to six records, and of these records alone; `None` if a
/// record does not consist of elements or there are no more records than that. The number depends on `seed`.
fn shortened(document: &Document, records: &[Vec<NodeId>], seed: usize) -> Option<(String, String)> {
    let keep = 2 + seed % 5;
    if records.len() <= keep {
        return None;
    }
    // Edits of the source: start, end, and the replacement.
    let mut edits: Vec<(usize, usize, String)> = Vec::new();
    for (number, record) in records.iter().enumerate() {
        for &node in record {
            if number < keep {
                let tag = document.start_tag(node)?;
                let at = tag.start as usize + 1 + document.name(node)?.len();
                edits.push((at, at, format!(" {MARK}={number}")));
            } else {
                let span = document.span(node)?;
                edits.push((span.start as usize, span.end as usize, String::new()));
            }
        }
    }
    edits.sort();
    let edited = |from: usize, to: usize| {
        let (mut text, mut at) = (String::new(), from);
        for (start, end, instead) in edits.iter().filter(|edit| edit.0 >= from && edit.1 <= to) {
            text.push_str(document.source().get(at..*start)?);
            text.push_str(instead);
            at = *end;
        }
        text.push_str(document.source().get(at..to)?);
        Some(text)
    };
    let (first, last) = (*records.first()?.first()?, *records.get(keep - 1)?.last()?);
    let is_part = |id: NodeId| matches!(document.name(id), Some("tr" | "tbody" | "thead" | "tfoot"));
    let around =
        document.ancestors(first).find(|&id| document.subtree_end(id) >= document.subtree_end(last) && !is_part(id))?;
    let span = document.span(around)?;
    let bare = edited(span.start as usize, span.end as usize)?;
    Some((edited(0, document.source().len())?, format!("<!DOCTYPE html><body><h1>Results</h1>{bare}")))
}

/// Returns the records of a shortened page.
fn marked(document: &Document) -> Vec<Vec<NodeId>> {
    let mut records: Vec<Vec<NodeId>> = Vec::new();
    for id in document.nodes() {
        if let Some(number) = document.attr(id, MARK).and_then(|text| text.parse::<usize>().ok()) {
            records.resize_with(records.len().max(number + 1), Vec::new);
            records[number].push(id);
        }
    }
    records
}

/// Returns, for each node, the number of texts and images before it.
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

/// Returns the true records of a page, each as its nodes.
fn truth(document: &Document, page: &Path) -> Vec<Vec<NodeId>> {
    let read = || {
        let text = std::fs::read_to_string(page.with_file_name("truth.json")).ok()?;
        serde_json::from_str::<serde_json::Value>(&text).ok()
    };
    let told = read().unwrap_or_default();
    let records = told["records"].as_array().cloned().unwrap_or_default();
    let nodes = |record: &serde_json::Value| {
        let paths = record.as_array().or_else(|| record["nodes"].as_array()).cloned().unwrap_or_default();
        paths.iter().filter_map(|path| walk(document, path.as_str()?)).collect()
    };
    records.iter().map(nodes).collect()
}

/// Returns the node at a path of names and positions.
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

/// Returns the texts of a record, piece by piece and joined.
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
