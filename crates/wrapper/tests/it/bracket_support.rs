//! Helpers for the tests of the paper formats: fixtures, wrappers as one line per rule, errors as text, random
//! numbers.

use std::fmt::Write;
use std::path::Path;

use miette::Diagnostic;
use windrow_wrapper::values::Type;
use windrow_wrapper::{Errors, Extraction, Find, Kind, Landmark, Locator, Object, Rule, Value, Wrapper};

/// Reads a file of `testdata/wrappers`.
pub(crate) fn fixture(name: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata/wrappers").join(name);
    std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// Formats errors as a person reads them: the line, a mark below it, the label, the hint.
pub(crate) fn report(file: &str, errors: &Errors) -> String {
    let mut text = String::new();
    for error in &errors.0 {
        let code = error.code().map(|code| code.to_string()).unwrap_or_default();
        writeln!(text, "{code}: {error}").unwrap();
        for label in error.labels().into_iter().flatten() {
            let (start, length) = (label.offset().min(file.len()), label.len());
            let begin = file[..start].rfind('\n').map_or(0, |at| at + 1);
            let line = file[begin..].lines().next().unwrap_or_default();
            let number = file[..begin].matches('\n').count() + 1;
            let column = file[begin..start].chars().count();
            let width =
                file.get(start..(start + length).min(begin + line.len())).map_or(0, |marked| marked.chars().count());
            writeln!(text, "{number:>3} | {line}").unwrap();
            writeln!(
                text,
                "    | {}{} {}",
                " ".repeat(column),
                "^".repeat(width.max(1)),
                label.label().unwrap_or_default()
            )
            .unwrap();
        }
        if let Some(help) = error.help() {
            writeln!(text, "    = {help}").unwrap();
        }
    }
    text
}

/// Formats a wrapper as one line per rule.
pub(crate) fn outline(wrapper: &Wrapper) -> String {
    let mut text = String::new();
    if let Some(url) = &wrapper.url {
        writeln!(text, "url {url}").unwrap();
    }
    rules(&wrapper.rules, 0, &mut text);
    text
}

fn rules(below: &[Rule], depth: usize, text: &mut String) {
    for rule in below {
        let kind = match rule.kind {
            Kind::Field => "field",
            Kind::Group => "group",
            Kind::List => "list",
            Kind::Save => "save",
        };
        write!(text, "{}{kind}", "  ".repeat(depth)).unwrap();
        if !rule.name.is_empty() {
            write!(text, " {}", rule.name).unwrap();
        }
        if rule.optional {
            text.push('?');
        }
        if rule.ty != Type::String {
            write!(text, ":{}", rule.ty.name()).unwrap();
        }
        if let Some(label) = &rule.label {
            write!(text, "->{label}").unwrap();
        }
        if let Some(members) = rule.members {
            write!(text, " of {members}").unwrap();
        }
        let at = locator(&rule.locator);
        if !at.is_empty() {
            write!(text, " = {at}").unwrap();
        }
        for take in &rule.take {
            write!(text, " {}={}", take.label, take.variable).unwrap();
        }
        text.push('\n');
        rules(&rule.rules, depth + 1, text);
    }
}

fn locator(at: &Locator) -> String {
    let mut text = match &at.find {
        Find::Scope => String::new(),
        Find::Expression(text) => format!("{text}"),
        Find::XPath(text) => format!("xpath {text}"),
        Find::Css(text) => format!("css {text}"),
        Find::Pattern(text) => format!("pattern {text:?}"),
        Find::Split(text) => format!("split {text:?}"),
        Find::Landmark(Landmark::Between { start, end: Some(end) }) => format!("between {start} … {end}"),
        Find::Landmark(Landmark::Between { start, end: None }) => format!("behind {start}"),
        Find::Landmark(Landmark::Each(start)) => format!("each {start}"),
        Find::Table(table) => format!("table({})", locator(table)),
        Find::Column(column) => format!("{column:?}"),
        Find::Case(cases) => format!("case({})", cases.iter().map(locator).collect::<Vec<_>>().join(" | ")),
        Find::Get(address) => format!("get({})", locator(address)),
    };
    if let Some(then) = &at.then {
        text = format!("{text} then {}", locator(then));
    }
    text
}

/// Formats the objects found, as in the paper's Figure 4, and the problems met.
pub(crate) fn objects(extraction: &Extraction) -> String {
    let mut text = String::new();
    for object in extraction.objects() {
        oem(object, 0, &mut text);
    }
    for problem in extraction.problems() {
        writeln!(text, "! {}", problem.path(extraction)).unwrap();
    }
    text
}

fn oem(object: Object<'_>, depth: usize, text: &mut String) {
    let indent = "  ".repeat(depth);
    if !object.is_set() {
        let value = match object.value() {
            Value::Url(url) => url,
            _ => object.text().into_owned(),
        };
        writeln!(text, "{indent}{} {} {value:?}", object.label(), object.ty().name()).unwrap();
        return;
    }
    writeln!(text, "{indent}{} complex {{", object.label()).unwrap();
    for inner in object.objects() {
        oem(inner, depth + 1, text);
    }
    for label in object.missing() {
        writeln!(text, "{indent}  {label} is missing").unwrap();
    }
    writeln!(text, "{indent}}}").unwrap();
}

/// Random numbers that differ from seed to seed and never from run to run (xorshift).
pub(crate) struct Dice(u64);

impl Dice {
    pub(crate) fn new(seed: u64) -> Dice {
        Dice(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }

    /// Returns a number less than `bound`, which is not 0.
    pub(crate) fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 20) as usize % bound
    }

    /// Returns `true` once in `of` calls on average.
    pub(crate) fn chance(&mut self, of: usize) -> bool {
        self.below(of) == 0
    }

    pub(crate) fn pick<'a, T>(&mut self, from: &'a [T]) -> &'a T {
        &from[self.below(from.len())]
    }
}
