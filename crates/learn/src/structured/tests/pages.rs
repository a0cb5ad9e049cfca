//! Whole pages: those made for the comparison with extruct, whole and in pieces, and real ones.

use std::path::Path;

use windrow_dom::{Document, ParseOptions};
use windrow_testkit::shared;

use super::structured;
use crate::structured::{Structured, Value, read};

/// The share of the corpus that is read by default.
const ONE_PAGE_IN: usize = 8;

/// Checks what must hold of any page: values are there, and so are the items they name.
#[track_caller]
fn sound(page: &Structured, document: &Document) {
    for item in &page.items {
        assert!(document.is_element(item.node) || item.node == document.root());
        for property in &item.properties {
            assert!(!property.name.is_empty());
            assert!(property.node.is_none_or(|node| document.is_element(node)));
            match &property.value {
                Value::Text(text) => assert!(!text.is_empty() && text.trim() == text, "{text:?}"),
                Value::Item(id) => assert!(id.index() < page.items.len()),
            }
        }
    }
}

fn own() -> Vec<String> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata/structured");
    let files = shared::files(&folder, "html").unwrap();
    files.iter().map(|path| std::fs::read_to_string(path).unwrap()).collect()
}

#[test]
fn a_page_cut_anywhere_is_read() {
    let pages = own();
    assert!(pages.len() >= 8);
    for page in pages {
        for (cut, _) in page.char_indices() {
            let document = Document::parse(&page[..cut]);
            sound(&read(&document, None), &document);
        }
    }
}

#[test]
fn a_page_with_a_character_changed_is_read() {
    // Marks of all the syntaxes; the multiplier walks over every place and mark without a pattern.
    let marks: Vec<char> = "\"'{}[]<>,:=\\/ \n\0é".chars().collect();
    for page in own() {
        let mut changed: Vec<char> = page.chars().collect();
        for step in 0..600 {
            let at = step * 7919 % changed.len();
            let kept = changed[at];
            changed[at] = marks[step * 31 % marks.len()];
            let document = Document::parse(changed.iter().collect::<String>());
            sound(&read(&document, None), &document);
            changed[at] = kept;
        }
    }
}

#[test]
fn real_pages_are_read() {
    let (mut items, pages) = (0, shared::test_pages(ONE_PAGE_IN));
    for path in &pages {
        let document = Document::from_bytes(std::fs::read(path).unwrap(), &ParseOptions::default());
        let page = read(&document, None);
        sound(&page, &document);
        items += page.items.len();
    }
    assert!(items >= pages.len(), "{items} items on {} pages", pages.len());
}

#[test]
fn a_page_without_is_empty() {
    assert!(
        structured("<p class=itemscope>itemprop=name typeof property <script>var ld = 'ld+json'</script>").is_empty()
    );
}
