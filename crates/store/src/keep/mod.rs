//! Keeping a page: its records are matched with those that are there, added, changed, or marked as gone, all or nothing.
//!
//! Everything happens in one transaction. For each list: the records' keys (`identity`), one look for those that are
//! known, then three batches of rows (`rows`): new ones, changed ones with what they were before, and those that are as
//! they were. What the page showed before and does not show now is gone, with one exception: a list of which nothing at
//! all is left is a broken rule rather than an empty list, so nothing of it is touched, and the page is reported.
//!
//! Linear in the page's records, with two index look-ups for each.

mod identity;
mod rows;
pub(crate) mod yields;

use std::collections::{HashMap, HashSet};

use serde_json::{Map, Value as Json};

use self::rows::{Row, Writer};
use crate::catalogue::{Catalogue, Kept, Origin, Plan};
use crate::data::{Kind, Layout, Value};
use crate::database::{Cell, Database, Param, SqlType, Target, one, quoted};
use crate::error::{Error, Result};
use crate::found::{Found, Page};
use crate::store::Run;

/// What became of the records of a page, at all levels.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct Outcome {
    /// Records found.
    pub records: u64,
    /// Those that are new.
    pub inserted: u64,
    /// Those that changed.
    pub updated: u64,
    /// Those that were there and are not any more.
    pub gone: u64,
    /// Lists that had records on this page, and of which nothing at all is left; nothing of them was touched.
    pub emptied: Vec<String>,
}

impl Outcome {
    /// Adds what became of another page's.
    pub fn add(&mut self, other: &Outcome) {
        self.records += other.records;
        self.inserted += other.inserted;
        self.updated += other.updated;
        self.gone += other.gone;
        self.emptied.extend(other.emptied.iter().cloned());
    }
}

/// A record that is there.
#[derive(Debug, Clone, Copy)]
struct Known {
    id: i64,
    hash: i64,
    page: i64,
    gone: bool,
}

/// A record that was found, in its scope.
#[derive(Debug, Clone, Copy)]
struct Incoming<'f> {
    parent: Option<i64>,
    /// Whether the record around it is new, so that this one must be.
    fresh: bool,
    n: i64,
    found: &'f Found,
}

/// The keeping of one page.
pub(crate) struct Keeping<'a> {
    pub(crate) database: &'a mut dyn Database,
    pub(crate) catalogue: &'a mut Catalogue,
    pub(crate) run: &'a mut Run,
    pub(crate) page: i64,
    pub(crate) outcome: Outcome,
    pub(crate) accept_empty: bool,
}

