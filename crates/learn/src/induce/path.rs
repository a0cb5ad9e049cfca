//! Steps, predicates and quotes: the pieces that expressions are written from.

use windrow_dom::{Document, Namespace, NodeId, names};

use super::generated::looks_generated;
use super::way::{Kind, Way};

/// A text as an XPath literal; none if it has both kinds of quotes.
pub(crate) fn quoted(text: &str) -> Option<String> {
    match (text.contains('\''), text.contains('"')) {
        (false, _) => Some(format!("'{text}'")),
        (_, false) => Some(format!("\"{text}\"")),
        _ => None,
    }
}

/// A test of XPath that an element has this word in its class.
pub(crate) fn class_test(word: &str) -> String {
    format!("contains(concat(' ', normalize-space(@class), ' '), ' {word} ')")
}

/// An element by its tag and the first of its class words that will last, as a step of XPath.
pub(crate) fn named_step(document: &Document, id: NodeId) -> String {
    let name = tag(document, id).unwrap_or("*");
    let counts = |word: &&str| word.contains(|c: char| c.is_ascii_digit());
    match lasting_classes(document, id).find(|word| !counts(word)) {
        Some(word) => format!("{name}[{}]", class_test(word)),
        None => name.to_owned(),
    }
}

/// The tag of an element as a step can name it: an HTML element with a plain name.
pub(crate) fn tag(document: &Document, id: NodeId) -> Option<&str> {
    let name = document.name(id)?;
    let plain = name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-');
    (document.namespace(id) == Namespace::Html && plain).then_some(name)
}

/// The step that a node is, without its rank: its tag, or `text()`.
pub(crate) fn step(document: &Document, id: NodeId) -> Option<&str> {
    if document.is_text(id) { Some("text()") } else { tag(document, id) }
}

/// Whether two nodes are the same step.
fn alike(document: &Document, one: NodeId, two: NodeId) -> bool {
    document.kind(one) == document.kind(two) && document.name_id(one) == document.name_id(two)
}

/// The rank of a node among the siblings of its step, and whether it is the only one.
pub(crate) fn rank(document: &Document, id: NodeId) -> (usize, bool) {
    let Some(parent) = document.parent(id) else { return (1, true) };
    let (mut rank, mut count) = (1, 0);
    for sibling in document.children(parent).filter(|&sibling| alike(document, sibling, id)) {
        rank += usize::from(sibling < id);
        count += 1;
    }
    (rank, count <= 1)
}

/// The steps from a node down to one below it: `/ul/li[2]/a`; empty if they are the same. An index stands where there are
/// siblings of the same step.
pub(crate) fn down(document: &Document, from: NodeId, to: NodeId) -> Option<String> {
    let mut lineage = Vec::new();
    let mut at = to;
    while at != from {
        lineage.push(at);
        at = document.parent(at)?;
    }
    let mut path = String::new();
    for &id in lineage.iter().rev() {
        path.push('/');
        path.push_str(step(document, id)?);
        if let (rank, false) = rank(document, id) {
            path.push_str(&format!("[{rank}]"));
        }
    }
    Some(path)
}

/// The same without indexes: the first of what is built so.
pub(crate) fn plain_down(document: &Document, from: NodeId, to: NodeId) -> Option<String> {
    let mut path = String::new();
    let mut at = to;
    while at != from {
        // White space between elements is a text as well.
        let test = if document.is_text(at) { "[normalize-space()]" } else { "" };
        path.insert_str(0, &format!("/{}{test}", step(document, at)?));
        at = document.parent(at)?;
    }
    Some(path)
}

/// The lowest node that has both in it, and the children of that, or itself, in which each of them is.
pub(crate) fn meet(document: &Document, one: NodeId, two: NodeId) -> Option<(NodeId, NodeId, NodeId)> {
    let inside = |above: NodeId, id: NodeId| above <= id && id < document.subtree_end(above);
    let (mut first, mut above) = (one, one);
    while !inside(above, two) {
        first = above;
        above = document.parent(above)?;
    }
    let mut second = two;
    while second != above {
        let parent = document.parent(second)?;
        if parent == above {
            break;
        }
        second = parent;
    }
    Some((above, first, second))
}

