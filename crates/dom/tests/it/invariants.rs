//! Invariants of the arena, on real and on generated pages.

use windrow_dom::{Document, ParseOptions};
use windrow_testkit::generate::{Generator, Input};
use windrow_testkit::{checks, shared};

/// Share of the corpus that these tests read by default.
pub(crate) const ONE_PAGE_IN: usize = 4;

/// Runs a check on the repository's own pages and on those of the corpus.
pub(crate) fn on_pages(name: &str, check: impl Fn(&Document) -> Result<(), String>) {
    let pages = shared::test_pages(ONE_PAGE_IN);
    let mut failures = Vec::new();
    for path in &pages {
        let bytes = std::fs::read(path).expect("the page can be read");
        let document = Document::from_bytes(bytes, &ParseOptions::default());
        if let Err(message) = check(&document) {
            failures.push(format!("{}: {message}", shared::short_name(path)));
        }
    }
    eprintln!("{name}: {} of {} pages passed", pages.len() - failures.len(), pages.len());
    assert!(failures.is_empty(), "{} pages failed:\n{}", failures.len(), failures[..failures.len().min(20)].join("\n"));
}

/// Runs a check on generated pages and fragments.
pub(crate) fn on_generated(count: usize, check: impl Fn(&Document) -> Result<(), String>) {
    let mut generator = Generator::new(20_261_115, &[]);
    let mut input = Input::default();
    for _ in 0..count {
        generator.next(&mut input);
        let options = ParseOptions::default().with_scripting(input.scripting);
        let document = match input.context {
            Some(context) => Document::parse_fragment(input.html.as_str(), context, &options),
            None => Document::parse_with(input.html.as_str(), &options),
        };
        if let Err(message) = check(&document) {
            panic!("{:?} in {}: {message}", input.html, input.context.unwrap_or("a page"));
        }
    }
}

#[test]
fn real_pages_have_a_sound_tree() {
    on_pages("trees and tokens", |document| checks::structure(document).and_then(|()| checks::tokens(document)));
}

#[test]
fn generated_pages_have_a_sound_tree() {
    on_generated(100_000, |document| checks::structure(document).and_then(|()| checks::tokens(document)));
}

/// Found by fuzzing: `selectedcontent` contains a copy of the option, including template contents.
#[test]
fn a_copied_template_has_contents() {
    let html = "<select><button><selectedcontent></button><option>x<template>y<template>z</template></template>";
    let document = Document::parse(html);
    checks::structure(&document).expect("every template has contents");
    let contents: Vec<_> = document.nodes().filter_map(|id| document.template_contents(id)).collect();
    assert_eq!(contents.len(), 2, "the option's and its copy");
    let [copy, original] = [contents[0], contents[1]].map(|id| document.inner_html(id));
    assert_eq!(copy, original);
}
