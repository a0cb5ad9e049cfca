//! Where a value stands in the source: the bytes that a pattern would have to save.

use windrow_dom::Span;
use windrow_wrapper::{Object, Page};

use super::literals::{Core, Sample};

/// Where an object of a piece stands; nothing if there is none, or none with a text.
pub(super) fn sample(page: &Page, object: Option<Object<'_>>, start: usize, end: usize) -> Sample {
    let mut sample = Sample { start, end, core: None, lost: false };
    let Some(object) = object else { return sample };
    let text = object.text();
    // What is empty need not be found.
    if text.is_empty() {
        return sample;
    }
    let inside = |core: &Core| core.from >= start && core.to <= end;
    sample.core = core(page, object, &text).filter(inside);
    sample.lost = sample.core.is_none();
    sample
}

/// Where the value of an object begins; of what is not on the page, nowhere.
pub(super) fn begin(page: &Page, object: Object<'_>) -> Option<usize> {
    let text = object.text();
    core(page, object, &text).map(|core| core.from)
}

fn core(page: &Page, object: Object<'_>, text: &str) -> Option<Core> {
    if object.page().name() != page.name() || object.page().source().len() != page.source().len() {
        return None;
    }
    let source = page.source();
    let whole = object.span()?;
    let document = page.document();
    let node = object.node();
    if let Some(node) = node.filter(|node| node.is_attribute()) {
        let attribute = node.attr(document)?;
        let (place, tag) = (attribute.value_span(), document.start_tag(node.id())?);
        let tag = Some(tag.start as usize);
        if object.is_whole() {
            return Some(Core { from: place.start as usize, to: place.end as usize, tag });
        }
        let (from, to) = within(source, place, text)?;
        return Some(Core { from, to, tag });
    }
    if let Some(node) = node {
        let id = node.id();
        let inner = match document.is_element(id) {
            true => {
                let start = document.start_tag(id).map_or(whole.start, |tag| tag.end);
                let end = document.end_tag(id).map_or(whole.end, |tag| tag.start);
                Span { start, end: end.max(start) }
            }
            false => whole,
        };
        // Of a run of siblings, the node is the first.
        let inner = if document.span(id).is_none_or(|own| own.end >= whole.end) { inner } else { whole };
        if object.is_whole() && whole.contains(inner) {
            return Some(Core { from: inner.start as usize, to: inner.end as usize, tag: None });
        }
    }
    if object.is_whole() {
        let (from, to) = without_edges(source, whole);
        return Some(Core { from, to, tag: None });
    }
    let (from, to) = within(source, whole, text)?;
    Some(Core { from, to, tag: None })
}

/// A range without the tags and white space at its ends, which a pattern may find otherwise than the rule did.
fn without_edges(source: &str, range: Span) -> (usize, usize) {
    let (mut from, to) = (range.start as usize, range.end as usize);
    let Some(mut inside) = source.get(from..to) else { return (from, to) };
    loop {
        let rest = inside.trim_start();
        let tag = if rest.starts_with('<') { rest.find('>').map_or(0, |at| at + 1) } else { 0 };
        from += inside.len() - rest.len() + tag;
        inside = &rest[tag..];
        if tag == 0 {
            break;
        }
    }
    loop {
        inside = inside.trim_end();
        match inside.ends_with('>').then(|| inside.rfind('<')).flatten() {
            Some(tag) => inside = &inside[..tag],
            None => return (from, from + inside.len()),
        }
    }
}

/// Where a text stands in a range of the source, word by word, as it is or with its signs written as entities.
fn within(source: &str, range: Span, text: &str) -> Option<(usize, usize)> {
    let inside = source.get(range.range())?;
    let base = range.start as usize;
    let escaped = text.replace('&', "&amp;");
    for wanted in [text, &escaped] {
        if let Some(at) = inside.find(wanted) {
            return Some((base + at, base + at + wanted.len()));
        }
        let mut words = wanted.split(' ');
        let first = words.next()?;
        let Some(from) = inside.find(first) else { continue };
        let mut to = from + first.len();
        let all = words.all(|word| match inside[to..].find(word) {
            Some(at) => {
                to += at + word.len();
                true
            }
            None => false,
        });
        if all {
            return Some((base + from, base + to));
        }
    }
    None
}
