//! What tells entry pages from index pages: a name that all pages of one kind have, and none of the other.
//!
//! The same template often shows an entry on both in much the same way. What differs is around it: the form for
//! comments, the class of the body, the links to the entries before and after. A name of the page as a whole is taken
//! first, since it is there to say what the page is, then one near the entry. If no name differs, because the pages have
//! none or because each entry page repeats the list of the home page, the structure does: a chain of elements, or two
//! elements side by side, that only pages of one kind have.

use foldhash::fast::FixedState;
use hashbrown::{HashMap, HashSet};
use windrow_dom::{Document, NodeId, names};
use windrow_xpath::Expr;

use crate::induce::generated::looks_generated;

/// Names of one page that are looked at.
const NAMES: usize = 4000;
/// Elements around the entry whose names come first.
const AROUND: usize = 12;
/// Elements beside a title or body whose names come next.
const BESIDE: usize = 40;

/// Features that are tried on the pages that must not have them.
const TRIES: usize = 64;

/// A page of a kind, and where its entry is.
pub(super) struct Kept<'d> {
    pub(super) document: &'d Document,
    /// Titles of its entries.
    pub(super) inside: Vec<NodeId>,
    /// Their bodies: the first node, and the one behind.
    pub(super) bodies: Vec<(NodeId, NodeId)>,
}

/// Selectors with their ranks; the lowest rank is the best.
type Features = HashMap<String, u32, FixedState>;

/// A name that stands on all of these pages, and on none of the others, as a selector.
pub(super) fn told_by(own: &[&Kept<'_>], others: &[&Kept<'_>]) -> Option<String> {
    only_on(own, others, features)
}

/// A piece of structure that all of these pages have, and none of the others, as a selector.
pub(super) fn told_by_structure(own: &[&Kept<'_>], others: &[&Kept<'_>]) -> Option<String> {
    only_on(own, others, structure)
}

