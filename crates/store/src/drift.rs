//! Whether a wrapper still finds what it found: each run is compared with those before it.
//!
//! Runs are gone through in their order. Of each list, page by page, and of each field it is known what good runs gave;
//! a run that gives much less, or other things, is broken there, and does not count as good. So an alarm stays until the
//! wrapper finds again what it found, or somebody says that this is how things are now ([`Store::accept`]).
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
//! Linear in what is kept of the last runs.

use std::collections::{BTreeMap, HashMap};

use serde_json::Value as Json;

use crate::database::{Cell, Param, one};
use crate::error::{Error, Result};
use crate::store::Store;

/// Runs that are looked at.
const RUNS: i64 = 60;
/// How far a share may fall.
const FALL: f64 = 0.25;
/// Pages named in a finding.
const PAGES: usize = 5;
/// Shapes of a field that has few.
const FEW: usize = 6;

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
    /// How many pages it kept.
    pub pages: usize,
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

/// What one page gave of one list in one run.
#[derive(Debug, Clone, Default)]
struct Yield {
    page: i64,
    records: u64,
    fields: BTreeMap<String, Field>,
}

/// What is counted of one field.
#[derive(Debug, Clone, Default)]
struct Field {
    records: u64,
    filled: u64,
    typed: u64,
    distinct: u64,
    shapes: BTreeMap<String, u64>,
    others: u64,
    examples: Vec<String>,
}

impl Field {
    fn read(json: &Json, records: u64) -> Field {
        let number = |key: &str| json.get(key).and_then(Json::as_u64).unwrap_or(0);
        let shapes = json.get("shapes").and_then(Json::as_object).into_iter().flatten();
        let examples = json.get("examples").and_then(Json::as_array).into_iter().flatten();
        Field {
            records,
            filled: number("filled"),
            typed: number("typed"),
            distinct: number("distinct"),
            others: number("others"),
            shapes: shapes.map(|(shape, count)| (shape.clone(), count.as_u64().unwrap_or(0))).collect(),
            examples: examples.filter_map(Json::as_str).map(str::to_owned).collect(),
        }
    }

    fn add(&mut self, other: &Field) {
        self.records += other.records;
        self.filled += other.filled;
        self.typed += other.typed;
        self.distinct += other.distinct;
        self.others += other.others;
        for (shape, count) in &other.shapes {
            *self.shapes.entry(shape.clone()).or_default() += count;
        }
        if self.examples.len() < 2 {
            self.examples.extend(other.examples.iter().take(2 - self.examples.len()).cloned());
        }
    }

    fn found(&self) -> f64 {
        share(self.filled, self.records)
    }

    fn typed(&self) -> f64 {
        share(self.typed, self.filled)
    }

    fn differing(&self) -> f64 {
        share(self.distinct, self.filled)
    }

    /// Whether its values always look alike.
    fn is_uniform(&self) -> bool {
        self.shapes.len() <= FEW && share(self.others, self.filled) < 0.1
    }

    /// The share of values that look like none of another's.
    fn unlike(&self, other: &Field) -> f64 {
        let unlike = self.shapes.iter().filter(|(shape, _)| !other.shapes.contains_key(*shape));
        share(unlike.map(|(_, count)| count).sum::<u64>() + self.others, self.filled)
    }

    /// What is wrong with it, if this is how it was, with what is compared.
    fn broken(&self, before: &Field) -> Option<(What, f64, f64)> {
        let expected = before.found() * self.records as f64;
        let told = [
            (What::Missing, before.found(), self.found(), before.records >= 3 && expected >= 2.0),
            (What::Mistyped, before.typed(), self.typed(), before.filled >= 3 && self.filled >= 2),
        ];
        let fallen = told.into_iter().find(|(_, before, now, enough)| *enough && before - now > FALL);
        if let Some((what, before, now, _)) = fallen {
            return Some((what, before, now));
        }
        let enough = before.filled >= 6 && self.filled >= 4;
        if enough && before.differing() >= 0.6 && self.distinct == 1 {
            return Some((What::Constant, before.differing(), self.differing()));
        }
        let unlike = self.unlike(before);
        (enough && before.is_uniform() && unlike > 0.6).then_some((What::Reshaped, 0.0, unlike))
    }
}

