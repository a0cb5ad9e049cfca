//! What two wrappers find on a page, compared value by value.

use std::collections::BTreeMap;

use windrow_wrapper::values::Type;
use windrow_wrapper::{Extraction, Kind, Object, Objects, Rule};

use super::{LeftOut, Why};

/// The values of an extraction, by where they are in it: `ads[3].price`. What is empty is as good as missing.
#[derive(Debug)]
pub(super) struct Values(BTreeMap<Place, Shown>);

type Place = Vec<(String, usize)>;

/// A value as it is compared, and as it stands on the page.
#[derive(Debug)]
struct Shown {
    value: String,
    text: String,
}

impl Values {
    pub(super) fn of(extraction: &Extraction) -> Values {
        let mut values = BTreeMap::new();
        walk(extraction.objects(), &mut Vec::new(), &mut values);
        Values(values)
    }

    pub(super) fn len(&self) -> usize {
        self.0.len()
    }

    /// Rules whose values differ from those wanted, by their labels, each with the first difference. Of rules that were left
    /// out, nothing is wanted.
    pub(super) fn differing(&self, wanted: &Values, left_out: &[LeftOut]) -> Vec<(String, Why)> {
        let mut differing: BTreeMap<String, Why> = BTreeMap::new();
        let is_told = |path: &str| {
            left_out.iter().any(|left| {
                path.strip_prefix(left.rule.as_str()).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
            })
        };
        for place in self.0.keys().chain(wanted.0.keys()) {
            let (wanted, found) = (wanted.0.get(place), self.0.get(place));
            if wanted.map(|shown| &shown.value) == found.map(|shown| &shown.value) {
                continue;
            }
            let path = place.iter().map(|(label, _)| label.as_str()).collect::<Vec<_>>().join(".");
            if !is_told(&path) {
                let show = |shown: Option<&Shown>| shown.map(|shown| short(&shown.text)).unwrap_or_default();
                let why = Why::Differs { wanted: show(wanted), found: show(found) };
                differing.entry(path).or_insert(why);
            }
        }
        differing.into_iter().collect()
    }
}

fn short(text: &str) -> String {
    match text.char_indices().nth(40) {
        Some((at, _)) => format!("{}…", &text[..at]),
        None => text.to_owned(),
    }
}

fn walk(objects: Objects<'_>, place: &mut Place, values: &mut BTreeMap<Place, Shown>) {
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    for object in objects {
        let count = counts.entry(object.label().to_owned()).or_insert(0);
        place.push((object.label().to_owned(), *count));
        *count += 1;
        match object.is_set() {
            true => walk(object.objects(), place, values),
            false => {
                let value = compared(object);
                if !value.is_empty() {
                    values.insert(place.clone(), Shown { value, text: object.text().into_owned() });
                }
            }
        }
        place.pop();
    }
}

/// A value as it is compared: by what its type makes of it, if that is something.
fn compared(object: Object<'_>) -> String {
    match object.ty() {
        Type::String | Type::Html => object.text().into_owned(),
        _ => match object.value() {
            windrow_wrapper::Value::None => object.text().into_owned(),
            _ if object.text().is_empty() => String::new(),
            value => format!("{value:?}"),
        },
    }
}

/// Takes the rule with these labels out, and what is left without rules; whether there was one.
pub(super) fn remove(rules: &mut Vec<Rule>, path: &str) -> bool {
    let mut removed = false;
    for rule in rules.iter_mut() {
        if removed {
            break;
        }
        let atomic = rule.kind == Kind::Field || rule.kind == Kind::List && rule.rules.is_empty();
        let below = match rule.name.starts_with('_') {
            true => Some(path),
            false => path.strip_prefix(rule.shown()).and_then(|rest| rest.strip_prefix('.')),
        };
        if atomic && rule.shown() == path {
            rule.kind = Kind::Save;
            rule.rules.clear();
            removed = true;
        } else if let Some(below) = below {
            removed = remove(&mut rule.rules, below);
        }
    }
    // A save without rules is what was taken out; other rules are there to hold some.
    rules.retain(|rule| match rule.kind {
        Kind::Save => !rule.rules.is_empty(),
        Kind::Group => !rule.rules.is_empty(),
        Kind::List => !rule.rules.is_empty() || !rule.name.starts_with('_'),
        Kind::Field => true,
    });
    removed
}
