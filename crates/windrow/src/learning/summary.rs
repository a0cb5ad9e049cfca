//! Summary of a lesson: the finds of the learned rules on the pages, enough to see whether the right thing was learned.

use std::sync::Arc;

use crate::learn::example::Not;
use crate::learn::feed::PageKind;
use crate::learn::labels::{Coverage, Labels, coverage};
use crate::wrapper::{Shape, Value};
use crate::{Extraction, Extractor, Object, Page, Pointer};

use crate::text::plural;
use crate::text::{collapse, excerpt};

/// Characters of a sample value.
const SAMPLE: usize = 60;

/// The finds of a wrapper on some pages.
#[derive(Debug)]
pub struct LessonSummary {
    records: usize,
    pages: Vec<PageRecords>,
    fields: Vec<FieldFinds>,
    /// Values that are found, though they were excluded.
    excluded: Vec<String>,
}

/// The finds on one page.
#[derive(Debug)]
struct PageRecords {
    name: String,
    records: usize,
    is_empty: bool,
}

/// One field.
#[derive(Debug)]
struct FieldFinds {
    /// Its label, with those of the sublists it is in.
    labels: Vec<String>,
    /// Records that have it.
    found: usize,
    /// The first value.
    sample: Option<String>,
}

impl LessonSummary {
    /// Runs the wrapper on the pages, and looks for what must not come out.
    pub fn new(extractor: &Extractor, pages: &[Arc<Page>], not: &[Not]) -> LessonSummary {
        let shapes = extractor.shape();
        let mut fields = Vec::new();
        shapes.iter().for_each(|shape| leaves(shape, &mut Vec::new(), &mut fields));
        let mut summary = LessonSummary { records: 0, pages: Vec::new(), fields, excluded: Vec::new() };
        for page in pages {
            let extraction = extractor.extract(Arc::clone(page));
            let before = summary.records;
            summary.add(&extraction);
            let (records, is_empty) = (summary.records - before, !extraction.has_values());
            summary.pages.push(PageRecords { name: page.name().to_owned(), records, is_empty });
            for not in not {
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
                let value = Some(record).filter(|it| it.label() == list).and_then(|it| first(it, path));
                let Some(value) = value.filter(|value| is_value(*value)) else { continue };
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

    /// A line for each field that the rules find in fewer records than it was learned from.
    pub fn missed(&self, labels: &[Labels]) -> Vec<String> {
        let line = |Coverage { field: name, records: known }: Coverage| {
            let field = self.fields.iter().find(|field| matches!(field.labels.as_slice(), [_, own] if *own == name))?;
            let found = field.found;
            (found < known)
                .then(|| format!("note: `{name}` stands in {known} records, but its rule finds it in {found}"))
        };
        coverage(labels).into_iter().filter_map(line).collect()
    }

    /// Returns `true` if nothing was found on any page.
    pub fn is_empty(&self) -> bool {
        self.pages.iter().all(|page| page.is_empty)
    }

    /// Returns the counts in words: `3 records, 2 fields`.
    pub fn counts(&self) -> String {
        let pages = self.pages.len();
        let on = if pages > 1 { format!(" on {pages} pages") } else { String::new() };
        format!("{}{on}, {}", plural(self.records, "record"), plural(self.fields.len(), "field"))
    }

    /// Counts the entries of a weblog by kind of page: `10 entries on 1 index page, 8 on 8 entry pages`. `kinds`:
    /// by page, what it is.
    pub fn entries(&self, kinds: &[PageKind]) -> String {
        let is_entry = |number: usize| kinds.get(number) == Some(&PageKind::Entry);
        let mut parts: Vec<String> = Vec::new();
        for (wanted, what) in [(false, "index page"), (true, "entry page")] {
            let pages = self.pages.iter().enumerate().filter(|(number, _)| is_entry(*number) == wanted);
            let counts: Vec<usize> = pages.map(|(_, page)| page.records).filter(|records| *records > 0).collect();
            let records: usize = counts.iter().sum();
            if records == 0 {
                continue;
            }
            let entries = match (parts.is_empty(), records) {
                (true, 1) => "1 entry".to_owned(),
                (true, _) => format!("{records} entries"),
                (false, _) => records.to_string(),
            };
            parts.push(format!("{entries} on {}", plural(counts.len(), what)));
        }
        parts.join(", ")
    }

    /// The pages where nothing was found, with their numbers.
    pub fn empty_pages(&self) -> impl Iterator<Item = (usize, &str)> {
        let empty = self.pages.iter().enumerate().filter(|(_, page)| page.is_empty);
        empty.map(|(number, page)| (number, page.name.as_str()))
    }

    /// Number of records found.
    pub fn records(&self) -> usize {
        self.records
    }

    /// For each field its name without the list's, in how many records it has a value, and the first value.
    pub fn fields(&self) -> impl Iterator<Item = (String, usize, Option<&str>)> {
        let name = |labels: &[String]| match labels {
            [_, below @ ..] if !below.is_empty() => below.join("."),
            labels => labels.concat(),
        };
        self.fields.iter().map(move |field| (name(&field.labels), field.found, field.sample.as_deref()))
    }

    /// A line for each field, and for each page where nothing was found.
    pub fn lines(&self) -> Vec<String> {
        let lines = self.field_lines().into_iter().chain(self.excluded.iter().cloned());
        lines.chain(self.empty_pages().map(|(_, page)| format!("note: {page}: no record found"))).collect()
    }

    /// A line for each field.
    pub fn field_lines(&self) -> Vec<String> {
        // The name of the list is the same in all of them; a list of plain values has no other.
        let name = |field: &FieldFinds| match field.labels.as_slice() {
            [_, below @ ..] if !below.is_empty() => below.join("."),
            labels => labels.concat(),
        };
        let width = self.fields.iter().map(|field| name(field).chars().count()).max().unwrap_or_default();
        let digits = self.records.to_string().len();
        let line = |field: &FieldFinds| {
            let (name, found, records) = (name(field), field.found, self.records);
            let sample = field.sample.as_ref().map(|sample| format!("  \"{sample}\"")).unwrap_or_default();
            let gap = " ".repeat(width.saturating_sub(name.chars().count()));
            format!("  {name}{gap}  {found:>digits$} of {records}{sample}")
        };
        self.fields.iter().map(line).collect()
    }
}

/// The fields below a shape.
fn leaves(shape: &Shape, labels: &mut Vec<String>, fields: &mut Vec<FieldFinds>) {
    labels.push(shape.label.clone());
    match shape.is_set {
        true => shape.children.iter().for_each(|child| leaves(child, labels, fields)),
        // WrapperFile for two kinds of pages may give objects of the same label.
        false if fields.iter().any(|field| field.labels == *labels) => {}
        false => fields.push(FieldFinds { labels: labels.clone(), found: 0, sample: None }),
    }
    labels.pop();
}

/// The first value that these labels lead to.
fn first<'e>(object: Object<'e>, labels: &[String]) -> Option<Object<'e>> {
    let Some((label, below)) = labels.split_first() else { return Some(object) };
    object.objects().filter(|child| child.label() == label).find_map(|child| first(child, below))
}

/// Returns `true` if an object has a value. An empty element has none, unless it shows a picture, and neither has a text that is not
/// of the type of its field.
fn is_value(object: Object<'_>) -> bool {
    match object.value() {
        Value::None => false,
        Value::Html(html) => html.contains("<img") || !object.text().trim().is_empty(),
        _ => true,
    }
}

/// Returns `true` if any value that these labels lead to is like this.
fn any(object: Object<'_>, labels: &[String], test: &dyn Fn(Object<'_>) -> bool) -> bool {
    let Some((label, below)) = labels.split_first() else { return test(object) };
    object.objects().filter(|child| child.label() == label).any(|child| any(child, below, test))
}
