//! The fitted model of `several`: the probability that like elements are a list in each record.
//!
//! Logistic regression on the groups of all open pages whose records are known; `tools/fit-align` fits and writes it.

use super::several::{Look, NAMES};

/// The weight of each number.
const WEIGHTS: [(&str, f32); 9] = [
    ("most in a record, log", 1.6616),
    ("share of records with the usual number", -4.3738),
    ("has a class", -2.1067),
    ("share of the content that is told by its number", -1.0791),
    ("length, log", -0.6579),
    ("share with sentences", 1.6969),
    ("paragraphs", -3.3290),
    ("likeness of shapes between numbers", 4.4072),
    ("share of dates, numbers and amounts", -4.8107),
];
/// The log of the odds before anything is seen.
const BIAS: f32 = 1.7544;

const _: () = assert!(WEIGHTS.len() == NAMES.len());

/// The probability that like elements are a list.
pub(crate) fn probability(look: &Look) -> f32 {
    let sum: f32 = look.iter().zip(&WEIGHTS).map(|(value, (_, weight))| value * weight).sum();
    1.0 / (1.0 + (-(sum + BIAS)).exp())
}
