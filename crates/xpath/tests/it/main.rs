//! Behaviour of the whole crate: its own rules, and the judgement of others.

mod chromium;
mod corpus;
mod css;
mod errors;
mod libxml2;
mod limits;
mod support;
mod translate;
mod xpath;
