//! Reading records as trees, in chunks. Reads a snapshot: records written meanwhile are not included.

use std::collections::HashMap;

use serde_json::Value as Json;

use crate::catalogue::{Kept, LAST_SEEN, Table};
use crate::data::{Kind, Layout, Record, Value};
use crate::database::{Cell, Param, quoted};
use crate::error::{Error, Result};
use crate::store::Store;

/// Number of records that are read at a time.
const CHUNK: usize = 1000;

/// Selection of records to read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Which {
    /// The current records.
    #[default]
    Present,
    /// The current and the gone records.
    All,
    /// The records that existed before this run, with the values they had then.
    Before(i64),
}

/// Form of the values that are read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Form {
    /// Typed according to their kinds.
    #[default]
    Typed,
    /// The texts as they stood on the page; addresses are absolute as in the typed form.
    Raw,
}

/// Selection and form of the records to read, and the wrapper they belong to.
#[derive(Debug, Clone, Copy)]
struct Wanted {
    which: Which,
    form: Form,
    wrapper: Option<i64>,
}

impl Store {
    /// Returns the layouts of the top-level lists, with all columns that were ever stored.
    pub fn layouts(&self) -> Vec<Layout> {
        let tables = &self.catalogue.tables;
        (0..tables.len()).filter(|&at| tables[at].parent.is_none()).map(|at| self.catalogue.layout(at)).collect()
    }

    /// Returns the layout of a top-level list, by its label or its table's name.
    pub fn layout(&self, list: &str) -> Result<Layout> {
        self.table(list).map(|table| self.catalogue.layout(table))
    }

    /// Passes the records of a top-level list to `each`, in the order they were first stored, until `each` returns
    /// false.
    pub fn records(&mut self, list: &str, which: Which, form: Form, each: impl FnMut(Record) -> bool) -> Result<()> {
        self.handed_over(list, Wanted { which, form, wrapper: None }, each)
    }

    /// Like [`Store::records`], for the records of one wrapper only.
    pub fn records_of(
        &mut self,
        wrapper: &str,
        list: &str,
        which: Which,
        form: Form,
        each: impl FnMut(Record) -> bool,
    ) -> Result<()> {
        let Some(wrapper) = self.wrapper_id(wrapper)? else {
            return Err(Error::NoWrapper { name: wrapper.to_owned(), known: self.wrappers()? });
        };
        self.handed_over(list, Wanted { which, form, wrapper: Some(wrapper) }, each)
    }

    fn handed_over(&mut self, list: &str, wanted: Wanted, mut each: impl FnMut(Record) -> bool) -> Result<()> {
        let own = wanted.wrapper.and_then(|wrapper| self.catalogue.find_own(list, wrapper));
        let table = own.map_or_else(|| self.table(list), Ok)?;
        self.database.begin_reading()?;
        let done = self.chunks(table, wanted, &mut each);
        self.database.rollback();
        done
    }

    fn chunks(&mut self, table: usize, wanted: Wanted, each: &mut dyn FnMut(Record) -> bool) -> Result<()> {
        let mut last = 0;
        loop {
            let some = self.chunk(table, wanted, &format!("r._id > {last}"), "r._id", Some(CHUNK))?;
            let Some((_, end)) = some.last() else { return Ok(()) };
            last = end.id;
            let is_last = some.len() < CHUNK;
            for (_, record) in some {
                if !each(record) {
                    return Ok(());
                }
            }
            if is_last {
                return Ok(());
            }
        }
    }

    pub(crate) fn table(&self, list: &str) -> Result<usize> {
        let tables = &self.catalogue.tables;
        let top = || tables.iter().enumerate().filter(|(_, table)| table.parent.is_none());
        let found =
            top().find(|(_, table)| table.label == list).or_else(|| top().find(|(_, table)| table.name == list));
        found.map(|(at, _)| at).ok_or_else(|| Error::NoList {
            name: list.to_owned(),
            known: top().map(|(_, table)| table.label.clone()).collect(),
        })
    }

