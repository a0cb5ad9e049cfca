//! What the store knows of itself: its tables and columns, and the labels they are named after.
//!
//! | table | holds |
//! |---|---|
//! | `_windrow` | the store's format, and how often the tables have changed |
//! | `_tables`, `_columns` | which list is in which table, which label is which column |
//! | `_wrappers`, `_versions`, `_rules` | wrappers, their texts, and how each column was found |
//! | `_runs`, `_pages` | when pages were extracted from, and what they hashed to |
//! | `_yields` | how much of each field a page gave |
//! | `_changes` | what records were before they changed, and when they went and came back |
//!
//! A list has a table of its own, a list inside its records one more. Tables only grow: a field that a wrapper loses
//! keeps its column. Beside each table stands a view with `_now` at its end: the records that are there, the page they
//! are on, and when they were seen. In the tables themselves pages, versions and runs are numbers.

use std::collections::{HashMap, HashSet};

use crate::data::{Column, Kind, Layout};
use crate::database::{Cell, Database, Param, SqlType, one, quoted};
use crate::error::{Error, Result};
use crate::names::name;

/// The format that this program writes.
pub(crate) const FORMAT: i64 = 1;
/// Fields of one list: with their companions they must fit into a table of either database.
const MOST_COLUMNS: usize = 400;

/// All tables of records.
#[derive(Debug, Default)]
pub(crate) struct Catalogue {
    pub(crate) tables: Vec<Table>,
    generation: i64,
}

/// A table of records.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct Table {
    /// Its name.
    pub(crate) name: String,
    /// The list's label.
    pub(crate) label: String,
    /// The table of the records around, by its place in the catalogue.
    pub(crate) parent: Option<usize>,
    /// What tells records from one another; none as long as nothing was kept.
    pub(crate) key: Option<Key>,
    pub(crate) columns: Vec<Kept>,
}

/// A column of a table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Kept {
    pub(crate) name: String,
    pub(crate) label: String,
    pub(crate) kind: Kind,
}

/// What tells the records of a table from one another.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Key {
    /// The labels of the columns; none if only the place among the page's records does.
    pub(crate) labels: Vec<String>,
    /// How it came about.
    pub(crate) origin: Origin,
}

/// Who says so.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Origin {
    /// The wrapper.
    Declared,
    /// The records: addresses that differ. Good from page to page.
    Address,
    /// The records: texts that differ. Good on one page.
    Text,
}

impl Origin {
    fn name(self) -> &'static str {
        match self {
            Origin::Declared => "declared",
            Origin::Address => "address",
            Origin::Text => "text",
        }
    }

    fn from_name(name: &str) -> Option<Origin> {
        [Origin::Declared, Origin::Address, Origin::Text].into_iter().find(|origin| origin.name() == name)
    }
}

