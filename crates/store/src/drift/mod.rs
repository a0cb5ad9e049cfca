//! Whether a wrapper still finds what it found: each run is compared with those before it.
//!
//! Runs are gone through in their order. Of each list, page by page, and of each field it is known what good runs gave;
//! a run that gives much less, or other things, is broken there, and does not count as good. So an alarm stays until the
//! wrapper finds again what it found, or somebody says that this is how things are now ([`Store::accept`]). A page whose
//! content has not changed is not read again: what it gave when it was last read still holds.
//!
//! | finding | a page or a run is broken if |
//! |---|---|
//! | [`What::Emptied`] | a list that was never empty has no records |
//! | [`What::Fewer`] | it has less than half as many as it ever had |
//! | [`What::Missing`] | a field is found in far fewer of the records |
//! | [`What::Mistyped`] | its texts are not of its type any more |
//! | [`What::Reshaped`] | its values look like none before, and always looked alike |
//! | [`What::Constant`] | it is the same in all records, and always differed |
//!
//! Linear in what is kept of the last runs, of which one is held at a time.

mod field;
mod memory;

use std::collections::{BTreeMap, HashMap, HashSet};
use std::fmt;

use serde_json::Value as Json;

use self::field::{Field, Yield};
use self::memory::Memory;
use crate::database::{Cell, Param, one};
use crate::error::{Error, Result};
use crate::store::Store;

/// Runs that are looked at.
const RUNS: i64 = 60;
/// Pages named in a finding.
const PAGES: usize = 5;

/// What a check found.
#[derive(Debug, Clone, PartialEq, Default)]
#[non_exhaustive]
pub struct Report {
    /// The wrapper.
    pub wrapper: String,
    /// How many runs there are to compare.
    pub runs: usize,
    /// When the last one was.
    pub at: Option<String>,
    /// How many pages it saw, those that had not changed among them.
    pub pages: usize,
    /// How many pages could not be read in the newest run, which may have seen none.
    pub failed: u64,
    /// What is broken.
    pub findings: Vec<Finding>,
}

/// Something that a wrapper does not find as it did.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Finding {
    /// The list, by its table's name.
    pub list: String,
    /// The field, by its column's name; none if it is the list itself.
    pub field: Option<String>,
    /// What is wrong.
    pub what: What,
    /// When it was first so.
    pub since: String,
    /// In which run that was.
    pub run: i64,
    /// The pages, the first few of them.
    pub pages: Vec<String>,
    /// How many pages there are.
    pub on: usize,
    /// Of how many of the last run's.
    pub of: usize,
    /// What it was like.
    pub before: f64,
    /// What it is like now.
    pub now: f64,
    /// Values as they were.
    pub was: Vec<String>,
    /// Values as they are.
    pub is: Vec<String>,
}

impl fmt::Display for Finding {
    /// What is wrong, in one line: `ads.price is found in 12 % of the records, in 98 % before`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let what = match &self.field {
            Some(field) => format!("{}.{field}", self.list),
            None => self.list.clone(),
        };
        let share = |share: f64| format!("{:.0} %", share * 100.0);
        let (before, now) = (self.before, self.now);
        let line = match self.what {
            What::Emptied => format!("{what} has no records, and had {before:.0}"),
            What::Fewer => format!("{what} has {now:.0} records, and had {before:.0} at least"),
            What::Missing => format!("{what} is found in {} of the records, in {} before", share(now), share(before)),
            What::Mistyped => {
                format!("{what} is of its type in {} of the records, in {} before", share(now), share(before))
            }
            What::Reshaped => format!("{what} looks as it never did, in {} of the records", share(now)),
            What::Constant => format!("{what} is the same in all records, and never was"),
        };
        f.write_str(&line)
    }
}

/// What is wrong.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum What {
    /// A list has no records; `before` is how many it had.
    Emptied,
    /// A list has far fewer records.
    Fewer,
    /// A field is not found; `before` and `now` are shares of the records.
    Missing,
    /// A field's texts are not of its type; shares of those found.
    Mistyped,
    /// A field's values look different; `now` is the share that looks like none before.
    Reshaped,
    /// A field has one value in all records; shares of different values.
    Constant,
}

/// A run's number and time.
type Since = (i64, String);

/// A run, and what each page gave of each list.
struct Past {
    id: i64,
    at: String,
    accepted: bool,
    tables: BTreeMap<String, Vec<Yield>>,
}

impl Store {
    /// Compares the last run of a wrapper with those before it.
    pub fn check(&mut self, wrapper: &str) -> Result<Report> {
        let id = self.wrapper_id(wrapper)?;
        let Some(id) = id else {
            return Err(Error::NoWrapper { name: wrapper.to_owned(), known: self.wrappers()? });
        };
        self.database.begin_reading()?;
        let report = self.checked(wrapper, id);
        self.database.rollback();
        report
    }

