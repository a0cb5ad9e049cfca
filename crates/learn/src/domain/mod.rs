//! Domain: attribute and value pairs on any site, from a few keywords.
//!
//! Y. Gu, X. Zheng, Y. Li, "Data Extraction from Web Pages Based on Structural Semantic Entropy", WWW 2012.

pub mod file;
mod words;

pub use words::{Domain, Role};
