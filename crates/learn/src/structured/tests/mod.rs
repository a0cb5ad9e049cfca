//! What is read of structured data: each rule on a small page of its own, and pages made to break the reader.

mod hostile;
mod json;
mod jsonld;
mod markup;
mod pages;

use std::fmt::Write as _;

use expect_test::Expect;
use url::Url;
use windrow_dom::Document;

use super::{Structured, Value, read};

/// Reads a page that lies at `https://barn.example/tools/rake`.
fn structured(html: &str) -> Structured {
    read(&Document::parse(html), Some(&Url::parse("https://barn.example/tools/rake").unwrap()))
}

/// Items, a line each: number, types, id, then properties with `→` before the number of an item; `(in)` if it is a value.
/// Then the notes.
fn shown(structured: &Structured) -> String {
    let mut out = String::new();
    for (index, item) in structured.items.iter().enumerate() {
        let inner = if item.top { "" } else { "(in) " };
        let id = item.id.as_ref().map_or(String::new(), |id| format!(" <{id}>"));
        let _ = write!(out, "{index} {inner}{}{id}:", item.types.join("+"));
        for property in &item.properties {
            let _ = match &property.value {
                Value::Text(text) => write!(out, " {}={text:?}", property.name),
                Value::Item(id) => write!(out, " {}→{}", property.name, id.index()),
            };
        }
        out.push('\n');
    }
    structured.notes.iter().for_each(|note| out.push_str(&format!("note: {note}\n")));
    out
}

#[track_caller]
fn check(html: &str, expected: &Expect) {
    expected.assert_eq(&shown(&structured(html)));
}

/// A page with one block of JSON-LD.
#[track_caller]
fn check_json(json: &str, expected: &Expect) {
    check(&format!("<script type=application/ld+json>{json}</script>"), expected);
}
