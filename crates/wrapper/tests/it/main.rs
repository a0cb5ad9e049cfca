//! What the crate promises, one file a promise.

mod bounds;
mod errors;
mod files;
mod random;
mod schema;
