//! Names as labels: `<span id="lblMainPhone">`, `<b data-testid="product-price">`. Where a role has no label on the page, an
//! element whose name ends in a keyword, and which is the only one, has its value. Classes are weaker names: they say
//! what something looks like, and what looks like a price is often another thing's. So a class tells only if all its
//! elements say the same or one stands right below the title, never a price, and none in a comment, in the margin or at the
//! foot of the page counts.
//!
//! # Cost
//!
//! One look at each element's attributes.

use foldhash::fast::FixedState;
use hashbrown::HashMap;
use regex::Regex;
use windrow_dom::{Document, NodeId, names};
use windrow_wrapper::values::Type;

use super::layout::Layouts;
use super::lexicon::{Lexicon, Stand};
use super::words::Domain;
use super::{Clues, Evidence, Pair};

/// Bytes of a value that is found by a name alone.
const LONGEST: usize = 120;
/// How sure such a value is.
const CONFIDENCE: f32 = 0.4;
/// How sure one is that only a class tells.
const BY_CLASS: f32 = 0.3;
/// Classes of one element, and elements of one class, that are looked at.
const MOST_CLASSES: usize = 8;
const MOST_ALIKE: usize = 8;

/// Lines below the title in which an element counts although others of its class say something else. A byline, a date and a
/// rating stand within eight lines on the open pages of `recipes`.
const NEAR_TITLE: u32 = 8;

/// Pairs for the roles that are `wanted`, found by names. `record`: the node of the record; `title`: that of its title.
pub(super) fn find(
    layouts: &Layouts<'_, '_>,
    domain: &Domain,
    lexicon: &Lexicon,
    patterns: &[Option<Regex>],
    wanted: &[bool],
    record: NodeId,
    title: Option<NodeId>,
) -> Vec<Pair> {
    let sheet = layouts.sheet;
    let document = sheet.document;
    let line = |node: NodeId| sheet.pieces.get(sheet.pieces_below(node).start).map(|piece| piece.line);
    let title_line = title.and_then(line);
    let is_near_title = |node: NodeId| {
        let lines = title_line.zip(line(node)).and_then(|(title, line)| line.checked_sub(title));
        lines.is_some_and(|lines| (1..=NEAR_TITLE).contains(&lines))
    };
    let mut known: HashMap<&str, Option<u32>, FixedState> = HashMap::default();
    let mut classes = Classes::default();
    let mut called: HashMap<&str, Option<u32>, FixedState> = HashMap::default();
    // By role: its elements with a text, none inside another.
    let mut found: Vec<(u32, Vec<NodeId>)> = Vec::new();
    for id in document.nodes().filter(|&id| document.is_element(id)) {
        for class in
            document.attr_by_id(id, names::CLASS).unwrap_or_default().split_ascii_whitespace().take(MOST_CLASSES)
        {
            let role = *called.entry(class).or_insert_with(|| lexicon.classed(class));
            // A role that machines are told of has a name in the markup.
            let told = |role: u32| {
                domain.roles.get(role as usize).is_some_and(|role| !role.schema.is_empty() && role.ty != Type::Money)
            };
            if let Some(role) = role.filter(|&role| wanted.get(role as usize) == Some(&true) && told(role))
                && !is_of_others(document, record, id)
            {
                classes.add(document, role, id);
            }
        }
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
    let named = |role: u32, node: NodeId, confidence: f32| {
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
        let role = role as usize;
        let value = layouts.text_value(first.start as usize..last.end as usize)?;
        let value_length = value.text.len() as u32;
        Some(Pair {
            role: Some(role),
            label: None,
            values: vec![value],
            evidence: Evidence::Name,
            confidence,
            clues: Clues { by_class: confidence < CONFIDENCE, length: value_length, ..Clues::default() },
            inner: Vec::new(),
        })
    };
    let mut pairs: Vec<Pair> = Vec::new();
    for (role, nodes) in found {
        if let [node] = nodes[..] {
            pairs.extend(named(role, node, CONFIDENCE));
        }
    }
    for (role, nodes) in classes.found {
        if pairs.iter().any(|pair| pair.role == Some(role as usize)) {
            continue;
        }
        // What holds no text, or several lines of it, is named for its looks.
        let said: Vec<Pair> = nodes.iter().filter_map(|&node| named(role, node, BY_CLASS)).collect();
        let text = |pair: &Pair| pair.values.first().map(|value| value.text.clone());
        let first = said.first().and_then(text);
        let same = nodes.len() <= MOST_ALIKE && said.iter().all(|pair| text(pair) == first);
        // Of several elements all must say the same, or one alone stands right below the title: what differs is told of
        // other things.
        let mut near =
            said.iter().filter(|pair| same || pair.values.first().is_some_and(|value| is_near_title(value.node)));
        let first_near = near.next();
        pairs.extend(first_near.filter(|one| near.all(|other| text(other) == text(one))).cloned());
    }
    pairs
}

/// Elements whose class ends in a keyword, by role.
#[derive(Default)]
struct Classes {
    found: Vec<(u32, Vec<NodeId>)>,
}

impl Classes {
    fn add(&mut self, document: &Document, role: u32, id: NodeId) {
        let at = match self.found.iter().position(|(known, _)| *known == role) {
            Some(at) => at,
            None => {
                self.found.push((role, Vec::new()));
                self.found.len() - 1
            }
        };
        let nodes = &mut self.found[at].1;
        if nodes.len() > MOST_ALIKE {
            return;
        }
        // Of names inside each other the innermost counts.
        if nodes.last().is_some_and(|&last| document.subtree_end(last) > id) {
            nodes.pop();
        }
        nodes.push(id);
    }
}

/// Whether a node stands in a part of the page that is said by others, or of other things. What is around the record is
/// none, whatever its class says of the layout: `<body class="content-sidebar">`.
pub(super) fn is_of_others(document: &Document, record: NodeId, id: NodeId) -> bool {
    let around = |&id: &NodeId| id <= record && record < document.subtree_end(id);
    document.ancestors(id).take_while(|id| !around(id)).any(|id| {
        let part = matches!(document.name_id(id), Some(names::NAV | names::FOOTER | names::ASIDE));
        let names = [names::CLASS, names::ID].iter().filter_map(|&name| document.attr_by_id(id, name));
        part || names.into_iter().any(|name| {
            let name = name.to_ascii_lowercase();
            ["comment", "related", "sidebar", "footer", "reply", "review-"].iter().any(|word| name.contains(word))
        })
    })
}

/// Whether an attribute gives its element a name of its own.
fn is_naming(name: &str) -> bool {
    matches!(name, "id" | "data-testid" | "data-test" | "data-qa" | "data-field" | "data-name" | "data-attribute")
}
