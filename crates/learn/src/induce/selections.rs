//! Selectors of classes and tags, answered from an index of the page.
//!
//! The locators of a field are tried in every record: some thirty selectors, most of them a class or two. Evaluating each of them
//! looks at every element of every record. Here an index by class word and by tag gives the few elements that may match, and only
//! these and what is around them are compared with the selector.
//!
//! Selectors with anything but tags, classes, ` `, ` > ` and `, ` are left to the evaluator. As there, only the last compound has to be
//! inside the record, and classes are compared without regard to case in quirks mode.
//!
//! # Cost
//!
//! One pass over the page for the index. A selector is answered once for the whole page, at the cost of the elements that may match and
//! of those around each, at most [`DEEPEST`]; then a record costs a binary search.

use std::cell::RefCell;
use std::rc::Rc;

use foldhash::fast::FixedState;
use hashbrown::HashMap;
use windrow_dom::{Document, NodeId, QuirksMode, names};

/// Levels above an element that are looked at: a page that nests deeper is left to the evaluator, which looks at each
/// level once. The corpora nest no deeper than 60.
const DEEPEST: usize = 256;
/// Elements that may match a selector for it to be answered for the whole page; beyond, each record is answered by itself, as most
/// selectors are tried on a sample of the records only.
const MOST_FOR_PAGE: usize = 4096;
/// Elements in all answers that are kept, four bytes each.
const MOST_KEPT: usize = 1 << 20;

/// The elements of a page by class word and by tag, each in the order of the document, and the answers to selectors.
pub(crate) struct ElementIndex {
    /// True if the page is in quirks mode; the class words are in lower case then.
    quirks: bool,
    by_class: Elements,
    by_tag: Elements,
    answers: RefCell<Answers>,
}

type Elements = HashMap<String, Vec<NodeId>, FixedState>;

#[derive(Default)]
struct Answers {
    by_selector: HashMap<String, Rc<[NodeId]>, FixedState>,
    /// Elements in all of them.
    elements: usize,
}

impl ElementIndex {
    /// Indexes a page; none if it nests too deep.
    pub(crate) fn new(document: &Document, depth_of: impl Fn(NodeId) -> usize) -> Option<ElementIndex> {
        let quirks = document.quirks() == QuirksMode::Full;
        let (mut by_class, mut by_tag) = (Elements::default(), Elements::default());
        let add = |elements: &mut Elements, name: &str, id: NodeId| {
            let own = elements.entry_ref(name).or_default();
            if own.last() != Some(&id) {
                own.push(id);
            }
        };
        for id in document.nodes() {
            let Some(name) = document.name(id) else { continue };
            if depth_of(id) > DEEPEST {
                return None;
            }
            add(&mut by_tag, name, id);
            let class = document.attr_by_id(id, names::CLASS).unwrap_or_default();
            for word in class.split_ascii_whitespace() {
                match quirks {
                    true => add(&mut by_class, &word.to_ascii_lowercase(), id),
                    false => add(&mut by_class, word, id),
                }
            }
        }
        Some(ElementIndex { quirks, by_class, by_tag, answers: RefCell::default() })
    }

