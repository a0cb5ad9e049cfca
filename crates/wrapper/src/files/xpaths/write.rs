//! Writes rules as lines.
//!
//! A rule that a path can express is one line, absolute as in the paper if reading it back gives the same. A list or
//! group is a section, and the lists and groups inside it follow it: the fields of a scope come first.

use std::collections::HashSet;

use windrow_xpath::{Origin, Span};

use super::express::{MatchUse, PathLine, express};
use super::{FORMAT, Note, RECORDS, inferred, is_line, is_name, relative};
use crate::error::{Errors, WrapperError};
use crate::files::{MAX_DEPTH, header};
use crate::values::Type;
use crate::wrapper::{Find, Kind, Locator, Rule, Text, Wrapper};

/// Writes a list of expressions.
///
/// Expressions that look like XPath without being declared so are written, too, and read back as XPath; selectors are
/// translated.
pub(crate) fn write(wrapper: &Wrapper) -> Result<String, Errors> {
    let mut writer = Writer { file: String::new(), errors: Vec::new(), section: "" };
    for line in header::lines(wrapper, true) {
        writer.file.push_str(&format!("# {line}\n"));
    }
    if wrapper.rules.is_empty() {
        writer.refuse("", "the wrapper has no rules", None);
    }
    let only = wrapper.rules.len() == 1;
    let mut names = HashSet::new();
    for rule in &wrapper.rules {
        if names.insert(&*rule.name) {
            writer.rule(rule, only)
        } else {
            writer.refuse(&rule.name, "another rule has the same name", rule.name.span)
        }
    }
    Errors::unless_empty(writer.errors, writer.file)
}

struct Writer {
    file: String,
    errors: Vec<WrapperError>,
    /// Header of the current section.
    section: &'static str,
}

impl Writer {
    fn refuse(&mut self, rule: &str, message: &str, span: Option<Span>) {
        let (rule, message) = (rule.to_owned(), message.to_owned());
        self.errors.push(WrapperError::NotExpressible { rule, format: FORMAT, message, span });
    }

    /// Writes a rule at the top.
    fn rule(&mut self, rule: &Rule, only: bool) {
        // A line with this name would mean something else.
        let odd = matches!(&*rule.name, "records" | "record");
        let (header, wanted) = match (rule.kind, rule.rules.is_empty()) {
            (Kind::Field, true) => ("# page:\n", MatchUse::One),
            (Kind::List, true) if !odd => ("# values:\n", MatchUse::Values),
            (Kind::List | Kind::Group, _) => {
                self.section = "";
                let title = if only && &*rule.name == RECORDS && rule.kind == Kind::List { "" } else { &*rule.name };
                return self.held(rule, title, Origin::Document, 1);
            }
            _ => return self.refuse(&rule.name, ONLY, rule.name.span),
        };
        let lines = checked(rule).and_then(|()| {
            let lines = express(&rule.locator, Origin::Document, wanted)?;
            lines_of(rule, &rule.name, &lines, None)
        });
        match lines {
            Ok(text) => {
                if self.section != header {
                    self.file.push_str(header);
                }
                self.section = header;
                self.file.push_str(&text);
            }
            Err(message) => self.refuse(&rule.name, &message, rule.name.span),
        }
    }

    /// Writes a list or group and everything in it. `title` is its name and location; `origin` is the context it is
    /// searched in.
    fn held(&mut self, rule: &Rule, title: &str, origin: Origin, depth: usize) {
        let (mut below, mut text) = (origin, String::new());
        let written = self.section(rule, title, &mut below, &mut text);
        if let Err(message) = written {
            return self.refuse(&rule.name, &message, rule.name.span);
        }
        self.file.push_str(&text);
        if depth >= MAX_DEPTH {
            return self.refuse(&rule.name, "lists and groups are nested too deeply", rule.name.span);
        }
        let around = if title.is_empty() { RECORDS } else { title };
        for inner in rule.rules.iter().filter(|inner| matches!(inner.kind, Kind::Group | Kind::List)) {
            self.held(inner, &format!("{} in {around}", inner.name), below, depth + 1);
        }
    }

    fn section(&self, rule: &Rule, title: &str, below: &mut Origin, text: &mut String) -> Result<(), String> {
        checked(rule)?;
        let list = rule.kind == Kind::List;
        let wanted = match (list, rule.rules.is_empty()) {
            (true, true) => MatchUse::Values,
            (true, false) => MatchUse::Records,
            (false, _) => MatchUse::One,
        };
        let places =
            if !list && rule.locator.is_scope() { Vec::new() } else { express(&rule.locator, *below, wanted)? };
        if !list && places.is_empty() && (rule.optional || rule.label.is_some()) {
            return Err("the format has no line for a group without `at`".to_owned());
        }
        if !title.is_empty() {
            text.push_str(&format!("# {}: {title}\n", if list { "list" } else { "group" }));
        }
        if !places.is_empty() {
            text.push_str(&lines_of(rule, if list { RECORDS } else { "at" }, &places, None)?);
            *below = if reaches(&rule.locator) { Origin::Siblings } else { Origin::Element };
        }
        let mut names = HashSet::new();
        for inner in &rule.rules {
            let said = |message: String| format!("its field `{}`: {message}", inner.name);
            if inner.kind == Kind::Save || inner.kind == Kind::Field && !inner.rules.is_empty() {
                return Err(said(ONLY.to_owned()));
            }
            if !names.insert(&*inner.name) {
                return Err(said("another rule has the same name".to_owned()));
            }
            if inner.kind == Kind::Field {
                let records = match (list, places.as_slice()) {
                    (true, [place]) => Some(place),
                    _ => None,
                };
                text.push_str(&field(inner, *below, list, records).map_err(said)?);
            }
        }
        Ok(())
    }
}

