//! Values that a wrapper finds on a page, by field and record, with their places.

use std::collections::BTreeMap;
use std::sync::Arc;

use windrow_dom::Document;
use windrow_testkit::redesign::Value;
use windrow_wrapper::{Extraction, Extractor, Object, Page};
use windrow_xpath::Node;

/// The values of a field: for each record of its list those that it has.
pub(super) type Column = Vec<Vec<String>>;

#[derive(Default)]
pub(super) struct Values {
    /// By the names of list and field, with slashes.
    pub(super) fields: BTreeMap<String, Column>,
    /// The nodes of each field, all records together.
    pub(super) nodes: BTreeMap<String, Vec<Node>>,
    /// The rule of each field and of each list, in words.
    pub(super) rules: BTreeMap<String, String>,
    /// The values of each record, for the redesign to keep.
    pub(super) records: Vec<Vec<Value>>,
}

pub(super) fn page(document: Document) -> Arc<Page> {
    Arc::new(Page::from_document("page", document))
}

/// Runs a wrapper on a page.
pub(super) fn of(extractor: &Extractor, page: &Arc<Page>) -> Values {
    let extraction = extractor.extract(Arc::clone(page));
    let mut values = Values::default();
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    let mut own = Vec::new();
    for object in extraction.objects() {
        if object.is_set() {
            let count = counts.entry(object.label()).or_default();
            values.rules.entry(object.label().to_owned()).or_insert_with(|| object.rule().to_owned());
            let mut record = Vec::new();
            for inner in object.objects() {
                values.collect(inner, object.label(), *count, &mut record);
            }
            *count += 1;
            values.records.push(record);
        } else {
            values.collect(object, "", 0, &mut own);
        }
    }
    values.records.push(own);
    values.records.retain(|record| !record.is_empty());
    // A record without a field says so: one that comes in must show in every field.
    for (field, column) in &mut values.fields {
        let list = field.split('/').next().unwrap_or_default();
        column.resize(counts.get(list).copied().unwrap_or(1), Vec::new());
    }
    values
}

impl Values {
    fn collect(&mut self, object: Object<'_>, above: &str, record: usize, kept: &mut Vec<Value>) {
        let field = format!("{above}/{}", object.label());
        if object.is_set() {
            for inner in object.objects() {
                self.collect(inner, &field, record, kept);
            }
            return;
        }
        if let Some(node) = object.node() {
            kept.push(if node.is_attribute() { Value::Attribute(node.id()) } else { Value::Text(node.id()) });
            self.nodes.entry(field.clone()).or_default().push(node);
        }
        self.rules.entry(field.clone()).or_insert_with(|| object.rule().to_owned());
        let column = self.fields.entry(field).or_default();
        column.resize(column.len().max(record + 1), Vec::new());
        column[record].push(one_line(&object.text()));
    }
}

/// The texts of an extraction's values, in order.
pub(super) fn texts(extraction: &Extraction) -> Vec<String> {
    extraction.objects().map(|object| one_line(&object.text())).collect()
}

pub(super) fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}