    /// Answers a selector.
    pub(crate) fn answer<'i>(&'i self, document: &'i Document, selector: &Selector<'_>) -> Answer<'i> {
        if let Some(known) = self.answers.borrow().by_selector.get(selector.text) {
            return Answer::Known(Rc::clone(known));
        }
        let chains: Vec<Vec<Wanted<'i>>> =
            selector.chains.iter().map(|chain| chain.iter().map(|compound| self.wanted(compound)).collect()).collect();
        let candidates = |chain: &Vec<Wanted<'_>>| chain.last().map_or(0, |last| last.rarest().len());
        if chains.iter().map(candidates).sum::<usize>() > MOST_FOR_PAGE {
            return Answer::Open(document, chains);
        }
        let root = document.root();
        let found: Rc<[NodeId]> = within(document, &chains, root, document.subtree_end(root)).into();
        let mut answers = self.answers.borrow_mut();
        if answers.elements + found.len() <= MOST_KEPT {
            answers.elements += found.len();
            answers.by_selector.insert(selector.text.to_owned(), Rc::clone(&found));
        }
        Answer::Known(found)
    }

    /// The elements that have what a compound asks for.
    fn wanted(&self, compound: &Compound<'_>) -> Wanted<'_> {
        let lowered = |word: &str| if self.quirks { word.to_ascii_lowercase() } else { word.to_owned() };
        let words = compound.words.iter().map(|word| self.by_class.get(lowered(word).as_str()));
        let sets = words.chain(compound.tag.map(|tag| self.by_tag.get(tag)));
        let sets = sets.map(|set| set.map_or(&[][..], Vec::as_slice)).collect();
        Wanted { sets, child: compound.child }
    }
}

/// The elements that a selector matches.
pub(crate) enum Answer<'i> {
    /// All elements of the page that match.
    Known(Rc<[NodeId]>),
    /// They are looked for where they are asked for.
    Open(&'i Document, Vec<Vec<Wanted<'i>>>),
}

impl Answer<'_> {
    /// Returns the elements from one node up to another, in the order of the document.
    pub(crate) fn between(&self, first: NodeId, end: NodeId) -> Vec<NodeId> {
        match self {
            Answer::Known(all) => between(all, first, end).to_vec(),
            Answer::Open(document, chains) => within(document, chains, first, end),
        }
    }
}

/// A compound as the sets of elements that an element has to be in.
pub(crate) struct Wanted<'i> {
    sets: Vec<&'i [NodeId]>,
    child: bool,
}

impl<'i> Wanted<'i> {
    fn rarest(&self) -> &'i [NodeId] {
        self.sets.iter().min_by_key(|set| set.len()).copied().unwrap_or_default()
    }

    fn holds(&self, id: NodeId) -> bool {
        self.sets.iter().all(|set| set.binary_search(&id).is_ok())
    }
}

/// The elements from one node up to another that match one of some chains of compounds.
fn within(document: &Document, chains: &[Vec<Wanted<'_>>], first: NodeId, end: NodeId) -> Vec<NodeId> {
    let mut found = Vec::new();
    for chain in chains {
        let Some((last, before)) = chain.split_last() else { continue };
        let matches = |&id: &NodeId| last.holds(id) && is_below(document, id, last.child, before);
        found.extend(between(last.rarest(), first, end).iter().copied().filter(matches));
    }
    if chains.len() > 1 {
        found.sort_unstable();
        found.dedup();
    }
    found
}

fn between(nodes: &[NodeId], first: NodeId, end: NodeId) -> &[NodeId] {
    let from = nodes.partition_point(|&id| id < first);
    let to = nodes.partition_point(|&id| id < end);
    &nodes[from..to.max(from)]
}

/// Returns whether the elements around an element match the compounds in front of its own.
fn is_below(document: &Document, id: NodeId, child: bool, before: &[Wanted<'_>]) -> bool {
    let Some((last, before)) = before.split_last() else { return true };
    let mut around = document.ancestors(id).take(if child { 1 } else { DEEPEST });
    around.any(|id| last.holds(id) && is_below(document, id, last.child, before))
}

/// A selector of nothing but tags and classes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Selector<'s> {
    text: &'s str,
    /// The parts between commas, each as its compounds.
    chains: Vec<Vec<Compound<'s>>>,
}

/// A tag and class words that one element has to have.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Compound<'s> {
    tag: Option<&'s str>,
    words: Vec<&'s str>,
    /// True if the compound in front of it has to match its parent, and not just anything around it.
    child: bool,
}

