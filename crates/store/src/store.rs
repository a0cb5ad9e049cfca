//! The store: opened, written to by runs, and read from.

use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::catalogue::{Catalogue, Plan};
use crate::data::Layout;
use crate::database::{Answer, Cell, Database, Param, Postgres, Question, Sqlite, clean, one, quoted};
use crate::error::{Error, Result};
use crate::found::Page;
use crate::keep::{Keeping, Outcome};

/// Records, pages, wrappers and runs, in a file or on a server.
pub struct Store {
    pub(crate) database: Box<dyn Database>,
    pub(crate) catalogue: Catalogue,
    /// What it is called in messages.
    place: String,
    /// The last layouts, and where their values go.
    planned: Option<(Arc<[Layout]>, Owner, Vec<Plan>)>,
    /// The layouts and version whose rules are noted.
    noted: Option<(Arc<[Layout]>, i64)>,
}

/// One time that a wrapper was run over pages.
#[derive(Debug)]
pub struct Run {
    pub(crate) id: i64,
    pub(crate) version: i64,
    /// What it is a version of: a page is known for each wrapper on its own.
    pub(crate) wrapper: i64,
    pub(crate) at: String,
    /// Pages that were kept or found unchanged.
    pub(crate) pages: HashSet<i64>,
    /// By what it hashes to: the first page that had this content.
    contents: HashMap<u64, i64>,
    moved: u64,
    /// The name in front of its tables' where another wrapper has a table of the same label; none if it shares tables.
    owner: Option<String>,
}

/// The wrapper that tables are planned for, and its name if it shares no tables.
type Owner = (i64, Option<String>);

/// A list that was put into a table of its own, since another wrapper has a table of its label.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Separated {
    /// The list's label.
    pub list: String,
    /// The table's name.
    pub table: String,
}

impl Run {
    /// Keeps the records apart from those of other wrappers: a list whose label another wrapper's table has goes to a
    /// table with `name` in front. Otherwise wrappers whose lists have the same label share a table.
    #[must_use]
    pub fn with_own_tables(self, name: impl Into<String>) -> Run {
        Run { owner: Some(name.into()), ..self }
    }

    /// Its number.
    pub fn id(&self) -> i64 {
        self.id
    }

    /// Notes a page, and its content if no page had it before.
    fn note(&mut self, page: i64, hash: &str) {
        self.pages.insert(page);
        self.contents.entry(content(hash)).or_insert(page);
    }
}

/// A page's hash in few bytes.
fn content(hash: &str) -> u64 {
    xxhash_rust::xxh3::xxh3_64(hash.as_bytes())
}

/// Whether an address says what it is the address of.
fn checked(address: &str) -> Result<()> {
    let why = match address {
        "" => "it is empty",
        ":memory:" => "what is kept there would be gone at once",
        _ if !is_server(address) && address.contains("://") => "only postgres:// is known",
        _ => return Ok(()),
    };
    // Another kind of address may have a password in it, too.
    let address = address.split_once("://").map_or(address.to_owned(), |(scheme, _)| format!("{scheme}://…"));
    Err(Error::Address { address, why: why.to_owned() })
}

/// Whether an address is a server's.
fn is_server(address: &str) -> bool {
    address.starts_with("postgres://") || address.starts_with("postgresql://")
}

impl Store {
    /// Opens a store to write to it: a file, made if there is none, or `postgres://…`.
    pub fn open(address: &str) -> Result<Store> {
        checked(address)?;
        match is_server(address) {
            true => Store::new(Box::new(Postgres::open(address)?), "the database"),
            false => Store::new(Box::new(Sqlite::open(Path::new(address))?), address),
        }
    }

    /// Opens a store that must be there, to read from it.
    pub fn open_read_only(address: &str) -> Result<Store> {
        checked(address)?;
        let (mut database, place): (Box<dyn Database>, &str) = match is_server(address) {
            true => (Box::new(Postgres::open(address)?), "the database"),
            false => (Box::new(Sqlite::open_read_only(Path::new(address))?), address),
        };
        let catalogue = Catalogue::read_checked(&mut *database, place)?;
        Ok(Store { database, catalogue, place: place.to_owned(), planned: None, noted: None })
    }

