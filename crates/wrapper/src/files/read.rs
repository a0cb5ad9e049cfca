//! The tree of a file to a [`Wrapper`]: what each key means, and what is wrong with those that mean nothing.
//!
//! Each table of the language has its list of keys; a key that is not in it is reported with the one most like it. The
//! reader goes on after an error, so that a person sees all of them at once. The tree's depth is bounded by its parser,
//! and so is the recursion here.

use std::collections::HashSet;

use windrow_xpath::Span;

use super::MAX_RULES;
use super::keys::{self, Place};
use super::node::{Entry, Node, Value};
use super::toml::parse_time;
use crate::error::{Errors, WrapperError, nearest};
use crate::values::Type;
use crate::wrapper::{Column, Find, Follow, Kind, Landmark, Learned, Locator, Rule, Slice, Take, Text, Until, Wrapper};

/// Errors reported at most; nobody reads more, and a hostile file has millions.
const MAX_ERRORS: usize = 1000;

/// Reads the tree of a file.
pub(crate) fn wrapper(document: &Node) -> Result<Wrapper, Errors> {
    let mut reader = Reader { errors: Vec::new(), rules: 0 };
    let wrapper = reader.document(document);
    Errors::unless_empty(reader.errors, wrapper)
}

/// Whether a rule can be called so: a letter or `_`, then anything that no written form gives a meaning to.
pub(crate) fn is_name(name: &str) -> bool {
    let clashes = |char: char| {
        char.is_whitespace() || char.is_control() || matches!(char, ',' | '=' | '"' | '\'' | '`') || "()[]{}<>".contains(char)
    };
    name.starts_with(|first: char| first.is_alphabetic() || first == '_') && !name.contains(clashes)
}

struct Reader {
    errors: Vec<WrapperError>,
    rules: usize,
}

/// A table whose keys are known to be of its place.
#[derive(Clone, Copy)]
struct Table<'a> {
    entries: &'a [Entry],
    span: Option<Span>,
    place: Place,
}

impl<'a> Table<'a> {
    fn get(&self, key: &str) -> Option<&'a Node> {
        self.entries.iter().find(|entry| &*entry.key == key).map(|entry| &entry.node)
    }
}

impl Reader {
    fn document(&mut self, document: &Node) -> Wrapper {
        let mut wrapper = Wrapper::default();
        let Some(table) = self.table("the file", document, Place::Wrapper) else { return wrapper };
        wrapper.name = self.text(&table, "name").map(|text| text.value);
        wrapper.description = self.text(&table, "description").map(|text| text.value);
        wrapper.url = self.text(&table, "url");
        // Editors find the schema by it; it says nothing about the wrapper.
        self.text(&table, "$schema");
        wrapper.learned = table.get("learned").and_then(|node| self.learned(node));
        if let Some(node) = table.get("follow") {
            wrapper.follow = self.follow(node);
        }
        wrapper.rules = self.scope(&table);
        wrapper
    }

    fn learned(&mut self, node: &Node) -> Option<Learned> {
        let table = self.table("learned", node, Place::Learned)?;
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
        if let Some(table) = self.table("follow", node, Place::Follow) {
            follow.depth = self.number(&table, "depth").unwrap_or(follow.depth);
            follow.pages = self.number(&table, "pages").unwrap_or(follow.pages);
        }
        follow
    }

    /// The rules of a table, by section; no two of them with one name.
    fn scope(&mut self, table: &Table<'_>) -> Vec<Rule> {
        let mut rules = Vec::new();
        if let Some(node) = table.get("save") {
            match &node.value {
                Value::Array(saves) => {
                    for save in saves {
                        rules.extend(self.table("save", save, Place::Save).and_then(|table| self.save(&table)));
                    }
                }
                _ => self.wrong("save", "an array of tables", node, Some("begin it with `[[save]]`, brackets doubled")),
            }
        }
        for (section, read) in
            [("field", Reader::field as fn(&mut Reader, &Node, Text) -> Option<Rule>), ("group", Reader::group), ("list", Reader::list)]
        {
            let Some(node) = table.get(section) else { continue };
            let Some(entries) = node.entries() else {
                let hint = format!("each {section} has a name: `{section}.name = …`");
                self.wrong(section, &format!("a table of {section}s"), node, Some(&hint));
                continue;
            };
            for entry in entries {
                if self.rules >= MAX_RULES {
                    break;
                }
                let name = self.name(&entry.key);
                rules.extend(read(self, &entry.node, name));
            }
        }
        let mut seen = HashSet::new();
        self.duplicates(&rules, &mut seen);
        rules
    }

