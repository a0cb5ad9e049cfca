//! Discover: records, fields and sublists from one page, with no help.
//!
//! A page that was made from records shows it: the same things stand in the same places, again and again. [`discover`]
//! looks at every way of cutting the page into such a list, takes the best (`region`), lays its records over each other
//! to see which fields and sublists they have (`template`), and writes the wrapper that gets them (`rules`), with names
//! that a person can read (`names`).
//!
//! Paper: L. Fontán, R. López-García, M. Álvarez, A. Pan, "Automatically Extracting Complex Data Structures from the
//! Web", 2012, on M. Álvarez et al., "Extracting lists of data records from semi-structured web pages", 2008.
//!
//! # Worked example
//!
//! `<ul><li><b>Oslo</b> 3°<li><b>Rome</b> 19°</ul>`: the two `li` have a bold text and a text each, all different; no
//! other cut of the page has as much in common. The wrapper says `records = "/html[1]/body[1]/ul[1]/li"`, with the fields
//! `b` and `text()`.
//!
//! # Departures from the paper
//!
//! Region and division are one choice, by one measure without pairs and without edit distance; fields are aligned by
//! place, so a value cannot slip into the neighbouring column. Each module says more.
//!
//! # Cost
//!
//! Linear in the page times a bounded number of cuts; trying the rules costs their evaluation on each record.

mod headings;
mod lines;
mod locate;
mod names;
mod pieces;
mod region;
mod rules;
mod shape;
mod split;
mod template;
#[cfg(test)]
mod tests;

use windrow_dom::Document;
use windrow_wrapper::Wrapper;

use crate::outline::Outline;

/// The lists of a page, each as the wrapper that takes it out, the main one first; at most `most` of them.
pub fn discover(document: &Document, most: usize) -> Vec<Wrapper> {
    let outline = Outline::new(document);
    let mut lists: Vec<region::Candidate> = Vec::new();
    for candidate in region::candidates(&outline) {
        // Another cut of a list that was taken already is no other list.
        if lists.len() < most && !lists.iter().any(|list| list.overlaps(&candidate)) {
            lists.push(candidate);
        }
    }
    lists
        .iter()
        .map(|candidate| {
            let template = template::overlay(&outline, candidate.cut, &candidate.records);
            rules::wrapper(&outline, candidate, &template)
        })
        .collect()
}
