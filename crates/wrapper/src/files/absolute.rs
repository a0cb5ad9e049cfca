//! Rules as in MERL's paper: one absolute path per field, taken from the `path` of each rule.
//!
//! ```text
//! [list.ads]                                                        # list: ads
//! records = "tr.ad"                                                 title = /html[1]/body[1]/table[1]/tbody[1]/tr/td[2]
//! path = "/html[1]/body[1]/table[1]/tbody[1]/tr"                    price = /html[1]/body[1]/table[1]/tbody[1]/tr/td[4]
//! field.title = { css = "b", path = "…/tbody[1]/tr/td[2]" }
//! field.price = { css = "i", path = "…/tbody[1]/tr/td[4]" }
//! ```
//!
//! The paths also determine the records: a `records` line is written only where they would be derived differently.
//!
//! The paper knows only lists of fields, so the rule tree is flattened. The fields of a group become fields of the
//! scope around it, named `group.field`. A list in a list becomes a separate list over the whole page, named
//! `list.list`, after the outer one. Temporary fields are not shown, so they are left out.
//!
//! Linear in the wrapper.

use std::collections::HashSet;

use windrow_xpath::Span;

use super::xpaths::{FORMAT, Line, RECORDS, derive, is_line, is_name, relative};
use super::{MAX_DEPTH, header};
use crate::error::{Errors, WrapperError};
use crate::paths;
use crate::wrapper::{Kind, Rule, Text, Wrapper};

/// Writes the paths of a wrapper.
pub(crate) fn write(wrapper: &Wrapper) -> Result<String, Errors> {
    let mut flat = Flat::default();
    paths::check(&wrapper.rules, &mut flat.errors, 0);
    flat.rules(&wrapper.rules, "", &Around::Page, 0);
    if flat.is_empty() && flat.errors.is_empty() {
        flat.refuse("", None, "the wrapper has no rules");
    }
    // The paths of the rules become the lines below.
    let Wrapper { name, description, url, learned, follow, search, rules: _ } = wrapper.clone();
    let head = Wrapper { name, description, url, learned, follow, search, rules: Vec::new() };
    let mut file: String = header::lines(&head, true).iter().map(|line| format!("# {line}\n")).collect();
    for (title, lines) in [("# page:\n", &flat.page), ("# values:\n", &flat.values)] {
        if !lines.is_empty() {
            file.push_str(title);
            lines.iter().for_each(|line| file.push_str(&written(line)));
        }
    }
    let only = flat.lists.len() == 1 && flat.page.is_empty() && flat.values.is_empty();
    for list in &flat.lists {
        if !only || &*list.name != RECORDS {
            file.push_str(&format!("# list: {}\n", list.name));
        }
        if derive(&list.lines).is_none_or(|derived| derived != list.records) {
            file.push_str(&format!("records = {}\n", list.records));
        }
        list.lines.iter().for_each(|line| file.push_str(&written(line)));
    }
    Errors::unless_empty(flat.errors, file)
}

fn written(line: &Line) -> String {
    let optional = if line.optional { "?" } else { "" };
    format!("{}{optional} = {}\n", line.name, line.path)
}

/// The sections of the file.
#[derive(Default)]
struct Flat {
    page: Vec<Line>,
    values: Vec<Line>,
    lists: Vec<List>,
    /// Names of the page's fields and of the lists.
    names: HashSet<String>,
    errors: Vec<WrapperError>,
}

struct List {
    name: String,
    records: Text,
    lines: Vec<Line>,
    names: HashSet<String>,
}

/// The surroundings of a rule.
enum Around {
    Page,
    /// The index of the list around, `None` if it was rejected, and the prefix for the names of lists inside it.
    List(Option<usize>, String),
}

impl Flat {
    fn is_empty(&self) -> bool {
        self.page.is_empty() && self.values.is_empty() && self.lists.is_empty()
    }

