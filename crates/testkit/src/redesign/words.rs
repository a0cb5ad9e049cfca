//! Texts and names of new blocks, typical of no particular page.

use crate::generate::Rng;

/// Names of wrapper elements.
pub(super) const WRAPPERS: [&str; 10] =
    ["inner", "outer", "wrap", "container", "layout", "cell-inner", "holder", "group", "stack", "box-wrap"];

/// Names of new blocks.
pub(super) const BLOCKS: [&str; 9] =
    ["notice", "share-bar", "banner", "promo-strip", "breadcrumb-bar", "cookie-note", "toolbar", "helpbox", "survey"];

/// Names of advertisements.
pub(super) const ADS: [&str; 7] =
    ["ad-slot", "sponsored", "promoted", "advert", "partner-box", "dfp-unit", "native-ad"];

/// New names of classes, unless similar to the old name.
pub(super) const NAMES: [&str; 10] =
    ["panel", "tile", "region", "element", "fragment", "widget", "section-b", "cluster", "entry-box", "ui-part"];

/// Texts of new blocks.
pub(super) const NOTICES: [&str; 6] = [
    "We have a new look!",
    "Sign up for our newsletter",
    "Share this page",
    "Help us with a short survey",
    "Free delivery this week",
    "Read our new terms",
];

/// Texts of advertisements.
pub(super) const SLOGANS: [&str; 6] = [
    "Compare insurance in two minutes",
    "The best coffee machines of the year",
    "Learn Portuguese while you sleep",
    "Holiday homes by the lake",
    "Switch your power supplier",
    "Shoes that never wear out",
];

/// Headings of new columns and rows.
pub(super) const ATTRIBUTES: [&str; 6] = ["Warranty", "Compare", "Popularity", "Share", "Region code", "Updated by"];

/// Texts of new cells.
pub(super) const SHORT: [&str; 6] = ["Yes", "No", "Included", "On request", "more", "Standard"];

/// A class of this sort, now and then with a number.
pub(super) fn class(rng: &mut Rng, of: &[&str]) -> String {
    let name = rng.pick(of);
    if rng.once_in(3) { format!("{name}-{}", 2 + rng.below(8)) } else { name.to_owned() }
}

/// A text that says nothing of the page: a slogan for a sentence, a number for a number.
pub(super) fn like(rng: &mut Rng, text: &str) -> String {
    if text.chars().any(|char| char.is_ascii_digit()) && text.chars().count() < 20 {
        let digit = |char: char| if char.is_ascii_digit() { char::from(b'1' + rng.below(9) as u8) } else { char };
        return text.chars().map(digit).collect();
    }
    if text.trim().chars().count() < 12 { rng.pick(&SHORT).to_owned() } else { rng.pick(&SLOGANS).to_owned() }
}
