//! Keys of a list's records, and what happens when they change.
//!
//! A wrapper declares the key, or it is derived from the first records seen together. It changes when a wrapper begins
//! to declare it, or loses a field of the derived key. The stored records then get new keys computed from their values,
//! so that they are still recognized. This takes time linear in the wrapper's records, once.

use std::borrow::Cow;
use std::collections::HashMap;

use super::identity::{self, Scope};
use super::{Incoming, Keeping};
use crate::catalogue::{Kept, Key, Origin, Plan};
use crate::data::{Kind, Layout};
use crate::database::{Cell, Param, SqlType, Target, quoted};
use crate::error::Result;
use crate::found::Found;

/// Number of records that get new keys at a time.
const CHUNK: usize = 1000;

impl Keeping<'_> {
    /// Returns the key of these records; if it is new, updates the catalogue and the stored records.
    pub(super) fn key(&mut self, layout: &Layout, plan: &Plan, incoming: &[Incoming<'_>]) -> Result<Key> {
        let known = self.catalogue.key(plan.table, self.run.wrapper).cloned();
        let has = |key: &Key| identity::positions(layout, key).iter().all(Option::is_some);
        let wanted = match &known {
            _ if !layout.key.is_empty() => Key { labels: layout.key.clone(), origin: Origin::Declared },
            Some(key) if !key.labels.is_empty() && has(key) => return Ok(key.clone()),
            _ => match largest_family(incoming) {
                // A single record does not show which fields differ.
                few if few.len() < 2 => return Ok(known.filter(has).unwrap_or_else(Key::place)),
                family => identity::choose(layout, &family),
            },
        };
        if known.as_ref() != Some(&wanted) {
            self.catalogue.set_key(self.database, plan.table, self.run.wrapper, wanted.clone())?;
            // Even without an earlier key, records may be stored under their positions.
            if known.is_some() || !wanted.labels.is_empty() {
                self.rekey(layout, plan, &wanted)?;
            }
        }
        Ok(wanted)
    }

    /// Gives the stored records new keys.
    fn rekey(&mut self, layout: &Layout, plan: &Plan, key: &Key) -> Result<()> {
        let table = &self.catalogue.tables[plan.table];
        let (name, is_top) = (table.name.clone(), table.parent.is_none());
        let positions = identity::positions(layout, key);
        let columns: Vec<Option<&Kept>> =
            positions.into_iter().map(|at| Some(&table.columns[*plan.columns.get(at?)?])).collect();
        let is_server = self.database.is_server();
        let read = |column: String| {
            if is_server { format!(", cast({} as text)", quoted(&column)) } else { format!(", {}", quoted(&column)) }
        };
        let values = columns.iter().flatten().map(|kept| {
            let raw = if kept.has_raw() { kept.raw() } else { kept.name.clone() };
            read(kept.name.clone()) + &read(raw)
        });
        let values: String = values.collect();
        let kinds: Vec<Option<Kind>> = columns.iter().map(|kept| kept.map(|kept| kept.kind)).collect();
        let wrapper = self.run.wrapper;
        // Set unique placeholders first, since a new key may equal another record's old one.
        let sql = format!("update {} set _key = '\\k' || _id where _wrapper = $1", quoted(&name));
        self.database.execute(&sql, &[Param::Int(wrapper)])?;
        let target = Target {
            table: name.clone(),
            columns: vec![("_id".to_owned(), SqlType::Integer), ("_key".to_owned(), SqlType::Text)],
        };
        let mut taken = HashMap::new();
        let is_global = is_top && key.origin != Origin::Text;
        // Current records choose their keys before gone ones.
        for condition in ["is null", "is not null"] {
            let mut last = 0;
            loop {
                let mut rows = Vec::new();
                let sql = format!(
                    "select _id, coalesce(_parent, 0), _page{values} from {} where _wrapper = {wrapper}
                     and _gone {condition} and _id > {last} order by _id limit {CHUNK}",
                    quoted(&name)
                );
                self.database.select(&sql, &[], &mut |row| {
                    let mut cells = row.into_iter();
                    let mut number = || cells.next().and_then(|cell| cell.int()).unwrap_or_default();
                    let (id, parent, page) = (number(), number(), number());
                    let scope = if is_top { Scope::Page(page) } else { Scope::Inside(parent) };
                    let parts = kinds.iter().map(|kind| {
                        let kind = (*kind)?;
                        let value = cells.next().and_then(Cell::into_digits);
                        let raw = cells.next().and_then(Cell::into_text).filter(|raw| !raw.is_empty());
                        let value = match kind {
                            Kind::Number | Kind::Money => value.map(|digits| identity::plain(&digits).into_owned()),
                            _ => value,
                        };
                        value.or(raw).map(Cow::Owned)
                    });
                    let text = identity::key(key.origin, scope, parts);
                    rows.push((id, free(text, page, is_global, &mut taken)));
                    Ok(())
                })?;
                let rows: Vec<_> =
                    rows.into_iter().map(|(id, key)| vec![Param::Int(id), Param::Text(key.into())]).collect();
                let Some(Param::Int(id)) = rows.last().map(|row| &row[0]) else { break };
                last = *id;
                self.database.update(&target, &rows)?;
            }
        }
        Ok(())
    }
}

/// Returns a key that no other record has, formed in the same way as for newly found records.
fn free(key: String, page: i64, is_global: bool, taken: &mut HashMap<u64, i64>) -> String {
    let hash = |key: &str| xxhash_rust::xxh3::xxh3_64(key.as_bytes());
    let Some(&other) = taken.get(&hash(&key)) else {
        taken.insert(hash(&key), page);
        return key;
    };
    let key = if is_global && other != page { identity::on_page(&key, page) } else { key };
    let numbered = std::iter::once(key.clone()).chain((2_u32..).map(|n| format!("{key}\\#{n}")));
    let mut free = numbered.into_iter().filter(|key| taken.insert(hash(key), page).is_none());
    free.next().unwrap_or(key)
}

/// Returns the largest group of records with the same parent.
fn largest_family<'f>(incoming: &[Incoming<'f>]) -> Vec<&'f Found> {
    let families = incoming.chunk_by(|one, other| one.parent == other.parent);
    let largest = families.max_by_key(|family| family.len()).unwrap_or_default();
    largest.iter().map(|incoming| incoming.found).collect()
}
