//! Which rows of a reference table have a value that equals a given one to a degree: exactly, without comparing all.
//!
//! An [`Index`] holds the distinct normalised values of one column, in order of length. Asked for a value of *n*
//! characters and a threshold *t*, it goes these ways; each leaves out only what cannot match, so the answer is that of
//! comparing with every row (`tests/matching.rs` does, and finds the same):
//!
//! 1. **Lengths** (`bound.rs`). With the longer text having *m* characters, a match has at most *k* = ⌊(1 − *t*)·*m*⌋
//!    edits, and lengths that differ by no more. Lengths with the same *k* are searched together.
//! 2. **Pieces** (`pieces.rs`, `grams.rs`). Cut *k* + 1 pieces out of the value that do not overlap: *k* edits touch at
//!    most *k* of them, so every match has one of them whole, and near its place: the pieces in front of it and behind it
//!    take the edits. Pieces are q-grams of two, three or five characters, and of all choices the one is taken whose
//!    lists in the index are shortest together: `h20050` `001` rather than `h200` `50001` for a code whose years repeat.
//!    This is the blocking.
//! 3. **Characters** (`values.rs`). A word of 64 bits says which characters a value has, once and twice; characters that
//!    only one of two texts has must be edited.
//! 4. **Distance** (`distance.rs`). What is left is compared, 64 characters of a column of the matrix at a time.
//!
//! Usual are a prefix of the rarest q-grams of one size (they overlap, so it takes *kq* + 1 lists, not *k* + 1), or
//! segments at fixed places (PassJoin; the place cannot be chosen, and one segment that all values share, as
//! `Pharmaceutical Co Ltd`, makes all of them candidates). Disjoint pieces, chosen by what they cost, have neither trouble.
//!
//! # Cost
//!
//! Building is linear but for one sort. An index takes about 19 bytes for each character of a distinct value and 20 for
//! each row ([`Index::memory`] counts them). A query reads the chosen lists; if these are longer than the values whose
//! length fits, or if there are no *k* + 1 pieces (thresholds below a half; texts of a few characters), it looks at all
//! values of fitting length instead, a nanosecond each if their characters cannot match. So the work of a query is never
//! more than one pass over the distinct values of fitting length, whatever the data; values of 200,000 rows that are all
//! nearly equal match nearly all queries by nature, and [`Index::best`] and [`Index::top`] are there not to collect them.
//! Values of more than 255 characters are not cut into grams but looked at so: a description of 10,000 characters is
//! compared only with values of fitting length and characters, in 0.5 ms each.

mod alphabet;
mod bound;
mod distance;
mod grams;
mod index;
mod pieces;
mod values;

pub use self::index::Index;
