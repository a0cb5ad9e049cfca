//! Extracted records held against reference data.
//!
//! Rules with a confidence say what is wrong with a record (E) in the light of a table of reference (S); how far two
//! values agree is a degree, and what follows is an interval of probability.

pub mod logic;
pub mod matching;
pub mod normal;
pub mod reference;
