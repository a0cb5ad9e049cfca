//! Fields that the scorers show of the development pages: of one record in a list, or of one page of a site.

use std::fs;
use std::path::Path;

use serde_json::{Map, Value as Json};
use windrow_dom::{Document, ParseOptions};
use windrow_learn::example::{Example, Pointed, Pointer, Request};
use windrow_testkit::shared;

/// A page and what is shown of it.
pub struct Shown {
    /// Its path below the corpus, as peers call it.
    pub name: String,
    /// Its source, decoded.
    pub text: String,
    /// The fields, each with its text.
    pub fields: Vec<(String, String)>,
}

impl Shown {
    /// Every `step`-th page of a set, as the scorers show it; none, with a note on standard error, if it is not there.
    pub fn pages(set: &str, step: usize) -> Vec<Shown> {
        let part = format!("corpus/{set}");
        let Some(folder) = shared::find(&part) else {
            eprintln!("{}", shared::missing(&part));
            return Vec::new();
        };
        let truths = shared::files(&folder, "json").unwrap_or_default();
        let truths = truths.iter().filter(|file| file.ends_with("truth.json"));
        truths.filter_map(|file| Shown::page(set, file)).step_by(step.max(1)).collect()
    }

    /// The same as a request to learn from it.
    pub fn request(&self) -> Request {
        let point =
            |(field, text): &(String, String)| Pointed { field: field.clone(), at: Pointer::Text(text.clone()) };
        let example = Example { fields: self.fields.iter().map(point).collect(), page: None };
        Request { examples: vec![example], ..Request::default() }
    }

    /// A page as the scorers show it; none if they pass over it.
    fn page(set: &str, truth: &Path) -> Option<Shown> {
        let folder = truth.parent()?;
        let text = fs::read_to_string(truth).unwrap_or_else(|error| panic!("{}: {error}", truth.display()));
        let truth: Json = serde_json::from_str(&text).unwrap_or_else(|error| panic!("{}: {error}", truth.display()));
        if !matches!(truth["ambiguous"], Json::Null | Json::Bool(false)) {
            return None;
        }
        let (file, fields) = match truth["shown"].as_str() {
            Some(shown) => {
                let values = truth["pages"][shown].as_object()?.iter();
                let first = |(field, values): (&String, &Json)| Some((field.clone(), values[0].as_str()?.to_owned()));
                (format!("{shown}.html"), values.filter_map(first).collect())
            }
            None => ("page.html".to_owned(), middle(truth["records"].as_array()?)?),
        };
        let bytes = fs::read(folder.join(&file)).ok()?;
        let text = Document::from_bytes(bytes, &ParseOptions::default()).source().to_owned();
        let name = format!("{set}/{}/{file}", folder.file_name()?.to_string_lossy());
        Some(Shown { name, text, fields })
    }
}

/// Returns the first five text fields of the middle one among the records with the most fields.
fn middle(records: &[Json]) -> Option<Vec<(String, String)>> {
    let records: Vec<&Map<String, Json>> = records.iter().filter_map(|record| record["fields"].as_object()).collect();
    let count = |fields: &Map<String, Json>| fields.values().filter(|value| says_something(value)).count();
    let most = records.iter().map(|fields| count(fields)).max().filter(|_| records.len() > 1)?;
    let full: Vec<&Map<String, Json>> = records.into_iter().filter(|fields| count(fields) == most).collect();
    let shown = full[full.len() / 2].iter().take(5).filter(|(_, value)| says_something(value));
    Some(shown.filter_map(|(field, value)| Some((field.clone(), value.as_str()?.to_owned()))).collect())
}

/// Reports whether a value contains more than punctuation.
fn says_something(value: &Json) -> bool {
    const EDGE: &str = ":;,|·•–—-()[]«»\"'“”‘’…\u{200B}\u{AD}";
    let edge = |char: char| char.is_whitespace() || EDGE.contains(char);
    match value {
        Json::Null => false,
        Json::String(text) => !text.trim_matches(edge).is_empty(),
        _ => true,
    }
}
