//! Like elements in each record: a sublist, or fields that look alike.
//!
//! Three tags are a list; a price, an area and a year in three elements of one look are fields. The likeness of what stands
//! first, second and third in the records tells most: a list has the same sort of thing at each number. A fitted model
//! (`group`) weighs this and a few other numbers.
//!
//! Paper: Fontán et al. 2012, section 4.1: the records of a sublist are of one type, fields are of several; the number of
//! records varies, that of fields is steady.
//!
//! # Cost
//!
//! The texts of a bounded sample of the elements.

use foldhash::fast::FixedState;
use hashbrown::HashMap;
use windrow_dom::{NodeId, names};

use super::content::flag;
use super::{Members, group};
use crate::alignment::shape;
use crate::page_view::{By, PageView};

/// Like elements in numbers.
pub(crate) type Look = [f32; NAMES.len()];

/// The name of each number of a [`Look`].
pub(crate) const NAMES: [&str; 9] = [
    "most in a record, log",
    "share of records with the usual number",
    "has a class",
    "share of the content that is told by its number",
    "length, log",
    "share with sentences",
    "paragraphs",
    "likeness of shapes between numbers",
    "share of dates, numbers and amounts",
];

/// Records that are looked at.
const SAMPLE: usize = 60;
/// Elements of one record that are told apart by their number, and leaves of one element.
const NUMBERS: usize = 12;
const LEAVES: usize = 6;
/// Texts that are met at two numbers; fewer may be chance, or empty values such as `none`.
const SHARED: usize = 3;
/// Words of a sentence.
const WORDS: usize = 10;

/// The probability that like elements are a list in each record.
pub(crate) fn sublist(view: &PageView<'_>, members: &Members) -> f32 {
    group::probability(&look(view, members))
}

/// Describes like elements in numbers, in the order of [`NAMES`].
pub(crate) fn look(view: &PageView<'_>, members: &Members) -> Look {
    let document = view.document;
    let step = members.len().div_ceil(SAMPLE).max(1);
    let sample: Vec<&Vec<NodeId>> = members.iter().step_by(step).map(|(_, nodes)| nodes).collect();
    let count = sample.len().max(1) as f32;
    let mut counts: Vec<usize> = sample.iter().map(|nodes| nodes.len()).collect();
    counts.sort_unstable();
    let most = counts.last().copied().unwrap_or(1);
    let usual = counts.chunk_by(|one, two| one == two).map(<[usize]>::len).max().unwrap_or(0);
    let all: f32 = sample.iter().map(|nodes| nodes.len().min(NUMBERS) as f32).sum::<f32>().max(1.0);
    let example = sample.first().and_then(|nodes| nodes.first()).copied().unwrap_or(NodeId::ROOT);
    let mut shapes: Vec<[f32; SHAPES]> = vec![[0.0; SHAPES]; most.min(NUMBERS)];
    // By number of the element and of the leaf in it: the texts, and their weight.
    let mut leaves: HashMap<(usize, usize), (Vec<u64>, f32), FixedState> = HashMap::default();
    let (mut length, mut sentences, mut values) = (0.0f32, 0.0f32, 0.0f32);
    for nodes in &sample {
        for (number, &node) in nodes.iter().enumerate().take(NUMBERS) {
            let text = view.text(node);
            let shape = shape_of(&text);
            shapes[number][shape] += 1.0;
            values += flag(shape == 0) / all;
            length += (text.chars().count().max(1) as f32).ln() / all;
            sentences += flag(text.split(' ').count() >= WORDS) / all;
            for (at, leaf) in view.leaves_below(node).iter().enumerate().take(LEAVES) {
                let known = leaves.entry((number, at)).or_default();
                known.0.push(leaf.value);
                known.1 += leaf.weight;
            }
        }
    }
    [
        (most as f32).ln(),
        usual as f32 / count,
        flag(document.is_element(example) && view.has_class(example)),
        told(&leaves),
        length,
        sentences,
        flag(document.name_id(example) == Some(names::P)),
        likeness(&shapes),
        values,
    ]
}

