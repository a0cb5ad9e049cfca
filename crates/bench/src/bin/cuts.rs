//! Prints every cut of pages into records that `discover` considers, with what it sees of each: what `tools/fit` fits
//! the weights from.
//!
//! ```text
//! cuts [--raw] PAGE.html...
//! ```
//!
//! A line `page PATH`, then a line for each cut: the values of its evidence, and for each record its traits (with `--raw`,
//! which leaves noise in), its first and last text, and its texts; tabs between records, control characters within.

use std::io::Write;
use std::ops::Range;

use windrow_dom::{Document, NodeId, ParseOptions};
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
        writeln!(out, "page {argument}")?;
        if raw {
            for sample in samples(&document) {
                print(&mut out, &document, &sample.cut, &sample.traits)?;
            }
        } else {
            for cut in explain(&document, 1).considered {
                print(&mut out, &document, &cut, &[])?;
            }
        }
    }
    out.flush()
}

fn print(out: &mut impl Write, document: &Document, cut: &Considered, traits: &[Vec<f32>]) -> std::io::Result<()> {
    let list = |values: &mut dyn Iterator<Item = f32>| values.map(|value| format!("{value} ")).collect::<String>();
    write!(out, "{}", list(&mut cut.evidence.iter().map(|evidence| evidence.value)))?;
    for (number, record) in cut.records.iter().enumerate() {
        let traits = traits.get(number).map(|traits| list(&mut traits.iter().copied())).unwrap_or_default();
        let (texts, first, last) = texts(document, record);
        write!(out, "\t{traits}\u{2}{first}-{last}\u{2}{}", texts.join("\u{1}"))?;
    }
    writeln!(out)
}

/// The texts of a record, piece by piece and joined, and the first and last node with one.
fn texts(document: &Document, record: &Range<NodeId>) -> (Vec<String>, usize, usize) {
    let mut texts: Vec<String> = Vec::new();
    let (mut first, mut last) = (0, 0);
    for at in record.start.index()..record.end.index() {
        let id = NodeId::from_index(at);
        let seen = |id: NodeId| !(document.is_element(id) && document.is_hidden(id));
        if !seen(id) || !document.ancestors(id).all(seen) {
            continue;
        }
        let holds_text = |id| document.is_text(id) && !document.text(id).trim().is_empty();
        let text = if holds_text(id) {
            (first, last) = (if first == 0 { at } else { first }, at);
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
    (texts, first, last)
}
