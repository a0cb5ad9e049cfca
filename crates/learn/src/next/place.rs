//! What kind of place an element stands in, by the names around it.
//!
//! The nearest name decides: a pager in a gallery is a pager, an arrow of a gallery in a page of a pager is not. A bounded
//! number of ancestors is looked at, so a place costs a constant amount of work.

use windrow_dom::{Document, NodeId};

use super::words::{self, Says, parts};

/// What kind of place an element stands in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Place {
    /// Among links to the pages of a list.
    Pager,
    /// Beside a link to the previous page, or what would be one: of pages, or of days.
    Pair,
    /// Nothing tells.
    Plain,
    /// Beneath an entry, whose neighbours are entries.
    Entry,
    /// In a calendar, a gallery, a dialog: what moves there is not the list.
    Aside,
}

/// How many ancestors are looked at.
const LEVELS: usize = 8;
/// Siblings that are looked at for a link to the previous page.
const SIBLINGS: usize = 12;

const ASIDE: [&str; 22] = [
    "carousel",
    "slider",
    "slick",
    "swiper",
    "slideshow",
    "gallery",
    "lightbox",
    "fancybox",
    "highslide",
    "calendar",
    "datepicker",
    "month",
    "nextmonth",
    "prevmonth",
    "breadcrumb",
    "breadcrumbs",
    "modal",
    "owl",
    "flickity",
    "splide",
    "tooltip",
    "overlay",
];

const ENTRY: [(&str, &str); 9] = [
    ("post", "navigation"),
    ("post", "nav"),
    ("nav", "single"),
    ("single", "navigation"),
    ("single", "nav"),
    ("entry", "nav"),
    ("entry", "navigation"),
    ("article", "nav"),
    ("article", "navigation"),
];

const PAGER: [(&str, &str); 14] = [
    ("page", "nav"),
    ("page", "navigation"),
    ("page", "numbers"),
    ("page", "number"),
    ("page", "list"),
    ("page", "turn"),
    ("page", "links"),
    ("page", "selection"),
    ("page", "control"),
    ("prev", "next"),
    ("next", "prev"),
    ("posts", "nav"),
    ("posts", "navigation"),
    ("load", "more"),
];

/// Names of one word that end as pagers' do, and are none.
const NO_PAGERS: [&str; 8] =
    ["homepage", "frontpage", "webpage", "landingpage", "subpage", "mainpage", "onepage", "fullpage"];

/// What kind of place an element stands in.
pub(super) fn place(document: &Document, node: NodeId) -> Place {
    let mut otherwise = Place::Plain;
    let around = std::iter::once(node).chain(document.ancestors(node)).take(LEVELS);
    for (level, element) in around.enumerate() {
        for name in ["class", "id", "role", "aria-label"] {
            let Some(value) = document.attr(element, name) else { continue };
            for class in value.split_ascii_whitespace().take(12) {
                if let Some(place) = named(class, level) {
                    return place;
                }
            }
        }
        if level == 1 && has_previous(document, element) {
            otherwise = Place::Pair;
        }
    }
    otherwise
}

fn named(class: &str, level: usize) -> Option<Place> {
    let parts = parts(class);
    let has = |pairs: &[(&str, &str)]| {
        parts.windows(2).any(|pair| pairs.iter().any(|(first, second)| pair[0] == *first && pair[1] == *second))
    };
    if parts.iter().any(|part| ASIDE.contains(&part.as_str())) {
        // A carousel's dots are called a pagination, too.
        return Some(Place::Aside);
    }
    if has(&ENTRY) {
        return Some(Place::Entry);
    }
    let is_pager = |part: &String| {
        part.contains("pagin")
            || part.contains("pagenav")
            || part.contains("pagenum")
            || part.ends_with("pager")
            || matches!(part.as_str(), "nextprev" | "prevnext" | "pgnum" | "pagelist" | "navend" | "loadmore")
            || (level <= 3 && part.starts_with("pages"))
    };
    if has(&PAGER) || parts.iter().any(is_pager) {
        return Some(Place::Pager);
    }
    let is_page = |part: &String| part.ends_with("page") && !NO_PAGERS.contains(&part.as_str());
    (level <= 2 && level > 0 && parts.len() == 1 && parts.iter().any(is_page)).then_some(Place::Pager)
}

/// Whether one of an element's children is a link to the previous page, or would be if there were one.
fn has_previous(document: &Document, parent: NodeId) -> bool {
    let children = document.children(parent).take(SIBLINGS).filter(|child| document.is_element(*child));
    children.into_iter().any(|child| words::read(&label(document, child)) == Says::Elsewhere)
}

/// What an element shows, as far as it can be a label: its text and the alternative texts of its images.
pub(super) fn label(document: &Document, element: NodeId) -> String {
    let mut text = String::new();
    // What is longer is no label; what is deeper is no link.
    for node in document.descendants(element).take(40) {
        if text.len() > 4 * words::LONGEST {
            break;
        }
        if document.is_text(node) {
            let hidden =
                document.parent(node).is_some_and(|parent| matches!(document.name(parent), Some("script" | "style")));
            if !hidden {
                text.push_str(document.text(node));
            }
        } else if document.name(node) == Some("img")
            && let Some(alt) = document.attr(node, "alt")
        {
            text.push(' ');
            text.push_str(alt);
        }
    }
    text
}
