//! Learning from an example on random pages: no panic, no run-away; what is learned can be run, and gives the shown values
//! back in one record.
//!
//! The first four bytes choose what is shown; the rest is the page. What is shown is on the page, since random texts would
//! hardly ever be: one or two of its texts, a word of one, or one of its nodes by XPath.
#![no_main]

use libfuzzer_sys::fuzz_target;
use windrow_dom::{Document, NodeId};
use windrow_learn::example::{Example, Not, Pointed, Pointer, Request, Shape, learn};
use windrow_wrapper::values::text::collapse;
use windrow_wrapper::{Extractor, Limits, NoPages, Object, Page};
use windrow_xpath::{Node, path_of};

/// What points at a text of the page, and the value that must come out, if that is certain.
fn shown(document: &Document, texts: &[NodeId], choice: u8) -> (Pointer, Option<String>) {
    let node = texts[choice as usize / 8 % texts.len()];
    let text = collapse(document.text(node)).into_owned();
    match choice % 8 {
        0 => {
            let words: Vec<&str> = text.split(' ').collect();
            let word = words[choice as usize / 8 % words.len()].to_owned();
            (Pointer::Text(word.clone()), Some(word))
        }
        1 => (Pointer::XPath(path_of(document, Node::node(node))), Some(text)),
        2 => {
            let above = document.parent(node).unwrap_or(node);
            let value = collapse(&document.visible_text(above)).into_owned();
            (Pointer::XPath(path_of(document, Node::node(above))), Some(value))
        }
        // Case aside, several places may be meant.
        3 => (Pointer::Text(text.to_uppercase()), None),
        _ => (Pointer::Text(text.clone()), Some(text)),
    }
}

fn value<'e>(record: &Object<'e>, name: &str) -> Option<String> {
    record.objects().find(|object| object.label() == name).map(|object| collapse(&object.text()).into_owned())
}

fuzz_target!(|data: &[u8]| {
    let Some((&[first, second, how, not], page)) = data.split_first_chunk::<4>() else { return };
    let source = String::from_utf8_lossy(page).into_owned();
    let document = Document::parse(source.as_str());
    let seen: Vec<NodeId> = document.visible_pieces(document.root()).1.into_iter().map(|piece| piece.0).collect();
    let texts: Vec<NodeId> =
        seen.into_iter().filter(|&id| document.is_text(id) && !collapse(document.text(id)).is_empty()).collect();
    if texts.is_empty() {
        return;
    }
    let mut wanted = vec![("a", shown(&document, &texts, first))];
    if how & 1 != 0 {
        wanted.push(("b", shown(&document, &texts, second)));
    }
    let fields = wanted.iter().map(|(name, (at, _))| Pointed { field: (*name).to_owned(), at: at.clone() }).collect();
    let mut request = Request { examples: vec![Example { fields, page: None }], ..Request::default() };
    request.shape = [Shape::Auto, Shape::Auto, Shape::List, Shape::Page][how as usize / 2 % 4];
    if how & 16 != 0 {
        let field = (how & 32 != 0).then(|| "a".to_owned());
        request.not.push(Not { field, at: shown(&document, &texts, not).0, page: None });
    }
    if how & 64 != 0 {
        let (above, at) = (not as usize / 8, texts[first as usize / 8 % texts.len()]);
        let record = document.ancestors(at).nth(above % 8).unwrap_or(at);
        request.record = Some(path_of(&document, Node::node(record)));
    }
    let Ok(lesson) = learn(&[&document], &request) else { return };
    let extractor = Extractor::new(&lesson.wrapper).expect("what is learned can be run");
    let mut limits = Limits::default();
    limits.objects = 20_000;
    limits.visits = 1_000_000;
    let extraction = extractor.extract_with(Page::from_text("page", source.as_str()), &NoPages, limits);
    let right = |record: Object<'_>| {
        wanted.iter().all(|(name, (_, text))| text.is_none() || value(&record, name) == *text)
    };
    assert!(extraction.objects().any(right), "{wanted:?} did not come out: {:#?}", lesson.wrapper.rules);
});
