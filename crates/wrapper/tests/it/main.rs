//! Tests of the crate's promises, one file for each.

mod absolute;
mod bounds;
mod bracket_support;
mod compile;
mod edit;
mod errors;
mod files;
mod hostile;
mod key;
mod random;
mod schema;
mod tally;
mod tsimmis;
mod tsimmis_errors;
mod tsimmis_parts;
mod tsimmis_run;
mod wtm;
mod xpaths;
