//! Reads locators: the keys that determine how values are found.

use super::Reader;
use super::table::Table;
use crate::files::keys::{self, TableKind};
use crate::files::node::{Entry, Node, Value};
use crate::wrapper::{Column, Find, Landmark, Locator, Slice, Text, Until};

impl Reader {
    /// Reads the value of a rule: an expression alone, or a table from which `locator` reads the locator.
    pub(super) fn shorthand<'a>(
        &mut self,
        node: &'a Node,
        name: &str,
        place: TableKind,
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

    pub(super) fn locator(&mut self, key: &str, node: &Node) -> Locator {
        self.shorthand(node, key, TableKind::Locator, |reader, table| reader.locator_keys(table))
            .map(|(locator, _)| locator)
            .unwrap_or_default()
    }

    /// Reads the locator whose keys stand in this table, among other keys.
    pub(super) fn locator_keys(&mut self, table: &Table<'_>) -> Locator {
        let mut locator = Locator::default();
        let mut finds = table.entries.iter().filter(|entry| keys::FIND.contains(&&*entry.key));
        if let Some(first) = finds.next() {
            locator.find = self.find(first);
            for second in finds {
                self.conflict(
                    &first.key,
                    second,
                    "a locator can have only one way of finding; use `then` to search inside its matches",
                );
            }
        }
        locator.until = table.get("until").and_then(|node| self.until(node));
        locator.slice = table.get("slice").and_then(|node| self.slice("slice", node));
        locator.without = self.text(table, "without");
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
                self.wrong(
                    key,
                    "an expression or a table",
                    node,
                    Some("`get = {}` takes the URL from the scope itself"),
                );
                return Find::Scope;
            }
            _ => return Find::Get(Box::new(self.locator(key, node))),
        };
        self.string(key, node).map_or(Find::Scope, make)
    }

    fn landmark(&mut self, node: &Node) -> Find {
        let Some(table) = self.table("landmark", node, TableKind::Landmark) else { return Find::Scope };
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
                self.wrong("table", "true, an expression or a table", node, Some("remove the key"));
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
            self.wrong("column", "a column's header, or its number from 1", node, None);
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
            let table = self.table("until", node, TableKind::Until)?;
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

    pub(super) fn slice(&mut self, key: &str, node: &Node) -> Option<Slice> {
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
            let hint = "`[1, 0]` leaves out one at the beginning and none at the end; `2` selects only the third";
            self.wrong(key, "two whole numbers from 0, or one", node, Some(hint));
        }
        slice
    }
}
