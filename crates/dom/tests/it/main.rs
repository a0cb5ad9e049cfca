//! Tests of the parser against html5lib's suites, real pages and generated pages.
//!
//! The suites and the corpus are read from `../shared`. Without the corpus, only the repository's own pages are used;
//! anything that could not be checked is reported.

#![allow(clippy::print_stderr, reason = "suites print their totals, and what they skip")]

mod growth;
mod html5lib_encoding;
mod html5lib_tokenizer;
mod html5lib_tree;
mod invariants;
mod known;
mod roundtrip;
mod spans;
