//! Tables of reference.
mod error;
mod near;
mod table;

pub use self::error::Error;
pub use self::table::Reference;
