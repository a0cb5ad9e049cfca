//! Descriptions of locators for `--explain` and messages, and their places in the wrapper file.

use windrow_xpath::Span;

use crate::wrapper::{self, Column};

/// Returns the place of a locator in the wrapper file: that of its first text.
pub(crate) fn place_of(locator: &wrapper::Locator) -> Option<Span> {
    use wrapper::{Find, Landmark};
    match &locator.find {
        Find::Expression(text) | Find::XPath(text) | Find::Css(text) | Find::Pattern(text) | Find::Split(text) => {
            text.span
        }
        Find::Landmark(Landmark::Each(text) | Landmark::Between { start: text, .. }) => text.span,
        Find::Column(Column::Named(text)) => text.span,
        Find::Table(_) | Find::Get(_) | Find::Case(_) => locator.find.inner().first().and_then(place_of),
        Find::Scope | Find::Column(Column::Number(_)) => None,
    }
}

/// Describes a locator in a few words, for people.
pub(crate) fn describe(locator: &wrapper::Locator) -> String {
    use wrapper::{Find, Landmark};
    let mut text = match &locator.find {
        Find::Scope => ".".to_owned(),
        Find::Expression(text) | Find::XPath(text) | Find::Css(text) => text.value.clone(),
        Find::Pattern(text) => format!("pattern {text}"),
        Find::Split(text) => format!("split {text}"),
        Find::Landmark(Landmark::Each(each)) => format!("landmark each {each}"),
        Find::Landmark(Landmark::Between { start, end: Some(end) }) => format!("landmark {start} … {end}"),
        Find::Landmark(Landmark::Between { start, end: None }) => format!("landmark {start} …"),
        Find::Table(inner) => format!("table {}", describe(inner)),
        Find::Column(Column::Named(header)) => format!("column {header}"),
        Find::Column(Column::Number(number)) => format!("column {number}"),
        Find::Case(cases) => format!("case {}", cases.iter().map(describe).collect::<Vec<_>>().join(" | ")),
        Find::Get(inner) => format!("get {}", describe(inner)),
    };
    let mut add = |word: &str, value: &dyn std::fmt::Display| text.push_str(&format!(" {word}{value}"));
    match &locator.until {
        Some(wrapper::Until::Next) => add("until next", &""),
        Some(wrapper::Until::Before(stop)) => add("until ", stop),
        None => {}
    }
    if let Some(slice) = &locator.slice {
        add("", slice);
    }
    for (word, value) in [
        ("without ", &locator.without),
        ("after ", &locator.after),
        ("before ", &locator.before),
        ("match ", &locator.matches),
    ] {
        if let Some(value) = value {
            add(word, value);
        }
    }
    if let Some(then) = &locator.then {
        add("then ", &describe(then));
    }
    text
}

/// Formats a locator as in messages.
impl std::fmt::Display for wrapper::Locator {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&describe(self))
    }
}
