//! Writes rules as commands, as far as commands can express them.
//!
//! Each rule is written before the rules below it, so that every variable is defined before it is used.

use std::collections::HashSet;

use super::build::{inferred, is_all};
use super::lex::quote;
use super::parts::{is_case, is_name};
use crate::error::{Errors, WrapperError};
use crate::files::{MAX_DEPTH, MAX_RULES, header};
use crate::pattern::Pattern;
use crate::values::Type;
use crate::wrapper::{Find, Kind, Locator, Rule, Text, Wrapper};

/// Name of the format in messages.
const FORMAT: &str = "TSIMMIS commands";

/// Writes a bracket file.
pub(crate) fn write(wrapper: &Wrapper) -> Result<String, Errors> {
    let mut writer = Writer { commands: Vec::new(), names: HashSet::new(), rules: 0, errors: Vec::new() };
    let page = match &wrapper.url {
        Some(url) => format!("get({})", quote(url, '\'')),
        None => "get()".to_owned(),
    };
    if wrapper.rules.is_empty() || wrapper.url.as_ref().is_some_and(|url| url.trim().is_empty()) {
        let message = if wrapper.rules.is_empty() { "the wrapper has no rules" } else { "the page's address is empty" };
        let rule = wrapper.rules.first().map(|rule| rule.name.value.clone()).unwrap_or_default();
        let error = WrapperError::NotExpressible { rule, format: FORMAT, message: message.to_owned(), span: None };
        return Err(error.into());
    }
    for rule in &wrapper.rules {
        writer.rule(rule, Input { from: &page, list: false }, 1);
    }
    let mut file = String::new();
    for line in header::lines(wrapper, false) {
        file.push_str(&format!("; {line}\n"));
    }
    file.push('[');
    file.push_str(&writer.commands.join(",\n "));
    file.push_str("]\n");
    Errors::unless_empty(writer.errors, file)
}

/// The input of a rule.
#[derive(Clone, Copy)]
struct Input<'a> {
    from: &'a str,
    /// `true` if the input has members to select from.
    list: bool,
}

struct Writer<'a> {
    commands: Vec<String>,
    /// Names of all rules written.
    names: HashSet<&'a str>,
    rules: usize,
    errors: Vec<WrapperError>,
}

impl<'a> Writer<'a> {
    fn rule(&mut self, rule: &'a Rule, input: Input<'_>, depth: usize) {
        let name = match rule.rules.first() {
            Some(first) if rule.kind == Kind::Save => &first.name,
            _ => &rule.name,
        };
        if let Err(message) = self.command(rule, input, depth) {
            self.errors.push(WrapperError::NotExpressible {
                rule: name.value.clone(),
                format: FORMAT,
                message,
                span: name.span,
            });
        }
    }

    /// Writes a rule and the rules below it, or returns the reason why it cannot be written.
    fn command(&mut self, rule: &'a Rule, input: Input<'_>, depth: usize) -> Result<(), String> {
        self.rules += 1;
        if depth > MAX_DEPTH || self.rules > MAX_RULES {
            return Err(format!("there may be {MAX_RULES} rules in {MAX_DEPTH} levels"));
        }
        let from = match rule.members {
            None => input.from.to_owned(),
            Some(slice) if input.list => format!("{}{slice}", input.from),
            Some(_) => return Err("`members` can be used only in lists".to_owned()),
        };
        if rule.kind == Kind::Save {
            return self.save(rule, &from, depth);
        }
        self.name(rule)?;
        if !rule.key.is_empty() {
            return Err("the format has no place for its `key`".to_owned());
        }
        if !rule.take.is_empty() || (rule.kind == Kind::Group && rule.rules.is_empty()) {
            self.group(rule, &from)?;
        } else {
            let (source, search) = way(rule, &from)?;
            let variable = variable(rule, inferred(search.patterns.iter().copied(), 0))?;
            self.push(&variable, &source, &search.written);
        }
        self.below(rule, depth);
        Ok(())
    }

