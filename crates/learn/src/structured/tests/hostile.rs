//! Pages made to cost time, memory or the stack. What comes out stays within the limits, and a note says which limit was
//! met; without the limits a page would take minutes or crash.

use super::{shown, structured};
use crate::structured::{MAX_ITEMS, MAX_JSON_VALUES, MAX_PROPERTIES, MAX_TEXT_BYTES, Note, Structured, Syntax, Value};

/// Reads a page, which must not give more than the limits allow.
#[track_caller]
fn bounded(html: &str) -> Structured {
    let structured = structured(html);
    assert!(structured.items.len() <= MAX_ITEMS);
    assert!(structured.items.iter().map(|item| item.properties.len()).sum::<usize>() <= MAX_PROPERTIES);
    let properties = structured.items.iter().flat_map(|item| &item.properties);
    let bytes = properties.map(|property| match &property.value {
        Value::Text(text) => property.name.len() + text.len(),
        Value::Item(id) => {
            assert!(id.index() < structured.items.len());
            property.name.len()
        }
    });
    assert!(bytes.sum::<usize>() <= MAX_TEXT_BYTES);
    structured
}

fn json(json: &str) -> Structured {
    bounded(&format!("<script type=application/ld+json>{json}</script>"))
}

fn is_cut(structured: &Structured, syntax: Syntax, limit: &'static str) -> bool {
    structured.notes.contains(&Note::Cut { syntax, limit })
}

#[test]
fn brackets_without_end() {
    for bracket in ["[", "{", "{\"a\":", "[{\"a\":[", "]", "}", "[[]", "\"", "\\", "<!--", "/*", "//", "<![CDATA["] {
        let read = json(&bracket.repeat((1 << 20) / bracket.len()));
        assert!(read.items.len() <= 64, "{bracket}: {} items", read.items.len());
    }
    let deep = json(&format!("{{\"name\":\"x\",\"deep\":{}{}}}", "[".repeat(1 << 19), "]".repeat(1 << 19)));
    assert_eq!(
        shown(&deep),
        "0 : name=\"x\"\nnote: JSON-LD is nested deeper than 64: the deeper parts were left out\n"
    );
}

#[test]
fn too_many_values() {
    let many = json(&format!("{{\"name\":\"x\",\"a\":[{}]}}", "1,".repeat(MAX_JSON_VALUES)));
    assert!(is_cut(&many, Syntax::JsonLd, "MAX_JSON_VALUES"));
    assert!(is_cut(&many, Syntax::JsonLd, "MAX_PROPERTIES"));
    let many = json(&format!("[{}]", "{\"a\":1},".repeat(MAX_ITEMS + 1)));
    assert!(is_cut(&many, Syntax::JsonLd, "MAX_ITEMS"));
    assert_eq!(many.items.len(), MAX_ITEMS);
}

#[test]
fn ids_in_circles() {
    let circle = json(
        "[{\"@id\":\"#a\",\"next\":{\"@id\":\"#b\",\"next\":{\"@id\":\"#a\"}}},{\"@id\":\"#a\",\"next\":{\"@id\":\"#a\"}}]",
    );
    assert_eq!(circle.items.len(), 2);
    let way = vec!["next"; 10_000].join(".");
    assert_eq!(circle.items[0].find(&circle.items, &way), []);
    // One thing told a hundred thousand times is one thing.
    let again = json(&format!("[{}]", "{\"@id\":\"#a\",\"name\":\"x\",\"is\":{\"@id\":\"#a\"}},".repeat(50_000)));
    assert_eq!(shown(&again), "0 <https://barn.example/tools/rake#a>: name=\"x\" is→0\n".replace("0 <", "0  <"));
}

#[test]
fn contexts_that_multiply() {
    let prefix = "p".repeat(1000);
    let names = "\"a:b\":1,".repeat(50_000);
    json(&format!("{{\"@context\":{{\"a\":\"http://{prefix}/\",\"@vocab\":\"{prefix}\"}},{names}\"c\":2}}"));
    let inner = "{\"@context\":{\"t\":\"http://t.org/\"},\"x\":".repeat(60);
    json(&format!("{inner}[{}]{}", "{\"y\":1},".repeat(20_000), "}".repeat(60)));
}

#[test]
fn references_in_circles() {
    let circle = bounded(
        "<div id=a itemscope itemref='a b c'><p itemprop=x>1</p></div><div id=b itemprop=y itemscope itemref='b a c'></div>
         <div id=c><div itemprop=z itemscope itemref=c></div></div>",
    );
    assert_eq!(shown(&circle), "0 : x=\"1\" y→1 z→2\n1 (in) : z→2\n2 (in) :\n");
}

#[test]
fn references_that_multiply() {
    let items = "<div itemscope itemref='all'></div>".repeat(5_000);
    let properties = "<p itemprop=x>1</p>".repeat(5_000);
    let many = bounded(&format!("{items}<div id=all>{properties}</div>"));
    assert!(is_cut(&many, Syntax::Microdata, "MAX_PROPERTIES"));
    bounded(&format!("<div itemscope itemref='{}'></div><p id=a itemprop=x>1", "a ".repeat(500_000)));
    bounded(&format!("<div itemscope itemtype='{}'>", (0..100_000).map(|n| format!("t{n} ")).collect::<String>()));
    let named = (0..100_000).map(|n| format!("n{n} ")).collect::<String>();
    bounded(&format!("<div itemscope><p itemprop='{named}'>{}</p></div>", "text ".repeat(20_000)));
}

#[test]
fn texts_inside_texts() {
    let text = "word ".repeat(200_000);
    let nested = bounded(&format!("<div itemscope>{}{text}", "<div itemprop=x>".repeat(400)));
    assert!(is_cut(&nested, Syntax::Microdata, "MAX_TEXT_BYTES"));
    let nested = bounded(&format!("<div vocab=http://schema.org/>{}{text}", "<div property=x>".repeat(400)));
    assert!(is_cut(&nested, Syntax::Rdfa, "MAX_TEXT_BYTES"));
    let nested = bounded(&format!("<div itemscope>{}{}", "<div itemprop=x>".repeat(400), "<b></b>".repeat(100_000)));
    assert!(is_cut(&nested, Syntax::Microdata, "MAX_TEXT_NODES"));
}

#[test]
fn prefixes_that_multiply() {
    let declared = (0..100).map(|n| format!("p{n}: http://p{n}.org/ ")).collect::<String>();
    let nested = format!("<div prefix='{declared}'>").repeat(400);
    bounded(&format!("{nested}{}", "<b property=zz:x>1</b>".repeat(50_000)));
    let hanging = (0..60).map(|n| format!("v:r{n} ")).collect::<String>();
    let many = bounded(&format!("<div rel='{hanging}'>{}</div>", "<b typeof=v:X></b>".repeat(10_000)));
    assert!(is_cut(&many, Syntax::Rdfa, "MAX_PROPERTIES"));
}
