//! The store: opening, writing runs, reading.

use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::catalogue::{Catalogue, Plan};
use crate::data::Layout;
use crate::database::{Answer, Cell, Database, Param, Postgres, Question, Sqlite, clean, one, quoted};
use crate::error::{Error, Result};
use crate::found::Page;
use crate::keep::{Keeping, Outcome};

/// A store of records, pages, wrappers and runs, in a file or on a server.
pub struct Store {
    pub(crate) database: Box<dyn Database>,
    pub(crate) catalogue: Catalogue,
    /// Name used in messages.
    place: String,
    /// Layouts of the last page, with the tables and columns planned for them.
    planned: Option<(Arc<[Layout]>, Owner, Vec<Plan>)>,
    /// Layouts and version whose rules are already stored.
    noted: Option<(Arc<[Layout]>, i64)>,
}

/// One run of a wrapper over pages.
#[derive(Debug)]
pub struct Run {
    pub(crate) id: i64,
    pub(crate) version: i64,
    /// Wrapper of the version; each wrapper has its own entry for a page.
    pub(crate) wrapper: i64,
    pub(crate) at: String,
    /// Pages that were stored or found unchanged in this run.
    pub(crate) pages: HashSet<i64>,
    /// First page with a given content, keyed by the content's hash.
    contents: HashMap<u64, i64>,
    moved: u64,
    /// Prefix for tables whose label another wrapper uses; `None` if the run shares tables.
    owner: Option<String>,
}

/// Wrapper that tables are planned for, and its name if it does not share tables.
type Owner = (i64, Option<String>);

/// A list that got its own table, because another wrapper has a table of the same label.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Separated {
    /// Label of the list.
    pub list: String,
    /// Name of the table.
    pub table: String,
}

impl Run {
    /// Stores the records apart from those of other wrappers: a list whose label another wrapper's table has goes to a
    /// table with `name` in front. By default, wrappers whose lists have the same label share a table.
    #[must_use]
    pub fn with_own_tables(self, name: impl Into<String>) -> Run {
        Run { owner: Some(name.into()), ..self }
    }

    /// Returns the run's number.
    pub fn id(&self) -> i64 {
        self.id
    }

    /// Registers a page, and its content if no earlier page has the same.
    fn note(&mut self, page: i64, hash: &str) {
        self.pages.insert(page);
        self.contents.entry(content(hash)).or_insert(page);
    }
}

/// Shortens a page's hash to 64 bits.
fn content(hash: &str) -> u64 {
    xxhash_rust::xxh3::xxh3_64(hash.as_bytes())
}

/// Rejects addresses that cannot be those of a store.
fn checked(address: &str) -> Result<()> {
    let why = match address {
        "" => "it is empty",
        ":memory:" => "a store in memory would be lost when the program ends",
        _ if !is_server(address) && address.contains("://") => "only postgres:// addresses are supported",
        _ => return Ok(()),
    };
    // Addresses with other schemes may contain a password, too.
    let address = address.split_once("://").map_or(address.to_owned(), |(scheme, _)| format!("{scheme}://…"));
    Err(Error::Address { address, why: why.to_owned() })
}

/// Reports whether an address refers to a server.
fn is_server(address: &str) -> bool {
    address.starts_with("postgres://") || address.starts_with("postgresql://")
}

impl Store {
    /// Opens a store for writing: a file, created if it does not exist, or `postgres://…`.
    pub fn open(address: &str) -> Result<Store> {
        checked(address)?;
        if is_server(address) {
            Store::new(Box::new(Postgres::open(address)?), "the database")
        } else {
            Store::new(Box::new(Sqlite::open(Path::new(address))?), address)
        }
    }

    /// Opens an existing store for reading.
    pub fn open_read_only(address: &str) -> Result<Store> {
        checked(address)?;
        let (mut database, place): (Box<dyn Database>, &str) = if is_server(address) {
            (Box::new(Postgres::open(address)?), "the database")
        } else {
            (Box::new(Sqlite::open_read_only(Path::new(address))?), address)
        };
        let catalogue = Catalogue::read_checked(&mut *database, place)?;
        Ok(Store { database, catalogue, place: place.to_owned(), planned: None, noted: None })
    }

