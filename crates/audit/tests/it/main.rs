//! Audits from rules, tables and records to findings, and the matching of values with reference tables.

mod contradictions;
mod drugs;
mod findings;
mod matching;
mod matching_reference;
