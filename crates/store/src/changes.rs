//! Changes: the records that appeared, changed, disappeared or reappeared in the last runs of a wrapper, with the old
//! and new values of their fields. Everything is read from the history that the store keeps anyway.
//!
//! Records inside a record that is itself new or gone are not counted.
//!
//! Linear in the changes, plus one pass over the tables to find new records if a run added any.

use std::collections::{HashMap, HashSet};

use crate::catalogue::{Kept, Table};
use crate::data::{Kind, Record, Value};
use crate::database::{Cell, Param, quoted};
use crate::error::{Error, Result};
use crate::read::{Form, selected, value};
use crate::store::Store;

/// Number of records that are read at a time.
const CHUNK: usize = 1000;
/// Labels of fields that can serve as the name of a record, best first.
const NAMES: [&str; 6] = ["title", "name", "headline", "heading", "subject", "label"];

/// Changes in one or several runs.
#[derive(Debug, Clone, PartialEq, Default)]
#[non_exhaustive]
pub struct Changes {
    /// First run that was compared.
    pub run: i64,
    /// Time of the last run.
    pub at: String,
    /// Number of records for each kind of change that occurred.
    pub counts: Vec<(ChangeKind, u64)>,
    /// Changes, grouped by kind; of each kind the first ones, up to the requested limit.
    pub records: Vec<Change>,
}

impl Changes {
    /// Returns the number of records that changed in this way.
    pub fn count(&self, kind: ChangeKind) -> u64 {
        self.counts.iter().find(|(known, _)| *known == kind).map_or(0, |(_, count)| *count)
    }

    /// Reports whether nothing changed.
    pub fn is_empty(&self) -> bool {
        self.counts.is_empty()
    }
}

/// A record that appeared, changed or disappeared.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Change {
    /// Kind of change.
    pub kind: ChangeKind,
    /// Name of the list's table.
    pub list: String,
    /// Number of the record in its list.
    pub id: i64,
    /// Name of the record: its title, or the value that identifies it.
    pub name: String,
    /// Name of the parent record, if it is in a list inside one.
    pub inside: Option<String>,
    /// Page that last showed the record.
    pub page: String,
    /// Fields that changed.
    pub fields: Vec<FieldChange>,
}

/// A field whose value changed.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct FieldChange {
    /// Label of the field.
    pub field: String,
    /// Kind of the field.
    pub kind: Kind,
    /// The value before.
    pub was: Value,
    /// The value now.
    pub is: Value,
}

/// Kinds of change.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ChangeKind {
    /// Some of its values differ.
    Changed,
    /// It was never seen before.
    New,
    /// It was seen before and had disappeared in between.
    Back,
    /// It was seen before and has disappeared.
    Gone,
}

impl ChangeKind {
    /// All kinds.
    pub const ALL: [ChangeKind; 4] = [ChangeKind::Changed, ChangeKind::New, ChangeKind::Back, ChangeKind::Gone];

    /// Returns the kind as one word.
    pub fn name(self) -> &'static str {
        match self {
            ChangeKind::Changed => "changed",
            ChangeKind::New => "new",
            ChangeKind::Back => "back",
            ChangeKind::Gone => "gone",
        }
    }
}

/// Range of runs to compare.
#[derive(Debug, Clone, Copy)]
struct Span {
    wrapper: i64,
    from: i64,
    to: i64,
}

impl Store {
    /// Returns the changes in a wrapper's last run, or in all its runs since `from`, with at most `most` records of
    /// each kind. Returns `None` if there is no earlier run to compare with.
    pub fn changes(&mut self, wrapper: &str, from: Option<i64>, most: usize) -> Result<Option<Changes>> {
        let Some(id) = self.wrapper_id(wrapper)? else {
            return Err(Error::NoWrapper { name: wrapper.to_owned(), known: self.wrappers()? });
        };
        self.database.begin_reading()?;
        let changes = self.changes_since(id, from, most);
        self.database.rollback();
        changes
    }

