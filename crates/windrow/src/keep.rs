//! Converts extractions to the records of a store.
//!
//! A store contains tables, not objects: groups become columns `group.field`, and lists in groups become lists of the
//! record around. A page's own fields, outside of any list, are a list of one record, `page`. Each value has the text
//! it was read from and its place: an XPath relative to its record, and a byte range.
//!
//! Linear in the objects; siblings are counted once per page.

use std::collections::HashMap;
use std::sync::Arc;

use windrow_dom::Span;
use windrow_store::{Column, Found, FoundValue, Kind, Layout, Page, Place, Value as Kept, content_hash};
use windrow_wrapper::values::Type;
use windrow_wrapper::values::text::collapse;
use windrow_wrapper::{Extraction, Object, Shape, Value};
use windrow_xpath::{Node, Paths};

use crate::siblings::left_out;

/// Name of the list for the pages' own fields.
pub const PAGE: &str = "page";

/// Name of the column of a list whose members are plain values.
pub const VALUE: &str = "value";

/// Turns extractions of one wrapper into pages for a store.
#[derive(Debug)]
pub struct Keeper {
    /// Layout of a page as a record.
    root: Layout,
    layouts: Arc<[Layout]>,
    /// `true` if pages have columns of their own, so that layouts differ.
    open: bool,
}

impl Keeper {
    /// Creates a keeper for extractions with these shapes ([`Extractor::shape`](crate::Extractor::shape)).
    pub fn new(shapes: &[Shape]) -> Keeper {
        let mut root = Layout { label: PAGE.to_owned(), ..Layout::default() };
        shapes.iter().for_each(|shape| add(&mut root, shape, ""));
        if root.lists.iter().any(|list| list.label == PAGE) {
            root.label = "page itself".to_owned();
        }
        Keeper { layouts: parts(root.clone()).into(), root, open: shapes.iter().any(is_open) }
    }

    /// Returns the layouts of the lists.
    pub fn layouts(&self) -> &Arc<[Layout]> {
        &self.layouts
    }

    /// A page as if it were a record: its own fields, and its lists inside.
    pub(crate) fn root(&self) -> &Layout {
        &self.root
    }

    /// Returns what was found on a page as one record of the [root layout](Keeper::root). Columns that only this page has are left out.
    pub(crate) fn whole(&self, extraction: &Extraction) -> Found {
        let mut root = self.root.clone();
        let mut found = RecordBuilder { paths: HashMap::new() }.record(&mut root, extraction.objects(), None);
        trim(&self.root, &mut found);
        found
    }

    /// Converts the extraction of a page for the store, under the page's name; changes are detected by `content`.
    pub fn page(&self, name: &str, content: &[u8], extraction: &Extraction) -> Page {
        let mut root = self.root.clone();
        let mut gathering = RecordBuilder { paths: HashMap::new() };
        let mut found = gathering.record(&mut root, extraction.objects(), None);
        let layouts = if self.open {
            pad(&root, &mut found);
            parts(root.clone()).into()
        } else {
            Arc::clone(&self.layouts)
        };
        let mut lists = std::mem::take(&mut found.lists);
        if !root.columns.is_empty() {
            let is_there = found.values.iter().any(FoundValue::is_found);
            lists.insert(0, if is_there { vec![found] } else { Vec::new() });
        }
        let left_out = left_out(extraction, &layouts);
        Page { name: name.to_owned(), hash: content_hash(content), layouts, lists, left_out }
    }
}

/// Returns the layout of a page's own record, if it has values, and those of its lists.
fn parts(mut root: Layout) -> Vec<Layout> {
    let mut layouts = std::mem::take(&mut root.lists);
    if !root.columns.is_empty() {
        layouts.insert(0, root);
    }
    layouts
}

/// Leaves out the values of columns that a layout does not have.
fn trim(layout: &Layout, found: &mut Found) {
    found.values.truncate(layout.columns.len());
    for (layout, list) in layout.lists.iter().zip(&mut found.lists) {
        list.iter_mut().for_each(|found| trim(layout, found));
    }
}

/// Pads records that were made before a column was known.
fn pad(layout: &Layout, found: &mut Found) {
    found.values.resize_with(layout.columns.len(), FoundValue::default);
    for (layout, list) in layout.lists.iter().zip(&mut found.lists) {
        list.iter_mut().for_each(|found| pad(layout, found));
    }
}

fn is_open(shape: &Shape) -> bool {
    shape.columns || shape.children.iter().any(is_open)
}

fn kind(ty: Type) -> Kind {
    match ty {
        Type::String => Kind::Text,
        Type::Url => Kind::Url,
        Type::Date => Kind::Date,
        Type::Number => Kind::Number,
        Type::Money => Kind::Money,
        Type::Html => Kind::Html,
    }
}

/// Returns the layout of a list's records.
fn layout(shape: &Shape) -> Layout {
    let mut layout = Layout { label: shape.label.clone(), key: shape.key.clone(), ..Layout::default() };
    if shape.is_set {
        shape.children.iter().for_each(|child| add(&mut layout, child, ""))
    } else {
        layout.columns.push(column(VALUE.to_owned(), shape))
    }
    layout
}

fn column(label: String, shape: &Shape) -> Column {
    Column { label, kind: kind(shape.ty), rule: shape.rule.clone() }
}

/// Adds the columns and lists of one label to the records around it.
fn add(around: &mut Layout, shape: &Shape, prefix: &str) {
    let label = format!("{prefix}{}", shape.label);
    match (shape.many, shape.is_set) {
        (true, _) => around.lists.push(Layout { label, ..layout(shape) }),
        (false, true) => shape.children.iter().for_each(|child| add(around, child, &format!("{label}."))),
        (false, false) => around.columns.push(column(label, shape)),
    }
}

