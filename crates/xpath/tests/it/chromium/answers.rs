//! Results of XPath and CSS, compared with `document.evaluate` and `querySelectorAll`.

use std::fmt::Write;
use std::fs;

use windrow_dom::{Document, NodeId};
use windrow_testkit::shared;
use windrow_xpath::{Expr, Node, Value};

use super::{Hash, dump_folder, escape, explained, page, recording, unescape};

/// Number of string values of a node-set that are hashed, and number of UTF-16 units of each; the same as in the
/// recorder.
const VALUES: usize = 16;
const VALUE_UNITS: usize = 256;

/// Largest number of units of strings that are recorded unchanged.
const SHORT_STRING: usize = 40;

/// Formats a result as in the recording.
fn answer(kind: &str, document: &Document, context: NodeId, expression: &str) -> String {
    let compiled = if kind == "c" { Expr::css(expression) } else { Expr::xpath(expression) };
    let value = compiled.ok().and_then(|expr| expr.evaluate(document, context).ok());
    match value {
        None => "e".to_owned(),
        Some(Value::Boolean(value)) => format!("b {value}"),
        Some(Value::Number(value)) => format!("f {value}"),
        Some(Value::String(value)) => string(&value),
        Some(Value::Nodes(nodes)) => node_set(document, &nodes),
    }
}

fn node_set(document: &Document, nodes: &[Node]) -> String {
    if nodes.is_empty() {
        return "n 0".to_owned();
    }
    let (mut which, mut values) = (Hash::new(), Hash::new());
    for (index, node) in nodes.iter().enumerate() {
        let rank = node.id().index();
        which.unit((rank >> 16) as u16);
        which.unit(rank as u16);
        if node.is_attribute() {
            which.text(node.name(document));
        }
        which.unit(0xffff);
        if index < VALUES {
            node.string_value(document).encode_utf16().take(VALUE_UNITS).for_each(|unit| values.unit(unit));
            values.unit(0xffff);
        }
    }
    format!("n {} {} {}", nodes.len(), which.hex(), values.hex())
}

fn string(value: &str) -> String {
    let units = value.encode_utf16().count();
    if units <= SHORT_STRING {
        return format!("s {}", escape(value));
    }
    let mut hash = Hash::new();
    hash.text(value);
    format!("h {units} {}", hash.hex())
}

/// Returns `true` if two results are the same; numbers are compared as numbers, since JavaScript writes them
/// differently.
fn same(recorded: &str, ours: &str) -> bool {
    match (recorded.strip_prefix("f "), ours.strip_prefix("f ")) {
        (Some(recorded), Some(ours)) => match (recorded.parse::<f64>(), ours.parse::<f64>()) {
            (Ok(recorded), Ok(ours)) => recorded.to_bits() == ours.to_bits() || recorded.is_nan() && ours.is_nan(),
            _ => false,
        },
        _ => recorded == ours,
    }
}

#[test]
fn answers_are_those_of_chromium() {
    let recorded = recording("chromium-answers.tsv.gz");
    let mut explanations = explained::read("chromium-explained.tsv");
    let (mut asked, mut agreed, mut missing) = (0, 0, 0);
    let mut differences = String::new();
    let mut unexplained = 0;
    let mut current: Option<(&str, Document)> = None;
    for line in recorded.lines() {
        let fields: Vec<&str> = line.split('\t').collect();
        let (kind, context, expression, expected) = match fields[..] {
            ["p", path, _digest] => {
                current = page(path).map(|document| (path, document));
                missing += usize::from(current.is_none());
                continue;
            }
            [kind, context, expression, expected] => (kind, context, expression, expected),
            _ => panic!("malformed: {line}"),
        };
        let Some((path, document)) = &current else { continue };
        asked += 1;
        let context: usize = context.parse().unwrap_or_else(|_| panic!("malformed: {line}"));
        if context >= document.len() {
            unexplained += 1;
            let _ = writeln!(differences, "{path}\t{kind} {context}\t{expression}\tno such context node");
            continue;
        }
        let ours = answer(kind, document, NodeId::from_index(context), &unescape(expression));
        if same(expected, &ours) {
            agreed += 1;
        } else if !explanations.explains(&format!("{kind} {expression}"))
            && !explanations.explains(&format!("{path} {kind} {expression}"))
        {
            unexplained += 1;
            let _ = writeln!(differences, "{path}\t{kind} {context}\t{expression}\tChromium {expected}\tours {ours}");
        }
    }
    if missing > 0 {
        shared::not_checked("corpus");
    }
    eprintln!("answers: {agreed} of {asked} as Chromium's, {} explained, {unexplained} not", explanations.used());
    if let Some(folder) = dump_folder() {
        fs::write(folder.join("answers.tsv"), &differences).expect("differences can be written");
    }
    assert!(asked > 0, "nothing was compared");
    let first: Vec<&str> = differences.lines().take(40).collect();
    assert!(unexplained == 0, "{unexplained} answers differ, among them: {first:#?}");
    assert!(missing > 0 || explanations.unused().is_empty(), "explains nothing: {:#?}", explanations.unused());
}
