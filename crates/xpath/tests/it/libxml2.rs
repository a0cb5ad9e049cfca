//! libxml2's own XPath tests (`../shared/suites/libxml2-xpath`): expressions, documents, and the output of libxml2.
//!
//! The documents are XML: they are loaded as trees of HTML elements, their names in lower case as in HTML, and what an
//! HTML tree cannot hold (namespace nodes, processing instructions) is listed as not applying. `xptr`, libxml2's XPointer
//! tests, are left out: XPointer is another language. Values are printed as libxml2 does (texts cut at 40 characters)
//! and compared as text; numbers to the six digits that it prints.

#![allow(clippy::print_stderr, reason = "suites print their totals, and what they skip")]

use std::fmt::Write;
use std::fs;
use std::path::Path;

use quick_xml::escape::resolve_predefined_entity;
use quick_xml::events::{BytesStart, Event};
use quick_xml::{Reader, XmlVersion};
use windrow_dom::assemble::Assembler;
use windrow_dom::{Document, Namespace, NodeId, NodeKind};
use windrow_testkit::shared;
use windrow_testkit::tally::{Known, Tally};
use windrow_xpath::{Expr, Node, Value};

const SUITE: &str = "suites/libxml2-xpath";

const EXPONENT: &str = "XPath 1.0 has no exponents in numbers; libxml2 reads them as an extension";
const NAMESPACE_NODE: &str = "an HTML document has no namespace nodes, as in browsers";
const DECIMAL: &str = "XPath 1.0 writes numbers without exponents; libxml2 writes large ones with";
const LANGUAGE: &str = "`lang()` reads `xml:lang`, which an assembled tree cannot have; Chromium judges it instead";
const INSTRUCTION: &str = "an HTML document has no processing instructions";

/// The cases that do not apply.
const KNOWN: &[Known] = &[
    Known { case: "base: 1e2147483648", reason: EXPONENT },
    Known { case: "base: 1e4294967296", reason: EXPONENT },
    Known { case: "base: 1e9223372036854775808", reason: EXPONENT },
    Known { case: "base: 1e18446744073709551616", reason: EXPONENT },
    Known { case: "base: 1e-2147483649", reason: EXPONENT },
    Known { case: "base: 1e-4294967296", reason: EXPONENT },
    Known { case: "base: 1e-9223372036854775809", reason: EXPONENT },
    Known { case: "base: 1e-18446744073709551616", reason: EXPONENT },
    Known { case: "floats: 1.23e3", reason: EXPONENT },
    Known { case: "floats: 1.23e-3", reason: EXPONENT },
    Known { case: "strings: string(12345678901234567890)", reason: DECIMAL },
    Known { case: "strings: string(-12345678901234567890)", reason: DECIMAL },
    Known { case: "langsimple: //*[lang('en')]", reason: LANGUAGE },
    Known { case: "langsimple: //*[lang('en-us')]", reason: LANGUAGE },
    Known { case: "nodespat: //.", reason: INSTRUCTION },
    Known { case: concat!("nodespat: /", "root//."), reason: INSTRUCTION },
    Known { case: "nodespat: //.//./././/.", reason: INSTRUCTION },
    Known { case: concat!("nodespat: /", "root//././/bar//."), reason: INSTRUCTION },
    Known { case: "nssimple: /doc/elem/namespace::node()/..", reason: NAMESPACE_NODE },
    Known { case: "nssimple: /doc/elem/namespace::*/self::node()[true()]", reason: NAMESPACE_NODE },
    Known { case: "nssimple: //*[namespace::ns1]", reason: NAMESPACE_NODE },
    Known { case: "nssimple: /doc/elem/namespace::ns2/following::*", reason: NAMESPACE_NODE },
    Known { case: "nssimple: /doc/elem/namespace::ns2/preceding::*", reason: NAMESPACE_NODE },
];

