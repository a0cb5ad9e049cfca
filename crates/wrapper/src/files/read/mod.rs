//! Converts the tree of a file to a [`Wrapper`], and reports the keys and values that are wrong.
//!
//! Each table of the language has its list of keys; an unknown key is reported with the most similar one. The reader
//! continues after an error, so that a person sees all of them at once. The depth of the tree is bounded by its
//! parser, and so is the recursion here.

mod locator;
mod table;

use std::collections::HashSet;

use self::table::Table;
use super::MAX_RULES;
use super::keys::{self, TableKind};
use super::node::{Entry, Node, Value};
use super::toml::parse_time;
use crate::error::{Errors, WrapperError, nearest};
use crate::key;
use crate::search;
use crate::values::Type;
use crate::wrapper::{Follow, Kind, Learned, Locator, Rule, Search, Take, Text, Wrapper};

/// Reads the tree of a file.
pub(crate) fn wrapper(document: &Node) -> Result<Wrapper, Errors> {
    let mut reader = Reader { errors: Vec::new(), rules: 0 };
    let wrapper = reader.document(document);
    // A rule that could not be read may be one that a key names.
    if reader.errors.is_empty() {
        key::check(&wrapper.rules, &mut reader.errors);
        search::check(&wrapper, &mut reader.errors);
    }
    Errors::unless_empty(reader.errors, wrapper)
}

/// Reads the locator in a document that contains nothing else, under the key `locator`.
pub(crate) fn locator(document: &Node) -> Result<Locator, Errors> {
    let mut reader = Reader { errors: Vec::new(), rules: 0 };
    let node = document.entries().and_then(|entries| entries.first()).map(|entry| &entry.node);
    let locator = node.map(|node| reader.locator("locator", node)).unwrap_or_default();
    Errors::unless_empty(reader.errors, locator)
}

/// Returns `true` if a text is a valid rule name: a letter or `_`, then any characters without a meaning in one of
/// the formats.
pub(crate) fn is_name(name: &str) -> bool {
    let clashes = |char: char| char.is_whitespace() || char.is_control() || ",=\"'`()[]{}".contains(char);
    name.starts_with(|first: char| first.is_alphabetic() || first == '_') && !name.contains(clashes)
}

struct Reader {
    errors: Vec<WrapperError>,
    rules: usize,
}

impl Reader {
    fn document(&mut self, document: &Node) -> Wrapper {
        let mut wrapper = Wrapper::default();
        let Some(table) = self.table("wrapper", document, TableKind::Wrapper) else { return wrapper };
        wrapper.name = self.text(&table, "name").map(|text| text.value);
        wrapper.description = self.text(&table, "description").map(|text| text.value);
        wrapper.url = self.text(&table, "url");
        // Editors use it to find the schema; it says nothing about the wrapper.
        self.text(&table, "$schema");
        wrapper.learned = table.get("learned").and_then(|node| self.learned(node));
        if let Some(node) = table.get("follow") {
            wrapper.follow = self.follow(node);
        }
        wrapper.search = table.get("search").and_then(|node| self.search(node));
        wrapper.rules = self.scope(&table);
        wrapper
    }

    fn learned(&mut self, node: &Node) -> Option<Learned> {
        let table = self.table("learned", node, TableKind::Learned)?;
        let by = match table.get("by") {
            Some(_) => self.text(&table, "by"),
            None => {
                self.missing("by", &table, "for example `by = \"discover\"`");
                None
            }
        };
        let from = match table.get("from").map(|node| (node, &node.value)) {
            None => Vec::new(),
            Some((_, Value::Array(items))) => {
                items.iter().filter_map(|item| self.string("from", item)).map(|text| text.value).collect()
            }
            Some((node, _)) => self.string("from", node).into_iter().map(|text| text.value).collect(),
        };
        let at = table.get("at").and_then(|node| match &node.value {
            Value::Datetime(time) if parse_time(time).is_some() => Some(time.clone()),
            Value::String(text) if parse_time(text).is_some() => Some(text.value.clone()),
            _ => {
                self.wrong("at", "a time such as 2026-11-15T09:00:00Z", node, None);
                None
            }
        });
        Some(Learned { by: by?.value, from, at })
    }

    fn follow(&mut self, node: &Node) -> Follow {
        let mut follow = Follow::default();
        if let Some(table) = self.table("follow", node, TableKind::Follow) {
            follow.depth = self.number(&table, "depth").unwrap_or(follow.depth);
            follow.pages = self.number(&table, "pages").unwrap_or(follow.pages);
        }
        follow
    }

