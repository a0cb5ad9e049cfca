//! Tables of records: created when a list is first stored, extended as its wrapper gets new fields.
//!
//! A layout's tables and columns are all created when it is first seen, so an unchanged layout costs nothing.

use std::collections::HashSet;

use super::{Catalogue, Kept, Plan, Table};
use crate::data::{Column, Kind, Layout};
use crate::database::{Cell, Database, Param, SqlType, clean, quoted};
use crate::error::{Error, Result};
use crate::names::{is_taken_by_databases, name};

/// Limit on the fields of one list: with their additional columns they must fit into a table of either database.
const MOST_COLUMNS: usize = 400;
/// Limit on the field indexes of one list; each index slows every insertion.
const MOST_INDEXES: usize = 16;

/// Columns at the start of every table of records.
pub(crate) const OWN: [(&str, SqlType); 15] = [
    ("_id", SqlType::Integer),
    ("_parent", SqlType::Integer),
    ("_wrapper", SqlType::Integer),
    ("_key", SqlType::Text),
    ("_page", SqlType::Integer),
    ("_version", SqlType::Integer),
    ("_first", SqlType::Integer),
    ("_seen", SqlType::Integer),
    ("_gone", SqlType::Integer),
    ("_n", SqlType::Integer),
    ("_hash", SqlType::Integer),
    ("_path", SqlType::Text),
    ("_start", SqlType::Integer),
    ("_end", SqlType::Integer),
    ("_sources", SqlType::Json),
];

impl Kept {
    /// Returns the database columns of a field: the value and its companions.
    pub(crate) fn sql(&self) -> Vec<(String, SqlType)> {
        let ty = match self.kind {
            Kind::Number | Kind::Money => SqlType::Number,
            _ => SqlType::Text,
        };
        let mut columns = vec![(self.name.clone(), ty)];
        if self.kind == Kind::Money {
            columns.push((format!("{}__currency", self.name), SqlType::Text));
        }
        if self.has_raw() {
            columns.push((self.raw(), SqlType::Text));
        }
        columns
    }

    /// Returns the name of the column that holds the text as it stands on the page.
    pub(crate) fn raw(&self) -> String {
        format!("{}__raw", self.name)
    }

    /// Reports whether the page's text is stored beside the value. For texts and markup, the value already is that
    /// text.
    pub(crate) fn has_raw(&self) -> bool {
        !matches!(self.kind, Kind::Text | Kind::Html)
    }

    /// Reports whether users query the field by range or equality.
    fn is_indexed(&self) -> bool {
        !matches!(self.kind, Kind::Text | Kind::Html)
    }
}

impl Catalogue {
    /// Ensures that tables and columns exist for this layout and its inner lists. Returns the column for each of its
    /// values.
    pub(crate) fn grow(&mut self, database: &mut dyn Database, layout: &Layout, parent: Option<usize>) -> Result<Plan> {
        self.grow_as(database, &layout.label, layout, parent)
    }

    /// Like [`Catalogue::grow`], with a label for the table that differs from the list's.
    pub(crate) fn grow_as(
        &mut self,
        database: &mut dyn Database,
        label: &str,
        layout: &Layout,
        parent: Option<usize>,
    ) -> Result<Plan> {
        let label = clean(label);
        let found = self.find(&label, parent);
        let known = found.map_or(&[][..], |table| &self.tables[table].columns);
        let mut columns: Vec<Option<usize>> = Vec::with_capacity(layout.columns.len());
        for column in &layout.columns {
            let label = clean(&column.label);
            let same = |at: usize, kept: &Kept| {
                kept.label == label && kept.kind == column.kind && !columns.contains(&Some(at))
            };
            columns.push((0..known.len()).find(|&at| same(at, &known[at])));
        }
        let new = columns.iter().filter(|column| column.is_none()).count();
        if known.len() + new > MOST_COLUMNS {
            let (list, columns) = (layout.label.clone(), known.len() + new);
            return Err(Error::TooWide { list, columns, most: MOST_COLUMNS });
        }
        let table = match found {
            Some(table) => table,
            None => self.add_table(database, &label, parent)?,
        };
        if new > 0 {
            let missing = layout.columns.iter().zip(&columns).filter(|(_, at)| at.is_none());
            self.add_columns(database, table, missing.map(|(column, _)| column))?;
        }
        if new > 0 || found.is_none() {
            self.write_view(database, table)?;
            self.changed(database)?;
        }
        let mut next = self.tables[table].columns.len() - new;
        let mut at = || {
            next += 1;
            next - 1
        };
        let columns = columns.into_iter().map(|column| column.unwrap_or_else(&mut at)).collect();
        let lists = layout.lists.iter().map(|list| self.grow(database, list, Some(table)));
        Ok(Plan { table, columns, lists: lists.collect::<Result<_>>()? })
    }