/// The best feature that all of these pages have, and none of the others.
fn only_on(own: &[&Kept<'_>], others: &[&Kept<'_>], features: fn(&Kept<'_>) -> Features) -> Option<String> {
    let first = own.first()?;
    let mut foreign: HashSet<String, FixedState> = HashSet::default();
    for other in others {
        foreign.extend(features(other).into_keys());
    }
    let mut left = features(first);
    left.retain(|name, _| !foreign.contains(name));
    for page in &own[1..] {
        let have = features(page);
        left.retain(|name, rank| match have.get(name) {
            Some(other) => {
                *rank = (*rank).min(*other);
                true
            }
            None => false,
        });
    }
    let mut left: Vec<(String, u32)> = left.into_iter().collect();
    left.sort_by(|one, two| {
        let order = |(name, rank): &(String, u32)| (*rank, !says_entry(name), name.len());
        order(one).cmp(&order(two)).then_with(|| one.0.cmp(&two.0))
    });
    // Bodies are no part of the features, but a selector finds what is in them as well.
    let is_foreign = |name: &str| {
        let Ok(expr) = Expr::css(name) else { return true };
        others.iter().any(|other| expr.select(other.document, NodeId::ROOT).is_ok_and(|found| !found.is_empty()))
    };
    left.into_iter().map(|(name, _)| name).take(TRIES).find(|name| !is_foreign(name))
}

/// The elements around the entries of a page, and those beside their titles and bodies.
fn near(page: &Kept<'_>) -> HashSet<NodeId, FixedState> {
    let document = page.document;
    let mut near: HashSet<NodeId, FixedState> = HashSet::default();
    let in_body = |id: NodeId| page.bodies.iter().any(|(first, end)| *first <= id && id < *end);
    let nodes = || page.inside.iter().copied().chain(page.bodies.iter().map(|body| body.0));
    for node in nodes() {
        near.extend(std::iter::once(node).chain(document.ancestors(node)).take(AROUND));
    }
    // What stands beside them: the line that says who wrote it and when.
    for node in nodes() {
        let beside = document.parent(node).into_iter().flat_map(|parent| document.children(parent));
        let beside = beside.filter(|&id| !in_body(id) && document.is_element(id));
        near.extend(
            beside.take(BESIDE).flat_map(|id| std::iter::once(id).chain(document.descendants(id).take(BESIDE))),
        );
    }
    near
}

/// Pieces of the structure of a page: an element in another with the one around that, and two elements side by side,
/// each by its tag and one of its names. Those near the entry come first, then the shorter ones.
fn structure(page: &Kept<'_>) -> Features {
    let document = page.document;
    let near = near(page);
    let step = |id: NodeId| {
        let tag = document.name(id).unwrap_or_default();
        let class = document.attr_by_id(id, names::CLASS).unwrap_or_default();
        let word = class.split_ascii_whitespace().find(|word| is_name(word)).map(|word| format!(".{word}"));
        let name = word.or_else(|| document.attr(id, "id").filter(|id| is_name(id)).map(|id| format!("#{id}")));
        // A selector of a box without a name would select those that have one, too.
        let bare = matches!(tag, "div" | "span") && document.attr_by_id(id, names::CLASS).is_none();
        let name = name.unwrap_or_else(|| if bare { ":not([class])".to_owned() } else { String::new() });
        is_tag(tag).then(|| format!("{tag}{name}"))
    };
    let mut found = Features::default();
    let elements = document.nodes().filter(|&id| document.is_element(id) && !is_inside(&page.bodies, id));
    for id in elements {
        if found.len() >= NAMES {
            break;
        }
        let (Some(own), Some(parent)) = (step(id), document.parent(id)) else { continue };
        let far = u32::from(!near.contains(&id)) * 4;
        let mut add = |piece: String, rank: u32| {
            let known = found.entry(piece).or_insert(rank);
            *known = (*known).min(rank);
        };
        if let Some(outer) = step(parent) {
            add(format!("{outer} > {own}"), far);
            let above = document.parent(parent).and_then(step);
            if let Some(above) = above {
                add(format!("{above} > {outer} > {own}"), far + 1);
            }
        }
        let before = std::iter::successors(document.prev_sibling(id), |&id| document.prev_sibling(id));
        if let Some(before) = before.into_iter().find(|&id| document.is_element(id)).and_then(step) {
            add(format!("{before} + {own}"), far + 2);
        }
    }
    found
}

/// Whether a tag can stand in a selector as it is.
fn is_tag(tag: &str) -> bool {
    tag.starts_with(|c: char| c.is_ascii_alphabetic()) && tag.chars().all(|c| c.is_ascii_alphanumeric() || c == '-')
}

/// The names on a page, with how far they are from the entry: those of the page itself come first, then those of the
/// elements around the entry, then all others.
fn features(page: &Kept<'_>) -> Features {
    let document = page.document;
    let near = near(page);
    let mut found = Features::default();
    // What an author writes tells nothing of the template.
    for id in document.nodes().filter(|&id| document.is_element(id) && !is_inside(&page.bodies, id)) {
        if found.len() >= NAMES {
            break;
        }
        let whole = matches!(document.name_id(id), Some(names::BODY | names::HTML));
        let rank = match () {
            () if whole => 0,
            () if near.contains(&id) => 1,
            () => 4,
        };
        let tag = document.name(id).unwrap_or_default();
        let mut add = |name: String, rank: u32| {
            let known = found.entry(name).or_insert(rank);
            *known = (*known).min(rank);
        };
        let class = document.attr_by_id(id, names::CLASS).unwrap_or_default();
        for word in class.split_ascii_whitespace().filter(|word| is_name(word)) {
            match whole {
                true => add(format!("{tag}.{word}"), rank),
                false => add(format!(".{word}"), rank),
            }
            // The same name on another kind of element: `h1.title` and `h2.title`.
            add(format!("{tag}.{word}"), if rank == 1 { 2 } else { 6 });
        }
        if let Some(word) = document.attr(id, "id").filter(|word| is_name(word)) {
            add(format!("#{word}"), rank);
        }
        if let Some(word) = document.attr(id, "rel").filter(|word| is_name(word)) {
            add(format!("{tag}[rel='{word}']"), 5);
        }
        if tag == "meta"
            && let Some(content) = document.attr(id, "content").filter(|content| is_name(content))
        {
            let named = |name: &'static str| Some((name, document.attr(id, name).filter(|value| is_property(value))?));
            if let Some((name, value)) = named("property").or_else(|| named("name")) {
                add(format!("meta[{name}='{value}'][content='{content}']"), 3);
            }
        }
        if let Some(word) = document.attr(id, "name").filter(|word| tag == "a" && is_name(word)) {
            add(format!("a[name='{word}']"), if rank == 1 { 2 } else { 6 });
        }
        if matches!(tag, "h1" | "article" | "form" | "textarea") {
            add(tag.to_owned(), 7);
        }
    }
    found
}

/// Whether a name says that a page is one entry's.
fn says_entry(name: &str) -> bool {
    ["single", "entry", "post", "article", "comment", "permalink"].iter().any(|word| name.contains(word))
}

/// Whether a node is in a body, below its first element.
fn is_inside(bodies: &[(NodeId, NodeId)], id: NodeId) -> bool {
    bodies.iter().any(|(first, end)| *first < id && id < *end)
}

/// Whether a person gave this name to a kind of things.
fn is_name(word: &str) -> bool {
    word.starts_with(|c: char| c.is_ascii_alphabetic())
        && word.chars().all(|c| c.is_ascii_alphabetic() || c == '-' || c == '_')
        && !looks_generated(word)
}

fn is_property(word: &str) -> bool {
    !word.is_empty() && word.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | ':' | '.'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_of_the_page_comes_first() {
        let documents = [
            Document::parse("<body class=single><div class=full><h1 class=t>A</h1></div><form id=comments></form>"),
            Document::parse("<body class=single><div class=full><h1 class=t>B</h1></div><form id=comments></form>"),
            Document::parse("<body class=home><div class=short><h1 class=t>A</h1></div>"),
        ];
        let kept = |at: usize| {
            let document = &documents[at];
            let title = document.nodes().find(|&id| document.name(id) == Some("h1")).unwrap();
            Kept { document, inside: vec![title], bodies: Vec::new() }
        };
        assert_eq!(told_by(&[&kept(0), &kept(1)], &[&kept(2)]).as_deref(), Some("body.single"));
        assert_eq!(told_by(&[&kept(2)], &[&kept(0), &kept(1)]).as_deref(), Some("body.home"));
        assert_eq!(told_by(&[&kept(0)], &[&kept(1)]), None);
    }

    #[test]
    fn structure_differs_where_no_name_does() {
        let documents = [
            Document::parse("<body><div><h2>A</h2><p>a</p></div><div><ul><li><h2>A</h2><li><h2>B</h2></ul></div>"),
            Document::parse("<body><div><h2>B</h2><p>b</p></div><div><ul><li><h2>A</h2><li><h2>B</h2></ul></div>"),
            Document::parse("<body><div><ul><li><h2>A</h2><li><h2>B</h2></ul></div>"),
        ];
        let kept = |at: usize| {
            let document = &documents[at];
            let title = document.nodes().find(|&id| document.name(id) == Some("h2")).unwrap();
            Kept { document, inside: vec![title], bodies: Vec::new() }
        };
        assert_eq!(told_by(&[&kept(0), &kept(1)], &[&kept(2)]), None);
        assert_eq!(told_by_structure(&[&kept(0), &kept(1)], &[&kept(2)]).as_deref(), Some("div:not([class]) > p"));
        assert_eq!(told_by_structure(&[&kept(0)], &[&kept(1)]), None);
    }
}
