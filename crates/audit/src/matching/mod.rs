//! Which rows of a reference table have a value that equals a given one to a degree.
pub use self::index::Index;

mod index;
