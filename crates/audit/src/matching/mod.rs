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
//! 3. **Comparing** (`distance.rs`, `values.rs`). What is left is compared in order, a column of the matrix at a time. Values
//!    that begin alike stand together, so a column is computed once for all of them, and where a beginning is too far away
//!    already, all values that have it are passed over: the sorted values are walked like a tree. They are sorted by their
//!    ends, for `… Pharmaceutical Co., Ltd.` and `… hydrochloride tablets` are what values share. Where pieces would not
//!    leave out enough, as there, all values of fitting length are walked.
//!
//! Usual are a prefix of the rarest q-grams of one size (they overlap, so it takes *kq* + 1 lists, not *k* + 1), or
//! segments at fixed places (PassJoin; the place cannot be chosen, and one segment that all values share makes all of them
//! candidates). Disjoint pieces, chosen by what they cost, have neither trouble. A signature of the characters that a
//! value has, as a filter before comparing, was tried: names have them all, and codes are compared as fast.
//!
//! # Cost
//!
//! Building is linear but for one sort. An index takes about 21 bytes for each character of a distinct value, 9 for each
//! distinct value and 4 for each row ([`Index::memory`] counts them). A query reads the chosen lists if they are shorter
//! than an eighth of the values of fitting length; else, or if there are no *k* + 1 pieces (thresholds of a half and less;
//! texts of a few characters), it walks these values. So the work of a query is never more than one walk over the distinct
//! values of fitting length, whatever the data: a nanosecond for each that is passed over, some tens for each that is not.
//! Where 200,000 rows are all nearly equal, nearly all of them match, by nature; [`Index::best`] and [`Index::top`] ask for
//! high degrees first and do not collect what they do not give.
//!
//! Values of more than 255 characters are not cut into grams, and texts of more than 128 are compared each by itself: a
//! description of 10,000 characters is compared with every value of fitting length that it does not equal, in some
//! milliseconds each.

mod alphabet;
mod bound;
mod distance;
mod grams;
mod index;
mod pieces;
mod values;

pub use self::index::Index;
