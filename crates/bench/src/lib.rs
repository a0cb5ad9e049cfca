//! Shared parts of the benchmark programs: the pages, the clock, the tables.
//!
//! Each program of `src/bin` answers one question, prints a table and writes the same rows as CSV; `bench/run.sh` runs
//! them all, with the peers, and keeps the results under `bench/runs`. Times are the fastest of several runs of each
//! page: the machine's noise only ever adds. Node and result counts stand beside the times, so that a fast wrong answer
//! shows.

pub mod arguments;
pub mod corpus;
pub mod expressions;
pub mod lists;
pub mod report;
pub mod shown;
pub mod timing;
pub mod weather;
