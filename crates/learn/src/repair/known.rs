//! What is known of a page from before: the records that its wrapper once found, as plain texts.
//!
//! A store keeps more than this; what repair needs is which texts stood together in one record, under which labels.

use windrow_wrapper::values::Type;
use windrow_wrapper::{Extraction, Object, Objects, Value};

/// Records that were found on a page, or on the pages of one template, before it changed. Those of the last good run
/// are best: what has left the page since cannot be found again, and counts against a repair.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Known {
    /// By list of the wrapper; fields of the page itself are the one record of the list without a label.
    pub lists: Vec<KnownList>,
    /// Values of fields as they read on the page now, shown by a person: each counts in place of what was known.
    pub shown: Vec<KnownValue>,
}

/// The records of one list.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct KnownList {
    /// The label of its records; empty for the page itself.
    pub label: String,
    /// Its records, in the order of the page.
    pub records: Vec<KnownRecord>,
}

/// One record.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct KnownRecord {
    /// Its values. A record of a list of plain values has one, without a label.
    pub values: Vec<KnownValue>,
    /// The lists and groups in it.
    pub lists: Vec<KnownList>,
}

/// One value.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct KnownValue {
    /// Its label.
    pub label: String,
    /// Its visible text in one line; of an address, the absolute one.
    pub raw: String,
}

impl Known {
    /// What extractions gave, one after the other.
    pub fn of(extractions: &[Extraction]) -> Known {
        let mut all = KnownRecord::default();
        for extraction in extractions {
            let first = extraction.pages().first();
            let mut own = KnownRecord::default();
            own.add(extraction.objects(), &|object| {
                first.is_some_and(|first| std::sync::Arc::ptr_eq(object.page(), first))
            });
            for list in own.lists {
                match all.lists.iter_mut().find(|known| known.label == list.label) {
                    Some(known) => known.records.extend(list.records),
                    None => all.lists.push(list),
                }
            }
            if !own.values.is_empty() {
                let page = KnownRecord { values: own.values, lists: Vec::new() };
                match all.lists.iter_mut().find(|known| known.label.is_empty()) {
                    Some(known) => known.records.push(page),
                    None => all.lists.push(KnownList { label: String::new(), records: vec![page] }),
                }
            }
        }
        Known { lists: all.lists, shown: Vec::new() }
    }

    /// The records of a list.
    pub fn list(&self, label: &str) -> &[KnownRecord] {
        self.lists.iter().find(|list| list.label == label).map_or(&[], |list| &list.records)
    }

    /// Whether no record is known.
    pub fn is_empty(&self) -> bool {
        self.lists.iter().all(|list| list.records.is_empty())
    }
}

impl KnownRecord {
    /// The value of a field.
    pub fn value(&self, label: &str) -> Option<&str> {
        self.values.iter().find(|value| value.label == label).map(|value| &*value.raw)
    }

    /// The records of a list in it.
    pub fn list(&self, label: &str) -> &[KnownRecord] {
        self.lists.iter().find(|list| list.label == label).map_or(&[], |list| &list.records)
    }

    /// What an object says that is a record.
    pub(crate) fn of(object: Object<'_>) -> KnownRecord {
        let mut record = KnownRecord::default();
        let page = object.page();
        record.add(object.objects(), &|inner| std::sync::Arc::ptr_eq(inner.page(), page));
        record
    }

    /// Adds the objects of a record that stand on the page that is looked at.
    fn add(&mut self, objects: Objects<'_>, here: &dyn Fn(Object<'_>) -> bool) {
        for object in objects.filter(|object| here(*object)) {
            let listed = object.is_set() || object.is_record() || object.is_many();
            if !listed {
                self.values.push(KnownValue { label: object.label().to_owned(), raw: told(object) });
                continue;
            }
            let mut record = KnownRecord::default();
            match object.is_set() {
                true => record.add(object.objects(), here),
                false => record.values.push(KnownValue { label: String::new(), raw: told(object) }),
            }
            match self.lists.iter_mut().find(|list| list.label == object.label()) {
                Some(list) => list.records.push(record),
                None => self.lists.push(KnownList { label: object.label().to_owned(), records: vec![record] }),
            }
        }
    }
}

/// What an object says, as it is remembered.
pub(crate) fn told(object: Object<'_>) -> String {
    match object.ty() {
        Type::Url => match object.value() {
            Value::Url(url) => url,
            _ => object.text().into_owned(),
        },
        _ => object.text().into_owned(),
    }
}
