//! Changes of the shape alone: what stands on the page stays, but for blocks that are dropped.

use super::map::{Map, Target, Zone, asks};
use super::table::{self, TABLE};
use super::tree::{Content, Tree};
use super::words;
use crate::generate::Rng;

/// Elements whose children are of fixed kinds: nothing may be put around those.
const STRICT: [&str; 12] =
    ["html", "table", "thead", "tbody", "tfoot", "tr", "colgroup", "ul", "ol", "dl", "menu", "frameset"];

/// Elements that only such parents hold: what is put around them goes around what is in them.
const HELD: [&str; 7] = ["td", "th", "li", "dt", "dd", "caption", "body"];

/// Elements in a line of text.
const INLINE: [&str; 27] = [
    "a", "abbr", "acronym", "b", "big", "bdi", "bdo", "cite", "code", "del", "em", "font", "i", "img", "ins", "label",
    "q", "s", "small", "span", "strike", "strong", "sub", "sup", "time", "tt", "u",
];

/// Blocks that can change places with each other.
const BLOCKS: [&str; 23] = [
    "article",
    "aside",
    "blockquote",
    "center",
    "div",
    "dl",
    "fieldset",
    "figure",
    "footer",
    "form",
    "h1",
    "h2",
    "h3",
    "h4",
    "header",
    "main",
    "nav",
    "ol",
    "p",
    "section",
    "table",
    "tr",
    "ul",
];

/// Elements that say nothing of their own.
const WRAPPERS: [&str; 6] = ["div", "span", "center", "section", "font", "article"];

pub(super) fn is_inline(tree: &Tree, at: usize) -> bool {
    tree.is_any(at, &INLINE)
}

/// Reports whether block elements inside would end the element or look out of place.
pub(super) fn holds_text(tree: &Tree, at: usize) -> bool {
    is_inline(tree, at) || tree.is_any(at, &["p", "h1", "h2", "h3", "h4", "h5", "h6", "pre", "button", "dt", "summary"])
}

/// Puts an element around another, or around all that is in it.
pub(super) fn wrap(tree: &mut Tree, map: &Map, rng: &mut Rng) -> Option<String> {
    let fits = |at: usize| {
        let parent = tree.items[at].parent;
        let strict = tree.is_any(at, &STRICT) && !tree.is_any(at, &["table", "ul", "ol", "dl"]);
        !strict && !tree.is_any(at, &["br", "hr", "input", "col", "option"]) && {
            tree.is_any(at, &HELD) && !tree.items[at].children.is_empty() || !tree.is_any(parent, &STRICT)
        }
    };
    let Target { members, .. } = map.target(rng, &fits)?;
    let first = *members.first()?;
    let around_contents = tree.is_any(first, &HELD);
    let outer = if around_contents { first } else { tree.items[first].parent };
    let in_line = holds_text(tree, outer) || !around_contents && is_inline(tree, first);
    let name = if in_line { "span" } else { rng.pick(&["div", "div", "div", "section"]) };
    let class = (!rng.once_in(3)).then(|| words::class(rng, &words::WRAPPERS));
    let attrs: Vec<(&str, &str)> = class.iter().map(|class| ("class", class.as_str())).collect();
    for &at in &members {
        let wrapper = tree.element(name, &attrs);
        if around_contents {
            for child in std::mem::take(&mut tree.items[at].children) {
                tree.append(wrapper, child);
            }
            tree.append(at, wrapper);
        } else {
            tree.replace(at, &[wrapper]);
            tree.append(wrapper, at);
        }
    }
    let what = if around_contents { "what is in " } else { "" };
    Some(format!("{name} around {what}{}", describe(tree, &members)))
}

/// Takes an element away that only holds another.
pub(super) fn unwrap(tree: &mut Tree, map: &Map, rng: &mut Rng) -> Option<String> {
    let fits = |at: usize| {
        tree.is_any(at, &WRAPPERS)
            && tree.attr(at, "id").is_none()
            && map.is_free(at)
            && !tree.has_own_text(at)
            && tree.elements(at).count() == 1
            && tree.items[at].children.iter().all(|&child| tree.is_element(child) || tree.is_blank(child))
    };
    let Target { members, .. } = map.target(rng, &fits)?;
    let what = describe(tree, &members);
    for &at in &members {
        let children = std::mem::take(&mut tree.items[at].children);
        tree.replace(at, &children);
    }
    Some(what)
}

