//! Exports read back by readers that are not ours, and jq over records.

mod columnar;
mod csv;
mod feed;
mod jq;
mod json;
mod sample;
mod trees;
mod xlsx;
