//! The pages, what is shown of them, and the wrappers that are learned from that.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use serde_json::{Map, Value as Json};
use windrow_dom::{Document, ParseOptions};
use windrow_learn::discover::discover;
use windrow_learn::example::{self, Example, Pointed, Pointer, Request};
use windrow_testkit::redesign::{Value, settled};
use windrow_testkit::shared;
use windrow_wrapper::{Extractor, Kind, Rule, Wrapper};

use super::absolute::{self, Absolute};
use super::values::{self, Column, one_line};

/// How wrappers are learned, and on which pages.
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
    /// How it finds its values, in words.
    pub(super) text: String,
    /// How its list finds its records.
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
        let corpus = if self == Method::Details { "corpus/swde" } else { "corpus/lists" };
        let Some(folder) = shared::find(corpus) else {
            eprintln!("{}", shared::missing(corpus));
            return Vec::new();
        };
        let truths = shared::files(&folder, "json").unwrap_or_default();
        let truths = truths.iter().filter(|file| file.ends_with("truth.json"));
        truths.filter_map(|file| self.page(file)).step_by(step.max(1)).collect()
    }

    /// A page as the scorers show it; none if they pass over it.
    fn page(self, truth: &Path) -> Option<Page> {
        let folder = truth.parent()?;
        let text = fs::read_to_string(truth).unwrap_or_else(|error| panic!("{}: {error}", truth.display()));
        let truth: Json = serde_json::from_str(&text).unwrap_or_else(|error| panic!("{}: {error}", truth.display()));
        if !matches!(truth["ambiguous"], Json::Null | Json::Bool(false)) {
            return None;
        }
        let (file, fields) = match self {
            Method::Details => {
                let shown = truth["shown"].as_str()?;
                let values = truth["pages"][shown].as_object()?.iter();
                let first = |(field, values): (&String, &Json)| Some((field.clone(), values[0].as_str()?.to_owned()));
                (format!("{shown}.html"), values.filter_map(first).collect())
            }
            _ => ("page.html".to_owned(), middle(truth["records"].as_array()?)?),
        };
        let bytes = fs::read(folder.join(file)).ok()?;
        let document = settled(Document::from_bytes(bytes, &ParseOptions::default()).source())?;
        Some(Page { name: folder.file_name()?.to_string_lossy().into_owned(), document, fields })
    }

    /// Learns a wrapper; none if that fails, or if it gives nothing of what was shown.
    pub(super) fn learn(self, page: &Page) -> Option<Learned> {
        let wrapper = match self {
            Method::Discover => discover(&page.document, 1).into_iter().next()?,
            _ => {
                let point = |(field, text): &(String, String)| Pointed {
                    field: field.clone(),
                    at: Pointer::Text(text.clone()),
                };
                let example = Example { fields: page.fields.iter().map(point).collect() };
                example::learn(&[&page.document], &Request { examples: vec![example], ..Request::default() })
                    .ok()?
                    .wrapper
            }
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

/// Of the records that have most fields the one in the middle: its first five fields, as far as they are texts.
fn middle(records: &[Json]) -> Option<Vec<(String, String)>> {
    let records: Vec<&Map<String, Json>> = records.iter().filter_map(|record| record["fields"].as_object()).collect();
    let count = |fields: &Map<String, Json>| fields.values().filter(|value| says_something(value)).count();
    let most = records.iter().map(|fields| count(fields)).max().filter(|_| records.len() > 1)?;
    let full: Vec<&Map<String, Json>> = records.into_iter().filter(|fields| count(fields) == most).collect();
    let shown = full[full.len() / 2].iter().take(5).filter(|(_, value)| says_something(value));
    Some(shown.filter_map(|(field, value)| Some((field.clone(), value.as_str()?.to_owned()))).collect())
}

/// Whether anything is left of a value without the punctuation at its edges.
fn says_something(value: &Json) -> bool {
    const EDGE: &str = ":;,|·•–—-()[]«»\"'“”‘’…\u{200B}\u{AD}";
    let edge = |char: char| char.is_whitespace() || EDGE.contains(char);
    match value {
        Json::Null => false,
        Json::String(text) => !text.trim_matches(edge).is_empty(),
        _ => true,
    }
}
