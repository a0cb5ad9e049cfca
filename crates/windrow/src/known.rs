//! From a store to what a repair starts from: the records of the last good run, as they stood on the page.

use windrow_learn::repair::{Known, KnownList, KnownRecord, KnownValue};
use windrow_store::{Form, Layout, Record, Result, Store, Value, Which};

use crate::keep::{PAGE, VALUE};

/// Records of one list that are handed over: more hardly make a repair surer.
const MOST: usize = 2000;

/// What a store knows of these pages, or of all if it knows none of them, from before the wrapper broke.
///
/// Since when it is broken, [`Store::check`] says: what was kept after that may be garbage, and what was there before
/// may be marked as gone because of it.
pub fn known(store: &mut Store, wrapper: &str, pages: &[String]) -> Result<Known> {
    let broken = store.check(wrapper)?.findings.into_iter().map(|finding| finding.run).min();
    let which = broken.map_or(Which::Present, Which::Before);
    let mut lists = Vec::new();
    for layout in store.layouts() {
        let (mut here, mut all) = (Vec::new(), Vec::new());
        store.records_of(wrapper, &layout.label, which, Form::Raw, |record| {
            let list = if pages.contains(&record.page) { &mut here } else { &mut all };
            if list.len() < MOST {
                list.push(known_record(&layout, record));
            }
            here.len() < MOST
        })?;
        let records = if here.is_empty() { all } else { here };
        let label = if layout.label == PAGE { String::new() } else { layout.label };
        lists.push(KnownList { label, records });
    }
    Ok(Known { lists })
}

fn known_record(layout: &Layout, record: Record) -> KnownRecord {
    let mut known = KnownRecord::default();
    for (column, value) in layout.columns.iter().zip(record.values) {
        let Value::Text(raw) = value else { continue };
        let is_value = layout.columns.len() == 1 && column.label == VALUE;
        put(&mut known, if is_value { "" } else { &column.label }, raw);
    }
    for (layout, list) in layout.lists.iter().zip(record.lists) {
        let records = list.into_iter().map(|record| known_record(layout, record)).collect();
        known.lists.push(KnownList { label: layout.label.clone(), records });
    }
    known
}

/// A value in a group stands in a record of its own.
fn put(known: &mut KnownRecord, label: &str, raw: String) {
    let Some((group, field)) = label.split_once('.') else {
        known.values.push(KnownValue { label: label.to_owned(), raw });
        return;
    };
    let at = known.lists.iter().position(|list| list.label == group).unwrap_or_else(|| {
        let records = vec![KnownRecord::default()];
        known.lists.push(KnownList { label: group.to_owned(), records });
        known.lists.len() - 1
    });
    if let Some(inner) = known.lists[at].records.first_mut() {
        put(inner, field, raw);
    }
}
