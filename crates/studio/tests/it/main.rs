//! The studio as its front end meets it: over HTTP, on loopback.

mod description;
mod files;
mod guard;
mod learn;
mod learning;
mod opening;
mod pages;
mod rules;
mod support;
