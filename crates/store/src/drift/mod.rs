//! Drift detection: compares each run of a wrapper with earlier ones to see whether it still finds the same data.
//!
//! Runs are processed in order. For each list, page and field, the results of good runs are remembered. A run that
//! finds much less, or different values, is broken there and does not count as good. An alarm therefore stays until the
//! wrapper finds the earlier data again, or the user accepts the new state ([`Store::accept`]). A page whose content
//! has not changed is not read again; its last result still counts.
//!
//! | finding | condition on a page or run |
//! |---|---|
//! | [`FaultKind::Emptied`] | a list that was never empty has no records |
//! | [`FaultKind::Fewer`] | a list has less than half of its smallest number of records |
//! | [`FaultKind::LeftOut`] | more elements than before are built like the records and are none |
//! | [`FaultKind::Missing`] | a field is found in far fewer records, or in fewer than ever if its share hardly varies |
//! | [`FaultKind::Mistyped`] | a field's texts can no longer be read as its type |
//! | [`FaultKind::Reshaped`] | a field's values have a new form: another shape where all had the same, numbers instead of
//! words |
//! | [`FaultKind::Constant`] | a field has one value in all records, and its values used to differ |
//! | [`FaultKind::Copied`] | a field has the values of another field, and did not before |
//! | [`FaultKind::Taken`] | a field has what another field of the same record had before: two columns were swapped |
//! | [`FaultKind::Doubled`] | a field's texts appear twice in one value, and did not before |
//! | [`FaultKind::Shifted`], [`FaultKind::Redated`] | a field's numbers, amounts or dates moved together; for the bounds, see
//! `movement` |
//! | [`FaultKind::Rewritten`] | nearly all texts of a field changed at once, and hardly changed before |
//!
//! Linear in the statistics of the last runs, which are loaded one run at a time.

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
use crate::keep::yields::{LEFT_OUT, LIST};
use crate::store::Store;

/// Number of recent runs that are compared.
const RUNS: i64 = 60;
/// Number of pages named in a finding.
const PAGES: usize = 5;

/// Result of a check.
#[derive(Debug, Clone, PartialEq, Default)]
#[non_exhaustive]
pub struct Report {
    /// Name of the wrapper.
    pub wrapper: String,
    /// Number of runs that were compared.
    pub runs: usize,
    /// Time of the last run.
    pub at: Option<String>,
    /// Number of pages in the last run, unchanged ones included.
    pub pages: usize,
    /// Number of pages that the newest run could not read. Unlike the last run above, it may have read no page at all.
    pub failed: u64,
    /// Faults that were found.
    pub findings: Vec<Finding>,
}

/// A fault: data that a wrapper no longer finds as it did.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Finding {
    /// Name of the list's table.
    pub list: String,
    /// Name of the field's column; `None` if the fault concerns the whole list.
    pub field: Option<String>,
    /// Column of the other field with the same values, for [`FaultKind::Copied`] and [`FaultKind::Taken`].
    pub other: Option<String>,
    /// Kind of fault.
    pub what: FaultKind,
    /// Time of the run in which the fault first appeared.
    pub since: String,
    /// Number of the run in which the fault first appeared.
    pub run: i64,
    /// Names of the first few affected pages.
    pub pages: Vec<String>,
    /// Number of affected pages.
    pub on: usize,
    /// Number of pages in the last run.
    pub of: usize,
    /// Measured value before; [`FaultKind`] says which.
    pub before: f64,
    /// Measured value now.
    pub now: f64,
    /// Examples of earlier values.
    pub was: Vec<String>,
    /// Examples of current values.
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
            FaultKind::Emptied => format!("{name} has no records; before, it had {before:.0}"),
            FaultKind::Fewer => format!("{name} has {now:.0} records; before, it never had fewer than {before:.0}"),
            FaultKind::Missing => {
                format!("{name} is found in {} of the records; before, in {}", share(now), share(before))
            }
            FaultKind::Mistyped => {
                format!("{name} can be read as its type in {} of the records; before, in {}", share(now), share(before))
            }
            FaultKind::Reshaped => format!("{name} has values of a new form in {} of the records", share(now)),
            FaultKind::Constant => format!("{name} is the same in all records; before, its values differed"),
            FaultKind::Shifted if now >= 3.0 => {
                format!("{name} is {} times what it was, in most records at once", round(now))
            }
            FaultKind::Shifted if now <= 1.0 / 3.0 => {
                format!(
                    "{name} is 1/{} of what it was, in most records at once",
                    round(1.0 / now.max(f64::MIN_POSITIVE))
                )
            }
            FaultKind::Shifted if now >= 1.0 => format!("{name} rose by {}, in most records at once", share(now - 1.0)),
            FaultKind::Shifted => format!("{name} fell by {}, in most records at once", share(1.0 - now)),
            FaultKind::Redated => {
                let way = if now > 0.0 { "later" } else { "earlier" };
                let plural = if round(now.abs()) == "1" { "" } else { "s" };
                format!("{name} is {} day{plural} {way}, in most records at once", round(now.abs()))
            }
            FaultKind::Rewritten => {
                format!("{name} changed in {} of the records at once; before, in {} at most", share(now), share(before))
            }
            FaultKind::Copied => {
                let other = self.other.as_deref().unwrap_or_default();
                format!(
                    "{name} is the same as {}.{other} in {} of the records; before, in {}",
                    self.list,
                    share(now),
                    share(before)
                )
            }
            FaultKind::Taken => {
                let other = self.other.as_deref().unwrap_or_default();
                format!("{name} now has what {}.{other} had before, in {} of the records", self.list, share(now))
            }
            FaultKind::LeftOut => {
                format!(
                    "{name} leaves out {now:.0} elements that are built like its records; before, {before:.0} at most"
                )
            }
            FaultKind::Doubled => format!("{name} has its text twice in {} of the records", share(now)),
        };
        f.write_str(&line)
    }
}