    fn changes_since(&mut self, wrapper: i64, from: Option<i64>, most: usize) -> Result<Option<Changes>> {
        // Runs that saw no page changed nothing.
        let mut runs: Vec<(i64, String, i64)> = Vec::new();
        let sql = "select r.id, r.started, r.inserted from _runs r join _versions v on v.id = r.version
                   where v.wrapper = $1 and (r.pages > 0 or r.unchanged > 0) order by r.id";
        self.database.select(sql, &[Param::Int(wrapper)], &mut |row| {
            if let [Cell::Int(id), Cell::Text(at), Cell::Int(inserted)] = &row[..] {
                runs.push((*id, at.clone(), *inserted));
            }
            Ok(())
        })?;
        let Some((last, at, _)) = runs.last().cloned() else { return Ok(None) };
        let span = Span { wrapper, from: from.unwrap_or(last), to: last };
        if runs.first().is_none_or(|(first, ..)| *first >= span.from) {
            return Ok(None);
        }
        let has_new = runs.iter().any(|(run, _, inserted)| *run >= span.from && *inserted > 0);
        let mut changes = Changes { run: span.from, at, ..Changes::default() };
        let mut counts: HashMap<ChangeKind, u64> = HashMap::new();
        for table in 0..self.catalogue.tables.len() {
            for kind in ChangeKind::ALL {
                if kind == ChangeKind::New && !has_new {
                    continue;
                }
                let ids = self.changed_ids(table, kind, span)?;
                let count = counts.entry(kind).or_default();
                let mut left = (most as u64).saturating_sub(*count);
                // Within one run, a recorded change is a change. Over several runs a value may have changed back.
                let is_certain = kind != ChangeKind::Changed || span.from == span.to;
                if is_certain {
                    *count += ids.len() as u64;
                }
                for ids in ids.chunks(CHUNK) {
                    if is_certain && left == 0 {
                        break;
                    }
                    let ids = if is_certain { &ids[..ids.len().min(left as usize)] } else { ids };
                    let mut described = self.described(table, kind, ids, span)?;
                    if !is_certain {
                        described.retain(|change| !change.fields.is_empty());
                        *counts.entry(kind).or_default() += described.len() as u64;
                    }
                    described.truncate(left as usize);
                    left -= described.len() as u64;
                    changes.records.extend(described);
                }
            }
        }
        changes.counts = counts.into_iter().filter(|(_, count)| *count > 0).collect();
        changes.counts.sort_unstable();
        changes.records.sort_by_key(|change| change.kind);
        Ok(Some(changes))
    }

    /// Returns the numbers of the records that changed in this way, in ascending order.
    fn changed_ids(&mut self, table: usize, kind: ChangeKind, span: Span) -> Result<Vec<i64>> {
        let this = &self.catalogue.tables[table];
        let Span { wrapper, from, to } = span;
        let runs = |column: &str| format!("{column} between {from} and {to}");
        let noted = |what: &str| {
            let name = this.name.replace('\'', "''");
            format!(
                "r._id in (select record from _changes where {} and tbl = '{name}' and what = '{what}')",
                runs("run")
            )
        };
        let is_new = runs("r._first");
        let condition = match kind {
            ChangeKind::New => format!("{is_new} and r._gone is null"),
            ChangeKind::Gone => format!("{} and not {is_new} and {}", noted("gone"), runs("r._gone")),
            ChangeKind::Back => format!("{} and not {is_new} and r._gone is null", noted("back")),
            ChangeKind::Changed => {
                format!("{} and not {is_new} and r._gone is null and not {}", noted("changed"), noted("back"))
            }
        };
        // Records inside a new record are new with it; records inside a gone record are gone with it.
        let around = this.parent.map(|parent| {
            let table = quoted(&self.catalogue.tables[parent].name);
            let other = match kind {
                ChangeKind::New => runs("p._first"),
                ChangeKind::Gone => "p._gone is not null".to_owned(),
                ChangeKind::Back | ChangeKind::Changed => "1 = 0".to_owned(),
            };
            format!(" and not exists (select 1 from {table} p where p._id = r._parent and {other})")
        });
        let sql = format!(
            "select r._id from {} r where r._wrapper = {wrapper} and {condition}{} order by r._id",
            quoted(&this.name),
            around.unwrap_or_default(),
        );
        let mut ids = Vec::new();
        self.database.select(&sql, &[], &mut |row| {
            ids.extend(row.first().and_then(Cell::int));
            Ok(())
        })?;
        Ok(ids)
    }

