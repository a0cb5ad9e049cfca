//! Tests of the behaviour of the whole crate: its own rules, and comparisons with other implementations.

mod chromium;
mod corpus;
mod css;
mod errors;
mod libxml2;
mod limits;
mod support;
mod translate;
mod xpath;