/// Formats a number with one decimal, or none if it is a whole number.
fn round(number: f64) -> String {
    let text = format!("{number:.1}");
    text.strip_suffix(".0").map(str::to_owned).unwrap_or(text)
}

/// Kinds of faults.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum FaultKind {
    /// A list has no records; `before` is the number it had.
    Emptied,
    /// A list has far fewer records.
    Fewer,
    /// Elements built like the records are not among them; `before` and `now` are their numbers.
    LeftOut,
    /// A field is not found; `before` and `now` are shares of the records.
    Missing,
    /// A field's texts cannot be read as its type; `before` and `now` are shares of the texts found.
    Mistyped,
    /// A field's values have a new form; `now` is the share of values whose form is new.
    Reshaped,
    /// A field has one value in all records; `before` and `now` are shares of distinct values.
    Constant,
    /// A field's numbers or amounts rose or fell together; `now` is the factor.
    Shifted,
    /// A field's dates moved together; `now` is the number of days.
    Redated,
    /// Nearly all texts of a field changed at once; `before` and `now` are the shares that changed.
    Rewritten,
    /// A field has the same values as another ([`Finding::other`]); `before` and `now` are shares of the records.
    Copied,
    /// A field has the earlier values of another ([`Finding::other`]); `before` and `now` are shares of the records.
    Taken,
    /// A field's texts appear twice in their values; `before` and `now` are shares of the texts found.
    Doubled,
}

impl FaultKind {
    /// Returns the kind as one word.
    pub fn name(self) -> &'static str {
        match self {
            FaultKind::Emptied => "emptied",
            FaultKind::Fewer => "fewer",
            FaultKind::Missing => "missing",
            FaultKind::Mistyped => "mistyped",
            FaultKind::Reshaped => "reshaped",
            FaultKind::Constant => "constant",
            FaultKind::Shifted => "shifted",
            FaultKind::Redated => "redated",
            FaultKind::Rewritten => "rewritten",
            FaultKind::Copied => "copied",
            FaultKind::Taken => "taken",
            FaultKind::LeftOut => "left out",
            FaultKind::Doubled => "doubled",
        }
    }

    /// Returns the likely cause, as a hint at what to look for.
    pub fn cause(self) -> &'static str {
        match self {
            FaultKind::Emptied | FaultKind::Fewer | FaultKind::LeftOut => {
                "the rule that finds the records may no longer match the page"
            }
            FaultKind::Missing => "the rule of this field may no longer match the page",
            FaultKind::Mistyped | FaultKind::Reshaped | FaultKind::Constant => {
                "the rule may read another part of the page now"
            }
            FaultKind::Shifted => {
                "the rule may read another amount now, such as an old price beside the new one, or lose a decimal point"
            }
            FaultKind::Redated => {
                "the rule may read another date now, or day, month and year may be read in another order"
            }
            FaultKind::Rewritten => "the rule may read another text of each record now",
            FaultKind::Taken => "columns of the page may have changed places",
            FaultKind::Copied => "the rule may read the place of the other field now",
            FaultKind::Doubled => "the page may have each text twice now, once for small screens",
        }
    }
}

/// Number and time of a run.
type Since = (i64, String);

/// A run, with the result of each list on each page.
struct Past {
    id: i64,
    at: String,
    accepted: bool,
    tables: BTreeMap<String, Vec<Yield>>,
}

impl Store {
    /// Compares the last run of a wrapper with its earlier runs.
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

    /// Accepts the results of a wrapper's last run as the new normal.
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

    /// Reads the last runs that saw pages, oldest first.
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

    /// Reads the results of a run's pages.
    fn fill(&mut self, run: &mut Past) -> Result<()> {
        let sql = "select tbl, page, records, cast(fields as text) from _yields where run = $1 order by page";
        self.database.select(sql, &[Param::Int(run.id)], &mut |row| {
            let mut cells = row.into_iter();
            let mut next = || cells.next().unwrap_or(Cell::Null);
            let table = next().into_text().unwrap_or_default();
            let (page, records) = (next().int().unwrap_or_default(), next().int().unwrap_or_default() as u64);
            let json = next().into_text().and_then(|text| serde_json::from_str::<Json>(&text).ok());
            let fields = json.as_ref().and_then(Json::as_object).into_iter().flatten();
            let fields = fields.filter(|(name, _)| *name != LIST);
            let fields = fields.map(|(name, json)| (name.clone(), Field::read(json, records))).collect();
            let left_out = json.as_ref().and_then(|json| json.get(LIST)?.get(LEFT_OUT)?.as_u64());
            run.tables.entry(table).or_default().push(Yield { page, records, left_out, fields });
            Ok(())
        })
    }

    /// Returns the names of the pages in the findings, keyed by page number as text.
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
