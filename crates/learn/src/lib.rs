//! Windrow's learners: from evidence about a page to the wrapper that takes it apart.
//!
//! [`discover`] needs no evidence but the page's own repetition: it finds the list, its records, their fields and
//! sublists.

pub mod discover;
mod outline;