impl<'s> Selector<'s> {
    /// Reads a selector; none if there is more in it than the index can answer.
    pub(crate) fn parse(text: &'s str) -> Option<Selector<'s>> {
        let chains: Option<Vec<_>> = text.split(", ").map(chain).collect();
        Some(Selector { text, chains: chains? })
    }
}

fn chain(text: &str) -> Option<Vec<Compound<'_>>> {
    let mut compounds = Vec::new();
    let (mut child, mut anywhere) = (false, 0);
    for part in text.split(' ') {
        if part == ">" {
            if child || compounds.is_empty() {
                return None;
            }
            child = true;
            continue;
        }
        anywhere += usize::from(!child && !compounds.is_empty());
        let mut names = part.split('.');
        let tag = names.next().filter(|tag| !tag.is_empty());
        let words: Vec<&str> = names.collect();
        if tag.is_none() && words.is_empty() || !tag.iter().chain(&words).all(|name| is_name(name)) {
            return None;
        }
        compounds.push(Compound { tag, words, child: std::mem::take(&mut child) });
    }
    // Two compounds that may match anywhere around an element would make their levels multiply.
    (!child && anywhere <= 1 && !compounds.is_empty()).then_some(compounds)
}

/// Returns whether a text is a name that needs no escaping in a selector.
fn is_name(text: &str) -> bool {
    text.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_' || !c.is_ascii())
        && text.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '_') || !c.is_ascii())
}

#[cfg(test)]
mod tests {
    use windrow_xpath::{Expr, Node};

    use super::*;

    const PAGE: &str = "<!doctype html><main class='shop new'><ul class=list><li class='item sale'><b class=name>Tea</b>\
        <p><b class='name sale'>Cup</b><i>2</i></p></li><li class=item><div class=item><b>Pot</b></div></li></ul></main>";

    fn document() -> Document {
        Document::parse(PAGE)
    }

    #[test]
    fn it_selects_what_the_evaluator_selects() {
        let document = document();
        let index = ElementIndex::new(&document, |_| 0).unwrap();
        let selectors = [
            "b",
            ".name",
            "b.name.sale",
            ".item .name",
            ".item > .name",
            "li.item > p > b",
            ".shop b",
            "ul.list > li b",
            ".item",
            ".sale, i",
            "b, .sale",
            ".none b",
            "main.shop.new",
        ];
        for text in selectors {
            let selector = Selector::parse(text).unwrap();
            let expr = Expr::css(text).unwrap();
            for context in document.nodes().filter(|&id| document.is_element(id)) {
                let first = document.nodes().find(|&id| id > context);
                let end = document.subtree_end(context);
                let own = first.map_or(Vec::new(), |first| index.answer(&document, &selector).between(first, end));
                let all = expr.select(&document, context).unwrap();
                assert_eq!(own, all.into_iter().map(Node::id).collect::<Vec<_>>(), "{text}");
            }
        }
    }

    #[test]
    fn other_selectors_are_left_to_the_evaluator() {
        for text in
            ["li:first-child", "[itemprop=name]", ".a\\:b", "a ~ b", "*", "a > > b", "> a", ".a .b .c", ".1a", ""]
        {
            assert_eq!(Selector::parse(text), None, "{text}");
        }
    }

    #[test]
    fn classes_are_compared_without_regard_to_case_in_quirks_mode() {
        for (doctype, count) in [("", 2), ("<!doctype html>", 1)] {
            let document = Document::parse(format!("{doctype}<p class=New>x<p class='a new'>y"));
            let index = ElementIndex::new(&document, |_| 0).unwrap();
            let selector = Selector::parse(".new").unwrap();
            let end = document.subtree_end(document.root());
            assert_eq!(index.answer(&document, &selector).between(document.root(), end).len(), count, "{doctype}");
        }
    }

    #[test]
    fn deep_pages_are_left_to_the_evaluator() {
        let document = document();
        assert!(ElementIndex::new(&document, |_| DEEPEST + 1).is_none());
    }
}