impl Keeping<'_> {
    /// Keeps the lists of a page.
    pub(crate) fn lists(&mut self, page: &Page, plans: &[Plan]) -> Result<()> {
        for ((layout, plan), list) in page.layouts.iter().zip(plans).zip(&page.lists) {
            if list.is_empty() && !self.accept_empty && self.has_records(plan)? {
                self.outcome.emptied.push(layout.label.clone());
                self.write_yields(layout, plan, &[])?;
                continue;
            }
            let all = list.iter().enumerate();
            let all = all.map(|(n, found)| Incoming { parent: None, fresh: false, n: n as i64, found });
            let seen = self.records(layout, plan, &all.collect::<Vec<_>>())?;
            self.sweep_page(plan, &seen)?;
        }
        Ok(())
    }

    /// Whether the page showed records of this list, and nobody said that they are gone.
    fn has_records(&mut self, plan: &Plan) -> Result<bool> {
        let table = quoted(&self.catalogue.tables[plan.table].name);
        let sql = format!("select _id from {table} where _page = $1 and _gone is null limit 1");
        Ok(one(self.database, &sql, &[Param::Int(self.page)])?.is_some())
    }

    /// Keeps the records of one list, and those inside them. The numbers of all that were seen.
    fn records(&mut self, layout: &Layout, plan: &Plan, incoming: &[Incoming<'_>]) -> Result<HashSet<i64>> {
        let founds: Vec<&Found> = incoming.iter().map(|incoming| incoming.found).collect();
        if self.catalogue.tables[plan.table].key.is_none() && !incoming.is_empty() {
            // Inside records, only one that has several shows what differs.
            let siblings = largest_family(incoming);
            let key = identity::choose(layout, &siblings);
            let is_top = self.catalogue.tables[plan.table].parent.is_none();
            if key.origin == Origin::Declared || siblings.len() >= 2 || is_top {
                self.catalogue.set_key(self.database, plan.table, key)?;
            }
        }
        let nothing = crate::catalogue::Key { labels: Vec::new(), origin: Origin::Text };
        let table = self.catalogue.tables[plan.table].clone();
        let key = table.key.as_ref().unwrap_or(&nothing);
        let scopes: Vec<String> = incoming
            .iter()
            .map(|incoming| match (incoming.parent, key.origin) {
                (Some(parent), _) => format!("{parent}|"),
                (None, Origin::Text) => format!("{}|", self.page),
                (None, Origin::Declared | Origin::Address) => String::new(),
            })
            .collect();
        let scoped = scopes.iter().map(String::as_str).zip(founds.iter().copied());
        let mut keys = identity::keys(layout, key, scoped);
        let hashes: Vec<i64> = founds.iter().map(|found| rows::hash(found)).collect();
        let mut known = self.known(&table.name, incoming, &keys)?;

        // An address that two pages of one run share, with different things behind it, is none to tell records by.
        if key.origin == Origin::Address && table.parent.is_none() {
            let mut again = Vec::new();
            for (at, key) in keys.iter_mut().enumerate() {
                if let Some(other) = known.get(key.as_str())
                    && other.page != self.page
                    && other.hash != hashes[at]
                    && self.run.pages.contains(&other.page)
                {
                    *key += &format!("@{}", self.page);
                    again.push(key.clone());
                }
            }
            if !again.is_empty() {
                let params: Vec<Param<'_>> = again.iter().map(|key| Param::text(key.as_str())).collect();
                self.look(&table.name, &params, &mut known)?;
            }
        }

        let writer = Writer::new(&table, &plan.columns);
        let mut next = self.next_id(&table.name)?;
        let (mut new, mut changed, mut same) = (Vec::new(), Vec::new(), Vec::new());
        let mut before = Vec::new();
        let mut back = Vec::new();
        let mut ids = Vec::with_capacity(incoming.len());
        for (number, incoming) in incoming.iter().enumerate() {
            let key = keys[number].as_str();
            let existing = known.get(key).copied();
            // A record that two pages show belongs to the one that was read first.
            let page = match existing {
                Some(known) if !known.gone && self.run.pages.contains(&known.page) => known.page,
                _ => self.page,
            };
            let mut row = Row {
                id: existing.map_or(next, |known| known.id),
                parent: incoming.parent,
                key,
                page,
                version: self.run.version,
                run: self.run.id,
                n: incoming.n,
                hash: hashes[number],
                record: incoming.found,
            };
            ids.push((row.id, existing.is_none()));
            match existing {
                None => {
                    next += 1;
                    new.push(writer.insert(&row));
                }
                Some(known) => {
                    row.id = known.id;
                    let is_changed = known.hash != row.hash;
                    if is_changed {
                        before.push((known.id, incoming.found));
                        changed.push(writer.again(&row, true));
                    } else {
                        same.push(writer.again(&row, false));
                    }
                    if known.gone {
                        back.push(known.id);
                    }
                }
            }
        }
        self.outcome.records += incoming.len() as u64;
        self.outcome.inserted += new.len() as u64;
        self.note_before(&table.name, &plan.columns.iter().map(|&at| &table.columns[at]).collect::<Vec<_>>(), &before)?;
        self.note_back(&table.name, &back)?;
        self.database.insert(&writer.new, &new)?;
        self.database.update(&writer.changed, &changed)?;
        self.database.update(&writer.same, &same)?;
        drop((new, changed, same));
        self.write_yields(layout, plan, &founds)?;

        for (at, (inner, below)) in layout.lists.iter().zip(&plan.lists).enumerate() {
            let mut children = Vec::new();
            for (incoming, &(id, fresh)) in incoming.iter().zip(&ids) {
                let list = incoming.found.lists.get(at).map_or(&[][..], Vec::as_slice);
                let inside = list.iter().enumerate();
                children.extend(inside.map(|(n, found)| Incoming { parent: Some(id), fresh, n: n as i64, found }));
            }
            let seen = self.records(inner, below, &children)?;
            let parents: Vec<i64> = ids.iter().filter(|(_, fresh)| !fresh).map(|(id, _)| *id).collect();
            self.sweep_parents(below, &parents, &seen)?;
        }
        Ok(ids.into_iter().map(|(id, _)| id).collect())
    }

    /// The records that are there under these keys.
    fn known(&mut self, table: &str, incoming: &[Incoming<'_>], keys: &[String]) -> Result<HashMap<String, Known>> {
        let wanted = keys.iter().zip(incoming).filter(|(_, incoming)| !incoming.fresh);
        let wanted: Vec<Param<'_>> = wanted.map(|(key, _)| Param::text(key.as_str())).collect();
        let mut known = HashMap::new();
        self.look(table, &wanted, &mut known)?;
        Ok(known)
    }

    fn look(&mut self, table: &str, keys: &[Param<'_>], known: &mut HashMap<String, Known>) -> Result<()> {
        let select = format!("select _key, _id, _hash, _page, _gone is not null from {}", quoted(table));
        self.database.lookup(&select, "_key", keys, &mut |row| {
            let [Cell::Text(key), Cell::Int(id), Cell::Int(hash), Cell::Int(page), gone] = &row[..] else {
                return Err(Error::Damaged("a record without a key".to_owned()));
            };
            let gone = matches!(gone, Cell::Bool(true) | Cell::Int(1));
            known.insert(key.clone(), Known { id: *id, hash: *hash, page: *page, gone });
            Ok(())
        })
    }

    /// The first number that no record has. Records are never deleted, and no other writer comes between.
    fn next_id(&mut self, table: &str) -> Result<i64> {
        let last = one(self.database, &format!("select coalesce(max(_id), 0) from {}", quoted(table)), &[])?;
        Ok(last.and_then(|cell| cell.int()).unwrap_or(0) + 1)
    }

    /// Notes what changed records were before.
    fn note_before(&mut self, table: &str, columns: &[&Kept], records: &[(i64, &Found)]) -> Result<()> {
        if records.is_empty() {
            return Ok(());
        }
        let names: Vec<String> = columns.iter().flat_map(|kept| values_of(kept)).collect();
        let casts: Vec<String> = names.iter().map(|name| format!("cast({} as text)", quoted(name))).collect();
        let select = format!("select _id, {} from {}", casts.join(", "), quoted(table));
        let by_id: HashMap<i64, &Found> = records.iter().copied().collect();
        let ids: Vec<Param<'_>> = records.iter().map(|(id, _)| Param::Int(*id)).collect();
        let mut notes = Vec::new();
        self.database.lookup(&select, "_id", &ids, &mut |row| {
            let mut cells = row.into_iter();
            let Some(Cell::Int(id)) = cells.next() else { return Ok(()) };
            let Some(found) = by_id.get(&id) else { return Ok(()) };
            let mut was = Map::new();
            for (kept, found) in columns.iter().zip(&found.values) {
                let now = match &found.value {
                    Value::Null => [None, None],
                    Value::Text(text) | Value::Number(text) => [Some(text.as_str()), None],
                    Value::Money { amount, currency } => [Some(amount.as_str()), currency.as_deref()],
                };
                for (name, now) in values_of(kept).into_iter().zip(now) {
                    let before = cells.next().and_then(Cell::into_text);
                    let is_number = matches!(kept.kind, Kind::Number | Kind::Money) && name == kept.name;
                    if !is_same(before.as_deref(), now, is_number) {
                        was.insert(name, as_json(before, is_number));
                    }
                }
            }
            if !was.is_empty() {
                notes.push((id, Json::Object(was).to_string()));
            }
            Ok(())
        })?;
        self.outcome.updated += notes.len() as u64;
        let notes: Vec<(i64, &str, Option<String>)> =
            notes.into_iter().map(|(id, was)| (id, "changed", Some(was))).collect();
        self.note(table, notes)
    }

    /// Notes that records are there again; what went in this very run has only moved.
    fn note_back(&mut self, table: &str, ids: &[i64]) -> Result<()> {
        let mut back = Vec::new();
        for &id in ids {
            let sql = "delete from _changes where tbl = $1 and record = $2 and run = $3 and what = 'gone'";
            let params = [Param::text(table), Param::Int(id), Param::Int(self.run.id)];
            match self.database.execute(sql, &params)? {
                0 => back.push((id, "back", None)),
                _ => self.run.moved += 1,
            }
        }
        self.note(table, back)
    }

    fn note(&mut self, table: &str, notes: Vec<(i64, &str, Option<String>)>) -> Result<()> {
        let target = Target {
            table: "_changes".to_owned(),
            columns: [
                ("tbl", SqlType::Text),
                ("record", SqlType::Integer),
                ("run", SqlType::Integer),
                ("at", SqlType::Text),
                ("what", SqlType::Text),
                ("was", SqlType::Json),
            ]
            .map(|(name, ty)| (name.to_owned(), ty))
            .to_vec(),
        };
        let (run, at) = (self.run.id, self.run.at.clone());
        let rows = notes.into_iter().map(|(id, what, was)| {
            vec![
                Param::text(table),
                Param::Int(id),
                Param::Int(run),
                Param::text(at.as_str()),
                Param::text(what),
                Param::maybe(was),
            ]
        });
        self.database.insert(&target, &rows.collect::<Vec<_>>())
    }

    /// Marks what the page showed before and was not seen now.
    fn sweep_page(&mut self, plan: &Plan, seen: &HashSet<i64>) -> Result<()> {
        let page = self.page;
        self.sweep(plan, "_page", &[page], seen)
    }

    /// Marks what was inside these records before and was not seen now.
    fn sweep_parents(&mut self, plan: &Plan, parents: &[i64], seen: &HashSet<i64>) -> Result<()> {
        self.sweep(plan, "_parent", parents, seen)
    }

    fn sweep(&mut self, plan: &Plan, by: &str, keys: &[i64], seen: &HashSet<i64>) -> Result<()> {
        let table = self.catalogue.tables[plan.table].name.clone();
        let select = format!("select _id, _gone is not null from {}", quoted(&table));
        let keys: Vec<Param<'_>> = keys.iter().map(|key| Param::Int(*key)).collect();
        let mut gone = Vec::new();
        self.database.lookup(&select, by, &keys, &mut |row| {
            if let [Cell::Int(id), Cell::Bool(false) | Cell::Int(0)] = &row[..]
                && !seen.contains(id)
            {
                gone.push(*id);
            }
            Ok(())
        })?;
        if gone.is_empty() {
            return Ok(());
        }
        gone.sort_unstable();
        let target = Target {
            table: table.clone(),
            columns: vec![("_id".to_owned(), SqlType::Integer), ("_gone".to_owned(), SqlType::Integer)],
        };
        let run = self.run.id;
        let rows: Vec<_> = gone.iter().map(|id| vec![Param::Int(*id), Param::Int(run)]).collect();
        self.database.update(&target, &rows)?;
        self.outcome.gone += gone.len() as u64;
        self.note(&table, gone.iter().map(|id| (*id, "gone", None)).collect())?;
        let below: Vec<usize> = self.catalogue.below(plan.table).collect();
        for table in below {
            let inner = Plan { table, columns: Vec::new(), lists: Vec::new() };
            self.sweep(&inner, "_parent", &gone, &HashSet::new())?;
        }
        Ok(())
    }

    fn write_yields(&mut self, layout: &Layout, plan: &Plan, records: &[&Found]) -> Result<()> {
        let table = &self.catalogue.tables[plan.table];
        let names: Vec<&str> = plan.columns.iter().map(|&at| table.columns[at].name.as_str()).collect();
        let fields = yields::of(layout, &names, records.iter().copied());
        let params = [
            Param::Int(self.run.id),
            Param::Int(self.page),
            Param::text(table.name.clone()),
            Param::Int(records.len() as i64),
            Param::text(fields),
        ];
        let sql = "insert into _yields (run, page, tbl, records, fields) values ($1, $2, $3, $4, $5)
                   on conflict (run, page, tbl) do update set records = excluded.records, fields = excluded.fields";
        self.database.execute(sql, &params).map(drop)
    }
}

/// The records around which most of these lie.
fn largest_family<'f>(incoming: &[Incoming<'f>]) -> Vec<&'f Found> {
    let families = incoming.chunk_by(|one, other| one.parent == other.parent);
    let largest = families.max_by_key(|family| family.len()).unwrap_or_default();
    largest.iter().map(|incoming| incoming.found).collect()
}

/// The columns of a value, without the text it was read from.
fn values_of(kept: &Kept) -> Vec<String> {
    kept.sql().into_iter().map(|(name, _)| name).filter(|name| !name.ends_with("__raw")).collect()
}

fn is_same(before: Option<&str>, now: Option<&str>, is_number: bool) -> bool {
    match (before, now) {
        (Some(before), Some(now)) if is_number => {
            before == now || matches!((before.parse::<f64>(), now.parse::<f64>()), (Ok(a), Ok(b)) if a == b)
        }
        (before, now) => before == now,
    }
}

fn as_json(text: Option<String>, is_number: bool) -> Json {
    match text {
        None => Json::Null,
        Some(text) => match is_number.then(|| serde_json::from_str::<serde_json::Number>(&text).ok()).flatten() {
            Some(number) => Json::Number(number),
            None => Json::String(text),
        },
    }
}