    fn checked(&mut self, wrapper: &str, id: i64) -> Result<Report> {
        let runs = self.past(id)?;
        let mut report = Report { wrapper: wrapper.to_owned(), runs: runs.len(), ..Report::default() };
        let sql = "select r.failed from _runs r join _versions v on v.id = r.version where v.wrapper = $1
                   order by r.id desc limit 1";
        let failed = one(&mut *self.database, sql, &[Param::Int(id)])?;
        report.failed = failed.and_then(|cell| cell.int()).unwrap_or(0) as u64;
        let Some(last) = runs.last().map(|run| (run.id, run.at.clone())) else { return Ok(report) };
        let mut memory: BTreeMap<String, Memory> = BTreeMap::new();
        for mut run in runs {
            self.fill(&mut run)?;
            if run.accepted {
                memory.values_mut().for_each(Memory::accept);
            }
            for (table, yields) in &run.tables {
                memory.entry(table.clone()).or_default().add(&run, yields);
            }
        }
        let mut seen = HashSet::new();
        let sql = "select id from _pages where wrapper = $1 and last = $2";
        self.database.select(sql, &[Param::Int(id), Param::Int(last.0)], &mut |row| {
            seen.extend(row.first().and_then(Cell::int));
            Ok(())
        })?;
        report.at = Some(last.1);
        report.pages = seen.len();
        for (table, memory) in &memory {
            memory.findings(table, &seen, &mut report.findings);
        }
        let names = self.page_names(&report.findings)?;
        for page in report.findings.iter_mut().flat_map(|finding| &mut finding.pages) {
            if let Some(name) = names.get(page) {
                page.clone_from(name);
            }
        }
        report
            .findings
            .sort_by(|one, other| (&one.list, one.what, &one.field).cmp(&(&other.list, other.what, &other.field)));
        Ok(report)
    }

    /// Says that what the last run of a wrapper found is how things are now.
    pub fn accept(&mut self, wrapper: &str) -> Result<()> {
        let id = self.wrapper_id(wrapper)?;
        let Some(id) = id else {
            return Err(Error::NoWrapper { name: wrapper.to_owned(), known: self.wrappers()? });
        };
        self.transaction(|store| {
            let sql = "update _runs set accepted = 1 where id =
                       (select max(r.id) from _runs r join _versions v on v.id = r.version
                        where v.wrapper = $1 and (r.pages > 0 or r.unchanged > 0))";
            store.database.execute(sql, &[Param::Int(id)]).map(drop)
        })
    }

    /// The last runs that saw pages, the oldest first.
    fn past(&mut self, wrapper: i64) -> Result<Vec<Past>> {
        let sql = "select r.id, r.started, r.accepted from _runs r join _versions v on v.id = r.version
                   where v.wrapper = $1 and (r.pages > 0 or r.unchanged > 0) order by r.id desc limit $2";
        let mut runs = Vec::new();
        self.database.select(sql, &[Param::Int(wrapper), Param::Int(RUNS)], &mut |row| {
            if let [Cell::Int(id), Cell::Text(at), Cell::Int(accepted)] = &row[..] {
                runs.push(Past { id: *id, at: at.clone(), accepted: *accepted == 1, tables: BTreeMap::new() });
            }
            Ok(())
        })?;
        runs.reverse();
        Ok(runs)
    }

    /// Reads what the pages of a run gave.
    fn fill(&mut self, run: &mut Past) -> Result<()> {
        let sql = "select tbl, page, records, cast(fields as text) from _yields where run = $1 order by page";
        self.database.select(sql, &[Param::Int(run.id)], &mut |row| {
            let mut cells = row.into_iter();
            let mut next = || cells.next().unwrap_or(Cell::Null);
            let table = next().into_text().unwrap_or_default();
            let (page, records) = (next().int().unwrap_or_default(), next().int().unwrap_or_default() as u64);
            let json = next().into_text().and_then(|text| serde_json::from_str::<Json>(&text).ok());
            let fields = json.as_ref().and_then(Json::as_object).into_iter().flatten();
            let fields = fields.map(|(name, json)| (name.clone(), Field::read(json, records))).collect();
            run.tables.entry(table).or_default().push(Yield { page, records, fields });
            Ok(())
        })
    }

    /// Pages by their numbers as texts.
    fn page_names(&mut self, findings: &[Finding]) -> Result<HashMap<String, String>> {
        let ids = findings.iter().flat_map(|finding| &finding.pages).filter_map(|id| id.parse().ok());
        let ids: Vec<Param<'_>> = ids.map(Param::Int).collect();
        let mut names = HashMap::new();
        self.database.lookup("select id, name from _pages", "id", &ids, &mut |row| {
            if let [Cell::Int(id), Cell::Text(name)] = &row[..] {
                names.insert(id.to_string(), name.clone());
            }
            Ok(())
        })?;
        Ok(names)
    }
}
