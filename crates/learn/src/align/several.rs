//! Whether like elements in each record are a sublist, or fields that look alike.

use foldhash::fast::FixedState;
use hashbrown::HashMap;
use windrow_dom::{NodeId, names};

use super::content::flag;
use super::group;
use crate::discover::shape;
use crate::outline::Outline;

/// What is seen of like elements.
pub(crate) type Look = [f32; NAMES.len()];

/// What each number of a [`Look`] is.
pub(crate) const NAMES: [&str; 22] = [
    "share of records with several",
    "most in a record, log",
    "usual number, log",
    "share of records with the usual number",
    "spread of the number",
    "leaves of an element, log",
    "item of a list",
    "has a class",
    "share that stand side by side",
    "share of the content that is told by its number",
    "share of the content that never changes at its number",
    "length, log",
    "share with sentences",
    "only kind of its parent",
    "links",
    "paragraphs",
    "share of values met at several numbers",
    "likeness of shapes between numbers",
    "bare texts",
    "share of dates, numbers and amounts",
    "records, log",
    "share of records that have any",
];

/// Records that are looked at.
const SAMPLE: usize = 60;

/// How likely it is that like elements are a list in each record.
pub(crate) fn sublist(outline: &Outline<'_>, members: &[(usize, Vec<NodeId>)], siblings: usize, records: usize) -> f32 {
    group::probability(&look(outline, members, siblings, records))
}

/// What is seen of like elements. `siblings`: how many kinds stand beside them. `records`: how many there are.
pub(crate) fn look(outline: &Outline<'_>, members: &[(usize, Vec<NodeId>)], siblings: usize, records: usize) -> Look {
    let document = outline.document;
    let step = members.len().div_ceil(SAMPLE).max(1);
    let sample: Vec<&Vec<NodeId>> = members.iter().step_by(step).map(|(_, nodes)| nodes).collect();
    let count = sample.len().max(1) as f32;
    let mut counts: Vec<usize> = sample.iter().map(|nodes| nodes.len()).collect();
    counts.sort_unstable();
    let most = counts.last().copied().unwrap_or(1);
    let mut often: HashMap<usize, u32, FixedState> = HashMap::default();
    for &own in &counts {
        *often.entry(own).or_default() += 1;
    }
    let (usual, usually) =
        often.iter().max_by_key(|(own, often)| (**often, **own)).map_or((1, 0), |(own, often)| (*own, *often));
    let mean = counts.iter().sum::<usize>() as f32 / count;
    let spread = (counts.iter().map(|&own| (own as f32 - mean).powi(2)).sum::<f32>() / count).sqrt();
    let items: Vec<NodeId> = sample.iter().flat_map(|nodes| nodes.iter().copied()).take(SAMPLE * 8).collect();
    let all = items.len().max(1) as f32;
    let example = items.first().copied().unwrap_or(NodeId::ROOT);
    // Values by number.
    let mut by_number: Vec<HashMap<u64, u32, FixedState>> = vec![HashMap::default(); most.min(12)];
    let mut shapes: Vec<[f32; 4]> = vec![[0.0; 4]; most.min(12)];
    // By number and place in the element: the values of its leaves.
    let mut leaves: HashMap<(usize, usize), (Vec<u64>, f32), FixedState> = HashMap::default();
    let (mut beside, mut pairs) = (0.0f32, 0.0f32);
    let (mut length, mut sentences, mut values) = (0.0f32, 0.0f32, 0.0f32);
    for nodes in &sample {
        for (number, &node) in nodes.iter().enumerate().take(12) {
            let text = shape::collapse(&document.visible_text(node));
            let kind = shape_of(&text);
            shapes[number][kind] += 1.0;
            values += flag(kind == 0) / all;
            length += (text.chars().count().max(1) as f32).ln() / all;
            sentences += flag(text.split(' ').count() >= 10) / all;
            *by_number[number].entry(super::content::hash(&text)).or_default() += 1;
            for (at, leaf) in outline.leaves_below(node).iter().enumerate().take(6) {
                let known = leaves.entry((number, at)).or_default();
                known.0.push(leaf.value);
                known.1 += leaf.weight;
            }
        }
        for pair in nodes.windows(2) {
            pairs += 1.0;
            let end = document.subtree_end(pair[0]);
            beside += flag(end <= pair[1] && outline.leaves_in(end, pair[1]).is_empty());
        }
    }
    let (mut constant, mut told, mut total) = (0.0f32, 0.0f32, 0.0f32);
    for ((number, at), (texts, weight)) in &leaves {
        total += weight;
        let mut distinct = texts.clone();
        distinct.sort_unstable();
        distinct.dedup();
        if texts.len() > 2 && distinct.len() == 1 {
            constant += weight;
            // The same at no other number: it tells this one.
            let elsewhere = leaves
                .iter()
                .any(|((other, same), (texts, _))| other != number && same == at && texts.contains(&distinct[0]));
            told += weight * flag(!elsewhere);
        }
    }
    let total = total.max(0.1);
    let mut met: HashMap<u64, u32, FixedState> = HashMap::default();
    for values in &by_number {
        for value in values.keys() {
            *met.entry(*value).or_default() += 1;
        }
    }
    let shared = met.values().filter(|numbers| **numbers > 1).count() as f32 / met.len().max(1) as f32;
    let likeness = {
        let normal = |shape: &[f32; 4]| shape.map(|own| own / shape.iter().sum::<f32>().max(1.0));
        let first = shapes.first().map(normal).unwrap_or_default();
        let rest: Vec<f32> = shapes
            .iter()
            .skip(1)
            .filter(|shape| shape.iter().sum::<f32>() > 0.0)
            .map(|shape| normal(shape).iter().zip(&first).map(|(one, two)| one.min(*two)).sum::<f32>())
            .collect();
        if rest.is_empty() { 1.0 } else { rest.iter().sum::<f32>() / rest.len() as f32 }
    };
    [
        counts.iter().filter(|&&own| own > 1).count() as f32 / count,
        (most as f32).ln(),
        (usual as f32).ln(),
        usually as f32 / count,
        spread / mean.max(1.0),
        (items.iter().map(|&node| outline.leaves_below(node).len()).sum::<usize>() as f32 / all).max(0.5).ln(),
        flag(document.name_id(example) == Some(names::LI)),
        flag(document.is_element(example) && outline.has_class(example)),
        if pairs > 0.0 { beside / pairs } else { 1.0 },
        told / total,
        constant / total,
        length,
        sentences,
        flag(siblings <= 1),
        flag(document.name_id(example) == Some(names::A)),
        flag(document.name_id(example) == Some(names::P)),
        shared,
        likeness,
        flag(document.is_text(example)),
        values,
        (records.max(1) as f32).ln(),
        members.len() as f32 / records.max(1) as f32,
    ]
}

/// A date, number or amount; something with a digit; a word or two; more words.
fn shape_of(text: &str) -> usize {
    if shape::is_value(text) {
        0
    } else if text.contains(|c: char| c.is_ascii_digit()) {
        1
    } else if text.split(' ').count() <= 3 {
        2
    } else {
        3
    }
}