    /// Writes a command with several variables.
    fn save(&mut self, rule: &'a Rule, from: &str, depth: usize) -> Result<(), String> {
        let search = search(&rule.locator).ok_or("a pattern, or a `case` of patterns, has to save the texts")?;
        if search.saves != rule.rules.len() || search.saves < 2 {
            return Err(format!(
                "{} rules for {} saved texts; one text is a field's own pattern",
                rule.rules.len(),
                search.saves
            ));
        }
        if rule.optional != rule.rules.iter().all(|below| below.optional) {
            return Err("it must be optional exactly if all its rules are".to_owned());
        }
        if rule.label.is_some() || !rule.name.is_empty() || !rule.take.is_empty() || rule.ty != Type::String {
            return Err("texts that are saved together have no name, label or type in common".to_owned());
        }
        let mut variables = Vec::new();
        for (index, below) in rule.rules.iter().enumerate() {
            self.rules += 1;
            self.name(below)?;
            let field = match below.kind {
                Kind::Field => below.rules.is_empty(),
                Kind::Group => !below.rules.is_empty(),
                _ => false,
            };
            if !field || !below.locator.is_scope() || below.members.is_some() || !below.take.is_empty() {
                return Err(format!("`{}` has to be just the saved text", below.name));
            }
            variables.push(variable(below, inferred(search.patterns.iter().copied(), index))?);
        }
        self.push(&variables.join(","), from, &search.written);
        for below in &rule.rules {
            self.below(below, depth + 1);
        }
        Ok(())
    }

    /// Writes a command that shows the values of other variables.
    fn group(&mut self, rule: &'a Rule, from: &str) -> Result<(), String> {
        if rule.kind != Kind::Group || !rule.locator.is_scope() {
            return Err("only a group in the scope of the rule above can show the values of others".to_owned());
        }
        let mut shown = Vec::new();
        for take in &rule.take {
            let label = &*take.label;
            if !is_label(label) {
                return Err(format!("`{label}` cannot be a label"));
            }
            if !self.names.contains(&*take.variable) {
                return Err(format!("no command before it defines `{}`", take.variable));
            }
            shown.push(format!("{label}={}", take.variable));
        }
        let variable = variable(rule, Type::String)?;
        self.push(&variable, &format!("group({from})"), &shown.join(", "));
        Ok(())
    }

    fn below(&mut self, rule: &'a Rule, depth: usize) {
        for below in &rule.rules {
            self.rule(below, Input { from: &rule.name, list: rule.kind == Kind::List }, depth + 1);
        }
    }

    /// Checks the name of a rule; all commands share one set of variables.
    fn name(&mut self, rule: &'a Rule) -> Result<(), String> {
        if !is_name(&rule.name) {
            return Err("its name is not allowed for a variable".to_owned());
        }
        if self.names.insert(&rule.name) {
            Ok(())
        } else {
            Err("another rule has the same name, and commands share their variables".to_owned())
        }
    }

    fn push(&mut self, variables: &str, source: &str, pattern: &str) {
        let [variables, source, pattern] = [variables, source, pattern].map(|part| quote(part, '"'));
        self.commands.push(format!("[{variables},\n  {source},\n  {pattern}]"));
    }
}

/// Formats a variable with its optional flag, type and label.
fn variable(rule: &Rule, inferred: Type) -> Result<String, String> {
    let mut variable = rule.name.value.clone();
    if rule.optional {
        variable.push('?');
    }
    let complex = rule.kind == Kind::Group || !rule.rules.is_empty();
    if complex && rule.ty != Type::String {
        return Err("an object that contains others has no type".to_owned());
    }
    if !complex && rule.ty != inferred {
        variable.push(':');
        variable.push_str(rule.ty.name());
    }
    if let Some(label) = &rule.label {
        if !is_label(label) {
            return Err(format!("`{label}` cannot be a label"));
        }
        variable.push_str("->");
        variable.push_str(label);
    }
    Ok(variable)
}

fn is_label(label: &str) -> bool {
    !label.is_empty() && label.trim() == label && !label.contains(',')
}

