//! Storing a page: matches its records with the stored ones and inserts, updates or marks them as gone, in one
//! transaction.
//!
//! The steps for each list: compute the records' keys (`identity`), look up the known ones, then write three batches of
//! rows (`rows`): new records, changed records with their earlier values (`history`), and unchanged records. Records
//! that the page no longer shows are marked as gone (`sweep`), with one exception: if a list has lost all its records,
//! a broken rule is more likely than an empty list. Its records are then left unchanged and the page is reported.
//!
//! A record shown by several pages of a run belongs to the page that was read first, which determines its values and
//! place. The other pages are remembered, so that the record is not marked as gone while one of them shows it.
//!
//! Linear in the page's records, with two index lookups for each.

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

/// Number of records of a page that were stored, changed or lost, at all levels.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct Outcome {
    /// Number of records found.
    pub records: u64,
    /// Number of new records.
    pub inserted: u64,
    /// Number of records whose values changed.
    pub updated: u64,
    /// Number of records that the page no longer shows.
    pub gone: u64,
    /// Lists that had records on this page and have lost all of them; their stored records were left unchanged. The
    /// name of an inner list includes the outer one: `ads.sellers`.
    pub emptied: Vec<String>,
    /// Lists that got their own table with this page, because another wrapper has a table of the same label.
    pub separated: Vec<Separated>,
}

impl Outcome {
    /// Adds the counts of another page.
    pub fn add(&mut self, other: &Outcome) {
        self.records += other.records;
        self.inserted += other.inserted;
        self.updated += other.updated;
        self.gone += other.gone;
        self.emptied.extend(other.emptied.iter().cloned());
        self.separated.extend(other.separated.iter().cloned());
    }
}

/// A stored record with the same key.
#[derive(Debug, Clone, Copy)]
struct Known {
    id: i64,
    hash: i64,
    page: i64,
    gone: bool,
}

/// A record to be stored, with its context.
#[derive(Debug, Clone, Copy)]
struct Incoming<'f> {
    parent: Option<i64>,
    /// True if its parent record or page is new, so that this record must be new, too.
    fresh: bool,
    n: i64,
    found: &'f Found,
}

/// Result of matching a record with the stored ones.
#[derive(Debug, Clone, Copy)]
enum Match {
    New,
    Known(Known),
    /// A record that another page of this run has already stored.
    Shared(i64),
}

/// State while the records of one page are stored.
pub(crate) struct Keeping<'a> {
    pub(crate) database: &'a mut dyn Database,
    pub(crate) catalogue: &'a mut Catalogue,
    pub(crate) run: &'a Run,
    pub(crate) page: i64,
    /// True if the page was never stored before.
    pub(crate) is_new: bool,
    /// First page of the run with the same content; usually this page itself.
    pub(crate) content: i64,
    pub(crate) outcome: Outcome,
    /// Number of records that were marked as gone earlier in this run and have moved to this page.
    pub(crate) moved: u64,
    pub(crate) accept_empty: bool,
}

impl Keeping<'_> {
    /// Stores the lists of a page.
    pub(crate) fn lists(&mut self, page: &Page, plans: &[Plan]) -> Result<()> {
        let lists = || page.layouts.iter().zip(plans).zip(&page.lists);
        // Grouped by table, since two lists with the same label share one.
        let mut seen: HashMap<usize, HashSet<i64>> = HashMap::new();
        for (at, ((layout, plan), list)) in lists().enumerate() {
            let left_out = page.left_out.get(at).copied();
            let is_empty = lists().all(|((_, other), list)| other.table != plan.table || list.is_empty());
            if is_empty && !self.accept_empty && self.has_records(plan)? {
                self.outcome.emptied.push(layout.label.clone());
                self.write_yields(layout, plan, &[], &[], left_out)?;
                continue;
            }
            let all = list.iter().enumerate();
            let all = all.map(|(n, found)| Incoming { parent: None, fresh: false, n: n as i64, found });
            let found = self.records(layout, plan, &all.collect::<Vec<_>>(), &layout.label, left_out)?;
            seen.entry(plan.table).or_default().extend(found);
        }
        for (_, plan) in page.layouts.iter().zip(plans) {
            if let Some(seen) = seen.remove(&plan.table) {
                self.sweep_page(plan.table, &seen)?;
            }
        }
        Ok(())
    }

    /// Reports whether the page has stored records of this list that are not gone.
    fn has_records(&mut self, plan: &Plan) -> Result<bool> {
        if self.is_new {
            return Ok(false);
        }
        let table = quoted(&self.catalogue.tables[plan.table].name);
        let sql = format!("select _id from {table} where _page = $1 and _gone is null limit 1");
        Ok(one(self.database, &sql, &[Param::Int(self.page)])?.is_some())
    }

    /// Stores the records of one list and their inner lists. Returns the numbers of all records seen.
    fn records(
        &mut self,
        layout: &Layout,
        plan: &Plan,
        incoming: &[Incoming<'_>],
        label: &str,
        left_out: Option<u64>,
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
        // Number of each record that belongs to this page, and whether it is new.
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
        self.write_yields(layout, plan, &founds, &movements, left_out)?;
        for (at, (inner, below)) in layout.lists.iter().zip(&plan.lists).enumerate() {
            self.inside(inner, below, incoming, &ids, at, &format!("{label}.{}", inner.label))?;
        }
        Ok(ids.into_iter().flatten().map(|(id, _)| id).collect())
    }

    /// Stores one inner list of these records.
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
            return self.write_yields(layout, plan, &[], &[], None);
        }
        let seen = self.records(layout, plan, &children, label, None)?;
        self.sweep_parents(plan.table, &parents, &seen)
    }

    /// Returns the keys of these records.
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

    /// Matches the records with the stored ones. Changes a key if another page has a different record with the same
    /// key.
    fn matches(
        &mut self,
        table: &Table,
        key: &Key,
        incoming: &[Incoming<'_>],
        keys: &mut [String],
        hashes: &[i64],
    ) -> Result<Vec<Match>> {
        // A key with text origin is valid on its page only, so a new page has no known records.
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
                // An address that two pages of one run share with different contents does not identify a record.
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

    /// Adds the stored records with these keys to `known`.
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

    /// Returns the first unused record number. Records are never deleted, and no other writer interferes.
    fn next_id(&mut self, table: &str) -> Result<i64> {
        let last = one(self.database, &format!("select coalesce(max(_id), 0) from {}", quoted(table)), &[])?;
        Ok(last.and_then(|cell| cell.int()).unwrap_or(0) + 1)
    }

    fn write_yields(
        &mut self,
        layout: &Layout,
        plan: &Plan,
        records: &[&Found],
        movements: &[Movement],
        left_out: Option<u64>,
    ) -> Result<()> {
        let table = &self.catalogue.tables[plan.table];
        let names: Vec<&str> = plan.columns.iter().map(|&at| table.columns[at].name.as_str()).collect();
        let fields = yields::summary(layout, &names, records.iter().copied(), movements, left_out);
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
