//! The pages, what is shown of them, and the wrappers that are learned from that.

use std::collections::BTreeMap;

use windrow_bench::shown::Shown;
use windrow_dom::Document;
use windrow_learn::discover::discover;
use windrow_learn::example::{self, Request};
use windrow_testkit::redesign::{Value, settled};
use windrow_wrapper::{Extractor, Kind, Rule, Wrapper};

use super::absolute::{self, Absolute};
use super::values::{self, Column, one_line};

/// Method by which wrappers are learned, and its pages.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Method {
    /// One record of a list is shown.
    Lists,
    /// One page about one thing is shown.
    Details,
    /// Nothing is shown of a list.
    Discover,
}

/// A page and the fields that are shown.
pub(super) struct Page {
    pub(super) name: String,
    document: Document,
    request: Request,
    fields: Vec<(String, String)>,
}

/// A wrapper with what it gave on the page it was learned from.
pub(super) struct Learned {
    pub(super) document: Document,
    pub(super) extractor: Extractor,
    pub(super) records: Vec<Vec<Value>>,
    pub(super) rules: Vec<Field>,
}

/// The rule of one field.
pub(super) struct Field {
    pub(super) field: String,
    /// Description of its locator.
    pub(super) text: String,
    /// Description of the locator of its list.
    pub(super) records: String,
    pub(super) values: Column,
    pub(super) absolute: Absolute,
    pub(super) absolute_values: Vec<String>,
}

impl Method {
    pub(super) const ALL: [Method; 3] = [Method::Lists, Method::Details, Method::Discover];

    pub(super) fn name(self) -> &'static str {
        match self {
            Method::Lists => "example, lists",
            Method::Details => "example, swde",
            Method::Discover => "discover, lists",
        }
    }

    /// Every `step`-th page; none, with a note on standard error, if the corpus is not there.
    pub(super) fn pages(self, step: usize) -> Vec<Page> {
        let set = if self == Method::Details { "swde" } else { "lists" };
        let page = |shown: Shown| {
            let name = shown.name.split('/').nth(1)?.to_owned();
            Some(Page { name, document: settled(&shown.text)?, request: shown.request(), fields: shown.fields })
        };
        Shown::pages(set, step).into_iter().filter_map(page).collect()
    }

    /// Learns a wrapper; none if that fails, or if it gives nothing of what was shown.
    pub(super) fn learn(self, page: &Page) -> Option<Learned> {
        let wrapper = match self {
            Method::Discover => discover(&page.document, 1).into_iter().next()?,
            _ => example::learn(&[&page.document], &page.request).ok()?.wrapper,
        };
        let extractor = Extractor::new(&wrapper).ok()?;
        let whole = values::page(page.document.clone());
        let found = values::of(&extractor, &whole);
        let paths = paths(&wrapper);
        let mut rules = Vec::new();
        for (field, values) in &found.fields {
            let name = field.rsplit('/').next().unwrap_or_default();
            let shown = page.fields.iter().find(|(shown, _)| shown == name).map(|(_, text)| one_line(text));
            let right = |shown: &String| values.iter().flatten().any(|value| value.contains(shown.as_str()));
            if self != Method::Discover && !shown.as_ref().is_some_and(right) {
                continue;
            }
            let nodes = found.nodes.get(field).map_or(&[][..], Vec::as_slice);
            let path = paths.get(field).cloned().or_else(|| absolute::path(&page.document, nodes));
            let Some(absolute) = path.and_then(|path| Absolute::new(&path)) else { continue };
            let absolute_values = absolute.values(&whole);
            let text = found.rules.get(field).cloned().unwrap_or_default();
            let list = field.split('/').next().unwrap_or_default();
            let records = found.rules.get(list).cloned().unwrap_or_default();
            rules.push(Field {
                field: field.clone(),
                text,
                records,
                values: values.clone(),
                absolute,
                absolute_values,
            });
        }
        (!rules.is_empty()).then_some(Learned {
            document: page.document.clone(),
            extractor,
            records: found.records,
            rules,
        })
    }
}

/// The absolute paths that stand beside a wrapper's rules, by the names that its objects have.
fn paths(wrapper: &Wrapper) -> BTreeMap<String, String> {
    fn collect(rules: &[Rule], above: &str, paths: &mut BTreeMap<String, String>) {
        for rule in rules {
            let name = match rule.is_temporary() {
                true => above.to_owned(),
                false if above.is_empty() && rule.kind != Kind::Field => rule.shown().to_owned(),
                false => format!("{above}/{}", rule.shown()),
            };
            if let Some(path) = rule.path.as_ref().filter(|_| rule.rules.is_empty()) {
                paths.insert(name.clone(), path.value.clone());
            }
            collect(&rule.rules, &name, paths);
        }
    }
    let mut paths = BTreeMap::new();
    collect(&wrapper.rules, "", &mut paths);
    paths
}
