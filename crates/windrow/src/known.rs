//! Reads the input of a repair from a store: the records of the last good run, as they stood on the page.

use std::collections::BTreeMap;
use std::sync::Arc;

use windrow_learn::repair::{Known, KnownList, KnownRecord, KnownValue};
use windrow_store::{Form, Layout, Record, Result, Store, Value, Which};
use windrow_wrapper::values::text::collapse;

use crate::Page;
use crate::keep::{PAGE, VALUE};

/// Largest number of records per list; more hardly make a repair more reliable.
const MOST: usize = 2000;
/// Number of records of a page that are searched for to identify the page.
const LOOKED_FOR: usize = 50;
/// Smallest length of a text that is distinctive.
const TELLING: usize = 8;

/// Returns the records of these pages from before the wrapper broke.
///
/// Pages are identified by their names or addresses. A page with an unknown name, since it was saved under another
/// one, is identified with the stored page of which most records are found on it; if none is found on any page, all
/// records are returned, and a repair will report that.
///
/// [`Store::check`] determines when the wrapper broke: records stored after that may be garbage, and earlier ones may
/// be marked as gone because of it.
pub fn known(store: &mut Store, wrapper: &str, pages: &[Arc<Page>]) -> Result<Known> {
    let broken = store.check(wrapper)?.findings.into_iter().map(|finding| finding.run).min();
    let which = broken.map_or(Which::Present, Which::Before);
    let mut all: Vec<(Layout, BTreeMap<String, Vec<KnownRecord>>)> = Vec::new();
    for layout in store.layouts() {
        let mut by_page: BTreeMap<String, Vec<KnownRecord>> = BTreeMap::new();
        store.records_of(wrapper, &layout.label, which, Form::Raw, |mut record| {
            let page = std::mem::take(&mut record.page);
            let list = by_page.entry(page).or_default();
            if list.len() < MOST {
                list.push(known_record(&layout, record));
            }
            true
        })?;
        all.push((layout, by_page));
    }
    let chosen = choose(&all, pages);
    let lists = all.into_iter().map(|(layout, by_page)| {
        let here = by_page.into_iter().filter(|(page, _)| chosen.is_empty() || chosen.contains(page));
        let records = here.flat_map(|(_, records)| records).take(MOST).collect();
        let label = if layout.label == PAGE { String::new() } else { layout.label };
        KnownList { label, records }
    });
    Ok(Known { lists: lists.collect(), shown: Vec::new() })
}

/// Returns the names under which these pages were stored.
fn choose(all: &[(Layout, BTreeMap<String, Vec<KnownRecord>>)], pages: &[Arc<Page>]) -> Vec<String> {
    let named = |page: &Page| {
        let names = [Some(page.name()), page.url().map(url::Url::as_str)];
        let names = names.into_iter().flatten();
        names.filter(|name| all.iter().any(|(_, by_page)| by_page.contains_key(*name))).map(str::to_owned).next()
    };
    pages.iter().filter_map(|page| named(page).or_else(|| most_alike(all, page))).collect()
}

/// Returns the stored page of which most records are found on this page.
fn most_alike(all: &[(Layout, BTreeMap<String, Vec<KnownRecord>>)], page: &Page) -> Option<String> {
    let document = page.document();
    let text = document.visible_text(document.root());
    let text = collapse(&text);
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for (name, records) in all.iter().flat_map(|(_, by_page)| by_page) {
        let stands = |record: &&KnownRecord| {
            let mut values = record.values.iter().map(|value| value.raw.as_str());
            values.any(|value| value.len() >= TELLING && text.contains(value))
        };
        let found = records.iter().take(LOOKED_FOR).filter(stands).count();
        *counts.entry(name).or_default() += found;
    }
    let (name, count) = counts.into_iter().rev().max_by_key(|(_, count)| *count)?;
    (count > 0).then(|| name.to_owned())
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

/// Adds a value; a value in a group is put into a record of its own.
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
