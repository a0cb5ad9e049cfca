//! The fitted model of `content`: the probability that a reader takes the content of a place as one value.
//!
//! Logistic regression on the places of all open pages whose records are known; `tools/fit-align` fits and writes it.

use super::content::{Look, NAMES};

/// The weight of each number.
const WEIGHTS: [(&str, f32); 48] = [
    ("share of elements with the usual build", 0.5854),
    ("share of the content in pieces that all have", -0.0208),
    ("share of the content in kinds that stand twice", 1.2971),
    ("share in bare text", 2.1503),
    ("share in formatting", 0.2792),
    ("share in pieces with a class", 0.7078),
    ("share in blocks", -0.1428),
    ("share in paragraphs and quotes", 0.9419),
    ("share in links", 3.0411),
    ("pieces, log", -0.9665),
    ("leaves, log", -0.1125),
    ("length, log", -0.2830),
    ("spread of lengths", 0.5331),
    ("share of elements in one line", 0.4910),
    ("share that is a date, number or amount", 4.3886),
    ("share with sentences", 0.0778),
    ("share of the content that never changes", -0.5501),
    ("share with line breaks", 0.0655),
    ("steady number of lines", -0.3848),
    ("in a link or heading", -0.4197),
    ("has a class", -0.1629),
    ("share of the record", -1.5426),
    ("depth in the record", 0.1337),
    ("texts that flow around a piece", -0.2478),
    ("kinds of pieces, log", -0.2080),
    ("share of the content in kinds that are values", -3.9641),
    ("like pieces only", -0.1391),
    ("share that begins with a label", 0.3562),
    ("table cell", -0.2216),
    ("paragraph", -1.6337),
    ("share with one piece", 0.5169),
    ("share with signs between the pieces", -2.3140),
    ("share in headings", 2.2670),
    ("share in images", 11.5411),
    ("longest piece, log", 0.3437),
    ("share of the content in different values", 0.0929),
    ("records, log", -0.2743),
    ("share with two kinds of build", -5.4102),
    ("share in markup of texts, at any depth", 0.6726),
    ("share in the longest leaf", 2.3023),
    ("sentences, built differently", 3.1567),
    ("sentences, in markup of texts", -0.2060),
    ("share of leaves at places that most have", 0.7765),
    ("share of elements with a long leaf", 1.2611),
    ("kinds that stand twice, in bare text", 4.1526),
    ("kinds that stand twice, and others", 2.4911),
    ("kinds that stand twice, in links", -3.5546),
    ("bare text that flows around a piece", 0.5293),
];
/// The log of the odds before anything is seen.
const BIAS: f32 = 0.4058;

const _: () = assert!(WEIGHTS.len() == NAMES.len());

/// The probability that a place is one value.
pub(crate) fn probability(look: &Look) -> f32 {
    let sum: f32 = look.iter().zip(&WEIGHTS).map(|(value, (_, weight))| value * weight).sum();
    1.0 / (1.0 + (-(sum + BIAS)).exp())
}