/// Data about the pages, while their records are made.
struct RecordBuilder<'e> {
    /// Paths by page: pages fetched by `get` have their own.
    paths: HashMap<*const windrow_wrapper::Page, Paths<'e>>,
}

/// The page and the record that values are located in.
#[derive(Debug, Clone, Copy)]
struct RecordContext<'e> {
    page: &'e windrow_wrapper::Page,
    node: Option<Node>,
}

impl<'e> RecordBuilder<'e> {
    fn record(
        &mut self,
        layout: &mut Layout,
        objects: impl Iterator<Item = Object<'e>>,
        around: Option<RecordContext<'e>>,
    ) -> Found {
        let mut found = Found {
            values: vec![FoundValue::default(); layout.columns.len()],
            lists: vec![Vec::new(); layout.lists.len()],
            place: Place::default(),
        };
        self.fill(layout, &mut found, objects, "", around);
        found
    }

    /// Adds objects to the record around them. Recursion is as deep as the rules, which their compiler bounds.
    fn fill(
        &mut self,
        layout: &mut Layout,
        found: &mut Found,
        objects: impl Iterator<Item = Object<'e>>,
        prefix: &str,
        around: Option<RecordContext<'e>>,
    ) {
        let is = |known: &str, label: &str| known.strip_prefix(prefix) == Some(label);
        // Objects come in the order of the rules: the next one is usually in the next column, or in the same list.
        let mut hint = 0;
        for object in objects {
            let label = object.label();
            if let Some(at) = layout.lists.iter().position(|list| is(&list.label, label)) {
                let member = self.member(&mut layout.lists[at], object);
                found.lists[at].push(member);
                continue;
            }
            if object.is_set() {
                self.fill(layout, found, object.objects(), &format!("{prefix}{label}."), around);
                continue;
            }
            let columns = &layout.columns;
            let known = (hint..columns.len()).chain(0..hint.min(columns.len()));
            let at = known.into_iter().find(|&at| is(&columns[at].label, label)).unwrap_or_else(|| {
                // A column that only this page's table has.
                let (label, rule) = (format!("{prefix}{label}"), object.rule().to_owned());
                layout.columns.push(Column { label, kind: Kind::Text, rule });
                layout.columns.len() - 1
            });
            if found.values.len() <= at {
                found.values.resize_with(at + 1, FoundValue::default);
            }
            hint = at;
            let value = self.value(object, around);
            join(&mut found.values[at], value);
        }
    }

    /// Converts a record of a list, or a value of one.
    fn member(&mut self, layout: &mut Layout, object: Object<'e>) -> Found {
        let around = RecordContext { page: object.page(), node: object.node() };
        let mut found = if object.is_set() {
            self.record(layout, object.objects(), Some(around))
        } else {
            Found { values: vec![self.value(object, Some(around))], ..Found::default() }
        };
        found.lists.resize_with(layout.lists.len(), Vec::new);
        let path = object.node().and_then(|node| self.path(object.page(), node));
        found.place = Place { path: path.unwrap_or_default(), span: object.span().map(bytes) };
        found
    }

    fn value(&mut self, object: Object<'e>, around: Option<RecordContext<'e>>) -> FoundValue {
        let value = match object.value() {
            Value::String(text) | Value::Html(text) => Kept::Text(text.into_owned()),
            Value::Url(url) => Kept::Text(url),
            Value::Date(date) => Kept::Text(date.to_string()),
            Value::Number(number) => Kept::Number(number.to_string()),
            Value::Money(money) => {
                Kept::Money { amount: money.amount.to_string(), currency: money.currency.map(str::to_owned) }
            }
            _ => Kept::Null,
        };
        let raw = match object.ty() {
            Type::String | Type::Html => None,
            Type::Url => Some(collapse(&object.raw()).into_owned()),
            Type::Date | Type::Number | Type::Money => Some(object.text().into_owned()),
        };
        let path = object.node().and_then(|node| {
            let inside = around.filter(|around| std::ptr::eq(around.page, &**object.page()));
            let record = inside.and_then(|around| around.node).filter(|record| !record.is_attribute());
            let below = record.and_then(|record| self.paths(object.page())?.below(record.id(), node));
            below.or_else(|| self.path(object.page(), node))
        });
        let place = Place { path: path.unwrap_or_default(), span: object.span().map(bytes) };
        FoundValue { value, raw, place: Some(place) }
    }

    fn path(&mut self, page: &'e windrow_wrapper::Page, node: Node) -> Option<String> {
        Some(self.paths(page)?.of(node))
    }

    /// Returns the paths of a page, if its tree was built.
    fn paths(&mut self, page: &'e windrow_wrapper::Page) -> Option<&mut Paths<'e>> {
        let document = page.built()?;
        Some(self.paths.entry(page).or_insert_with(|| Paths::new(document)))
    }
}

fn bytes(span: Span) -> (u32, u32) {
    (span.start, span.end)
}

/// Combines several values where one was expected: texts are joined, otherwise the first value is kept; the raw text
/// contains all of them.
fn join(slot: &mut FoundValue, value: FoundValue) {
    if !slot.is_found() {
        *slot = value;
        return;
    }
    if let (Kept::Text(first), Kept::Text(more), None) = (&mut slot.value, &value.value, &value.raw) {
        *first += "; ";
        *first += more;
    }
    if let (Some(first), Some(more)) = (&mut slot.raw, &value.raw) {
        *first += "; ";
        *first += more;
    }
}
