//! A domain as a file: a header for each role, its keys below in one order, the shortest legible quotes.

use super::super::{Domain, Role, Thresholds};
use windrow_wrapper::values::Type;

/// Longest line with an array on it; longer ones get several lines.
const LINE: usize = 110;

/// Writes a domain.
pub(super) fn domain(domain: &Domain) -> String {
    let mut out = String::new();
    for (key, text) in [("name", &domain.name), ("description", &domain.description)] {
        if !text.is_empty() {
            line(&mut out, key, &quoted(text));
        }
    }
    if !domain.things.is_empty() {
        array(&mut out, "things", &domain.things);
    }
    let standard = Thresholds::default();
    for (key, number, usual) in [
        ("data_rich_entropy", domain.thresholds.data_rich, standard.data_rich),
        ("list_entropy", domain.thresholds.list, standard.list),
    ] {
        if number != usual {
            line(&mut out, key, &format!("{number:?}"));
        }
    }
    // A role that stands in front of the one around it could not be reached: it is written at the top.
    let mut inside: Vec<Vec<usize>> = vec![Vec::new(); domain.roles.len()];
    let mut stack = Vec::new();
    for (number, role) in domain.roles.iter().enumerate() {
        match role.within.filter(|&around| around < number) {
            Some(around) => inside[around].push(number),
            None => stack.push((number, None)),
        }
    }
    stack.reverse();
    // Headers by the number of their role. A hand-made domain may nest without bounds, so there is no recursion here.
    let mut headers = vec![String::new(); domain.roles.len()];
    while let Some((number, around)) = stack.pop() {
        let role = &domain.roles[number];
        let front = around.map_or(String::new(), |around: usize| format!("{}.", headers[around]));
        headers[number] = format!("{front}role.{}", key(&role.name));
        if !out.is_empty() {
            out.push('\n');
        }
        out.push_str(&format!("[{}]\n", headers[number]));
        keys(&mut out, role);
        stack.extend(inside[number].iter().rev().map(|&inner| (inner, Some(number))));
    }
    out
}

fn keys(out: &mut String, role: &Role) {
    if !role.description.is_empty() {
        line(out, "description", &quoted(&role.description));
    }
    if !role.keywords.is_empty() {
        array(out, "keywords", &role.keywords);
    }
    if let Some(pattern) = &role.value {
        line(out, "value", &literal(pattern));
    }
    if !role.phrases.is_empty() {
        let phrases: String = role.phrases.iter().map(|phrase| format!("    {},\n", literal(phrase))).collect();
        line(out, "phrases", &format!("[\n{phrases}]"));
    }
    if role.ty != Type::String {
        line(out, "type", &quoted(role.ty.name()));
    }
    for (key, said) in [("many", role.many), ("title", role.title.then_some(true))] {
        if let Some(said) = said {
            line(out, key, &said.to_string());
        }
    }
    if !role.schema.is_empty() {
        array(out, "schema", &role.schema);
    }
}

fn line(out: &mut String, key: &str, value: &str) {
    out.push_str(&format!("{key} = {value}\n"));
}

/// An array on one line, or filled lines.
fn array(out: &mut String, key: &str, texts: &[String]) {
    let items: Vec<String> = texts.iter().map(|text| quoted(text)).collect();
    let short = format!("[{}]", items.join(", "));
    if key.len() + 3 + short.chars().count() <= LINE {
        return line(out, key, &short);
    }
    out.push_str(&format!("{key} = [\n"));
    let mut width = LINE;
    for item in items {
        let length = item.chars().count() + 2;
        if width + length > LINE {
            if width < LINE {
                out.push('\n');
            }
            out.push_str("   ");
            width = 3;
        }
        out.push_str(&format!(" {item},"));
        width += length;
    }
    out.push_str("\n]\n");
}

/// A key, quoted if it must be.
fn key(name: &str) -> String {
    let bare = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'-';
    if !name.is_empty() && name.bytes().all(bare) { name.to_owned() } else { quoted(name) }
}

/// A pattern in quotes that leave its backslashes alone, if it can be.
fn literal(pattern: &str) -> String {
    match pattern.contains(|c: char| c == '\'' || c.is_control()) {
        true => quoted(pattern),
        false => format!("'{pattern}'"),
    }
}

fn quoted(text: &str) -> String {
    let mut quoted = String::with_capacity(text.len() + 2);
    quoted.push('"');
    for c in text.chars() {
        match c {
            '"' | '\\' => quoted.extend(['\\', c]),
            '\n' => quoted.push_str("\\n"),
            '\t' => quoted.push_str("\\t"),
            c if c.is_control() => quoted.push_str(&format!("\\u{:04X}", c as u32)),
            c => quoted.push(c),
        }
    }
    quoted.push('"');
    quoted
}
