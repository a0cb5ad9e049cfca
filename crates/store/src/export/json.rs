//! JSON Lines: one object per record, each in one line.
//!
//! Numbers keep the digits in the store: `340.00` stays `340.00`, and long numbers lose no digits.

use std::io::{BufWriter, Write};

use super::digits::plain;
use super::tree::{Member, Node, Tree};
use super::{ExportError, Options, list, value};
use crate::data::{Layout, Record, Value};

/// Names of the provenance members.
const PROVENANCE: [&str; 4] = ["_page", "_first", "_seen", "_gone"];

/// Writer of lines.
pub(super) struct Lines<W: Write> {
    out: BufWriter<W>,
    tree: Tree,
    provenance: bool,
    line: String,
}

impl<W: Write> Lines<W> {
    pub(super) fn new(layout: &Layout, options: &Options, out: W) -> Lines<W> {
        let reserved: &[&str] = if options.provenance { &PROVENANCE } else { &[] };
        let tree = Tree::new(layout, reserved);
        Lines { out: BufWriter::new(out), tree, provenance: options.provenance, line: String::new() }
    }

    pub(super) fn push(&mut self, record: &Record) -> Result<(), ExportError> {
        self.line.clear();
        self.line.push('{');
        if self.provenance {
            let times = [Some(&record.page), Some(&record.first), Some(&record.seen), record.gone.as_ref()];
            for (name, text) in PROVENANCE.into_iter().zip(times) {
                key(name, &mut self.line);
                match text {
                    Some(text) => self::text(text, &mut self.line),
                    None => self.line.push_str("null"),
                }
            }
        }
        members(&self.tree.members, record, &mut self.line);
        self.line.push_str("}\n");
        self.out.write_all(self.line.as_bytes())?;
        Ok(())
    }

    pub(super) fn finish(mut self) -> Result<Vec<String>, ExportError> {
        self.out.flush()?;
        Ok(Vec::new())
    }
}

/// Appends the members of an object that is already open.
fn members(members: &[Member], record: &Record, line: &mut String) {
    for member in members {
        key(&member.name, line);
        node(&member.node, record, line);
    }
}

/// Appends a member's name, with a comma before it if needed.
fn key(name: &str, line: &mut String) {
    if !line.ends_with('{') {
        line.push(',');
    }
    text(name, line);
    line.push(':');
}

fn node(node: &Node, record: &Record, line: &mut String) {
    match node {
        Node::Column(number, _) => atom(value(record, *number), line),
        Node::Group(inner) => object(inner, record, line),
        Node::Values(number, _) => array(list(record, *number), line, |record, line| atom(value(record, 0), line)),
        Node::Records(number, tree) => {
            array(list(record, *number), line, |record, line| object(&tree.members, record, line));
        }
    }
}

fn object(inner: &[Member], record: &Record, line: &mut String) {
    line.push('{');
    members(inner, record, line);
    line.push('}');
}

fn array(records: &[Record], line: &mut String, mut each: impl FnMut(&Record, &mut String)) {
    line.push('[');
    for (number, record) in records.iter().enumerate() {
        if number > 0 {
            line.push(',');
        }
        each(record, line);
    }
    line.push(']');
}

fn atom(value: &Value, line: &mut String) {
    match value {
        Value::Null => line.push_str("null"),
        Value::Text(value) => text(value, line),
        Value::Number(digits) => number(digits, line),
        Value::Money { amount, currency } => {
            line.push_str("{\"amount\":");
            number(amount, line);
            line.push_str(",\"currency\":");
            match currency {
                Some(currency) => text(currency, line),
                None => line.push_str("null"),
            }
            line.push('}');
        }
    }
}

/// Appends a number, or a string if JSON does not allow its digits.
fn number(digits: &str, line: &mut String) {
    match plain(digits) {
        Some(digits) => line.push_str(&digits),
        None => text(digits, line),
    }
}

/// Appends a quoted string. Runs of characters that need no escape are copied whole.
pub(crate) fn text(text: &str, line: &mut String) {
    line.push('"');
    let mut rest = text;
    while let Some(at) = rest.bytes().position(|byte| byte < 0x20 || byte == b'"' || byte == b'\\') {
        line.push_str(&rest[..at]);
        match rest.as_bytes()[at] {
            b'"' => line.push_str("\\\""),
            b'\\' => line.push_str("\\\\"),
            b'\n' => line.push_str("\\n"),
            b'\r' => line.push_str("\\r"),
            b'\t' => line.push_str("\\t"),
            other => line.push_str(&format!("\\u{other:04x}")),
        }
        rest = &rest[at + 1..];
    }
    line.push_str(rest);
    line.push('"');
}
