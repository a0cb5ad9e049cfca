//! Approximate matching: finds the rows of a reference table whose value equals a given one to a degree, exactly and
//! without comparing all.
//!
//! An [`Index`] holds the distinct normalised values of one column, in order of length. Asked for a value of *n*
//! characters and a threshold *t*, it leaves out only what cannot match, so the answer is that of comparing with every row
//! (`tests/matching.rs` does, and finds the same):
//!
//! 1. **Lengths** (`bound.rs`). With the longer text having *m* characters, a match has at most *k* = ⌊(1 − *t*)·*m*⌋
//!    edits, and lengths that differ by no more. Lengths with the same *k* are searched together, in one of three ways; which
//!    one, `search.rs` decides by what they cost.
//! 2. **Counts** (`counts.rs`). A value that lacks more than *k* of the text's characters, wherever they stand, is out: so
//!    much is known in a nanosecond, for sixteen values at once. This is the way of names and makers, of which one in
//!    fifty and one in four are left.
//! 3. **Pieces** (`pieces.rs`, `grams.rs`). Cut *k* + 1 pieces out of the value that do not overlap: *k* edits touch at
//!    most *k* of them, so every match has one of them whole, and near its place: the pieces in front of it and behind it
//!    take the edits. Pieces are q-grams of two, three or five characters, and of all choices the one is taken whose
//!    lists in the index are shortest together. This is the way of texts in Han characters, whose pieces are rare.
//! 4. **Walking** (`values.rs`, `skips.rs`). The values are compared in order, and where a beginning is too far away
//!    already, all values that have it are passed over: the sorted values are walked like a tree. They are sorted by their
//!    ends, for `… Pharmaceutical Co., Ltd.` and `… hydrochloride tablets` are what values share, and it is the ends of
//!    codes that differ. This is the way of codes, which few edits may change.
//! 5. **Comparing** (`distance.rs`). What is left is compared in order, a column of the matrix at a time; values that
//!    begin alike stand together, so a column is computed once for all of them.
//! 6. **Rows** (`rows.rs`). The rows of the values that match are given in order, with their degrees.
//!
//! Usual are a prefix of the rarest q-grams of one size (they overlap, so it takes *kq* + 1 lists, not *k* + 1), or
//! segments at fixed places (PassJoin; the place cannot be chosen, and one segment that all values share makes all of them
//! candidates). Disjoint pieces, chosen by what they cost, have neither trouble, but a fifth of a name's characters may
//! differ, and then some piece is always common. Tried and not kept: a bit for each character that a value has (names
//! have them all), counts of pairs of characters beside those of characters (they leave a tenth less), counts of whole
//! blocks of values (three blocks in four are not left out).
//!
//! # Cost
//!
//! Building is linear but for one sort. An index takes about 18 bytes for each character of a distinct value (21 if there
//! are more than 255 different ones), 37 for each distinct value and 8 for each row ([`Index::memory`] counts them). A
//! question costs a nanosecond or two for each distinct value of fitting length, less if another way is cheaper, and some
//! tens for each that is compared, whatever the data: a way that turns out slow is given up for counts. Where 200,000 rows
//! are all nearly equal, nearly all of them match, by nature; [`Index::best`] and [`Index::top`] ask for high degrees
//! first and do not collect what they do not give.
//!
//! Values of more than 255 characters are neither counted nor cut into grams, and texts of more than 128 are compared
//! each by itself: a description of 10,000 characters is compared with every value of fitting length that it does not
//! equal, in some milliseconds each.

mod alphabet;
mod bound;
mod column;
mod counts;
mod distance;
mod folded;
mod grams;
mod index;
mod pieces;
mod rows;
mod search;
mod skips;
mod values;

pub use self::index::Index;