fn share(part: u64, whole: u64) -> f64 {
    if whole == 0 { 0.0 } else { part as f64 / whole as f64 }
}

/// A run's number and time.
type Since = (i64, String);

/// A run: when it was, and what each page gave of each list.
struct Past {
    id: i64,
    at: String,
    accepted: bool,
    tables: BTreeMap<String, Vec<Yield>>,
}

/// What is known of one list.
#[derive(Default)]
struct Memory {
    /// By page: how many records good runs gave, the least; and since when it is broken.
    pages: HashMap<i64, (u64, Option<(What, Since)>)>,
    /// Whether any page was ever empty and nobody minded.
    was_empty: bool,
    seen: bool,
    fields: BTreeMap<String, (Field, Option<Since>)>,
}

impl Store {
    /// Compares the last run of a wrapper with those before it.
    pub fn check(&mut self, wrapper: &str) -> Result<Report> {
        let id = self.wrapper_id(wrapper)?;
        let Some(id) = id else {
            return Err(Error::NoWrapper { name: wrapper.to_owned(), known: self.wrappers()? });
        };
        let runs = self.past(id)?;
        let mut report = Report { wrapper: wrapper.to_owned(), runs: runs.len(), ..Report::default() };
        let mut memory: BTreeMap<String, Memory> = BTreeMap::new();
        let last = runs.len().wrapping_sub(1);
        for (number, run) in runs.iter().enumerate() {
            report.findings.clear();
            for (table, yields) in &run.tables {
                let memory = memory.entry(table.clone()).or_default();
                compare(table, memory, run, yields, &mut report.findings);
            }
            if number == last {
                report.at = Some(run.at.clone());
                report.pages = run.tables.values().map(Vec::len).max().unwrap_or(0);
            }
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
                       (select max(r.id) from _runs r join _versions v on v.id = r.version where v.wrapper = $1)";
            store.database.execute(sql, &[Param::Int(id)]).map(drop)
        })
    }

    fn past(&mut self, wrapper: i64) -> Result<Vec<Past>> {
        let sql = "select min(id) from (select r.id from _runs r join _versions v on v.id = r.version
                   where v.wrapper = $1 and r.pages > 0 order by r.id desc limit $2) as last";
        let first = one(&mut *self.database, sql, &[Param::Int(wrapper), Param::Int(RUNS)])?;
        let first = first.and_then(|cell| cell.int()).unwrap_or(0);
        let sql = "select y.run, r.started, r.accepted, y.tbl, y.page, y.records, cast(y.fields as text)
                   from _yields y join _runs r on r.id = y.run join _versions v on v.id = r.version
                   where v.wrapper = $1 and y.run >= $2 order by y.run, y.page";
        let mut runs: BTreeMap<i64, Past> = BTreeMap::new();
        self.database.select(sql, &[Param::Int(wrapper), Param::Int(first)], &mut |row| {
            let mut cells = row.into_iter();
            let mut next = || cells.next().unwrap_or(Cell::Null);
            let run = next().int().unwrap_or_default();
            let at = next().into_text().unwrap_or_default();
            let accepted = next().int() == Some(1);
            let table = next().into_text().unwrap_or_default();
            let (page, records) = (next().int().unwrap_or_default(), next().int().unwrap_or_default() as u64);
            let json = next().into_text().and_then(|text| serde_json::from_str::<Json>(&text).ok());
            let fields = json.as_ref().and_then(Json::as_object).into_iter().flatten();
            let fields = fields.map(|(name, json)| (name.clone(), Field::read(json, records))).collect();
            let past = || Past { id: run, at, accepted, tables: BTreeMap::new() };
            let run = runs.entry(run).or_insert_with(past);
            run.tables.entry(table).or_default().push(Yield { page, records, fields });
            Ok(())
        })?;
        Ok(runs.into_values().collect())
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

