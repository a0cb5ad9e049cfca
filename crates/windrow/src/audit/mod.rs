//! Audits records against reference data ([`windrow_audit`]): converts extractions and stored records to its input.
//!
//! A record's fields are its values under their labels: `price`, in a group `seller.name`, in a list of values `tags`
//! once for each, in a list of records `offers.price` once for each. Each has its visible text, its number or date if
//! it has one, and its place: an absolute XPath, and the text around it.
//!
//! Linear in the objects: the text is computed only for elements of a few hundred bytes.

use std::collections::HashMap;

use windrow_store::{FoundValue, Kind, Layout, Placed, Value as StoredValue};
use windrow_wrapper::values::text::collapse;
use windrow_wrapper::{Extraction, Object, Value};
use windrow_xpath::{Node, Paths};

#[cfg(feature = "workflow")]
pub mod keeping;
#[cfg(feature = "workflow")]
pub mod print;
#[cfg(feature = "workflow")]
pub mod references;
#[cfg(feature = "workflow")]
pub mod rule_file;
#[cfg(feature = "workflow")]
mod run;
#[cfg(feature = "workflow")]
mod tally;

pub use windrow_audit::*;

#[cfg(feature = "workflow")]
pub use self::run::{AuditInput, AuditResult, AuditRun, AuditSource, InputError, Judge, describe, prepare};

use crate::keep::{PAGE, VALUE};

/// Largest number of source bytes of an element whose text is used as the context of a value.
const AROUND: u32 = 200;
/// Largest number of characters in a snippet.
const SNIPPET: usize = 200;
/// Largest number of characters of one value in the summary of a record.
const BRIEF: usize = 60;

/// Returns the names of the fields that records of a list may have, as used in rules.
pub fn fields(list: &Layout) -> Vec<String> {
    let mut names: Vec<String> = list.columns.iter().map(|column| column.label.clone()).collect();
    for inner in &list.lists {
        if is_plain(inner) {
            names.push(inner.label.clone())
        } else {
            names.extend(fields(inner).into_iter().map(|name| format!("{}.{name}", inner.label)))
        }
    }
    names
}

/// Returns `true` if a list contains values rather than records.
fn is_plain(list: &Layout) -> bool {
    list.lists.is_empty() && matches!(&list.columns[..], [column] if column.label == VALUE)
}

/// Returns the records of a list in an extraction. The list is one of
/// [`Keeper::layouts`](crate::keep::Keeper::layouts); a page's own fields are a list of one record.
pub fn extracted(list: &Layout, extraction: &Extraction) -> Vec<Record> {
    // Places are nodes of the tree, also for values that were found in the text alone.
    for page in extraction.pages() {
        let _ = page.document();
    }
    let mut gathering = RecordCollector { list: &list.label, paths: HashMap::new(), records: Vec::new() };
    gathering.members(extraction.objects(), "");
    if gathering.records.is_empty() && list.label.starts_with(PAGE) {
        let mut record = Record::new(extraction.pages().first().map_or("", |page| page.name()));
        record.path = "/".to_owned();
        gathering.fill(&mut record, extraction.objects(), ("", None), true);
        if !record.fields.is_empty() {
            record.snippet = brief(&record);
            gathering.records.push(record);
        }
    }
    gathering.records
}

/// Converts a stored record. The page's text is not available, so its snippet consists of its values.
pub fn kept(list: &Layout, placed: &Placed) -> Record {
    let mut record = Record::new(&placed.page);
    record.path.clone_from(&placed.found.place.path);
    fill_kept(&mut record, list, &placed.found, "");
    record.snippet = brief(&record);
    record
}

/// Adds the values of a stored record. Recursion is as deep as the nesting of lists.
fn fill_kept(record: &mut Record, list: &Layout, found: &windrow_store::Found, prefix: &str) {
    for (column, value) in list.columns.iter().zip(&found.values).filter(|(_, value)| value.is_found()) {
        let name = if column.label == VALUE && prefix.ends_with('.') && is_plain(list) {
            prefix.trim_end_matches('.').to_owned()
        } else {
            format!("{prefix}{}", column.label)
        };
        record.fields.push((name, kept_field(column.kind, value, &found.place.path)));
    }
    for (inner, members) in list.lists.iter().zip(&found.lists) {
        let prefix = format!("{prefix}{}.", inner.label);
        members.iter().for_each(|member| fill_kept(record, inner, member, &prefix));
    }
}

fn kept_field(kind: Kind, value: &FoundValue, around: &str) -> Field {
    let text = match (kind, &value.value) {
        (Kind::Url, StoredValue::Text(url)) => url.clone(),
        (Kind::Html, StoredValue::Text(html)) => visible(html),
        _ => value.text().unwrap_or_default().to_owned(),
    };
    let number = match &value.value {
        StoredValue::Number(digits) | StoredValue::Money { amount: digits, .. } => digits.parse().ok(),
        StoredValue::Null | StoredValue::Text(_) => None,
    };
    let date = match (kind, &value.value) {
        (Kind::Date, StoredValue::Text(date)) => Some(date.clone()),
        _ => None,
    };
    let path = value.place.as_ref().map(|place| match place.path.as_str() {
        "." | "" => around.to_owned(),
        path if path.starts_with('/') || around.is_empty() => path.to_owned(),
        path => format!("{around}/{path}"),
    });
    Field { text, number, date, path: path.filter(|path| !path.is_empty()), snippet: None }
}

