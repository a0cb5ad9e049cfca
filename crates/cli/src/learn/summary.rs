//! What the learned rules find on the pages, in a few lines: enough to see whether the right thing was learned.

use std::sync::Arc;

use windrow::learn::example::Not;
use windrow::wrapper::Shape;
use windrow::{Extraction, Extractor, Object, Page, Pointer, Request};

use crate::discover::plural;
use crate::text::{collapse, excerpt};

/// Characters of a sample value.
const SAMPLE: usize = 60;

/// The finds of a wrapper on some pages.
#[derive(Debug)]
pub(crate) struct Summary {
    records: usize,
    pages: usize,
    /// Names of the pages without any value.
    empty: Vec<String>,
    fields: Vec<Field>,
    /// What must not come out and does.
    excluded: Vec<String>,
}

/// One field.
#[derive(Debug)]
struct Field {
    /// Its label, with those of the sublists it is in.
    labels: Vec<String>,
    /// Records that have it.
    found: usize,
    /// The first value.
    sample: Option<String>,
}

impl Summary {
    /// Runs the wrapper on the pages, and looks for what the request says must not come out.
    pub(crate) fn new(extractor: &Extractor, pages: &[Arc<Page>], request: &Request) -> Summary {
        let shapes = extractor.shape();
        let mut fields = Vec::new();
        shapes.iter().for_each(|shape| leaves(shape, &mut Vec::new(), &mut fields));
        let mut summary = Summary { records: 0, pages: pages.len(), empty: Vec::new(), fields, excluded: Vec::new() };
        for page in pages {
            let extraction = extractor.extract(Arc::clone(page));
            if !extraction.has_values() {
                summary.empty.push(page.name().to_owned());
            }
            summary.add(&extraction);
            for not in &request.not {
                summary.look_for(not, &extraction);
            }
        }
        summary
    }

    fn add(&mut self, extraction: &Extraction) {
        for record in extraction.objects() {
            self.records += 1;
            for field in &mut self.fields {
                let Some((list, path)) = field.labels.split_first() else { continue };
                let Some(value) = Some(record).filter(|it| it.label() == list).and_then(|it| first(it, path)) else {
                    continue;
                };
                field.found += 1;
                field.sample.get_or_insert_with(|| excerpt(&value.text(), SAMPLE));
            }
        }
    }

    /// Notes that a value came out which must not.
    fn look_for(&mut self, not: &Not, extraction: &Extraction) {
        let Pointer::Text(text) = &not.at else { return };
        let text = collapse(text);
        let is_meant = |labels: &[String]| {
            let own = not.field.as_deref().map(|field| field.trim_end_matches("[]"));
            own.is_none_or(|field| labels.join(".") == field)
        };
        let labels = self.fields.iter().map(|field| field.labels.as_slice());
        let mut labels = labels.filter_map(|labels| labels.split_first()).filter(|(_, below)| is_meant(below));
        let found = labels.find(|(list, below)| {
            let mut records = extraction.objects().filter(|record| record.label() == *list);
            records.any(|record| any(record, below, &|value| collapse(&value.text()) == text))
        });
        if let Some((_, below)) = found {
            let warning = format!("warning: `{}` is `{}` in a record, though --not excludes it", below.join("."), text);
            if !self.excluded.contains(&warning) {
                self.excluded.push(warning);
            }
        }
    }

    /// Whether nothing was found on any page.
    pub(crate) fn is_empty(&self) -> bool {
        self.empty.len() == self.pages
    }

    /// How much was found: `3 records, 2 fields`.
    pub(crate) fn counts(&self) -> String {
        let on = if self.pages > 1 { format!(" on {} pages", self.pages) } else { String::new() };
        format!("{}{on}, {}", plural(self.records, "record"), plural(self.fields.len(), "field"))
    }

    /// A line for each field, and for each page where nothing was found.
    pub(crate) fn lines(&self) -> Vec<String> {
        // The name of the list is the same in all of them; a list of plain values has no other.
        let name = |field: &Field| match field.labels.as_slice() {
            [_, below @ ..] if !below.is_empty() => below.join("."),
            labels => labels.concat(),
        };
        let width = self.fields.iter().map(|field| name(field).chars().count()).max().unwrap_or_default();
        let digits = self.records.to_string().len();
        let lines = self.fields.iter().map(|field| {
            let (name, found, records) = (name(field), field.found, self.records);
            let sample = field.sample.as_ref().map(|sample| format!("  \"{sample}\"")).unwrap_or_default();
            format!("  {name:width$}  {found:>digits$} of {records}{sample}")
        });
        let lines = lines.chain(self.excluded.iter().cloned());
        lines.chain(self.empty.iter().map(|page| format!("note: {page}: no record found"))).collect()
    }
}

/// The fields below a shape.
fn leaves(shape: &Shape, labels: &mut Vec<String>, fields: &mut Vec<Field>) {
    labels.push(shape.label.clone());
    match shape.is_set {
        true => shape.children.iter().for_each(|child| leaves(child, labels, fields)),
        false => fields.push(Field { labels: labels.clone(), found: 0, sample: None }),
    }
    labels.pop();
}

/// The first value that these labels lead to.
fn first<'e>(object: Object<'e>, labels: &[String]) -> Option<Object<'e>> {
    let Some((label, below)) = labels.split_first() else { return Some(object) };
    object.objects().filter(|child| child.label() == label).find_map(|child| first(child, below))
}

/// Whether any value that these labels lead to is like this.
fn any(object: Object<'_>, labels: &[String], test: &dyn Fn(Object<'_>) -> bool) -> bool {
    let Some((label, below)) = labels.split_first() else { return test(object) };
    object.objects().filter(|child| child.label() == label).any(|child| any(child, below, test))
}
