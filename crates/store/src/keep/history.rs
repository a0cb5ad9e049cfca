//! Records the earlier values of changed records, and when records disappeared and reappeared.

use std::collections::{HashMap, HashSet};

use serde_json::{Map, Value as Json};

use super::Keeping;
use super::movement::Movement;
use super::rows::Writer;
use crate::data::Value;
use crate::database::{Cell, Param, SqlType, Target, quoted};
use crate::error::Result;
use crate::found::Found;

/// Earlier values of a changed record and the texts they were read from, both in JSON.
type Was = (String, String);

impl Keeping<'_> {
    /// Stores the earlier values of changed records, and adds to `movements` the distance by which each column moved.
    /// Records that were gone until now (`back`) do not count for movements, since their earlier values are old.
    pub(super) fn note_before(
        &mut self,
        writer: &Writer<'_>,
        records: &[(i64, &Found)],
        back: &[i64],
        movements: &mut [Movement],
    ) -> Result<()> {
        if records.is_empty() {
            return Ok(());
        }
        let is_server = self.database.is_server();
        let columns: Vec<String> = writer.written().flat_map(|kept| kept.sql()).map(|(name, _)| name).collect();
        let read =
            columns.iter().map(|name| if is_server { format!("cast({} as text)", quoted(name)) } else { quoted(name) });
        let select = format!("select _id, {} from {}", read.collect::<Vec<_>>().join(", "), quoted(writer.table()));
        let back: HashSet<i64> = back.iter().copied().collect();
        let by_id: HashMap<i64, &Found> = records.iter().copied().collect();
        let ids: Vec<Param<'_>> = records.iter().map(|(id, _)| Param::Int(*id)).collect();
        let mut notes: Vec<(i64, &str, Option<Was>)> = Vec::new();
        self.database.lookup(&select, "_id", &ids, &mut |row| {
            let mut cells = row.into_iter();
            let Some(Cell::Int(id)) = cells.next() else { return Ok(()) };
            let Some(found) = by_id.get(&id) else { return Ok(()) };
            let (mut was, mut raw) = (Map::new(), Map::new());
            let mut values = Vec::with_capacity(writer.filled());
            for (at, kept) in writer.written().enumerate() {
                // Columns of another kind that the wrapper no longer fills come after those it fills.
                let value = found.values.get(at).filter(|_| at < writer.filled());
                let now = match value.map_or(&Value::Null, |found| &found.value) {
                    Value::Null => [None, None],
                    Value::Text(text) | Value::Number(text) => [Some(text.as_str()), None],
                    Value::Money { amount, currency } => [Some(amount.as_str()), currency.as_deref()],
                };
                let mut is_changed = false;
                let mut pairs = Vec::with_capacity(2);
                for ((name, ty), now) in kept.sql().into_iter().filter(|(name, _)| *name != kept.raw()).zip(now) {
                    let before = cells.next().and_then(Cell::into_digits);
                    let is_number = ty == SqlType::Number;
                    if !is_same(before.as_deref(), now, is_number) {
                        is_changed = true;
                        was.insert(name, as_json(before.clone(), is_number));
                    }
                    pairs.push((before, now));
                }
                if let Some(movement) = movements.get_mut(at).filter(|_| at < writer.filled() && !back.contains(&id)) {
                    let is_same_currency = pairs.get(1).is_none_or(|(before, now)| before.as_deref() == *now);
                    if let Some((before, now)) = pairs.first() {
                        movement.add(kept.kind, before.as_deref(), *now, is_same_currency);
                    }
                }
                if at < writer.filled() {
                    values.extend(pairs.into_iter().next());
                }
                if kept.has_raw() {
                    let before = cells.next().and_then(Cell::into_text);
                    if is_changed {
                        raw.insert(kept.name.clone(), before.map_or(Json::Null, Json::String));
                    }
                }
            }
            if !back.contains(&id) {
                Movement::add_taken(movements, &values);
            }
            if !was.is_empty() {
                notes.push((id, "changed", Some((Json::Object(was).to_string(), Json::Object(raw).to_string()))));
            }
            Ok(())
        })?;
        self.outcome.updated += notes.len() as u64;
        self.note(writer.table(), notes)
    }

    /// Records that these records reappeared. A record that disappeared in this very run has only moved.
    pub(super) fn note_back(&mut self, table: &str, ids: &[i64]) -> Result<()> {
        let mut back = Vec::new();
        for &id in ids {
            let sql = "delete from _changes where tbl = $1 and record = $2 and run = $3 and what = 'gone'";
            let params = [Param::text(table), Param::Int(id), Param::Int(self.run.id)];
            match self.database.execute(sql, &params)? {
                0 => back.push((id, "back", None)),
                _ => self.moved += 1,
            }
        }
        self.note(table, back)
    }

    pub(super) fn note(&mut self, table: &str, notes: Vec<(i64, &str, Option<Was>)>) -> Result<()> {
        let columns = [
            ("tbl", SqlType::Text),
            ("record", SqlType::Integer),
            ("run", SqlType::Integer),
            ("at", SqlType::Text),
            ("what", SqlType::Text),
            ("was", SqlType::Json),
            ("raw", SqlType::Json),
        ];
        let columns = columns.map(|(name, ty)| (name.to_owned(), ty)).to_vec();
        let target = Target { table: "_changes".to_owned(), columns };
        let (run, at) = (self.run.id, self.run.at.clone());
        let rows = notes.into_iter().map(|(id, what, was)| {
            let (was, raw) = was.unzip();
            vec![
                Param::text(table),
                Param::Int(id),
                Param::Int(run),
                Param::text(at.as_str()),
                Param::text(what),
                Param::maybe(was),
                Param::maybe(raw),
            ]
        });
        self.database.insert(&target, &rows.collect::<Vec<_>>())
    }
}

fn is_same(before: Option<&str>, now: Option<&str>, is_number: bool) -> bool {
    match (before, now) {
        (Some(before), Some(now)) if is_number => {
            before == now || matches!((before.parse::<f64>(), now.parse::<f64>()), (Ok(a), Ok(b)) if a == b)
        }
        (before, now) => before == now,
    }
}

fn as_json(text: Option<String>, is_number: bool) -> Json {
    match text {
        None => Json::Null,
        Some(text) => match is_number.then(|| serde_json::from_str::<serde_json::Number>(&text).ok()).flatten() {
            Some(number) => Json::Number(number),
            None => Json::String(text),
        },
    }
}