/// Places of a text: the number of the first element that says it, whether one of another number does, and how often.
struct Met {
    number: usize,
    elsewhere: bool,
    often: usize,
}

/// Says whether the elements say the same words at one number and at another, half of them at least: tags, or the players of a game. Fields
/// of different meaning do not; numbers and dates may agree by chance, so they do not count. Of elements with several texts, one that
/// does is enough: three sizes, each with its price.
pub(crate) fn share_words(view: &PageView<'_>, members: &Members) -> bool {
    let document = view.document;
    // By the place of a text in its element, by text.
    let mut said: HashMap<u64, HashMap<u64, Met, FixedState>, FixedState> = HashMap::default();
    let mut all: HashMap<u64, usize, FixedState> = HashMap::default();
    for (_, nodes) in members.iter().step_by(members.len().div_ceil(SAMPLE).max(1)) {
        for (number, &node) in nodes.iter().enumerate().take(NUMBERS) {
            for leaf in view.leaves_below(node).iter().take(LEAVES) {
                let place = view.key_below(node, leaf, By::Class);
                let text = if document.is_text(leaf.node) {
                    shape::collapse(document.text(leaf.node))
                } else {
                    shape::collapse(&document.visible_text(leaf.node))
                };
                *all.entry(place).or_default() += 1;
                if !shape::is_value(&text) {
                    let first = Met { number, elsewhere: false, often: 0 };
                    let own = said.entry(place).or_default().entry(leaf.value).or_insert(first);
                    own.elsewhere |= own.number != number;
                    own.often += 1;
                }
            }
        }
    }
    said.iter().any(|(place, texts)| {
        // What is the same everywhere is a label.
        let met: Vec<usize> = texts.values().filter(|own| own.elsewhere).map(|own| own.often).collect();
        met.len() >= SHARED && met.iter().sum::<usize>() * 2 >= all[place]
    })
}

/// Says whether the texts of the first of these groups have the shapes that those of the others have, at the half at least.
pub(crate) fn shapes_alike(view: &PageView<'_>, groups: &[&Members]) -> bool {
    let shapes: Vec<[f32; SHAPES]> = groups
        .iter()
        .map(|members| {
            let mut shapes = [0.0; SHAPES];
            for &node in members.iter().flat_map(|(_, nodes)| nodes).take(SAMPLE) {
                shapes[shape_of(&view.text(node))] += 1.0;
            }
            shapes
        })
        .collect();
    likeness(&shapes) >= 0.5
}

/// The share of the content that is the same in all records at its number, and stands at no other number: labels.
fn told(leaves: &HashMap<(usize, usize), (Vec<u64>, f32), FixedState>) -> f32 {
    let mut told = 0.0;
    for ((number, at), (texts, weight)) in leaves {
        let constant = texts.len() > 2 && texts.iter().all(|text| *text == texts[0]);
        let elsewhere = |((other, same), (others, _)): (&(usize, usize), &(Vec<u64>, f32))| {
            other != number && same == at && others.contains(&texts[0])
        };
        told += weight * flag(constant && !leaves.iter().any(elsewhere));
    }
    told / leaves.values().map(|known| known.1).sum::<f32>().max(0.1)
}

/// The share of shapes that the first element and each later one have in common, at the mean.
fn likeness(shapes: &[[f32; SHAPES]]) -> f32 {
    let shares = |shape: &[f32; SHAPES]| shape.map(|own| own / shape.iter().sum::<f32>().max(1.0));
    let first = shapes.first().map(shares).unwrap_or_default();
    let common = |shape: &[f32; SHAPES]| shares(shape).iter().zip(&first).map(|(one, two)| one.min(*two)).sum::<f32>();
    let rest: Vec<f32> = shapes.iter().skip(1).filter(|shape| shape.iter().sum::<f32>() > 0.0).map(common).collect();
    if rest.is_empty() { 1.0 } else { rest.iter().sum::<f32>() / rest.len() as f32 }
}

/// The shapes that [`shape_of`] tells apart.
const SHAPES: usize = 4;

/// The shape of a text: 0 for a date, number or amount, 1 for another text with a digit, 2 for up to three words, 3 for more.
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