/// Returns the visible text of HTML.
fn visible(html: &str) -> String {
    let document = windrow_dom::Document::parse(html);
    collapse(&document.visible_text(document.root())).into_owned()
}

/// The records of one list, while they are gathered.
struct RecordCollector<'e> {
    list: &'e str,
    /// Paths by page: pages fetched by `get` have their own.
    paths: HashMap<*const windrow_wrapper::Page, Paths<'e>>,
    records: Vec<Record>,
}

impl<'e> RecordCollector<'e> {
    /// Collects the records of the list. Recursion, as in [`RecordCollector::fill`], is as deep as the rules, which
    /// their compiler bounds.
    fn members(&mut self, objects: impl Iterator<Item = Object<'e>>, prefix: &str) {
        for object in objects {
            let label = format!("{prefix}{}", object.label());
            match (object.is_many(), object.is_set()) {
                (true, _) if label == self.list => {
                    let record = self.record(object);
                    self.records.push(record);
                }
                (false, true) => self.members(object.objects(), &format!("{label}.")),
                _ => {}
            }
        }
    }

    fn record(&mut self, object: Object<'e>) -> Record {
        let mut record = Record::new(object.page().name());
        record.path = object.node().and_then(|node| self.path(object, node)).unwrap_or_default();
        if object.is_set() {
            self.fill(&mut record, object.objects(), ("", object.node()), false)
        } else {
            record.fields.push((VALUE.to_owned(), self.field(object, &record.page, object.node())))
        }
        let is_small = object.span().is_some_and(|span| span.end.saturating_sub(span.start) <= 8 * AROUND);
        let text = if is_small { object.text() } else { "".into() };
        let is_short = !text.is_empty() && text.chars().nth(SNIPPET).is_none();
        record.snippet = if is_short { text.into_owned() } else { brief(&record) };
        record
    }

    /// Adds values of a record at `node`, with `prefix` before their labels. If `single`, lists are left out, since
    /// they are handled separately.
    fn fill(
        &mut self,
        record: &mut Record,
        objects: impl Iterator<Item = Object<'e>>,
        (prefix, node): (&str, Option<Node>),
        single: bool,
    ) {
        for object in objects.filter(|object| !(single && object.is_many())) {
            let label = format!("{prefix}{}", object.label());
            if object.is_set() {
                self.fill(record, object.objects(), (&format!("{label}."), node), single)
            } else {
                let field = self.field(object, &record.page, node);
                record.fields.push((label, field));
            }
        }
    }

    fn field(&mut self, object: Object<'e>, page: &str, record: Option<Node>) -> Field {
        let mut field = Field::default();
        match object.value() {
            Value::String(text) => field.text = text.into_owned(),
            Value::Url(url) => field.text = url,
            value => {
                field.text = object.text().into_owned();
                match value {
                    Value::Number(number) => field.number = number.to_string().parse().ok(),
                    Value::Money(money) => field.number = money.amount.to_string().parse().ok(),
                    Value::Date(date) => field.date = Some(date.to_string()),
                    _ => {}
                }
            }
        }
        // On a page fetched by `get`, a path relative to the record's page would be wrong.
        let here = object.node().filter(|_| object.page().name() == page);
        field.path = here.and_then(|node| self.path(object, node));
        field.snippet = Some(around(object, record).unwrap_or_else(|| cut(&object.text(), SNIPPET)));
        field
    }

    fn path(&mut self, object: Object<'e>, node: Node) -> Option<String> {
        let page: &'e windrow_wrapper::Page = object.page();
        let document = page.built()?;
        Some(self.paths.entry(page).or_insert_with(|| Paths::new(document)).of(node))
    }
}

/// Returns the text of the largest small element around a value, inside its record.
fn around(object: Object<'_>, record: Option<Node>) -> Option<String> {
    let document = object.page().built()?;
    let node = object.node()?.id();
    let is_small = |id: &windrow_dom::NodeId| {
        let is_inside = record.is_none_or(|record| *id >= record.id());
        is_inside && document.span(*id).is_some_and(|span| span.end.saturating_sub(span.start) <= AROUND)
    };
    let widest = std::iter::once(node).chain(document.ancestors(node)).take_while(is_small).last()?;
    let text = document.visible_text(widest);
    let text = collapse(&text);
    (!text.is_empty()).then(|| cut(&text, SNIPPET))
}

/// Summarises a record's values.
fn brief(record: &Record) -> String {
    let mut text = String::new();
    for (_, field) in record.fields.iter().filter(|(_, field)| !field.text.trim().is_empty()) {
        if text.len() > SNIPPET {
            break;
        }
        if !text.is_empty() {
            text.push_str(" · ");
        }
        text.push_str(&cut(&collapse(&field.text), BRIEF));
    }
    cut(&text, SNIPPET)
}