/// Returns the source and the pattern of a rule.
fn way<'a>(rule: &'a Rule, from: &str) -> Result<(String, WrittenPatterns<'a>), String> {
    let locator = &rule.locator;
    let plain = is_plain(locator);
    let (source, list) = match &locator.find {
        _ if !plain => {
            return Err(
                "only patterns, `split`, `table`, `case` and `get` can be written, without refinements".to_owned()
            );
        }
        Find::Split(delimiter) if delimiter.is_empty() => return Err("the delimiter is empty".to_owned()),
        Find::Split(delimiter) => (Some(format!("split({from}, {})", quote(delimiter, '\''))), true),
        Find::Table(table) => (Some(table_source(table, from)?), true),
        Find::Get(address) if address.is_scope() => {
            // `get` applied to the page itself would be the page.
            if from.starts_with("get(") {
                return Err("it follows an address that is not a variable".to_owned());
            }
            (Some(format!("get({from})")), false)
        }
        Find::Get(_)
        | Find::Scope
        | Find::Expression(_)
        | Find::XPath(_)
        | Find::Css(_)
        | Find::Pattern(_)
        | Find::Landmark(_)
        | Find::Column(_)
        | Find::Case(_) => (None, false),
    };
    if list != (rule.kind == Kind::List) {
        return Err("`split` and `table` make lists, and nothing else does".to_owned());
    }
    if rule.kind == Kind::Field && !rule.rules.is_empty() {
        return Err("a field has no rules below it".to_owned());
    }
    let all = WrittenPatterns { patterns: Vec::new(), written: "#".to_owned(), saves: 1 };
    let search = match (&source, &locator.then) {
        (Some(_), None) => Some(all),
        (Some(_), Some(then)) if !then.is_scope() => search(then),
        (None, None) => search(locator),
        _ => None,
    };
    let search = search.ok_or("only a pattern, or a `case` of patterns, can be written")?;
    match search.saves {
        1 => Ok((source.unwrap_or_else(|| from.to_owned()), search)),
        saves => Err(format!("its pattern saves {saves} texts")),
    }
}

fn table_source(table: &Locator, from: &str) -> Result<String, String> {
    if table.is_scope() {
        return Ok(format!("extract_table({from})"));
    }
    match &table.find {
        Find::Pattern(pattern) if is_plain(table) && table.then.is_none() && saves(pattern) == Some(1) => {
            Ok(format!("extract_table({from}, {})", quote(pattern, '\'')))
        }
        Find::Pattern(_)
        | Find::Scope
        | Find::Expression(_)
        | Find::XPath(_)
        | Find::Css(_)
        | Find::Split(_)
        | Find::Landmark(_)
        | Find::Table(_)
        | Find::Column(_)
        | Find::Case(_)
        | Find::Get(_) => Err("the table has to be identified by a pattern with one `#`".to_owned()),
    }
}

/// Returns `true` if the locator has no refinements other than `then`.
fn is_plain(locator: &Locator) -> bool {
    let Locator { find: _, until, slice, without, after, before, matches, then: _ } = locator;
    let texts = [without, after, before, matches];
    until.is_none() && slice.is_none() && texts.into_iter().all(Option::is_none)
}

/// The patterns a command searches with, and their written form.
struct WrittenPatterns<'a> {
    patterns: Vec<&'a Text>,
    written: String,
    saves: usize,
}

fn search(locator: &Locator) -> Option<WrittenPatterns<'_>> {
    if !is_plain(locator) || locator.then.is_some() {
        return None;
    }
    match &locator.find {
        Find::Scope => Some(WrittenPatterns { patterns: Vec::new(), written: "#".to_owned(), saves: 1 }),
        // `#` is read as the scope itself, which is the same but written differently.
        Find::Pattern(pattern) if !is_all(pattern) && !is_case(pattern) => {
            let saves = saves(pattern).filter(|saves| *saves > 0)?;
            Some(WrittenPatterns { patterns: vec![pattern], written: pattern.value.clone(), saves })
        }
        Find::Case(alternatives) => {
            let mut patterns = Vec::new();
            for alternative in alternatives {
                match &alternative.find {
                    Find::Pattern(pattern) if is_plain(alternative) && alternative.then.is_none() => {
                        patterns.push(pattern)
                    }
                    Find::Pattern(_)
                    | Find::Scope
                    | Find::Expression(_)
                    | Find::XPath(_)
                    | Find::Css(_)
                    | Find::Split(_)
                    | Find::Landmark(_)
                    | Find::Table(_)
                    | Find::Column(_)
                    | Find::Case(_)
                    | Find::Get(_) => return None,
                }
            }
            let first = saves(patterns.first()?).filter(|saves| *saves > 0)?;
            if patterns.iter().any(|pattern| saves(pattern) != Some(first)) {
                return None;
            }
            let quoted: Vec<String> = patterns.iter().map(|pattern| quote(pattern, '\'')).collect();
            Some(WrittenPatterns { patterns, written: format!("case({})", quoted.join(", ")), saves: first })
        }
        Find::Pattern(_)
        | Find::Expression(_)
        | Find::XPath(_)
        | Find::Css(_)
        | Find::Split(_)
        | Find::Landmark(_)
        | Find::Table(_)
        | Find::Column(_)
        | Find::Get(_) => None,
    }
}

/// Returns the number of texts that a pattern saves, if it is valid.
fn saves(pattern: &Text) -> Option<usize> {
    Pattern::new(pattern).ok().map(|pattern| pattern.saves())
}
