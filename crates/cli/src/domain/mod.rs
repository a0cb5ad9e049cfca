//! Domains on the command line: found by name or file, their errors drawn where they stand.

pub(crate) mod explain;
pub(crate) mod note;
mod words;

pub(crate) use words::Words;
