//! Keeping a page: its records are matched with those that are there, added, changed, or marked as gone, all or nothing.
//!
//! Everything happens in one transaction. For each list: the records' keys (`identity`), one look for those that are
//! known, then three batches of rows (`rows`): new ones, changed ones with what they were before (`history`), and those
//! that are as they were. What the page showed before and does not show now is gone (`sweep`), with one exception: a
//! list of which nothing at all is left is a broken rule rather than an empty list, so nothing of it is touched, and the
//! page is reported.
//!
//! A record that several pages of a run show belongs to the one that was read first: its values and its place are those
//! of that page. The others are noted, so that it is not gone as long as one of them shows it.
//!
//! Linear in the page's records, with two index look-ups for each.

mod history;
mod identity;
mod movement;
mod rekey;
mod rows;
mod sweep;
pub(crate) mod yields;

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};

use self::identity::{Numbers, Scope};
use self::movement::Movement;
use self::rows::{Row, Writer};
use crate::catalogue::{Catalogue, Key, Origin, Plan, Table};
use crate::data::Layout;
use crate::database::{Cell, Database, Param, one, quoted};
use crate::error::{Error, Result};
use crate::found::{Found, Page};
use crate::store::{Run, Separated};

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
    /// Lists that had records on this page, and of which nothing at all is left; nothing of them was touched. A list
    /// inside records stands behind theirs: `ads.sellers`.
    pub emptied: Vec<String>,
    /// Lists that were given a table of their own on this page, since another wrapper has one of their label.
    pub separated: Vec<Separated>,
}

impl Outcome {
    /// Adds what became of another page's.
    pub fn add(&mut self, other: &Outcome) {
        self.records += other.records;
        self.inserted += other.inserted;
        self.updated += other.updated;
        self.gone += other.gone;
        self.emptied.extend(other.emptied.iter().cloned());
        self.separated.extend(other.separated.iter().cloned());
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
    /// Whether the record or page around it is new, so that this one must be.
    fresh: bool,
    n: i64,
    found: &'f Found,
}

/// What a record that was found turned out to be.
#[derive(Debug, Clone, Copy)]
enum Match {
    New,
    Known(Known),
    /// Another page's of this run.
    Shared(i64),
}

/// The keeping of one page.
pub(crate) struct Keeping<'a> {
    pub(crate) database: &'a mut dyn Database,
    pub(crate) catalogue: &'a mut Catalogue,
    pub(crate) run: &'a Run,
    pub(crate) page: i64,
    /// Whether the page was never kept before.
    pub(crate) is_new: bool,
    /// The first page of the run that has this very content; itself, as a rule.
    pub(crate) content: i64,
    pub(crate) outcome: Outcome,
    /// Records that had only moved here.
    pub(crate) moved: u64,
    pub(crate) accept_empty: bool,
}