    fn add_table(&mut self, database: &mut dyn Database, label: &str, parent: Option<usize>) -> Result<usize> {
        let around = parent.map(|parent| self.tables[parent].name.clone());
        let whole = around.as_ref().map_or_else(|| label.to_owned(), |around| format!("{around}_{label}"));
        // The names of a table and of its view must both be free.
        let taken: HashSet<&str> = self.tables.iter().map(|table| table.name.as_str()).collect();
        let is_free = |name: &str| {
            let view = |name: &str| format!("{name}_now");
            !(taken.contains(name)
                || taken.contains(view(name).as_str())
                || name.strip_suffix("_now").is_some_and(|table| taken.contains(table)))
        };
        let name = name(&whole, is_free);
        let mut columns = Vec::new();
        for (column, ty) in OWN {
            let ty = database.type_name(ty);
            columns.push(match column {
                "_id" => format!("_id {ty} primary key"),
                "_parent" => match &around {
                    Some(around) => format!("_parent {ty} not null references {} (_id)", quoted(around)),
                    None => format!("_parent {ty}"),
                },
                // Writers always set these, and need not test each record for null.
                "_wrapper" | "_key" | "_page" | "_version" | "_first" | "_seen" | "_hash" => {
                    format!("{column} {ty} not null")
                }
                _ => format!("{column} {ty}"),
            });
        }
        let by = if parent.is_some() { "_parent" } else { "_page" };
        let table = quoted(&name);
        database.batch(&format!("create table {table} ({}, unique (_key, _wrapper))", columns.join(", ")))?;
        database.index(&name, by, true)?;
        let params = [Param::text(&name), Param::text(label), Param::maybe(around)];
        database.execute("insert into _tables (name, label, parent) values ($1, $2, $3)", &params)?;
        self.tables.push(Table { name, label: label.to_owned(), parent, ..Table::default() });
        Ok(self.tables.len() - 1)
    }

    fn add_columns<'c>(
        &mut self,
        database: &mut dyn Database,
        table: usize,
        columns: impl Iterator<Item = &'c Column>,
    ) -> Result<()> {
        let this = &mut self.tables[table];
        let mut alter = String::new();
        let mut indexed = this.columns.iter().filter(|kept| kept.is_indexed()).count();
        for column in columns {
            let is_free = |name: &str| {
                !is_taken_by_databases(name)
                    // The view has these columns.
                    && !["page", "first_seen", "last_seen"].contains(&name)
                    && !this.columns.iter().any(|kept| kept.name == name)
            };
            let label = clean(&column.label).into_owned();
            let kept = Kept { name: name(&label, is_free), label, kind: column.kind };
            for (name, ty) in kept.sql() {
                let ty = database.type_name(ty);
                alter += &format!("alter table {} add column {} {ty};", quoted(&this.name), quoted(&name));
            }
            let wants_index = kept.is_indexed() && indexed < MOST_INDEXES;
            indexed += usize::from(wants_index);
            let params = [
                Param::text(&this.name),
                Param::text(&kept.name),
                Param::text(&kept.label),
                Param::text(kept.kind.name()),
                Param::Int(i64::from(wants_index)),
            ];
            let sql = "insert into _columns (tbl, name, label, kind, indexed) values ($1, $2, $3, $4, $5)";
            database.execute(sql, &params)?;
            this.columns.push(kept);
        }
        database.batch(&alter)
    }

    /// Creates the missing indexes. Called at the end of a run, since building an index once over all records costs a
    /// fraction of updating it with every insertion.
    pub(crate) fn make_indexes(&self, database: &mut dyn Database) -> Result<()> {
        let mut wanted = Vec::new();
        database.select("select tbl, name, kind from _columns where indexed = 1 order by id", &[], &mut |row| {
            if let [Cell::Text(table), Cell::Text(column), Cell::Text(kind)] = &row[..] {
                wanted.push((table.clone(), column.clone(), Kind::from_name(kind)));
            }
            Ok(())
        })?;
        for (table, column, kind) in wanted {
            database.index(&table, &column, !matches!(kind, Some(Kind::Url | Kind::Text)))?;
            let params = [Param::text(table), Param::text(column)];
            database.execute("update _columns set indexed = 2 where tbl = $1 and name = $2", &params)?;
        }
        Ok(())
    }

    /// Writes the view of a table's current records.
    fn write_view(&self, database: &mut dyn Database, table: usize) -> Result<()> {
        let this = &self.tables[table];
        let mut columns = vec!["r._id".to_owned()];
        if this.parent.is_some() {
            columns.push("r._parent".to_owned());
        }
        columns.extend(["p.name as page", "f.started as first_seen", LAST_SEEN].map(str::to_owned));
        for kept in &this.columns {
            let shown = kept.sql().into_iter().filter(|(name, _)| *name != kept.raw());
            columns.extend(shown.map(|(name, _)| format!("r.{}", quoted(&name))));
        }
        let from = format!(
            "{} r join _pages p on p.id = r._page join _runs f on f.id = r._first join _runs s on s.id = r._seen
             where r._gone is null",
            quoted(&this.name)
        );
        database.view(&format!("{}_now", this.name), &format!("select {} from {from}", columns.join(", ")))
    }

    pub(super) fn changed(&mut self, database: &mut dyn Database) -> Result<()> {
        self.generation += 1;
        database.execute("update _windrow set generation = $1", &[Param::Int(self.generation)]).map(drop)
    }
}

/// SQL expression for the time a record was last seen: the time of its page's last read while its content is unchanged,
/// else the start of the run.
pub(crate) const LAST_SEEN: &str = "case when p.run = r._seen then p.seen else s.started end as last_seen";