    /// Reads the names of these records and the fields that changed.
    fn described(&mut self, table: usize, kind: ChangeKind, ids: &[i64], span: Span) -> Result<Vec<Change>> {
        let this = self.catalogue.tables[table].clone();
        let mut now = self.by_ids(&this, ids)?;
        // `now` is the state after these runs, `before` the state before them; later changes are undone.
        self.undo(&this, span.to + 1, Form::Typed, &mut now)?;
        let mut before = now.clone();
        if matches!(kind, ChangeKind::Changed | ChangeKind::Back) {
            self.undo(&this, span.from, Form::Typed, &mut before)?;
        }
        let mut around = HashMap::new();
        if let Some(parent) = this.parent {
            let parents: HashSet<i64> = now.iter().map(|(parent, _)| *parent).collect();
            let outer = self.catalogue.tables[parent].clone();
            let parents: Vec<i64> = parents.into_iter().collect();
            let names = self.by_ids(&outer, &parents)?;
            around.extend(names.into_iter().map(|(_, record)| (record.id, named(&outer, span.wrapper, &record))));
        }
        let changes = now.into_iter().zip(before).map(|((parent, record), (_, was))| {
            let fields = this.columns.iter().zip(was.values.iter().zip(&record.values));
            let fields = fields.filter(|(_, (was, is))| was != is).map(|(kept, (was, is))| FieldChange {
                field: kept.label.clone(),
                kind: kept.kind,
                was: was.clone(),
                is: is.clone(),
            });
            Change {
                kind,
                list: this.name.clone(),
                id: record.id,
                // A record whose title changed goes by its old title.
                name: named(&this, span.wrapper, &was),
                inside: around.get(&parent).cloned(),
                page: record.page.clone(),
                fields: fields.collect(),
            }
        });
        Ok(changes.collect())
    }

    /// Reads records by number, each with the number of its parent record, without their inner lists.
    fn by_ids(&mut self, table: &Table, ids: &[i64]) -> Result<Vec<(i64, Record)>> {
        let is_server = self.database.is_server();
        let columns = table.columns.iter().flat_map(|kept| selected(kept, Form::Typed));
        let columns = columns.map(|name| {
            if is_server { format!(", cast(r.{} as text)", quoted(&name)) } else { format!(", r.{}", quoted(&name)) }
        });
        let select = format!(
            "select r._id, coalesce(r._parent, 0), p.name{} from {} r join _pages p on p.id = r._page",
            columns.collect::<String>(),
            quoted(&table.name),
        );
        let ids: Vec<Param<'_>> = ids.iter().map(|id| Param::Int(*id)).collect();
        let mut records = Vec::new();
        self.database.lookup(&select, "r._id", &ids, &mut |row| {
            let mut cells = row.into_iter();
            let mut next = || cells.next().unwrap_or(Cell::Null);
            let (id, parent) = (next().int().unwrap_or_default(), next().int().unwrap_or_default());
            let mut text = || next().into_digits();
            let page = text().unwrap_or_default();
            let values = table.columns.iter().map(|kept| value(kept, Form::Typed, &mut text)).collect();
            records.push((parent, Record { id, page, values, ..Record::default() }));
            Ok(())
        })?;
        records.sort_by_key(|(_, record)| record.id);
        Ok(records)
    }
}

/// Returns the name of a record: a field with a naming label, else its key text, its first text, its address, or its
/// number.
fn named(table: &Table, wrapper: i64, record: &Record) -> String {
    let text = |at: usize| match record.values.get(at) {
        Some(Value::Text(text)) if !text.trim().is_empty() => Some(text.clone()),
        _ => None,
    };
    let is = |kept: &Kept, kind: Kind| kept.kind == kind;
    let columns = || table.columns.iter().enumerate();
    let called = NAMES.iter().flat_map(|name| {
        columns().filter(move |(_, kept)| is(kept, Kind::Text) && kept.label.to_lowercase() == **name)
    });
    let key = table.keys.iter().find(|(known, _)| *known == wrapper).map(|(_, key)| key.labels.as_slice());
    let key =
        |kind: Kind| columns().filter(move |(_, kept)| is(kept, kind) && key.unwrap_or_default().contains(&kept.label));
    let any = |kind: Kind| columns().filter(move |(_, kept)| is(kept, kind));
    let choice = called.chain(key(Kind::Text)).chain(any(Kind::Text)).chain(key(Kind::Url)).chain(any(Kind::Url));
    choice.map(|(at, _)| at).find_map(text).unwrap_or_else(|| format!("record {}", record.id))
}