    fn search(&mut self, node: &Node) -> Option<Search> {
        let table = self.table("search", node, TableKind::Search)?;
        let usual = Search::default();
        let url = match table.get("url") {
            Some(_) => self.text(&table, "url")?,
            None => {
                self.missing("url", &table, "for example `url = \"https://search.example/?q={query}&page={page}\"`");
                return None;
            }
        };
        Some(Search {
            url,
            first: self.number(&table, "first").unwrap_or(usual.first),
            step: self.number(&table, "step").unwrap_or(usual.step),
            pages: self.number(&table, "pages").unwrap_or(usual.pages),
            link: self.text(&table, "link"),
        })
    }

    /// Reads the rules of a table, by section, and reports duplicate names.
    fn scope(&mut self, table: &Table<'_>) -> Vec<Rule> {
        let mut rules = Vec::new();
        if let Some(node) = table.get("save") {
            match &node.value {
                Value::Array(saves) => {
                    for save in saves {
                        rules.extend(self.table("save", save, TableKind::Save).and_then(|table| self.save(&table)));
                    }
                }
                _ => self.wrong("save", "an array of tables", node, Some("begin it with `[[save]]`, brackets doubled")),
            }
        }
        for (section, read) in [
            ("field", Reader::field as fn(&mut Reader, &Node, Text) -> Option<Rule>),
            ("group", Reader::group),
            ("list", Reader::list),
        ] {
            let Some(node) = table.get(section) else { continue };
            let Some(entries) = node.entries() else {
                let hint = format!("each {section} has a name: `{section}.name = …`");
                self.wrong(section, &format!("a table of {section}s"), node, Some(&hint));
                continue;
            };
            for entry in entries {
                if self.rules > MAX_RULES {
                    break;
                }
                let name = self.name(&entry.key);
                rules.extend(read(self, &entry.node, name));
            }
        }
        self.duplicates(&rules);
        rules
    }