/// Loads an XML document as a tree of HTML elements.
fn load(xml: &str) -> Document {
    let mut assembler = Assembler::new();
    let mut reader = Reader::from_str(xml);
    // The parser reports texts in pieces around entities and CDATA sections; a tree has one text there.
    let mut text = String::new();
    let mut depth = 0;
    loop {
        let event = reader.read_event().expect("the suite's documents are well formed");
        if !matches!(event, Event::Text(_) | Event::CData(_) | Event::GeneralRef(_)) && !text.is_empty() {
            if depth > 0 {
                assembler.text(&text);
            }
            text.clear();
        }
        match event {
            Event::Start(tag) => {
                open(&mut assembler, &tag);
                depth += 1;
            }
            Event::Empty(tag) => {
                open(&mut assembler, &tag);
                assembler.close();
            }
            Event::End(_) => {
                assembler.close();
                depth -= 1;
            }
            Event::Text(piece) => text.push_str(&piece.xml10_content()),
            Event::CData(piece) => text.push_str(&piece.xml10_content()),
            Event::GeneralRef(reference) => match reference.resolve_char_ref().expect("a well-formed reference") {
                Some(char) => text.push(char),
                None => text.push_str(resolve_predefined_entity(&reference.xml10_content()).expect("a known entity")),
            },
            Event::Comment(comment) => assembler.comment(&comment.xml10_content()),
            Event::Decl(_) | Event::PI(_) | Event::DocType(_) => {}
            Event::Eof => return assembler.finish(),
        }
    }
}

fn open(assembler: &mut Assembler, tag: &BytesStart<'_>) {
    let attributes: Vec<(String, String)> = tag
        .attributes()
        .map(|attribute| {
            let attribute = attribute.expect("a well-formed attribute");
            let name = attribute.key.as_ref().to_owned();
            (name, attribute.normalized_value(XmlVersion::Implicit1_0).expect("a well-formed value").into_owned())
        })
        .collect();
    let attributes: Vec<(&str, &str)> = attributes.iter().map(|(name, value)| (&**name, &**value)).collect();
    assembler.open(&tag.name().as_ref().to_ascii_lowercase(), Namespace::Html, &attributes);
}

/// One expression and the output of libxml2 for it.
struct Case {
    expression: String,
    expected: String,
}

/// Parses a result file: blocks of `Expression: …` and its value, between lines of equals signs.
fn cases(text: &str) -> Vec<Case> {
    let blocks = text.split("========================\n").filter_map(|block| block.strip_prefix("Expression: "));
    let case = |block: &str| {
        let (expression, expected) = block.split_once('\n').unwrap_or((block, ""));
        Case { expression: expression.to_owned(), expected: expected.trim_end_matches('\n').to_owned() }
    };
    blocks.map(case).collect()
}

/// Formats a value as libxml2 does.
fn print(document: &Document, value: Option<Value>) -> String {
    match value {
        None => "Object is empty (NULL)".to_owned(),
        Some(Value::Boolean(value)) => format!("Object is a Boolean : {value}"),
        Some(Value::Number(value)) => format!("Object is a number : {value}"),
        Some(Value::String(value)) => format!("Object is a string : {value}"),
        Some(Value::Nodes(nodes)) => {
            let mut out = format!("Object is a Node Set :\nSet contains {} nodes:", nodes.len());
            for (index, &node) in nodes.iter().enumerate() {
                let _ = write!(out, "\n{}  {}", index + 1, describe(document, node));
            }
            out
        }
    }
}

fn describe(document: &Document, node: Node) -> String {
    if let Some(attr) = node.attr(document) {
        return format!("ATTRIBUTE {}\n    TEXT\n      content={}", attr.name(), cut(attr.value()));
    }
    let id = node.id();
    match document.kind(id) {
        NodeKind::Document | NodeKind::Fragment => " /".to_owned(),
        NodeKind::Text => format!("TEXT\n    content={}", cut(document.text(id))),
        NodeKind::Comment => format!("COMMENT\n    content={}", cut(document.text(id))),
        NodeKind::Doctype => "DTD".to_owned(),
        NodeKind::Element => {
            let mut out = format!("ELEMENT {}", ascii(document.name(id).unwrap_or("")));
            for attr in document.attrs(id) {
                let _ =
                    write!(out, "\n    ATTRIBUTE {}\n      TEXT\n        content={}", attr.name(), cut(attr.value()));
            }
            out
        }
    }
}

