//! The catalogue: the store's tables and columns, and the labels they are named after.
//!
//! | table | holds |
//! |---|---|
//! | `_windrow` | the store's format number, and a counter of changes to the tables |
//! | `_tables`, `_columns` | the table of each list, the column of each label |
//! | `_keys` | for each wrapper, the columns that identify a record of a list |
//! | `_wrappers`, `_versions`, `_rules` | wrappers, their texts, and the rule behind each column |
//! | `_runs`, `_pages` | the runs, and the pages with the hashes of their content |
//! | `_also` | the other pages on which a record appears |
//! | `_yields` | statistics of each field on each page |
//! | `_changes` | earlier values of records, and when records disappeared and reappeared |
//! | `_crawls` | the progress of crawls that store their records here |
//! | `_sites`, `_audits`, `_visits`, `_findings` | the history of [audits](crate::audits) |
//!
//! Each list has its own table, and so does each list inside its records. Tables only grow: a field that a wrapper no
//! longer has keeps its column. Beside each table there is a view whose name ends in `_now`: the current records with
//! their page and the times they were seen. The tables themselves refer to pages, versions and runs by number. Wrappers
//! whose lists have the same label share a table but no records: each adds and removes only its own. A run [with its
//! own tables](crate::Run::with_own_tables) does not share: its table name begins with the wrapper's name.

mod key;
mod schema;
mod tables;

use std::collections::HashMap;

pub(crate) use self::key::{Key, Origin};
pub(crate) use self::schema::exists;
use self::schema::make;
pub(crate) use self::tables::{LAST_SEEN, OWN};
use crate::audits;
use crate::data::{Column, Kind, Layout};
use crate::database::{Cell, Database, Param, one};
use crate::error::{Error, Result};

/// Format number that this program writes.
pub(crate) const FORMAT: i64 = 1;

/// All tables of records.
#[derive(Debug, Default)]
pub(crate) struct Catalogue {
    pub(crate) tables: Vec<Table>,
    generation: i64,
}

/// A table of records.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct Table {
    /// Name of the table.
    pub(crate) name: String,
    /// Label of the list.
    pub(crate) label: String,
    /// Index in the catalogue of the table that contains the parent records.
    pub(crate) parent: Option<usize>,
    /// Key of the records, for each wrapper that has stored some.
    pub(crate) keys: Vec<(i64, Key)>,
    pub(crate) columns: Vec<Kept>,
}

/// A column of a table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Kept {
    pub(crate) name: String,
    pub(crate) label: String,
    pub(crate) kind: Kind,
}

impl Catalogue {
    /// Opens the catalogue, creating the store's own tables if there are none.
    pub(crate) fn open(database: &mut dyn Database, place: &str) -> Result<Catalogue> {
        if !exists(database, "_windrow")? || !audits::is_there(database)? {
            database.begin()?;
            let made = make(database, place).and_then(|()| checked(database)).and_then(|()| audits::make(database));
            match made {
                Ok(()) => database.commit()?,
                Err(error) => {
                    database.rollback();
                    return Err(error);
                }
            }
        }
        Catalogue::read_checked(database, place)
    }

    /// Reads the catalogue of a database, or fails if the database is not a store.
    pub(crate) fn read_checked(database: &mut dyn Database, place: &str) -> Result<Catalogue> {
        if !exists(database, "_windrow")? {
            let why = "it has no table `_windrow`".to_owned();
            return Err(Error::Foreign { place: place.to_owned(), why });
        }
        checked(database)?;
        Catalogue::read(database)
    }

    fn read(database: &mut dyn Database) -> Result<Catalogue> {
        let generation = generation(database)?;
        let mut tables: Vec<Table> = Vec::new();
        let mut numbers: HashMap<String, usize> = HashMap::new();
        database.select("select name, label, parent from _tables order by id", &[], &mut |row| {
            let mut row = row.into_iter().map(Cell::into_text);
            let mut next = || row.next().flatten();
            let (Some(name), Some(label)) = (next(), next()) else {
                return Err(Error::Damaged("a table without a name".to_owned()));
            };
            let parent = next().and_then(|parent| numbers.get(&parent).copied());
            numbers.insert(name.clone(), tables.len());
            tables.push(Table { name, label, parent, ..Table::default() });
            Ok(())
        })?;
        database.select("select wrapper, tbl, labels, origin from _keys order by wrapper", &[], &mut |row| {
            let mut row = row.into_iter();
            let wrapper = row.next().and_then(|cell| cell.int());
            let mut next = || row.next().and_then(Cell::into_text);
            let table = next().and_then(|table| numbers.get(&table).copied());
            let labels = next().and_then(|labels| serde_json::from_str(&labels).ok());
            let origin = next().and_then(|origin| Origin::from_name(&origin));
            if let (Some(wrapper), Some(table), Some(labels), Some(origin)) = (wrapper, table, labels, origin) {
                tables[table].keys.push((wrapper, Key { labels, origin }));
            }
            Ok(())
        })?;
        database.select("select tbl, name, label, kind from _columns order by id", &[], &mut |row| {
            let mut row = row.into_iter().map(Cell::into_text);
            let mut next = || row.next().flatten();
            let (Some(table), Some(name), Some(label), Some(kind)) = (next(), next(), next(), next()) else {
                return Err(Error::Damaged("a column without a name".to_owned()));
            };
            let kind = Kind::from_name(&kind).ok_or_else(|| Error::Damaged(format!("a column of kind `{kind}`")))?;
            if let Some(&table) = numbers.get(&table) {
                tables[table].columns.push(Kept { name, label, kind });
            }
            Ok(())
        })?;
        Ok(Catalogue { tables, generation })
    }

