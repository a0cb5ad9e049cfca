//! What the crate promises, one file a promise.

mod bounds;
mod bracket_support;
mod errors;
mod files;
mod random;
mod schema;
mod tsimmis;
mod wtm;
mod xpaths;