    /// Reads records, each with the number of its parent.
    fn chunk(
        &mut self,
        table: usize,
        wanted: Wanted,
        condition: &str,
        order: &str,
        limit: Option<usize>,
    ) -> Result<Vec<(i64, Record)>> {
        let this = self.catalogue.tables[table].clone();
        let is_server = self.database.is_server();
        let columns = this.columns.iter().flat_map(|kept| selected(kept, wanted.form));
        let columns = columns.map(|name| {
            if is_server { format!(", cast(r.{} as text)", quoted(&name)) } else { format!(", r.{}", quoted(&name)) }
        });
        let mut conditions = match wanted.which {
            Which::Present => " and r._gone is null".to_owned(),
            Which::All => String::new(),
            Which::Before(run) => format!(" and r._first < {run} and (r._gone is null or r._gone >= {run})"),
        };
        if let Some(wrapper) = wanted.wrapper {
            conditions += &format!(" and r._wrapper = {wrapper}");
        }
        let limit = limit.map(|limit| format!(" limit {limit}")).unwrap_or_default();
        let sql = format!(
            "select r._id, coalesce(r._parent, 0), p.name, f.started, {LAST_SEEN}, g.started{} from {} r
             join _pages p on p.id = r._page join _runs f on f.id = r._first join _runs s on s.id = r._seen
             left join _runs g on g.id = r._gone where {condition}{conditions} order by {order}{limit}",
            columns.collect::<String>(),
            quoted(&this.name),
        );
        let mut records = Vec::new();
        self.database.select(&sql, &[] as &[Param<'_>], &mut |row| {
            let mut cells = row.into_iter();
            let mut next = || cells.next().unwrap_or(Cell::Null);
            let (id, parent) = (next().int().unwrap_or_default(), next().int().unwrap_or_default());
            let mut text = || next().into_digits();
            let (page, first, seen) =
                (text().unwrap_or_default(), text().unwrap_or_default(), text().unwrap_or_default());
            let gone = text();
            let values = this.columns.iter().map(|kept| value(kept, wanted.form, &mut text)).collect();
            records.push((parent, Record { id, page, first, seen, gone, changed: None, values, lists: Vec::new() }));
            Ok(())
        })?;
        if let Which::Before(run) = wanted.which {
            self.undo(&this, run, wanted.form, &mut records)?;
        }
        let ids = records.iter().map(|(_, record)| record.id);
        let Some((least, most)) = ids.clone().min().zip(ids.max()) else { return Ok(records) };
        self.note_changed(&this, (least, most), &mut records)?;
        let below: Vec<usize> = self.catalogue.below(table).collect();
        for inner in below {
            let condition = format!("r._parent between {least} and {most}");
            let inside = self.chunk(inner, wanted, &condition, "r._parent, r._n, r._id", None)?;
            let mut by_parent: HashMap<i64, Vec<Record>> = HashMap::new();
            for (parent, record) in inside {
                by_parent.entry(parent).or_default().push(record);
            }
            let gone = self.inner_changed(inner, (least, most))?;
            for (_, record) in &mut records {
                let inside = by_parent.remove(&record.id).unwrap_or_default();
                // An inner record that is as old as its parent is not a change of the parent.
                let later = inside.iter().map(|inner| &inner.first).filter(|first| **first > record.first);
                let later = later.chain(inside.iter().filter_map(|inner| inner.changed.as_ref()));
                let later = later.chain(gone.get(&record.id)).max().cloned();
                record.changed = record.changed.take().max(later);
                record.lists.push(inside);
            }
        }
        Ok(records)
    }

    /// Sets the time at which each record's own values last changed, or it reappeared.
    fn note_changed(&mut self, table: &Table, (least, most): (i64, i64), records: &mut [(i64, Record)]) -> Result<()> {
        let sql = "select record, max(at) from _changes where tbl = $1 and record between $2 and $3
                   and what in ('changed', 'back') group by record";
        let params = [Param::text(table.name.as_str()), Param::Int(least), Param::Int(most)];
        let mut changed = HashMap::new();
        self.database.select(sql, &params, &mut |row| {
            if let [Cell::Int(record), Cell::Text(at)] = &row[..] {
                changed.insert(*record, at.clone());
            }
            Ok(())
        })?;
        for (_, record) in records {
            record.changed = changed.remove(&record.id);
        }
        Ok(())
    }

