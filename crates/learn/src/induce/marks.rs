//! Marks: what tells an element from others of its tag and class.
//!
//! A link to the stars of a project looks like one to its forks, and a badge with a salary like one that says "remote". What differs is a
//! class word that only counts or says how something looks, where a link leads, what an icon in it is called, or an attribute for
//! scripts. A mark is a piece of a selector for one of these.
//!
//! # Cost
//!
//! The attributes of one element, and of the first few below it.

use windrow_dom::{Document, NodeId, names};

/// Elements below that are looked at: an icon and what holds it.
const BELOW: usize = 3;
/// Characters of the longest value that is written into a selector.
const LONGEST: usize = 40;
/// Attributes that may say what an element is.
const NAMED: [&str; 9] =
    ["itemprop", "property", "rel", "name", "aria-label", "title", "data-testid", "data-type", "type"];

/// Returns the marks of an element as pieces of CSS selectors, without its tag. A value of an attribute is a mark only if `is_usual` says
/// that the page has it again and again: what stands on one record names that record.
pub(crate) fn marks(document: &Document, id: NodeId, is_usual: &dyn Fn(&str) -> bool) -> Vec<String> {
    let named = |document: &Document, id: NodeId| named(document, id, is_usual);
    let mut all = named(document, id);
    all.extend(document.attr(id, "href").and_then(leads).into_iter().flatten());
    all.extend(words(document, id).map(|word| format!(".{word}")));
    let below = document.descendants(id).filter(|&below| document.is_element(below)).take(BELOW);
    // What holds no text is an icon: it says what stands beside it.
    for icon in below.filter(|&below| document.visible_text(below).trim().is_empty()) {
        all.extend(named(document, icon).into_iter().map(|mark| format!(":has({mark})")));
        all.extend(words(document, icon).map(|word| format!(":has(.{word})")));
        all.extend(
            document
                .attr(icon, "alt")
                .and_then(plain)
                .filter(|alt| is_usual(alt))
                .map(|alt| format!(":has([alt=\"{alt}\"])")),
        );
    }
    all
}

fn named(document: &Document, id: NodeId, is_usual: &dyn Fn(&str) -> bool) -> Vec<String> {
    let value = |name: &&str| document.attr(id, name).and_then(plain).filter(|value| is_usual(value));
    let mark = |name: &&str| Some(format!("[{name}=\"{}\"]", value(name)?));
    NAMED.iter().filter_map(mark).collect()
}

fn words(document: &Document, id: NodeId) -> impl Iterator<Item = &str> {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '_';
    let class = document.attr_by_id(id, names::CLASS).unwrap_or_default();
    class
        .split_ascii_whitespace()
        .filter(move |word| word.starts_with(|c: char| c.is_ascii_alphabetic()) && word.chars().all(is_plain))
}

/// Returns marks of where an address leads: by its scheme, its first folder, and its last part.
fn leads(href: &str) -> Option<Vec<String>> {
    let href = href.trim();
    let mut marks = Vec::new();
    if let Some(scheme) = ["mailto:", "tel:", "http", "#"].iter().find(|scheme| href.starts_with(**scheme)) {
        marks.push(format!("[href^=\"{scheme}\"]"));
    }
    let is_word = |part: &&str| (3..=20).contains(&part.len()) && part.chars().all(|c| c.is_ascii_lowercase());
    if let Some(path) = href.strip_prefix('/') {
        let path = path.split(['?', '#']).next().unwrap_or_default().trim_end_matches('/');
        let parts: Vec<&str> = path.split('/').collect();
        if parts.len() > 1 {
            marks.extend(parts.last().filter(|part| is_word(part)).map(|part| format!("[href$=\"/{part}\"]")));
            let short = |part: &&&str| part.len() < 20 && part.chars().all(|c| c.is_ascii_lowercase());
            marks.extend(parts.first().filter(short).map(|part| format!("[href^=\"/{part}/\"]")));
        }
    }
    Some(marks)
}

/// A value that may stand in a selector, and names something: it is short, and counts nothing.
fn plain(value: &str) -> Option<&str> {
    let is_plain = |c: char| c.is_alphabetic() || matches!(c, ' ' | '-' | '_' | ':' | '.');
    let value = value.trim();
    (!value.is_empty() && value.chars().count() <= LONGEST && value.chars().all(is_plain)).then_some(value)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_of_a_link() {
        let page = "<a class='muted p-1' href='/org/beta/forks?x=1'><svg aria-label=fork></svg> 21</a>";
        let document = Document::parse(page);
        let link = document.nodes().find(|&id| document.name(id) == Some("a")).unwrap();
        let expected = ["[href$=\"/forks\"]", "[href^=\"/org/\"]", ".muted", ".p-1", ":has([aria-label=\"fork\"])"];
        assert_eq!(marks(&document, link, &|_| true), expected);
    }
}