/// Columns that each table of records has in front.
pub(crate) const OWN: [(&str, SqlType); 14] = [
    ("_id", SqlType::Integer),
    ("_parent", SqlType::Integer),
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
            columns.push((format!("{}__raw", self.name), SqlType::Text));
        }
        columns
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
    /// The store's own tables, made if there are none.
    pub(crate) fn open(database: &mut dyn Database, place: &str) -> Result<Catalogue> {
        if !exists(database, "_windrow")? {
            database.begin()?;
            let made = make(database, place);
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

    /// The catalogue of a store that must be one.
    pub(crate) fn read_checked(database: &mut dyn Database, place: &str) -> Result<Catalogue> {
        if !exists(database, "_windrow")? {
            let why = "it has no table `_windrow`".to_owned();
            return Err(Error::Foreign { place: place.to_owned(), why });
        }
        let format = one(database, "select format from _windrow", &[])?.and_then(|cell| cell.int());
        let format = format.ok_or_else(|| Error::Damaged("`_windrow` is empty".to_owned()))?;
        if format > FORMAT {
            return Err(Error::Newer { found: format, known: FORMAT });
        }
        Catalogue::read(database)
    }

    fn read(database: &mut dyn Database) -> Result<Catalogue> {
        let generation = generation(database)?;
        let mut tables: Vec<Table> = Vec::new();
        let mut numbers: HashMap<String, usize> = HashMap::new();
        let sql = "select name, label, parent, key_labels, key_origin from _tables order by id";
        database.select(sql, &[], &mut |row| {
            let mut row = row.into_iter().map(Cell::into_text);
            let mut next = || row.next().flatten();
            let (Some(name), Some(label)) = (next(), next()) else {
                return Err(Error::Damaged("a table without a name".to_owned()));
            };
            let parent = next().and_then(|parent| numbers.get(&parent).copied());
            let labels = next().and_then(|labels| serde_json::from_str(&labels).ok());
            let origin = next().and_then(|origin| Origin::from_name(&origin));
            let key = labels.zip(origin).map(|(labels, origin)| Key { labels, origin });
            numbers.insert(name.clone(), tables.len());
            tables.push(Table { name, label, parent, key, columns: Vec::new() });
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

    /// Reads it again if another program has changed the tables. To be asked inside a transaction.
    pub(crate) fn refresh(&mut self, database: &mut dyn Database) -> Result<bool> {
        if generation(database)? == self.generation {
            return Ok(false);
        }
        *self = Catalogue::read(database)?;
        Ok(true)
    }

    /// The table of a list at the top, or inside another's records.
    pub(crate) fn find(&self, label: &str, parent: Option<usize>) -> Option<usize> {
        self.tables.iter().position(|table| table.label == label && table.parent == parent)
    }

    /// The lists inside the records of a table.
    pub(crate) fn below(&self, table: usize) -> impl Iterator<Item = usize> {
        (0..self.tables.len()).filter(move |&at| self.tables[at].parent == Some(table))
    }

    /// What the records of a table look like, as far as anything was ever kept of them.
    pub(crate) fn layout(&self, table: usize) -> Layout {
        let this = &self.tables[table];
        let column = |kept: &Kept| Column { label: kept.label.clone(), kind: kept.kind, rule: String::new() };
        Layout {
            label: this.label.clone(),
            key: this.key.as_ref().map_or_else(Vec::new, |key| key.labels.clone()),
            columns: this.columns.iter().map(column).collect(),
            lists: self.below(table).map(|below| self.layout(below)).collect(),
        }
    }

    /// Makes sure that there is a table with columns for this layout, and for the lists in it; which column has which of
    /// its values.
    pub(crate) fn grow(&mut self, database: &mut dyn Database, layout: &Layout, parent: Option<usize>) -> Result<Plan> {
        if layout.columns.len() > MOST_COLUMNS {
            let (list, columns) = (layout.label.clone(), layout.columns.len());
            return Err(Error::TooWide { list, columns, most: MOST_COLUMNS });
        }
        let table = match self.find(&layout.label, parent) {
            Some(table) => table,
            None => self.add_table(database, &layout.label, parent)?,
        };
        if !layout.key.is_empty() {
            self.set_key(database, table, Key { labels: layout.key.clone(), origin: Origin::Declared })?;
        }
        let mut grown = false;
        let mut columns = Vec::with_capacity(layout.columns.len());
        for column in &layout.columns {
            let known = self.tables[table].columns.iter();
            let known = known.enumerate().position(|(at, kept)| {
                kept.label == column.label && kept.kind == column.kind && !columns.contains(&at)
            });
            columns.push(match known {
                Some(known) => known,
                None => {
                    grown = true;
                    self.add_column(database, table, column)?
                }
            });
        }
        if grown {
            self.write_view(database, table)?;
            self.changed(database)?;
        }
        let lists = layout.lists.iter().map(|list| self.grow(database, list, Some(table)));
        Ok(Plan { table, columns, lists: lists.collect::<Result<_>>()? })
    }

    /// Notes what tells the records of a table from one another.
    pub(crate) fn set_key(&mut self, database: &mut dyn Database, table: usize, key: Key) -> Result<()> {
        // What records were kept under stays: they could not be found again under another.
        if self.tables[table].key.is_some() {
            return Ok(());
        }
        let labels = serde_json::to_string(&key.labels).unwrap_or_default();
        let params = [Param::text(labels), Param::text(key.origin.name()), Param::text(&self.tables[table].name)];
        database.execute("update _tables set key_labels = $1, key_origin = $2 where name = $3", &params)?;
        self.tables[table].key = Some(key);
        self.changed(database)
    }

    fn add_table(&mut self, database: &mut dyn Database, label: &str, parent: Option<usize>) -> Result<usize> {
        let mut taken = self.taken();
        let around = parent.map(|parent| self.tables[parent].name.clone());
        let whole = around.as_ref().map_or_else(|| label.to_owned(), |around| format!("{around}_{label}"));
        let name = name(&whole, &mut taken);
        let mut columns = Vec::new();
        for (column, ty) in OWN {
            let ty = database.type_name(ty);
            columns.push(match column {
                "_id" => format!("_id {ty} primary key"),
                "_parent" => match &around {
                    Some(around) => format!("_parent {ty} not null references {} (_id)", quoted(around)),
                    None => format!("_parent {ty}"),
                },
                "_key" => format!("_key {ty} not null unique"),
                "_page" => format!("_page {ty} not null references _pages (id)"),
                "_version" => format!("_version {ty} not null references _versions (id)"),
                "_first" | "_seen" => format!("{column} {ty} not null references _runs (id)"),
                "_gone" => format!("_gone {ty} references _runs (id)"),
                "_hash" => format!("_hash {ty} not null"),
                _ => format!("{column} {ty}"),
            });
        }
        let by = if parent.is_some() { "_parent" } else { "_page" };
        database.batch(&format!(
            "create table {} ({}); create index {} on {} ({by})",
            quoted(&name),
            columns.join(", "),
            quoted(&format!("{name}.{by}")),
            quoted(&name),
        ))?;
        let params = [Param::text(&name), Param::text(label), Param::maybe(around)];
        database.execute("insert into _tables (name, label, parent) values ($1, $2, $3)", &params)?;
        self.tables.push(Table { name, label: label.to_owned(), parent, key: None, columns: Vec::new() });
        let table = self.tables.len() - 1;
        self.write_view(database, table)?;
        self.changed(database)?;
        Ok(table)
    }

    fn add_column(&mut self, database: &mut dyn Database, table: usize, column: &Column) -> Result<usize> {
        let this = &self.tables[table];
        let mut taken: HashSet<String> = this.columns.iter().map(|kept| kept.name.clone()).collect();
        // The view's own.
        taken.extend(["page", "first_seen", "last_seen"].map(str::to_owned));
        let kept = Kept { name: name(&column.label, &mut taken), label: column.label.clone(), kind: column.kind };
        for (name, ty) in kept.sql() {
            let ty = database.type_name(ty);
            database.batch(&format!("alter table {} add column {} {ty}", quoted(&this.name), quoted(&name)))?;
        }
        if kept.is_indexed() {
            let index = quoted(&format!("{}.{}", this.name, kept.name));
            let (table, column) = (quoted(&this.name), quoted(&kept.name));
            database.batch(&format!("create index {index} on {table} ({column}) where {column} is not null"))?;
        }
        let params =
            [Param::text(&this.name), Param::text(&kept.name), Param::text(&kept.label), Param::text(kept.kind.name())];
        database.execute("insert into _columns (tbl, name, label, kind) values ($1, $2, $3, $4)", &params)?;
        self.tables[table].columns.push(kept);
        Ok(self.tables[table].columns.len() - 1)
    }

    /// The view of the records that are there.
    fn write_view(&self, database: &mut dyn Database, table: usize) -> Result<()> {
        let this = &self.tables[table];
        let mut columns = vec!["r._id".to_owned()];
        if this.parent.is_some() {
            columns.push("r._parent".to_owned());
        }
        columns.extend(["p.name as page", "f.started as first_seen", "s.started as last_seen"].map(str::to_owned));
        for kept in &this.columns {
            let shown = kept.sql().into_iter().filter(|(name, _)| !name.ends_with("__raw"));
            columns.extend(shown.map(|(name, _)| format!("r.{}", quoted(&name))));
        }
        let from = format!(
            "{} r join _pages p on p.id = r._page join _runs f on f.id = r._first join _runs s on s.id = r._seen
             where r._gone is null",
            quoted(&this.name)
        );
        database.view(&format!("{}_now", this.name), &format!("select {} from {from}", columns.join(", ")))
    }

    fn taken(&self) -> HashSet<String> {
        let names = self.tables.iter().flat_map(|table| [table.name.clone(), format!("{}_now", table.name)]);
        names.collect()
    }

    fn changed(&mut self, database: &mut dyn Database) -> Result<()> {
        self.generation += 1;
        database.execute("update _windrow set generation = $1", &[Param::Int(self.generation)]).map(drop)
    }
}

/// Where the values of a layout go.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Plan {
    pub(crate) table: usize,
    /// For each column of the layout the table's.
    pub(crate) columns: Vec<usize>,
    pub(crate) lists: Vec<Plan>,
}

fn generation(database: &mut dyn Database) -> Result<i64> {
    let generation = one(database, "select generation from _windrow", &[])?;
    generation.and_then(|cell| cell.int()).ok_or_else(|| Error::Damaged("`_windrow` is empty".to_owned()))
}

/// Whether there is a table of this name.
fn exists(database: &mut dyn Database, table: &str) -> Result<bool> {
    // Both databases have a list of tables, and neither has the other's.
    let sql = match database.type_name(SqlType::Integer) {
        "bigint" => "select 1::bigint from pg_class where relname = $1 and pg_table_is_visible(oid)",
        _ => "select 1 from sqlite_master where name = $1",
    };
    Ok(one(database, sql, &[Param::text(table)])?.is_some())
}

fn make(database: &mut dyn Database, place: &str) -> Result<()> {
    let server = database.type_name(SqlType::Integer) == "bigint";
    // Another program may have been quicker.
    if exists(database, "_windrow")? {
        return Ok(());
    }
    if !server && one(database, "select name from sqlite_master limit 1", &[])?.is_some() {
        let why = "it has tables of something else".to_owned();
        return Err(Error::Foreign { place: place.to_owned(), why });
    }
    let id = if server { "bigint generated by default as identity primary key" } else { "integer primary key" };
    let (int, json) = (database.type_name(SqlType::Integer), database.type_name(SqlType::Json));
    database.batch(&format!(
        "create table _windrow (format {int} not null, generation {int} not null);
         insert into _windrow values ({FORMAT}, 0);
         create table _wrappers (id {id}, name text not null unique);
         create table _versions (id {id}, wrapper {int} not null references _wrappers (id), number {int} not null,
             hash text not null, format text not null, text text not null, made text not null, note text not null,
             unique (wrapper, number));
         create table _runs (id {id}, version {int} not null references _versions (id), started text not null,
             ended text, pages {int} not null default 0, unchanged {int} not null default 0,
             failed {int} not null default 0, inserted {int} not null default 0, updated {int} not null default 0,
             gone {int} not null default 0, records {int} not null default 0, accepted {int} not null default 0);
         create table _pages (id {id}, name text not null, wrapper {int} not null references _wrappers (id),
             hash text not null,
             version {int} not null references _versions (id), run {int} not null references _runs (id),
             kept text not null, seen text not null, unique (name, wrapper));
         create table _tables (id {id}, name text not null unique, label text not null, parent text,
             key_labels text, key_origin text);
         create table _columns (id {id}, tbl text not null references _tables (name), name text not null,
             label text not null, kind text not null, unique (tbl, name));
         create table _rules (version {int} not null references _versions (id), tbl text not null,
             col text not null, rule text not null, primary key (version, tbl, col));
         create table _yields (run {int} not null references _runs (id), page {int} not null references _pages (id),
             tbl text not null, records {int} not null, fields {json} not null, primary key (run, page, tbl));
         create table _changes (id {id}, tbl text not null, record {int} not null,
             run {int} not null references _runs (id), at text not null, what text not null, was {json});
         create index _changes_record on _changes (tbl, record);
         create index _yields_page on _yields (page);",
    ))
}
