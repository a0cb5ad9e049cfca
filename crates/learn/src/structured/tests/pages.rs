//! Whole pages: those made for the comparison with extruct, whole and in pieces, and those of the corpus beside the
//! repository.

use std::path::Path;

use windrow_dom::{Document, ParseOptions};
use windrow_testkit::shared;

use super::structured;
use crate::structured::{Structured, Value, read};

/// What must hold of any page: values are there, and so are the items they name.
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
fn pages_of_the_corpus_are_read() {
    let Some(paths) = shared::pages() else {
        #[allow(clippy::print_stdout, reason = "a test says that it was skipped")]
        {
            println!("{}", shared::missing("corpus"));
        }
        return;
    };
    let mut items = 0;
    for path in paths {
        let document = Document::from_bytes(std::fs::read(&path).unwrap(), &ParseOptions::default());
        let page = read(&document, None);
        sound(&page, &document);
        items += page.items.len();
    }
    assert!(items > 1_000, "{items}");
}

#[test]
fn a_page_without_is_empty() {
    assert!(
        structured("<p class=itemscope>itemprop=name typeof property <script>var ld = 'ld+json'</script>").is_empty()
    );
}
