//! Names as labels: `<span id="lblMainPhone">`, `<b data-testid="product-price">`. Where a role has no label on the page, an
//! element whose name ends in a keyword, and which is the only one, has its value. Classes are no such names: they say
//! what something looks like, and what looks like a price is often another thing's.
//!
//! # Cost
//!
//! One look at each element's attributes.

use foldhash::fast::FixedState;
use hashbrown::HashMap;
use regex::Regex;
use windrow_dom::NodeId;

use super::layout::Layouts;
use super::lexicon::{Lexicon, Stand};
use super::{Evidence, Pair};

/// Bytes of a value that is found by a name alone.
const LONGEST: usize = 120;
/// How sure such a value is.
const CONFIDENCE: f32 = 0.4;

/// Pairs for the roles of these numbers, found by names.
pub(super) fn find(
    layouts: &Layouts<'_, '_>,
    lexicon: &Lexicon,
    patterns: &[Option<Regex>],
    wanted: &[bool],
) -> Vec<Pair> {
    let sheet = layouts.sheet;
    let document = sheet.document;
    let mut known: HashMap<&str, Option<u32>, FixedState> = HashMap::default();
    // By role: its elements with a text, none inside another.
    let mut found: Vec<(u32, Vec<NodeId>)> = Vec::new();
    for id in document.nodes().filter(|&id| document.is_element(id)) {
        for attribute in document.attrs(id).filter(|attribute| is_naming(attribute.name())) {
            let name = attribute.value();
            let role = *known.entry(name).or_insert_with(|| lexicon.named(name));
            let Some(role) = role.filter(|&role| wanted.get(role as usize) == Some(&true)) else { continue };
            let at = match found.iter().position(|(known, _)| *known == role) {
                Some(at) => at,
                None => {
                    found.push((role, Vec::new()));
                    found.len() - 1
                }
            };
            let nodes = &mut found[at].1;
            // Of names inside each other the innermost counts.
            if nodes.last().is_some_and(|&last| document.subtree_end(last) > id) {
                nodes.pop();
            }
            nodes.push(id);
        }
    }
    found
        .into_iter()
        .filter_map(|(role, nodes)| {
            let [node] = nodes[..] else { return None };
            let pieces = sheet.pieces_below(node);
            let (first, last) = (sheet.pieces.get(pieces.start)?, sheet.pieces.get(pieces.end.checked_sub(1)?)?);
            if pieces.is_empty() || first.line != last.line || first.unseen {
                return None;
            }
            // A label is no value.
            if layouts.marks_in(first.line).iter().any(|mark| mark.stand < Stand::Prose) {
                return None;
            }
            let text = &sheet.text[first.start as usize..last.end as usize];
            let fits = patterns.get(role as usize)?.as_ref().is_none_or(|pattern| pattern.is_match(text));
            if text.len() > LONGEST || !fits {
                return None;
            }
            let value = layouts.text_value(first.start as usize..last.end as usize)?;
            Some(Pair {
                role: Some(role as usize),
                label: None,
                values: vec![value],
                evidence: Evidence::Name,
                confidence: CONFIDENCE,
                inner: Vec::new(),
            })
        })
        .collect()
}

/// Whether an attribute gives its element a name of its own.
fn is_naming(name: &str) -> bool {
    matches!(name, "id" | "data-testid" | "data-test" | "data-qa" | "data-field" | "data-name" | "data-attribute")
}