/// Lets blocks change places: two of the frame, or two parts of all records alike, or two columns.
pub(super) fn reorder(tree: &mut Tree, map: &Map, rng: &mut Rng) -> Option<String> {
    if let Some(table) = table::of_records(tree, map).filter(|_| rng.once_in(2)) {
        return table::swap_columns(tree, &table, rng);
    }
    // Where texts stand between the blocks, or labels do, places have a meaning.
    let loose = |at: usize| {
        !tree.has_own_text(at)
            && !tree.is_any(at, &["dl", "table", "tr", "html"])
            && !tree.items[at].children.iter().any(|&child| asks(tree, child))
    };
    let fits = |at: usize| tree.is_any(at, &BLOCKS) && loose(tree.items[at].parent);
    let Target { members, zone } = map.target(rng, &fits)?;
    let one = members[rng.below(members.len())];
    let parent = tree.items[one].parent;
    let alike = |other: usize| map.place(one) == map.place(other);
    let others = tree.elements(parent).filter(|&other| {
        other != one
            && tree.is_any(other, &BLOCKS)
            && match (zone, map.is_single()) {
                // Two blocks that both hold values are not told apart from two records.
                (Zone::Records, true) => alike(other),
                (Zone::Records, false) => !alike(other) && map.recorded[parent],
                _ => map.held[one] == 0 || map.held[other] == 0,
            }
    });
    let others: Vec<usize> = others.collect();
    let other = *others.get(rng.below(others.len()))?;
    if members.len() == 1 || map.is_single() {
        let what = format!("{} and {}", describe(tree, &[one]), describe(tree, &[other]));
        tree.swap(one, other);
        return Some(what);
    }
    let what = format!("{} and {}", describe(tree, &members), describe(tree, &[other]));
    let mut swapped = 0;
    for one in members {
        let siblings = tree.elements(tree.items[one].parent);
        let pairs: Vec<usize> = siblings.filter(|&at| map.place(at) == map.place(other)).collect();
        let twins = tree.elements(tree.items[one].parent).filter(|&at| map.place(at) == map.place(one)).count();
        if let ([other], 1) = (&pairs[..], twins) {
            tree.swap(one, *other);
            swapped += 1;
        }
    }
    (swapped > 0).then_some(what)
}

/// Takes a block away that holds no value and names none.
pub(super) fn drop_block(tree: &mut Tree, map: &Map, rng: &mut Rng) -> Option<String> {
    if let Some(table) = table::of_records(tree, map).filter(|_| rng.once_in(4)) {
        return table::drop_column(tree, map, &table, rng);
    }
    let labels: Vec<usize> = map.labels(tree).into_iter().flatten().collect();
    let fits = |at: usize| {
        let row_of_list = !map.is_single() && tree.is_any(at, &TABLE);
        map.held[at] == 0
            && !row_of_list
            && !tree.is_any(at, &["td", "th", "dt", "dd", "br", "a", "b", "i", "em", "strong", "font"])
            && !labels.contains(&at)
    };
    let Target { members, .. } = map.target(rng, &fits)?;
    let what = describe(tree, &members);
    for at in members {
        tree.remove(at);
    }
    Some(what)
}

/// Gives an element another tag of much the same meaning.
pub(super) fn retag(tree: &mut Tree, map: &Map, rng: &mut Rng) -> Option<String> {
    let others = |name: &str| -> &[&str] {
        match name {
            "h1" => &["h2"],
            "h2" => &["h1", "h3"],
            "h3" => &["h2", "h4"],
            "h4" => &["h3", "h5"],
            "h5" | "h6" => &["h4", "div"],
            "b" => &["strong"],
            "strong" => &["b"],
            "i" => &["em"],
            "em" => &["i"],
            "font" | "big" | "small" | "tt" | "u" => &["span"],
            "center" | "p" | "article" => &["div"],
            "div" => &["section", "article"],
            "section" => &["div", "article"],
            "span" => &["em", "small"],
            _ => &[],
        }
    };
    let fits = |at: usize| tree.name(at).is_some_and(|name| !others(name).is_empty());
    let Target { members, .. } = map.target(rng, &fits)?;
    let old = tree.name(*members.first()?)?.to_owned();
    let new = rng.pick(others(&old));
    let what = format!("{} to {new}", describe(tree, &members));
    for at in members {
        tree.items[at].content = Content::Element(new.into());
    }
    Some(what)
}

/// Elements as a person would name them.
pub(super) fn describe(tree: &Tree, members: &[usize]) -> String {
    let Some(&first) = members.first() else { return "nothing".to_owned() };
    let mut text = tree.name(first).unwrap_or("text").to_owned();
    if let Some(id) = tree.attr(first, "id") {
        text.extend(["#", id]);
    }
    if let Some(class) = tree.classes(first).next() {
        text.extend([".", class]);
    }
    match members.len() {
        1 => text,
        more => format!("{text}, {more} times"),
    }
}
