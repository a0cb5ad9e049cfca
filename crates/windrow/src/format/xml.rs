//! Objects as XML: an element for each, named by its label.
//!
//! `<windrow><page name="…"><ads><title>…</title></ads>…</page></windrow>`. A label that is no XML name becomes
//! `<object name="…">`. An amount has its currency as an attribute; an object that lacks something required says what
//! in `missing`. Characters that XML cannot hold become U+FFFD.

use crate::wrapper::values::Type;
use crate::wrapper::{Object, Objects, Value};

/// Text in front of the first page.
pub const HEADER: &str = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<windrow>\n";
/// Text behind the last page.
pub const FOOTER: &str = "</windrow>\n";

/// A page's objects.
pub fn page(name: &str, extraction: &crate::Extraction, raw: bool) -> String {
    let mut out = String::from("  <page name=\"");
    escape(&mut out, name, true);
    out.push('"');
    missing(&mut out, extraction.missing());
    out.push_str(">\n");
    objects(&mut out, extraction.objects(), raw, 2);
    out.push_str("  </page>\n");
    out
}

fn objects(out: &mut String, objects: Objects<'_>, raw: bool, depth: usize) {
    for object in objects {
        indent(out, depth);
        let label = object.label();
        let plain = is_name(label);
        let element = if plain { label } else { "object" };
        out.push('<');
        out.push_str(element);
        if !plain {
            out.push_str(" name=\"");
            escape(out, label, true);
            out.push('"');
        }
        if object.is_set() {
            missing(out, object.missing());
            out.push_str(">\n");
            self::objects(out, object.objects(), raw, depth + 1);
            indent(out, depth);
        } else {
            value(out, object, raw);
        }
        out.push_str("</");
        out.push_str(element);
        out.push_str(">\n");
    }
}

fn value(out: &mut String, object: Object<'_>, raw: bool) {
    let value = if raw { Value::String(object.text()) } else { object.value() };
    // A text that is not of its type is told as text.
    let untyped = value == Value::None;
    let value = if untyped { Value::String(object.text()) } else { value };
    if let Value::Money(money) = &value
        && let Some(currency) = money.currency
    {
        out.push_str(&format!(" currency=\"{currency}\""));
    }
    if !raw && !untyped && object.ty() != Type::String {
        out.push_str(&format!(" type=\"{}\"", object.ty().name()));
    }
    out.push('>');
    match value {
        Value::String(text) | Value::Html(text) => escape(out, &text, false),
        Value::Url(url) => escape(out, &url, false),
        Value::Date(date) => out.push_str(&date.to_string()),
        Value::Number(number) => out.push_str(&number.to_string()),
        Value::Money(money) => out.push_str(&money.amount.to_string()),
        _ => {}
    }
}

fn missing<'e>(out: &mut String, labels: impl Iterator<Item = &'e str>) {
    let mut labels: Vec<&str> = labels.collect();
    labels.dedup();
    if !labels.is_empty() {
        out.push_str(" missing=\"");
        escape(out, &labels.join(" "), true);
        out.push('"');
    }
}

fn indent(out: &mut String, depth: usize) {
    (0..depth).for_each(|_| out.push_str("  "));
}

/// Returns `true` if a label can name an element; XML keeps names that begin with `xml` for itself.
fn is_name(label: &str) -> bool {
    let mut characters = label.chars();
    let start = characters.next().is_some_and(|first| first.is_ascii_alphabetic() || first == '_');
    let reserved = label.get(..3).is_some_and(|begin| begin.eq_ignore_ascii_case("xml"));
    start && !reserved && characters.all(|other| other.is_ascii_alphanumeric() || "_-.".contains(other))
}

fn escape(out: &mut String, text: &str, quoted: bool) {
    for character in text.chars() {
        match character {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' if quoted => out.push_str("&quot;"),
            // A reader would make a line feed of it, and of any white space in an attribute a space.
            '\r' => out.push_str("&#13;"),
            '\n' | '\t' if quoted => out.push_str(&format!("&#{};", character as u32)),
            '\n' | '\t' => out.push(character),
            '\0'..='\u{1f}' | '\u{fffe}' | '\u{ffff}' => out.push('\u{fffd}'),
            other => out.push(other),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names() {
        for name in ["a", "ads", "hi-lo", "_x", "a.b", "x1"] {
            assert!(is_name(name), "{name}");
        }
        for name in ["", "1a", "hi/lo", "Xml", "a b", "a:b", "größe", "-a"] {
            assert!(!is_name(name), "{name}");
        }
    }

    #[test]
    fn no_character_breaks_out() {
        let mut out = String::new();
        escape(&mut out, "<a b=\"c\">&\u{1}\r\n", true);
        assert_eq!(out, "&lt;a b=&quot;c&quot;&gt;&amp;\u{fffd}&#13;&#10;");
    }
}