impl Keeping<'_> {
    /// Keeps the lists of a page.
    pub(crate) fn lists(&mut self, page: &Page, plans: &[Plan]) -> Result<()> {
        let lists = || page.layouts.iter().zip(plans).zip(&page.lists);
        // By table: two lists of one label fill the same.
        let mut seen: HashMap<usize, HashSet<i64>> = HashMap::new();
        for ((layout, plan), list) in lists() {
            let is_empty = lists().all(|((_, other), list)| other.table != plan.table || list.is_empty());
            if is_empty && !self.accept_empty && self.has_records(plan)? {
                self.outcome.emptied.push(layout.label.clone());
                self.write_yields(layout, plan, &[], &[])?;
                continue;
            }
            let all = list.iter().enumerate();
            let all = all.map(|(n, found)| Incoming { parent: None, fresh: false, n: n as i64, found });
            let found = self.records(layout, plan, &all.collect::<Vec<_>>(), &layout.label)?;
            seen.entry(plan.table).or_default().extend(found);
        }
        for (_, plan) in page.layouts.iter().zip(plans) {
            if let Some(seen) = seen.remove(&plan.table) {
                self.sweep_page(plan.table, &seen)?;
            }
        }
        Ok(())
    }

    /// Whether the page showed records of this list, and nobody said that they are gone.
    fn has_records(&mut self, plan: &Plan) -> Result<bool> {
        if self.is_new {
            return Ok(false);
        }
        let table = quoted(&self.catalogue.tables[plan.table].name);
        let sql = format!("select _id from {table} where _page = $1 and _gone is null limit 1");
        Ok(one(self.database, &sql, &[Param::Int(self.page)])?.is_some())
    }

    /// Keeps the records of one list, and those inside them. The numbers of all that were seen.
    fn records(
        &mut self,
        layout: &Layout,
        plan: &Plan,
        incoming: &[Incoming<'_>],
        label: &str,
    ) -> Result<HashSet<i64>> {
        let key = self.key(layout, plan, incoming)?;
        let table = self.catalogue.tables[plan.table].clone();
        let writer = Writer::new(&table, &plan.columns);
        let mut keys = self.keys(layout, &key, incoming);
        let hashes: Vec<i64> = incoming.iter().map(|incoming| writer.hash(incoming.found)).collect();
        let matches = self.matches(&table, &key, incoming, &mut keys, &hashes)?;

        let mut next = self.next_id(&table.name)?;
        let (mut new, mut changed, mut same) = (Vec::new(), Vec::new(), Vec::new());
        let (mut before, mut back, mut shared) = (Vec::new(), Vec::new(), Vec::new());
        // The numbers of this page's own, each with whether it is new.
        let mut ids = Vec::with_capacity(incoming.len());
        let mut movements = vec![Movement::default(); layout.columns.len()];
        for (number, incoming) in incoming.iter().enumerate() {
            let id = match matches[number] {
                Match::New => next,
                Match::Known(known) => known.id,
                Match::Shared(id) => {
                    shared.push(id);
                    ids.push(None);
                    continue;
                }
            };
            let row = Row {
                id,
                parent: incoming.parent,
                wrapper: self.run.wrapper,
                key: keys[number].as_str(),
                page: self.page,
                version: self.run.version,
                run: self.run.id,
                n: incoming.n,
                hash: hashes[number],
                record: incoming.found,
            };
            match matches[number] {
                Match::Known(known) if known.hash != row.hash => {
                    before.push((id, incoming.found));
                    changed.push(writer.again(&row, true));
                }
                Match::Known(known) => {
                    same.push(writer.again(&row, false));
                    if !known.gone {
                        Movement::add_unchanged(&mut movements, incoming.found);
                    }
                }
                _ => {
                    next += 1;
                    new.push(writer.insert(&row));
                }
            }
            if matches!(matches[number], Match::Known(known) if known.gone) {
                back.push(id);
            }
            ids.push(Some((id, matches!(matches[number], Match::New))));
        }
        self.outcome.records += incoming.len() as u64;
        self.outcome.inserted += new.len() as u64;
        self.note_before(&writer, &before, &back, &mut movements)?;
        self.note_back(&table.name, &back)?;
        self.database.insert(&writer.new, &new)?;
        self.database.update(&writer.changed, &changed)?;
        self.database.update(&writer.same, &same)?;
        drop((new, changed, same));
        if table.parent.is_none() {
            self.note_shared(&table.name, &shared)?;
        }
        let founds: Vec<&Found> = incoming.iter().map(|incoming| incoming.found).collect();
        self.write_yields(layout, plan, &founds, &movements)?;
        for (at, (inner, below)) in layout.lists.iter().zip(&plan.lists).enumerate() {
            self.inside(inner, below, incoming, &ids, at, &format!("{label}.{}", inner.label))?;
        }
        Ok(ids.into_iter().flatten().map(|(id, _)| id).collect())
    }

    /// Keeps the records of one list inside these.
    fn inside(
        &mut self,
        layout: &Layout,
        plan: &Plan,
        around: &[Incoming<'_>],
        ids: &[Option<(i64, bool)>],
        at: usize,
        label: &str,
    ) -> Result<()> {
        let mut children = Vec::new();
        for (incoming, own) in around.iter().zip(ids) {
            let Some((id, fresh)) = *own else { continue };
            let list = incoming.found.lists.get(at).map_or(&[][..], Vec::as_slice);
            let inside = list.iter().enumerate();
            children.extend(inside.map(|(n, found)| Incoming { parent: Some(id), fresh, n: n as i64, found }));
        }
        let parents: Vec<i64> = ids.iter().flatten().filter(|(_, fresh)| !fresh).map(|(id, _)| *id).collect();
        if children.is_empty() && !self.accept_empty && self.has_inside(plan.table, &parents)? {
            self.outcome.emptied.push(label.to_owned());
            return self.write_yields(layout, plan, &[], &[]);
        }
        let seen = self.records(layout, plan, &children, label)?;
        self.sweep_parents(plan.table, &parents, &seen)
    }

    /// What these records are found by.
    fn keys(&self, layout: &Layout, key: &Key, incoming: &[Incoming<'_>]) -> Vec<String> {
        let positions = identity::positions(layout, key);
        let mut numbers = Numbers::default();
        let one = |incoming: &Incoming<'_>| {
            let scope = incoming.parent.map_or(Scope::Page(self.content), Scope::Inside);
            let values = &incoming.found.values;
            let parts = positions.iter().map(|at| -> Option<Cow<'_, str>> { identity::part(values.get((*at)?)?) });
            numbers.numbered(identity::key(key.origin, scope, parts))
        };
        incoming.iter().map(one).collect()
    }

    /// Which of these records are there. Keys change where another page has something else under the same.
    fn matches(
        &mut self,
        table: &Table,
        key: &Key,
        incoming: &[Incoming<'_>],
        keys: &mut [String],
        hashes: &[i64],
    ) -> Result<Vec<Match>> {
        // What is told by a text stands on its page, and on a new one nothing does.
        let is_new = self.is_new && self.content == self.page && key.origin == Origin::Text;
        let mut known = HashMap::new();
        let wanted = keys.iter().zip(incoming);
        let wanted = wanted.filter(|(_, incoming)| !incoming.fresh && (incoming.parent.is_some() || !is_new));
        let wanted: Vec<Param<'_>> = wanted.map(|(key, _)| Param::text(key.as_str())).collect();
        self.look(&table.name, &wanted, &mut known)?;
        let page = self.page;
        let elsewhere = |key: &str, known: &HashMap<String, Known>| {
            known.get(key).copied().filter(|known| table.parent.is_none() && known.page != page)
        };
        let own = keys.iter().filter(|key| elsewhere(key, &known).is_some());
        let own: Vec<String> = own.map(|key| identity::on_page(key, self.page)).collect();
        if !own.is_empty() {
            let own: Vec<Param<'_>> = own.iter().map(|key| Param::text(key.as_str())).collect();
            self.look(&table.name, &own, &mut known)?;
        }
        let mut matches = Vec::with_capacity(keys.len());
        for (text, hash) in keys.iter_mut().zip(hashes) {
            let Some(other) = elsewhere(text, &known) else {
                matches.push(known.get(text.as_str()).copied().map_or(Match::New, Match::Known));
                continue;
            };
            let own = identity::on_page(text, self.page);
            let is_there = !other.gone && self.run.pages.contains(&other.page);
            matches.push(if let Some(known) = known.get(&own) {
                *text = own;
                Match::Known(*known)
            } else if is_there && key.origin == Origin::Address && other.hash != *hash {
                // An address that two pages of one run share, with different things behind it, is none to tell by.
                *text = own;
                Match::New
            } else if is_there {
                Match::Shared(other.id)
            } else {
                Match::Known(other)
            });
        }
        Ok(matches)
    }

    /// Adds the records that are there under these keys.
    fn look(&mut self, table: &str, keys: &[Param<'_>], known: &mut HashMap<String, Known>) -> Result<()> {
        let select = format!("select _key, _id, _hash, _page, _gone is not null from {}", quoted(table));
        let by = format!("_wrapper = {} and _key", self.run.wrapper);
        self.database.lookup(&select, &by, keys, &mut |row| {
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

    fn write_yields(&mut self, layout: &Layout, plan: &Plan, records: &[&Found], movements: &[Movement]) -> Result<()> {
        let table = &self.catalogue.tables[plan.table];
        let names: Vec<&str> = plan.columns.iter().map(|&at| table.columns[at].name.as_str()).collect();
        let fields = yields::summary(layout, &names, records.iter().copied(), movements);
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
