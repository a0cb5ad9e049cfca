//! The fitted model of `content`: the probability that a reader takes the content of a place as one value.
//!
//! Logistic regression on the places of all open pages whose records are known; `tools/fit-align` fits and writes it.

use super::content::{Look, NAMES};

/// The weight of each number.
const WEIGHTS: [(&str, f32); 48] = [
    ("share of elements with the usual build", 1.1617),
    ("share of the content in pieces that all have", -0.1469),
    ("share of the content in kinds that stand twice", 0.4070),
    ("share in bare text", 2.1083),
    ("share in formatting", 0.6063),
    ("share in pieces with a class", -0.0866),
    ("share in blocks", -0.4191),
    ("share in paragraphs and quotes", 2.4612),
    ("share in links", 3.1652),
    ("pieces, log", -1.6488),
    ("leaves, log", -0.1585),
    ("length, log", -0.2040),
    ("spread of lengths", 0.5995),
    ("share of elements in one line", 0.4422),
    ("share that is a date, number or amount", 4.1299),
    ("share with sentences", 0.1405),
    ("share of the content that never changes", -0.8038),
    ("share with line breaks", -0.0125),
    ("steady number of lines", -0.3165),
    ("in a link or heading", -0.1001),
    ("has a class", 0.0255),
    ("share of the record", -0.9298),
    ("depth in the record", 0.1561),
    ("texts that flow around a piece", -0.5059),
    ("kinds of pieces, log", 0.1046),
    ("share of the content in kinds that are values", -2.7725),
    ("like pieces only", 0.4675),
    ("share that begins with a label", -0.6229),
    ("table cell", -0.3284),
    ("paragraph", -1.5728),
    ("share with one piece", -0.6639),
    ("share with signs between the pieces", -1.7440),
    ("share in headings", 2.3480),
    ("share in images", 11.9270),
    ("longest piece, log", 0.3414),
    ("share of the content in different values", -0.4433),
    ("records, log", -0.3840),
    ("share with two kinds of build", -5.1493),
    ("share in markup of texts, at any depth", 0.7476),
    ("share in the longest leaf", 1.5229),
    ("sentences, built differently", 3.2071),
    ("sentences, in markup of texts", 0.2681),
    ("share of leaves at places that most have", -0.3640),
    ("share of elements with a long leaf", 0.9862),
    ("kinds that stand twice, in bare text", 3.2126),
    ("kinds that stand twice, and others", 3.4166),
    ("kinds that stand twice, in links", -4.7551),
    ("bare text that flows around a piece", 1.2975),
];
/// The log of the odds before anything is seen.
const BIAS: f32 = 2.0673;

const _: () = assert!(WEIGHTS.len() == NAMES.len());

/// The probability that a place is one value.
pub(crate) fn probability(look: &Look) -> f32 {
    let sum: f32 = look.iter().zip(&WEIGHTS).map(|(value, (_, weight))| value * weight).sum();
    1.0 / (1.0 + (-(sum + BIAS)).exp())
}
