//! The tree of every page, against Chromium's parser: names, namespaces, attributes in order, texts, comments, doctype,
//! template contents.

use std::fmt::Write;
use std::fs;

use windrow_dom::{Document, Namespace, NodeId, NodeKind};
use windrow_testkit::{sample, shared};

use super::{Hash, dump_folder, escape, explained, page, recording};

/// Share of the recorded pages that is read by default.
const ONE_TREE_IN: usize = 4;

/// Writes one line per node: depth, kind, content. The recorder writes the same.
fn dump(document: &Document) -> String {
    let mut out = String::with_capacity(document.source().len() * 2);
    dump_below(document, document.root(), 0, &mut out);
    out
}

/// Writes the nodes below `root`, template contents before the (never present) other children. Iterative: a page may
/// be deep.
fn dump_below(document: &Document, root: NodeId, base: usize, out: &mut String) {
    let mut open: Vec<NodeId> = Vec::new();
    for id in document.descendants(root) {
        while open.last().is_some_and(|&last| document.subtree_end(last) <= id) {
            open.pop();
        }
        let depth = base + open.len();
        match document.kind(id) {
            NodeKind::Doctype => {
                let doctype = document.doctype(id).expect("a doctype node has a doctype");
                let (public, system) = (doctype.public_id.as_deref(), doctype.system_id.as_deref());
                let (public, system) = (escape(public.unwrap_or("")), escape(system.unwrap_or("")));
                let _ = writeln!(out, "{depth} D {} \"{public}\" \"{system}\"", escape(&doctype.name));
            }
            NodeKind::Element => {
                let name = document.name(id).expect("an element has a name");
                let _ = writeln!(out, "{depth} E {} {}", namespace(document.namespace(id)), escape(name));
                for attr in document.attrs(id) {
                    let (name, value) = (escape(attr.name()), escape(attr.value()));
                    let _ = writeln!(out, "{depth} A {} {name}={value}", namespace(attr.namespace()));
                }
                if let Some(contents) = document.template_contents(id) {
                    let _ = writeln!(out, "{depth} F");
                    dump_below(document, contents, depth + 1, out);
                }
                open.push(id);
            }
            NodeKind::Text => {
                let _ = writeln!(out, "{depth} T {}", escape(document.text(id)));
            }
            NodeKind::Comment => {
                let _ = writeln!(out, "{depth} C {}", escape(document.text(id)));
            }
            NodeKind::Document | NodeKind::Fragment => unreachable!("roots are not below anything"),
        }
    }
}

fn namespace(namespace: Namespace) -> &'static str {
    match namespace {
        Namespace::None => "-",
        Namespace::Html => "html",
        Namespace::Svg => "svg",
        Namespace::MathMl => "math",
        Namespace::XLink => "xlink",
        Namespace::Xml => "xml",
        Namespace::XmlNs => "xmlns",
    }
}

#[test]
fn trees_are_those_of_chromium() {
    let recorded = recording("chromium-trees.tsv.gz");
    let mut explanations = explained::read("chromium-explained-trees.tsv");
    let (mut same, mut missing, mut different) = (0, 0, Vec::new());
    let name = |line: &&str| line.split('\t').next().unwrap_or_default().to_owned();
    let lines = sample("trees", recorded.lines().collect(), ONE_TREE_IN, name);
    for line in &lines {
        let [path, _digest, tree, nodes] = line.split('\t').collect::<Vec<_>>()[..] else {
            panic!("malformed: {line}")
        };
        let Some(document) = page(path) else {
            missing += 1;
            continue;
        };
        let dumped = dump(&document);
        let mut hash = Hash::new();
        hash.text(&dumped);
        if hash.hex() == tree && document.len().to_string() == nodes {
            same += 1;
            continue;
        }
        if let Some(folder) = dump_folder() {
            fs::write(folder.join(path.replace('/', "+")), &dumped).expect("a dump can be written");
        }
        if !explanations.explains(path) {
            different.push(path.to_owned());
        }
    }
    if missing > 0 {
        shared::not_checked("corpus");
    }
    eprintln!("trees: {same} of {} as Chromium's, {} explained", lines.len() - missing, explanations.used());
    assert!(same > 0, "nothing was compared");
    assert!(different.is_empty(), "{} trees differ: {different:#?}", different.len());
    let whole = missing == 0 && lines.len() == recorded.lines().count();
    assert!(!whole || explanations.unused().is_empty(), "explains nothing: {:#?}", explanations.unused());
}
