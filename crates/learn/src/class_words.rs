//! Class words that mean something.
//!
//! A class may say what an element is (`price`, `product-title`) or only how it looks (`w-full`, `text-muted`, `MuiBox-root`, `gloyjl`).
//! Only the first kind may name a field or a list. A class is cut into words at signs and capitals; it says nothing if
//! a build tool made it up or if it is a utility class of a CSS framework; otherwise the words that describe the looks are left out.
//!
//! Both tables are curated: utility prefixes are those of Tailwind, Bootstrap and Tachyons, and the words of looks are those that the
//! open pages of the corpora use.
//!
//! Cost: one look-up per word of a class.

use crate::induce::generated::looks_generated;
use crate::letters::is_made_up;

/// The first words of utility classes: `text-muted`, `w-full`, `mt-4`, `bg-white`.
#[rustfmt::skip]
const UTILITIES: &[&str] = &[
    "align", "animate", "appearance", "basis", "bg", "border", "bottom", "break", "clear", "col", "container",
    "cursor", "d", "display", "duration", "ease", "fill", "flex", "float", "font", "fs", "fw", "gap", "grid", "grow",
    "h", "has", "hover", "inset", "is", "items", "justify", "leading", "left", "m", "max", "mb", "me", "min", "ml",
    "mr", "ms", "mt", "mx", "my", "object", "opacity", "order", "outline", "overflow", "p", "pb", "pe", "pl",
    "pointer", "position", "pr", "ps", "pt", "px", "py", "right", "ring", "rounded", "rtl", "select", "self",
    "shadow", "shrink", "space", "sr", "stroke", "text", "top", "tracking", "transform", "transition", "translate",
    "u", "underline", "visually", "w", "whitespace", "z",
];

/// Words that describe how or where something is shown, not what it is.
#[rustfmt::skip]
const LOOKS: &[&str] = &[
    "absolute", "accent", "accordion", "active", "adjust", "align", "alt", "anchor", "anim", "animate", "animated",
    "area", "arrow", "aside", "aspect", "auto", "background", "bar", "base", "baseline", "big", "black", "blank",
    "block", "blue", "bold", "border", "bottom", "box", "break", "breakpoint", "btn", "bullet", "button", "card",
    "cards", "carousel", "cell", "cells", "center", "chakra", "child", "circle", "clean", "clear", "clearfix",
    "click", "clickable", "col", "collapse", "collapsed", "collection", "color", "cols", "column", "columns",
    "combobox", "compact", "component", "container", "css", "cta", "current", "cursor", "dark", "data", "decor",
    "decoration", "default", "desktop", "dialog", "direction", "disabled", "display", "div", "divider", "drawer",
    "drop", "dropdown", "effect", "elem", "element", "elementor", "ellipsis", "ember", "emphasis", "empty", "enabled",
    "even", "expand", "expandable", "expanded", "expander", "fade", "fallback", "featured", "fill", "first", "fixed",
    "flex", "float", "flow", "fluid", "focus", "font", "footer", "foreground", "frame", "full", "fullwidth", "gap",
    "glyph", "gray", "green", "grey", "grid", "group", "grow", "gutter", "half", "has", "header", "height", "helper",
    "hidden", "hide", "highlight", "hint", "horizontal", "hover", "icon", "inline", "inner", "input", "item", "items",
    "jsx", "justify", "large", "last", "layout", "lazy", "lazyautosizes", "lazyload", "lazyloaded", "leading", "left",
    "lg", "light", "line", "lines", "link", "list", "listing", "listings", "lists", "loop", "lozad", "main", "margin",
    "markup", "masonry", "material", "max", "med", "medium", "menu", "mid", "middle", "min", "mini", "mobile",
    "modal", "modifier", "module", "mui", "muted", "nav", "navigation", "negative", "new", "nobr", "node", "none",
    "normal", "noscript", "odd", "offscreen", "opacity", "open", "option", "orange", "outer", "outline", "overflow",
    "overlaid", "overlay", "pad", "padded", "padding", "page", "pages", "panel", "paragraph", "pill", "plain",
    "plural", "popover", "popup", "positioned", "presentation", "pretty", "primary", "print", "pseudo", "pull", "px",
    "quiet", "react", "record", "records", "red", "regular", "relative", "reset", "responsive", "right", "ring",
    "roboto", "root", "round", "rounded", "row", "rows", "screen", "scroll", "secondary", "selected", "semibold",
    "separator", "shaded", "shadow", "shape", "show", "shrink", "side", "simple", "single", "size", "sized",
    "skeleton", "slick", "slide", "slider", "slot", "small", "space", "spacer", "span", "square", "stack", "standard",
    "static", "sticky", "stretch", "striped", "strong", "style", "styled", "sub", "subtle", "svg", "swiper", "tab",
    "table", "tabs", "tbody", "text", "the", "theme", "tile", "tiles", "tiny", "toggle", "toggleable", "tooltip",
    "top", "transition", "transparent", "truncate", "truncated", "typography", "underline", "unstyled", "uppercase",
    "utility", "vertical", "view", "visible", "visually", "visuallyhidden", "vue", "white", "wide", "widget", "width",
    "with", "wrap", "wrapper", "wrapping", "zebra", "zindex", "zoom",
];

/// Returns the words of a class or an id that say what an element is, in order; none for utility classes and made-up names.
pub(crate) fn meaningful(class: &str) -> Vec<String> {
    let made_up = || looks_generated(class) || class.split(|c: char| !c.is_alphanumeric()).any(is_made_up);
    if class.contains([':', '/', '[', '.', '(', '@', '!']) || made_up() {
        return Vec::new();
    }
    let words = parts(class);
    if words.len() > 1 && words.first().is_some_and(|first| UTILITIES.binary_search(&first.as_str()).is_ok()) {
        return Vec::new();
    }
    let mut kept: Vec<String> = words.into_iter().filter(|word| says_something(word)).collect();
    kept.dedup();
    kept
}

/// Returns true unless a word is too short, has a digit in it, or describes the looks of an element.
fn says_something(word: &str) -> bool {
    word.chars().count() > 2 && word.chars().all(char::is_alphabetic) && LOOKS.binary_search(&word).is_err()
}

/// Returns the words of a class or a type in lower case: parted by signs, and by capitals as in `JobPosting`.
pub(crate) fn parts(word: &str) -> Vec<String> {
    let mut parts = vec![String::new()];
    let mut small = false;
    for c in word.chars() {
        if !c.is_alphanumeric() || c.is_uppercase() && small {
            parts.push(String::new());
        }
        if let Some(part) = parts.last_mut().filter(|_| c.is_alphanumeric()) {
            part.extend(c.to_lowercase());
        }
        small = c.is_lowercase();
    }
    parts.retain(|part| !part.is_empty());
    parts
}

#[cfg(test)]
mod tests {
    use super::{LOOKS, UTILITIES, meaningful};

    #[test]
    fn tables_are_sorted() {
        assert!(UTILITIES.is_sorted() && LOOKS.is_sorted());
    }

    #[test]
    fn classes_with_and_without_meaning() {
        for (class, expected) in [
            ("price", "price"),
            ("product-title", "product title"),
            ("dealCard-price--old", "deal price old"),
            ("item_price", "price"),
            ("w-full", ""),
            ("text-muted", ""),
            ("MuiTypography-root", ""),
            ("md:flex", ""),
            ("gloyjl", ""),
            ("bpk-text", "bpk"),
            ("a-size-base", ""),
            ("clearfix", ""),
            ("s-text-subtle", ""),
        ] {
            assert_eq!(meaningful(class).join(" "), expected, "{class}");
        }
    }
}
