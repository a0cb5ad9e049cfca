//! Drift: each run of a wrapper is compared with those before it, to see whether it still finds what it found.
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
//! | [`What::Reshaped`] | its values look like none before: another shape where they all had one, numbers where there were words |
//! | [`What::Constant`] | it is the same in all records, and always differed |
//! | [`What::Copied`] | it has the values of another field, and never had |
//! | [`What::Doubled`] | its texts stand twice in one value, and never did |
//! | [`What::Shifted`], [`What::Redated`] | its numbers, amounts or dates moved as a whole: `movement` has the bounds |
//! | [`What::Rewritten`] | nearly all of its texts changed, and hardly ever did |
//!
//! Linear in what is kept of the last runs, of which one is held at a time.

mod field;
mod memory;
mod movement;

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
    /// The other field that has the same values, by its column's name, if that is what is wrong.
    pub other: Option<String>,
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
    /// Writes one line: `ads.price is found in 12 % of the records, before in 98 %`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = match &self.field {
            Some(field) => format!("{}.{field}", self.list),
            None => self.list.clone(),
        };
        let share = |share: f64| format!("{:.0} %", share * 100.0);
        let (before, now) = (self.before, self.now);
        let line = match self.what {
            What::Emptied => format!("{name} has no records; before, it had {before:.0}"),
            What::Fewer => format!("{name} has {now:.0} records; before, it never had fewer than {before:.0}"),
            What::Missing => format!("{name} is found in {} of the records; before, in {}", share(now), share(before)),
            What::Mistyped => {
                format!("{name} can be read as its type in {} of the records; before, in {}", share(now), share(before))
            }
            What::Reshaped => format!("{name} has values of a new form in {} of the records", share(now)),
            What::Constant => format!("{name} is the same in all records; before, its values differed"),
            What::Shifted if now >= 3.0 => {
                format!("{name} is {} times what it was, in most records at once", round(now))
            }
            What::Shifted if now <= 1.0 / 3.0 => {
                format!(
                    "{name} is 1/{} of what it was, in most records at once",
                    round(1.0 / now.max(f64::MIN_POSITIVE))
                )
            }
            What::Shifted if now >= 1.0 => format!("{name} rose by {}, in most records at once", share(now - 1.0)),
            What::Shifted => format!("{name} fell by {}, in most records at once", share(1.0 - now)),
            What::Redated => {
                let way = if now > 0.0 { "later" } else { "earlier" };
                let plural = if round(now.abs()) == "1" { "" } else { "s" };
                format!("{name} is {} day{plural} {way}, in most records at once", round(now.abs()))
            }
            What::Rewritten => {
                format!("{name} changed in {} of the records at once; before, in {} at most", share(now), share(before))
            }
            What::Copied => {
                let other = self.other.as_deref().unwrap_or_default();
                format!(
                    "{name} is the same as {}.{other} in {} of the records; before, in {}",
                    self.list,
                    share(now),
                    share(before)
                )
            }
            What::Doubled => format!("{name} has its text twice in {} of the records", share(now)),
        };
        f.write_str(&line)
    }
}

/// A number with one digit behind the point, if it needs that.
fn round(number: f64) -> String {
    let text = format!("{number:.1}");
    text.strip_suffix(".0").map(str::to_owned).unwrap_or(text)
}

/// Kinds of drift.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
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
    /// A field's numbers or amounts rose or fell together; `now` is the factor.
    Shifted,
    /// A field's dates moved together; `now` is by how many days.
    Redated,
    /// A field's texts changed nearly all at once; shares of those that did.
    Rewritten,
    /// A field has the same values as another ([`Finding::other`]); shares of the records.
    Copied,
    /// A field's texts stand twice in their values; shares of those found.
    Doubled,
}

impl What {
    /// The kind in one word.
    pub fn name(self) -> &'static str {
        match self {
            What::Emptied => "emptied",
            What::Fewer => "fewer",
            What::Missing => "missing",
            What::Mistyped => "mistyped",
            What::Reshaped => "reshaped",
            What::Constant => "constant",
            What::Shifted => "shifted",
            What::Redated => "redated",
            What::Rewritten => "rewritten",
            What::Copied => "copied",
            What::Doubled => "doubled",
        }
    }

    /// The likely cause, and what to look at.
    pub fn cause(self) -> &'static str {
        match self {
            What::Emptied | What::Fewer => "the rule that finds the records may not match the page any more",
            What::Missing => "the rule of this field may not match the page any more",
            What::Mistyped | What::Reshaped | What::Constant => "the rule may read another part of the page now",
            What::Shifted => {
                "the rule may read another amount now, such as an old price beside the new one, or lose a decimal point"
            }
            What::Redated => "the rule may read another date now, or day, month and year may be read in another order",
            What::Rewritten => "the rule may read another text of each record now",
            What::Copied => "the rule may read the place of the other field now",
            What::Doubled => "the page may have each text twice now, once for small screens",
        }
    }
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