    /// Opens a store to write to it, if there is one.
    pub fn open_existing(address: &str) -> Result<Store> {
        checked(address)?;
        if !is_server(address) && !Path::new(address).exists() {
            return Err(Error::Missing { path: PathBuf::from(address) });
        }
        Store::open(address)
    }

    /// A store in memory, gone when it is dropped.
    pub fn in_memory() -> Result<Store> {
        Store::new(Box::new(Sqlite::in_memory()?), "memory")
    }

    fn new(mut database: Box<dyn Database>, place: &str) -> Result<Store> {
        let catalogue = Catalogue::open(&mut *database, place)?;
        Ok(Store { database, catalogue, place: place.to_owned(), planned: None, noted: None })
    }

    /// What it is called in messages.
    pub fn place(&self) -> &str {
        &self.place
    }

    /// Begins a run of a version of a wrapper; `at` is now, in RFC 3339.
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

    /// Whether a page was kept as it is now, by this version of the wrapper: it need not be extracted again.
    pub fn is_unchanged(&mut self, page: &str, hash: &str, version: i64) -> Result<bool> {
        let sql = "select id from _pages where name = $1 and hash = $2 and version = $3";
        let params = [Param::text(page), Param::text(hash), Param::Int(version)];
        Ok(one(&mut *self.database, sql, &params)?.is_some())
    }

    /// Notes that a page was seen and is as it was.
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

    /// Notes that a page could not be read.
    pub fn keep_failed(&mut self, run: &Run) -> Result<()> {
        self.transaction(|store| {
            let sql = "update _runs set failed = failed + 1 where id = $1";
            store.database.execute(sql, &[Param::Int(run.id)]).map(drop)
        })
    }

    /// Keeps what was found on a page, all of it or nothing. `accept_empty`: a list of which nothing is left is empty,
    /// not broken.
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

    /// Ends a run; `at` is now.
    pub fn finish(&mut self, run: Run, at: &str) -> Result<()> {
        self.transaction(|store| {
            // What moved from page to page was counted as gone first.
            let params = [Param::text(at), Param::Int(run.moved as i64), Param::Int(run.id)];
            let sql = "update _runs set ended = $1, gone = gone - $2 where id = $3";
            store.database.execute(sql, &params)?;
            store.catalogue.make_indexes(&mut *store.database)
        })?;
        self.tidy()
    }

    /// Runs SQL that only reads.
    pub fn query(&mut self, question: &Question<'_>, answer: &mut dyn Answer) -> Result<()> {
        self.database.query(question, answer)
    }

    /// What makes queries quick: the database counts what is in its indexes.
    fn tidy(&mut self) -> Result<()> {
        if !self.database.is_server() {
            return self.database.batch("pragma optimize");
        }
        // A sample of each table, however large. A server does it by itself, but minutes later.
        let tables = self.catalogue.tables.iter().map(|table| quoted(&table.name));
        let tables: Vec<String> = tables.chain(["_pages".to_owned(), "_runs".to_owned()]).collect();
        self.database.batch(&format!("analyze {}", tables.join(", ")))
    }

    /// Does something whole or not at all.
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
            // The catalogue may know tables that are not there now.
            self.planned = None;
            self.noted = None;
            if let Ok(catalogue) = Catalogue::read_checked(&mut *self.database, &self.place) {
                self.catalogue = catalogue;
            }
        }
        done
    }

    /// Where the values of a page's lists go, and the lists that were given a table of their own just now.
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

    /// Notes how this version finds the columns.
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

    /// The page's number, noted as kept now, and whether it is new.
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

    /// The number of a page that this wrapper was run on.
    fn page_id(&mut self, name: &str, wrapper: i64) -> Result<Option<i64>> {
        let sql = "select id from _pages where name = $1 and wrapper = $2";
        let id = one(&mut *self.database, sql, &[Param::text(name), Param::Int(wrapper)])?;
        Ok(id.and_then(|cell| cell.int()))
    }

    /// The first free number of one of the store's own tables.
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