/// Compares one list of one run with what is known of it, and remembers what is good of it.
fn compare(table: &str, memory: &mut Memory, run: &Past, yields: &[Yield], findings: &mut Vec<Finding>) {
    records(table, memory, run, yields, findings);
    let mut names: Vec<&String> = yields.iter().flat_map(|page| page.fields.keys()).collect();
    names.sort_unstable();
    names.dedup();
    for name in names {
        let (before, since) = memory.fields.entry(name.clone()).or_default();
        let mut all = Field::default();
        let mut pages = Vec::new();
        for page in yields.iter().filter(|page| page.records > 0) {
            let Some(field) = page.fields.get(name) else { continue };
            all.add(field);
            pages.push((page.page, field));
        }
        // A page may be broken while all of them together hardly are.
        let one_by_one = pages.iter().filter_map(|(page, field)| Some((*page, *field, field.broken(before)?)));
        let broken: Vec<(i64, &Field, (What, f64, f64))> = one_by_one.collect();
        let whole = all.broken(before);
        let told = whole.or_else(|| broken.first().map(|(_, _, told)| *told));
        if run.accepted {
            (*before, *since) = (all, None);
            continue;
        }
        let Some((what, was, now)) = told else {
            *since = None;
            before.add(&all);
            continue;
        };
        let (first, since) = since.get_or_insert_with(|| (run.id, run.at.clone())).clone();
        let like = |page: &(i64, &Field)| match what {
            What::Missing => page.1.found() < was - FALL,
            What::Mistyped => page.1.typed() < was - FALL,
            _ => true,
        };
        let on: Vec<i64> = match whole {
            Some(_) => pages.iter().filter(|page| like(page)).map(|(page, _)| *page).collect(),
            None => broken.iter().map(|(page, _, _)| *page).collect(),
        };
        let shown: Vec<&(i64, &Field)> = pages.iter().filter(|(page, _)| on.contains(page)).collect();
        findings.push(Finding {
            list: table.to_owned(),
            field: Some(name.clone()),
            what,
            since,
            run: first,
            pages: on.iter().take(PAGES).map(i64::to_string).collect(),
            on: on.len(),
            of: yields.len(),
            before: was,
            now,
            was: before.examples.clone(),
            is: shown.iter().flat_map(|(_, field)| &field.examples).take(2).cloned().collect(),
        });
        // What is good in a run that is broken here and there is still good.
        for (page, field) in pages {
            if whole.is_none() && !on.contains(&page) {
                before.add(field);
            }
        }
    }
}

/// How many records each page has.
fn records(table: &str, memory: &mut Memory, run: &Past, yields: &[Yield], findings: &mut Vec<Finding>) {
    let mut told: BTreeMap<What, Vec<(i64, u64, u64, Since)>> = BTreeMap::new();
    let was_seen = memory.seen;
    for page in yields {
        let known = memory.pages.get(&page.page).cloned();
        let what = match &known {
            _ if run.accepted => None,
            Some((least, _)) if *least > 0 && page.records == 0 => Some(What::Emptied),
            Some((least, _)) if *least >= 4 && page.records * 2 < *least => Some(What::Fewer),
            // A new page of a list that was never empty anywhere.
            None if was_seen && !memory.was_empty && page.records == 0 => Some(What::Emptied),
            _ => None,
        };
        let (least, since) = known.unwrap_or((page.records, None));
        match what {
            Some(what) => {
                let since = since.filter(|(known, _)| *known == what).map(|(_, since)| since);
                let since = since.unwrap_or_else(|| (run.id, run.at.clone()));
                memory.pages.insert(page.page, (least, Some((what, since.clone()))));
                told.entry(what).or_default().push((page.page, least, page.records, since));
            }
            None => {
                memory.was_empty |= page.records == 0;
                memory.seen = true;
                let least = if run.accepted { page.records } else { least.min(page.records) };
                memory.pages.insert(page.page, (least, None));
            }
        }
    }
    for (what, pages) in told {
        let (first, since) = pages.iter().map(|(_, _, _, since)| since).min().cloned().unwrap_or_default();
        findings.push(Finding {
            list: table.to_owned(),
            field: None,
            what,
            since,
            run: first,
            pages: pages.iter().take(PAGES).map(|(page, ..)| page.to_string()).collect(),
            on: pages.len(),
            of: yields.len(),
            before: pages.iter().map(|(_, least, ..)| *least as f64).sum(),
            now: pages.iter().map(|(_, _, now, _)| *now as f64).sum(),
            was: Vec::new(),
            is: Vec::new(),
        });
    }
}
