//! Domain: attribute and value pairs on any site, from a few keywords.
//!
//! Y. Gu, X. Zheng, Y. Li, "Data Extraction from Web Pages Based on Structural Semantic Entropy", WWW 2012.

mod entropy;
pub mod file;
mod layout;
mod lexicon;
mod read;
mod sheet;
mod words;

pub use layout::Layout;
pub use read::{Pair, Reader};
pub use words::{Domain, Role};
