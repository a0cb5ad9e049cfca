//! Marks of nodes: a link, a heading, a menu, a form, something named after results.
//!
//! Two bytes a node, handed down from parents to children, so that a candidate's leaves can be counted by them without
//! walking the tree again.
//!
//! # Cost
//!
//! Each node and each class once.

use foldhash::fast::FixedState;
use hashbrown::HashMap;
use windrow_dom::{Document, NodeId, names};

pub(crate) const LINK: u16 = 1;
pub(crate) const HEADING: u16 = 2;
pub(crate) const IMAGE: u16 = 4;
/// A text with a digit in it.
pub(crate) const DIGIT: u16 = 8;
/// In `nav`, `footer` or `aside`.
pub(crate) const ASIDE: u16 = 16;
/// In something whose class or id speaks of results.
pub(crate) const RESULTS: u16 = 32;
/// In a `footer`.
pub(crate) const FOOTER: u16 = 64;
/// In a `header`.
pub(crate) const HEADER: u16 = 128;
/// In `main` or an `article`.
pub(crate) const MAIN: u16 = 256;
/// In something whose class, id or role speaks of navigation: menus, pagers, breadcrumbs, footers, sharing.
pub(crate) const MENU: u16 = 512;
/// In something whose class or id speaks of filters, sorting or tags.
pub(crate) const FILTER: u16 = 1024;
/// In something whose class or id speaks of things beside the point: related, recommended, sidebar, promotion.
pub(crate) const BESIDE: u16 = 2048;
/// In a button, or a label or option of a form.
pub(crate) const CONTROL: u16 = 4096;
/// In an element with `itemscope`.
pub(crate) const ITEM: u16 = 8192;

/// Parts of class names that speak of results. English is the language of class names on pages of all languages.
const RESULT_WORDS: &[&str] =
    &["result", "search", "product", "item", "list", "content", "main", "article", "post", "entry", "hit", "card"];
/// The same for navigation, for filters, and for what stands beside the main content. Their weights are fitted: a list
/// of results in a `leftMenu` is still found, if all else speaks for it.
const MENU_WORDS: &[&str] = &[
    "nav",
    "menu",
    "foot",
    "breadcrumb",
    "crumb",
    "pagination",
    "pager",
    "paging",
    "toolbar",
    "social",
    "share",
    "lang",
    "cookie",
    "header",
    "topbar",
    "skip",
    "login",
    "account",
    "tabs",
    "copyright",
    "legal",
    "sitemap",
];
const FILTER_WORDS: &[&str] =
    &["filter", "facet", "refine", "sort", "tag", "checkbox", "dropdown", "select", "option", "form", "range", "chip"];
const BESIDE_WORDS: &[&str] = &[
    "related",
    "recommend",
    "sidebar",
    "aside",
    "promo",
    "banner",
    "widget",
    "popular",
    "trending",
    "carousel",
    "slider",
    "swiper",
    "suggest",
    "modal",
    "popup",
    "similar",
];

/// The marks of all nodes.
pub(crate) struct Marks(Vec<u16>);

impl Marks {
    pub(crate) fn new(document: &Document) -> Marks {
        let mut marks = vec![0u16; document.len()];
        // Pages say the same few classes again and again.
        let mut known: HashMap<&str, u16, FixedState> = HashMap::default();
        for id in document.nodes() {
            // A digit marks the text and what is one piece with it, not all that is below.
            let mut mark = document.parent(id).map_or(0, |parent| marks[parent.index()]) & !DIGIT;
            if document.is_element(id) {
                mark |= element(document, id);
                // A class of the whole page says nothing about a part of it.
                if !matches!(document.name_id(id), Some(names::HTML | names::BODY)) {
                    for name in called(document, id) {
                        mark |= *known.entry(name).or_insert_with(|| by_words(name));
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
    pub(crate) fn has(&self, id: NodeId, marks: u16) -> bool {
        self.0[id.index()] & marks != 0
    }
}

fn element(document: &Document, id: NodeId) -> u16 {
    let own = match document.name_id(id) {
        Some(names::A) => LINK,
        Some(names::H1 | names::H2 | names::H3 | names::H4 | names::H5 | names::H6) => HEADING,
        Some(names::IMG) => IMAGE,
        Some(names::FOOTER) => ASIDE | FOOTER,
        Some(names::NAV | names::ASIDE) => ASIDE,
        Some(names::HEADER) => HEADER,
        Some(names::MAIN) => RESULTS | MAIN,
        Some(names::ARTICLE) => MAIN,
        Some(names::BUTTON | names::LABEL | names::SELECT | names::TEXTAREA) => CONTROL,
        _ => 0,
    };
    let role = match document.attr_by_id(id, names::ROLE) {
        Some("navigation") => ASIDE | MENU,
        Some("menu" | "menubar" | "tablist" | "menuitem" | "toolbar" | "banner") => MENU,
        Some("contentinfo") => ASIDE | FOOTER,
        Some("main") => MAIN,
        Some("button" | "checkbox" | "radio" | "option" | "tab") => CONTROL,
        _ => 0,
    };
    own | role | if document.attr(id, "itemscope").is_some() { ITEM } else { 0 }
}

/// The marks that the words of a class or id give.
fn by_words(name: &str) -> u16 {
    let bytes = name.as_bytes();
    // By the first letter: most places in most names begin none of the words.
    let any = |words: &[&str]| {
        let begins = |at: usize| {
            let begun = |word: &&&str| word.as_bytes()[0] == bytes[at].to_ascii_lowercase();
            let whole = |word: &str| {
                bytes[at..].get(..word.len()).is_some_and(|part| part.eq_ignore_ascii_case(word.as_bytes()))
            };
            words.iter().filter(begun).any(|word| whole(word))
        };
        (0..bytes.len()).any(begins)
    };
    let sorts = [(RESULT_WORDS, RESULTS), (MENU_WORDS, MENU), (FILTER_WORDS, FILTER), (BESIDE_WORDS, BESIDE)];
    sorts.iter().filter(|(words, _)| any(words)).fold(0, |marks, (_, mark)| marks | mark)
}

/// An element's classes and id.
fn called(document: &Document, id: NodeId) -> impl Iterator<Item = &str> {
    document.attr_by_id(id, names::CLASS).into_iter().chain(document.attr_by_id(id, names::ID))
}