    fn duplicates(&mut self, rules: &[Rule]) {
        /// Collects names; those of saved texts belong to the scope of the save.
        fn names<'r>(rules: &'r [Rule], all: &mut Vec<&'r Text>) {
            for rule in rules {
                match rule.kind {
                    Kind::Save => names(&rule.rules, all),
                    _ => all.push(&rule.name),
                }
            }
        }
        let mut all = Vec::with_capacity(rules.len());
        names(rules, &mut all);
        // Sections are read in their own order; the duplicate is the one further down in the file.
        all.sort_by_key(|name| name.span.map(|span| span.start));
        let mut seen = HashSet::with_capacity(all.len());
        for name in all {
            if !seen.insert(&**name) {
                self.push(WrapperError::DuplicateName { name: name.value.clone(), span: name.span });
            }
        }
    }

    fn field(&mut self, node: &Node, name: Text) -> Option<Rule> {
        let (locator, table) =
            self.shorthand(node, &name, TableKind::Field, |reader, table| reader.locator_keys(table))?;
        self.rule(Kind::Field, name, locator, table.as_ref())
    }

    fn list(&mut self, node: &Node, name: Text) -> Option<Rule> {
        let (locator, table) =
            self.shorthand(node, &name, TableKind::List, |reader, table| match table.get("records") {
                Some(records) => reader.locator("records", records),
                None => {
                    reader.missing("records", table, "for example `records = \"//table/tbody/tr\"`");
                    Locator::default()
                }
            })?;
        self.rule(Kind::List, name, locator, table.as_ref())
    }

    fn group(&mut self, node: &Node, name: Text) -> Option<Rule> {
        let table = self.table(&name, node, TableKind::Group)?;
        let locator = table.get("at").map_or_else(Locator::default, |at| self.locator("at", at));
        self.rule(Kind::Group, name, locator, Some(&table))
    }

    fn save(&mut self, table: &Table<'_>) -> Option<Rule> {
        let locator = self.locator_keys(table);
        if locator.is_scope() {
            self.missing("pattern", table, "for example `pattern = \"*<td>#</td>*<td>#</td>*\"`");
        }
        let mut rule = self.rule(Kind::Save, Text::default(), locator, Some(table))?;
        match table.get("into").map(|node| (node, &node.value)) {
            None => self.missing("into", table, "a name for each `#` of the pattern: `into = [\"title\", \"price\"]`"),
            Some((_, Value::Array(items))) if !items.is_empty() => {
                for item in items {
                    rule.rules.extend(self.into(item));
                }
            }
            Some((node, _)) => self.wrong("into", "an array of names and tables", node, None),
        }
        Some(rule)
    }

    /// Reads the use of one saved text: a string is the name of a field; a table is a save if it has `into`, a list
    /// if it has `records`, a group if it has `at` or rules.
    fn into(&mut self, item: &Node) -> Option<Rule> {
        if let Value::String(name) = &item.value {
            let name = self.name(name);
            return self.rule(Kind::Field, name, Locator::default(), None);
        }
        if item.has("into") {
            let table = self.table("into", item, TableKind::Save)?;
            return self.save(&table);
        }
        let table = self.table("into", item, TableKind::Into)?;
        let name = match table.get("name") {
            Some(_) => self.text(&table, "name").map(|name| self.name(&name))?,
            None => {
                self.missing("name", &table, "for example `name = \"price\"`");
                return None;
            }
        };
        let holders: Vec<&Entry> =
            table.entries.iter().filter(|entry| matches!(&*entry.key, "records" | "at")).collect();
        let locator = match holders.as_slice() {
            [] => self.locator_keys(&table),
            [holder, rest @ ..] => {
                for other in
                    rest.iter().copied().chain(table.entries.iter().filter(|entry| keys::is_locator(&entry.key)))
                {
                    self.conflict(&holder.key, other, "remove one of them");
                }
                self.locator(&holder.key, &holder.node)
            }
        };
        let is_group = ["at", "take", "save", "field", "group", "list"].iter().any(|key| table.get(key).is_some());
        let kind = match table.get("records") {
            Some(_) => Kind::List,
            None if is_group => Kind::Group,
            None => Kind::Field,
        };
        if kind != Kind::List
            && let Some(entry) = table.entries.iter().find(|entry| &*entry.key == "key")
        {
            self.push(WrapperError::UnknownKey {
                key: entry.key.value.clone(),
                place: if kind == Kind::Group { TableKind::Group } else { TableKind::Field }.name(),
                hint: Some(key::ONLY_LISTS.to_owned()),
                span: entry.key.span,
            });
        }
        self.rule(kind, name, locator, Some(&table))
    }

    /// Reads the remaining keys of a rule whose locator is known.
    fn rule(&mut self, kind: Kind, name: Text, locator: Locator, table: Option<&Table<'_>>) -> Option<Rule> {
        self.rules += 1;
        if self.rules > MAX_RULES {
            if self.rules == MAX_RULES + 1 {
                let span = name.span.or_else(|| table.and_then(|table| table.span));
                self.push(WrapperError::TooLarge { what: "rules", limit: MAX_RULES, span });
            }
            return None;
        }
        let mut rule = Rule::field(name, locator);
        rule.kind = kind;
        let Some(table) = table else { return Some(rule) };
        rule.label = self.text(table, "label");
        rule.ty = table.get("type").and_then(|node| self.ty(node)).unwrap_or_default();
        rule.optional = table.get("optional").is_some_and(|node| self.boolean("optional", node));
        rule.members = table.get("members").and_then(|node| self.slice("members", node));
        rule.path = self.text(table, "path");
        if let Some(node) = table.get("key").filter(|_| kind == Kind::List) {
            rule.key = self.key(node);
        }
        if let Some(node) = table.get("take") {
            rule.take = self.take(node);
        }
        if keys::valid_keys(table.place).any(|key| key == "field") {
            rule.rules = self.scope(table);
        }
        Some(rule)
    }

    /// Reads a key: the name of a field, or several.
    fn key(&mut self, node: &Node) -> Vec<Text> {
        match &node.value {
            Value::String(name) => vec![name.clone()],
            Value::Array(names) if !names.is_empty() => {
                names.iter().filter_map(|name| self.string("key", name)).collect()
            }
            _ => {
                let hint = "for example `key = \"link\"` or `key = [\"street\", \"date\"]`";
                self.wrong("key", "the name of a field, or an array of names", node, Some(hint));
                Vec::new()
            }
        }
    }

    fn take(&mut self, node: &Node) -> Vec<Take> {
        let Some(entries) = node.entries() else {
            self.wrong(
                "take",
                "a table of labels and rule names",
                node,
                Some("for example `take = { city = \"_name\" }`"),
            );
            return Vec::new();
        };
        let takes = entries.iter().filter_map(|entry| {
            Some(Take { label: entry.key.clone(), variable: self.string(&entry.key, &entry.node)? })
        });
        takes.collect()
    }

    fn ty(&mut self, node: &Node) -> Option<Type> {
        let Value::String(text) = &node.value else {
            self.wrong("type", "the name of a type", node, None);
            return None;
        };
        let ty = Type::from_name(text);
        if ty.is_none() {
            let names = || Type::ALL.into_iter().map(Type::name);
            let hint = nearest(text, names()).map(|name| format!("did you mean `{name}`?"));
            let expected = names().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ");
            self.push(WrapperError::WrongValue {
                key: "type".to_owned(),
                expected: format!("one of {expected}"),
                found: format!("`{text}`"),
                hint,
                span: text.span,
            });
        }
        ty
    }
}