    /// Returns the time of the last change among the inner records, keyed by parent record.
    fn inner_changed(&mut self, table: usize, (least, most): (i64, i64)) -> Result<HashMap<i64, String>> {
        let name = &self.catalogue.tables[table].name;
        let sql = format!(
            "select r._parent, max(c.at) from {} r join _changes c on c.tbl = $1 and c.record = r._id
             where r._parent between $2 and $3 group by r._parent",
            quoted(name)
        );
        let params = [Param::text(name.clone()), Param::Int(least), Param::Int(most)];
        let mut changed = HashMap::new();
        self.database.select(&sql, &params, &mut |row| {
            if let [Cell::Int(parent), Cell::Text(at)] = &row[..] {
                changed.insert(*parent, at.clone());
            }
            Ok(())
        })?;
        Ok(changed)
    }

    /// Restores the values that records had before a run.
    pub(crate) fn undo(&mut self, table: &Table, run: i64, form: Form, records: &mut [(i64, Record)]) -> Result<()> {
        let ids: Vec<Param<'_>> = records.iter().map(|(_, record)| Param::Int(record.id)).collect();
        // The first change noted since the run began holds the value before it.
        let mut before: HashMap<(i64, String), (i64, Json)> = HashMap::new();
        let select = "select id, record, cast(was as text), cast(raw as text) from _changes";
        let by = format!("what = 'changed' and run >= {run} and tbl = '{}' and record", table.name);
        self.database.lookup(select, &by, &ids, &mut |row| {
            let [Cell::Int(note), Cell::Int(record), Cell::Text(was), raw] = &row[..] else { return Ok(()) };
            let raw = match (form, raw) {
                (Form::Raw, Cell::Text(raw)) => raw,
                _ => "{}",
            };
            let parsed = |text: &str| serde_json::from_str::<serde_json::Map<String, Json>>(text).unwrap_or_default();
            // In raw form the original text replaces the value; addresses keep their value.
            let raw = parsed(raw)
                .into_iter()
                .filter(|(name, _)| table.columns.iter().any(|kept| kept.name == *name && kept.kind != Kind::Url));
            for (name, was) in parsed(was).into_iter().chain(raw) {
                let noted = before.entry((*record, name)).or_insert_with(|| (*note, was.clone()));
                if *note <= noted.0 {
                    *noted = (*note, was);
                }
            }
            Ok(())
        })?;
        for (_, record) in records {
            for (kept, value) in table.columns.iter().zip(&mut record.values) {
                let was = before.remove(&(record.id, kept.name.clone()));
                let currency = before.remove(&(record.id, format!("{}__currency", kept.name)));
                put_back(kept.kind, form, value, was.map(|(_, was)| was), currency.map(|(_, was)| was));
            }
        }
        Ok(())
    }
}

/// Restores an earlier value, as far as it is known.
fn put_back(kind: Kind, form: Form, value: &mut Value, was: Option<Json>, was_currency: Option<Json>) {
    let text = |json: Json| match json {
        Json::String(text) => Some(text),
        Json::Number(number) => Some(number.to_string()),
        _ => None,
    };
    let typed = form == Form::Typed;
    if let Some(was) = was.map(text) {
        *value = match (was, kind, &*value) {
            (None, ..) => Value::Null,
            (Some(was), Kind::Number, _) if typed => Value::Number(was),
            (Some(amount), Kind::Money, Value::Money { currency, .. }) if typed => {
                Value::Money { amount, currency: currency.clone() }
            }
            (Some(amount), Kind::Money, _) if typed => Value::Money { amount, currency: None },
            (Some(was), ..) => Value::Text(was),
        };
    }
    if let (Some(was), Value::Money { currency, .. }) = (was_currency, value) {
        *currency = text(was);
    }
}

/// Returns the database columns that a value is read from.
pub(crate) fn selected(kept: &Kept, form: Form) -> Vec<String> {
    match (form, kept.kind) {
        (Form::Raw, Kind::Date | Kind::Number | Kind::Money) => vec![kept.raw()],
        (Form::Typed, Kind::Money) => vec![kept.name.clone(), format!("{}__currency", kept.name)],
        _ => vec![kept.name.clone()],
    }
}

pub(crate) fn value(kept: &Kept, form: Form, text: &mut dyn FnMut() -> Option<String>) -> Value {
    let first = text();
    match (form, kept.kind) {
        (Form::Typed, Kind::Number) => first.map_or(Value::Null, Value::Number),
        (Form::Typed, Kind::Money) => {
            let currency = text();
            first.map_or(Value::Null, |amount| Value::Money { amount, currency })
        }
        _ => first.map_or(Value::Null, Value::Text),
    }
}