    fn duplicates<'r>(&mut self, rules: &'r [Rule], seen: &mut HashSet<&'r str>) {
        for rule in rules {
            match rule.kind {
                // The names of saved texts live where the save stands.
                Kind::Save => self.duplicates(&rule.rules, seen),
                _ if !seen.insert(&rule.name) => {
                    self.push(WrapperError::DuplicateName { name: rule.name.value.clone(), span: rule.name.span });
                }
                _ => {}
            }
        }
    }

    fn field(&mut self, node: &Node, name: Text) -> Option<Rule> {
        let (locator, table) = self.shorthand(node, &name, Place::Field, |reader, table| reader.locator_keys(table))?;
        self.rule(Kind::Field, name, locator, table.as_ref())
    }

    fn list(&mut self, node: &Node, name: Text) -> Option<Rule> {
        let (locator, table) = self.shorthand(node, &name, Place::List, |reader, table| match table.get("records") {
            Some(records) => reader.locator("records", records),
            None => {
                reader.missing("records", table, "for example `records = \"//table/tbody/tr\"`");
                Locator::default()
            }
        })?;
        self.rule(Kind::List, name, locator, table.as_ref())
    }

    fn group(&mut self, node: &Node, name: Text) -> Option<Rule> {
        let table = self.table(&name, node, Place::Group)?;
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

    /// What becomes of one saved text: a string is the name of a field; in a table, `into` makes a save of it, `records`
    /// a list, `at` or rules a group.
    fn into(&mut self, item: &Node) -> Option<Rule> {
        if let Value::String(name) = &item.value {
            let name = self.name(name);
            return self.rule(Kind::Field, name, Locator::default(), None);
        }
        if item.has("into") {
            let table = self.table("into", item, Place::Save)?;
            return self.save(&table);
        }
        let table = self.table("into", item, Place::Into)?;
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
                for other in rest.iter().copied().chain(table.entries.iter().filter(|entry| keys::is_locator(&entry.key))) {
                    self.conflict(&holder.key, other, "leave one out");
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
        self.rule(kind, name, locator, Some(&table))
    }

    /// A rule whose locator is known: the rest of its keys.
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
        if let Some(node) = table.get("take") {
            rule.take = self.take(node);
        }
        if keys::of(table.place).any(|key| key == "field") {
            rule.rules = self.scope(table);
        }
        Some(rule)
    }

    fn take(&mut self, node: &Node) -> Vec<Take> {
        let Some(entries) = node.entries() else {
            self.wrong("take", "a table of labels and rule names", node, Some("for example `take = { city = \"_name\" }`"));
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

    /// A rule's value: an expression alone, or a table in which `locator` finds it.
    fn shorthand<'a>(
        &mut self,
        node: &'a Node,
        name: &str,
        place: Place,
        locator: impl FnOnce(&mut Reader, &Table<'a>) -> Locator,
    ) -> Option<(Locator, Option<Table<'a>>)> {
        match &node.value {
            Value::String(text) => Some((Locator::new(Find::Expression(text.clone())), None)),
            Value::Table(_) => {
                let table = self.table(name, node, place)?;
                Some((locator(self, &table), Some(table)))
            }
            _ => {
                self.wrong(name, "an expression or a table", node, None);
                None
            }
        }
    }

    fn locator(&mut self, key: &str, node: &Node) -> Locator {
        self.shorthand(node, key, Place::Locator, |reader, table| reader.locator_keys(table))
            .map(|(locator, _)| locator)
            .unwrap_or_default()
    }

    /// The locator whose keys stand in this table, among others.
    fn locator_keys(&mut self, table: &Table<'_>) -> Locator {
        let mut locator = Locator::default();
        let mut finds = table.entries.iter().filter(|entry| keys::FIND.contains(&&*entry.key));
        if let Some(first) = finds.next() {
            locator.find = self.find(first);
            for second in finds {
                self.conflict(&first.key, second, "a locator finds in one way; `then` runs another in what it found");
            }
        }
        locator.until = table.get("until").and_then(|node| self.until(node));
        locator.slice = table.get("slice").and_then(|node| self.slice("slice", node));
        locator.after = self.text(table, "after");
        locator.before = self.text(table, "before");
        locator.matches = self.text(table, "match");
        locator.then = table.get("then").map(|node| Box::new(self.locator("then", node)));
        locator
    }

    fn find(&mut self, entry: &Entry) -> Find {
        let (key, node) = (&*entry.key, &entry.node);
        let make: fn(Text) -> Find = match key {
            "find" => Find::Expression,
            "xpath" => Find::XPath,
            "css" => Find::Css,
            "pattern" => Find::Pattern,
            "split" => Find::Split,
            "landmark" => return self.landmark(node),
            "table" => return self.table_find(node),
            "column" => return self.column(node),
            "case" => return self.case(node),
            _ if matches!(node.value, Value::Boolean(_)) => {
                self.wrong(key, "an expression or a table", node, Some("`get = {}` takes the URL from the scope itself"));
                return Find::Scope;
            }
            _ => return Find::Get(Box::new(self.locator(key, node))),
        };
        self.string(key, node).map_or(Find::Scope, make)
    }

    fn landmark(&mut self, node: &Node) -> Find {
        let Some(table) = self.table("landmark", node, Place::Landmark) else { return Find::Scope };
        if let Some(each) = table.entries.iter().find(|entry| &*entry.key == "each") {
            for other in table.entries.iter().filter(|entry| matches!(&*entry.key, "start" | "end")) {
                self.conflict("each", other, "`each` cuts at every match; `start` and `end` take what lies between");
            }
            return self.string("each", &each.node).map_or(Find::Scope, |each| Find::Landmark(Landmark::Each(each)));
        }
        if table.get("start").is_none() {
            self.missing("start", &table, "for example `landmark = { start = '<h3>', end = '</h3>' }`");
        }
        let end = self.text(&table, "end");
        self.text(&table, "start").map_or(Find::Scope, |start| Find::Landmark(Landmark::Between { start, end }))
    }

    fn table_find(&mut self, node: &Node) -> Find {
        match &node.value {
            Value::Boolean(true) => Find::Table(Box::default()),
            Value::Boolean(false) => {
                self.wrong("table", "true, an expression or a table", node, Some("leave the key out"));
                Find::Scope
            }
            _ => Find::Table(Box::new(self.locator("table", node))),
        }
    }

    fn column(&mut self, node: &Node) -> Find {
        let number = match &node.value {
            Value::String(header) => return Find::Column(Column::Named(header.clone())),
            Value::Integer(number) => u32::try_from(*number).unwrap_or(0),
            _ => 0,
        };
        if number == 0 {
            self.wrong("column", "the header of a column, or its number, from 1", node, None);
            return Find::Scope;
        }
        Find::Column(Column::Number(number))
    }

    fn case(&mut self, node: &Node) -> Find {
        match &node.value {
            Value::Array(items) if !items.is_empty() => {
                Find::Case(items.iter().map(|item| self.locator("case", item)).collect())
            }
            _ => {
                let hint = "for example `case = [{ pattern = \"*<b>#</b>*\" }, { pattern = \"*<i>#</i>*\" }]`";
                self.wrong("case", "an array of locators", node, Some(hint));
                Find::Scope
            }
        }
    }

    fn until(&mut self, node: &Node) -> Option<Until> {
        if let Value::Table(_) = node.value {
            let table = self.table("until", node, Place::Until)?;
            if table.get("before").is_none() {
                self.missing("before", &table, "for example `until = { before = \"hr\" }`");
            }
            return self.text(&table, "before").map(Until::Before);
        }
        let Value::String(text) = &node.value else {
            self.wrong("until", "`next` or an expression", node, None);
            return None;
        };
        Some(if &**text == "next" { Until::Next } else { Until::Before(text.clone()) })
    }

    fn slice(&mut self, key: &str, node: &Node) -> Option<Slice> {
        let count = |node: &Node| match node.value {
            Value::Integer(number) => u32::try_from(number).ok(),
            _ => None,
        };
        let slice = match &node.value {
            Value::Array(items) => match items.as_slice() {
                [skip, drop] => count(skip).zip(count(drop)).map(|(skip, drop)| Slice::Range { skip, drop }),
                _ => None,
            },
            _ => count(node).map(Slice::Index),
        };
        if slice.is_none() {
            let hint = "`[1, 0]` leaves out one at the beginning and none at the end; `2` is the third alone";
            self.wrong(key, "two numbers or one, none below 0", node, Some(hint));
        }
        slice
    }

    /// The table's text of this key, if it has one.
    fn text(&mut self, table: &Table<'_>, key: &str) -> Option<Text> {
        table.get(key).and_then(|node| self.string(key, node))
    }

    fn string(&mut self, key: &str, node: &Node) -> Option<Text> {
        match &node.value {
            Value::String(text) => Some(text.clone()),
            _ => {
                self.wrong(key, "a string", node, None);
                None
            }
        }
    }

    fn boolean(&mut self, key: &str, node: &Node) -> bool {
        if let Value::Boolean(value) = node.value {
            return value;
        }
        self.wrong(key, "true or false", node, None);
        false
    }

    fn number(&mut self, table: &Table<'_>, key: &str) -> Option<u32> {
        let node = table.get(key)?;
        let number = match node.value {
            Value::Integer(number) => u32::try_from(number).ok(),
            _ => None,
        };
        if number.is_none() {
            self.wrong(key, "a number, not below 0", node, None);
        }
        number
    }

    fn name(&mut self, name: &Text) -> Text {
        if !is_name(name) {
            self.push(WrapperError::BadName { name: name.value.clone(), span: name.span });
        }
        name.clone()
    }

    /// A table of this place; keys that do not belong there are reported.
    fn table<'a>(&mut self, key: &str, node: &'a Node, place: Place) -> Option<Table<'a>> {
        let Some(entries) = node.entries() else {
            self.wrong(key, "a table", node, None);
            return None;
        };
        for entry in entries {
            if self.errors.len() < MAX_ERRORS && !keys::of(place).any(|known| known == &*entry.key) {
                self.errors.push(WrapperError::UnknownKey {
                    key: entry.key.value.clone(),
                    place: place.name(),
                    hint: keys::hint(place, entry),
                    span: entry.key.span.or(entry.node.span),
                });
            }
        }
        Some(Table { entries, span: node.span, place })
    }

    fn missing(&mut self, key: &'static str, table: &Table<'_>, hint: &str) {
        let hint = Some(hint.to_owned());
        self.push(WrapperError::MissingKey { key, place: table.place.name(), hint, span: table.span });
    }

    fn conflict(&mut self, first: &str, second: &Entry, hint: &str) {
        self.push(WrapperError::ConflictingKeys {
            first: first.to_owned(),
            second: second.key.value.clone(),
            hint: Some(hint.to_owned()),
            span: second.key.span,
        });
    }

    fn wrong(&mut self, key: &str, expected: &str, node: &Node, hint: Option<&str>) {
        self.push(WrapperError::WrongValue {
            key: key.to_owned(),
            expected: expected.to_owned(),
            found: node.describe(),
            hint: hint.map(str::to_owned),
            span: node.span,
        });
    }

    fn push(&mut self, error: WrapperError) {
        if self.errors.len() < MAX_ERRORS {
            self.errors.push(error);
        }
    }
}