    /// Opens an existing store for writing.
    pub fn open_existing(address: &str) -> Result<Store> {
        checked(address)?;
        if !is_server(address) && !Path::new(address).exists() {
            return Err(Error::Missing { path: PathBuf::from(address) });
        }
        Store::open(address)
    }

    /// Creates a store in memory, which is lost when it is dropped.
    pub fn in_memory() -> Result<Store> {
        Store::new(Box::new(Sqlite::in_memory()?), "memory")
    }

    fn new(mut database: Box<dyn Database>, place: &str) -> Result<Store> {
        let catalogue = Catalogue::open(&mut *database, place)?;
        Ok(Store { database, catalogue, place: place.to_owned(), planned: None, noted: None })
    }

    /// Returns the store's name as used in messages.
    pub fn place(&self) -> &str {
        &self.place
    }

    /// Begins a run of a wrapper's version; `at` is the current time in RFC 3339.
    pub fn begin(&mut self, version: i64, at: &str) -> Result<Run> {
        let (id, wrapper) = self.transaction(|store| {
            let sql = "select wrapper from _versions where id = $1";
            let wrapper = one(&mut *store.database, sql, &[Param::Int(version)])?.and_then(|cell| cell.int());
            let wrapper = wrapper.ok_or_else(|| Error::Damaged(format!("there is no version {version}")))?;
            let id = store.next("_runs")?;
            let params = [Param::Int(id), Param::Int(version), Param::text(at)];
            store.database.execute("insert into _runs (id, version, started) values ($1, $2, $3)", &params)?;
            Ok((id, wrapper))
        })?;
        let (pages, contents) = (HashSet::new(), HashMap::new());
        Ok(Run { id, version, wrapper, at: at.to_owned(), pages, contents, moved: 0, owner: None })
    }

    /// Reports whether this version has already stored the page with this content, so that it need not be extracted
    /// again.
    pub fn is_unchanged(&mut self, page: &str, hash: &str, version: i64) -> Result<bool> {
        let sql = "select id from _pages where name = $1 and hash = $2 and version = $3";
        let params = [Param::text(page), Param::text(hash), Param::Int(version)];
        Ok(one(&mut *self.database, sql, &params)?.is_some())
    }

    /// Records that a page was seen and has not changed.
    pub fn keep_unchanged(&mut self, run: &mut Run, page: &str) -> Result<()> {
        let known = self.transaction(|store| {
            let mut known = None;
            let params = [Param::text(page), Param::Int(run.wrapper)];
            let sql = "select id, hash from _pages where name = $1 and wrapper = $2";
            store.database.select(sql, &params, &mut |row| {
                if let [Cell::Int(id), Cell::Text(hash)] = &row[..] {
                    known = Some((*id, hash.clone()));
                }
                Ok(())
            })?;
            if let Some((id, _)) = &known {
                let params = [Param::text(run.at.clone()), Param::Int(run.id), Param::Int(*id)];
                store.database.execute("update _pages set seen = $1, last = $2 where id = $3", &params)?;
            }
            let sql = "update _runs set unchanged = unchanged + 1 where id = $1";
            store.database.execute(sql, &[Param::Int(run.id)])?;
            Ok(known)
        })?;
        if let Some((id, hash)) = known {
            run.note(id, &hash);
        }
        Ok(())
    }

    /// Records that a page could not be read.
    pub fn keep_failed(&mut self, run: &Run) -> Result<()> {
        self.transaction(|store| {
            let sql = "update _runs set failed = failed + 1 where id = $1";
            store.database.execute(sql, &[Param::Int(run.id)]).map(drop)
        })
    }

