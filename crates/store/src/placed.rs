//! Reading records together with their places on the page.
//!
//! Like [`Store::records`], plus the original text, XPath and byte range of each value. The additional cost is parsing
//! one small JSON object per record.

use std::collections::HashMap;

use serde_json::Value as Json;

use crate::catalogue::{Kept, Table};
use crate::data::{Kind, Value};
use crate::database::{Cell, Param, quoted};
use crate::error::Result;
use crate::found::{Found, FoundValue, Place};
use crate::store::Store;

/// Number of records that are read at a time.
const CHUNK: usize = 1000;

/// A stored record with the places of its values.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Placed {
    /// Number of the record in its table.
    pub id: i64,
    /// Name of the page that last showed it.
    pub page: String,
    /// Values with their places. A record that moved to another page has no places until that page is read again.
    pub found: Found,
}

impl Store {
    /// Passes the current records of a top-level list to `each`, with their places, in the order they were first
    /// stored, until `each` returns false. Reads a snapshot: records written meanwhile are not included.
    pub fn placed(&mut self, list: &str, mut each: impl FnMut(Placed) -> bool) -> Result<()> {
        let table = self.table(list)?;
        self.database.begin_reading()?;
        let done = self.placed_chunks(table, &mut each);
        self.database.rollback();
        done
    }

    fn placed_chunks(&mut self, table: usize, each: &mut dyn FnMut(Placed) -> bool) -> Result<()> {
        let mut last = 0;
        loop {
            let some = self.placed_chunk(table, &format!("r._id > {last}"), "r._id", Some(CHUNK))?;
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

    /// Reads records, each with the number of its parent. The recursion depth is that of the nested lists.
    fn placed_chunk(
        &mut self,
        table: usize,
        condition: &str,
        order: &str,
        limit: Option<usize>,
    ) -> Result<Vec<(i64, Placed)>> {
        let this: Table = self.catalogue.tables[table].clone();
        let is_server = self.database.is_server();
        let columns = this.columns.iter().flat_map(Kept::sql).map(|(name, _)| {
            if is_server { format!(", cast(r.{} as text)", quoted(&name)) } else { format!(", r.{}", quoted(&name)) }
        });
        let limit = limit.map(|limit| format!(" limit {limit}")).unwrap_or_default();
        let sql = format!(
            "select r._id, coalesce(r._parent, 0), p.name, r._path, r._start, r._end, cast(r._sources as text){}
             from {} r join _pages p on p.id = r._page
             where {condition} and r._gone is null order by {order}{limit}",
            columns.collect::<String>(),
            quoted(&this.name),
        );
        let mut records = Vec::new();
        self.database.select(&sql, &[] as &[Param<'_>], &mut |row| {
            let mut cells = row.into_iter();
            let mut next = || cells.next().unwrap_or(Cell::Null);
            let (id, parent) = (next().int().unwrap_or_default(), next().int().unwrap_or_default());
            let page = next().into_digits().unwrap_or_default();
            let path = next().into_digits().unwrap_or_default();
            let span = (next().int()).zip(next().int()).and_then(|(start, end)| span(start, end));
            let sources = next().into_digits().unwrap_or_default();
            let sources: serde_json::Map<String, Json> = serde_json::from_str(&sources).unwrap_or_default();
            let mut text = || next().into_digits();
            let values = this.columns.iter().map(|kept| value(kept, &sources, &mut text)).collect();
            let found = Found { place: Place { path, span }, values, lists: Vec::new() };
            records.push((parent, Placed { id, page, found }));
            Ok(())
        })?;
        let ids = records.iter().map(|(_, record): &(i64, Placed)| record.id);
        let Some((least, most)) = ids.clone().min().zip(ids.max()) else { return Ok(records) };
        for inner in self.catalogue.below(table).collect::<Vec<_>>() {
            let condition = format!("r._parent between {least} and {most}");
            let mut inside: HashMap<i64, Vec<Found>> = HashMap::new();
            for (parent, record) in self.placed_chunk(inner, &condition, "r._parent, r._n, r._id", None)? {
                inside.entry(parent).or_default().push(record.found);
            }
            for (_, record) in &mut records {
                record.found.lists.push(inside.remove(&record.id).unwrap_or_default());
            }
        }
        Ok(records)
    }
}

/// Reads a value from the columns that [`Kept::sql`] lists.
fn value(kept: &Kept, sources: &serde_json::Map<String, Json>, text: &mut dyn FnMut() -> Option<String>) -> FoundValue {
    let first = text();
    let value = match kept.kind {
        Kind::Number => first.map_or(Value::Null, Value::Number),
        Kind::Money => {
            let currency = text();
            first.map_or(Value::Null, |amount| Value::Money { amount, currency })
        }
        Kind::Text | Kind::Url | Kind::Date | Kind::Html => first.map_or(Value::Null, Value::Text),
    };
    let raw = if kept.has_raw() { text() } else { None };
    FoundValue { value, raw, place: sources.get(&kept.name).and_then(place) }
}

/// Parses a place such as `["td[2]",120,135]`.
fn place(source: &Json) -> Option<Place> {
    let parts = source.as_array()?;
    let path = parts.first()?.as_str()?.to_owned();
    let end = |at: usize| parts.get(at).and_then(Json::as_i64);
    Some(Place { path, span: end(1).zip(end(2)).and_then(|(start, end)| span(start, end)) })
}

fn span(start: i64, end: i64) -> Option<(u32, u32)> {
    Some((u32::try_from(start).ok()?, u32::try_from(end).ok()?))
}
