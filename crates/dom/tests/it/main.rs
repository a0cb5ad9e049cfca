//! The parser's judges: html5lib's suites, the corpus beside the repository, and generated pages.
//!
//! Suites and corpus are read from `../shared`; a test whose material is missing says so and passes.

#![allow(clippy::print_stderr, reason = "suites print their totals, and what they skip")]

mod growth;
mod html5lib_encoding;
mod html5lib_tokenizer;
mod html5lib_tree;
mod invariants;
mod known;
mod roundtrip;
mod spans;
