//! Questions to a store, or to pages that are kept in one for as long as the program runs.

pub mod catalogue;
mod over;

pub use self::over::{PageStore, keep};