    /// Reads the catalogue again if another program has changed the tables. Must be called inside a transaction.
    pub(crate) fn refresh(&mut self, database: &mut dyn Database) -> Result<bool> {
        if generation(database)? == self.generation {
            return Ok(false);
        }
        *self = Catalogue::read(database)?;
        Ok(true)
    }

    /// Returns the table of a list, at the top level or inside the records of `parent`.
    pub(crate) fn find(&self, label: &str, parent: Option<usize>) -> Option<usize> {
        self.tables.iter().position(|table| table.label == label && table.parent == parent)
    }

    /// Returns the label of the top-level table for a wrapper that must not share tables: the label it has used before,
    /// else the list's own label if no other wrapper uses it, else that label with the wrapper's name in front.
    pub(crate) fn own_label(&self, label: &str, wrapper: i64, name: &str) -> String {
        let table = |label: &str| self.find(label, None).map(|at| &self.tables[at]);
        let is_own = |table: &Table| table.keys.iter().any(|(user, _)| *user == wrapper);
        let own = format!("{name}_{label}");
        let numbered = (2_u32..).map(|number| format!("{own}_{number}"));
        let known = [label, own.as_str()];
        if let Some(known) = known.into_iter().find(|label| table(label).is_some_and(is_own)) {
            return known.to_owned();
        }
        let mut labels = [label.to_owned(), own.clone()].into_iter().chain(numbered);
        let is_free = |label: &String| table(label).is_none_or(|table| table.keys.is_empty() || is_own(table));
        labels.find(is_free).unwrap_or(own)
    }

    /// Returns the top-level table in which a wrapper stores a list, whether or not the table's label has the wrapper's
    /// name in front.
    pub(crate) fn find_own(&self, label: &str, wrapper: i64) -> Option<usize> {
        let is_own = |table: &Table| table.parent.is_none() && table.keys.iter().any(|(user, _)| *user == wrapper);
        let own = || self.tables.iter().enumerate().filter(|(_, table)| is_own(table));
        let behind = format!("_{label}");
        let is_behind = |table: &Table| {
            let unnumbered = table.label.trim_end_matches(|c: char| c.is_ascii_digit()).trim_end_matches('_');
            table.label.ends_with(&behind) || unnumbered.ends_with(&behind)
        };
        let exact = own().find(|(_, table)| table.label == label);
        exact.or_else(|| own().find(|(_, table)| is_behind(table))).map(|(at, _)| at)
    }

    /// Returns the tables of the lists inside the records of a table.
    pub(crate) fn below(&self, table: usize) -> impl Iterator<Item = usize> {
        (0..self.tables.len()).filter(move |&at| self.tables[at].parent == Some(table))
    }

    /// Returns the layout of a table's records: all columns and lists that were ever stored.
    pub(crate) fn layout(&self, table: usize) -> Layout {
        let this = &self.tables[table];
        let column = |kept: &Kept| Column { label: kept.label.clone(), kind: kept.kind, rule: String::new() };
        Layout {
            label: this.label.clone(),
            key: this.keys.first().map_or_else(Vec::new, |(_, key)| key.labels.clone()),
            columns: this.columns.iter().map(column).collect(),
            lists: self.below(table).map(|below| self.layout(below)).collect(),
        }
    }

    /// Returns the key by which a wrapper identifies the records of a table.
    pub(crate) fn key(&self, table: usize, wrapper: i64) -> Option<&Key> {
        self.tables[table].keys.iter().find(|(known, _)| *known == wrapper).map(|(_, key)| key)
    }

    /// Sets the key by which a wrapper identifies the records of a table.
    pub(crate) fn set_key(&mut self, database: &mut dyn Database, table: usize, wrapper: i64, key: Key) -> Result<()> {
        let labels = serde_json::to_string(&key.labels).unwrap_or_default();
        let this = &mut self.tables[table];
        let params =
            [Param::text(&this.name), Param::Int(wrapper), Param::text(labels), Param::text(key.origin.name())];
        let sql = "insert into _keys (tbl, wrapper, labels, origin) values ($1, $2, $3, $4)
                   on conflict (tbl, wrapper) do update set labels = excluded.labels, origin = excluded.origin";
        database.execute(sql, &params)?;
        // Users search for records by their key. Columns of other kinds are indexed anyway.
        let column = key.labels.first().and_then(|label| this.columns.iter().find(|kept| kept.label == *label));
        if let Some(column) = column.filter(|column| column.kind == Kind::Text && this.parent.is_none()) {
            let params = [Param::text(&this.name), Param::text(&column.name)];
            let sql = "update _columns set indexed = 1 where tbl = $1 and name = $2 and indexed = 0";
            database.execute(sql, &params)?;
        }
        this.keys.retain(|(known, _)| *known != wrapper);
        this.keys.push((wrapper, key));
        this.keys.sort_by_key(|(wrapper, _)| *wrapper);
        self.changed(database)
    }
}

/// The table, columns and inner lists that the values of a layout are written to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Plan {
    pub(crate) table: usize,
    /// For each column of the layout, the index of the table's column.
    pub(crate) columns: Vec<usize>,
    pub(crate) lists: Vec<Plan>,
}

/// Checks that this program can read the store's format.
fn checked(database: &mut dyn Database) -> Result<()> {
    let format = one(database, "select format from _windrow", &[])?.and_then(|cell| cell.int());
    match format.ok_or_else(|| Error::Damaged("`_windrow` is empty".to_owned()))? {
        found if found > FORMAT => Err(Error::Newer { found, known: FORMAT }),
        _ => Ok(()),
    }
}

fn generation(database: &mut dyn Database) -> Result<i64> {
    let generation = one(database, "select generation from _windrow", &[])?;
    generation.and_then(|cell| cell.int()).ok_or_else(|| Error::Damaged("`_windrow` is empty".to_owned()))
}
