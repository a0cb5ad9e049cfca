//! Objects as OEM text, the paper's Figure 4: label, type and value of each, sets in braces.
//!
//! ```text
//! city_temp complex {
//!   country string "Austria"
//!   city_url url http://www.example.org/vie
//!   price money 340 EUR
//! }
//! ```
//!
//! Texts are in quotes, with `\"`, `\\`, `\n`, `\r`, `\t` and `\u{…}` for other control characters; so are labels and
//! URLs that hold white space, quotes, backslashes or braces. A text that is not of its type is a `string`. Lines that
//! begin with `;` are comments: which page follows, if there are several, and what an object lacks.

use crate::Extraction;
use crate::wrapper::{Objects, Value};

/// A page's objects; under its name if that must be told.
pub fn page(name: Option<&str>, extraction: &Extraction, raw: bool) -> String {
    let mut out = String::new();
    if let Some(name) = name {
        out.push_str("; page ");
        quote(&mut out, name);
        out.push('\n');
    }
    missing(&mut out, extraction.missing(), 0);
    objects(&mut out, extraction.objects(), raw, 0);
    out
}

fn objects(out: &mut String, objects: Objects<'_>, raw: bool, depth: usize) {
    for object in objects {
        indent(out, depth);
        word(out, object.label());
        if object.is_set() {
            out.push_str(" complex {\n");
            missing(out, object.missing(), depth + 1);
            self::objects(out, object.objects(), raw, depth + 1);
            indent(out, depth);
            out.push_str("}\n");
            continue;
        }
        let value = if raw { Value::String(object.text()) } else { object.value() };
        match value {
            Value::Html(text) => {
                out.push_str(" html ");
                quote(out, &text);
            }
            Value::Url(url) => {
                out.push_str(" url ");
                word(out, &url);
            }
            Value::Date(date) => out.push_str(&format!(" date {date}")),
            Value::Number(number) => out.push_str(&format!(" number {number}")),
            Value::Money(money) => out.push_str(&format!(" money {money}")),
            Value::String(text) => {
                out.push_str(" string ");
                quote(out, &text);
            }
            _ => {
                out.push_str(" string ");
                quote(out, &object.text());
            }
        }
        out.push('\n');
    }
}

fn missing<'e>(out: &mut String, labels: impl Iterator<Item = &'e str>, depth: usize) {
    for label in labels {
        indent(out, depth);
        out.push_str("; missing ");
        word(out, label);
        out.push('\n');
    }
}

fn indent(out: &mut String, depth: usize) {
    (0..depth).for_each(|_| out.push_str("  "));
}

/// A text as it is if it is one word.
fn word(out: &mut String, text: &str) {
    let breaks = |c: char| c.is_whitespace() || c.is_control() || "\"\\{}".contains(c);
    if text.is_empty() || text.starts_with(';') || text.contains(breaks) {
        quote(out, text)
    } else {
        out.push_str(text)
    }
}

fn quote(out: &mut String, text: &str) {
    out.push('"');
    for character in text.chars() {
        match character {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            control if control.is_control() => out.push_str(&format!("\\u{{{:x}}}", control as u32)),
            other => out.push(other),
        }
    }
    out.push('"');
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_words_go_without_quotes() {
        let shown = |text: &str| {
            let mut out = String::new();
            word(&mut out, text);
            out
        };
        assert_eq!(shown("http://a/?b;c=d"), "http://a/?b;c=d");
        assert_eq!(shown("hi/lo"), "hi/lo");
        assert_eq!(shown("two words"), "\"two words\"");
        assert_eq!(shown("a{b"), "\"a{b\"");
        assert_eq!(shown(";a"), "\";a\"");
        assert_eq!(shown(""), "\"\"");
        assert_eq!(shown("a\"\\\u{7}\n"), "\"a\\\"\\\\\\u{7}\\n\"");
    }
}