/// Returns the first 40 bytes, white space as spaces; the suite's texts of that length are ASCII.
fn cut(text: &str) -> String {
    let mut out =
        ascii(&text.chars().take(40).collect::<String>()).replace(|char: char| char.is_ascii_whitespace(), " ");
    if text.len() > 40 {
        out.push_str("...");
    }
    out
}

/// Writes bytes beyond ASCII in hexadecimal.
fn ascii(text: &str) -> String {
    let byte = |byte: u8| if byte.is_ascii() { char::from(byte).to_string() } else { format!("#{byte:x}") };
    text.bytes().map(byte).collect()
}

/// Returns `true` if two printed values are the same; numbers are compared to the six digits that libxml2 prints.
fn same(expected: &str, ours: &str) -> bool {
    const NUMBER: &str = "Object is a number : ";
    match (expected.strip_prefix(NUMBER), ours.strip_prefix(NUMBER)) {
        (Some(expected), Some(ours)) => match (expected.parse::<f64>(), ours.parse::<f64>()) {
            (Ok(expected), Ok(ours)) => {
                expected == ours
                    || expected.is_nan() && ours.is_nan()
                    || (expected - ours).abs() <= expected.abs() * 1e-5
            }
            _ => false,
        },
        _ => expected.lines().map(as_html).eq(ours.lines().map(str::to_owned)),
    }
}

/// Converts a printed line to its form for an HTML tree: names in lower case, no CDATA sections.
fn as_html(line: &str) -> String {
    match line.split_once("  ELEMENT ") {
        Some((number, name)) => format!("{number}  ELEMENT {}", name.to_lowercase()),
        None => line.replace("CDATA_SECTION", "TEXT"),
    }
}

/// Runs the cases of one result file on a document, with the root element as context.
fn run(tally: &mut Tally, file: &Path, name: &str, document: &Document) {
    let text = fs::read_to_string(file).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
    let context = document.first_child(document.root()).unwrap_or(NodeId::ROOT);
    let cases = cases(&text);
    assert!(!cases.is_empty(), "{name} has cases");
    for case in cases {
        let value = Expr::xpath(&case.expression).ok().and_then(|expr| expr.evaluate(document, context).ok());
        let ours = print(document, value);
        tally.count(&format!("{name}: {}", case.expression), same(&case.expected, &ours), || {
            format!("libxml2: {}\nours: {ours}", case.expected)
        });
    }
}

#[test]
fn libxml2_suite() {
    let Some(suite) = shared::find(SUITE) else {
        shared::not_checked(SUITE);
        return;
    };
    let mut tally = Tally::new(KNOWN);
    let empty = load("<root/>");
    let results = suite.join("result/XPath");
    for name in ["base", "compare", "equality", "floats", "functions", "strings"] {
        run(&mut tally, &results.join("expr").join(name), name, &empty);
    }
    // The name of a test begins with the name of its document.
    for (name, document) in [
        ("chaptersbase", "chapters"),
        ("chaptersprefol", "chapters"),
        ("idsimple", "id"),
        ("langsimple", "lang"),
        ("mixedpat", "mixed"),
        ("nodespat", "nodes"),
        ("nssimple", "ns"),
        ("simpleabbr", "simple"),
        ("simplebase", "simple"),
        ("strbase", "str"),
        ("unicodesimple", "unicode"),
        ("usr1check", "usr1"),
        ("vidbase", "vid"),
    ] {
        let xml = fs::read_to_string(suite.join("test/XPath/docs").join(document)).expect("the suite is whole");
        run(&mut tally, &results.join("tests").join(name), name, &load(&xml));
    }
    eprintln!("libxml2 XPath: {}", tally.summary());
    let complaints = tally.complaints();
    assert!(complaints.is_empty(), "{complaints}");
}
