//! The fitted model of `several`: how likely it is that like elements are a list in each record.
//!
//! Logistic regression on the groups of all open pages whose records are known; `tools/fit align` fits and writes it. What has
//! no weight was no help on sites that were held out.

use super::several::{Look, NAMES};

/// What each number says for it, fitted.
const WEIGHTS: [(&str, f32); 22] = [
    ("share of records with several", 0.0000),
    ("most in a record, log", 1.6616),
    ("usual number, log", 0.0000),
    ("share of records with the usual number", -4.3738),
    ("spread of the number", 0.0000),
    ("leaves of an element, log", 0.0000),
    ("item of a list", 0.0000),
    ("has a class", -2.1067),
    ("share that stand side by side", 0.0000),
    ("share of the content that is told by its number", -1.0791),
    ("share of the content that never changes at its number", 0.0000),
    ("length, log", -0.6579),
    ("share with sentences", 1.6969),
    ("only kind of its parent", 0.0000),
    ("links", 0.0000),
    ("paragraphs", -3.3290),
    ("share of values met at several numbers", 0.0000),
    ("likeness of shapes between numbers", 4.4072),
    ("bare texts", 0.0000),
    ("share of dates, numbers and amounts", -4.8107),
    ("records, log", 0.0000),
    ("share of records that have any", 0.0000),
];
/// What is said before anything is seen.
const BIAS: f32 = 1.7544;

const _: () = assert!(WEIGHTS.len() == NAMES.len());

/// The probability that like elements are a list.
pub(crate) fn probability(look: &Look) -> f32 {
    let sum: f32 = look.iter().zip(&WEIGHTS).map(|(value, (_, weight))| value * weight).sum();
    1.0 / (1.0 + (-(sum + BIAS)).exp())
}