const ONLY: &str = "only fields, groups and lists of them can be written";

/// Returns `true` if matches extend over their following siblings.
fn reaches(locator: &Locator) -> bool {
    let inner = match &locator.find {
        Find::Case(cases) => cases.iter().any(reaches),
        Find::Scope
        | Find::Expression(_)
        | Find::XPath(_)
        | Find::Css(_)
        | Find::Pattern(_)
        | Find::Split(_)
        | Find::Landmark(_)
        | Find::Table(_)
        | Find::Column(_)
        | Find::Get(_) => false,
    };
    match &locator.then {
        Some(then) => reaches(then),
        None => locator.until.is_some() || inner,
    }
}

/// Writes a field of a list or group. `records` is the single line that locates the records.
fn field(rule: &Rule, origin: Origin, in_list: bool, records: Option<&PathLine>) -> Result<String, String> {
    checked(rule)?;
    if !in_list && &*rule.name == "at" {
        return Err("its name is not allowed in this format".to_owned());
    }
    let lines = express(&rule.locator, origin, MatchUse::One)?;
    let first = lines.first().ok_or("its `case` has no alternatives")?;
    // Absolute, as in the paper, if the author wrote paths and reading it back gives the same; otherwise relative.
    let whole = records.filter(|records| records.literal && first.literal).map(|records| match first.path.as_str() {
        "." => records.path.clone(),
        path if path.starts_with(".//") => format!("{}{}", records.path, &path[1..]),
        path => format!("{}/{path}", records.path),
    });
    let comes_back = |written: &String| {
        let records = records.map_or_else(Text::default, |records| Text::from(records.path.as_str()));
        relative(&records, &Text::from(written.as_str())).is_some_and(|read| *read == *first.path)
    };
    if !in_list {
        return lines_of(rule, &rule.name, &lines, None);
    }
    match whole.into_iter().chain([first.path.clone()]).find(comes_back) {
        Some(written) => lines_of(rule, &rule.name, &lines, Some(&written)),
        // In parentheses, it is not mistaken for a continuation of the path of the records.
        None => lines_of(rule, &rule.name, &lines, Some(&format!("({})", first.path))),
    }
}

/// Formats the lines of a rule under a name; `first` overrides the written form of the first path.
fn lines_of(rule: &Rule, name: &str, lines: &[PathLine], first: Option<&str>) -> Result<String, String> {
    let mut text = String::new();
    for (index, line) in lines.iter().enumerate() {
        let mut notes: Vec<(Note, String)> = Vec::new();
        if index == 0 {
            let ty = if rule.rules.is_empty() { inferred(&line.path) } else { Type::String };
            if rule.ty != ty {
                notes.push((Note::Type, rule.ty.name().to_owned()));
            }
            notes.extend(rule.label.as_ref().map(|label| (Note::Label, label.value.clone())));
            if !rule.key.is_empty() {
                let names: Vec<&str> = rule.key.iter().map(|name| &*name.value).collect();
                notes.push((Note::Key, names.join(", ")));
            }
        }
        notes.extend(line.notes.iter().cloned());
        for (note, value) in notes {
            let key = Note::ALL.iter().find(|(known, _)| *known == note).map_or("", |(_, name)| name);
            if !is_line(&value) {
                return Err(format!("its `{key}` is not one line"));
            }
            text.push_str(&format!("# {key}: {value}\n"));
        }
        let path = first.filter(|_| index == 0).unwrap_or(&line.path);
        if !is_line(path) {
            return Err("its expression is not one line".to_owned());
        }
        let or = if index == 0 { "" } else { "or " };
        let optional = if rule.optional && index == 0 { "?" } else { "" };
        text.push_str(&format!("{or}{name}{optional} = {path}\n"));
    }
    Ok(text)
}

/// Checks that there is a place for everything in a rule.
fn checked(rule: &Rule) -> Result<(), String> {
    if !is_name(&rule.name) || matches!(&*rule.name, "records" | "record") && rule.kind == Kind::Field {
        return Err("its name is not allowed in this format".to_owned());
    }
    if rule.members.is_some() || !rule.take.is_empty() {
        return Err("the format has no place for `members` and `take`".to_owned());
    }
    Ok(())
}