    /// Stores the records of a page in one transaction. With `accept_empty`, a list that lost all its records counts as
    /// empty and not as broken.
    pub fn keep(&mut self, run: &mut Run, page: &Page, accept_empty: bool) -> Result<Outcome> {
        let (id, outcome, moved) = self.transaction(|store| {
            let (plans, separated) = store.plans(run, page)?;
            store.note_rules(run.version, page, &plans)?;
            let (id, is_new) = store.page(run, page)?;
            let mut keeping = Keeping {
                database: &mut *store.database,
                catalogue: &mut store.catalogue,
                run,
                page: id,
                is_new,
                content: run.contents.get(&content(&page.hash)).copied().unwrap_or(id),
                outcome: Outcome::default(),
                moved: 0,
                accept_empty,
            };
            keeping.lists(page, &plans)?;
            let (outcome, moved) = (Outcome { separated, ..keeping.outcome }, keeping.moved);
            let count = |number: u64| Param::Int(number as i64);
            let params = [
                count(outcome.records),
                count(outcome.inserted),
                count(outcome.updated),
                count(outcome.gone),
                Param::Int(run.id),
            ];
            let sql = "update _runs set pages = pages + 1, records = records + $1, inserted = inserted + $2,
                       updated = updated + $3, gone = gone + $4 where id = $5";
            store.database.execute(sql, &params)?;
            Ok((id, outcome, moved))
        })?;
        run.note(id, &page.hash);
        run.moved += moved;
        Ok(outcome)
    }

    /// Ends a run; `at` is the current time.
    pub fn finish(&mut self, run: Run, at: &str) -> Result<()> {
        self.transaction(|store| {
            // Records that moved to another page were first counted as gone.
            let params = [Param::text(at), Param::Int(run.moved as i64), Param::Int(run.id)];
            let sql = "update _runs set ended = $1, gone = gone - $2 where id = $3";
            store.database.execute(sql, &params)?;
            store.catalogue.make_indexes(&mut *store.database)
        })?;
        self.tidy()
    }

    /// Runs an SQL query that only reads.
    pub fn query(&mut self, question: &Question<'_>, answer: &mut dyn Answer) -> Result<()> {
        self.database.query(question, answer)
    }

    /// Updates the database's statistics, which make queries fast.
    fn tidy(&mut self) -> Result<()> {
        if !self.database.is_server() {
            return self.database.batch("pragma optimize");
        }
        // Takes a sample of each table, however large. A server would do this by itself, but only minutes later.
        let tables = self.catalogue.tables.iter().map(|table| quoted(&table.name));
        let tables: Vec<String> = tables.chain(["_pages".to_owned(), "_runs".to_owned()]).collect();
        self.database.batch(&format!("analyze {}", tables.join(", ")))
    }

    /// Runs `work` in one transaction.
    pub(crate) fn transaction<T>(&mut self, work: impl FnOnce(&mut Store) -> Result<T>) -> Result<T> {
        self.database.begin()?;
        let done = match self.catalogue.refresh(&mut *self.database) {
            Ok(true) => {
                self.planned = None;
                work(self)
            }
            Ok(false) => work(self),
            Err(error) => Err(error),
        };
        let done = done.and_then(|value| self.database.commit().map(|()| value));
        if done.is_err() {
            self.database.rollback();
            // The catalogue may contain tables whose creation was rolled back.
            self.planned = None;
            self.noted = None;
            if let Ok(catalogue) = Catalogue::read_checked(&mut *self.database, &self.place) {
                self.catalogue = catalogue;
            }
        }
        done
    }

