//! Audits from rules, tables and records to findings.

mod contradictions;
mod drugs;
mod findings;