/// Shortens a text to `most` characters, with `…` where it was cut.
fn cut(text: &str, most: usize) -> String {
    match text.char_indices().nth(most) {
        Some((end, _)) => format!("{}…", text[..end].trim_end()),
        None => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::keep::Keeper;
    use crate::{Extractor, Format, Page, read_wrapper};
    use windrow_store::Store;

    const RULES: &str = r#"
        [list.ads]
        records = "li"
        field.title = "b"
        field.price = { xpath = "i", type = "money" }
        field.link = { xpath = "a/@href", type = "url" }
        field.note = { xpath = "p", type = "html" }
        [list.ads.list.tags]
        records = "u"
    "#;
    const PAGE: &str = "<base href=http://a.example/><ul><li><b>Rake</b> <i>€ 1,340</i> <a href=x>more</a>\
                        <p>as <em>new</em></p><u>old</u> <u>green</u><li><b>Twine</b></ul>";

    fn extraction() -> (Layout, Extraction, Keeper) {
        let extractor = Extractor::new(&read_wrapper(RULES, Format::Toml).unwrap()).unwrap();
        let keeper = Keeper::new(&extractor.shape());
        let list = keeper.layouts()[0].clone();
        (list, extractor.extract(Page::from_text("ads.html", PAGE)), keeper)
    }

    fn texts(record: &Record) -> Vec<(&str, &str, Option<f64>)> {
        record.fields.iter().map(|(name, field)| (name.as_str(), field.text.as_str(), field.number)).collect()
    }

    #[test]
    fn values_have_names_numbers_and_places() {
        let (list, extraction, _) = extraction();
        let records = extracted(&list, &extraction);
        let expected = [
            ("title", "Rake", None),
            ("price", "€ 1,340", Some(1340.0)),
            ("link", "http://a.example/x", None),
            ("note", "as new", None),
            ("tags", "old", None),
            ("tags", "green", None),
        ];
        assert_eq!(texts(&records[0]), expected);
        assert_eq!(texts(&records[1]), [("title", "Twine", None)]);
        assert_eq!((records[0].page.as_str(), records[0].path.as_str()), ("ads.html", "/html[1]/body[1]/ul[1]/li[1]"));
        let (_, price) = &records[0].fields[1];
        assert_eq!(price.path.as_deref(), Some("/html[1]/body[1]/ul[1]/li[1]/i[1]"));
        assert!(price.snippet.as_deref().unwrap().starts_with("Rake € 1,340 more"));
        assert_eq!(records[1].snippet, "Twine");
        assert_eq!(fields(&list), ["title", "price", "link", "note", "tags"]);
    }

    #[test]
    fn what_was_kept_is_what_was_extracted() {
        let (list, extraction, keeper) = extraction();
        let mut store = Store::in_memory().unwrap();
        let version = store.version("ads", RULES, "toml", "given", "2026-11-17T08:00:00Z").unwrap();
        let mut run = store.begin(version.id, "2026-11-17T08:00:00Z").unwrap();
        store.keep(&mut run, &keeper.page("ads.html", &[], &extraction), true).unwrap();
        store.finish(run, "2026-11-17T08:00:00Z").unwrap();
        let layout = store.layout("ads").unwrap();
        let mut records = Vec::new();
        store
            .placed("ads", |placed| {
                records.push(kept(&layout, &placed));
                true
            })
            .unwrap();
        let before = extracted(&list, &extraction);
        for (kept, before) in records.iter().zip(&before) {
            assert_eq!((texts(kept), &kept.page, &kept.path), (texts(before), &before.page, &before.path));
            let paths = |record: &Record| record.fields.iter().map(|(_, field)| field.path.clone()).collect::<Vec<_>>();
            assert_eq!(paths(kept), paths(before));
        }
        assert_eq!(records.len(), 2);
        assert_eq!(records[0].snippet, "Rake · € 1,340 · http://a.example/x · as new · old · green");
    }

    #[test]
    fn a_pages_own_fields_are_one_record() {
        let rules = "field.title = \"//h1\"\n[list.ads]\nrecords = \"//li\"\nfield.name = \"b\"";
        let extractor = Extractor::new(&read_wrapper(rules, Format::Toml).unwrap()).unwrap();
        let keeper = Keeper::new(&extractor.shape());
        let extraction = extractor.extract(Page::from_text("p", "<h1>Barn</h1><ul><li><b>Rake</b></ul>"));
        let records = extracted(&keeper.layouts()[0], &extraction);
        assert_eq!(records.iter().map(texts).collect::<Vec<_>>(), [[("title", "Barn", None)]]);
    }

    #[test]
    fn a_long_record_is_told_by_its_values() {
        let long = "x".repeat(500);
        let record = Record::new("p").with("a", Field::text(&long)).with("b", Field::text("Rake"));
        assert_eq!(brief(&record), format!("{}… · Rake", "x".repeat(BRIEF)));
    }
}