    /// Plans the tables for a page's lists; also returns the lists that just got their own table.
    fn plans(&mut self, run: &Run, page: &Page) -> Result<(Vec<Plan>, Vec<Separated>)> {
        let owner: Owner = (run.wrapper, run.owner.clone());
        if let Some((layouts, planned_for, plans)) = &self.planned
            && *planned_for == owner
            && (Arc::ptr_eq(layouts, &page.layouts) || *layouts == page.layouts)
        {
            return Ok((plans.clone(), Vec::new()));
        }
        let (mut plans, mut separated) = (Vec::new(), Vec::new());
        for layout in page.layouts.iter() {
            let label = match &run.owner {
                Some(name) => self.catalogue.own_label(&clean(&layout.label), run.wrapper, &clean(name)),
                None => layout.label.clone(),
            };
            let is_new = self.catalogue.find(&clean(&label), None).is_none();
            let plan = self.catalogue.grow_as(&mut *self.database, &label, layout, None)?;
            if is_new && label != clean(&layout.label) {
                let table = self.catalogue.tables[plan.table].name.clone();
                separated.push(Separated { list: layout.label.clone(), table });
            }
            plans.push(plan);
        }
        self.planned = Some((Arc::clone(&page.layouts), owner, plans.clone()));
        Ok((plans, separated))
    }

    /// Stores the rule by which this version finds each column.
    fn note_rules(&mut self, version: i64, page: &Page, plans: &[Plan]) -> Result<()> {
        if let Some((layouts, noted)) = &self.noted
            && *noted == version
            && (Arc::ptr_eq(layouts, &page.layouts) || *layouts == page.layouts)
        {
            return Ok(());
        }
        for (layout, plan) in page.layouts.iter().zip(plans) {
            self.note_layout(version, layout, plan)?;
        }
        self.noted = Some((Arc::clone(&page.layouts), version));
        Ok(())
    }

    fn note_layout(&mut self, version: i64, layout: &Layout, plan: &Plan) -> Result<()> {
        for (column, &at) in layout.columns.iter().zip(&plan.columns) {
            let table = &self.catalogue.tables[plan.table];
            let params = [
                Param::Int(version),
                Param::text(&table.name),
                Param::text(&table.columns[at].name),
                Param::text(&column.rule),
            ];
            let sql = "insert into _rules (version, tbl, col, rule) values ($1, $2, $3, $4)
                       on conflict (version, tbl, col) do nothing";
            self.database.execute(sql, &params)?;
        }
        layout.lists.iter().zip(&plan.lists).try_for_each(|(list, plan)| self.note_layout(version, list, plan))
    }

    /// Registers the page as stored now; returns its number and whether it is new.
    fn page(&mut self, run: &Run, page: &Page) -> Result<(i64, bool)> {
        let known = self.page_id(&page.name, run.wrapper)?;
        let id = match known {
            Some(id) => id,
            None => self.next("_pages")?,
        };
        let params = [
            Param::text(&page.hash),
            Param::Int(run.version),
            Param::Int(run.id),
            Param::Int(run.id),
            Param::text(run.at.clone()),
            Param::text(run.at.clone()),
            Param::Int(id),
            Param::text(&page.name),
            Param::Int(run.wrapper),
        ];
        let sql = match known {
            Some(_) => {
                "update _pages set hash = $1, version = $2, run = $3, last = $4, kept = $5, seen = $6 where id = $7
                 and name = $8 and wrapper = $9"
            }
            None => {
                "insert into _pages (hash, version, run, last, kept, seen, id, name, wrapper)
                 values ($1, $2, $3, $4, $5, $6, $7, $8, $9)"
            }
        };
        self.database.execute(sql, &params)?;
        Ok((id, known.is_none()))
    }

    /// Returns the number of a page that this wrapper was run on.
    fn page_id(&mut self, name: &str, wrapper: i64) -> Result<Option<i64>> {
        let sql = "select id from _pages where name = $1 and wrapper = $2";
        let id = one(&mut *self.database, sql, &[Param::text(name), Param::Int(wrapper)])?;
        Ok(id.and_then(|cell| cell.int()))
    }

    /// Returns the first unused number in one of the store's own tables.
    pub(crate) fn next(&mut self, table: &str) -> Result<i64> {
        let last = one(&mut *self.database, &format!("select coalesce(max(id), 0) from {table}"), &[])?;
        Ok(last.as_ref().and_then(Cell::int).unwrap_or(0) + 1)
    }
}

impl std::fmt::Debug for Store {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Store").field("place", &self.place).finish_non_exhaustive()
    }
}
