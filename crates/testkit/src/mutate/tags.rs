//! Tags change, all alike: nothing of what they say to a reader does.

use super::State;
use crate::generate::Rng;
use crate::redesign::tree::Content;

/// Gives lists, headings, paragraphs and spans other tags.
pub(super) fn retag(state: &mut State, rng: &mut Rng, _: &[String]) -> bool {
    let span = rng.pick(&["em", "b", "i", "small"]);
    let division = if rng.once_in(2) { "section" } else { "div" };
    // In a list of sections, entries are articles; divs are in divs.
    let entry = if division == "section" { "article" } else { "div" };
    change(state, &mut |name| match name {
        "li" => Some(entry),
        "ul" | "ol" => Some(division),
        "dl" | "article" | "section" | "main" | "header" | "footer" | "p" | "dt" | "dd" => Some("div"),
        "h1" => Some("h2"),
        "h2" => Some("h3"),
        "h3" => Some("h4"),
        "h4" | "h5" | "h6" => Some("h5"),
        "b" => Some("strong"),
        "strong" => Some("b"),
        "i" => Some("em"),
        "em" | "font" | "small" => Some("span"),
        "span" => Some(span),
        _ => None,
    })
}

/// Makes `div`s of tables.
pub(super) fn untable(state: &mut State, _: &mut Rng, _: &[String]) -> bool {
    for at in state.tree.order() {
        if state.tree.is_any(at, &["colgroup", "col"]) {
            state.tree.remove(at);
        }
    }
    change(state, &mut |name| {
        ["table", "caption", "thead", "tbody", "tfoot", "tr", "td", "th"].contains(&name).then_some("div")
    })
}

fn change(state: &mut State, other: &mut dyn FnMut(&str) -> Option<&'static str>) -> bool {
    let mut changed = false;
    for at in state.tree.order() {
        if let Some(new) = state.tree.name(at).and_then(&mut *other) {
            state.tree.items[at].content = Content::Element(new.into());
            changed = true;
        }
    }
    changed
}