    /// Flattens rules. `groups` is the prefix for their names: those of the groups around them, each with a dot.
    fn rules(&mut self, rules: &[Rule], groups: &str, around: &Around, depth: usize) {
        if depth > MAX_DEPTH {
            let (what, span) = ("levels of nested rules", rules.first().and_then(|rule| rule.name.span));
            return self.errors.push(WrapperError::TooLarge { what, limit: MAX_DEPTH, span });
        }
        for rule in rules {
            let name = format!("{groups}{}", rule.name);
            match rule.kind {
                Kind::Save => self.rules(&rule.rules, groups, around, depth + 1),
                Kind::Group if !rule.take.is_empty() => {
                    self.refuse(
                        &in_list(around, &name),
                        rule.name.span,
                        "values taken by a group have no path of their own",
                    );
                }
                Kind::Group if rule.is_temporary() => self.rules(&rule.rules, groups, around, depth + 1),
                Kind::Group => self.rules(&rule.rules, &format!("{name}."), around, depth + 1),
                Kind::Field | Kind::List if rule.is_temporary() && rule.rules.is_empty() => {}
                Kind::Field => self.field(rule, &name, around),
                Kind::List => {
                    let name = in_list(around, &name);
                    let list = self.list(rule, &name);
                    // A list whose name begins with `_` would not be shown when it is read back.
                    let front = if rule.is_temporary() { in_list(around, groups) } else { format!("{name}.") };
                    self.rules(&rule.rules, "", &Around::List(list, front), depth + 1);
                }
            }
        }
    }

    fn field(&mut self, rule: &Rule, name: &str, around: &Around) {
        let full = in_list(around, name);
        let Some(path) = self.path(rule, &full) else { return };
        if matches!(name, "records" | "record") {
            return self.refuse(&full, rule.name.span, "its name is not allowed in this format");
        }
        let (list, fresh) = match around {
            Around::Page => (None, self.names.insert(name.to_owned())),
            Around::List(None, _) => return,
            Around::List(Some(list), _) => {
                let list = &mut self.lists[*list];
                let fresh = list.names.insert(name.to_owned());
                (Some(list), fresh)
            }
        };
        let within = list.as_ref().is_none_or(|list| relative(&list.records, &path).is_some());
        let line = Line::new(name.into(), rule.optional, path);
        match (fresh, within, list) {
            (false, ..) => self.refuse(&full, rule.name.span, "another rule has the same name"),
            (_, false, _) => self.refuse(&full, rule.name.span, "its path does not continue that of the records"),
            (_, _, Some(list)) => list.lines.push(line),
            (_, _, None) => self.page.push(line),
        }
    }

    /// Adds a list and returns the index of its section, if it has fields.
    fn list(&mut self, rule: &Rule, name: &str) -> Option<usize> {
        let path = self.path(rule, name)?;
        if !self.names.insert(name.to_owned()) {
            self.refuse(name, rule.name.span, "another rule has the same name");
            return None;
        }
        // A line with this name would mean something else.
        if rule.rules.is_empty() && !matches!(name, "records" | "record") {
            self.values.push(Line::new(name.into(), rule.optional, path));
            return None;
        }
        self.lists.push(List { name: name.to_owned(), records: path, lines: Vec::new(), names: HashSet::new() });
        Some(self.lists.len() - 1)
    }

    /// Returns the path of a rule, if it can be written.
    fn path(&mut self, rule: &Rule, name: &str) -> Option<Text> {
        let Some(path) = &rule.path else {
            self.errors.push(WrapperError::NoPath { rule: name.to_owned(), span: rule.name.span });
            return None;
        };
        let refusal = match (is_name(name), is_line(path)) {
            (false, _) => "its name is not allowed in this format",
            (_, false) => "its path is not one line",
            // Given a place as if read from a file, because deriving the records needs one.
            _ => return Some(Text::at(path.value.clone(), Span::new(0, path.len()), true)),
        };
        self.refuse(name, rule.name.span, refusal);
        None
    }

    fn refuse(&mut self, rule: &str, span: Option<Span>, message: &str) {
        let (rule, message) = (rule.to_owned(), message.to_owned());
        self.errors.push(WrapperError::NotExpressible { rule, format: FORMAT, message, span });
    }
}

fn in_list(around: &Around, name: &str) -> String {
    match around {
        Around::Page => name.to_owned(),
        Around::List(_, front) => format!("{front}{name}"),
    }
}
