//! The part of a place that is a value: a part of its text, as a locator in what another one finds, or its depth.

use windrow_dom::NodeId;
use windrow_wrapper::{Find, Landmark, Locator, Slice};
use windrow_xpath::{Expr, Value};

use super::locate::Finder;
use super::path;
use crate::alignment::Part;

/// What a regular expression matches in what a locator finds, at its innermost: a part of a text has no place to look in.
fn matching(locator: Locator, regex: &str) -> Locator {
    match locator.then {
        Some(then) => Locator { then: Some(Box::new(matching(*then, regex))), ..locator },
        None => Locator { matches: Some(regex.into()), ..locator },
    }
}

/// A text as a token rule names it; none if it has both kinds of quotes.
fn quoted(text: &str) -> Option<String> {
    if text.contains('"') { path::quoted(text) } else { Some(format!("\"{text}\"")) }
}

/// A part of what a locator finds. `element`: the name of what is found.
pub(crate) fn part_of(locator: Locator, part: &Part, element: Option<&str>) -> Locator {
    let landmark = |start: String, end: Option<&str>| {
        Locator::new(Find::Landmark(Landmark::Between { start: start.into(), end: end.map(Into::into) }))
    };
    let inner = match part {
        Part::All => return locator,
        Part::Matched(regex) => return matching(locator, regex),
        Part::Line(0) => landmark(format!("<{}>", element.unwrap_or("*")), Some("<br>")),
        Part::Line(number) => {
            let slice = Some(Slice::Index(u32::try_from(number - 1).unwrap_or(u32::MAX)));
            Locator { slice, ..Locator::new(Find::Landmark(Landmark::Each("<br>".into()))) }
        }
        Part::Before(label) => {
            let regex = format!("^(.*?)\\s*{}$", regex::escape(label));
            return matching(locator, &regex);
        }
        Part::Behind(label, next) => {
            let Some(start) = quoted(label) else { return locator };
            let ends = next.iter().filter_map(|next| quoted(next)).map(Some).chain([None]);
            let mut cases: Vec<Locator> = ends.map(|end| landmark(start.clone(), end.as_deref())).collect();
            if cases.len() == 1 { cases.swap_remove(0) } else { Locator::new(Find::Case(cases)) }
        }
        Part::Labelled(label) => {
            let Some(start) = quoted(label) else { return locator };
            Locator::new(Find::Case(vec![landmark(start.clone(), Some("<br>")), landmark(start, None)]))
        }
    };
    Locator { then: Some(Box::new(inner)), ..locator }
}

/// Returns the expression that counts the elements like this one around a record, less those around the first. It may match more elements
/// than the learner takes for alike: their classes may differ in words that a rule leaves out.
pub(crate) fn depth(finder: &Finder<'_, '_>, around: NodeId, first: NodeId) -> Option<String> {
    let count = format!("count(ancestor::{})", finder.xpath_step(around));
    match Expr::xpath(&count).ok()?.evaluate(finder.document, first).ok()? {
        Value::Number(0.0) => Some(count),
        Value::Number(of_first) => Some(format!("{count} - {of_first}")),
        _ => None,
    }
}
