//! Prints the decisions that the alignment of records has to make, on pages whose records are known;
//! `tools/fit-align` fits its models to them.
//!
//! ```text
//! places FOLDER...
//! ```
//!
//! Each folder has `page.html` and `truth.json`. Prints one line of JSON per place (one element in each record) and
//! per group (several similar elements in a record), with its features and the texts of its elements.

use std::io::Write;
use std::ops::Range;
use std::path::Path;

use serde_json::{Value, json};
use windrow_dom::{Document, NodeId, ParseOptions};
use windrow_learn::alignment::{sample_names, samples};
use windrow_xpath::Expr;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut out = std::io::BufWriter::new(std::io::stdout().lock());
    let names = sample_names();
    writeln!(out, "{}", json!({ "names": names }))?;
    for folder in std::env::args().skip(1) {
        let document =
            Document::from_bytes(std::fs::read(Path::new(&folder).join("page.html"))?, &ParseOptions::default());
        let truth: Value = serde_json::from_slice(&std::fs::read(Path::new(&folder).join("truth.json"))?)?;
        let empty = Vec::new();
        let mut numbers = Vec::new();
        let mut records: Vec<Range<NodeId>> = Vec::new();
        let mut runs = false;
        for (number, record) in truth["records"].as_array().unwrap_or(&empty).iter().enumerate() {
            let nodes: Vec<NodeId> = record["nodes"]
                .as_array()
                .unwrap_or(&empty)
                .iter()
                .filter_map(|path| {
                    let found = Expr::parse(path.as_str()?).ok()?.select(&document, document.root()).ok()?;
                    Some(found.first()?.id())
                })
                .collect();
            let (Some(&first), Some(&last)) = (nodes.first(), nodes.last()) else { continue };
            runs |= nodes.len() > 1;
            numbers.push(number);
            records.push(first..document.subtree_end(last));
        }
        let mut order: Vec<usize> = (0..records.len()).collect();
        order.sort_by_key(|&at| records[at].start);
        let sorted: Vec<Range<NodeId>> = order.iter().map(|&at| records[at].clone()).collect();
        if sorted.windows(2).any(|pair| pair[0].end > pair[1].start) {
            continue;
        }
        for sample in samples(&document, &sorted, runs) {
            let members: Vec<Value> = sample
                .members
                .iter()
                .map(|(record, nodes)| {
                    let number = order.get(*record).map(|&at| numbers[at]);
                    let texts: Vec<Value> = nodes.iter().map(|&node| texts(&document, node)).collect();
                    json!([number, texts])
                })
                .collect();
            let path = windrow_xpath::path_of(&document, windrow_xpath::Node::node(sample.members[0].1[0]));
            writeln!(
                out,
                "{}",
                json!({ "page": folder, "several": sample.several, "inner": sample.inner, "look": sample.look, "path": path, "members": members })
            )?;
        }
    }
    Ok(out.flush()?)
}

/// Returns the text of an element, and the texts below it.
fn texts(document: &Document, node: NodeId) -> Value {
    let whole = document.visible_text(node);
    let mut parts: Vec<String> = Vec::new();
    for below in document.descendants(node).filter(|&below| below != node).take(300) {
        let text = if document.is_text(below) { document.text(below).to_owned() } else { document.visible_text(below) };
        let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
        if !text.is_empty() && text.len() < 600 && !parts.contains(&text) && parts.len() < 60 {
            parts.push(text);
        }
    }
    json!([whole.split_whitespace().collect::<Vec<_>>().join(" "), parts])
}
