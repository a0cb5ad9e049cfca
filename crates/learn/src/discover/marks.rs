//! What a leaf or a record stands in: a link, a heading, a menu, something named after results.
//!
//! One byte a node, handed down from parents to children, so that a candidate's leaves can be counted by it without
//! looking at the tree again.
//!
//! # Cost
//!
//! Each node and each class once.

use foldhash::fast::FixedState;
use hashbrown::HashMap;
use windrow_dom::{Document, NodeId, names};

pub(crate) const LINK: u8 = 1;
pub(crate) const HEADING: u8 = 2;
pub(crate) const IMAGE: u8 = 4;
/// A text with a digit in it.
pub(crate) const DIGIT: u8 = 8;
/// In `nav`, `footer` or `aside`.
pub(crate) const ASIDE: u8 = 16;
/// In something whose class or id speaks of results.
pub(crate) const RESULTS: u8 = 32;

/// Parts of class names that speak of results. English is the language of class names on pages of all languages. Words
/// of menus (`nav`, `side`, `foot`) were tried too and said nothing: real lists stand in a `leftMenu`.
const RESULT_WORDS: &[&str] =
    &["result", "search", "product", "item", "list", "content", "main", "article", "post", "entry", "hit", "card"];
/// The marks of all nodes.
pub(crate) struct Marks(Vec<u8>);

impl Marks {
    pub(crate) fn new(document: &Document) -> Marks {
        let mut marks = vec![0u8; document.len()];
        // Pages say the same few classes again and again.
        let mut known: HashMap<&str, u8, FixedState> = HashMap::default();
        for id in document.nodes() {
            // A digit marks the text and what is one piece with it, not all that is below.
            let mut mark = document.parent(id).map_or(0, |parent| marks[parent.index()]) & !DIGIT;
            if document.is_element(id) {
                mark |= element(document, id);
                // A class of the whole page says nothing about a part of it.
                if !matches!(document.name_id(id), Some(names::HTML | names::BODY)) {
                    for name in called(document, id) {
                        mark |= *known.entry(name).or_insert_with(|| speaks_of_results(name));
                    }
                }
            } else if document.is_text(id) && document.text(id).bytes().any(|byte| byte.is_ascii_digit()) {
                mark |= DIGIT;
                if let Some(parent) = document.parent(id) {
                    marks[parent.index()] |= DIGIT;
                }
            }
            marks[id.index()] = mark;
        }
        Marks(marks)
    }

    /// Whether a node has one of these marks.
    pub(crate) fn has(&self, id: NodeId, marks: u8) -> bool {
        self.0[id.index()] & marks != 0
    }
}

fn element(document: &Document, id: NodeId) -> u8 {
    let own = match document.name_id(id) {
        Some(names::A) => LINK,
        Some(names::H1 | names::H2 | names::H3 | names::H4 | names::H5 | names::H6) => HEADING,
        Some(names::IMG) => IMAGE,
        Some(names::NAV | names::FOOTER | names::ASIDE) => ASIDE,
        Some(names::MAIN) => RESULTS,
        _ => 0,
    };
    let navigation = document.attr_by_id(id, names::ROLE) == Some("navigation");
    if navigation { own | ASIDE } else { own }
}

/// The mark of results, if a class or id speaks of them.
fn speaks_of_results(name: &str) -> u8 {
    let bytes = name.as_bytes();
    // By the first letter: most places in most names begin none of the words.
    let begins = |at: usize| {
        let begun = |word: &&&str| word.as_bytes()[0] == bytes[at].to_ascii_lowercase();
        let whole =
            |word: &str| bytes[at..].get(..word.len()).is_some_and(|part| part.eq_ignore_ascii_case(word.as_bytes()));
        RESULT_WORDS.iter().filter(begun).any(|word| whole(word))
    };
    if (0..bytes.len()).any(begins) { RESULTS } else { 0 }
}

/// An element's classes and id.
fn called(document: &Document, id: NodeId) -> impl Iterator<Item = &str> {
    document.attr_by_id(id, names::CLASS).into_iter().chain(document.attr_by_id(id, names::ID))
}
