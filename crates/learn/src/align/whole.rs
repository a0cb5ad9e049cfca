//! The fitted model of `content`: how likely it is that a reader takes the content of a place as one value.
//!
//! Logistic regression on the places of all open pages whose records are known; `tools/fit align` fits and writes it.

use super::content::{Look, NAMES};

/// What each number says for it, fitted.
const WEIGHTS: [(&str, f32); 48] = [
    ("share of elements with the usual build", 0.8235),
    ("share of the content in pieces that all have", 0.1488),
    ("share of the content in kinds that stand twice", 1.3448),
    ("share in bare text", 1.9167),
    ("share in formatting", 0.4386),
    ("share in pieces with a class", 0.7248),
    ("share in blocks", -0.1322),
    ("share in paragraphs and quotes", 1.0138),
    ("share in links", 3.0365),
    ("pieces, log", -0.9617),
    ("leaves, log", -0.0932),
    ("length, log", -0.3152),
    ("spread of lengths", 0.6000),
    ("share of elements in one line", 0.4931),
    ("share that is a date, number or amount", 3.9008),
    ("share with sentences", 0.1252),
    ("share of the content that never changes", -0.4835),
    ("share with line breaks", 0.1641),
    ("steady number of lines", -0.4337),
    ("in a link or heading", -0.3574),
    ("has a class", -0.3021),
    ("share of the record", -1.7171),
    ("depth in the record", 0.1382),
    ("texts that flow around a piece", -0.2757),
    ("kinds of pieces, log", -0.1802),
    ("share of the content in kinds that are values", -3.4363),
    ("like pieces only", -0.0018),
    ("share that begins with a label", 0.1909),
    ("table cell", -0.2493),
    ("paragraph", -1.5400),
    ("share with one piece", 0.4489),
    ("share with signs between the pieces", -2.3501),
    ("share in headings", 2.2767),
    ("share in images", 11.6343),
    ("longest piece, log", 0.3448),
    ("share of the content in different values", -0.0313),
    ("records, log", -0.2646),
    ("share with two kinds of build", -5.6586),
    ("share in markup of texts, at any depth", 0.6160),
    ("share in the longest leaf", 2.2591),
    ("sentences, built differently", 3.1854),
    ("sentences, in markup of texts", -0.0563),
    ("share of leaves at places that most have", 0.7806),
    ("share of elements with a long leaf", 1.3571),
    ("kinds that stand twice, in bare text", 4.4575),
    ("kinds that stand twice, and others", 2.3772),
    ("kinds that stand twice, in links", -3.7442),
    ("bare text that flows around a piece", 0.6955),
];
/// What is said before anything is seen.
const BIAS: f32 = 0.5267;

const _: () = assert!(WEIGHTS.len() == NAMES.len());

/// The probability that a place is one value.
pub(crate) fn probability(look: &Look) -> f32 {
    let sum: f32 = look.iter().zip(&WEIGHTS).map(|(value, (_, weight))| value * weight).sum();
    1.0 / (1.0 + (-(sum + BIAS)).exp())
}