/// The id of an element, if it will last.
pub(crate) fn lasting_id(document: &Document, id: NodeId) -> Option<&str> {
    let value = document.attr_by_id(id, names::ID)?.trim();
    let plain = value.chars().all(|c| c.is_alphanumeric() || "-_.:".contains(c));
    // A number in an id counts or is a key; in a class it mostly does not.
    let counts = value.bytes().any(|byte| byte.is_ascii_digit());
    (plain && !counts && !looks_generated(value)).then_some(value)
}

/// The last word of an id that a program put together from the names that persons gave: `ctl00_main_linkWebsite`.
pub(crate) fn lasting_end(document: &Document, id: NodeId) -> Option<&str> {
    let value = document.attr_by_id(id, names::ID)?.trim();
    let at = value.rfind(['_', ':', '$'])?;
    let word = value.get(at + 1..)?;
    let plain = word.len() >= 5 && word.bytes().all(|byte| byte.is_ascii_alphabetic());
    (plain && !looks_generated(word)).then(|| &value[at..])
}

/// The class words of an element that will last.
pub(crate) fn lasting_classes(document: &Document, id: NodeId) -> impl Iterator<Item = &str> {
    const MARKS: &[&str] =
        &["odd", "even", "first", "last", "alt", "active", "selected", "current", "hover", "new", "clear", "clearfix"];
    let class = document.attr_by_id(id, names::CLASS).unwrap_or_default();
    class.split_ascii_whitespace().filter(|word| {
        let plain = word.starts_with(|c: char| c.is_ascii_alphabetic())
            && word.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-' || byte == b'_');
        plain && !looks_generated(word) && !MARKS.iter().any(|mark| word.eq_ignore_ascii_case(mark))
    })
}

/// What an element is known by: its id, or a class word.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Mark<'d> {
    /// An id.
    Id(&'d str),
    /// All of a class.
    Class(&'d str),
    /// A class word among others.
    Word(&'d str),
}

impl<'d> Mark<'d> {
    pub(crate) fn class(document: &'d Document, id: NodeId, word: &'d str) -> Mark<'d> {
        match document.attr_by_id(id, names::CLASS) {
            Some(all) if all == word => Mark::Class(word),
            _ => Mark::Word(word),
        }
    }

    /// The expression for an element with this tag and mark, and steps down from it. A class word among others is
    /// awkward in XPath, and steps by index or to texts are not in CSS.
    pub(crate) fn way(self, kind: Kind, tag: &str, steps: &str) -> Way {
        match self {
            Mark::Id(id) => Way::new(kind, format!("//{tag}[@id='{id}']{steps}")),
            Mark::Class(class) => Way::new(kind, format!("//{tag}[@class='{class}']{steps}")),
            Mark::Word(word) if !steps.contains(['[', '(', '@']) && !steps.contains("//") => {
                Way::css(kind, format!("{tag}.{word}{}", steps.replace('/', " > ")))
            }
            Mark::Word(word) => {
                let test = class_test(word);
                Way::new(kind, format!("//{tag}[{test}]{steps}"))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_by_names_that_last() {
        let of = |html: &str| {
            let document = Document::parse(html);
            let body = document.find_html(names::BODY).unwrap();
            named_step(&document, document.children(body).next().unwrap())
        };
        let title = "h3[contains(concat(' ', normalize-space(@class), ' '), ' title ')]";
        assert_eq!(of("<h3 class='title'>"), title);
        // Neither a number, nor what a tool or a script wrote, nor what counts.
        assert_eq!(of("<h3 class=\"post-17 css-1q2w3e first it's title\">"), title);
        assert_eq!(of("<h3 class='post-17'>"), "h3");
        assert_eq!(of("<svg class='title'>"), "*[contains(concat(' ', normalize-space(@class), ' '), ' title ')]");
        assert_eq!(of("a text"), "*");
    }
}
