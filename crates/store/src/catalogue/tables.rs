//! Tables of records: made for a list when it is first kept, and grown with its wrapper.
//!
//! All that a layout needs is made at once, and only then: growing costs nothing while layouts stay as they are.

use std::collections::HashSet;

use super::{Catalogue, Kept, Plan, Table};
use crate::data::{Column, Kind, Layout};
use crate::database::{Cell, Database, Param, SqlType, clean, quoted};
use crate::error::{Error, Result};
use crate::names::{is_taken_by_databases, name};

/// Fields of one list: with their companions they must fit into a table of either database.
const MOST_COLUMNS: usize = 400;
/// Indexes on fields of one list; each costs every new record.
const MOST_INDEXES: usize = 16;

/// Columns that each table of records has in front.
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
    /// The columns in the database: the value, and what goes with it.
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

    /// The column of the text on the page.
    pub(crate) fn raw(&self) -> String {
        format!("{}__raw", self.name)
    }

    /// Whether the text on the page is kept beside the value: of a text it is the value.
    pub(crate) fn has_raw(&self) -> bool {
        !matches!(self.kind, Kind::Text | Kind::Html)
    }

    /// Whether people ask for ranges and equals of it.
    fn is_indexed(&self) -> bool {
        !matches!(self.kind, Kind::Text | Kind::Html)
    }
}

impl Catalogue {
    /// Makes sure that there is a table with columns for this layout, and for the lists in it; which column has which of
    /// its values.
    pub(crate) fn grow(&mut self, database: &mut dyn Database, layout: &Layout, parent: Option<usize>) -> Result<Plan> {
        self.grow_as(database, &layout.label, layout, parent)
    }

    /// The same, with another label for the table than that of the list.
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
        // A table and its view.
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
                // What a writer knows to be there is not looked up again for each record.
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
                    // The view's own.
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

    /// Makes the indexes that are wanted and not there: at the end of a run, since one that is made of all records at
    /// once costs a fraction of one that every record is put into.
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

    /// The view of the records that are there.
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

/// When a record was last seen: with its page, as long as that stays as it is.
pub(crate) const LAST_SEEN: &str = "case when p.run = r._seen then p.seen else s.started end as last_seen";
