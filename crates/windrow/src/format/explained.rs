//! The origin of every object: its node, its bytes, the rule that made it and the line of that rule.

use std::fmt::Write;

use crate::{Extraction, Object, path_of};

use super::columns;
use crate::data::json::Json;
use crate::data::{self, Form};
use crate::text::excerpt;
use crate::text::visible;
use crate::wrapper_file::WrapperFile;

/// Characters of a value that the outline shows.
const VALUE: usize = 60;

/// The objects of a page as an outline for people.
pub fn outline(page: &str, extraction: &Extraction, rules: &WrapperFile, raw: bool) -> String {
    let mut out = format!("{}: {}\n", visible(page), count(extraction.len()));
    missing(&mut out, extraction.missing(), 1);
    for object in extraction.objects() {
        lines(&mut out, object, page, rules, raw, 1);
    }
    out
}

fn count(objects: usize) -> String {
    if objects == 1 { "1 object".to_owned() } else { format!("{objects} objects") }
}

fn lines(out: &mut String, object: Object<'_>, page: &str, rules: &WrapperFile, raw: bool, depth: usize) {
    indent(out, depth);
    out.push_str(&excerpt(object.label(), VALUE));
    if object.is_set() {
        out.push_str(" complex")
    } else {
        let value = data::atom(object, if raw { Form::Raw } else { Form::Typed });
        let text = excerpt(&columns::text(&value), VALUE);
        match value {
            data::Data::Absent | data::Data::Null => {
                let _ = write!(out, " {} null", object.ty().name());
            }
            data::Data::Untyped(_) => {
                let _ = write!(out, " string \"{text}\", which is no {}", object.ty().name());
            }
            data::Data::Text(_) => {
                let _ = write!(out, " {} \"{text}\"", object.ty().name());
            }
            _ => {
                let _ = write!(out, " {} {text}", object.ty().name());
            }
        }
    }
    let mut place = Vec::new();
    if object.page().name() != page {
        place.push(visible(object.page().name()).into_owned());
    }
    place.extend(object.node().map(|node| path_of(object.page().document(), node)));
    place.extend(object.span().map(|span| format!("{}..{}", span.start, span.end)));
    let rule = excerpt(object.rule(), VALUE);
    let _ = writeln!(out, "  at {}  by {rule} ({})", place.join(" "), rules.place(object.rule_place()));
    missing(out, object.missing(), depth + 1);
    for inner in object.objects() {
        if object.is_set() {
            lines(out, inner, page, rules, raw, depth + 1);
        }
    }
}

fn missing<'e>(out: &mut String, labels: impl Iterator<Item = &'e str>, depth: usize) {
    for label in labels {
        indent(out, depth);
        let _ = writeln!(out, "{} missing", excerpt(label, VALUE));
    }
}

fn indent(out: &mut String, depth: usize) {
    (0..depth).for_each(|_| out.push_str("  "));
}

/// The objects of a page as JSON.
pub fn json(mut json: Json, page: &str, extraction: &Extraction, rules: &WrapperFile, raw: bool) -> String {
    json.object(|json| {
        json.key("page");
        json.text(page);
        missing_json(json, extraction.missing());
        json.key("objects");
        json.array(|json| {
            for object in extraction.objects() {
                json.element();
                object_json(json, object, page, rules, raw);
            }
        });
    });
    json.finish()
}

fn object_json(json: &mut Json, object: Object<'_>, page: &str, rules: &WrapperFile, raw: bool) {
    json.object(|json| {
        json.key("label");
        json.text(object.label());
        json.key("type");
        json.text(if object.is_set() { "complex" } else { object.ty().name() });
        if !object.is_set() {
            json.key("value");
            json.atom(&data::atom(object, if raw { Form::Raw } else { Form::Typed }));
            json.key("raw");
            json.text(&object.raw());
            json.key("text");
            json.text(&object.text());
        }
        if object.page().name() != page {
            json.key("page");
            json.text(object.page().name());
        }
        json.key("path");
        match object.node() {
            Some(node) => json.text(&path_of(object.page().document(), node)),
            None => json.literal("null"),
        }
        json.key("span");
        match object.span() {
            Some(span) => json.literal(&format!("[{},{}]", span.start, span.end)),
            None => json.literal("null"),
        }
        json.key("rule");
        json.text(object.rule());
        json.key("line");
        match object.rule_place() {
            Some(place) => json.literal(&rules.line(place).to_string()),
            None => json.literal("null"),
        }
        if object.is_set() {
            missing_json(json, object.missing());
            json.key("objects");
            json.array(|json| {
                for inner in object.objects() {
                    json.element();
                    object_json(json, inner, page, rules, raw);
                }
            });
        }
    });
}

fn missing_json<'e>(json: &mut Json, labels: impl Iterator<Item = &'e str>) {
    let mut labels = labels.peekable();
    if labels.peek().is_some() {
        json.key("missing");
        json.array(|json| {
            for label in labels {
                json.element();
                json.text(label);
            }
        });
    }
}
